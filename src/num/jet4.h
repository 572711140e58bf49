/* SPDX-License-Identifier: MIT
 *
 * jet4.h - number kind jet4: a value and 4 derivatives. */
#ifndef NUM_JET4_H
#define NUM_JET4_H

#include "num/f64x2.h"

typedef double jet4_gradient __attribute__((vector_size(32)));

#define JET jet4
#define JETD jet4_gradient
#define JET_NAME(word) jet4_##word
#include "num/jet.inc"

#endif
