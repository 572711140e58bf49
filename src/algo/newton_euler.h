/* SPDX-License-Identifier: MIT
 *
 * newton_euler.h - the recursion that the Newton-Euler sets of seed 004 share: motion outward, force, wrenches inward.
 *
 * [004 eq. 3.7-3.13 and 7.1-7.6, corrected: ERRATA part two 5.3], in the frames of forms.h. */
#ifndef ALGO_NEWTON_EULER_H
#define ALGO_NEWTON_EULER_H

#include "algo/forms.h"
#include "algo/motion.h"

/* motion of link i from that of its parent (NULL: the base, accelerating by lift) */
INL void ne_motion(const robot *r, const forms_work *f, int i, const ne_state *up, vec3 lift, num q, num qd, num qdd, ne_state *s)
{
    const robot_link *l = &r->link[i];
    const mat3 R = f->R[i];
    const vec3 w = up ? up->w : v3_zero(), wd = up ? up->wd : v3_zero();
    /* a_i = R'(a + A p)                                                          [004 eq. 7.3] */
    const vec3 a = m3_tmul(R, up ? v3_add(up->a, m3_mulc(up->A, con3_at(l->p))) : lift);
    if (revolves(l)) {
        /* w_i = R'w + z qd; wd_i = R'wd + R'w x z qd + z qdd                     [004 eq. 7.1, 7.2] */
        s->w = m3_tmul_add(R, w, v3(of(0), of(0), qd));
        s->wd = m3_tmul_add(R, wd, v3(mul(s->w.y, qd), neg(mul(s->w.x, qd)), qdd));
        s->A = form_A(s->w, s->wd);
        s->a = a;
    } else {
        /* the origin slides by z q: A z q + 2 w x z qd + z qdd */
        const num v = add(qd, qd);
        s->w = m3_tmul(R, w);
        s->wd = m3_tmul(R, wd);
        s->A = form_A(s->w, s->wd);
        s->a = v3(add(a.x, add(mul(s->A.xz, q), mul(s->w.y, v))), add(a.y, sub(mul(s->A.yz, q), mul(s->w.x, v))),
                  add(a.z, add(mul(s->A.zz, q), qdd)));
    }
}

/* the same beyond a joint of several freedoms, which the sets do not care about: they have a motion of every link, no coordinates
 */
INL void ne_wide_motion(const robot *r, const work *k, const forms_work *f, int i, const num *qd, const num *qdd, ne_state *s)
{
    const robot_link *l = &r->link[i];
    const ne_state *up = l->parent < 0 ? NULL : &f->link[l->parent].ne;
    const mat3 R = f->R[i];
    s->w = up ? m3_tmul(R, up->w) : v3_zero();
    s->wd = up ? m3_tmul(R, up->wd) : v3_zero();
    s->a = m3_tmul(R, up ? v3_add(up->a, m3_mulc(up->A, con3_at(l->p))) : form_lift(r));
    wide_motion(l, wide_turn(l, k), qd, qdd, &s->w, &s->wd, &s->a);
    s->A = form_A(s->w, s->wd);
}

/* F = m abar, abar = A c + a; N about the link origin from that about the mass centre    [004 eq. 7.4-7.6] */
INL void ne_force(const central_body *b, vec3 central_moment, ne_state *s)
{
    const vec3 F = v3_scalec(b->m, v3_add(m3_mulc(s->A, con3_at(b->c)), s->a));
    s->F = b->has_rest ? v3_add(F, v3_scalec(b->rest, s->a)) : F;
    s->N = v3_add(central_moment, con3_cross(con3_at(b->c), F));
}

/* axial part of A K - (A K)': Tr{A K (Q^g)'} for g = x, y, z           [004 eq. 7.6, ERRATA part two 4: section 7] */
INL vec3 ne_axial(mat3 A, const par K[6])
{
    const par xx = K[0], xy = K[1], xz = K[2], yy = K[3], yz = K[4], zz = K[5];
    return v3(add(sub(mulc(yy, A.zy), mulc(zz, A.yz)), add(sub(mulc(xy, A.zx), mulc(xz, A.yx)), mulc(yz, sub(A.zz, A.yy)))),
              add(sub(mulc(zz, A.xz), mulc(xx, A.zx)), add(sub(mulc(yz, A.xy), mulc(xy, A.zy)), mulc(xz, sub(A.xx, A.zz)))),
              add(sub(mulc(xx, A.yx), mulc(yy, A.xy)), add(sub(mulc(xz, A.yz), mulc(yz, A.xz)), mulc(xy, sub(A.yy, A.xx)))));
}

/* f + R f_i, n + R n_i + p x R f_i of the parent                                 [004 eq. 7.5, 7.6] */
INL void ne_into_parent(const robot *r, const work *k, const forms_work *f, int i, const num *q)
{
    const robot_link *l = &r->link[i];
    vec3 moment = f->moment[i];
    if (slides(l)) moment = v3_add(moment, z_cross(q[l->iq], f->force[i]));
    if (is_wide(l)) moment = v3_add(moment, v3_cross(wide_turn(l, k).wide->d, f->force[i]));
    const vec3 Rf = m3_mul(f->R[i], f->force[i]), Rn = m3_mul(f->R[i], moment);
    vec3 *force = &f->force[l->parent], *own = &f->moment[l->parent];
    *force = v3_add(*force, Rf);
    *own = v3_add(v3_add(*own, con3_cross(con3_at(l->p), Rf)), Rn);
}

/* torques from the forces and moments of the links in work                       [004 eq. 3.13] */
INL void ne_inward(const robot *r, const work *k, const forms_work *f, const num *q, num *tau)
{
    for (int i = r->n - 1; i >= 0; i--) {
        joint_project(&r->link[i], any_turn(&r->link[i], k), f->force[i], f->moment[i], tau);
        if (r->link[i].parent >= 0) ne_into_parent(r, k, f, i, q);
    }
}

#endif
