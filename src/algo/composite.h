/* SPDX-License-Identifier: MIT
 *
 * composite.h - columns of the inertia matrix from composite bodies: what crba.c and crba_lean.c share. */
#ifndef ALGO_COMPOSITE_H
#define ALGO_COMPOSITE_H

#include "algo/joint.h"

/* the wrench for unit acceleration of freedom c of a joint: e x MS and J e, or M e and MS x e */
INL void crba_unit(const robot_link *l, turn t, int c, const crba_state *s, vec3 *f, vec3 *m)
{
    if (t.wide) {
        const int way = joint_way(l, c);
        const vec3 e = v3_unit(way % 3);
        *f = way < 3 ? v3_scale(s->M, e) : v3_cross(e, s->MS);
        *m = way < 3 ? v3_cross(s->MS, e) : s3_mul(s->J, e);
    } else if (revolves(l)) {
        *f = v3(neg(s->MS.y), s->MS.x, of(0));
        *m = v3(s->J.xz, s->J.yz, s->J.zz);
    } else {
        *f = v3(of(0), of(0), s->M);
        *m = v3(s->MS.y, neg(s->MS.x), of(0));
    }
}

/* entries (v, u) and (u, v) for the velocities u of a joint below */
INL void crba_below(const robot_link *l, turn t, int n, int v, vec3 f, vec3 m, num *M)
{
    num *row = M + v * n;
    joint_project(l, t, f, m, row);
    for (int u = l->iv; u < l->iv + (t.wide ? l->nv : 1); u++) M[u * n + v] = row[u];
}

#endif
