/* SPDX-License-Identifier: MIT
 *
 * hand.h - motion of a link in space from motion of the joints, and back [004 section 10.1].
 *
 * The six rows of velocities and accelerations are vx vy vz wx wy wz of the link origin in world axes (ARNE_ALIGNED). For data
 * prepared with ARNE_HANDS; nothing allocates but arne_hand_path. */
#ifndef ARNE_HAND_H
#define ARNE_HAND_H

#include "arne/dynamics.h"
#include "arne/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* What the link shall do. */
typedef struct {
    arne_pose pose;
    double velocity[6], acceleration[6];
} arne_hand_target;

/* The link's own: pose, velocity, acceleration at q, qd, qdd (qdd NULL: zero). */
arne_status arne_hand_at(arne_data *d, int link, const double *q, const double *qd, const double *qdd, arne_hand_target *out);
/* Pose error of a link at `pose`: position, and the rotation vector that turns it into the target's axes, world axes. */
arne_status arne_hand_error(const arne_pose *pose, const arne_pose *target, double error[6]);

/* How joints are chosen when the link leaves freedom, and what happens near a singular position. */
typedef struct {
    size_t size;               /* sizeof of this struct */
    bool position_only;        /* three rows instead of six */
    bool inertia_weighted;     /* least kinetic energy instead of least joint speed */
    double damping;            /* of the least squares at a singularity, relative; 0: 0.01 */
    const double *null_motion; /* joint acceleration (or velocity) wished for in the null space, dof; NULL: none */
} arne_hand_options;

/* Joint accelerations that give the link acceleration a[6] at q, qd: J qdd + Jdot qd = a. `options` may be NULL. *ratio (NULL:
 * not asked for) is the smallest singular value of J over its largest: where it is below ARNE_HAND_SINGULAR the answer is damped
 * and only near to what was asked. Directions in which the link can move nowhere (a planar arm, too few joints) do not count:
 * there the answer is the nearest. */
#define ARNE_HAND_SINGULAR 1e-3
arne_status arne_hand_joint_acceleration(arne_data *d, int link, const double *q, const double *qd, const double a[6],
                                         const arne_hand_options *options, double *qdd, double *ratio);
arne_status arne_hand_joint_velocity(arne_data *d, int link, const double *q, const double v[6], const arne_hand_options *options,
                                     double *qd, double *ratio);

/* Inverse kinematics from a first guess in q; joint limits are kept. ARNE_BAD_VALUE with a sentence: how near it came, which
 * joints are at their limits there, and by how much the target is out of reach where that is certain; q stays. */
arne_status arne_hand_solve(arne_data *d, int link, const arne_pose *target, const arne_hand_options *options, double *q,
                            arne_error *error);

/* Positions of the joints along straight lines of a link through `count` poses, turned about one axis in between, at most `step`
 * (m, and ten times as many rad) apart: *q from malloc, *rows x dof, way-points for arne_curve_new. The first pose is looked for
 * from q0, each other from the one before. Of the options position_only counts. ARNE_BAD_VALUE with a sentence: a pose is out of
 * reach, or the joints would have to jump. */
arne_status arne_hand_points(arne_data *d, int link, int count, const arne_pose *poses, const arne_hand_options *options,
                             const double *q0, double step, double **q, int *rows, arne_error *error);

/* Joint motion of a straight line with rotation about one axis through `count` poses at times t, degree 7 from rest to rest
 * in between, starting from q0 (which must reach the first pose): a spline of degree 7 through `samples` solved positions. */
arne_status arne_hand_path(arne_data *d, int link, int count, const double *t, const arne_pose *poses, const double *q0,
                           int samples, arne_trajectory **out, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
