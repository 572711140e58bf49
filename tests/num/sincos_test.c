/* SPDX-License-Identifier: MIT
 *
 * sincos_test.c - sines and cosines of src/num/sincos.inc in every width the machine has, against libm in long double. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/random_robot.h"
#include "kind/kinds.h"
#include "num/turns.h"

/* in units in the last place of the result */
static const double MOST_ERROR = 1;
static const double NEAR = 1e4, RANGE = 1e5;

typedef struct {
    int count; /* a multiple of TURNS_PAD */
    double *x, *s, *c, *other_s, *other_c, *ones, *zeros;
    long long *quarter;
} points;

static points points_new(int count)
{
    points p = {.count = (count + TURNS_PAD - 1) / TURNS_PAD * TURNS_PAD};
    double **const arrays[] = {&p.x, &p.s, &p.c, &p.other_s, &p.other_c, &p.ones, &p.zeros};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        *arrays[a] = calloc((size_t)p.count, sizeof(double));
        assert_non_null(*arrays[a]);
    }
    p.quarter = calloc((size_t)p.count, sizeof *p.quarter);
    assert_non_null(p.quarter);
    for (int i = 0; i < p.count; i++) p.ones[i] = 1;
    return p;
}

static void points_free(points *p)
{
    double *const arrays[] = {p->x, p->s, p->c, p->other_s, p->other_c, p->ones, p->zeros};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) free(arrays[a]);
    free(p->quarter);
}

/* s and c of x + quarter pi/2; all widths must give the same bits */
static void evaluate(points *p)
{
    const turn_table t = {.n = p->count, .scale = p->ones, .theta = p->zeros, .quarter = p->quarter};
    turns_fn *const wider[] = {arne__turns_f64x4, arne__turns_f64x8};
    const size_t bytes = (size_t)p->count * sizeof(double);
    arne__turns_f64x2(&t, p->x, p->s, p->c);
    for (int k = 0; k < 2 && arne__machine_lanes() >= 4 << k; k++) {
        wider[k](&t, p->x, p->other_s, p->other_c);
        assert_memory_equal(p->other_s, p->s, bytes);
        assert_memory_equal(p->other_c, p->c, bytes);
    }
}

static double ulps(double got, long double want)
{
    int exponent;
    frexpl(want, &exponent);
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void expect_accurate(points *p, const char *what)
{
    double worst = 0, at = 0;
    evaluate(p);
    for (int i = 0; i < p->count; i++) {
        const double e = fmax(ulps(p->s[i], sinl(p->x[i])), ulps(p->c[i], cosl(p->x[i])));
        if (!(e <= worst)) worst = e, at = p->x[i];
    }
    print_message("%-46s %8d points, largest error %.3f ulp at %.17g\n", what, p->count, worst, at);
    assert_true(worst < MOST_ERROR);
}

static void uniform_angles(void **state)
{
    (void)state;
    random_stream r = {1};
    points p = points_new(400000);
    const double most[] = {3.2, 100, NEAR, RANGE};
    for (int k = 0; k < 4; k++) {
        random_vector(&r, p.count, most[k], p.x);
        expect_accurate(&p, (const char *const[]){"uniform to 3.2", "uniform to 100", "uniform to 1e4", "uniform to 1e5"}[k]);
    }
    points_free(&p);
}

/* down to the smallest normal number; below 1e-153 the square of the angle underflows */
static void angles_of_all_magnitudes(void **state)
{
    (void)state;
    random_stream r = {2};
    points p = points_new(400000);
    for (int i = 0; i < p.count; i++) p.x[i] = pow(10, random_between(&r, -20, 5)) * (i % 2 ? 1 : -1);
    expect_accurate(&p, "magnitudes 1e-20 ... 1e5");
    for (int i = 0; i < p.count; i++) p.x[i] = pow(10, random_between(&r, -307, -5)) * (i % 2 ? 1 : -1);
    expect_accurate(&p, "magnitudes 1e-307 ... 1e-5");
    points_free(&p);
}

/* where most digits cancel: the doubles next to k pi/2, and those around pi/4 where the quadrant changes */
static void angles_at_quarter_turns(void **state)
{
    (void)state;
    enum { AROUND = 5 };
    const long double eighth = 0.785398163397448309615660845819875721L;
    const int near = 2 * 6400, far = 2 * 63600;
    for (int part = 0; part < 2; part++) {
        const int first = part ? near : 0, last = part ? far : near;
        points p = points_new((last - first) * AROUND);
        for (int k = first; k < last; k++) {
            double x = (double)((long double)k * eighth);
            for (int a = 0; a < AROUND / 2; a++) x = nextafter(x, -INFINITY);
            for (int a = 0; a < AROUND; a++, x = nextafter(x, INFINITY)) p.x[(k - first) * AROUND + a] = k % 4 < 2 ? x : -x;
        }
        for (int i = (last - first) * AROUND; i < p.count; i++) p.x[i] = 1;
        expect_accurate(&p, part ? "doubles next to k pi/4, to 1e5" : "doubles next to k pi/4, k < 12800");
        points_free(&p);
    }
}

static void sine_is_odd_and_cosine_even(void **state)
{
    (void)state;
    random_stream r = {3};
    points p = points_new(100000);
    double *minus_s = malloc((size_t)p.count * sizeof(double)), *same_c = malloc((size_t)p.count * sizeof(double));
    assert_true(minus_s && same_c);
    for (int i = 0; i < p.count; i++) p.x[i] = pow(10, random_between(&r, -8, 7));
    evaluate(&p);
    for (int i = 0; i < p.count; i++) minus_s[i] = -p.s[i], same_c[i] = p.c[i], p.x[i] = -p.x[i];
    evaluate(&p);
    assert_memory_equal(p.s, minus_s, (size_t)p.count * sizeof(double));
    assert_memory_equal(p.c, same_c, (size_t)p.count * sizeof(double));
    free(minus_s);
    free(same_c);
    points_free(&p);
}

static void zero_is_exact(void **state)
{
    (void)state;
    points p = points_new(8);
    p.x[1] = -0.0;
    for (int i = 0; i < 4; i++) p.quarter[i + 4] = i;
    evaluate(&p);
    const double s[4] = {0, 1, 0, -1}, c[4] = {1, 0, -1, 0};
    for (int i = 0; i < 4; i++) {
        assert_true(p.s[i] == 0 && p.c[i] == 1);
        assert_true(p.s[i + 4] == s[i] && p.c[i + 4] == c[i]);
    }
    points_free(&p);
}

/* sin(x + pi/2) = cos x, ... with the bits of the other function, near and far */
static void quarter_turns_exchange_sine_and_cosine(void **state)
{
    (void)state;
    random_stream r = {4};
    points p = points_new(80000);
    for (int i = 0; i < p.count; i += 8) {
        const double x = pow(10, random_between(&r, -3, 7)) * (i % 16 ? 1 : -1);
        for (int k = 0; k < 8; k++) p.x[i + k] = x, p.quarter[i + k] = k - 4;
    }
    evaluate(&p);
    for (int i = 0; i < p.count; i++) {
        const double s = p.s[i - i % 8], c = p.c[i - i % 8];
        const int k = i % 4;
        assert_true(p.s[i] == (k == 0 ? s : k == 1 ? c : k == 2 ? -s : -c));
        assert_true(p.c[i] == (k == 0 ? c : k == 1 ? -s : k == 2 ? -c : s));
    }
    points_free(&p);
}

/* beyond the range libm answers for the lane, and its neighbours keep their bits */
static void huge_angles_are_libm(void **state)
{
    (void)state;
    random_stream r = {5};
    points p = points_new(100000), q = points_new(100000);
    for (int i = 0; i < p.count; i++) {
        const int big = random_below(&r, 3) == 0;
        p.x[i] = pow(10, big ? random_between(&r, 5.000001, 308) : random_between(&r, -3, 5)) * (random_below(&r, 2) ? 1 : -1);
        q.x[i] = big ? 0.5 : p.x[i];
    }
    p.x[0] = DBL_MAX;
    p.x[1] = nextafter(RANGE, INFINITY);
    evaluate(&p);
    evaluate(&q);
    for (int i = 0; i < p.count; i++) {
        const int big = fabs(p.x[i]) > RANGE;
        assert_true(p.s[i] == (big ? sin(p.x[i]) : q.s[i]));
        assert_true(p.c[i] == (big ? cos(p.x[i]) : q.c[i]));
    }
    points_free(&p);
    points_free(&q);
}

static void what_is_not_finite_gives_nan_in_its_lane_alone(void **state)
{
    (void)state;
    points p = points_new(16);
    for (int i = 0; i < p.count; i++) p.x[i] = 0.25;
    p.x[1] = (double)NAN;
    p.x[6] = (double)INFINITY;
    p.x[11] = -(double)INFINITY;
    const turn_table t = {.n = p.count, .scale = p.ones, .theta = p.zeros, .quarter = p.quarter};
    turns_fn *const all[] = {arne__turns_f64x2, arne__turns_f64x4, arne__turns_f64x8};
    for (int k = 0; k < 3 && arne__machine_lanes() >= 2 << k; k++) {
        all[k](&t, p.x, p.s, p.c);
        for (int i = 0; i < p.count; i++) {
            const int lost = !isfinite(p.x[i]);
            assert_true(lost ? isnan(p.s[i]) && isnan(p.c[i]) : fabs(p.s[i] - sin(0.25)) + fabs(p.c[i] - cos(0.25)) < 1e-15);
        }
    }
    points_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_angles),          cmocka_unit_test(angles_of_all_magnitudes),
        cmocka_unit_test(angles_at_quarter_turns), cmocka_unit_test(sine_is_odd_and_cosine_even),
        cmocka_unit_test(zero_is_exact),           cmocka_unit_test(quarter_turns_exchange_sine_and_cosine),
        cmocka_unit_test(huge_angles_are_libm),    cmocka_unit_test(what_is_not_finite_gives_nan_in_its_lane_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
