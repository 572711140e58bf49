/* SPDX-License-Identifier: MIT
 *
 * simplex.h - small dense linear programs: the largest c.x with A x = b, low <= x <= high (bounds may be infinite).
 *
 * The bounded simplex method in two phases with Bland's rule, so that it ends whatever the degeneracy. Meant for tens of
 * variables of about unit size; rows that say the same are harmless. */
#ifndef PLAN_SIMPLEX_H
#define PLAN_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { SIMPLEX_BEST, SIMPLEX_NONE, SIMPLEX_UNBOUNDED } simplex_answer;

typedef struct {
    int rows, columns;        /* of the program; not more than it was opened for */
    double *A, *b, *c;        /* rows x columns, rows, columns */
    double *low, *high, *x;   /* columns + rows (the last ones are the method's own) */
    double *tableau, *values; /* rows x (columns + rows); rows: the basic variables */
    double *price;            /* columns + rows */
    int *basis, *where;       /* rows: variable; columns + rows: -1 at low, 1 at high, 0 free or basic (then in_basis) */
    bool *in_basis;
} simplex;

/* Lays it into memory, zeroed; memory NULL: returns the bytes it needs. */
size_t arne__simplex_place(simplex *p, int rows, int columns, void *memory);
/* Fills x (columns). A and b are not changed. */
simplex_answer arne__simplex_maximise(simplex *p);

#endif
