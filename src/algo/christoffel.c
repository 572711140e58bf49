/* SPDX-License-Identifier: MIT
 *
 * christoffel.c - the Lagrange equations through the inertia matrix and its derivatives:
 *
 *     tau = A qdd + C qd + Q,   C_ij = sum_k c_ijk qd_k,   c_ijk = (dA_ij/dq_k + dA_ik/dq_j - dA_jk/dq_i)/2   [003 eq. 9.6, 9.7]
 *
 * In base axes, at the frame in which the chain stands on the base: S_i = (w, v) is the motion for unit speed of joint i, B_j
 * everything outboard of joint j as one rigid body. For i before j, A_ij = S_i.B_j S_j. A joint k carries all joints behind it
 * rigidly, and S_k x turns what it carries, so dA_ij/dq_k is
 *     0                                              if k is i or before i: all of it moves together
 *     (S_i x S_k).B_j S_j                            if k is behind i, and j or before j
 *     (S_i x S_k).B_k S_j + (S_j x S_k).B_k S_i      if k is behind j.
 * Exact, no differences. Own derivation. Cost O(n^3). */
#include "algo/forms.h"

/* motions, and the links as bodies about the base origin */
INL void christoffel_outward(const robot *r, const forms_work *f, const num *q)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        screw_state *s = &f->link[i].screw;
        const screw_state *up = l->parent < 0 ? NULL : &f->link[l->parent].screw;
        s->R = up ? m3_times(up->R, f->R[i]) : f->R[i];
        s->o = up ? v3_add(up->o, m3_mulc(up->R, con3_at(l->p))) : v3_zero();
        const vec3 z = m3_z(s->R);
        if (revolves(l)) {
            s->w = z;
            s->v = v3_cross(s->o, z);
        } else {
            s->o = v3_add(s->o, v3_scale(q[i], z));
            s->w = v3_zero();
            s->v = z;
        }
        /* J + 2 o.h E - (o h' + h o') with h = MS + M o/2 */
        const vec3 MS = m3_mulc(s->R, con3_at(l->MS)), Mo = v3_scalec(l->M, s->o), o = s->o;
        const vec3 h = v3_add(MS, v3_scalec(con(0.5), Mo));
        sym3 J = s3_turned(s->R, l->J);
        const num x = mul(o.x, h.x), y = mul(o.y, h.y), zz = mul(o.z, h.z);
        const num yz = add(y, zz), xz = add(x, zz), xy = add(x, y);
        J.xx = add(J.xx, add(yz, yz));
        J.yy = add(J.yy, add(xz, xz));
        J.zz = add(J.zz, add(xy, xy));
        J.xy = sub(J.xy, add(mul(o.x, h.y), mul(o.y, h.x)));
        J.xz = sub(J.xz, add(mul(o.x, h.z), mul(o.z, h.x)));
        J.yz = sub(J.yz, add(mul(o.y, h.z), mul(o.z, h.y)));
        s->body = (crba_state){from(l->M), v3_add(MS, Mo), J};
    }
    for (int i = r->n - 1; i >= 0; i--) {
        if (r->link[i].parent < 0) continue;
        crba_state *up = &f->link[r->link[i].parent].screw.body;
        const crba_state *b = &f->link[i].screw.body;
        *up = (crba_state){add(up->M, b->M), v3_add(up->MS, b->MS), s3_add(up->J, b->J)};
    }
}

/* momenta B_k S_j = (M v + w x MS, J w + MS x v) and motions S_j x S_k, j before k */
INL void christoffel_pairs(const robot *r, const forms_work *f, int k)
{
    const screw_state *at = &f->link[k].screw;
    const crba_state *b = &at->body;
    for (int j = k; j >= 0; j = r->link[j].parent) {
        const screw_state *s = &f->link[j].screw;
        screw_pair *p = &f->pair[k * r->n + j].screw;
        p->f = v3_scale(b->M, s->v);
        p->n = v3_cross(b->MS, s->v);
        p->w = p->v = v3_zero();
        if (slides(&r->link[j])) {
            if (revolves(&r->link[k])) p->v = v3_cross(s->v, at->w);
            continue;
        }
        p->f = v3_add(p->f, v3_cross(s->w, b->MS));
        p->n = v3_add(p->n, s3_mul(b->J, s->w));
        if (j == k) continue;
        p->v = v3_cross(s->w, at->v);
        if (slides(&r->link[k])) continue;
        p->v = v3_add(p->v, v3_cross(s->v, at->w));
        p->w = v3_cross(s->w, at->w);
    }
}

/* (S_i x S_k).B_m S_j */
INL num christoffel_power(const robot *r, const forms_work *f, int i, int k, int m, int j)
{
    const screw_pair *x = &f->pair[k * r->n + i].screw, *h = &f->pair[m * r->n + j].screw;
    return add(v3_dot(x->w, h->n), v3_dot(x->v, h->f));
}

/* dA_ij/dq_k */
INL num christoffel_derivative(const robot *r, const forms_work *f, int i, int j, int k)
{
    if (i > j) {
        const int swap = i;
        i = j;
        j = swap;
    }
    if (!form_outboard(r, j, i) || k <= i || !form_outboard(r, k, i)) return of(0);
    if (k <= j) return form_outboard(r, j, k) ? christoffel_power(r, f, i, k, j, j) : of(0);
    if (!form_outboard(r, k, j)) return of(0);
    return add(christoffel_power(r, f, i, k, k, j), christoffel_power(r, f, j, k, k, i));
}

void EXPORT(form_christoffel)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                              num *tau)
{
    const int n = r->n;
    num *A = k->matrix, *C = f->matrix;
    const vec3 lift = form_lift(r);
    christoffel_outward(r, f, q);
    for (int i = 0; i < n * n; i++) A[i] = C[i] = of(0);
    for (int j = 0; j < n; j++) {
        christoffel_pairs(r, f, j);
        const screw_pair *h = &f->pair[j * n + j].screw;
        const screw_state *s = &f->link[j].screw;
        for (int i = j; i >= 0; i = r->link[i].parent)
            A[i * n + j] = A[j * n + i] = add(v3_dot(f->link[i].screw.w, h->n), v3_dot(f->link[i].screw.v, h->f));
        /* Q_j = dU/dq_j: the weight of all outboard  [003 eq. 9.8] */
        tau[j] = add(v3_dot(s->w, v3_cross(s->body.MS, lift)), mul(s->body.M, v3_dot(s->v, lift)));
    }
    /* 2 C */
    for (int i = 0; i < n; i++)
        for (int a = 0; a < n; a++)
            for (int b = a; b >= 0; b = r->link[b].parent) {
                const num c = sub(add(christoffel_derivative(r, f, i, a, b), christoffel_derivative(r, f, i, b, a)),
                                  christoffel_derivative(r, f, a, b, i));
                C[i * n + a] = add(C[i * n + a], mul(c, qd[b]));
                if (a != b) C[i * n + b] = add(C[i * n + b], mul(c, qd[a]));
            }
    for (int i = 0; i < n; i++) {
        num squares = of(0);
        for (int j = 0; j < n; j++) {
            squares = add(squares, mul(C[i * n + j], qd[j]));
            tau[i] = add(tau[i], mul(A[i * n + j], qdd[j]));
        }
        tau[i] = add(tau[i], mulc(con(0.5), squares));
    }
}
