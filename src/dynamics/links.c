/* SPDX-License-Identifier: MIT
 *
 * links.c - pose, velocity and Jacobian of a named link: doors to its kinematics. */
#include <string.h>

#include "dynamics/doors.h"

static bool is_link(const arne_data *d, int at) { return d && at >= 0 && at < d->model->nlink; }
static bool is_frame(arne_frame frame) { return (unsigned)frame <= ARNE_ALIGNED; }

arne_status arne_link_pose(arne_data *d, const double *q, int at, arne_pose *pose)
{
    double x[12];
    if (!is_link(d, at) || !q || !pose) return ARNE_BAD_ARGUMENT;
    TEXT_OF(d, pose)(d->settings->robot, &d->work, all_q(d, q), at, x);
    memcpy(pose->p, x, sizeof pose->p);
    memcpy(pose->R, x + 3, sizeof pose->R);
    return ARNE_OK;
}

arne_status arne_link_velocity(arne_data *d, const double *q, const double *qd, int at, arne_frame frame, double v[6])
{
    return TEXT_DOOR(d, is_link(d, at) && is_frame(frame) && q && qd && v, velocity, AS_IT_IS(d), v, all_q(d, q), all_v(d, 0, qd),
                     at, (int)frame);
}

arne_status arne_link_jacobian(arne_data *d, const double *q, int at, arne_frame frame, double *J)
{
    return TEXT_DOOR(d, is_link(d, at) && is_frame(frame) && q && J, jacobian, JACOBIAN(d), J, all_q(d, q), at, (int)frame, 0);
}
