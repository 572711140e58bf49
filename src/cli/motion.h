/* SPDX-License-Identifier: MIT
 *
 * motion.h - a motion from a CSV file: t, q and perhaps qd at a constant interval. */
#ifndef CLI_MOTION_H
#define CLI_MOTION_H

#include "arne/feasible.h"
#include "cli/input.h"

typedef struct {
    input in; /* its options --wrench act all the time */
    double start;
    double *q, *qd;
    arne_motion motion; /* of these arrays */
} motion_file;

/* Reads the whole file of --in, with --dt where there is no column t. motion_close is due after a failure too. */
int motion_open(const arguments *a, const robot *r, motion_file *out);
void motion_close(motion_file *f);

#endif
