/* SPDX-License-Identifier: MIT
 *
 * numbers.c - numbers in order of size, and random ones. */
#include "cli/numbers.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_numbers(double *x, int count) { qsort(x, (size_t)count, sizeof *x, by_size); }

double random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}
