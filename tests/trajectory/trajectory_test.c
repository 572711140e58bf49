/* SPDX-License-Identifier: MIT
 *
 * trajectory_test.c - motions and their derivatives against finite differences, end conditions, smoothness at knots and exactness
 * on polynomials. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/trajectory.h"

/* exact in real arithmetic, relative to the largest value of that derivative */
static const double ROUNDING = 1e-9;
/* central differences of one derivative against the next */
static const double DIFFERENCE = 1e-5;

enum { N = 3, ORDER = ARNE_TRAJECTORY_ORDER, SIZE = (ORDER + 1) * N };

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void made(arne_status status, const arne_error *error)
{
    if (status != ARNE_OK) fail_msg("%s", error->message);
}

static void assert_near(double x, double want, double tolerance)
{
    if (!(fabs(x - want) <= tolerance)) fail_msg("%.17g is not %.17g within %g", x, want, tolerance);
}

/* Every derivative is the derivative of the one before it, off the knots. */
static void check_derivatives(const arne_trajectory *s, int order, const double *knots, int nknot)
{
    const double t0 = arne_trajectory_start(s), t1 = arne_trajectory_end(s), h = 1e-5 * (t1 - t0);
    double size[SIZE] = {0}, before[SIZE], at[SIZE], after[SIZE];
    for (int k = 0; k <= 200; k++) {
        arne_trajectory_at(s, t0 + (t1 - t0) * k / 200, ORDER, at);
        for (int i = 0; i < SIZE; i++) size[i] = fmax(size[i], fabs(at[i]));
    }
    uint64_t seed = 5;
    for (int k = 0; k < 300; k++) {
        const double t = t0 + h + (t1 - t0 - 2 * h) * (0.5 + 0.5 * uniform(&seed));
        bool near = false;
        for (int j = 0; j < nknot; j++) near = near || fabs(t - knots[j]) < 2 * h;
        if (near) continue;
        arne_trajectory_at(s, t - h, order, before);
        arne_trajectory_at(s, t, order, at);
        arne_trajectory_at(s, t + h, order, after);
        for (int i = N; i < (order + 1) * N; i++)
            if (!(fabs((after[i - N] - before[i - N]) / (2 * h) - at[i]) <= DIFFERENCE * size[i]))
                fail_msg("derivative %d at t = %g: %g, differences %g", i / N, t, at[i],
                         (after[i - N] - before[i - N]) / (2 * h));
    }
}

static void polynomials_meet_both_states(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int degree = 1; degree <= 9; degree += 2) {
        const int rows = (degree + 1) / 2;
        double from[SIZE], to[SIZE], at[SIZE];
        for (int i = 0; i < rows * N; i++) from[i] = uniform(&seed), to[i] = uniform(&seed);
        arne_trajectory *s = NULL;
        arne_error error;
        made(arne_trajectory_polynomial(N, degree, 1.5, 3.25, from, to, &s, &error), &error);
        assert_int_equal(arne_trajectory_dof(s), N);
        arne_trajectory_at(s, 1.5, rows - 1, at);
        for (int i = 0; i < rows * N; i++) assert_near(at[i], from[i], 1e-12);
        arne_trajectory_at(s, 3.25, rows - 1, at);
        for (int i = 0; i < rows * N; i++) assert_near(at[i], to[i], 1e-9);
        check_derivatives(s, ORDER < degree ? ORDER : degree, NULL, 0);
        /* moving at its ends: it starts and stops with a jump of the velocity */
        assert_int_equal(arne_trajectory_smoothness(s), 0);
        arne_trajectory_free(s);
    }
}

/* s(x) = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7, peak velocity 35/16 dq/T  [ERRATA 3.5] */
static void rest_to_rest_of_degree_seven_is_the_published_one(void **state)
{
    (void)state;
    const double q0[N] = {0.5, -1, 2}, q1[N] = {2.5, -1, -1};
    arne_trajectory *s = NULL;
    arne_error error;
    double at[SIZE];
    made(arne_trajectory_rest_to_rest(N, 7, 0, 4, q0, q1, &s, &error), &error);
    for (int k = 0; k <= 40; k++) {
        const double x = k / 40.0, y = 1 - x, blend = x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x)));
        arne_trajectory_at(s, 4 * x, 4, at);
        for (int i = 0; i < N; i++) {
            const double d = q1[i] - q0[i];
            assert_near(at[i], q0[i] + d * blend, 1e-13);
            assert_near(at[N + i], d / 4 * 140 * x * x * x * y * y * y, 1e-11);
            assert_near(at[3 * N + i], d / 64 * 840 * x * y * (1 - 5 * x * y), 1e-10);
        }
    }
    assert_int_equal(arne_trajectory_smoothness(s), 3);
    arne_trajectory_free(s);
}

static void outside_its_time_it_stands_still(void **state)
{
    (void)state;
    const double from[2 * N] = {1, 2, 3, 1, 1, 1}, to[2 * N] = {4, 5, 6, -1, 0, 2};
    arne_trajectory *s = NULL;
    arne_error error;
    double at[SIZE];
    made(arne_trajectory_polynomial(N, 3, 2, 3, from, to, &s, &error), &error);
    for (int side = 0; side < 2; side++) {
        arne_trajectory_at(s, side ? 3.001 : 1.999, ORDER, at);
        for (int i = 0; i < N; i++) assert_near(at[i], side ? to[i] : from[i], 1e-12);
        for (int i = N; i < SIZE; i++) assert_true(at[i] == 0);
    }
    arne_trajectory_free(s);
}

/* increasing, with neighbours up to 8 times as far apart as others */
static void random_times(uint64_t *seed, int count, double *t)
{
    t[0] = uniform(seed);
    for (int k = 1; k < count; k++) t[k] = t[k - 1] + 0.1 * pow(2, 1.5 * (1 + uniform(seed)));
}

static void splines_pass_through_their_points_from_rest_to_rest(void **state)
{
    (void)state;
    enum { POINTS = 12 };
    uint64_t seed = 2;
    for (int degree = 3; degree <= 9; degree += 2)
        for (int count = 2; count <= POINTS; count++) {
            double t[POINTS], q[POINTS * N], at[SIZE];
            random_times(&seed, count, t);
            for (int i = 0; i < count * N; i++) q[i] = uniform(&seed);
            arne_trajectory *s = NULL;
            arne_error error;
            made(arne_trajectory_spline(N, degree, count, t, q, &s, &error), &error);
            double size[SIZE] = {0};
            for (int k = 0; k <= 400; k++) {
                arne_trajectory_at(s, t[0] + (t[count - 1] - t[0]) * k / 400, ORDER, at);
                for (int i = 0; i < SIZE; i++) size[i] = fmax(size[i], fabs(at[i]));
            }
            for (int k = 0; k < count; k++) {
                arne_trajectory_at(s, t[k], ORDER, at);
                for (int i = 0; i < N; i++) assert_near(at[i], q[k * N + i], 1e-12);
                if (k == 0 || k == count - 1) {
                    for (int i = N; i < (degree + 1) / 2 * N; i++) assert_true(fabs(at[i]) <= ROUNDING * size[i]);
                    continue;
                }
                /* derivatives up to degree - 1 go on at the knots: the piece before, taken to the same time */
                double before[SIZE];
                arne_trajectory_at(s, nextafter(t[k], -100), ORDER, before);
                for (int i = N; i < SIZE && i < degree * N; i++)
                    if (!(fabs(at[i] - before[i]) <= ROUNDING * size[i]))
                        fail_msg("degree %d, knot %d: derivative %d jumps from %g to %g", degree, k, i / N, before[i], at[i]);
            }
            check_derivatives(s, ORDER < degree - 1 ? ORDER : degree - 1, t, count);
            assert_int_equal(arne_trajectory_smoothness(s), (degree - 1) / 2);
            arne_trajectory_free(s);
        }
}

static void samples_of_a_polynomial_give_it_back(void **state)
{
    (void)state;
    enum { POINTS = 20 };
    uint64_t seed = 3;
    for (int degree = 3; degree <= 9; degree += 2) {
        double t[POINTS], q[POINTS * N] = {0}, c[N][10], at[SIZE];
        random_times(&seed, POINTS, t);
        const double middle = (t[0] + t[POINTS - 1]) / 2, half = (t[POINTS - 1] - t[0]) / 2;
        for (int i = 0; i < N; i++)
            for (int k = 0; k <= degree; k++) c[i][k] = uniform(&seed);
        for (int p = 0; p < POINTS; p++)
            for (int i = 0; i < N; i++)
                for (int k = degree; k >= 0; k--) q[p * N + i] = q[p * N + i] * (t[p] - middle) / half + c[i][k];
        arne_trajectory *s = NULL;
        arne_error error;
        made(arne_trajectory_samples(N, degree, POINTS, t, q, &s, &error), &error);
        for (int p = 0; p <= 50; p++) {
            const double x = -1 + 2 * p / 50.0;
            arne_trajectory_at(s, middle + half * x, 4, at);
            for (int r = 0; r <= 4 && r <= degree; r++)
                for (int i = 0; i < N; i++) {
                    double want = 0, size = 0;
                    for (int k = degree; k >= r; k--) {
                        double f = c[i][k];
                        for (int j = 0; j < r; j++) f *= (k - j) / half;
                        want = want * x + f;
                        size += fabs(f);
                    }
                    /* a difference of order r of points 0.1 of the length apart loses two digits an order */
                    if (!(fabs(at[r * N + i] - want) <= 1e-10 * pow(10, r) * size))
                        fail_msg("degree %d, derivative %d: %.17g, not %.17g", degree, r, at[r * N + i], want);
                }
        }
        arne_trajectory_free(s);
    }
}

/* A sine through 200 samples: the error of the 4th derivative falls with the spacing as it must. */
static void samples_of_a_sine_have_its_derivatives(void **state)
{
    (void)state;
    static const int counts[] = {26, 51, 101};
    double worst[3][5] = {{0}};
    for (int c = 0; c < 3; c++) {
        double t[128], q[128], at[ORDER + 1];
        for (int k = 0; k < counts[c]; k++) t[k] = 5.0 * k / (counts[c] - 1), q[k] = sin(2 * t[k]);
        arne_trajectory *s = NULL;
        arne_error error;
        made(arne_trajectory_samples(1, 7, counts[c], t, q, &s, &error), &error);
        for (int k = 0; k <= 1000; k++) {
            const double x = 0.5 + 4.0 * k / 1000, power[5] = {1, 2, 4, 8, 16};
            arne_trajectory_at(s, x, 4, at);
            for (int r = 0; r <= 4; r++) worst[c][r] = fmax(worst[c][r], fabs(at[r] - power[r] * sin(2 * x + r * acos(0))));
        }
        arne_trajectory_free(s);
    }
    /* degree 7: derivative r is off by h^(8 - r): half the spacing, 2^(8 - r) times better (a factor 2 is left for luck) */
    for (int c = 0; c + 1 < 3; c++)
        for (int r = 0; r <= 4; r++)
            if (!(worst[c + 1][r] <= worst[c][r] / pow(2, 7 - r) || worst[c + 1][r] < 1e-12 * pow(400, r)))
                fail_msg("derivative %d: %g at %d samples, %g at %d", r, worst[c][r], counts[c], worst[c + 1][r], counts[c + 1]);
    assert_true(worst[2][4] < 1e-3);
}

static void fourier_sums_fade_in_and_out(void **state)
{
    (void)state;
    enum { HARMONICS = 4 };
    uint64_t seed = 4;
    double mean[N], sine[HARMONICS * N], cosine[HARMONICS * N], at[SIZE];
    for (int i = 0; i < N; i++) mean[i] = uniform(&seed);
    for (int i = 0; i < HARMONICS * N; i++) sine[i] = uniform(&seed), cosine[i] = uniform(&seed);
    static const double ramps[3] = {0, 1.5, 0.75};
    for (int ramped = 0; ramped < 3; ramped++) {
        const double w = 1.3, t0 = -2, t1 = 6, ramp = ramps[ramped], knots[2] = {t0 + ramp, t1 - ramp};
        arne_trajectory *s = NULL;
        arne_error error;
        made(arne_trajectory_fourier(N, HARMONICS, w, mean, sine, cosine, t0, t1, ramp, &s, &error), &error);
        for (int k = 0; k <= 20; k++) {
            const double t = t0 + 1.5 + 5.0 * k / 20;
            arne_trajectory_at(s, t, 1, at);
            for (int i = 0; i < N; i++) {
                double want = mean[i];
                for (int h = 1; h <= HARMONICS; h++)
                    want += sine[(h - 1) * N + i] * sin(h * w * (t - t0)) + cosine[(h - 1) * N + i] * cos(h * w * (t - t0));
                assert_near(at[i], want, 1e-13);
            }
        }
        check_derivatives(s, ramped ? 4 : ORDER, knots, 2);
        for (int end = 0; end < 2 && ramped; end++) {
            arne_trajectory_at(s, end ? t1 : t0, 4, at);
            for (int i = 0; i < N; i++) assert_near(at[i], mean[i], 1e-12);
            for (int i = N; i < 5 * N; i++) assert_near(at[i], 0, 1e-8);
        }
        assert_int_equal(arne_trajectory_smoothness(s), ramped ? 4 : 0);
        arne_trajectory_free(s);
    }
}

static void sequences_go_on_where_they_ended(void **state)
{
    (void)state;
    const double a[N] = {0, 1, 2}, b[N] = {1, 1, 1}, c[N] = {-1, 0, 1};
    arne_trajectory *parts[3] = {0}, *s = NULL;
    arne_error error;
    double at[SIZE], want[SIZE];
    made(arne_trajectory_rest_to_rest(N, 9, 0, 1, a, b, &parts[0], &error), &error);
    made(arne_trajectory_rest_to_rest(N, 7, 1, 3, b, c, &parts[1], &error), &error);
    made(arne_trajectory_rest_to_rest(N, 5, 4, 5, c, a, &parts[2], &error), &error);
    /* out of order, and elsewhere */
    arne_trajectory *wrong[2] = {parts[1], parts[0]};
    assert_int_equal(arne_trajectory_sequence(2, wrong, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "before part 1 ends"));
    s = parts[0];
    wrong[0] = parts[0], wrong[1] = parts[2];
    assert_int_equal(arne_trajectory_sequence(2, wrong, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "elsewhere than part 1 ends: joint 1 at -1 instead of 1"));
    assert_null(s);
    made(arne_trajectory_sequence(3, parts, &s, &error), &error);
    for (int k = -5; k <= 55; k++) {
        const double t = k / 10.0 + 0.01;
        arne_trajectory_at(s, t, ORDER, at);
        arne_trajectory_at(parts[t < 1 ? 0 : t < 4 ? 1 : 2], t, ORDER, want);
        for (int i = 0; i < SIZE; i++) assert_true(at[i] == want[i]);
    }
    assert_int_equal(arne_trajectory_smoothness(s), 2);
    assert_true(arne_trajectory_start(s) == 0 && arne_trajectory_end(s) == 5);
    /* the parts are the caller's, and a sequence needs none of them to be kept */
    for (int k = 0; k < 3; k++) arne_trajectory_free(parts[k]);
    arne_trajectory_at(s, 2, 0, at);
    for (int i = 0; i < N; i++) assert_true(fabs(at[i] - (b[i] + c[i]) / 2) < 1e-12);
    arne_trajectory_free(s);
    /* the halves of one polynomial: every derivative goes on at the border */
    double from[5 * N] = {0}, to[5 * N] = {0}, middle[5 * N];
    for (int i = 0; i < N; i++) to[i] = 1 + i;
    arne_trajectory *whole = NULL, *halves[2] = {0};
    made(arne_trajectory_polynomial(N, 9, 0, 2, from, to, &whole, &error), &error);
    arne_trajectory_at(whole, 0.75, 4, middle);
    made(arne_trajectory_polynomial(N, 9, 0, 0.75, from, middle, &halves[0], &error), &error);
    made(arne_trajectory_polynomial(N, 9, 0.75, 2, middle, to, &halves[1], &error), &error);
    made(arne_trajectory_sequence(2, halves, &s, &error), &error);
    assert_int_equal(arne_trajectory_smoothness(s), 4);
    arne_trajectory_free(s);
    for (int k = 0; k < 2; k++) arne_trajectory_free(halves[k]);
    arne_trajectory_free(whole);
}

static void bad_input_is_refused_with_a_sentence(void **state)
{
    (void)state;
    const double t[4] = {0, 1, 1, 2}, q[4] = {0, 1, NAN, 2}, good[4] = {0, 1, 2, 3};
    arne_trajectory *s = NULL;
    arne_error error;
    assert_int_equal(arne_trajectory_polynomial(1, 4, 0, 1, q, q, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "degree 4"));
    assert_int_equal(arne_trajectory_polynomial(1, 3, 1, 1, q, q, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "end must come after"));
    assert_int_equal(arne_trajectory_spline(1, 7, 4, t, good, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "point 3"));
    assert_int_equal(arne_trajectory_samples(1, 7, 4, good, q, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "joint 1 is not a number"));
    assert_int_equal(arne_trajectory_fourier(1, 1, 1, good, good, good, 0, 1, 0.6, &s, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "ramp"));
    assert_int_equal(arne_trajectory_sequence(0, &s, &s, &error), ARNE_BAD_VALUE);
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_meet_both_states),
        cmocka_unit_test(rest_to_rest_of_degree_seven_is_the_published_one),
        cmocka_unit_test(outside_its_time_it_stands_still),
        cmocka_unit_test(splines_pass_through_their_points_from_rest_to_rest),
        cmocka_unit_test(samples_of_a_polynomial_give_it_back),
        cmocka_unit_test(samples_of_a_sine_have_its_derivatives),
        cmocka_unit_test(fourier_sums_fade_in_and_out),
        cmocka_unit_test(sequences_go_on_where_they_ended),
        cmocka_unit_test(bad_input_is_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
