/* SPDX-License-Identifier: MIT
 *
 * sym_test.c - the kinds that write expressions: nodes and their values, numbers side by side; derivatives of constants by jetsym
 * and taysym, which fold to the numbers that jet4 and tay4 compute. tests/graph/sym_test.c has what folds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "graph/graph.h"
#include "num/jet4.h"
#include "num/jetsym.h"
#include "num/tay4.h"
#include "num/taysym.h"
#include "support/random_robot.h"

static sym in(sym_graph *g, int i) { return arne__sym_input(g, (sym_key){0, 0, i}); }
static bool same(sym a, sym b) { return a.g == b.g && (a.g ? a.ref == b.ref : a.c == b.c); }

/* ---- nodes ---- */

static const double input[3] = {0.7, -1.3, 2.5};

static void expect(sym_graph *g, sym a, double value)
{
    double is;
    assert_ptr_equal(a.g, g);
    assert_true(arne__graph_evaluate(g, input, &a, 1, &is));
    if (is != value) fail_msg("%.17g, not %.17g", is, value);
}

static void every_word_of_nodes_is_that_of_double(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym a = in(g, 0), b = in(g, 1), c = in(g, 2), two = sym_of(2);
    const double x = input[0], y = input[1], z = input[2];
    expect(g, sym_divide(a, b), x / y);
    expect(g, sym_divide(sym_neg(a), c), -x / z);
    expect(g, sym_divide(a, sym_neg(c)), x / -z);
    expect(g, sym_divide(sym_neg(a), sym_neg(c)), x / z);
    expect(g, sym_divide(a, two), x / 2);
    expect(g, sym_divide(two, a), 2 / x);
    expect(g, sym_divide(a, sym_of(-1)), -x);
    assert_true(same(sym_divide(sym_of(0), a), sym_of(0)));
    expect(g, sym_root(c), sqrt(z));
    expect(g, sym_root(sym_neg(b)), sqrt(-y));
    expect(g, sym_expo(sym_neg(c)), exp(-z));
    expect(g, sym_absolute(sym_neg(c)), z);
    expect(g, sym_absolute(b), -y);
    expect(g, sym_sign(b), -1);
    expect(g, sym_sign(sym_neg(b)), 1);
    expect(g, arne__sym_sine(sym_neg(a)), -sin(x));
    expect(g, arne__sym_cosine(sym_neg(b)), cos(y));
    for (int k = 0; k < 3; k++) { /* both sides of a limit */
        expect(g, sym_least(in(g, k), 1.5), fmin(input[k], 1.5));
        expect(g, sym_most(in(g, k), 1.5), fmax(input[k], 1.5));
    }
    expect(g, sym_power(c, sym_of(1.7)), pow(z, 1.7));
    expect(g, sym_power(two, c), pow(2, z));
    expect(g, sym_mul(sym_of(-1), a), -x);
    expect(g, sym_mul(sym_of(-3), a), -3 * x);
    expect(g, sym_add(sym_of(-3), sym_neg(a)), -3 - x);
    arne__sym_graph_free(g);
}

/* a node on its own operands is itself; with other ones the same operation */
static void nodes_are_made_again(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new(), *other = arne__sym_graph_new();
    const sym a = in(g, 0), c = in(g, 2);
    const sym all[] = {sym_add(a, c),     sym_mul(a, c),       sym_divide(a, c), sym_root(c),
                       arne__sym_sine(a), arne__sym_cosine(a), sym_absolute(a),  sym_sign(a),
                       sym_least(a, 3),   sym_most(a, 0.5),    sym_expo(a),      sym_power(c, sym_of(1.5))};
    for (int k = 0; k < 12; k++) {
        const sym_node n = *arne__sym_graph_node(g, all[k].ref >> 1);
        assert_int_equal(n.op, SYM_ADD + k);
        const sym_node *second = n.b < 0 ? NULL : arne__sym_graph_node(g, n.b >> 1);
        const sym b = n.b < 0 ? sym_of(0) : second->op == SYM_CONST ? sym_of(second->value) : (sym){g, n.b, 0};
        assert_true(same(arne__sym_operate(n.op, (sym){g, n.a, 0}, b), all[k]));
    }
    /* leaves in another graph */
    arne__sym_input(other, (sym_key){5, 5, 5});
    const sym p = arne__sym_named(g, (sym_key){1, 2, 3}, 0.25);
    const sym leaf = arne__sym_leaf(other, arne__sym_graph_node(g, p.ref >> 1));
    const sym_node *n = arne__sym_graph_node(other, leaf.ref >> 1);
    assert_true(leaf.g == other && n->op == SYM_PARAM && n->value == 0.25);
    assert_true(n->key.row == 1 && n->key.link == 2 && n->key.index == 3 && n->fixed);
    const sym moved = arne__sym_leaf(other, arne__sym_graph_node(g, c.ref >> 1));
    n = arne__sym_graph_node(other, moved.ref >> 1);
    assert_true(n->op == SYM_INPUT && n->key.index == 2 && n->a == 1 && !n->fixed); /* the second input of that graph */
    const int four = arne__sym_ref(g, sym_of(-4));
    assert_int_equal(four & 1, 1);
    assert_true(same(arne__sym_leaf(other, arne__sym_graph_node(g, four >> 1)), sym_of(4)));
    arne__sym_graph_free(g);
    arne__sym_graph_free(other);
}

/* keys that differ in one of their numbers, and constants that differ in the last bit */
static void other_leaves_are_other_nodes(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    const sym_key keys[] = {{1, 2, 3}, {2, 2, 3}, {1, 3, 3}, {1, 2, 4}, {3, 2, 1}};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            assert_int_equal(same(arne__sym_input(g, keys[i]), arne__sym_input(g, keys[j])), i == j);
            assert_int_equal(same(arne__sym_param(g, keys[i], 5), arne__sym_param(g, keys[j], 5)), i == j);
        }
    assert_int_equal(arne__sym_graph_size(g), 10);
    assert_true(arne__sym_ref(g, sym_of(0.3)) != arne__sym_ref(g, sym_of(nextafter(0.3, 1))));
    assert_int_equal(arne__sym_ref(g, sym_of(-0.3)), arne__sym_ref(g, sym_of(0.3)) | 1);
    /* 1 is a constant, but for people */
    assert_null(arne__sym_param(g, keys[0], 1).g);
    assert_null(arne__sym_param(g, keys[0], -1).g);
    assert_ptr_equal(arne__sym_named(g, keys[0], 1).g, g);
    assert_null(arne__sym_named(g, keys[0], 0).g);
    arne__sym_graph_free(g);
}

static void turns_have_quarters(void **state)
{
    (void)state;
    enum { JOINTS = 6 };
    static const double scale[JOINTS] = {1, 1, 1, 1, 1, 0}, theta[JOINTS] = {0, 0, 0, 0, 0.4, 0.3};
    static const long long quarter[JOINTS] = {0, 1, 2, 3, -3, 2};
    const turn_table t = {.n = JOINTS, .scale = scale, .theta = theta, .quarter = quarter};
    sym_graph *g = arne__sym_graph_new();
    sym q[JOINTS], s[JOINTS], c[JOINTS];
    for (int i = 0; i < JOINTS; i++) q[i] = in(g, i % 3);
    sym_turns(&t, q, s, c);
    for (int i = 0; i < JOINTS; i++) {
        const double a = scale[i] * input[i % 3] + theta[i], S = sin(a), C = cos(a);
        const double should[4][2] = {{S, C}, {C, -S}, {-S, -C}, {-C, S}};
        const double *x = should[quarter[i] & 3];
        if (i == JOINTS - 1) {
            assert_true(same(s[i], sym_of(x[0])) && same(c[i], sym_of(x[1])));
            continue;
        }
        expect(g, s[i], x[0]);
        expect(g, c[i], x[1]);
    }
    arne__sym_graph_free(g);
}

/* ---- numbers side by side ---- */

static void vectors_are_made_lane_by_lane(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    sym x[sym_abreast], y[sym_abreast], turned[sym_abreast];
    const sym k = in(g, 100);
    for (int i = 0; i < sym_abreast; i++) x[i] = in(g, i), y[i] = i == 3 ? sym_of(2) : in(g, 20 + i), turned[i] = sym_neg(x[i]);
    const sym a = arne__sym_side_by_side(g, x), b = arne__sym_side_by_side(g, y);
    assert_int_equal(arne__sym_vectors(g), 2);
    assert_int_equal(arne__sym_vector_of(a), 0);
    assert_int_equal(arne__sym_vector_of(b), 1);
    assert_int_equal(arne__sym_vector_of(k), -1);
    assert_int_equal(arne__sym_vector_of(sym_of(1)), -1);
    assert_true(same(arne__sym_side_by_side(g, x), a) && same(arne__sym_side_by_side(g, turned), sym_neg(a)));
    const int nodes = arne__sym_graph_size(g);
    const sym sum = sym_add(a, b);
    const int after = arne__sym_graph_size(g);
    const sym scaled = sym_mul(k, a), less = sym_sub(a, b);
    assert_int_equal(after, nodes + sym_abreast + 1); /* a sum in every lane, and the constant 2 */
    const sym_vector *v = arne__sym_vector_at(g, arne__sym_vector_of(sum));
    assert_true(v->op == SYM_ADD && same(v->a, a) && same(v->b, b) && v->begin == nodes && v->end == after);
    v = arne__sym_vector_at(g, arne__sym_vector_of(scaled));
    assert_true(v->op == SYM_MUL && same(v->a, k) && same(v->b, a) && v->begin == after && v->end == after + sym_abreast);
    for (int i = 0; i < sym_abreast; i++) {
        assert_true(same(arne__sym_lane(a, i), x[i]) && same(arne__sym_lane(sym_neg(a), i), sym_neg(x[i])));
        assert_true(same(arne__sym_lane(sum, i), sym_add(x[i], y[i])));
        assert_true(same(arne__sym_lane(scaled, i), sym_mul(k, x[i])));
        assert_true(same(arne__sym_lane(less, i), sym_sub(x[i], y[i])));
        assert_true(same(arne__sym_lane(k, i), k));
    }
    /* known again: also the other way round, and negated */
    const int vectors = arne__sym_vectors(g);
    assert_true(same(sym_add(b, a), sum) && same(sym_sub(b, a), sym_neg(less)) && same(sym_mul(sym_neg(k), a), sym_neg(scaled)));
    assert_int_equal(arne__sym_vectors(g), vectors);
    /* one number where all are the same, also where they come to be; one that differs in the last lane is a vector */
    for (int i = 0; i < sym_abreast; i++) y[i] = k;
    assert_true(same(arne__sym_side_by_side(g, y), k) && same(sym_sub(a, a), sym_of(0)));
    y[sym_abreast - 1] = x[0];
    const sym last = arne__sym_side_by_side(g, y);
    assert_int_equal(arne__sym_vector_of(last), vectors);
    assert_true(same(arne__sym_lane(last, sym_abreast - 1), x[0]) && same(arne__sym_lane(last, 0), k));
    arne__sym_graph_free(g);
}

/* What a cut takes away is made again in its place; what was made before is still known. */
static void vectors_are_cut_back(void **state)
{
    (void)state;
    sym_graph *g = arne__sym_graph_new();
    sym x[sym_abreast], first = sym_of(0);
    for (int i = 0; i < sym_abreast; i++) x[i] = in(g, i);
    const sym a = arne__sym_side_by_side(g, x);
    const int size = arne__sym_graph_size(g);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 200; i++) { /* more than there is room for at first */
            const sym v = sym_mul(sym_of(2 + i), a);
            if (i == 0 && round == 0) first = v;
            assert_int_equal(arne__sym_vector_of(v), 1 + i);
            assert_true(i || same(v, first));
        }
        arne__sym_graph_cut(g, size);
        assert_int_equal(arne__sym_vectors(g), 1);
        assert_int_equal(arne__sym_graph_size(g), size);
        assert_true(same(arne__sym_side_by_side(g, x), a));
    }
    arne__sym_graph_free(g);
}

/* ---- derivatives ---- */

static jetsym jet_of(double v, double d) { return (jetsym){sym_of(v), sym_of(d)}; }

/* What jet4 computes along one direction. */
static void as_jet(const char *word, jetsym is, jet4 should)
{
    assert_true(!is.v.g && !is.d.g);
    if (!(fabs(is.v.c - should.v) <= 1e-14 * fmax(1, fabs(should.v))) ||
        !(fabs(is.d.c - should.d[0]) <= 1e-13 * fmax(1, fabs(should.d[0]))))
        fail_msg("%s: %.17g %.17g, not %.17g %.17g", word, is.v.c, is.d.c, should.v, should.d[0]);
}

static void constants_have_the_derivatives_of_jets(void **state)
{
    (void)state;
    random_stream r = {11};
    for (int n = 0; n < 300; n++) {
        const double u = random_between(&r, -2, 2), v = random_between(&r, -2, 2), c = random_between(&r, -2, 2);
        const double du = random_between(&r, -1, 1), dv = random_between(&r, -1, 1), p = fabs(v) + 0.1;
        const jetsym a = jet_of(u, du), b = jet_of(v, dv), plus = jet_of(p, dv);
        const jet4 x = {u, {du}}, y = {v, {dv}}, z = {p, {dv}};
        as_jet("of", jetsym_of(c), jet4_of(c));
        as_jet("from", jetsym_from(jetsym_con(c)), jet4_from(c));
        as_jet("add", jetsym_add(a, b), jet4_add(x, y));
        as_jet("sub", jetsym_sub(a, b), jet4_sub(x, y));
        as_jet("neg", jetsym_neg(a), jet4_neg(x));
        as_jet("mul", jetsym_mul(a, b), jet4_mul(x, y));
        as_jet("mulc", jetsym_mulc(sym_of(c), a), jet4_mulc(c, x));
        as_jet("divide", jetsym_divide(a, plus), jet4_divide(x, z));
        as_jet("root", jetsym_root(plus), jet4_root(z));
        as_jet("absolute", jetsym_absolute(a), jet4_absolute(x));
        as_jet("sign", jetsym_sign(a), jet4_sign(x));
        as_jet("least", jetsym_least(a, c), jet4_least(x, c));
        as_jet("most", jetsym_most(a, c), jet4_most(x, c));
        as_jet("expo", jetsym_expo(a), jet4_expo(x));
        as_jet("power", jetsym_power(plus, sym_of(c)), jet4_power(z, c));
        const double scale[2] = {1, 0.5}, theta[2] = {c, 0};
        const long long quarter[2] = {0, n};
        const turn_table t = {.n = 2, .scale = scale, .theta = theta, .quarter = quarter};
        const jetsym q[2] = {a, b};
        const jet4 q4[2] = {x, y};
        jetsym s[2], co[2];
        jet4 s4[2], c4[2];
        jetsym_turns(&t, q, s, co);
        jet4_turns(&t, q4, s4, c4);
        for (int i = 0; i < 2; i++) as_jet("sine", s[i], s4[i]), as_jet("cosine", co[i], c4[i]);
    }
}

static void as_series(const char *word, taysym is, tay4 should)
{
    for (int k = 0; k < 3; k++) {
        const double x = tay4_get(should, k);
        assert_null(is.x[k].g);
        if (!(fabs(is.x[k].c - x) <= 1e-13 * fmax(1, fabs(x)))) fail_msg("%s: %d is %.17g, not %.17g", word, k, is.x[k].c, x);
    }
}

static void constants_have_the_series_of_tay4(void **state)
{
    (void)state;
    random_stream r = {12};
    for (int n = 0; n < 300; n++) {
        double u[3], v[3], c = random_between(&r, -2, 2);
        random_vector(&r, 3, 2, u);
        random_vector(&r, 3, 2, v);
        const taysym a = {{sym_of(u[0]), sym_of(u[1]), sym_of(u[2])}}, b = {{sym_of(v[0]), sym_of(v[1]), sym_of(v[2])}};
        const taysym plus = {{sym_of(fabs(v[0]) + 0.2), b.x[1], b.x[2]}};
        const tay4 x = {{{u[0], u[1]}, {u[2], 0}, {0, 0}}}, y = {{{v[0], v[1]}, {v[2], 0}, {0, 0}}};
        const tay4 z = {{{fabs(v[0]) + 0.2, v[1]}, {v[2], 0}, {0, 0}}};
        as_series("of", taysym_of(c), tay4_of(c));
        as_series("from", taysym_from(taysym_con(c)), tay4_from(c));
        as_series("add", taysym_add(a, b), tay4_add(x, y));
        as_series("sub", taysym_sub(a, b), tay4_sub(x, y));
        as_series("neg", taysym_neg(a), tay4_neg(x));
        as_series("mul", taysym_mul(a, b), tay4_mul(x, y));
        as_series("mulc", taysym_mulc(sym_of(c), a), tay4_mulc(c, x));
        as_series("divide", taysym_divide(a, plus), tay4_divide(x, z));
        as_series("root", taysym_root(plus), tay4_root(z));
        as_series("absolute", taysym_absolute(a), tay4_absolute(x));
        as_series("sign", taysym_sign(a), tay4_sign(x));
        as_series("least", taysym_least(a, c), tay4_least(x, c));
        as_series("most", taysym_most(a, c), tay4_most(x, c));
        as_series("expo", taysym_expo(a), tay4_expo(x));
        as_series("power", taysym_power(plus, sym_of(c)), tay4_power(z, c));
        const double scale[2] = {1, 0.5}, theta[2] = {c, 0};
        const long long quarter[2] = {0, n};
        const turn_table t = {.n = 2, .scale = scale, .theta = theta, .quarter = quarter};
        const taysym q[2] = {a, b};
        const tay4 q4[2] = {x, y};
        taysym s[2], co[2];
        tay4 s4[2], c4[2];
        taysym_turns(&t, q, s, co);
        tay4_turns(&t, q4, s4, c4);
        for (int i = 0; i < 2; i++) as_series("sine", s[i], s4[i]), as_series("cosine", co[i], c4[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_of_nodes_is_that_of_double),  cmocka_unit_test(nodes_are_made_again),
        cmocka_unit_test(other_leaves_are_other_nodes),           cmocka_unit_test(turns_have_quarters),
        cmocka_unit_test(vectors_are_made_lane_by_lane),          cmocka_unit_test(vectors_are_cut_back),
        cmocka_unit_test(constants_have_the_derivatives_of_jets), cmocka_unit_test(constants_have_the_series_of_tay4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
