/* SPDX-License-Identifier: MIT
 *
 * f32x8.h - number kind f32x8: 8 floats. */
#ifndef NUM_F32X8_H
#define NUM_F32X8_H

#include "num/f32.h"

typedef float f32x8 __attribute__((vector_size(32)));
typedef int f32x8_int __attribute__((vector_size(32)));
typedef float f32x8_par;

#define LANES 8
#define LANE_ONE f32
#define LANE_BITS 32
#define LANE f32x8
#define LANEI f32x8_int
#define LANE_NAME(word) f32x8_##word
#include "num/lanes.inc"

#endif
