/* SPDX-License-Identifier: MIT
 *
 * pd.c - a spring and a damper at every joint, and the weight of the arm.
 *
 *     tau = kp (r - q) + kd (rd - qd) + g(q) + friction(rd)                                            doc/control.md (1) */
#include "control/controller.h"

static arne_status start(arne_controller *c, const arne_control_options *o, arne_error *error)
{
    return arne__gains_of_joints(c, o, 2, error);
}

static int tick(arne_controller *c, const arne_tick *in, double *tau)
{
    const double *r = in->reference, *rd = r + c->n;
    arne_gravity(c->d, in->q, tau);
    arne_friction_torque(c->d, rd, c->x);
    for (int i = 0; i < c->n; i++) tau[i] += c->kp[i] * (r[i] - in->q[i]) + c->kd[i] * (rd[i] - in->qd[i]) + c->x[i];
    return 0;
}

const control_law arne__law_pd_gravity = {.rows = 2, .start = start, .tick = tick};
