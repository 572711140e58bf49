/* SPDX-License-Identifier: MIT
 *
 * matrix.h - inverse of a small dense matrix. */
#ifndef BASE_MATRIX_H
#define BASE_MATRIX_H

#include "arne/status.h"

#pragma GCC visibility push(default) /* used by more than one library */

/* n x n, row by row. ARNE_BAD_VALUE: singular, a pivot is 1e-12 of the largest element or less. */
arne_status arne__matrix_invert(const double *a, int n, double *inverse);

#pragma GCC visibility pop
#endif
