/* SPDX-License-Identifier: MIT
 *
 * positions_test.c - positions of joints of several freedoms: a screw by hand, integrate and difference undo each other, the rate
 * of a position is the limit of small steps, quaternions of unit length. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/positions.h"
#include "support/subject.h"

enum { ROBOTS = 400, N = MOST_DOF };

static double quaternion_length(const double *e) { return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]); }

static subject one_joint(arne_joint_type type)
{
    arne_description *d = arne_description_new("body");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "world", 0));
    arne_link_description *l = arne_description_link(d, "body", 0);
    assert_non_null(l);
    l->body = (arne_body){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    assert_non_null(arne_description_joint(d, "joint", 0, type, "world", "body"));
    return subject_of(d);
}

/* a quarter turn about z while going forward: a quarter of a circle of radius 1, and a screw along the axis */
static void a_screw_by_hand(void **state)
{
    (void)state;
    const double quarter = acos(-1) / 2;
    subject s = one_joint(ARNE_FREE);
    double q[7], out[7];
    assert_int_equal(arne_neutral(s.m, q), ARNE_OK);
    for (int k = 0; k < 7; k++) assert_true(q[k] == (k == 6));
    const double v[6] = {quarter, 0, 2, 0, 0, quarter}, should[7] = {1, 1, 2, 0, 0, sqrt(0.5), sqrt(0.5)};
    assert_int_equal(arne_integrate(s.m, q, v, out), ARNE_OK);
    expect_near(&s, "a quarter of a circle", 7, out, should, 1e-15, 1);
    double back[6];
    assert_int_equal(arne_difference(s.m, q, out, back), ARNE_OK);
    expect_near(&s, "and back", 6, back, v, 1e-15, 2);
    subject_close(&s);
}

static void steps_and_differences_undo_each_other(void **state)
{
    (void)state;
    for (int number = 0; number < ROBOTS; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_WIDE);
        const motion x = subject_motion(&s, 1);
        double v[N], q[N], back[N], again[N];
        /* turns of up to half a turn, small and very small ones */
        random_vector(&s.r, s.n, (const double[]){1e-5, 1.7, 0.055}[number % 3], v);
        arne_integrate(s.m, x.q, v, q);
        arne_difference(s.m, x.q, q, back);
        expect_near(&s, "difference of a step", s.n, back, v, 1e-14, 1 + largest(s.nq, q)); /* beside the places themselves */
        arne_integrate(s.m, x.q, back, again);
        expect_near(&s, "step of a difference", s.nq, again, q, 1e-13, 1);
        for (int i = 0; i < arne_model_joints(s.m); i++) {
            const arne_joint_type kind = arne_joint_kind(s.m, i);
            const double *e = q + arne_joint_q(s.m, i) + (kind == ARNE_FREE ? 3 : 0);
            if (kind != ARNE_FREE && kind != ARNE_SPHERICAL) continue;
            assert_true(fabs(quaternion_length(e) - 1) < 1e-15);
            for (int k = 0; k < 4; k++) q[e - q + k] = -e[k]; /* the same turn */
        }
        arne_difference(s.m, x.q, q, again);
        expect_near(&s, "difference to the other quaternion of a turn", s.n, again, back, 1e-14, 1 + largest(s.nq, q));
        subject_close(&s);
    }
}

/* A step is two half ones along the same screw, from the same place far away: in turns of 0.19 and 0.095 there is a series on one
 * side and none on the other. */
static void two_half_steps_are_one(void **state)
{
    (void)state;
    static const double turns[] = {3, 0.19, 0.15, 0.09, 1e-3};
    subject s = one_joint(ARNE_FREE);
    for (int k = 0; k < 5; k++) {
        const double v[6] = {100, -50, 70, turns[k] * 2 / 3, -turns[k] / 3, turns[k] * 2 / 3};
        double q[7], half[6], once[7], twice[7];
        random_vector(&s.r, 3, 10, q);
        random_quaternion(&s.r, q + 3);
        for (int i = 0; i < 6; i++) half[i] = v[i] / 2;
        arne_integrate(s.m, q, v, once);
        arne_integrate(s.m, q, half, twice);
        arne_integrate(s.m, twice, half, twice);
        expect_near(&s, "two half steps", 3, twice, once, 1e-15, 200);
        expect_near(&s, "two half turns", 4, twice + 3, once + 3, 1e-15, 1);
        arne_difference(s.m, q, once, half);
        expect_near(&s, "and back", 6, half, v, 5e-15, 200);
    }
    subject_close(&s);
}

/* (q(h) - q(-h))/2h */
static void rates_are_limits_of_steps(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (int number = 0; number < ROBOTS; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_WIDE);
        const motion x = subject_motion(&s, 1);
        double rate[N], v[N], q[2][N], should[N];
        arne_position_rate(s.m, x.q, x.qd, rate);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < s.n; i++) v[i] = (side ? h : -h) * x.qd[i];
            arne_integrate(s.m, x.q, v, q[side]);
        }
        for (int i = 0; i < s.nq; i++) should[i] = (q[1][i] - q[0][i]) / (2 * h);
        expect_near(&s, "rate of a position", s.nq, rate, should, 1e-7, 1 + largest(s.nq, rate));
        subject_close(&s);
    }
}

/* turns of up to half a turn, and small ones; by q and by v, at the place that both lead to */
static void steps_differ_as_their_derivatives(void **state)
{
    (void)state;
    static const double reach[3] = {1.5, 0.2, 1e-6};
    const double h = 1e-4;
    for (int number = 0; number < FEWER(ROBOTS) / 4; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_WIDE);
        const motion x = subject_motion(&s, 1);
        double v[N], by_q[N * N], by_v[N * N], to[N], is[2 * N], should[2 * N];
        random_vector(&s.r, s.n, reach[number % 3], v);
        assert_int_equal(arne_integrate_derivatives(s.m, v, by_q, by_v), ARNE_OK);
        arne_integrate(s.m, x.q, v, to);
        for (int c = 0; c < s.n; c++) {
            double far[4][N], seen[4][N];
            for (int k = 0; k < 4; k++) { /* forth and back, of q and of v */
                const double by = k % 2 ? -h : h;
                double e[N] = {0}, q[N], w[N];
                memcpy(q, x.q, sizeof q);
                memcpy(w, v, sizeof w);
                e[c] = by;
                if (k < 2) arne_integrate(s.m, x.q, e, q);
                if (k >= 2) w[c] += by;
                arne_integrate(s.m, q, w, far[k]);
                arne_difference(s.m, to, far[k], seen[k]);
            }
            for (int i = 0; i < s.n; i++) {
                is[i] = by_q[i * s.n + c], is[s.n + i] = by_v[i * s.n + c];
                should[i] = (seen[0][i] - seen[1][i]) / (2 * h);
                should[s.n + i] = (seen[2][i] - seen[3][i]) / (2 * h);
            }
            expect_near(&s, "derivative of a step", 2 * s.n, is, should, 2e-8, 1);
        }
        /* by v: the mean of by q over the way */
        double whole[N * N], half[N * N], w[N];
        for (int i = 0; i < s.n; i++) w[i] = 2 * v[i];
        arne_integrate_derivatives(s.m, w, NULL, whole);
        for (int i = 0; i < s.n; i++)
            for (int c = 0; c < s.n; c++) {
                half[i * s.n + c] = by_v[i * s.n + c] / 2;
                for (int j = 0; j < s.n; j++) half[i * s.n + c] += by_q[i * s.n + j] * by_v[j * s.n + c] / 2;
            }
        expect_near(&s, "mean over the way", s.n * s.n, half, whole, 1e-14, fmax(1, largest(s.n * s.n, whole)));
        assert_int_equal(arne_integrate_derivatives(NULL, v, by_q, by_v), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_integrate_derivatives(s.m, NULL, by_q, by_v), ARNE_BAD_ARGUMENT);
        subject_close(&s);
    }
}

static void quaternions_are_brought_to_unit_length(void **state)
{
    (void)state;
    subject s = one_joint(ARNE_SPHERICAL);
    int joint = -1;
    double q[4] = {0.5, 0.5, 0.5, 0.5004};
    assert_int_equal(arne_normalize(s.m, 1e-3, q, &joint), ARNE_OK);
    assert_true(fabs(quaternion_length(q) - 1) < 1e-15);
    const double bad[3][4] = {{0, 0, 0, 0}, {0, 0, NAN, 1}, {0, 0, 0, 1.1}};
    for (int k = 0; k < 3; k++) {
        double e[4];
        memcpy(e, bad[k], sizeof e);
        assert_int_equal(arne_normalize(s.m, 1e-3, e, &joint), ARNE_BAD_VALUE);
        assert_int_equal(joint, 0);
        assert_memory_equal(e, bad[k], sizeof e);
    }
    double far[4] = {0, 0, 0, 1.1};
    assert_int_equal(arne_normalize(s.m, NAN, far, NULL), ARNE_OK);
    assert_true(far[3] == 1);
    const double none[2][4] = {{0, 0, 0, 0}, {0, INFINITY, 0, 1}};
    for (int k = 0; k < 2; k++) { /* of any length, but of one */
        double e[4];
        memcpy(e, none[k], sizeof e);
        assert_int_equal(arne_normalize(s.m, NAN, e, NULL), ARNE_BAD_VALUE);
    }
    assert_int_equal(arne_neutral(NULL, q), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_normalize(s.m, 0, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_integrate(s.m, q, NULL, q), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_difference(s.m, q, q, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_position_rate(s.m, q, NULL, q), ARNE_BAD_ARGUMENT);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screw_by_hand),
        cmocka_unit_test(steps_and_differences_undo_each_other),
        cmocka_unit_test(two_half_steps_are_one),
        cmocka_unit_test(rates_are_limits_of_steps),
        cmocka_unit_test(steps_differ_as_their_derivatives),
        cmocka_unit_test(quaternions_are_brought_to_unit_length),
    };
    return cmocka_run_group_tests_name("dynamics/positions", tests, NULL, NULL);
}
