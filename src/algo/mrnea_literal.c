/* SPDX-License-Identifier: MIT
 *
 * mrnea_literal.c - the modified recursive Newton-Euler of seed 001 as it is printed, misprints corrected [ERRATA 2.1, 2.2]: a
 * study. mrnea.c gives the same H and u' for a fraction of the work.
 *
 * Every vector of the paper is formed: b_ik and d_ik, the acceleration of mass centre i and the moment of link i for unit
 * acceleration of joint k; b_ikj and d_ikj, the same for the products of speeds; E_ik, the sum of e_jk over all links outboard of
 * i; and the columns (29), (30), (31) of the moment about joint i, above and below the diagonal of H. That is n(n+1)(n+2)/6
 * vectors of each kind: O(n^3). Frames and names as in mrnea.c: z_(k-1), p_(k-1) of the paper are our z_k, o_k; l_i is our c_i;
 * p_i*, to the next origin, is V of the child. On a tree "j >= i" reads "j outboard of i". */
#include "algo/forms.h"

/* b_ik of the point at c from origin i: z_k x (o_i + c - o_k), or z_k of a slide                      [ERRATA 2.2] */
INL vec3 literal_b(const robot *r, const forms_work *f, int i, int k, vec3 c)
{
    const base_state *s = &f->link[i].base, *at = &f->link[k].base;
    if (slides(&r->link[k])) return at->z;
    return v3_cross(at->z, i == k ? c : v3_add(v3_sub(s->o, at->o), c));
}

/* sum over k <= j of b_ikj qd_k qd_j: b_ikk = z_k x b_ik, b_ikj = 2 z_k x b_ij, nothing for a slide k   [001 eq. 5] */
INL vec3 literal_b_squares(const robot *r, const forms_work *f, int i, vec3 c, const num *qd)
{
    vec3 sum = v3_zero();
    for (int j = i; j >= 0; j = r->link[j].parent) {
        const vec3 b = literal_b(r, f, i, j, c);
        for (int k = j; k >= 0; k = r->link[k].parent) {
            if (slides(&r->link[k])) continue;
            const vec3 bkj = v3_cross(f->link[k].base.z, b);
            sum = v3_add(sum, v3_scale(mul(qd[k], k == j ? qd[j] : add(qd[j], qd[j])), bkj));
        }
    }
    return sum;
}

/* sum over k <= j of d_ikj qd_k qd_j: d_ikk = z_k x d_ik, d_ikj = I_i (z_k x z_j) + z_k x d_ij + z_j x d_ik   [001 eq. 9] */
INL vec3 literal_d_squares(const robot *r, const forms_work *f, int i, const num *qd)
{
    const base_state *s = &f->link[i].base;
    vec3 sum = v3_zero();
    for (int j = i; j >= 0; j = r->link[j].parent) {
        if (slides(&r->link[j])) continue;
        const vec3 zj = f->link[j].base.z, dj = f->pair[i * r->n + j].literal.d;
        for (int k = j; k >= 0; k = r->link[k].parent) {
            if (slides(&r->link[k])) continue;
            const vec3 zk = f->link[k].base.z, dk = f->pair[i * r->n + k].literal.d;
            vec3 dkj = v3_cross(zk, dj);
            if (k != j) dkj = v3_add(v3_add(s3_mul(s->I, v3_cross(zk, zj)), dkj), v3_cross(zj, dk));
            sum = v3_add(sum, v3_scale(mul(qd[k], qd[j]), dkj));
        }
    }
    return sum;
}

/* e_ik, d_ik and d_ik + l_i x e_ik; e_i and d_i + l_i x e_i                                       [001 eq. 12-18] */
INL void literal_link(const robot *r, const forms_work *f, int i, const num *qd)
{
    const central_body *b = &f->body[i];
    base_state *s = &f->link[i].base;
    const vec3 lift = form_lift(r);
    for (int k = i; k >= 0; k = r->link[k].parent) {
        literal_pair *p = &f->pair[i * r->n + k].literal;
        const vec3 e = v3_scalec(b->m, literal_b(r, f, i, k, s->c));
        p->d = revolves(&r->link[k]) ? s3_mul(s->I, f->link[k].base.z) : v3_zero();
        p->n = v3_add(p->d, v3_cross(s->c, e));
        p->E = b->has_rest ? v3_add(e, v3_scalec(b->rest, literal_b(r, f, i, k, v3_zero()))) : e;
    }
    const vec3 e = v3_scalec(b->m, v3_add(lift, literal_b_squares(r, f, i, s->c, qd)));
    s->N = v3_add(literal_d_squares(r, f, i, qd), v3_cross(s->c, e));
    s->F = e;
    if (b->has_rest) s->F = v3_add(e, v3_scalec(b->rest, v3_add(lift, literal_b_squares(r, f, i, v3_zero(), qd))));
}

/* column k of the moment about joint i                                                            [001 eq. 29-31] */
INL vec3 literal_column(const robot *r, const forms_work *f, int i, int k)
{
    vec3 sum = v3_zero();
    for (int j = i; j < r->n; j++) {
        if (!form_outboard(r, j, i)) continue;
        const vec3 way = f->link[j].base.V;
        if (form_outboard(r, j, k)) {
            const literal_pair *p = &f->pair[j * r->n + k].literal;
            sum = v3_add(sum, p->n);                            /* (29) */
            if (j != i) sum = v3_add(sum, v3_cross(way, p->E)); /* (30) */
        } else if (j != i && form_outboard(r, k, j)) {
            sum = v3_add(sum, v3_cross(way, f->pair[k * r->n + k].literal.E)); /* (31) */
        }
    }
    return sum;
}

void EXPORT(mrnea_literal)(const robot *r, const work *w, const forms_work *f, const num *q, const num *qd, num *H, num *u)
{
    (void)w;
    const int n = r->n;
    for (int i = 0; i < n; i++) base_position(r, f, q, i);
    for (int i = 0; i < n; i++) literal_link(r, f, i, qd);
    /* E_ik = sum of e_jk outboard of i, E_i, n'_ic                                                [001 eq. 22, 25, 28] */
    for (int i = n - 1; i >= 0; i--) {
        const base_state *s = &f->link[i].base;
        const int up = r->link[i].parent;
        u[i] = v3_dot(s->z, revolves(&r->link[i]) ? s->N : s->F);
        if (up < 0) continue;
        base_state *to = &f->link[up].base;
        to->F = v3_add(to->F, s->F);
        to->N = v3_add(to->N, v3_add(s->N, v3_cross(s->V, s->F)));
        for (int k = up; k >= 0; k = r->link[k].parent) {
            literal_pair *p = &f->pair[up * n + k].literal;
            p->E = v3_add(p->E, f->pair[i * n + k].literal.E);
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int behind = form_outboard(r, i, k), before = form_outboard(r, k, i);
            H[i * n + k] = of(0);
            if (!behind && !before) continue;
            /* h_ik = z_i . n_i column k, or of a slide z_i . E_(max(i,k)) k                       [001 eq. 35, ERRATA 2.2] */
            const vec3 column = revolves(&r->link[i]) ? literal_column(r, f, i, k) : f->pair[(behind ? i : k) * n + k].literal.E;
            H[i * n + k] = v3_dot(f->link[i].base.z, column);
        }
}

void EXPORT(form_mrnea_literal)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                                num *tau)
{
    EXPORT(mrnea_literal)(r, k, f, q, qd, f->matrix, tau);
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < r->n; j++)
            if (form_outboard(r, i, j) || form_outboard(r, j, i)) tau[i] = add(tau[i], mul(f->matrix[i * r->n + j], qdd[j]));
}
