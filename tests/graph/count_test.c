/* SPDX-License-Identifier: MIT
 *
 * count_test.c - operations, depth and steps of graphs small enough to count by hand, and the published counts of the RX-90. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arne/count.h"
#include "arne/file.h"
#include "graph/graph.h"
#include "support/data.h"

/* input and parameter number i */
static sym in(sym_graph *g, int i) { return arne__sym_input(g, (sym_key){0, 0, i}); }
static sym par(sym_graph *g, int i, double value) { return arne__sym_param(g, (sym_key){1, 0, i}, value); }

static graph_count cost(const sym_graph *g, sym out)
{
    graph_count c;
    assert_true(arne__graph_cost(g, &out, 1, &c));
    return c;
}

static void operations_are_counted_once(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1), p = par(g, 0, 2), r = par(g, 1, 3);
    sym_mul(a, sym_add(a, b)); /* nobody asks for it */
    const sym ab = sym_mul(a, b);
    /* a b + p r a b: the product of parameters is free */
    graph_count c = cost(g, sym_add(ab, sym_mul(sym_mul(p, r), ab)));
    assert_int_equal(c.mul, 2);
    assert_int_equal(c.add, 1);
    assert_int_equal(c.div + c.other + c.trig, 0);
    assert_int_equal(c.depth, 3);
    /* sine and cosine of one angle are one; they count as inputs of the chain */
    c = cost(g, sym_divide(sym_mul(arne__sym_sine(a), arne__sym_cosine(a)), sym_root(arne__sym_cosine(b))));
    assert_int_equal(c.trig, 2);
    assert_int_equal(c.mul, 1);
    assert_int_equal(c.div, 1);
    assert_int_equal(c.other, 1);
    assert_int_equal(c.depth, 2);
    assert_int_equal(cost(g, sym_of(4)).depth, 0);
    arne__sym_graph_free(g);
}

/* x1 + ... + x8 from the left */
static sym chain(sym_graph *g)
{
    sym sum = in(g, 0);
    for (int i = 1; i < 8; i++) sum = sym_add(sum, in(g, i));
    return sum;
}

static void processors_share_the_work(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new(), *flat = arne__sym_graph_new();
    const sym sum = chain(g);
    assert_int_equal(cost(g, sum).depth, 7);
    assert_int_equal(arne__graph_steps(g, &sum, 1, 1), 7);
    assert_int_equal(arne__graph_steps(g, &sum, 1, 8), 7); /* a chain gains nothing */
    sym tree;
    assert_true(arne__graph_factor(g, &sum, 1, true, flat, &tree));
    assert_int_equal(cost(flat, tree).add, 7);
    assert_int_equal(cost(flat, tree).depth, 3);
    assert_int_equal(arne__graph_steps(flat, &tree, 1, 1), 7);
    assert_int_equal(arne__graph_steps(flat, &tree, 1, 2), 4); /* 4 sums take 2, then 2 in 1, then 1 */
    assert_int_equal(arne__graph_steps(flat, &tree, 1, 4), 3);
    const double input[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    double value;
    assert_true(arne__graph_evaluate(flat, input, &tree, 1, &value));
    assert_true(value == 255);
    arne__sym_graph_free(g);
    arne__sym_graph_free(flat);
}

static void common_factors_leave_sums(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new(), *less = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1), c = in(g, 2);
    const sym out = sym_sub(sym_mul(a, b), sym_mul(a, c));
    sym shorter;
    assert_true(arne__graph_factor(g, &out, 1, false, less, &shorter));
    assert_int_equal(cost(g, out).mul, 2);
    assert_int_equal(cost(less, shorter).mul, 1);
    assert_int_equal(cost(less, shorter).add, 1);
    const double input[3] = {3, 7, 2};
    double value;
    assert_true(arne__graph_evaluate(less, input, &shorter, 1, &value));
    assert_true(value == 15);
    arne__sym_graph_free(g);
    arne__sym_graph_free(less);
}

static arne_operations of_robot(const char *path, bool general)
{
    arne_model *m;
    arne_error error;
    if (arne_load(path, &m, &error)) fail_msg("%s", error.message);
    arne_data *d = test_data(m);
    const arne_count_options o = {.size = sizeof o, .general = general, .with_wrench = true, .as_written = true};
    arne_operations c;
    assert_int_equal(arne_count(d, "id", &o, &c), ARNE_OK);
    assert_int_equal(arne_count(d, "nothing", &o, &c), ARNE_BAD_VALUE);
    arne_data_free(d);
    arne_model_free(m);
    return c;
}

/* [ERRATA part two 2.1], column "same, expressions shared": counted there by an independent program */
static void rx90_counts_as_published(void **state)
{
    (void)state;
    const arne_operations general = of_robot(ARNE_ROBOTS "/rx90.yaml", true);
    assert_int_equal(general.mul, 292);
    assert_int_equal(general.add, 283);
    assert_int_equal(general.trig, 5); /* nothing depends on the angle of the vertical first axis */
    const arne_operations simple = of_robot(ARNE_ROBOTS "/rx90-simplified.yaml", false);
    assert_int_equal(simple.mul, 200);
    assert_int_equal(simple.add, 153);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_counted_once),
        cmocka_unit_test(processors_share_the_work),
        cmocka_unit_test(common_factors_leave_sums),
        cmocka_unit_test(rx90_counts_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
