/* SPDX-License-Identifier: MIT
 *
 * formula_test.c - formulas of dimensions: values are those of plain arithmetic, what cancels is nothing, texts are short. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_are_arithmetic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
