/* SPDX-License-Identifier: MIT
 *
 * lean.h - what the texts with fewer operations share: how each link is treated, and in which axes.
 *
 * Quantities of a link are written in its own axes, or (LEAN_BEFORE) in those before its joint turns: then its motion and its
 * wrench are not rotated, its inertia is. The next joint, if its axis is parallel, turns its link by the sum of both angles, so
 * nothing is rotated twice [ERRATA part two 2.3, item 4]. */
#ifndef ALGO_LEAN_H
#define ALGO_LEAN_H

#include "algo/joint.h"

/* ways to treat a link; the last four change constants of the robot (symbolic/gauge.h), torques never; a link on a joint of
 * several freedoms may have LEAN_PSEUDO, LEAN_POINT and LEAN_ROUND only */
enum {
    LEAN_COLUMN = 1, /* the third column of U is carried over, the rest follows from it */
    LEAN_PSEUDO = 2, /* moment by the pseudo inertia, its zz moved to the link before */
    LEAN_BEFORE = 4, /* in the axes before the joint turns */
    LEAN_POINT = 8,  /* a point mass at the next origin takes away MX or MY */
    LEAN_ROUND = 16, /* a point mass at the next origin makes XX = YY */
    LEAN_UNIT = 32,  /* the offset of this joint is the unit of length (all joints revolute) */
    LEAN_BITS = 8    /* of one use: inverse dynamics, then its bias, then the inertia matrix */
};
enum { LEAN_TORQUES = 1, LEAN_BIAS = 2, LEAN_MASS = 4 }; /* uses */

typedef struct {
    int way;     /* of LEAN_... */
    int merged;  /* 1, -1: turns about the axis of the link before, which is LEAN_BEFORE, or about its opposite; 0: no */
    int twisted; /* alpha is no multiple of a quarter turn */
    par along;   /* of a twisted link: the offset r along its axis, which is then no part of p [ERRATA part two 2.3, item 7] */
    par K[6];    /* pseudo inertia about the link origin */
} lean_link;

/* arrays of n (s, c: padded to TURNS_PAD) */
typedef struct {
    const lean_link *link;
    const turn_table *sums; /* of the angles that axes turn by */
    num *q, *s, *c;
} lean_work;

INL void lean_turns(const robot *r, const work *k, const lean_work *w, const num *q)
{
    joint_turns(r, k, q);
    for (int i = 0; i < r->n; i++) {
        const int merged = w->link[i].merged, up = r->link[i].parent;
        const num own = revolves(&r->link[i]) ? q[r->link[i].iq] : of(0);
        w->q[i] = merged > 0 ? add(w->q[up], own) : merged < 0 ? sub(own, w->q[up]) : own;
    }
    turns(w->sums, w->q, w->s, w->c);
}

INL turn lean_turn(const lean_work *w, int i) { return (turn){w->c[i], w->s[i], NULL}; }
INL int lean_before(const lean_work *w, int i) { return i >= 0 && w->link[i].way & LEAN_BEFORE; }

/* the parent's axes have not turned yet, and link i does not make up for it */
INL int lean_pending(const robot *r, const lean_work *w, int i)
{
    return lean_before(w, r->link[i].parent) && !w->link[i].merged;
}

/* a free vector from the axes of the parent into those before joint i turns, and from there into those of link i */
INL vec3 lean_to_joint(const robot *r, const lean_work *w, int i, vec3 v)
{
    const robot_link *l = &r->link[i];
    if (lean_pending(r, w, i)) v = rz_back(lean_turn(w, l->parent), v);
    if (is_wide(l)) return v;
    if (l->branch) v = rzc_back(l->cg, l->sg, v);
    return rxc_back(l->ca, l->sa, v);
}
INL vec3 lean_turned(const robot *r, const work *k, const lean_work *w, int i, vec3 v)
{
    if (is_wide(&r->link[i])) return m3_tmul(wide_turn(&r->link[i], k).wide->R, v);
    return lean_before(w, i) ? v : rz_back(lean_turn(w, i), v);
}

/* a constant vector of link i in the axes of link i */
INL vec3 lean_constant(const lean_work *w, int i, con3 v)
{
    return lean_before(w, i) ? rz_of(lean_turn(w, i), v3_of(v)) : v3_of(v);
}
INL sym3 lean_tensor(const lean_work *w, int i, const par a[6])
{
    const sym3 s = {from(a[0]), from(a[1]), from(a[2]), from(a[3]), from(a[4]), from(a[5])};
    return lean_before(w, i) ? s3_rz(lean_turn(w, i), s) : s;
}

/* from the axes of link i into those of its parent after its joint has turned; a merged link: into the parent's own */
INL vec3 lean_outward(const robot *r, const work *k, const lean_work *w, int i, vec3 v)
{
    const robot_link *l = &r->link[i];
    if (is_wide(l)) return m3_mul(wide_turn(l, k).wide->R, v);
    if (!lean_before(w, i)) v = rz_of(lean_turn(w, i), v);
    v = rxc_of(l->ca, l->sa, v);
    return l->branch ? rzc_of(l->cg, l->sg, v) : v;
}

/* of a turned link merged with its parent: a vector in the parent's axes after its joint has turned */
INL vec3 lean_own_outward(const robot_link *l, const work *k, vec3 v) { return rxc_of(l->ca, l->sa, rz_of(joint_turn(l, k), v)); }

/* adds to the parent the wrench (f, m) of link i [003 eq. 9.92, 9.93] */
INL void lean_wrench(const robot *r, const work *k, const lean_work *w, const num *q, int i, vec3 f, vec3 m, vec3 *pf, vec3 *pm)
{
    const robot_link *l = &r->link[i];
    const con3 p = con3_at(l->p);
    if (slides(l)) m = v3_add(m, z_cross(q[l->iq], f));
    if (is_wide(l)) m = v3_add(m, v3_cross(wide_turn(l, k).wide->d, f));
    if (w->link[i].twisted) m = v3_add(m, z_cross(from(w->link[i].along), f));
    vec3 F = lean_outward(r, k, w, i, f), N = lean_outward(r, k, w, i, m);
    if (!w->link[i].merged) {
        N = v3_add(N, con3_cross(p, F));
        if (lean_pending(r, w, i)) {
            F = rz_of(lean_turn(w, l->parent), F);
            N = rz_of(lean_turn(w, l->parent), N);
        }
    } else {
        vec3 x = v3_cross(lean_constant(w, l->parent, p), F);
        if (!lean_before(w, i)) { /* the z component of p x F has fewer terms in axes where p is constant */
            const vec3 own = lean_own_outward(l, k, f);
            x.z = sub(mulc(p.x, own.y), mulc(p.y, own.x));
        }
        N = v3_add(N, x);
    }
    *pf = v3_add(*pf, F);
    *pm = v3_add(*pm, N);
}

/* rne_lean.c: inverse dynamics and its bias; wrenches given in work */
void EXPORT(id_lean)(const robot *r, const work *k, const lean_work *w, const num *q, const num *qd, const num *qdd, num *tau);
void EXPORT(bias_lean)(const robot *r, const work *k, const lean_work *w, const num *q, const num *qd, num *tau);
/* crba_lean.c: inertia matrix; M qdd = tau - h, with h in qdd and M overwritten */
void EXPORT(mass_lean)(const robot *r, const work *k, const lean_work *w, const num *q, num *M);
void EXPORT(accelerations_lean)(const robot *r, num *M, const num *tau, num *qdd);

#endif
