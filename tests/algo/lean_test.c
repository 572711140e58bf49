/* SPDX-License-Identifier: MIT
 *
 * lean_test.c - the texts with fewer operations compute what the general ones compute, however each link is treated: any axes,
 * any place of the masses that two links share, any unit of length. On shipped and on random robots: parallel and opposite axes,
 * slides in first and last place, branches, links without length. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/count.h"
#include "graph/graph.h"
#include "support/subject.h"
#include "symbolic/symbolic.h"

/* Beside the largest force or moment in the robot; masses moved to a joint origin are up to a hundred times those of the links.
 */
static const double TOLERANCE = 1e-11;
static const double SOLVED = 1e-8; /* accelerations: times the condition of the inertia matrix */
static const double PI = 3.14159265358979323846;

enum { TRIALS = 6, ROBOTS = 3 * RANDOM_FAMILIES, USES = 3, WAYS = 64, USE_BITS = 8 };

/* any ways for all links and uses; trial 0: all at once, 1: all axes before the joints */
static void random_ways(random_stream *r, int n, int trial, int *lean)
{
    for (int j = 0; j < n; j++) {
        lean[j] = 0;
        for (int use = 0; use < USES; use++) {
            const int way = trial == 0 ? WAYS - 1 : trial == 1 ? 4 : random_below(r, WAYS);
            lean[j] |= way << USE_BITS * use;
        }
    }
}

/* the text on a graph, rewritten as it is counted */
static void evaluate(const subject *s, const char *name, const symbolic_options *o, const double *input, double *y)
{
    symbolic g;
    assert_true(arne__symbolic_run(s->data, name, o, &g));
    sym_graph *spread = arne__sym_graph_new(), *less = arne__sym_graph_new();
    sym *out = calloc(2 * (size_t)g.nout + 1, sizeof *out);
    assert_true(spread && less && out);
    assert_true(arne__graph_distribute(g.g, g.out, g.nout, spread, out));
    assert_true(arne__graph_factor(spread, out, g.nout, true, less, out + g.nout));
    assert_true(arne__graph_evaluate(less, input, out + g.nout, g.nout, y));
    free(out);
    arne__sym_graph_free(spread);
    arne__sym_graph_free(less);
    arne__symbolic_free(&g);
}

static void compare(subject *s, const motion *x, const int *lean)
{
    const int n = s->n;
    const size_t bytes = (size_t)n * sizeof(double), places = (size_t)s->nq;
    double input[3 * MOST_DOF + 6] = {0}, *qd = input + places, *third = qd + n, is[MOST_DOF * MOST_DOF],
                                should[MOST_DOF * MOST_DOF], tau[MOST_DOF];
    const symbolic_options o = {.lean = lean, .friction = true};
    const double scale = carried(s, x);
    memcpy(input, x->q, places * sizeof(double));
    memcpy(qd, x->qd, bytes);
    memcpy(third, x->qdd, bytes);

    arne_id(s->data, x->q, x->qd, x->qdd, tau);
    evaluate(s, "id-lean", &o, input, is);
    expect_near(s, "id", n, is, tau, TOLERANCE, scale);
    arne_bias(s->data, x->q, x->qd, should);
    evaluate(s, "bias-lean", &o, input, is);
    expect_near(s, "bias", n, is, should, TOLERANCE, scale);
    arne_mass(s->data, x->q, should);
    evaluate(s, "mass-lean", &o, input, is);
    expect_close(s, "mass", n * n, is, should, TOLERANCE);
    memcpy(third, tau, bytes);
    evaluate(s, "fd-lean", &o, input, is);
    expect_near(s, "fd", n, is, x->qdd, SOLVED, 1 + largest(n, x->qdd));
}

static void every_way_gives_the_same_dynamics(void **state)
{
    (void)state;
    int lean[MOST_DOF];
    for (int number = 0; number < shipped_robots() + ROBOTS; number++) {
        subject s = subject_number(number, number / RANDOM_FAMILIES % 2 ? RANDOM_ANY : RANDOM_ALL);
        random_stream r = {(uint64_t)number + 1};
        for (int trial = 0; trial < TRIALS; trial++) {
            const motion x = subject_motion(&s, 1 + trial % 2);
            random_ways(&r, arne_model_joints(s.m), trial, lean);
            compare(&s, &x, lean);
        }
        subject_close(&s);
    }
}

/* Modified-DH joints on one another: parallel, opposite and crossing axes, with and without offsets, slides among them. */
static arne_description *rows_of_parallel_axes(unsigned seed)
{
    random_stream r = {seed};
    const int n = 2 + random_below(&r, 6);
    arne_description *d = arne_description_new("rows");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "0", 0));
    for (int i = 0; i < n; i++) {
        static const double twist[] = {0, 0, 0, 1, 1, 0.5, -0.5};
        char name[16], parent[16];
        snprintf(name, sizeof name, "%d", i + 1);
        snprintf(parent, sizeof parent, "%d", i && random_below(&r, 8) == 0 ? random_below(&r, i) : i);
        arne_link_description *l = arne_description_link(d, name, 0);
        assert_non_null(l);
        l->body = random_body(&r);
        const bool slides = random_below(&r, 6) == 0;
        arne_joint_description *j = arne_description_joint(d, name, 0, slides ? ARNE_PRISMATIC : ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        double dh[6] = {0}; /* one draw a statement: the same robots from every compiler */
        dh[2] = PI * twist[random_below(&r, 7)];
        dh[3] = random_below(&r, 3) ? random_between(&r, 0.2, 0.6) : 0;
        dh[4] = random_below(&r, 2) ? random_between(&r, -3, 3) : PI / 2 * random_below(&r, 4);
        dh[5] = random_below(&r, 2) ? random_between(&r, -0.5, 0.5) : 0;
        memcpy(j->dh, dh, sizeof dh);
        j->before = arne_pose_mdh(dh);
    }
    d->mdh = true;
    return d;
}

static void turns_about_parallel_axes_add(void **state)
{
    (void)state;
    int lean[MOST_DOF];
    for (unsigned seed = 1; seed <= 60; seed++) {
        subject s = subject_of(rows_of_parallel_axes(seed));
        random_stream r = {seed};
        for (int trial = 1; trial < TRIALS; trial++) {
            const motion x = subject_motion(&s, 1);
            random_ways(&r, s.n, trial, lean);
            compare(&s, &x, lean);
        }
        subject_close(&s);
    }
}

/* the wrench of the last link on the environment, against the general text */
static void every_way_carries_the_wrench(void **state)
{
    (void)state;
    int lean[MOST_DOF];
    for (unsigned seed = 1; seed <= 40; seed++) {
        subject s = subject_of(rows_of_parallel_axes(seed));
        random_stream r = {seed};
        double input[3 * MOST_DOF + 6], is[MOST_DOF], should[MOST_DOF];
        for (int trial = 0; trial < TRIALS; trial++) {
            random_vector(&r, 3 * s.n + 6, 2, input);
            random_ways(&r, s.n, trial, lean);
            evaluate(&s, "id", &(symbolic_options){.with_wrench = true}, input, should);
            evaluate(&s, "id-lean", &(symbolic_options){.with_wrench = true, .lean = lean}, input, is);
            expect_near(&s, "id with a wrench", s.n, is, should, TOLERANCE, 1 + largest(s.n, should));
        }
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_gives_the_same_dynamics),
        cmocka_unit_test(turns_about_parallel_axes_add),
        cmocka_unit_test(every_way_carries_the_wrench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
