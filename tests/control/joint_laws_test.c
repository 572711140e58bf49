/* SPDX-License-Identifier: MIT
 *
 * joint_laws_test.c - controllers of the joints against the differential equations that they promise: the linear oscillator of
 * computed torque, the falling energy of passivity, the vanishing error of adaptation. */
#include "control/loop.h"

#include "arne/coriolis.h"
#include "arne/identify.h"
#include "arne/regressor.h"

static const double ROUNDING = 1e-11;   /* torques of two algorithms beside what the joints carry */
static const double INTEGRATION = 1e-7; /* Runge-Kutta at 1 ms, motions of 10 rad/s */

/* ---- computed torque ---- */

/* edd + kd ed + kp e = 0 from e0, v0: critically damped at w */
static void expect_oscillator(const subject *s, loop *l, const double *w, const double *e0, const double *v0, double t)
{
    double r[5 * MOST_DOF], is[MOST_DOF], should[MOST_DOF];
    l->reference(t, s->n, r);
    for (int i = 0; i < s->n; i++) {
        is[i] = r[i] - l->x[i];
        should[i] = (e0[i] + (v0[i] + w[i] * e0[i]) * t) * exp(-w[i] * t);
    }
    expect_near(s, "error of computed torque", s->n, is, should, INTEGRATION, 1);
}

static void check_computed_torque(subject *s, bool friction)
{
    const int n = s->n;
    double kp[MOST_DOF], kd[MOST_DOF], w[MOST_DOF], e0[MOST_DOF], v0[MOST_DOF], r[5 * MOST_DOF];
    for (int i = 0; i < n; i++) w[i] = 5 + 0.7 * i, kp[i] = w[i] * w[i], kd[i] = 2 * w[i];
    arne_data *own = test_data(s->m);
    const arne_control_options o = {
        .size = sizeof o, .kind = ARNE_CONTROL_COMPUTED_TORQUE, .period = 0.001, .kp = kp, .kd = kd, .friction = friction};
    loop l = {.n = n, .real = s->data, .c = controller_of(own, &o), .reference = loop_sines};
    loop_start(&l, 0.1);
    loop_sines(0, n, r);
    for (int i = 0; i < n; i++) e0[i] = r[i] - l.x[i], v0[i] = r[n + i] - l.x[n + i];
    for (int k = 0; k < 4; k++) {
        loop_run(&l, 0.1 * k, 0.001, 100, 1);
        expect_oscillator(s, &l, w, e0, v0, 0.1 * (k + 1));
    }
    assert_int_equal(l.flags, 0);
    arne_controller_free(l.c);
    arne_data_free(own);
}

static void computed_torque_makes_the_error_a_linear_oscillator(void **state)
{
    (void)state;
    /* smooth friction too: it is cancelled */
    static const char *const names[] = {"kuka-lwr", "rx90-simplified", "ur5e", "stanford", "gantry", "torso2"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        subject s = shipped_subject(names[k]);
        check_computed_torque(&s, true);
        subject_close(&s);
    }
    for (int k = 0; k < RANDOM_FAMILIES; k++) {
        subject s = subject_number(shipped_robots() + k, RANDOM_MOTORS | RANDOM_TRANSMISSION);
        arne_set_friction(arne_data_settings(s.data), false);
        if (s.n <= 8) check_computed_torque(&s, false);
        subject_close(&s);
    }
}

/* ---- passivity ---- */

typedef struct {
    double kp[MOST_DOF], kd[MOST_DOF], lambda[MOST_DOF];
} gains;

/* A loop of about w rad/s at every joint: kp = w^2 m, kd = w m, m what the joint feels where the motion starts. */
static gains gains_of(subject *s, double w)
{
    static double M[MOST_DOF * MOST_DOF];
    gains g;
    double r[5 * MOST_DOF];
    loop_sines(0, s->n, r);
    arne_mass(s->data, r, M);
    assert_true(arne_factor(s->data, M) == ARNE_OK);
    for (int i = 0; i < s->n; i++) {
        double x[MOST_DOF] = {0};
        x[i] = 1;
        arne_solve(s->data, M, x);
        g.kp[i] = w * w / x[i], g.kd[i] = w / x[i], g.lambda[i] = w + 0.4 * i;
    }
    return g;
}

static const gains *tested; /* of the run that is on: `also` has no room for it */

static void errors(const loop *l, double t, const double *q, const double *qd, double *e, double *ed)
{
    double r[5 * MOST_DOF];
    l->reference(t, l->n, r);
    for (int i = 0; i < l->n; i++) e[i] = r[i] - q[i], ed[i] = r[l->n + i] - qd[i];
}

/* V = s'M s/2 + e'(kp + lambda kd) e/2 [ERRATA 1.1] */
static double energy(const loop *l, double t)
{
    double e[MOST_DOF], ed[MOST_DOF], s[MOST_DOF], p[MOST_DOF], V = 0;
    errors(l, t, l->x, l->x + l->n, e, ed);
    for (int i = 0; i < l->n; i++) s[i] = ed[i] + tested->lambda[i] * e[i];
    arne_momentum(l->real, l->x, s, p);
    for (int i = 0; i < l->n; i++) V += s[i] * p[i] / 2 + e[i] * (tested->kp[i] + tested->lambda[i] * tested->kd[i]) * e[i] / 2;
    return V;
}

/* Vdot = -ed'kd ed - e'lambda kp e - s'(f(qr) - f(qd)) */
static double power(const loop *l, double t, const double *q, const double *qd, const double *tau)
{
    (void)tau;
    double e[MOST_DOF], ed[MOST_DOF], qr[MOST_DOF], here[MOST_DOF], there[MOST_DOF], rate = 0;
    errors(l, t, q, qd, e, ed);
    for (int i = 0; i < l->n; i++) qr[i] = qd[i] + ed[i] + tested->lambda[i] * e[i];
    arne_friction_torque(l->real, qd, here);
    arne_friction_torque(l->real, qr, there);
    for (int i = 0; i < l->n; i++)
        rate -= tested->kd[i] * ed[i] * ed[i] + tested->lambda[i] * tested->kp[i] * e[i] * e[i] +
                (qr[i] - qd[i]) * (there[i] - here[i]);
    return rate;
}

static void check_energy(subject *s)
{
    const gains g = gains_of(s, 5);
    tested = &g;
    arne_data *own = test_data(s->m);
    const arne_control_options o = {.size = sizeof o,
                                    .kind = ARNE_CONTROL_PASSIVITY,
                                    .period = 0.001,
                                    .kp = g.kp,
                                    .kd = g.kd,
                                    .lambda = g.lambda,
                                    .friction = true};
    loop l = {.n = s->n, .real = s->data, .c = controller_of(own, &o), .reference = loop_sines, .also = power};
    loop_start(&l, 0.2);
    const double V0 = energy(&l, 0);
    double before = V0;
    for (int k = 0; k < 8; k++) {
        loop_run(&l, 0.05 * k, 0.0005, 100, 1);
        const double V = energy(&l, 0.05 * (k + 1));
        if (!(V < before)) fail_msg("%s: V rises from %g to %g", s->name, before, V);
        before = V;
        const double fell = V0 + l.x[2 * s->n];
        expect_near(s, "balance of V", 1, &V, &fell, 1e-6, V0);
    }
    arne_controller_free(l.c);
    arne_data_free(own);
}

static void passivity_lets_its_energy_fall_as_it_should(void **state)
{
    (void)state;
    static const char *const names[] = {"kuka-lwr", "ur5e", "stanford", "torso2"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        subject s = shipped_subject(names[k]);
        check_energy(&s);
        subject_close(&s);
    }
    for (int k = 0; k < RANDOM_FAMILIES; k++) {
        subject s = subject_number(shipped_robots() + k, RANDOM_RIGID);
        if (s.n <= 8) check_energy(&s);
        subject_close(&s);
    }
}

/* on the reference every law asks for the torques of the motion */
static void laws_agree_without_error(void **state)
{
    (void)state;
    static const arne_control_kind kinds[] = {ARNE_CONTROL_COMPUTED_TORQUE, ARNE_CONTROL_PASSIVITY, ARNE_CONTROL_ADAPTIVE};
    for (int number = 0; number < shipped_robots() + 2 * RANDOM_FAMILIES; number++) {
        subject s = subject_number(number, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_TRANSMISSION);
        const motion x = subject_motion(&s, 1);
        double r[5 * MOST_DOF] = {0}, ones[MOST_DOF], should[MOST_DOF], is[MOST_DOF];
        for (int i = 0; i < s.n; i++) r[i] = x.q[i], r[s.n + i] = x.qd[i], r[2 * s.n + i] = x.qdd[i], ones[i] = 1;
        arne_id(s.data, x.q, x.qd, x.qdd, should);
        for (int k = 0; k < 3; k++) {
            const arne_control_options o = {
                .size = sizeof o, .kind = kinds[k], .period = 0.001, .kp = ones, .kd = ones, .friction = true};
            arne_controller *c = controller_of(s.data, &o);
            const arne_tick in = {.size = sizeof in, .q = x.q, .qd = x.qd, .reference = r};
            assert_int_equal(flags_of(c, &in, is), 0);
            expect_near(&s, arne_control_name(kinds[k]), s.n, is, should, ROUNDING, carried(&s, &x));
            arne_controller_free(c);
        }
        subject_close(&s);
    }
}

/* Y(q, qd, qr, qrd) K = M qrd + C(q,qd) qr + g: what the adaptive law knows at first is the passivity law's torque */
static void two_ordinary_regressors_make_the_one_with_two_velocities(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + 2 * RANDOM_FAMILIES; number++) {
        subject s = subject_number(number, RANDOM_MOTORS | RANDOM_TRANSMISSION);
        const motion x = subject_motion(&s, 1), y = subject_motion(&s, 1);
        double r[5 * MOST_DOF] = {0}, ones[MOST_DOF], qr[MOST_DOF], qrd[MOST_DOF], should[MOST_DOF], is[MOST_DOF];
        for (int i = 0; i < s.n; i++) {
            ones[i] = 1;
            r[i] = x.q[i] + 0.1 * y.q[i], r[s.n + i] = y.qd[i], r[2 * s.n + i] = y.qdd[i];
            qr[i] = y.qd[i] + 0.1 * y.q[i], qrd[i] = y.qdd[i] + y.qd[i] - x.qd[i];
        }
        arne_star(s.data, ARNE_CHRISTOFFEL_FACTOR, x.q, x.qd, qr, qrd, should);
        for (int i = 0; i < s.n; i++) should[i] += 0.1 * y.q[i] + y.qd[i] - x.qd[i];
        const arne_control_options o = {
            .size = sizeof o, .kind = ARNE_CONTROL_ADAPTIVE, .period = 0.001, .kp = ones, .kd = ones, .lambda = ones};
        arne_controller *c = controller_of(s.data, &o);
        const arne_tick in = {.size = sizeof in, .q = x.q, .qd = x.qd, .reference = r};
        assert_int_equal(flags_of(c, &in, is), 0);
        expect_near(&s, "adaptive torque", s.n, is, should, ROUNDING, carried(&s, &x) + carried(&s, &y));
        arne_controller_free(c);
        subject_close(&s);
    }
}

/* ---- wrong parameters ---- */

/* The controller's robot: every parameter off by 20 %, up or down. */
static arne_data *wrong_data(subject *s)
{
    arne_data *d = test_data(s->m);
    double *K = calloc((size_t)(ARNE_LINK_PARAMETERS * s->n), sizeof *K);
    assert_true(d && K);
    arne_parameters(arne_data_settings_used(d), K);
    for (int i = 0; i < ARNE_LINK_PARAMETERS * s->n; i++) K[i] *= random_below(&s->r, 2) ? 1.2 : 0.8;
    arne_set_parameters(arne_data_settings(d), K);
    free(K);
    return d;
}

/* largest error in the last of `seconds` seconds, ticks at 1 kHz */
static double tracking_error(loop *l, int seconds)
{
    double most = 0;
    for (int ms = 0; ms < 1000 * seconds; ms += 10) {
        loop_run(l, 1e-3 * ms, 1e-3, 10, 1);
        if (ms >= 1000 * (seconds - 1)) most = worse(most, loop_error(l, 1e-3 * (ms + 10)));
    }
    return most;
}

static double wrong_error(subject *s, const arne_control_options *o, double off, int seconds)
{
    arne_data *own = wrong_data(s);
    loop l = {.n = s->n, .real = s->data, .c = controller_of(own, o), .reference = loop_sines, .held = true};
    loop_start(&l, off);
    const double error = tracking_error(&l, seconds);
    arne_controller_free(l.c);
    arne_data_free(own);
    return error;
}

static void passivity_bounds_the_error_of_wrong_parameters(void **state)
{
    (void)state;
    static const char *const names[] = {"kuka-lwr", "rx90"};
    for (size_t k = 0; k < 2; k++) {
        subject s = shipped_subject(names[k]);
        double error[2];
        const uint64_t stream = s.r.state;
        for (int stiff = 0; stiff < 2; stiff++) {
            const gains g = gains_of(&s, stiff ? 20 : 10);
            const arne_control_options o = {.size = sizeof o,
                                            .kind = ARNE_CONTROL_PASSIVITY,
                                            .period = 0.001,
                                            .kp = g.kp,
                                            .kd = g.kd,
                                            .lambda = g.lambda,
                                            .friction = true};
            s.r.state = stream; /* the same wrong robot */
            error[stiff] = wrong_error(&s, &o, 0.05, 3);
        }
        print_message("%s: 20 %% wrong, error %.2g, with four times the stiffness %.2g\n", names[k], error[0], error[1]);
        assert_true(error[0] < 0.05);
        assert_true(error[1] < error[0] / 2);
        subject_close(&s);
    }
}

static void adaptation_removes_the_error_of_wrong_parameters(void **state)
{
    (void)state;
    static const char *const names[] = {"kuka-lwr", "rx90"};
    for (size_t k = 0; k < 2; k++) {
        subject s = shipped_subject(names[k]);
        arne_base *base;
        arne_error e;
        assert_int_equal(arne_base_find(s.m, NULL, &base, &e), ARNE_OK);
        int *columns = calloc((size_t)base->count, sizeof *columns);
        double *K = calloc((size_t)(ARNE_LINK_PARAMETERS * s.n), sizeof *K),
               *values = calloc((size_t)base->count, sizeof *values);
        assert_true(columns && K && values);
        const uint64_t stream = s.r.state;
        arne_data *wrong = wrong_data(&s);
        arne_parameters(arne_data_settings_used(wrong), K);
        arne_base_values(base, K, values);
        for (int i = 0; i < base->count; i++) columns[i] = base->parameters[i].parameter;
        arne_control_options o = {.size = sizeof o, .kind = ARNE_CONTROL_PASSIVITY, .period = 0.001, .friction = true};
        s.r.state = stream;
        const double passive = wrong_error(&s, &o, 0, 2);
        o.kind = ARNE_CONTROL_ADAPTIVE, o.ncolumn = base->count, o.columns = columns, o.values = values;
        s.r.state = stream;
        const double adaptive = wrong_error(&s, &o, 0, 8);
        print_message("%s: 20 %% wrong, error %.2g, adaptive %.2g\n", names[k], passive, adaptive);
        assert_true(adaptive < passive / 10);
        free(values), free(K), free(columns);
        arne_data_free(wrong);
        arne_base_free(base);
        subject_close(&s);
    }
}

/* ---- defaults ---- */

/* every law with its default gains holds every shipped robot, sampled at 1 kHz and at 100 Hz */
static void default_gains_hold_every_shipped_robot(void **state)
{
    (void)state;
    static const arne_control_kind kinds[] = {ARNE_CONTROL_PD_GRAVITY, ARNE_CONTROL_COMPUTED_TORQUE, ARNE_CONTROL_PASSIVITY,
                                              ARNE_CONTROL_ADAPTIVE};
    for (int number = 0; number < shipped_robots(); number++)
        for (int k = 0; k < 4; k++)
            for (int slow = 0; slow < 2; slow++) {
                subject s = subject_number(number, 0);
                arne_data *own = test_data(s.m);
                arne_set_friction(arne_data_settings(s.data), false);
                const arne_control_options o = {.size = sizeof o, .kind = kinds[k], .period = slow ? 0.01 : 0.001};
                loop l = {.n = s.n, .real = s.data, .c = controller_of(own, &o), .reference = loop_rest, .held = true};
                loop_start(&l, 0.1);
                loop_run(&l, 0, 0.001, slow ? 4000 : 2000, slow ? 10 : 1);
                const double error = loop_error(&l, 0);
                /* what it unlearned in the first moments takes the adaptive one longer */
                if (!(error < (kinds[k] == ARNE_CONTROL_ADAPTIVE ? 0.02 : 1e-3)))
                    fail_msg("%s: %s at %g s is off by %g", s.name, arne_control_name(kinds[k]), o.period, error);
                arne_controller_free(l.c);
                arne_data_free(own);
                subject_close(&s);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computed_torque_makes_the_error_a_linear_oscillator),
        cmocka_unit_test(passivity_lets_its_energy_fall_as_it_should),
        cmocka_unit_test(laws_agree_without_error),
        cmocka_unit_test(two_ordinary_regressors_make_the_one_with_two_velocities),
        cmocka_unit_test(passivity_bounds_the_error_of_wrong_parameters),
        cmocka_unit_test(adaptation_removes_the_error_of_wrong_parameters),
        cmocka_unit_test(default_gains_hold_every_shipped_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
