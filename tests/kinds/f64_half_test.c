/* SPDX-License-Identifier: MIT
 *
 * f64_half_test.c - values of every text in double, compiled for vectors of four. */
#define KIND f64
#define KIND_SUFFIX _half
#define AT_ONCE 1
#define VALUE(a, lane) (a)
#define LANES_NEEDED 4
#include "kinds/values.inc"
