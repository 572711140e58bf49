/* SPDX-License-Identifier: MIT
 *
 * limits_work.h - the memory that ARNE_LIMITS prepares: of an interpolation cycle (achievable.c) and of a hand (polytope.c). */
#ifndef PLAN_LIMITS_WORK_H
#define PLAN_LIMITS_WORK_H

#include "dynamics/data.h"
#include "plan/simplex.h"

typedef struct {
    const arne_model *m;
    double *H, *A, *S;          /* n x n: joints, motors, the part that is solved */
    double *u, *b;              /* n: bias at joints, motors */
    double *want, *speed;       /* n: desired accelerations and velocities of the joints */
    double *ask, *acc, *torque; /* n: desired and achieved accelerations, torques of the motors */
    double *low, *high;         /* n: torque range of the motors */
    double *x;                  /* n */
    int *at_limit;              /* n: -1, 0, 1 */
} cycle;

typedef struct {
    const arne_model *m;
    simplex program;         /* variables: torques, then accelerations of the joints that have a limit, all between -1 and 1 */
    double *M, *W, *J;       /* M factored; W: M^-1 J^-T (n x n); L: 6 x n */
    double *h, *qdd, *speed; /* n: bias; acceleration in the middle of the box; motors */
    double *low, *top, *middle, *half; /* n: torques */
    double *a, *torque;                /* n */
    double *hand;                      /* 6 x n: acceleration of the hand for a torque */
} polytope;

struct limits_work {
    cycle cycle;
    polytope polytope;
};

/* NULL: the data is not prepared */
static inline struct limits_work *limits_of(const arne_data *d) { return d->more ? d->more->limits : NULL; }

#endif
