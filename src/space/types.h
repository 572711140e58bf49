/* SPDX-License-Identifier: MIT
 *
 * types.h - vectors and tensors of the current kind: `vec3` varies, `con3` belongs to the robot, a turn about an axis is kept as
 * cosine and sine, a symmetric tensor as six numbers. */
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
    num c, s;
} turn;

typedef struct {
    num xx, xy, xz, yy, yz, zz;
} sym3;

typedef struct {
    num xx, xy, xz, yx, yy, yz, zx, zy, zz;
} mat3;

#endif
