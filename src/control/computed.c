/* SPDX-License-Identifier: MIT
 *
 * computed.c - feedback linearization: the torque that makes the error a linear oscillator.
 *
 *     tau = NE(q, qd, a),   a = rdd + kd (rd - qd) + kp (r - q)                                                 [000 eq. 14] */
#include "control/controller.h"

static arne_status start(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    const double w = arne__gains_pace(c->period);
    arne_status status = arne__gains_take(c, "kp", o->kp, NULL, w * w, &c->kp, error);
    if (!status) status = arne__gains_take(c, "kd", o->kd, NULL, 2 * w, &c->kd, error);
    return status;
}

static int tick(arne_controller *c, const arne_tick *in, double *tau)
{
    const int n = c->n;
    const double *r = in->reference, *rd = r + n, *rdd = r + 2 * n;
    double *a = c->x;
    for (int i = 0; i < n; i++) a[i] = rdd[i] + c->kd[i] * (rd[i] - in->qd[i]) + c->kp[i] * (r[i] - in->q[i]);
    arne_id(c->d, in->q, in->qd, a, tau);
    return 0;
}

const control_law arne__law_computed_torque = {.rows = 3, .start = start, .tick = tick};
