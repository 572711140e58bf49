/* SPDX-License-Identifier: MIT
 *
 * sincos32_test.c - sines and cosines of src/num/sincos32.inc: those of one float, and in every width. */
#define REAL float
#define REALS "floats"
#define REAL_DIGITS FLT_MANT_DIG
#define REAL_POWER 38
#define REAL_MAX FLT_MAX
#define REAL_EPSILON 1e-7
#define REAL_NEXT nextafterf
#define MOST_ERROR 0.83
#define SURE 100
#include "num/sines.inc"

#include "num/f32x4.h"
#undef LANES
#include "num/f32x8.h"
#undef LANES
#include "num/f32x16.h"

#define SINES(kind)                                                                                                              \
    for (int i = 0; i < count; i += LANES_OF(kind)) {                                                                            \
        kind a, sn, cn;                                                                                                          \
        kind##_int turn;                                                                                                         \
        memcpy(&a, x + i, sizeof a);                                                                                             \
        for (int l = 0; l < LANES_OF(kind); l++) turn[l] = (int)quarter[i + l];                                                  \
        kind##_sincos(a, turn, &sn, &cn);                                                                                        \
        memcpy(s + i, &sn, sizeof sn);                                                                                           \
        memcpy(c + i, &cn, sizeof cn);                                                                                           \
    }
#define LANES_OF(kind) ((int)(sizeof(kind) / sizeof(float)))

static bool sines(int width, int count, const float *x, const long long *quarter, float *s, float *c)
{
    switch (width) {
    case 0:
        for (int i = 0; i < count; i += POINTS_PAD) {
            const turn_table t = joints(quarter + i);
            f32_turns(&t, x + i, s + i, c + i);
        }
        return true;
    case 1: SINES(f32x4) return true;
    case 2: SINES(f32x8) return true;
    case 3: SINES(f32x16) return true;
    }
    return false;
}
