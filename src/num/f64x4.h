/* SPDX-License-Identifier: MIT
 *
 * f64x4.h - number kind f64x4: 4 doubles. */
#ifndef NUM_F64X4_H
#define NUM_F64X4_H

#include <math.h>
#include <string.h>

#include "num/f64.h"

typedef double f64x4 __attribute__((vector_size(32)));
typedef long long f64x4_int __attribute__((vector_size(32)));
typedef double f64x4_par;

#define LANES 4
#define LANE_ONE f64
#define LANE_BITS 64
#define LANE f64x4
#define LANEI f64x4_int
#define LANE_NAME(word) f64x4_##word
#include "num/lanes.inc"

#endif
