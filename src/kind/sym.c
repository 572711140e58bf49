/* SPDX-License-Identifier: MIT
 *
 * sym.c - every algorithm text, for the symbolic kind. */
#define KIND sym
#include "kind/texts.inc"
#include "algo/ejnea.c"
#include "kind/forms.inc"
#include "kind/symbolic.inc"
