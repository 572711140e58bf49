/* SPDX-License-Identifier: MIT
 *
 * batch.h - many states of one robot at once: the same texts on SIMD lanes, bit for bit the numbers of dynamics.h.
 *
 * Arrays hold one state after the other: q[count][nq], tau[count][nv]. For data prepared with ARNE_BATCHES; quantity.h has the
 * same for everything that can be computed, and in single precision; arne_batch_with for numbers in any order, and threads. */
#ifndef ARNE_BATCH_H
#define ARNE_BATCH_H

#include "arne/quantity.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

int arne_batch_lanes(void); /* states at once on this machine: 2, 4 or 8 */

arne_status arne_batch_id(arne_data *d, size_t count, const double *q, const double *qd, const double *qdd, double *tau);
arne_status arne_batch_bias(arne_data *d, size_t count, const double *q, const double *qd, double *h);
arne_status arne_batch_gravity(arne_data *d, size_t count, const double *q, double *g);
arne_status arne_batch_mass(arne_data *d, size_t count, const double *q, double *M);
/* ARNE_SINGULAR, ARNE_NOT_FINITE: so are some states, whose qdd are zero. */
arne_status arne_batch_fd(arne_data *d, size_t count, const double *q, const double *qd, const double *tau, double *qdd);

/* Number i of state k stands `state` k + `number` i after the first. Both 0: state after state, {width, 1}; joint after joint, as
 * q[nq][count]: {1, count}. */
typedef struct {
    size_t state, number;
} arne_stride;

/* Calls part(context, k) for each k = 0 ... parts-1, in any order or at the same time, and returns when all are done.
 * arne/openmp.h has one for OpenMP; a pool of your own does as well. */
typedef void arne_parts_fn(int parts, void (*part)(void *context, int k), void *context);

typedef struct {
    size_t size;              /* sizeof of this struct */
    arne_stride q, v, out;    /* of positions; of velocities, accelerations and torques; of results */
    int threads;              /* the states are split into so many parts; 0: 1 */
    arne_data *const *others; /* the data of threads 1, 2, ...: made by arne_data_share of the settings of d, prepared as d is */
    arne_parts_fn *run;       /* NULL: one part after the other */
} arne_batch_options;

/* arne_batch and arne_batch32 with numbers in any order and threads; how NULL: all zero. The same bits for any stride, number of
 * threads, and order in which they run; of several states that fail the status is that of the last. ARNE_BAD_ARGUMENT, nothing is
 * written: results would overlap, only one number of a stride is zero, or the data of a thread are absent, have other settings or
 * are another thread's. */
arne_status arne_batch_with(arne_data *d, int quantity, const arne_quantity_options *options, const arne_batch_options *how,
                            size_t count, const arne_state *x, double *out);
arne_status arne_batch32_with(arne_data *d, int quantity, const arne_quantity_options *options, const arne_batch_options *how,
                              size_t count, const arne_state32 *x, float *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
