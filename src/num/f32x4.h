/* SPDX-License-Identifier: MIT
 *
 * f32x4.h - number kind f32x4: 4 floats. */
#ifndef NUM_F32X4_H
#define NUM_F32X4_H

#include "num/f32.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef int f32x4_int __attribute__((vector_size(16)));
typedef float f32x4_par;

#define LANES 4
#define LANE_ONE f32
#define LANE_BITS 32
#define LANE f32x4
#define LANEI f32x4_int
#define LANE_NAME(word) f32x4_##word
#include "num/lanes.inc"

#endif
