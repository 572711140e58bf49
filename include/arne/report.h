/* SPDX-License-Identifier: MIT
 *
 * report.h - runs as their files tell them, what can be said about them, a page that says and draws it; pictures by gnuplot. */
#ifndef ARNE_REPORT_H
#define ARNE_REPORT_H

#include "arne/estimate.h"
#include "arne/log.h"
#include "arne/observe.h"
#include "arne/plan.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- pictures ---- */

/* A gnuplot script says what to plot and nothing about terminals and outputs. It finds the data in a file whose name is the
 * gnuplot variable `data`: "plot data using 1:2 with lines title 'q1'". Columns are separated by commas; what is not a number
 * (the first line, for example) is skipped by gnuplot. */
typedef struct {
    const char *script;
    const char *data;  /* CSV text, NULL: none */
    int width, height; /* px */
} arne_picture;

/* The picture as text, *svg from malloc. ARNE_UNSUPPORTED where gnuplot is missing or does not like the script. */
arne_status arne_picture_svg(const arne_picture *p, char **svg, arne_error *error);
/* The same into a file, which appears whole or not at all; it brings the colours of pages, for light and dark screens. */
arne_status arne_picture_file(const arne_picture *p, const char *path, arne_error *error);
/* Text for a gnuplot string in single quotes: quotes doubled, line ends to blanks. Returns `to`. */
const char *arne_picture_quoted(const char *text, char *to, size_t size);

/* What elastic joints do in a motion (arne_flex_motion), count rows: positions, velocities, deflections, torques, the difference
 * from rigid joints. */
typedef struct {
    int count;
    const double *t, *x; /* x: count x 5 x dof */
    const double *theta, *tau, *rigid;
} arne_elastic_plot;
arne_status arne_plot_elastic(const arne_model *m, const arne_elastic_plot *e, const char *path, arne_error *error);

/* Residuals over their thresholds, the contacts as bands. */
typedef struct {
    int count;
    const double *t, *residual, *threshold; /* count, count x dof, dof */
    const arne_events *events;
} arne_residual_plot;
arne_status arne_plot_residuals(const arne_model *m, const arne_residual_plot *r, const char *path, arne_error *error);

/* The map of a hand along a path: its largest accelerations in all directions over the points of the path. */
arne_status arne_plot_map(const arne_model *m, const arne_map_row *rows, int places, const char *path, arne_error *error);

/* ---- runs ---- */

/* The table of a CSV file with a column t, and what the JSON file of the same name beside it says, where there is one. */
typedef struct arne_report_run arne_report_run;

arne_status arne_report_read(const char *path, arne_report_run **out, arne_error *error);
void arne_report_free(arne_report_run *r);
/* Where the robot of the run is: a shipped one by its name, or a file as it is called or beside the run. *name from malloc, NULL:
 * the run names none, or it is not here. */
arne_status arne_report_locate(const arne_report_run *r, char **name, arne_error *error);
arne_base_choice arne_report_base(const arne_report_run *r); /* that the run has put its robot on */
arne_mimic_choice arne_report_mimic(const arne_report_run *r);
const char *arne_report_robot(const arne_report_run *r); /* as the run calls it, NULL: not at all */
/* Completes the run with its robot (d and m NULL: nobody knows it; both must stay): due once, before anything below. `path` is
 * for messages. */
arne_status arne_report_complete(arne_report_run *r, const arne_description *d, const arne_model *m, const char *path,
                                 arne_error *error);
void arne_report_size(const arne_report_run *r, size_t *rows, int *columns, int *joints);

/* ---- what can be said ---- */

typedef struct {
    int joint; /* -1: none */
    double value, t;
} arne_report_peak;

typedef struct {
    arne_report_peak error;   /* from the reference: largest of the joints that turn, else of those that slide; t may be NAN */
    arne_report_peak torque;  /* as a share of the limit */
    arne_report_peak speed;   /* as a share of the limit */
    arne_report_peak outside; /* of the position limits, by how much */
    arne_report_peak still;   /* should have moved and did not; how far off it is */
    int saturated;            /* joint that is at its limit or over it longest, -1: none */
    double saturated_s;
    const arne_about_event *push, *contact, *stop; /* what was done to the robot; what was found first; the reaction */
    int contacts;                                  /* found */
    int false_alarms;                              /* found, while nothing was done */
    const arne_about_event *unexplained;           /* the first of them */
    double delay;                                  /* from push to contact, NAN: no such pair */
    bool watched;                                  /* an observer was there */
} arne_report_facts;

void arne_report_find(const arne_report_run *r, arne_report_facts *f);
const char *arne_report_verdict(const arne_report_run *r, const arne_report_facts *f); /* "good", "fair" or "bad" */

/* The verdict of a run whose rows pass by once and are not kept: nothing allocates in a row. */
typedef struct arne_report_watch arne_report_watch;
arne_status arne_report_watch_new(const arne_model *m, arne_report_watch **out, arne_error *error);
void arne_report_watch_row(arne_report_watch *w, double t, const double *q, const double *qd, const double *tau);
/* With what would stand beside the run: events, status, errors. *verdict as above; *words, plain text, from malloc. */
arne_status arne_report_watch_end(const arne_report_watch *w, const arne_about *a, const char **verdict, char **words,
                                  arne_error *error);
/* The same as numbers; pushes and contacts are those of `a`. */
arne_status arne_report_watch_find(const arne_report_watch *w, const arne_about *a, arne_report_facts *f);
void arne_report_watch_free(arne_report_watch *w);

/* One HTML page about the runs, which holds its pictures and needs no network; *page from malloc. title NULL: that of the run. */
arne_status arne_report_page(const arne_report_run *const *runs, int count, const char *title, char **page, arne_error *error);
/* The same about what was learned from recorded motions (arne_identify): errors, torques, residuals, parameters with deviations.
 * title NULL: one is made of the robot's name. */
arne_status arne_identified_page(const arne_identified *found, const arne_model *m, const char *title, char **page,
                                 arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
