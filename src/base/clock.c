/* SPDX-License-Identifier: MIT
 *
 * clock.c - how long things take. */
#include "base/clock.h"

#include <time.h>

#include "base/order.h"

static double seconds_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double arne__clock_now(void) { return seconds_of(CLOCK_MONOTONIC); }
double arne__clock_busy(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

static double time_of(void (*run)(const void *of, long k), const void *of, long loops)
{
    const double start = arne__clock_now();
    for (long k = 0; k < loops; k++) run(of, k);
    return arne__clock_now() - start;
}

void arne__clock_measure(void (*run)(const void *of, long k), const void *of, double seconds, int repeats, double *times)
{
    long loops = 1;
    while (time_of(run, of, loops) < seconds && loops < 1L << 30) loops *= 2;
    for (int k = 0; k < repeats; k++) times[k] = time_of(run, of, loops) / (double)loops;
    arne__sort_numbers(times, repeats);
}
