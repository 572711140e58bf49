/* SPDX-License-Identifier: MIT
 *
 * rne_lean.c - recursive Newton-Euler with fewer operations, for code written for one robot. Same result as rne.c up to rounding.
 *
 * Points of the axis z_j belong to both links it joins, so the third column of U = wd^ + w^ w^ [003 eq. 9.90] is the same vector
 * in both: only it is carried over, and the rest of wd and U follows from it with two squares. The moment is the axial part of U
 * K - (U K)' with the pseudo inertia K about the link origin [004 section 7; ERRATA part two 2.3, items 1 and 2]. */
#include "algo/forms.h"
#include "algo/loads.h"

/* products of w, and U with what follows from it */
typedef struct {
    num p, s, t, d2; /* wx wz, wy wz, wx wy, wx^2 - wz^2 = U11 - U33 */
    vec3 wd;
    mat3 U;
} lean_motion;

/* all of wd and U from w, the third column of U, and wd.z */
INL lean_motion lean_from_column(vec3 w, vec3 third, num turning)
{
    const num xx = mul(w.x, w.x), zz = mul(w.z, w.z);
    lean_motion m = {.p = mul(w.x, w.z), .s = mul(w.y, w.z), .t = mul(w.x, w.y), .d2 = sub(xx, zz)};
    m.wd = v3(sub(m.s, third.y), sub(third.x, m.p), turning);
    m.U = (mat3){add(third.z, m.d2), sub(m.t, turning), third.x, add(m.t, turning), neg(add(xx, zz)), third.y,
                 sub(m.p, m.wd.y),   add(m.s, m.wd.x),  third.z};
    return m;
}

/* U from w and wd [003 eq. 9.90] */
INL lean_motion lean_from_wd(vec3 w, vec3 wd)
{
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z);
    lean_motion m = {.p = mul(w.x, w.z), .s = mul(w.y, w.z), .t = mul(w.x, w.y), .d2 = sub(xx, zz), .wd = wd};
    m.U = (mat3){neg(add(yy, zz)), sub(m.t, wd.z), add(m.p, wd.y), add(m.t, wd.z),  neg(add(xx, zz)),
                 sub(m.s, wd.x),   sub(m.p, wd.y), add(m.s, wd.x), neg(add(xx, yy))};
    return m;
}

/* axial part of U K - (U K)' */
INL vec3 lean_pseudo(const lean_motion *m, const par K[6])
{
    const mat3 U = m->U;
    return v3(
        add(add(mulc(K[3], U.zy), mulc(K[1], U.zx)), sub(sub(mulc(K[4], sub(U.zz, U.yy)), mulc(K[2], U.yx)), mulc(K[5], U.yz))),
        add(sub(mulc(K[2], m->d2), mulc(K[0], U.zx)), add(sub(mulc(K[4], U.xy), mulc(K[1], U.zy)), mulc(K[5], U.xz))),
        add(add(sub(mulc(K[0], U.yx), mulc(K[3], U.xy)), mulc(K[1], sub(U.yy, U.xx))), sub(mulc(K[2], U.yz), mulc(K[4], U.xz))));
}

/* J wd + w x (J w) built from entries of U [ERRATA part two 2.1] */
INL vec3 lean_inertia(const lean_motion *m, const link *l)
{
    const mat3 U = m->U;
    const par *J = l->J, *D = l->JD;
    return v3(add(add(mulc(J[0], m->wd.x), mulc(D[0], m->s)),
                  add(sub(mulc(J[2], U.yx), mulc(J[1], U.zx)), mulc(J[4], sub(U.yy, U.zz)))),
              add(add(mulc(J[3], m->wd.y), mulc(D[1], m->p)), sub(sub(mulc(J[1], U.zy), mulc(J[4], U.xy)), mulc(J[2], m->d2))),
              add(add(mulc(J[5], m->wd.z), mulc(D[2], m->t)),
                  add(sub(mulc(J[4], U.xz), mulc(J[2], U.yz)), mulc(J[1], sub(U.xx, U.yy)))));
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
        const int lean = f->lean ? f->lean[i] : LEAN_COLUMN | LEAN_PSEUDO;
        if (l->joint == REVOLUTE) {
            if (!(lean & LEAN_COLUMN)) { /* [003 eq. 9.86] */
                wd.x = add(wd.x, mul(w.y, qd[i]));
                wd.y = sub(wd.y, mul(w.x, qd[i]));
            }
            w.z = add(w.z, qd[i]);
            if (qdd) wd.z = add(wd.z, qdd[i]);
        }
        const lean_motion m = lean & LEAN_COLUMN ? lean_from_column(w, third, wd.z) : lean_from_wd(w, wd);
        s->U = m.U;
        s->wd = m.wd;
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
        s->m = v3_add(lean & LEAN_PSEUDO ? lean_pseudo(&m, f->body[i].P) : lean_inertia(&m, l), con3_cross(MS, a));
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
