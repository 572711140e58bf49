/* SPDX-License-Identifier: MIT
 *
 * tay4.h - number kind tay4: a truncated Taylor series x0 + x1 t + ... + x4 t^4 in time.
 *
 * x_k is the k-th derivative over k factorial. A text run on tay4 gives its result and four time derivatives. The value x0 is
 * computed by the operations of f64 in the same order, so it has the bits of f64. */
#ifndef NUM_TAY4_H
#define NUM_TAY4_H

#include "num/f64x2.h"

enum { TAY4 = 5 };

/* x0 x1, x2 x3, x4 and what nobody looks at: pairs are quicker, to run and to compile */
typedef struct {
    f64x2 p[3];
} tay4;
typedef double tay4_par;
enum { tay4_abreast = 1 };

INL double tay4_get(tay4 a, int k) { return a.p[k / 2][k % 2]; }
INL void tay4_set(tay4 *a, int k, double x) { a->p[k / 2][k % 2] = x; }
INL f64x2 tay4_pair(double a, double b) { return (f64x2){a, b}; }

INL tay4 tay4_of(double c) { return (tay4){{tay4_pair(c, 0)}}; }
INL double tay4_con(double c) { return c; }
INL tay4 tay4_from(double c) { return tay4_of(c); }
INL tay4 tay4_add(tay4 a, tay4 b) { return (tay4){{a.p[0] + b.p[0], a.p[1] + b.p[1], a.p[2] + b.p[2]}}; }
INL tay4 tay4_sub(tay4 a, tay4 b) { return (tay4){{a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]}}; }
INL tay4 tay4_neg(tay4 a) { return (tay4){{-a.p[0], -a.p[1], -a.p[2]}}; }
INL tay4 tay4_mulc(double c, tay4 a) { return (tay4){{c * a.p[0], c * a.p[1], c * a.p[2]}}; }
/* r_k = sum of a_j b_(k-j) */
INL tay4 tay4_mul(tay4 a, tay4 b)
{
    const double a0 = a.p[0][0], a1 = a.p[0][1], a2 = a.p[1][0], a3 = a.p[1][1], a4 = a.p[2][0], b0 = b.p[0][0];
    const f64x2 b12 = tay4_pair(b.p[0][1], b.p[1][0]), b34 = tay4_pair(b.p[1][1], b.p[2][0]);
    f64x2 first = a0 * b.p[0], second = a0 * b.p[1] + a1 * b12 + a2 * b.p[0];
    first[1] += a1 * b0;
    second[1] += a3 * b0;
    return (tay4){{first, second, a0 * b.p[2] + a1 * b34 + a2 * b.p[1] + a3 * b12 + a4 * b.p[0]}};
}
/* sum of a_j b_(k-j), j = first ... last */
INL double tay4_convolve(tay4 a, tay4 b, int k, int first, int last)
{
    double s = 0;
    for (int j = first; j <= last; j++) s += tay4_get(a, j) * tay4_get(b, k - j);
    return s;
}
/* r b = a */
INL tay4 tay4_divide(tay4 a, tay4 b)
{
    const double b0 = b.p[0][0];
    tay4 r = tay4_of(a.p[0][0] / b0);
    for (int k = 1; k < TAY4; k++) tay4_set(&r, k, (tay4_get(a, k) - tay4_convolve(r, b, k, 0, k - 1)) / b0);
    return r;
}
/* r r = a */
INL tay4 tay4_root(tay4 a)
{
    const double r0 = sqrt(a.p[0][0]);
    tay4 r = tay4_of(r0);
    for (int k = 1; k < TAY4; k++) tay4_set(&r, k, (tay4_get(a, k) - tay4_convolve(r, r, k, 1, k - 1)) / (2 * r0));
    return r;
}
INL tay4 tay4_sign(tay4 a) { return tay4_of(f64_sign(a.p[0][0])); }
INL tay4 tay4_absolute(tay4 a) { return a.p[0][0] < 0 ? tay4_neg(a) : a; }
INL tay4 tay4_least(tay4 a, double c) { return a.p[0][0] < c ? a : tay4_of(c); }
INL tay4 tay4_most(tay4 a, double c) { return a.p[0][0] > c ? a : tay4_of(c); }
/* r' = a' r */
INL tay4 tay4_expo(tay4 a)
{
    tay4 r = tay4_of(exp(a.p[0][0]));
    for (int k = 1; k < TAY4; k++) {
        double s = 0;
        for (int j = 1; j <= k; j++) s += j * tay4_get(a, j) * tay4_get(r, k - j);
        tay4_set(&r, k, s / k);
    }
    return r;
}
/* a r' = c r a'; at a = 0 the derivatives are taken as zero */
INL tay4 tay4_power(tay4 a, double c)
{
    const double a0 = a.p[0][0];
    tay4 r = tay4_of(pow(a0, c));
    for (int k = 1; k < TAY4 && a0 > 0; k++) {
        double s = 0;
        for (int j = 1; j <= k; j++) s += (c * j - (k - j)) * tay4_get(a, j) * tay4_get(r, k - j);
        tay4_set(&r, k, s / (k * a0));
    }
    return r;
}
/* s' = a' c, c' = -a' s with a = scale q + constant */
INL void tay4_turns(const turn_table *t, const tay4 *q, tay4 *s, tay4 *c)
{
    for (int i = 0; i < t->n; i++) {
        f64x2 sv, cv;
        const double scale = t->scale[i];
        f64x2_sincos(f64x2_of(scale * q[i].p[0][0] + t->theta[i]), t->quarter[i] - (f64x2_int){0}, &sv, &cv);
        tay4 sine = tay4_of(sv[0]), cosine = tay4_of(cv[0]);
        for (int k = 1; k < TAY4; k++) {
            double ds = 0, dc = 0;
            for (int j = 1; j <= k; j++) {
                ds += j * tay4_get(q[i], j) * tay4_get(cosine, k - j);
                dc -= j * tay4_get(q[i], j) * tay4_get(sine, k - j);
            }
            tay4_set(&sine, k, scale * ds / k);
            tay4_set(&cosine, k, scale * dc / k);
        }
        s[i] = sine;
        c[i] = cosine;
    }
}

#endif
