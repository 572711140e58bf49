/* SPDX-License-Identifier: MIT
 *
 * joint_control.c - controllers of the joints. e = r - q, ed = rd - qd: errors of position and velocity.
 *
 *     pd-gravity:      tau = kp e + kd ed + g(q) + friction(rd)                                        doc/control.md (1)
 *     computed-torque: tau = NE(q, qd, rdd + kd ed + kp e)                                             [000 eq. 14]
 *     passivity:       tau = NE*(q, qd, qr, qrd) + kp e + kd ed + friction(qr),   qr = rd + lambda e   [000 eq. 8, 25]
 *
 * The first is a spring and a damper at every joint, and the weight of the arm; the second makes the error a linear oscillator;
 * the third does not cancel what the robot does by itself, in one sweep of NE*. With s = qr - qd its energy V = s'M s/2 + e'(kp +
 * lambda kd) e/2 falls: Vdot = -ed'kd ed - e'lambda kp e - s'(friction(qr) - friction(qd)) [ERRATA 1.1], because C is a
 * factorization with Mdot = C + C'.
 *
 * Joints of several freedoms have no drive. The first two laws let them go: they count on the accelerations that these then have
 * (doc/control.md). */
#include <string.h>

#include "arne/coriolis.h"
#include "base/dense.h"
#include "control/controller.h"

/* Where freedoms u have no drive, `tau` would be asked of all at the accelerations a: those of u change by da with
 * M_uu da_u = -tau_u, so that nothing is asked of them (Spong 1994), and `tau` follows: M da is added. */
static arne_status let_go(arne_controller *c, const double *q, double *tau)
{
    const int n = c->n, count = c->nloose;
    double *da = c->w;
    if (!count) return ARNE_OK;
    arne_mass(c->d, q, c->M);
    for (int i = 0; i < count; i++) {
        da[i] = -tau[c->loose[i]];
        for (int j = 0; j < count; j++) c->G[i * count + j] = c->M[c->loose[i] * n + c->loose[j]];
    }
    if (!dense_cholesky(count, c->G)) return ARNE_SINGULAR;
    dense_forward(count, c->G, da);
    dense_backward(count, c->G, da);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count; k++) tau[i] += c->M[i * n + c->loose[k]] * da[k];
    for (int k = 0; k < count; k++) tau[c->loose[k]] = 0; /* but for rounding it is */
    return ARNE_OK;
}

/* e = r - q of a joint of one freedom; 0 at the others, which have no reference */
static double off(const arne_controller *c, const arne_tick *in, int i)
{
    return c->at[i] < 0 ? 0 : in->reference[i] - in->q[c->at[i]];
}

/* tau += kp e + kd ed + more */
static arne_status correct(const arne_controller *c, const arne_tick *in, const double *more, double *tau)
{
    const double *rd = in->reference + c->n;
    for (int i = 0; i < c->n; i++)
        if (c->at[i] >= 0) tau[i] += c->kp[i] * off(c, in, i) + c->kd[i] * (rd[i] - in->qd[i]) + more[i];
    return ARNE_OK;
}

static arne_status start_pd(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    return arne__gains_of_joints(c, o, 2, error);
}

static arne_status tick_pd(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    arne_gravity(c->d, in->q, tau);
    const arne_status status = let_go(c, in->q, tau);
    if (status) return status;
    arne_friction_torque(c->d, in->reference + c->n, c->x);
    return correct(c, in, c->x, tau);
}

static arne_status start_computed(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const double w = arne__gains_pace(c->period);
    const arne_status status = arne__gains_take(c, "kp", o->kp, NULL, w * w, &c->kp, error);
    return status ? status : arne__gains_take(c, "kd", o->kd, NULL, 2 * w, &c->kd, error);
}

static arne_status tick_computed(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    const int n = c->n;
    const double *rd = in->reference + n, *rdd = rd + n;
    double *a = c->x;
    for (int i = 0; i < n; i++) a[i] = c->at[i] < 0 ? 0 : rdd[i] + c->kd[i] * (rd[i] - in->qd[i]) + c->kp[i] * off(c, in, i);
    const arne_status status = arne_id(c->d, in->q, in->qd, a, tau);
    return status ? status : let_go(c, in->q, tau);
}

static arne_status start_passivity(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const arne_status status = arne__gains_of_joints(c, o, 1, error);
    return status ? status : arne__gains_take(c, "lambda", o->lambda, NULL, arne__gains_pace(c->period), &c->lambda, error);
}

void arne__passivity_velocity(const arne_controller *c, const arne_tick *in, double *qr, double *qrd)
{
    const int n = c->n;
    const double *r = in->reference, *rd = r + n, *rdd = r + 2 * n;
    for (int i = 0; i < n; i++) {
        qr[i] = rd[i] + c->lambda[i] * (r[i] - in->q[i]);
        qrd[i] = rdd[i] + c->lambda[i] * (rd[i] - in->qd[i]);
    }
}

static arne_status tick_passivity(arne_controller *c, const arne_tick *in, double *tau, unsigned *flags)
{
    (void)flags;
    double *qr = c->x, *qrd = c->y;
    arne__passivity_velocity(c, in, qr, qrd);
    arne_star(c->d, ARNE_STAR0001, in->q, in->qd, qr, qrd, tau);
    arne_friction_torque(c->d, qr, c->z);
    return correct(c, in, c->z, tau);
}

const control_law arne__law_pd_gravity = {.rows = 2, .loose = true, .start = start_pd, .tick = tick_pd};
const control_law arne__law_computed_torque = {.rows = 3, .loose = true, .start = start_computed, .tick = tick_computed};
const control_law arne__law_passivity = {.rows = 3, .start = start_passivity, .tick = tick_passivity};
