/* SPDX-License-Identifier: MIT
 *
 * border_test.c - elastic joints: nothing where something should be, springs that are none, wrenches that come and go. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arne/elastic.h"
#include "arne/file.h"
#include "support/grow.h"

enum { BAD = ARNE_BAD_ARGUMENT, N = 7 };

static arne_model *m;
static arne_flex *f;
static double x[5 * N], y[N], z[N];

static int set_up(void **state)
{
    (void)state;
    arne_settings *s;
    if (arne_load(ARNE_ROBOTS "/kuka-lwr.yaml", &m, NULL) || arne_settings_new(m, &s, NULL)) return -1;
    const arne_status status = arne_flex_new(s, &f, NULL);
    arne_settings_free(s); /* nothing of it is kept */
    for (int i = 0; i < 5 * N; i++) x[i] = sin(i);
    return (int)status;
}

static int tear_down(void **state)
{
    (void)state;
    arne_flex_free(f);
    arne_model_free(m);
    return 0;
}

static arne_status torques(void *context, const void *given)
{
    arne_status status = arne_flex_id(context, x, given);
    if (!status) status = arne_flex_id_taylor(context, x, given);
    return status;
}

static void nothing_is_refused(void **state)
{
    (void)state;
    arne_settings *s;
    arne_flex *g;
    double e, p;
    assert_int_equal(arne_settings_new(m, &s, NULL), ARNE_OK);
    assert_int_equal(arne_flex_new(NULL, &g, NULL), BAD);
    assert_null(g);
    assert_int_equal(arne_flex_new(s, NULL, NULL), BAD);
    arne_settings_free(s);
    arne_flex_free(NULL);
    assert_true(!arne_flex_settings(NULL) && !arne_flex_rotors(NULL) && !arne_flex_stiffness(NULL));
    assert_int_equal(arne_flex_joint(NULL), -1);
    const arne_flex_torques to = {.size = sizeof to, .tau_e = y, .tau = z};
    expect_grows(&to, sizeof to, offsetof(arne_flex_torques, theta), torques, f);
    assert_int_equal(arne_flex_id(NULL, x, &to), BAD);
    assert_int_equal(arne_flex_id(f, NULL, &to), BAD);
    assert_int_equal(arne_flex_id(f, x, NULL), BAD);
    assert_int_equal(arne_flex_id_taylor(NULL, x, &to), BAD);
    assert_int_equal(arne_flex_id_taylor(f, NULL, &to), BAD);
    assert_int_equal(arne_flex_id_taylor(f, x, NULL), BAD);
    /* one pointer missing at a time: bit k of `there` */
    for (unsigned k = 0; k < 8; k++) {
        arne_flex *F = k == 0 ? NULL : f;
        double *a = k == 1 ? NULL : x, *b = k == 2 ? NULL : x + N, *c = k == 3 ? NULL : x + 2 * N, *d = k == 4 ? NULL : x + 3 * N;
        double *t = k == 5 ? NULL : x, *u = k == 6 ? NULL : y, *v = k == 7 ? NULL : z;
        assert_int_equal(arne_flex_fd(F, a, b, c, d, t, u, v), BAD);
        assert_int_equal(arne_flex_spring(F, a, b, c, d, u), k == 5 || k == 7 ? ARNE_OK : BAD);
        assert_int_equal(arne_flex_rest(F, a, u, v), k >= 2 && k <= 5 ? ARNE_OK : BAD);
        assert_int_equal(arne_flex_energy(F, a, b, c, d, u, v), k == 5 ? ARNE_OK : BAD);
        assert_int_equal(arne_flex_state(F, a, b, c, d, u, v), k < 5 ? BAD : ARNE_OK);
        assert_int_equal(arne_flex_state_measured(F, a, b, c, d, t, u, v), k < 6 ? BAD : ARNE_OK);
        assert_int_equal(arne_flex_linearize(F, a, b, c, d, t, u), k == 7 ? ARNE_OK : BAD);
    }
    assert_int_equal(arne_flex_energy(f, x, x, x, x, &e, &p), ARNE_OK);
}

static void springs_must_be_springs(void **state)
{
    (void)state;
    double K[N];
    static const double wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < N; i++) K[i] = 1000;
    assert_int_equal(arne_flex_set_stiffness(NULL, K, NULL, NULL), BAD);
    assert_int_equal(arne_flex_scale_springs(NULL, K), BAD);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 4; k++) {
            K[i] = wrong[k];
            assert_int_equal(arne_flex_set_stiffness(f, K, NULL, NULL), BAD);
            assert_int_equal(arne_flex_scale_springs(f, K), BAD);
        }
        K[i] = 1;
    }
    assert_int_equal(arne_flex_set_stiffness(f, K, NULL, NULL), ARNE_OK);
    assert_int_equal(arne_flex_scale_springs(f, K), ARNE_OK);
    assert_int_equal(arne_flex_set_stiffness(f, NULL, NULL, NULL), ARNE_OK);
}

/* The torque k1 x + k3 x^3 + k5 x^5 must rise everywhere: the least of k1 + 3 k3 y + 5 k5 y^2 over y = x^2 is above zero. Of a
 * described robot; a file is judged before. */
static void springs_must_rise(void **state)
{
    (void)state;
    /* 9 k3^2 = 20 k1 k5 at k1 = 5, k5 = 9, k3 = -10 */
    static const struct {
        double k1, k3, k5;
        bool rises;
    } cases[] = {{5, -9.99, 9, true},   {5, -10, 9, false},    {5, -10.01, 9, false}, {5, 10.01, 9, true}, {5, 0, 0, true},
                 {5, -1, 0, false},     {5, -1, -9, false},    {5, 1, -1e-6, false},  {5, -1, 9, true},    {500, -99.9, 9, true},
                 {500, -101, 9, false}, {5, -99.9, 900, true}, {5, -101, 900, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arne_description *d;
        arne_model *sprung;
        arne_settings *s;
        arne_flex *g;
        arne_error error = {0};
        assert_int_equal(arne_read(ARNE_ROBOTS "/kuka-lwr.yaml", NULL, &d, NULL), ARNE_OK);
        d->joints[2].elastic = (arne_elastic){.stiffness = cases[k].k1, .cubic = cases[k].k3, .quintic = cases[k].k5};
        assert_int_equal(arne_model_build(d, NULL, &sprung, NULL), ARNE_OK);
        assert_int_equal(arne_settings_new(sprung, &s, NULL), ARNE_OK);
        const arne_status status = arne_flex_new(s, &g, &error);
        if ((status == ARNE_OK) != cases[k].rises) fail_msg("case %zu: %s", k, error.message);
        if (status) assert_non_null(strstr(error.message, d->joints[2].name));
        arne_flex_free(g);
        arne_settings_free(s);
        arne_model_free(sprung);
        arne_description_free(d);
    }
}

/* rates are copied; a wrench set later, beyond those they were given for, is constant */
static void rates_are_copied(void **state)
{
    (void)state;
    double first[N], again[N], alone[N];
    const arne_flex_torques a = {.size = sizeof a, .dtau_e = first}, b = {.size = sizeof b, .dtau_e = again};
    const arne_wrench two[2] = {{.link = 7, .frame = ARNE_ALIGNED, .force = {1, 2, 3}},
                                {.link = 5, .frame = ARNE_ALIGNED, .force = {0, 0, 0}}};
    arne_wrench rate = {.force = {10, 0, 0}};
    arne_set_wrenches(arne_flex_settings(f), two, 1);
    assert_int_equal(arne_flex_set_wrench_rates(NULL, &rate, NULL, 1), BAD);
    assert_int_equal(arne_flex_set_wrench_rates(f, &rate, NULL, -1), BAD);
    assert_int_equal(arne_flex_set_wrench_rates(f, &rate, NULL, 1 + arne_most_wrenches(m)), BAD);
    const arne_flex_torques c = {.size = sizeof c, .dtau_e = alone};
    arne_flex_id(f, x, &c);
    assert_int_equal(arne_flex_set_wrench_rates(f, &rate, NULL, 1), ARNE_OK);
    arne_flex_id(f, x, &a);
    assert_memory_not_equal(first, alone, sizeof first);
    rate.force[0] = NAN;
    arne_set_wrenches(arne_flex_settings(f), two, 2);
    arne_flex_id(f, x, &b);
    for (int i = 0; i < N; i++) assert_true(fabs(again[i] - first[i]) <= 1e-9 * (1 + fabs(first[i])));
    /* rates of two, then of one: the second is constant again; and as many as there may be */
    const arne_wrench both[2] = {{.force = {10, 0, 0}}, {.force = {0, 20, 0}}};
    assert_int_equal(arne_flex_set_wrench_rates(f, both, both, 2), ARNE_OK);
    arne_flex_id(f, x, &b);
    assert_memory_not_equal(again, first, sizeof first);
    assert_int_equal(arne_flex_set_wrench_rates(f, both, NULL, 1), ARNE_OK);
    arne_flex_id(f, x, &b);
    for (int i = 0; i < N; i++) assert_true(fabs(again[i] - first[i]) <= 1e-9 * (1 + fabs(first[i])));
    arne_wrench *all = calloc((size_t)arne_most_wrenches(m), sizeof *all);
    assert_non_null(all);
    assert_int_equal(arne_flex_set_wrench_rates(f, all, all, arne_most_wrenches(m)), ARNE_OK);
    free(all);
    arne_set_wrenches(arne_flex_settings(f), NULL, 0);
    assert_int_equal(arne_flex_set_wrench_rates(f, NULL, NULL, 0), ARNE_OK);
}

/* each of what a motion needs, missing */
static void a_motion_needs_everything(void **state)
{
    (void)state;
    arne_data *rigid;
    arne_flex_record joints[N];
    double more[4][N], t = 0;
    arne_error error;
    assert_int_equal(arne_data_new(m, &rigid, NULL), ARNE_OK);
    for (int k = -1; k < 12; k++) {
        const arne_flex_torques to = {.size = sizeof to,
                                      .tau_e = k == 0 ? NULL : more[0],
                                      .tau = k == 1 ? NULL : more[1],
                                      .theta = k == 2 ? NULL : more[2],
                                      .dtheta = k == 3 ? NULL : more[3]};
        const arne_status status =
            arne_flex_motion(k == 4 ? NULL : f, k == 5 ? NULL : rigid, k == 6 ? -1 : 1, k == 7 ? NULL : &t, k == 8 ? NULL : x,
                             k == 9 ? NULL : &to, k == 10 ? NULL : y, k == 11 ? NULL : joints, &error);
        assert_int_equal(status, k < 0 ? ARNE_OK : BAD);
        if (status) assert_string_equal(error.message, "a motion, the robot twice and places for the answers are needed");
    }
    arne_data_free(rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_refused), cmocka_unit_test(springs_must_be_springs),   cmocka_unit_test(springs_must_rise),
        cmocka_unit_test(rates_are_copied),   cmocka_unit_test(a_motion_needs_everything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
