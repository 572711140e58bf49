/* SPDX-License-Identifier: MIT
 *
 * order.h - numbers in order of size. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#pragma GCC visibility push(default) /* used by more than one library */

void arne__sort_numbers(double *x, int count); /* the least first */

#pragma GCC visibility pop
#endif
