/* SPDX-License-Identifier: MIT
 *
 * walk.h - the walk from a named link up to the base: its origin o and axes x, y, z, seen from the frame that is reached. */
#ifndef ALGO_WALK_H
#define ALGO_WALK_H

#include "algo/joint.h"

typedef struct {
    vec3 o, x, y, z;
} kin_frame;

INL kin_frame kin_start(const named_frame *f)
{
    const par *R = f->R;
    return (kin_frame){v3_of(con3_at(f->p)), v3_of((con3){R[0], R[3], R[6]}), v3_of((con3){R[1], R[4], R[7]}),
                       v3_of((con3){R[2], R[5], R[8]})};
}

INL kin_frame kin_step(const robot *r, const num *q, const robot_link *l, turn t, kin_frame f)
{
    f.o = joint_moved(l, t, q, f.o);
    if (l->parent < 0) {
        const con3 p = con3_at(robot_base(r, l->base)->p);
        return (kin_frame){v3_add(v3_of(p), into_world(r, l, t, f.o)), into_world(r, l, t, f.x), into_world(r, l, t, f.y),
                           into_world(r, l, t, f.z)};
    }
    return (kin_frame){v3_add(v3_of(con3_at(l->p)), into_parent(l, t, f.o)), into_parent(l, t, f.x), into_parent(l, t, f.y),
                       into_parent(l, t, f.z)};
}

INL kin_frame kin_up(const robot *r, const work *k, const num *q, int i, kin_frame f)
{
    AT_JOINT(1, &r->link[i], k, f = kin_step(r, q, &r->link[i], t, f));
    return f;
}

#endif
