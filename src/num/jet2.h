/* SPDX-License-Identifier: MIT
 *
 * jet2.h - number kind jet2: a value and 2 derivatives. */
#ifndef NUM_JET2_H
#define NUM_JET2_H

#include "num/f64x2.h"

typedef double jet2_gradient __attribute__((vector_size(16)));

#define JET jet2
#define JETD jet2_gradient
#define JET_NAME(word) jet2_##word
#include "num/jet.inc"

#endif
