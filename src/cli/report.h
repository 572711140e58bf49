/* SPDX-License-Identifier: MIT
 *
 * report.h - a report: runs as files tell them, what can be said about them, and the page that says and draws it. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/out.h"

typedef struct {
    double t, end; /* s; end NAN: a moment */
    char *kind, *text;
} report_event;

/* A run: the table of a CSV file, and what the JSON file beside it says. Strings that are absent are NULL, numbers NAN. */
typedef struct {
    const char *path;
    int columns;
    size_t rows;
    char **names;
    bool *drawn;    /* columns that some chart shows */
    double *values; /* column after column */
    const double *t;

    char *kind; /* "run", "feasible", "elastic", "observe"; NULL: no JSON file */
    char *title, *robot_name, *model, *controller, *integrator, *status, *message, *link;
    double period, wall;
    int dof;
    char **joints;                                         /* dof names */
    double *effort, *velocity, *lower, *upper, *threshold; /* dof each, NAN: none */
    int nevent;
    report_event *events;

    bool has_robot;
    robot robot;
} report_run;

/* Reads path and the JSON file of the same name beside it. report_close is due after a failure too. */
int report_open(const arguments *a, const char *path, report_run *r);
void report_close(report_run *r);
/* The column `group` of a joint: q3, q.elbow or, with a part, r3.fx. NULL: there is none. It counts as drawn. */
const double *report_column(const report_run *r, const char *group, int joint, const char *part);
const double *report_named(const report_run *r, const char *name);
bool report_turns(const report_run *r, int joint); /* revolute, or nothing is known about it */

/* ---- facts (report_facts.c) */

typedef struct {
    int joint; /* -1: none */
    double value, t;
} report_peak;

typedef struct {
    report_peak error;   /* from the reference: largest of the joints that turn, else of those that slide */
    report_peak torque;  /* as a share of the limit */
    report_peak speed;   /* as a share of the limit */
    report_peak outside; /* of the position limits, by how much */
    int saturated;       /* joint that is at its limit longest, -1: none */
    double saturated_s;
    const report_event *push, *contact, *stop; /* what was done to the robot; what was found first; the reaction */
    int contacts;                              /* found */
    int false_alarms;                          /* found, while nothing was done */
    const report_event *unexplained;           /* the first of them */
    double delay;                              /* from push to contact, NAN: no such pair */
    bool watched;                              /* an observer was there */
} report_facts;

void report_find(const report_run *r, report_facts *f);
/* Returns "good", "fair" or "bad"; writes the words of it. */
const char *report_verdict(const report_run *r, const report_facts *f, out *o);
void report_summary(const report_run *r, const report_facts *f, out *o); /* a list in plain words */
void report_comparison(const report_run *runs, const report_facts *facts, int count, out *o);

/* ---- pictures */

extern const char *const report_colours[]; /* REPORT_COLOURS of them */
enum { REPORT_COLOURS = 8 };
int report_charts(const report_run *r, out *o);    /* gnuplot; returns an exit status */
int report_side_view(const report_run *r, out *o); /* the robot along the motion, where it is known */
void out_html(out *o, const char *text);           /* with the characters of HTML escaped; what is not text becomes U+FFFD */

#endif
