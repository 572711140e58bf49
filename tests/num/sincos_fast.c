/* SPDX-License-Identifier: MIT
 *
 * sincos_fast.c - the sines and cosines of the library, compiled with -ffast-math (tests/CMakeLists.txt). */
#include "num/sincos_fast.h"

#include "num/f64x2.h"
#undef LANES
#include "num/f64x8.h"
#undef LANES
#include "num/f32x4.h"
#undef LANES
#include "num/f32x16.h"

#define SINES(kind, real)                                                                                                        \
    void fast_##kind(int count, const real *x, real *s, real *c)                                                                 \
    {                                                                                                                            \
        for (int i = 0; i < count; i += (int)(sizeof(kind) / sizeof(real))) {                                                    \
            kind a, sn, cn;                                                                                                      \
            memcpy(&a, x + i, sizeof a);                                                                                         \
            kind##_sincos(a, (kind##_int){0}, &sn, &cn);                                                                         \
            memcpy(s + i, &sn, sizeof sn);                                                                                       \
            memcpy(c + i, &cn, sizeof cn);                                                                                       \
        }                                                                                                                        \
    }
SINES(f64x2, double)
SINES(f64x8, double)
SINES(f32x4, float)
SINES(f32x16, float)
