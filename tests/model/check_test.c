/* SPDX-License-Identifier: MIT
 *
 * check_test.c - bodies that cannot exist are named: a warning, or an error when the model is built strictly; numbers that are
 * none are always refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
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
    const arne_status status = arne_model_build(d, &(arne_model_options){sizeof(arne_model_options), strict, false}, &m, e);
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

static void what_does_not_move_is_a_body(void **state)
{
    (void)state;
    arne_model *m;
    arne_data *data;
    arne_pose pose;
    double energy[2] = {7, 7}, none = 3;
    arne_description *d = pendulum(&BOX);
    d->joints[0].type = ARNE_FIXED;
    d->joints[0].before.p[1] = 0.5;
    const arne_model_options o = {.size = sizeof o, .body = true};
    assert_int_equal(arne_model_build(d, &o, &m, NULL), ARNE_OK);
    assert_int_equal(arne_model_dof(m), 0);
    assert_int_equal(arne_model_tip(m), 1);
    assert_int_equal(arne_link_joint(m, 1), -1);
    assert_true(arne_model_mass(m) == 2);
    assert_int_equal(arne_data_new(m, &data, NULL), ARNE_OK);
    assert_int_equal(arne_id(data, &none, &none, &none, &none), ARNE_OK);
    assert_int_equal(arne_fd(data, &none, &none, &none, &none), ARNE_OK);
    assert_int_equal(arne_mass(data, &none, &none), ARNE_OK);
    assert_true(none == 3); /* there is no number to read or write */
    arne_energy(data, &none, &none, &energy[0], &energy[1]);
    assert_true(energy[0] == 0);
    arne_link_pose(data, &none, 1, &pose);
    assert_true(pose.p[0] == 0 && pose.p[1] == 0.5 && pose.p[2] == 0);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

/* A base floats; what somebody carries does not, free as it may be. */
static void only_a_base_floats(void **state)
{
    (void)state;
    for (int carried = 0; carried < 2; carried++) {
        arne_model *m;
        arne_description *d = pendulum(&BOX);
        if (carried) {
            arne_link_description *l = arne_description_link(d, "bird", 0);
            assert_true(l && arne_description_joint(d, "flight", 0, ARNE_FREE, d->links[1].name, "bird"));
            l->body = BOX;
        } else {
            d->joints[0].type = ARNE_FREE;
        }
        assert_int_equal(build(d, false, NULL), ARNE_OK);
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        assert_int_equal(arne_model_nv(m), carried ? 7 : 6);
        assert_int_equal(arne_model_floats(m), !carried);
        arne_model_free(m);
        arne_description_free(d);
    }
}

/* a model keeps laws and curves of any length when its description is gone */
static void points_belong_to_the_model(void **state)
{
    (void)state;
    for (int count = 1; count <= 3; count++) {
        arne_error e = {0};
        arne_description *d = pendulum(&BOX);
        arne_friction *f = &d->joints[0].friction;
        arne_motor *motor = &d->joints[0].motor;
        f->npoint = motor->ncurve = count;
        f->points = calloc((size_t)count, sizeof *f->points);
        motor->curve = calloc((size_t)count, sizeof *motor->curve);
        assert_true(f->points && motor->curve);
        for (int k = 0; k < count; k++) {
            f->points[k][0] = motor->curve[k][0] = k;
            f->points[k][1] = 7 + k;
            motor->curve[k][1] = 5 - k;
        }
        arne_model *m;
        arne_data *data;
        assert_int_equal(arne_model_build(d, NULL, &m, &e), ARNE_OK);
        memset(f->points, 0, (size_t)count * sizeof *f->points); /* what only points there is lost */
        memset(motor->curve, 0, (size_t)count * sizeof *motor->curve);
        arne_description_free(d);
        for (int k = 0; k < count; k++) {
            const double(*points)[2] = arne_joint_friction(m, 0)->points, (*curve)[2] = arne_joint_motor(m, 0)->curve;
            assert_true(points[k][0] == k && points[k][1] == 7 + k && curve[k][0] == k && curve[k][1] == 5 - k);
        }
        assert_int_equal(arne_data_new(m, &data, &e), ARNE_OK);
        const double forth = 2, back = -2;
        double tau;
        arne_friction_torque(data, &forth, &tau);
        assert_true(tau == (count == 1 ? 7 : 9)); /* the last slope goes on; one point is constant friction */
        arne_friction_torque(data, &back, &tau);
        assert_true(tau == (count == 1 ? -7 : -9));
        arne_data_free(data);
        arne_model_free(m);
    }
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
        cmocka_unit_test(what_does_not_move_is_a_body),
        cmocka_unit_test(only_a_base_floats),
        cmocka_unit_test(points_belong_to_the_model),
        cmocka_unit_test(transmissions_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
