/* SPDX-License-Identifier: MIT
 *
 * regressor_test.c - Y K is arne_id; orders, names, friction columns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/identify.h"
#include "support/subject.h"

/* Columns are larger than torques: parts of a link's inertia cancel that stand in different columns. */
static const double CLOSE = 1e-11;
/* Axes 1e-9 from parallel: base parameters take them as parallel. */
static const double NEARLY = 1e-7;

static void product(int rows, int columns, const double *Y, const double *K, double *tau)
{
    for (int i = 0; i < rows; i++) {
        tau[i] = 0;
        for (int c = 0; c < columns; c++) tau[i] += Y[i * columns + c] * K[c];
    }
}

/* the size of what is added up */
static double size_of(int rows, int columns, const double *Y, const double *K)
{
    double size = 0;
    for (int i = 0; i < rows * columns; i++) size = fmax(size, fabs(Y[i] * K[i % columns]));
    return size;
}

static void check_subject(subject *s, double base_tolerance)
{
    const int n = s->n, width = 13 * n;
    double tau[MOST_DOF], sum[MOST_DOF], friction[MOST_DOF], K[13 * MOST_DOF], KB[11 * MOST_DOF];
    double *Y = calloc((size_t)(width * n), sizeof *Y), *Z = calloc((size_t)(width * n), sizeof *Z);
    arne_base *b = NULL;
    arne_data *rigid = test_data(s->m);
    assert_true(Y && Z);
    assert_int_equal(arne_base_find(s->m, NULL, &b, NULL), ARNE_OK);
    arne_set_rigid(arne_data_settings(rigid), true);
    for (int k = 0; k < 3; k++) {
        const motion x = subject_motion(s, k);
        arne_regressor(s->data, x.q, x.qd, x.qdd, Y);
        arne_parameters(s->settings, K);
        product(n, 11 * n, Y, K, sum);
        const double scale = fmax(carried(s, &x), size_of(n, 11 * n, Y, K));
        arne_id(s->data, x.q, x.qd, x.qdd, tau);
        arne_friction_torque(s->data, x.qd, friction);
        for (int i = 0; i < n; i++) tau[i] -= friction[i];
        expect_near(s, "Y K = id", n, sum, tau, CLOSE, scale);
        arne_base_columns(b, n, Y, Z);
        arne_base_values(b, K, KB);
        product(n, b->count, Z, KB, sum);
        expect_near(s, "YB KB = id", n, sum, tau, base_tolerance, fmax(scale, size_of(n, b->count, Z, KB)));
        for (int c = 0; c < 11 * n; c++) KB[c] = (double)NAN;
        arne_base_grouped(b, K, KB);
        product(n, 11 * n, Y, KB, sum);
        expect_near(s, "Y G = id", n, sum, tau, base_tolerance, fmax(scale, size_of(n, 11 * n, Y, KB)));
        arne_reorder(ARNE_ORDER_PINOCCHIO, n, n, 11 * n, Y);
        arne_reorder(ARNE_ORDER_PINOCCHIO, n, 1, 11 * n, K);
        product(n, 11 * n, Y, K, sum);
        expect_near(s, "Y K = id in another order", n, sum, tau, CLOSE, scale);
        /* switched off rotors */
        arne_regressor(rigid, x.q, x.qd, x.qdd, Y);
        arne_parameters(arne_data_settings(rigid), K);
        product(n, 11 * n, Y, K, sum);
        arne_id(rigid, x.q, x.qd, x.qdd, tau);
        expect_near(s, "Y K = id of the rigid robot", n, sum, tau, CLOSE, scale);
    }
    arne_base_free(b);
    arne_data_free(rigid);
    free(Y);
    free(Z);
}

static void regressor_times_parameters_is_the_torque(void **state)
{
    (void)state;
    for (int k = 0; k < shipped_robots() + 280; k++) {
        subject s = subject_number(k, k % 3 == 0 ? RANDOM_MOTORS | RANDOM_TRANSMISSION : RANDOM_MOTORS | RANDOM_FRICTION);
        const int seed = k - shipped_robots(); /* random robot number `seed` */
        check_subject(&s, seed >= 0 && seed % RANDOM_FAMILIES == FAMILY_NEARLY_PARALLEL ? NEARLY : CLOSE);
        subject_close(&s);
    }
}

static void payloads_are_parameters(void **state)
{
    (void)state;
    subject s = subject_number(shipped_robots() + 5, RANDOM_MOTORS);
    const arne_body load = {3, {0.1, -0.2, 0.3}, {0.1, 0.01, 0.02, 0.1, 0.03, 0.1}};
    arne_set_payload(s.settings, s.nlink - 1, &load);
    check_subject(&s, CLOSE);
    subject_close(&s);
}

static void friction_has_columns_of_its_own(void **state)
{
    (void)state;
    for (int k = 0; k < 28; k++) {
        subject s = subject_number(shipped_robots() + k, RANDOM_MOTORS | RANDOM_FRICTION);
        const int n = s.n, width = 13 * n;
        double *Y = calloc((size_t)(width * n), sizeof *Y), K[13 * MOST_DOF], tau[MOST_DOF], sum[MOST_DOF];
        const motion x = subject_motion(&s, 1);
        assert_non_null(Y);
        arne_regressor_friction(s.data, x.q, x.qd, x.qdd, Y);
        arne_parameters_friction(s.settings, K);
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        product(n, width, Y, K, sum);
        expect_near(&s, "Y K with friction", n, sum, tau, CLOSE, fmax(carried(&s, &x), size_of(n, width, Y, K)));
        free(Y);
        subject_close(&s);
    }
}

/* One slide along z: tau = M (qdd + 9.81) + IA qdd, by hand. */
static void a_lift_by_hand(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("lift");
    arne_model *m = NULL;
    assert_non_null(d);
    arne_description_link(d, "base", 0);
    arne_description_link(d, "car", 0);
    arne_description_joint(d, "rail", 0, ARNE_PRISMATIC, "base", "car");
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_data *data = test_data(m);
    const double q = 0.3, qd = 2, qdd = 0.5;
    double Y[11];
    arne_regressor(data, &q, &qd, &qdd, Y);
    for (int c = 0; c < 9; c++) assert_true(Y[c] == 0);
    assert_true(fabs(Y[9] - 10.31) < 1e-14);
    assert_true(Y[10] == 0.5);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

/* parameters read and set again change no bit; base parameters in their place give the same torques */
static void parameters_may_be_set(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, RANDOM_ALL);
        double K[11 * MOST_DOF], tau[MOST_DOF], again[MOST_DOF];
        const motion x = subject_motion(&s, 1);
        arne_base *base;
        arne_error e;
        const arne_base_options options = {.size = sizeof options, .no_rotors = s.d->transmission != NULL};
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        arne_parameters(s.settings, K);
        arne_set_parameters(s.settings, K);
        arne_id(s.data, x.q, x.qd, x.qdd, again);
        assert_memory_equal(tau, again, (size_t)s.n * sizeof *tau);
        assert_int_equal(arne_base_find(s.m, &options, &base, &e), ARNE_OK);
        arne_base_grouped(base, K, K);
        arne_set_parameters(s.settings, K);
        arne_id(s.data, x.q, x.qd, x.qdd, again);
        expect_near(&s, "torques of base parameters", s.n, again, tau, CLOSE, carried(&s, &x));
        arne_base_free(base);
        subject_close(&s);
    }
}

static void parameters_and_orders_have_names(void **state)
{
    (void)state;
    char name[16];
    static const char *const want[] = {"XX2", "XY2", "XZ2", "YY2", "YZ2", "ZZ2", "MX2", "MY2", "MZ2", "M2", "IA2"};
    for (int c = 0; c < 11; c++) {
        arne_parameter_name(3, 11 + c, name);
        assert_string_equal(name, want[c]);
    }
    arne_parameter_name(3, 33, name);
    assert_string_equal(name, "FV1");
    arne_parameter_name(3, 38, name);
    assert_string_equal(name, "FS3");
    assert_int_equal(arne_order_find("pinocchio"), ARNE_ORDER_PINOCCHIO);
    assert_int_equal(arne_order_find("khalil"), ARNE_ORDER_KHALIL);
    assert_int_equal(arne_order_find("none"), -1);
    double row[11];
    for (int c = 0; c < 11; c++) row[c] = c;
    arne_reorder(ARNE_ORDER_PINOCCHIO, 1, 1, 11, row);
    static const double pinocchio[] = {9, 6, 7, 8, 0, 1, 3, 2, 4, 5, 10}; /* m mc Ixx Ixy Iyy Ixz Iyz Izz */
    for (int c = 0; c < 11; c++) assert_true(row[c] == pinocchio[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regressor_times_parameters_is_the_torque),
        cmocka_unit_test(payloads_are_parameters),
        cmocka_unit_test(friction_has_columns_of_its_own),
        cmocka_unit_test(a_lift_by_hand),
        cmocka_unit_test(parameters_may_be_set),
        cmocka_unit_test(parameters_and_orders_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
