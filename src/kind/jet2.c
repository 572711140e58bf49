/* SPDX-License-Identifier: MIT
 *
 * jet2.c - every algorithm text with 2 derivatives. */
#define KIND jet2
#define KIND_WIDTH 2
#include "kind/texts.inc"
#include "kind/gradients.inc"
