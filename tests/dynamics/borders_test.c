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

/* a pivot is nothing up to 1e-13 of what stood in its place before; the outermost one is told */
static void pivots_are_judged_beside_what_they_came_from(void **state)
{
    (void)state;
    subject s = subject_of(long_chain(2));
    const struct {
        double M[4];
        arne_status status;
        int joint;
    } cases[] = {
        {{1 + 1.1e-13, 1, 1, 1}, ARNE_OK, -1}, {{1 + 0.9e-13, 1, 1, 1}, ARNE_SINGULAR, 0}, {{5e-14, 1e-9, 1e-9, 1}, ARNE_OK, -1},
        {{1, 0, 0, 0}, ARNE_SINGULAR, 1},      {{0, 0, 0, 1}, ARNE_SINGULAR, 0},           {{0, 0, 0, 0}, ARNE_SINGULAR, 1},
        {{NAN, 0, 0, 1}, ARNE_NOT_FINITE, 0},  {{1, 0, 0, NAN}, ARNE_NOT_FINITE, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double M[4];
        memcpy(M, cases[k].M, sizeof M);
        const arne_status is = arne_factor(s.data, M);
        if (is != cases[k].status) fail_msg("matrix %zu: %s", k, arne_status_words(is));
        assert_int_equal(arne_data_joint(s.data), cases[k].joint);
    }
    subject_close(&s);
}

/* what is not finite stands at a joint, whichever of its positions or velocities it is; results that it does not reach stay */
static void derivatives_name_the_joint_that_is_no_number(void **state)
{
    (void)state;
    int refused = 0;
    for (int number = 0; number < 12; number++) {
        subject s = subject_number(shipped_robots() + number * RANDOM_FAMILIES / 4, RANDOM_WIDE);
        const motion good = subject_motion(&s, 1);
        const int n = s.n, square = n * n;
        static double D[4 * N * N], M[N * N], is[3][N * N], all[3][N * N];
        for (int i = 0; i < s.nq + 3 * n; i++) {
            motion x = good;
            double qa[N];
            memcpy(qa, good.qd, sizeof qa);
            const int at = i - s.nq, v = at % n;
            *(at < 0 ? x.q + i : at < n ? x.qd + v : at < 2 * n ? x.qdd + v : qa + v) = number % 2 ? NAN : -INFINITY;
            int joint = 0;
            while (at < 0 && joint + 1 < arne_model_joints(s.m) && arne_joint_q(s.m, joint + 1) <= i) joint++;
            if (at >= 0) joint = arne_velocity_joint(s.m, v);
            const arne_status status = arne_id_second_derivatives_times(s.data, x.q, x.qd, x.qdd, qa, D);
            bool finite = true;
            for (int c = 0; c < 4 * square; c++) finite = finite && isfinite(D[c]);
            assert_true(finite);
            assert_int_equal(status, arne_data_joint(s.data) < 0 ? ARNE_OK : ARNE_NOT_FINITE);
            if (status) assert_true(arne_data_joint(s.data) == joint && largest(4 * square, D) == 0);
            refused += status == ARNE_NOT_FINITE;
        }
        /* whatever is wanted alone is what it is among the others, and judged alone: M knows no velocity */
        assert_int_equal(arne_id_derivatives(s.data, good.q, good.qd, good.qdd, all[0], all[1], all[2]), ARNE_OK);
        for (int wanted = 1; wanted < 8; wanted++) {
            double *part[3];
            for (int g = 0; g < 3; g++) part[g] = wanted & 1 << g ? is[g] : NULL;
            assert_int_equal(arne_id_derivatives(s.data, good.q, good.qd, good.qdd, part[0], part[1], part[2]), ARNE_OK);
            for (int g = 0; g < 3; g++)
                if (part[g]) expect_near(&s, "alone", square, is[g], all[g], 1e-12, 1 + largest(square, all[g]));
        }
        motion x = good;
        x.qd[n - 1] = NAN;
        assert_int_equal(arne_id_derivatives(s.data, x.q, x.qd, x.qdd, NULL, NULL, M), ARNE_OK);
        assert_int_equal(arne_data_joint(s.data), -1);
        expect_near(&s, "M", square, M, all[2], 1e-12, largest(square, M));
        x = good;
        x.q[s.nq - 1] = NAN;
        const arne_status status = arne_id_derivatives(s.data, x.q, x.qd, x.qdd, NULL, NULL, M);
        for (int c = 0; c < square; c++) assert_true(isfinite(M[c]) && (!status || M[c] == 0));
        assert_int_equal(arne_fd_derivatives(s.data, good.q, good.qd, good.qdd, all[0], all[1], all[2]), ARNE_OK);
        for (int wanted = 0; wanted < 8; wanted++) {
            double *part[3];
            for (int g = 0; g < 3; g++) part[g] = wanted & 1 << g ? is[g] : NULL;
            assert_int_equal(arne_fd_derivatives(s.data, good.q, good.qd, good.qdd, part[0], part[1], part[2]), ARNE_OK);
            for (int g = 0; g < 3; g++)
                if (part[g]) expect_bits(&s, "of fd alone", square, is[g], all[g]);
        }
        subject_close(&s);
    }
    assert_true(refused > 100);
}

/* axes by their sizes, of a robot whose joints have several freedoms; anything else counts as one number */
static void axes_have_their_sizes(void **state)
{
    (void)state;
    subject s = subject_number(shipped_robots() + 3, RANDOM_WIDE);
    const int n = arne_model_bodies(s.m), v = s.n;
    assert_true(n < v);
    const int sizes[] = {1, v, n, 3, 6, 6, 11 * n, v * v, 10};
    for (int axis = ARNE_AXIS_ONE; axis <= ARNE_AXIS_LOAD; axis++)
        assert_int_equal(arne_axis_size((arne_axis)axis, s.m), sizes[axis]);
    assert_int_equal(arne_axis_size((arne_axis)(ARNE_AXIS_LOAD + 1), s.m), 1);
    assert_int_equal(arne_axis_size((arne_axis)-1, s.m), 1);
    subject_close(&s);
}

/* Tensors: 4 n^3 numbers must be an int; in floats, or with numbers apart, there is room for 48 freedoms. */
static void tensors_have_bounds(void **state)
{
    (void)state;
    const int d2id = arne_quantity_find("d2id");
    for (int n = 812; n <= 813; n++) {
        arne_description *d = long_chain(n);
        arne_model *m;
        arne_data *data;
        const double x[1024] = {0};
        double y = 7;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        assert_int_equal(arne_quantity_size(d2id, m), n == 812 ? 4 * 812 * 812 * 812 : 0);
        assert_int_equal(arne_data_new(m, &data, NULL), ARNE_OK);
        if (n > 812) assert_int_equal(arne_compute(data, d2id, NULL, &(arne_state){x, x, x, x, x}, &y), ARNE_UNSUPPORTED);
        assert_true(y == 7);
        arne_data_free(data);
        arne_model_free(m);
        arne_description_free(d);
    }
    for (int n = 48; n <= 49; n++) {
        arne_description *d = long_chain(n);
        arne_model *m;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        arne_data *data = test_data(m);
        const size_t size = 4 * (size_t)n * (size_t)n * (size_t)n;
        double x[64], *y = calloc(2 * size, sizeof *y), *z = calloc(size, sizeof *z);
        float x32[64], *y32 = calloc(size, sizeof *y32);
        assert_true(y && z && y32);
        for (int i = 0; i < 64; i++) x[i] = x32[i] = 0.0625f * (float)(i % 7);
        const arne_state in = {x, x, x, x, x};
        const arne_state32 in32 = {x32, x32, x32, x32, x32};
        const arne_batch_options apart = {.size = sizeof apart, .out = {2 * size, 2}};
        const arne_status should = n == 48 ? ARNE_OK : ARNE_NO_MEMORY;
        assert_int_equal(arne_batch(data, d2id, NULL, 1, &in, z), ARNE_OK);
        assert_int_equal(arne_batch_with(data, d2id, NULL, &apart, 1, &in, y), should);
        assert_int_equal(arne_batch32(data, d2id, NULL, 1, &in32, y32), should);
        assert_int_equal(arne_data_joint(data), -1);
        for (size_t i = 0; i < size && !should; i++) assert_true(y[2 * i] == z[i] && y32[i] == (float)z[i] && y[2 * i + 1] == 0);
        free(y), free(z), free(y32);
        arne_data_free(data);
        arne_model_free(m);
        arne_description_free(d);
    }
}

/* an arm of three joints, the first following the last, and a tool fixed to its end */
static arne_model *arm_with_a_tool(void)
{
    static const char *const names[] = {"a", "b", "c"};
    arne_description *d = arne_description_new("arm");
    arne_model *m;
    assert_true(d && arne_description_link(d, "base", 0));
    for (int k = 0; k < 3; k++) {
        arne_link_description *l = arne_description_link(d, names[k], 0);
        l->body = (arne_body){1 + k, {0.1, 0.2, 0.3}, {0.1, 0, 0, 0.1, 0, 0.1}};
        arne_joint_description *j = arne_description_joint(d, names[k], 0, ARNE_PRISMATIC, k ? names[k - 1] : "base", names[k]);
        j->friction.viscous = (const double[]){0, 3, 5}[k];
        if (k) j->motor = (arne_motor){.gear = 10, .viscous = 0.01, .inertia = 0.02};
        if (!k) assert_int_equal(arne_description_follow(j, "c", 2, 0), ARNE_OK);
    }
    assert_non_null(arne_description_link(d, "tool", 0));
    arne_joint_description *j = arne_description_joint(d, "tool", 0, ARNE_FIXED, "c", "tool");
    j->before.p[1] = 0.4;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_description_free(d);
    return m;
}

/* friction of joints, without their motors' */
static void expect_link_side(const arne_settings *s, bool link_side)
{
    arne_data *d = test_data_on(s);
    const double qd[2] = {1, 1};
    double f[2];
    assert_int_equal(arne_friction_torque(d, qd, f), ARNE_OK);
    assert_true(fabs(f[0] - (link_side ? 3 : 4)) < 1e-14 && fabs(f[1] - (link_side ? 5 : 6)) < 1e-14);
    assert_true(arne_settings_rotors(s) == !link_side);
    arne_data_free(d);
}

static void the_link_side_knows_each_joints_friction(void **state)
{
    (void)state;
    arne_model *m = arm_with_a_tool();
    arne_settings *links, *whole;
    assert_int_equal(arne_settings_new(m, &links, NULL), ARNE_OK);
    assert_int_equal(arne_settings_new(m, &whole, NULL), ARNE_OK);
    expect_link_side(links, false);
    assert_int_equal(arne_set_link_side(links), ARNE_OK);
    expect_link_side(links, true);
    assert_int_equal(arne_set_rotors(links, true), ARNE_OK); /* for good */
    expect_link_side(links, true);
    assert_int_equal(arne_settings_copy(links, whole), ARNE_OK);
    expect_link_side(links, true);
    assert_int_equal(arne_settings_copy(whole, links), ARNE_OK);
    expect_link_side(whole, true);
    assert_int_equal(arne_set_rigid(whole, false), ARNE_OK);
    expect_link_side(whole, true);
    arne_settings_free(links), arne_settings_free(whole);
    arne_model_free(m);
}

/* two loads on one body: mass, first moments and inertia add up, in copies too, and go without a trace */
static void loads_on_one_body_add_up(void **state)
{
    (void)state;
    arne_model *m = arm_with_a_tool();
    arne_settings *s, *copy;
    double K[2][33], bare[33];
    const int c = arne_link_find(m, "c"), tool = arne_link_find(m, "tool");
    const arne_body one = {.mass = 2, .com = {1, 0, 0}}, other = {.mass = 3, .com = {0, 0.1, 0}};
    assert_int_equal(arne_settings_new(m, &s, NULL), ARNE_OK);
    assert_int_equal(arne_settings_new(m, &copy, NULL), ARNE_OK);
    assert_int_equal(arne_parameters(s, bare), ARNE_OK);
    assert_int_equal(arne_set_payload(s, c, &one), ARNE_OK);
    assert_int_equal(arne_settings_copy(copy, s), ARNE_OK);
    assert_int_equal(arne_set_payload(s, tool, &other), ARNE_OK);
    assert_int_equal(arne_set_payload(copy, tool, &other), ARNE_OK);
    assert_int_equal(arne_parameters(s, K[0]), ARNE_OK);
    assert_int_equal(arne_parameters(copy, K[1]), ARNE_OK);
    assert_memory_equal(K[0], K[1], sizeof bare);
    /* the prismatic joints turn no axes: MX MY M of the last link, 2 kg at x = 1, 3 kg at y = 0.5 */
    const double *k = K[0] + 22, *b = bare + 22, first = hypot(k[6] - b[6], k[7] - b[7]);
    assert_true(fabs(k[9] - (b[9] + 5)) < 1e-14 && fabs(first - hypot(2, 1.5)) < 1e-14);
    assert_true(fabs(k[5] - (b[5] + 2 + 0.75)) < 1e-14);
    assert_int_equal(arne_set_payload(copy, c, NULL), ARNE_OK);
    assert_int_equal(arne_set_payload(copy, tool, NULL), ARNE_OK);
    assert_int_equal(arne_parameters(copy, K[1]), ARNE_OK);
    assert_memory_equal(bare, K[1], sizeof bare);
    arne_settings_free(s), arne_settings_free(copy);
    arne_model_free(m);
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
        cmocka_unit_test(pivots_are_judged_beside_what_they_came_from),
        cmocka_unit_test(derivatives_name_the_joint_that_is_no_number),
        cmocka_unit_test(axes_have_their_sizes),
        cmocka_unit_test(tensors_have_bounds),
        cmocka_unit_test(the_link_side_knows_each_joints_friction),
        cmocka_unit_test(loads_on_one_body_add_up),
        cmocka_unit_test(settings_may_grow_after_preparing),
        cmocka_unit_test(shared_settings_are_seen_by_all),
    };
    return cmocka_run_group_tests(tests, open_desk, close_desk);
}
