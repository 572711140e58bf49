/* SPDX-License-Identifier: MIT
 *
 * sincos_fast_test.c - what -ffast-math leaves of sines and cosines: reordered sums may cost an ulp of 1, nothing may fold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "num/sincos_fast.h"
#include "support/random_robot.h"

enum { COUNT = 1 << 16 };
static const double RANGES[] = {0.7, 3.2, 100, 1e4, 1e5, 1e7};

#define EXPECT_CLOSE(real, function, tolerance)                                                                                  \
    do {                                                                                                                         \
        static real x[COUNT], s[COUNT], c[COUNT];                                                                                \
        random_stream r = {1};                                                                                                   \
        for (size_t k = 0; k < sizeof RANGES / sizeof *RANGES; k++) {                                                            \
            for (int i = 0; i < COUNT; i++) x[i] = (real)random_between(&r, -RANGES[k], RANGES[k]);                              \
            function(COUNT, x, s, c);                                                                                            \
            for (int i = 0; i < COUNT; i++) assert_true(fabs(s[i] - sin(x[i])) + fabs(c[i] - cos(x[i])) <= (tolerance));         \
        }                                                                                                                        \
    } while (0)

static void doubles(void **state)
{
    (void)state;
    EXPECT_CLOSE(double, fast_f64x2, 1e-15);
    EXPECT_CLOSE(double, fast_f64x8, 1e-15);
}

static void floats(void **state)
{
    (void)state;
    EXPECT_CLOSE(float, fast_f32x4, 2.4e-7);
    EXPECT_CLOSE(float, fast_f32x16, 2.4e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubles), cmocka_unit_test(floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
