/* SPDX-License-Identifier: MIT
 *
 * jet4_test.c - values of every text on jet4 (with 4 derivatives). */
#define KIND jet4
#define AT_ONCE 1
#define VALUE(a, lane) ((a).v)
#define LANES_NEEDED 4
#include "kinds/values.inc"
