/* SPDX-License-Identifier: MIT
 *
 * jet2_test.c - values of every text on jet2 (with 2 derivatives). */
#define KIND jet2
#define KIND_LANES 2
#define VALUE(a) ((a).v)
#include "kinds/values.inc"
