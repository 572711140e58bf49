/* SPDX-License-Identifier: MIT
 *
 * lagrange.c - the Lagrange equations with pose matrices T, as Uicker and Lewis wrote them, in the order n^3 arrangement of the
 * appendix of seed 004: the accelerations of a link are summed first, then meet the inertia and the derivatives of the pose once.
 *
 *     tau_i = sum over q of Tr{ [ sum_j dT_q/dq_j qdd_j + sum_jk d2T_q/dq_j dq_k qd_j qd_k ] J_q (dT_q/dq_i)' }  + gravity
 *
 * [004 eq. 3.1]. A 4 x 4 matrix T = [R p; 0 1] is kept as R and p, so its last row costs nothing. With joint j at z of its own
 * frame, dT_q/dq_j = T_j Q T_jq where the paper has T_(j-1) Q T_(j-1)q; Q = [z^ 0; 0 0] or, for a slide, [0 z; 0 0]. Gravity is
 * an acceleration of the base [004 eq. 4.23]. */
#include "algo/forms.h"

/* T_ji for the joints j above i, from T_j(parent): the chain of 2.18 */
INL void lagrange_poses(const robot *r, const forms_work *f, const num *q, int i)
{
    const int n = r->n, up = r->link[i].parent;
    const mat3 R = f->R[i];
    vec3 p = v3_of(con3_at(r->link[i].p));
    if (slides(&r->link[i])) p = v3_add(p, v3_scale(q[i], m3_z(R)));
    f->link[i].R = up < 0 ? R : m3_times(f->link[up].R, R);
    for (int j = up; j >= 0; j = r->link[j].parent) {
        lagrange_pair *t = &f->pair[j * n + i].lagrange;
        const lagrange_pair *before = &f->pair[j * n + up].lagrange;
        t->R = j == up ? R : m3_times(before->R, R);
        t->p = j == up ? p : v3_add(before->p, m3_mul(before->R, p));
    }
}

/* dT_i/dq_j = T_j Q T_ji; the rotation of a slide does not change and is not stored       [004 eq. 2.14, 2.23] */
INL void lagrange_derivatives(const robot *r, const forms_work *f, int i)
{
    for (int j = i; j >= 0; j = r->link[j].parent) {
        lagrange_pair *t = &f->pair[j * r->n + i].lagrange;
        const mat3 R = f->link[j].R;
        if (slides(&r->link[j])) {
            t->dp = m3_z(R);
        } else {
            t->dR = j == i ? m3_spin(R) : m3_spin_times(R, t->R);
            t->dp = j == i ? v3_zero() : m3_spin_mul(R, t->p);
        }
    }
}

/* second derivatives of the pose of i times the speeds: d2T_i = (dT_v/dq_u) Q T_vi, u before v  [004 eq. 2.15, 2.24] */
INL void lagrange_squares(const robot *r, const forms_work *f, const num *qd, int i, int v, mat3 *R, vec3 *p)
{
    const lagrange_pair *t = &f->pair[v * r->n + i].lagrange;
    for (int u = v; u >= 0; u = r->link[u].parent) {
        if (slides(&r->link[u])) continue; /* what it carries moves without turning */
        const mat3 dR = f->pair[u * r->n + v].lagrange.dR;
        const num speeds = mul(u == v ? qd[u] : add(qd[u], qd[u]), qd[v]);
        if (slides(&r->link[v])) {
            *p = v3_add(*p, v3_scale(speeds, m3_z(dR)));
        } else {
            *R = m3_add(*R, m3_scale(speeds, v == i ? m3_spin(dR) : m3_spin_times(dR, t->R)));
            if (v != i) *p = v3_add(*p, v3_scale(speeds, m3_spin_mul(dR, t->p)));
        }
    }
}

INL num lagrange_trace(mat3 a, mat3 b)
{
    return add(add(v3_dot(v3(a.xx, a.xy, a.xz), v3(b.xx, b.xy, b.xz)), v3_dot(v3(a.yx, a.yy, a.yz), v3(b.yx, b.yy, b.yz))),
               v3_dot(v3(a.zx, a.zy, a.zz), v3(b.zx, b.zy, b.zz)));
}

void EXPORT(form_lagrange)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                           num *tau)
{
    (void)k;
    const int n = r->n;
    const vec3 zero = v3_zero();
    for (int i = 0; i < n; i++) {
        const robot_link *l = &r->link[i];
        tau[i] = of(0);
        lagrange_poses(r, f, q, i);
        lagrange_derivatives(r, f, i);
        mat3 R = m3_columns(zero, zero, zero);
        vec3 p = form_lift(r);
        for (int v = i; v >= 0; v = r->link[v].parent) {
            const lagrange_pair *t = &f->pair[v * n + i].lagrange;
            if (revolves(&r->link[v])) R = m3_add(R, m3_scale(qdd[v], t->dR));
            if (slides(&r->link[v]) || v != i) p = v3_add(p, v3_scale(qdd[v], t->dp));
            lagrange_squares(r, f, qd, i, v, &R, &p);
        }
        /* times J = [P MS; MS' M]                                                          [004 eq. 2.37] */
        const vec3 MS = v3_of(con3_at(l->MS));
        const mat3 X = m3_add(m3_times_sym(R, f->body[i].P), m3_outer(p, MS));
        const vec3 x = v3_add(m3_mulc(R, con3_at(l->MS)), v3_scalec(l->M, p));
        for (int j = i; j >= 0; j = r->link[j].parent) {
            const lagrange_pair *t = &f->pair[j * n + i].lagrange;
            if (slides(&r->link[j]))
                tau[j] = add(tau[j], v3_dot(x, t->dp));
            else
                tau[j] = add(tau[j], j == i ? lagrange_trace(X, t->dR) : add(lagrange_trace(X, t->dR), v3_dot(x, t->dp)));
        }
    }
}
