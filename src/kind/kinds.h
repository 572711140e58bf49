/* SPDX-License-Identifier: MIT
 *
 * kinds.h - what the files of this folder offer each other: the doors to the lane and jet instances, and the choice among them.
 */
#ifndef KIND_KINDS_H
#define KIND_KINDS_H

#include <stddef.h>

#include "model/model.h"

/* doubles in a vector register of this machine: 8, 4 or 2 */
int arne__machine_lanes(void);

typedef enum { BATCH_ID, BATCH_BIAS, BATCH_GRAVITY, BATCH_MASS, BATCH_FD } batch_call;

/* lanes.inc: `count` states, x[0..2] the inputs of the call one state after the other; memory as large as batch_bytes. Returns
 * the number of states whose inertia matrix is singular (forward dynamics). */
typedef size_t batch_bytes_fn(int n);
typedef size_t batch_run_fn(const robot *r, void *memory, batch_call call, size_t count, const double *const x[3], double *out);
batch_bytes_fn arne__batch_bytes_f64x2, arne__batch_bytes_f64x4, arne__batch_bytes_f64x8;
batch_run_fn arne__batch_run_f64x2, arne__batch_run_f64x4, arne__batch_run_f64x8;

/* gradients.inc: x[3] -> the n x n Jacobians d[3] (NULL: not wanted) of inverse (id) or forward dynamics */
typedef enum { GRADIENT_ID, GRADIENT_FD } gradient_call;
typedef size_t gradient_bytes_fn(int n);
typedef void gradient_run_fn(const robot *r, void *memory, gradient_call call, const double *const x[3], double *const d[3]);
gradient_bytes_fn arne__gradient_bytes_jet2, arne__gradient_bytes_jet4, arne__gradient_bytes_jet8;
gradient_run_fn arne__gradient_run_jet2, arne__gradient_run_jet4, arne__gradient_run_jet8;

/* series.inc */
size_t arne__series_bytes_tay4(int n);
void arne__series_id_tay4(const robot *r, void *memory, const double *q, double *tau);
void arne__series_friction_tay4(const robot *r, void *memory, const double *qd, int rows, double *tau);
void arne__series_mass_rate_tay4(const robot *r, void *memory, const double *q, const double *qd, const double *x, double *y);

/* dynamics.c: arne_fd for one state, in arne__fd_bytes; is the answer of the articulated bodies with these H in doubt? */
size_t arne__fd_bytes(int n);
int arne__fd_one(const robot *r, void *memory, const double *q, const double *qd, const double *tau, double *qdd);
bool arne__fd_doubtful(const double *H, int n, int stride);

/* dynamics.c: the robot that a data object holds */
struct arne_data;
const robot *arne__data_robot(const struct arne_data *d);

#endif
