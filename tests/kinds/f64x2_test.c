/* SPDX-License-Identifier: MIT
 *
 * f64x2_test.c - values of every text on f64x2 (2 states at once). */
#define KIND f64x2
#define AT_ONCE 2
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 2
#include "kinds/values.inc"
