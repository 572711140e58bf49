/* SPDX-License-Identifier: MIT
 *
 * joint.h - joints as words: what a text says about a joint without knowing its type. Joint i moves link i; its positions begin
 * at l->iq of q, its velocities, accelerations and torques at l->iv of theirs, l->nq and l->nv of them. A new type of joint is
 * one more case in these words.
 *
 * Where a formula of the documents has a case for each type (sigma in [003], the choice of eq. 3.1 in [004]) a text may ask
 * whether the joint revolves or slides. */
#ifndef ALGO_JOINT_H
#define ALGO_JOINT_H

#include "algo/state.h"
#include "space/mat3.h"

INL con3 con3_at(const par c[3]) { return (con3){c[0], c[1], c[2]}; }

INL int revolves(const robot_link *l) { return l->joint == REVOLUTE; } /* about z */
INL int slides(const robot_link *l) { return l->joint == PRISMATIC; }  /* along z */

/* cosines and sines of all positions that are angles, in one evaluation */
INL void joint_turns(const robot *r, const work *k, const num *q)
{
    const turn_table t = robot_turns(r, k->evaluate);
    turns(&t, q, k->s, k->c);
}
INL turn joint_turn(const robot_link *l, const work *k) { return (turn){k->c[l->iq], k->s[l->iq]}; }

/* a free vector from the parent's axes into the link's, and back */
INL vec3 into_link(const robot_link *l, turn t, vec3 v)
{
    if (l->branch) v = rzc_back(l->cg, l->sg, v);
    return rz_back(t, rxc_back(l->ca, l->sa, v));
}
INL vec3 into_parent(const robot_link *l, turn t, vec3 v)
{
    v = rxc_of(l->ca, l->sa, rz_of(t, v));
    return l->branch ? rzc_of(l->cg, l->sg, v) : v;
}

/* the tensor R a R' in the parent's axes */
INL sym3 s3_into_parent(const robot_link *l, turn t, sym3 a)
{
    a = s3_rxc(l->ca, l->sa, s3_rz(t, a));
    return l->branch ? s3_rzc(l->cg, l->sg, a) : a;
}
INL mat3 m3_into_parent(const robot_link *l, turn t, mat3 a)
{
    a = m3_rxc(l->ca, l->sa, m3_rz(t, a));
    return l->branch ? m3_rzc(l->cg, l->sg, a) : a;
}

/* what stands on the base: an acceleration -g, in the axes of the link */
INL vec3 lift_into_link(const robot *r, const robot_link *l, turn t)
{
    return rz_back(t, v3_of(con3_at(robot_base(r, l->base)->a0)));
}

/* z x v scaled: (0,0,k) x v, and v x (0,0,k) */
INL vec3 z_cross(num k, vec3 v) { return v3(neg(mul(k, v.y)), mul(k, v.x), of(0)); }
INL vec3 cross_z(vec3 v, num k) { return v3(mul(v.y, k), neg(mul(v.x, k)), of(0)); }

/* a point, given from where the joint has moved the origin to, from where it was */
INL vec3 joint_moved(const robot_link *l, const num *q, vec3 o)
{
    if (slides(l)) o.z = add(o.z, q[l->iq]);
    return o;
}
/* the same of first moments, of a mass M */
INL vec3 joint_moved_moments(const robot_link *l, const num *q, num M, vec3 MS)
{
    if (slides(l)) MS.z = add(MS.z, mul(M, q[l->iq]));
    return MS;
}

/* velocity of the parent's point at the joint, and angular velocity, become those of the link [003 eq. 9.17, 9.18] */
INL void joint_velocity(const robot_link *l, const num *q, const num *qd, vec3 *v, vec3 *w)
{
    if (revolves(l)) {
        w->z = add(w->z, qd[l->iv]);
    } else {
        v->x = add(v->x, mul(w->y, q[l->iq]));
        v->y = sub(v->y, mul(w->x, q[l->iq]));
        v->z = add(v->z, qd[l->iv]);
    }
}

/* the part of a wrench on the link that the joint takes up itself: [003 eq. 9.94] */
INL void joint_project(const robot_link *l, vec3 f, vec3 m, num *tau) { tau[l->iv] = revolves(l) ? m.z : f.z; }

/* adds to the parent the wrench (f, m) of a link: f + R f, m + R m + P x R f [003 eq. 9.92, 9.93] */
INL void wrench_into_parent(const robot_link *l, turn t, const num *q, vec3 f, vec3 m, vec3 *pf, vec3 *pm)
{
    if (slides(l)) m = v3_add(m, z_cross(q[l->iq], f));
    f = into_parent(l, t, f);
    m = into_parent(l, t, m);
    *pf = v3_add(*pf, f);
    *pm = v3_add(*pm, v3_add(m, con3_cross(con3_at(l->p), f)));
}

/* J v for a constant tensor, and for the inertia of the link */
INL vec3 tensor_mul(const par J[6], vec3 v)
{
    return v3(v3_dotc((con3){J[0], J[1], J[2]}, v), v3_dotc((con3){J[1], J[3], J[4]}, v), v3_dotc((con3){J[2], J[4], J[5]}, v));
}
INL vec3 link_inertia(const robot_link *l, vec3 v) { return tensor_mul(l->J, v); }

#endif
