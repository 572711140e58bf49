/* SPDX-License-Identifier: MIT
 *
 * clock_test.c - how often and how long a function runs that is timed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"

enum { REPEATS = 4, MOST = 200 };

typedef struct {
    double seconds; /* of a call */
    int calls;
    long k[MOST];
} work;

static work done; /* of the function that is timed, which may not change what it is given */

static void busy(const void *of, long k)
{
    const work *w = of;
    const double start = arne__clock_now();
    if (done.calls < MOST) done.k[done.calls] = k;
    done.calls++;
    while (arne__clock_now() - start < w->seconds) continue;
}

/* Calls are doubled until they last long enough; then the same again for each repeat, and numbers of calls begin at 0 each time.
 */
static void calls_are_doubled_until_they_last(void **state)
{
    (void)state;
    const work w = {.seconds = 1e-3};
    double times[REPEATS];
    done = (work){0};
    const double busy_before = arne__clock_busy();
    arne__clock_measure(busy, &w, 2.5e-3, REPEATS, times);
    assert_true(arne__clock_busy() > busy_before);
    for (int i = 0; i < REPEATS; i++) assert_true(times[i] >= w.seconds && (i == 0 || times[i - 1] <= times[i]));
    assert_true(times[0] < 20 * w.seconds); /* of one call, whatever else the machine does */
    int rounds = 0, length[MOST] = {0};
    assert_in_range(done.calls, 1 + REPEATS, MOST - 1);
    for (int i = 0; i < done.calls; i++) {
        rounds += done.k[i] == 0;
        assert_true(rounds > 0 && done.k[i] == length[rounds - 1]++);
    }
    const int tries = rounds - REPEATS; /* 1, 2, 4 calls; on a machine that does other things fewer may last long enough */
    assert_in_range(tries, 1, 3);
    for (int i = 0; i < rounds; i++) assert_int_equal(length[i], 1 << (i < tries ? i : tries - 1));
    done = (work){0};
    arne__clock_measure(busy, &(work){.seconds = 0}, 0, REPEATS, times); /* no time: once, and once for each repeat */
    assert_int_equal(done.calls, 1 + REPEATS);
    for (int i = 0; i < done.calls; i++) assert_int_equal(done.k[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_are_doubled_until_they_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
