/* SPDX-License-Identifier: MIT
 *
 * f32.h - number kind f32: one float. */
#ifndef NUM_F32_H
#define NUM_F32_H

#include <math.h>

#include "num/inl.h"
#include "num/turns.h"

typedef float f32;
typedef float f32_par;
typedef int f32_int; /* as wide as f32 */
enum { f32_abreast = 16 };
#define f32_bits 32

INL f32 f32_of(double c) { return (f32)c; }
INL f32_par f32_con(double c) { return (f32)c; }
INL f32 f32_from(f32_par c) { return c; }
INL f32 f32_add(f32 a, f32 b) { return a + b; }
INL f32 f32_sub(f32 a, f32 b) { return a - b; }
INL f32 f32_neg(f32 a) { return -a; }
INL f32 f32_mul(f32 a, f32 b) { return a * b; }
INL f32 f32_mulc(f32 c, f32 a) { return c * a; }
INL f32 f32_divide(f32 a, f32 b) { return a / b; }
INL f32 f32_root(f32 a) { return sqrtf(a); }
INL f32 f32_absolute(f32 a) { return fabsf(a); }
INL f32 f32_sign(f32 a) { return (f32)((a > 0) - (a < 0)); }
INL f32 f32_least(f32 a, double c) { return a < (f32)c ? a : (f32)c; }
INL f32 f32_most(f32 a, double c) { return a > (f32)c ? a : (f32)c; }
INL f32 f32_expo(f32 a) { return expf(a); }
INL f32 f32_power(f32 a, f32 c) { return powf(a, c); }

/* sines and cosines, four at a time */
#define LANE f32_four
#define LANES 4
#define LANE_ONE f32
#include "num/lanes.inc"
#undef LANES

INL void f32_turns(const turn_table *t, const f32 *q, f32 *s, f32 *c)
{
    for (int i = 0; i < t->n; i += 4) {
        f32_four x, sn, cn;
        f32_four_int quarter;
        for (int l = 0; l < 4; l++) {
            x[l] = (f32)t->scale[i + l] * q[i + l < t->n ? i + l : t->n - 1] + (f32)t->theta[i + l];
            quarter[l] = (f32_int)t->quarter[i + l];
        }
        f32_four_sincos(x, quarter, &sn, &cn);
        memcpy(s + i, &sn, sizeof sn);
        memcpy(c + i, &cn, sizeof cn);
    }
}

#endif
