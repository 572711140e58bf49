/* SPDX-License-Identifier: MIT
 *
 * Controllers of robots with joints that nobody drives: computed torque gives the driven joints the accelerations asked for,
 * gravity is compensated as far as it is felt, and laws that want a drive everywhere say so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/control.h"
#include "arne/file.h"
#include "arne/hand.h"
#include "arne/positions.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { MOST = 48 };

static arne_model *random_model(unsigned seed)
{
    arne_description *d = random_robot_with(seed, RANDOM_WIDE | RANDOM_MOTORS);
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static arne_controller *controller_of(arne_data *d, arne_control_kind kind)
{
    const arne_control_options o = {.size = sizeof o, .kind = kind, .period = 0.001};
    arne_controller *c;
    arne_error error;
    if (arne_controller_new(arne_data_settings(d), &o, &c, &error)) fail_msg("%s", error.message);
    return c;
}

static void computed_torque_drives_what_it_can(void **state)
{
    (void)state;
    int driven = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        arne_model *m = random_model(seed);
        arne_data *d = test_data(m);
        const int n = arne_model_nv(m);
        random_stream r = {seed};
        double q[MOST], qd[MOST], reference[5 * MOST], tau[MOST], qdd[MOST];
        random_vector(&r, arne_model_nq(m), 1, q);
        random_vector(&r, n, 1, qd);
        random_vector(&r, 5 * n, 1, reference);
        arne_normalize(m, NAN, q, NULL);
        arne_set_friction(arne_data_settings(d), false);
        arne_controller *c = controller_of(d, ARNE_CONTROL_COMPUTED_TORQUE);
        const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = reference};
        unsigned flags;
        assert_int_equal(arne_control_tick(c, &in, tau, &flags), ARNE_OK);
        assert_int_equal(arne_fd(d, q, qd, tau, qdd), ARNE_OK);
        double most = 1;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(qdd[i]));
        for (int i = 0; i < n; i++) {
            const int at = arne_velocity_position(m, i);
            if (at < 0) {
                assert_true(tau[i] == 0);
                continue;
            }
            /* the default: 20 rad/s, critically damped */
            const double want = reference[2 * n + i] + 40 * (reference[n + i] - qd[i]) + 400 * (reference[i] - q[at]);
            if (!(fabs(qdd[i] - want) < 1e-7 * (fabs(want) + most))) fail_msg("seed %u: %g, not %g", seed, qdd[i], want);
            driven++;
        }
        arne_controller_free(c);
        arne_data_free(d);
        arne_model_free(m);
    }
    assert_true(driven > 20);
}

/* What falls freely carries no weight: a robot in the air needs no torque to keep its posture. */
static void nothing_is_heavy_in_the_air(void **state)
{
    (void)state;
    static const char *const robots[] = {"quadruped", "humanoid", "quadrotor-arm"};
    for (unsigned k = 0; k < 3; k++) {
        arne_model *m;
        char path[512];
        snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, robots[k]);
        assert_int_equal(arne_load(path, &m, NULL), ARNE_OK);
        arne_data *d = test_data(m);
        random_stream r = {k};
        double q[MOST], qd[MOST] = {0}, reference[5 * MOST] = {0}, tau[MOST], held[MOST], most = 0;
        random_vector(&r, arne_model_nq(m), 1, q);
        arne_normalize(m, NAN, q, NULL);
        for (int i = 0; i < arne_model_nv(m); i++)
            if (arne_velocity_position(m, i) >= 0) reference[i] = q[arne_velocity_position(m, i)];
        arne_controller *c = controller_of(d, ARNE_CONTROL_PD_GRAVITY);
        const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = reference};
        assert_int_equal(arne_control_tick(c, &in, tau, NULL), ARNE_OK);
        arne_gravity(d, q, held);
        for (int i = 0; i < arne_model_nv(m); i++) {
            assert_true(fabs(tau[i]) < 1e-9);
            if (arne_velocity_position(m, i) >= 0) most = fmax(most, fabs(held[i]));
        }
        assert_true(most > 0.01); /* on a base that stands it would be heavy */
        arne_controller_free(c);
        arne_data_free(d);
        arne_model_free(m);
    }
}

/* Where does the foot go while the trunk stays? Known answers: where it is at other angles of the same leg. */
static void a_leg_is_put_down_while_the_trunk_stays(void **state)
{
    (void)state;
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/quadruped.yaml", &m, NULL), ARNE_OK);
    arne_data *d = test_data(m);
    assert_int_equal(arne_data_prepare(d, ARNE_HANDS, NULL), ARNE_OK);
    const int n = arne_model_nv(m), nq = arne_model_nq(m);
    const arne_hand_options o = {.size = sizeof o, .position_only = true};
    for (unsigned seed = 0; seed < 30; seed++) {
        random_stream r = {seed};
        double q[MOST], goal[MOST], before[MOST];
        const int link = arne_joint_link(m, 3 + 3 * random_below(&r, 4)); /* a shank */
        random_vector(&r, nq, 0.5, q);
        assert_int_equal(arne_normalize(m, NAN, q, NULL), ARNE_OK);
        memcpy(goal, q, sizeof goal);
        memcpy(before, q, sizeof before);
        for (int i = 6; i < n; i++) {
            const arne_limits *l = arne_joint_limits(m, arne_velocity_joint(m, i));
            goal[arne_velocity_position(m, i)] = random_between(&r, fmax(l->lower, -1.5), fmin(l->upper, 1.5));
            before[arne_velocity_position(m, i)] = q[arne_velocity_position(m, i)] = fmin(fmax(0, l->lower), l->upper);
        }
        arne_pose target, is;
        arne_error error;
        arne_link_pose(d, goal, link, &target);
        if (arne_hand_solve(d, link, &target, &o, q, &error)) fail_msg("seed %u: %s", seed, error.message);
        arne_link_pose(d, q, link, &is);
        for (int k = 0; k < 3; k++) assert_true(fabs(is.p[k] - target.p[k]) < 1e-8);
        for (int k = 0; k < 7; k++) assert_true(fabs(q[k] - before[k]) < 1e-15); /* the trunk */
    }
    double q[MOST] = {0};
    arne_pose target = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    arne_error error;
    assert_int_equal(arne_hand_solve(d, arne_joint_link(m, 3), &target, &o, q, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "quaternion of joint base"));
    arne_neutral(m, q);
    target.p[0] = 5;
    assert_int_equal(arne_hand_solve(d, arne_joint_link(m, 3), &target, &o, q, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "too far away"));
    arne_hand_target at;
    assert_int_equal(arne_hand_at(d, 1, q, q, NULL, &at), ARNE_UNSUPPORTED);
    arne_data_free(d);
    arne_model_free(m);
}

static void laws_that_need_all_drives_say_so(void **state)
{
    (void)state;
    static const arne_control_kind kinds[] = {ARNE_CONTROL_PASSIVITY, ARNE_CONTROL_ADAPTIVE, ARNE_CONTROL_HAND_ACCELERATION,
                                              ARNE_CONTROL_HAND_IMPEDANCE, ARNE_CONTROL_ELASTIC};
    arne_model *m = random_model(1);
    arne_data *d = test_data(m);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const arne_control_options o = {.size = sizeof o, .kind = kinds[k], .period = 0.001};
        arne_controller *c;
        arne_error error;
        assert_int_equal(arne_controller_new(arne_data_settings(d), &o, &c, &error), ARNE_UNSUPPORTED);
        char says[200];
        int first = 0; /* that has no drive */
        while (arne_velocity_position(m, first) >= 0) first++;
        snprintf(says, sizeof says,
                 "the controller '%s' asks for a torque at every freedom, and joint %s has none; pd-gravity, computed-torque, "
                 "motor-pd and none do not",
                 arne_control_name(kinds[k]), arne_joint_name(m, arne_velocity_joint(m, first)));
        assert_string_equal(error.message, says);
        assert_null(c);
    }
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computed_torque_drives_what_it_can),
        cmocka_unit_test(nothing_is_heavy_in_the_air),
        cmocka_unit_test(a_leg_is_put_down_while_the_trunk_stays),
        cmocka_unit_test(laws_that_need_all_drives_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
