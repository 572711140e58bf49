/* SPDX-License-Identifier: MIT
 *
 * positions.h - positions of joints that are no plain numbers. A robot whose joints all have one freedom adds its positions; a
 * spherical or free joint has a quaternion, and its neighbours are reached along velocities (model.h has the layout). */
#ifndef ARNE_POSITIONS_H
#define ARNE_POSITIONS_H

#include "arne/description.h"
#include "arne/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Where velocity v is the rate of one number of a position: that number. -1: v belongs to a joint of several freedoms. */
int arne_velocity_position(const arne_model *m, int v);
bool arne_velocity_turns(const arne_model *m, int v); /* is it an angular one? */
/* Where in a position the quaternion of joint i begins. -1: it has none. */
int arne_joint_turn(const arne_model *m, int i);

/* The position in which nothing is turned or moved: zeros, quaternions 0 0 0 1. */
arne_status arne_neutral(const arne_model *m, double *q);
/* A state that the description of this model has by a name, as a keyframe of MJCF: joints are found by their names, those that it
 * does not have rest at their zero. qd may be NULL. ARNE_BAD_VALUE: there is no such state. */
arne_status arne_named_state(const arne_model *m, const arne_description *d, const char *name, double *q, double *qd);
/* Where a robot comes from q that moves for a unit of time with the constant velocity v (nv): q + v, and on spherical and free
 * joints the motion along a screw. `out` may be q. */
arne_status arne_integrate(const arne_model *m, const double *q, const double *v, double *out);
/* Its derivatives along velocities, by q and by v: nv x nv each, row major; either may be NULL. They depend on v alone; unit
 * matrices but for spherical and free joints. */
arne_status arne_integrate_derivatives(const arne_model *m, const double *v, double *by_q, double *by_v);
/* The velocity that leads from a to b in a unit of time, by the shorter way round: what arne_integrate undoes. */
arne_status arne_difference(const arne_model *m, const double *a, const double *b, double *v);
/* The time derivative of a position (nq) that moves with velocity qd (nv). */
arne_status arne_position_rate(const arne_model *m, const double *q, const double *qd, double *rate);
/* Quaternions brought to unit length. ARNE_BAD_VALUE: one is further off than `slack` (NAN: any), zero, or not finite; *joint
 * (may be NULL) is then the joint, and q is left as it was. */
arne_status arne_normalize(const arne_model *m, double slack, double *q, int *joint);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
