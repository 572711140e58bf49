/* SPDX-License-Identifier: MIT
 *
 * excite_test.c - excitations, judged from outside: limits at random times between the samples, rest at both ends, the condition
 * number of a regressor built anew; refusals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "excite/opened.h"

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
    double x[3 * MOST], tau[MOST], near = 0, fastest[2 * MOST] = {0}, strongest[MOST] = {0}, part_of[MOST] = {0};
    double reach[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
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
            if (!motor->ncurve) part_of[i] = fmax(part_of[i], fabs(torque) / (scale * most));
            strongest[i] = fmax(strongest[i], fabs(tau[i]));
            assert_true(fabs(speed * motor->gear) <= scale * motor->speed * slack);
            near = fmax(near, fabs(x[n + i]) / e->joints[i].velocity);
            fastest[i] = fmax(fastest[i], fabs(x[n + i])), fastest[n + i] = fmax(fastest[n + i], fabs(x[2 * n + i]));
            assert_true(x[i] >= e->joints[i].from - 1e-3 && x[i] <= e->joints[i].to + 1e-3);
        }
        if (!o.box) continue;
        arne_pose pose;
        arne_link_pose(d, x, o.link ? o.link : arne_model_tip(m), &pose);
        for (int c = 0; c < 3; c++) {
            assert_true(pose.p[c] >= o.box[c] && pose.p[c] <= o.box[3 + c]);
            reach[c] = fmin(reach[c], pose.p[c]), reach[3 + c] = fmax(reach[3 + c], pose.p[c]);
        }
    }
    assert_true(near > 0.3); /* it moves, as fast as is told */
    for (int i = 0; i < n; i++) {
        assert_true(fabs(e->joints[i].speed / fastest[i] - 1) < 0.01);
        assert_true(fabs(e->joints[i].most / fastest[n + i] - 1) < 0.01);
        assert_true(fabs(e->joints[i].torque / strongest[i] - 1) < 0.02);
        if (arne_joint_motor(m, i)->ncurve) continue;
        assert_true(e->joints[i].torque_part >= part_of[i] * (1 - 1e-6) && e->joints[i].torque_part <= part_of[i] + 0.05);
    }
    for (int c = 0; c < 6; c++) assert_true(o.box ? fabs(e->hand[c] - reach[c]) < 2e-3 : isnan(e->hand[c]));
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

/* Volume: det of what friction leaves of F = W'W/samples is det F / det F_ff. Friction of every joint: viscous, dry, offset. */
static double volume_of(const arne_excitation *e, int samples)
{
    const int n = e->dof, width = 11 * arne_model_bodies(m), nb = e->inertial, p = nb + 3 * n;
    arne_base *b;
    arne_trajectory *s;
    assert_int_equal(arne_base_find(m, NULL, &b, NULL), ARNE_OK);
    assert_int_equal(arne_excitation_trajectory(e, 1, &s, NULL), ARNE_OK);
    double *Y = calloc((size_t)(n * width), sizeof *Y), *YB = calloc((size_t)(n * nb), sizeof *YB);
    double *F = calloc((size_t)(p * p), sizeof *F), *row = calloc((size_t)p, sizeof *row), x[3 * MOST], sum = 0;
    for (int k = 0; k < samples; k++) {
        arne_trajectory_at(s, e->period * k / samples, 2, x);
        arne_regressor(d, x, x + n, x + 2 * n, Y);
        arne_base_columns(b, n, Y, YB);
        for (int i = 0; i < n; i++) { /* friction first: the Cholesky factor of all begins with that of F_ff */
            memset(row, 0, (size_t)p * sizeof *row);
            row[3 * i] = x[n + i], row[3 * i + 1] = (x[n + i] > 0) - (x[n + i] < 0), row[3 * i + 2] = 1;
            memcpy(row + 3 * n, YB + i * nb, (size_t)nb * sizeof *row);
            for (int a = 0; a < p * p; a++) F[a] += row[a / p] * row[a % p] / (samples * pow(e->joints[i].noise, 2));
        }
    }
    assert_true(dense_cholesky(p, F));
    for (int k = 3 * n; k < p; k++) sum += 2 * log(F[k * p + k]);
    free(Y), free(YB), free(F), free(row);
    arne_trajectory_free(s);
    arne_base_free(b);
    return exp(-sum / (2 * nb));
}

static void the_volume_is_of_what_friction_leaves(void **state)
{
    (void)state;
    static const double noise[2] = {2, 0.5};
    for (int k = 0; k < 2; k++) {
        open_robot("planar2r");
        arne_excitation *e = find((arne_excite_options){.period = 5, .randoms = 50, .noise = k ? noise : NULL});
        assert_true(e->friction == 6 && e->parameters == e->inertial + 6);
        /* torque limits are 200 and 100 Nm */
        for (int i = 0; i < 2; i++) assert_true(fabs(e->joints[i].noise - (k ? noise[i] : 2 - i)) < 1e-12);
        /* at t = 0 it rests: the sign of what rounding leaves there is one of 999 */
        assert_true(fabs(volume_of(e, 999) / e->volume - 1) < 0.02);
        arne_excitation_free(e);
        close_robot();
    }
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

typedef struct {
    int calls, until;
    double best[8];
} progress;

static bool watch(void *context, int done, int of, double best)
{
    progress *p = context;
    p->best[p->calls++] = best;
    assert_int_equal(done, p->calls);
    assert_int_equal(of, 4);
    return p->calls < p->until;
}

/* The best of the random motions is the first start; who watches may end it. */
static void the_best_start_comes_first(void **state)
{
    (void)state;
    open_robot("planar2r");
    for (int k = 0; k < 4; k++) {
        progress p = {.until = k < 2 ? 5 : 2};
        const arne_excite_criterion by = k % 2 ? ARNE_EXCITE_VOLUME : ARNE_EXCITE_CONDITION;
        arne_excitation *e = find((arne_excite_options){.period = 5,
                                                        .velocity = 1,
                                                        .acceleration = 3,
                                                        .randoms = 40,
                                                        .starts = 4,
                                                        .steps = 1,
                                                        .criterion = by,
                                                        .no_friction = true, /* the signs of what rounding leaves at rest */
                                                        .progress = watch,
                                                        .context = &p});
        const double best = k % 2 ? e->volume : e->condition, random = k % 2 ? e->random_volume : e->random_condition;
        assert_true(fabs(best / random - 1) < 1e-9);
        for (int i = 0; i < p.calls; i++) assert_true(p.best[i] == p.best[0] && fabs(p.best[i] / best - 1) < 1e-12);
        assert_true(p.calls == (k < 2 ? 4 : 2) && e->starts == p.calls && e->randoms == 40);
        arne_excitation_free(e);
    }
    close_robot();
}

static void defaults_are_those_of_the_page(void **state)
{
    (void)state;
    static const struct {
        double period;
        int harmonics;
    } of[] = {{1, 3}, {5.1, 3}, {6.7, 4}, {0, 6}, {19.9, 11}, {60, 12}}; /* up to 0.6 Hz, 3 ... 12; 10 s */
    open_robot("planar2r");
    for (int k = 0; k < 6; k++) {
        arne_excitation *e = find((arne_excite_options){.period = of[k].period, .randoms = 2, .steps = 1});
        assert_int_equal(e->harmonics, of[k].harmonics);
        assert_true(e->period == (k == 3 ? 10 : of[k].period));
        arne_excitation_free(e);
    }
    arne_excitation *e;
    const arne_excite_options many = {.size = sizeof many, .harmonics = 3, .steps = 1},
                              few = {.size = sizeof few, .harmonics = 64, .randoms = 2, .steps = 1};
    assert_int_equal(arne_excite(arne_data_settings(d), &many, &e, NULL), ARNE_OK);
    assert_true(e->randoms == 1000 && e->starts == 3);
    arne_excitation_free(e);
    assert_int_equal(arne_excite(arne_data_settings(d), &few, &e, NULL), ARNE_OK);
    assert_true(e->randoms == 2 && e->starts == 2 && e->harmonics == 64);
    arne_excitation_free(e);
    close_robot();
}

/* Half of what there is, of what is assumed (half a turn or 0.5 m to both sides, 1 rad/s or 0.25 m/s, three times the speed a
 * second), or of what is asked for. */
static void limits_are_the_part_of_them_that_is_used(void **state)
{
    (void)state;
    enum { N = 5 };
    const arne_joint_type types[N] = {ARNE_REVOLUTE, ARNE_REVOLUTE, ARNE_REVOLUTE, ARNE_PRISMATIC, ARNE_PRISMATIC};
    const arne_limits none = {-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0, 0};
    arne_limits given[N] = {none, none, none, none, {-0.2, 0.4, 0.3, 2, 500, 0, 0}};
    given[1].lower = 1, given[2].upper = 2, given[2].velocity = 4;
    const double around[N] = {0.5, 2.5, -1, 0.1, 0.25};
    const struct {
        double lower[N], upper[N], velocity[N], acceleration[N];
    } should[2] = {{{-PI / 2, 1 + PI / 2, 2 - 1.5 * PI, -0.25, -0.05},
                    {PI / 2, 1 + 1.5 * PI, 2 - PI / 2, 0.25, 0.25},
                    {0.5, 0.5, 2, 0.125, 0.15},
                    {1.5, 1.5, 6, 0.375, 1}},
                   /* 0.3 around the posture; 0.2 fast, 0.5 of acceleration */
                   {{0.2, 1 + PI / 2, -1.3, -0.2, -0.05},
                    {0.8, 2.8, -0.7, 0.25, 0.25},
                    {0.1, 0.1, 0.1, 0.1, 0.1},
                    {0.25, 0.25, 0.25, 0.25, 0.25}}};
    arne_description *r = arne_description_new("chain");
    char name[2] = "a", before[8] = "base";
    assert_true(r && arne_description_link(r, before, 0));
    for (int i = 0; i < N; i++) {
        name[0] = (char)('a' + i);
        arne_description_link(r, name, 0)->body = (arne_body){1, {0.1, 0.2, 0.3}, {0.1, 0, 0, 0.1, 0, 0.1}};
        arne_joint_description *j = arne_description_joint(r, name, 0, types[i], before, name);
        assert_non_null(j);
        j->limits = given[i];
        j->before = (arne_pose){{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0.3, 0.1 * i, 0.2}};
        memcpy(before, name, sizeof name);
    }
    assert_int_equal(arne_model_build(r, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne_data_new(m, &d, NULL), ARNE_OK);
    for (int asked = 0; asked < 2; asked++) {
        arne_excite_options o = {.period = 5, .scale = 0.5, .randoms = 3, .steps = 1};
        if (asked) o.around = around, o.amplitude = 0.3, o.velocity = 0.2, o.acceleration = 0.5;
        arne_excitation *e = find(o);
        for (int i = 0; i < N; i++) {
            const arne_excite_joint *j = &e->joints[i];
            assert_true(fabs(j->lower - should[asked].lower[i]) < 1e-12);
            assert_true(fabs(j->upper - should[asked].upper[i]) < 1e-12);
            assert_true(fabs(j->velocity - should[asked].velocity[i]) < 1e-12);
            assert_true(fabs(j->acceleration - should[asked].acceleration[i]) < 1e-12);
            assert_int_equal(j->no_range, !asked && i < 4);
            assert_int_equal(j->no_velocity, !asked && i != 2 && i != 4);
            assert_int_equal(j->no_acceleration, !asked && i < 4);
            assert_int_equal(j->no_torque, i < 4);
        }
        arne_excitation_free(e);
    }
    close_robot();
    arne_description_free(r);
}

/* Coupled joints are as fast as all motors together make them, the limit of the joint if that is less. */
static void coupled_joints_are_as_fast_as_all_motors(void **state)
{
    (void)state;
    open_robot("coupled-wrist");
    arne_excitation *e = find((arne_excite_options){.period = 5, .randoms = 2, .steps = 1});
    for (int i = 0; i < 6; i++) {
        double all = 0;
        for (int k = 0; k < 6; k++) {
            const arne_motor *motor = arne_joint_motor(m, k);
            if (m->transmission[i * 6 + k] != 0) all += fabs(m->transmission[i * 6 + k]) * motor->speed / fabs(motor->gear);
        }
        assert_true(fabs(e->joints[i].velocity - 0.9 * fmin(all, arne_joint_limits(m, i)->velocity)) < 1e-12);
    }
    arne_excitation_free(e);
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
    const double flat[6] = {0, 1, 0, 1, 1, 1}, high[2] = {0.5, 9}, endless[6] = {0, 0, 0, 1, INFINITY, 1};
    refuses((arne_excite_options){.period = -1}, ARNE_BAD_VALUE, "the period of an excitation is -1: it must be positive");
    refuses((arne_excite_options){.period = NAN}, ARNE_BAD_VALUE, "the period of an excitation is nan: it must be positive");
    refuses((arne_excite_options){.scale = -0.5}, ARNE_BAD_VALUE, "the scale of an excitation is -0.5: it must be positive");
    refuses((arne_excite_options){.velocity = -2}, ARNE_BAD_VALUE, "the velocity of an excitation is -2: it must be positive");
    refuses((arne_excite_options){.acceleration = -3}, ARNE_BAD_VALUE,
            "the acceleration of an excitation is -3: it must be positive");
    refuses((arne_excite_options){.amplitude = INFINITY}, ARNE_BAD_VALUE,
            "the amplitude of an excitation is inf: it must be positive");
    refuses((arne_excite_options){.scale = 1.1}, ARNE_BAD_VALUE,
            "the scale of an excitation is 1.1: 0 ... 1 of the limits can be used");
    refuses((arne_excite_options){.harmonics = 2}, ARNE_BAD_VALUE,
            "2 harmonics: 3 to 64 are allowed (two numbers of each joint make it begin at rest)");
    refuses((arne_excite_options){.harmonics = 65}, ARNE_BAD_VALUE,
            "65 harmonics: 3 to 64 are allowed (two numbers of each joint make it begin at rest)");
    refuses((arne_excite_options){.starts = 10, .randoms = 5}, ARNE_BAD_VALUE,
            "10 starts: at most 64, and not more than the 5 random motions");
    refuses((arne_excite_options){.starts = 65, .randoms = 100}, ARNE_BAD_VALUE,
            "65 starts: at most 64, and not more than the 100 random motions");
    refuses((arne_excite_options){.box = turned}, ARNE_BAD_VALUE,
            "the box goes from 1 to 0 along z: its upper corner must be above its lower one");
    refuses((arne_excite_options){.box = flat}, ARNE_BAD_VALUE,
            "the box goes from 1 to 1 along y: its upper corner must be above its lower one");
    refuses((arne_excite_options){.box = endless}, ARNE_BAD_VALUE,
            "the box goes from 0 to inf along y: its upper corner must be above its lower one");
    refuses(
        (arne_excite_options){.box = away, .randoms = 5}, ARNE_BAD_VALUE,
        "planar2r: of 1000 motions at random none fits into the box and the torque limits; is the box where the hand can be?");
    refuses((arne_excite_options){.randoms = 3, .scale = 1e-4}, ARNE_BAD_VALUE,
            "planar2r: of 600 motions at random none fits into the limits; can the motors carry the arm at rest?");
    refuses((arne_excite_options){.randoms = 3, .velocity = 1e-9, .acceleration = 1e-9}, ARNE_BAD_VALUE,
            "planar2r: of 3 motions at random none moves all parameters; give more time or harmonics");
    refuses((arne_excite_options){.around = nan, .amplitude = 1}, ARNE_BAD_VALUE,
            "motions around a posture need its numbers and an amplitude");
    refuses((arne_excite_options){.around = zero}, ARNE_BAD_VALUE, "motions around a posture need its numbers and an amplitude");
    refuses((arne_excite_options){.around = high, .amplitude = 0.5}, ARNE_BAD_VALUE,
            "joint j2 has no room to move: between -3.14159 and 3.14159 and around the posture that is given");
    refuses((arne_excite_options){.noise = zero}, ARNE_BAD_VALUE, "the noise of torque 2 is 0: it must be positive");
    refuses((arne_excite_options){.noise = nan}, ARNE_BAD_VALUE, "the noise of torque 1 is 0: it must be positive");
    refuses((arne_excite_options){.harmonics = -1}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.randoms = -1}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.starts = -1}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.steps = -1}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.link = -1}, ARNE_BAD_ARGUMENT, NULL);
    refuses((arne_excite_options){.link = arne_model_links(m)}, ARNE_BAD_ARGUMENT, NULL);
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
        cmocka_unit_test(the_volume_is_of_what_friction_leaves),
        cmocka_unit_test(the_best_start_comes_first),
        cmocka_unit_test(defaults_are_those_of_the_page),
        cmocka_unit_test(limits_are_the_part_of_them_that_is_used),
        cmocka_unit_test(coupled_joints_are_as_fast_as_all_motors),
        cmocka_unit_test(columns_that_others_explain_are_left_out),
        cmocka_unit_test(noise_is_a_part_of_the_largest_torque),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
