/* SPDX-License-Identifier: MIT
 *
 * body.h - rigid bodies moved to other axes and joined together.
 *
 * Two forms of one mass distribution: arne_body (mass, centre of mass, inertia about it) and origin_inertia (mass, first moments,
 * inertia about the frame origin), the linear parameters of [003 eq. 9.13]. Masses may be zero in all functions. */
#ifndef DESCRIBE_BODY_H
#define DESCRIBE_BODY_H

#include "arne/description.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    double m;
    double h[3]; /* m c */
    double I[6]; /* about the frame origin, tensor entries xx xy xz yy yz zz */
} origin_inertia;

/* I += m ((v.v) 1 - v v'), Steiner's term of a mass m at v; m < 0 takes it away. */
void arne__add_steiner(double I[6], double m, const double v[3]);

/* The same body in the outer axes of `pose`. `out` may be `in`. */
void arne__body_transform(const arne_pose *pose, const arne_body *in, arne_body *out);

/* Joins `b` to `sum`; both in the same axes. Inertia is moved by the distance of the two centres only, so that bodies far from
 * the origin lose no digits. */
void arne__body_add(arne_body *sum, const arne_body *b);

/* J = I_c - m C C with C the cross product matrix of the centre of mass [003 eq. 9.12]. */
origin_inertia arne__body_about_origin(const arne_body *b);

/* And back. Returns false where mass is zero and first moments are not: no body has these moments. */
bool arne__body_from_origin(const origin_inertia *j, arne_body *out);

#pragma GCC visibility pop
#endif
