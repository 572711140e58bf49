/* SPDX-License-Identifier: MIT
 *
 * alike.h - two descriptions of one robot: the same inertia matrix, the same forces, the same places of links. */
#ifndef SUPPORT_ALIKE_H
#define SUPPORT_ALIKE_H

#include "arne/description.h"

/* Fails the test unless both move alike at some random states, in the same order of joints. Links of `a` are looked up in `b` by
 * their names. `tolerance` is relative to the largest number of each matrix. */
void assert_alike(arne_description *a, arne_description *b, unsigned seed, double tolerance);

#endif
