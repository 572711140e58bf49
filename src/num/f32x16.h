/* SPDX-License-Identifier: MIT
 *
 * f32x16.h - number kind f32x16: 16 floats. */
#ifndef NUM_F32X16_H
#define NUM_F32X16_H

#include "num/f32.h"

#define LANE f32x16
#define LANES 16
#define LANE_ONE f32
#include "num/lanes.inc"

#endif
