/* SPDX-License-Identifier: MIT
 *
 * matrix_test.c - the inverse of a small matrix: A times it is the unit matrix, also where zeros stand on the diagonal; singular
 * ones are refused. */
#include <math.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/dense.h"
#include "base/matrix.h"
#include "base/order.h"
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

/* a pivot is 1e-12 of the largest element or less */
static void small_pivots_are_refused(void **state)
{
    (void)state;
    double inverse[4];
    assert_int_equal(arne__matrix_invert((const double[]){-4, 0, 0, 4.4e-12}, 2, inverse), ARNE_OK);
    assert_true(inverse[0] == -0.25 && inverse[3] == 1 / 4.4e-12);
    assert_int_equal(arne__matrix_invert((const double[]){-4, 0, 0, 3.6e-12}, 2, inverse), ARNE_BAD_VALUE);
    assert_int_equal(arne__matrix_invert((const double[]){3.6e-12, 0, 0, -4}, 2, inverse), ARNE_BAD_VALUE);
}

/* Equations turned among themselves: A'A, A'b and b'b stay, the rows of A become orthogonal. */
static void equations_become_orthogonal(void **state)
{
    (void)state;
    enum { ROWS = 5, COLUMNS = 4 };
    random_stream r = {3};
    for (int trial = 0; trial < 20; trial++) {
        double A[ROWS * COLUMNS], b[ROWS], before[ROWS * COLUMNS], b_before[ROWS], square[ROWS];
        random_vector(&r, ROWS * COLUMNS, 1, A);
        random_vector(&r, ROWS, 1, b);
        if (trial % 2) memcpy(A + 2 * COLUMNS, A, COLUMNS * sizeof *A); /* two rows that are the same */
        memcpy(before, A, sizeof A), memcpy(b_before, b, sizeof b);
        dense_orthogonalize(ROWS, COLUMNS, A, b, square);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++) {
                const double dot = dense_dot(COLUMNS, A + i * COLUMNS, A + j * COLUMNS);
                assert_true(fabs(dot - (i == j ? square[i] : 0)) < 1e-14);
            }
        for (int i = 0; i < COLUMNS; i++) {
            double now = 0, then = 0;
            for (int k = 0; k < ROWS; k++) now += A[k * COLUMNS + i] * b[k], then += before[k * COLUMNS + i] * b_before[k];
            assert_true(fabs(now - then) < 1e-13);
            for (int j = 0; j < COLUMNS; j++) {
                double sum = 0;
                for (int k = 0; k < ROWS; k++)
                    sum += A[k * COLUMNS + i] * A[k * COLUMNS + j] - before[k * COLUMNS + i] * before[k * COLUMNS + j];
                assert_true(fabs(sum) < 1e-13);
            }
        }
        assert_true(fabs(dense_dot(ROWS, b, b) - dense_dot(ROWS, b_before, b_before)) < 1e-13);
    }
}

static void square_roots_solve(void **state)
{
    (void)state;
    random_stream r = {5};
    for (int n = 1; n <= MOST; n++) {
        double root[MOST * MOST], M[MOST * MOST] = {0}, G[MOST * MOST], x[MOST] = {0}, b[MOST] = {0};
        random_vector(&r, n * n, 1, root);
        random_vector(&r, n, 1, b);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) M[i * n + j] = dense_dot(n, root + i * n, root + j * n) + (i == j);
        memcpy(G, M, sizeof G), memcpy(x, b, sizeof x);
        assert_true(dense_cholesky(n, G));
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) assert_true(fabs(dense_dot(j + 1, G + i * n, G + j * n) - M[i * n + j]) < 1e-14 * n);
        dense_forward(n, G, x);
        dense_backward(n, G, x);
        for (int i = 0; i < n; i++) assert_true(fabs(dense_dot(n, M + i * n, x) - b[i]) < 1e-13);
    }
    assert_false(dense_cholesky(2, (double[]){1, 2, 2, 1}));
    assert_false(dense_cholesky(2, (double[]){0, 0, 0, 1}));
    assert_false(dense_cholesky(2, (double[]){1, 1, 1, 1 + 8e-15})); /* 1e-14 of its own size is nothing */
    assert_true(dense_cholesky(2, (double[]){1, 1, 1, 1 + 1.15e-14}));
    double c[3];
    dense_cross((const double[]){1, 2, 3}, (const double[]){5, 7, 11}, c);
    assert_true(c[0] == 1 && c[1] == 4 && c[2] == -3);
    assert_true(dense_finite(2, (const double[]){1, 2, NAN}) && !dense_finite(3, (const double[]){1, 2, NAN}) &&
                !dense_finite(2, (const double[]){INFINITY, 1}));
}

static void numbers_have_their_intervals(void **state)
{
    (void)state;
    double x[] = {6, -1, 3, 10, 1, 3};
    static const double sorted[] = {-1, 1, 3, 3, 6, 10}, at[] = {-5, -1, 0, 1, 2.9, 3, 5, 6, 9, 10, 99};
    static const int interval[] = {0, 0, 0, 1, 1, 3, 3, 4, 4, 4, 4}; /* of the five between them */
    arne__sort_numbers(x, 6);
    assert_memory_equal(x, sorted, sizeof sorted);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) assert_int_equal(interval_of(x, 5, at[k]), interval[k]);
    assert_int_equal(interval_of(x, 1, 99), 0);
    arne__sort_numbers(x, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_its_inverse_is_one), cmocka_unit_test(singular_matrices_are_refused),
        cmocka_unit_test(small_pivots_are_refused), cmocka_unit_test(equations_become_orthogonal),
        cmocka_unit_test(square_roots_solve),       cmocka_unit_test(numbers_have_their_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
