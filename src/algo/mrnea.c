/* SPDX-License-Identifier: MIT
 *
 * mrnea.c - the modified recursive Newton-Euler of seed 001: inertia matrix H and u' = c + g in one pass, tau = H qdd + u'.
 *
 * The lean form of [ERRATA 2.2], base axes: the motion with qdd = 0 goes outward once; inward go the force and moment of that
 * motion and, for every joint k, those of unit acceleration of k alone: e_ik = m b_ik, b_ik = z_k x (mass centre i - origin k),
 * or z_k of a slide. H is symmetric, so a column visits only the links behind its joint. The paper's z_(k-1), p_(k-1) are our
 * z_k, o_k; l_i = p_i* + r_i^cm leads from our origin i to the mass centre; p_i* is crossed on the way from link to parent. */
#include "algo/forms.h"

INL void mrnea_outward(const robot *r, const forms_work *f, const num *q, const num *qd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const central_body *b = &f->body[i];
        const base_state *up = l->parent < 0 ? NULL : &f->link[l->parent].base;
        base_state *s = base_position(r, f, q, i);
        s->w = up ? up->w : v3_zero();
        s->wd = up ? up->wd : v3_zero();
        s->a = up ? v3_add(up->a, m3_mul(up->A, s->V)) : form_lift(r);
        const vec3 spin = v3_scale(qd[i], s->z), turned = v3_cross(s->w, spin);
        if (revolves(l)) {
            s->wd = v3_add(s->wd, turned);
            s->w = v3_add(s->w, spin);
        } else {
            s->a = v3_add(s->a, v3_add(turned, turned));
        }
        s->A = form_A(s->w, s->wd);
        /* e_i and d_i + l_i x e_i */
        const vec3 e = v3_scalec(b->m, v3_add(s->a, m3_mul(s->A, s->c)));
        s->F = b->has_rest ? v3_add(e, v3_scalec(b->rest, s->a)) : e;
        s->N = v3_add(v3_add(s3_mul(s->I, s->wd), v3_cross(s->w, s3_mul(s->I, s->w))), v3_cross(s->c, e));
    }
}

/* own part of the columns of link i: e_ik, and I_i z_k + l_i x e_ik */
INL void mrnea_columns(const robot *r, const forms_work *f, int i)
{
    const central_body *b = &f->body[i];
    const base_state *s = &f->link[i].base;
    for (int k = i; k >= 0; k = r->link[k].parent) {
        const base_state *at = &f->link[k].base;
        column_pair *p = &f->pair[i * r->n + k].column;
        const int turns_it = revolves(&r->link[k]);
        const vec3 arm = k == i ? v3_zero() : v3_sub(s->o, at->o);
        const vec3 e = v3_scalec(b->m, turns_it ? v3_cross(at->z, v3_add(arm, s->c)) : at->z);
        p->F = e;
        if (b->has_rest) p->F = v3_add(e, v3_scalec(b->rest, turns_it ? v3_cross(at->z, arm) : at->z));
        p->N = v3_cross(s->c, e);
        if (turns_it) p->N = v3_add(s3_mul(s->I, at->z), p->N);
    }
}

void EXPORT(mrnea)(const robot *r, const work *w, const forms_work *f, const num *q, const num *qd, num *H, num *u)
{
    (void)w;
    const int n = r->n;
    mrnea_outward(r, f, q, qd);
    for (int i = 0; i < n; i++) {
        mrnea_columns(r, f, i);
        for (int k = 0; k < n; k++) H[i * n + k] = of(0);
    }
    for (int i = n - 1; i >= 0; i--) {
        const int up = r->link[i].parent, turns_it = revolves(&r->link[i]);
        const base_state *s = &f->link[i].base;
        u[i] = v3_dot(s->z, turns_it ? s->N : s->F);
        if (up >= 0) {
            base_state *to = &f->link[up].base;
            to->F = v3_add(to->F, s->F);
            to->N = v3_add(to->N, v3_add(s->N, v3_cross(s->V, s->F)));
        }
        for (int k = i; k >= 0; k = r->link[k].parent) {
            const column_pair *p = &f->pair[i * n + k].column;
            H[i * n + k] = H[k * n + i] = v3_dot(s->z, turns_it ? p->N : p->F);
            if (k == i) continue;
            column_pair *to = &f->pair[up * n + k].column;
            to->F = v3_add(to->F, p->F);
            to->N = v3_add(to->N, v3_add(p->N, v3_cross(s->V, p->F)));
        }
    }
}

void EXPORT(form_mrnea)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd, num *tau)
{
    EXPORT(mrnea)(r, k, f, q, qd, f->matrix, tau);
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < r->n; j++)
            if (form_outboard(r, i, j) || form_outboard(r, j, i)) tau[i] = add(tau[i], mul(f->matrix[i * r->n + j], qdd[j]));
}
