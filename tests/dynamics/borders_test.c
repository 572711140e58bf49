/* SPDX-License-Identifier: MIT
 *
 * borders_test.c - arguments out of range, of another model, not finite or of another size of struct; memory that is too small;
 * states that have no acceleration. */
#include "kinds/settings.h"

#include <stdlib.h>

enum { N = MOST_DOF, PUMA = 6 };

typedef struct {
    subject s;
    motion x;
    double out[MOST_RESULTS];
    float out32[MOST_RESULTS];
} desk;

static int open_desk(void **state)
{
    desk *k = calloc(1, sizeof *k);
    if (!k) return -1;
    k->s = subject_number(PUMA, 0);
    k->x = subject_motion(&k->s, 1);
    *state = k;
    return 0;
}

static int close_desk(void **state)
{
    desk *k = *state;
    subject_close(&k->s);
    free(k);
    return 0;
}

/* the torques of a robot do not change where it refuses what is set */
static void expect_refused(desk *k, arne_status status)
{
    double tau[N];
    assert_int_equal(status, ARNE_BAD_ARGUMENT);
    arne_id(k->s.data, k->x.q, k->x.qd, k->x.qdd, tau);
    expect_bits(&k->s, "tau after a refusal", k->s.n, tau, k->out);
}

static void what_is_set_must_be_finite(void **state)
{
    desk *k = *state;
    arne_settings *s = k->s.settings;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    arne_id(k->s.data, k->x.q, k->x.qd, k->x.qdd, k->out);
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < 3; i++) {
            double g[3] = {0, 0, -9.81};
            g[i] = bad[b];
            expect_refused(k, arne_set_gravity(s, g));
        }
        for (int i = 0; i < 10; i++) {
            double number[10] = {1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0, 0.1};
            number[i] = bad[b];
            arne_body load;
            assert_int_equal(sizeof load, sizeof number);
            memcpy(&load, number, sizeof load);
            expect_refused(k, arne_set_payload(s, 1, &load));
        }
        for (int i = 0; i < 9; i++) {
            arne_wrench w = {.link = 1};
            double *const part[3] = {w.force, w.moment, w.point};
            part[i / 3][i % 3] = bad[b];
            expect_refused(k, arne_set_wrenches(s, &w, 1));
        }
        for (int i = 0; i < 11 * k->s.n; i++) {
            double K[11 * N];
            arne_parameters(s, K);
            K[i] = bad[b];
            expect_refused(k, arne_set_parameters(s, K));
        }
    }
}

static void links_wrenches_and_models_must_exist(void **state)
{
    desk *k = *state;
    arne_settings *s = k->s.settings;
    const arne_body load = {.mass = 1};
    const int most = arne_most_wrenches(k->s.m), wrong[] = {-1, k->s.nlink, 1000000, -1000000};
    arne_wrench *w = calloc((size_t)most + 1, sizeof *w);
    assert_non_null(w);
    arne_id(k->s.data, k->x.q, k->x.qd, k->x.qdd, k->out);
    for (int i = 0; i < 4; i++) {
        expect_refused(k, arne_set_payload(s, wrong[i], &load));
        expect_refused(k, arne_set_wrenches(s, &(arne_wrench){.link = wrong[i]}, 1));
        assert_int_equal(arne_link_pose(k->s.data, k->x.q, wrong[i], (arne_pose *)(void *)k->out32), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_link_velocity(k->s.data, k->x.q, k->x.qd, wrong[i], ARNE_LOCAL, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_link_jacobian(k->s.data, k->x.q, wrong[i], ARNE_LOCAL, k->out), ARNE_BAD_ARGUMENT);
    }
    expect_refused(k, arne_set_wrenches(s, &(arne_wrench){.link = 1, .frame = (arne_frame)3}, 1));
    expect_refused(k, arne_set_wrenches(s, NULL, 1));
    expect_refused(k, arne_set_wrenches(s, w, -1));
    expect_refused(k, arne_set_wrenches(s, w, most + 1));
    assert_int_equal(most, 2 * k->s.nlink + 16);
    for (int i = 0; i < most; i++) w[i] = (arne_wrench){.link = 1, .force = {1, 2, 3}};
    assert_int_equal(arne_set_wrenches(s, w, most), ARNE_OK);
    memset(w, 0xFF, (size_t)most * sizeof *w); /* they were copied */
    int count;
    const arne_wrench *set = arne_settings_wrenches(s, &count);
    assert_int_equal(count, most);
    assert_true(set[most - 1].link == 1 && set[most - 1].force[2] == 3);
    assert_int_equal(arne_set_wrenches(s, NULL, 0), ARNE_OK);
    assert_null(arne_settings_wrenches(s, &count));
    assert_int_equal(count, 0);
    free(w);

    subject twin = subject_number(PUMA, 0), other = subject_number(PUMA + 1, 0);
    expect_refused(k, arne_settings_copy(s, other.settings));
    expect_refused(k, arne_settings_copy(s, twin.settings)); /* the same robot, but another model */
    subject_close(&twin);
    subject_close(&other);
}

static void choices_must_exist(void **state)
{
    desk *k = *state;
    arne_data *d = k->s.data;
    const double *q = k->x.q, *qd = k->x.qd, *qdd = k->x.qdd;
    for (int i = 0; i < 2; i++) {
        const arne_factor_choice f = (arne_factor_choice)(i ? -1 : 3);
        const arne_frame frame = (arne_frame)(i ? -1 : 3);
        const arne_formulation method = (arne_formulation)(i ? -1 : ARNE_FORMULATION_COUNT);
        assert_int_equal(arne_star(d, f, q, qd, qd, qdd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_coriolis(d, f, q, qd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_coriolis_product(d, f, q, qd, qd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_coriolis_transpose_product(d, f, q, qd, qd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_star_variant(d, i ? -1 : 16, q, qd, qd, qdd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_link_velocity(d, q, qd, 1, frame, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_link_jacobian(d, q, 1, frame, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_forms_id(d, method, q, qd, qdd, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_forms_fd(d, method, q, qd, qdd, k->out), ARNE_BAD_ARGUMENT);
        assert_null(arne_formulation_name(method));
        assert_null(arne_formulation_about(method));
        assert_null(arne_order_name((arne_parameter_order)(i ? -1 : ARNE_ORDER_COUNT)));
    }
    assert_int_equal(arne_order_find("none"), -1);
    assert_int_equal(arne_formulation_find(""), -1);
}

static void quantities_must_exist(void **state)
{
    desk *k = *state;
    const float zero[N] = {0};
    const arne_state x = {k->x.q, k->x.qd, k->x.qdd, k->x.qdd, k->x.qd};
    const arne_state32 x32 = {zero, zero, zero, zero, zero};
    const int wrong[] = {-1, arne_quantities(), 1000000};
    for (int i = 0; i < 3; i++) {
        assert_null(arne_quantity_at(wrong[i]));
        assert_int_equal(arne_quantity_size(wrong[i], k->s.m), 0);
        assert_int_equal(arne_compute(k->s.data, wrong[i], NULL, &x, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_batch(k->s.data, wrong[i], NULL, 1, &x, k->out), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_batch32(k->s.data, wrong[i], NULL, 1, &x32, k->out32), ARNE_BAD_ARGUMENT);
    }
    assert_int_equal(arne_quantity_find("none"), -1);
    assert_int_equal(arne_quantity_find(""), -1);
    for (int i = 0; i < arne_quantities(); i++) assert_int_equal(arne_quantity_find(arne_quantity_at(i)->name), i);
}

/* what a row has no use for may be anything */
static void options_of_quantities_are_checked(void **state)
{
    desk *k = *state;
    const arne_state x = {k->x.q, k->x.qd, k->x.qdd, k->x.qdd, k->x.qd};
    for (int row = 0; row < arne_quantities(); row++) {
        const unsigned has = arne_quantity_at(row)->options;
        const arne_quantity_options wrong[] = {
            {sizeof *wrong, -1, ARNE_LOCAL, ARNE_STAR0001},        {sizeof *wrong, k->s.nlink, ARNE_LOCAL, ARNE_STAR0001},
            {sizeof *wrong, 0, (arne_frame)3, ARNE_STAR0001},      {sizeof *wrong, 0, (arne_frame)-1, ARNE_STAR0001},
            {sizeof *wrong, 0, ARNE_LOCAL, (arne_factor_choice)3}, {sizeof *wrong, 0, ARNE_LOCAL, (arne_factor_choice)-1},
        };
        const unsigned about[] = {ARNE_OF_LINK, ARNE_OF_LINK, ARNE_IN_FRAME, ARNE_IN_FRAME, ARNE_BY_FACTOR, ARNE_BY_FACTOR};
        for (int i = 0; i < 6; i++)
            assert_int_equal(arne_compute(k->s.data, row, &wrong[i], &x, k->out), has & about[i] ? ARNE_BAD_ARGUMENT : ARNE_OK);
    }
}

/* A struct of an older caller ends early: the rest is zero; one of a newer caller is longer than we know. */
static void options_may_be_older_or_newer(void **state)
{
    desk *k = *state;
    const arne_state x = {k->x.q, k->x.qd, k->x.qdd, k->x.qdd, k->x.qd};
    const int row = arne_quantity_find("velocity");
    double local[6], world[6], is[6];
    arne_quantity_options o = {sizeof o, k->s.nlink - 1, ARNE_LOCAL, ARNE_STAR0001};
    assert_int_equal(arne_compute(k->s.data, row, &o, &x, local), ARNE_OK);
    o.frame = ARNE_WORLD;
    assert_int_equal(arne_compute(k->s.data, row, &o, &x, world), ARNE_OK);
    o.size = offsetof(arne_quantity_options, frame);
    assert_int_equal(arne_compute(k->s.data, row, &o, &x, is), ARNE_OK);
    expect_bits(&k->s, "older options", 6, is, local);
    struct {
        arne_quantity_options known;
        double newer[4];
    } longer = {.known = o, .newer = {1, 2, 3, 4}};
    longer.known.size = sizeof longer;
    assert_int_equal(arne_compute(k->s.data, row, &longer.known, &x, is), ARNE_OK);
    expect_bits(&k->s, "newer options", 6, is, world);
    for (size_t size = 0; size < sizeof size; size++) {
        o.size = size;
        assert_int_equal(arne_compute(k->s.data, row, &o, &x, is), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_batch(k->s.data, row, &o, 1, &x, is), ARNE_BAD_ARGUMENT);
    }
    o.size = (size_t)-1; /* not set */
    assert_int_equal(arne_compute(k->s.data, row, &o, &x, is), ARNE_BAD_ARGUMENT);
}

static void memory_must_be_large_enough_and_aligned(void **state)
{
    desk *k = *state;
    const size_t bytes = arne_data_bytes(k->s.m);
    char *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    arne_data *d = NULL;
    double tau[N];
    assert_non_null(memory);
    assert_int_equal(arne_data_init(k->s.m, memory, bytes - 1, &d), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_init(k->s.m, memory, 0, &d), ARNE_BAD_ARGUMENT);
    for (int off = 1; off < 64; off++) assert_int_equal(arne_data_init(k->s.m, memory + off, bytes, &d), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_init(NULL, memory, bytes, &d), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_init(k->s.m, NULL, bytes, &d), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_init(k->s.m, memory, bytes, NULL), ARNE_BAD_ARGUMENT);
    assert_null(d);
    memset(memory, 0xFF, bytes); /* whatever was in it */
    assert_int_equal(arne_data_init(k->s.m, memory, bytes, &d), ARNE_OK);
    arne_id(d, k->x.q, k->x.qd, k->x.qdd, tau);
    arne_id(k->s.data, k->x.q, k->x.qd, k->x.qdd, k->out);
    expect_bits(&k->s, "tau in the caller's memory", k->s.n, tau, k->out);
    assert_int_equal(arne_data_prepare(d, ARNE_FORMS, NULL), ARNE_OK);
    arne_data_free(d); /* what was prepared */
    free(memory);
}

/* every way to an acceleration refuses what has none: zeros, and a joint */
static void states_without_acceleration_are_refused(void **state)
{
    desk *k = *state;
    const int n = k->s.n;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e308};
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        for (int trial = 0; trial < 3 * 4 * s.n; trial++) {
            motion x = subject_motion(&s, 1);
            const int input = trial % 3;
            double *const in[3] = {x.q, x.qd, x.qdd}, out[N] = {0};
            /* a large angle is one like any other, and a slide may be far away */
            if (input == 0 && trial / 3 % 4 == 3) continue;
            in[input][trial / 12] = bad[trial / 3 % 4];
            for (int way = 0; way < 5; way++) {
                double qdd[3 * N * N];
                arne_status is;
                for (int i = 0; i < s.n; i++) qdd[i] = 7;
                switch (way) {
                case 0: is = arne_fd(s.data, x.q, x.qd, x.qdd, qdd); break;
                case 1: is = arne_fd_crba(s.data, x.q, x.qd, x.qdd, qdd); break;
                case 2: is = arne_forms_fd(s.data, ARNE_MRNEA, x.q, x.qd, x.qdd, qdd); break;
                case 3: is = arne_batch_fd(s.data, 1, x.q, x.qd, x.qdd, qdd); break;
                default: is = arne_forms_fd(s.data, ARNE_NE, x.q, x.qd, x.qdd, qdd); break;
                }
                if (is == ARNE_OK && bad[trial / 3 % 4] == 1e308) { /* it may be just small enough */
                    for (int i = 0; i < s.n; i++) assert_true(isfinite(qdd[i]));
                    assert_int_equal(arne_data_joint(s.data), -1);
                    continue;
                }
                if (is != ARNE_NOT_FINITE)
                    fail_msg("%s: input %d[%d] is %g, way %d: %s", s.name, input, trial / 12, bad[trial / 3 % 4], way,
                             arne_status_words(is));
                assert_memory_equal(qdd, out, (size_t)s.n * sizeof *qdd);
                assert_in_range(arne_data_joint(s.data), 0, s.n - 1);
            }
        }
        subject_close(&s);
    }
    /* derivatives too, and the next state is none the worse */
    motion x = k->x;
    double D[3 * N * N];
    x.q[2] = NAN;
    assert_int_equal(arne_fd_derivatives(k->s.data, x.q, x.qd, x.qdd, D, D + n * n, D + 2 * n * n), ARNE_NOT_FINITE);
    assert_true(largest(3 * n * n, D) == 0);
    for (int i = 0; i < 3 * n; i++) {
        x = k->x;
        *(double *const[]){x.q + i / 3, x.qd + i / 3, x.qdd + i / 3}[i % 3] = NAN;
        assert_int_equal(arne_id_derivatives(k->s.data, x.q, x.qd, x.qdd, D, D + n * n, D + 2 * n * n), ARNE_NOT_FINITE);
        assert_int_equal(arne_data_joint(k->s.data), i / 3);
        assert_true(largest(3 * n * n, D) == 0);
    }
    assert_int_equal(arne_fd(k->s.data, k->x.q, k->x.qd, k->x.qdd, D), ARNE_OK);
    assert_int_equal(arne_data_joint(k->s.data), -1);
}

/* a matrix given by the user */
static void matrices_without_factors_are_refused(void **state)
{
    desk *k = *state;
    const int n = k->s.n;
    double M[N * N];
    arne_mass(k->s.data, k->x.q, M);
    M[2 * n + 2] = NAN;
    assert_int_equal(arne_factor(k->s.data, M), ARNE_NOT_FINITE);
    arne_mass(k->s.data, k->x.q, M);
    M[2 * n + 2] = -1;
    assert_int_equal(arne_factor(k->s.data, M), ARNE_SINGULAR);
    assert_int_equal(arne_data_joint(k->s.data), 2);
    arne_mass(k->s.data, k->x.q, M);
    assert_int_equal(arne_factor(k->s.data, M), ARNE_OK);
    assert_int_equal(arne_data_joint(k->s.data), -1);
}

/* Settings without coupled motors, prepared, then with them again: the robot in floats must have room. */
static void settings_may_grow_after_preparing(void **state)
{
    (void)state;
    subject s = subject_number(0, 0); /* coupled motors */
    arne_settings *whole;
    arne_data *d;
    const float zero[N] = {0};
    const arne_state32 x = {zero, zero, zero, zero, zero};
    float is[N], should[N];
    const int id = arne_quantity_find("id");
    assert_int_equal(arne_settings_new(s.m, &whole, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(s.m, &d, NULL), ARNE_OK);
    arne_set_link_side(arne_data_settings(d));
    assert_int_equal(arne_data_prepare(d, ARNE_BATCHES, NULL), ARNE_OK);
    assert_int_equal(arne_settings_copy(arne_data_settings(d), whole), ARNE_OK);
    assert_int_equal(arne_batch32(d, id, NULL, 1, &x, is), ARNE_OK);
    assert_int_equal(arne_batch32(s.data, id, NULL, 1, &x, should), ARNE_OK);
    expect_bits32(&s, "id", s.n, is, should);
    arne_data_free(d);
    arne_settings_free(whole);
    subject_close(&s);
}

/* who shares settings has none of its own to change, and sees what is set */
static void shared_settings_are_seen_by_all(void **state)
{
    desk *k = *state;
    arne_settings *s;
    const double g[3] = {1, 2, 3};
    double tau[N];
    assert_int_equal(arne_settings_new(k->s.m, &s, NULL), ARNE_OK);
    arne_data *d = test_data_on(s);
    assert_null(arne_data_settings(d));
    assert_ptr_equal(arne_data_settings_used(d), s);
    assert_ptr_equal(arne_data_settings_used(k->s.data), k->s.settings);
    assert_ptr_equal(arne_settings_model(s), k->s.m);
    arne_set_gravity(s, g);
    arne_set_gravity(k->s.settings, g);
    arne_id(d, k->x.q, k->x.qd, k->x.qdd, tau);
    arne_id(k->s.data, k->x.q, k->x.qd, k->x.qdd, k->out);
    expect_bits(&k->s, "tau", k->s.n, tau, k->out);
    arne_set_gravity(k->s.settings, arne_model_gravity(k->s.m));
    arne_data_free(d);
    arne_settings_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_must_be_finite),
        cmocka_unit_test(links_wrenches_and_models_must_exist),
        cmocka_unit_test(choices_must_exist),
        cmocka_unit_test(quantities_must_exist),
        cmocka_unit_test(options_of_quantities_are_checked),
        cmocka_unit_test(options_may_be_older_or_newer),
        cmocka_unit_test(memory_must_be_large_enough_and_aligned),
        cmocka_unit_test(states_without_acceleration_are_refused),
        cmocka_unit_test(matrices_without_factors_are_refused),
        cmocka_unit_test(settings_may_grow_after_preparing),
        cmocka_unit_test(shared_settings_are_seen_by_all),
    };
    return cmocka_run_group_tests(tests, open_desk, close_desk);
}
