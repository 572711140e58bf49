/* SPDX-License-Identifier: MIT
 *
 * jet8_test.c - values of every text on jet8 (with 8 derivatives). */
#define KIND jet8
#define AT_ONCE 1
#define VALUE(a, lane) ((a).v)
#define LANES_NEEDED 8
#include "kinds/values.inc"
