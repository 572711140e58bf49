/* SPDX-License-Identifier: MIT
 *
 * f64x4.c - every algorithm text, 4 states at once. */
#define KIND f64x4
#include "kind/texts.inc"
#include "kind/lanes.inc"
