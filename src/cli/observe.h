/* SPDX-License-Identifier: MIT
 *
 * observe.h - the parts of the command `observe`: residuals of a log, contacts and faults in it, the report. */
#ifndef CLI_OBSERVE_H
#define CLI_OBSERVE_H

#include "arne/observe.h"
#include "arne/log.h"
#include "cli/out.h"

typedef struct {
    int begin, end, peak; /* rows; end -1: it lasts to the end of the log */
    int joint;            /* whose residual is farthest over its threshold, at the peak */
    int link;             /* that was hit */
    double residual;      /* of that joint at the peak */
    int wrench_link;      /* the wrench is estimated there */
    double wrench[6];     /* world axes at the link's origin, at the peak */
    double unexplained;   /* part of the residual that it leaves */
} contact;

typedef struct {
    int row;
    arne_fault fault;
} fault_event;

typedef struct {
    const robot *robot;
    arne_data *data;
    const arne_log *log;
    int n;
    bool numeric, links;          /* links: the link side of elastic joints */
    double *gain, *threshold;     /* n */
    const char *threshold_source; /* "given", "learned" or "log" */
    int wrench_link;              /* -1: the link that was hit */
    double *residual;             /* count x n */
    bool *touched;                /* count */
    int held;                     /* rows with a number that is none */
    bool quiet;
    contact *contacts;
    int ncontact;
    fault_event *faults;
    int nfault;
} observation;

/* observe_log.c. All return an exit status, after a message. */
int observe_residuals(observation *o, const arne_log *log, double *residual); /* says where they were held */
int observe_learn(observation *o, const char *path, double rate);             /* thresholds from another log */
int observe_usual(observation *o);                                            /* thresholds from this log itself */
int observe_events(observation *o);

/* print_observe.c */
void print_observe_text(const observation *o, out *to);
void print_observe_json(const observation *o, out *to);
int write_observe_csv(const observation *o, const char *path); /* and FILE.json beside it */
int write_observe_plot(const observation *o, const char *path);

#endif
