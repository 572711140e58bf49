/* SPDX-License-Identifier: MIT
 *
 * batch.h - many states of one robot at once: the same texts on SIMD lanes, bit for bit the numbers of dynamics.h.
 *
 * Arrays hold one state after the other: q[count][dof]. The widest lanes the machine has are taken when the batch is made.
 * Gravity, payloads, switches and wrenches are those of `d` at the time of the call, which a batch reads and never writes. */
#ifndef ARNE_BATCH_H
#define ARNE_BATCH_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arne_batch arne_batch;

arne_batch *arne_batch_new(const arne_model *m); /* one per thread; NULL when memory is short */
void arne_batch_free(arne_batch *b);
int arne_batch_lanes(const arne_batch *b); /* 2, 4 or 8 */

void arne_batch_id(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, const double *qdd,
                   double *tau);
void arne_batch_bias(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, double *h);
void arne_batch_gravity(arne_batch *b, const arne_data *d, size_t count, const double *q, double *g);
void arne_batch_mass(arne_batch *b, const arne_data *d, size_t count, const double *q, double *M);
/* Returns the number of states whose inertia matrix is singular: their qdd are zero. */
size_t arne_batch_fd(arne_batch *b, const arne_data *d, size_t count, const double *q, const double *qd, const double *tau,
                     double *qdd);

#ifdef __cplusplus
}
#endif
#endif
