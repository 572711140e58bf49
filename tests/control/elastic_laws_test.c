/* SPDX-License-Identifier: MIT
 *
 * elastic_laws_test.c - controllers of robots whose joints are springs: the error decays with the poles asked for; a motor PD
 * holds the links where they belong. */
#include "control/loop.h"

enum { N = 7 };

typedef struct {
    arne_flex *plant;
    arne_controller *c;
    double reference[5 * N], tau[N];
    bool held;
    unsigned flags;
} springs;

static int rates(void *context, double t, const double *x, double *dx)
{
    (void)t;
    springs *l = context;
    double tau[N];
    const arne_tick in = {
        .size = sizeof in, .q = x, .qd = x + N, .theta = x + 2 * N, .thetad = x + 3 * N, .reference = l->reference};
    if (l->held)
        memcpy(tau, l->tau, sizeof tau);
    else
        l->flags |= flags_of(l->c, &in, tau);
    memcpy(dx, x + N, N * sizeof *dx);
    memcpy(dx + 2 * N, x + 3 * N, N * sizeof *dx);
    return arne_flex_fd(l->plant, x, x + N, x + 2 * N, x + 3 * N, tau, dx + N, dx + 3 * N) != ARNE_OK;
}

static springs springs_of(subject *s, arne_data *own, const arne_control_options *o, double *x)
{
    springs l = {.c = controller_of(own, o)};
    arne_error e;
    double tau[N];
    assert_int_equal(s->n, N);
    assert_int_equal(arne_flex_new(arne_data_settings(s->data), &l.plant, &e), ARNE_OK);
    memset(x, 0, 4 * N * sizeof *x);
    for (int i = 0; i < N; i++) {
        l.reference[i] = 0.3 - 0.1 * i;
        x[i] = l.reference[i] + (i % 2 ? 0.1 : -0.15);
    }
    /* still: all derivatives of the error are zero */
    arne_flex_rest(l.plant, x, x + 2 * N, tau);
    return l;
}

/* e = e0 sum of c_j exp(p_j t), c_j = product over k of -p_k/(p_j - p_k): the solution from e0 at rest */
static void the_error_decays_with_the_poles(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    arne_data *own = test_data(s.m);
    double poles[4 * N], x[4 * N], scratch[16 * N], e0[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 4; j++) poles[4 * i + j] = -(5 + 0.5 * i + 2.5 * j);
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_ELASTIC, .period = 0.001, .poles = poles};
    springs l = springs_of(&s, own, &o, x);
    for (int i = 0; i < N; i++) e0[i] = l.reference[i] - x[i];
    const double h = 2.5e-4;
    for (int k = 1; k <= 2400; k++) {
        assert_int_equal(arne__rk4_step(rates, &l, 4 * N, 0, h, x, scratch), 0);
        if (k % 200) continue;
        double is[N], should[N];
        for (int i = 0; i < N; i++) {
            is[i] = l.reference[i] - x[i];
            should[i] = 0;
            for (int j = 0; j < 4; j++) {
                double c = e0[i];
                for (int m = 0; m < 4; m++)
                    if (m != j) c *= -poles[4 * i + m] / (poles[4 * i + j] - poles[4 * i + m]);
                should[i] += c * exp(poles[4 * i + j] * k * h);
            }
        }
        expect_near(&s, "decay", N, is, should, 1e-6, 0.15);
    }
    assert_int_equal(l.flags, 0);
    arne_controller_free(l.c);
    arne_flex_free(l.plant);
    arne_data_free(own);
    subject_close(&s);
}

static void default_gains_hold_the_links(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        subject s = shipped_subject("kuka-lwr");
        arne_data *own = test_data(s.m);
        double x[4 * N], scratch[16 * N], off[N];
        /* the last link swings on its spring at some 2000 rad/s: feedback linearization has to tick well above that */
        const int fast = k ? 10 : 1;
        const arne_control_options o = {
            .size = sizeof o, .kind = k ? ARNE_CONTROL_ELASTIC : ARNE_CONTROL_MOTOR_PD, .period = 0.001 / fast};
        springs l = springs_of(&s, own, &o, x);
        l.held = true;
        for (int tick = 0; tick < 3000 * fast; tick++) {
            const arne_tick in = {
                .size = sizeof in, .q = x, .qd = x + N, .theta = x + 2 * N, .thetad = x + 3 * N, .reference = l.reference};
            l.flags |= flags_of(l.c, &in, l.tau);
            for (int j = 0; j < (fast > 1 ? 1 : 4); j++)
                assert_int_equal(arne__rk4_step(rates, &l, 4 * N, 0, fast > 1 ? 1e-4 : 2.5e-4, x, scratch), 0);
        }
        double most = 0;
        for (int i = 0; i < N; i++) off[i] = fabs(x[i] - l.reference[i]), most = worse(most, off[i]);
        print_message("%s: off by %.2g\n", arne_control_name(o.kind), most);
        assert_true(most < 2e-3);
        assert_int_equal(l.flags, 0);
        arne_controller_free(l.c);
        arne_flex_free(l.plant);
        arne_data_free(own);
        subject_close(&s);
    }
}

/* A wheel of 2 kg m^2 without gravity behind a spring k, rotor 0.5: qdddd = v takes tau = B J/k v and what the state takes, so
 * the torque tells the gains by its reference. They are the coefficients of (s + w)(s + 1.2 w)(s + 1.5 w)(s + 2 w); w is 20 rad/s
 * or 0.1/period, Omega^2 period/16 where that is more, Omega^2 = k (1/B + 1/J), and then no more than 0.2/period [doc/elastic.md
 * (19), (20)]. */
static void default_poles_are_as_fast_as_the_spring_wants(void **state)
{
    (void)state;
    static const struct {
        double stiffness, period, w;
    } cases[] = {{5000, 0.001, 20}, {5000, 0.01, 10}, {5e5, 0.001, 78.125}, {5e5, 0.005, 40}};
    for (int k = 0; k < 4; k++) {
        arne_description *d = arne_description_new("wheel");
        assert_true(d && arne_description_link(d, "base", 0));
        arne_link_description *l = arne_description_link(d, "rim", 0);
        arne_joint_description *j = arne_description_joint(d, "turn", 0, ARNE_REVOLUTE, "base", "rim");
        assert_true(l && j);
        memset(d->gravity, 0, sizeof d->gravity);
        l->body = (arne_body){.mass = 1, .inertia = {2, 0, 0, 2, 0, 2}};
        j->motor.inertia = 0.5, j->motor.gear = 1;
        j->elastic.stiffness = cases[k].stiffness;
        subject s = subject_of(d);
        const double w = cases[k].w, each = 0.5 * 2 / cases[k].stiffness, zero = 0;
        const double gain[5] = {3.6 * pow(w, 4), (1.2 * 1.5 * 2 + 1.5 * 2 + 1.2 * 2 + 1.2 * 1.5) * pow(w, 3),
                                (1.2 + 1.5 + 2 + 1.2 * 1.5 + 1.2 * 2 + 1.5 * 2) * w * w, 5.7 * w, 1};
        const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_ELASTIC, .period = cases[k].period};
        arne_controller *c = controller_of(s.data, &o);
        for (int r = 0; r < 5; r++) {
            double reference[5] = {0}, tau;
            reference[r] = 1;
            const arne_tick in = {
                .size = sizeof in, .q = &zero, .qd = &zero, .theta = &zero, .thetad = &zero, .reference = reference};
            assert_int_equal(flags_of(c, &in, &tau), 0);
            if (!(fabs(tau - each * gain[r]) < 1e-9 * each * gain[r]))
                fail_msg("case %d: K%d is %g, not %g", k, r, tau / each, gain[r]);
        }
        arne_controller_free(c);
        subject_close(&s);
    }
}

/* a payload that the controller's settings get later counts at the next tick */
static void a_payload_told_later_counts(void **state)
{
    (void)state;
    subject s = shipped_subject("kuka-lwr");
    double x[4 * N], tau[N], rest[N], theta[N];
    const arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_MOTOR_PD, .period = 0.001};
    springs l = springs_of(&s, s.data, &o, x);
    const arne_body load = {.mass = 5, .com = {0, 0, 0.1}, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}};
    arne_set_payload(arne_controller_settings(l.c), s.nlink - 1, &load);
    arne_set_payload(arne_flex_settings(l.plant), s.nlink - 1, &load);
    arne_flex_rest(l.plant, l.reference, theta, rest);
    const double zero[N] = {0};
    const arne_tick in = {.size = sizeof in, .q = x, .qd = zero, .theta = theta, .thetad = zero, .reference = l.reference};
    assert_int_equal(flags_of(l.c, &in, tau), 0);
    expect_close(&s, "torque at rest", N, tau, rest, 1e-12);
    arne_controller_free(l.c);
    arne_flex_free(l.plant);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_error_decays_with_the_poles),
        cmocka_unit_test(default_gains_hold_the_links),
        cmocka_unit_test(default_poles_are_as_fast_as_the_spring_wants),
        cmocka_unit_test(a_payload_told_later_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
