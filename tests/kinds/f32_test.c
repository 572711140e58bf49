/* SPDX-License-Identifier: MIT
 *
 * f32_test.c - batches in floats beside doubles at the same states: torques to five digits, accelerations as far as the inertia
 * matrix lets rounding through, every row finite and close. */
#include "kinds/settings.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 200, RANDOM_ROBOTS = FEWER(280), N = MOST_DOF };

/* of the largest torque of the state, unless it is nothing beside the forces that the joints carry; of these forces always */
static const double TORQUES = 1e-5, NOTHING = 0.01, FORCES = 1e-6;
/* of the forces in the robot, the distances and speeds of its links: any row that is no acceleration */
static const double ROWS = 1e-5;
/* Rounding of floats in the inertia matrix and in the torques, M (qdd + e) + E (qdd + e) = tau - h + f with |E| <= c |M|, |f| <=
 * c (|tau| + |h|), gives |e| <= c |M^-1| (|M| |qdd| + |tau| + |h|) with c so many times the rounding of a float. */
static const double ACCELERATIONS = 4 * FLT_EPSILON;

typedef struct {
    double q[COUNT * N], qd[COUNT * N], qdd[COUNT * N];
    float q32[COUNT * N], qd32[COUNT * N], qdd32[COUNT * N], out32[COUNT * MOST_RESULTS];
    double out[MOST_RESULTS], worst;
    subject *s;
} desk;

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

/* angles of a turn, both precisions at the same numbers */
static void draw(desk *k, subject *s)
{
    k->s = s;
    for (int c = 0; c < COUNT; c++) {
        const motion x = subject_motion(s, c % 3);
        for (int i = 0, at = c * s->nq; i < s->nq; i++, at++) k->q[at] = k->q32[at] = (float)x.q[i];
        for (int i = 0, at = c * s->n; i < s->n; i++, at++) {
            k->qd[at] = k->qd32[at] = (float)x.qd[i];
            k->qdd[at] = k->qdd32[at] = (float)x.qdd[i];
        }
    }
}

static arne_state state_at(const desk *k, int c)
{
    const int at = c * k->s->n;
    return (arne_state){k->q + c * k->s->nq, k->qd + at, k->qdd + at, k->qdd + at, k->qd + at};
}

static motion motion_at(const desk *k, int c)
{
    const arne_state x = state_at(k, c);
    const size_t bytes = (size_t)k->s->n * sizeof(double);
    motion m = {0};
    memcpy(m.q, x.q, (size_t)k->s->nq * sizeof(double));
    memcpy(m.qd, x.qd, bytes);
    memcpy(m.qdd, x.qdd, bytes);
    return m;
}

static void run32(desk *k, int row, const arne_quantity_options *o)
{
    const arne_state32 x = {k->q32, k->qd32, k->qdd32, k->qdd32, k->qd32};
    assert_int_equal(arne_batch32(k->s->data, row, o, COUNT, &x, k->out32), ARNE_OK);
}

/* largest difference of a state of a row in floats and in doubles */
static double off(desk *k, int row, const arne_quantity_options *o, int c)
{
    const int size = arne_quantity_size(row, k->s->m);
    const arne_state x = state_at(k, c);
    double most = 0;
    assert_int_equal(arne_compute(k->s->data, row, o, &x, k->out), ARNE_OK);
    for (int i = 0; i < size; i++) {
        const double is = (double)k->out32[c * size + i];
        if (!isfinite(is)) fail_msg("%s: %s[%d] is not finite", k->s->name, arne_quantity_at(row)->name, i);
        most = fmax(most, fabs(is - k->out[i]));
    }
    return most;
}

static void expect_within(desk *k, int row, double is, double bound)
{
    k->worst = fmax(k->worst, is / bound);
    if (!(is <= bound)) fail_msg("%s: %s is off by %.3g, at most %.3g", k->s->name, arne_quantity_at(row)->name, is, bound);
}

static void torques_of_shipped_robots_have_five_digits(void **state)
{
    desk *k = *state;
    const int id = arne_quantity_find("id");
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        k->worst = 0;
        for (int run = 0; run < 5 * SETTINGS; run++) {
            set_up(&s, run % SETTINGS);
            draw(k, &s);
            run32(k, id, NULL);
            for (int c = 0; c < COUNT; c++) {
                const double is = off(k, id, NULL, c), torque = largest(s.n, k->out);
                const motion x = motion_at(k, c);
                const double forces = fmax(torque, carried(&s, &x));
                expect_within(k, id, is, FORCES * forces);
                if (torque > NOTHING * forces) expect_within(k, id, is, TORQUES * torque);
            }
        }
        print_message("%s: torques within %.2f of the bounds\n", s.name, k->worst);
        subject_close(&s);
    }
}

/* the largest sum of |entries| of a row of M, and of its inverse */
static void norms(subject *s, const double *q, double *of, double *of_inverse)
{
    const int n = s->n;
    double M[N * N], sum[N] = {0};
    *of = *of_inverse = 0;
    arne_mass(s->data, q, M);
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int j = 0; j < n; j++) row += fabs(M[i * n + j]);
        *of = fmax(*of, row);
    }
    assert_int_equal(arne_factor(s->data, M), ARNE_OK);
    for (int j = 0; j < n; j++) {
        double x[N] = {0};
        x[j] = 1;
        arne_solve(s->data, M, x);
        for (int i = 0; i < n; i++) sum[i] += fabs(x[i]);
    }
    *of_inverse = largest(n, sum);
}

static void check_accelerations(desk *k, int row)
{
    subject *s = k->s;
    run32(k, row, NULL);
    for (int c = 0; c < COUNT; c++) {
        const arne_state x = state_at(k, c);
        motion m = motion_at(k, c);
        double h[N], M, inverse;
        memset(m.qdd, 0, sizeof m.qdd);
        const double is = off(k, row, NULL, c);
        norms(s, x.q, &M, &inverse);
        arne_bias(s->data, x.q, x.qd, h);
        /* torques are rounded beside the forces in the robot */
        const double forces = largest(s->n, x.tau) + fmax(largest(s->n, h), carried(s, &m));
        expect_within(k, row, is, ACCELERATIONS * inverse * (M * largest(s->n, k->out) + forces));
    }
}

static void accelerations_are_as_good_as_the_inertia_matrix(void **state)
{
    desk *k = *state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        k->worst = number <= shipped_robots() ? 0 : k->worst;
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            draw(k, &s);
            check_accelerations(k, arne_quantity_find("fd"));
            check_accelerations(k, arne_quantity_find("crba"));
        }
        if (number < shipped_robots()) print_message("%s: %.2f of the bound\n", s.name, k->worst);
        subject_close(&s);
    }
    print_message("random robots: %.2f of the bound\n", k->worst);
}

/* what a result is rounded beside: its largest number, or the forces in the robot; of poses and velocities, a metre */
static double scale_of(const desk *k, int row, int c)
{
    const motion m = motion_at(k, c);
    const double own = largest(arne_quantity_size(row, k->s->m), k->out);
    return arne_quantity_at(row)->options & ARNE_OF_LINK ? 1 + own : fmax(own, carried(k->s, &m));
}

static void check_row(void *desk_, int row, const arne_quantity_options *o)
{
    desk *k = desk_;
    if (arne_quantity_at(row)->inputs & ARNE_TAU && row != arne_quantity_find("dfd")) return; /* above */
    run32(k, row, o);
    for (int c = 0; c < COUNT; c += 7) {
        const double is = off(k, row, o, c);
        expect_within(k, row, is, ROWS * scale_of(k, row, c));
    }
}

static void every_row_is_close(void **state)
{
    desk *k = *state;
    k->worst = 0;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS / 4; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            draw(k, &s);
            every_row(&s, arne_quantities(), check_row, k);
        }
        subject_close(&s);
    }
    print_message("all rows: %.2f of the bound\n", k->worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_of_shipped_robots_have_five_digits),
        cmocka_unit_test(accelerations_are_as_good_as_the_inertia_matrix),
        cmocka_unit_test(every_row_is_close),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
