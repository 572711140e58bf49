/* SPDX-License-Identifier: MIT
 *
 * jet8_test.c - values of every text on jet8 (with 8 derivatives). */
#define KIND jet8
#define KIND_LANES 8
#define VALUE(a) ((a).v)
#include "kinds/values.inc"
