/* SPDX-License-Identifier: MIT
 *
 * stack.h - rows of least squares, compressed as they come to triangles: |T (x, -1)| = |A x - b|. */
#ifndef ESTIMATE_STACK_H
#define ESTIMATE_STACK_H

#include <stddef.h>

#include "estimate/columns.h"

enum { FOLDS = 5, EVERYTHING = FOLDS };

/* width x width, row major; the last column is the torque. */
typedef struct {
    int width;
    double *T;
    long rows; /* that are in it */
} triangle;

/* Of every joint that is used, of every fold, at rest and moving. */
typedef struct {
    const columns *c;
    triangle *part;   /* njoint x FOLDS x 2 */
    triangle *merged; /* njoint x (FOLDS + 1): without a fold, or EVERYTHING */
    int *have;        /* as part: rows that wait to go in */
    double **wait;
    double *work;
} stack;

bool arne__stack_new(stack *s, const columns *c, arena *a);
/* One row of joint j: its active columns, then the torque; weight: of its square root. */
void arne__stack_row(stack *s, int j, int fold, bool moving, const double *row, double weight);
void arne__stack_finish(stack *s); /* what waits goes in, and parts are merged; ends the rows */

static inline const triangle *stack_part(const stack *s, int j, int fold, bool moving)
{
    return &s->part[(j * FOLDS + fold) * 2 + moving];
}
/* all rows but those of one fold; EVERYTHING: all */
static inline const triangle *stack_without(const stack *s, int j, int fold) { return &s->merged[j * (FOLDS + 1) + fold]; }

/* |A x - b|^2 of the rows of a triangle of joint j; x: of all columns. NULL: |b|^2 */
double arne__triangle_square(const columns *c, int j, const triangle *t, const double *x);

/* The triangle T (row major) of its own rows and of `rows` more: B, row major, is used up. All are as wide. */
void arne__triangle_add(int width, double *T, int rows, double *B);

#endif
