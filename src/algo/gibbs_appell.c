/* SPDX-License-Identifier: MIT
 *
 * gibbs_appell.c - the Gibbs-Appell set of Horowitz and Tomizuka [004 eq. 3.14, ERRATA part two 5.4], in base axes.
 *
 *     tau_i = sum over q of z_i.N_q + m_q b_iq.a_q,       b_iq = z_i x c_iq, or z_i of a slide
 *     N_q = I_q sum_j z_j qdd_j - sum_v z_v x K_q V_v,     a_q = sum_j b_jq qdd_j + sum_v V_v x b_vq - g
 *
 * c_iq leads from the origin of joint i to the mass centre of link q (pbar_(i-1)^q of the paper), z_i is its z_(i-1)*. The double
 * sum over speeds with u = min(j,k), v = max(j,k) has its inner sum taken first, V_v = sum over u of z_u qd_u qd_v: it is the
 * same for all links. I - Tr(I)/2 E = -K. Cost O(n^2). */
#include "algo/forms.h"

/* axes, origins, mass centres; w; V_v = qd_v (2 w_(v-1) + z_v qd_v); wd: sum of z_j qdd_j */
INL void gibbs_outward(const robot *r, const forms_work *f, const num *q, const num *qd, const num *qdd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        base_state *s = &f->link[i].base;
        const base_state *up = l->parent < 0 ? NULL : &f->link[l->parent].base;
        s->R = up ? m3_times(up->R, f->R[i]) : f->R[i];
        s->z = m3_z(s->R);
        s->o = up ? v3_add(up->o, m3_mulc(up->R, con3_at(l->p))) : v3_zero();
        if (slides(l)) s->o = v3_add(s->o, v3_scale(q[i], s->z));
        s->c = v3_add(s->o, m3_mulc(s->R, con3_at(f->body[i].c)));
        s->w = up ? up->w : v3_zero();
        s->wd = up ? up->wd : v3_zero();
        s->V = v3_scale(add(qd[i], qd[i]), s->w);
        if (slides(l)) continue;
        const vec3 turned = v3_scale(qd[i], s->z);
        s->V = v3_scale(qd[i], v3_add(v3_add(s->w, s->w), turned));
        s->w = v3_add(s->w, turned);
        s->wd = v3_add(s->wd, v3_scale(qdd[i], s->z));
    }
}

/* tau_i += m b_i.a for a mass m at a point of link i0 */
INL void gibbs_point(const robot *r, const forms_work *f, int i0, vec3 point, par m, const num *qdd, num *tau)
{
    vec3 a = form_lift(r), *b = f->force;
    for (int j = i0; j >= 0; j = r->link[j].parent) {
        const base_state *s = &f->link[j].base;
        b[j] = revolves(&r->link[j]) ? v3_cross(s->z, v3_sub(point, s->o)) : s->z;
        a = v3_add(a, v3_add(v3_scale(qdd[j], b[j]), v3_cross(s->V, b[j])));
    }
    a = v3_scalec(m, a);
    for (int j = i0; j >= 0; j = r->link[j].parent) tau[j] = add(tau[j], v3_dot(b[j], a));
}

void EXPORT(form_gibbs_appell)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                               num *tau)
{
    (void)k;
    gibbs_outward(r, f, q, qd, qdd);
    for (int i = 0; i < r->n; i++) {
        const base_state *s = &f->link[i].base;
        const central_body *b = &f->body[i];
        tau[i] = of(0);
        gibbs_point(r, f, i, s->c, b->m, qdd, tau);
        if (b->has_rest) gibbs_point(r, f, i, s->o, b->rest, qdd, tau);
        /* I = Tr(K) E - K                                                        [004 eq. 2.36, ERRATA part two 4] */
        const sym3 K = s3_turned(s->R, b->K);
        vec3 N = v3_sub(v3_scale(add(add(from(b->K[0]), from(b->K[3])), from(b->K[5])), s->wd), s3_mul(K, s->wd));
        for (int v = i; v >= 0; v = r->link[v].parent)
            if (revolves(&r->link[v])) N = v3_sub(N, v3_cross(f->link[v].base.z, s3_mul(K, f->link[v].base.V)));
        for (int j = i; j >= 0; j = r->link[j].parent)
            if (revolves(&r->link[j])) tau[j] = add(tau[j], v3_dot(f->link[j].base.z, N));
    }
}
