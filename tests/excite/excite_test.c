/* SPDX-License-Identifier: MIT
 *
 * excite_test.c - excitations, judged from outside: limits at random times between the samples, rest at both ends, the condition
 * number of a regressor built anew, derivatives by differences; refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arne/file.h"
#include "base/dense.h"
#include "excite/excite.h"
#include "support/grow.h"
#include "support/random_robot.h"

enum { MOST = 8, TIMES = 4000 };
static const double PI = 3.14159265358979323846;

static arne_model *m;
static arne_data *d;

static void open_robot(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, ARNE_ROBOTS "/%s.yaml", name);
    assert_int_equal(arne_load(path, &m, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(m, &d, NULL), ARNE_OK);
}

static void close_robot(void)
{
    arne_data_free(d);
    arne_model_free(m);
}

static arne_excitation *find(arne_excite_options o)
{
    arne_excitation *e;
    arne_error error = {0};
    o.size = sizeof o;
    if (!o.randoms) o.randoms = 30;
    if (!o.starts) o.starts = 1;
    if (!o.steps) o.steps = 60;
    if (arne_excite(arne_data_settings(d), &o, &e, &error)) fail_msg("%s", error.message);
    return e;
}

/* ---- limits ---- */

/* At times that have nothing to do with the samples, within `scale` of every limit of the file; motors by hand: t = J'tau. */
static void within_limits(const char *name, arne_excite_options o)
{
    open_robot(name);
    const int n = arne_model_nv(m);
    arne_excitation *e = find(o);
    arne_trajectory *s;
    assert_int_equal(arne_excitation_trajectory(e, 2, &s, NULL), ARNE_OK);
    assert_true(arne_trajectory_end(s) == 2 * e->period);
    double x[3 * MOST], tau[MOST], near = 0, fastest[2 * MOST] = {0};
    const double scale = o.scale > 0 ? o.scale : 0.9, slack = 1 + 1e-9;
    for (int k = 0; k <= TIMES; k++) {
        const double t = e->period * (k == 0 ? 0 : fmod(k * 0.6180339887498949, 1));
        assert_int_equal(arne_trajectory_at(s, t, 2, x), ARNE_OK);
        arne_id(d, x, x + n, x + 2 * n, tau);
        for (int i = 0; i < n; i++) {
            const arne_limits *l = arne_joint_limits(m, i);
            const arne_motor *motor = arne_joint_motor(m, i);
            const double middle = (l->lower + l->upper) / 2, part = fabs(x[i] - middle) / ((l->upper - l->lower) / 2);
            if (isfinite(middle)) assert_true(part <= scale * slack);
            if (l->velocity > 0) assert_true(fabs(x[n + i]) <= scale * l->velocity * slack);
            if (l->acceleration > 0) assert_true(fabs(x[2 * n + i]) <= scale * l->acceleration * slack);
            if (o.velocity > 0) assert_true(fabs(x[n + i]) <= scale * o.velocity * slack);
            if (o.acceleration > 0) assert_true(fabs(x[2 * n + i]) <= scale * o.acceleration * slack);
            if (o.around) assert_true(fabs(x[i] - o.around[i]) <= o.amplitude * slack);
            double torque = m->transmission ? 0 : tau[i], speed = m->transmission ? 0 : x[n + i];
            for (int j = 0; j < n && m->transmission; j++) {
                torque += m->transmission[j * n + i] * tau[j];
                speed += m->drive[i * n + j] * x[n + j];
            }
            const double most = fmin(fabs(motor->gear) * motor->effort, l->effort > 0 ? l->effort : INFINITY);
            if (!motor->ncurve) assert_true(fabs(torque) <= scale * most * slack);
            assert_true(fabs(speed * motor->gear) <= scale * motor->speed * slack);
            near = fmax(near, fabs(x[n + i]) / e->joints[i].velocity);
            fastest[i] = fmax(fastest[i], fabs(x[n + i])), fastest[n + i] = fmax(fastest[n + i], fabs(x[2 * n + i]));
            assert_true(x[i] >= e->joints[i].from - 1e-3 && x[i] <= e->joints[i].to + 1e-3);
        }
        if (!o.box) continue;
        arne_pose pose;
        arne_link_pose(d, x, o.link ? o.link : arne_model_tip(m), &pose);
        for (int c = 0; c < 3; c++) assert_true(pose.p[c] >= o.box[c] && pose.p[c] <= o.box[3 + c]);
    }
    assert_true(near > 0.3); /* it moves, as fast as is told */
    for (int i = 0; i < n; i++) {
        assert_true(fabs(e->joints[i].speed / fastest[i] - 1) < 0.01);
        assert_true(fabs(e->joints[i].most / fastest[n + i] - 1) < 0.01);
    }
    for (int k = 0; k < 3; k++) { /* at rest, without acceleration, where it began */
        double at[3 * MOST], first[3 * MOST];
        arne_trajectory_at(s, 0, 2, first);
        arne_trajectory_at(s, k * e->period, 2, at);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(at[i] - first[i]) < 1e-9);
            assert_true(fabs(at[n + i]) < 1e-9 && fabs(at[2 * n + i]) < 1e-8);
        }
    }
    arne_trajectory_free(s);
    arne_excitation_free(e);
    close_robot();
}

static void limits_hold_between_samples(void **state)
{
    (void)state;
    const double box[6] = {-0.5, 0.1, -0.2, 0.9, 0.9, 0.2}, around[6] = {0.2, -1.3, 1.4, -0.4, 0.5, 0};
    const struct {
        const char *robot;
        arne_excite_options o;
    } all[] = {{"planar2r", {.period = 5, .scale = 1}},
               {"coupled-wrist", {.period = 6, .steps = 30}},
               {"scara", {.period = 5, .criterion = ARNE_EXCITE_VOLUME}},
               {"puma560", {.period = 6, .scale = 0.5, .acceleration = 4, .steps = 30}},
               {"ur5e", {.period = 5, .box = box, .steps = 30, .velocity = 1.5}},
               {"ur5e", {.period = 5, .around = around, .amplitude = 0.7, .steps = 30, .harmonics = 5}}};
    const int count = sizeof all / sizeof *all;
    for (int k = 0; k < (FEWER(count) > 1 ? FEWER(count) : 2); k++) within_limits(all[k].robot, all[k].o);
}

/* Between the samples, and on both sides of the times at which friction turns round: within limits is as far as the largest share
 * of one goes, wherever that is. */
static void the_largest_share_decides(void **state)
{
    (void)state;
    static const char *const robots[] = {"scara", "coupled-wrist"};
    for (int k = 0; k < 2; k++) {
        open_robot(robots[k]);
        arena *a = arne__arena_new();
        const int n = arne_model_nv(m);
        series s = {.m = m, .n = n, .harmonics = 3, .samples = 12, .period = 5};
        arne_data *smooth;
        assert_int_equal(arne_data_new(m, &smooth, NULL), ARNE_OK);
        arne_set_friction(arne_data_settings(smooth), false);
        assert_true(arne__series_open(a, &s));
        for (int i = 0; i < n; i++) s.limits[i] = (series_limits){0.1, 2, 1.5, 6, {2, 1.5, 6}};
        bounds b = {.s = &s, .d = d, .smooth = smooth};
        assert_true(arne__bounds_open(a, &b));
        random_stream r = {7};
        for (int motion = 0; motion < 60; motion++) {
            double z[MOST * 7], share = 0;
            random_vector(&r, n * s.row, 0.3, z);
            arne__series_project(&s, z);
            b.scale = 1;
            arne__bounds_dense(&b, z);
            for (int i = 0; i < n; i++) share = fmax(share, b.share[i]);
            for (int within = 0; within < 2; within++) {
                b.scale = share * (within ? 1 + 1e-9 : 1 - 1e-9);
                assert_int_equal(arne__bounds_dense(&b, z), within);
            }
        }
        arne_data_free(smooth);
        arne__arena_free(a);
        close_robot();
    }
}

/* ---- the criterion ---- */

/* Condition number of the base regressor at the samples, by Jacobi turns of its columns. */
static double condition_of(const arne_excitation *e, int samples)
{
    const int n = e->dof, rows = samples * n, width = 11 * arne_model_bodies(m);
    arne_base *b;
    arne_trajectory *s;
    assert_int_equal(arne_base_find(m, NULL, &b, NULL), ARNE_OK);
    assert_int_equal(arne_excitation_trajectory(e, 1, &s, NULL), ARNE_OK);
    assert_int_equal(b->count, e->inertial);
    double *Y = calloc((size_t)(n * width), sizeof *Y), *YB = calloc((size_t)(n * b->count), sizeof *YB);
    double *A = calloc((size_t)(b->count * rows), sizeof *A), *zero = calloc((size_t)b->count, sizeof *zero);
    double *square = calloc((size_t)b->count, sizeof *square), x[3 * MOST], least = INFINITY, most = 0;
    for (int k = 0; k < samples; k++) {
        arne_trajectory_at(s, e->period * k / samples, 2, x);
        arne_regressor(d, x, x + n, x + 2 * n, Y);
        arne_base_columns(b, n, Y, YB);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < b->count; c++) A[c * rows + k * n + i] = YB[i * b->count + c] / e->joints[i].noise;
    }
    dense_orthogonalize(b->count, rows, A, zero, square);
    for (int c = 0; c < b->count; c++) least = fmin(least, square[c]), most = fmax(most, square[c]);
    free(Y), free(YB), free(A), free(zero), free(square);
    arne_trajectory_free(s);
    arne_base_free(b);
    return sqrt(most / least);
}

static void the_condition_number_is_that_of_the_base_regressor(void **state)
{
    (void)state;
    static const char *const robots[] = {"planar2r", "scara"};
    for (int k = 0; k < 2; k++) {
        open_robot(robots[k]);
        arne_excitation *e = find((arne_excite_options){.period = 5, .randoms = 200, .steps = 150});
        const double again = condition_of(e, 20 * e->harmonics), finer = condition_of(e, 333);
        assert_true(fabs(again / e->condition - 1) < 1e-6);
        assert_true(fabs(finer / e->condition - 1) < 0.01); /* no matter of the samples */
        assert_true(e->condition < 0.8 * e->random_condition);
        arne_excitation *v =
            find((arne_excite_options){.period = 5, .randoms = 200, .steps = 150, .criterion = ARNE_EXCITE_VOLUME});
        assert_true(v->volume < 0.95 * v->random_volume && v->volume < e->volume);
        assert_true(v->randoms == 200 && v->starts == 1 && v->random_volume == e->random_volume);
        arne_excitation_free(v);
        arne_excitation_free(e);
        close_robot();
    }
}

/* one motion and no step from it: both are the same */
static void motions_at_random_are_judged_as_they_are(void **state)
{
    (void)state;
    open_robot("planar2r");
    for (unsigned seed = 1; seed <= 6; seed++) {
        arne_excitation *e = find((arne_excite_options){.period = 5, .randoms = 1, .steps = 1, .seed = seed});
        assert_true(fabs(e->condition / e->random_condition - 1) < 1e-9);
        arne_excitation_free(e);
    }
    close_robot();
}

/* A vertical slide cannot tell its offset from its weight; others can. */
static void columns_that_others_explain_are_left_out(void **state)
{
    (void)state;
    open_robot("scara");
    arne_excitation *e = find((arne_excite_options){.period = 5, .steps = 1});
    assert_int_equal(e->friction, 3 * e->dof - 1);
    arne_excitation_free(e);
    e = find((arne_excite_options){.period = 5, .steps = 1, .no_friction = true});
    assert_int_equal(e->friction, 0);
    arne_excitation_free(e);
    close_robot();
}

/* A pendulum whose motor has no limit: 2 kg at 0.5 m below its axis, which turns at 2.7 rad/s^2 at most */
static void noise_is_a_part_of_the_largest_torque(void **state)
{
    (void)state;
    arne_description *r = arne_description_new("pendulum");
    const double weight = 2 * 9.81 * 0.5, inertia = 2 * 0.25 + 0.01;
    memcpy(r->gravity, (double[3]){0, -9.81, 0}, sizeof r->gravity);
    assert_non_null(arne_description_link(r, "base", 0));
    assert_non_null(arne_description_link(r, "arm", 0));
    assert_non_null(arne_description_joint(r, "z", 0, ARNE_REVOLUTE, "base", "arm"));
    r->links[1].body = (arne_body){2, {0, -0.5, 0}, {0.01, 0, 0, 0.01, 0, 0.01}};
    assert_int_equal(arne_model_build(r, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(m, &d, NULL), ARNE_OK);
    arne_excitation *e = find((arne_excite_options){.period = 5, .steps = 1});
    assert_true(e->joints[0].no_torque);
    assert_true(e->joints[0].noise > 0.01 * 0.95 * weight && e->joints[0].noise < 0.01 * (weight + 2.7 * inertia));
    arne_excitation_free(e);
    close_robot();
    arne_description_free(r);
}

/* ---- derivatives by differences ---- */

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

/* ---- refusals ---- */

static arne_status excite_with(void *context, const void *given)
{
    arne_excitation *e;
    (void)context;
    const arne_status status = arne_excite(arne_data_settings(d), given, &e, NULL);
    assert_int_equal(status == ARNE_OK, e != NULL);
    arne_excitation_free(e);
    return status;
}

static void refuses(arne_excite_options o, arne_status should, const char *words)
{
    arne_excitation *e;
    arne_error error = {0};
    o.size = sizeof o;
    assert_int_equal(arne_excite(arne_data_settings(d), &o, &e, &error), should);
    assert_null(e);
    if (words && !strstr(error.message, words)) fail_msg("\"%s\" is not in: %s", words, error.message);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    arne_excitation *e;
    arne_trajectory *s;
    open_robot("planar2r");
    const arne_excite_options o = {.size = sizeof o, .randoms = 5, .starts = 1, .steps = 1};
    expect_grows(&o, sizeof o, offsetof(arne_excite_options, seed), excite_with, NULL);
    assert_int_equal(arne_excite(NULL, NULL, &e, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_excite(arne_data_settings(d), NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    s = (arne_trajectory *)(void *)&o; /* whatever stood there */
    assert_int_equal(arne_excitation_trajectory(NULL, 1, &s, NULL), ARNE_BAD_ARGUMENT);
    assert_null(s);
    arne_excitation_free(NULL);
    const double turned[6] = {0, 0, 1, 1, 1, 0}, away[6] = {5, 5, 5, 6, 6, 6}, nan[2] = {0, NAN}, zero[2] = {1, 0};
    refuses((arne_excite_options){.period = -1}, ARNE_BAD_VALUE, "period");
    refuses((arne_excite_options){.period = NAN}, ARNE_BAD_VALUE, "period");
    refuses((arne_excite_options){.scale = 1.1}, ARNE_BAD_VALUE, "scale");
    refuses((arne_excite_options){.harmonics = 2}, ARNE_BAD_VALUE, "harmonics");
    refuses((arne_excite_options){.starts = 10, .randoms = 5}, ARNE_BAD_VALUE, "starts");
    refuses((arne_excite_options){.box = turned}, ARNE_BAD_VALUE, "along z");
    refuses((arne_excite_options){.box = away, .randoms = 5}, ARNE_BAD_VALUE, "box");
    refuses((arne_excite_options){.around = nan, .amplitude = 1}, ARNE_BAD_VALUE, "posture");
    refuses((arne_excite_options){.around = zero}, ARNE_BAD_VALUE, "amplitude");
    refuses((arne_excite_options){.noise = zero}, ARNE_BAD_VALUE, "the noise of torque 2 is 0");
    refuses((arne_excite_options){.criterion = ARNE_EXCITE_COUNT}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.link = 99}, ARNE_BAD_ARGUMENT, NULL);
    close_robot();
    open_robot("satellite");
    refuses((arne_excite_options){0}, ARNE_UNSUPPORTED, "freedom");
    close_robot();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_between_samples),
        cmocka_unit_test(the_largest_share_decides),
        cmocka_unit_test(the_condition_number_is_that_of_the_base_regressor),
        cmocka_unit_test(motions_at_random_are_judged_as_they_are),
        cmocka_unit_test(columns_that_others_explain_are_left_out),
        cmocka_unit_test(noise_is_a_part_of_the_largest_torque),
        cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(samples_bound_what_is_between),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
