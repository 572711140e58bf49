/* SPDX-License-Identifier: MIT
 *
 * counts_test.c - operation counts: at or below the independent recount of the tables of [004 section 8] on the general arm, and
 * counted on a graph that computes what the double text computes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "arne/coriolis.h"
#include "arne/count.h"
#include "arne/formulations.h"
#include "arne/quantity.h"
#include "graph/graph.h"
#include "support/subject.h"
#include "symbolic/symbolic.h"

/* The graph keeps the operations of the text; only sines, and sums of constants, are rounded elsewhere. */
static const double TOLERANCE = 1e-12;
/* Accelerations: times the condition of the inertia matrix. */
static const double SOLVED = 1e-13;
/* Factored and balanced sums, of robots whose terms cancel. */
static const double REWRITTEN = 1e-11;

enum { LONGEST = 8, ROBOTS = RANDOM_FAMILIES + 6, MOST_RESULTS = 11 * MOST_DOF * MOST_DOF };

/* ---- the general arm ---- */

/* Modified-DH frames are kept, so a diagonal tensor stays diagonal; binary fractions, so that its zeros are exact. */
static subject general_arm(int n, bool diagonal)
{
    arne_description *d = arne_description_new("general");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "0", 0));
    for (int i = 0; i < n; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "%d", i + 1);
        snprintf(parent, sizeof parent, "%d", i);
        const double xy = diagonal ? 0 : 0.0625;
        arne_link_description *l = arne_description_link(d, name, 0);
        assert_non_null(l);
        l->body = (arne_body){3 + i, {0.375, -0.4375, 0.3125}, {0.75, xy, -xy, 0.875, xy, 0.625}};
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        const double dh[6] = {0, 0, i ? 0.75 : 0, i ? 0.5 : 0, 0, i ? 0.25 : 0};
        memcpy(j->dh, dh, sizeof dh);
        j->before = arne_pose_mdh(dh);
    }
    d->mdh = true;
    return subject_of(d);
}

/* [ERRATA part two 5.5] */
typedef struct {
    const char *name;
    bool diagonal;
    double mul[4], add[4]; /* coefficients of n^3 ... 1 */
} bound;

static const bound bounds[] = {
    {"turney", true, {0, 0, 94, -38}, {0, 0, 83, -40}},
    {"turney", false, {0, 0, 115, -38}, {0, 0, 101, -40}},
    {"newton-euler", false, {0, 0, 112, -38}, {0, 0, 98, -40}},
    {"recursive-lagrange", false, {0, 0, 235, -69}, {0, 0, 189, -75}},
    {"lagrange", false, {40. / 3, 181. / 2, 79. / 6, 0}, {32. / 3, 149. / 2, -13. / 6, 0}},
    {"strobe-mass", false, {0, 37, -5, 0}, {0, 30.5, -8.5, 0}},
    {"strobe-coriolis", false, {33.5, 20.5, -13, 0}, {28.5, 13.5, -14, 0}},
};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

static long at(const double c[4], int n) { return lround(((c[0] * n + c[1]) * n + c[2]) * n + c[3]); }

static arne_operations counted(const arne_data *d, const char *name, const arne_count_options *o)
{
    arne_operations c;
    if (arne_count(d, name, o, &c)) fail_msg("%s: not counted", name);
    return c;
}

static void general_arm_costs_at_most_the_independent_recount(void **state)
{
    (void)state;
    for (int n = 1; n <= LONGEST; n++)
        for (int k = 0; k < BOUNDS; k++) {
            const bound *b = &bounds[k];
            subject s = general_arm(n, b->diagonal);
            arne_count_options o = {.size = sizeof o, .general = !b->diagonal, .given = true, .as_written = true};
            const arne_operations written = counted(s.data, b->name, &o);
            o.as_written = false;
            const arne_operations passes = counted(s.data, b->name, &o);
            if (written.mul > at(b->mul, n) || written.add > at(b->add, n) || written.div || written.trig)
                fail_msg("%s, n = %d: %ld mul %ld add as written, at most %ld, %ld", b->name, n, written.mul, written.add,
                         at(b->mul, n), at(b->add, n));
            if (passes.mul > written.mul || passes.add > written.add)
                fail_msg("%s, n = %d: the passes make %ld, %ld out of %ld, %ld", b->name, n, passes.mul, passes.add, written.mul,
                         written.add);
            if (!strcmp(b->name, "turney") && (written.depth > 8 * n + 4 || passes.depth > written.depth))
                fail_msg("n = %d: depth %ld as written, %ld after the passes, at most %d", n, written.depth, passes.depth,
                         8 * n + 4);
            subject_close(&s);
        }
}

static void steps_fall_with_processors_down_to_the_depth(void **state)
{
    (void)state;
    subject s = general_arm(6, true);
    arne_count_options o = {.size = sizeof o, .given = true, .processors = 1};
    arne_operations c = counted(s.data, "turney", &o);
    assert_int_equal(c.steps, c.mul + c.add);
    for (o.processors = 2; o.processors <= 64; o.processors *= 2) {
        const long before = c.steps;
        c = counted(s.data, "turney", &o);
        assert_true(c.steps <= before && c.steps >= c.depth);
        assert_true(c.steps * o.processors >= c.mul + c.add);
    }
    o.processors = 100000;
    c = counted(s.data, "turney", &o);
    assert_int_equal(c.steps, c.depth);
    subject_close(&s);
}

/* ---- the graph against the double text ---- */

enum { STROBES = 2, FORMS = 8, LEANS = 4 }; /* what can be counted beside the quantities, and the two of elastic joints */

/* What `name` computes by the double texts, and the inputs of its graph: q, qd, qdd or tau, qa. False: no double text. */
static bool by_text(subject *s, const char *name, const motion *x, double *input, double *y)
{
    static const arne_quantity_options o = {.size = sizeof o, .frame = ARNE_ALIGNED, .factor = ARNE_CHRISTOFFEL_FACTOR};
    const size_t n = (size_t)s->n, bytes = n * sizeof(double);
    double *qd = input + s->nq, *third = qd + n, *qa = third + n;
    char plain_name[32];
    snprintf(plain_name, sizeof plain_name, "%.*s", (int)strcspn(name, "-"), name);
    if (!strcmp(plain_name, "fd")) snprintf(plain_name, sizeof plain_name, "crba"); /* graphs of fd go by the inertia matrix */
    const bool plain_text = strstr(name, "-lean") || !strcmp(name, "fd");
    const int quantity = arne_quantity_find(plain_text ? plain_name : name), form = arne_formulation_find(name);
    memcpy(input, x->q, (size_t)s->nq * sizeof(double));
    memcpy(qd, x->qd, bytes);
    memcpy(third, x->qdd, bytes);
    memcpy(qa, x->qd, bytes);
    if (quantity >= 0) {
        if (arne_quantity_at(quantity)->inputs & ARNE_TAU) arne_id(s->data, x->q, x->qd, x->qdd, third);
        const arne_state at = {input, qd, third, third, qa};
        assert_int_equal(arne_compute(s->data, quantity, &o, &at, y), ARNE_OK);
        return true;
    }
    if (!strcmp(name, "strobe-mass")) return arne_forms_strobe_mass(s->data, x->q, y) == ARNE_OK;
    if (!strcmp(name, "strobe-coriolis")) return arne_forms_strobe_coriolis(s->data, x->q, y) == ARNE_OK;
    return form >= 0 && arne_forms_id(s->data, (arne_formulation)form, x->q, x->qd, x->qdd, y) == ARNE_OK;
}

/* what roundings of another order may change a result by */
static double tolerance(const subject *s, const char *name, const motion *x)
{
    static const char *const solved[] = {"fd", "fd-lean", "dfd", "aba", "crba", "wo1"};
    for (size_t i = 0; i < sizeof solved / sizeof *solved; i++)
        if (!strcmp(name, solved[i])) {
            double M[MOST_DOF * MOST_DOF], d[3][MOST_DOF * MOST_DOF];
            assert_int_equal(arne_mass(s->data, x->q, M), ARNE_OK);
            assert_int_equal(arne_fd_derivatives(s->data, x->q, x->qd, x->qdd, d[0], d[1], d[2]), ARNE_OK);
            return fmax(TOLERANCE, SOLVED * condition(s->n, M, d[2]));
        }
    return TOLERANCE;
}

static bool compare(subject *s, const char *name, const motion *x, double *graph, double *text, double *rewritten)
{
    double input[4 * MOST_DOF];
    if (!by_text(s, name, x, input, text)) return false;
    symbolic y;
    assert_true(arne__symbolic_run(s->data, name, &(symbolic_options){0}, &y));
    assert_true(y.nout <= MOST_RESULTS);
    assert_true(arne__graph_evaluate(y.g, input, y.out, y.nout, graph));
    /* beside 1: some robots have no Coriolis forces at all */
    const double scale = fmax(1, largest(y.nout, text));
    expect_near(s, name, y.nout, graph, text, tolerance(s, name, x), scale);

    sym_graph *less = arne__sym_graph_new();
    sym *out = calloc((size_t)y.nout + 1, sizeof *out);
    assert_true(less && out && arne__graph_factor(y.g, y.out, y.nout, true, less, out));
    assert_true(arne__graph_evaluate(less, input, out, y.nout, rewritten));
    expect_near(s, name, y.nout, rewritten, text, REWRITTEN, scale);
    free(out);
    arne__sym_graph_free(less);
    arne__symbolic_free(&y);
    return true;
}

/* every row of the table */
static void graphs_compute_what_the_double_texts_compute(void **state)
{
    (void)state;
    double *room = malloc(3 * MOST_RESULTS * sizeof *room);
    assert_non_null(room);
    for (int number = 0; number < shipped_robots() + ROBOTS; number++) {
        subject s =
            subject_number(number, number < shipped_robots() + RANDOM_FAMILIES ? RANDOM_MOTORS : RANDOM_MOTORS | RANDOM_WIDE);
        arne_set_rigid(s.settings, true);
        for (int k = 1; k < 3; k++) {
            const motion x = subject_motion(&s, k);
            int compared = 0, faults = 0;
            for (int i = 0; arne_count_name(i); i++)
                if (arne_count_fault(s.m, arne_count_name(i), NULL)) {
                    arne_operations c;
                    assert_int_equal(arne_count(s.data, arne_count_name(i), NULL, &c), ARNE_UNSUPPORTED);
                    faults += strcmp(arne_count_name(i), "elastic") != 0;
                } else {
                    compared += compare(&s, arne_count_name(i), &x, room, room + MOST_RESULTS, room + 2 * MOST_RESULTS);
                }
            assert_int_equal(compared + faults, arne_quantities() + LEANS + FORMS + STROBES);
            assert_int_equal(faults, s.nq == s.n ? 0 : FORMS - 2 + STROBES); /* all but the two sets of Newton and Euler */
        }
        subject_close(&s);
    }
    free(room);
}

/* ---- size ---- */

/* A trunk of three joints that carries limbs of six; every tenth joint slides. */
static arne_description *limbs(int n)
{
    random_stream r = {30};
    arne_description *d = arne_description_new("limbs");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "0", 0));
    for (int i = 0; i < n; i++) {
        char name[16], parent[16];
        const int up = i < 3 ? i : (i - 3) % 6 ? i : 3; /* links are numbered from the base, 0 */
        snprintf(name, sizeof name, "%d", i + 1);
        snprintf(parent, sizeof parent, "%d", up);
        arne_link_description *l = arne_description_link(d, name, 0);
        assert_non_null(l);
        l->body = random_body(&r);
        arne_joint_description *j =
            arne_description_joint(d, name, 0, i % 10 == 9 ? ARNE_PRISMATIC : ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        j->before = random_pose(&r, 0.5);
    }
    return d;
}

/* all that can be counted, seconds of processor time */
static double seconds_to_count(arne_description *d)
{
    subject s = subject_of(d);
    const clock_t start = clock();
    for (int i = 0; arne_count_name(i); i++)
        counted(s.data, arne_count_name(i), &(arne_count_options){.size = sizeof(arne_count_options), .general = true});
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    subject_close(&s);
    return seconds;
}

static void seven_joints_are_counted_within_a_second(void **state)
{
    (void)state;
    assert_true(seconds_to_count(limbs(7)) < 1);
    assert_true(seconds_to_count(long_chain(7)) < 1);
}

static void tree_of_thirty_joints_is_counted_within_ten_seconds(void **state)
{
    (void)state;
    assert_true(seconds_to_count(limbs(30)) < 10);
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    subject s = general_arm(2, false);
    arne_operations c;
    assert_int_equal(arne_count(s.data, "Turney", NULL, &c), ARNE_BAD_VALUE);
    assert_int_equal(arne_count(s.data, "", NULL, &c), ARNE_BAD_VALUE);
    assert_int_equal(arne_count(s.data, "turney", NULL, &c), ARNE_OK);
    assert_int_equal(arne_count(s.data, "turney", &(arne_count_options){0}, &c), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(NULL, "id", NULL, &c), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(s.data, NULL, NULL, &c), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_count(s.data, "id", NULL, NULL), ARNE_BAD_ARGUMENT);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_arm_costs_at_most_the_independent_recount),
        cmocka_unit_test(steps_fall_with_processors_down_to_the_depth),
        cmocka_unit_test(graphs_compute_what_the_double_texts_compute),
        cmocka_unit_test(seven_joints_are_counted_within_a_second),
        cmocka_unit_test(tree_of_thirty_joints_is_counted_within_ten_seconds),
        cmocka_unit_test(unknown_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
