/* SPDX-License-Identifier: MIT
 *
 * jet8.h - number kind jet8: a value and 8 derivatives. */
#ifndef NUM_JET8_H
#define NUM_JET8_H

#include "num/f64x2.h"

typedef double jet8_gradient __attribute__((vector_size(64)));

#define JET jet8
#define JETD jet8_gradient
#define JET_NAME(word) jet8_##word
#include "num/jet.inc"

#endif
