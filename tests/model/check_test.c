/* SPDX-License-Identifier: MIT
 *
 * check_test.c - bodies that cannot exist are named: a warning, or an error when the model is built strictly; numbers that are
 * none are always refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arne/dynamics.h"

static const arne_body BOX = {2, {0.1, 0, 0}, {0.3, 0, 0, 0.4, 0, 0.5}};

static arne_description *pendulum(const arne_body *body)
{
    arne_description *d = arne_description_new("pendulum");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "base", 1));
    arne_link_description *l = arne_description_link(d, "bob", 7);
    assert_non_null(l);
    l->body = *body;
    assert_non_null(arne_description_joint(d, "pivot", 9, ARNE_REVOLUTE, "base", "bob"));
    return d;
}

static arne_status build(arne_description *d, bool strict, arne_error *e)
{
    arne_model *m;
    const arne_status status = arne_model_build(d, &(arne_model_options){sizeof(arne_model_options), strict}, &m, e);
    arne_model_free(m);
    return status;
}

/* a warning that names the link; with strict an error with its line */
static void expect_fault(const arne_body *body, const char *word)
{
    arne_error e = {0};
    arne_description *d = pendulum(body);
    assert_non_null(strstr(arne_body_fault(body), word));
    assert_int_equal(build(d, false, &e), ARNE_OK);
    assert_int_equal(d->nwarning, 1);
    assert_non_null(strstr(d->warnings[0], "'bob'"));
    assert_non_null(strstr(d->warnings[0], word));
    assert_int_equal(build(d, true, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 7);
    assert_non_null(strstr(e.message, "'bob'"));
    arne_description_free(d);
}

static void a_box_can_exist(void **state)
{
    (void)state;
    arne_error e;
    arne_description *d = pendulum(&BOX);
    assert_null(arne_body_fault(&BOX));
    assert_int_equal(build(d, true, &e), ARNE_OK);
    assert_int_equal(d->nwarning, 0);
    arne_description_free(d);
}

static void impossible_bodies_are_named(void **state)
{
    (void)state;
    arne_body b = BOX;
    b.mass = -2;
    expect_fault(&b, "negative");
    b = BOX, b.inertia[3] = -0.1;
    expect_fault(&b, "positive definite");
    b = BOX, b.inertia[1] = 0.6; /* products larger than the moments */
    expect_fault(&b, "positive definite");
    b = BOX, b.inertia[5] = 0.8; /* 0.8 > 0.3 + 0.4 */
    expect_fault(&b, "triangle");
    b = BOX, b.mass = 0;
    expect_fault(&b, "no mass");
}

static void edges_are_allowed(void **state)
{
    (void)state;
    const arne_body point = {1, {0, 1, 0}, {0}}, rod = {1, {0, 0, 0}, {0, 0, 0, 0.1, 0, 0.1}},
                    disc = {1, {0, 0, 0}, {1, 0, 0, 1, 0, 2}};
    assert_null(arne_body_fault(&point));
    assert_null(arne_body_fault(&rod));
    assert_null(arne_body_fault(&disc));
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++)
        for (int where = 0; where < 3; where++) {
            arne_body b = BOX;
            *(where == 0 ? &b.mass : where == 1 ? &b.com[1] : &b.inertia[4]) = bad[k];
            arne_description *d = pendulum(&b);
            arne_error e = {0};
            assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
            assert_int_equal(e.line, 7);
            assert_non_null(strstr(e.message, "'bob'"));
            arne_description_free(d);
        }
}

static void joints_that_cannot_move_are_refused(void **state)
{
    (void)state;
    arne_error e = {0};
    arne_description *d = pendulum(&BOX);
    d->joints[0].axis[2] = 0;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 9);
    assert_non_null(strstr(e.message, "'pivot'"));
    d->joints[0].axis[2] = 1;
    d->joints[0].motor.gear = 0;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    d->joints[0].motor.gear = 1;
    d->joints[0].before.p[0] = NAN;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    d->joints[0].before.p[0] = 0;
    d->joints[0].type = ARNE_FIXED;
    assert_int_equal(build(d, false, &e), ARNE_BAD_TREE);
    assert_non_null(strstr(e.message, "no joint that moves"));
    arne_description_free(d);
}

static void transmissions_must_fit(void **state)
{
    (void)state;
    arne_error e = {0};
    double J[4] = {1, 0, 0, 1}, none = 0;
    arne_description *d = pendulum(&BOX);
    d->transmission = J;
    d->ntransmission = 2;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    d->transmission = &none;
    d->ntransmission = 1;
    assert_int_equal(build(d, false, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "singular"));
    d->transmission = NULL;
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_can_exist),
        cmocka_unit_test(impossible_bodies_are_named),
        cmocka_unit_test(edges_are_allowed),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(joints_that_cannot_move_are_refused),
        cmocka_unit_test(transmissions_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
