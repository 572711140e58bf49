/* SPDX-License-Identifier: MIT
 *
 * formula_test.c - formulas of dimensions: values are those of plain arithmetic, what cancels is nothing, texts are short. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "identify/formula.h"

static void expect(const formula_book *b, const formula *x, double value, const char *words)
{
    char text[80];
    arne__formula_text(b, x, text, sizeof text);
    assert_true(fabs(arne__formula_value(x) - value) < 1e-15);
    assert_string_equal(text, words);
}

static void formulas_are_arithmetic(void **state)
{
    (void)state;
    arena *memory = arne__arena_new();
    formula_book *b = arne__formula_book_new(memory);
    assert_non_null(b);
    const formula *d = arne__formula_named(b, "d3", 0.5), *r = arne__formula_named(b, "r4", -0.25), *c, *s;
    arne__formula_turn(b, "alpha", 0.6, 0.8, &c, &s);
    expect(b, arne__formula_add(b, arne__formula_mul(b, d, d), arne__formula_mul(b, r, r)), 0.3125, "d3^2 + r4^2");
    expect(b, arne__formula_scale(b, -2, r), 0.5, "-2*r4");
    expect(b, arne__formula_add(b, arne__formula_mul(b, c, c), arne__formula_mul(b, s, s)), 1, "1");
    /* symbols that cancel, and values that do but for rounding */
    assert_null(arne__formula_add(b, d, arne__formula_scale(b, -1, d)));
    const formula *x = arne__formula_named(b, "x", 0.1), *y = arne__formula_named(b, "y", 0.2),
                  *z = arne__formula_named(b, "z", 0.3);
    const formula *sum = arne__formula_add(b, x, y);
    assert_true(arne__formula_value(sum) != arne__formula_value(z));
    assert_null(arne__formula_add(b, sum, arne__formula_scale(b, -1, z)));
    const formula *left = arne__formula_add(b, sum, arne__formula_scale(b, -0.5, z));
    assert_true(left && fabs(arne__formula_value(left) - 0.15) < 1e-15);
    assert_false(arne__formula_failed(b));
    arne__arena_free(memory);
}

/* The book and four of its formulas: d3 = 0.5, r4 = -0.25, cos(alpha) = 0.6, sin(alpha) = 0.8. */
static arena *memory;
static formula_book *book;
static const formula *d3, *r4, *ca, *sa;

static int open_book(void **state)
{
    (void)state;
    memory = arne__arena_new();
    book = arne__formula_book_new(memory);
    d3 = arne__formula_named(book, "d3", 0.5);
    r4 = arne__formula_named(book, "r4", -0.25);
    arne__formula_turn(book, "alpha", 0.6, 0.8, &ca, &sa);
    return !(d3 && r4 && ca && sa);
}

static int close_book(void **state)
{
    (void)state;
    arne__arena_free(memory);
    return 0;
}

static const formula *plus(const formula *x, const formula *y) { return arne__formula_add(book, x, y); }
static const formula *times(const formula *x, const formula *y) { return arne__formula_mul(book, x, y); }
static const formula *scaled(double k, const formula *x) { return arne__formula_scale(book, k, x); }
static const formula *number(double k) { return arne__formula_number(book, k); }
static const formula *ratio(const formula *x, const formula *y) { return arne__formula_ratio(book, x, y); }

static void formulas_read_as_one_would_write_them(void **state)
{
    (void)state;
    expect(book, NULL, 0, "0");
    expect(book, number(1), 1, "1");
    expect(book, number(-1), -1, "-1");
    expect(book, scaled(-1, d3), -0.5, "-d3");
    expect(book, plus(d3, scaled(-1, r4)), 0.75, "d3 - r4");
    expect(book, plus(d3, scaled(-2, r4)), 1, "d3 - 2*r4");
    expect(book, plus(number(2.5), d3), 3, "2.5 + d3");
    expect(book, plus(d3, number(1)), 1.5, "d3 + 1");
    expect(book, plus(d3, number(-1)), -0.5, "d3 - 1");
    expect(book, plus(NULL, r4), -0.25, "r4");
    expect(book, plus(r4, NULL), -0.25, "r4");
    expect(book, times(r4, d3), -0.125, "d3*r4"); /* factors in the order of their names' first use */
    expect(book, times(times(r4, ca), times(scaled(3, d3), r4)), 0.05625, "3*d3*r4^2*cos(alpha)");
    expect(book, times(plus(d3, r4), plus(d3, scaled(-1, r4))), 0.1875, "d3^2 - r4^2");
    assert_null(times(NULL, d3));
    assert_null(times(d3, NULL));
    assert_null(scaled(0, d3));
    /* what cancels goes, the rest stays */
    expect(book, plus(plus(plus(d3, r4), ca), scaled(-1, d3)), 0.35, "cos(alpha) + r4");
    /* the squares of sines */
    expect(book, times(d3, times(sa, sa)), 0.32, "d3*sin(alpha)^2");
    expect(book, times(sa, times(sa, sa)), 0.512, "sin(alpha)^3");
    expect(book, plus(times(d3, times(sa, sa)), times(d3, times(ca, ca))), 0.5, "d3");
    assert_true(fabs(arne__formula_value(times(times(sa, sa), times(sa, sa))) - 0.4096) < 1e-15);
}

static void ratios_are_names_of_their_own(void **state)
{
    (void)state;
    expect(book, ratio(d3, r4), -2, "d3/r4");
    expect(book, ratio(d3, scaled(2, r4)), -1, "d3/(2*r4)");
    expect(book, ratio(d3, times(r4, ca)), 0.5 / -0.15, "d3/(r4*cos(alpha))");
    expect(book, ratio(plus(d3, r4), ca), 0.25 / 0.6, "(d3 + r4)/cos(alpha)");
    expect(book, ratio(d3, plus(ca, r4)), 0.5 / 0.35, "d3/(cos(alpha) + r4)");
    expect(book, ratio(d3, number(4)), 0.125, "0.25*d3");
    expect(book, scaled(3, ratio(d3, r4)), -6, "3*d3/r4");
    expect(book, times(ratio(d3, r4), ratio(d3, r4)), 4, "(d3/r4)^2");
    expect(book, times(ratio(d3, r4), ca), -1.2, "cos(alpha)*d3/r4");
    assert_null(ratio(NULL, r4));
}

/* Right and straight angles need no names; lengths that are zero none either. */
static void angles_fold_where_they_are_right(void **state)
{
    (void)state;
    static const double turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const char *const words[3] = {"-1", "0", "1"};
    for (int k = 0; k < 4; k++) {
        const formula *c, *s;
        arne__formula_turn(book, "gamma", turns[k][0], turns[k][1], &c, &s);
        expect(book, c, turns[k][0], words[(int)turns[k][0] + 1]);
        expect(book, s, turns[k][1], words[(int)turns[k][1] + 1]);
    }
    assert_null(arne__formula_named(book, "b1", 0));
}

/* 1e-12 of the size of the terms is what rounding leaves. */
static void sums_cancel_up_to_rounding(void **state)
{
    (void)state;
    assert_null(plus(d3, arne__formula_named(book, "near", -0.5 - 0.9e-12)));
    assert_non_null(plus(d3, arne__formula_named(book, "far", -0.5 - 1.1e-12)));
    assert_non_null(arne__formula_named(book, "short", 1e-30)); /* one term is what it is */
}

/* Beyond their room formulas are plain numbers; texts beyond theirs too. */
static void long_formulas_become_numbers(void **state)
{
    (void)state;
    char name[8], text[2000];
    const formula *product = NULL, *sum = NULL, *left = NULL, *right = NULL;
    double p = 1, s = 0, l = 0, r = 0;
    for (int k = 1; k <= 60; k++) {
        snprintf(name, sizeof name, "x%d", k);
        const double value = 1 + 0.01 * k;
        const formula *x = arne__formula_named(book, name, value);
        if (k <= 9) {
            product = product ? times(product, x) : x;
            p *= value;
            assert_true(fabs(arne__formula_value(product) - p) < 1e-14);
            arne__formula_text(book, product, text, sizeof text);
            if (k == 8) assert_string_equal(text, "x1*x2*x3*x4*x5*x6*x7*x8");
            if (k == 9) assert_null(strchr(text, 'x'));
        }
        sum = plus(sum, x);
        s += value;
        assert_true(fabs(arne__formula_value(sum) - s) < 1e-12);
        arne__formula_text(book, sum, text, sizeof text);
        if (k == 3) assert_string_equal(text, "x1 + x2 + x3");
        assert_int_equal(strstr(text, "x1 + x2") != NULL, k >= 2 && k <= 48);
        assert_int_equal(strstr(text, name) != NULL, k <= 48 || k > 49);
        if (k <= 10) left = plus(left, x), l += value;
        if (k > 10 && k <= 20) right = plus(right, x), r += value;
    }
    assert_true(fabs(arne__formula_value(times(left, right)) - l * r) < 1e-11); /* 100 products */
    const formula *squares = plus(times(d3, d3), times(r4, r4));
    arne__formula_text(book, squares, text, sizeof "d3^2 + r4^2");
    assert_string_equal(text, "d3^2 + r4^2");
    arne__formula_text(book, squares, text, sizeof "d3^2 + r4^2" - 1);
    assert_string_equal(text, "0.3125");
    assert_false(arne__formula_failed(book));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_arithmetic),
        cmocka_unit_test_setup_teardown(formulas_read_as_one_would_write_them, open_book, close_book),
        cmocka_unit_test_setup_teardown(ratios_are_names_of_their_own, open_book, close_book),
        cmocka_unit_test_setup_teardown(angles_fold_where_they_are_right, open_book, close_book),
        cmocka_unit_test_setup_teardown(sums_cancel_up_to_rounding, open_book, close_book),
        cmocka_unit_test_setup_teardown(long_formulas_become_numbers, open_book, close_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
