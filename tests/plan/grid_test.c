/* SPDX-License-Identifier: MIT
 *
 * grid_test.c - the grid follows the path: as fast with thousands of points as on a fine grid, where points crowd together, and
 * where they repeat. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/plan.h"

static arne_model *m;
static arne_data *d;

static int set_up(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL) || arne_data_new(m, &d, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    arne_data_free(d);
    arne_model_free(m);
    return 0;
}

static double duration(const double *points, int count, int grid)
{
    arne_error e = {0};
    arne_curve *c;
    arne_plan *p = NULL;
    const arne_plan_options o = {.size = sizeof o, .grid = grid, .dt = 0.004};
    if (arne_curve_new(points, count, 2, &c, &e) || arne_plan_find(c, d, &o, &p, &e)) fail_msg("%d points: %s", count, e.message);
    const double t = arne_plan_duration(p);
    arne_plan_free(p);
    arne_curve_free(c);
    return t;
}

/* a curve that never repeats itself */
static void way(int count, double *points)
{
    for (int k = 0; k < count; k++) points[2 * k] = 2.5 * sin(0.7 * k), points[2 * k + 1] = 2 * cos(0.41 * k);
}

static void expect_fine(const double *points, int count, int fine)
{
    const double t = duration(points, count, 0), least = duration(points, count, fine);
    if (!(fabs(t - least) <= 0.01 * least)) fail_msg("%d points: %g s, %g s on a fine grid", count, t, least);
}

static void many_points_are_as_fast_as_on_a_fine_grid(void **state)
{
    (void)state;
    static double points[2 * 1000];
    static const int counts[] = {3, 30, 300, 1000};
    for (int k = 0; k < 4; k++) {
        way(counts[k], points);
        expect_fine(points, counts[k], counts[k] < 100 ? 8000 : 40 * counts[k]);
    }
}

/* ten points within a hundredth of a radian, then a long way */
static void a_crowd_of_points_is_seen(void **state)
{
    (void)state;
    double points[2 * 12];
    for (int k = 0; k < 11; k++) points[2 * k] = 1e-3 * k, points[2 * k + 1] = 1e-3 * (k % 2);
    points[22] = 2.5, points[23] = -1;
    expect_fine(points, 12, 50000);
}

static void points_that_repeat_are_one(void **state)
{
    (void)state;
    const double once[] = {-1, 0.5, 0, 1, 1, 0.2}, again[] = {-1, 0.5, 0, 1, 0, 1 + 1e-12, 1, 0.2, 1, 0.2};
    const double bits[] = {duration(once, 3, 0), duration(again, 5, 0)};
    assert_true(fabs(bits[0] - bits[1]) < 1e-9);
    arne_curve *c;
    assert_int_equal(arne_curve_new(again, 5, 2, &c, NULL), ARNE_OK);
    assert_int_equal(arne_curve_merged(c), 2);
    assert_int_equal(arne_curve_merged(NULL), 0);
    /* they are counted as they were given: the last piece goes from 2 to 4 */
    assert_true(fabs(arne_curve_point(c, arne_curve_length(c)) - 4) < 1e-12);
    arne_curve_free(c);
    arne_error e;
    assert_int_equal(arne_curve_new((const double[]){1, 2, 1, 2, 1, 2}, 3, 2, &c, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "all 3 points are the same"));
    assert_int_equal(arne_curve_new((const double[]){1e308, 0, -1e308, 0}, 2, 2, &c, &e), ARNE_BAD_VALUE);
    assert_non_null(strstr(e.message, "too far apart"));
}

/* A natural cubic spline over the chords: through all points, its bend is continuous and nothing at the ends; derivatives are
 * differences. */
static void curves_are_natural_splines(void **state)
{
    (void)state;
    enum { N = 3, POINTS = 6 };
    double points[POINTS][N], knot[POINTS] = {0}, q[2][N], q1[2][N], q2[2][N];
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < N; i++) points[k][i] = sin(1.7 * k + 2.3 * i) + 0.3 * k * k * (i == 1);
    for (int k = 1; k < POINTS; k++) {
        for (int i = 0; i < N; i++) knot[k] += pow(points[k][i] - points[k - 1][i], 2);
        knot[k] = knot[k - 1] + sqrt(knot[k]);
    }
    arne_curve *c;
    assert_int_equal(arne_curve_new(*points, POINTS, N, &c, NULL), ARNE_OK);
    assert_true(fabs(arne_curve_length(c) - knot[POINTS - 1]) < 1e-12);
    assert_int_equal(arne_curve_merged(c), 0);
    for (int k = 0; k < POINTS; k++) {
        const double h = 1e-9;
        assert_true(fabs(arne_curve_point(c, knot[k]) - (k + 1)) < 1e-12);
        arne_curve_at(c, knot[k], q[0], q1[0], NULL);
        for (int i = 0; i < N; i++) assert_true(fabs(q[0][i] - points[k][i]) < 1e-12);
        arne_curve_at(c, fmax(knot[k] - h, 0), NULL, q1[0], q2[0]);
        arne_curve_at(c, fmin(knot[k] + h, knot[POINTS - 1]), NULL, q1[1], q2[1]);
        for (int i = 0; i < N; i++) {
            assert_true(fabs(q1[1][i] - q1[0][i]) < 1e-6 && fabs(q2[1][i] - q2[0][i]) < 1e-6);
            if (k == 0 || k == POINTS - 1) assert_true(fabs(q2[0][i]) < 1e-6 && fabs(q2[1][i]) < 1e-6);
        }
    }
    for (int k = 1; k < POINTS; k++)
        for (double part = 0.1; part < 1; part += 0.2) {
            const double s = knot[k - 1] + part * (knot[k] - knot[k - 1]), h = 1e-5;
            assert_true(fabs(arne_curve_point(c, s) - (k + part)) < 1e-12);
            double middle[3][N];
            arne_curve_at(c, s, NULL, middle[1], middle[2]);
            arne_curve_at(c, s - h, q[0], q1[0], NULL);
            arne_curve_at(c, s + h, q[1], q1[1], NULL);
            for (int i = 0; i < N; i++) {
                assert_true(fabs((q[1][i] - q[0][i]) / (2 * h) - middle[1][i]) < 1e-7);
                assert_true(fabs((q1[1][i] - q1[0][i]) / (2 * h) - middle[2][i]) < 1e-7);
            }
        }
    arne_curve_free(c);
    static const double none[3][2] = {{0, 0}, {1, 1}, {2, NAN}};
    arne_error e;
    assert_int_equal(arne_curve_new(*none, 3, 2, &c, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "point 3 has a number that is not finite");
    assert_int_equal(arne_curve_new(*none, 1, 2, &c, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "a path has at least two points");
    assert_int_equal(arne_curve_new(*none, 2, 0, &c, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "a path needs at least one joint that moves");
}

static void note(void *context, int intervals, double time)
{
    double *last = context;
    assert_true(intervals > 0 && time > 0);
    *last = time;
}

static void progress_is_told(void **state)
{
    (void)state;
    double points[2 * 30], told = 0;
    way(30, points);
    const arne_plan_options o = {.size = sizeof o, .progress = note, .context = &told};
    arne_curve *c;
    arne_plan *p;
    assert_int_equal(arne_curve_new(points, 30, 2, &c, NULL), ARNE_OK);
    assert_int_equal(arne_plan_find(c, d, &o, &p, NULL), ARNE_OK);
    assert_true(fabs(told - arne_plan_duration(p)) < 0.01 * told);
    arne_plan_free(p);
    arne_curve_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_points_are_as_fast_as_on_a_fine_grid),
        cmocka_unit_test(a_crowd_of_points_is_seen),
        cmocka_unit_test(points_that_repeat_are_one),
        cmocka_unit_test(curves_are_natural_splines),
        cmocka_unit_test(progress_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
