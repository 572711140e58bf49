/* SPDX-License-Identifier: MIT
 *
 * model.h - the inside of an arne_model: what the texts read (robot.h) and what a user asks for by name. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "arne/model.h"
#include "base/arena.h"
#include "describe/body.h"
#include "model/robot.h"

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
    int n, nlink, nbase;
    link *link;         /* n: as the file says, without payload */
    base_frame *base;   /* nbase */
    named_frame *frame; /* nlink */
    int *chain;         /* n */
    turn_table turns;   /* but for the function of the machine, which a data object adds */
    double *transmission, *drive, *rotor, *motor_fv, *motor_fc; /* NULL: every motor drives its own joint */
    model_joint *joint;                                         /* n */
    model_link *named;                                          /* nlink */
    double gravity[3], mass;
};

/* mass, first moments and inertia of a link and what follows from them */
void arne__link_inertia(link *l, const origin_inertia *j);
/* friction law and rotor of a joint; motor NULL: none of its own */
void arne__link_law(link *l, const arne_friction *f, const arne_motor *motor);
/* -g in the frames of the links that stand on the base */
void arne__base_gravity(base_frame *b, int count, const double g[3]);

#endif
