/* SPDX-License-Identifier: MIT
 *
 * forms_test.c - all formulations give the torques of arne_id; strobing and the modified recursive Newton-Euler give the inertia
 * matrix, the Coriolis arrays and the bias. */
#include "arne/formulations.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/oracle.h"
#include "support/subject.h"

/* Sums of many products in another order. */
static const double TOLERANCE = 1e-12;
/* The same of the largest torque, where joints may carry a thousand times more. */
static const double TORQUES = 1e-11;
/* Stored answers, printed with 16 digits; parameters with 6. */
static const double STORED = 1e-10;

enum { RANDOM_ROBOTS = FEWER(1008), WRENCHES = 3, SEEDS_PER_PARTS = 3 * RANDOM_FAMILIES };

typedef void law(subject *s, const motion *x);

/* Robots take turns with what they have; wrenches act on all of them. */
static void on_all_robots(law *holds, int robots)
{
    static const unsigned parts[] = {RANDOM_RIGID, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS, RANDOM_ALL};
    static const arne_frame frames[WRENCHES] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    for (int number = 0; number < shipped_robots() + robots; number++) {
        subject s = subject_number(number, parts[number / SEEDS_PER_PARTS % 3]);
        arne_wrench w[WRENCHES];
        for (int k = 0; k < WRENCHES; k++) {
            w[k] = (arne_wrench){.link = random_below(&s.r, s.nlink), .frame = frames[k]};
            random_vector(&s.r, 3, 50, w[k].force);
            random_vector(&s.r, 3, 50, w[k].moment);
            random_vector(&s.r, 3, 1, w[k].point);
        }
        arne_set_wrenches(s.settings, w, WRENCHES);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            holds(&s, &x);
        }
        subject_close(&s);
    }
}

static void same_torques(subject *s, const motion *x)
{
    double tau[MOST_DOF], other[MOST_DOF];
    arne_id(s->data, x->q, x->qd, x->qdd, tau);
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) {
        arne_forms_id(s->data, (arne_formulation)k, x->q, x->qd, x->qdd, other);
        expect_close(s, arne_formulation_name((arne_formulation)k), s->n, other, tau, TORQUES);
    }
}

static void matrices_and_bias(subject *s, const motion *x)
{
    const int n = s->n;
    double M[MOST_DOF * MOST_DOF], H[MOST_DOF * MOST_DOF], h[MOST_DOF], u[MOST_DOF];
    arne_mass(s->data, x->q, M);
    arne_bias(s->data, x->q, x->qd, h);
    arne_forms_mrnea(s->data, x->q, x->qd, H, u);
    expect_close(s, "mrnea: H", n * n, H, M, TOLERANCE);
    expect_near(s, "mrnea: u'", n, u, h, TOLERANCE, fmax(largest(n, h), carried(s, x)));
    arne_forms_strobe_mass(s->data, x->q, H);
    expect_close(s, "strobing: M", n * n, H, M, TOLERANCE);
}

static void coriolis_arrays(subject *s, const motion *x)
{
    static double C[MOST_DOF * MOST_DOF * MOST_DOF];
    const int n = s->n;
    double c[MOST_DOF], sum[MOST_DOF] = {0}, M[MOST_DOF * MOST_DOF];
    arne_coriolis_vector(s->data, x->q, x->qd, c);
    arne_forms_strobe_coriolis(s->data, x->q, C);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                if (C[(i * n + j) * n + k] != C[(i * n + k) * n + j]) fail_msg("%s: C is not symmetric", s->name);
                sum[i] += C[(i * n + j) * n + k] * x->qd[j] * x->qd[k];
            }
    arne_mass(s->data, x->q, M);
    expect_near(s, "sum of C_jk qd_j qd_k", n, sum, c, TOLERANCE, largest(n * n, M) * pow(largest(n, x->qd), 2));
}

static void all_formulations_give_the_torques_of_id(void **state)
{
    (void)state;
    on_all_robots(same_torques, RANDOM_ROBOTS);
}

/* Newton and Euler ask for the motion of a body; the others say in a sentence why they do not take a joint of several freedoms.
 */
static void wide_joints_are_taken_or_refused(void **state)
{
    (void)state;
    double tau[MOST_DOF], other[MOST_DOF], H[MOST_DOF * MOST_DOF];
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS / 4; number++) {
        subject s = subject_number(number, RANDOM_ANY);
        assert_int_equal(arne_data_prepare(s.data, ARNE_FORMS, NULL), ARNE_OK);
        const motion x = subject_motion(&s, 1 + number % 2);
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) {
            const arne_formulation by = (arne_formulation)k;
            const bool wide = s.nq != s.n, takes = !wide || by == ARNE_NE || by == ARNE_TURNEY || by == ARNE_NEWTON_EULER;
            const arne_status status = arne_forms_id(s.data, by, x.q, x.qd, x.qdd, other);
            assert_int_equal(status, takes ? ARNE_OK : ARNE_UNSUPPORTED);
            assert_true(takes || strstr(arne_formulation_narrow(by), "[00"));
            if (!takes) continue;
            expect_near(&s, arne_formulation_name(by), s.n, other, tau, TORQUES, fmax(largest(s.n, tau), carried(&s, &x)));
        }
        /* Walker and Orin's first method needs torques only */
        assert_int_equal(arne_forms_fd(s.data, ARNE_NE, x.q, x.qd, tau, other), ARNE_OK);
        expect_near(&s, "wo1", s.n, other, x.qdd, 1e-7, 1 + largest(s.n, x.qdd));
        if (s.nq != s.n) assert_int_equal(arne_forms_mrnea(s.data, x.q, x.qd, H, tau), ARNE_UNSUPPORTED);
        if (s.nq != s.n) assert_int_equal(arne_forms_strobe_mass(s.data, x.q, H), ARNE_UNSUPPORTED);
        subject_close(&s);
    }
}

static void mrnea_and_strobing_give_mass_and_bias(void **state)
{
    (void)state;
    on_all_robots(matrices_and_bias, RANDOM_ROBOTS);
}

static void strobed_arrays_give_the_coriolis_vector(void **state)
{
    (void)state;
    on_all_robots(coriolis_arrays, RANDOM_ROBOTS / 4);
}

/* A load may bring the mass of a link to nothing and leave its first moments, or turn the robot over. */
static void payloads_and_gravity_are_followed(void **state)
{
    (void)state;
    for (int number = 0; number < RANDOM_FAMILIES; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_MOTORS);
        const int link = arne_joint_link(s.m, s.n - 1);
        arne_body load = random_body(&s.r);
        const double g[3] = {3, -5, 7};
        arne_set_gravity(s.settings, g);
        for (int k = 0; k < 2; k++) {
            arne_set_payload(s.settings, link, &load);
            const motion x = subject_motion(&s, 1);
            same_torques(&s, &x);
            matrices_and_bias(&s, &x);
            load.mass = -arne_link_body(s.m, link)->mass;
        }
        subject_close(&s);
    }
}

static void names_are_found(void **state)
{
    (void)state;
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) {
        assert_int_equal(arne_formulation_find(arne_formulation_name((arne_formulation)k)), k);
        assert_true(strlen(arne_formulation_about((arne_formulation)k)) > 10);
    }
    assert_int_equal(arne_formulation_find("turney"), ARNE_TURNEY);
    assert_int_equal(arne_formulation_find("recursive-lagrange"), ARNE_RECURSIVE_LAGRANGE);
    assert_int_equal(arne_formulation_find("newton"), -1);
    assert_int_equal(arne_formulation_find(""), -1);
}

/* ---- the arm of tests/data/seeds34, in the paper's distal frames ---- */
enum { ARM = 6 };

typedef struct {
    cJSON *file;
    arne_model *m;
    arne_data *d;
    double q[ARM], qd[ARM], qdd[ARM];
} arm;

static arm arm_open(void)
{
    arm r = {.file = oracle_load(ARNE_TEST_DATA "/seeds34/arm6_formulations.json")};
    double phi[ARM], a[ARM], d[ARM], m[ARM], c[3 * ARM], I[9 * ARM];
    oracle_numbers(r.file, "phi", ARM, phi);
    oracle_numbers(r.file, "a", ARM, a);
    oracle_numbers(r.file, "d", ARM, d);
    oracle_numbers(r.file, "m", ARM, m);
    oracle_numbers(r.file, "rbar", 3 * ARM, c);
    oracle_numbers(r.file, "I", 9 * ARM, I);
    oracle_numbers(r.file, "theta", ARM, r.q);
    oracle_numbers(r.file, "theta_dot", ARM, r.qd);
    oracle_numbers(r.file, "theta_ddot", ARM, r.qdd);
    arne_description *description = arne_description_new("arm6");
    assert_non_null(description);
    description->gravity[2] = -oracle_number(r.file, "g");
    assert_non_null(arne_description_link(description, "base", 0));
    for (int i = 0; i < ARM; i++) {
        char parent[8] = "base", name[8];
        if (i > 0) snprintf(parent, sizeof parent, "j%d", i);
        snprintf(name, sizeof name, "j%d", i + 1);
        arne_link_description *l = arne_description_link(description, name, 0);
        assert_non_null(l);
        const double *t = I + 9 * i;
        l->body = (arne_body){m[i], {c[3 * i], c[3 * i + 1], c[3 * i + 2]}, {t[0], t[1], t[2], t[4], t[5], t[8]}};
        arne_joint_description *j = arne_description_joint(description, name, 0, ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        j->after = arne_pose_dh(a[i], phi[i], d[i], 0);
    }
    arne_error error;
    if (arne_model_build(description, NULL, &r.m, &error) != ARNE_OK) fail_msg("%s", error.message);
    arne_description_free(description);
    r.d = test_data(r.m);
    return r;
}

static void arm_close(arm *r)
{
    arne_data_free(r->d);
    arne_model_free(r->m);
    cJSON_Delete(r->file);
}

static void stored_torques_come_out_of_every_formulation(void **state)
{
    (void)state;
    arm r = arm_open();
    static const double zero[ARM];
    static const double off[3];
    double want[ARM], M[ARM * ARM], C[ARM], G[ARM], tau[ARM];
    oracle_numbers(r.file, "tau", ARM, want);
    oracle_numbers(r.file, "M", ARM * ARM, M);
    oracle_numbers(r.file, "C", ARM, C);
    oracle_numbers(r.file, "G", ARM, G);
    for (int k = 0; k < ARNE_FORMULATION_COUNT; k++) {
        const arne_formulation method = (arne_formulation)k;
        const char *name = arne_formulation_name(method);
        arne_forms_id(r.d, method, r.q, r.qd, r.qdd, tau);
        oracle_close(name, tau, want, ARM, STORED);
        const cJSON *misprint;
        cJSON_ArrayForEach(misprint, oracle_field(r.file, "torques_given_by_the_printed_misprints"))
        {
            double away = 0;
            for (int i = 0; i < ARM; i++) away = fmax(away, fabs(tau[i] - cJSON_GetArrayItem(misprint, i)->valuedouble));
            if (away < 0.1) fail_msg("%s: these are the torques of %s", name, misprint->string);
        }
        arne_forms_id(r.d, method, r.q, zero, zero, tau);
        oracle_close(name, tau, G, ARM, STORED);
        arne_set_gravity(arne_data_settings(r.d), off);
        arne_forms_id(r.d, method, r.q, r.qd, zero, tau);
        oracle_close(name, tau, C, ARM, STORED);
        for (int j = 0; j < ARM; j++) {
            double unit[ARM] = {0}, column[ARM];
            unit[j] = 1;
            arne_forms_id(r.d, method, r.q, zero, unit, tau);
            for (int i = 0; i < ARM; i++) column[i] = M[i * ARM + j];
            oracle_close(name, tau, column, ARM, STORED);
        }
        arne_set_gravity(arne_data_settings(r.d), arne_model_gravity(r.m));
    }
    arm_close(&r);
}

static void stored_matrices_come_out_of_mrnea_and_strobing(void **state)
{
    (void)state;
    arm r = arm_open();
    double M[ARM * ARM], C[ARM], G[ARM], H[ARM * ARM], u[ARM], arrays[ARM * ARM * ARM], sum[ARM] = {0};
    oracle_numbers(r.file, "M", ARM * ARM, M);
    oracle_numbers(r.file, "C", ARM, C);
    oracle_numbers(r.file, "G", ARM, G);
    arne_forms_mrnea(r.d, r.q, r.qd, H, u);
    oracle_close("H", H, M, ARM * ARM, STORED);
    for (int i = 0; i < ARM; i++) G[i] += C[i];
    oracle_close("u'", u, G, ARM, STORED);
    arne_forms_strobe_mass(r.d, r.q, H);
    oracle_close("M by strobing", H, M, ARM * ARM, STORED);
    arne_forms_strobe_coriolis(r.d, r.q, arrays);
    for (int i = 0; i < ARM; i++)
        for (int j = 0; j < ARM; j++)
            for (int k = 0; k < ARM; k++) sum[i] += arrays[(i * ARM + j) * ARM + k] * r.qd[j] * r.qd[k];
    oracle_close("C by strobing", sum, C, ARM, STORED);
    arm_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_formulations_give_the_torques_of_id),
        cmocka_unit_test(wide_joints_are_taken_or_refused),
        cmocka_unit_test(mrnea_and_strobing_give_mass_and_bias),
        cmocka_unit_test(strobed_arrays_give_the_coriolis_vector),
        cmocka_unit_test(payloads_and_gravity_are_followed),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(stored_torques_come_out_of_every_formulation),
        cmocka_unit_test(stored_matrices_come_out_of_mrnea_and_strobing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
