/* SPDX-License-Identifier: MIT
 *
 * jet2.h - number kind jet2: a value and 2 derivatives. */
#ifndef NUM_JET2_H
#define NUM_JET2_H

#include "num/f64x2.h"

#define JET jet2
#define JET_WIDTH 2
#include "num/jet.inc"

#endif
