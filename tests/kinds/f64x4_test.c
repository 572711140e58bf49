/* SPDX-License-Identifier: MIT
 *
 * f64x4_test.c - values of every text on f64x4 (4 states at once). */
#define KIND f64x4
#define AT_ONCE 4
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 4
#include "kinds/values.inc"
