/* SPDX-License-Identifier: MIT
 *
 * tay4.c - every algorithm text with four time derivatives. */
#define KIND tay4
#include "kind/texts.inc"
#include "kind/series.inc"
