/* SPDX-License-Identifier: MIT
 *
 * frames.h - canonical frames: modified Denavit-Hartenberg (Khalil-Kleinfinger) frames for any tree.
 *
 * z on the joint axis, x on the common normal to the axis of the main child, gamma only for the other children. Where the common
 * normal is far away (axes nearly parallel) the origin stays near the robot and only the rotation keeps its form. */
#ifndef DESCRIBE_FRAMES_H
#define DESCRIBE_FRAMES_H

#include "describe/tree.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* Parent frame to link frame: Rz(gamma) Rx(alpha) Rz(theta) and p, then the motion about or along z. */
typedef struct {
    arne_pose frame; /* canonical frame in the frame of the first link of the body (the frame of the file) */
    double cg, sg;   /* cosine and sine of gamma, of alpha, of theta at q = 0 */
    double ca, sa;
    double ct, st;
    double p[3];    /* origin in the parent frame at q = 0 */
    bool dh;        /* p = Rz(gamma) (d, -r sin(alpha), b + r cos(alpha)) holds with moderate b, d, r */
    double b, d, r; /* valid if dh */
} canonical_frame;

/* One frame per body. The parent frame of a body on the base is the frame of the root link. False: out of memory. */
bool arne__frames_choose(const arne_description *d, const robot_tree *t, canonical_frame *out);

#pragma GCC visibility pop
#endif
