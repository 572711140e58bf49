/* SPDX-License-Identifier: MIT
 *
 * null_test.c - a null pointer in the place of any argument of any function of the core is ARNE_BAD_ARGUMENT, and no crash;
 * nothing is computed with data that was not prepared. */
#include "kinds/settings.h"

#include <stdlib.h>

/* ---- functions that return a status, by their pointers p[0] ... p[count-1] ----
 *
 * X(function, what p[0] is: DATA, SETTINGS or MODEL, count of pointers, bits of those that may be NULL, what must be prepared,
 * its arguments). Pointers after the first go to numbers; p[1] ... p[3] are a state. */
#define CALLS(X)                                                                                                                 \
    X(arne_set_gravity, SETTINGS, 2, 0, 0, (p[0], p[1]))                                                                         \
    X(arne_set_rigid, SETTINGS, 1, 0, 0, (p[0], true))                                                                           \
    X(arne_set_friction, SETTINGS, 1, 0, 0, (p[0], true))                                                                        \
    X(arne_set_rotors, SETTINGS, 1, 0, 0, (p[0], true))                                                                          \
    X(arne_set_payload, SETTINGS, 2, 2, 0, (p[0], 1, p[1]))                                                                      \
    X(arne_set_parameters, SETTINGS, 2, 0, 0, (p[0], p[1]))                                                                      \
    X(arne_parameters, SETTINGS, 2, 0, 0, (p[0], p[1]))                                                                          \
    X(arne_parameters_friction, SETTINGS, 2, 0, 0, (p[0], p[1]))                                                                 \
    X(arne_set_link_side, SETTINGS, 1, 0, 0, (p[0]))                                                                             \
    X(arne_id, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                                    \
    X(arne_bias, DATA, 4, 0, 0, (p[0], p[1], p[2], p[3]))                                                                        \
    X(arne_gravity, DATA, 3, 0, 0, (p[0], p[1], p[2]))                                                                           \
    X(arne_coriolis_vector, DATA, 4, 0, 0, (p[0], p[1], p[2], p[3]))                                                             \
    X(arne_friction_torque, DATA, 3, 0, 0, (p[0], p[1], p[2]))                                                                   \
    X(arne_mass, DATA, 3, 0, 0, (p[0], p[1], p[2]))                                                                              \
    X(arne_factor, DATA, 2, 0, 0, (p[0], p[1]))                                                                                  \
    X(arne_solve, DATA, 3, 0, 0, (p[0], p[1], p[2]))                                                                             \
    X(arne_fd, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                                    \
    X(arne_fd_crba, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                               \
    X(arne_momentum, DATA, 4, 0, 0, (p[0], p[1], p[2], p[3]))                                                                    \
    X(arne_energy, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                                \
    X(arne_link_pose, DATA, 3, 0, 0, (p[0], p[1], 1, p[2]))                                                                      \
    X(arne_link_velocity, DATA, 4, 0, 0, (p[0], p[1], p[2], 1, ARNE_WORLD, p[3]))                                                \
    X(arne_link_jacobian, DATA, 3, 0, 0, (p[0], p[1], 1, ARNE_WORLD, p[2]))                                                      \
    X(arne_joint_wrenches, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                        \
    X(arne_motor_torques, DATA, 3, 0, 0, (p[0], p[1], p[2]))                                                                     \
    X(arne_regressor, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                             \
    X(arne_regressor_friction, DATA, 5, 0, 0, (p[0], p[1], p[2], p[3], p[4]))                                                    \
    X(arne_star, DATA, 6, 0, 0, (p[0], ARNE_STAR0001, p[1], p[2], p[3], p[4], p[5]))                                             \
    X(arne_coriolis, DATA, 4, 0, 0, (p[0], ARNE_STAR1110, p[1], p[2], p[3]))                                                     \
    X(arne_coriolis_product, DATA, 5, 0, 0, (p[0], ARNE_STAR1110, p[1], p[2], p[3], p[4]))                                       \
    X(arne_momentum_terms, DATA, 6, 0, 0, (p[0], p[1], p[2], p[3], p[4], p[5]))                                                  \
    X(arne_ctqd, DATA, 4, 0, 0, (p[0], p[1], p[2], p[3]))                                                                        \
    X(arne_mass_rate_product, DATA, 5, 0, ARNE_DERIVATIVES, (p[0], p[1], p[2], p[3], p[4]))                                      \
    X(arne_coriolis_transpose_product, DATA, 5, 0, ARNE_DERIVATIVES, (p[0], ARNE_STAR1110, p[1], p[2], p[3], p[4]))              \
    X(arne_id_derivatives, DATA, 7, 0x70, ARNE_DERIVATIVES, (p[0], p[1], p[2], p[3], p[4], p[5], p[6]))                          \
    X(arne_fd_derivatives, DATA, 7, 0x70, ARNE_DERIVATIVES, (p[0], p[1], p[2], p[3], p[4], p[5], p[6]))                          \
    X(arne_id_taylor, DATA, 3, 0, ARNE_DERIVATIVES, (p[0], p[1], p[2]))                                                          \
    X(arne_star_variant, DATA, 6, 0, ARNE_FORMS, (p[0], 3, p[1], p[2], p[3], p[4], p[5]))                                        \
    X(arne_forms_id, DATA, 5, 0, ARNE_FORMS, (p[0], ARNE_TURNEY, p[1], p[2], p[3], p[4]))                                        \
    X(arne_forms_mrnea, DATA, 5, 0, ARNE_FORMS, (p[0], p[1], p[2], p[3], p[4]))                                                  \
    X(arne_forms_fd, DATA, 5, 0, ARNE_FORMS, (p[0], ARNE_MRNEA, p[1], p[2], p[3], p[4]))                                         \
    X(arne_forms_strobe_mass, DATA, 3, 0, ARNE_FORMS, (p[0], p[1], p[2]))                                                        \
    X(arne_forms_strobe_coriolis, DATA, 3, 0, ARNE_FORMS, (p[0], p[1], p[2]))                                                    \
    X(arne_batch_id, DATA, 5, 0, ARNE_BATCHES, (p[0], 1, p[1], p[2], p[3], p[4]))                                                \
    X(arne_batch_bias, DATA, 4, 0, ARNE_BATCHES, (p[0], 1, p[1], p[2], p[3]))                                                    \
    X(arne_batch_gravity, DATA, 3, 0, ARNE_BATCHES, (p[0], 1, p[1], p[2]))                                                       \
    X(arne_batch_mass, DATA, 3, 0, ARNE_BATCHES, (p[0], 1, p[1], p[2]))                                                          \
    X(arne_batch_fd, DATA, 5, 0, ARNE_BATCHES, (p[0], 1, p[1], p[2], p[3], p[4]))

typedef enum { SETTINGS_, DATA_ } first_pointer;
enum { MOST_POINTERS = 7 };
typedef arne_status call_fn(void *const *p);

#define CALL_FUNCTION(function, first, count, optional, needs, arguments)                                                        \
    static arne_status call_##function(void *const *p) { return function arguments; }
CALLS(CALL_FUNCTION)

static const struct {
    const char *name;
    call_fn *call;
    first_pointer first;
    int count;
    unsigned optional, needs;
} calls[] = {
#define CALL_ROW(function, first, count, optional, needs, arguments)                                                             \
    {#function, call_##function, first##_, count, optional, needs},
    CALLS(CALL_ROW)};
enum { ALL_CALLS = sizeof calls / sizeof *calls };

/* numbers that do as q, velocities, torques, a positive definite matrix, parameters */
enum { ROOM = MOST_RESULTS };
typedef struct {
    subject s;
    double *number[MOST_POINTERS];
} desk;

static void fill(desk *k)
{
    const int n = k->s.n;
    for (int p = 1; p < MOST_POINTERS; p++) {
        random_vector(&k->s.r, ROOM, 0.1, k->number[p]);
        for (int i = 0; i < n; i++) k->number[p][i * n + i] = 3;
    }
}

static int open_desk(void **state)
{
    desk *k = calloc(1, sizeof *k);
    if (!k) return -1;
    k->s = subject_number(3, 0);
    for (int p = 1; p < MOST_POINTERS; p++)
        if (!(k->number[p] = calloc(ROOM, sizeof(double)))) return -1;
    *state = k;
    return 0;
}

static int close_desk(void **state)
{
    desk *k = *state;
    for (int p = 1; p < MOST_POINTERS; p++) free(k->number[p]);
    subject_close(&k->s);
    free(k);
    return 0;
}

static arne_status call_with(desk *k, int which, arne_data *d, int missing)
{
    void *p[MOST_POINTERS];
    fill(k);
    p[0] = calls[which].first == DATA_ ? (void *)d : arne_data_settings(d);
    for (int i = 1; i < MOST_POINTERS; i++) p[i] = k->number[i];
    if (missing >= 0) p[missing] = NULL;
    return calls[which].call(p);
}

static void any_pointer_may_be_null(void **state)
{
    desk *k = *state;
    for (int c = 0; c < ALL_CALLS; c++) {
        arne_data *d = test_data(k->s.m);
        if (call_with(k, c, d, -1) != ARNE_OK) fail_msg("%s fails", calls[c].name);
        for (int p = 0; p < calls[c].count; p++) {
            const arne_status should = calls[c].optional & 1u << p ? ARNE_OK : ARNE_BAD_ARGUMENT, is = call_with(k, c, d, p);
            if (is != should) fail_msg("%s with pointer %d null answers: %s", calls[c].name, p, arne_status_words(is));
        }
        arne_data_free(d);
    }
}

static void what_is_not_prepared_says_so(void **state)
{
    desk *k = *state;
    for (int c = 0; c < ALL_CALLS; c++) {
        arne_data *d;
        assert_int_equal(arne_data_new(k->s.m, &d, NULL), ARNE_OK);
        const arne_status before = call_with(k, c, d, -1);
        if (before != (calls[c].needs ? ARNE_NOT_PREPARED : ARNE_OK))
            fail_msg("%s unprepared answers: %s", calls[c].name, arne_status_words(before));
        /* everything else does not help */
        const unsigned all = ARNE_DERIVATIVES | ARNE_BATCHES | ARNE_FORMS;
        assert_int_equal(arne_data_prepare(d, all & ~calls[c].needs, NULL), ARNE_OK);
        assert_int_equal(call_with(k, c, d, -1), before);
        assert_int_equal(arne_data_prepare(d, calls[c].needs, NULL), ARNE_OK);
        assert_int_equal(arne_data_prepare(d, calls[c].needs, NULL), ARNE_OK); /* twice is once */
        assert_int_equal(call_with(k, c, d, -1), ARNE_OK);
        arne_data_free(d);
    }
}

/* ---- the table ---- */

static void rows_ask_for_what_they_read(void **state)
{
    desk *k = *state;
    arne_data *d = k->s.data;
    float *out32 = (float *)(void *)k->number[6];
    double *out = k->number[5];
    float x32[MOST_DOF] = {0};
    for (int row = 0; row < arne_quantities(); row++) {
        const unsigned inputs = arne_quantity_at(row)->inputs;
        for (int missing = -1; missing < 5; missing++) {
            fill(k);
            const double *in[5] = {k->number[1], k->number[2], k->number[3], k->number[3], k->number[4]};
            const float *in32[5] = {x32, x32, x32, x32, x32};
            if (missing >= 0) in[missing] = NULL, in32[missing] = NULL;
            const arne_state x = {in[0], in[1], in[2], in[3], in[4]};
            const arne_state32 y = {in32[0], in32[1], in32[2], in32[3], in32[4]};
            const arne_status should = missing >= 0 && inputs & 1u << missing ? ARNE_BAD_ARGUMENT : ARNE_OK;
            assert_int_equal(arne_compute(d, row, NULL, &x, out), should);
            assert_int_equal(arne_batch(d, row, NULL, 1, &x, out), should);
            assert_int_equal(arne_batch32(d, row, NULL, 1, &y, out32), should);
            if (missing >= 0) continue;
            assert_int_equal(arne_compute(NULL, row, NULL, &x, out), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_compute(d, row, NULL, NULL, out), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_compute(d, row, NULL, &x, NULL), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch(NULL, row, NULL, 1, &x, out), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch(d, row, NULL, 1, NULL, out), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch(d, row, NULL, 1, &x, NULL), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch32(NULL, row, NULL, 1, &y, out32), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch32(d, row, NULL, 1, NULL, out32), ARNE_BAD_ARGUMENT);
            assert_int_equal(arne_batch32(d, row, NULL, 1, &y, NULL), ARNE_BAD_ARGUMENT);
        }
    }
}

static void rows_of_unprepared_data_say_so(void **state)
{
    desk *k = *state;
    arne_data *d;
    float x32[MOST_DOF] = {0}, *out32 = (float *)(void *)k->number[6];
    assert_int_equal(arne_data_new(k->s.m, &d, NULL), ARNE_OK);
    fill(k);
    const arne_state x = {k->number[1], k->number[2], k->number[3], k->number[3], k->number[4]};
    const arne_state32 y = {x32, x32, x32, x32, x32};
    for (int row = 0; row < arne_quantities(); row++) {
        assert_int_equal(arne_compute(d, row, NULL, &x, k->number[5]), ARNE_OK);
        assert_int_equal(arne_batch(d, row, NULL, 1, &x, k->number[5]), ARNE_NOT_PREPARED);
        assert_int_equal(arne_batch32(d, row, NULL, 1, &y, out32), ARNE_NOT_PREPARED);
    }
    assert_int_equal(arne_data_prepare(d, ARNE_BATCHES, NULL), ARNE_OK);
    for (int row = 0; row < arne_quantities(); row++) {
        assert_int_equal(arne_batch(d, row, NULL, 1, &x, k->number[5]), ARNE_OK);
        assert_int_equal(arne_batch32(d, row, NULL, 1, &y, out32), ARNE_OK);
    }
    arne_data_free(d);
}

/* ---- constructors, and what returns no status ---- */

static void constructors_take_no_null(void **state)
{
    desk *k = *state;
    arne_error e;
    arne_settings *s = (arne_settings *)k;
    arne_data *d = (arne_data *)k;
    assert_int_equal(arne_settings_new(NULL, &s, &e), ARNE_BAD_ARGUMENT);
    assert_null(s);
    assert_int_equal(e.status, ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_settings_new(k->s.m, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_settings_new(NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_new(NULL, &d, &e), ARNE_BAD_ARGUMENT);
    assert_null(d);
    assert_int_equal(arne_data_new(k->s.m, NULL, &e), ARNE_BAD_ARGUMENT);
    d = (arne_data *)k;
    assert_int_equal(arne_data_share(NULL, &d, &e), ARNE_BAD_ARGUMENT);
    assert_null(d);
    assert_int_equal(arne_data_share(k->s.settings, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_prepare(NULL, ARNE_FORMS, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_prepare(k->s.data, 256, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_data_prepare(k->s.data, 0, NULL), ARNE_OK);
    assert_int_equal(arne_settings_copy(NULL, k->s.settings), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_settings_copy(k->s.settings, NULL), ARNE_BAD_ARGUMENT);
    arne_settings_free(NULL);
    arne_data_free(NULL);
}

static void questions_about_nothing_have_answers(void **state)
{
    desk *k = *state;
    int count = 7;
    char name[16] = "";
    assert_null(arne_settings_model(NULL));
    assert_null(arne_settings_gravity(NULL));
    assert_false(arne_settings_friction(NULL));
    assert_false(arne_settings_rotors(NULL));
    assert_null(arne_settings_wrenches(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(arne_settings_wrenches(k->s.settings, NULL));
    assert_int_equal(arne_most_wrenches(NULL), 0);
    assert_int_equal(arne_data_bytes(NULL), 0);
    assert_null(arne_data_model(NULL));
    assert_null(arne_data_settings(NULL));
    assert_null(arne_data_settings_used(NULL));
    assert_int_equal(arne_data_joint(NULL), -1);
    assert_int_equal(arne_quantity_find(NULL), -1);
    assert_int_equal(arne_quantity_size(0, NULL), 0);
    assert_int_equal(arne_axis_size(ARNE_AXIS_JOINTS, NULL), 0);
    assert_int_equal(arne_formulation_find(NULL), -1);
    assert_int_equal(arne_order_find(NULL), -1);
    arne_reorder(ARNE_ORDER_PINOCCHIO, 1, 1, 11, NULL);
    arne_parameter_name(1, 0, NULL);
    arne_parameter_name(1, 0, name);
    assert_string_equal(name, "XX1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_pointer_may_be_null),     cmocka_unit_test(what_is_not_prepared_says_so),
        cmocka_unit_test(rows_ask_for_what_they_read), cmocka_unit_test(rows_of_unprepared_data_say_so),
        cmocka_unit_test(constructors_take_no_null),   cmocka_unit_test(questions_about_nothing_have_answers),
    };
    return cmocka_run_group_tests(tests, open_desk, close_desk);
}
