/* SPDX-License-Identifier: MIT
 *
 * f64x4_test.c - values of every text on f64x4 (4 states at once). */
#define KIND f64x4
#define KIND_LANES 4
#define VALUE(a) ((a)[3])
#include "kinds/values.inc"
