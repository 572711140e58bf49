/* SPDX-License-Identifier: MIT
 *
 * f64x4.h - number kind f64x4: 4 doubles. */
#ifndef NUM_F64X4_H
#define NUM_F64X4_H

#include "num/f64.h"

#define LANE f64x4
#define LANES 4
#define LANE_ONE f64
#include "num/lanes.inc"

#endif
