/* SPDX-License-Identifier: MIT
 *
 * pinocchio_test.c - trees of any shape against stored answers of Pinocchio 3.7: everything dynamics.h and derive.h answer.
 *
 * tests/data/trees are robots of our own. The folder beside the checkout holds robots of others and may be absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "support/data.h"
#include "support/oracle.h"

/* Two double computations of up to 12 joints, one through an inertia matrix that may be badly conditioned. */
static const double TOLERANCE = 1e-9;

typedef struct {
    arne_model *model;
    arne_data *data;
    int n, order[ORACLE_JOINTS];
} tested;

enum { N = ORACLE_JOINTS };

static void vector_is(const tested *t, const cJSON *at, const char *field, const double *got)
{
    double want[N];
    oracle_vector(at, field, t->n, t->order, want);
    oracle_close(field, got, want, t->n, TOLERANCE);
}

static void matrix_is(const tested *t, const cJSON *at, const char *field, const double *got)
{
    double want[N * N];
    oracle_matrix(at, field, t->n, t->order, want);
    oracle_close(field, got, want, t->n * t->n, TOLERANCE);
}

/* The wrench acts on the child link of a joint; in URDF the two share their frame. */
static void check_wrench(const tested *t, const cJSON *at, const double *q, const double *qd, const double *qdd,
                         const double *tau)
{
    const cJSON *stored = oracle_field(at, "wrench");
    const int joint = arne_joint_find(t->model, oracle_field(stored, "joint")->valuestring);
    assert_true(joint >= 0);
    arne_wrench w = {.link = arne_joint_link(t->model, joint), .frame = ARNE_ALIGNED};
    oracle_numbers(stored, "force", 3, w.force);
    oracle_numbers(stored, "moment", 3, w.moment);
    double x[N], origin[3], turned[9];
    arne_pose pose;
    arne_link_pose(t->data, q, w.link, &pose);
    oracle_numbers(stored, "joint_origin_world", 3, origin);
    oracle_numbers(stored, "joint_rotation_world", 9, turned);
    oracle_close("joint_origin_world", pose.p, origin, 3, TOLERANCE);
    oracle_close("joint_rotation_world", pose.R, turned, 9, TOLERANCE);
    arne_set_wrenches(arne_data_settings(t->data), &w, 1);
    arne_id(t->data, q, qd, qdd, x);
    vector_is(t, at, "id_with_wrench", x);
    assert_int_equal(arne_fd(t->data, q, qd, tau, x), ARNE_OK);
    vector_is(t, at, "fd_with_wrench", x);
    assert_int_equal(arne_fd_crba(t->data, q, qd, tau, x), ARNE_OK);
    vector_is(t, at, "fd_with_wrench", x);

    /* the same wrench in link axes, and about the world origin */
    arne_wrench local = w, world = w;
    local.frame = ARNE_LOCAL;
    world.frame = ARNE_WORLD;
    for (int c = 0; c < 3; c++) {
        local.force[c] = local.moment[c] = 0;
        for (int r = 0; r < 3; r++) {
            local.force[c] += pose.R[3 * r + c] * w.force[r];
            local.moment[c] += pose.R[3 * r + c] * w.moment[r];
        }
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        world.moment[c] += pose.p[a] * w.force[b] - pose.p[b] * w.force[a];
    }
    arne_set_wrenches(arne_data_settings(t->data), &local, 1);
    arne_id(t->data, q, qd, qdd, x);
    vector_is(t, at, "id_with_wrench", x);
    arne_set_wrenches(arne_data_settings(t->data), &world, 1);
    arne_id(t->data, q, qd, qdd, x);
    vector_is(t, at, "id_with_wrench", x);
    arne_set_wrenches(arne_data_settings(t->data), NULL, 0);
}

static void check_case(const tested *t, const cJSON *at)
{
    double q[N], qd[N], qdd[N], tau[N], x[N], A[N * N], B[N * N], energy[2], stored[2];
    oracle_vector(at, "q", t->n, t->order, q);
    oracle_vector(at, "qd", t->n, t->order, qd);
    oracle_vector(at, "qdd", t->n, t->order, qdd);
    oracle_vector(at, "tau_in", t->n, t->order, tau);
    arne_id(t->data, q, qd, qdd, x);
    vector_is(t, at, "id", x);
    arne_bias(t->data, q, qd, x);
    vector_is(t, at, "bias", x);
    arne_gravity(t->data, q, x);
    vector_is(t, at, "gravity_torque", x);
    arne_mass(t->data, q, A);
    matrix_is(t, at, "M", A);
    assert_int_equal(arne_fd(t->data, q, qd, tau, x), ARNE_OK);
    vector_is(t, at, "fd", x);
    assert_int_equal(arne_fd_crba(t->data, q, qd, tau, x), ARNE_OK);
    vector_is(t, at, "fd", x);
    arne_energy(t->data, q, qd, &energy[0], &energy[1]);
    stored[0] = oracle_number(at, "kinetic");
    stored[1] = oracle_number(at, "potential");
    oracle_close("kinetic", &energy[0], &stored[0], 1, TOLERANCE);
    oracle_close("potential", &energy[1], &stored[1], 1, TOLERANCE);
    arne_id_derivatives(t->data, q, qd, qdd, A, B, NULL);
    matrix_is(t, at, "did_dq", A);
    matrix_is(t, at, "did_dqd", B);
    check_wrench(t, at, q, qd, qdd, tau);
}

static void check_robot(const char *urdf, const char *answers)
{
    arne_error error;
    tested t;
    const arne_read_options independent = {.size = sizeof independent,
                                           .mimic = ARNE_MIMIC_INDEPENDENT}; /* as the answers have it */
    arne_description *d = NULL;
    if (arne_read(urdf, &independent, &d, &error) || arne_model_build(d, NULL, &t.model, &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    arne_description_free(d);
    t.n = arne_model_dof(t.model);
    t.data = test_data(t.model);
    arne_set_rigid(arne_data_settings(t.data), true); /* the answers know no friction */
    cJSON *json = oracle_load(answers);
    oracle_order(t.model, oracle_field(json, "joints"), t.order);
    double g[3];
    oracle_numbers(json, "gravity", 3, g);
    arne_set_gravity(arne_data_settings(t.data), g);
    const cJSON *at;
    cJSON_ArrayForEach(at, oracle_field(json, "cases")) check_case(&t, at);
    cJSON_Delete(json);
    arne_data_free(t.data);
    arne_model_free(t.model);
}

/* every ANSWERS/NAME.json with the robot ROBOTS/NAME.urdf */
static int check_folder(const char *robots, const char *answers)
{
    const oracle_names names = oracle_list(answers, ".json");
    for (int i = 0; i < names.count; i++) {
        char urdf[512], json[512];
        snprintf(urdf, sizeof urdf, "%s/%s.urdf", robots, names.name[i]);
        snprintf(json, sizeof json, "%s/%s.json", answers, names.name[i]);
        print_message("%s\n", names.name[i]);
        check_robot(urdf, json);
    }
    return names.count;
}

static void random_trees_of_our_own(void **state)
{
    (void)state;
    assert_int_equal(check_folder(ARNE_TEST_DATA "/trees", ARNE_TEST_DATA "/trees"), 12);
}

static void robots_of_others(void **state)
{
    (void)state;
    if (check_folder(ARNE_SHARED "/robots", ARNE_SHARED "/oracle/rigid") == 0) {
        print_message("not tested: robots of others: no folder shared/ beside the checkout\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_of_our_own),
        cmocka_unit_test(robots_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
