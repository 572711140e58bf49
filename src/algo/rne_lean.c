/* SPDX-License-Identifier: MIT
 *
 * rne_lean.c - recursive Newton-Euler with fewer operations, for code written for one robot. Same result as rne.c up to rounding.
 *
 * Points of the axis z_j belong to both links it joins, so the third column of U = wd^ + w^ w^ [003 eq. 9.90] is the same vector
 * in both: only it is carried over, and the rest of wd and U follows from it with two squares. The moment is the axial part of U
 * K - (U K)' with the pseudo inertia K about the link origin [004 section 7; ERRATA part two 2.3, items 1 and 2]. Parallel axes:
 * lean.h. */
#include "algo/lean.h"
#include "algo/loads.h"
#include "algo/motion.h"

/* products of w, and U with what follows from it */
typedef struct {
    num p, s, t;    /* wx wz, wy wz, wx wy */
    num xy, yz, xz; /* wx^2 - wy^2 = U11 - U22, U22 - U33, U11 - U33 */
    vec3 wd;
    mat3 U;
} lean_motion;

/* all of wd and U from w, the third column of U, and wd.z */
INL lean_motion lean_from_column(vec3 w, vec3 third, num turning)
{
    const num xx = mul(w.x, w.x), zz = mul(w.z, w.z);
    lean_motion m = {.p = mul(w.x, w.z), .s = mul(w.y, w.z), .t = mul(w.x, w.y), .xz = sub(xx, zz)};
    m.wd = v3(sub(m.s, third.y), sub(third.x, m.p), turning);
    m.U = (mat3){add(third.z, m.xz), sub(m.t, turning), third.x, add(m.t, turning), neg(add(xx, zz)), third.y,
                 sub(m.p, m.wd.y),   add(m.s, m.wd.x),  third.z};
    m.xy = sub(m.U.xx, m.U.yy);
    m.yz = sub(m.U.yy, m.U.zz);
    return m;
}

/* U from w and wd [003 eq. 9.90] */
INL lean_motion lean_from_wd(vec3 w, vec3 wd)
{
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z);
    lean_motion m = {.p = mul(w.x, w.z), .s = mul(w.y, w.z), .t = mul(w.x, w.y), .wd = wd};
    m.xy = sub(xx, yy);
    m.yz = sub(yy, zz);
    m.xz = sub(xx, zz);
    m.U = (mat3){neg(add(yy, zz)), sub(m.t, wd.z), add(m.p, wd.y), add(m.t, wd.z),  neg(add(xx, zz)),
                 sub(m.s, wd.x),   sub(m.p, wd.y), add(m.s, wd.x), neg(add(xx, yy))};
    return m;
}

/* axial part of U K - (U K)' */
INL vec3 lean_pseudo(const lean_motion *m, sym3 K)
{
    const mat3 U = m->U;
    return v3(add(add(mul(K.yy, U.zy), mul(K.xy, U.zx)), sub(sub(neg(mul(K.yz, m->yz)), mul(K.xz, U.yx)), mul(K.zz, U.yz))),
              add(sub(mul(K.xz, m->xz), mul(K.xx, U.zx)), add(sub(mul(K.yz, U.xy), mul(K.xy, U.zy)), mul(K.zz, U.xz))),
              add(add(sub(mul(K.xx, U.yx), mul(K.yy, U.xy)), neg(mul(K.xy, m->xy))), sub(mul(K.xz, U.yz), mul(K.yz, U.xz))));
}

/* J wd + w x (J w) built from entries of U [ERRATA part two 2.1] */
INL vec3 lean_inertia(const lean_motion *m, sym3 J)
{
    const mat3 U = m->U;
    return v3(
        add(add(mul(J.xx, m->wd.x), mul(sub(J.zz, J.yy), m->s)), add(sub(mul(J.xz, U.yx), mul(J.xy, U.zx)), mul(J.yz, m->yz))),
        add(add(mul(J.yy, m->wd.y), mul(sub(J.xx, J.zz), m->p)), sub(sub(mul(J.xy, U.zy), mul(J.yz, U.xy)), mul(J.xz, m->xz))),
        add(add(mul(J.zz, m->wd.z), mul(sub(J.yy, J.xx), m->t)), add(sub(mul(J.yz, U.xz), mul(J.xz, U.yz)), mul(J.xy, m->xy))));
}

INL void lean_forward(const robot *r, const work *k, const lean_work *v, const num *q, const num *qd, const num *qdd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        motion_state *s = &k->link[i].motion;
        vec3 w = v3_zero(), wd = v3_zero(), third = v3_zero(), a;
        if (l->parent < 0) {
            a = is_wide(l) ? lift_into_link(r, l, wide_turn(l, k)) : v3_of(con3_at(robot_base(r, l->base)->a0));
            if (!is_wide(l) && !lean_before(v, i)) a = rz_back(lean_turn(v, i), a);
        } else {
            const motion_state *up = &k->link[l->parent].motion;
            vec3 z = v3(of(0), neg(from(l->sa)), from(l->ca)); /* the joint axis in the parent's axes */
            if (l->branch) z = rzc_of(l->cg, l->sg, z);
            if (lean_pending(r, v, i)) z = rz_of(lean_turn(v, l->parent), z);
            w = lean_to_joint(r, v, i, up->w);
            third = lean_to_joint(r, v, i, m3_mul(up->U, z));
            if (v->link[i].twisted) third.z = neg(add(mul(w.x, w.x), mul(w.y, w.y))); /* z'U z */
            w = lean_turned(r, k, v, i, w);
            third = lean_turned(r, k, v, i, third);
            wd = lean_turned(r, k, v, i, lean_to_joint(r, v, i, up->wd));
            a = v3_add(up->a, m3_mul(up->U, lean_constant(v, l->parent, con3_at(l->p))));
            a = lean_turned(r, k, v, i, lean_to_joint(r, v, i, a));
        }
        const int way = v->link[i].way;
        if (is_wide(l)) {
            wide_motion(l, wide_turn(l, k), qd, qdd, &w, &wd, &a);
        } else if (revolves(l)) {
            if (!(way & LEAN_COLUMN)) { /* [003 eq. 9.86] */
                wd.x = add(wd.x, mul(w.y, qd[l->iv]));
                wd.y = sub(wd.y, mul(w.x, qd[l->iv]));
            }
            w.z = add(w.z, qd[l->iv]);
            if (qdd) wd.z = add(wd.z, qdd[l->iv]);
        }
        const lean_motion m = way & LEAN_COLUMN ? lean_from_column(w, third, wd.z) : lean_from_wd(w, wd);
        s->U = m.U;
        s->wd = m.wd;
        s->w = w;
        if (slides(l)) {
            const num u = add(qd[l->iv], qd[l->iv]), x = q[l->iq];
            a.x = add(a.x, add(mul(s->U.xz, x), mul(w.y, u)));
            a.y = add(a.y, sub(mul(s->U.yz, x), mul(w.x, u)));
            a.z = add(a.z, mul(s->U.zz, x));
            if (qdd) a.z = add(a.z, qdd[l->iv]);
        }
        if (v->link[i].twisted) a = v3_add(a, v3_scalec(v->link[i].along, v3(s->U.xz, s->U.yz, s->U.zz)));
        s->a = a;
        const vec3 MS = lean_constant(v, i, con3_at(l->MS));
        k->passed[i].f = v3_add(v3_scalec(l->M, a), m3_mul(s->U, MS));
        k->passed[i].m = v3_add(way & LEAN_PSEUDO ? lean_pseudo(&m, lean_tensor(v, i, v->link[i].K))
                                                  : lean_inertia(&m, lean_tensor(v, i, l->J)),
                                v3_cross(MS, a));
    }
}

INL void lean_backward(const robot *r, const work *k, const lean_work *v, const num *q, num *tau)
{
    for (int i = 0; i < r->n && r->nwrench; i++) {
        passed_state *s = &k->passed[i];
        const int before = lean_before(v, i);
        s->f = v3_sub(s->f, before ? rz_of(lean_turn(v, i), k->force[i]) : k->force[i]);
        s->m = v3_sub(s->m, before ? rz_of(lean_turn(v, i), k->moment[i]) : k->moment[i]);
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const passed_state *s = &k->passed[i];
        joint_project(l, any_turn(l, k), s->f, s->m, tau);
        if (l->parent < 0) continue;
        passed_state *up = &k->passed[l->parent];
        lean_wrench(r, k, v, q, i, s->f, s->m, &up->f, &up->m);
    }
}

void EXPORT(id_lean)(const robot *r, const work *k, const lean_work *w, const num *q, const num *qd, const num *qdd, num *tau)
{
    lean_turns(r, k, w, q);
    lean_forward(r, k, w, q, qd, qdd);
    lean_backward(r, k, w, q, tau);
    load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

void EXPORT(bias_lean)(const robot *r, const work *k, const lean_work *w, const num *q, const num *qd, num *tau)
{
    lean_turns(r, k, w, q);
    lean_forward(r, k, w, q, qd, 0);
    lean_backward(r, k, w, q, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}
