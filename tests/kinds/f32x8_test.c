/* SPDX-License-Identifier: MIT
 *
 * f32x8_test.c - values of every text on f32x8 (8 states at once in floats). */
#define KIND f32x8
#define FLOATS
#define AT_ONCE 8
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 4
#include "kinds/values.inc"
