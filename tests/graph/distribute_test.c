/* SPDX-License-Identifier: MIT
 *
 * distribute_test.c - constants times sums: what is saved, what is left alone, and that values stay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "support/random_robot.h"

/* input and parameter number i */
static sym in(sym_graph *g, int i) { return arne__sym_input(g, (sym_key){0, 0, i}); }
static sym par(sym_graph *g, int i, double value) { return arne__sym_param(g, (sym_key){1, 0, i}, value); }

static graph_count spread(const sym_graph *g, sym out)
{
    sym_graph *to = arne__sym_graph_new();
    sym y;
    graph_count c;
    assert_true(to && arne__graph_distribute(g, &out, 1, to, &y));
    assert_true(arne__graph_cost(to, &y, 1, &c));
    arne__sym_graph_free(to);
    return c;
}

static void a_constant_goes_into_the_constants_of_a_sum(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym x = in(g, 0), y = in(g, 1), z = in(g, 2);
    const sym a = par(g, 0, 2), b = par(g, 1, 3), c = par(g, 2, 5);
    const sym sum = sym_sub(sym_mul(a, x), sym_mul(b, y));
    graph_count n = spread(g, sym_mul(c, sum)); /* c (a x - b y) */
    assert_int_equal(n.mul, 2);
    assert_int_equal(n.add, 1);
    n = spread(g, sym_mul(c, sym_add(sym_mul(a, x), y))); /* y has no constant to take it */
    assert_int_equal(n.mul, 2);
    n = spread(g, sym_mul(c, sym_add(sym_mul(sum, z), b))); /* c ((a x - b y) z + b) */
    assert_int_equal(n.mul, 3);
    assert_int_equal(n.add, 2);
    n = spread(g, sym_add(sym_mul(c, sum), sym_mul(sum, z))); /* the sum is read twice */
    assert_int_equal(n.mul, 4);
    arne__sym_graph_free(g);
}

/* a sum of two products with constants keeps them: taking out a common one is no gain */
static void constants_beside_constants_stay(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new(), *to = arne__sym_graph_new();
    const sym x = in(g, 0), y = in(g, 1);
    const sym a = par(g, 0, 2), b = par(g, 1, 3), c = par(g, 2, 5);
    const sym out = sym_add(sym_mul(sym_mul(c, x), a), sym_mul(sym_mul(c, y), b));
    sym less;
    graph_count n;
    assert_true(arne__graph_factor(g, &out, 1, true, to, &less));
    assert_true(arne__graph_cost(to, &less, 1, &n));
    assert_int_equal(n.mul, 2);
    assert_int_equal(n.add, 1);
    double value;
    assert_true(arne__graph_evaluate(to, (double[]){7, 11}, &less, 1, &value));
    assert_true(value == 5 * 2 * 7 + 5 * 3 * 11);
    arne__sym_graph_free(g);
    arne__sym_graph_free(to);
}

/* random expressions of inputs and parameters: the same value, never more work */
static void values_stay(void **state)
{
    (void)state;
    enum { INPUTS = 4, PARAMETERS = 4, NODES = 60 };
    for (unsigned seed = 1; seed <= 300; seed++) {
        random_stream r = {seed};
        sym_graph *g = arne__sym_graph_new(), *to = arne__sym_graph_new(), *less = arne__sym_graph_new();
        sym at[INPUTS + PARAMETERS + NODES], out[2], x[2], y[2];
        double input[INPUTS], value[3][2];
        int count = 0;
        for (int i = 0; i < INPUTS; i++) at[count++] = in(g, i), input[i] = random_between(&r, -1, 1);
        for (int i = 0; i < PARAMETERS; i++) at[count++] = par(g, i, random_between(&r, 0.5, 2));
        while (count < INPUTS + PARAMETERS + NODES) {
            const sym a = at[random_below(&r, count)], b = at[random_below(&r, count)];
            at[count++] = random_below(&r, 2) ? sym_mul(a, b) : random_below(&r, 2) ? sym_add(a, b) : sym_sub(a, b);
        }
        for (int i = 0; i < 2; i++) out[i] = at[count - 1 - i];
        graph_count before, after;
        assert_true(arne__graph_distribute(g, out, 2, to, x) && arne__graph_factor(to, x, 2, true, less, y));
        assert_true(arne__graph_evaluate(g, input, out, 2, value[0]) && arne__graph_evaluate(to, input, x, 2, value[1]) &&
                    arne__graph_evaluate(less, input, y, 2, value[2]));
        assert_true(arne__graph_cost(g, out, 2, &before) && arne__graph_cost(to, x, 2, &after));
        assert_true(after.mul <= before.mul && after.add <= before.add);
        for (int k = 1; k < 3; k++)
            for (int i = 0; i < 2; i++)
                if (!(fabs(value[k][i] - value[0][i]) <= 1e-9 * fmax(1, fabs(value[0][i]))))
                    fail_msg("seed %u: %.17g is %.17g after pass %d", seed, value[0][i], value[k][i], k);
        arne__sym_graph_free(g);
        arne__sym_graph_free(to);
        arne__sym_graph_free(less);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_goes_into_the_constants_of_a_sum),
        cmocka_unit_test(constants_beside_constants_stay),
        cmocka_unit_test(values_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
