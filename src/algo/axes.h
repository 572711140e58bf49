/* SPDX-License-Identifier: MIT
 *
 * axes.h - what rows and columns of results stand for, in the words of texts.def; before it is included for its parts. */
#ifndef ALGO_AXES_H
#define ALGO_AXES_H

#include "arne/quantity.h"

#define ONE ARNE_AXIS_ONE
#define JOINTS ARNE_AXIS_JOINTS
#define LINKS ARNE_AXIS_LINKS
#define XYZ ARNE_AXIS_XYZ
#define TWIST ARNE_AXIS_TWIST
#define WRENCH ARNE_AXIS_WRENCH
#define PARAMETERS ARNE_AXIS_PARAMETERS
#define PAIRS ARNE_AXIS_PAIRS
#define LOAD ARNE_AXIS_LOAD

#endif
