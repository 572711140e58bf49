/* SPDX-License-Identifier: MIT */
#include "base/order.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void arne__sort_numbers(double *x, int count) { qsort(x, (size_t)count, sizeof *x, by_size); }
