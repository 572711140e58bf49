/* SPDX-License-Identifier: MIT
 *
 * taylor_test.c - time derivatives of the torques along a motion: the torque itself has the bits of inverse dynamics, each
 * derivative is the derivative of the one before (differences), and the first two agree with 45-digit answers. */
#include "kinds/settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/oracle.h"

enum { RANDOM_ROBOTS = FEWER(400), N = MOST_DOF, Q = 7, TAU = 5 };

static const double STORED = 1e-10;
/* of the largest entry: eight points, step 2e-3 */
static const double DIFFERENCES = 1e-8;

/* Velocities that are polynomials, and their derivatives, at time t, given those at zero (Q - 1 x n). */
static void polynomial(int n, const double *zero, double t, double *v)
{
    for (int j = 0; j < Q - 1; j++)
        for (int i = 0; i < n; i++) {
            double x = 0;
            for (int k = Q - 2; k >= j; k--) x = zero[k * n + i] + x * t / (k - j + 1);
            v[j * n + i] = x;
        }
}

/* A motion at time t, given position and derivatives of the velocities at zero: the position by Runge and Kutta in steps that
 * leave rounding only. */
static void move(const subject *s, const double *zero, double t, double *q)
{
    enum { STEPS = 12 };
    const int nq = s->nq;
    const double h = t / STEPS;
    memcpy(q, zero, (size_t)nq * sizeof *q);
    for (int step = 0; step < STEPS; step++) {
        double rate[5][N] = {0}, v[Q * N], at[N];
        for (int stage = 0; stage < 4; stage++) {
            const double part = (const double[]){0, 0.5, 0.5, 1}[stage];
            polynomial(s->n, zero + nq, (step + part) * h, v);
            for (int i = 0; i < nq; i++) at[i] = q[i] + part * h * rate[stage][i];
            arne_position_rate(s->m, at, v, rate[stage + 1]);
        }
        for (int i = 0; i < nq; i++) q[i] += h / 6 * (rate[1][i] + 2 * rate[2][i] + 2 * rate[3][i] + rate[4][i]);
    }
    polynomial(s->n, zero + nq, t, q + nq);
}

static void check_motion(subject *s, const double *zero)
{
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const double h = 2e-3;
    const int n = s->n;
    double tau[TAU * N], id[N], should[TAU * N] = {0};
    arne_id_taylor(s->data, zero, tau);
    arne_id(s->data, zero, zero + s->nq, zero + s->nq + n, id);
    expect_bits(s, "tau[0]", n, tau, id);
    for (int p = 1; p <= 4; p++)
        for (int side = -1; side <= 1; side += 2) {
            double q[Q * N], at[TAU * N];
            move(s, zero, side * p * h, q);
            arne_id_taylor(s->data, q, at);
            for (int i = 0; i < (TAU - 1) * n; i++) should[n + i] += side * weight[p - 1] / h * at[i];
        }
    for (int k = 1; k < TAU; k++) {
        char law[32];
        snprintf(law, sizeof law, "derivative %d of tau", k);
        expect_near(s, law, n, tau + k * n, should + k * n, DIFFERENCES, fmax(largest(n, should + k * n), largest(n, id)));
    }
}

/* friction has corners at rest, so it is left out here */
static void derivatives_follow_each_other_on_all_robots(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 1; setting <= 3; setting += 2) {
            set_up(&s, setting);
            double zero[Q * N];
            const motion x = subject_motion(&s, 1);
            memcpy(zero, x.q, (size_t)s.nq * sizeof *zero);
            random_vector(&s.r, (Q - 1) * s.n, 2, zero + s.nq);
            check_motion(&s, zero);
        }
        subject_close(&s);
    }
}

/* 0.3 ... 0.7 rad/s: between the corners of all laws */
static void derivatives_follow_each_other_with_friction(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("rubbing");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "l0", 0));
    const arne_friction laws[3] = {
        {.viscous = 2, .coulomb = 3},
        {.viscous = 1, .coulomb = 2, .static_ = 5, .stribeck_velocity = 0.4, .stribeck_exponent = 1.5},
        {.npoint = 3},
    };
    const double points[3][2] = {{0, 1}, {0.1, 4}, {5, 2}};
    for (int i = 0; i < 3; i++) {
        char parent[8], name[8];
        snprintf(parent, sizeof parent, "l%d", i);
        snprintf(name, sizeof name, "l%d", i + 1);
        arne_link_description *l = arne_description_link(d, name, 0);
        assert_non_null(l);
        l->body = (arne_body){1, {0.1, 0.2, 0}, {0.01, 0, 0, 0.01, 0, 0.01}};
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        j->after = arne_pose_dh(0.3, 1, 0.1, 0);
        j->friction = laws[i];
        if (laws[i].npoint) {
            j->friction.points = malloc(sizeof points);
            assert_non_null(j->friction.points);
            memcpy(j->friction.points, points, sizeof points);
        }
    }
    subject s = subject_of(d);
    for (int k = 0; k < 20; k++) {
        double zero[Q * N];
        random_vector(&s.r, Q * s.n, 2, zero);
        for (int i = 0; i < s.n; i++) zero[s.n + i] = random_between(&s.r, 0.3, 0.7) * (k % 2 ? 1 : -1);
        check_motion(&s, zero);
    }
    subject_close(&s);
}

static bool check_derivatives(const cJSON *robot, arne_data *d, const cJSON *at)
{
    (void)robot;
    const int n = arne_model_dof(arne_data_model(d));
    double q[Q * N] = {0}, tau[TAU * N], want[N];
    arne_set_rigid(arne_data_settings(d), true);
    for (int k = 0; k < 5; k++) oracle_numbers(at, (const char *const[]){"q", "q1", "q2", "q3", "q4"}[k], n, q + k * n);
    arne_id_taylor(d, q, tau);
    for (int k = 0; k < 3; k++) {
        const char *field = (const char *const[]){"tau_e", "dtau_e", "ddtau_e"}[k];
        oracle_numbers(at, field, n, want);
        oracle_close(field, tau + k * n, want, n, STORED);
    }
    return true;
}

static void stored_derivatives(void **state)
{
    (void)state;
    oracle_all(".elastic.json", 6, check_derivatives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_follow_each_other_on_all_robots),
        cmocka_unit_test(derivatives_follow_each_other_with_friction),
        cmocka_unit_test(stored_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
