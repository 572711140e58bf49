/* SPDX-License-Identifier: MIT
 *
 * f32x8.h - number kind f32x8: 8 floats. */
#ifndef NUM_F32X8_H
#define NUM_F32X8_H

#include "num/f32.h"

#define LANE f32x8
#define LANES 8
#define LANE_ONE f32
#include "num/lanes.inc"

#endif
