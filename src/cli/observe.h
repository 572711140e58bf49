/* SPDX-License-Identifier: MIT
 *
 * observe.h - what the command `observe` found: residuals of a log, contacts and faults in it; and the report. */
#ifndef CLI_OBSERVE_H
#define CLI_OBSERVE_H

#include "arne/observe.h"
#include "arne/log.h"
#include "cli/input.h"
#include "cli/out.h"

typedef struct {
    const robot *robot;
    arne_data *data;
    const arne_log *log;
    int n;
    bool numeric, links;          /* links: the link side of elastic joints */
    double *gain, *threshold;     /* n */
    const char *threshold_source; /* "given", "learned" or "log" */
    int wrench_link;              /* -1: the link that was hit */
    const char *point_text;       /* NULL: its origin */
    double point[3];              /* of the link, in its axes */
    double *residual;             /* count x n */
    bool *held;                   /* count: rows at which the residual is held */
    bool quiet;
    arne_events events;
} observation;

/* print_observe.c */
int held_rows(const bool *held, int count);
int held_after(const bool *held, int count, int row); /* the first held row from this one on; count: none */
const char *held_why(const arne_log *log, int row);
void print_observe_text(const observation *o, out *to);
void print_observe_json(const observation *o, out *to);
int write_observe_csv(const observation *o, const char *path, const out *said); /* and FILE.json beside it */

#endif
