/* SPDX-License-Identifier: MIT
 *
 * f32x4.h - number kind f32x4: 4 floats. */
#ifndef NUM_F32X4_H
#define NUM_F32X4_H

#include "num/f32.h"

#define LANE f32x4
#define LANES 4
#define LANE_ONE f32
#include "num/lanes.inc"

#endif
