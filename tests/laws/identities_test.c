/* SPDX-License-Identifier: MIT
 *
 * identities_test.c - what must hold among the library's own answers, with motors, friction and transmissions: inertia matrix and
 * its factors, forward against inverse dynamics, energy balance, linearity in the masses, payloads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/positions.h"
#include "support/subject.h"

/* Two sums of the same products in another order, beside what the joints carry. Angles of 1000 rad cost three digits. */
static const double TOLERANCE = 1e-12;
/* Forward dynamics, seen in torques: M (qdd_out - qdd) beside the torques, one factorization after the other. */
static const double CLOSURE = 1e-11;
/* Central differences of order eight at H: H^8 of the ninth derivative of the energy, and 1e-16/H of the energy. */
static const double DIFFERENCES = 1e-9, H = 1e-3;

enum { RANDOM_ROBOTS = FEWER(2100), SEEDS_PER_PARTS = 3 * RANDOM_FAMILIES };

/* Robots take turns with what they have: nothing, motors and friction, a transmission too, free and spherical joints. */
static subject next_subject(int number)
{
    static const unsigned parts[] = {RANDOM_RIGID, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS, RANDOM_ALL, RANDOM_WIDE,
                                     RANDOM_ANY};
    return subject_number(number, number < 0 ? 0 : parts[number / SEEDS_PER_PARTS % 5]);
}

typedef void law(subject *s, const motion *x);

static void on_all_robots(law *holds)
{
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = next_subject(number);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            holds(&s, &x);
        }
        subject_close(&s);
    }
}

static void multiply(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += M[i * n + j] * x[j];
    }
}

/* ---- inertia matrix ---- */
static void positive_definite(subject *s, const motion *x)
{
    const int n = s->n;
    double M[MOST_DOF * MOST_DOF], L[MOST_DOF * MOST_DOF];
    arne_mass(s->data, x->q, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (M[i * n + j] != M[j * n + i]) fail_msg("%s: inertia matrix is not symmetric at %d, %d", s->name, i, j);
    /* Cholesky from the first joint on: the other way round than the library */
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            if (i == j && !(sum > 0)) fail_msg("%s: inertia matrix is not positive definite at joint %d", s->name, i);
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
}

/* are velocities i and j of one joint, or of two joints one of which carries the other? */
static bool outboard(const arne_model *m, int i, int j)
{
    int outer = arne_model_joints(m) - 1, inner = outer;
    while (arne_joint_v(m, outer) > i) outer--;
    while (arne_joint_v(m, inner) > j) inner--;
    while (outer > inner) outer = arne_joint_parent(m, outer);
    return outer == inner;
}

static void factors(subject *s, const motion *x)
{
    const int n = s->n;
    double M[MOST_DOF * MOST_DOF], LD[MOST_DOF * MOST_DOF], back[MOST_DOF * MOST_DOF], b[MOST_DOF], y[MOST_DOF], z[MOST_DOF];
    arne_mass(s->data, x->q, M);
    memcpy(LD, M, sizeof M);
    if (arne_factor(s->data, LD) != ARNE_OK) fail_msg("%s: a pivot is not positive", s->name);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = i > j ? i : j; k < n; k++)
                sum += (k == i ? 1 : LD[k * n + i]) * LD[k * n + k] * (k == j ? 1 : LD[k * n + j]);
            back[i * n + j] = sum;
            if (j < i && !s->d->transmission && !outboard(s->m, i, j) && (M[i * n + j] != 0 || LD[i * n + j] != 0))
                fail_msg("%s: joints %d and %d are on different branches, but coupled", s->name, i, j);
        }
    expect_close(s, "L'DL", n * n, back, M, TOLERANCE);
    random_vector(&s->r, n, 1, b);
    memcpy(y, b, sizeof b);
    arne_solve(s->data, LD, y);
    multiply(n, M, y, z);
    expect_near(s, "solve", n, z, b, TOLERANCE, 1 + largest(n * n, M) * largest(n, y));
}

/* ---- torques ---- */
static void forward_undoes_inverse(subject *s, const motion *x)
{
    const int n = s->n;
    double tau[MOST_DOF], qdd[2][MOST_DOF], M[MOST_DOF * MOST_DOF], off[MOST_DOF], left[MOST_DOF], h[MOST_DOF];
    static const double no[MOST_DOF];
    arne_id(s->data, x->q, x->qd, x->qdd, tau);
    arne_mass(s->data, x->q, M);
    arne_bias(s->data, x->q, x->qd, h);
    const double scale = fmax(carried(s, x), fmax(largest(n, tau), largest(n, h)));
    if (arne_fd(s->data, x->q, x->qd, tau, qdd[0]) || arne_fd_crba(s->data, x->q, x->qd, tau, qdd[1]))
        fail_msg("%s: forward dynamics finds a singular inertia matrix", s->name);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) off[i] = qdd[k][i] - x->qdd[i];
        multiply(n, M, off, left);
        expect_near(s, k ? "fd(id) by crba" : "fd(id) by aba", n, left, no, CLOSURE, scale);
    }
    /* tau = M qdd + h, bias = Coriolis + gravity + friction */
    multiply(n, M, x->qdd, left);
    for (int i = 0; i < n; i++) left[i] += h[i];
    expect_near(s, "M qdd + bias", n, left, tau, TOLERANCE, scale);
    double c[MOST_DOF], g[MOST_DOF], f[MOST_DOF];
    arne_coriolis_vector(s->data, x->q, x->qd, c);
    arne_gravity(s->data, x->q, g);
    arne_friction_torque(s->data, x->qd, f);
    for (int i = 0; i < n; i++) c[i] += g[i] + f[i];
    expect_near(s, "Coriolis + gravity + friction", n, c, h, TOLERANCE, scale);
}

static void momentum_and_energy(subject *s, const motion *x)
{
    double M[MOST_DOF * MOST_DOF], p[MOST_DOF], is[MOST_DOF], T, U, work = 0;
    arne_mass(s->data, x->q, M);
    multiply(s->n, M, x->qd, p);
    arne_momentum(s->data, x->q, x->qd, is);
    expect_near(s, "p = M qd", s->n, is, p, TOLERANCE, largest(s->n * s->n, M) * largest(s->n, x->qd));
    for (int i = 0; i < s->n; i++) work += p[i] * x->qd[i] / 2;
    arne_energy(s->data, x->q, x->qd, &T, &U);
    expect_near(s, "T = qd'M qd/2", 1, &T, &work, TOLERANCE, largest(s->n * s->n, M) * (1 + largest(s->n, x->qd)));
}

static double energy_at(subject *s, const motion *x, double t)
{
    double q[MOST_DOF], qd[MOST_DOF], way[MOST_DOF], T, U;
    for (int i = 0; i < s->n; i++) {
        way[i] = t * (x->qd[i] + t * x->qdd[i] / 2);
        qd[i] = x->qd[i] + t * x->qdd[i];
    }
    arne_integrate(s->m, x->q, way, q);
    arne_energy(s->data, q, qd, &T, &U);
    return T + U;
}

/* d/dt (T + U) = qd'(tau - friction) */
static void energy_balance(subject *s, const motion *x)
{
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double tau[MOST_DOF], f[MOST_DOF], power = 0, rate = 0, size = 1;
    arne_id(s->data, x->q, x->qd, x->qdd, tau);
    arne_friction_torque(s->data, x->qd, f);
    for (int i = 0; i < s->n; i++) {
        power += x->qd[i] * (tau[i] - f[i]);
        size += fabs(x->qd[i] * (tau[i] - f[i]));
    }
    for (int k = 0; k < 4; k++) rate += weight[k] / H * (energy_at(s, x, (k + 1) * H) - energy_at(s, x, -(k + 1) * H));
    expect_near(s, "power", 1, &rate, &power, DIFFERENCES, size + fabs(energy_at(s, x, 0)));
}

static void gravity_is_settable(subject *s, const motion *x)
{
    static const double no[3];
    double g[3], off[MOST_DOF], on[MOST_DOF], G[MOST_DOF];
    random_vector(&s->r, 3, 20, g);
    arne_set_gravity(s->settings, no);
    arne_id(s->data, x->q, x->qd, x->qdd, off);
    arne_gravity(s->data, x->q, G);
    for (int i = 0; i < s->n; i++) assert_true(G[i] == 0);
    arne_set_gravity(s->settings, g);
    arne_id(s->data, x->q, x->qd, x->qdd, on);
    plain_move(s->judge, x->q, x->qd, x->qdd);
    plain_gravity(s->judge, g, G);
    const double scale = fmax(carried(s, x), largest(s->n, on));
    for (int i = 0; i < s->n; i++) on[i] -= off[i];
    expect_near(s, "another gravity", s->n, on, G, TOLERANCE, scale);
    arne_set_gravity(s->settings, s->g);
}

/* ---- masses ---- */
static void payloads_are_linear(subject *s, const motion *x)
{
    const int n = s->n, link = random_below(&s->r, s->nlink);
    double tau[3][MOST_DOF], after[MOST_DOF], once[MOST_DOF], twice[MOST_DOF];
    arne_body load = random_body(&s->r);
    for (int k = 0; k < 3; k++) {
        if (k == 2) {
            load.mass *= 2;
            for (int c = 0; c < 6; c++) load.inertia[c] *= 2;
        }
        arne_set_payload(s->settings, link, k ? &load : NULL);
        arne_id(s->data, x->q, x->qd, x->qdd, tau[k]);
    }
    arne_set_payload(s->settings, link, NULL);
    arne_id(s->data, x->q, x->qd, x->qdd, after);
    if (memcmp(tau[0], after, (size_t)n * sizeof *after)) fail_msg("%s: a payload leaves a trace after it is gone", s->name);
    for (int i = 0; i < n; i++) {
        once[i] = 2 * (tau[1][i] - tau[0][i]);
        twice[i] = tau[2][i] - tau[0][i];
    }
    expect_near(s, "a load of twice the mass", n, twice, once, TOLERANCE, carried(s, x) + largest(n, tau[2]));
}

/* two payloads on two links equal a robot with two more links on fixed joints */
static void payload_is_a_link(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, RANDOM_RIGID);
        arne_description *d = robot_number(number, RANDOM_RIGID);
        for (int k = 0; k < 2; k++) {
            const int link = s.nlink - 1 - k;
            char name[16];
            snprintf(name, sizeof name, "load %d", k);
            arne_link_description *l = arne_description_link(d, name, 0);
            assert_non_null(l);
            l->body = random_body(&s.r);
            assert_non_null(arne_description_joint(d, name, 0, ARNE_FIXED, arne_link_name(s.m, link), name));
            arne_set_payload(s.settings, link, &l->body);
        }
        d->mdh = false; /* the new joints have no numbers of that kind */
        subject loaded = subject_of(d);
        const motion x = subject_motion(&s, 1);
        double is[MOST_DOF], should[MOST_DOF];
        arne_id(s.data, x.q, x.qd, x.qdd, is);
        arne_id(loaded.data, x.q, x.qd, x.qdd, should);
        expect_close(&s, "payload against link", s.n, is, should, TOLERANCE);
        subject_close(&loaded);
        subject_close(&s);
    }
}

static void inertia_matrix_is_positive_definite(void **state) { (void)state, on_all_robots(positive_definite); }
static void factors_give_the_matrix_and_solve_it(void **state) { (void)state, on_all_robots(factors); }
static void forward_dynamics_undoes_inverse(void **state) { (void)state, on_all_robots(forward_undoes_inverse); }
static void momentum_and_energy_come_from_inertia(void **state) { (void)state, on_all_robots(momentum_and_energy); }
static void energy_changes_by_the_power_of_the_joints(void **state) { (void)state, on_all_robots(energy_balance); }
static void gravity_can_be_set(void **state) { (void)state, on_all_robots(gravity_is_settable); }
static void torques_are_linear_in_the_load(void **state) { (void)state, on_all_robots(payloads_are_linear); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertia_matrix_is_positive_definite),
        cmocka_unit_test(factors_give_the_matrix_and_solve_it),
        cmocka_unit_test(forward_dynamics_undoes_inverse),
        cmocka_unit_test(momentum_and_energy_come_from_inertia),
        cmocka_unit_test(energy_changes_by_the_power_of_the_joints),
        cmocka_unit_test(gravity_can_be_set),
        cmocka_unit_test(torques_are_linear_in_the_load),
        cmocka_unit_test(payload_is_a_link),
    };
    return cmocka_run_group_tests_name("laws/identities", tests, NULL, NULL);
}
