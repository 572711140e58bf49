/* SPDX-License-Identifier: MIT
 *
 * tree.h - a description's joints put in order: depth first in file order, fixed joints merged into the body that carries them.
 */
#ifndef DESCRIBE_TREE_H
#define DESCRIBE_TREE_H

#include "arne/description.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* "link" and "joint" are indices into the description; "body" counts the joints that move, depth first: a body is all links that
 * hang on its joint by fixed joints. */
typedef struct {
    int nbody;
    int *link_order;    /* nlink: links depth first, [0] is the root */
    int *link_joint;    /* nlink: joint whose child the link is, -1 for the root */
    int *link_body;     /* nlink: body the link belongs to, -1 for the base */
    arne_pose *link_at; /* nlink: link frame in the frame of its body's first link (base: of the root link) */
    int *joint_parent;  /* njoint: parent link */
    int *joint_child;   /* njoint: child link */
    int *joint_master;  /* njoint: joint that it follows, -1: it moves by itself, or is fixed */
    int *body_joint;    /* nbody: the joint that moves it */
    int *body_parent;   /* nbody: body that carries it, -1 base */
    int tip;            /* link that is meant where nobody names one: arne_model_tip */
    int *moving;        /* nbody: body of the k-th moving joint of the file (row k of the transmission matrix) */
} robot_tree;

/* several freedoms */
static inline bool arne__joint_is_wide(arne_joint_type type) { return type == ARNE_SPHERICAL || type == ARNE_FREE; }

/* Fails with the line of the culprit: no link, no root, two roots, a loop, an unknown or a doubled name, a link with two parents,
 * joints that follow none, themselves or each other. */
arne_status arne__tree_build(const arne_description *d, robot_tree **out, arne_error *error);
void arne__tree_free(robot_tree *t);

#pragma GCC visibility pop
#endif
