/* SPDX-License-Identifier: MIT
 *
 * friction_test.c - friction of one axis, with the direction of sliding given, is that of the robot. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/subject.h"

enum { ROBOTS = 60 };

static double sign_of(double v) { return (v > 0) - (v < 0); }

static void one_axis_rubs_as_the_robot_does(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + ROBOTS; number++) {
        subject s = subject_number(number, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS);
        for (int k = 0; k < STATES && !s.d->transmission; k++) {
            const motion x = subject_motion(&s, k);
            double should[MOST_DOF], is[MOST_DOF];
            arne_friction_torque(s.data, x.qd, should);
            for (int i = 0; i < s.n; i++)
                is[i] = arne_sliding_friction(arne_joint_friction(s.m, i), arne_joint_motor(s.m, i), x.qd[i], sign_of(x.qd[i])) +
                        arne_joint_friction(s.m, i)->offset;
            expect_near(&s, "friction", s.n, is, should, 0, 1);
        }
        subject_close(&s);
    }
}

static void sliding_begins_with_static_friction(void **state)
{
    (void)state;
    double points[2][2] = {{0, 3}, {2, 7}};
    const arne_friction stribeck = {.viscous = 2, .coulomb = 4, .static_ = 6, .stribeck_velocity = 0.5, .stribeck_exponent = 2};
    const arne_friction lines = {.npoint = 2, .points = points};
    const arne_motor motor = {.gear = -10, .viscous = 0.01, .coulomb = 0.2};
    assert_true(arne_sliding_friction(NULL, NULL, 3, 1) == 0);
    assert_true(arne_sliding_friction(&stribeck, NULL, 0, 1) == 6 && arne_sliding_friction(&stribeck, NULL, 0, -1) == -6);
    assert_true(arne_sliding_friction(&stribeck, NULL, 0, 0) == 0);
    assert_true(fabs(arne_sliding_friction(&stribeck, NULL, 0.5, 1) - (4 + 2 * exp(-1) + 1)) < 1e-12);
    assert_true(fabs(arne_sliding_friction(&stribeck, &motor, 0, 1) - 8) < 1e-12);
    assert_true(fabs(arne_sliding_friction(NULL, &motor, -3, -1) + 5) < 1e-12);
    assert_true(fabs(arne_sliding_friction(NULL, &motor, 3, 0.5) - 4) < 1e-12);
    /* between the points and beyond the last one */
    assert_true(fabs(arne_sliding_friction(&lines, NULL, 1, 1) - 5) < 1e-12);
    assert_true(fabs(arne_sliding_friction(&lines, NULL, -3, -1) + 9) < 1e-12);
}

/* Forwards coulomb, backwards coulomb_negative, and an offset that is not friction: there at rest, gone where the robot is rigid.
 */
static void friction_may_differ_backwards(void **state)
{
    (void)state;
    const arne_friction uneven = {.viscous = 2, .coulomb = 4, .coulomb_negative = 3, .offset = 0.5, .stribeck_velocity = 0.1};
    assert_true(fabs(arne_sliding_friction(&uneven, NULL, 2, 1) - 8) < 1e-12);
    assert_true(fabs(arne_sliding_friction(&uneven, NULL, -2, -1) + 7) < 1e-12);
    subject s = subject_number(0, 0);
    arne_joint_description *j = &s.d->joints[0];
    for (size_t k = 0; k < s.d->njoint && j->type == ARNE_FIXED; k++) j = &s.d->joints[k];
    j->friction = uneven;
    j->motor.viscous = j->motor.coulomb = 0;
    arne_model *m;
    arne_data *d = NULL;
    assert_true(!arne_model_build(s.d, NULL, &m, NULL) && !arne_data_new(m, &d, NULL));
    double qd[MOST_DOF] = {0}, f[MOST_DOF];
    arne_friction_torque(d, qd, f);
    assert_true(f[0] == 0.5);
    qd[0] = -2;
    arne_friction_torque(d, qd, f);
    assert_true(fabs(f[0] + 6.5) < 1e-12);
    arne_set_rigid(arne_data_settings(d), true);
    arne_friction_torque(d, qd, f);
    assert_true(f[0] == 0);
    arne_data_free(d);
    arne_model_free(m);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_axis_rubs_as_the_robot_does),
        cmocka_unit_test(sliding_begins_with_static_friction),
        cmocka_unit_test(friction_may_differ_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
