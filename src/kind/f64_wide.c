/* SPDX-License-Identifier: MIT
 *
 * f64_wide.c - the double texts once more, for machines with 32 vector registers: the same operations, fewer trips to memory. */
#define KIND f64
#define KIND_SUFFIX _wide
#include "kind/texts.inc"
#include "algo/ejnea.c"
