/* SPDX-License-Identifier: MIT
 *
 * f64x2.c - every algorithm text, 2 states at once. */
#define KIND f64x2
#include "kind/texts.inc"
#include "kind/lanes.inc"
