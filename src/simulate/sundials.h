/* SPDX-License-Identifier: MIT
 *
 * sundials.h - what SUNDIALS takes from malloc without looking at the answer, given to it ready-made. */
#ifndef SIMULATE_SUNDIALS_H
#define SIMULATE_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <sundials/sundials_matrix.h>

/* vectors.c: a serial vector with a store of others of its length: its clones, which need no memory. NULL: memory is short. */
N_Vector arne__vectors_new(int length, SUNContext context);
void arne__vectors_free(N_Vector first); /* the store; no clone may be in use any more */
/* A dense matrix that can be cloned once. */
SUNMatrix arne__square_new(int size, SUNContext context);
void arne__square_free(SUNMatrix matrix);

/* tables.c: the formula of an ERKStep: of Dormand and Prince, 5(4), or of Fehlberg, 8(7). Not 0: it does not take it. */
int arne__table_set(void *erk, bool eighth);

#endif
