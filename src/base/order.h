/* SPDX-License-Identifier: MIT
 *
 * order.h - numbers in order of size. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#pragma GCC visibility push(default) /* used by more than one library */

void arne__sort_numbers(double *x, int count); /* the least first */

/* The interval k, from x[k] to x[k + 1], of `count` that holds `at`; the first and the last go on. */
static inline int interval_of(const double *x, int count, double at)
{
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(x[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

#pragma GCC visibility pop
#endif
