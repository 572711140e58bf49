/* SPDX-License-Identifier: MIT
 *
 * log.h - a recorded run from a CSV file: t, q, qd, tau at a constant interval, perhaps motor positions and velocities. Other
 * columns are not looked at. A number that is missing or none is kept as NAN: whoever ticks with it holds. */
#ifndef CLI_LOG_H
#define CLI_LOG_H

#include "cli/csv.h"

typedef struct {
    const char *name; /* for messages */
    int count, n;     /* rows, joints */
    double period;
    double *t;              /* count */
    double *q, *qd, *tau;   /* count x n */
    double *theta, *thetad; /* count x n, NULL: not in the file */
} log_file;

/* Reads the whole file ("-": standard input). log_close is due after a failure too. */
int log_open(const char *path, const robot *r, log_file *out);
void log_close(log_file *f);

int log_line(int row);                                     /* the line of the file that a row stands in */
const double *log_row(const double *values, int n, int k); /* row k of a group */

#endif
