/* SPDX-License-Identifier: MIT
 *
 * clock.h - how long things take. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

double clock_now(void);  /* s, of a clock that only goes on */
double clock_busy(void); /* s, that this process has computed */

/* Calls run(of, 0), run(of, 1), ... for at least the given time, `repeats` times over: seconds a call of each, the least first.
 */
void clock_measure(void (*run)(const void *of, long k), const void *of, double seconds, int repeats, double *times);

#endif
