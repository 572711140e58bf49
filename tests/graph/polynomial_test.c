/* SPDX-License-Identifier: MIT
 *
 * polynomial_test.c - sums of products: arithmetic, S^2 = 1 - C^2, one form only, sines of sums of joints, and the cap. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/closed_form.h"
#include "graph/graph.h"
#include "support/random_robot.h"

enum { X, Y, C, S, D, T }; /* atoms: x, y, cosines C D, sines S T */

static poly_ring ring_of_six(void)
{
    poly_ring r = {.most = 1000};
    assert_int_equal(poly_ring_add(&r, "x"), X);
    assert_int_equal(poly_ring_add(&r, "y"), Y);
    assert_int_equal(poly_ring_pair(&r, "C", "S"), C);
    assert_int_equal(poly_ring_pair(&r, "D", "T"), D);
    assert_int_equal(poly_ring_find(&r, "T"), T);
    assert_int_equal(poly_ring_find(&r, "z"), -1);
    return r;
}

/* a polynomial of a few random terms */
static poly random_poly(poly_ring *r, random_stream *s)
{
    poly p = poly_zero(r);
    for (int i = 0; i < 5; i++) {
        poly term = poly_constant(r, random_below(s, 9) - 4);
        for (int k = random_below(s, 4); k > 0; k--) {
            poly atom = poly_of(r, random_below(s, 6)), product = poly_zero(r);
            poly_mul(&product, 1, &term, &atom);
            poly_free(&term), poly_free(&atom);
            term = product;
        }
        poly_add(&p, 1, &term);
        poly_free(&term);
    }
    return p;
}

static void point(random_stream *s, double *value)
{
    const double a = random_between(s, -3, 3), b = random_between(s, -3, 3);
    value[X] = random_between(s, -2, 2), value[Y] = random_between(s, -2, 2);
    value[C] = cos(a), value[S] = sin(a), value[D] = cos(b), value[T] = sin(b);
}

static void near(double got, double want) { assert_true(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))); }

static void arithmetic_keeps_values(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    random_stream s = {1};
    for (int round = 0; round < 200; round++) {
        poly a = random_poly(&r, &s), b = random_poly(&r, &s), sum = poly_zero(&r), ab = poly_zero(&r), ba = poly_zero(&r);
        double v[6];
        point(&s, v);
        poly_add(&sum, 2, &a);
        poly_add(&sum, -1, &b);
        near(poly_value(&sum, v), 2 * poly_value(&a, v) - poly_value(&b, v));
        poly_mul(&ab, 1, &a, &b);
        poly_mul(&ba, 1, &b, &a);
        near(poly_value(&ab, v), poly_value(&a, v) * poly_value(&b, v));
        assert_true(poly_equal(&ab, &ba, 0));
        for (int i = 0; i < ab.count; i++) assert_true(poly_power(&ab, i)[S] < 2 && poly_power(&ab, i)[T] < 2);
        poly_sort(&ab), poly_sort(&ba);
        for (int i = 0; i < ab.count; i++) {
            assert_true(ab.coefficient[i] == ba.coefficient[i]);
            assert_memory_equal(poly_power(&ab, i), poly_power(&ba, i), (size_t)r.count);
        }
        poly sines = poly_zero(&r), gone = poly_zero(&r);
        poly_by_sines(&sines, &ab, C);
        near(poly_value(&sines, v), poly_value(&ab, v));
        for (int i = 0; i < sines.count; i++) assert_true(poly_power(&sines, i)[C] < 2);
        poly_add(&gone, 1, &ab);
        poly_add(&gone, -1, &ba);
        assert_int_equal(gone.count, 0);
        poly_free(&a), poly_free(&b), poly_free(&sum), poly_free(&ab), poly_free(&ba), poly_free(&sines);
        poly_free(&gone);
    }
    assert_int_equal(r.state, POLY_FINE);
    poly_ring_free(&r);
}

/* (C + S)^2 - 2 C S = 1 */
static void squares_reduce(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    poly c = poly_of(&r, C), s = poly_of(&r, S), sum = poly_zero(&r), p = poly_zero(&r), one = poly_constant(&r, 1);
    poly_add(&sum, 1, &c);
    poly_add(&sum, 1, &s);
    poly_mul(&p, 1, &sum, &sum);
    poly_mul(&p, -2, &c, &s);
    assert_true(poly_equal(&p, &one, 0));
    poly_free(&c), poly_free(&s), poly_free(&sum), poly_free(&p), poly_free(&one);
    poly_ring_free(&r);
}

static void substitution_is_composition(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    random_stream s = {3};
    for (int round = 0; round < 50; round++) {
        poly a = random_poly(&r, &s), b = random_poly(&r, &s), p = poly_zero(&r);
        const poly *value[6] = {[Y] = &b};
        double v[6];
        point(&s, v);
        poly_substitute(&p, &a, value);
        const double want_y = poly_value(&b, v);
        const double got = poly_value(&p, v);
        v[Y] = want_y;
        near(got, poly_value(&a, v));
        poly_free(&a), poly_free(&b), poly_free(&p);
    }
    poly_ring_free(&r);
}

/* (x + y + C + ...)^n grows past the cap: the ring says so, and nothing else happens */
static void the_cap_holds(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    r.most = 50;
    poly sum = poly_zero(&r);
    for (int k = 0; k < 6; k++) {
        poly atom = poly_of(&r, k);
        poly_add(&sum, 1, &atom);
        poly_free(&atom);
    }
    poly power = poly_constant(&r, 1);
    for (int n = 0; n < 10; n++) {
        poly next = poly_zero(&r);
        poly_mul(&next, 1, &power, &sum);
        poly_free(&power);
        power = next;
    }
    assert_int_equal(r.state, POLY_TOO_LONG);
    poly_free(&power), poly_free(&sum);
    poly_ring_free(&r);
}

/* ---- graphs ---- */

static const double angle[4] = {0.3, -1.1, 0.7, 2.1};

/* value of every atom of an expansion of a graph whose only inputs are four angles */
static double *atoms(const expansion *e)
{
    double *v = calloc((size_t)e->ring.count + 1, sizeof *v);
    assert_non_null(v);
    for (int i = 0; i < e->angles; i++) {
        double a = 0;
        for (int j = 0; j < 4; j++) a += e->angle[i].turns[j] * (e->scale[j] * angle[j] + e->offset[j]);
        v[e->angle[i].cosine] = cos(a);
        v[e->angle[i].cosine + 1] = sin(a);
    }
    return v;
}

/* expands `out`, checks the value of both forms, and gives the printed line */
static void expect_text(const sym_graph *g, sym out, const int *before, const int *sense, const char *want)
{
    const graph_axes axes = {4, before, sense};
    expansion e;
    closed_form form;
    double value;
    assert_true(expand(g, &out, 1, &axes, 1000, &e));
    assert_true(closed_form_of(&e, &e.out[0], &form));
    assert_true(graph_evaluate(g, angle, &out, 1, &value));
    double *v = atoms(&e);
    near(poly_value(&e.out[0], v), value);
    poly printed = poly_zero(&e.ring);
    for (int i = 0; i < form.count; i++) poly_add_term(&printed, form.term[i].c, form.term[i].power);
    near(poly_value(&printed, v), value);
    text t = {0};
    print_closed(&t, "y", &e, &form, false);
    assert_string_equal(text_string(&t), want);
    text_free(&t);
    free(v);
    poly_free(&printed);
    closed_form_free(&form);
    expand_free(&e);
}

static void sums_of_parallel_joints(void **state)
{
    (void)state;
    sym_graph *g = sym_graph_new();
    sym s[4], c[4];
    for (int i = 0; i < 4; i++) {
        const sym q = sym_input(g, "q");
        s[i] = sym_sine(q), c[i] = sym_cosine(q);
    }
    const int alone[4] = {-1, -1, -1, -1}, chain[4] = {-1, 0, 1, 2}, same[4] = {1, 1, 1, 1}, opposite[4] = {1, -1, 1, 1};
    const sym s12 = sym_add(sym_mul(s[0], c[1]), sym_mul(c[0], s[1])), c12 = sym_sub(sym_mul(c[0], c[1]), sym_mul(s[0], s[1]));
    const sym d12 = sym_sub(sym_mul(s[0], c[1]), sym_mul(c[0], s[1]));
    const sym s123 = sym_add(sym_mul(s12, c[2]), sym_mul(c12, s[2]));
    expect_text(g, s12, alone, same, "y = C1 S2 + S1 C2\n");
    expect_text(g, s12, chain, same, "y = S12\n");
    expect_text(g, s123, chain, same, "y = S123\n");
    expect_text(g, d12, chain, opposite, "y = S1m2\n");
    expect_text(g, sym_add(c[1], sym_mul(s12, sym_of(0))), chain, same, "y = C2\n");
    /* S12 C1 - C12 S1 = S2, though S1 and C1 are there */
    expect_text(g, sym_sub(sym_mul(s12, c[0]), sym_mul(c12, s[0])), chain, same, "y = S2\n");
    /* 1 - C^2 is S^2, and C^2 stays */
    expect_text(g, sym_sub(sym_of(1), sym_mul(c[0], c[0])), chain, same, "y = SS1\n");
    expect_text(g, sym_mul(c12, c12), chain, same, "y = CC12\n");
    expect_text(g, sym_mul(sym_of(2), sym_mul(s12, c12)), chain, same, "y = 2 CS12\n");
    expect_text(g, sym_sub(sym_mul(s12, s12), sym_mul(s12, s12)), chain, same, "y = 0\n");
    sym_graph_free(g);
}

/* every product of sines and cosines of four joints, in any chain, keeps its value in both forms */
static void random_graphs_keep_their_value(void **state)
{
    (void)state;
    random_stream r = {11};
    for (int round = 0; round < 60; round++) {
        sym_graph *g = sym_graph_new();
        sym turn[8], sum = sym_of(0);
        int before[4] = {-1, 0, 1, 2}, sense[4] = {1, 1, 1, 1};
        for (int i = 0; i < 4; i++) {
            sym q = sym_input(g, "q");
            if (random_below(&r, 3) == 0) q = sym_add(q, sym_of(random_between(&r, -1, 1)));
            turn[2 * i] = sym_sine(q), turn[2 * i + 1] = sym_cosine(q);
            if (i && random_below(&r, 3) == 0) before[i] = random_below(&r, i + 1) - 1; /* branches and breaks */
            if (random_below(&r, 3) == 0) sense[i] = -1;
        }
        for (int k = 0; k < 4; k++) {
            sym product = sym_of(random_below(&r, 7) - 3);
            for (int i = 0; i < 4; i++) product = sym_mul(product, turn[random_below(&r, 8)]);
            sum = sym_add(sum, product);
        }
        const graph_axes axes = {4, before, sense};
        expansion e;
        closed_form form;
        double value;
        assert_true(expand(g, &sum, 1, &axes, 5000, &e));
        assert_true(closed_form_of(&e, &e.out[0], &form));
        assert_true(graph_evaluate(g, angle, &sum, 1, &value));
        double *v = atoms(&e);
        near(poly_value(&e.out[0], v), value);
        poly printed = poly_zero(&e.ring);
        for (int i = 0; i < form.count; i++) poly_add_term(&printed, form.term[i].c, form.term[i].power);
        near(poly_value(&printed, v), value);
        assert_true(form.count <= e.out[0].count);
        free(v);
        poly_free(&printed);
        closed_form_free(&form);
        expand_free(&e);
        sym_graph_free(g);
    }
}

static void what_is_no_polynomial_is_refused(void **state)
{
    (void)state;
    sym_graph *g = sym_graph_new();
    const int before[1] = {-1}, sense[1] = {1};
    const graph_axes axes = {1, before, sense};
    const sym q = sym_input(g, "q"), out = sym_divide(sym_of(1), q);
    expansion e;
    assert_false(expand(g, &out, 1, &axes, 100, &e));
    assert_int_equal(e.ring.state, POLY_TOO_LONG);
    expand_free(&e);
    sym_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_keeps_values),          cmocka_unit_test(squares_reduce),
        cmocka_unit_test(substitution_is_composition),      cmocka_unit_test(the_cap_holds),
        cmocka_unit_test(sums_of_parallel_joints),          cmocka_unit_test(random_graphs_keep_their_value),
        cmocka_unit_test(what_is_no_polynomial_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
