/* SPDX-License-Identifier: MIT
 *
 * map_test.c - largest accelerations of a hand along a path, and what happens on the way of a plan, with numbers by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/plan.h"
#include "support/subject.h"

/* 2 kg and 22 N in gravity: 1.19 m/s^2 up, 20.81 m/s^2 down */
static arne_description *lift(double mass)
{
    arne_description *d = arne_description_new("lift");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body.mass = mass;
    j->limits = (arne_limits){-100, 100, INFINITY, INFINITY, 22};
    return d;
}

static bool near(double is, double should) { return fabs(is - should) < 1e-6; }

static void a_lift_has_a_map(void **state)
{
    (void)state;
    const double points[] = {0, 1.5};
    subject x = subject_of(lift(2));
    arne_curve *c;
    arne_map_row rows[3];
    const arne_hand_direction hand = {.size = sizeof hand, .link = 1, .point = {0.5, 0, 0}, .rows = 3, .pure = true};
    assert_int_equal(arne_curve_new(points, 2, 1, &c, NULL), ARNE_OK);
    assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 3, rows, NULL), ARNE_OK);
    assert_true(near(rows[1].point, 1.5) && near(rows[1].at[0], 0.5) && near(rows[1].at[2], 0.75));
    for (int k = 0; k < 3; k++) {
        const double *most = rows[k].largest;
        assert_true(near(most[ARNE_FORWARD], 1.19) && near(most[ARNE_UP], 1.19));
        assert_true(near(most[ARNE_BACKWARD], 20.81) && near(most[ARNE_DOWN], 20.81));
        assert_true(isnan(most[ARNE_LEFT]) && isnan(most[ARNE_RIGHT])); /* the path is along gravity */
    }
    rows[2].largest[ARNE_UP] = -INFINITY;
    assert_int_equal(arne_map_least(rows, 2, ARNE_UP), 0);
    assert_int_equal(arne_map_least(rows, 3, ARNE_UP), 2);
    assert_int_equal(arne_map_least(rows, 3, ARNE_LEFT), -1);
    assert_string_equal(arne_way_name(ARNE_BACKWARD), "backward");
    arne_curve_free(c);
    subject_close(&x);
}

static void maps_say_what_is_wrong(void **state)
{
    (void)state;
    const double points[] = {0, 1.5};
    subject x = subject_of(lift(0));
    arne_curve *c;
    arne_error e;
    arne_map_row rows[3];
    arne_hand_direction hand = {.size = sizeof hand, .link = 1, .rows = 3};
    assert_int_equal(arne_curve_new(points, 2, 1, &c, NULL), ARNE_OK);
    assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 3, rows, &e), ARNE_UNSUPPORTED);
    assert_non_null(strstr(e.message, "singular at point 1"));
    assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 1, rows, &e), ARNE_BAD_VALUE);
    hand.link = 2;
    assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 3, rows, &e), ARNE_BAD_VALUE);
    arne_curve_free(c);
    subject_close(&x);
}

static void count_row(void *context, const arne_motion_row *r)
{
    assert_null(r->reaction);
    assert_true(r->t == r->path && fabs(r->tau[0]) < 22 * (1 + 1e-8));
    ++*(int *)context;
}

static void a_plan_is_followed_sample_by_sample(void **state)
{
    (void)state;
    const double points[] = {0, 1.5};
    subject x = subject_of(lift(2));
    arne_curve *c;
    arne_plan *p;
    arne_joint_record joint;
    double share[ARNE_LIMIT_COUNT];
    int count = 0;
    arne_plan_records r = {.joints = &joint, .share = share, .row = count_row, .context = &count};
    assert_int_equal(arne_curve_new(points, 2, 1, &c, NULL), ARNE_OK);
    assert_int_equal(arne_plan_find(c, x.data, NULL, &p, NULL), ARNE_OK);
    for (int again = 0; again < 2; again++) { /* starts from nothing each time */
        count = 0;
        assert_int_equal(arne_plan_follow(p, x.data, &r, NULL), ARNE_OK);
        assert_int_equal(count, arne_plan_samples(p));
        /* with 22 N up, then 22 N down: v^2/2 (1/1.19 + 1/20.81) = 1.5 */
        assert_true(fabs(joint.speed - sqrt(3 / (1 / 1.19 + 1 / 20.81))) < 0.01 && fabs(joint.torque - 22) < 0.1);
        assert_true(r.active > 0.95 && r.active < 1 + 1e-9 && near(share[ARNE_EFFORT], r.active) && share[ARNE_VELOCITY] == 0);
    }
    arne_plan_free(p);
    arne_curve_free(c);
    subject_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lift_has_a_map),
        cmocka_unit_test(maps_say_what_is_wrong),
        cmocka_unit_test(a_plan_is_followed_sample_by_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
