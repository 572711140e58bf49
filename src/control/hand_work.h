/* SPDX-License-Identifier: MIT
 *
 * hand_work.h - what hand.c, ik.c and hand_path.c share: the scratch memory of a hand. */
#ifndef CONTROL_HAND_WORK_H
#define CONTROL_HAND_WORK_H

#include "arne/hand.h"
#include "base/arena.h"

struct arne_hand {
    arena *memory;
    const arne_model *m;
    int link, n;
    int rank[2];                     /* of the first three and of all six rows of J at most positions */
    double *J, *A;                   /* 6 x n */
    double *M;                       /* n x n, Cholesky factor of the inertia matrix */
    double *q, *guess, *best, *step; /* n */
    bool *held;                      /* n: at a limit and pushing against it */
};

/* hand.c: joint velocity L^+ v of the target and its rate L^+ (a - Jdot L^+ v), to which the wish of the options is added where
 * the link leaves freedom. A target at rest asks for nothing, singular position or not. Returns as arne_hand_joint_velocity. */
double arne__hand_reference(arne_hand *h, arne_data *d, const double *q, const double *qd, const arne_hand_target *target,
                            const arne_hand_options *options, double *qdr, double *qddr);

/* ik.c: from q (within the limits) downhill to the target; the distance that is left, largest entry of the pose error. */
double arne__ik_descend(arne_hand *h, arne_data *d, const arne_pose *target, int rows, double *q, double error[6]);
/* Fills `error`: how near q comes and which joints stand in the way. */
arne_status arne__ik_failed(arne_hand *h, arne_data *d, const double *q, int rows, const double off[6], const char *where,
                            arne_error *error);

/* A pose is reached when position (m) and rotation (rad) are as near as this. */
#define IK_REACHED 1e-9

#endif
