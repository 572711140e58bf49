/* SPDX-License-Identifier: MIT
 *
 * spread.c - positions all over the range of a robot. */
#include "control/controller.h"

#include <math.h>
#include <stdint.h>

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
    for (int i = 0; i < arne_model_dof(m); i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        const double reach = arne_joint_kind(m, i) == ARNE_PRISMATIC ? 1 : acos(-1);
        double low = l->lower, high = l->upper;
        if (isinf(low)) low = isinf(high) ? -reach : high - 2 * reach;
        if (isinf(high)) high = low + 2 * reach;
        q[i] = low + (high - low) * scattered(k, i);
    }
}
