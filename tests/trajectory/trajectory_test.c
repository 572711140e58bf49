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
#include <stdio.h>
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

/* From rest to rest along a line: of degree 1 it starts and stops with a jump. */
static void rest_to_rest_of_degree_one_is_a_line(void **state)
{
    (void)state;
    const double q0[N] = {0.5, -1, 2}, q1[N] = {2.5, -2, -1};
    arne_trajectory *s = NULL;
    arne_error error;
    double at[SIZE];
    made(arne_trajectory_rest_to_rest(N, 1, 2, 6, q0, q1, &s, &error), &error);
    arne_trajectory_at(s, 3, 2, at);
    for (int i = 0; i < N; i++) {
        assert_near(at[i], q0[i] + (q1[i] - q0[i]) / 4, 1e-15);
        assert_near(at[N + i], (q1[i] - q0[i]) / 4, 1e-15);
        assert_true(at[2 * N + i] == 0);
    }
    assert_int_equal(arne_trajectory_smoothness(s), 0);
    arne_trajectory_free(s);
}

/* Derivatives above the highest are zero and nothing behind them is touched; a time that misses an end by rounding is that end,
 * where it still moves. */
static void the_ends_of_times_and_orders(void **state)
{
    (void)state;
    const double from[2] = {1, 3}, to[2] = {2, 4};
    arne_trajectory *s = NULL;
    arne_error error;
    double at[ORDER + 4], more[ORDER + 4];
    made(arne_trajectory_polynomial(1, 3, -1, 1, from, to, &s, &error), &error);
    for (int order = ORDER; order <= ORDER + 2; order++) {
        for (int r = 0; r < ORDER + 4; r++) at[r] = more[r] = 7;
        assert_int_equal(arne_trajectory_at(s, 0.25, ORDER, at), ARNE_OK);
        assert_int_equal(arne_trajectory_at(s, 0.25, order, more), ARNE_OK);
        for (int r = 0; r < ORDER + 4; r++) assert_true(more[r] == (r <= ORDER ? at[r] : r <= order ? 0 : 7));
    }
    arne_trajectory_at(s, nextafter(1, 2), 1, at);
    assert_near(at[1], 4, 1e-13);
    arne_trajectory_at(s, nextafter(-1, -2), 1, at);
    assert_near(at[1], 3, 1e-13);
    arne_trajectory_at(s, 1 + 1e-12, 1, at);
    assert_true(at[1] == 0);
    arne_trajectory_free(s);
}

/* Through fewer samples than its degree has coefficients goes the polynomial through all of them, the straightest. */
static void few_samples_give_a_line_or_a_parabola(void **state)
{
    (void)state;
    const double t[3] = {1, 1.5, 3};
    for (int degree = 3; degree <= 9; degree += 2)
        for (int count = 2; count <= 3; count++) {
            const double bent = count - 2;
            double q[3 * 2], at[4 * 2];
            for (int k = 0; k < count; k++) q[2 * k] = 2 - 3 * t[k] + bent * t[k] * t[k], q[2 * k + 1] = 5 + t[k];
            arne_trajectory *s = NULL;
            arne_error error;
            made(arne_trajectory_samples(2, degree, count, t, q, &s, &error), &error);
            for (int k = 0; k <= 10; k++) {
                const double x = 1 + (t[count - 1] - 1) * k / 10;
                const double want[8] = {2 - 3 * x + bent * x * x, 5 + x, -3 + 2 * bent * x, 1, 2 * bent, 0, 0, 0};
                arne_trajectory_at(s, x, 3, at);
                for (int i = 0; i < 8; i++) assert_near(at[i], want[i], 1e-8);
            }
            arne_trajectory_free(s);
        }
}

/* Jumps below 1e-6 of the largest value of a derivative do not count: a cubic from 0 to 0.5 in a second is at most 0.75 fast. */
static void a_jump_counts_above_a_part_of_the_largest_value(void **state)
{
    (void)state;
    for (int end = 0; end < 2; end++)
        for (int jumps = 0; jumps < 2; jumps++) {
            double states[2][2] = {{0, 0}, {0.5, 0}};
            states[end][1] = jumps ? 0.8e-6 : 0.7e-6;
            arne_trajectory *s = NULL;
            arne_error error;
            made(arne_trajectory_polynomial(1, 3, 0, 1, states[0], states[1], &s, &error), &error);
            assert_int_equal(arne_trajectory_smoothness(s), jumps ? 0 : 1);
            arne_trajectory_free(s);
        }
    /* a short part of a sequence, at most 1500 fast, which starts with 1e-3 */
    const double from[2] = {0, 1e-3}, middle[2] = {1, 0}, to[2] = {2, 0};
    arne_trajectory *parts[2] = {0}, *s = NULL;
    arne_error error;
    made(arne_trajectory_polynomial(1, 3, 0, 0.001, from, middle, &parts[0], &error), &error);
    made(arne_trajectory_polynomial(1, 3, 1, 2, middle, to, &parts[1], &error), &error);
    made(arne_trajectory_sequence(2, parts, &s, &error), &error);
    assert_int_equal(arne_trajectory_smoothness(s), 1);
    arne_trajectory_free(s);
    for (int k = 0; k < 2; k++) arne_trajectory_free(parts[k]);
}

/* What stands still has all derivatives; those that may jump inside (at knots, where a ramp ends) are what is left. */
static void smoothness_inside_is_what_the_form_gives(void **state)
{
    (void)state;
    const double t[4] = {1, 2, 3, 4}, q[4] = {2, 2, 2, 2}, zero[2] = {0}, rise[5] = {0}, top[5] = {2};
    arne_trajectory *s[6] = {0}, *all = NULL;
    arne_error error;
    made(arne_trajectory_fourier(1, 1, 1, q, zero, zero, 0, 4, 0, &s[0], &error), &error);
    made(arne_trajectory_fourier(1, 1, 1, q, zero, zero, 0, 4, 2, &s[1], &error), &error); /* both ramps just fit */
    made(arne_trajectory_polynomial(1, 1, 0, 1, q, q, &s[2], &error), &error);
    made(arne_trajectory_spline(1, 3, 2, t, q, &s[3], &error), &error);
    made(arne_trajectory_spline(1, 3, 4, t, q, &s[4], &error), &error);
    made(arne_trajectory_polynomial(1, 9, 0, 1, rise, top, &s[5], &error), &error);
    static const int want[] = {ORDER, 4, ORDER, ORDER, 2, 4};
    for (int k = 0; k < 6; k++) assert_int_equal(arne_trajectory_smoothness(s[k]), want[k]);
    /* the least of all parts, whichever of them it is */
    arne_trajectory *parts[3] = {s[5], s[4], NULL};
    made(arne_trajectory_polynomial(1, 9, 4, 5, top, rise, &parts[2], &error), &error);
    made(arne_trajectory_sequence(3, parts, &all, &error), &error);
    assert_int_equal(arne_trajectory_smoothness(all), 2);
    arne_trajectory_free(all);
    made(arne_trajectory_sequence(2, parts + 1, &all, &error), &error);
    assert_int_equal(arne_trajectory_smoothness(all), 2);
    arne_trajectory_free(all);
    arne_trajectory_free(parts[2]);
    for (int k = 0; k < 6; k++) arne_trajectory_free(s[k]);
}

/* A velocity goes on where the next part starts at once; a pause makes two jumps of it, and one side that moves is enough. */
static void a_pause_between_moving_parts_is_a_jump(void **state)
{
    (void)state;
    const double from[2] = {0, 0}, to[2] = {2, 0}, moving[2] = {1, 1.5}, resting[2] = {1, 0};
    for (int pause = 0; pause < 2; pause++)
        for (int kind = 0; kind < 4; kind++) { /* bit 0: the first part moves at its end; bit 1: the second at its start */
            arne_trajectory *parts[2] = {0}, *s = NULL;
            arne_error error;
            double at[2];
            made(arne_trajectory_polynomial(1, 3, 0, 1, from, kind & 1 ? moving : resting, &parts[0], &error), &error);
            made(arne_trajectory_polynomial(1, 3, 1 + pause, 2 + pause, kind & 2 ? moving : resting, to, &parts[1], &error),
                 &error);
            made(arne_trajectory_sequence(2, parts, &s, &error), &error);
            assert_int_equal(arne_trajectory_smoothness(s), kind == 0 || (kind == 3 && !pause) ? 1 : 0);
            arne_trajectory_at(s, 1 + pause, 1, at); /* a part begins where it starts */
            assert_near(at[1], kind & 2 ? 1.5 : 0, 1e-13);
            arne_trajectory_free(s);
            for (int k = 0; k < 2; k++) arne_trajectory_free(parts[k]);
        }
}

/* Parts meet within 1e-9, of units and of seconds. */
static void parts_meet_within_a_nanometre(void **state)
{
    (void)state;
    const double from[N] = {1, 2, 3}, zero[N] = {0}, to[N] = {4, 5, 6};
    for (int apart = 0; apart < 2; apart++) {
        const double off = apart ? 1.1e-9 : 0.9e-9, near[N] = {0, 0, -off};
        arne_trajectory *parts[3] = {0}, *s = NULL;
        arne_error error;
        made(arne_trajectory_rest_to_rest(N, 3, -1, 0, from, zero, &parts[0], &error), &error);
        made(arne_trajectory_rest_to_rest(N, 3, 0, 1, near, to, &parts[1], &error), &error);
        assert_int_equal(arne_trajectory_sequence(2, parts, &s, &error), apart ? ARNE_BAD_VALUE : ARNE_OK);
        arne_trajectory_free(s);
        arne_trajectory_free(parts[1]);
        made(arne_trajectory_rest_to_rest(N, 3, -off, 1, zero, to, &parts[1], &error), &error);
        assert_int_equal(arne_trajectory_sequence(2, parts, &s, &error), apart ? ARNE_BAD_VALUE : ARNE_OK);
        arne_trajectory_free(s);
        for (int k = 0; k < 2; k++) arne_trajectory_free(parts[k]);
    }
}

static arne_error error;
static arne_trajectory *made_of;

static void refused(arne_status status, const char *sentence)
{
    assert_int_equal(status, ARNE_BAD_VALUE);
    assert_null(made_of);
    assert_string_equal(error.message, sentence);
    made_of = (arne_trajectory *)(void *)&error; /* whatever stood there */
}

static void bad_input_is_refused_with_a_sentence(void **state)
{
    (void)state;
    const double t[4] = {0, 1, 1, 2}, good[6] = {0, 1, 2, 3, 4, 5}, nan5[6] = {0, 1, 2, 3, NAN, 5},
                 nan6[6] = {0, 1, 2, 3, 4, NAN};
    const double mean[3] = {0, 1, INFINITY}, late[2] = {NAN, 1}, unequal[3] = {0, 1e-60, 1};
    arne_trajectory **s = &made_of;
    arne_error *e = &error;
    made_of = (arne_trajectory *)(void *)&error;
    static const int degrees[] = {-1, 0, 4, 11};
    for (int k = 0; k < 4; k++) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "a polynomial of degree %d: choose 1, 3, 5, 7 or 9", degrees[k]);
        refused(arne_trajectory_polynomial(1, degrees[k], 0, 1, good, good, s, e), sentence);
        snprintf(sentence, sizeof sentence, "a spline of degree %d: choose 3, 5, 7 or 9", degrees[k]);
        refused(arne_trajectory_spline(1, degrees[k], 3, good, good, s, e), sentence);
        refused(arne_trajectory_rest_to_rest(1, degrees[k], 0, 1, good, good, s, e), sentence);
    }
    refused(arne_trajectory_spline(1, 1, 3, good, good, s, e), "a spline of degree 1: choose 3, 5, 7 or 9");
    refused(arne_trajectory_polynomial(1, 3, 1.5, 1.5, good, good, s, e),
            "the trajectory runs from 1.5 s to 1.5 s: its end must come after its start");
    refused(arne_trajectory_rest_to_rest(1, 3, 2, 1.5, good, good, s, e),
            "the trajectory runs from 2 s to 1.5 s: its end must come after its start");
    refused(arne_trajectory_polynomial(1, 3, -INFINITY, 1, good, good, s, e),
            "the trajectory runs from -inf s to 1 s: its end must come after its start");
    refused(arne_trajectory_polynomial(1, 3, 0, INFINITY, good, good, s, e),
            "the trajectory runs from 0 s to inf s: its end must come after its start");
    refused(arne_trajectory_polynomial(0, 3, 0, 1, good, good, s, e), "a trajectory of 0 joints: at least one is needed");
    refused(arne_trajectory_rest_to_rest(0, 3, 0, 1, good, good, s, e), "a trajectory of 0 joints: at least one is needed");
    refused(arne_trajectory_polynomial(3, 3, 0, 1, nan5, good, s, e), "the start of joint 2 is not a number (derivative 1)");
    refused(arne_trajectory_polynomial(3, 3, 0, 1, good, nan6, s, e), "the end of joint 3 is not a number (derivative 1)");
    refused(arne_trajectory_polynomial(1, 9, 0, 1e-60, good, good + 1, s, e),
            "the motion is too fast for double precision: derivatives overflow");
    refused(arne_trajectory_rest_to_rest(3, 5, 0, 1, good, mean, s, e), "point 2: joint 3 is not a number");
    refused(arne_trajectory_spline(1, 7, 4, t, good, s, e), "point 3: time 1 s does not come after the one before");
    refused(arne_trajectory_spline(1, 3, 2, late, good, s, e), "point 1: time nan s does not come after the one before");
    refused(arne_trajectory_samples(2, 7, 3, good, nan6, s, e), "point 3: joint 2 is not a number");
    refused(arne_trajectory_spline(0, 3, 2, good, good, s, e),
            "a spline of 0 joints through 2 points: at least 1 and 2 are needed");
    refused(arne_trajectory_spline(3, 3, 1, good, good, s, e),
            "a spline of 3 joints through 1 points: at least 1 and 2 are needed");
    refused(arne_trajectory_spline(1, 9, 3, unequal, good, s, e),
            "the times of the points are too unequal for a spline of degree 9");
    refused(arne_trajectory_fourier(1, 1, 1, good, good, good, 2, 5, 1.75, s, e),
            "a ramp of 1.75 s: two of them must fit into the 3 s of the motion");
    refused(arne_trajectory_fourier(1, 1, 1, good, good, good, 2, 5, -0.5, s, e),
            "a ramp of -0.5 s: two of them must fit into the 3 s of the motion");
    refused(arne_trajectory_fourier(1, 1, 1, good, good, good, 2, 5, NAN, s, e),
            "a ramp of nan s: two of them must fit into the 3 s of the motion");
    refused(arne_trajectory_fourier(1, 0, 1, good, good, good, 0, 1, 0, s, e), "a Fourier sum needs at least one harmonic");
    refused(arne_trajectory_fourier(1, 1, 0, good, good, good, 0, 1, 0, s, e),
            "the base frequency of a Fourier sum is 0 rad/s: it must be positive");
    refused(arne_trajectory_fourier(1, 1, INFINITY, good, good, good, 0, 1, 0, s, e),
            "the base frequency of a Fourier sum is inf rad/s: it must be positive");
    refused(arne_trajectory_fourier(1, 1, 1, good, good, good, 1, 0, 0, s, e),
            "the trajectory runs from 1 s to 0 s: its end must come after its start");
    for (int k = 0; k < 3; k++)
        refused(arne_trajectory_fourier(3, 2, 1, k == 0 ? mean : good, k == 1 ? nan6 : good, k == 2 ? nan6 : good, 0, 1, 0, s, e),
                "a coefficient of the Fourier sum is not a number");
    arne_trajectory *parts[4] = {0};
    made(arne_trajectory_rest_to_rest(3, 3, 0, 1, good, good + 1, &parts[0], e), e);
    made(arne_trajectory_rest_to_rest(3, 3, 1, 3, good + 1, good, &parts[1], e), e);
    made(arne_trajectory_rest_to_rest(3, 3, 2.5, 7, good, (const double[]){0, 1, 4.5}, &parts[2], e), e);
    made(arne_trajectory_rest_to_rest(2, 3, 8, 9, good, good, &parts[3], e), e);
    refused(arne_trajectory_sequence(0, parts, s, e), "a sequence needs at least one part");
    refused(arne_trajectory_sequence(3, parts, s, e), "part 3 starts at 2.5 s, before part 2 ends at 3 s");
    refused(arne_trajectory_sequence(4, parts, s, e), "part 4 has 2 joints, part 1 has 3");
    arne_trajectory_free(parts[1]);
    made(arne_trajectory_rest_to_rest(3, 3, 7, 8, good, good, &parts[1], e), e);
    refused(arne_trajectory_sequence(2, (arne_trajectory *[]){parts[2], parts[1]}, s, e),
            "part 2 starts elsewhere than part 1 ends: joint 3 at 2 instead of 4.5");
    for (int k = 0; k < 4; k++) arne_trajectory_free(parts[k]);
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
        cmocka_unit_test(rest_to_rest_of_degree_one_is_a_line),
        cmocka_unit_test(the_ends_of_times_and_orders),
        cmocka_unit_test(few_samples_give_a_line_or_a_parabola),
        cmocka_unit_test(a_jump_counts_above_a_part_of_the_largest_value),
        cmocka_unit_test(smoothness_inside_is_what_the_form_gives),
        cmocka_unit_test(a_pause_between_moving_parts_is_a_jump),
        cmocka_unit_test(parts_meet_within_a_nanometre),
        cmocka_unit_test(bad_input_is_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
