/* SPDX-License-Identifier: MIT
 *
 * jet4.c - every algorithm text with 4 derivatives. */
#define KIND jet4
#define KIND_WIDTH 4
#include "kind/texts.inc"
#include "kind/gradients.inc"
