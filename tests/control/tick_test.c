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
    assert_string_equal(e.message, words);
}

static arne_status refused(subject *s, arne_control_options o)
{
    arne_controller *c;
    o.size = sizeof o;
    o.period = 0.001;
    const arne_status status = arne_controller_new(arne_data_settings(s->data), &o, &c, NULL);
    assert_null(c);
    return status;
}

static void expect_refused(subject *s, arne_control_options o, const char *words) { expect(s, ARNE_BAD_VALUE, o, words); }

static void bad_options_are_refused_with_a_sentence(void **state)
{
    (void)state;
    subject s = shipped_subject("ur5e");
    double bad[6] = {1, 1, 1, 1, 1, 1};
    const double guess[2] = {1, NAN};
    const int columns[2] = {3, 66}, twelfth[2] = {3, 12}, below[1] = {-1};
    bad[2] = 0;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .kp = bad},
                   "kp of joint elbow is 0; a gain must be positive and finite");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_COMPUTED_TORQUE, .kd = bad},
                   "kd of joint elbow is 0; a gain must be positive and finite");
    bad[2] = NAN;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PASSIVITY, .lambda = bad},
                   "lambda of joint elbow is nan; a gain must be positive and finite");
    bad[2] = -1.5;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .kp = bad},
                   "kp of joint elbow is -1.5; a gain must be positive and finite");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = 2, .columns = columns},
           "there is no parameter 66; a robot of 6 joints has 0 to 65");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = 1, .columns = below},
           "there is no parameter -1; a robot of 6 joints has 0 to 65");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = 2, .columns = twelfth, .values = guess},
                   "the first guess of parameter XY2 is not a number");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = 2}, "adaptive: the columns are missing");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .ncolumn = -1}, "adaptive: the columns are missing");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .adaptation = -1},
                   "adaptive: the gain of the update must not be negative");
    assert_int_equal(refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ADAPTIVE, .adaptation = INFINITY}), ARNE_BAD_VALUE);
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .period = -0.25},
                   "the period of the controller is -0.25 s; it must be positive");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .period = NAN},
                   "the period of the controller is nan s; it must be positive");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY, .period = INFINITY},
                   "the period of the controller is inf s; it must be positive");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = ARNE_CONTROL_COUNT}, "there is no controller number 9");
    expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = (arne_control_kind)-1}, "there is no controller number -1");
    for (int k = 0; k < 2; k++) {
        const arne_control_kind kind = k ? ARNE_CONTROL_HAND_IMPEDANCE : ARNE_CONTROL_HAND_ACCELERATION;
        expect_refused(&s, (arne_control_options){.kind = kind, .link = 0}, "link base is part of the base; no joint moves it");
        expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = kind, .link = 99}, "the robot has no link number 99");
        expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = kind, .link = s.nlink}, "the robot has no link number 7");
        expect(&s, ARNE_BAD_ARGUMENT, (arne_control_options){.kind = kind, .link = -1}, "the robot has no link number -1");
    }
    const arne_control_options hand = {.kind = ARNE_CONTROL_HAND_ACCELERATION, .link = 6};
    arne_control_options o = hand;
    o.stiffness[5] = -2;
    expect_refused(&s, o, "stiffness of link wrist_3 is -2; it must be positive");
    o = hand, o.damping[5] = INFINITY;
    expect_refused(&s, o, "damping of link wrist_3 is inf; it must be positive");
    o = hand, o.damping[3] = NAN;
    expect_refused(&s, o, "damping of link wrist_3 is nan; it must be positive");
    o = hand, o.singular_damping = -3;
    expect_refused(&s, o, "the damping at singular positions is -3; it must be positive");
    o = hand, o.singular_damping = INFINITY;
    expect_refused(&s, o, "the damping at singular positions is inf; it must be positive");
    bad[5] = NAN, bad[2] = 1;
    o = hand, o.posture = bad;
    expect_refused(&s, o, "the posture of joint wrist_3 is not a number");
    assert_int_equal(refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC}), ARNE_BAD_VALUE);
    assert_int_equal(refused(&s, (arne_control_options){.kind = ARNE_CONTROL_MOTOR_PD}), ARNE_BAD_VALUE);
    subject_close(&s);
    s = shipped_subject("kuka-lwr");
    double all[28], factor[7] = {1, 1, 1, 1, 1, 1, 0};
    for (int i = 0; i < 28; i++) all[i] = -10;
    all[9] = 0.5;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC, .poles = all},
                   "pole 2 of joint j3 is 0.5; it must be negative");
    all[9] = 0;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC, .poles = all},
                   "pole 2 of joint j3 is 0; it must be negative");
    all[9] = -10, all[27] = -INFINITY;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC, .poles = all},
                   "pole 4 of joint j7 is -inf; it must be negative");
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_MOTOR_PD, .springs = factor},
                   "the factor of the stiffness of joint j7 is 0; it must be positive and finite");
    factor[6] = 1, factor[0] = INFINITY;
    expect_refused(&s, (arne_control_options){.kind = ARNE_CONTROL_ELASTIC, .springs = factor},
                   "the factor of the stiffness of joint j1 is inf; it must be positive and finite");
    subject_close(&s);
}

static arne_description *bar(double com)
{
    arne_description *d = arne_description_new("bar");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "bar", 0);
    arne_joint_description *j = arne_description_joint(d, "pivot", 0, ARNE_REVOLUTE, "base", "bar");
    assert_true(l && j);
    l->body = (arne_body){.mass = 2, .com = {com, 0.2, 0.3}, .inertia = {0.1, 0, 0, 0.2, 0, 0.25}};
    d->gravity[0] = -7, d->gravity[1] = 3, d->gravity[2] = 0;
    j->motor.inertia = 0.4;
    return d;
}

/* K += period Gamma Y's: of one joint about z only the inertia about z and the rotor (Y = qrd), and the first moments X and Y
 * count; alone each learns at `adaptation`, so Gamma = adaptation kd/Y^2 where nobody but it does anything, less a thousandth
 * [doc/control.md (5)]. It ends ten sizes from the first guess, and learns nothing while the motor is at its limit. */
static void parameters_are_learned_within_ten_sizes(void **state)
{
    (void)state;
    enum { ZZ = 5, X = 6, Y = 7, ROTOR = 10 };
    static const int columns[4] = {X, ZZ, ROTOR, Y};
    static const double values[4] = {0};
    arne_description *d = bar(0.5);
    d->joints[0].limits.effort = 100;
    subject s = subject_of(d);
    double K[ARNE_LINK_PARAMETERS], q = 0.3, qd = 0.7, r[5] = {0.4, 0.9, 0.5}, tau;
    const double kp = 11, kd = 2, lambda = 3;
    const arne_tick in = {.size = sizeof in, .q = &q, .qd = &qd, .reference = r};
    arne_control_options o = {.size = sizeof o,
                              .kind = ARNE_CONTROL_ADAPTIVE,
                              .period = 0.01,
                              .kp = &kp,
                              .kd = &kd,
                              .lambda = &lambda,
                              .adaptation = 4,
                              .ncolumn = 1,
                              .columns = columns + 1,
                              .values = values,
                              .saturate = true};
    arne_parameters(s.settings, K);
    const double qrd = 0.5 + 3 * (0.9 - 0.7), slide = (0.9 + 3 * 0.1) - 0.7;
    for (int given = 0; given < 2; given++) {
        /* 4 1/s, or a quarter of the 10 rad/s that 10 ms allow */
        o.adaptation = given ? 4 : 0;
        arne_controller *c = controller_of(s.data, &o);
        int count = 0;
        assert_int_equal(flags_of(c, &in, &tau), 0);
        assert_true(fabs(tau - (11 * 0.1 + 2 * 0.2)) < 1e-12);
        const double *K1 = arne_controller_parameters(c, &count);
        assert_int_equal(count, 1);
        const double learned = 0.01 * (given ? 4 : 2.5) * 2 / 1.001 * qrd * slide;
        assert_true(fabs(*K1 - learned) < 1e-12);
        assert_int_equal(flags_of(c, &in, &tau), 0);
        assert_true(fabs(tau - (11 * 0.1 + 2 * 0.2 + qrd * learned)) < 1e-12 && fabs(*K1 - 2 * learned) < 1e-12);
        arne_controller_reset(c);
        assert_true(*arne_controller_parameters(c, NULL) == 0);
        r[0] = 30; /* the motor gives 100 Nm, not 330 */
        assert_int_equal(flags_of(c, &in, &tau), ARNE_TICK_SATURATED);
        assert_true(tau == 100 && *arne_controller_parameters(c, NULL) == 0);
        r[0] = 0.4;
        arne_controller_free(c);
    }
    /* sizes: a tenth of the largest of its kind in the link, so ten sizes are the largest; a rotor of nothing: 0.01 */
    o.ncolumn = 4, o.columns = columns, o.adaptation = 1e9, o.saturate = false;
    double most = 0;
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(K[i]));
    const double reach[4] = {fmax(fabs(K[X]), fabs(K[Y])), most, K[ROTOR], fmax(fabs(K[X]), fabs(K[Y]))};
    arne_controller *c = controller_of(s.data, &o);
    for (int k = 0; k < 3; k++) assert_int_equal(flags_of(c, &in, &tau), 0);
    for (int k = 0; k < 4; k++) assert_true(fabs(fabs(arne_controller_parameters(c, NULL)[k]) - reach[k]) < 1e-12 * reach[k]);
    arne_controller_free(c);
    subject_close(&s);
}

/* the torque held is zero before the first good tick, and again after a reset; `none` asks for nothing */
static void a_reset_forgets(void **state)
{
    (void)state;
    subject s = subject_of(bar(0.5));
    const double one = 1, nan = NAN, zero = 0;
    arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = &one, .kd = &one};
    arne_controller *c = controller_of(s.data, &o);
    const double r[5] = {3};
    double tau = 9;
    assert_int_equal(arne_controller_link(c), -1);
    const arne_tick good = {.size = sizeof good, .q = &zero, .qd = &zero, .reference = r},
                    bad = {.size = sizeof bad, .q = &nan, .qd = &zero, .reference = r};
    assert_int_equal(flags_of(c, &good, &tau), 0);
    const double first = tau;
    tau = 9;
    assert_int_equal(flags_of(c, &bad, &tau), ARNE_TICK_HELD);
    assert_true(tau == first && first != 0);
    arne_controller_reset(c);
    assert_int_equal(flags_of(c, &bad, &tau), ARNE_TICK_HELD);
    assert_true(tau == 0);
    arne_controller_free(c);
    o.kind = ARNE_CONTROL_NONE;
    c = controller_of(s.data, &o);
    tau = 9;
    assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = &zero, .qd = &zero}, &tau), 0);
    assert_true(tau == 0);
    arne_controller_free(c);
    subject_close(&s);
}

/* Behind a spring the motor weakens with its own speed, not with that of the link: 50 Nm at rest, 30 Nm at 20 rad/s. */
static void a_motor_behind_a_spring_weakens_with_its_own_speed(void **state)
{
    (void)state;
    static const double curve[2][2] = {{0, 50}, {40, 10}};
    arne_description *d = bar(0.5);
    arne_joint_description *j = &d->joints[0];
    j->elastic.stiffness = 1000;
    j->motor.gear = 1;
    j->motor.effort = INFINITY, j->motor.speed = INFINITY;
    j->motor.ncurve = 2;
    j->motor.curve = malloc(sizeof curve);
    assert_non_null(j->motor.curve);
    memcpy(j->motor.curve, curve, sizeof curve);
    subject s = subject_of(d);
    const double one = 1, stiff = 1e6, zero = 0, fast = 20, r[5] = {1};
    for (int k = 0; k < 2; k++) {
        const arne_control_options o = {.size = sizeof o,
                                        .kind = k ? ARNE_CONTROL_PD_GRAVITY : ARNE_CONTROL_MOTOR_PD,
                                        .period = 0.001,
                                        .kp = &stiff,
                                        .kd = &one,
                                        .saturate = true};
        arne_controller *c = controller_of(s.data, &o);
        double tau;
        const arne_tick in = {.size = sizeof in, .q = &zero, .qd = &zero, .theta = &zero, .thetad = &fast, .reference = r};
        assert_int_equal(flags_of(c, &in, &tau), ARNE_TICK_SATURATED);
        assert_true(fabs(tau - (k ? 50 : 30)) < 1e-12);
        arne_controller_free(c);
    }
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
    expect_refused(
        &s, (arne_control_options){.kind = ARNE_CONTROL_PD_GRAVITY},
        "the inertia matrix of massless is singular, so there are no default gains: give them, or give the last links a "
        "mass");
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
        cmocka_unit_test(parameters_are_learned_within_ten_sizes),
        cmocka_unit_test(a_reset_forgets),
        cmocka_unit_test(a_motor_behind_a_spring_weakens_with_its_own_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
