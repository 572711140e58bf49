/* SPDX-License-Identifier: MIT
 *
 * f64.c - every algorithm text as it stands: double. */
#include "kind/texts.inc"
#include "algo/ejnea.c"
#include "model/model.h"

double arne_sliding_friction(const arne_friction *joint, const arne_motor *motor, double v, double sign)
{
    static const arne_friction none = {.stribeck_velocity = 1, .stribeck_exponent = 1};
    link l;
    arne__link_law(&l, joint ? joint : &none, motor);
    return l.law == LAW_NONE ? 0 : friction_along(&l, v, sign);
}
