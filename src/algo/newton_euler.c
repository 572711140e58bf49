/* SPDX-License-Identifier: MIT
 *
 * newton_euler.c - the Newton-Euler set of seed 004: N = I wd + w x I w about the mass centre, accelerations through
 * A = wd^ + w^ w^. [004 eq. 3.7-3.13, ERRATA part two 5.3]; frames: forms.h. Cost O(n). */
#include "algo/newton_euler.h"

INL vec3 euler_tensor(const par I[6], vec3 v)
{
    return v3(v3_dotc((con3){I[0], I[1], I[2]}, v), v3_dotc((con3){I[1], I[3], I[4]}, v), v3_dotc((con3){I[2], I[4], I[5]}, v));
}

void EXPORT(form_newton_euler)(const robot *r, const work *k, const forms_work *f, const num *q, const num *qd, const num *qdd,
                               num *tau)
{
    (void)k;
    for (int i = 0; i < r->n; i++) {
        const int up = r->link[i].parent;
        const central_body *b = &f->body[i];
        ne_state *s = &f->link[i].ne;
        ne_motion(r, f, i, up < 0 ? NULL : &f->link[up].ne, form_lift(r), q[i], qd[i], qdd[i], s);
        /* [004 eq. 3.12, first two terms] */
        ne_force(b, v3_add(euler_tensor(b->I, s->wd), v3_cross(s->w, euler_tensor(b->I, s->w))), s);
        f->force[i] = s->F;
        f->moment[i] = s->N;
    }
    ne_inward(r, f, q, tau);
}
