/* SPDX-License-Identifier: MIT
 *
 * rollouts.h - rollouts of robots under test, which must succeed. */
#ifndef ROLLOUT_ROLLOUTS_H
#define ROLLOUT_ROLLOUTS_H

#include <stdlib.h>

#include "kinds/settings.h"

enum { N = MOST_DOF, K = 5 };

/* what a rollout may give, in plenty */
typedef struct {
    double positions[(K + 1) * N], velocities[(K + 1) * N], A[K * 4 * N * N], B[K * 2 * N * N];
    double by_start[(K + 1) * 4 * N * N], by_tau[(K + 1) * 2 * N * K * N], by_parameters[(K + 1) * 2 * N * 13 * N];
    int done;
} results;

static inline results *new_results(void)
{
    results *x = calloc(1, sizeof *x);
    assert_non_null(x);
    return x;
}

static inline arne_rollout *begin(const subject *s, arne_rule rule, double step)
{
    const arne_rollout_options o = {.size = sizeof o, .rule = rule, .step = step, .parameters = true};
    arne_rollout *r;
    assert_int_equal(arne_rollout_new(s->settings, &o, &r, NULL), ARNE_OK);
    return r;
}

static inline void go(arne_rollout *r, int steps, bool every, const double *q, const double *qd, const double *tau, results *out)
{
    const arne_rollout_arrays x = {.size = sizeof x,
                                   .steps = steps,
                                   .every = every,
                                   .q = q,
                                   .qd = qd,
                                   .tau = tau,
                                   .positions = out->positions,
                                   .velocities = out->velocities,
                                   .A = out->A,
                                   .B = out->B,
                                   .by_start = out->by_start,
                                   .by_tau = out->by_tau,
                                   .by_parameters = out->by_parameters,
                                   .done = &out->done};
    assert_int_equal(arne_rollout_run(r, 1, &x), ARNE_OK);
    assert_int_equal(out->done, steps);
    assert_int_equal(arne_rollout_joint(r), -1);
}

/* the last state alone */
static inline void last_state(const subject *s, arne_rollout *r, int steps, const double *q, const double *qd, const double *tau,
                              double *end)
{
    double P[(K + 1) * N], V[(K + 1) * N];
    const arne_rollout_arrays x = {
        .size = sizeof x, .steps = steps, .q = q, .qd = qd, .tau = tau, .positions = P, .velocities = V};
    assert_int_equal(arne_rollout_run(r, 1, &x), ARNE_OK);
    memcpy(end, P + steps * s->nq, (size_t)s->nq * sizeof *end);
    memcpy(end + s->nq, V + steps * s->n, (size_t)s->n * sizeof *end);
}

/* a state as seen from another, along velocities: 2 nv */
static inline void seen_from(const subject *s, const double *from, const double *x, double *out)
{
    arne_difference(s->m, from, x, out);
    for (int i = 0; i < s->n; i++) out[s->n + i] = x[s->nq + i] - from[s->nq + i];
}

typedef struct {
    motion x;
    double tau[K * N];
} start;

static inline start a_start(subject *s, int k)
{
    start at = {.x = subject_motion(s, k)};
    for (int i = 0; i < K * s->n; i++) at.tau[i] = random_between(&s->r, -3, 3);
    for (int i = 0; i < s->n; i++) /* friction is not smooth at rest */
        at.x.qd[i] = copysign(random_between(&s->r, 0.6, 1.2), random_between(&s->r, -1, 1));
    return at;
}

/* C = A B (n x n, n x width) */
static inline void multiply(int n, const double *A, const double *B, int width, double *C)
{
    for (int i = 0; i < n; i++)
        for (int c = 0; c < width; c++) {
            C[i * width + c] = 0;
            for (int j = 0; j < n; j++) C[i * width + c] += A[i * n + j] * B[j * width + c];
        }
}

#endif
