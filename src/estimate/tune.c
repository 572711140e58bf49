/* SPDX-License-Identifier: MIT
 *
 * tune.c - what the columns are not linear in: delays of the torques, velocities of Stribeck, gains of drives. Each is judged by
 * what the best fit of a joint's torque alone leaves, which its triangle holds already. */
#include <math.h>

#include "base/fail.h"
#include "estimate/identifier.h"

/* s */
static const double FAR = 0.1, COARSE = 0.01, FINE = 0.003;
/* a delay that leaves hardly less of the torques than none is chance */
static const double WORTH = 0.95;
/* parts of the largest speed */
static const double SPEEDS[] = {0.02, 0.05, 0.1, 0.2, 0.4};
/* a gain that is less certain than this part of it is not known */
static const double UNKNOWN = 0.1;

/* One reading: the square of what is left, of every joint; rows: how many it had, may be NULL. */
static arne_status try_it(work_on *w, double *square, double *rows)
{
    arena *a = arne__arena_new();
    stack s;
    if (!a) return NO_MEMORY(w->error);
    const arne_status status = arne__learn_stack(w, w->cutoff, w->learn, a, &s);
    for (int j = 0; j < w->c.njoint && !status; j++) {
        const triangle *t = stack_without(&s, j, EVERYTHING);
        const double left = t->T[t->width * t->width - 1];
        square[j] = left * left;
        if (rows) rows[j] = (double)t->rows;
    }
    arne__arena_free(a);
    return status;
}

/* The least of a parabola through three values a step apart, from the middle one; at most one step away. */
static double bottom(double before, double now, double after)
{
    const double bend = before - 2 * now + after;
    return bend > 0 ? fmax(-1, fmin(1, (before - after) / (2 * bend))) : 0;
}

arne_status arne__find_delays(work_on *w)
{
    enum { MOST = 11 };
    const columns *c = &w->c;
    const size_t joints = (size_t)c->njoint;
    double *square = arne__arena_take(w->memory, (MOST + 3) * joints, sizeof *square),
           *fine = square ? square + MOST * joints : NULL;
    arne_status status = square ? ARNE_OK : NO_MEMORY(w->error);
    const int steps = (int)lround(FAR / COARSE) + 1; /* torques come late; what seems early is a joint that sticks */
    for (int k = 0; k < steps && !status; k++) {
        for (int i = 0; i < c->n; i++) w->delay[i] = k * COARSE;
        status = try_it(w, square + (size_t)k * joints, NULL);
    }
    for (int j = 0; j < c->njoint && !status; j++) {
        int best = 0;
        for (int k = 0; k < steps; k++)
            if (square[(size_t)k * joints + (size_t)j] < square[(size_t)best * joints + (size_t)j]) best = k;
        w->delay[c->joint[j]] = best * COARSE;
        const double *at = square + (size_t)best * joints + (size_t)j;
        if (best > 0 && best < steps - 1) w->delay[c->joint[j]] += COARSE * bottom(at[-(long)joints], *at, at[joints]);
    }
    for (int k = 0; k < 3 && !status; k++) {
        for (int i = 0; i < c->n; i++) w->delay[i] += k == 0 ? -FINE : FINE;
        status = try_it(w, fine + (size_t)k * joints, NULL);
    }
    for (int i = 0; i < c->n; i++) w->delay[i] -= FINE;
    for (int j = 0; j < c->njoint && !status; j++) {
        const double before = fine[j], now = fine[joints + (size_t)j], after = fine[2 * joints + (size_t)j];
        const double x = bottom(before, now, after),
                     least = now + x * (after - before) / 2 + x * x * (before - 2 * now + after) / 2;
        w->delay[c->joint[j]] += FINE * x;
        if (!(least < WORTH * square[j] && w->delay[c->joint[j]] > 0)) w->delay[c->joint[j]] = 0;
    }
    return status;
}

arne_status arne__find_stribeck(work_on *w)
{
    enum { MOST = sizeof SPEEDS / sizeof *SPEEDS };
    const columns *c = &w->c;
    const size_t joints = (size_t)c->njoint;
    double *square = arne__arena_take(w->memory, MOST * joints + (size_t)c->n, sizeof *square),
           *fastest = square ? square + MOST * joints : NULL;
    arne_status status = square ? ARNE_OK : NO_MEMORY(w->error);
    for (int k = 0; k < w->i->ntrack && !status; k++)
        for (int i = 0; i < c->n; i++) fastest[i] = fmax(fastest[i], w->i->tracks[k].speed[i]);
    for (int k = 0; k < MOST && !status; k++) {
        for (int i = 0; i < c->n; i++) c->stribeck[i] = fmax(1e-3, SPEEDS[k] * fastest[i]);
        status = try_it(w, square + (size_t)k * joints, NULL);
    }
    for (int j = 0; j < c->njoint && !status; j++) {
        int best = 0;
        for (int k = 0; k < MOST; k++)
            if (square[(size_t)k * joints + (size_t)j] < square[(size_t)best * joints + (size_t)j]) best = k;
        c->stribeck[c->joint[j]] = fmax(1e-3, SPEEDS[best] * fastest[c->joint[j]]);
    }
    return status;
}

/* With P what the columns leave of a signal, i the signal of a drive and k the torque of the known load: i = Y z + g k, so
 * g = (P i, P k)/|P k|^2, and three readings, of i, of k and of i - k, give all of it. The gain is 1/g. doc/identify.md (10) */
arne_status arne__find_gains(work_on *w, bool *unknown, bool *some)
{
    const columns *c = &w->c;
    const size_t joints = (size_t)c->njoint;
    double *square = arne__arena_take(w->memory, 4 * joints, sizeof *square), *rows = square ? square + 3 * joints : NULL;
    arne_status status = square ? ARNE_OK : NO_MEMORY(w->error);
    *some = false;
    for (int k = 0; k < 3 && !status; k++) {
        for (int i = 0; i < c->n; i++) w->gain[i] = k == 1 ? 0 : 1;
        w->no_load = k == 0;
        status = try_it(w, square + (size_t)k * joints, rows);
    }
    w->no_load = false;
    for (int j = 0; j < c->njoint && !status; j++) {
        const int i = c->joint[j];
        const double ii = square[j], kk = square[joints + (size_t)j], ik = (ii + kk - square[2 * joints + (size_t)j]) / 2;
        const double g = kk > 0 ? ik / kk : 0, left = fmax(0, ii - g * ik) / fmax(1, rows[j]);
        /* rows repeat one another about four times */
        const double deviation = kk > 0 ? sqrt(4 * left / kk) : INFINITY;
        unknown[i] = !(g > 0 && deviation < UNKNOWN * g);
        *some = *some || unknown[i];
        w->gain[i] = unknown[i] ? NAN : 1 / g;
    }
    return status;
}
