/* SPDX-License-Identifier: MIT
 *
 * jetsym.h - number kind jetsym: an expression and its derivative along one direction. A text run on it writes down its own
 * derivative; the values of all directions are the same nodes of the graph. */
#ifndef NUM_JETSYM_H
#define NUM_JETSYM_H

#include "num/inl.h"
#include "num/sym.h"

typedef struct {
    sym v, d;
} jetsym;
typedef sym jetsym_par;
enum { jetsym_abreast = 1 };

INL jetsym jetsym_of(double c) { return (jetsym){sym_of(c), sym_of(0)}; }
INL sym jetsym_con(double c) { return sym_of(c); }
INL jetsym jetsym_from(sym c) { return (jetsym){c, sym_of(0)}; }
INL jetsym jetsym_add(jetsym a, jetsym b) { return (jetsym){sym_add(a.v, b.v), sym_add(a.d, b.d)}; }
INL jetsym jetsym_sub(jetsym a, jetsym b) { return (jetsym){sym_sub(a.v, b.v), sym_sub(a.d, b.d)}; }
INL jetsym jetsym_neg(jetsym a) { return (jetsym){sym_neg(a.v), sym_neg(a.d)}; }
INL jetsym jetsym_mul(jetsym a, jetsym b) { return (jetsym){sym_mul(a.v, b.v), sym_add(sym_mul(a.v, b.d), sym_mul(b.v, a.d))}; }
INL jetsym jetsym_mulc(sym c, jetsym a) { return (jetsym){sym_mul(c, a.v), sym_mul(c, a.d)}; }
INL jetsym jetsym_divide(jetsym a, jetsym b)
{
    const sym u = sym_divide(a.v, b.v);
    return (jetsym){u, sym_divide(sym_sub(a.d, sym_mul(u, b.d)), b.v)};
}
INL jetsym jetsym_root(jetsym a)
{
    const sym u = sym_root(a.v);
    return (jetsym){u, sym_divide(a.d, sym_add(u, u))};
}
INL jetsym jetsym_absolute(jetsym a) { return (jetsym){sym_absolute(a.v), sym_mul(sym_sign(a.v), a.d)}; }
INL jetsym jetsym_sign(jetsym a) { return (jetsym){sym_sign(a.v), sym_of(0)}; }
/* 1 where a < c, else 0: the sign of c - a, cut off at zero */
INL jetsym jetsym_least(jetsym a, double c)
{
    return (jetsym){sym_least(a.v, c), sym_mul(sym_most(sym_sign(sym_sub(sym_of(c), a.v)), 0), a.d)};
}
INL jetsym jetsym_most(jetsym a, double c)
{
    return (jetsym){sym_most(a.v, c), sym_mul(sym_most(sym_sign(sym_sub(a.v, sym_of(c))), 0), a.d)};
}
INL jetsym jetsym_expo(jetsym a)
{
    const sym u = sym_expo(a.v);
    return (jetsym){u, sym_mul(u, a.d)};
}
/* a >= 0; at zero the derivative is taken as zero */
INL jetsym jetsym_power(jetsym a, sym c)
{
    const sym slope = sym_mul(c, sym_power(a.v, sym_sub(c, sym_of(1))));
    return (jetsym){sym_power(a.v, c), sym_mul(sym_mul(sym_sign(a.v), slope), a.d)};
}
INL void jetsym_turns(const turn_table *t, const jetsym *q, jetsym *s, jetsym *c)
{
    for (int i = 0; i < t->n; i++) {
        const turn_table one = {1, t->scale + i, t->theta + i, t->quarter + i, 0};
        const sym k = sym_mul(sym_of(t->scale[i]), q[i].d);
        sym_turns(&one, &q[i].v, &s[i].v, &c[i].v);
        s[i].d = sym_mul(k, c[i].v);
        c[i].d = sym_neg(sym_mul(k, s[i].v));
    }
}

#endif
