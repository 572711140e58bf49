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

typedef struct {
    double x[TAY4];
} tay4;
typedef double tay4_par;

INL tay4 tay4_of(double c) { return (tay4){{c}}; }
INL double tay4_con(double c) { return c; }
INL tay4 tay4_from(double c) { return tay4_of(c); }

#define TAY4_EACH(term)                                                                                                          \
    tay4 r;                                                                                                                      \
    for (int k = 0; k < TAY4; k++) r.x[k] = term;                                                                                \
    return r
INL tay4 tay4_add(tay4 a, tay4 b) { TAY4_EACH(a.x[k] + b.x[k]); }
INL tay4 tay4_sub(tay4 a, tay4 b) { TAY4_EACH(a.x[k] - b.x[k]); }
INL tay4 tay4_neg(tay4 a) { TAY4_EACH(-a.x[k]); }
INL tay4 tay4_mulc(double c, tay4 a) { TAY4_EACH(c * a.x[k]); }
#undef TAY4_EACH

/* sum of a_j b_(k-j), j = first ... last */
INL double tay4_convolve(const tay4 *a, const tay4 *b, int k, int first, int last)
{
    double s = 0;
    for (int j = first; j <= last; j++) s = j == first ? a->x[j] * b->x[k - j] : s + a->x[j] * b->x[k - j];
    return s;
}
INL tay4 tay4_mul(tay4 a, tay4 b)
{
    tay4 r;
    for (int k = 0; k < TAY4; k++) r.x[k] = tay4_convolve(&a, &b, k, 0, k);
    return r;
}
/* r b = a */
INL tay4 tay4_divide(tay4 a, tay4 b)
{
    tay4 r;
    r.x[0] = a.x[0] / b.x[0];
    for (int k = 1; k < TAY4; k++) r.x[k] = (a.x[k] - tay4_convolve(&r, &b, k, 0, k - 1)) / b.x[0];
    return r;
}
/* r r = a */
INL tay4 tay4_root(tay4 a)
{
    tay4 r;
    r.x[0] = sqrt(a.x[0]);
    for (int k = 1; k < TAY4; k++) r.x[k] = (a.x[k] - (k > 1 ? tay4_convolve(&r, &r, k, 1, k - 1) : 0)) / (2 * r.x[0]);
    return r;
}
INL tay4 tay4_sign(tay4 a) { return tay4_of(f64_sign(a.x[0])); }
INL tay4 tay4_absolute(tay4 a) { return a.x[0] < 0 ? tay4_neg(a) : a; }
INL tay4 tay4_least(tay4 a, double c) { return a.x[0] < c ? a : tay4_of(c); }
INL tay4 tay4_most(tay4 a, double c) { return a.x[0] > c ? a : tay4_of(c); }
/* r' = a' r */
INL tay4 tay4_expo(tay4 a)
{
    tay4 r;
    r.x[0] = exp(a.x[0]);
    for (int k = 1; k < TAY4; k++) {
        double s = 0;
        for (int j = 1; j <= k; j++) s += j * a.x[j] * r.x[k - j];
        r.x[k] = s / k;
    }
    return r;
}
/* a r' = c r a'; at a = 0 the derivatives are taken as zero */
INL tay4 tay4_power(tay4 a, double c)
{
    tay4 r = {{pow(a.x[0], c)}};
    if (a.x[0] > 0)
        for (int k = 1; k < TAY4; k++) {
            double s = 0;
            for (int j = 1; j <= k; j++) s += (c * j - (k - j)) * a.x[j] * r.x[k - j];
            r.x[k] = s / (k * a.x[0]);
        }
    return r;
}
/* s' = a' c, c' = -a' s with a = scale q + constant */
INL void tay4_turns(const turn_table *t, const tay4 *q, tay4 *s, tay4 *c)
{
    for (int i = 0; i < t->n; i++) {
        f64x2 sv, cv;
        const double scale = t->scale[i];
        f64x2_sincos(f64x2_of(scale * q[i].x[0] + t->theta[i]), t->quarter[i] - (f64x2_int){0}, &sv, &cv);
        s[i].x[0] = sv[0];
        c[i].x[0] = cv[0];
        for (int k = 1; k < TAY4; k++) {
            double ds = 0, dc = 0;
            for (int j = 1; j <= k; j++) {
                ds += j * q[i].x[j] * c[i].x[k - j];
                dc -= j * q[i].x[j] * s[i].x[k - j];
            }
            s[i].x[k] = scale * ds / k;
            c[i].x[k] = scale * dc / k;
        }
    }
}

#endif
