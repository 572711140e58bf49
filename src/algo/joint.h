/* SPDX-License-Identifier: MIT
 *
 * joint.h - the transform of one joint: first lines of every text. */
#ifndef ALGO_JOINT_H
#define ALGO_JOINT_H

#include "algo/state.h"

INL con3 con3_at(const par c[3]) { return (con3){c[0], c[1], c[2]}; }

/* cosine and sine of theta of every link, all in one evaluation */
INL void joint_turns(const robot *r, const work *k, const num *q) { turns(r->turns, q, k->s, k->c); }

INL turn joint_turn(const work *k, int i) { return (turn){k->c[i], k->s[i]}; }

/* a free vector from the parent's axes into the link's, and back */
INL vec3 into_link(const link *l, turn t, vec3 v)
{
    if (l->branch) v = rzc_back(l->cg, l->sg, v);
    return rz_back(t, rxc_back(l->ca, l->sa, v));
}
INL vec3 into_parent(const link *l, turn t, vec3 v)
{
    v = rxc_of(l->ca, l->sa, rz_of(t, v));
    return l->branch ? rzc_of(l->cg, l->sg, v) : v;
}

/* the tensor R a R' in the parent's axes */
INL sym3 s3_into_parent(const link *l, turn t, sym3 a)
{
    a = s3_rxc(l->ca, l->sa, s3_rz(t, a));
    return l->branch ? s3_rzc(l->cg, l->sg, a) : a;
}
INL mat3 m3_into_parent(const link *l, turn t, mat3 a)
{
    a = m3_rxc(l->ca, l->sa, m3_rz(t, a));
    return l->branch ? m3_rzc(l->cg, l->sg, a) : a;
}

/* z x v scaled: (0,0,k) x v */
INL vec3 z_cross(num k, vec3 v) { return v3(neg(mul(k, v.y)), mul(k, v.x), of(0)); }

/* adds to the parent the wrench (f, m) of a link: f + R f, m + R m + P x R f [003 eq. 9.92, 9.93] */
INL void wrench_into_parent(const link *l, turn t, const num *q, int i, vec3 f, vec3 m, vec3 *pf, vec3 *pm)
{
    if (l->joint == PRISMATIC) m = v3_add(m, z_cross(q[i], f));
    f = into_parent(l, t, f);
    m = into_parent(l, t, m);
    *pf = v3_add(*pf, f);
    *pm = v3_add(*pm, v3_add(m, con3_cross(con3_at(l->p), f)));
}

#endif
