/* SPDX-License-Identifier: MIT
 *
 * taysym.h - number kind taysym: an expression and its first two time derivatives, x0 + x1 t + x2 t^2. A text run on it writes
 * down how its result changes along a motion. */
#ifndef NUM_TAYSYM_H
#define NUM_TAYSYM_H

#include "num/inl.h"
#include "num/sym.h"

typedef struct {
    sym x[3];
} taysym;
typedef sym taysym_par;
enum { taysym_abreast = 1 };

INL taysym taysym_each(sym k, taysym a) { return (taysym){{sym_mul(k, a.x[0]), sym_mul(k, a.x[1]), sym_mul(k, a.x[2])}}; }
INL sym taysym_half(sym a) { return sym_mul(sym_of(0.5), a); }

INL taysym taysym_of(double c) { return (taysym){{sym_of(c), sym_of(0), sym_of(0)}}; }
INL sym taysym_con(double c) { return sym_of(c); }
INL taysym taysym_from(sym c) { return (taysym){{c, sym_of(0), sym_of(0)}}; }
INL taysym taysym_add(taysym a, taysym b)
{
    return (taysym){{sym_add(a.x[0], b.x[0]), sym_add(a.x[1], b.x[1]), sym_add(a.x[2], b.x[2])}};
}
INL taysym taysym_sub(taysym a, taysym b)
{
    return (taysym){{sym_sub(a.x[0], b.x[0]), sym_sub(a.x[1], b.x[1]), sym_sub(a.x[2], b.x[2])}};
}
INL taysym taysym_neg(taysym a) { return (taysym){{sym_neg(a.x[0]), sym_neg(a.x[1]), sym_neg(a.x[2])}}; }
INL taysym taysym_mul(taysym a, taysym b)
{
    const sym once = sym_add(sym_mul(a.x[0], b.x[1]), sym_mul(a.x[1], b.x[0]));
    const sym twice = sym_add(sym_add(sym_mul(a.x[0], b.x[2]), sym_mul(a.x[2], b.x[0])), sym_mul(a.x[1], b.x[1]));
    return (taysym){{sym_mul(a.x[0], b.x[0]), once, twice}};
}
INL taysym taysym_mulc(sym c, taysym a) { return taysym_each(c, a); }
/* r b = a */
INL taysym taysym_divide(taysym a, taysym b)
{
    const sym u = sym_divide(a.x[0], b.x[0]), v = sym_divide(sym_sub(a.x[1], sym_mul(u, b.x[1])), b.x[0]);
    const sym rest = sym_sub(a.x[2], sym_add(sym_mul(u, b.x[2]), sym_mul(v, b.x[1])));
    return (taysym){{u, v, sym_divide(rest, b.x[0])}};
}
/* r r = a */
INL taysym taysym_root(taysym a)
{
    const sym u = sym_root(a.x[0]), twice = sym_add(u, u), v = sym_divide(a.x[1], twice);
    return (taysym){{u, v, sym_divide(sym_sub(a.x[2], sym_mul(v, v)), twice)}};
}
INL taysym taysym_absolute(taysym a)
{
    const sym side = sym_sign(a.x[0]);
    return (taysym){{sym_absolute(a.x[0]), sym_mul(side, a.x[1]), sym_mul(side, a.x[2])}};
}
INL taysym taysym_sign(taysym a) { return taysym_from(sym_sign(a.x[0])); }
/* 1 where a < c, else 0: the sign of c - a, cut off at zero */
INL taysym taysym_least(taysym a, double c)
{
    const sym below = sym_most(sym_sign(sym_sub(sym_of(c), a.x[0])), 0);
    return (taysym){{sym_least(a.x[0], c), sym_mul(below, a.x[1]), sym_mul(below, a.x[2])}};
}
INL taysym taysym_most(taysym a, double c)
{
    const sym above = sym_most(sym_sign(sym_sub(a.x[0], sym_of(c))), 0);
    return (taysym){{sym_most(a.x[0], c), sym_mul(above, a.x[1]), sym_mul(above, a.x[2])}};
}
/* r' = a' r */
INL taysym taysym_expo(taysym a)
{
    const sym u = sym_expo(a.x[0]), v = sym_mul(a.x[1], u);
    return (taysym){{u, v, sym_add(sym_mul(a.x[2], u), taysym_half(sym_mul(a.x[1], v)))}};
}
/* a >= 0; at zero the derivatives are taken as zero */
INL taysym taysym_power(taysym a, sym c)
{
    const sym side = sym_sign(a.x[0]), less = sym_sub(c, sym_of(1));
    const sym slope = sym_mul(side, sym_mul(c, sym_power(a.x[0], less)));
    const sym bend = sym_mul(side, sym_mul(sym_mul(c, less), sym_power(a.x[0], sym_sub(c, sym_of(2)))));
    return (taysym){{sym_power(a.x[0], c), sym_mul(slope, a.x[1]),
                     sym_add(sym_mul(slope, a.x[2]), taysym_half(sym_mul(bend, sym_mul(a.x[1], a.x[1]))))}};
}
/* s' = a' c, c' = -a' s with a = scale q + constant */
INL void taysym_turns(const turn_table *t, const taysym *q, taysym *s, taysym *c)
{
    for (int i = 0; i < t->n; i++) {
        const turn_table one = {1, t->scale + i, t->theta + i, t->quarter + i, 0};
        const taysym a = taysym_each(sym_of(t->scale[i]), q[i]);
        sym_turns(&one, &q[i].x[0], &s[i].x[0], &c[i].x[0]);
        s[i].x[1] = sym_mul(a.x[1], c[i].x[0]);
        c[i].x[1] = sym_neg(sym_mul(a.x[1], s[i].x[0]));
        s[i].x[2] = sym_add(sym_mul(a.x[2], c[i].x[0]), taysym_half(sym_mul(a.x[1], c[i].x[1])));
        c[i].x[2] = sym_neg(sym_add(sym_mul(a.x[2], s[i].x[0]), taysym_half(sym_mul(a.x[1], s[i].x[1]))));
    }
}

#endif
