/* SPDX-License-Identifier: MIT
 *
 * f64x2_test.c - values of every text on f64x2 (2 states at once). */
#define KIND f64x2
#define KIND_LANES 2
#define VALUE(a) ((a)[1])
#include "kinds/values.inc"
