/* SPDX-License-Identifier: MIT
 *
 * memory.c - memory of the device, and memory that both sides see. */
#include <stdlib.h>

#include "cuda/cuda.h"

arne_status arne_cuda_alloc(arne_cuda *c, size_t bytes, void **device)
{
    uintptr_t at = 0;
    if (!c || !device) return ARNE_BAD_ARGUMENT;
    *device = NULL;
    arne_status status = arne__cuda_enter(c);
    if (status) return status;
    status = arne__cuda_answer(c, c->d.cuMemAlloc_v2(&at, bytes ? bytes : 1), "the device has not so much memory");
    if (!status) *device = (void *)at;
    return arne__cuda_leave(c, status);
}

void arne_cuda_release(arne_cuda *c, void *device)
{
    if (!c || !device || arne__cuda_enter(c)) return;
    c->d.cuMemFree_v2((uintptr_t)device);
    arne__cuda_leave(c, ARNE_OK);
}

arne_status arne_cuda_put(arne_cuda *c, void *device, const void *host, size_t bytes)
{
    if (!c || !device || !host) return ARNE_BAD_ARGUMENT;
    const arne_status status = arne__cuda_enter(c);
    if (status) return status;
    return arne__cuda_leave(
        c, arne__cuda_answer(c, c->d.cuMemcpyHtoD_v2((uintptr_t)device, host, bytes), "copying to the device failed"));
}

arne_status arne_cuda_get(arne_cuda *c, void *host, const void *device, size_t bytes)
{
    if (!c || !device || !host) return ARNE_BAD_ARGUMENT;
    const arne_status status = arne__cuda_enter(c);
    if (status) return status;
    return arne__cuda_leave(
        c, arne__cuda_answer(c, c->d.cuMemcpyDtoH_v2(host, (uintptr_t)device, bytes), "copying from the device failed"));
}

arne_status arne_cuda_wait(arne_cuda *c, void *stream)
{
    if (!c) return ARNE_BAD_ARGUMENT;
    const arne_status status = arne__cuda_enter(c);
    return status ? status : arne__cuda_leave(c, arne__cuda_answer(c, c->d.cuStreamSynchronize(stream), "the device failed"));
}

/* ---- small batches ---- */

typedef struct {
    arne_cuda_mapped m; /* first: callers see it alone */
    const kernel *kernel;
    size_t count;
    void *memory;
} mapped;

arne_status arne_cuda_mapped_new(arne_cuda *c, const char *quantity, size_t count, arne_cuda_mapped **out)
{
    if (out) *out = NULL;
    if (!c || !quantity || !out || count == 0) return ARNE_BAD_ARGUMENT;
    const kernel *k = arne__cuda_kernel(c, quantity);
    if (!k) return arne__cuda_say(c, ARNE_NOT_PREPARED, "this quantity was not named in `what` when the robot was opened");
    mapped *x = calloc(1, sizeof *x);
    if (!x) return arne__cuda_say(c, ARNE_NO_MEMORY, arne_status_words(ARNE_NO_MEMORY));
    const arne_quantity *q = arne_quantity_at(k->quantity);
    const size_t nv = (size_t)arne_model_nv(c->model), real = arne__cuda_real(c);
    const struct {
        void **at;
        size_t size;
    } all[] = {{&x->m.q, (size_t)arne_model_nq(c->model)},
               {&x->m.qd, q->inputs & ARNE_QD ? nv : 0},
               {&x->m.qdd, q->inputs & ARNE_QDD ? nv : 0},
               {&x->m.tau, q->inputs & ARNE_TAU ? nv : 0},
               {&x->m.qa, q->inputs & ARNE_QA ? nv : 0},
               {&x->m.parameters, (size_t)c->nparameter},
               {&x->m.out, (size_t)arne_quantity_size(k->quantity, c->model)}};
    size_t numbers = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) numbers += all[i].size;
    x->kernel = k;
    x->count = count;
    arne_status status = arne__cuda_enter(c);
    if (!status)
        status = arne__cuda_leave(c, arne__cuda_answer(c, c->d.cuMemHostAlloc(&x->memory, numbers * count * real, CU_MAPPED),
                                                       "memory that both sides see cannot be had"));
    if (status) {
        free(x);
        return status;
    }
    char *at = x->memory;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].size) *all[i].at = at;
        at += all[i].size * count * real;
    }
    *out = &x->m;
    return ARNE_OK;
}

arne_status arne_cuda_mapped_run(arne_cuda *c, arne_cuda_mapped *m)
{
    if (!c || !m) return ARNE_BAD_ARGUMENT;
    const mapped *x = (const mapped *)m;
    const arne_cuda_state s = {m->q, m->qd, m->qdd, m->tau, m->qa, m->parameters};
    arne_status status = arne__cuda_enter(c);
    if (status) return status;
    status = arne__cuda_states(c, x->kernel, NULL, x->count, x->count, &s, m->out);
    if (!status) status = arne__cuda_answer(c, c->d.cuStreamSynchronize(NULL), "the device failed");
    return arne__cuda_leave(c, status);
}

void arne_cuda_mapped_free(arne_cuda *c, arne_cuda_mapped *m)
{
    if (!c || !m) return;
    mapped *x = (mapped *)m;
    if (!arne__cuda_enter(c)) {
        c->d.cuMemFreeHost(x->memory);
        arne__cuda_leave(c, ARNE_OK);
    }
    free(x);
}
