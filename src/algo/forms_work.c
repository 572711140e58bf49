/* SPDX-License-Identifier: MIT
 *
 * forms_work.c - work memory of the formulations in one block, and the rotation matrices of all links. */
#include "algo/forms.h"
#include "base/layout.h"

size_t EXPORT(forms_work)(int joints, void *memory, forms_work *f)
{
    const size_t n = (size_t)joints;
    size_t used = 0;
    f->R = layout_next(memory, &used, n, sizeof(mat3));
    f->body = NULL;
    f->link = layout_next(memory, &used, n, sizeof(form_state));
    f->second = layout_next(memory, &used, n, sizeof(ne_state));
    f->force = layout_next(memory, &used, n, sizeof(vec3));
    f->moment = layout_next(memory, &used, n, sizeof(vec3));
    f->row = layout_next(memory, &used, n, sizeof(num));
    f->matrix = layout_next(memory, &used, n * n, sizeof(num));
    f->pair = layout_next(memory, &used, n * n, sizeof(form_pair));
    return used;
}

/* Rz(gamma) Rx(alpha) Rz(theta), and the constant base frame times Rz(theta) for a link on the base */
void EXPORT(rotations)(const robot *r, const work *k, const forms_work *f, const num *q)
{
    joint_turns(r, k, q);
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const turn t = joint_turn(l, k);
        const num zero = of(0);
        if (is_wide(l)) {
            f->R[i] = wide_turn(l, k).wide->R;
        } else if (l->parent < 0) {
            const par *B = robot_base(r, l->base)->R;
            const vec3 x = v3(t.c, t.s, zero), y = v3(neg(t.s), t.c, zero);
            f->R[i] = m3_columns(rot_of(B, x), rot_of(B, y), v3_of((con3){B[2], B[5], B[8]}));
        } else {
            f->R[i] = m3_columns(into_parent(l, t, v3(of(1), zero, zero)), into_parent(l, t, v3(zero, of(1), zero)),
                                 into_parent(l, t, v3(zero, zero, of(1))));
        }
    }
}
