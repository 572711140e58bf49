/* SPDX-License-Identifier: MIT
 *
 * f64.h - number kind f64: one double. */
#ifndef NUM_F64_H
#define NUM_F64_H

#include <math.h>

#include "num/inl.h"
#include "num/turns.h"

typedef double f64;
typedef double f64_par;
typedef long long f64_int; /* as wide as f64 */
enum { f64_abreast = 8 };
#define f64_bits 64

INL f64 f64_of(double c) { return c; }
INL f64_par f64_con(double c) { return c; }
INL f64 f64_from(f64_par c) { return c; }
INL f64 f64_add(f64 a, f64 b) { return a + b; }
INL f64 f64_sub(f64 a, f64 b) { return a - b; }
INL f64 f64_neg(f64 a) { return -a; }
INL f64 f64_mul(f64 a, f64 b) { return a * b; }
INL f64 f64_mulc(double c, f64 a) { return c * a; }
INL f64 f64_divide(f64 a, f64 b) { return a / b; }
INL f64 f64_root(f64 a) { return sqrt(a); }
INL f64 f64_absolute(f64 a) { return fabs(a); }
INL f64 f64_sign(f64 a) { return (double)((a > 0) - (a < 0)); }
INL f64 f64_least(f64 a, double c) { return a < c ? a : c; }
INL f64 f64_most(f64 a, double c) { return a > c ? a : c; }
INL f64 f64_expo(f64 a) { return exp(a); }
INL f64 f64_power(f64 a, double c) { return pow(a, c); }

/* one vector evaluation for all joints */
INL void f64_turns(const turn_table *t, const f64 *q, f64 *s, f64 *c) { t->f64(t, q, s, c); }

#endif
