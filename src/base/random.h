/* SPDX-License-Identifier: MIT
 *
 * random.h - random numbers that are the same on every machine for the same seed. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(default) /* used by more than one library */

/* Start with {.state = seed}. */
typedef struct {
    uint64_t state;
    double spare;
    bool has_spare;
} random_source;

/* The numbers of one thing of one run, whoever asks and when. */
random_source arne__random_at(uint64_t seed, uint64_t run, uint64_t thing);
double arne__random_uniform(random_source *r); /* 0 < x < 1 */
double arne__random_signed(random_source *r);  /* -1 < x < 1 */
double arne__random_normal(random_source *r);  /* mean 0, standard deviation 1 */

#pragma GCC visibility pop
#endif
