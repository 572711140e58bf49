/* SPDX-License-Identifier: MIT
 *
 * f64x8.h - number kind f64x8: 8 doubles. */
#ifndef NUM_F64X8_H
#define NUM_F64X8_H

#include "num/f64.h"

#define LANE f64x8
#define LANES 8
#define LANE_ONE f64
#include "num/lanes.inc"

#endif
