/* SPDX-License-Identifier: MIT
 *
 * kinds.h - the doors to the other kinds, for code in doubles. */
#ifndef KIND_KINDS_H
#define KIND_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "arne/batch.h"
#include "model/robot.h"

/* parts.c: the i-th part of a row's result for n links and nv velocities, and whether its rows or columns are velocities; false:
 * there are less */
typedef struct {
    int rows, columns;
    bool by_row, by_column;
} row_shape;
int arne__axis_size(arne_axis axis, int n, int nv);
#pragma GCC visibility push(default) /* used by more than one library */
bool arne__row_part(int row, int part, int n, int nv, row_shape *shape);
#pragma GCC visibility pop

/* lanes.c: `count` states of a row of texts.def. Vectors of the kind's reals; those that the row does not read may be NULL. */
typedef struct {
    int row, link, axes, factor;
    size_t count;
    const void *q, *qd, *qdd, *tau, *qa;
    void *y;
    int size;                     /* numbers of the result of a state */
    arne_stride of_q, of_v, of_y; /* {0, 0}: one state after the other */
    bool up_to_link;              /* what comes after its link is not read, and zero in the result */
} batch_job;
/* memory for results of `size` numbers; run: a robot of the kind's constants. H (NULL: not wanted) takes the diagonal of the
 * articulated inertias of each state, count x nv, where the row is forward dynamics. */
typedef size_t batch_bytes_fn(robot_counts n, int size);
typedef void batch_run_fn(const void *robot, void *memory, const batch_job *job, void *H);
#define KIND_LANES(X) X(f64x2) X(f64x4) X(f64x8) X(f32x4) X(f32x8) X(f32x16)
#define KIND_LANES_DOORS(kind)                                                                                                   \
    batch_bytes_fn arne__batch_bytes_##kind;                                                                                     \
    batch_run_fn arne__batch_run_##kind;
KIND_LANES(KIND_LANES_DOORS)

/* gradients.c: derivatives of a row with results of `size` numbers by one of its inputs: D is size x nv. x: q, qd and the third
 * input, which: 0, 1 or 2. */
typedef size_t gradient_bytes_fn(robot_counts n, int size);
typedef void gradient_run_fn(const robot *r, void *memory, int row, const double *const x[3], int which, int size, double *D);
gradient_bytes_fn arne__gradient_bytes_jet2, arne__gradient_bytes_jet4, arne__gradient_bytes_jet8;
gradient_run_fn arne__gradient_run_jet2, arne__gradient_run_jet4, arne__gradient_run_jet8;

/* series.c: of the nv numbers x and their derivatives, after the nq numbers of a position */
size_t arne__series_bytes_tay4(robot_counts n);
void arne__series_id_tay4(const robot *r, void *memory, const double *q, double *tau);
void arne__series_friction_tay4(const robot *r, void *memory, const double *qd, int rows, double *tau);
void arne__series_mass_rate_tay4(const robot *r, void *memory, const double *q, const double *qd, const double *x, double *y);

#endif
