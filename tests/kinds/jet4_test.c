/* SPDX-License-Identifier: MIT
 *
 * jet4_test.c - values of every text on jet4 (with 4 derivatives). */
#define KIND jet4
#define KIND_LANES 4
#define VALUE(a) ((a).v)
#include "kinds/values.inc"
