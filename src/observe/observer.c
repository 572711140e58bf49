/* SPDX-License-Identifier: MIT
 *
 * observer.c - the momentum observer [000 eq. 6] in discrete time, doc/observe.md.
 *
 *     pdot = tau + beta + u,   beta = C'qd - g - friction,   u: the torque of all that is not in the model
 *     rdot = K (u - r)
 *
 * The mean of u over a tick of length h follows from the momentum at its ends, and a torque that is constant over the tick is
 * filtered exactly: r <- exp(-K h) r + (1 - exp(-K h)) mean(u). Nothing here is differentiated and no gain is too high.
 *
 * A free base is a block of six rows of its own: r is then the sum of all unknown wrenches on the robot, in the axes of the base
 * at its origin, because J'w of the base is w itself. */
#include <math.h>
#include <string.h>

#include "base/options.h"
#include "observe/observer.h"

/* p = M qd and beta = C'qd - g - friction, one pass  [000 eq. 6, 7], [ERRATA part one 1.4] */
static void terms(arne_observer *o, const double *q, const double *qd, double *p, double *beta)
{
    arne_momentum_terms(o->d, q, qd, p, beta, o->g);
    arne_friction_torque(o->d, qd, o->f);
    for (int i = 0; i < o->n; i++) beta[i] -= o->g[i] + o->f[i];
}

/* y + a [x]y + b [x][x]y + c [x][x][x]y of the twists of one joint of several freedoms, in place; [x]y the bracket of twists:
 * angular x cross y, linear w_x cross v_y + v_x cross w_y. doc/free.md (3), (4) */
static void bend(int nv, const double *x, double a, double b, double c, double *y)
{
    const double factor[3] = {a, b, c}, *w = x + nv - 3;
    double now[6], next[6], one[3], two[3];
    memcpy(now, y, (size_t)nv * sizeof *y);
    for (int k = 0; k < 3; k++) {
        dense_cross(w, now + nv - 3, next + nv - 3);
        if (nv == 6) {
            dense_cross(w, now, one);
            dense_cross(x, now + 3, two);
            for (int i = 0; i < 3; i++) next[i] = one[i] + two[i];
        }
        memcpy(now, next, sizeof now);
        for (int i = 0; i < nv; i++) y[i] += factor[k] * now[i];
    }
}

/* State half way through the tick, from both ends: the cubic through positions and velocities. Its velocity in the middle is as
 * good as its position, fourth order. A joint that counts its angle modulo a turn moved the short way. Joints of several freedoms
 * are seen from their position at the tick before, by the velocity that leads from there in a unit of time. */
static void half_way(arne_observer *o, const double *q, const double *qd)
{
    const double h = o->period, turn = 2 * acos(-1.0);
    arne_difference(o->m, o->q, q, o->way);
    memcpy(o->end, qd, (size_t)o->n * sizeof *qd);
    for (int j = 0; j < o->several; j++) bend(o->width[j], o->way + o->at[j], 0.5, 1.0 / 12, 0, o->end + o->at[j]);
    for (int i = 0; i < o->n; i++) {
        const double way = o->turns[i] ? remainder(o->way[i], turn) : o->way[i];
        o->way[i] = way / 2 + h / 8 * (o->qd[i] - o->end[i]);
        o->qd2[i] = 1.5 * way / h - (o->qd[i] + o->end[i]) / 4;
    }
    arne_integrate(o->m, o->q, o->way, o->q2);
    for (int j = 0; j < o->several; j++) bend(o->width[j], o->way + o->at[j], -0.5, 1.0 / 6, -1.0 / 24, o->qd2 + o->at[j]);
}

/* Integral of the torque over the tick. A commanded torque was held; a spring torque is a smooth signal that was sampled at the
 * ends: the polynomial through the last samples, up to four (Adams-Moulton). */
static void take_impulse(arne_observer *o, const double *tau)
{
    static const double weight[OBSERVER_PAST + 1][OBSERVER_PAST + 1] = {
        {1}, {1.0 / 2, 1.0 / 2}, {5.0 / 12, 8.0 / 12, -1.0 / 12}, {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24}};
    const double *w = weight[o->link_side ? o->past : 0];
    for (int i = 0; i < o->n; i++) {
        double sum = w[0] * tau[i];
        for (int k = 0; k < o->past; k++) sum += w[k + 1] * o->spring[k][i];
        o->impulse[i] = o->period * sum;
    }
}

static void remember(arne_observer *o, const double *q, const double *qd, const double *tau)
{
    const size_t bytes = (size_t)o->n * sizeof(double);
    memcpy(o->q, q, (size_t)o->nq * sizeof *q);
    memcpy(o->qd, qd, bytes);
    memcpy(o->p, o->p1, bytes);
    memcpy(o->beta, o->beta1, bytes);
    if (!o->link_side) return;
    for (int k = OBSERVER_PAST - 1; k > 0; k--) memcpy(o->spring[k], o->spring[k - 1], bytes);
    memcpy(o->spring[0], tau, bytes);
    if (o->past < OBSERVER_PAST) o->past++;
}

static bool exact_tick(arne_observer *o, const double *q, const double *qd, const double *tau)
{
    const int n = o->n;
    terms(o, q, qd, o->p1, o->beta1);
    if (!dense_finite(n, o->p1) || !dense_finite(n, o->beta1)) return false;
    if (o->started) {
        half_way(o, q, qd);
        terms(o, o->q2, o->qd2, o->impulse, o->beta2); /* the momentum in the middle is not needed */
        if (!dense_finite(n, o->beta2)) return false;
        take_impulse(o, tau);
        for (int i = 0; i < n; i++) {
            /* mean of u = (p(h) - p(0) - integral of (tau + beta)) / h, the integral of beta by Simpson's rule */
            const double known = o->impulse[i] + o->period / 6 * (o->beta[i] + 4 * o->beta2[i] + o->beta1[i]);
            const double u = (o->p1[i] - o->p[i] - known) / o->period;
            /* exact solution of rdot = K (u - r) for constant u  [000 after eq. 7] */
            o->r[i] = u + o->keep[i] * (o->r[i] - u);
        }
    }
    remember(o, q, qd, tau);
    return true;
}

arne_status arne_observer_tick(arne_observer *o, const double *q, const double *qd, const double *tau)
{
    if (!o || !q || !qd || !tau) return ARNE_BAD_ARGUMENT;
    const int n = o->n;
    bool good = dense_finite(o->nq, q) && dense_finite(n, qd) && dense_finite(n, tau);
    if (good) good = o->numeric ? arne__numeric_tick(o, q, qd, tau, !o->started) : exact_tick(o, q, qd, tau);
    o->started = good;
    if (!good) arne_observer_pause(o);
    return good ? ARNE_OK : ARNE_NOT_FINITE;
}

const double *arne_observer_residual(const arne_observer *o) { return o ? o->r : NULL; }
arne_settings *arne_observer_settings(arne_observer *o) { return o ? arne_data_settings(o->d) : NULL; }
bool arne_observer_link_side(const arne_observer *o) { return o && o->link_side; }

void arne_observer_pause(arne_observer *o)
{
    if (!o) return;
    o->started = false;
    o->past = 0;
}

void arne_observer_reset(arne_observer *o)
{
    if (!o) return;
    arne_observer_pause(o);
    for (int i = 0; i < o->n; i++) o->r[i] = 0;
}

static arne_status check(const arne_model *m, const arne_observer_options *options, arne_error *error)
{
    if (!(options->period > 0) || !isfinite(options->period))
        return BAD_VALUE(error, "the period of the observer is %g s; it must be above 0", options->period);
    for (int i = 0; i < arne_model_nv(m) && options->gain; i++)
        if (!(options->gain[i] > 0) || !isfinite(options->gain[i]))
            return BAD_VALUE(error, "the observer's gain of joint %s is %g 1/s; it must be above 0", arne_velocity_name(m, i),
                             options->gain[i]);
    return ARNE_OK;
}

static bool make_room(arne_observer *o, arena *a)
{
    const size_t n = (size_t)o->n, nq = (size_t)o->nq, square = o->numeric ? n * n : 0;
    double **const vectors[] = {&o->gain,    &o->keep,      &o->r,         &o->qd,        &o->p,  &o->beta,    &o->p1,
                                &o->beta1,   &o->qd2,       &o->beta2,     &o->g,         &o->f,  &o->way,     &o->end,
                                &o->impulse, &o->spring[0], &o->spring[1], &o->spring[2], &o->p0, &o->integral};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    double *v = arne__arena_take(a, COUNT * n + 2 * nq + 2 * square, sizeof *v);
    o->at = arne__arena_take(a, 2 * n, sizeof *o->at);
    o->turns = arne__arena_take(a, n, sizeof *o->turns);
    for (int k = 0; k < COUNT && v; k++, v += n) *vectors[k] = v;
    if (!v || !o->turns || !o->at) return false;
    o->width = o->at + n;
    o->q = v;
    o->q2 = o->q + nq;
    o->M = o->q2 + nq;
    o->M1 = o->M + square;
    return true;
}

arne_status arne_observer_new(const arne_settings *known, const arne_observer_options *options, arne_observer **out,
                              arne_error *error)
{
    arne_observer_options own;
    if (out) *out = NULL;
    if (!known || !options || !out || options_take(&own, sizeof own, options))
        return BAD_ARGUMENT(error, "an observer needs settings, options that tell their size, and a place");
    const arne_model *m = arne_settings_model(known);
    const arne_status status = check(m, &own, error);
    if (status) return status;
    arena *memory = arne__arena_new();
    arne_observer *o = arne__arena_take(memory, 1, sizeof *o);
    if (o)
        *o = (arne_observer){.memory = memory,
                             .m = m,
                             .n = arne_model_nv(m),
                             .nq = arne_model_nq(m),
                             .period = own.period,
                             .link_side = own.link_side,
                             .numeric = own.numeric};
    if (!o || !make_room(o, memory) || arne_data_new(m, &o->d, NULL)) {
        arne__arena_free(memory);
        return NO_MEMORY(error);
    }
    arne_settings_copy(arne_data_settings(o->d), known);
    if (o->link_side) arne_set_link_side(arne_data_settings(o->d));
    for (int i = 0; i < o->n; i++) {
        const int j = arne_velocity_joint(m, i), at = arne_joint_v(m, j);
        o->turns[i] = arne_joint_kind(m, j) == ARNE_REVOLUTE;
        if (arne_joint_turn(m, j) >= 0 && at == i) {
            o->at[o->several] = i;
            o->width[o->several++] = arne_joint_kind(m, j) == ARNE_FREE ? 6 : 3;
        }
        o->gain[i] = own.gain ? own.gain[i] : ARNE_OBSERVER_GAIN;
        o->keep[i] = exp(-o->gain[i] * o->period);
    }
    *out = o;
    return ARNE_OK;
}

void arne_observer_free(arne_observer *o)
{
    if (!o) return;
    arne_data_free(o->d);
    arne__arena_free(o->memory);
}
