/* SPDX-License-Identifier: MIT
 *
 * polynomial_test.c - sums of products: arithmetic, S^2 = 1 - C^2, one form only, sines of sums of joints, and the cap. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
    assert_int_equal(arne__poly_ring_add(&r, (sym_key){0, 0, X}), X);
    assert_int_equal(arne__poly_ring_add(&r, (sym_key){0, 0, Y}), Y);
    assert_int_equal(arne__poly_ring_pair(&r, (sym_key){0, 0, C}, (sym_key){0, 0, S}), C);
    assert_int_equal(arne__poly_ring_pair(&r, (sym_key){0, 0, D}, (sym_key){0, 0, T}), D);
    assert_int_equal(r.atom[T].key.index, T);
    return r;
}

/* a polynomial of a few random terms */
static poly random_poly(poly_ring *r, random_stream *s)
{
    poly p = arne__poly_zero(r);
    for (int i = 0; i < 5; i++) {
        poly term = arne__poly_constant(r, random_below(s, 9) - 4);
        for (int k = random_below(s, 4); k > 0; k--) {
            poly atom = arne__poly_of(r, random_below(s, 6)), product = arne__poly_zero(r);
            arne__poly_mul(&product, 1, &term, &atom);
            arne__poly_free(&term), arne__poly_free(&atom);
            term = product;
        }
        arne__poly_add(&p, 1, &term);
        arne__poly_free(&term);
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
    for (int round = 0; round < FEWER(200); round++) {
        poly a = random_poly(&r, &s), b = random_poly(&r, &s), sum = arne__poly_zero(&r), ab = arne__poly_zero(&r),
             ba = arne__poly_zero(&r);
        double v[6];
        point(&s, v);
        arne__poly_add(&sum, 2, &a);
        arne__poly_add(&sum, -1, &b);
        near(arne__poly_value(&sum, v), 2 * arne__poly_value(&a, v) - arne__poly_value(&b, v));
        arne__poly_mul(&ab, 1, &a, &b);
        arne__poly_mul(&ba, 1, &b, &a);
        near(arne__poly_value(&ab, v), arne__poly_value(&a, v) * arne__poly_value(&b, v));
        assert_true(arne__poly_equal(&ab, &ba, 0));
        for (int i = 0; i < ab.count; i++) assert_true(arne__poly_power(&ab, i)[S] < 2 && arne__poly_power(&ab, i)[T] < 2);
        arne__poly_sort(&ab), arne__poly_sort(&ba);
        for (int i = 0; i < ab.count; i++) {
            assert_true(ab.coefficient[i] == ba.coefficient[i]);
            assert_memory_equal(arne__poly_power(&ab, i), arne__poly_power(&ba, i), (size_t)r.count);
        }
        poly sines = arne__poly_zero(&r), gone = arne__poly_zero(&r);
        arne__poly_by_sines(&sines, &ab, C);
        near(arne__poly_value(&sines, v), arne__poly_value(&ab, v));
        for (int i = 0; i < sines.count; i++) assert_true(arne__poly_power(&sines, i)[C] < 2);
        arne__poly_add(&gone, 1, &ab);
        arne__poly_add(&gone, -1, &ba);
        assert_int_equal(gone.count, 0);
        arne__poly_free(&a), arne__poly_free(&b), arne__poly_free(&sum), arne__poly_free(&ab), arne__poly_free(&ba),
            arne__poly_free(&sines);
        arne__poly_free(&gone);
    }
    assert_int_equal(r.state, POLY_FINE);
    arne__poly_ring_free(&r);
}

/* (C + S)^2 - 2 C S = 1 */
static void squares_reduce(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    poly c = arne__poly_of(&r, C), s = arne__poly_of(&r, S), sum = arne__poly_zero(&r), p = arne__poly_zero(&r),
         one = arne__poly_constant(&r, 1);
    arne__poly_add(&sum, 1, &c);
    arne__poly_add(&sum, 1, &s);
    arne__poly_mul(&p, 1, &sum, &sum);
    arne__poly_mul(&p, -2, &c, &s);
    assert_true(arne__poly_equal(&p, &one, 0));
    arne__poly_free(&c), arne__poly_free(&s), arne__poly_free(&sum), arne__poly_free(&p), arne__poly_free(&one);
    arne__poly_ring_free(&r);
}

static void substitution_is_composition(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    random_stream s = {3};
    for (int round = 0; round < FEWER(50); round++) {
        poly a = random_poly(&r, &s), b = random_poly(&r, &s), p = arne__poly_zero(&r);
        const poly *value[6] = {[Y] = &b};
        double v[6];
        point(&s, v);
        arne__poly_substitute(&p, &a, value);
        const double want_y = arne__poly_value(&b, v);
        const double got = arne__poly_value(&p, v);
        v[Y] = want_y;
        near(got, arne__poly_value(&a, v));
        arne__poly_free(&a), arne__poly_free(&b), arne__poly_free(&p);
    }
    arne__poly_ring_free(&r);
}

/* (x + y + C + ...)^n grows past the cap: the ring says so, and nothing else happens */
static void the_cap_holds(void **state)
{
    (void)state;
    poly_ring r = ring_of_six();
    r.most = 50;
    poly sum = arne__poly_zero(&r);
    for (int k = 0; k < 6; k++) {
        poly atom = arne__poly_of(&r, k);
        arne__poly_add(&sum, 1, &atom);
        arne__poly_free(&atom);
    }
    poly power = arne__poly_constant(&r, 1);
    for (int n = 0; n < 10; n++) {
        poly next = arne__poly_zero(&r);
        arne__poly_mul(&next, 1, &power, &sum);
        arne__poly_free(&power);
        power = next;
    }
    assert_int_equal(r.state, POLY_TOO_LONG);
    arne__poly_free(&power), arne__poly_free(&sum);
    arne__poly_ring_free(&r);
}

/* x^0 + ... + x^9: ten terms are ten terms */
static void the_cap_is_what_it_says(void **state)
{
    (void)state;
    for (int most = 9; most <= 10; most++) {
        poly_ring r = ring_of_six();
        r.most = most;
        poly sum = arne__poly_zero(&r);
        for (int i = 0; i < 10; i++) {
            unsigned char power[6] = {(unsigned char)i};
            poly term = arne__poly_zero(&r);
            arne__poly_add_term(&term, i + 1, power);
            arne__poly_add(&sum, 1, &term);
            arne__poly_free(&term);
        }
        assert_int_equal(r.state, most < 10 ? POLY_TOO_LONG : POLY_FINE);
        arne__poly_free(&sum);
        arne__poly_ring_free(&r);
    }
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
    const graph_axes axes = {4, before, sense, NULL};
    expansion e;
    closed_form form;
    double value;
    assert_true(arne__expand(g, &out, 1, &axes, 1000, &e));
    assert_true(arne__closed_form_of(&e, &e.out[0], &form));
    assert_true(arne__graph_evaluate(g, angle, &out, 1, &value));
    double *v = atoms(&e);
    near(arne__poly_value(&e.out[0], v), value);
    poly printed = arne__poly_zero(&e.ring);
    for (int i = 0; i < form.count; i++) arne__poly_add_term(&printed, form.term[i].c, form.term[i].power);
    near(arne__poly_value(&printed, v), value);
    text_buffer t = {0};
    arne__print_closed(&t, "y", &e, &form, &(graph_style){0});
    assert_string_equal(arne__text_string(&t), want);
    arne__text_free(&t);
    free(v);
    arne__poly_free(&printed);
    arne__closed_form_free(&form);
    arne__expand_free(&e);
}

static void sums_of_parallel_joints(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    sym s[4], c[4];
    for (int i = 0; i < 4; i++) {
        const sym q = arne__sym_input(g, (sym_key){0, 0, i});
        s[i] = arne__sym_sine(q), c[i] = arne__sym_cosine(q);
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
    arne__sym_graph_free(g);
}

static void fewer_turns_come_first(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    sym s[4], c[4];
    for (int i = 0; i < 4; i++) {
        const sym q = arne__sym_input(g, (sym_key){0, 0, i});
        s[i] = arne__sym_sine(q), c[i] = arne__sym_cosine(q);
    }
    const int alone[4] = {-1, -1, -1, -1}, same[4] = {1, 1, 1, 1};
    const sym c12 = sym_mul(c[0], c[1]);
    const sym term[] = {sym_of(2),
                        sym_mul(sym_of(3), c[0]),
                        sym_mul(sym_of(-0.5), s[0]),
                        s[2],
                        sym_mul(sym_of(-7), c12),
                        sym_mul(c12, s[2]),
                        sym_mul(sym_of(11), sym_mul(c12, c[3]))};
    for (int first = 0; first < 7; first++) { /* in whatever order they are added */
        sym sum = sym_of(0);
        for (int i = 0; i < 7; i++) sum = sym_add(sum, term[(first + 3 * i) % 7]);
        expect_text(g, sum, alone, same, "y = 2 + 3 C1 - 0.5 S1 + S3 - 7 C1 C2 + C1 C2 S3 + 11 C1 C2 C4\n");
    }
    arne__sym_graph_free(g);
}

/* every product of sines and cosines of four joints, in any chain, keeps its value in both forms */
static void random_graphs_keep_their_value(void **state)
{
    (void)state;
    random_stream r = {11};
    for (int round = 0; round < FEWER(60); round++) {
        sym_graph *g = arne__sym_graph_new();
        sym turn[8], sum = sym_of(0);
        int before[4] = {-1, 0, 1, 2}, sense[4] = {1, 1, 1, 1};
        for (int i = 0; i < 4; i++) {
            sym q = arne__sym_input(g, (sym_key){0, 0, i});
            if (random_below(&r, 3) == 0) q = sym_add(q, sym_of(random_between(&r, -1, 1)));
            turn[2 * i] = arne__sym_sine(q), turn[2 * i + 1] = arne__sym_cosine(q);
            if (i && random_below(&r, 3) == 0) before[i] = random_below(&r, i + 1) - 1; /* branches and breaks */
            if (random_below(&r, 3) == 0) sense[i] = -1;
        }
        for (int k = 0; k < 4; k++) {
            sym product = sym_of(random_below(&r, 7) - 3);
            for (int i = 0; i < 4; i++) product = sym_mul(product, turn[random_below(&r, 8)]);
            sum = sym_add(sum, product);
        }
        const graph_axes axes = {4, before, sense, NULL};
        expansion e;
        closed_form form;
        double value;
        assert_true(arne__expand(g, &sum, 1, &axes, 5000, &e));
        assert_true(arne__closed_form_of(&e, &e.out[0], &form));
        assert_true(arne__graph_evaluate(g, angle, &sum, 1, &value));
        double *v = atoms(&e);
        near(arne__poly_value(&e.out[0], v), value);
        poly printed = arne__poly_zero(&e.ring);
        for (int i = 0; i < form.count; i++) arne__poly_add_term(&printed, form.term[i].c, form.term[i].power);
        near(arne__poly_value(&printed, v), value);
        assert_true(form.count <= e.out[0].count);
        free(v);
        arne__poly_free(&printed);
        arne__closed_form_free(&form);
        arne__expand_free(&e);
        arne__sym_graph_free(g);
    }
}

/* x00, y01, ... of so many letters */
static void long_name(const void *context, sym_key key, bool latex, graph_name *name)
{
    (void)latex;
    memset(name, 0, sizeof *name);
    memset(name->letters, 'x', (size_t)(*(const int *)context - 2));
    snprintf(name->index, sizeof name->index, "%02d", key.index);
}

/* Terms with their signs, "... + ", fill 100 columns behind the indent exactly: so many stand on a line, and what is printed is
 * in no line longer than that. */
static void lines_are_filled(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        int letters, abreast;
    } cases[] = {{"y", 9, 8}, {"y", 5, 12}, {"y", 13, 6}, {"A10_12", 10, 7}, {"y", 10, 7}, {"y", 8, 8}};
    const int none[1] = {-1}, sense[1] = {1};
    for (int c = 0; c < 6; c++) {
        enum { TERMS = 30 };
        sym_graph *g = arne__sym_graph_new();
        sym sum = sym_of(0);
        text_buffer t = {0}, should = {0};
        arne__text_add(&should, "%s = ", cases[c].label);
        const int indent = (int)should.length;
        for (int i = 0; i < TERMS; i++) {
            const sym x = arne__sym_input(g, (sym_key){0, 0, i});
            graph_name name;
            sum = i % 3 == 1 ? sym_sub(sum, x) : sym_add(sum, x);
            if (i && i % cases[c].abreast == 0)
                arne__text_add(&should, "\n%*s%s ", indent, "", i % 3 == 1 ? "-" : "+");
            else if (i)
                arne__text_add(&should, i % 3 == 1 ? " - " : " + ");
            long_name(&cases[c].letters, (sym_key){0, 0, i}, false, &name);
            arne__text_add(&should, "%s%s", name.letters, name.index);
        }
        arne__text_put(&should, "\n");
        expansion e;
        closed_form form;
        assert_true(arne__expand(g, &sum, 1, &(graph_axes){0, none, sense, NULL}, 1000, &e));
        assert_true(arne__closed_form_of(&e, &e.out[0], &form));
        arne__print_closed(&t, cases[c].label, &e, &form, &(graph_style){false, long_name, &cases[c].letters});
        assert_string_equal(arne__text_string(&t), arne__text_string(&should));
        for (const char *line = t.s; *line; line += strcspn(line, "\n") + 1) assert_in_range(strcspn(line, "\n"), 1, 100);
        arne__text_free(&t);
        arne__text_free(&should);
        arne__closed_form_free(&form);
        arne__expand_free(&e);
        arne__sym_graph_free(g);
    }
}

static void labels_have_the_numbers_of_their_element(void **state)
{
    (void)state;
    static const struct {
        const char *letter;
        int i, j;
        const char *plain, *latex;
    } known[] = {{"E", 0, 0, "E", "E"},         {"c", 3, 0, "c3", "c_{3}"},           {"tau", 12, 0, "tau12", "\\tau_{12}"},
                 {"A", 9, 8, "A98", "A_{98}"},  {"A", 9, 10, "A9_10", "A_{9,10}"},    {"A", 10, 9, "A10_9", "A_{10,9}"},
                 {"tau", 0, 0, "tau", "\\tau"}, {"A", 11, 12, "A11_12", "A_{11,12}"}, {"tau", 1, 2, "tau12", "\\tau_{12}"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        char label[32];
        arne__print_label(label, sizeof label, known[k].letter, known[k].i, known[k].j, false);
        assert_string_equal(label, known[k].plain);
        arne__print_label(label, sizeof label, known[k].letter, known[k].i, known[k].j, true);
        assert_string_equal(label, known[k].latex);
    }
}

static void what_is_no_polynomial_is_refused(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const int before[1] = {-1}, sense[1] = {1};
    const graph_axes axes = {1, before, sense, NULL};
    const sym q = arne__sym_input(g, (sym_key){0}), out = sym_divide(sym_of(1), q);
    expansion e;
    assert_false(arne__expand(g, &out, 1, &axes, 100, &e));
    assert_int_equal(e.ring.state, POLY_TOO_LONG);
    arne__expand_free(&e);
    arne__sym_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_keeps_values),
        cmocka_unit_test(squares_reduce),
        cmocka_unit_test(substitution_is_composition),
        cmocka_unit_test(the_cap_holds),
        cmocka_unit_test(the_cap_is_what_it_says),
        cmocka_unit_test(sums_of_parallel_joints),
        cmocka_unit_test(fewer_turns_come_first),
        cmocka_unit_test(random_graphs_keep_their_value),
        cmocka_unit_test(lines_are_filled),
        cmocka_unit_test(labels_have_the_numbers_of_their_element),
        cmocka_unit_test(what_is_no_polynomial_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
