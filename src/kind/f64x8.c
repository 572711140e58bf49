/* SPDX-License-Identifier: MIT
 *
 * f64x8.c - every algorithm text, 8 states at once. */
#define KIND f64x8
#include "kind/texts.inc"
#include "kind/lanes.inc"
