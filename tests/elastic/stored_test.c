/* SPDX-License-Identifier: MIT
 *
 * stored_test.c - robots with elastic joints: stored answers, and the experiment of [002 section V]. */
#include "arne/trajectory.h"
#include "elastic/answer.h"
#include "support/oracle.h"

/* 17 digits printed */
static const double STORED = 1e-9;

static arne_model *stored_robot(const cJSON *file)
{
    const cJSON *robot = oracle_field(file, "robot");
    arne_description *d = oracle_dh_description(robot);
    double K[ORACLE_JOINTS];
    oracle_numbers(robot, "stiffness", (int)d->njoint, K);
    for (size_t i = 0; i < d->njoint; i++) d->joints[i].elastic.stiffness = K[i];
    arne_model *m = NULL;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error) != ARNE_OK) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static void stored_motion(const cJSON *one, int n, double *q)
{
    static const char *const field[ROWS] = {"q", "q1", "q2", "q3", "q4"};
    for (int k = 0; k < ROWS; k++) oracle_numbers(one, field[k], n, q + k * n);
}

static void stored_close(const cJSON *one, const char *field, const double *got, int n)
{
    double want[ORACLE_JOINTS];
    if (!cJSON_GetObjectItem(one, field)) return;
    oracle_numbers(one, field, n, want);
    oracle_close(field, got, want, n, STORED);
}

static void stored_answers_are_met(void **state)
{
    (void)state;
    static const char *const ending[] = {".elastic.json", ".experiment.json"};
    int cases = 0;
    for (int e = 0; e < 2; e++) {
        const oracle_names names = oracle_list(ARNE_TEST_DATA "/seeds012", ending[e]);
        for (int k = 0; k < names.count; k++) {
            char path[512];
            snprintf(path, sizeof path, "%s/seeds012/%s%s", ARNE_TEST_DATA, names.name[k], ending[e]);
            cJSON *file = oracle_load(path);
            arne_model *m = stored_robot(file);
            arne_flex *f = flex_of(m);
            const int n = arne_model_dof(m);
            const cJSON *one;
            cJSON_ArrayForEach(one, oracle_field(file, "cases"))
            {
                double q[ROWS * ORACLE_JOINTS];
                answer a;
                const arne_flex_torques to = into(&a);
                stored_motion(one, n, q);
                for (int taylor = 0; taylor < 2; taylor++) {
                    (taylor ? arne_flex_id_taylor : arne_flex_id)(f, q, &to);
                    stored_close(one, "tau_e", a.tau_e, n);
                    stored_close(one, "dtau_e", a.dtau_e, n);
                    stored_close(one, "ddtau_e", a.ddtau_e, n);
                    stored_close(one, "theta_m", a.theta, n);
                    stored_close(one, "dtheta_m", a.dtheta, n);
                    stored_close(one, "ddtheta_m", a.ddtheta, n);
                    stored_close(one, "tau", a.tau, n);
                }
                cases++;
            }
            arne_flex_free(f);
            arne_model_free(m);
            cJSON_Delete(file);
        }
    }
    assert_true(cases > 100);
}

/* Section V of 002 as ERRATA 3.5 records it: 401 samples of a degree 7 motion of the KUKA LWR, largest values of each joint. */
static void the_experiment_has_its_recorded_maxima(void **state)
{
    (void)state;
    enum { LWR = 7, SAMPLES = 401 };
    static const char *const field[3] = {"deflection_deg", "tau", "difference"};
    cJSON *file = oracle_load(ARNE_TEST_DATA "/seeds012/kuka_lwr_7R.experiment.json");
    const cJSON *maxima = oracle_field(file, "maxima");
    arne_model *m = stored_robot(file);
    arne_data *rigid = test_data(m);
    arne_flex *f = flex_of(m);
    const double degree = acos(-1) / 180;
    double start[LWR], end[LWR], q[ROWS * LWR], tau[LWR], most[3][LWR] = {{0}};
    oracle_numbers(file, "start_deg", LWR, start);
    oracle_numbers(file, "displacement_deg", LWR, end);
    for (int i = 0; i < LWR; i++) start[i] *= degree, end[i] = start[i] + end[i] * degree;
    arne_trajectory *s = NULL;
    arne_error error;
    assert_int_equal(arne_trajectory_rest_to_rest(LWR, 7, 0, 4, start, end, &s, &error), ARNE_OK);
    for (int k = 0; k < SAMPLES; k++) {
        answer a;
        const arne_flex_torques to = into(&a);
        arne_trajectory_at(s, 4.0 * k / (SAMPLES - 1), 4, q);
        arne_flex_id(f, q, &to);
        arne_id(rigid, q, q + LWR, q + 2 * LWR, tau);
        for (int i = 0; i < LWR; i++) {
            most[0][i] = fmax(most[0][i], fabs(a.theta[i] - q[i]) / degree);
            most[1][i] = fmax(most[1][i], fabs(a.tau[i]));
            most[2][i] = fmax(most[2][i], fabs(a.tau[i] - tau[i]));
        }
    }
    for (int k = 0; k < 3; k++) {
        double want[LWR];
        oracle_numbers(maxima, field[k], LWR, want);
        oracle_close(field[k], most[k], want, LWR, STORED);
    }
    /* "as large as 3 deg" [002 section V] */
    assert_true(most[0][1] > 3.06 && most[0][1] < 3.08);
    arne_trajectory_free(s);
    arne_flex_free(f);
    arne_data_free(rigid);
    arne_model_free(m);
    cJSON_Delete(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_answers_are_met),
        cmocka_unit_test(the_experiment_has_its_recorded_maxima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
