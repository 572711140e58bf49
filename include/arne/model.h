/* SPDX-License-Identifier: MIT
 *
 * model.h - a robot ready to compute with: built once, const from then on, shared between threads.
 *
 * Joints are numbered depth first, in file order, moving joints only. Links keep the names and frames of the file; link 0 is the
 * base. Inside, the model works in modified-DH frames of its own choice; no user sees them.
 *
 * A position has nq numbers, a velocity nv, joint after joint. A revolute or prismatic joint has one of each. A spherical joint
 * has a unit quaternion qx qy qz qw and the angular velocity wx wy wz in the axes of its link. A free joint has the place of its
 * link's origin x y z, a quaternion, and the velocity of that origin vx vy vz and wx wy wz in the axes of its link; accelerations
 * are the time derivatives of these numbers, torques the force and moment on the link in its axes. */
#ifndef ARNE_MODEL_H
#define ARNE_MODEL_H

#include <stdint.h>

#include "arne/description.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct arne_model arne_model;

typedef struct {
    size_t size; /* sizeof of this struct */
    bool strict; /* a body that cannot exist (negative mass, inertia not positive definite, ...) is an error, not a warning */
    bool body;   /* a robot without a joint that moves is a body, not an error: names, masses, poses, vectors without entries;
                    what moves robots (plans, controllers, observers, codegen, ...) is not for it */
} arne_model_options;

/* Builds a model; the description may be freed afterwards. Adds warnings about bodies that cannot exist to the description.
 * options may be NULL. */
arne_status arne_model_build(arne_description *d, const arne_model_options *options, arne_model **out, arne_error *error);
void arne_model_free(arne_model *m);

const char *arne_model_name(const arne_model *m);
/* A number that is another one where a link, joint, motor, spring or limit of the robot is; not of its names. */
uint64_t arne_model_fingerprint(const arne_model *m);
int arne_model_nq(const arne_model *m);  /* numbers of a position */
int arne_model_nv(const arne_model *m);  /* of a velocity, acceleration, torque */
int arne_model_dof(const arne_model *m); /* nv */

bool arne_model_floats(const arne_model *m); /* a free joint stands on the base */

/* joints that move by themselves, i = 0 ... joints-1 */
int arne_model_joints(const arne_model *m);   /* dof, unless one has several freedoms */
int arne_joint_q(const arne_model *m, int i); /* its first number of a position, of a velocity */
int arne_joint_v(const arne_model *m, int i);
/* Joints that follow (URDF: mimic), i = joints ... joints+followers-1: q = ratio q_master + offset. They have no numbers of a
 * position or velocity; arne_joint_q and arne_joint_v are their master's. What they weigh and what rubs in them, the master
 * feels; limits of theirs are not used. */
int arne_model_followers(const arne_model *m);
int arne_follower_find(const arne_model *m, const char *name); /* -1: no such joint follows */
int arne_joint_master(const arne_model *m, int i);             /* -1: it moves by itself */
double arne_joint_ratio(const arne_model *m, int i);
double arne_joint_offset(const arne_model *m, int i);
/* bodies, depth first: what joints move, those that follow too; joint wrenches and inertial parameters are in this order */
int arne_model_bodies(const arne_model *m); /* joints + followers */
int arne_body_joint(const arne_model *m, int body);
const char *arne_joint_name(const arne_model *m, int i);
/* Numbers of a position, 0 ... nq-1, and of a velocity, 0 ... nv-1: the joint's name, or with what it is of a joint of several
 * freedoms, "base.x" ... "base.qw", "base.vx" ... "base.wz". */
const char *arne_position_name(const arne_model *m, int i);
const char *arne_velocity_name(const arne_model *m, int v);
int arne_velocity_joint(const arne_model *m, int v);         /* the joint it belongs to */
arne_joint_type arne_joint_kind(const arne_model *m, int i); /* of those that move */
int arne_joint_parent(const arne_model *m, int i);           /* joint that carries this one, -1: none */
int arne_joint_link(const arne_model *m, int i);             /* the link it moves, an index into the links */
int arne_joint_find(const arne_model *m, const char *name);  /* -1: no such joint moves by itself */
const arne_limits *arne_joint_limits(const arne_model *m, int i);
const arne_motor *arne_joint_motor(const arne_model *m, int i);
const arne_friction *arne_joint_friction(const arne_model *m, int i);
const arne_elastic *arne_joint_elastic(const arne_model *m, int i);

/* links, 0 (the base) ... nlink-1, depth first in file order */
int arne_model_links(const arne_model *m);
const char *arne_link_name(const arne_model *m, int link);
int arne_link_find(const arne_model *m, const char *name); /* -1: no such link */
/* The link that is meant where nobody names one: the description's, or the deepest beyond the last joint that moves, of equals
 * the last. */
int arne_model_tip(const arne_model *m);
int arne_link_joint(const arne_model *m, int link); /* nearest moving joint at or above the link, -1: part of the base */
const arne_body *arne_link_body(const arne_model *m, int link);

/* What moves this robot and is not modelled, a loop or a spring of its file: one sentence; NULL: nothing. Forward dynamics
 * answers ARNE_UNSUPPORTED then, unless friction is switched off (arne_set_rigid): what is left is a robot without it. */
const char *arne_model_unmodelled(const arne_model *m);
double arne_model_mass(const arne_model *m); /* of all links, kg */
const double *arne_model_gravity(const arne_model *m);

/* Is this a body that can exist? NULL, or one sentence that says why not (static text). */
const char *arne_body_fault(const arne_body *b);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
