/* SPDX-License-Identifier: MIT
 *
 * track.h - a log on disk: rows as they came, then on an even grid of times. */
#ifndef ESTIMATE_TRACK_H
#define ESTIMATE_TRACK_H

#include <stdio.h>

#include "arne/estimate.h"

/* Rows without a gap. */
typedef struct {
    long first, count;
} piece;

typedef struct {
    char *name;
    arne_log_role role;
    bool has_qd, has_qdd;
    bool *moves, *torques; /* n: the log has its position, its torque */
    bool loaded;
    arne_known_load load;
    int n;
    FILE *raw, *grid; /* rows of 1 + 4 n numbers: t, q, qd, qdd, tau; grid: raw, or another one */
    long rows, count; /* of raw, of grid */
    double last;      /* time of the last row */
    double period;    /* of the grid */
    double offset;    /* how far stamps are from even ones, at most, in periods */
    int gaps, repeats;
    double late; /* s: the speeds of the log are behind its positions, and are not used; 0: they are not */
    bool untrue; /* the stamps do not agree with the speeds, even ones do */
    piece *pieces;
    int npiece;
    double *least, *most, *speed; /* n: of positions; the largest speed by differences */
    double *before;               /* the row before, while rows come */
} track;

static inline int track_width(const track *k) { return 1 + 4 * k->n; }
static inline double *row_q(double *row) { return row + 1; }

arne_status arne__track_open(track *k, int n, const arne_identify_log *log, arne_error *error);
arne_status arne__track_row(track *k, const double *row, arne_error *error);
/* All rows are there: finds the rate, the gaps, and the grid. even: false, rows stay where they are (nothing will be filtered).
 */
arne_status arne__track_close(track *k, bool even, arne_error *error);
arne_status arne__track_get(const track *k, long first, long count, double *rows, arne_error *error);
void arne__track_free(track *k);

#endif
