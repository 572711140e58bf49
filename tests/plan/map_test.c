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

/* of an arm in space: each number is the largest acceleration in a direction told by hand, standing or on the way of a plan */
static void an_arm_has_a_map(void **state)
{
    (void)state;
    enum { N = 6, PLACES = 4 };
    static const double points[3][N] = {{0, -1, 1, 0.3, 0.2, 0.1}, {0.5, -0.7, 1.2, 0, 0.4, 0.3}, {0.8, -1, 0.7, 0.2, 0, 0}};
    int number = 0;
    arne_description *d = robot_number(number, 0);
    while (strcmp(d->name, "ur5e")) {
        arne_description_free(d);
        d = robot_number(++number, 0);
    }
    subject x = subject_of(d);
    arne_curve *c;
    arne_plan *p;
    arne_error e;
    arne_map_row rows[PLACES];
    const arne_hand_direction hand = {.size = sizeof hand, .link = x.nlink - 1, .point = {0.05, -0.02, 0.1}, .rows = 3};
    assert_int_equal(arne_curve_new(*points, 3, N, &c, NULL), ARNE_OK);
    const arne_plan_options coarse = {.size = sizeof coarse, .grid = 300, .dt = 0.01};
    if (arne_plan_find(c, x.data, &coarse, &p, &e)) fail_msg("%s", e.message);
    for (int planned = 0; planned < 2; planned++) {
        assert_int_equal(arne_plan_map(c, planned ? p : NULL, x.data, &hand, PLACES, rows, NULL), ARNE_OK);
        for (int k = 0; k < PLACES; k++) {
            const double part = k / (PLACES - 1.0);
            double s = part * arne_curve_length(c), q[N], qd[N] = {0}, qdd[N], q1[N], at[3][3];
            if (planned) arne_plan_at(p, part * arne_plan_duration(p), q, qd, qdd, &s);
            arne_curve_at(c, s, q, q1, NULL);
            assert_true(near(rows[k].point, arne_curve_point(c, s)));
            for (int side = 0; side < 3; side++) { /* before, behind and at the place */
                double there[N];
                arne_pose pose;
                for (int i = 0; i < N; i++) there[i] = q[i] + (side == 2 ? 0 : side ? 1e-6 : -1e-6) * q1[i];
                arne_link_pose(x.data, there, hand.link, &pose);
                for (int r = 0; r < 3; r++) {
                    at[side][r] = pose.p[r];
                    for (int i = 0; i < 3; i++) at[side][r] += pose.R[3 * r + i] * hand.point[i];
                }
            }
            double forward[3];
            for (int r = 0; r < 3; r++) {
                assert_true(near(rows[k].at[r], at[2][r]));
                forward[r] = (at[1][r] - at[0][r]) / 2e-6;
            }
            /* left of it, seen from above: (0, 0, 1) x forward */
            const double ways[3][3] = {{forward[0], forward[1], forward[2]}, {-forward[1], forward[0], 0}, {0, 0, 1}};
            static const arne_way names[3][2] = {{ARNE_FORWARD, ARNE_BACKWARD}, {ARNE_LEFT, ARNE_RIGHT}, {ARNE_UP, ARNE_DOWN}};
            for (int w = 0; w < 3; w++)
                for (int back = 0; back < 2; back++) {
                    arne_hand_direction h = hand;
                    double most;
                    for (int r = 0; r < 3; r++) h.direction[r] = (back ? -1 : 1) * ways[w][r];
                    assert_int_equal(arne_largest_acceleration(x.data, q, qd, &h, &most, NULL), ARNE_OK);
                    if (!(fabs(rows[k].largest[names[w][back]] - most) < 1e-5 * (1 + fabs(most))))
                        fail_msg("place %d, %s: %g, not %g", k, arne_way_name(names[w][back]), rows[k].largest[names[w][back]],
                                 most);
                }
        }
    }
    for (int w = 0; w < ARNE_WAY_COUNT; w++) {
        const int least = arne_map_least(rows, PLACES, (arne_way)w);
        for (int k = 0; k < PLACES; k++) assert_true(rows[k].largest[w] >= rows[least].largest[w]);
    }
    arne_plan_free(p);
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
    assert_string_equal(e.message, "the inertia matrix is singular at point 1 of the path: a joint moves no mass");
    assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 1, rows, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "a map has at least two places, not 1");
    for (int link = -1; link <= 2; link += 3) {
        hand.link = link;
        assert_int_equal(arne_plan_map(c, NULL, x.data, &hand, 3, rows, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, link < 0 ? "there is no link -1" : "there is no link 2");
    }
    for (int k = 0; k < 4; k++) {
        assert_int_equal(
            arne_plan_map(k == 0 ? NULL : c, NULL, k == 1 ? NULL : x.data, k == 2 ? NULL : &hand, 3, k == 3 ? NULL : rows, &e),
            ARNE_BAD_ARGUMENT);
        assert_string_equal(e.message, "a map needs a curve, data, a hand and a place for its rows");
    }
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
        cmocka_unit_test(an_arm_has_a_map),
        cmocka_unit_test(maps_say_what_is_wrong),
        cmocka_unit_test(a_plan_is_followed_sample_by_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
