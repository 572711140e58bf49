/* SPDX-License-Identifier: MIT
 *
 * tay4_test.c - every word of the number kind tay4, by series known by heart and by identities. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "num/tay4.h"
#include "support/random_robot.h"

/* a dozen roundings of numbers near one */
static const double TOLERANCE = 2e-15;

static void is(tay4 got, double x0, double x1, double x2, double x3, double x4)
{
    const double want[TAY4] = {x0, x1, x2, x3, x4};
    for (int k = 0; k < TAY4; k++)
        if (!(fabs(tay4_get(got, k) - want[k]) <= TOLERANCE))
            fail_msg("coefficient %d is %.17g, should be %.17g", k, tay4_get(got, k), want[k]);
}

static void same(tay4 a, tay4 b, double tolerance)
{
    for (int k = 0; k < TAY4; k++)
        if (!(fabs(tay4_get(a, k) - tay4_get(b, k)) <= tolerance * fmax(1, fabs(tay4_get(b, k)))))
            fail_msg("coefficient %d is %.17g, should be %.17g", k, tay4_get(a, k), tay4_get(b, k));
}

static const tay4 t = {{{0, 1}, {0, 0}, {0, 0}}};          /* t */
static const tay4 one_plus_t = {{{1, 1}, {0, 0}, {0, 0}}}; /* 1 + t */

static tay4 drawn(random_stream *r, double size)
{
    double x[TAY4];
    tay4 a = tay4_of(0);
    random_vector(r, TAY4, size, x);
    for (int k = 0; k < TAY4; k++) tay4_set(&a, k, x[k]);
    return a;
}

/* sine and cosine of scale a + theta + quarter pi/2 */
static void sincos_of(tay4 a, double scale, double theta, long long quarter, tay4 *s, tay4 *c)
{
    const turn_table table = {.n = 1, .scale = &scale, .theta = &theta, .quarter = &quarter};
    tay4_turns(&table, &a, s, c);
}

static void linear_words(void **state)
{
    (void)state;
    const tay4 a = {{{1, 2}, {3, 4}, {5, 0}}}, b = {{{10, 20}, {40, 80}, {160, 0}}};
    is(tay4_of(3), 3, 0, 0, 0, 0);
    is(tay4_add(a, b), 11, 22, 43, 84, 165);
    is(tay4_sub(a, b), -9, -18, -37, -76, -155);
    is(tay4_neg(a), -1, -2, -3, -4, -5);
    is(tay4_mulc(-2, a), -2, -4, -6, -8, -10);
}

static void products_and_quotients(void **state)
{
    (void)state;
    const tay4 square = tay4_mul(one_plus_t, one_plus_t);
    is(square, 1, 2, 1, 0, 0);
    is(tay4_mul(square, square), 1, 4, 6, 4, 1);
    is(tay4_mul(t, tay4_mul(square, square)), 0, 1, 4, 6, 4);
    is(tay4_divide(tay4_of(1), one_plus_t), 1, -1, 1, -1, 1);
    is(tay4_divide(tay4_of(1), tay4_sub(tay4_of(2), t)), 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32);
    is(tay4_divide(square, one_plus_t), 1, 1, 0, 0, 0);
}

static void roots_and_powers(void **state)
{
    (void)state;
    is(tay4_root(one_plus_t), 1, 1.0 / 2, -1.0 / 8, 1.0 / 16, -5.0 / 128);
    is(tay4_root(tay4_mul(one_plus_t, one_plus_t)), 1, 1, 0, 0, 0);
    is(tay4_root(tay4_of(9)), 3, 0, 0, 0, 0);
    is(tay4_power(one_plus_t, 3), 1, 3, 3, 1, 0);
    is(tay4_power(one_plus_t, -2), 1, -2, 3, -4, 5);
    is(tay4_power(one_plus_t, 0.5), 1, 1.0 / 2, -1.0 / 8, 1.0 / 16, -5.0 / 128);
    is(tay4_power(one_plus_t, 0), 1, 0, 0, 0, 0);
    is(tay4_power(t, 1.5), 0, 0, 0, 0, 0); /* at zero the derivatives are taken as zero */
}

static void exponentials(void **state)
{
    (void)state;
    is(tay4_expo(t), 1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24);
    is(tay4_expo(tay4_mulc(-2, t)), 1, -2, 2, -4.0 / 3, 2.0 / 3);
    is(tay4_expo(tay4_mul(t, t)), 1, 0, 1, 0, 1.0 / 2);
}

static void corners(void **state)
{
    (void)state;
    const tay4 falling = {{{-1, 1}, {2, -3}, {4, 0}}};
    is(tay4_absolute(falling), 1, -1, -2, 3, -4);
    is(tay4_absolute(one_plus_t), 1, 1, 0, 0, 0);
    is(tay4_sign(falling), -1, 0, 0, 0, 0);
    is(tay4_sign(one_plus_t), 1, 0, 0, 0, 0);
    is(tay4_sign(t), 0, 0, 0, 0, 0);
    is(tay4_least(one_plus_t, 2), 1, 1, 0, 0, 0);
    is(tay4_least(one_plus_t, 0.5), 0.5, 0, 0, 0, 0);
    is(tay4_most(one_plus_t, 2), 2, 0, 0, 0, 0);
    is(tay4_most(one_plus_t, 0.5), 1, 1, 0, 0, 0);
}

static void turns_of_joints(void **state)
{
    (void)state;
    tay4 s, c;
    sincos_of(t, 1, 0, 0, &s, &c);
    is(s, 0, 1, 0, -1.0 / 6, 0);
    is(c, 1, 0, -1.0 / 2, 0, 1.0 / 24);
    sincos_of(tay4_mul(t, t), 1, 0, 0, &s, &c);
    is(s, 0, 0, 1, 0, 0);
    is(c, 1, 0, 0, 0, -1.0 / 2);
    sincos_of(t, 1, 0, 1, &s, &c); /* a quarter further: cos t, -sin t */
    is(s, 1, 0, -1.0 / 2, 0, 1.0 / 24);
    is(c, 0, -1, 0, 1.0 / 6, 0);
    sincos_of(t, 0, 0.5, 0, &s, &c); /* a prismatic joint does not turn */
    is(s, sin(0.5), 0, 0, 0, 0);
    is(c, cos(0.5), 0, 0, 0, 0);
    sincos_of(t, 1, 1, 0, &s, &c);
    is(s, sin(1), cos(1), -sin(1) / 2, -cos(1) / 6, sin(1) / 24);
    is(c, cos(1), -sin(1), -cos(1) / 2, sin(1) / 6, cos(1) / 24);
}

/* on random series with a value in 0.5 ... 2 */
static void identities(void **state)
{
    (void)state;
    random_stream r = {1};
    for (int n = 0; n < 1000; n++) {
        tay4 a, b, s, c;
        a = drawn(&r, 1);
        b = drawn(&r, 1);
        tay4_set(&a, 0, random_between(&r, 0.5, 2));
        tay4_set(&b, 0, random_between(&r, 0.5, 2));
        const double near = 1e-12;
        same(tay4_mul(a, b), tay4_mul(b, a), near);
        same(tay4_mul(tay4_divide(a, b), b), a, near);
        same(tay4_mul(tay4_root(a), tay4_root(a)), a, near);
        same(tay4_power(a, 2), tay4_mul(a, a), near);
        same(tay4_mul(tay4_power(a, 0.7), tay4_power(a, 1.3)), tay4_mul(a, a), near);
        same(tay4_expo(tay4_add(a, b)), tay4_mul(tay4_expo(a), tay4_expo(b)), near);
        same(tay4_expo(tay4_mulc(-1, a)), tay4_divide(tay4_of(1), tay4_expo(a)), near);
        sincos_of(a, 1, 0.3, 0, &s, &c);
        same(tay4_add(tay4_mul(s, s), tay4_mul(c, c)), tay4_of(1), near);
        tay4 s2, c2;
        sincos_of(tay4_mulc(2, a), 1, 0.6, 0, &s2, &c2);
        same(s2, tay4_mulc(2, tay4_mul(s, c)), near);
        same(c2, tay4_sub(tay4_mul(c, c), tay4_mul(s, s)), near);
    }
}

/* the value is computed by the words of f64 */
static void values_have_the_bits_of_double(void **state)
{
    (void)state;
    random_stream r = {2};
    for (int n = 0; n < 1000; n++) {
        tay4 a, b;
        a = drawn(&r, 3);
        b = drawn(&r, 3);
        const double u = tay4_get(a, 0), v = tay4_get(b, 0);
        const tay4 positive = tay4_absolute(a);
        assert_true(tay4_get(tay4_add(a, b), 0) == f64_add(u, v) && tay4_get(tay4_sub(a, b), 0) == f64_sub(u, v));
        assert_true(tay4_get(tay4_mul(a, b), 0) == f64_mul(u, v) && tay4_get(tay4_divide(a, b), 0) == f64_divide(u, v));
        assert_true(tay4_get(tay4_mulc(0.3, a), 0) == f64_mulc(0.3, u) && tay4_get(tay4_neg(a), 0) == f64_neg(u));
        assert_true(tay4_get(positive, 0) == f64_absolute(u) && tay4_get(tay4_sign(a), 0) == f64_sign(u));
        assert_true(tay4_get(tay4_least(a, 0.5), 0) == f64_least(u, 0.5) && tay4_get(tay4_most(a, 0.5), 0) == f64_most(u, 0.5));
        assert_true(tay4_get(tay4_root(positive), 0) == f64_root(fabs(u)) &&
                    tay4_get(tay4_power(positive, 1.7), 0) == f64_power(fabs(u), 1.7));
        assert_true(tay4_get(tay4_expo(a), 0) == f64_expo(u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_words),     cmocka_unit_test(products_and_quotients),
        cmocka_unit_test(roots_and_powers), cmocka_unit_test(exponentials),
        cmocka_unit_test(corners),          cmocka_unit_test(turns_of_joints),
        cmocka_unit_test(identities),       cmocka_unit_test(values_have_the_bits_of_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
