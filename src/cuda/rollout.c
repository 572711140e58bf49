/* SPDX-License-Identifier: MIT
 *
 * rollout.c - rollouts on a device: all steps in one kernel; with Jacobians some steps at a time, of which every stage is kept,
 * then derivatives of forward dynamics at all of these stages at once, then a thread a column of every step. */
#include <math.h>

#include "base/options.h"
#include "cuda/cuda.h"

enum { ROLLOUT_BLOCK = 64, SCRATCH_MOST = 1 << 30 };                      /* threads; bytes, unless one step needs more */
enum { STEPS, STAGES, AFTER, KEEP, FROM, LAST };                          /* as in rollout.cuh */
enum { Q, QD, TAU, REFERENCE, KP, KD, LIMIT, PARAMETERS, SLOPES, GIVEN }; /* in */
enum { OUT_Q, OUT_QD, POSITIONS, VELOCITIES, STAGE_Q, STAGE_QD, STAGE_TAU, OUTS }; /* out */

static arne_status check(arne_cuda *c, const arne_cuda_rollout_arrays *x)
{
    if (!c->rollout) return arne__cuda_say(c, ARNE_NOT_PREPARED, "rollouts need fd: name it in `what` when the robot is opened");
    if ((x->A || x->B || x->by_start) && !arne__cuda_kernel(c, "dfd"))
        return arne__cuda_say(c, ARNE_NOT_PREPARED, "Jacobians of rollouts need dfd: name it in `what` when the robot is opened");
    if (!x->q || !x->qd || (!x->tau && !(x->reference && x->kp && x->kd)) || (c->o.live && !x->parameters))
        return arne__cuda_say(c, ARNE_BAD_ARGUMENT,
                              "a rollout needs q and qd, torques or a law, and parameters where they are live");
    if (x->by_start && !x->A) return arne__cuda_say(c, ARNE_BAD_ARGUMENT, "by_start needs a place for A");
    if ((unsigned)x->rule >= ARNE_RULES || !(x->step > 0) || !isfinite(x->step) || x->steps < 0 || x->keep < 0)
        return arne__cuda_say(c, ARNE_BAD_ARGUMENT, "the rule, the step or the number of steps of a rollout is none");
    return ARNE_OK;
}

/* so many bytes of the device's memory, at least */
static arne_status scratch(arne_cuda *c, size_t bytes)
{
    uintptr_t at = 0;
    if (bytes <= c->scratch_bytes) return ARNE_OK;
    if (c->scratch) c->d.cuMemFree_v2((uintptr_t)c->scratch);
    c->scratch = NULL;
    c->scratch_bytes = 0;
    const arne_status status =
        arne__cuda_answer(c, c->d.cuMemAlloc_v2(&at, bytes), "the device has not enough memory for a rollout");
    if (!status) c->scratch = (void *)at, c->scratch_bytes = bytes;
    return status;
}

/* numbers of the device's memory, one after the other */
static void *next(arne_cuda *c, size_t *used, size_t numbers)
{
    void *at = (char *)c->scratch + *used;
    *used += numbers * arne__cuda_real(c);
    return at;
}

/* Derivatives of the steps that were made last, from their stages. */
static arne_status step_jacobians(arne_cuda *c, void *stream, const arne_cuda_rollout_arrays *x, const job *rolled, size_t states,
                                  void *slopes)
{
    const unsigned n = (unsigned)arne_model_nv(c->model);
    arne_cuda_state at = {.q = rolled->out[STAGE_Q], .qd = rolled->out[STAGE_QD], .tau = rolled->out[STAGE_TAU]};
    at.parameters = x->parameters;
    const arne_status status = arne__cuda_states(c, arne__cuda_kernel(c, "dfd"), stream, states, (size_t)rolled->n, &at, slopes);
    if (status) return status;
    job j = *rolled;
    j.in[SLOPES] = slopes;
    j.in[GIVEN] = rolled->out[STAGE_TAU];
    j.in[QD] = rolled->out[OUT_QD];
    j.out[0] = x->A;
    j.out[1] = x->B;
    return arne__cuda_launch(c, c->step_column, stream, ROLLOUT_BLOCK, (size_t)j.n, 3 * n,
                             (unsigned)(j.count[LAST] - j.count[FROM]), 0, &j);
}

/* in the device's context */
static arne_status run(arne_cuda *c, void *stream, size_t count, const arne_cuda_rollout_arrays *x)
{
    const size_t n = (size_t)arne_model_nv(c->model), nq = (size_t)arne_model_nq(c->model), real = arne__cuda_real(c);
    const size_t stages = x->rule == ARNE_RULE_RK4 ? 4 : 1;
    const size_t between =
        x->A || x->B ? stages * count * (nq + 2 * n + 3 * n * n) : 0; /* numbers that a step leaves to others */
    size_t together = between ? SCRATCH_MOST / (between * real) : (size_t)x->steps, used = 0;
    if (between && together > 4096) together = 4096;
    if (together < 1) together = 1;
    if (together > (size_t)x->steps) together = (size_t)x->steps;
    arne_status status = scratch(c, ((nq + n) * count + between * together) * real + 1);
    if (status) return status;
    job j = {.n = (long)count,
             .count = {x->steps, (long)stages, x->rule == ARNE_RULE_SEMI_IMPLICIT, x->keep},
             .number = {x->step},
             .in = {x->q, x->qd, x->tau, x->reference, x->kp, x->kd, x->limit, x->parameters},
             .out = {next(c, &used, nq * count), next(c, &used, n * count), x->positions, x->velocities}};
    void *slopes = NULL;
    if (between) {
        for (int k = STAGE_Q; k <= STAGE_TAU; k++) j.out[k] = next(c, &used, stages * count * (k == STAGE_Q ? nq : n) * together);
        slopes = next(c, &used, 3 * stages * count * n * n * together);
    }
    const size_t shared = (arne__cuda_waiting(c) + (c->shared_parameters ? (size_t)c->nparameter : 0)) * real;
    int block = ROLLOUT_BLOCK;
    while (block > 1 && shared * (size_t)block > (size_t)c->most_shared) block /= 2;
    do {
        j.count[LAST] = j.count[FROM] + (long)together < x->steps ? j.count[FROM] + (long)together : x->steps;
        status = arne__cuda_launch(c, c->rollout, stream, block, count, 1, 1, shared * (size_t)block, &j);
        const size_t states = (size_t)(j.count[LAST] - j.count[FROM]) * stages * count;
        if (!status && between && states) status = step_jacobians(c, stream, x, &j, states, slopes);
        j.count[FROM] = j.count[LAST];
    } while (!status && j.count[LAST] < x->steps);
    if (status || !x->by_start) return status;
    const job chain = {.n = (long)count, .count = {x->steps}, .in = {x->A}, .out = {x->by_start}};
    return arne__cuda_launch(c, c->chain, stream, ROLLOUT_BLOCK, count, 2 * (unsigned)n, 1, 0, &chain);
}

arne_status arne_cuda_rollout(arne_cuda *c, void *stream, size_t count, const arne_cuda_rollout_arrays *arrays)
{
    arne_cuda_rollout_arrays x;
    if (!c || !arrays || options_take(&x, sizeof x, arrays)) return ARNE_BAD_ARGUMENT;
    arne_status status = check(c, &x);
    if (status || count == 0) return status;
    status = arne__cuda_enter(c);
    return status ? status : arne__cuda_leave(c, run(c, stream, count, &x));
}
