/* SPDX-License-Identifier: MIT
 *
 * retime.c - the same path, as fast as the limits allow and nowhere faster than commanded: a timing (timing.h) of the curve
 * through the samples with s the commanded time, s' <= 1, both ends free. */
#include <stdio.h>
#include <stdlib.h>

#include "plan/timing.h"

enum { FEWEST_INTERVALS = 2000 };
static const double SLOWEST = 1e4; /* a motion that takes this many times its time is none */

struct arne_retimed {
    timing timing;
};

static void place(const timing *t, double s, char words[TIMING_PLACE])
{
    (void)t;
    snprintf(words, TIMING_PLACE, "t = %g s", s);
}

arne_status arne_retime(const arne_motion *s, arne_data *d, arne_retimed **out, arne_error *error)
{
    *out = NULL;
    if (s->count < 2) return arne_fail(error, ARNE_BAD_VALUE, NULL, 0, "a motion has at least two samples");
    arne_retimed *r = calloc(1, sizeof *r);
    if (!r) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    timing *t = &r->timing;
    t->m = arne_data_model(d);
    t->dt = s->dt;
    const int pieces = s->count - 1, fine = 1 + (FEWEST_INTERVALS - 1) / pieces;
    const timing_wish wish = {
        .fastest = 1, .start = -1, .end = -1, .velocity = 1, .longest = SLOWEST * pieces * s->dt, .place = place};
    const bool room = arne__path_open(&t->path, s, t->m->n) && arne__timing_grid(t, fine * pieces, false, false);
    const arne_status status =
        room ? arne__timing_find(t, d, &wish, error) : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    if (status)
        arne_retimed_free(r);
    else
        *out = r;
    return status;
}

void arne_retimed_free(arne_retimed *r)
{
    if (!r) return;
    arne__timing_close(&r->timing);
    free(r);
}

double arne_retimed_duration(const arne_retimed *r) { return arne__timing_duration(&r->timing); }

double arne_retimed_at(const arne_retimed *r, double t, double *q, double *qd, double *qdd)
{
    return arne__timing_at(&r->timing, t, q, qd, qdd);
}
