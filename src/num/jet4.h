/* SPDX-License-Identifier: MIT
 *
 * jet4.h - number kind jet4: a value and 4 derivatives. */
#ifndef NUM_JET4_H
#define NUM_JET4_H

#include "num/f64x2.h"

#define JET jet4
#define JET_WIDTH 4
#include "num/jet.inc"

#endif
