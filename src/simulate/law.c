/* SPDX-License-Identifier: MIT
 *
 * law.c - the friction laws of robot files [003 section 9.3.4], one axis at a time. */
#include "simulate/law.h"

#include <math.h>

law arne__law_of(const arne_friction *joint, const arne_motor *motor)
{
    law l = {.exponent = 2, .scale = 1};
    if (joint && joint->npoint > 0) {
        l.npoint = joint->npoint;
        l.points = (const double(*)[2])joint->points;
    } else if (joint) {
        l.viscous = joint->viscous;
        l.coulomb = joint->coulomb;
        l.more = joint->static_ > 0 ? joint->static_ - joint->coulomb : 0;
        l.inverse_speed = 1 / joint->stribeck_velocity;
        l.exponent = joint->stribeck_exponent;
    }
    if (motor) { /* seen from the joint  [003 9.3.5] */
        l.viscous += motor->gear * motor->gear * motor->viscous;
        l.coulomb += fabs(motor->gear) * motor->coulomb;
    }
    arne__law_brake(&l, 0);
    return l;
}

void arne__law_brake(law *l, double torque)
{
    l->brake = torque;
    l->nothing = torque == 0 && l->viscous == 0 && l->coulomb == 0 && l->more == 0 && l->npoint == 0;
}

/* linear between the points, the last slope going on  [003 fig. 9.2d] */
static double points_at(const law *l, double speed)
{
    int k = 0;
    if (l->npoint == 1) return l->points[0][1];
    while (k + 2 < l->npoint && l->points[k + 1][0] < speed) k++;
    const double *a = l->points[k], *b = l->points[k + 1];
    return a[1] + (b[1] - a[1]) * (speed - a[0]) / (b[0] - a[0]);
}

double arne__law_torque(const law *l, double v, int sign)
{
    const int s = sign ? sign : (v > 0) - (v < 0);
    double dry = l->coulomb;
    if (l->more != 0) dry += l->more * exp(-pow(fabs(v) * l->inverse_speed, l->exponent)); /* [003 eq. 9.26] */
    if (l->npoint > 0) dry += points_at(l, fabs(v));
    return l->scale * (s * dry + l->viscous * v) + s * l->brake; /* [003 eq. 9.27] */
}

double arne__law_breakaway(const law *l)
{
    return l->scale * (l->coulomb + l->more + (l->npoint > 0 ? l->points[0][1] : 0)) + l->brake;
}
