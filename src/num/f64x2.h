/* SPDX-License-Identifier: MIT
 *
 * f64x2.h - number kind f64x2: 2 doubles. */
#ifndef NUM_F64X2_H
#define NUM_F64X2_H

#include <math.h>
#include <string.h>

#include "num/f64.h"

typedef double f64x2 __attribute__((vector_size(16)));
typedef long long f64x2_int __attribute__((vector_size(16)));
typedef double f64x2_par;

#define LANES 2
#define LANE_ONE f64
#define LANE_BITS 64
#define LANE f64x2
#define LANEI f64x2_int
#define LANE_NAME(word) f64x2_##word
#include "num/lanes.inc"

#endif
