/* SPDX-License-Identifier: MIT
 *
 * id.c - torques of a motion: doors to recursive Newton-Euler. */
#include "dynamics/doors.h"

arne_status arne_id(arne_data *d, const double *q, const double *qd, const double *qdd, double *tau)
{
    return TEXT_DOOR(d, q && qd && qdd && tau, id, TORQUES(d), tau, all_q(d, q), all_v(d, 0, qd), all_v(d, 1, qdd));
}

arne_status arne_bias(arne_data *d, const double *q, const double *qd, double *h)
{
    return TEXT_DOOR(d, q && qd && h, bias, TORQUES(d), h, all_q(d, q), all_v(d, 0, qd));
}

arne_status arne_coriolis_vector(arne_data *d, const double *q, const double *qd, double *c)
{
    return TEXT_DOOR(d, q && qd && c, coriolis, TORQUES(d), c, all_q(d, q), all_v(d, 0, qd));
}

arne_status arne_friction_torque(arne_data *d, const double *qd, double *f)
{
    return TEXT_DOOR(d, qd && f, friction_torques, TORQUES(d), f, all_v(d, 0, qd));
}

double arne_sliding_friction(const arne_friction *joint, const arne_motor *motor, double v, double sign)
{
    static const arne_friction none = {.stribeck_velocity = 1, .stribeck_exponent = 1};
    robot_link l; /* what a law reads alone: simulations ask for it at every step */
    l.point = 0;
    l.npoint = joint ? joint->npoint : 0;
    arne__link_law(&l, joint ? joint : &none, motor);
    return arne__text_sliding(&l, joint ? (const robot_pair *)joint->points : NULL, v, sign);
}

arne_status arne_joint_wrenches(arne_data *d, const double *q, const double *qd, const double *qdd, double *w)
{
    return TEXT_DOOR(d, q && qd && qdd && w, joint_wrenches, AS_IT_IS(d), w, all_q(d, q), all_v(d, 0, qd), all_v(d, 1, qdd));
}

/* tau_m = J' tau at the motors behind their gears [003 eq. 9.33], then through the gears */
arne_status arne_motor_torques(arne_data *d, const double *tau, double *motor)
{
    if (!d || !tau || !motor) return ARNE_BAD_ARGUMENT;
    const arne_model *m = d->model;
    const int n = m->nv;
    for (int k = 0; k < n; k++) {
        double t = m->transmission ? 0 : tau[k];
        for (int i = 0; i < n && m->transmission; i++) t += m->transmission[i * n + k] * tau[i];
        d->work.row[k] = t / m->joint[arne_velocity_joint(m, k)].motor.gear;
    }
    for (int k = 0; k < n; k++) motor[k] = d->work.row[k];
    return ARNE_OK;
}
