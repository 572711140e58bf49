/* SPDX-License-Identifier: MIT
 *
 * tay4_test.c - values of every text on tay4 (with four time derivatives). */
#define KIND tay4
#define AT_ONCE 1
#define VALUE(a, lane) ((a).p[0][0])
#define LANES_NEEDED 2
#include "kinds/values.inc"
