/* SPDX-License-Identifier: MIT
 *
 * coriolis_test.c - NE* and the Coriolis matrices: Mdot = C + C', C qd = c, the three factorizations, products, dT/dq; and stored
 * answers of 45-digit arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "algo/rows.h"
#include "arne/coriolis.h"
#include "arne/quantity.h"
#include "support/oracle.h"
#include "support/subject.h"

/* identities between our own texts: rounding, beside the largest entry or what the joints carry */
static const double LAW = 1e-12;
/* exact answers */
static const double DIGITS = 1e-10;

enum { RANDOM_ROBOTS = FEWER(2000), N = MOST_DOF, FACTORS = 3 };

static double rate_scale(int n, const double *a, const double *b)
{
    const double x = largest(n, a), y = largest(n, b);
    return x > y ? x : y;
}

static void mass_rate(subject *s, const motion *x, double *R)
{
    double unit[N], column[N];
    for (int k = 0; k < s->n; k++) {
        for (int i = 0; i < s->n; i++) unit[i] = i == k;
        arne_mass_rate_product(s->data, x->q, x->qd, unit, column);
        for (int i = 0; i < s->n; i++) R[i * s->n + k] = column[i];
    }
}

static void multiply(int n, const double *A, const double *x, bool transposed, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += A[transposed ? k * n + i : i * n + k] * x[k];
    }
}

static void check_state(subject *s, const motion *x, const double *any)
{
    const int n = s->n;
    double C[FACTORS][N * N], R[N * N], sum[N * N], y[N], z[N], c[N], M[N * N], g[N], p[N], ct[N], pp[N], gg[N];
    arne_coriolis_vector(s->data, x->q, x->qd, c);
    arne_gravity(s->data, x->q, g);
    arne_momentum(s->data, x->q, x->qd, p);
    arne_mass(s->data, x->q, M);
    arne_momentum_terms(s->data, x->q, x->qd, pp, ct, gg);
    const double weight = carried(s, x);
    expect_near(s, "momentum of the terms", n, pp, p, LAW, largest(n, p));
    expect_near(s, "gravity of the terms", n, gg, g, LAW, weight);
    arne_ctqd(s->data, x->q, x->qd, y);
    expect_near(s, "C'qd alone", n, y, ct, 0, 1);
    mass_rate(s, x, R);
    for (int f = 0; f < FACTORS; f++) {
        const arne_factor_choice factor = (arne_factor_choice)f;
        arne_coriolis(s->data, factor, x->q, x->qd, C[f]);
        /* entries are sums of terms as large as M qd, which may cancel altogether */
        const double size = largest(n * n, C[f]) + largest(n * n, M) * largest(n, x->qd);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) sum[i * n + k] = C[f][i * n + k] + C[f][k * n + i];
        expect_near(s, "dM/dt = C + C'", n * n, sum, R, LAW, size);
        multiply(n, C[f], x->qd, false, y);
        expect_near(s, "C qd = c", n, y, c, LAW, size * largest(n, x->qd) + weight);
        multiply(n, C[f], x->qd, true, y);
        expect_near(s, "C'qd = dT/dq", n, y, ct, LAW, size * largest(n, x->qd));
        /* products with any vector */
        multiply(n, C[f], any, false, z);
        arne_coriolis_product(s->data, factor, x->q, x->qd, any, y);
        expect_near(s, "C x", n, y, z, LAW, size * largest(n, any) + weight);
        multiply(n, C[f], any, true, z);
        arne_coriolis_transpose_product(s->data, factor, x->q, x->qd, any, y);
        expect_near(s, "C'x", n, y, z, LAW, (size + largest(n * n, R)) * largest(n, any) * n + weight);
        /* NE* = M qdd + C qa + g */
        arne_star(s->data, factor, x->q, x->qd, any, x->qdd, y);
        multiply(n, M, x->qdd, false, sum);
        multiply(n, C[f], any, false, z);
        for (int i = 0; i < n; i++) z[i] += sum[i] + g[i];
        expect_near(s, "NE*", n, y, z, LAW, largest(n, sum) + size * largest(n, any) + weight);
    }
    for (int i = 0; i < n * n; i++) sum[i] = (C[ARNE_STAR0001][i] + C[ARNE_STAR1110][i]) / 2;
    expect_near(s, "Christoffel is the mean", n * n, C[ARNE_CHRISTOFFEL_FACTOR], sum, LAW,
                rate_scale(n * n, C[ARNE_STAR0001], C[ARNE_STAR1110]) + largest(n * n, M) * largest(n, x->qd));
    assert_int_equal(arne_compute(s->data, TEXT_coriolis_screws, NULL, &(arne_state){.q = x->q, .qd = x->qd}, sum), ARNE_OK);
    expect_near(s, "by screws", n * n, sum, C[ARNE_CHRISTOFFEL_FACTOR], LAW,
                largest(n * n, sum) + largest(n * n, M) * largest(n, x->qd));
}

static void coriolis_laws_hold(void **state)
{
    (void)state;
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, number / RANDOM_FAMILIES % 2 ? RANDOM_ANY : RANDOM_ALL);
        for (int k = 0; k < 3; k++) {
            const motion x = subject_motion(&s, k);
            double any[N];
            random_vector(&s.r, s.n, 2, any);
            check_state(&s, &x, any);
        }
        subject_close(&s);
    }
}

/* a spatial arm: the two factorizations differ, and by sum of tr(I) Jw' S(w) Jw */
static void factorizations_differ_where_axes_span_space(void **state)
{
    (void)state;
    double A[N * N], B[N * N];
    int different = 0;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, RANDOM_RIGID);
        const motion x = subject_motion(&s, 1);
        arne_coriolis(s.data, ARNE_STAR0001, x.q, x.qd, A);
        arne_coriolis(s.data, ARNE_STAR1110, x.q, x.qd, B);
        double most = 0;
        for (int i = 0; i < s.n * s.n; i++) most = fmax(most, fabs(A[i] - B[i]));
        different += most > 1e-3 * largest(s.n * s.n, A);
        if (!strcmp(s.name, "planar2r")) assert_true(most < 1e-15);
        subject_close(&s);
    }
    assert_true(different >= 8);
}

static void is(const cJSON *at, const char *field, const double *got, int count)
{
    double want[ORACLE_JOINTS * ORACLE_JOINTS];
    oracle_numbers(at, field, count, want);
    oracle_close(field, got, want, count, DIGITS);
}

static bool check_star(const cJSON *robot, arne_data *d, const cJSON *at)
{
    (void)robot;
    const arne_model *m = arne_data_model(d);
    const int n = arne_model_dof(m);
    const double none[3] = {0};
    double q[N], qd[N], qa[N], qdd[N], u[N];
    arne_set_rigid(arne_data_settings(d), true);
    oracle_numbers(at, "q", n, q);
    oracle_numbers(at, "qd", n, qd);
    oracle_numbers(at, "qda", n, qa);
    oracle_numbers(at, "qdd", n, qdd);
    arne_set_gravity(arne_data_settings(d), cJSON_IsTrue(oracle_field(at, "gravity")) ? arne_model_gravity(m) : none);
    arne_star(d, ARNE_STAR0001, q, qd, qa, qdd, u);
    is(at, "u_0001", u, n);
    arne_star(d, ARNE_STAR1110, q, qd, qa, qdd, u);
    is(at, "u_1110", u, n);
    arne_star(d, ARNE_CHRISTOFFEL_FACTOR, q, qd, qa, qdd, u);
    is(at, "u_christoffel", u, n);
    return true;
}

static void stored_answers_of_the_star(void **state)
{
    (void)state;
    oracle_all(".nestar.json", 6, check_star);
}

static bool check_matrices(const cJSON *robot, arne_data *d, const cJSON *at)
{
    (void)robot;
    const int n = arne_model_dof(arne_data_model(d));
    double q[N], qd[N], C[N * N], y[N];
    oracle_numbers(at, "q", n, q);
    oracle_numbers(at, "qd", n, qd);
    arne_coriolis(d, ARNE_STAR0001, q, qd, C);
    is(at, "C_0001", C, n * n);
    arne_coriolis(d, ARNE_STAR1110, q, qd, C);
    is(at, "C_1110", C, n * n);
    arne_ctqd(d, q, qd, y);
    is(at, "CT_qd", y, n);
    return true;
}

static void stored_answers_of_the_matrices(void **state)
{
    (void)state;
    oracle_all(".rigid.json", 7, check_matrices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coriolis_laws_hold),
        cmocka_unit_test(factorizations_differ_where_axes_span_space),
        cmocka_unit_test(stored_answers_of_the_star),
        cmocka_unit_test(stored_answers_of_the_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
