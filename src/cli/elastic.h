/* SPDX-License-Identifier: MIT
 *
 * elastic.h - robots with elastic joints in the program, and motions with four derivatives. */
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
    motion_file file;
    const double *t; /* of the file */
    int n, count;
    double *x;   /* count x 5 x n: q ... qdddd */
    bool fitted; /* else the file had the derivatives */
    arne_flex_fit fit;
} elastic_motion;

/* Reads --in, --dt, --degree. elastic_motion_close is due after a failure too. */
int elastic_motion_open(const arguments *a, const robot *r, elastic_motion *m);
void elastic_motion_close(elastic_motion *m);

#endif
