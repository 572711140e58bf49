/* SPDX-License-Identifier: MIT
 *
 * elastic_test.c - robots with elastic joints: the explicit recursion against Taylor series, wrenches that change, forward and
 * inverse, energy, stiff springs. */
#include <stdlib.h>

#include "arne/derive.h"
#include "arne/positions.h"
#include "elastic/answer.h"

/* two ways of computing the same derivative, beside the largest of its kind */
static const double TOLERANCE = 1e-10;

enum { RANDOM_ROBOTS = FEWER(2000) };

/* ---- laws on random trees ---- */

enum { LINEAR_SPRINGS, POLYNOMIAL_SPRINGS };

/* A random tree with a spring in every joint of one freedom. */
static subject sprung(int seed, unsigned parts, int springs)
{
    arne_description *d = random_robot_with((unsigned)seed, parts);
    random_stream r = {(uint64_t)seed + 77};
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        if (j->type != ARNE_REVOLUTE && j->type != ARNE_PRISMATIC) continue;
        if (!(j->motor.inertia > 0)) j->motor.inertia = random_between(&r, 0.1, 2) / (j->motor.gear * j->motor.gear);
        j->elastic.stiffness = random_between(&r, 50, 5000);
        if (springs == POLYNOMIAL_SPRINGS) {
            j->elastic.cubic = random_between(&r, 0, 1e5);
            j->elastic.quintic = random_between(&r, 0, 1e6);
        }
    }
    return subject_of(d);
}

static void random_motion(subject *s, double *q)
{
    static const double size[ROWS] = {3, 2, 4, 10, 50};
    for (int k = 0; k < ROWS; k++) random_vector(&s->r, s->n, size[k], q + k * s->n);
}

enum { WRENCHES = 3 };
/* one in each frame, on any link */
static void random_wrenches(subject *s, arne_wrench w[3][WRENCHES])
{
    for (int e = 0; e < WRENCHES; e++) {
        const int at = random_below(&s->r, s->nlink);
        for (int d = 0; d < 3; d++) {
            w[d][e] = (arne_wrench){.link = at, .frame = (arne_frame)e};
            random_vector(&s->r, 3, 30, w[d][e].force);
            random_vector(&s->r, 3, 10, w[d][e].moment);
        }
        if (e != ARNE_WORLD) random_vector(&s->r, 3, 0.3, w[0][e].point);
    }
}

static double scale_of(const subject *s, const double *q, const double *x)
{
    /* a torque may vanish where the joint carries a lot */
    motion at;
    memcpy(at.q, q, (size_t)s->n * sizeof *q);
    memcpy(at.qd, q + s->n, (size_t)s->n * sizeof *q);
    memcpy(at.qdd, q + 2 * s->n, (size_t)s->n * sizeof *q);
    return fmax(largest(s->n, x), carried(s, &at));
}

static void the_recursion_equals_taylor_series_on_trees(void **state)
{
    (void)state;
    for (int seed = 0; seed < RANDOM_ROBOTS; seed++) {
        const bool rubs = seed % 3 == 0;
        subject s = sprung(seed, rubs ? RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS : RANDOM_RIGID,
                           seed % 5 == 1 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        double q[ROWS * N], scale;
        arne_wrench w[3][WRENCHES];
        answer a, b;
        const arne_flex_torques to_a = into(&a), to_b = into(&b);
        random_motion(&s, q);
        if (seed % 2) {
            random_wrenches(&s, w);
            arne_set_wrenches(arne_flex_settings(f), w[0], WRENCHES);
            if (seed % 4 == 1) arne_flex_set_wrench_rates(f, w[1], seed % 8 == 1 ? w[2] : NULL, WRENCHES);
        }
        arne_flex_id(f, q, &to_a);
        arne_flex_id_taylor(f, q, &to_b);
        scale = scale_of(&s, q, b.tau_e);
        expect_near(&s, "tau_e", s.n, a.tau_e, b.tau_e, TOLERANCE, scale);
        /* a velocity of 3 turns a torque by 3 times its size in a second, an acceleration of 10 by 10 in a second and more */
        expect_near(&s, "tau_e'", s.n, a.dtau_e, b.dtau_e, TOLERANCE, fmax(10 * scale, largest(s.n, b.dtau_e)));
        expect_near(&s, "tau_e''", s.n, a.ddtau_e, b.ddtau_e, TOLERANCE, fmax(100 * scale, largest(s.n, b.ddtau_e)));
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* Along a motion, derivatives of tau_e are differences of tau_e: a judge that shares nothing with either way. Velocity and
 * acceleration of the world's origin beside a link enter through wrenches in the frame WORLD. */
static void derivatives_are_differences_along_a_motion(void **state)
{
    (void)state;
    for (int seed = 0; seed < 60; seed++) {
        subject s = sprung(seed, RANDOM_RIGID, LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        const double h = 1e-4;
        double q[ROWS * N], at[ROWS * N], tau[3][N], want[N];
        arne_wrench w[3][WRENCHES], now[WRENCHES];
        answer a;
        const arne_flex_torques to = into(&a);
        random_motion(&s, q);
        random_wrenches(&s, w);
        for (int step = 0; step < 3; step++) {
            const double t = (step - 1) * h;
            for (int i = 0; i < s.n; i++)
                for (int k = 0; k < ROWS; k++) {
                    double x = 0, term = 1;
                    for (int j = k; j < ROWS; j++) x += q[j * s.n + i] * term, term *= t / (j - k + 1);
                    at[k * s.n + i] = x;
                }
            for (int e = 0; e < WRENCHES; e++) {
                now[e] = w[0][e];
                for (int c = 0; c < 3; c++) {
                    now[e].force[c] += t * (w[1][e].force[c] + t / 2 * w[2][e].force[c]);
                    now[e].moment[c] += t * (w[1][e].moment[c] + t / 2 * w[2][e].moment[c]);
                }
            }
            arne_set_wrenches(arne_flex_settings(f), now, WRENCHES);
            arne_flex_set_wrench_rates(f, w[1], w[2], WRENCHES);
            arne_flex_id(f, at, &to);
            memcpy(tau[step], a.tau_e, sizeof tau[step]);
        }
        arne_set_wrenches(arne_flex_settings(f), w[0], WRENCHES);
        arne_flex_id(f, q, &to);
        const double scale = scale_of(&s, q, a.tau_e);
        /* errors h^2 times the next two derivatives over 6 and 12, and rounding over h and h^2 */
        for (int i = 0; i < s.n; i++) want[i] = (tau[2][i] - tau[0][i]) / (2 * h);
        expect_near(&s, "tau_e' by differences", s.n, a.dtau_e, want, 1e-5, fmax(100 * scale, largest(s.n, want)));
        for (int i = 0; i < s.n; i++) want[i] = (tau[2][i] - 2 * tau[1][i] + tau[0][i]) / (h * h);
        expect_near(&s, "tau_e'' by differences", s.n, a.ddtau_e, want, 1e-5, fmax(1000 * scale, largest(s.n, want)));
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* Without rotors and motor friction tau_e is what rigid joints need; a stiff spring adds rotors and nothing else. */
static void stiff_springs_give_the_rigid_torque(void **state)
{
    (void)state;
    for (int seed = 0; seed < 60; seed++) {
        subject s = sprung(seed, RANDOM_MOTORS | RANDOM_FRICTION, LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        double q[ROWS * N], rigid[N], K[N], last = INFINITY;
        answer a;
        const arne_flex_torques to = into(&a);
        random_motion(&s, q);
        arne_id(s.data, q, q + s.n, q + 2 * s.n, rigid);
        const double scale = scale_of(&s, q, rigid);
        for (double stiff = 1e6; stiff < 1e13; stiff *= 100) {
            double off = 0;
            for (int i = 0; i < s.n; i++) K[i] = stiff;
            arne_flex_set_stiffness(f, K, NULL, NULL);
            arne_flex_id(f, q, &to);
            for (int i = 0; i < s.n; i++) off = fmax(off, fabs(a.tau[i] - rigid[i]));
            /* B/K tau_e'' + friction of theta' - q' = tau_e'/K: a hundred times stiffer, a hundred times nearer */
            if (!(off <= last / 50 || off <= 1e-12 * scale))
                fail_msg("seed %d, K = %g: off by %g after %g", seed, stiff, off, last);
            last = off;
        }
        assert_true(last <= 1e-8 * scale);
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* fd of the state and torque that id gives is the motion again; spring gives tau_e back; with damping too. */
static void forward_inverts_inverse(void **state)
{
    (void)state;
    for (int seed = 0; seed < 300; seed++) {
        subject s = sprung(seed, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS, seed % 2 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        double q[ROWS * N], qdd[N], thetadd[N], tau_e[N], K[N], dK[N], ddK[N];
        answer a;
        const arne_flex_torques to = into(&a);
        random_motion(&s, q);
        if (seed % 3 == 0) {
            for (int i = 0; i < s.n; i++) K[i] = random_between(&s.r, 100, 1000);
            random_vector(&s.r, s.n, 100, dK);
            random_vector(&s.r, s.n, 1000, ddK);
            arne_flex_set_stiffness(f, K, dK, ddK);
        }
        arne_flex_id(f, q, &to);
        arne_flex_spring(f, q, q + s.n, a.theta, a.dtheta, tau_e);
        expect_near(&s, "spring(id)", s.n, tau_e, a.tau_e, TOLERANCE, scale_of(&s, q, a.tau_e));
        assert_int_equal(arne_flex_fd(f, q, q + s.n, a.theta, a.dtheta, a.tau, qdd, thetadd), ARNE_OK);
        /* conditioning of M */
        expect_near(&s, "fd(id) of the links", s.n, qdd, q + 2 * s.n, 1e-6, 1 + largest(s.n, q + 2 * s.n));
        expect_near(&s, "fd(id) of the motors", s.n, thetadd, a.ddtheta, 1e-9, scale_of(&s, q, a.tau) + largest(s.n, a.ddtheta));
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* ---- springs ---- */

/* theta(t) of a spring by bisection of the law itself at three times: its differences are theta' and theta''. */
static double deflection(const double k[3], double tau)
{
    double low = -10, high = 10;
    for (int i = 0; i < 200; i++) {
        const double x = (low + high) / 2;
        (k[0] * x + k[1] * x * x * x + k[2] * x * x * x * x * x < tau ? &low : &high)[0] = x;
    }
    return (low + high) / 2;
}

static void nonlinear_and_variable_springs_follow_their_law(void **state)
{
    (void)state;
    for (int seed = 0; seed < 40; seed++) {
        subject s = sprung(seed, RANDOM_RIGID, POLYNOMIAL_SPRINGS);
        arne_flex *f = flex_of(s.m);
        double q[ROWS * N], K[N], dK[N], ddK[N];
        const double h = 1e-4;
        answer a;
        const arne_flex_torques to = into(&a);
        const bool moved = seed % 2;
        random_motion(&s, q);
        for (int i = 0; i < s.n; i++) K[i] = random_between(&s.r, 100, 1000);
        random_vector(&s.r, s.n, 500, dK);
        random_vector(&s.r, s.n, 5000, ddK);
        if (moved) arne_flex_set_stiffness(f, K, dK, ddK);
        arne_flex_id(f, q, &to);
        for (int i = 0; i < s.n; i++) {
            const arne_elastic *e = arne_joint_elastic(s.m, i);
            double x[3];
            for (int step = 0; step < 3; step++) {
                const double t = (step - 1) * h;
                const double k[3] = {moved ? K[i] + t * (dK[i] + t / 2 * ddK[i]) : e->stiffness, moved ? 0 : e->cubic,
                                     moved ? 0 : e->quintic};
                x[step] = deflection(k, a.tau_e[i] + t * (a.dtau_e[i] + t / 2 * a.ddtau_e[i]));
            }
            const double want[3] = {x[1], (x[2] - x[0]) / (2 * h), (x[2] - 2 * x[1] + x[0]) / (h * h)};
            const double got[3] = {a.theta[i] - q[i], a.dtheta[i] - q[s.n + i], a.ddtheta[i] - q[2 * s.n + i]};
            /* rounding of x over h^2, and h^2 times higher derivatives: torques change by their size in 1/10 s */
            const double size = 1 + fabs(want[0]) + fabs(want[1]) / 10 + fabs(want[2]) / 100;
            const double allowed[3] = {1e-12 * size, 1e-4 * size, 1e-3 * (100 * size)};
            for (int d = 0; d < 3; d++)
                if (!(fabs(got[d] - want[d]) <= allowed[d]))
                    fail_msg("seed %d, joint %d, derivative %d of the deflection: %.12g, not %.12g", seed, i, d, got[d], want[d]);
        }
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* Power of the motors is the change of energy, up to what dampers and friction take; here there are none. */
static void energy_changes_by_the_power_of_the_motors(void **state)
{
    (void)state;
    for (int seed = 0; seed < 100; seed++) {
        subject s = sprung(seed, RANDOM_RIGID, seed % 2 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        double x[4][N], tau[N], qdd[N], thetadd[N], energy[2];
        const double h = 1e-6;
        random_vector(&s.r, s.n, 3, x[0]);
        random_vector(&s.r, s.n, 2, x[1]);
        random_vector(&s.r, s.n, 0.05, x[2]);
        for (int i = 0; i < s.n; i++) x[2][i] += x[0][i];
        random_vector(&s.r, s.n, 2, x[3]);
        random_vector(&s.r, s.n, 30, tau);
        assert_int_equal(arne_flex_fd(f, x[0], x[1], x[2], x[3], tau, qdd, thetadd), ARNE_OK);
        double power = 0, size = 0;
        for (int i = 0; i < s.n; i++) power += tau[i] * x[3][i], size += fabs(tau[i] * x[3][i]);
        for (int side = 0; side < 2; side++) {
            double y[4][N], T, U;
            const double t = side ? h : -h;
            for (int i = 0; i < s.n; i++) {
                y[0][i] = x[0][i] + t * (x[1][i] + t / 2 * qdd[i]);
                y[1][i] = x[1][i] + t * qdd[i];
                y[2][i] = x[2][i] + t * (x[3][i] + t / 2 * thetadd[i]);
                y[3][i] = x[3][i] + t * thetadd[i];
            }
            arne_flex_energy(f, y[0], y[1], y[2], y[3], &T, &U);
            energy[side] = T + U;
            size += 1e-4 * (fabs(T) + fabs(U));
        }
        /* rounding of the energy over h is 1e-16/1e-6 of it */
        const double got = (energy[1] - energy[0]) / (2 * h);
        if (!(fabs(got - power) <= 1e-5 * size + 1e-4)) fail_msg("seed %d: dE/dt = %.12g, power %.12g", seed, got, power);
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* What has a spring; joints of several freedoms go as they must. */
static void at_rest_nothing_moves(void **state)
{
    (void)state;
    for (int seed = 0; seed < 200; seed++) {
        const unsigned wide = seed % 4 > 1 ? RANDOM_WIDE : 0;
        subject s = sprung(seed, RANDOM_MOTORS | RANDOM_FRICTION | wide, seed % 2 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_settings *settings;
        arne_flex *f = NULL;
        assert_int_equal(arne_settings_new(s.m, &settings, NULL), ARNE_OK);
        const arne_status made = arne_flex_new(settings, &f, NULL);
        arne_settings_free(settings);
        if (made && wide) { /* none of its joints has one */
            subject_close(&s);
            continue;
        }
        assert_int_equal(made, ARNE_OK);
        double zero[N] = {0}, theta[N], tau[N], qdd[N], thetadd[N];
        const motion x = subject_motion(&s, 0), before = subject_motion(&s, 1);
        for (int i = 0; i < s.n; i++) theta[i] = tau[i] = NAN;
        arne_flex_fd(f, x.q, before.qd, before.qd, before.qd, before.qdd, qdd, thetadd); /* leaves nothing behind */
        assert_int_equal(arne_flex_rest(f, x.q, theta, tau), ARNE_OK);
        for (int i = 0; i < s.n; i++)
            if (arne_velocity_position(s.m, i) < 0) assert_true(theta[i] == 0 && tau[i] == 0);
        assert_int_equal(arne_flex_fd(f, x.q, zero, theta, zero, tau, qdd, thetadd), ARNE_OK);
        for (int i = 0; i < s.n; i++)
            if (arne_velocity_position(s.m, i) < 0) qdd[i] = 0;
        expect_near(&s, "links at rest", s.n, qdd, zero, 1e-8, 1 + largest(s.n, tau));
        expect_near(&s, "motors at rest", s.n, thetadd, zero, 1e-8, 1 + largest(s.n, tau));
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* Joints of several freedoms: no spring, no motor; what is asked of them acts on their link, as the torques of springs do. */
static void joints_of_several_freedoms_take_their_torque_themselves(void **state)
{
    (void)state;
    int loose = 0;
    for (int seed = 0; seed < 60; seed++) {
        subject s = sprung(seed, RANDOM_WIDE, seed % 2 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_settings *settings;
        arne_flex *f = NULL;
        assert_int_equal(arne_settings_new(s.m, &settings, NULL), ARNE_OK);
        const arne_status made = arne_flex_new(settings, &f, NULL);
        arne_settings_free(settings);
        if (made) { /* none of its joints has one */
            subject_close(&s);
            continue;
        }
        arne_data *links = test_data_on(arne_flex_settings(f));
        const motion x = subject_motion(&s, 1), motor = subject_motion(&s, 1);
        const double *B = arne_flex_rotors(f);
        double tau[N], tau_e[N], row[N], want[N], qdd[N], thetadd[N], should[N] = {0}, theta[N], energy[2], apart[2];
        random_vector(&s.r, s.n, 30, tau);
        for (int i = 0; i < s.n; i++) tau_e[i] = theta[i] = qdd[i] = thetadd[i] = NAN;
        for (int i = 0; i < s.n; i++)
            if (arne_velocity_position(s.m, i) >= 0)
                theta[i] = x.q[arne_velocity_position(s.m, i)] + random_between(&s.r, -0.1, 0.1);
        assert_int_equal(arne_flex_spring(f, x.q, x.qd, theta, motor.qd, tau_e), ARNE_OK);
        arne_energy(links, x.q, x.qd, &apart[0], &apart[1]);
        for (int i = 0; i < s.n; i++) {
            const int at = arne_velocity_position(s.m, i);
            row[i] = at < 0 ? tau[i] : tau_e[i];
            if (at < 0) {
                assert_true(tau_e[i] == 0);
                loose++;
                continue;
            }
            const arne_elastic *e = arne_joint_elastic(s.m, arne_velocity_joint(s.m, i));
            const double y = theta[i] - x.q[at], spring = e->stiffness * y + e->cubic * pow(y, 3) + e->quintic * pow(y, 5);
            assert_true(fabs(tau_e[i] - spring) < 1e-9 * (1 + fabs(spring)));
            should[i] = (tau[i] - spring) / B[i];
            apart[0] += B[i] * motor.qd[i] * motor.qd[i] / 2;
            apart[1] += e->stiffness * pow(y, 2) / 2 + e->cubic * pow(y, 4) / 4 + e->quintic * pow(y, 6) / 6;
        }
        assert_int_equal(arne_fd(links, x.q, x.qd, row, want), ARNE_OK);
        assert_int_equal(arne_flex_fd(f, x.q, x.qd, theta, motor.qd, tau, qdd, thetadd), ARNE_OK);
        expect_near(&s, "links", s.n, qdd, want, 1e-9, 1 + largest(s.n, want));
        expect_near(&s, "motors", s.n, thetadd, should, 1e-9, 1 + largest(s.n, should));
        assert_int_equal(arne_flex_energy(f, x.q, x.qd, theta, motor.qd, &energy[0], &energy[1]), ARNE_OK);
        expect_near(&s, "energy", 2, energy, apart, 1e-12, 1 + largest(2, apart));
        /* the others need a spring everywhere */
        answer a;
        const arne_flex_torques to = into(&a);
        const bool all = arne_velocity_position(s.m, 0) >= 0 && s.n == arne_model_joints(s.m);
        if (!all) {
            const double zero[ROWS * N] = {0};
            arne_flex_record joints[N];
            arne_error error = {0};
            assert_int_equal(arne_flex_id(f, zero, &to), ARNE_UNSUPPORTED);
            assert_int_equal(arne_flex_id_taylor(f, zero, &to), ARNE_UNSUPPORTED);
            assert_int_equal(arne_flex_state(f, x.q, x.qd, theta, motor.qd, qdd, thetadd), ARNE_UNSUPPORTED);
            assert_int_equal(arne_flex_linearize(f, zero, zero, zero, zero, zero, qdd), ARNE_UNSUPPORTED);
            assert_int_equal(arne_flex_motion(f, s.data, 1, zero, zero, &to, want, joints, &error), ARNE_UNSUPPORTED);
            assert_string_equal(error.message, "motions of elastic joints: for robots whose joints have one freedom each");
        }
        arne_data_free(links);
        arne_flex_free(f);
        subject_close(&s);
    }
    assert_true(loose > 20);
}

/* ---- feedback linearization ---- */

/* qdddd from the equations of motion: fd along the flow of the state under this torque, differentiated twice. */
static void the_linearizing_torque_gives_the_fourth_derivative(void **state)
{
    (void)state;
    for (int seed = 0; seed < 150; seed++) {
        subject s = sprung(seed, seed % 2 ? RANDOM_MOTORS | RANDOM_FRICTION : RANDOM_RIGID,
                           seed % 3 ? POLYNOMIAL_SPRINGS : LINEAR_SPRINGS);
        arne_flex *f = flex_of(s.m);
        const int n = s.n;
        double q[ROWS * N], x[2 * N], theta[N], thetad[N], qdd[N], qddd[N], v[N], tau[N], got[2 * N];
        answer a;
        const arne_flex_torques to = into(&a);
        /* a state whose derivatives are known, by inverse dynamics */
        random_motion(&s, q);
        arne_flex_id(f, q, &to);
        memcpy(theta, a.theta, sizeof theta);
        memcpy(thetad, a.dtheta, sizeof thetad);
        assert_int_equal(arne_flex_state(f, q, q + n, theta, thetad, qdd, qddd), ARNE_OK);
        expect_near(&s, "qdd of the state", n, qdd, q + 2 * n, 1e-6, 1 + largest(n, q + 2 * n));
        expect_near(&s, "qddd of the state", n, qddd, q + 3 * n, 1e-5, 1 + largest(n, q + 3 * n));
        random_vector(&s.r, n, 20, v);
        arne_flex_linearize(f, q, q + n, qdd, qddd, v, tau);
        /* the motors' answer, then qddd a moment before and after: its difference is qdddd */
        assert_int_equal(arne_flex_fd(f, q, q + n, theta, thetad, tau, x, x + n), ARNE_OK);
        const double h = 1e-5;
        for (int side = 0; side < 2; side++) {
            const double t = side ? h : -h;
            double y[4][N];
            for (int i = 0; i < n; i++) {
                y[0][i] = q[i] + t * (q[n + i] + t / 2 * (x[i] + t / 3 * qddd[i]));
                y[1][i] = q[n + i] + t * (x[i] + t / 2 * qddd[i]);
                y[2][i] = theta[i] + t * (thetad[i] + t / 2 * x[n + i]);
                y[3][i] = thetad[i] + t * x[n + i];
            }
            assert_int_equal(arne_flex_state(f, y[0], y[1], y[2], y[3], qdd, got + side * n), ARNE_OK);
        }
        for (int i = 0; i < n; i++) got[i] = (got[n + i] - got[i]) / (2 * h);
        expect_near(&s, "qdddd", n, got, v, 1e-3, 100 + largest(n, v) + largest(n, x + n));
        arne_flex_free(f);
        subject_close(&s);
    }
}

/* ---- damping, bad robots ---- */

static arne_description *one_joint(double stiffness, double damping, double inertia)
{
    arne_description *d = arne_description_new("one");
    arne_description_link(d, "base", 1);
    arne_link_description *l = arne_description_link(d, "bar", 2);
    l->body = (arne_body){.mass = 2, .com = {0.5, 0, 0}, .inertia = {0.01, 0, 0, 0.2, 0, 0.2}};
    arne_joint_description *j = arne_description_joint(d, "hinge", 3, ARNE_REVOLUTE, "base", "bar");
    j->axis[0] = 0, j->axis[1] = 1, j->axis[2] = 0;
    j->motor.inertia = inertia;
    j->elastic.stiffness = stiffness;
    j->elastic.damping = damping;
    return d;
}

/* A swing q = A sin(w t): x solves k x + d x' = tau_e(t). The exact one comes from integrating it along the swing. */
static void damped_springs_are_right_to_the_order_they_promise(void **state)
{
    (void)state;
    double off[2];
    for (int half = 0; half < 2; half++) {
        const double k = 800, d = half ? 2 : 4, w = 3, amplitude = 0.6;
        arne_model *m = NULL;
        arne_error error;
        arne_description *description = one_joint(k, d, 0.3);
        assert_int_equal(arne_model_build(description, NULL, &m, &error), ARNE_OK);
        arne_description_free(description);
        arne_flex *f = flex_of(m);
        answer a;
        const arne_flex_torques to = into(&a);
        double x = 0, q[ROWS], spring;
        const double h = 1e-4;
        const int steps = 20000;
        for (int step = 0; step <= steps; step++) {
            /* x' = (tau_e - k x)/d, implicit trapezoid: tau_e at both ends */
            const double t = step * h;
            for (int r = 0; r < ROWS; r++) q[r] = amplitude * pow(w, r) * sin(w * t + r * acos(0));
            const double before = a.tau_e[0];
            arne_flex_id(f, q, &to);
            if (step == 0) x = a.tau_e[0] / k;
            if (step > 0) x = (x * (d / h - k / 2) + (before + a.tau_e[0]) / 2) / (d / h + k / 2);
        }
        off[half] = fabs(a.theta[0] - q[0] - x);
        arne_flex_spring(f, q, q + 1, a.theta, a.dtheta, &spring);
        assert_true(fabs(spring - a.tau_e[0]) <= 1e-12 * fabs(spring));
        arne_flex_free(f);
        arne_model_free(m);
    }
    /* what is left out is (d/k)^3 of the third derivative: half the damping, an eighth of it */
    assert_true(off[0] > 0 && off[0] < 1e-6);
    assert_true(off[1] < off[0] / 6);
}

/* The refusal of a robot, which must come with this status and this sentence. */
static void expect_refused(arne_description *d, arne_status status, const char *says)
{
    arne_model *m = NULL;
    arne_settings *own = NULL;
    arne_flex *f = NULL;
    arne_error error = {0};
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    assert_int_equal(arne_settings_new(m, &own, &error), ARNE_OK);
    assert_int_equal(arne_flex_new(own, &f, &error), status);
    assert_null(f);
    assert_string_equal(error.message, says);
    arne_settings_free(own);
    arne_model_free(m);
    arne_description_free(d);
}

/* `second` behind `hinge`, with a spring and a rotor of its own */
static arne_description *two_joints(arne_joint_type type)
{
    arne_description *d = one_joint(800, 0, 0.3);
    arne_link_description *l = arne_description_link(d, "tip", 4);
    l->body = (arne_body){.mass = 1, .com = {0.2, 0.1, 0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(d, "second", 5, type, "bar", "tip");
    j->before.p[0] = 1;
    j->motor.inertia = 0.2;
    j->elastic.stiffness = 700;
    return d;
}

static void the_last_joint_is_looked_at_too(void **state)
{
    (void)state;
    arne_description *d = two_joints(ARNE_PRISMATIC);
    d->joints[1].elastic.stiffness = 0;
    expect_refused(d, ARNE_BAD_VALUE,
                   "joint 'second' has no stiffness: every joint needs a spring, in its robot file `elastic: {stiffness: 1000}` "
                   "(N/m), or the [k1, k3, k5] of a polynomial one");
    d = two_joints(ARNE_REVOLUTE);
    d->joints[1].elastic.stiffness = 0;
    expect_refused(d, ARNE_BAD_VALUE,
                   "joint 'second' has no stiffness: every joint needs a spring, in its robot file `elastic: {stiffness: 1000}` "
                   "(Nm/rad), or the [k1, k3, k5] of a polynomial one");
    d = two_joints(ARNE_PRISMATIC);
    d->joints[1].motor.inertia = 0;
    expect_refused(
        d, ARNE_BAD_VALUE,
        "joint 'second' has no rotor inertia: behind a spring every motor needs one, in the robot file `motor: {inertia: "
        "1e-4, gear: 100}` (kg at the shaft)");
    d = two_joints(ARNE_REVOLUTE);
    d->joints[1].motor.inertia = 0;
    expect_refused(
        d, ARNE_BAD_VALUE,
        "joint 'second' has no rotor inertia: behind a spring every motor needs one, in the robot file `motor: {inertia: "
        "1e-4, gear: 100}` (kg m^2 at the shaft)");
    d = two_joints(ARNE_REVOLUTE);
    d->transmission = calloc(4, sizeof *d->transmission);
    assert_non_null(d->transmission);
    d->transmission[0] = d->transmission[2] = d->transmission[3] = 1;
    d->ntransmission = 2;
    expect_refused(d, ARNE_UNSUPPORTED,
                   "elastic joints behind a coupled transmission are not supported: every motor must drive its own joint");
    d = two_joints(ARNE_REVOLUTE);
    d->joints[1].elastic.stiffness = d->joints[1].motor.inertia = 0;
    assert_int_equal(arne_description_follow(&d->joints[1], "hinge", 2, 0), ARNE_OK);
    expect_refused(d, ARNE_UNSUPPORTED,
                   "elastic joints: not where joints follow others, as 'second' does; it can be made independent");
}

/* Where the inertia matrix has no inverse there are no accelerations: zeros, and a status that says so. */
static void a_link_without_mass_has_no_accelerations(void **state)
{
    (void)state;
    arne_description *d = two_joints(ARNE_REVOLUTE);
    d->links[2].body = (arne_body){0};
    subject s = subject_of(d);
    arne_flex *f = flex_of(s.m);
    const double q[2] = {0.3, 0.4}, still[2] = {0};
    double qdd[2] = {7, 7}, qddd[2] = {7, 7};
    assert_int_equal(arne_flex_state(f, q, still, q, still, qdd, qddd), ARNE_SINGULAR);
    for (int i = 0; i < 2; i++) assert_true(qdd[i] == 0 && qddd[i] == 0);
    assert_int_equal(arne_flex_joint(f), 1);
    arne_flex_free(f);
    subject_close(&s);
}

/* A linear spring of k1 beside a damper d, its file's torque times a factor, and a stiffness given from outside. */
static void springs_are_scaled_and_replaced_one_by_one(void **state)
{
    (void)state;
    arne_description *d = two_joints(ARNE_REVOLUTE);
    d->joints[0].elastic.damping = 3, d->joints[1].elastic.damping = 5;
    d->joints[1].elastic.cubic = 900, d->joints[1].elastic.quintic = 1100;
    subject s = subject_of(d);
    arne_flex *f = flex_of(s.m);
    const double q[2] = {0.3, 0.4}, qd[2] = {1, 2}, theta[2] = {0.4, 0.1}, thetad[2] = {1.5, 1}, factor[2] = {1.5, 0.5},
                 K[2] = {300, 400};
    double tau_e[2];
    const double curve = 700 * -0.3 + 900 * pow(-0.3, 3) + 1100 * pow(-0.3, 5);
    assert_int_equal(arne_flex_spring(f, q, qd, theta, thetad, tau_e), ARNE_OK);
    assert_true(fabs(tau_e[0] - (80 + 3 * 0.5)) < 1e-12 && fabs(tau_e[1] - (curve - 5)) < 1e-12);
    for (int twice = 0; twice < 2; twice++) assert_int_equal(arne_flex_scale_springs(f, factor), ARNE_OK); /* of the file */
    assert_int_equal(arne_flex_spring(f, q, qd, theta, thetad, tau_e), ARNE_OK);
    assert_true(fabs(tau_e[0] - (120 + 3 * 0.5)) < 1e-12 && fabs(tau_e[1] - (curve / 2 - 5)) < 1e-12);
    assert_int_equal(arne_flex_set_stiffness(f, K, NULL, NULL), ARNE_OK);
    assert_int_equal(arne_flex_spring(f, q, qd, theta, thetad, tau_e), ARNE_OK);
    assert_true(fabs(tau_e[0] - (30 + 3 * 0.5)) < 1e-12 && fabs(tau_e[1] - (-120 - 5)) < 1e-12);
    /* at rest the damper does nothing, and a stiffness whose rate nobody gave stands still */
    double rest[10] = {0};
    answer a;
    const arne_flex_torques to = into(&a);
    memcpy(rest, q, sizeof q);
    arne_flex_id(f, rest, &to);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(a.theta[i] - q[i] - a.tau_e[i] / K[i]) < 1e-15 && a.tau_e[i] != 0);
        assert_true(a.dtheta[i] == 0 && a.ddtheta[i] == 0);
    }
    arne_flex_free(f);
    subject_close(&s);
}

static void robots_without_springs_are_refused(void **state)
{
    (void)state;
    static const struct {
        double stiffness, damping, inertia;
        const char *says;
    } bad[] = {{0, 0, 1, "no stiffness"},
               {-5, 0, 1, "negative stiffness"},
               {5, 0, 0, "no rotor inertia"},
               {5, -1, 1, "damping"},
               {NAN, 0, 1, "stiffness"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        arne_description *d = one_joint(bad[k].stiffness, bad[k].damping, bad[k].inertia);
        arne_model *m = NULL;
        arne_flex *f = NULL;
        arne_error error;
        arne_settings *own = NULL;
        if (arne_model_build(d, NULL, &m, &error) == ARNE_OK) {
            assert_int_equal(arne_settings_new(m, &own, &error), ARNE_OK);
            assert_int_equal(arne_flex_new(own, &f, &error), ARNE_BAD_VALUE);
        }
        assert_null(f);
        assert_non_null(strstr(error.message, "hinge"));
        assert_non_null(strstr(error.message, bad[k].says));
        arne_settings_free(own);
        arne_model_free(m);
        arne_description_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_recursion_equals_taylor_series_on_trees),
        cmocka_unit_test(derivatives_are_differences_along_a_motion),
        cmocka_unit_test(stiff_springs_give_the_rigid_torque),
        cmocka_unit_test(forward_inverts_inverse),
        cmocka_unit_test(nonlinear_and_variable_springs_follow_their_law),
        cmocka_unit_test(energy_changes_by_the_power_of_the_motors),
        cmocka_unit_test(at_rest_nothing_moves),
        cmocka_unit_test(joints_of_several_freedoms_take_their_torque_themselves),
        cmocka_unit_test(the_linearizing_torque_gives_the_fourth_derivative),
        cmocka_unit_test(damped_springs_are_right_to_the_order_they_promise),
        cmocka_unit_test(robots_without_springs_are_refused),
        cmocka_unit_test(the_last_joint_is_looked_at_too),
        cmocka_unit_test(a_link_without_mass_has_no_accelerations),
        cmocka_unit_test(springs_are_scaled_and_replaced_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
