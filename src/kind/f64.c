/* SPDX-License-Identifier: MIT
 *
 * f64.c - every algorithm text as it stands: double. */
#include "kind/texts.inc"
#include "algo/ejnea.c"
