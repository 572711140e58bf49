/* SPDX-License-Identifier: MIT
 *
 * f32x4_test.c - values of every text on f32x4 (4 states at once in floats). */
#define KIND f32x4
#define FLOATS
#define AT_ONCE 4
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 2
#include "kinds/values.inc"
