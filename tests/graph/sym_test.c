/* SPDX-License-Identifier: MIT
 *
 * sym_test.c - the symbolic kind: equal expressions are one node, constants fold, signs are free, values are those of double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "support/random_robot.h"

/* input and parameter number i */
static sym in(sym_graph *g, int i) { return arne__sym_input(g, (sym_key){0, 0, i}); }
static sym par(sym_graph *g, int i, double value) { return arne__sym_param(g, (sym_key){1, 0, i}, value); }

static bool same(sym a, sym b) { return a.g == b.g && (a.g ? a.ref == b.ref : a.c == b.c); }
static bool constant(sym a, double c) { return !a.g && a.c == c; }

static void equal_expressions_are_one_node(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1);
    assert_true(same(sym_add(a, b), sym_add(b, a)));
    assert_true(same(sym_mul(a, b), sym_mul(b, a)));
    assert_true(same(arne__sym_sine(a), arne__sym_sine(a)));
    assert_false(same(arne__sym_sine(a), arne__sym_sine(b)));
    assert_true(same(sym_mul(sym_of(3), a), sym_mul(a, sym_of(3))));
    const int size = arne__sym_graph_size(g);
    sym_add(sym_mul(b, a), sym_mul(a, b));
    assert_int_equal(arne__sym_graph_size(g), size + 1);
    assert_true(same(in(g, 0), a)); /* one key is one node */
    assert_true(same(par(g, 0, 0.5), par(g, 0, 0.5)) && !same(par(g, 0, 0.5), par(g, 1, 0.5)));
    arne__sym_graph_free(g);
}

static void signs_are_free(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1);
    const sym d = sym_sub(a, b);
    const int size = arne__sym_graph_size(g);
    assert_true(same(sym_sub(b, a), sym_neg(d)));
    assert_true(same(sym_neg(sym_neg(a)), a));
    const sym product = sym_mul(a, b);
    assert_true(same(sym_mul(sym_neg(a), b), sym_neg(product)));
    assert_true(same(sym_mul(sym_neg(a), sym_neg(b)), product));
    assert_true(same(arne__sym_sine(sym_neg(a)), sym_neg(arne__sym_sine(a))));
    assert_true(same(arne__sym_cosine(sym_neg(a)), arne__sym_cosine(a)));
    assert_int_equal(arne__sym_graph_size(g), size + 3);
    arne__sym_graph_free(g);
}

static void zeros_and_ones_fold(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), zero = sym_of(0), one = sym_of(1);
    const int size = arne__sym_graph_size(g);
    assert_true(same(sym_add(a, zero), a));
    assert_true(same(sym_add(zero, a), a));
    assert_true(constant(sym_mul(a, zero), 0));
    assert_true(same(sym_mul(one, a), a));
    assert_true(same(sym_mul(a, sym_of(-1)), sym_neg(a)));
    assert_true(same(sym_divide(a, one), a));
    assert_true(constant(sym_sub(a, a), 0));
    assert_true(constant(sym_add(sym_of(2), sym_of(3)), 5));
    assert_true(constant(sym_mul(sym_of(2), sym_of(3)), 6));
    assert_true(constant(arne__sym_cosine(zero), 1));
    assert_true(constant(par(g, 0, 0), 0) && constant(par(g, 0, -1), -1));
    assert_int_equal(arne__sym_graph_size(g), size);
    assert_true(par(g, 0, 0.5).g == g);
    arne__sym_graph_free(g);
}

/* what was made after the cut is made again, with the same numbers */
static void a_graph_is_cut_back(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1);
    const int size = arne__sym_graph_size(g);
    const sym first = sym_mul(sym_add(a, b), in(g, 2));
    for (int i = 0; i < 3000; i++) sym_add(a, sym_of(2 + i));
    arne__sym_graph_cut(g, size);
    assert_int_equal(arne__sym_graph_size(g), size);
    assert_true(same(in(g, 0), a));
    assert_true(same(sym_mul(sym_add(a, b), in(g, 2)), first));
    assert_int_equal(arne__sym_graph_node(g, in(g, 2).ref >> 1)->a, 2);
    arne__sym_graph_cut(g, 0);
    assert_int_equal(in(g, 7).ref, 0);
    arne__sym_graph_free(g);
}

static void work_on_parameters_is_fixed(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym p = par(g, 0, 2), r = par(g, 1, 3), a = in(g, 0);
    assert_true(arne__sym_graph_node(g, sym_mul(p, r).ref >> 1)->fixed);
    assert_false(arne__sym_graph_node(g, sym_mul(p, a).ref >> 1)->fixed);
    arne__sym_graph_free(g);
}

/* the same random walk on numbers and on nodes */
static void values_are_those_of_double(void **state)
{
    (void)state;
    random_stream r = {7};
    for (int round = 0; round < 50; round++) {
        sym_graph *g = arne__sym_graph_new();
        enum { INPUTS = 4, STEPS = 60 };
        double v[INPUTS + STEPS], input[INPUTS];
        sym s[INPUTS + STEPS];
        for (int i = 0; i < INPUTS; i++) s[i] = in(g, i), v[i] = input[i] = random_between(&r, -2, 2);
        for (int i = INPUTS; i < INPUTS + STEPS; i++) {
            const int a = random_below(&r, i), b = random_below(&r, i);
            switch (random_below(&r, 6)) {
            case 0: s[i] = sym_add(s[a], s[b]), v[i] = v[a] + v[b]; break;
            case 1: s[i] = sym_sub(s[a], s[b]), v[i] = v[a] - v[b]; break;
            case 2: s[i] = sym_mul(s[a], arne__sym_sine(s[b])), v[i] = v[a] * sin(v[b]); break;
            case 3: s[i] = sym_neg(arne__sym_cosine(s[a])), v[i] = -cos(v[a]); break;
            case 4: s[i] = sym_mul(sym_of(0.5), s[a]), v[i] = 0.5 * v[a]; break;
            default: s[i] = sym_absolute(s[a]), v[i] = fabs(v[a]); break;
            }
        }
        double value[INPUTS + STEPS];
        assert_true(arne__graph_evaluate(g, input, s, INPUTS + STEPS, value));
        for (int i = 0; i < INPUTS + STEPS; i++) assert_true(value[i] == v[i]);
        arne__sym_graph_free(g);
    }
}

/* operations that robots have in friction, limits and springs */
static void other_operations_have_the_values_of_c(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1);
    const sym out[] = {sym_divide(a, b),
                       sym_root(a),
                       sym_sign(a),
                       sym_sign(b),
                       sym_sign(sym_sub(a, sym_of(2.25))),
                       sym_least(a, 0.5),
                       sym_least(b, 0.5),
                       sym_most(a, 0.5),
                       sym_most(b, 0.5),
                       sym_expo(b),
                       sym_power(a, b),
                       sym_of(7),
                       sym_neg(a),
                       sym_sub(par(g, 3, 0.5), a)};
    const double x = 2.25, y = -0.5, input[] = {x, y};
    const double should[] = {x / y, 1.5, 1, -1, 0, 0.5, y, x, 0.5, exp(y), pow(x, y), 7, -x, -1.75};
    double value[14];
    assert_true(arne__graph_evaluate(g, input, out, 14, value));
    for (int i = 0; i < 14; i++) assert_true(value[i] == should[i]);
    arne__sym_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one_node),
        cmocka_unit_test(signs_are_free),
        cmocka_unit_test(zeros_and_ones_fold),
        cmocka_unit_test(a_graph_is_cut_back),
        cmocka_unit_test(work_on_parameters_is_fixed),
        cmocka_unit_test(values_are_those_of_double),
        cmocka_unit_test(other_operations_have_the_values_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
