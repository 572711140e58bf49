/* SPDX-License-Identifier: MIT
 *
 * random.c - a counter through a mixing function (splitmix64), normal numbers by the polar method of Marsaglia. */
#include "base/random.h"

#include <math.h>

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static const uint64_t STEP = 0x9E3779B97F4A7C15u;

static uint64_t bits(random_source *r) { return mixed(r->state += STEP); }

random_source arne__random_at(uint64_t seed, uint64_t run, uint64_t thing)
{
    return (random_source){.state = mixed(mixed(mixed(seed + STEP) + (run + 1) * STEP) + (thing + 1) * STEP)};
}

double arne__random_uniform(random_source *r) { return ((double)(bits(r) >> 12) + 0.5) * 0x1p-52; }

double arne__random_signed(random_source *r) { return 2 * arne__random_uniform(r) - 1; }

double arne__random_normal(random_source *r)
{
    if (r->has_spare) {
        r->has_spare = false;
        return r->spare;
    }
    double u, v, s;
    do {
        u = arne__random_signed(r);
        v = arne__random_signed(r);
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    s = sqrt(-2 * log(s) / s);
    r->spare = v * s;
    r->has_spare = true;
    return u * s;
}
