/* SPDX-License-Identifier: MIT
 *
 * rollout.h - steps of some rollouts side by side, and what is carried from one step to the next. */
#ifndef ROLLOUT_ROLLOUT_H
#define ROLLOUT_ROLLOUT_H

#include "arne/rollout.h"

enum { ROLLOUT_LANES = 8, ROLLOUT_STAGES = 4 };

/* a rule: how far along the last slope each stage stands, what each slope weighs */
typedef struct {
    int stages;
    double at[ROLLOUT_STAGES], weight[ROLLOUT_STAGES];
    bool after; /* q by the velocity after the step */
} rollout_rule;

/* a joint of several freedoms */
typedef struct {
    int at, nv;
} rollout_wide;

struct arne_rollout {
    int threads;
    arne_parts_fn *run;
    arne_rollout **others; /* of threads 1, 2, ... */
    arne_status status;    /* of its part */
    const arne_model *model;
    arne_data *data;
    double step;
    const rollout_rule *rule;
    int nq, nv, np; /* np: parameters, 0 where none are wanted */
    int nwide, joint;
    rollout_wide *wide;
    bool friction;
    /* of ROLLOUT_LANES rollouts, one after the other */
    double *q, *v, *tau;   /* the state where the step begins, its torques */
    double *u, *Q, *V;     /* a stage: q moved by u, and its velocity */
    double *slope, *sum;   /* of (u, v): 2 nv each */
    double *qdd, *D;       /* accelerations, their derivatives */
    double *dslope, *dsum; /* of slopes by (q, qd, tau, parameters): 2 nv x columns */
    double *carried;       /* x_k by x_0 and parameters: 2 nv x (2 nv + np) */
    /* of one */
    double *dx, *product, *Y; /* 2 nv x columns, 2 nv x (2 nv + np), nv x np */
    double *rows;             /* TANGENT_MOST x columns of each wide joint */
};

/* Columns of derivatives of a step, and of what is carried: whole vectors, the last of them zeros. */
static inline int rollout_whole(int columns) { return (columns + ROLLOUT_LANES - 1) / ROLLOUT_LANES * ROLLOUT_LANES; }
static inline int rollout_columns(const arne_rollout *r, int np) { return rollout_whole(3 * r->nv + np); }
static inline int rollout_width(const arne_rollout *r, int np) { return rollout_whole(2 * r->nv + np); }

/* steps.c: C += A B of matrices whose rows are so far apart */
void arne__rollout_multiply(const arne_rollout *r, int rows, int inner, int columns, const double *A, int a_apart,
                            const double *B, int b_apart, double *C, int c_apart);

/* steps.c: one step of the first `lanes` rollouts, from q, v, tau to q, v; np >= 0: with derivatives, by that many parameters
 * too, and of lane l what `each` is told: x_k+1 by x_k, tau and parameters in r->dx */
typedef void rollout_each(arne_rollout *r, int lane, int step, void *context);
arne_status arne__rollout_step(arne_rollout *r, int lanes, int step, int np, rollout_each *each, void *context);

#endif
