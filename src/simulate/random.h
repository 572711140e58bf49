/* SPDX-License-Identifier: MIT
 *
 * random.h - random numbers that are the same on every machine for the same seed. */
#ifndef SIMULATE_RANDOM_H
#define SIMULATE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
    double spare;
    bool has_spare;
} random_source;

double arne__random_uniform(random_source *r); /* 0 < x < 1 */
double arne__random_normal(random_source *r);  /* mean 0, standard deviation 1 */

#endif
