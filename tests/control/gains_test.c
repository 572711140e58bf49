/* SPDX-License-Identifier: MIT
 *
 * gains_test.c - the gains that nobody gave (doc/control.md, Gains): each joint a critically damped oscillator of w = 20 rad/s,
 * or 0.1/period where that is slower. They are read off the torque: it is linear in position and velocity. */
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
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PD_GRAVITY, .period = 0.001};
    arne_controller *c = controller_of(s.data, &o);
    double q[N] = {0}, qd[N] = {0}, r[5 * N] = {0};
    const arne_tick in = {.size = sizeof in, .q = q, .qd = qd, .reference = r};
    assert_true(fabs(slope(c, &in, r, 0) - 300) < 1e-9 && fabs(slope(c, &in, qd, 0) + 30) < 1e-9);
    arne_controller_free(c);
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
        cmocka_unit_test(joints_are_critically_damped),
        cmocka_unit_test(one_joint_feels_its_own_inertia),
        cmocka_unit_test(bad_gains_are_refused_at_every_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
