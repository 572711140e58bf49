/* SPDX-License-Identifier: MIT
 *
 * text32.h - any row of texts.def in floats, one state at a time: what the lanes of floats must agree with. */
#ifndef SUPPORT_TEXT32_H
#define SUPPORT_TEXT32_H

#include "arne/quantity.h"

typedef struct text32 text32;

text32 *text32_new(const arne_data *d); /* with the robot of d in floats */
void text32_free(text32 *t);
void text32_take(text32 *t, const arne_data *d); /* the robot again, as its settings are now */
const void *text32_robot(const text32 *t);
void text32_run(text32 *t, int row, const arne_quantity_options *o, const arne_state32 *x, float *y);

#endif
