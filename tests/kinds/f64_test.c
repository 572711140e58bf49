/* SPDX-License-Identifier: MIT
 *
 * f64_test.c - values of every text as it stands, in double; the public functions may run an instance for wider machines. */
#define KIND_LANES 2
#define VALUE(a) (a)
#include "kinds/values.inc"
