/* SPDX-License-Identifier: MIT
 *
 * follow.h - joints that follow others (URDF: mimic): q = ratio q_master + offset. */
#ifndef MODEL_FOLLOW_H
#define MODEL_FOLLOW_H

#include "describe/tree.h"

/* of a joint of the description; master: one that moves by itself, -1: this one does */
typedef struct {
    int master;
    double ratio, offset;
} follow_law;

/* The laws of all joints and how many follow; free(). */
arne_status arne__follow(const arne_description *d, const robot_tree *t, follow_law **out, int *count, arne_error *error);

#endif
