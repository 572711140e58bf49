/* SPDX-License-Identifier: MIT
 *
 * joint.h - joints as words: what a text says about a joint without knowing its type. Joint i moves link i; its positions begin
 * at l->iq of q, its velocities, accelerations and torques at l->iv of theirs, l->nq and l->nv of them. A new type of joint is
 * one more case in these words.
 *
 * A joint of several freedoms is spherical (a quaternion; angular velocity) or free (place and quaternion; velocity and angular
 * velocity), everything in the axes of its link: its axes are fixed in the link, so they turn with it, S' = V x S.
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
INL int is_wide(const robot_link *l) { return l->nv > 1; }             /* SPHERICAL or FREE */

/* Freedom c of a joint goes along or about an axis of its link: 0, 1, 2 along x, y, z, 3, 4, 5 about them. */
INL int joint_way(const robot_link *l, int c) { return is_wide(l) ? 6 - l->nv + c : revolves(l) ? 5 : 2; }
INL vec3 v3_unit(int axis) { return v3(of(axis == 0), of(axis == 1), of(axis == 2)); }

/* a unit quaternion x y z w as a rotation */
INL mat3 quaternion_rotation(const num *e)
{
    const num x = add(e[0], e[0]), y = add(e[1], e[1]), z = add(e[2], e[2]), one = of(1);
    const num xx = mul(x, e[0]), yy = mul(y, e[1]), zz = mul(z, e[2]), xy = mul(x, e[1]), xz = mul(x, e[2]), yz = mul(y, e[2]);
    const num xw = mul(x, e[3]), yw = mul(y, e[3]), zw = mul(z, e[3]);
    return (mat3){sub(one, add(yy, zz)), sub(xy, zw), add(xz, yw), add(xy, zw),          sub(one, add(xx, zz)),
                  sub(yz, xw),           sub(xz, yw), add(yz, xw), sub(one, add(xx, yy))};
}

/* where those of the first n joints that have several freedoms have taken their links: R = R_0 R(q), d = R(q)'(x, y, z) */
INL void wide_joints(const robot *r, const work *k, int n, const num *q)
{
    for (int i = 0; i < n; i++) {
        const robot_link *l = &r->link[i];
        if (!is_wide(l)) continue;
        const par *before = robot_base(r, l->base)->R;
        const num *x = q + l->iq;
        const mat3 R = quaternion_rotation(x + l->nq - 4);
        placement *at = &k->wide[l->wide].at;
        at->d = l->joint == FREE ? m3_tmul(R, v3(x[0], x[1], x[2])) : v3_zero();
        at->R = m3_columns(rot_of(before, v3(R.xx, R.yx, R.zx)), rot_of(before, v3(R.xy, R.yy, R.zy)),
                           rot_of(before, v3(R.xz, R.yz, R.zz)));
    }
}

/* cosines and sines of all positions that are angles, in one evaluation */
INL void joint_turns(const robot *r, const work *k, const num *q)
{
    const turn_table t = robot_turns(r, k->evaluate);
    turns(&t, q, k->s, k->c);
    if (r->nwide) wide_joints(r, k, r->n, q);
}
/* the same up to joint i: all that its link has to do with */
INL void joint_turns_to(const robot *r, const work *k, int i, const num *q)
{
    turn_table t = robot_turns(r, k->evaluate);
    t.n = i < 0 ? 0 : r->link[i].iq + r->link[i].nq;
    turns(&t, q, k->s, k->c);
    if (r->nwide) wide_joints(r, k, i + 1, q);
}
/* Where a joint of one freedom stands, and one of several. */
INL turn joint_turn(const robot_link *l, const work *k) { return (turn){k->c[l->iq], k->s[l->iq], NULL}; }
INL turn wide_turn(const robot_link *l, const work *k) { return (turn){of(1), of(0), &k->wide[l->wide].at}; }
INL turn any_turn(const robot_link *l, const work *k) { return is_wide(l) ? wide_turn(l, k) : joint_turn(l, k); }
/* A pass is compiled twice: where all joints of the robot have one freedom each, those of several cost nothing. FOR_ROBOT makes
 * the constant `several`, which a pass hands on; AT_JOINT makes a statement about joint l with its turn t. */
#ifdef ARNE_TOGETHER /* kinds that need not be that fast: one pass for all, half the time to compile */
#define FOR_ROBOT(r, statement)                                                                                                  \
    do {                                                                                                                         \
        enum { several = 1 };                                                                                                    \
        statement;                                                                                                               \
    } while (0)
#else
#define FOR_ROBOT(r, statement)                                                                                                  \
    do {                                                                                                                         \
        if (__builtin_expect((r)->nwide != 0, 0)) {                                                                              \
            enum { several = 1 };                                                                                                \
            statement;                                                                                                           \
        } else {                                                                                                                 \
            enum { several = 0 };                                                                                                \
            statement;                                                                                                           \
        }                                                                                                                        \
    } while (0)
#endif
#define AT_JOINT(several, l, k, statement)                                                                                       \
    do {                                                                                                                         \
        const turn t = (several) ? any_turn(l, k) : joint_turn(l, k);                                                            \
        statement;                                                                                                               \
    } while (0)

/* Rx(alpha) and back. Most robots have right angles there: then nothing is multiplied, and numbers are as exact as they came. */
INL vec3 twist_back(const robot_link *l, vec3 v)
{
    switch (l->twist) {
    case TWIST_NONE: return v;
    case TWIST_LEFT: return v3(v.x, v.z, neg(v.y));
    case TWIST_RIGHT: return v3(v.x, neg(v.z), v.y);
    default: return rxc_back(l->ca, l->sa, v);
    }
}
INL vec3 twist_of(const robot_link *l, vec3 v)
{
    switch (l->twist) {
    case TWIST_NONE: return v;
    case TWIST_LEFT: return v3(v.x, neg(v.z), v.y);
    case TWIST_RIGHT: return v3(v.x, v.z, neg(v.y));
    default: return rxc_of(l->ca, l->sa, v);
    }
}
INL sym3 s3_twist(const robot_link *l, sym3 a)
{
    switch (l->twist) {
    case TWIST_NONE: return a;
    case TWIST_LEFT: return (sym3){a.xx, neg(a.xz), a.xy, a.zz, neg(a.yz), a.yy};
    case TWIST_RIGHT: return (sym3){a.xx, a.xz, neg(a.xy), a.zz, neg(a.yz), a.yy};
    default: return s3_rxc(l->ca, l->sa, a);
    }
}
INL mat3 m3_twist(const robot_link *l, mat3 a)
{
    switch (l->twist) {
    case TWIST_NONE: return a;
    case TWIST_LEFT: return (mat3){a.xx, neg(a.xz), a.xy, neg(a.zx), a.zz, neg(a.zy), a.yx, neg(a.yz), a.yy};
    case TWIST_RIGHT: return (mat3){a.xx, a.xz, neg(a.xy), a.zx, a.zz, neg(a.zy), neg(a.yx), neg(a.yz), a.yy};
    default: return m3_rxc(l->ca, l->sa, a);
    }
}

/* axes y and z turned about x */
INL void twist_axes(const robot_link *l, vec3 y, vec3 z, vec3 *to_y, vec3 *to_z)
{
    switch (l->twist) {
    case TWIST_NONE: *to_y = y, *to_z = z; break;
    case TWIST_LEFT: *to_y = z, *to_z = v3_neg(y); break;
    case TWIST_RIGHT: *to_y = v3_neg(z), *to_z = y; break;
    default: *to_y = v3_add(v3_scalec(l->ca, y), v3_scalec(l->sa, z)); *to_z = v3_sub(v3_scalec(l->ca, z), v3_scalec(l->sa, y));
    }
}

/* a free vector from the parent's axes into the link's, and back */
INL vec3 into_link(const robot_link *l, turn t, vec3 v)
{
    if (t.wide) return m3_tmul(t.wide->R, v);
    if (l->branch) v = rzc_back(l->cg, l->sg, v);
    return rz_back(t, twist_back(l, v));
}
INL vec3 into_parent(const robot_link *l, turn t, vec3 v)
{
    if (t.wide) return m3_mul(t.wide->R, v);
    v = twist_of(l, rz_of(t, v));
    return l->branch ? rzc_of(l->cg, l->sg, v) : v;
}

/* the tensor R a R' in the parent's axes */
INL sym3 s3_into_parent(const robot_link *l, turn t, sym3 a)
{
    if (t.wide) return s3_by(t.wide->R, a);
    a = s3_twist(l, s3_rz(t, a));
    return l->branch ? s3_rzc(l->cg, l->sg, a) : a;
}
INL mat3 m3_into_parent(const robot_link *l, turn t, mat3 a)
{
    if (t.wide) return m3_by(t.wide->R, a);
    a = m3_twist(l, m3_rz(t, a));
    return l->branch ? m3_rzc(l->cg, l->sg, a) : a;
}

/* a free vector of a link that stands on the base, in the axes of the world */
INL vec3 into_world(const robot *r, const robot_link *l, turn t, vec3 v)
{
    return t.wide ? m3_mul(t.wide->R, v) : rot_of(robot_base(r, l->base)->R, rz_of(t, v));
}

/* what stands on the base: an acceleration -g, in the axes of the link */
INL vec3 lift_into_link(const robot *r, const robot_link *l, turn t)
{
    if (t.wide) return m3_tmul(t.wide->R, v3_neg(v3_of(con3_at(r->g))));
    return rz_back(t, v3_of(con3_at(robot_base(r, l->base)->a0)));
}

/* z x v scaled: (0,0,k) x v, and v x (0,0,k) */
INL vec3 z_cross(num k, vec3 v) { return v3(neg(mul(k, v.y)), mul(k, v.x), of(0)); }
INL vec3 cross_z(vec3 v, num k) { return v3(mul(v.y, k), neg(mul(v.x, k)), of(0)); }

/* a point, given from where the joint has moved the origin to, from where it was */
INL vec3 joint_moved(const robot_link *l, turn t, const num *q, vec3 o)
{
    if (t.wide) return v3_add(o, t.wide->d);
    if (slides(l)) o.z = add(o.z, q[l->iq]);
    return o;
}
/* the same of first moments, of a mass M */
INL vec3 joint_moved_moments(const robot_link *l, turn t, const num *q, num M, vec3 MS)
{
    if (t.wide) return v3_add(MS, v3_scale(M, t.wide->d));
    if (slides(l)) MS.z = add(MS.z, mul(M, q[l->iq]));
    return MS;
}

/* the linear and angular part of the velocities, accelerations or torques x of a joint of several freedoms; x NULL: zero */
INL vec3 wide_linear(const robot_link *l, const num *x)
{
    return x && l->nv == 6 ? v3(x[l->iv], x[l->iv + 1], x[l->iv + 2]) : v3_zero();
}
INL vec3 wide_angular(const robot_link *l, const num *x)
{
    const int at = l->iv + l->nv - 3;
    return x ? v3(x[at], x[at + 1], x[at + 2]) : v3_zero();
}

/* velocity of the parent's point at the joint, and angular velocity, become those of the link [003 eq. 9.17, 9.18] */
INL void joint_velocity(const robot_link *l, turn t, const num *q, const num *qd, vec3 *v, vec3 *w)
{
    if (!t.wide && revolves(l)) {
        w->z = add(w->z, qd[l->iv]);
    } else if (t.wide) {
        *v = v3_add(v3_add(*v, v3_cross(*w, t.wide->d)), wide_linear(l, qd));
        *w = v3_add(*w, wide_angular(l, qd));
    } else {
        v->x = add(v->x, mul(w->y, q[l->iq]));
        v->y = sub(v->y, mul(w->x, q[l->iq]));
        v->z = add(v->z, qd[l->iv]);
    }
}

/* the part of a wrench on the link that the joint takes up itself: [003 eq. 9.94] */
INL void joint_project(const robot_link *l, turn t, vec3 f, vec3 m, num *tau)
{
    num *own = tau + l->iv;
    if (t.wide) {
        if (l->nv == 6) own[0] = f.x, own[1] = f.y, own[2] = f.z, own += 3;
        own[0] = m.x, own[1] = m.y, own[2] = m.z;
    } else {
        *own = revolves(l) ? m.z : f.z;
    }
}

/* adds to the parent the wrench (f, m) of a link: f + R f, m + R m + P x R f [003 eq. 9.92, 9.93] */
INL void wrench_into_parent(const robot_link *l, turn t, const num *q, vec3 f, vec3 m, vec3 *pf, vec3 *pm)
{
    if (t.wide) m = v3_add(m, v3_cross(t.wide->d, f));
    if (!t.wide && slides(l)) m = v3_add(m, z_cross(q[l->iq], f));
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
