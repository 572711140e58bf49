/* SPDX-License-Identifier: MIT
 *
 * jet8.h - number kind jet8: a value and 8 derivatives. */
#ifndef NUM_JET8_H
#define NUM_JET8_H

#include "num/f64x2.h"

#define JET jet8
#define JET_WIDTH 8
#include "num/jet.inc"

#endif
