/* SPDX-License-Identifier: MIT
 *
 * hand_work.h - what hand.c, ik.c and hand_path.c share: the memory that ARNE_HANDS prepares. */
#ifndef CONTROL_HAND_WORK_H
#define CONTROL_HAND_WORK_H

#include "arne/hand.h"
#include "base/fail.h"

typedef struct hand_work {
    const arne_model *m;
    int link, n, nq; /* link: of this call */
    int *at, *joint; /* n: position and joint of a velocity; at -1: of a joint of several freedoms, which stays where it is */
    unsigned char (
        *rank)[2]; /* of every link, of the first three and of all six rows of J at most positions, and 1; 0: not known */
    double *J, *A; /* 6 x n */
    double *M;     /* n x n, Cholesky factor of the inertia matrix */
    double *q, *guess, *best; /* nq */
    double *step, *scale;     /* n */
    bool *held;               /* n: at a limit and pushing against it */
} hand_work;

/* hand.c: ARNE_BAD_ARGUMENT: no data, no such link; ARNE_NOT_PREPARED */
arne_status arne__hand_open(arne_data *d, int link, hand_work **out);
/* joint velocity L^+ v of the target and its rate L^+ (a - Jdot L^+ v), to which the wish of the options is added where the link
 * leaves freedom. A target at rest asks for nothing, singular position or not. */
arne_status arne__hand_reference(arne_data *d, int link, const double *q, const double *qd, const arne_hand_target *target,
                                 const arne_hand_options *options, double *qdr, double *qddr, double *ratio);

/* hand_path.c: the pose at the part s of the way, turned about one axis */
arne_pose arne__hand_between(const arne_pose *a, const arne_pose *b, double s);

/* ik.c: from q (within the limits) downhill to the target; the distance that is left, largest entry of the pose error. */
double arne__ik_descend(hand_work *h, arne_data *d, const arne_pose *target, int rows, double *q, double error[6]);
/* Fills `error`: what the link did not do, how near q comes and which joints are pushed against their limits there. */
arne_status arne__ik_failed(hand_work *h, arne_data *d, const double *q, int rows, const double off[6], const char *what,
                            arne_error *error);

/* A pose is reached when position (m) and rotation (rad) are as near as this. */
#define IK_REACHED 1e-9

#endif
