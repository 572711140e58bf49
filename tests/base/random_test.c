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
        cmocka_unit_test(random_numbers_are_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
