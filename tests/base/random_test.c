/* SPDX-License-Identifier: MIT
 *
 * random_test.c - numbers that are the same everywhere, and normal ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/random.h"

static void a_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    random_source a = {.state = 7}, b = {.state = 7}, c = {.state = 8};
    /* splitmix64 of 7 + 0x9E3779B97F4A7C15 is 0x63CBE1E459320DD7 */
    assert_true(arne__random_uniform(&a) == ((double)(0x63CBE1E459320DD7u >> 12) + 0.5) * 0x1p-52);
    arne__random_uniform(&b);
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        const double x = arne__random_signed(&a);
        assert_true(x > -1 && x < 1 && x == arne__random_signed(&b));
        same += x == arne__random_signed(&c);
    }
    assert_int_equal(same, 0);
}

/* Those of a thing of a run: streams of streams, each number k of one begins another. What splitmix64 gives from 1234567 is
 * published with it (https://prng.di.unimi.it). */
static uint64_t splitmix64(uint64_t start, int k)
{
    uint64_t z = start;
    for (int i = 0; i <= k; i++) z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void runs_and_things_have_numbers_of_their_own(void **state)
{
    (void)state;
    assert_true(splitmix64(1234567, 0) == 6457827717110365317u && splitmix64(1234567, 2) == 9817491932198370423u);
    for (int run = 0; run < 4; run++)
        for (int thing = 0; thing < 4; thing++)
            assert_true(arne__random_at(11, (uint64_t)run, (uint64_t)thing).state ==
                        splitmix64(splitmix64(splitmix64(11, 0), run), thing));
    random_source r = {.state = 1234567};
    arne__random_uniform(&r);
    assert_true(arne__random_signed(&r) == 2 * (((double)(3203168211198807973u >> 12) + 0.5) * 0x1p-52) - 1);
}

/* Two of them from one point of the disc of radius 1 [Marsaglia]. */
static void normal_numbers_come_in_pairs(void **state)
{
    (void)state;
    random_source a = {.state = 5}, b = a;
    for (int pair = 0; pair < 10; pair++) {
        double u, v, s;
        do u = arne__random_signed(&b), v = arne__random_signed(&b), s = u * u + v * v;
        while (s >= 1);
        const double length = sqrt(-2 * log(s) / s), first = arne__random_normal(&a), second = arne__random_normal(&a);
        assert_true(fabs(first - u * length) < 1e-14 * fabs(first) && fabs(second - v * length) < 1e-14 * fabs(second));
    }
}

static void random_numbers_are_normal(void **state)
{
    (void)state;
    random_source r = {.state = 42};
    double sum = 0, square = 0, fourth = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        const double x = arne__random_normal(&r);
        sum += x;
        square += x * x;
        fourth += x * x * x * x;
    }
    /* moments 0, 1, 3 with deviations sqrt(1, 2, 96)/sqrt(n); five of them */
    assert_true(fabs(sum / n) < 5 / sqrt(n) && fabs(square / n - 1) < 5 * sqrt(2.0 / n) &&
                fabs(fourth / n - 3) < 5 * sqrt(96.0 / n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_the_same_numbers),
        cmocka_unit_test(runs_and_things_have_numbers_of_their_own),
        cmocka_unit_test(normal_numbers_come_in_pairs),
        cmocka_unit_test(random_numbers_are_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
