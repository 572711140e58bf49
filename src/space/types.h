/* SPDX-License-Identifier: MIT
 *
 * types.h - vectors and tensors of the current kind: `vec3` varies, `con3` belongs to the robot, a turn about an axis is kept as
 * cosine and sine, a symmetric tensor as six numbers, a joint of several freedoms as the placement it has come to. */
#ifndef SPACE_TYPES_H
#define SPACE_TYPES_H

#include "num/kind.h"

typedef struct {
    num x, y, z;
} vec3;

typedef struct {
    par x, y, z;
} con3;

typedef struct {
    num xx, xy, xz, yy, yz, zz;
} sym3;

typedef struct {
    num xx, xy, xz, yx, yy, yz, zx, zy, zz;
} mat3;

/* axes into the axes before, and the way that the origin went, in the axes it has come to */
typedef struct {
    mat3 R;
    vec3 d;
} placement;

typedef struct {
    num c, s;
    const placement *wide; /* not NULL: no turn about an axis, but this */
} turn;

#endif
