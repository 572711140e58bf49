/* SPDX-License-Identifier: MIT
 *
 * gains_test.c - the gains that nobody gave (doc/control.md, Gains): each joint a critically damped oscillator of w = 20 rad/s,
 * or 0.1/period where that is slower. They are read off the torque: it is linear in position and velocity. */
#include "control/controller.h"
#include "control/loop.h"

enum { N = 7 };

/* d tau_i / d x_i, x one of the inputs of a tick, from a step of one */
static double slope(arne_controller *c, const arne_tick *in, double *x, int i)
{
    double before[N], after[N];
    assert_int_equal(flags_of(c, in, before), 0);
    x[i] += 1;
    assert_int_equal(flags_of(c, in, after), 0);
    x[i] -= 1;
    return after[i] - before[i];
}

static void joints_are_critically_damped(void **state)
{
    (void)state;
    static const arne_control_kind kinds[] = {ARNE_CONTROL_PD_GRAVITY, ARNE_CONTROL_MOTOR_PD};
    static const struct {
        double period, w;
    } paces[] = {{0.001, 20}, {0.005, 20}, {0.01, 10}, {0.02, 5}};
    subject s = shipped_subject("kuka-lwr");
    assert_int_equal(s.n, N);
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < 4; p++) {
            const double w = paces[p].w;
            const arne_control_options o = {.size = sizeof o, .kind = kinds[k], .period = paces[p].period};
            arne_controller *c = controller_of(s.data, &o);
            double q[N], qd[N], theta[N], thetad[N], r[5 * N];
            loop_sines(0.3, N, r);
            for (int i = 0; i < N; i++) q[i] = theta[i] = r[i], qd[i] = thetad[i] = r[N + i];
            const arne_tick in = {sizeof in, q, qd, theta, thetad, r, NULL, NULL};
            for (int i = 0; i < N; i++) {
                const double kd = -slope(c, &in, k ? thetad : qd, i);
                /* gravity at the measured position is a part of pd-gravity, so its stiffness is told by the reference */
                const double kp = k ? -slope(c, &in, theta, i) : slope(c, &in, r, i);
                assert_true(kp > 0 && fabs(kd - 2 * kp / w) < 1e-9 * kd);
            }
            arne_controller_free(c);
        }
    subject_close(&s);
}

/* One joint about z: 2 kg at 0.5 m and 0.25 kg m^2 about its centre weigh 0.75 kg m^2, so kp = 400 x 0.75. */
static void one_joint_feels_its_own_inertia(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("bar");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "bar", 0);
    assert_non_null(l);
    l->body = (arne_body){.mass = 2, .com = {0.5, 0, 0}, .inertia = {0.25, 0, 0, 0.25, 0, 0.25}};
    assert_non_null(arne_description_joint(d, "pivot", 0, ARNE_REVOLUTE, "base", "bar"));
    subject s = subject_of(d);
    /* passivity: kp = w^2 m, and kd and lambda m are w m each */
    static const arne_control_kind kinds[] = {ARNE_CONTROL_PD_GRAVITY, ARNE_CONTROL_COMPUTED_TORQUE, ARNE_CONTROL_PASSIVITY,
                                              ARNE_CONTROL_ADAPTIVE};
    for (int k = 0; k < 4; k++)
        for (int slow = 0; slow < 2; slow++) {
            const arne_control_options o = {.size = sizeof o, .kind = kinds[k], .period = slow ? 0.02 : 0.001};
            arne_controller *c = controller_of(s.data, &o);
            double q[N] = {0}, qd[N] = {0}, r[5 * N] = {0};
            const double w = slow ? 5 : 20;
            const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
            assert_true(fabs(slope(c, &in, r, 0) - 0.75 * w * w) < 1e-9 && fabs(slope(c, &in, qd, 0) + 2 * 0.75 * w) < 1e-9);
            arne_controller_free(c);
        }
    subject_close(&s);
}

/* tau = kp e + kd ed + g(q) + friction(rd): the friction that is compensated is that of the speed asked for */
static void friction_is_that_of_the_reference(void **state)
{
    (void)state;
    subject s = shipped_subject("puma560");
    const int n = s.n;
    double kp[MOST_DOF], kd[MOST_DOF], r[5 * MOST_DOF], tau[MOST_DOF], want[MOST_DOF], rub[MOST_DOF];
    const motion x = subject_motion(&s, 1);
    loop_sines(0.3, n, r);
    for (int i = 0; i < n; i++) kp[i] = 10 + i, kd[i] = 3 + 0.5 * i;
    const arne_control_options o = {
        .size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = kp, .kd = kd, .friction = true};
    arne_controller *c = controller_of(s.data, &o);
    assert_int_equal(flags_of(c, &(arne_tick){.size = sizeof(arne_tick), .q = x.q, .qd = x.qd, .reference = r}, tau), 0);
    arne_gravity(s.data, x.q, want);
    arne_friction_torque(s.data, r + n, rub);
    assert_true(largest(n, rub) > 1e-3);
    for (int i = 0; i < n; i++) want[i] += kp[i] * (r[i] - x.q[i]) + kd[i] * (r[n + i] - x.qd[i]) + rub[i];
    expect_close(&s, "pd-gravity", n, tau, want, 1e-12);
    arne_controller_free(c);
    subject_close(&s);
}

/* A car of 2 kg on a slope with the direction (1, 2, 2)/3: as a hand it feels 2 kg over the square of each of these, and each row
 * is pulled with w^2 of it, so that all three together pull with 3 w^2 2 kg, and damp with 4 w. The other law: with w^2 2 kg, 2
 * w. */
static void a_hand_on_a_slope_feels_its_mass(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("slope");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    arne_joint_description *j = arne_description_joint(d, "slide", 0, ARNE_PRISMATIC, "base", "car");
    assert_true(l && j);
    l->body = (arne_body){.mass = 2, .inertia = {0.25, 0, 0, 0.25, 0, 0.25}};
    for (int i = 0; i < 3; i++) j->axis[i] = i ? 2.0 / 3 : 1.0 / 3;
    subject s = subject_of(d);
    for (int k = 0; k < 2; k++)
        for (int slow = 0; slow < 2; slow++) {
            const double w = slow ? 5 : 20;
            const arne_control_options o = {.size = sizeof o,
                                            .kind = k ? ARNE_CONTROL_HAND_IMPEDANCE : ARNE_CONTROL_HAND_ACCELERATION,
                                            .period = slow ? 0.02 : 0.001,
                                            .link = 1};
            arne_controller *c = controller_of(s.data, &o);
            assert_int_equal(arne_controller_link(c), 1);
            double q[N] = {0}, qd[N] = {0};
            const arne_hand_target target = {.pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
            const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .hand = &target};
            const double kp = (k ? 3 : 1) * w * w * 2, kd = (k ? 3 * 4 : 2) * w * 2;
            assert_true(fabs(slope(c, &in, q, 0) + kp) < 1e-9 * kp && fabs(slope(c, &in, qd, 0) + kd) < 1e-9 * kd);
            arne_controller_free(c);
        }
    subject_close(&s);
}

/* Positions all over the range: near both of its ends, never outside; half a turn or 1 m to either side of zero, a whole turn or
 * 2 m from the limit that there is. */
static void ranges_are_searched_to_their_ends(void **state)
{
    (void)state;
    enum { JOINTS = 7, MANY = 400 };
    const double pi = acos(-1);
    const struct {
        arne_joint_type type;
        double lower, upper, low, high;
    } ranges[JOINTS] = {{ARNE_REVOLUTE, -INFINITY, INFINITY, -pi, pi},
                        {ARNE_REVOLUTE, -INFINITY, 1, 1 - 2 * pi, 1},
                        {ARNE_REVOLUTE, 0.5, INFINITY, 0.5, 0.5 + 2 * pi},
                        {ARNE_PRISMATIC, -INFINITY, INFINITY, -1, 1},
                        {ARNE_PRISMATIC, -INFINITY, 3, 1, 3},
                        {ARNE_PRISMATIC, 2, INFINITY, 2, 4},
                        {ARNE_REVOLUTE, -0.7, 0.2, -0.7, 0.2}};
    arne_description *d = arne_description_new("ranges");
    assert_true(d && arne_description_link(d, "l0", 0));
    for (int i = 0; i < JOINTS; i++) {
        char parent[8], link[8], joint[8];
        snprintf(parent, sizeof parent, "l%d", i), snprintf(link, sizeof link, "l%d", i + 1),
            snprintf(joint, sizeof joint, "j%d", i);
        arne_link_description *l = arne_description_link(d, link, 0);
        arne_joint_description *j = arne_description_joint(d, joint, 0, ranges[i].type, parent, link);
        assert_true(l && j);
        l->body = (arne_body){.mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
        j->limits.lower = ranges[i].lower, j->limits.upper = ranges[i].upper;
    }
    subject s = subject_of(d);
    double least[JOINTS], most[JOINTS], q[JOINTS], first[JOINTS], together = 0;
    for (int k = 0; k < MANY; k++) {
        arne__spread_position(s.m, k, q);
        if (k == 0) memcpy(first, q, sizeof q);
        for (int i = 0; i < JOINTS; i++) {
            least[i] = k ? fmin(least[i], q[i]) : q[i], most[i] = k ? fmax(most[i], q[i]) : q[i];
            assert_true(q[i] >= ranges[i].low && q[i] <= ranges[i].high);
        }
        together += (q[0] / pi) * q[3]; /* two joints have nothing to do with each other */
    }
    for (int i = 0; i < JOINTS; i++) {
        const double range = ranges[i].high - ranges[i].low;
        assert_true(least[i] < ranges[i].low + 0.03 * range && most[i] > ranges[i].high - 0.03 * range);
    }
    assert_true(fabs(together / MANY) < 0.1);
    arne__spread_position(s.m, 0, q);
    assert_memory_equal(first, q, sizeof q); /* the same every time */
    subject_close(&s);
}

static void bad_gains_are_refused_at_every_joint(void **state)
{
    (void)state;
    static const double bad[] = {0, -1, INFINITY, NAN};
    subject s = shipped_subject("kuka-lwr");
    for (int i = 0; i < 2 * N; i++)
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            double kp[N] = {1, 1, 1, 1, 1, 1, 1}, kd[N] = {1, 1, 1, 1, 1, 1, 1};
            const arne_control_options o = {
                .size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001, .kp = kp, .kd = kd};
            arne_controller *c;
            arne_error e;
            (i < N ? kp : kd)[i % N] = bad[b];
            assert_int_equal(arne_controller_new(arne_data_settings_used(s.data), &o, &c, &e), ARNE_BAD_VALUE);
            assert_null(c);
            assert_true(strstr(e.message, arne_velocity_name(s.m, i % N)) && strstr(e.message, i < N ? "kp" : "kd"));
        }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_critically_damped),         cmocka_unit_test(one_joint_feels_its_own_inertia),
        cmocka_unit_test(bad_gains_are_refused_at_every_joint), cmocka_unit_test(friction_is_that_of_the_reference),
        cmocka_unit_test(a_hand_on_a_slope_feels_its_mass),     cmocka_unit_test(ranges_are_searched_to_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
