/* SPDX-License-Identifier: MIT
 *
 * batch.c - public batch functions: the widest lane kind the machine has. */
#include "arne/batch.h"

#include <stdlib.h>

#include "kind/kinds.h"

struct arne_batch {
    int lanes;
    batch_run_fn *run;
    void *memory;
};

arne_batch *arne_batch_new(const arne_model *m)
{
    arne_batch *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->lanes = arne__machine_lanes();
    b->run = b->lanes == 8 ? arne__batch_run_f64x8 : b->lanes == 4 ? arne__batch_run_f64x4 : arne__batch_run_f64x2;
    batch_bytes_fn *bytes = b->lanes == 8   ? arne__batch_bytes_f64x8
                            : b->lanes == 4 ? arne__batch_bytes_f64x4
                                            : arne__batch_bytes_f64x2;
    b->memory = aligned_alloc(64, (bytes(m->n) + 63) / 64 * 64);
    if (b->memory) return b;
    free(b);
    return NULL;
}

void arne_batch_free(arne_batch *b)
{
    if (!b) return;
    free(b->memory);
    free(b);
}

int arne_batch_lanes(const arne_batch *b) { return b->lanes; }

static size_t run(arne_batch *b, const arne_data *d, batch_call call, size_t count, const double *x, const double *y,
                  const double *z, double *out)
{
    const double *const in[3] = {x, y, z};
    return b->run(arne__data_robot(d), b->memory, call, count, in, out);
}

void arne_batch_id(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, const double *qdd,
                   double *tau)
{
    run(b, d, BATCH_ID, count, q, qd, qdd, tau);
}
void arne_batch_bias(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, double *h)
{
    run(b, d, BATCH_BIAS, count, q, qd, NULL, h);
}
void arne_batch_gravity(arne_batch *b, const arne_data *d, size_t count, const double *q, double *g)
{
    run(b, d, BATCH_GRAVITY, count, q, NULL, NULL, g);
}
void arne_batch_mass(arne_batch *b, const arne_data *d, size_t count, const double *q, double *M)
{
    run(b, d, BATCH_MASS, count, q, NULL, NULL, M);
}
size_t arne_batch_fd(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, const double *tau,
                     double *qdd)
{
    return run(b, d, BATCH_FD, count, q, qd, tau, qdd);
}
