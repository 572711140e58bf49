/* SPDX-License-Identifier: MIT
 *
 * clock.h - how long things take. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#pragma GCC visibility push(default) /* used by more than one library */

double arne__clock_now(void);  /* s, of a clock that only goes on */
double arne__clock_busy(void); /* s, that this process has computed */

/* Calls run(of, 0), run(of, 1), ... for at least the given time, `repeats` times over: seconds a call of each, the least first.
 */
void arne__clock_measure(void (*run)(const void *of, long k), const void *of, double seconds, int repeats, double *times);

#pragma GCC visibility pop
#endif
