/* SPDX-License-Identifier: MIT
 *
 * rne.c - recursive Newton-Euler, linear in mass, first moments and inertia, for trees of revolute and prismatic joints.
 *
 *     tau = M(q) qdd + c(q,qd) + g(q) + friction + rotors - J'w
 *
 * Forward: velocities and accelerations into the links; backward: wrenches to the base. [003 section 9.5.3, eq. 9.84-9.94];
 * derivation in doc/rne.md. Cost O(n). */
#include "algo/loads.h"
#include "algo/motion.h"
#include "algo/texts.h"

/* the moment J wd + w x (J w) built from entries of U [ERRATA part two 2.1] */
INL vec3 rne_moment(const robot_link *l, const motion_state *s, motion_products p)
{
    const par *J = l->J, *D = l->JD;
    const mat3 U = s->U;
    const vec3 wd = s->wd;
    return v3(
        add(add(mulc(J[0], wd.x), mulc(D[0], p.yz)), add(sub(mulc(J[2], U.yx), mulc(J[1], U.zx)), mulc(J[4], sub(p.yy, p.zz)))),
        add(add(mulc(J[3], wd.y), mulc(D[1], p.xz)), add(sub(mulc(J[1], U.zy), mulc(J[4], U.xy)), mulc(J[2], sub(p.zz, p.xx)))),
        add(add(mulc(J[5], wd.z), mulc(D[2], p.xy)), add(sub(mulc(J[4], U.xz), mulc(J[2], U.yz)), mulc(J[1], sub(p.xx, p.yy)))));
}

/* A link that stands on the base, its joint of one freedom: it turns about its own z or not at all, and what is zero is left out.
 * U = (-zz, -D, 0; D, -zz, 0; 0, 0, 0) with D the acceleration of the turn. [003 eq. 9.88-9.90] */
INL void rne_base_link(const robot *r, const robot_link *l, turn t, const num *qd, const num *qdd, int gravity, motion_state *s,
                       passed_state *to)
{
    const con3 MS = con3_at(l->MS);
    const num x = qdd ? qdd[l->iv] : of(0);
    *s = (motion_state){v3_zero(), v3_zero(), gravity ? lift_into_link(r, l, t) : v3_zero(), m3_zero()};
    if (slides(l)) {
        s->a.z = add(s->a.z, x);
        *to = (passed_state){v3_scalec(l->M, s->a), con3_cross(MS, s->a)};
        return;
    }
    const num zz = mul(qd[l->iv], qd[l->iv]), still = neg(zz);
    s->w.z = qd[l->iv];
    s->wd.z = x;
    s->U.xx = s->U.yy = still;
    s->U.xy = neg(x);
    s->U.yx = x;
    const vec3 f = v3_scalec(l->M, s->a), m = con3_cross(MS, s->a);
    to->f = v3(add(f.x, sub(mulc(MS.x, still), mulc(MS.y, x))), add(f.y, add(mulc(MS.x, x), mulc(MS.y, still))), f.z);
    to->m = v3(add(sub(mulc(l->J[2], x), mulc(l->J[4], zz)), m.x), add(add(mulc(l->J[4], x), mulc(l->J[2], zz)), m.y),
               add(mulc(l->J[5], x), m.z));
}

/* *s: motion of the link before, then of link i */
INL void rne_link(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, const num *qdd, int gravity,
                  motion_state *s)
{
    const robot_link *l = &r->link[i];
    if (l->parent < 0 && !t.wide) {
        rne_base_link(r, l, t, qd, qdd, gravity, s, &k->passed[i]);
        return;
    }
    if (l->parent >= 0) { /* what a later branch goes on from is put aside */
        motion_state *up = &k->link[r->link[l->parent].slot].motion;
        if (l->parent != i - 1)
            *s = *up;
        else if (l->slot != r->link[i - 1].slot)
            *up = *s;
    }
    const motion_products p = link_motion(r, l, t, s, q, qd, qdd, gravity, s);
    const vec3 moment = rne_moment(l, s, p);
    /* F = M a + U MS; moment + MS x a                                             [003 eq. 9.88, 9.89] */
    const con3 MS = con3_at(l->MS);
    k->passed[i].f = v3_add(v3_scalec(l->M, s->a), m3_mulc(s->U, MS));
    k->passed[i].m = v3_add(moment, con3_cross(MS, s->a));
}

/* A joint of several freedoms stands apart, so that one of them costs the others nothing: bench/free_base.c. */
OUTLINE void rne_wide_link(const robot *r, const work *k, int i, const num *q, const num *qd, const num *qdd, int gravity,
                           motion_state *s)
{
    rne_link(r, k, i, wide_turn(&r->link[i], k), q, qd, qdd, gravity, s);
}

/* The motion goes from link to link in registers. */
INL void rne_forward(const robot *r, const work *k, int several, const num *q, const num *qd, const num *qdd, int gravity)
{
    motion_state s = {v3_zero(), v3_zero(), v3_zero(), m3_zero()};
    for (int i = 0; i < r->n; i++)
        if (several && is_wide(&r->link[i])) {
            motion_state apart = s; /* in memory; that of all other links is not */
            rne_wide_link(r, k, i, q, qd, qdd, gravity, &apart);
            s = apart;
        } else
            rne_link(r, k, i, joint_turn(&r->link[i], k), q, qd, qdd, gravity, &s);
}

/* Torque of a joint, and what its parent carries of it. *s: the wrench on the link after, as far as it is this one's parent. */
INL void rne_joint(const robot *r, const work *k, int i, turn t, const num *q, num *tau, int keep, passed_state *s)
{
    const robot_link *l = &r->link[i];
    if (i + 1 == r->n || r->link[i + 1].parent != i) *s = k->passed[i];
    joint_project(l, t, s->f, s->m, tau); /* [003 eq. 9.94] */
    if (keep) k->passed[i] = *s;
    if (l->parent < 0) return;
    passed_state *up = &k->passed[l->parent];
    if (l->parent == i - 1) {
        passed_state sum = *up;
        wrench_into_parent(l, t, q, s->f, s->m, &sum.f, &sum.m);
        *s = sum;
    } else {
        wrench_into_parent(l, t, q, s->f, s->m, &up->f, &up->m);
    }
}

OUTLINE void rne_wide_joint(const robot *r, const work *k, int i, const num *q, num *tau, int keep, passed_state *s)
{
    rne_joint(r, k, i, wide_turn(&r->link[i], k), q, tau, keep, s);
}

INL void rne_backward(const robot *r, const work *k, int several, const num *q, num *tau, int keep)
{
    passed_state s = {v3_zero(), v3_zero()};
    for (int i = r->n - 1; i >= 0; i--)
        if (several && is_wide(&r->link[i])) {
            passed_state apart = s;
            rne_wide_joint(r, k, i, q, tau, keep, &apart);
            s = apart;
        } else
            rne_joint(r, k, i, joint_turn(&r->link[i], k), q, tau, keep, &s);
}

/* Passes of robots with joints of several freedoms stand apart, once for all functions, and serve any robot where time matters
 * less. The way back keeps the wrenches of all links, which joint_wrenches reads. */
OUTLINE void rne_several_outward(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int gravity)
{
    rne_forward(r, k, 1, q, qd, qdd, gravity);
}
OUTLINE void rne_several_inward(const robot *r, const work *k, const num *q, num *tau) { rne_backward(r, k, 1, q, tau, 1); }

INL void rne_outward(const robot *r, const work *k, const num *q, const num *qd, const num *qdd)
{
#ifndef ARNE_TOGETHER
    if (!r->nwide) {
        rne_forward(r, k, 0, q, qd, qdd, 1);
        return;
    }
#endif
    rne_several_outward(r, k, q, qd, qdd, 1);
}
INL void rne_inward(const robot *r, const work *k, const num *q, num *tau)
{
#ifndef ARNE_TOGETHER
    if (!r->nwide) {
        rne_backward(r, k, 0, q, tau, 0);
        return;
    }
#endif
    rne_several_inward(r, k, q, tau);
}

/* f - f_e, m - m_e: the external wrench acts ON the link, [003 eq. 9.91, 9.93] with the sign of f_e turned */
INL void rne_wrenches(const robot *r, const work *k, const num *q)
{
    if (!r->nwrench) return;
    EXPORT(wrenches)(r, k, q);
    for (int i = 0; i < r->n; i++) {
        passed_state *s = &k->passed[i];
        s->f = v3_sub(s->f, k->force[i]);
        s->m = v3_sub(s->m, k->moment[i]);
    }
}

void EXPORT(id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau)
{
    joint_turns(r, k, q);
    rne_outward(r, k, q, qd, qdd);
    rne_wrenches(r, k, q);
    rne_inward(r, k, q, tau);
    load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

/* id at qdd = 0: H of [003 eq. 9.95] */
void EXPORT(bias)(const robot *r, const work *k, const num *q, const num *qd, num *tau)
{
    joint_turns(r, k, q);
    rne_outward(r, k, q, qd, 0);
    rne_wrenches(r, k, q);
    rne_inward(r, k, q, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

/* c(q,qd) alone: no gravity, no friction, no wrench */
void EXPORT(coriolis)(const robot *r, const work *k, const num *q, const num *qd, num *tau)
{
    joint_turns(r, k, q);
    rne_several_outward(r, k, q, qd, 0, 0);
    rne_several_inward(r, k, q, tau);
}

/* the wrench that each joint passes on to its link: about the origin of the link of the file, in its axes */
void EXPORT(joint_wrenches)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *w)
{
    joint_turns(r, k, q);
    rne_several_outward(r, k, q, qd, qdd, 1);
    rne_wrenches(r, k, q);
    rne_several_inward(r, k, q, k->row);
    for (int i = 0; i < r->n; i++, w += 6) {
        const named_frame *f = robot_frame(r, r->link[i].frame);
        const vec3 force = k->passed[i].f;
        const vec3 moment = v3_sub(k->passed[i].m, con3_cross(con3_at(f->p), force));
        const vec3 a = rot_back(f->R, force), b = rot_back(f->R, moment);
        w[0] = a.x, w[1] = a.y, w[2] = a.z;
        w[3] = b.x, w[4] = b.y, w[5] = b.z;
    }
}
