/* SPDX-License-Identifier: MIT
 *
 * sums.c - what adds up over the links: gravity torques, generalized momentum, kinetic and potential energy. Cost O(n).
 *
 * Gravity: the weight of everything outboard needs mass and first moments only. Momentum p = M qd: the momentum of everything
 * outboard, projected on the joint axis. Energies [003 eq. 9.16, 9.25b]. */
#include "algo/joint.h"
#include "algo/texts.h"

void EXPORT(gravity)(const robot *r, const work *k, const num *q, num *tau)
{
    joint_turns(r, k, q);
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        sum_state *s = &k->link[i].sum;
        const turn t = joint_turn(k, i);
        /* v stands for the acceleration -g, in link axes */
        s->v = l->parent < 0 ? rz_back(t, v3_of(con3_at(r->base[l->base].a0))) : into_link(l, t, k->link[l->parent].sum.v);
        s->M = from(l->M);
        s->MS = v3_of(con3_at(l->MS));
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const sum_state *s = &k->link[i].sum;
        /* z.(MS x a) or z.M a */
        tau[i] = l->joint == REVOLUTE ? sub(mul(s->MS.x, s->v.y), mul(s->MS.y, s->v.x)) : mul(s->M, s->v.z);
        if (l->parent < 0) continue;
        sum_state *up = &k->link[l->parent].sum;
        vec3 MS = s->MS;
        if (l->joint == PRISMATIC) MS.z = add(MS.z, mul(s->M, q[i]));
        up->M = add(up->M, s->M);
        up->MS = v3_add(up->MS, v3_add(into_parent(l, joint_turn(k, i), MS), v3_by_con3(s->M, con3_at(l->p))));
    }
}

/* w and v of every link [003 eq. 9.17, 9.18], its momentum M v + w x MS and J w + MS x v in f and m */
INL void sums_velocities(const robot *r, const work *k, const num *q, const num *qd)
{
    joint_turns(r, k, q);
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        sum_state *s = &k->link[i].sum;
        const turn t = joint_turn(k, i);
        if (l->parent < 0) {
            s->w = s->v = v3_zero();
        } else {
            const sum_state *up = &k->link[l->parent].sum;
            s->w = into_link(l, t, up->w);
            s->v = into_link(l, t, v3_sub(up->v, con3_cross(con3_at(l->p), up->w)));
        }
        if (l->joint == REVOLUTE) {
            s->w.z = add(s->w.z, qd[i]);
        } else {
            s->v.x = add(s->v.x, mul(s->w.y, q[i]));
            s->v.y = sub(s->v.y, mul(s->w.x, q[i]));
            s->v.z = add(s->v.z, qd[i]);
        }
        const par *J = l->J;
        const con3 MS = con3_at(l->MS);
        const vec3 Jw = v3(v3_dotc((con3){J[0], J[1], J[2]}, s->w), v3_dotc((con3){J[1], J[3], J[4]}, s->w),
                           v3_dotc((con3){J[2], J[4], J[5]}, s->w));
        s->f = v3_sub(v3_scalec(l->M, s->v), con3_cross(MS, s->w));
        s->m = v3_add(Jw, con3_cross(MS, s->v));
    }
}

/* (rotor inertias) qd */
INL num sums_rotors(const robot *r, const num *qd, int i)
{
    if (!r->rotors) return of(0);
    if (!r->rotor) return mulc(r->link[i].Ia, qd[i]);
    num p = of(0);
    for (int j = 0; j < r->n; j++) p = add(p, mulc(r->rotor[i * r->n + j], qd[j]));
    return p;
}

void EXPORT(momentum)(const robot *r, const work *k, const num *q, const num *qd, num *p)
{
    sums_velocities(r, k, q, qd);
    for (int i = r->n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const sum_state *s = &k->link[i].sum;
        p[i] = add(l->joint == REVOLUTE ? s->m.z : s->f.z, sums_rotors(r, qd, i));
        if (l->parent < 0) continue;
        sum_state *up = &k->link[l->parent].sum;
        wrench_into_parent(l, joint_turn(k, i), q, i, s->f, s->m, &up->f, &up->m);
    }
}

/* what the momentum observer needs, in one pass each way  [ERRATA part one 1.4]:
 * (C'qd)_i = (w_p x z).L + (v x z).P with P, L the momentum outboard about the link origin */
void EXPORT(momentum_terms)(const robot *r, const work *k, const num *q, const num *qd, num *p, num *ctqd, num *g)
{
    sums_velocities(r, k, q, qd);
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        sum_state *s = &k->link[i].sum;
        const turn t = joint_turn(k, i);
        s->a = l->parent < 0 ? rz_back(t, v3_of(con3_at(r->base[l->base].a0))) : into_link(l, t, k->link[l->parent].sum.a);
        s->M = from(l->M);
        s->MS = v3_of(con3_at(l->MS));
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const sum_state *s = &k->link[i].sum;
        if (l->joint == REVOLUTE) {
            p[i] = s->m.z;
            ctqd[i] = add(sub(mul(s->w.y, s->m.x), mul(s->w.x, s->m.y)), sub(mul(s->v.y, s->f.x), mul(s->v.x, s->f.y)));
            g[i] = sub(mul(s->MS.x, s->a.y), mul(s->MS.y, s->a.x));
        } else {
            p[i] = s->f.z;
            ctqd[i] = sub(mul(s->w.y, s->f.x), mul(s->w.x, s->f.y));
            g[i] = mul(s->M, s->a.z);
        }
        p[i] = add(p[i], sums_rotors(r, qd, i));
        if (l->parent < 0) continue;
        sum_state *up = &k->link[l->parent].sum;
        const turn t = joint_turn(k, i);
        wrench_into_parent(l, t, q, i, s->f, s->m, &up->f, &up->m);
        vec3 MS = s->MS;
        if (l->joint == PRISMATIC) MS.z = add(MS.z, mul(s->M, q[i]));
        up->M = add(up->M, s->M);
        up->MS = v3_add(up->MS, v3_add(into_parent(l, t, MS), v3_by_con3(s->M, con3_at(l->p))));
    }
}

void EXPORT(energy)(const robot *r, const work *k, const num *q, const num *qd, num *kinetic, num *potential)
{
    sums_velocities(r, k, q, qd);
    num T = of(0), U = of(0);
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        const sum_state *s = &k->link[i].sum;
        /* E_j = (w.J w + M v.v + 2 MS.(v x w))/2 = (w.m + v.f)/2  [003 eq. 9.16], and Ia qd^2/2 [003 9.3.5] */
        T = add(T, add(add(v3_dot(s->w, s->m), v3_dot(s->v, s->f)), mul(qd[i], sums_rotors(r, qd, i))));
        /* U_j = -g.(M P + A MS)  [003 eq. 9.25b]: walk the point MS/M, kept as M and MS, up to the base */
        vec3 MS = v3_of(con3_at(l->MS));
        for (int j = i; j >= 0; j = r->link[j].parent) {
            const link *up = &r->link[j];
            const turn t = joint_turn(k, j);
            if (up->joint == PRISMATIC) MS.z = add(MS.z, mulc(l->M, q[j]));
            if (up->parent >= 0) {
                MS = v3_add(into_parent(up, t, MS), v3_by_con3(from(l->M), con3_at(up->p)));
            } else {
                const base_frame *b = &r->base[up->base];
                MS = v3_add(rot_of(b->R, rz_of(t, MS)), v3_by_con3(from(l->M), con3_at(b->p)));
            }
        }
        U = sub(U, v3_dotc(con3_at(r->g), MS));
    }
    *kinetic = mulc(con(0.5), T);
    *potential = U;
}
