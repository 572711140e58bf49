/* SPDX-License-Identifier: MIT
 *
 * elastic.h - robots with elastic joints in the program, and the parts of the command `elastic`: a motion with four derivatives,
 * what the joints go through in it, the report. */
#ifndef CLI_ELASTIC_H
#define CLI_ELASTIC_H

#include "arne/elastic.h"
#include "cli/input.h"
#include "cli/out.h"

/* elastic_motion.c: springs and motors of a robot with its switches and payloads; names file, line and joint where one lacks a
 * spring or a rotor. */
int elastic_open(const robot *r, arne_flex **flex);

/* A motion with its derivatives: of the file, or of a spline through its positions. */
typedef struct {
    const char *name; /* of the file */
    const arne_model *model;
    arne_wrench *wrenches; /* of the options, act all the time */
    int nwrench;
    int n, count;
    double *t;   /* count */
    double *x;   /* count x 5 x n: q ... qdddd */
    bool fitted; /* else the file had the derivatives */
    arne_flex_fit fit;
} elastic_motion;

/* Reads --in, --dt, --degree. elastic_motion_close is due after a failure too. */
int elastic_motion_open(const arguments *a, const robot *r, elastic_motion *m);
void elastic_motion_close(elastic_motion *m);

/* A motion computed: rows of count x n. */
typedef struct {
    const robot *robot;
    const elastic_motion *motion;
    double *tau_e, *tau, *theta, *thetad, *rigid;
    arne_flex_record *joints;
} elastic_run;

/* print_elastic.c */
void print_elastic_text(const elastic_run *e, out *o);
void print_elastic_json(const elastic_run *e, out *o);
int write_elastic_csv(const elastic_run *e, const char *robot_name, const char *path); /* and the JSON file beside it */

#endif
