/* SPDX-License-Identifier: MIT
 *
 * law.h - friction of one axis, as the file says it, and a brake beside it. */
#ifndef SIMULATE_LAW_H
#define SIMULATE_LAW_H

#include "arne/dynamics.h"

typedef struct {
    const arne_friction *joint; /* NULL: none, as the motor */
    const arne_motor *motor;
    double scale; /* of both */
    double brake; /* dry, beside them */
} law;

/* Torque against sliding towards `sign` at velocity v; sign 0: nothing dry but what v says. */
static inline double law_torque(const law *l, double v, int sign)
{
    const int s = sign ? sign : (v > 0) - (v < 0);
    return l->scale * arne_sliding_friction(l->joint, l->motor, v, s) + s * l->brake;
}

/* What must be exceeded to leave rest: the sliding friction at velocity 0. */
static inline double law_breakaway(const law *l) { return law_torque(l, 0, 1); }

#endif
