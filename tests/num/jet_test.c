/* SPDX-License-Identifier: MIT
 *
 * jet_test.c - every word of the jet kinds: derivatives known by hand on jet4, identities, and jet2 and jet8 alike. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "support/random_robot.h"
#include "num/jet2.h"
#undef JET
#undef JETD
#undef JET_NAME
#include "num/jet4.h"
#undef JET
#undef JETD
#undef JET_NAME
#include "num/jet8.h"

static const double TOLERANCE = 1e-15;

/* a value and k times the directions (1, 0, 2, -1) of the variable below */
static const double direction[4] = {1, 0, 2, -1};
static jet4 variable(double value) { return (jet4){value, {1, 0, 2, -1}}; }

static void is(jet4 got, double value, double k)
{
    assert_true(fabs(got.v - value) <= TOLERANCE * fmax(1, fabs(value)));
    for (int i = 0; i < 4; i++) assert_true(fabs(got.d[i] - k * direction[i]) <= TOLERANCE * fmax(1, fabs(k)) * 2);
}

static void same(jet4 a, jet4 b)
{
    const double near = 1e-13;
    assert_true(fabs(a.v - b.v) <= near * fmax(1, fabs(b.v)));
    for (int i = 0; i < 4; i++) assert_true(fabs(a.d[i] - b.d[i]) <= near * fmax(1, fabs(b.d[i])));
}

static void sincos_of(jet4 a, double scale, double theta, long long quarter, jet4 *s, jet4 *c)
{
    const turn_table table = {.n = 1, .scale = &scale, .theta = &theta, .quarter = &quarter};
    jet4_turns(&table, &a, s, c);
}

static void sums_and_products(void **state)
{
    (void)state;
    const jet4 a = variable(3), b = {5, {0, 1, 7, 2}};
    is(jet4_of(3), 3, 0);
    is(jet4_neg(a), -3, -1);
    is(jet4_mulc(-4, a), -12, -4);
    const jet4 sum = jet4_add(a, b), rest = jet4_sub(a, b), product = jet4_mul(a, b), quotient = jet4_divide(b, variable(2));
    assert_true(sum.v == 8 && rest.v == -2 && product.v == 15 && quotient.v == 2.5);
    const double sums[4] = {1, 1, 9, 1}, rests[4] = {1, -1, -5, -3};
    const double products[4] = {5, 3, 31, 1};          /* 3 db + 5 da */
    const double quotients[4] = {-1.25, 0.5, 1, 2.25}; /* (db - 2.5 da) / 2 */
    for (int i = 0; i < 4; i++) {
        assert_true(sum.d[i] == sums[i] && rest.d[i] == rests[i]);
        assert_true(product.d[i] == products[i] && quotient.d[i] == quotients[i]);
    }
}

static void functions(void **state)
{
    (void)state;
    is(jet4_root(variable(4)), 2, 1.0 / 4);
    is(jet4_expo(variable(0)), 1, 1);
    is(jet4_expo(variable(0.5)), exp(0.5), exp(0.5));
    is(jet4_power(variable(4), 1.5), 8, 3);
    is(jet4_power(variable(2), 3), 8, 12);
    is(jet4_power(variable(2), 0), 1, 0);
    is(jet4_power(variable(0), 1.5), 0, 0);
    is(jet4_power(variable(0), 0.5), 0, 0); /* at zero the derivative is taken as zero */
}

static void corners(void **state)
{
    (void)state;
    is(jet4_absolute(variable(3)), 3, 1);
    is(jet4_absolute(variable(-3)), 3, -1);
    is(jet4_absolute(variable(0)), 0, 0);
    is(jet4_sign(variable(3)), 1, 0);
    is(jet4_sign(variable(-3)), -1, 0);
    is(jet4_sign(variable(0)), 0, 0);
    is(jet4_least(variable(2), 3), 2, 1);
    is(jet4_least(variable(4), 3), 3, 0);
    is(jet4_most(variable(2), 3), 3, 0);
    is(jet4_most(variable(4), 3), 4, 1);
}

static void turns_of_joints(void **state)
{
    (void)state;
    jet4 s, c;
    sincos_of(variable(0), 1, 0, 0, &s, &c);
    is(s, 0, 1);
    is(c, 1, 0);
    sincos_of(variable(0.5), 1, 0.25, 0, &s, &c);
    is(s, sin(0.75), cos(0.75));
    is(c, cos(0.75), -sin(0.75));
    sincos_of(variable(0.5), 1, 0, 3, &s, &c); /* a quarter back: -cos, sin */
    is(s, -cos(0.5), sin(0.5));
    is(c, sin(0.5), cos(0.5));
    sincos_of(variable(7), 0, 0.25, 0, &s, &c); /* a prismatic joint does not turn */
    is(s, sin(0.25), 0);
    is(c, cos(0.25), 0);
}

static void identities(void **state)
{
    (void)state;
    random_stream r = {1};
    for (int n = 0; n < 1000; n++) {
        jet4 a = jet4_of(random_between(&r, 0.5, 2)), b = jet4_of(random_between(&r, 0.5, 2)), s, c, s2, c2;
        for (int i = 0; i < 4; i++) a.d[i] = random_between(&r, -1, 1), b.d[i] = random_between(&r, -1, 1);
        same(jet4_mul(a, b), jet4_mul(b, a));
        same(jet4_mul(jet4_divide(a, b), b), a);
        same(jet4_mul(jet4_root(a), jet4_root(a)), a);
        same(jet4_mul(jet4_power(a, 0.7), jet4_power(a, 1.3)), jet4_mul(a, a));
        same(jet4_expo(jet4_add(a, b)), jet4_mul(jet4_expo(a), jet4_expo(b)));
        sincos_of(a, 1, 0.3, 0, &s, &c);
        same(jet4_add(jet4_mul(s, s), jet4_mul(c, c)), jet4_of(1));
        sincos_of(jet4_mulc(2, a), 1, 0.6, 0, &s2, &c2);
        same(s2, jet4_mulc(2, jet4_mul(s, c)));
    }
}

/* A long expression with every word, in each width; its directions one by one must be the same numbers. */
#define EXPRESSION(J, JETS)                                                                                                      \
    static J JETS(double u, double v, int at, double du, double dv)                                                              \
    {                                                                                                                            \
        J a = J##_of(u), b = J##_of(v), s, c;                                                                                    \
        a.d[at] = du;                                                                                                            \
        b.d[at] = dv;                                                                                                            \
        const double scale = 1, theta = 0.5;                                                                                     \
        const long long quarter = 0;                                                                                             \
        const turn_table table = {.n = 1, .scale = &scale, .theta = &theta, .quarter = &quarter};                                \
        J##_turns(&table, &a, &s, &c);                                                                                           \
        const J x = J##_divide(J##_mul(s, b), J##_add(J##_of(3), c)), y = J##_absolute(J##_sub(a, b));                           \
        const J z = J##_mul(J##_sign(a), J##_expo(J##_neg(J##_power(y, 1.5))));                                                  \
        return J##_add(J##_mulc(2, J##_root(J##_most(y, 0.1))), J##_add(J##_least(x, 0.2), z));                                  \
    }
EXPRESSION(jet2, in_jet2)
EXPRESSION(jet4, in_jet4)
EXPRESSION(jet8, in_jet8)

static void all_widths_give_equal_bits(void **state)
{
    (void)state;
    random_stream r = {2};
    for (int n = 0; n < 1000; n++) {
        const double u = random_between(&r, -2, 2), v = random_between(&r, -2, 2);
        const double du = random_between(&r, -1, 1), dv = random_between(&r, -1, 1);
        const jet2 first = in_jet2(u, v, 0, du, dv);
        for (int at = 0; at < 8; at++) {
            const jet8 wide = in_jet8(u, v, at, du, dv);
            assert_true(wide.v == first.v);
            for (int i = 0; i < 8; i++) assert_true(wide.d[i] == (i == at ? first.d[0] : 0));
            if (at >= 4) continue;
            const jet4 middle = in_jet4(u, v, at, du, dv);
            assert_true(middle.v == first.v && middle.d[at] == first.d[0]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products), cmocka_unit_test(functions),  cmocka_unit_test(corners),
        cmocka_unit_test(turns_of_joints),   cmocka_unit_test(identities), cmocka_unit_test(all_widths_give_equal_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
