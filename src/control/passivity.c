/* SPDX-License-Identifier: MIT
 *
 * passivity.c - tracking that does not cancel what the robot does by itself, in one sweep of NE*.
 *
 *     tau = NE*(q, qd, qr, qrd) + kp e + kd ed + friction(qr),   qr = rd + lambda e, e = r - q            [000 eq. 8, 25]
 *
 * With s = qr - qd the energy V = s'M s/2 + e'(kp + lambda kd) e/2 falls: Vdot = -ed'kd ed - e'lambda kp e - s'(friction(qr) -
 * friction(qd)) [ERRATA 1.1], because C is a factorization with Mdot = C + C'. */
#include "arne/coriolis.h"
#include "control/controller.h"

static arne_status start(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    arne_status status = arne__gains_of_joints(c, o, 1, error);
    if (!status) status = arne__gains_take(c, "lambda", o->lambda, NULL, arne__gains_pace(c->period), &c->lambda, error);
    return status;
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

static int tick(arne_controller *c, const arne_tick *in, double *tau)
{
    const int n = c->n;
    const double *r = in->reference, *rd = r + n;
    double *qr = c->x, *qrd = c->y;
    arne__passivity_velocity(c, in, qr, qrd);
    arne_star(c->d, ARNE_STAR0001, in->q, in->qd, qr, qrd, tau);
    arne_friction_torque(c->d, qr, c->z);
    for (int i = 0; i < n; i++) tau[i] += c->kp[i] * (r[i] - in->q[i]) + c->kd[i] * (rd[i] - in->qd[i]) + c->z[i];
    return 0;
}

const control_law arne__law_passivity = {.rows = 3, .start = start, .tick = tick};
