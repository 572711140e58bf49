/* SPDX-License-Identifier: MIT
 *
 * tick_test.c - what every controller does with bad input: numbers that are none, torques beyond the limits, gains that are no
 * gains. */
#include "control/loop.h"

#include "arne/regressor.h"

static const arne_control_kind all_kinds[] = {
    ARNE_CONTROL_NONE,           ARNE_CONTROL_PD_GRAVITY, ARNE_CONTROL_COMPUTED_TORQUE,
    ARNE_CONTROL_PASSIVITY,      ARNE_CONTROL_ADAPTIVE,   ARNE_CONTROL_HAND_ACCELERATION,
    ARNE_CONTROL_HAND_IMPEDANCE, ARNE_CONTROL_MOTOR_PD,   ARNE_CONTROL_ELASTIC};

static bool reads_hand(arne_control_kind k) { return k == ARNE_CONTROL_HAND_ACCELERATION || k == ARNE_CONTROL_HAND_IMPEDANCE; }
static bool reads_motors(arne_control_kind k) { return k == ARNE_CONTROL_MOTOR_PD || k == ARNE_CONTROL_ELASTIC; }

static void names_find_their_controllers(void **state)
{
    (void)state;
    assert_int_equal(sizeof all_kinds / sizeof *all_kinds, ARNE_CONTROL_COUNT);
    for (int k = 0; k < ARNE_CONTROL_COUNT; k++) assert_int_equal(arne_control_find(arne_control_name((arne_control_kind)k)), k);
    assert_int_equal(arne_control_find("pid"), -1);
}

/* Every number that is read, replaced by NaN or infinity: the last torque is held, and the next good tick is as if nothing had
 * been. */
static void a_bad_number_holds_the_last_torque(void **state)
{
    (void)state;
    enum { N = 7 };
    for (int k = 1; k < ARNE_CONTROL_COUNT; k++) {
        subject s = shipped_subject("kuka-lwr");
        assert_int_equal(s.n, N);
        arne_data *own = test_data(s.m);
        const arne_control_options o = {.size = sizeof o, .kind = all_kinds[k], .period = 0.001, .link = s.nlink - 1};
        arne_controller *c = controller_of(own, &o);
        double q[N], qd[N], theta[N], thetad[N], r[5 * N], first[N], tau[N];
        arne_hand_target hand = {.pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0.4, 0.1, 0.5}}};
        loop_sines(0.3, N, r);
        for (int i = 0; i < N; i++) q[i] = theta[i] = r[i] + 0.01 * i, qd[i] = thetad[i] = r[N + i] + 0.1;
        const arne_tick in = {sizeof in, q, qd, theta, thetad, r, &hand, NULL};
        double *const inputs[] = {q, qd, theta, thetad, r, hand.pose.R, hand.pose.p, hand.velocity, hand.acceleration};
        const int sizes[] = {N, N, N, N, 2 * N, 9, 3, 6, 6};

        /* before any good tick the torque held is zero */
        q[0] = NAN;
        assert_int_equal(flags_of(c, &in, tau), ARNE_TICK_HELD);
        for (int i = 0; i < N; i++) assert_true(tau[i] == 0);
        q[0] = theta[0];
        assert_int_equal(flags_of(c, &in, first), 0);
        assert_true(largest(N, first) > 0);
        for (size_t j = 0; j < sizeof inputs / sizeof *inputs; j++) {
            const bool read = j < 2 || (j < 4    ? reads_motors(all_kinds[k])
                                        : j == 4 ? !reads_hand(all_kinds[k])
                                                 : reads_hand(all_kinds[k]));
            for (int i = 0; read && i < sizes[j]; i++) {
                const double good = inputs[j][i];
                inputs[j][i] = i % 2 ? NAN : -INFINITY;
                assert_int_equal(flags_of(c, &in, tau), ARNE_TICK_HELD);
                assert_memory_equal(tau, first, sizeof tau);
                inputs[j][i] = good;
            }
        }
        arne_controller_reset(c);
        assert_int_equal(flags_of(c, &in, tau), 0);
        assert_memory_equal(tau, first, sizeof tau);
        if (!reads_hand(all_kinds[k])) {
            assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = q, .qd = qd}, tau), ARNE_TICK_HELD);
            assert_memory_equal(tau, first, sizeof tau);
        }
        arne_controller_free(c);
        arne_data_free(own);
        subject_close(&s);
    }
}

static void torques_stay_within_joint_limits(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    double kp[7], kd[7], q[7], qd[7] = {0}, r[35] = {0}, tau[7], free_tau[7];
    for (int i = 0; i < 7; i++) kp[i] = 1e4, kd[i] = 1, q[i] = i % 2 ? 0.5 : -0.5;
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
    arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = kp, .kd = kd};
    arne_controller *c = controller_of(s.data, &o);
    assert_int_equal(flags_of(c, &in, free_tau), 0);
    arne_controller_free(c);
    o.saturate = true;
    c = controller_of(s.data, &o);
    assert_int_equal(flags_of(c, &in, tau), ARNE_TICK_SATURATED);
    for (int i = 0; i < 7; i++) {
        const double most = arne_joint_limits(s.m, i)->effort;
        assert_true(fabs(free_tau[i]) > most);
        assert_true(tau[i] == copysign(most, free_tau[i]));
    }
    arne_controller_free(c);
    subject_close(&s);
}

/* with a coupled transmission it is the motors that saturate */
static void coupled_motors_stay_within_their_limits(void **state)
{
    (void)state;
    subject s = shipped_subject("coupled-wrist");
    double kp[MOST_DOF], kd[MOST_DOF], q[MOST_DOF], qd[MOST_DOF] = {0}, r[5 * MOST_DOF] = {0}, tau[MOST_DOF], motor[MOST_DOF];
    for (int i = 0; i < s.n; i++) kp[i] = 1e6, kd[i] = 1, q[i] = 0.5;
    const arne_control_options o = {
        .size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = kp, .kd = kd, .saturate = true};
    arne_controller *c = controller_of(s.data, &o);
    assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = q, .qd = qd, .reference = r}, tau),
                     ARNE_TICK_SATURATED);
    arne_motor_torques(s.data, tau, motor);
    for (int i = 0; i < s.n; i++) {
        const arne_motor *m = arne_joint_motor(s.m, i);
        const double effort = arne_joint_limits(s.m, i)->effort;
        const double most = fmin(m->effort, (effort > 0 ? effort : INFINITY) / fabs(m->gear));
        assert_true(fabs(motor[i]) <= most * (1 + 1e-12));
    }
    arne_controller_free(c);
    subject_close(&s);
}

static void expect(subject *s, arne_status status, arne_control_options o, const char *words)
{
    arne_controller *c;
    arne_error e;
    o.size = sizeof o;
    if (o.period == 0) o.period = 0.001;
    assert_int_equal(arne_controller_new(arne_data_settings(s->data), &o, &c, &e), status);
    assert_null(c);
    if (!strstr(e.message, words)) fail_msg("\"%s\" does not say \"%s\"", e.message, words);
}

static void expect_refused(subject *s, arne_control_options o, const char *words) { expect(s, ARNE_BAD_VALUE, o, words); }

static void bad_options_are_refused_with_a_sentence(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    double bad[6] = {1, 1, 1, 1, 1, 1};
    const int columns[2] = {3, 66};
    bad[2] = 0;
    const char *third = arne_joint_name(s.m, 2);
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .kp = bad}, third);
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_COMPUTED_TORQUE, .kd = bad}, "kd of joint");
    bad[2] = NAN;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PASSIVITY, .lambda = bad}, "lambda of joint");
    bad[2] = -1;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .kp = bad}, third);
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = 2, .columns = columns},
           "parameter 66");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .adaptation = -1}, "negative");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .period = -0.001}, "period");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .period = NAN}, "period");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_COUNT}, "no controller");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_HAND_IMPEDANCE, .link = 0}, "part of the base");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_HAND_IMPEDANCE, .link = 99}, "no link number 99");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_HAND_ACCELERATION, .link = 6, .stiffness = {0, -1}},
                   "stiffness");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_HAND_ACCELERATION, .link = 6, .damping = {0, 0, 0, NAN}},
                   "damping");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_HAND_ACCELERATION, .link = 6, .singular_damping = -1},
                   "singular");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC}, "stiffness");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_MOTOR_PD}, "stiffness");
    subject_close(&s);
    s = shipped_subject("kuka-lwr");
    double all[28];
    for (int i = 0; i < 28; i++) all[i] = -10;
    all[9] = 0;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC, .poles = all}, "pole 2 of joint");
    subject_close(&s);
}

/* a robot without inertia at its end has no default gains, but takes given ones */
static void a_massless_robot_asks_for_gains(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("massless");
    assert_true(d && arne_description_link(d, "l0", 0) && arne_description_link(d, "l1", 0));
    assert_non_null(arne_description_joint(d, "j1", 0, ARNE_REVOLUTE, "l0", "l1"));
    subject s = subject_of(d);
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY}, "singular");
    const double one = 1;
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = &one, .kd = &one};
    arne_controller_free(controller_of(s.data, &o));
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_find_their_controllers),
        cmocka_unit_test(a_bad_number_holds_the_last_torque),
        cmocka_unit_test(torques_stay_within_joint_limits),
        cmocka_unit_test(coupled_motors_stay_within_their_limits),
        cmocka_unit_test(bad_options_are_refused_with_a_sentence),
        cmocka_unit_test(a_massless_robot_asks_for_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
