/* SPDX-License-Identifier: MIT
 *
 * f64x8_test.c - values of every text on f64x8 (8 states at once). */
#define KIND f64x8
#define KIND_LANES 8
#define VALUE(a) ((a)[7])
#include "kinds/values.inc"
