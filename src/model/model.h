/* SPDX-License-Identifier: MIT
 *
 * model.h - the inside of an arne_model: what the texts read (robot.h) and what a user asks for by name. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "arne/model.h"
#include "base/arena.h"
#include "base/fail.h"
#include "describe/body.h"
#include "model/robot.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    char *name;
    int link; /* the first link of its body */
    arne_limits limits;
    arne_motor motor;
    arne_friction friction;
    arne_elastic elastic;
    arne_pose after; /* from the link's axes into the joint's own, as the file has them */
    double axis[3];  /* in its own axes */
} model_joint;

typedef struct {
    char *name;
    arne_body body;
} model_link;

struct arne_model {
    arena *memory;
    char *name;
    int n, nq, nv, nlink; /* joints that move by themselves; their positions, velocities; links of the file */
    int *body;            /* of every joint, those that follow after the n others: its link in the robot */
    int *joint_of;        /* of every link in the robot: its joint */
    robot *robot;         /* as the file says, without payload */
    /* NULL: every motor drives its own joint; nv x nv: dq = J dq_m, and J^-1 (in the robot) */
    double *transmission;
    const double *drive;
    model_joint *joint;                    /* n, then those that follow */
    char **position_name, **velocity_name; /* nq, nv */
    model_link *named;                     /* nlink */
    int tip;                               /* link that is meant where nobody names one */
    double gravity[3], mass;
    char *unmodelled; /* of the description */
};

/* ARNE_UNSUPPORTED, with a sentence that begins with `what`, where a joint has several freedoms */
arne_status arne__one_freedom_each(const arne_model *m, const char *what, arne_error *error);

/* the same where a joint follows another one */
arne_status arne__no_followers(const arne_model *m, const char *what, arne_error *error);

/* mass, first moments and inertia of a link and what follows from them */
void arne__link_inertia(robot_link *l, const origin_inertia *j);
/* Rz(gamma) Rx(alpha) Rz(theta), from cosine and sine of theta */
void arne__link_rotation(const robot_link *l, double c, double s, double R[9]);
/* friction law and rotor of a joint; motor NULL: none of its own */
void arne__link_law(robot_link *l, const arne_friction *f, const arne_motor *motor);
/* gravity of a robot, and -g in the frames of the links that stand on the base */
void arne__robot_gravity(robot *r, const double g[3]);

#pragma GCC visibility pop
#endif
