/* SPDX-License-Identifier: MIT
 *
 * differences.c - the derivatives that a table lacks, row by row: those of the parabola through a row and its two neighbours, at
 * the ends of the table through the three outermost rows. Centred, so nothing is delayed; the error is of second order in the
 * interval, which may change.
 *
 * Positions of joints of several freedoms are seen from the row whose derivatives are wanted, as the velocities x that lead from
 * there to its neighbours in a unit of time: qd = x' and qdd = x'' where x = 0, because qd = (1 - [x]/2 + ...) x' and [x']x' = 0
 * (doc/free.md). */
#include <stdlib.h>
#include <string.h>

#include "arne/positions.h"
#include "log/states.h"

enum { ROWS = 3 };

/* Of the parabola through three points at t: its first (order 1) or second derivative at t[at], weights of the three values. */
static void weights(const double t[ROWS], int at, int order, double w[ROWS])
{
    for (int i = 0; i < ROWS; i++) {
        const double a = t[(i + 1) % ROWS], b = t[(i + 2) % ROWS], scale = (t[i] - a) * (t[i] - b);
        w[i] = (order == 2 ? 2 : 2 * t[at] - a - b) / scale;
    }
}

struct arne_differences {
    double *row[ROWS];    /* the values of three neighbours, the latest in [2] */
    int line[ROWS], read; /* their lines, the line read last */
    int have, next;       /* rows read so far, up to 3; the place of the one that is due */
    bool ended;
    bool qd, qdd;      /* what is made */
    double *way[ROWS]; /* nv: positions of the three seen from one of them; NULL: they are plain numbers */
};

arne_status arne_states_differentiate(arne_states *s, arne_error *error)
{
    if (!s->has_file || !arne_states_time(s) || !arne_states_has(s, ARNE_COLUMN_Q))
        return arne_fail(error, ARNE_BAD_SYNTAX, s->has_file ? s->file.name : NULL, s->has_file ? s->file.line : 0,
                         "derivatives are made from columns t and q1, q2, ...: they are missing");
    arne_differences *d = s->differences = calloc(1, sizeof *d);
    const bool several = arne_model_nq(s->model) != arne_model_nv(s->model);
    bool ok = d;
    for (int k = 0; d && k < ROWS; k++) {
        d->row[k] = calloc((size_t)s->nvalue, sizeof(double));
        if (several) d->way[k] = calloc((size_t)arne_model_nv(s->model), sizeof(double));
        ok = ok && d->row[k] && (!several || d->way[k]);
    }
    if (!ok) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    d->read = s->file.line;
    d->qd = !arne_states_has(s, ARNE_COLUMN_QD);
    d->qdd = !arne_states_has(s, ARNE_COLUMN_QDD);
    return ARNE_OK;
}

void arne__differences_free(arne_differences *d)
{
    for (int k = 0; d && k < ROWS; k++) free(d->row[k]), free(d->way[k]);
    free(d);
}

/* Reads one more row into the last place. */
static arne_status shift(arne_states *s, arne_error *error)
{
    arne_differences *d = s->differences;
    bool more = false;
    s->file.line = d->read;
    const arne_status status = arne__states_row(s, &more, error);
    d->read = s->file.line;
    d->ended = !more;
    if (status || !more) return status;
    double *const first = d->row[0];
    for (int k = 0; k + 1 < ROWS; k++) d->row[k] = d->row[k + 1], d->line[k] = d->line[k + 1];
    d->row[ROWS - 1] = first;
    d->line[ROWS - 1] = s->file.line;
    memcpy(first, s->values, (size_t)s->nvalue * sizeof *first);
    if (d->have > 0 && !(first[0] > d->row[1][0]))
        return arne_fail(error, ARNE_BAD_VALUE, s->file.name, s->file.line, "t = %g does not come after t = %g", first[0],
                         d->row[1][0]);
    if (d->have < ROWS) d->have++;
    return ARNE_OK;
}

static void derive(arne_states *s, int at, arne_column from, arne_column to, int order)
{
    const arne_differences *d = s->differences;
    const double t[ROWS] = {d->row[0][0], d->row[1][0], d->row[2][0]};
    double w[ROWS];
    weights(t, at, order, w);
    const size_t source = (size_t)(arne_states_of(s, from) - s->values), place = (size_t)(arne_states_of(s, to) - s->values);
    const double *x[ROWS];
    for (int k = 0; k < ROWS; k++) {
        x[k] = d->row[k] + source;
        if (!d->way[k] || from != ARNE_COLUMN_Q) continue;
        arne_difference(s->model, d->row[at] + source, d->row[k] + source, d->way[k]);
        x[k] = d->way[k];
    }
    for (int i = 0; i < arne_model_nv(s->model); i++)
        s->values[place + (size_t)i] = w[0] * x[0][i] + w[1] * x[1][i] + w[2] * x[2][i];
}

arne_status arne__differences_next(arne_states *s, bool *more, arne_error *error)
{
    arne_differences *d = s->differences;
    arne_status status = ARNE_OK;
    while (!status && !d->ended && (d->have < ROWS || d->next == ROWS - 1)) {
        const bool full = d->have == ROWS;
        status = shift(s, error);
        if (full && !d->ended) d->next--;
    }
    *more = d->next < ROWS && d->have > 0;
    if (status || !*more) return status;
    if (d->have < ROWS)
        return arne_fail(error, ARNE_BAD_VALUE, s->file.name, s->file.line, "derivatives need at least three rows");
    const int at = d->next++;
    memcpy(s->values, d->row[at], (size_t)s->nvalue * sizeof *s->values);
    s->file.line = d->line[at];
    if (d->qd) derive(s, at, ARNE_COLUMN_Q, ARNE_COLUMN_QD, 1);
    if (d->qdd) derive(s, at, d->qd ? ARNE_COLUMN_Q : ARNE_COLUMN_QD, ARNE_COLUMN_QDD, d->qd ? 2 : 1);
    return ARNE_OK;
}
