/* SPDX-License-Identifier: MIT
 *
 * timing.c - the search for a timing as a whole, and the motion it gives. */
#include "plan/timing.h"

#include <math.h>

#include "base/order.h"
#include "plan/search.h"

enum { TRIES = 12 };

/* ---- the grid ---- */

/* The part x of the way, spread so that the slope at an end is 0 where the motion rests there, else 1. */
static double spread(double x, double start, double end)
{
    return x * (start + x * (3 - 2 * start - end + x * (start + end - 2)));
}

bool arne__timing_grid(timing *t, arena *a, int intervals, bool start_rests, bool end_rests)
{
    const path *p = &t->path;
    const size_t most = (size_t)intervals + (size_t)p->count + 1;
    t->s = arne__arena_take(a, most, sizeof *t->s);
    t->x = arne__arena_take(a, most, sizeof *t->x);
    t->time = arne__arena_take(a, most, sizeof *t->time);
    t->piece = arne__arena_take(a, most, sizeof *t->piece);
    if (!t->s || !t->x || !t->time || !t->piece) return false;
    const double length = p->s[p->count - 1], start = start_rests ? 0 : 1, end = end_rests ? 0 : 1;
    int next = 1;
    t->intervals = 0;
    t->s[0] = 0;
    for (int k = 0; k + 1 < p->count; k++) {
        /* points of the spread grid inside this piece, but for those that nearly are its ends */
        for (; next < intervals; next++) {
            const double s = length * spread((double)next / intervals, start, end);
            const double near = 0.1 * (length * spread((next + 1.0) / intervals, start, end) - s);
            if (s > p->s[k + 1] - near) {
                if (s > p->s[k + 1] + near) break;
                continue;
            }
            if (s < p->s[k] + near) continue;
            t->piece[t->intervals++] = k;
            t->s[t->intervals] = s;
        }
        t->piece[t->intervals++] = k;
        t->s[t->intervals] = p->s[k + 1];
    }
    return true;
}

/* ---- the search ---- */

static bool search_open(search *j, arena *a)
{
    const size_t n = (size_t)j->t->m->n, grid = (size_t)j->t->intervals + 1;
    double **const vectors[] = {&j->q,   &j->qd,  &j->qdd,    &j->tau,     &j->speed,    &j->friction,
                                &j->low, &j->top, &j->next_q, &j->next_qd, &j->next_qdd, &j->M};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    j->good = arne__arena_take(a, grid, sizeof *j->good);
    j->margin = arne__arena_take(a, grid, sizeof *j->margin);
    j->over = arne__arena_take(a, grid, sizeof *j->over);
    j->points = arne__arena_take(a, grid * POINT_VECTORS * n, sizeof *j->points);
    double *v = arne__arena_take(a, n * COUNT + n * n, sizeof *v);
    for (int k = 0; k < COUNT && v; k++, v += n) *vectors[k] = v;
    return j->good && j->margin && j->over && j->points && v;
}

/* Positions at the grid points; no timing changes them. */
static arne_status check_positions(search *j, arne_error *error)
{
    const timing *t = j->t;
    for (int i = 0; i <= t->intervals; i++) {
        const int k = t->piece[i < t->intervals ? i : i - 1];
        arne__path_at(&t->path, k, path_part(&t->path, k, t->s[i]), j->q, j->qd, j->qdd);
        for (int a = 0; a < t->m->n; a++) {
            const arne_limits *l = &t->m->joint[a].limits;
            if (j->q[a] <= l->upper + 1e-9 && j->q[a] >= l->lower - 1e-9) continue;
            char place[TIMING_PLACE];
            j->wish->place(t, t->s[i], place);
            return UNSUPPORTED(
                error, "the path leaves the limits of joint %s at %s (%.6g, limits %.6g ... %.6g): no slower motion stays inside",
                t->m->joint[a].name, place, j->q[a], l->lower, l->upper);
        }
    }
    return ARNE_OK;
}

static arne_status find(search *j, arne_error *error)
{
    arne_status status = check_positions(j, error);
    if (status) return status;
    if (!arne__search_fill(j)) return BAD_VALUE(error, "the torques along the path are not finite: the numbers are too large");
    if (j->wish->start == 0) status = arne__search_rest(j, 0, error);
    if (j->wish->end == 0 && !status) status = arne__search_rest(j, j->t->intervals, error);
    if (status) return status;
    for (int i = 0; i < j->t->intervals; i++) j->margin[i] = 1;
    for (int k = 0; k < TRIES; k++) {
        const int stuck = arne__search_passes(j);
        if (stuck >= 0) return arne__search_stuck(j, stuck, error);
        if (arne__search_measure(j) <= 1 + ROUNDING) return ARNE_OK;
        arne__search_tighten(j, k);
    }
    /* what is left over is little: the room that a motion asks for goes down with the square of its time */
    for (double slower = 1; slower < 2; slower *= 1.002) {
        arne__search_stretch(j->t, slower);
        if (arne__search_measure(j) <= 1 + ROUNDING) return ARNE_OK;
    }
    return UNSUPPORTED(error, "the samples are too far apart to slow the motion between them; give more of them");
}

arne_status arne__timing_find(timing *t, arne_data *d, const timing_wish *wish, arne_error *error)
{
    search j = {.t = t, .wish = wish, .d = d};
    arena *memory = arne__arena_new();
    const arne_status status = search_open(&j, memory) ? find(&j, error) : NO_MEMORY(error);
    arne__arena_free(memory);
    return status;
}

/* ---- the motion ---- */

double arne__timing_duration(const timing *t) { return t->time[t->intervals] * t->stretch; }
int arne__timing_interval(const timing *t, double time) { return interval_of(t->time, t->intervals, time); }

double arne__timing_at(const timing *t, double time, double *q, double *qd, double *qdd)
{
    const double whole = t->time[t->intervals];
    double own = fmax(time / t->stretch, 0);
    if (own > whole * (1 - 1e-12)) own = whole; /* the end is reached to the bit */
    const int i = arne__timing_interval(t, own), k = t->piece[i];
    /* s = s_i + s' t + u t^2/2 */
    const double h = t->s[i + 1] - t->s[i], since = own - t->time[i], u = (t->x[i + 1] - t->x[i]) / (2 * h);
    const double start = sqrt(t->x[i]), end = sqrt(t->x[i + 1]);
    const bool over = own >= t->time[i + 1];
    const double s = over ? t->s[i + 1] : fmin(t->s[i + 1], t->s[i] + fmax(0, (start + u * since / 2) * since));
    const double speed = over ? end : fmax(fmin(start, end), fmin(fmax(start, end), start + u * since));
    const double f = t->stretch;
    arne__path_at(&t->path, k, path_part(&t->path, k, s), q, qd, qdd);
    for (int a = 0; a < t->m->n; a++) {
        qdd[a] = (qd[a] * u + qdd[a] * speed * speed) / (f * f);
        qd[a] *= speed / f;
    }
    return s;
}
