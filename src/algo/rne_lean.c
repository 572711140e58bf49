/* SPDX-License-Identifier: MIT
 *
 * rne_lean.c - recursive Newton-Euler with fewer operations, for code written for one robot. Same result as rne.c up to rounding.
 *
 * Points of the axis z_j belong to both links it joins, so the third column of U = wd^ + w^ w^ [003 eq. 9.90] is the same vector
 * in both: only it is carried over, and the rest of wd and U follows from it with two squares. The moment is the axial part of U
 * K - (U K)' with the pseudo inertia K about the link origin [004 section 7; ERRATA part two 2.3, items 1 and 2]. */
#include "algo/forms.h"
#include "algo/loads.h"

/* what is left of U once w, the third column and wd.z are known */
INL mat3 lean_U(vec3 w, vec3 third, num turning, vec3 *wd, num *d2)
{
    const num p = mul(w.x, w.z), s = mul(w.y, w.z), t = mul(w.x, w.y), xx = mul(w.x, w.x), zz = mul(w.z, w.z);
    *wd = v3(sub(s, third.y), sub(third.x, p), turning);
    *d2 = sub(xx, zz);
    return (mat3){add(third.z, *d2), sub(t, turning), third.x,       add(t, turning), neg(add(xx, zz)),
                  third.y,           sub(p, wd->y),   add(s, wd->x), third.z};
}

/* axial part of U K - (U K)'; d2 = U11 - U33 */
INL vec3 lean_moment(mat3 U, num d2, const par K[6])
{
    return v3(
        add(add(mulc(K[3], U.zy), mulc(K[1], U.zx)), sub(sub(mulc(K[4], sub(U.zz, U.yy)), mulc(K[2], U.yx)), mulc(K[5], U.yz))),
        add(sub(mulc(K[2], d2), mulc(K[0], U.zx)), add(sub(mulc(K[4], U.xy), mulc(K[1], U.zy)), mulc(K[5], U.xz))),
        add(add(sub(mulc(K[0], U.yx), mulc(K[3], U.xy)), mulc(K[1], sub(U.yy, U.xx))), sub(mulc(K[2], U.yz), mulc(K[4], U.xz))));
}

INL void lean_forward(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd)
{
    for (int i = 0; i < r->n; i++) {
        const link *l = &r->link[i];
        rne_state *s = &k->link[i].rne;
        const turn t = joint_turn(k, i);
        vec3 w = v3_zero(), wd = v3_zero(), third = v3_zero(), a;
        if (l->parent < 0) {
            a = rz_back(t, v3_of(con3_at(r->base[l->base].a0)));
        } else {
            const rne_state *up = &k->link[l->parent].rne;
            vec3 z = v3(of(0), neg(from(l->sa)), from(l->ca)); /* the joint axis in the parent's axes */
            if (l->branch) z = rzc_of(l->cg, l->sg, z);
            w = into_link(l, t, up->w);
            wd = into_link(l, t, up->wd);
            third = into_link(l, t, m3_mul(up->U, z));
            a = into_link(l, t, v3_add(up->a, m3_mulc(up->U, con3_at(l->p))));
        }
        num turning = wd.z, d2;
        if (l->joint == REVOLUTE) {
            w.z = add(w.z, qd[i]);
            if (qdd) turning = add(turning, qdd[i]);
        }
        s->U = lean_U(w, third, turning, &s->wd, &d2);
        s->w = w;
        if (l->joint == PRISMATIC) {
            const num v = add(qd[i], qd[i]);
            a.x = add(a.x, add(mul(s->U.xz, q[i]), mul(w.y, v)));
            a.y = add(a.y, sub(mul(s->U.yz, q[i]), mul(w.x, v)));
            a.z = add(a.z, mul(s->U.zz, q[i]));
            if (qdd) a.z = add(a.z, qdd[i]);
        }
        s->a = a;
        const con3 MS = con3_at(l->MS);
        s->f = v3_add(v3_scalec(l->M, a), m3_mulc(s->U, MS));
        s->m = v3_add(lean_moment(s->U, d2, f->body[i].P), con3_cross(MS, a));
    }
}

INL void lean_backward(const robot *r, const work *k, const num *q, num *tau)
{
    for (int i = 0; i < r->n && r->nwrench; i++) {
        rne_state *s = &k->link[i].rne;
        s->f = v3_sub(s->f, k->force[i]);
        s->m = v3_sub(s->m, k->moment[i]);
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const link *l = &r->link[i];
        const rne_state *s = &k->link[i].rne;
        tau[i] = l->joint == REVOLUTE ? s->m.z : s->f.z;
        if (l->parent < 0) continue;
        rne_state *up = &k->link[l->parent].rne;
        wrench_into_parent(l, joint_turn(k, i), q, i, s->f, s->m, &up->f, &up->m);
    }
}

/* wrenches are given in work->force and work->moment */
void EXPORT(id_lean)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd, num *tau)
{
    joint_turns(r, k, q);
    lean_forward(r, k, f, q, qd, qdd);
    lean_backward(r, k, q, tau);
    load_rotors(r, qdd, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

void EXPORT(bias_lean)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, num *tau)
{
    joint_turns(r, k, q);
    lean_forward(r, k, f, q, qd, 0);
    lean_backward(r, k, q, tau);
    EXPORT(friction)(r, k, qd, tau, 1);
}

/* forward dynamics by the inertia matrix [003 eq. 9.95] */
void EXPORT(fd_lean)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *tau, num *qdd)
{
    EXPORT(bias_lean)(r, k, f, q, qd, qdd);
    for (int i = 0; i < r->n; i++) qdd[i] = sub(tau[i], qdd[i]);
    EXPORT(mass)(r, k, q, k->matrix);
    EXPORT(factor)(r, k->matrix);
    EXPORT(solve)(r, k->matrix, qdd);
}
