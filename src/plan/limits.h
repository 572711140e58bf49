/* SPDX-License-Identifier: MIT
 *
 * limits.h - the limits of a robot's joints and motors as every planner reads them.
 *
 * Motors are counted by their joints; "behind the gear" is the variable q_m of q = J q_m [003 eq. 9.31]: speed v, torque t with
 * shaft speed = gear v, shaft torque = t/gear. */
#ifndef PLAN_LIMITS_H
#define PLAN_LIMITS_H

#include <math.h>

#include "arne/feasible.h"
#include "model/model.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* 0 says nothing about a velocity or an effort */
static inline double given_limit(double x) { return x > 0 ? x : INFINITY; }

/* Torque range behind the gear of motor k at speed v. */
void arne__limits_torque(const arne_model *m, int k, double v, double *low, double *high);
/* Speed behind the gear; the limit of the joint where motors are not coupled. */
double arne__limits_speed(const arne_model *m, int k);
/* Is the torque limit of motor k one of its shaft (else of its joint)? */
bool arne__limits_at_shaft(const arne_model *m, int k);

/* Has every joint a torque limit, its own or its motor's? ARNE_UNSUPPORTED names the first that has none. */
arne_status arne__limits_all(const arne_model *m, arne_error *error);

/* x_m = J^-1 x for velocities and accelerations, t_m = J' t for torques; copies where motors are not coupled. */
void arne__limits_to_motors(const arne_model *m, const double *x, double *motors);
void arne__limits_torques_to_motors(const arne_model *m, const double *tau, double *motors);

/* motion.c: ARNE_BAD_ARGUMENT: no motion, no data, no place for the answer */
arne_status arne__motion_check(const arne_motion *s, const arne_data *d, const void *out, arne_error *error);

#pragma GCC visibility pop
#endif
