/* SPDX-License-Identifier: MIT
 *
 * batch.h - many states of one robot at once: the same texts on SIMD lanes, bit for bit the numbers of dynamics.h.
 *
 * Arrays hold one state after the other: q[count][nq], tau[count][nv]. For data prepared with ARNE_BATCHES; quantity.h has the
 * same for everything that can be computed, and in single precision. */
#ifndef ARNE_BATCH_H
#define ARNE_BATCH_H

#include "arne/dynamics.h"

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

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
