/* SPDX-License-Identifier: MIT
 *
 * f64x8_test.c - values of every text on f64x8 (8 states at once). */
#define KIND f64x8
#define AT_ONCE 8
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 8
#include "kinds/values.inc"
