/* SPDX-License-Identifier: MIT
 *
 * jet2_test.c - values of every text on jet2 (with 2 derivatives). */
#define KIND jet2
#define AT_ONCE 1
#define VALUE(a, lane) ((a).v)
#define LANES_NEEDED 2
#include "kinds/values.inc"
