/* SPDX-License-Identifier: MIT
 *
 * cuda_test.c - robots on a device that is a processor (processor.c): quantities are those of the library, rollouts and their
 * Jacobians those of rollout.h, each robot may have its own load; what is wrong is said. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/cuda.h"
#include "arne/file.h"
#include "arne/positions.h"
#include "base/cache.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { ROBOTS = 5, STEPS = 7, MOST = 40 };

typedef struct {
    arne_model *m;
    arne_data *d;
    arne_cuda *c;
    int nq, nv;
} robot;

static robot opened_model(arne_model *m, const char *what, bool live, bool single)
{
    robot r = {.m = m, .d = test_data(m), .nq = arne_model_nq(m), .nv = arne_model_nv(m)};
    arne_error error = {0};
    const arne_cuda_options o = {.size = sizeof o, .what = what, .live = live, .single = single};
    if (arne_cuda_new(r.d, &o, &r.c, &error)) fail_msg("%s: %s", arne_model_name(m), error.message);
    return r;
}

static robot opened(const char *name, const char *what, bool live, bool single)
{
    char path[256];
    arne_model *m;
    snprintf(path, sizeof path, ARNE_ROBOTS "/%s.yaml", name);
    assert_int_equal(arne_load(path, &m, NULL), ARNE_OK);
    return opened_model(m, what, live, single);
}

/* A tree with a spherical joint inside, then a free one on a branch; joints slide first and last. */
static arne_model *a_tree(void)
{
    static const struct {
        arne_joint_type type;
        int on;
    } joints[] = {{ARNE_PRISMATIC, 0}, {ARNE_REVOLUTE, 1}, {ARNE_SPHERICAL, 2},
                  {ARNE_REVOLUTE, 3},  {ARNE_FREE, 2},     {ARNE_PRISMATIC, 4}};
    random_stream s = {.state = 21};
    arne_description *d = arne_description_new("tree");
    arne_model *m;
    arne_description_link(d, "0", 0);
    for (int i = 0; i < 6; i++) {
        char name[3][2] = {{(char)('a' + i)}, {(char)('0' + joints[i].on)}, {(char)('1' + i)}};
        arne_description_link(d, name[2], 0)->body = random_body(&s);
        arne_joint_description *j = arne_description_joint(d, name[0], 0, joints[i].type, name[1], name[2]);
        j->before = random_pose(&s, 0.3);
    }
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_description_free(d);
    return m;
}

static void closed(robot *r)
{
    arne_cuda_free(r->c);
    arne_data_free(r->d);
    arne_model_free(r->m);
}

/* to the device: entry i of state k from k size + i to i count + k */
static void *put(robot *r, const double *x, int count, int size, bool single)
{
    void *device;
    const size_t all = (size_t)(count * size);
    double *turned = malloc(all * sizeof *turned);
    float *small = malloc(all * sizeof *small);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < size; i++) turned[i * count + k] = x[k * size + i], small[i * count + k] = (float)x[k * size + i];
    assert_int_equal(arne_cuda_alloc(r->c, all * 8, &device), ARNE_OK);
    assert_int_equal(arne_cuda_put(r->c, device, single ? (void *)small : turned, all * (single ? 4 : 8)), ARNE_OK);
    free(turned), free(small);
    return device;
}

static void *room(robot *r, int count, int size)
{
    void *device;
    assert_int_equal(arne_cuda_alloc(r->c, (size_t)(count * size) * 8, &device), ARNE_OK);
    return device;
}

/* back, and released */
static double *got(robot *r, void *device, int count, int size, bool single)
{
    const size_t all = (size_t)(count * size);
    double *x = malloc(all * sizeof *x), *turned = malloc(all * sizeof *x);
    float *small = malloc(all * sizeof *small);
    assert_int_equal(arne_cuda_get(r->c, single ? (void *)small : turned, device, all * (single ? 4 : 8)), ARNE_OK);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < size; i++) x[k * size + i] = single ? (double)small[i * count + k] : turned[i * count + k];
    arne_cuda_release(r->c, device);
    free(turned), free(small);
    return x;
}

static void expect_near(const double *is, const double *should, int n, double tolerance, const char *what)
{
    double size = 1e-3, error = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(is[i]) && isfinite(should[i])); /* fmax would not see it */
        size = fmax(size, fabs(should[i])), error = fmax(error, fabs(is[i] - should[i]));
    }
    if (!(error <= tolerance * size)) fail_msg("%s is off by %g of %g", what, error, size);
}

static void random_states(const robot *r, random_stream *s, int count, double *q, double *qd, double *x)
{
    random_vector(s, count * r->nq, 1.5, q);
    random_vector(s, count * r->nv, 1, qd);
    random_vector(s, count * r->nv, 1, x);
    for (int k = 0; k < count; k++) arne_normalize(r->m, NAN, q + k * r->nq, NULL);
}

static void quantities_are_those_of_the_library(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *what;
        bool single;
    } cases[] = {{"kuka-lwr", "id,fd,mass,did,dfd", false},
                 {"scara", "id,fd,jacobian,gravity", false},
                 {"ur5e", "id,mass", true},
                 {"satellite", "id,centroidal,did", false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bool single = cases[c].single;
        robot r = opened(cases[c].robot, cases[c].what, false, single);
        random_stream s = {.state = 5 + c};
        double q[ROBOTS * MOST], qd[ROBOTS * MOST], x[ROBOTS * MOST];
        random_states(&r, &s, ROBOTS, q, qd, x);
        void *dq = put(&r, q, ROBOTS, r.nq, single), *dqd = put(&r, qd, ROBOTS, r.nv, single),
             *dx = put(&r, x, ROBOTS, r.nv, single);
        const arne_cuda_state on = {dq, dqd, dx, dx, NULL, NULL};
        int left = 1; /* to be compared: the words of the list */
        for (const char *at = cases[c].what; *at; at++) left += *at == ',';
        for (int row = 0; row < arne_quantities(); row++) {
            const char *name = arne_quantity_at(row)->name;
            const int size = arne_quantity_size(row, r.m);
            if (!strstr(cases[c].what, name)) continue;
            void *out = room(&r, ROBOTS, size);
            const arne_status status = arne_cuda_run(r.c, name, NULL, ROBOTS, &on, out);
            if (status == ARNE_NOT_PREPARED) { /* a name within another */
                arne_cuda_release(r.c, out);
                continue;
            }
            assert_int_equal(status, ARNE_OK);
            double *is = got(&r, out, ROBOTS, size, single), *should = malloc((size_t)(ROBOTS * size) * sizeof *should);
            for (int k = 0; k < ROBOTS; k++) {
                const arne_state at = {q + k * r.nq, qd + k * r.nv, x + k * r.nv, x + k * r.nv, NULL};
                assert_int_equal(arne_compute(r.d, row, NULL, &at, should + k * size), ARNE_OK);
            }
            expect_near(is, should, ROBOTS * size, single ? 2e-5 : 1e-9, name);
            free(is), free(should);
            left--;
        }
        assert_int_equal(left, 0);
        arne_cuda_release(r.c, dq), arne_cuda_release(r.c, dqd), arne_cuda_release(r.c, dx);
        closed(&r);
    }
}

/* by every rule: states, Jacobians of each step, of the last state */
static void rolls_as_on_the_processor(robot *r, double torque, double tolerance, bool single)
{
    const int n = r->nv, nq = r->nq, states = STEPS + 1;
    random_stream s = {.state = 3};
    double q[ROBOTS * MOST], qd[ROBOTS * MOST], tau[ROBOTS * STEPS * MOST];
    random_states(r, &s, ROBOTS, q, qd, tau);
    random_vector(&s, ROBOTS * STEPS * n, torque, tau);
    for (int i = 0; i < arne_model_joints(r->m);
         i++) /* of the last robot: not quite of unit length, and the first step brings it there */
        for (int k = 0; k < 4 && arne_joint_turn(r->m, i) >= 0; k++) q[(ROBOTS - 1) * nq + arne_joint_turn(r->m, i) + k] *= 1.001;
    void *dq = put(r, q, ROBOTS, nq, single), *dqd = put(r, qd, ROBOTS, n, single);
    void *dtau = put(r, tau, ROBOTS, STEPS * n, single), *parameters = NULL;
    const int np = arne_cuda_parameters(r->c);
    if (np) { /* live: those of the robot, each */
        double *own = malloc((size_t)(ROBOTS * np) * sizeof *own);
        for (int k = 0; k < ROBOTS; k++)
            assert_int_equal(arne_cuda_parameter_values(r->c, arne_data_settings(r->d), own + k * np), ARNE_OK);
        parameters = put(r, own, ROBOTS, np, single);
        free(own);
    }
    for (int rule = 0; rule < ARNE_RULES; rule++) {
        const size_t square = (size_t)(4 * n * n);
        double *p = malloc((size_t)(ROBOTS * states * nq) * sizeof *p), *v = malloc((size_t)(ROBOTS * states * n) * sizeof *v);
        double *A = malloc(ROBOTS * STEPS * square * sizeof *A), *B = malloc(ROBOTS * STEPS * square * sizeof *B);
        double *by_start = malloc(ROBOTS * square * sizeof *by_start);
        const arne_rollout_options o = {.size = sizeof o, .rule = (arne_rule)rule, .step = 0.01};
        arne_rollout *judge;
        assert_int_equal(arne_rollout_new(arne_data_settings(r->d), &o, &judge, NULL), ARNE_OK);
        const arne_rollout_arrays x = {.size = sizeof x,
                                       .steps = STEPS,
                                       .q = q,
                                       .qd = qd,
                                       .tau = tau,
                                       .positions = p,
                                       .velocities = v,
                                       .A = A,
                                       .B = B,
                                       .by_start = by_start};
        assert_int_equal(arne_rollout_run(judge, ROBOTS, &x), ARNE_OK);
        arne_rollout_free(judge);
        const arne_cuda_rollout_arrays on = {.size = sizeof on,
                                             .rule = (arne_rule)rule,
                                             .step = 0.01,
                                             .steps = STEPS,
                                             .q = dq,
                                             .qd = dqd,
                                             .tau = dtau,
                                             .parameters = parameters,
                                             .keep = 1,
                                             .positions = room(r, ROBOTS, states * nq),
                                             .velocities = room(r, ROBOTS, states * n),
                                             .A = room(r, ROBOTS, STEPS * (int)square),
                                             .B = room(r, ROBOTS, STEPS * (int)square),
                                             .by_start = room(r, ROBOTS, (int)square)};
        assert_int_equal(arne_cuda_rollout(r->c, NULL, ROBOTS, &on), ARNE_OK);
        const struct {
            void *is;
            const double *should;
            int size;
            const char *what;
        } all[] = {{on.positions, p, states * nq, "positions"},
                   {on.velocities, v, states * n, "velocities"},
                   {on.A, A, STEPS * (int)square, "A"},
                   {on.B, B, STEPS * (int)square / 2, "B"},
                   {on.by_start, by_start, (int)square, "by_start"}};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            double *is = got(r, all[i].is, ROBOTS, all[i].size, single);
            expect_near(is, all[i].should, ROBOTS * all[i].size, tolerance, all[i].what);
            free(is);
        }
        free(p), free(v), free(A), free(B), free(by_start);
    }
    arne_cuda_release(r->c, dq), arne_cuda_release(r->c, dqd), arne_cuda_release(r->c, dtau);
    if (np) arne_cuda_release(r->c, parameters);
}

static void rollouts_are_those_of_the_processor(void **state)
{
    (void)state;
    robot r = opened("kuka-lwr", "fd,dfd", false, false);
    rolls_as_on_the_processor(&r, 20, 1e-9, false);
    closed(&r);
}

static void quaternions_roll_as_on_the_processor(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        const bool live = k == 3, single = k == 4;
        robot r = k == 0   ? opened("satellite", "fd,dfd", false, false)
                  : k == 1 ? opened("quadruped", "fd,dfd", false, false)
                           : opened_model(a_tree(), "fd,dfd", live, single);
        assert_true(r.nq > r.nv && r.nq <= MOST);
        rolls_as_on_the_processor(&r, 2, single ? 1e-4 : 1e-9, single);
        closed(&r);
    }
}

/* the last state of rollouts by the law: q and qd of each */
static double *by_law(robot *r, arne_cuda_rollout_arrays x, const double *q, const double *qd, int count)
{
    const int nq = r->nq, nv = r->nv;
    void *dq = put(r, q, count, nq, false), *dqd = put(r, qd, count, nv, false);
    double *end = malloc((size_t)(count * (nq + nv)) * sizeof *end);
    x.q = dq, x.qd = dqd;
    x.positions = room(r, count, nq), x.velocities = room(r, count, nv);
    assert_int_equal(arne_cuda_rollout(r->c, NULL, (size_t)count, &x), ARNE_OK);
    double *p = got(r, x.positions, count, nq, false), *v = got(r, x.velocities, count, nv, false);
    for (int k = 0; k < count; k++) {
        memcpy(end + k * (nq + nv), p + k * nq, (size_t)nq * sizeof *p);
        memcpy(end + k * (nq + nv) + nq, v + k * nv, (size_t)nv * sizeof *v);
    }
    free(p), free(v);
    arne_cuda_release(r->c, dq), arne_cuda_release(r->c, dqd);
    return end;
}

/* One robot in all directions: by_start is the difference quotient of whole rollouts; a torque at its limit moves nothing. */
static void a_law_closes_the_loop(void **state)
{
    (void)state;
    robot r = opened("planar2r", "fd,dfd", false, false);
    enum { N = 2, COLUMNS = 2 * N, COUNT = 2 * COLUMNS + 1 };
    const double kp[N] = {30, 20}, kd[N] = {4, 2}, limit[N] = {1e3, 3}, start[2 * N] = {0.3, -0.4, 0.2, 0.1}, h = 1e-5;
    double reference[COUNT * N], q[COUNT * N], qd[COUNT * N];
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < N; i++) {
            const double move = k ? (k % 2 ? h : -h) : 0;
            reference[k * N + i] = i ? 2 : 0.5;
            q[k * N + i] = start[i] + ((k - 1) / 2 == i && k ? move : 0);
            qd[k * N + i] = start[N + i] + ((k - 1) / 2 == N + i && k ? move : 0);
        }
    arne_cuda_rollout_arrays x = {.size = sizeof x, .step = 0.01, .steps = 5};
    void *device[] = {put(&r, kp, 1, N, false), put(&r, kd, 1, N, false), put(&r, limit, 1, N, false),
                      put(&r, reference, COUNT, N, false)};
    x.kp = device[0], x.kd = device[1], x.limit = device[2], x.reference = device[3];
    double *end = by_law(&r, x, q, qd, COUNT);
    /* the first step by hand: torque 2 is at its limit, 20 (2 + 0.4) - 0.2 = 47.8 */
    const double tau[N] = {30 * 0.2 - 4 * 0.2, 3};
    double one[2 * N], p[2 * N], v[2 * N];
    const arne_rollout_options o = {.size = sizeof o, .step = 0.01};
    arne_rollout *judge;
    assert_int_equal(arne_rollout_new(arne_data_settings(r.d), &o, &judge, NULL), ARNE_OK);
    const arne_rollout_arrays once = {
        .size = sizeof once, .steps = 1, .q = start, .qd = start + N, .tau = tau, .positions = p, .velocities = v};
    assert_int_equal(arne_rollout_run(judge, 1, &once), ARNE_OK);
    arne_rollout_free(judge);
    arne_cuda_rollout_arrays first = x;
    first.steps = 1;
    double *after = by_law(&r, first, q, qd, COUNT);
    memcpy(one, p + N, sizeof p / 2), memcpy(one + N, v + N, sizeof v / 2);
    expect_near(after, one, 2 * N, 1e-12, "the first step");
    free(after);
    x.A = room(&r, COUNT, 5 * COLUMNS * COLUMNS);
    x.by_start = room(&r, COUNT, COLUMNS * COLUMNS);
    free(by_law(&r, x, q, qd, COUNT));
    double *J = got(&r, x.by_start, COUNT, COLUMNS * COLUMNS, false), D[COLUMNS * COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < COLUMNS; i++)
            D[i * COLUMNS + c] = (end[(2 * c + 1) * COLUMNS + i] - end[(2 * c + 2) * COLUMNS + i]) / (2 * h);
    expect_near(J, D, COLUMNS * COLUMNS, 1e-7, "by_start of the closed loop");
    free(J), free(end);
    arne_cuda_release(r.c, x.A);
    for (int i = 0; i < 4; i++) arne_cuda_release(r.c, device[i]);
    closed(&r);
}

/* the same law on the processor, a step at a time: q and qd become those at the end */
static void law_by_hand(robot *r, arne_rule rule, const double *reference, const double *kp, const double *kd,
                        const double *limit, double *q, double *qd)
{
    double tau[MOST], p[2 * MOST], v[2 * MOST], error[MOST];
    const arne_rollout_options o = {.size = sizeof o, .rule = rule, .step = 0.01};
    arne_rollout *judge;
    assert_int_equal(arne_rollout_new(arne_data_settings(r->d), &o, &judge, NULL), ARNE_OK);
    for (int step = 0; step < STEPS; step++) {
        arne_difference(r->m, q, reference, error);
        for (int i = 0; i < r->nv; i++)
            tau[i] = fmax(-limit[i], fmin(limit[i], (kp[i] != 0 ? kp[i] * error[i] : 0) - kd[i] * qd[i]));
        const arne_rollout_arrays once = {
            .size = sizeof once, .steps = 1, .q = q, .qd = qd, .tau = tau, .positions = p, .velocities = v};
        assert_int_equal(arne_rollout_run(judge, 1, &once), ARNE_OK);
        memcpy(q, p + r->nq, (size_t)r->nq * sizeof *q);
        memcpy(qd, v + r->nv, (size_t)r->nv * sizeof *qd);
    }
    arne_rollout_free(judge);
}

/* Errors of spherical and free joints lead along velocities, the last number at its limit; those of a joint without kp are not
 * asked for. by_start is the difference quotient of whole rollouts. */
static void a_law_leads_along_velocities(void **state)
{
    (void)state;
    enum { N = 13, Q = 15, COLUMNS = 2 * N, COUNT = 2 * COLUMNS + 1 };
    robot r = opened_model(a_tree(), "fd,dfd", false, false);
    assert_true(r.nv == N && r.nq == Q);
    for (int rule = 0; rule < ARNE_RULES; rule++) {
        random_stream s = {.state = 77};
        double kp[N], kd[N], limit[N], start[2][Q], way[N], to[Q], q[COUNT * Q], qd[COUNT * N], reference[COUNT * Q];
        random_states(&r, &s, 1, start[0], start[1], way);
        random_vector(&s, N, 1, way);
        arne_integrate(r.m, start[0], way, to);
        for (int i = 0; i < N; i++) kp[i] = random_between(&s, 3, 9), kd[i] = random_between(&s, 0.1, 0.3), limit[i] = 1e3;
        for (int i = 0; i < arne_model_joints(r.m); i++) {
            const int at = arne_joint_q(r.m, i), v = arne_joint_v(r.m, i), turn = arne_joint_turn(r.m, i);
            if (turn < 0) continue;
            limit[turn > at ? v + 5 : v + 1] = 0.1;
            for (int k = 0; k < 4 && rule == ARNE_RULE_RK4; k++)
                to[turn + k] *= -1; /* the same place, named by the longer way round */
            for (int k = 0; k < 6 && turn > at && rule == ARNE_RULE_EULER; k++) kp[v + k] = 0, to[at + k] = NAN;
        }
        const double h = 1e-5;
        for (int k = 0; k < COUNT; k++) {
            double move[COLUMNS] = {0};
            if (k) move[(k - 1) / 2] = k % 2 ? h : -h;
            arne_integrate(r.m, start[0], move, q + k * Q);
            for (int i = 0; i < N; i++) qd[k * N + i] = start[1][i] + move[N + i];
            memcpy(reference + k * Q, to, sizeof to);
        }
        arne_cuda_rollout_arrays x = {.size = sizeof x, .rule = (arne_rule)rule, .step = 0.01, .steps = STEPS};
        void *device[] = {put(&r, kp, 1, N, false), put(&r, kd, 1, N, false), put(&r, limit, 1, N, false),
                          put(&r, reference, COUNT, Q, false)};
        x.kp = device[0], x.kd = device[1], x.limit = device[2], x.reference = device[3];
        double *end = by_law(&r, x, q, qd, COUNT);
        law_by_hand(&r, (arne_rule)rule, to, kp, kd, limit, start[0], start[1]);
        expect_near(end, start[0], Q, 1e-11, "positions by the law");
        expect_near(end + Q, start[1], N, 1e-11, "velocities by the law");
        x.A = room(&r, COUNT, STEPS * COLUMNS * COLUMNS);
        x.by_start = room(&r, COUNT, COLUMNS * COLUMNS);
        free(by_law(&r, x, q, qd, COUNT));
        double *J = got(&r, x.by_start, COUNT, COLUMNS * COLUMNS, false), D[COLUMNS * COLUMNS], apart[N];
        for (int c = 0; c < COLUMNS; c++) {
            const double *more = end + (2 * c + 1) * (Q + N), *less = more + Q + N;
            arne_difference(r.m, less, more, apart);
            for (int i = 0; i < N; i++)
                D[i * COLUMNS + c] = apart[i] / (2 * h), D[(N + i) * COLUMNS + c] = (more[Q + i] - less[Q + i]) / (2 * h);
        }
        expect_near(J, D, COLUMNS * COLUMNS, 1e-7, "by_start of the closed loop");
        free(J), free(end);
        arne_cuda_release(r.c, x.A);
        for (int i = 0; i < 4; i++) arne_cuda_release(r.c, device[i]);
    }
    closed(&r);
}

/* More steps with Jacobians than stages of them are kept at a time: the end is that of the same rollout without them. */
static void long_rollouts_go_in_pieces(void **state)
{
    (void)state;
    enum { LONG = 4200 };
    robot r = opened("satellite", "fd,dfd", false, false);
    const int nq = r.nq, n = r.nv;
    random_stream s = {.state = 9};
    double q[MOST], qd[MOST], tau[MOST], *all = calloc((size_t)(LONG * n), sizeof *all);
    random_states(&r, &s, 1, q, qd, tau);
    arne_cuda_rollout_arrays x = {.size = sizeof x, .rule = ARNE_RULE_SEMI_IMPLICIT, .step = 1e-3, .steps = LONG, .keep = 1400};
    void *dq = put(&r, q, 1, nq, false), *dqd = put(&r, qd, 1, n, false), *dtau = put(&r, all, 1, LONG * n, false);
    double *end[2];
    x.q = dq, x.qd = dqd, x.tau = dtau;
    for (int k = 0; k < 2; k++) {
        x.positions = room(&r, 1, 4 * nq);
        if (k) x.B = room(&r, 1, LONG * 2 * n * n);
        assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
        end[k] = got(&r, x.positions, 1, 4 * nq, false);
    }
    assert_memory_equal(end[0], q, (size_t)nq * sizeof *q);
    assert_memory_equal(end[0], end[1], (size_t)(4 * nq) * sizeof *q);
    /* steps around the border of the pieces have the Jacobians of steps that begin there */
    double *B = got(&r, x.B, 1, LONG * 2 * n * n, false);
    x.positions = room(&r, 1, 4 * nq), x.velocities = room(&r, 1, 4 * n), x.B = NULL, x.steps = 4095, x.keep = 0;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
    x.q = x.positions, x.qd = x.velocities, x.positions = x.velocities = NULL, x.B = room(&r, 1, 2 * 2 * n * n), x.steps = 2;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
    double *two = got(&r, x.B, 1, 2 * 2 * n * n, false);
    assert_memory_equal(two, B + 4095 * 2 * n * n, (size_t)(2 * 2 * n * n) * sizeof *two);
    void *rest[] = {dq, dqd, dtau, (void *)x.q, (void *)x.qd};
    for (int k = 0; k < 5; k++) arne_cuda_release(r.c, rest[k]);
    free(all), free(end[0]), free(end[1]), free(B), free(two);
    closed(&r);
}

/* Each robot with a load of its own, by parameters that are mixed: as if it had been set. */
static void robots_carry_loads_of_their_own(void **state)
{
    (void)state;
    robot r = opened("panda", "fd,dfd", true, false);
    const int np = arne_cuda_parameters(r.c), n = r.nv, link = arne_model_tip(r.m);
    arne_settings *s = arne_data_settings(r.d);
    random_stream random = {.state = 8};
    double *rows = malloc(2 * (size_t)np * sizeof *rows), q[ROBOTS * MOST], qd[ROBOTS * MOST], tau[ROBOTS * MOST],
           weight[ROBOTS * 2];
    random_states(&r, &random, ROBOTS, q, qd, tau);
    arne_body load = {.mass = 1, .com = {0.1, 0.02, 0.05}, .inertia = {0.01, 0, 0, 0.02, 0, 0.03}};
    assert_int_equal(arne_cuda_parameter_values(r.c, s, rows), ARNE_OK);
    assert_int_equal(arne_set_payload(s, link, &load), ARNE_OK);
    assert_int_equal(arne_cuda_parameter_values(r.c, s, rows + np), ARNE_OK);
    for (int k = 0; k < ROBOTS; k++) weight[2 * k] = 1 - 0.7 * k, weight[2 * k + 1] = 0.7 * k;
    void *dw = put(&r, weight, ROBOTS, 2, false), *parameters = room(&r, ROBOTS, np), *out = room(&r, ROBOTS, n);
    void *dq = put(&r, q, ROBOTS, n, false), *dqd = put(&r, qd, ROBOTS, n, false), *dtau = put(&r, tau, ROBOTS, n, false);
    assert_int_equal(arne_cuda_mix(r.c, NULL, ROBOTS, 2, rows, dw, parameters), ARNE_OK);
    const arne_cuda_state x = {dq, dqd, NULL, dtau, NULL, parameters};
    assert_int_equal(arne_cuda_run(r.c, "fd", NULL, ROBOTS, &x, out), ARNE_OK);
    double *qdd = got(&r, out, ROBOTS, n, false), should[MOST];
    const arne_cuda_rollout_arrays rolled = {.size = sizeof rolled,
                                             .step = 0.002,
                                             .steps = 1,
                                             .q = dq,
                                             .qd = dqd,
                                             .tau = dtau,
                                             .parameters = parameters,
                                             .A = room(&r, ROBOTS, 4 * n * n),
                                             .velocities = room(&r, ROBOTS, n)};
    assert_int_equal(arne_cuda_rollout(r.c, NULL, ROBOTS, &rolled), ARNE_OK);
    double *v = got(&r, rolled.velocities, ROBOTS, n, false), *A = got(&r, rolled.A, ROBOTS, 4 * n * n, false);
    for (int k = 0; k < ROBOTS; k++) {
        const double m = 0.7 * k;
        arne_body own = {.mass = m, .com = {0.1, 0.02, 0.05}, .inertia = {0.01 * m, 0, 0, 0.02 * m, 0, 0.03 * m}};
        assert_int_equal(arne_set_payload(s, link, &own), ARNE_OK);
        assert_int_equal(arne_fd(r.d, q + k * n, qd + k * n, tau + k * n, should), ARNE_OK);
        expect_near(qdd + k * n, should, n, 1e-9, "fd with a load");
        double p[2 * MOST], w[2 * MOST], J[4 * MOST * MOST];
        const arne_rollout_options o = {.size = sizeof o, .step = 0.002};
        arne_rollout *judge;
        assert_int_equal(arne_rollout_new(s, &o, &judge, NULL), ARNE_OK);
        const arne_rollout_arrays at = {.size = sizeof at,
                                        .steps = 1,
                                        .q = q + k * n,
                                        .qd = qd + k * n,
                                        .tau = tau + k * n,
                                        .positions = p,
                                        .velocities = w,
                                        .A = J};
        assert_int_equal(arne_rollout_run(judge, 1, &at), ARNE_OK);
        arne_rollout_free(judge);
        expect_near(v + k * n, w + n, n, 1e-10, "velocities with a load");
        expect_near(A + 4 * k * n * n, J, 4 * n * n, 1e-9, "A with a load");
    }
    free(rows), free(qdd), free(v), free(A);
    void *all[] = {dw, parameters, dq, dqd, dtau};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) arne_cuda_release(r.c, all[i]);
    closed(&r);
}

static void small_batches_need_no_copies(void **state)
{
    (void)state;
    robot r = opened("planar2r", "id", false, false);
    arne_cuda_mapped *m;
    assert_int_equal(arne_cuda_mapped_new(r.c, "id", 3, &m), ARNE_OK);
    assert_true(m->q && m->qd && m->qdd && m->out && !m->tau && !m->qa && !m->parameters);
    double *q = m->q, *qd = m->qd, *qdd = m->qdd, *tau = m->out, should[2];
    for (int i = 0; i < 6; i++) q[i] = 0.1 * i, qd[i] = 1 - i, qdd[i] = 2 * i;
    assert_int_equal(arne_cuda_mapped_run(r.c, m), ARNE_OK);
    for (int k = 0; k < 3; k++) {
        const double a[] = {q[k], q[3 + k]}, b[] = {qd[k], qd[3 + k]}, c[] = {qdd[k], qdd[3 + k]}, is[] = {tau[k], tau[3 + k]};
        arne_id(r.d, a, b, c, should);
        expect_near(is, should, 2, 1e-13, "id");
    }
    arne_cuda_mapped_free(r.c, m);
    closed(&r);
}

static void one_robot_is_enough(void **state)
{
    (void)state;
    robot r = opened("scara", "gravity", false, false);
    random_stream s = {.state = 17};
    double q[MOST], qd[MOST], x[MOST], should[MOST];
    random_states(&r, &s, 1, q, qd, x);
    void *dq = put(&r, q, 1, r.nq, false), *out = room(&r, 1, r.nv);
    const arne_cuda_state on = {dq, NULL, NULL, NULL, NULL, NULL};
    assert_int_equal(arne_cuda_run(r.c, "gravity", NULL, 1, &on, out), ARNE_OK);
    double *is = got(&r, out, 1, r.nv, false);
    assert_int_equal(arne_gravity(r.d, q, should), ARNE_OK);
    expect_near(is, should, r.nv, 1e-12, "gravity");
    free(is);
    arne_cuda_release(r.c, dq);
    closed(&r);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    robot r = opened("satellite", "id,fd", false, false);
    double x[8] = {0};
    const arne_cuda_state none = {x, x, NULL, NULL, NULL, NULL};
    assert_int_equal(arne_cuda_run(r.c, "mass", NULL, 1, &none, x), ARNE_NOT_PREPARED);
    assert_non_null(strstr(arne_cuda_message(r.c), "what"));
    assert_int_equal(arne_cuda_run(r.c, "id", NULL, 1, &none, x), ARNE_BAD_ARGUMENT);
    assert_non_null(strstr(arne_cuda_message(r.c), "missing"));
    arne_cuda_rollout_arrays roll = {.size = sizeof roll, .step = 0.1, .steps = 1, .q = x, .qd = x, .tau = x};
    void *device;
    assert_int_equal(arne_cuda_alloc(r.c, (size_t)1 << 40, &device), ARNE_NO_MEMORY);
    assert_non_null(strstr(arne_cuda_message(r.c), "memory"));
    assert_null(device);
    assert_string_equal(arne_cuda_device_name(r.c), "a processor");
    arne_error error = {0};
    arne_cuda *c;
    arne_cuda_options o = {.size = sizeof o, .what = "id", .device = 3};
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "no device 3"));
    o = (arne_cuda_options){.size = sizeof o, .what = "id,nothing"};
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "nothing"));
    o.size = 0;
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_BAD_ARGUMENT);
    closed(&r);
    r = opened("planar2r", "fd", false, false);
    roll.A = x;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_NOT_PREPARED);
    assert_non_null(strstr(arne_cuda_message(r.c), "dfd"));
    roll.A = NULL, roll.tau = NULL;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_BAD_ARGUMENT);
    roll.tau = x, roll.step = 0;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_BAD_ARGUMENT);
    closed(&r);
}

/* ---- compiled code that is kept ---- */

static char folder[] = "/tmp/arne_cuda_XXXXXX";

/* the path of what is kept there, "": nothing; removed: and now no longer */
static void kept(char path[300], bool removed)
{
    char name[100];
    snprintf(name, sizeof name, "%s/arne", folder);
    path[0] = '\0';
    DIR *d = opendir(name);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, 300, "%s/%.150s", name, e->d_name);
        if (removed) remove(path);
    }
    if (d) closedir(d);
}

static int enter(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1);
}

static int leave(void **state)
{
    (void)state;
    char path[300];
    kept(path, true);
    snprintf(path, sizeof path, "%s/arne", folder);
    return rmdir(path) || rmdir(folder);
}

/* opens the robot, sees that it computes; how often something was compiled for it */
static int compilations(arne_data *d, arne_cuda_options o, const int *counter)
{
    const int before = *counter;
    robot r = {.d = d, .nq = 2, .nv = 2};
    arne_error error = {0};
    if (arne_cuda_new(d, &o, &r.c, &error)) fail_msg("%s", error.message);
    assert_string_equal(arne_cuda_message(r.c), "");
    const double q[2] = {0.3, -0.8};
    double should[2];
    void *dq = put(&r, q, 1, 2, false), *out = room(&r, 1, 2);
    const arne_cuda_state on = {.q = dq};
    assert_int_equal(arne_cuda_run(r.c, "gravity", NULL, 1, &on, out), ARNE_OK);
    double *is = got(&r, out, 1, 2, false);
    assert_int_equal(arne_gravity(d, q, should), ARNE_OK);
    expect_near(is, should, 2, 1e-12, "gravity");
    free(is);
    arne_cuda_release(r.c, dq);
    arne_cuda_free(r.c);
    return *counter - before;
}

static void code_is_compiled_once(void **state)
{
    (void)state;
    char path[300], other[300];
    void *compiler = dlopen("libnvrtc.so", RTLD_NOW);
    assert_non_null(compiler);
    int *counter = dlsym(compiler, "processor_compiled"), *version = dlsym(compiler, "processor_version");
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    arne_data *d = test_data(m);
    const arne_cuda_options o = {.size = sizeof o, .what = "gravity"},
                            anew = {.size = sizeof anew, .what = "gravity", .anew = true};
    kept(path, true);
    assert_int_equal(compilations(d, anew, counter), 1);
    kept(path, false);
    assert_string_equal(path, "");
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    assert_int_equal(compilations(d, anew, counter), 1);
    kept(path, false);
    const char *const words[] = {"", "no code", "twenty-four bytes, or more of them"};
    for (int i = 0; i < 3; i++) { /* damaged */
        FILE *f = fopen(path, "wb");
        assert_true(fputs(words[i], f) >= 0);
        fclose(f);
        assert_int_equal(compilations(d, o, counter), 1);
        assert_int_equal(compilations(d, o, counter), 0);
    }
    assert_int_equal(arne__cache_write(path, "of another device", 18, NULL), ARNE_OK); /* whole, but not what it should be */
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    kept(other, false);
    assert_string_equal(path, other);
    ++*version;
    assert_int_equal(compilations(d, o, counter), 1); /* by another compiler */
    --*version;
    assert_int_equal(compilations(d, o, counter), 0);
    const double g[3] = {0, 0, 9.81};
    assert_int_equal(arne_set_gravity(arne_data_settings(d), g), ARNE_OK);
    assert_int_equal(compilations(d, o, counter), 1);          /* another robot */
    setenv("XDG_CACHE_HOME", ARNE_ROBOTS "/planar2r.yaml", 1); /* no folder */
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/arne", folder);
    chmod(path, 0500); /* nothing new comes in (root may all the same) */
    arne_cuda_options more = o;
    more.what = "gravity,id";
    assert_int_equal(compilations(d, more, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    chmod(path, 0700);
    dlclose(compiler);
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantities_are_those_of_the_library),
                                       cmocka_unit_test(rollouts_are_those_of_the_processor),
                                       cmocka_unit_test(quaternions_roll_as_on_the_processor),
                                       cmocka_unit_test(a_law_closes_the_loop),
                                       cmocka_unit_test(a_law_leads_along_velocities),
                                       cmocka_unit_test(long_rollouts_go_in_pieces),
                                       cmocka_unit_test(robots_carry_loads_of_their_own),
                                       cmocka_unit_test(small_batches_need_no_copies),
                                       cmocka_unit_test(one_robot_is_enough),
                                       cmocka_unit_test(what_is_wrong_is_said),
                                       cmocka_unit_test(code_is_compiled_once)};
    return cmocka_run_group_tests(tests, enter, leave);
}
