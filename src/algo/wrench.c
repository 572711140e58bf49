/* SPDX-License-Identifier: MIT
 *
 * wrench.c - external wrenches, given in the axes of a named link or of the world, brought to the frames of the links. */
#include "algo/joint.h"
#include "algo/texts.h"

void EXPORT(wrenches)(const robot *r, const work *k, const num *q)
{
    if (r->nwrench < 0) return; /* given */
    for (int i = 0; i < r->n; i++) k->force[i] = k->moment[i] = v3_zero();
    for (int e = 0; e < r->nwrench; e++) {
        const arne_wrench *w = robot_wrench(r, e);
        const named_frame *f = robot_frame(r, w->link);
        if (f->body < 0) continue; /* on the base: no joint feels it */
        vec3 force = v3(of(w->force[0]), of(w->force[1]), of(w->force[2]));
        vec3 moment = v3(of(w->moment[0]), of(w->moment[1]), of(w->moment[2]));
        vec3 at = v3(of(w->point[0]), of(w->point[1]), of(w->point[2]));
        if (w->frame != ARNE_LOCAL) {
            /* into link axes: R'v, R the pose of the link */
            num R[9], p[3];
            EXPORT(frame_pose)(r, k, q, w->link, R, p);
            const vec3 x = v3(R[0], R[3], R[6]), y = v3(R[1], R[4], R[7]), z = v3(R[2], R[5], R[8]), o = v3(p[0], p[1], p[2]);
            force = v3(v3_dot(x, force), v3_dot(y, force), v3_dot(z, force));
            moment = v3(v3_dot(x, moment), v3_dot(y, moment), v3_dot(z, moment));
            if (w->frame == ARNE_WORLD) at = v3_neg(v3(v3_dot(x, o), v3_dot(y, o), v3_dot(z, o)));
        }
        /* to the body's frame and origin: the moment of a force at p + R at */
        force = rot_of(f->R, force);
        moment = rot_of(f->R, moment);
        at = v3_add(rot_of(f->R, at), v3_of(con3_at(f->p)));
        k->force[f->body] = v3_add(k->force[f->body], force);
        k->moment[f->body] = v3_add(k->moment[f->body], v3_add(moment, v3_cross(at, force)));
    }
}
