/* SPDX-License-Identifier: MIT
 *
 * pass.h - one reading of all logs: torque and columns through the low pass, then row by row to whoever asks. */
#ifndef ESTIMATE_PASS_H
#define ESTIMATE_PASS_H

#include "estimate/columns.h"
#include "estimate/track.h"

/* Where a row comes from. block: numbered through all pieces of all logs of the pass. */
typedef struct {
    double t;
    long block;
    int log;
    bool last; /* of its joints: the sample is complete */
} sample_place;

/* row: the active columns of joint j (of those that are used), then its torque. */
typedef void row_sink(void *context, const sample_place *at, int j, bool moving, const double *row);

typedef struct {
    const columns *c;
    const track *tracks;
    int ntrack;
    unsigned roles;      /* of the logs that are read: 1 << role */
    double cutoff;       /* INFINITY: nothing is filtered */
    double block;        /* s */
    double moving;       /* rad/s, m/s */
    const double *delay; /* n: s */
    const double *gain;  /* n: of drives */
    bool motor_torques;
    bool no_load; /* known loads are not taken from the torques */
    row_sink *sink;
    void *context;
    /* what it tells */
    double period;        /* between the rows given, of the last log */
    double trimmed;       /* s, left out at the ends of every piece */
    long *rows, *at_move; /* njoint: rows given, and those of them that move; may be NULL */
} log_pass;

/* The length of the blocks that are held out, or hold together what is correlated. */
double arne__pass_block(double cutoff);
arne_status arne__pass_run(log_pass *p, arne_error *error);

#endif
