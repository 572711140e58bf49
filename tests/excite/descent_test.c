/* SPDX-License-Identifier: MIT
 *
 * descent_test.c - what the search for an excitation is made of: its values, their derivatives, walls, bounds, the descent. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/opened.h"

typedef struct {
    series s;
    bounds b;
    cost *c;
    series_motion x, by;
    int size;
} problem;

static void make_problem(problem *p, arena *a, arne_excite_criterion criterion, const double *noise, const double *box)
{
    const int n = arne_model_nv(m);
    *p = (problem){.s = {.m = m, .n = n, .harmonics = 3, .samples = 40, .period = 5}};
    assert_true(arne__series_open(a, &p->s));
    for (int i = 0; i < n; i++) p->s.limits[i] = (series_limits){0.1, 2, 1.5, 6, {2, 1.5, 6}};
    p->b = (bounds){.s = &p->s, .d = d, .smooth = d, .scale = 1, .box = box, .link = arne_model_tip(m)};
    assert_true(arne__bounds_open(a, &p->b));
    arne_base *base;
    assert_int_equal(arne_base_find(m, NULL, &base, NULL), ARNE_OK);
    assert_int_equal(arne_data_prepare(d, ARNE_BATCHES | ARNE_DERIVATIVES, NULL), ARNE_OK);
    const arne_excite_options o = {.criterion = criterion};
    p->c = arne__cost_new(a, &p->s, &o, noise, d, base);
    assert_non_null(p->c);
    arne_base_free(base);
    double *v = arne__arena_take(a, (size_t)(6 * 40 * n), sizeof *v);
    p->x = (series_motion){v, v + 40 * n, v + 80 * n};
    p->by = (series_motion){v + 120 * n, v + 160 * n, v + 200 * n};
    p->size = n * p->s.row;
}

static double value_of(problem *p, const double *z, bool limits, double *gradient)
{
    arne__series_sample(&p->s, z, &p->x);
    if (gradient) {
        memset(p->by.q, 0, (size_t)(120 * p->s.n) * sizeof(double));
        memset(gradient, 0, (size_t)p->size * sizeof *gradient);
    }
    const double value = limits ? arne__bounds_barrier(&p->b, &p->x, 1, gradient ? &p->by : NULL)
                                : arne__cost_smooth(p->c, &p->x, 3, gradient ? &p->by : NULL);
    if (gradient) arne__series_back(&p->s, &p->by, gradient);
    return value;
}

static void derivatives_are_those_of_the_values(void **state)
{
    (void)state;
    static const struct {
        const char *robot;
        bool limits;
        arne_excite_criterion criterion;
    } kinds[] = {{"planar2r", true, 0},
                 {"coupled-wrist", true, 0},
                 {"scara", false, ARNE_EXCITE_CONDITION},
                 {"scara", false, ARNE_EXCITE_VOLUME}};
    const double noise[MOST] = {1, 2, 3, 1, 2, 3}, box[6] = {-3, -3, -3, 3, 3, 3};
    for (int kind = 0; kind < 4; kind++) {
        open_robot(kinds[kind].robot);
        arne_set_friction(arne_data_settings(d), false); /* it jumps */
        arena *a = arne__arena_new();
        problem p;
        make_problem(&p, a, kinds[kind].criterion, noise, box);
        double z[MOST * 7], by[MOST * 7];
        for (int i = 0; i < p.size; i++) z[i] = (kinds[kind].limits ? 0.05 : 0.2) * sin(1 + 1.7 * i);
        arne__series_project(&p.s, z);
        const bool limits = kinds[kind].limits;
        assert_true(isfinite(value_of(&p, z, limits, by)));
        for (int i = 0; i < p.size; i++) {
            const double h = 1e-5, here = z[i];
            z[i] = here + h;
            const double up = value_of(&p, z, limits, NULL);
            z[i] = here - h;
            const double down = value_of(&p, z, limits, NULL);
            z[i] = here;
            const double slope = (up - down) / (2 * h);
            if (fabs(slope - by[i]) > 1e-3 * (1 + fabs(slope)))
                fail_msg("kind %d, number %d: %.9g by differences, %.9g", kind, i, slope, by[i]);
        }
        arne__arena_free(a);
        close_robot();
    }
}

/* The barrier by its definition, -log(1 - g^2) for every part g of a limit, with limits and torques asked anew. */
static void the_barrier_is_the_mean_of_its_walls(void **state)
{
    (void)state;
    static const char *const robots[] = {"planar2r", "scara", "coupled-wrist"};
    const double noise[MOST] = {1, 1, 1, 1, 1, 1}, box[6] = {-3, -2, -1, 3, 4, 3}, scale = 0.8, between = 0.985;
    for (int robot = 0; robot < 3; robot++) {
        open_robot(robots[robot]);
        const int n = arne_model_nv(m);
        arena *a = arne__arena_new();
        problem p;
        make_problem(&p, a, ARNE_EXCITE_CONDITION, noise, box);
        for (int i = 0; i < n; i++) p.s.limits[i] = (series_limits){0.1 * i, 2, 1.5, 6, {1.9, 1.2, 5 + i}};
        p.b.scale = scale;
        double z[MOST * 7], tau[MOST], sum = 0;
        for (int i = 0; i < p.size; i++) z[i] = 0.05 * sin(1 + 1.7 * i);
        arne__series_project(&p.s, z);
        arne__series_sample(&p.s, z, &p.x);
        for (int k = 0; k < 40; k++) {
            const double *q = p.x.q + k * n, *qd = p.x.qd + k * n, *qdd = p.x.qdd + k * n;
            arne_pose pose;
            arne_id(d, q, qd, qdd, tau);
            arne_link_pose(d, q, arne_model_tip(m), &pose);
            for (int i = 0; i < n; i++) {
                const series_limits *l = &p.s.limits[i];
                const arne_motor *motor = arne_joint_motor(m, i);
                double torque = m->transmission ? 0 : tau[i], speed = 0;
                for (int j = 0; j < n && m->transmission; j++) {
                    torque += m->transmission[j * n + i] * tau[j];
                    speed += m->drive[i * n + j] * qd[j];
                }
                const double low = arne_joint_limits(m, i)->effort, high = fabs(motor->gear) * motor->effort;
                const double g[5] = {(q[i] - l->middle) / 1.9, qd[i] / 1.2, qdd[i] / (5 + i),
                                     torque / (scale * between * fmin(low > 0 ? low : INFINITY, high)),
                                     speed / (scale * motor->speed / fabs(motor->gear) * 1.2 / 1.5)};
                for (int c = 0; c < 5; c++) sum -= log(1 - g[c] * g[c]) / 40;
            }
            for (int c = 0; c < 3; c++) {
                const double g = (pose.p[c] - (box[c] + box[3 + c]) / 2) / (between * (box[3 + c] - box[c]) / 2);
                sum -= log(1 - g * g) / 40;
            }
        }
        assert_true(isfinite(sum) && sum > 0);
        assert_true(fabs(arne__bounds_barrier(&p.b, &p.x, 1, NULL) / sum - 1) < 1e-12);
        assert_true(fabs(arne__bounds_barrier(&p.b, &p.x, 0.3, &p.by) / (0.3 * sum) - 1) < 1e-12);
        z[(n - 1) * p.s.row] = 2;
        arne__series_sample(&p.s, z, &p.x);
        assert_true(isinf(arne__bounds_barrier(&p.b, &p.x, 1, NULL)));
        arne__arena_free(a);
        close_robot();
    }
}

/* Stretched out, the first motor of the two rods holds 58.86 of 200 Nm (0.985 of them are used at samples), the hand is at x = 1.
 */
static void resting_places_are_within_torques_and_box(void **state)
{
    (void)state;
    const double noise[2] = {1, 1}, q[2] = {0, 0}, around[6] = {0.9, -1, -1, 1.05, 1, 1}, away[6] = {0.9, -1, -1, 0.99, 1, 1};
    open_robot("planar2r");
    arena *a = arne__arena_new();
    problem p;
    make_problem(&p, a, ARNE_EXCITE_CONDITION, noise, NULL);
    for (int box = 0; box < 3; box++)
        for (int strong = 0; strong < 2; strong++) {
            p.b.box = box == 0 ? NULL : box == 1 ? around : away;
            p.b.scale = 58.86 / (200 * 0.985) * (strong ? 1.001 : 0.999);
            assert_int_equal(arne__bounds_rest(&p.b, q), box < 2 && strong);
        }
    arne__arena_free(a);
    close_robot();
}

/* Each joint alone goes as far as its limits let it: 0.98 of its speed, of its acceleration, or of a share of its range that is a
 * quarter at least; its mean is anywhere where that has room. */
static void random_motions_use_what_a_joint_has(void **state)
{
    (void)state;
    enum { N = 3, SAMPLES = 60 };
    arena *a = arne__arena_new();
    series s = {.n = N, .harmonics = 3, .samples = SAMPLES, .period = 4};
    assert_true(arne__series_open(a, &s));
    const series_limits limits[N] = {
        {1, 2, 50, 900, {1.9, 49, 890}}, {-1, 0.5, 0.1, 30, {0.45, 0.09, 29}}, {0, 0.6, 40, 0.3, {0.55, 39, 0.25}}};
    memcpy(s.limits, limits, sizeof limits);
    random_source random = {.state = 3};
    double z[N * 7], half[N * 7], work[3 * SAMPLES * N], least = 1, most = 0, lowest = 9, highest = -9;
    for (int trial = 0; trial < 300; trial++) {
        arne__series_random(&s, &random, z, work);
        const series_motion x = {work, work + SAMPLES * N, work + 2 * SAMPLES * N};
        arne__series_sample(&s, z, &x);
        for (int i = 0; i < N; i++) {
            double low = INFINITY, high = -INFINITY, fast = 0, hard = 0;
            for (int k = 0; k < SAMPLES; k++) {
                low = fmin(low, x.q[k * N + i]), high = fmax(high, x.q[k * N + i]);
                fast = fmax(fast, fabs(x.qd[k * N + i])), hard = fmax(hard, fabs(x.qdd[k * N + i]));
            }
            const double *within = limits[i].within, share = (high - low) / (2 * within[0]);
            assert_true(low >= limits[i].middle - within[0] - 1e-12 && high <= limits[i].middle + within[0] + 1e-12);
            if (i == 1) assert_true(fabs(fast / within[1] - 0.98) < 1e-12);
            if (i == 2) assert_true(fabs(hard / within[2] - 0.98) < 1e-12);
            if (i > 0) continue;
            assert_true(share > 0.98 * 0.25 && share < 0.98);
            least = fmin(least, share), most = fmax(most, share);
            lowest = fmin(lowest, low), highest = fmax(highest, high);
        }
        /* at rest where it begins */
        for (int c = SAMPLES * N; c < SAMPLES * N + N; c++) assert_true(fabs(work[c]) < 1e-12 * 50);
        for (int c = 2 * SAMPLES * N; c < 2 * SAMPLES * N + N; c++) assert_true(fabs(work[c]) < 1e-12 * 900);
        arne__series_scale(&s, 0.5, z, half);
        for (int c = 0; c < N * 7; c++) assert_true(half[c] == (c % 7 ? 0.5 * z[c] : z[c]));
    }
    assert_true(least < 0.27 && most > 0.95 && lowest < -0.85 && highest > 2.85);
    arne__arena_free(a);
}

/* Of high order the smoothed criterion is the logarithm of the condition number, and 0.3 of that of the volume beside it. */
static void the_smoothed_criterion_tends_to_the_criterion(void **state)
{
    (void)state;
    const double noise[MOST] = {1, 2, 3, 1};
    const arne_excite_options o = {.no_friction = true}, v = {.no_friction = true, .criterion = ARNE_EXCITE_VOLUME};
    open_robot("scara");
    arena *a = arne__arena_new();
    problem p;
    excite_value value;
    arne_base *base;
    make_problem(&p, a, ARNE_EXCITE_CONDITION, noise, NULL);
    assert_int_equal(arne_base_find(m, NULL, &base, NULL), ARNE_OK);
    cost *plain = arne__cost_new(a, &p.s, &o, noise, d, base), *volume = arne__cost_new(a, &p.s, &v, noise, d, base);
    assert_true(plain && volume);
    double z[MOST * 7];
    for (int i = 0; i < p.size; i++) z[i] = 0.2 * sin(1 + 1.7 * i);
    arne__series_sample(&p.s, z, &p.x);
    assert_true(arne__cost_value(plain, &p.x, &value));
    const double should = log(value.condition) + 0.3 * log(value.volume);
    assert_true(fabs(arne__cost_smooth(plain, &p.x, 1000, NULL) - should) < 1e-9 * fabs(should));
    assert_true(fabs(arne__cost_smooth(p.c, &p.x, 1000, NULL) - should) < 1e-9 * fabs(should));
    assert_true(fabs(arne__cost_smooth(volume, &p.x, 1000, NULL) - log(value.volume)) < 1e-9);
    arne_base_free(base);
    arne__arena_free(a);
    close_robot();
}

/* A lift of 2 kg that swings by one sine. Beside its largest force, and beyond where it goes, stands what may be between points
 * h apart: twice the second difference of the sine, 4 sin^2(w h/2) of it, by 8. */
static void between_two_points_stands_what_a_sine_may_do_there(void **state)
{
    (void)state;
    enum { SAMPLES = 12 };
    const double speed = 1.5, w = 2 * PI / 5, bend = 4 * pow(sin(w * 5 / (8 * SAMPLES) / 2), 2) * 2 / 8;
    const double force = 2 * (9.81 + speed * w), far = speed / w, z[7] = {0, 1};
    arne_description *r = arne_description_new("lift");
    assert_true(r && arne_description_link(r, "base", 0));
    arne_description_link(r, "car", 0)->body = (arne_body){2, {0, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(r, "z", 0, ARNE_PRISMATIC, "base", "car");
    assert_non_null(j);
    j->limits.effort = 40;
    assert_int_equal(arne_model_build(r, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(m, &d, NULL), ARNE_OK);
    arena *a = arne__arena_new();
    series s = {.m = m, .n = 1, .harmonics = 3, .samples = SAMPLES, .period = 5};
    assert_true(arne__series_open(a, &s));
    s.limits[0] = (series_limits){0.1, 2, speed, 6, {2, 1.5, 6}};
    double box[6] = {-1, -1, -9, 1, 1, 9};
    bounds b = {.s = &s, .d = d, .smooth = d, .scale = 0.8, .link = arne_joint_link(m, 0)};
    assert_true(arne__bounds_open(a, &b));
    assert_true(arne__bounds_dense(&b, z));
    assert_true(fabs(b.torque[0] - force) < 1e-9);
    assert_true(fabs(b.share[0] - (force + bend * 2 * speed * w) / (0.8 * 40)) < 1e-9);
    b.box = box;
    for (int k = 0; k < 4; k++) {
        const double edge = far + bend * far * (k % 2 ? 0.999 : 1.001);
        box[2] = k < 2 ? 0.1 - edge : -9, box[5] = k < 2 ? 9 : 0.1 + edge;
        assert_int_equal(arne__bounds_dense(&b, z), k % 2 == 0);
        assert_true(fabs(b.hand[2] - 0.1 + far) < 1e-9 && fabs(b.hand[5] - 0.1 - far) < 1e-9 && b.hand[0] == 0);
    }
    arne__arena_free(a);
    close_robot();
    arne_description_free(r);
}

/* Rosenbrock's valley with a wall: what is right of 1.2 is outside. */
static double valley(void *context, const double *x, double *gradient)
{
    ++*(int *)context;
    if (x[0] > 1.2) return INFINITY;
    const double a = x[1] - x[0] * x[0], b = 1 - x[0];
    if (gradient) gradient[0] = -400 * a * x[0] - 2 * b, gradient[1] = 200 * a;
    return 100 * a * a + b * b;
}

/* sum k^2 (x_k - k)^2/2 */
static double bowl(void *context, const double *x, double *gradient)
{
    double sum = 0;
    for (int k = 0; k < 14; k++) {
        const double off = x[k] - k, weight = (k + 1) * (k + 1);
        sum += weight * off * off / 2;
        if (gradient) gradient[k] = weight * off;
    }
    ++*(int *)context;
    return sum;
}

static void the_descent_ends_at_the_least_value(void **state)
{
    (void)state;
    double x[14] = {-1.2, 1}, work[DESCEND_VECTORS * 14];
    int calls = 0;
    assert_true(fabs(arne__descend(2, valley, &calls, 0, x, work) - 24.2) < 1e-12);
    assert_true(x[0] == -1.2 && x[1] == 1 && calls == 1);
    /* the first step goes 0.05 down the gradient, which is (-215.6, -88) */
    arne__descend(2, valley, &calls, 1, x, work);
    assert_true(fabs(x[0] + 1.2 - 0.05 * 215.6 / hypot(215.6, 88)) < 1e-12 &&
                fabs(x[1] - 1 - 0.05 * 88 / hypot(215.6, 88)) < 1e-12);
    x[0] = -1.2, x[1] = 1, calls = 0;
    assert_true(arne__descend(2, valley, &calls, 300, x, work) < 1e-7);
    assert_true(fabs(x[0] - 1) < 1e-3 && fabs(x[1] - 1) < 1e-3 && calls < 120);
    x[0] = 2;
    assert_true(isinf(arne__descend(2, valley, &calls, 300, x, work)) && x[0] == 2);
    for (int k = 0; k < 14; k++) x[k] = k + 0.2 * cos(k);
    calls = 0;
    assert_true(arne__descend(14, bowl, &calls, 300, x, work) < 1e-6 && calls < 150);
    for (int k = 0; k < 14; k++) assert_true(fabs(x[k] - k) < 1e-3);
}

/* The bound of the samples holds for trigonometric polynomials, and is nearly reached by cos(N t + shift). */
static void samples_bound_what_is_between(void **state)
{
    (void)state;
    for (int N = 3; N < 12; N++) {
        const int M = 20 * N;
        double sampled = 0;
        for (int k = 0; k < M; k++) sampled = fmax(sampled, fabs(cos(N * 2 * PI * k / M + PI * N / M)));
        assert_true(fabs(1 - sampled / cos(PI * N / M)) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_barrier_is_the_mean_of_its_walls),
        cmocka_unit_test(resting_places_are_within_torques_and_box),
        cmocka_unit_test(random_motions_use_what_a_joint_has),
        cmocka_unit_test(the_descent_ends_at_the_least_value),
        cmocka_unit_test(the_smoothed_criterion_tends_to_the_criterion),
        cmocka_unit_test(between_two_points_stands_what_a_sine_may_do_there),
        cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(samples_bound_what_is_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
