/* SPDX-License-Identifier: MIT
 *
 * rollout.h - motions in discrete steps from given torques, and their derivatives: for optimal control and identification.
 *
 * x = (q, qd) goes by a fixed step of time h with torques held over each step. Derivatives are of the discrete steps themselves,
 * exact to rounding: through every stage of the rule, by the analytic derivatives of forward dynamics. Those of x, and by x, are
 * along velocities: 2 nv numbers, dq as arne_integrate adds it (positions.h) and dqd.
 *
 * Gravity, payloads, switches and wrenches are those of the settings. Friction is that of arne_fd: no stiction (simulate.h). */
#ifndef ARNE_ROLLOUT_H
#define ARNE_ROLLOUT_H

#include "arne/batch.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum {
    ARNE_RULE_RK4,           /* the classical Runge-Kutta rule, of order four on spherical and free joints too */
    ARNE_RULE_EULER,         /* q by the velocity before the step */
    ARNE_RULE_SEMI_IMPLICIT, /* q by the velocity after the step */
    ARNE_RULES
} arne_rule;

typedef struct {
    size_t size; /* sizeof of this struct */
    arne_rule rule;
    double step;        /* h, seconds */
    bool parameters;    /* memory for by_parameters */
    int threads;        /* rollouts are split into so many parts, each with memory of its own; 0: 1 */
    arne_parts_fn *run; /* of these parts, e.g. arne_openmp (openmp.h); NULL: one after the other */
} arne_rollout_options;

typedef struct arne_rollout arne_rollout;

/* The memory of a caller, and of its threads; the settings are shared and must live longer. After it nothing allocates. */
arne_status arne_rollout_new(const arne_settings *s, const arne_rollout_options *options, arne_rollout **out, arne_error *error);
void arne_rollout_free(arne_rollout *r);

/* `count` rollouts of `steps` steps, one after the other in every array. Of one rollout, K = steps, matrices row major: */
typedef struct {
    size_t size; /* sizeof of this struct */
    int steps;
    bool every; /* by_... of every state x_0 ... x_K, one after the other; else of x_K alone */
    /* where it starts (nq, nv), torques (K x nv) */
    const double *q, *qd, *tau;
    /* each of these may be NULL */
    double *positions, *velocities; /* of x_0 ... x_K: (K + 1) x nq, (K + 1) x nv */
    double *A, *B;                  /* x_k+1 by x_k: K of 2 nv x 2 nv; by tau_k: K of 2 nv x nv */
    double *by_start;               /* by x_0: 2 nv x 2 nv */
    double *by_tau;                 /* by all torques: 2 nv x K nv; A and B must be given as well */
    double *by_parameters;          /* 2 nv x 13 bodies, columns as those of arne_regressor_friction (regressor.h) */
    int *done;                      /* one number: steps that were made */
} arne_rollout_arrays;

/* Several rollouts go side by side in SIMD lanes, and on threads: bit for bit the numbers of one. ARNE_SINGULAR, ARNE_NOT_FINITE:
 * forward dynamics of some has failed as arne_fd does; theirs are zeros after the states that were reached, `done` says how many,
 * their derivatives are zero, the others are right. */
arne_status arne_rollout_run(arne_rollout *r, size_t count, const arne_rollout_arrays *x);
/* of a rollout that failed: as arne_data_joint */
int arne_rollout_joint(const arne_rollout *r);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
