/* SPDX-License-Identifier: MIT
 *
 * spread.c - positions all over the range of a robot. */
#include "control/controller.h"

#include <math.h>
#include <stdint.h>

#include "arne/positions.h"

/* 0 ... 1 from two numbers, by an integer hash */
static double scattered(int k, int i)
{
    uint64_t x = ((uint64_t)(unsigned)k << 32 | (unsigned)i) + 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 3; round++) {
        x ^= x >> 29;
        x *= 0xd6e8feb86659fd93u;
    }
    return (double)((x ^ x >> 32) >> 11) * 0x1p-53;
}

void arne__spread_position(const arne_model *m, int k, double *q)
{
    arne_neutral(m, q);
    for (int i = 0; i < arne_model_nv(m); i++) {
        const int at = arne_velocity_position(m, i), joint = arne_velocity_joint(m, i);
        if (at < 0) continue;
        const arne_limits *l = arne_joint_limits(m, joint);
        const double reach = arne_joint_kind(m, joint) == ARNE_PRISMATIC ? 1 : acos(-1);
        double low = l->lower, high = l->upper;
        if (isinf(low)) low = isinf(high) ? -reach : high - 2 * reach;
        if (isinf(high)) high = low + 2 * reach;
        q[at] = low + (high - low) * scattered(k, i);
    }
}
