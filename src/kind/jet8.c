/* SPDX-License-Identifier: MIT
 *
 * jet8.c - every algorithm text with 8 derivatives. */
#define KIND jet8
#define KIND_WIDTH 8
#include "kind/texts.inc"
#include "kind/gradients.inc"
