/* SPDX-License-Identifier: MIT
 *
 * f32x16_test.c - values of every text on f32x16 (16 states at once in floats). */
#define KIND f32x16
#define FLOATS
#define AT_ONCE 16
#define VALUE(a, lane) ((a)[lane])
#define LANES_NEEDED 8
#include "kinds/values.inc"
