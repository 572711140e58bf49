/* SPDX-License-Identifier: MIT
 *
 * numbers.h - numbers in order of size, and random ones. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdint.h>

void sort_numbers(double *x, int count); /* the least first */
/* Uniform in (-1, 1) by a linear congruential generator: the same numbers for the same seed. */
double random_number(uint64_t *seed);

#endif
