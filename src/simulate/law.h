/* SPDX-License-Identifier: MIT
 *
 * law.h - friction of one axis with the direction of sliding as an input of its own, so that it is smooth while a mode lasts. */
#ifndef SIMULATE_LAW_H
#define SIMULATE_LAW_H

#include "arne/model.h"

typedef struct {
    double coulomb, more; /* sliding; what static friction adds to it at rest */
    double inverse_speed, exponent;
    double viscous;
    int npoint;
    const double (*points)[2];
    double scale; /* of all that */
    double brake; /* dry, beside it */
    bool nothing; /* there is no friction at all */
} law;

/* Of a joint, with its motor reflected by the gear; either may be NULL. */
law arne__law_of(const arne_friction *joint, const arne_motor *motor);
/* Torque against sliding towards `sign` at velocity v; sign 0: nothing dry but what v says. */
double arne__law_torque(const law *l, double v, int sign);
void arne__law_brake(law *l, double torque);
/* What must be exceeded to leave rest: the sliding friction at velocity 0. */
double arne__law_breakaway(const law *l);

#endif
