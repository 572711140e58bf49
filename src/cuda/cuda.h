/* SPDX-License-Identifier: MIT
 *
 * cuda.h - a robot on a device, and what its kernels are told. */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include "arne/cuda.h"
#include "arne/identify.h"
#include "base/text.h"
#include "cuda/driver.h"

enum { MOST_KERNELS = 64, BLOCK = 128, SMALL_BLOCK = 32 };

/* as in rollout.cuh */
typedef struct {
    long n, count[7];
    double number[2];
    const void *in[10];
    void *out[8];
} job;

typedef struct {
    int quantity, parts;
    void *function;
} kernel;

struct arne_cuda {
    driver d;
    int device, most_shared;
    bool retained;
    void *context, *module;
    const arne_model *model;
    arne_cuda_options o;
    kernel kernels[MOST_KERNELS];
    int count;
    void *rollout, *step_column, *chain, *mix; /* functions; NULL: it has none */
    bool shared_parameters;                    /* of rollouts: in shared memory */
    int nparameter;
    arne_base *base; /* of parameters; NULL: standard ones */
    void *scratch;   /* device memory between the kernels of a call */
    size_t scratch_bytes;
    char name[128], message[512];
};

/* text.c: the text for the compiler of CUDA, and what is in it. */
arne_status arne__cuda_text(arne_cuda *c, const arne_data *d, text_buffer *t, arne_error *error);
extern const char arne__cuda_rollout[], arne__cuda_tangent[]; /* rollout.cuh, tangent.cuh */

/* cuda.c. Work in the device's context, between these two; leave gives the status back. */
arne_status arne__cuda_enter(arne_cuda *c);
arne_status arne__cuda_leave(arne_cuda *c, arne_status status);
/* words of the driver's answer; ARNE_OK where it is 0 */
arne_status arne__cuda_answer(arne_cuda *c, int answer, const char *doing);
arne_status arne__cuda_say(arne_cuda *c, arne_status status, const char *words);
const kernel *arne__cuda_kernel(const arne_cuda *c, const char *quantity);
arne_status arne__cuda_launch(arne_cuda *c, void *function, void *stream, int block, size_t across, unsigned y, unsigned z,
                              size_t shared, const job *j);
/* a quantity; in the context. robots: state k has the parameters of robot k % robots */
arne_status arne__cuda_states(arne_cuda *c, const kernel *k, void *stream, size_t count, size_t robots, const arne_cuda_state *x,
                              void *out);
/* numbers of a robot that wait in shared memory during a rollout: q, qd, sums of their rates */
static inline size_t arne__cuda_waiting(const arne_cuda *c)
{
    return (size_t)arne_model_nq(c->model) + 3 * (size_t)arne_model_nv(c->model);
}
static inline size_t arne__cuda_real(const arne_cuda *c) { return c->o.single ? sizeof(float) : sizeof(double); }

#endif
