/* SPDX-License-Identifier: MIT
 *
 * recursive_lagrange.c - Hollerbach's recursive form of the Lagrange equations [004 eq. 3.2-3.6, ERRATA part two 5.2].
 *
 * R_i is the rotation from link i into the base (R_0^i of the paper), and D_i the integral over everything outboard of
 * (distance from origin i, link axes)(acceleration, base axes)' dm. Measured from the joint's own origin, the terms of 3.3 with
 * r_i belong to the step from link to parent, and what is left is J_i Rdd' + m_i c_i pdd', linear in the standard parameters.
 * Whole matrices travel from link to link: still O(n), but dearer than vectors. */
#include "algo/forms.h"

INL void recursive_outward(const robot *r, const forms_work *f, const num *q, const num *qd, const num *qdd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        recursive_state *s = &f->link[i].rec;
        mat3 turned; /* Rd of the parent, in link axes */
        if (l->parent < 0) {
            const vec3 o = v3_zero();
            turned = s->Rdd = m3_columns(o, o, o);
            s->R = f->R[i];
            s->pdd = form_lift(r);
        } else {
            const recursive_state *up = &f->link[l->parent].rec;
            s->R = m3_times(up->R, f->R[i]);
            turned = m3_times(up->Rd, f->R[i]);
            s->Rdd = m3_times(up->Rdd, f->R[i]);
            /* pdd_i = pdd + Rdd p                                                [ERRATA part two 5.2] */
            s->pdd = v3_add(up->pdd, m3_mulc(up->Rdd, con3_at(l->p)));
        }
        s->Rd = turned;
        if (revolves(l)) {
            /* Rd_i = Rd R + R_i Q qd                                             [004 eq. 3.6] */
            s->Rd = m3_add(turned, m3_scale(qd[i], m3_spin(s->R)));
            /* Rdd_i = Rdd R + 2 Rd R Q qd + R_i (Q Q qd qd + Q qdd)              [004 eq. 3.5] */
            s->Rdd = m3_add(s->Rdd, m3_add(m3_scale(qd[i], m3_spin(m3_add(turned, s->Rd))), m3_scale(qdd[i], m3_spin(s->R))));
        } else {
            /* the origin slides by z q */
            const vec3 slide = v3_add(v3_scale(q[i], m3_z(s->Rdd)), v3_scale(add(qd[i], qd[i]), m3_z(s->Rd)));
            s->pdd = v3_add(s->pdd, v3_add(slide, v3_scale(qdd[i], m3_z(s->R))));
        }
    }
}

void EXPORT(form_recursive_lagrange)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd,
                                     const num *qdd, num *tau)
{
    (void)k;
    recursive_outward(r, f, q, qd, qdd);
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const con3 MS = con3_at(l->MS);
        recursive_state *s = &f->link[i].rec;
        /* own terms: e = m pdd + Rdd m c, D' = Rdd J + pdd (m c)'                [004 eq. 3.4, ERRATA part two 5.2] */
        s->e = v3_add(v3_scalec(l->M, s->pdd), m3_mulc(s->Rdd, MS));
        const mat3 own = m3_times_sym(s->Rdd, f->body[i].P);
        const vec3 x = v3_scalec(MS.x, s->pdd), y = v3_scalec(MS.y, s->pdd), z = v3_scalec(MS.z, s->pdd);
        s->D = (mat3){add(own.xx, x.x), add(own.yx, x.y), add(own.zx, x.z), add(own.xy, y.x), add(own.yy, y.y),
                      add(own.zy, y.z), add(own.xz, z.x), add(own.yz, z.y), add(own.zz, z.z)};
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        recursive_state *s = &f->link[i].rec;
        mat3 D = s->D;
        if (revolves(l)) {
            /* Tr{R Q D}: the columns y and -x of R by the rows x and y of D      [004 eq. 3.2] */
            tau[i] = sub(v3_dot(v3(s->R.xy, s->R.yy, s->R.zy), v3(D.xx, D.xy, D.xz)),
                         v3_dot(v3(s->R.xx, s->R.yx, s->R.zx), v3(D.yx, D.yy, D.yz)));
        } else {
            tau[i] = v3_dot(m3_z(s->R), s->e);
            D.zx = add(D.zx, mul(q[i], s->e.x));
            D.zy = add(D.zy, mul(q[i], s->e.y));
            D.zz = add(D.zz, mul(q[i], s->e.z));
        }
        if (l->parent < 0) continue;
        /* D = R D_i + p e_i', e = e_i, added to the parent's own                 [004 eq. 3.3] */
        recursive_state *up = &f->link[l->parent].rec;
        const mat3 pe = m3_outer(v3_of(con3_at(l->p)), s->e);
        up->D = m3_add(m3_add(up->D, pe), m3_times(f->R[i], D));
        up->e = v3_add(up->e, s->e);
    }
}
