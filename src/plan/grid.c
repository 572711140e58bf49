/* SPDX-License-Identifier: MIT
 *
 * grid.c - the grid of a timing: first over the length of the path, then over the time that a coarser one found. */
#include <math.h>

#include "plan/timing.h"

/* The part x of the way, spread so that the slope at an end is 0 where the motion rests there, else 1. */
static double spread(double x, double start, double end)
{
    return x * (start + x * (3 - 2 * start - end + x * (start + end - 2)));
}

/* Where the part x of a grid is. */
typedef struct {
    double length, start, end; /* over the length, spread at the ends */
    const timing *before;      /* over the time of this one, unless NULL */
} layout;

static double place(const layout *l, double x)
{
    const timing *t = l->before;
    if (!t) return l->length * spread(x, l->start, l->end);
    const double time = x * t->time[t->intervals];
    return arne__timing_place(t, arne__timing_interval(t, time), time).s;
}

static bool lay(timing *t, arena *a, int intervals, const layout *l)
{
    const path *p = &t->path;
    const size_t most = (size_t)intervals + (size_t)p->count + 1;
    double *s = arne__arena_take(a, most, sizeof *s);
    int *piece = arne__arena_take(a, most, sizeof *piece);
    double *x = arne__arena_take(a, most, sizeof *x), *time = arne__arena_take(a, most, sizeof *time);
    if (!s || !x || !time || !piece) return false;
    int count = 0, k = 0;
    double at = place(l, 1.0 / intervals);
    for (int next = 1; next < intervals; next++) {
        /* points that nearly are an end of a piece give way to it */
        const double then = place(l, (next + 1.0) / intervals), near = 0.1 * (then - at);
        for (; k + 2 < p->count && p->s[k + 1] <= at + near; k++) piece[count++] = k, s[count] = p->s[k + 1];
        if (at > s[count] + near && at < p->s[k + 1] - near) piece[count++] = k, s[count] = at;
        at = then;
    }
    for (; k + 1 < p->count; k++) piece[count++] = k, s[count] = p->s[k + 1];
    t->s = s, t->x = x, t->time = time, t->piece = piece, t->intervals = count, t->u = NULL;
    return true;
}

bool arne__timing_grid(timing *t, arena *a, int intervals, bool start_rests, bool end_rests)
{
    const layout l = {.length = t->path.s[t->path.count - 1], .start = start_rests ? 0 : 1, .end = end_rests ? 0 : 1};
    return lay(t, a, intervals, &l);
}

bool arne__timing_regrid(timing *t, arena *a, int intervals)
{
    const timing before = *t;
    return lay(t, a, intervals, &(layout){.before = &before});
}
