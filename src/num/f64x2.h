/* SPDX-License-Identifier: MIT
 *
 * f64x2.h - number kind f64x2: 2 doubles. */
#ifndef NUM_F64X2_H
#define NUM_F64X2_H

#include "num/f64.h"

#define LANE f64x2
#define LANES 2
#define LANE_ONE f64
#include "num/lanes.inc"

#endif
