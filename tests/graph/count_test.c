/* SPDX-License-Identifier: MIT
 *
 * count_test.c - operations, depth and steps of graphs small enough to count by hand, and the published counts of the RX-90. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arne/codegen.h"
#include "arne/count.h"
#include "arne/file.h"
#include "arne/quantity.h"
#include "graph/graph.h"
#include "support/data.h"
#include "support/random_robot.h"

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

/* is it an operation of the program? */
static bool runs(const sym_graph *g, const bool *live, int ref)
{
    if (ref < 0 || !live[ref >> 1]) return false;
    const sym_node *x = arne__sym_graph_node(g, ref >> 1);
    return x->op > SYM_INPUT && !x->fixed && x->op != SYM_SINE && x->op != SYM_COSINE;
}

/* the operations behind each node, by looking at all pairs until nothing changes; then step after step the ready ones with most
 * behind them, of several the first */
static long steps_by_hand(const sym_graph *g, const bool *live, int processors)
{
    enum { MOST = 200 };
    long behind[MOST] = {0}, steps = 0;
    int when[MOST] = {0}, size = arne__sym_graph_size(g); /* step in which a node is computed, 0: not yet */
    assert_in_range(size, 0, MOST);
    for (int round = 0; round < size; round++)
        for (int i = 0; i < size; i++)
            for (int k = 0; runs(g, live, 2 * i) && k < 2; k++) {
                const sym_node *x = arne__sym_graph_node(g, i);
                const int ref = k ? x->b : x->a;
                if (runs(g, live, ref) && behind[ref >> 1] < behind[i] + 1) behind[ref >> 1] = behind[i] + 1;
            }
    for (bool more = true; more; steps++) {
        more = false;
        for (int p = 0; p < processors; p++) {
            int best = -1;
            for (int i = 0; i < size; i++) {
                const sym_node *x = arne__sym_graph_node(g, i);
                bool ready = runs(g, live, 2 * i) && !when[i];
                for (int k = 0; k < 2 && ready; k++) {
                    const int ref = k ? x->b : x->a;
                    ready = !runs(g, live, ref) || (when[ref >> 1] && when[ref >> 1] <= steps);
                }
                if (ready && (best < 0 || behind[i] > behind[best])) best = i;
            }
            if (best < 0) break;
            when[best] = (int)steps + 1;
            more = true;
        }
    }
    return steps - 1;
}

static void the_longest_way_goes_first(void **state)
{
    (void)state;
    random_stream r = {31};
    for (int round = 0; round < FEWER(40); round++) {
        sym_graph *g = arne__sym_graph_new();
        sym at[64], out[3];
        bool live[200];
        graph_count c;
        int n = 0;
        while (n < 5) at[n] = in(g, n), n++;
        while (n < 7) at[n] = par(g, n, n), n++;
        for (; n < 64; n++) {
            const sym a = at[n - 1 - random_below(&r, n < 12 ? n : 12)], b = at[random_below(&r, n)];
            switch (random_below(&r, 5)) {
            case 0: at[n] = arne__sym_sine(a); break;
            case 1: at[n] = sym_sub(a, b); break;
            case 2: at[n] = sym_root(a); break;
            default: at[n] = sym_mul(a, b); break;
            }
        }
        for (int i = 0; i < 3; i++) out[i] = at[63 - 3 * i];
        assert_true(arne__graph_cost(g, out, 3, &c));
        arne__graph_live(g, out, 3, live);
        assert_int_equal(arne__graph_steps(g, out, 3, 1), c.add + c.mul + c.div + c.other);
        assert_int_equal(arne__graph_steps(g, out, 3, 1000), c.depth);
        for (int processors = 1; processors < 6; processors++)
            assert_int_equal(arne__graph_steps(g, out, 3, processors), steps_by_hand(g, live, processors));
        arne__sym_graph_free(g);
    }
}

/* a product of four has depth 2, as the sum of what is shallow beside it: the sum of both has 3 */
static void shallow_terms_meet_first(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new(), *less = arne__sym_graph_new();
    sym out = sym_mul(sym_mul(sym_mul(in(g, 0), in(g, 1)), in(g, 2)), in(g, 3)), shorter;
    for (int i = 4; i < 8; i++) out = sym_add(out, in(g, i));
    assert_int_equal(cost(g, out).depth, 7);
    assert_true(arne__graph_factor(g, &out, 1, true, less, &shorter));
    assert_int_equal(cost(less, shorter).depth, 3);
    assert_int_equal(cost(less, shorter).mul, 3);
    assert_int_equal(cost(less, shorter).add, 4);
    const double input[8] = {2, 3, 5, 7, 1, 10, 100, 1000};
    double value;
    assert_true(arne__graph_evaluate(less, input, &shorter, 1, &value));
    assert_true(value == 1321);
    arne__sym_graph_free(g);
    arne__sym_graph_free(less);
}

/* Products of k different numbers have depth d, the least with k <= 2^d; a sum of them the least D with sum of 2^d <= 2^D. */
static void trees_are_as_shallow_as_can_be(void **state)
{
    (void)state;
    random_stream r = {5};
    for (int round = 0; round < FEWER(60); round++) {
        sym_graph *g = arne__sym_graph_new(), *less = arne__sym_graph_new();
        sym out = sym_of(0), shorter;
        int number = 0, least = 0, terms = 2 + random_below(&r, 10);
        long sizes = 0;
        for (int i = 0; i < terms; i++) {
            sym product = sym_of(1);
            const int factors = 1 + random_below(&r, 7);
            int d = 0;
            for (int k = 0; k < factors; k++) product = sym_mul(product, in(g, number++));
            while (1 << d < factors) d++;
            sizes += 1 << d;
            out = sym_add(out, product);
        }
        while (1L << least < sizes) least++;
        assert_true(arne__graph_factor(g, &out, 1, true, less, &shorter));
        assert_int_equal(cost(less, shorter).depth, least);
        assert_int_equal(cost(less, shorter).add, terms - 1);
        assert_int_equal(cost(less, shorter).mul, number - terms);
        arne__sym_graph_free(g);
        arne__sym_graph_free(less);
    }
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

static void what_is_not_for_a_robot_is_said(void **state)
{
    (void)state;
    arne_model *m;
    arne_operations c;
    assert_int_equal(arne_load(ARNE_ROBOTS "/satellite.yaml", &m, NULL), ARNE_OK);
    static const char *const strobing = "strobing [004 section 8] has one axis a joint, and arrays of products of joint speeds";
    assert_string_equal(arne_count_fault(m, "strobe-mass", NULL), strobing);
    assert_string_equal(arne_count_fault(m, "strobe-coriolis", NULL), strobing);
    assert_string_equal(arne_count_fault(m, "elastic", NULL),
                        "the recursion of [002] has one axis a joint; elastic-taylor is for all");
    static const char *const good[] = {"elastic-taylor", "id", "id-lean", "did-jets", "nothing"};
    for (int i = 0; i < 5; i++) assert_null(arne_count_fault(m, good[i], NULL));
    assert_null(arne_count_fault(NULL, "elastic", NULL));
    assert_null(arne_count_fault(m, NULL, NULL));
    arne_data *d = test_data(m);
    assert_int_equal(arne_count(d, "elastic", NULL, &c), ARNE_UNSUPPORTED);
    assert_int_equal(arne_count(NULL, "id", NULL, &c), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(d, NULL, NULL, &c), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(d, "id", NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(d, "id", &(arne_count_options){0}, &c), ARNE_BAD_ARGUMENT);
    arne_data_free(d);
    arne_model_free(m);
    for (int n = 200; n <= 201; n++) {
        const arne_count_options base = {.size = sizeof base, .base = true};
        arne_description *chain = long_chain(n);
        assert_int_equal(arne_model_build(chain, NULL, &m, NULL), ARNE_OK);
        assert_null(arne_count_fault(m, "id", NULL));
        const char *fault = arne_count_fault(m, "id", &base);
        if (n == 200)
            assert_null(fault);
        else
            assert_string_equal(fault, "base parameters are found for up to 200 joints: take standard ones (--params standard)");
        arne_model_free(m);
        arne_description_free(chain);
    }
}

/* the functions that can be written, in the order of quantities, the torques of elastic joints last */
static void functions_have_names(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < arne_quantities(); i++) {
        const arne_quantity *q = arne_quantity_at(i);
        if (q->hidden) continue;
        assert_string_equal(arne_codegen_name(count), q->name);
        assert_string_equal(arne_codegen_about(count), q->about);
        count++;
    }
    assert_string_equal(arne_codegen_name(count), "elastic");
    assert_string_equal(arne_codegen_about(count),
                        "torques of the links alone (no rotors, no friction), first and second derivative: 3 x n");
    for (int more = 1; more < 3; more++) {
        assert_null(arne_codegen_name(count + more));
        assert_null(arne_codegen_about(count + more));
        assert_null(arne_codegen_name(-more));
        assert_null(arne_codegen_about(-more));
    }
    int names = 0;
    while (arne_count_name(names)) names++;
    assert_null(arne_count_name(-1));
    assert_null(arne_count_name(names + 1));
    assert_string_equal(arne_count_name(names - 1), "strobe-coriolis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_are_counted_once),    cmocka_unit_test(processors_share_the_work),
        cmocka_unit_test(the_longest_way_goes_first),     cmocka_unit_test(shallow_terms_meet_first),
        cmocka_unit_test(trees_are_as_shallow_as_can_be), cmocka_unit_test(common_factors_leave_sums),
        cmocka_unit_test(rx90_counts_as_published),       cmocka_unit_test(what_is_not_for_a_robot_is_said),
        cmocka_unit_test(functions_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
