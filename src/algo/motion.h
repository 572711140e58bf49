/* SPDX-License-Identifier: MIT
 *
 * motion.h - velocity and acceleration of one link from its parent's: the forward half of recursive Newton-Euler, which inverse
 * dynamics and the regressor share. [003 eq. 9.84-9.87, 9.90] */
#ifndef ALGO_MOTION_H
#define ALGO_MOTION_H

#include "algo/joint.h"

/* products of the angular velocity */
typedef struct {
    num xx, yy, zz, xy, xz, yz;
} motion_products;

/* Motion of the parent, in link axes, to that of the link beyond a joint of several freedoms, with its own velocities v, u and
 * their derivatives in link axes: a += wd x d + w x (w x d) + w x v + (w + u) x v + v'; wd += w x u + u'; w += u. Own derivation,
 * doc/free.md. */
INL void wide_motion(const robot_link *l, turn t, const num *qd, const num *qdd, vec3 *w, vec3 *wd, vec3 *a)
{
    const vec3 v = wide_linear(l, qd), u = wide_angular(l, qd), d = t.wide->d, sum = v3_add(*w, u);
    if (l->parent >= 0) *a = v3_add(*a, v3_add(v3_cross(*wd, d), v3_cross(*w, v3_add(v3_cross(*w, d), v))));
    *a = v3_add(*a, v3_add(v3_cross(sum, v), wide_linear(l, qdd)));
    *wd = v3_add(*wd, v3_add(v3_cross(*w, u), wide_angular(l, qdd)));
    *w = sum;
}

/* Fills w, wd, a and U of link l from those of its parent, which may stand in the same place; qdd NULL: zero. */
INL motion_products link_motion(const robot *r, const robot_link *l, turn t, const motion_state *up, const num *q, const num *qd,
                                const num *qdd, int gravity, motion_state *s)
{
    const num rate = qd[l->iv];
    vec3 w, wd, a;
    if (l->parent < 0) {
        w = wd = v3_zero();
        a = gravity ? lift_into_link(r, l, t) : v3_zero();
    } else {
        /* w = R'w_p; wd = R'wd_p; a = R'(a_p + U_p P)                             [003 eq. 9.84, 9.86, 9.87] */
        w = into_link(l, t, up->w);
        wd = into_link(l, t, up->wd);
        a = into_link(l, t, v3_add(up->a, m3_mulc(up->U, con3_at(l->p))));
    }
    if (t.wide) {
        wide_motion(l, t, qd, qdd, &w, &wd, &a);
    } else if (revolves(l)) {
        /* wd += w x z qd + z qdd; w += z qd                                       [003 eq. 9.85, 9.86] */
        wd.x = add(wd.x, mul(w.y, rate));
        wd.y = sub(wd.y, mul(w.x, rate));
        if (qdd) wd.z = add(wd.z, qdd[l->iv]);
        w.z = add(w.z, rate);
    }
    /* U = wd^ + w^ w^                                                 [003 eq. 9.90, ERRATA part two 1] */
    const motion_products p = {mul(w.x, w.x), mul(w.y, w.y), mul(w.z, w.z), mul(w.x, w.y), mul(w.x, w.z), mul(w.y, w.z)};
    s->U = (mat3){neg(add(p.yy, p.zz)), sub(p.xy, wd.z), add(p.xz, wd.y), add(p.xy, wd.z),     neg(add(p.xx, p.zz)),
                  sub(p.yz, wd.x),      sub(p.xz, wd.y), add(p.yz, wd.x), neg(add(p.xx, p.yy))};
    if (!t.wide && slides(l)) {
        /* a += U z q + 2 w x z qd + z qdd                                         [003 eq. 9.87] */
        const num v = add(rate, rate), x = q[l->iq];
        a.x = add(a.x, add(mul(s->U.xz, x), mul(w.y, v)));
        a.y = add(a.y, sub(mul(s->U.yz, x), mul(w.x, v)));
        a.z = add(a.z, mul(s->U.zz, x));
        if (qdd) a.z = add(a.z, qdd[l->iv]);
    }
    s->w = w;
    s->wd = wd;
    s->a = a;
    return p;
}

#endif
