/* SPDX-License-Identifier: MIT
 *
 * spread.h - positions all over the range of a robot, the same every time: where defaults are measured and searches start. */
#ifndef CONTROL_SPREAD_H
#define CONTROL_SPREAD_H

#include "arne/model.h"

/* Position number k (0, 1, ...) within the joint limits; half a turn or 1 m to either side of zero where there are none. */
void arne__spread_position(const arne_model *m, int k, double *q);

#endif
