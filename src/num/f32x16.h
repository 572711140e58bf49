/* SPDX-License-Identifier: MIT
 *
 * f32x16.h - number kind f32x16: 16 floats. */
#ifndef NUM_F32X16_H
#define NUM_F32X16_H

#include "num/f32.h"

typedef float f32x16 __attribute__((vector_size(64)));
typedef int f32x16_int __attribute__((vector_size(64)));
typedef float f32x16_par;

#define LANES 16
#define LANE_ONE f32
#define LANE_BITS 32
#define LANE f32x16
#define LANEI f32x16_int
#define LANE_NAME(word) f32x16_##word
#include "num/lanes.inc"

#endif
