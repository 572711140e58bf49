/* SPDX-License-Identifier: MIT
 *
 * timing.c - the search for a timing as a whole, and the motion it gives. */
#include "plan/timing.h"

#include <math.h>

#include "base/order.h"
#include "plan/search.h"

enum { TRIES = 12, PHASED = 2, PHASES = 4 };
/* a grid is fine enough if one of twice its intervals changes the time by less than this part: errors go down with the interval,
 * so that about as much is left */
static const double SETTLED = 3e-3;

/* ---- the search ---- */

bool arne__search_open(search *j, arena *a)
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

/* The passes with all of the room; *stuck: -1, or the grid point that cannot be passed. */
static arne_status first_passes(search *j, int *stuck, arne_error *error)
{
    arne_status status = check_positions(j, error);
    if (status) return status;
    if (!arne__search_fill(j)) return BAD_VALUE(error, "the torques along the path are not finite: the numbers are too large");
    if (j->wish->start == 0) status = arne__search_rest(j, 0, error);
    if (j->wish->end == 0 && !status) status = arne__search_rest(j, j->t->intervals, error);
    if (status) return status;
    for (int i = 0; i < j->t->intervals; i++) j->margin[i] = 1;
    *stuck = arne__search_passes(j);
    return ARNE_OK;
}

static void tell(const search *j, double time)
{
    if (j->wish->progress) j->wish->progress(j->wish->context, j->t->intervals, time);
}

/* Room is taken away until the samples are within all limits. */
static arne_status tighten(search *j, arne_error *error)
{
    for (int k = 0; k < TRIES; k++) {
        if (arne__search_measure(j, k < PHASED ? PHASES : 1) <= 1 + ROUNDING) return ARNE_OK;
        arne__search_tighten(j, k);
        tell(j, j->t->time[j->t->intervals]);
        const int stuck = arne__search_passes(j);
        if (stuck >= 0) return arne__search_stuck(j, stuck, error);
    }
    /* what is left over is little: the room that a motion asks for goes down with the square of its time */
    for (double slower = 1; slower < 2; slower *= 1.002) {
        arne__search_stretch(j->t, slower);
        if (arne__search_measure(j, 1) <= 1 + ROUNDING) return ARNE_OK;
    }
    return UNSUPPORTED(error, "the samples are too far apart to slow the motion between them; give more of them");
}

/* One grid. *time is what the passes took with all of the room, INFINITY: they got stuck. The last grid, by its number of
 * intervals or because *time changed too little for another one, is followed to the end: *done. */
static arne_status try_grid(timing *t, arne_data *d, const timing_wish *wish, double *time, bool *done, arne_error *error)
{
    search j = {.t = t, .wish = wish, .d = d};
    arena *memory = arne__arena_new();
    int stuck = -1;
    arne_status status = arne__search_open(&j, memory) ? first_passes(&j, &stuck, error) : NO_MEMORY(error);
    if (!status) {
        const double before = *time;
        *time = stuck < 0 ? t->time[t->intervals] : INFINITY;
        tell(&j, *time);
        *done = t->intervals >= (stuck < 0 ? wish->finest : wish->finest_stuck) || fabs(*time - before) <= SETTLED * *time;
        if (*done) status = stuck < 0 ? tighten(&j, error) : arne__search_stuck(&j, stuck, error);
    }
    arne__arena_free(memory);
    return status;
}

arne_status arne__timing_find(timing *t, arena *a, arne_data *d, const timing_wish *wish, arne_error *error)
{
    double time = NAN;
    for (;;) {
        bool done = false;
        const arne_status status = try_grid(t, d, wish, &time, &done, error);
        if (!status && done && arne__smooth_wanted(t->m, wish)) return arne__smooth_find(t, a, d, wish, error);
        if (status || done) return status;
        const int twice = 2 * t->intervals;
        if (!(isfinite(time) ? arne__timing_regrid(t, a, twice)
                             : arne__timing_grid(t, a, twice, wish->start == 0, wish->end == 0)))
            return NO_MEMORY(error);
    }
}

/* ---- the motion ---- */

double arne__timing_duration(const timing *t) { return t->time[t->intervals] * t->stretch; }
int arne__timing_interval(const timing *t, double time) { return interval_of(t->time, t->intervals, time); }

/* The polynomial of degree 5 between two states. */
static timing_state smooth_place(const timing *t, int i, double own)
{
    const double T = t->time[i + 1] - t->time[i], z = fmin((own - t->time[i]) / T, 1);
    const double v = sqrt(t->x[i]) * T, u = t->u[i] * T * T, way = t->s[i + 1] - t->s[i];
    const double left = way - v - u / 2, faster = (sqrt(t->x[i + 1]) * T - v) - u, more = t->u[i + 1] * T * T - u;
    const double c3 = 10 * left - 4 * faster + more / 2, c4 = -15 * left + 7 * faster - more,
                 c5 = 6 * left - 3 * faster + more / 2;
    const double part = z * (v + z * (u / 2 + z * (c3 + z * (c4 + z * c5))));
    return (timing_state){t->s[i] + fmax(0, fmin(part, way)), fmax(0, v + z * (u + z * (3 * c3 + z * (4 * c4 + z * 5 * c5)))) / T,
                          (u + z * (6 * c3 + z * (12 * c4 + z * 20 * c5))) / (T * T),
                          (6 * c3 + z * (24 * c4 + z * 60 * c5)) / (T * T * T)};
}

timing_state arne__timing_place(const timing *t, int i, double own)
{
    if (t->u) return smooth_place(t, i, own);
    /* s = s_i + s' t + u t^2/2 */
    const double h = t->s[i + 1] - t->s[i], since = own - t->time[i], u = (t->x[i + 1] - t->x[i]) / (2 * h);
    const double start = sqrt(t->x[i]), end = sqrt(t->x[i + 1]);
    if (own >= t->time[i + 1]) return (timing_state){t->s[i + 1], end, u, 0};
    return (timing_state){fmin(t->s[i + 1], t->s[i] + fmax(0, (start + u * since / 2) * since)),
                          fmax(fmin(start, end), fmin(fmax(start, end), start + u * since)), u, 0};
}

void arne__timing_jerk(const timing *t, int i, double own, double *q1, double *q2, double *jerk)
{
    const timing_state at = arne__timing_place(t, i, own);
    const double v = at.speed, f = t->stretch;
    arne__path_at(&t->path, t->piece[i], path_part(&t->path, t->piece[i], at.s), NULL, q1, q2);
    arne__path_third(&t->path, t->piece[i], jerk);
    for (int a = 0; a < t->m->n; a++)
        jerk[a] = (jerk[a] * v * v * v + 3 * q2[a] * v * at.acceleration + q1[a] * at.jerk) / (f * f * f);
}

double arne__timing_at(const timing *t, double time, double *q, double *qd, double *qdd)
{
    const double whole = t->time[t->intervals], f = t->stretch;
    double own = fmax(time / f, 0);
    if (own > whole * (1 - 1e-12)) own = whole; /* the end is reached to the bit */
    const int i = arne__timing_interval(t, own), k = t->piece[i];
    const timing_state at = arne__timing_place(t, i, own);
    arne__path_at(&t->path, k, path_part(&t->path, k, at.s), q, qd, qdd);
    for (int a = 0; a < t->m->n; a++) {
        qdd[a] = (qd[a] * at.acceleration + qdd[a] * at.speed * at.speed) / (f * f);
        qd[a] *= at.speed / f;
    }
    return at.s;
}
