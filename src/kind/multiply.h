/* SPDX-License-Identifier: MIT
 *
 * multiply.h - products of matrices, as wide as the machine's vectors. */
#ifndef KIND_MULTIPLY_H
#define KIND_MULTIPLY_H

#include "num/kind.h"

/* C += A B (rows x inner, inner x columns), row major, rows so far apart. The order of every sum is that of B's rows. */
void EXPORT(multiply)(int rows, int inner, int columns, const num *A, int a_apart, const num *B, int b_apart, num *C,
                      int c_apart);

#endif
