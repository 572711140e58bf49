/* SPDX-License-Identifier: MIT
 *
 * modified_newton_euler.c - the improved set of seed 004, section 7: one matrix A = wd^ + w^ w^ per link serves the accelerations
 * and the moment. [004 eq. 7.1-7.6, ERRATA part two 5.3]
 *
 * The moment about the mass centre is the axial part of A K - (A K)' with K = Tr(I)/2 E - I; only that antisymmetric part is
 * formed: six products where K is diagonal, fifteen where it is full. Frames: forms.h. Cost O(n). */
#include "algo/newton_euler.h"

void EXPORT(form_turney)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                         num *tau)
{
    (void)k;
    for (int i = 0; i < r->n; i++) {
        const int up = r->link[i].parent;
        const central_body *b = &f->body[i];
        ne_state *s = &f->link[i].ne;
        ne_motion(r, f, i, up < 0 ? NULL : &f->link[up].ne, form_lift(r), q[i], qd[i], qdd[i], s);
        ne_force(b, ne_axial(s->A, b->K), s);
        f->force[i] = s->F;
        f->moment[i] = s->N;
    }
    ne_inward(r, f, q, tau);
}
