/* SPDX-License-Identifier: MIT
 *
 * newton_euler.c - the two Newton-Euler sets of seed 004, which differ in the moment about the mass centre; accelerations go
 * through one matrix A = wd^ + w^ w^ per link in both. Frames: forms.h. Cost O(n).
 *
 * The first: N = I wd + w x I w [004 eq. 3.7-3.13, ERRATA part two 5.3]. The improved one, section 7, takes the axial part of
 * A K - (A K)' with K = Tr(I)/2 E - I; only that antisymmetric part is formed: six products where K is diagonal, fifteen where it
 * is full [004 eq. 7.1-7.6, ERRATA part two 5.3]. */
#include "algo/newton_euler.h"

INL void ne_torques(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd, int improved,
                    num *tau)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const ne_state *up = l->parent < 0 ? NULL : &f->link[l->parent].ne;
        const central_body *b = &f->body[i];
        ne_state *s = &f->link[i].ne;
        if (is_wide(l))
            ne_wide_motion(r, k, f, i, qd, qdd, s);
        else
            ne_motion(r, f, i, up, form_lift(r), q[l->iq], qd[l->iv], qdd[l->iv], s);
        if (improved)
            ne_force(b, ne_axial(s->A, b->K), s);
        else /* [004 eq. 3.12, first two terms] */
            ne_force(b, v3_add(tensor_mul(b->I, s->wd), v3_cross(s->w, tensor_mul(b->I, s->w))), s);
        f->force[i] = s->F;
        f->moment[i] = s->N;
    }
    ne_inward(r, k, f, q, tau);
}

void EXPORT(form_newton_euler)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                               num *tau)
{
    ne_torques(r, k, f, q, qd, qdd, 0, tau);
}

void EXPORT(form_turney)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                         num *tau)
{
    ne_torques(r, k, f, q, qd, qdd, 1, tau);
}
