/* SPDX-License-Identifier: MIT
 *
 * sums.c - what adds up over the links: gravity torques, generalized momentum, kinetic and potential energy. Cost O(n).
 *
 * Gravity: the weight of everything outboard needs mass and first moments only. Momentum p = M qd: the momentum of everything
 * outboard, projected on the joint axis. Energies [003 eq. 9.16, 9.25b]. */
#include "algo/joint.h"
#include "algo/texts.h"

/* Gravity: the acceleration -g in link axes stands in the place of a force. It goes from link to link in registers, as masses and
 * first moments of what is outboard do on the way back; those of a link where branches meet wait in the place that it has on the
 * way out (slot), which is that of the branch that comes back first. */
INL void sums_lift(const robot *r, const work *k, int i, turn t, vec3 *a)
{
    const robot_link *l = &r->link[i];
    if (l->parent >= 0 && l->parent != i - 1) *a = k->passed[l->parent].f;
    *a = l->parent < 0 ? lift_into_link(r, l, t) : into_link(l, t, *a);
    k->passed[i].f = *a;
}
INL void sums_begin(const robot_link *l, sum_state *s)
{
    s->M = from(l->M);
    s->MS = v3_of(con3_at(l->MS));
}
INL void sums_add(const robot_link *l, turn t, num M, vec3 MS, sum_state *up)
{
    up->M = add(up->M, M);
    up->MS = v3_add(up->MS, v3_add(into_parent(l, t, MS), v3_by_con3(M, con3_at(l->p))));
}

/* *s: what the link after has left, as far as this one is its parent */
INL void sums_gravity(const robot *r, const work *k, int i, turn t, const num *q, num *tau, sum_state *s)
{
    const robot_link *l = &r->link[i], *parent = &r->link[l->parent < 0 ? 0 : l->parent];
    const vec3 a = k->passed[i].f;
    if (i + 1 == r->n || r->link[i + 1].parent != i) sums_begin(l, s);
    joint_project(l, t, v3_scale(s->M, a), v3_cross(s->MS, a), tau); /* the weight of all outboard: M a, MS x a */
    if (l->parent < 0) return;
    const num M = s->M;
    const vec3 MS = joint_moved_moments(l, t, q, M, s->MS);
    sum_state *waits = &k->link[parent->slot].sum;
    if (l->slot == parent->slot)
        sums_begin(parent, s);
    else
        s->M = waits->M, s->MS = waits->MS;
    sums_add(l, t, M, MS, s);
    if (l->parent != i - 1) waits->M = s->M, waits->MS = s->MS;
}

INL void sums_all_gravity(const robot *r, const work *k, int several, const num *q, num *tau)
{
    vec3 a = v3_zero();
    sum_state s = {.M = of(0), .MS = v3_zero()};
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, sums_lift(r, k, i, t, &a));
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, sums_gravity(r, k, i, t, q, tau, &s));
}

void EXPORT(gravity)(const robot *r, const work *k, const num *q, num *tau)
{
    joint_turns(r, k, q);
    FOR_ROBOT(r, sums_all_gravity(r, k, several, q, tau));
}

/* a: the acceleration -g, in link axes; masses and first moments of the links alone */
INL void sums_weight(const robot *r, const work *k, int i, turn t)
{
    const robot_link *l = &r->link[i];
    sum_state *s = &k->link[i].sum;
    s->a = l->parent < 0 ? lift_into_link(r, l, t) : into_link(l, t, k->link[l->parent].sum.a);
    sums_begin(l, s);
}
INL void sums_weights(const robot *r, const work *k, int several)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, sums_weight(r, k, i, t));
}
/* w and v of every link [003 eq. 9.17, 9.18], its momentum M v + w x MS and J w + MS x v in f and m */
INL void sums_velocity(const robot *r, const work *k, int i, turn t, const num *q, const num *qd)
{
    const robot_link *l = &r->link[i];
    sum_state *s = &k->link[i].sum;
    if (l->parent < 0) {
        s->w = s->v = v3_zero();
    } else {
        const sum_state *up = &k->link[l->parent].sum;
        s->w = into_link(l, t, up->w);
        s->v = into_link(l, t, v3_sub(up->v, con3_cross(con3_at(l->p), up->w)));
    }
    joint_velocity(l, t, q, qd, &s->v, &s->w);
    const con3 MS = con3_at(l->MS);
    s->f = v3_sub(v3_scalec(l->M, s->v), con3_cross(MS, s->w));
    s->m = v3_add(link_inertia(l, s->w), con3_cross(MS, s->v));
}
INL void sums_velocities(const robot *r, const work *k, int several, const num *q, const num *qd)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, sums_velocity(r, k, i, t, q, qd));
}

/* (rotor inertias) qd, of the joint of link l */
INL num sums_rotors(const robot *r, const robot_link *l, const num *qd)
{
    const par *rotor = robot_rotor(r);
    if (!r->rotors) return of(0);
    if (!rotor) return mulc(l->Ia, qd[l->iv]);
    num p = of(0);
    for (int j = 0; j < r->nv; j++) p = add(p, mulc(rotor[l->iv * r->nv + j], qd[j]));
    return p;
}

INL void sums_momentum(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, num *p)
{
    const robot_link *l = &r->link[i];
    const sum_state *s = &k->link[i].sum;
    joint_project(l, t, s->f, s->m, p);
    p[l->iv] = add(p[l->iv], sums_rotors(r, l, qd));
    if (l->parent < 0) return;
    sum_state *up = &k->link[l->parent].sum;
    wrench_into_parent(l, t, q, s->f, s->m, &up->f, &up->m);
}

INL void sums_all_momentum(const robot *r, const work *k, int several, const num *q, const num *qd, num *p)
{
    sums_velocities(r, k, several, q, qd);
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, sums_momentum(r, k, i, t, q, qd, p));
}

void EXPORT(momentum)(const robot *r, const work *k, const num *q, const num *qd, num *p)
{
    joint_turns(r, k, q);
    FOR_ROBOT(r, sums_all_momentum(r, k, several, q, qd, p));
}

/* (C'qd)_i = (w_p x z).L + (v x z).P with P, L the momentum outboard about the link origin: z.(m x w + f x v), or z.(f x w)
 *                                                                                              [ERRATA part one 1.4] */
INL void sums_terms(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, num *p, num *ctqd, num *g)
{
    const robot_link *l = &r->link[i];
    const sum_state *s = &k->link[i].sum;
    joint_project(l, t, v3_scale(s->M, s->a), v3_cross(s->MS, s->a), g);
    joint_project(l, t, v3_cross(s->f, s->w), v3_add(v3_cross(s->m, s->w), v3_cross(s->f, s->v)), ctqd);
    sums_momentum(r, k, i, t, q, qd, p);
    if (l->parent >= 0) sums_add(l, t, s->M, joint_moved_moments(l, t, q, s->M, s->MS), &k->link[l->parent].sum);
}

INL void sums_all_terms(const robot *r, const work *k, int several, const num *q, const num *qd, num *p, num *ctqd, num *g)
{
    sums_velocities(r, k, several, q, qd);
    sums_weights(r, k, several);
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, sums_terms(r, k, i, t, q, qd, p, ctqd, g));
}

/* what the momentum observer needs, in one pass each way */
void EXPORT(momentum_terms)(const robot *r, const work *k, const num *q, const num *qd, num *p, num *ctqd, num *g)
{
    joint_turns(r, k, q);
    FOR_ROBOT(r, sums_all_terms(r, k, several, q, qd, p, ctqd, g));
}

/* C'qd = dT/dq alone */
void EXPORT(ctqd)(const robot *r, const work *k, const num *q, const num *qd, num *y)
{
    EXPORT(momentum_terms)(r, k, q, qd, k->row, y, k->column);
}

void EXPORT(energy)(const robot *r, const work *k, const num *q, const num *qd, num *E)
{
    joint_turns(r, k, q);
    FOR_ROBOT(r, sums_velocities(r, k, several, q, qd));
    num T = of(0), U = of(0);
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const sum_state *s = &k->link[i].sum;
        /* E_j = (w.J w + M v.v + 2 MS.(v x w))/2 = (w.m + v.f)/2  [003 eq. 9.16], and Ia qd^2/2 [003 9.3.5] */
        T = add(T, add(v3_dot(s->w, s->m), v3_dot(s->v, s->f)));
        T = add(T, mul(qd[l->iv], sums_rotors(r, l, qd)));
        /* U_j = -g.(M P + A MS)  [003 eq. 9.25b]: walk the point MS/M, kept as M and MS, up to the base */
        vec3 MS = v3_of(con3_at(l->MS));
        for (int j = i; j >= 0; j = r->link[j].parent) {
            const robot_link *up = &r->link[j];
            const turn t = any_turn(up, k);
            MS = joint_moved_moments(up, t, q, from(l->M), MS);
            if (up->parent >= 0) {
                MS = v3_add(into_parent(up, t, MS), v3_by_con3(from(l->M), con3_at(up->p)));
            } else {
                const base_frame *b = robot_base(r, up->base);
                MS = v3_add(into_world(r, up, t, MS), v3_by_con3(from(l->M), con3_at(b->p)));
            }
        }
        U = sub(U, v3_dotc(con3_at(r->g), MS));
    }
    E[0] = mulc(con(0.5), T);
    E[1] = U;
}
