/* SPDX-License-Identifier: MIT
 *
 * tay4_test.c - values of every text on tay4 (with four time derivatives). */
#define KIND tay4
#define KIND_LANES 2
#define VALUE(a) ((a).x[0])
#include "kinds/values.inc"
