/* SPDX-License-Identifier: MIT
 *
 * digits_test.c - serial robots in standard DH parameters against answers of 45-digit arithmetic (tests/data/seeds012): inverse
 * dynamics with and without rotors, its parts, momentum, energy, wrenches at a point of the last link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/dynamics.h"
#include "support/oracle.h"

/* The answers are exact: the error is ours alone. */
static const double TOLERANCE = 1e-10;

enum { N = ORACLE_JOINTS };

static void is(const cJSON *at, const char *field, const double *got, int count)
{
    double want[N * N];
    oracle_numbers(at, field, count, want);
    oracle_close(field, got, want, count, TOLERANCE);
}

static bool check_rigid(const cJSON *robot, arne_data *d, const cJSON *at)
{
    const int n = arne_model_dof(arne_data_model(d));
    double q[N], qd[N], qdd[N], x[N], y[N], rotor[N], A[N * N], B[N * N], kinetic, potential;
    oracle_numbers(robot, "rotor_inertia", n, rotor);
    oracle_numbers(at, "q", n, q);
    oracle_numbers(at, "qd", n, qd);
    oracle_numbers(at, "qdd", n, qdd);

    arne_set_rigid(arne_data_settings(d), true);
    arne_id(d, q, qd, qdd, x);
    is(at, "tau", x, n);
    arne_gravity(d, q, x);
    is(at, "g", x, n);
    arne_coriolis_vector(d, q, qd, x);
    is(at, "c", x, n);
    arne_mass(d, q, A);
    is(at, "M", A, n * n);
    arne_momentum(d, q, qd, x);
    is(at, "p", x, n);
    arne_energy(d, q, qd, &kinetic, &potential);
    is(at, "T", (double[]){kinetic}, 1);
    is(at, "U", (double[]){potential}, 1);

    /* with rotors: tau + B qdd, M + B, p + B qd, T + qd' B qd / 2; the bias knows no rotors */
    arne_set_rigid(arne_data_settings(d), false);
    arne_id(d, q, qd, qdd, x);
    is(at, "tau_motor", x, n);
    arne_mass(d, q, B);
    arne_momentum(d, q, qd, x);
    oracle_numbers(at, "p", n, y);
    double more, spin = oracle_number(at, "T");
    for (int i = 0; i < n; i++) {
        A[i * n + i] += rotor[i];
        y[i] += rotor[i] * qd[i];
        spin += rotor[i] * qd[i] * qd[i] / 2;
    }
    oracle_close("M with rotors", B, A, n * n, TOLERANCE);
    oracle_close("p with rotors", x, y, n, TOLERANCE);
    arne_energy(d, q, qd, &more, &potential);
    oracle_close("T with rotors", &more, &spin, 1, TOLERANCE);
    is(at, "U", (double[]){potential}, 1);
    double c[N], g[N];
    oracle_numbers(at, "c", n, c);
    oracle_numbers(at, "g", n, g);
    for (int i = 0; i < n; i++) y[i] = c[i] + g[i];
    arne_bias(d, q, qd, x);
    oracle_close("c + g", x, y, n, TOLERANCE);
    return true;
}

/* linear rows of a Jacobian moved from the link origin to a point r away: v + w x r */
static void move_jacobian(double *J, int n, const double r[3])
{
    for (int i = 0; i < n; i++) {
        const double w[3] = {J[3 * n + i], J[4 * n + i], J[5 * n + i]};
        for (int c = 0; c < 3; c++) J[c * n + i] += w[(c + 1) % 3] * r[(c + 2) % 3] - w[(c + 2) % 3] * r[(c + 1) % 3];
    }
}

static bool check_wrench(const cJSON *robot, arne_data *d, const cJSON *at)
{
    (void)robot;
    const arne_model *m = arne_data_model(d);
    const int n = arne_model_dof(m);
    double q[N], qd[N], qdd[N], x[N], with[N], J[6 * N], r[3] = {0};
    oracle_numbers(at, "q", n, q);
    oracle_numbers(at, "qd", n, qd);
    oracle_numbers(at, "qdd", n, qdd);
    arne_wrench w = {.link = arne_joint_link(m, n - 1), .frame = ARNE_ALIGNED};
    oracle_numbers(at, "force", 3, w.force);
    oracle_numbers(at, "moment", 3, w.moment);
    oracle_numbers(at, "point", 3, w.point);

    arne_pose pose;
    arne_link_pose(d, q, w.link, &pose);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) r[c] += pose.R[3 * c + k] * w.point[k];
    arne_link_jacobian(d, q, w.link, ARNE_ALIGNED, J);
    move_jacobian(J, n, r);
    is(at, "J", J, 6 * n);

    arne_set_rigid(arne_data_settings(d), true);
    arne_bias(d, q, qd, x);
    arne_set_wrenches(arne_data_settings(d), &w, 1);
    arne_bias(d, q, qd, with);
    is(at, "u_bias", with, n);
    for (int i = 0; i < n; i++) x[i] -= with[i];
    is(at, "JT_w", x, n);
    arne_id(d, q, qd, qdd, x);
    is(at, "tau", x, n);
    arne_set_wrenches(arne_data_settings(d), NULL, 0);
    return true;
}

static void rigid_robots(void **state)
{
    (void)state;
    oracle_all(".rigid.json", 7, check_rigid);
}

static void wrenches_on_the_last_link(void **state)
{
    (void)state;
    oracle_all(".wrench.json", 6, check_wrench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_robots),
        cmocka_unit_test(wrenches_on_the_last_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
