/* SPDX-License-Identifier: MIT
 *
 * body_test.c - tests of src/describe/body.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "describe/body.h"

/* A few roundings of numbers near one. */
static const double TOLERANCE = 1e-14;

static void same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++) assert_true(fabs(a[i] - b[i]) <= TOLERANCE * fmax(1, fabs(b[i])));
}

static void same_body(const arne_body *a, const arne_body *b)
{
    same(&a->mass, &b->mass, 1);
    same(a->com, b->com, 3);
    same(a->inertia, b->inertia, 6);
}

static const arne_body brick = {2, {0.3, -0.2, 0.5}, {0.11, 0.01, -0.02, 0.12, 0.03, 0.15}};
static const arne_body pebble = {0.5, {-0.1, 0.4, 0.2}, {0.01, 0, 0.001, 0.02, 0, 0.015}};

/* A turn about z by 90 degrees, then a step. */
static const arne_pose quarter = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {1, 2, 3}};

static void transform_turns_and_moves(void **state)
{
    (void)state;
    arne_body moved;
    arne__body_transform(&quarter, &brick, &moved);
    same(moved.com, (double[3]){1.2, 2.3, 3.5}, 3);
    /* x becomes y, y becomes -x */
    same(moved.inertia, (double[6]){0.12, -0.01, -0.03, 0.11, -0.02, 0.15}, 6);
}

static void transform_works_in_place(void **state)
{
    (void)state;
    arne_body apart, here = brick;
    arne__body_transform(&quarter, &brick, &apart);
    arne__body_transform(&quarter, &here, &here);
    same_body(&here, &apart);
}

static void origin_form_of_a_point_mass(void **state)
{
    (void)state;
    arne_body point = {3, {1, 2, -1}, {0}};
    origin_inertia o = arne__body_about_origin(&point);
    same(o.h, (double[3]){3, 6, -3}, 3);
    same(o.I, (double[6]){15, -6, 3, 6, 6, 15}, 6);
}

static void origin_form_and_back(void **state)
{
    (void)state;
    arne_body back;
    origin_inertia o = arne__body_about_origin(&brick);
    assert_true(arne__body_from_origin(&o, &back));
    same_body(&back, &brick);
}

static void first_moments_need_mass(void **state)
{
    (void)state;
    arne_body back;
    for (int k = 0; k < 3; k++) {
        origin_inertia o = {.m = 0};
        o.h[k] = 0.1;
        assert_false(arne__body_from_origin(&o, &back));
    }
    assert_true(arne__body_from_origin(&(origin_inertia){.I = {1, 0, 0, 1, 0, 1}}, &back));
    assert_true(back.mass == 0 && back.inertia[5] == 1);
}

static void sum_is_the_sum_of_moments(void **state)
{
    (void)state;
    arne_body sum = brick;
    arne__body_add(&sum, &pebble);
    origin_inertia s = arne__body_about_origin(&sum), a = arne__body_about_origin(&brick), b = arne__body_about_origin(&pebble);
    assert_true(fabs(s.m - a.m - b.m) <= TOLERANCE);
    for (int i = 0; i < 3; i++) assert_true(fabs(s.h[i] - a.h[i] - b.h[i]) <= TOLERANCE);
    for (int k = 0; k < 6; k++) assert_true(fabs(s.I[k] - a.I[k] - b.I[k]) <= TOLERANCE);
}

static void nothing_added_changes_nothing(void **state)
{
    (void)state;
    arne_body nothing = {0}, sum = brick;
    arne__body_add(&sum, &nothing);
    same_body(&sum, &brick);
    sum = nothing;
    arne__body_add(&sum, &brick);
    same_body(&sum, &brick);
}

static void inertia_without_mass_is_kept(void **state)
{
    (void)state;
    arne_body rotor = {0, {9, 9, 9}, {1, 0, 0, 1, 0, 2}}, sum = rotor;
    arne__body_add(&sum, &brick);
    same(sum.com, brick.com, 3);
    same(&sum.inertia[5], (double[1]){2.15}, 1);
}

/* What is taken away as often as it was added leaves no centre, but moments: those about the centre of the first. */
static void masses_that_cancel_leave_moments(void **state)
{
    (void)state;
    arne_body sum = brick, hole = pebble;
    hole.mass = -2;
    arne__body_add(&sum, &hole);
    /* the hole stands at (-0.4, 0.6, -0.3) from the centre of the brick */
    const double I[6] = {0.12 - 2 * 0.45, 0.01 - 2 * 0.24, -0.019 + 2 * 0.12, 0.14 - 2 * 0.25, 0.03 - 2 * 0.18, 0.165 - 2 * 0.52};
    assert_true(sum.mass == 0);
    same(sum.com, brick.com, 3);
    same(sum.inertia, I, 6);
}

/* Two halves of a small body a kilometre away: their inertia has no digits about the origin, but all about the centre. */
static void far_bodies_keep_their_digits(void **state)
{
    (void)state;
    arne_body sum = {1, {1000, 1000, 0}, {1e-6, 0, 0, 1e-6, 0, 1e-6}}, other = sum;
    other.com[0] += 0.0009765625;
    arne__body_add(&sum, &other);
    double steiner = 0.5 * 0.0009765625 * 0.0009765625;
    assert_true(fabs(sum.inertia[5] - (2e-6 + steiner)) <= 1e-12 * 2e-6);
    assert_true(sum.inertia[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transform_turns_and_moves),     cmocka_unit_test(transform_works_in_place),
        cmocka_unit_test(origin_form_of_a_point_mass),   cmocka_unit_test(origin_form_and_back),
        cmocka_unit_test(first_moments_need_mass),       cmocka_unit_test(sum_is_the_sum_of_moments),
        cmocka_unit_test(nothing_added_changes_nothing), cmocka_unit_test(inertia_without_mass_is_kept),
        cmocka_unit_test(far_bodies_keep_their_digits),  cmocka_unit_test(masses_that_cancel_leave_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
