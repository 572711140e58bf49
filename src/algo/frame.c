/* SPDX-License-Identifier: MIT
 *
 * frame.c - where a named link is; all that a wrench on it needs of kinematics. */
#include "algo/texts.h"
#include "algo/walk.h"

void EXPORT(frame_pose)(const robot *r, const work *k, const num *q, int f, num R[9], num p[3])
{
    kin_frame at = kin_start(robot_frame(r, f));
    for (int i = robot_frame(r, f)->body; i >= 0; i = r->link[i].parent) at = kin_up(r, k, q, i, at);
    R[0] = at.x.x, R[1] = at.y.x, R[2] = at.z.x;
    R[3] = at.x.y, R[4] = at.y.y, R[5] = at.z.y;
    R[6] = at.x.z, R[7] = at.y.z, R[8] = at.z.z;
    p[0] = at.o.x, p[1] = at.o.y, p[2] = at.o.z;
}
