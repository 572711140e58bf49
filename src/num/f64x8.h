/* SPDX-License-Identifier: MIT
 *
 * f64x8.h - number kind f64x8: 8 doubles. */
#ifndef NUM_F64X8_H
#define NUM_F64X8_H

#include <math.h>
#include <string.h>

#include "num/f64.h"

typedef double f64x8 __attribute__((vector_size(64)));
typedef long long f64x8_int __attribute__((vector_size(64)));
typedef double f64x8_par;

#define LANES 8
#define LANE_ONE f64
#define LANE_BITS 64
#define LANE f64x8
#define LANEI f64x8_int
#define LANE_NAME(word) f64x8_##word
#include "num/lanes.inc"

#endif
