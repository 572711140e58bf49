/* SPDX-License-Identifier: MIT
 *
 * matrix_test.c - the inverse of a small matrix: A times it is the unit matrix, also where zeros stand on the diagonal; singular
 * ones are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/matrix.h"
#include "support/random_robot.h"

enum { MOST = 7 };

static void expect_inverse(int n, const double *a)
{
    double inverse[MOST * MOST];
    assert_int_equal(arne__matrix_invert(a, n, inverse), ARNE_OK);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * n + k] * inverse[k * n + j];
            assert_true(fabs(sum - (i == j)) < 1e-9);
        }
}

static void times_its_inverse_is_one(void **state)
{
    (void)state;
    random_stream r = {1};
    for (int n = 1; n <= MOST; n++)
        for (int trial = 0; trial < 20; trial++) {
            double a[MOST * MOST];
            random_vector(&r, n * n, 1, a);
            for (int i = 0; i < n; i++) /* what is large stands beside the diagonal, on it there is nothing */
                for (int j = 0; j < n; j++) a[i * n + j] = n > 1 && i == j ? 0 : a[i * n + j] / n + 3 * (j == (i + trial) % n);
            if (n > 1 && trial % n == 0) continue;
            expect_inverse(n, a);
        }
}

static void singular_matrices_are_refused(void **state)
{
    (void)state;
    static const double same_rows[9] = {1, 2, 3, 1, 2, 3, 0, 1, 1}, none[4] = {0}, nan[4] = {1, 0, 0, NAN};
    double inverse[9];
    assert_int_equal(arne__matrix_invert(same_rows, 3, inverse), ARNE_BAD_VALUE);
    assert_int_equal(arne__matrix_invert(none, 2, inverse), ARNE_BAD_VALUE);
    assert_int_equal(arne__matrix_invert(nan, 2, inverse), ARNE_BAD_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_its_inverse_is_one),
        cmocka_unit_test(singular_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
