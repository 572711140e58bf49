/* SPDX-License-Identifier: MIT
 *
 * rollout_test.c - rollouts on a device and their Jacobians are those of rollout.h, under torques and under a law, of joints of
 * one freedom and of several, each robot with its own load. */
#include "cuda/device.h"

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

static void expect_refused(robot *r, arne_cuda_rollout_arrays x, const char *words)
{
    assert_int_equal(arne_cuda_rollout(r->c, NULL, 1, &x), ARNE_BAD_ARGUMENT);
    assert_string_equal(arne_cuda_message(r->c), words);
}

static void a_rollout_says_what_it_needs(void **state)
{
    (void)state;
    robot r = opened("planar2r", "fd,dfd", false, false);
    double x[1]; /* not read */
    const arne_cuda_rollout_arrays torques = {.size = sizeof torques, .step = 0.1, .steps = 1, .q = x, .qd = x, .tau = x};
    arne_cuda_rollout_arrays law = torques;
    law.tau = NULL, law.reference = law.kp = law.kd = x;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 0, &torques), ARNE_OK);
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 0, &law), ARNE_OK);
    assert_int_equal(arne_cuda_rollout(NULL, NULL, 0, &law), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 0, NULL), ARNE_BAD_ARGUMENT);
    for (int k = 0; k < 5; k++) {
        arne_cuda_rollout_arrays less = law;
        *(k == 0 ? &less.q : k == 1 ? &less.qd : k == 2 ? &less.reference : k == 3 ? &less.kp : &less.kd) = NULL;
        expect_refused(&r, less, "a rollout needs q and qd, torques or a law, and parameters where they are live");
    }
    arne_cuda_rollout_arrays other = torques;
    other.by_start = x;
    expect_refused(&r, other, "by_start needs a place for A");
    static const double steps[] = {0, -0.1, INFINITY, NAN};
    static const int numbers[][3] = {{ARNE_RULES, 1, 0}, {-1, 1, 0}, {0, -1, 0}, {0, 1, -1}};
    for (int k = 0; k < 8; k++) {
        other = torques;
        if (k < 4)
            other.step = steps[k];
        else
            other.rule = (arne_rule)numbers[k - 4][0], other.steps = numbers[k - 4][1], other.keep = numbers[k - 4][2];
        expect_refused(&r, other, "the rule, the step or the number of steps of a rollout is none");
    }
    closed(&r);
}

/* No step: the start is kept, and its derivative by itself is 1. Every second state; what the last call has left in the memory
 * between the kernels is gone, and where there is too little of it a smaller rollout works again. */
static void rollouts_may_be_short(void **state)
{
    (void)state;
    robot r = opened("planar2r", "fd,dfd", false, false);
    enum { N = 2, SQUARE = 4 * N * N };
    const double q[] = {0.3, -0.4}, qd[] = {0.2, 0.1}, tau[] = {1, 2, -3, 4, 0, 1, 2, -1, 5, 3};
    void *dq = put(&r, q, 1, N, false), *dqd = put(&r, qd, 1, N, false), *dtau = put(&r, tau, 1, 5 * N, false);
    arne_cuda_rollout_arrays x = {.size = sizeof x, .step = 0.01, .q = dq, .qd = dqd, .tau = dtau};
    double *p, *v, *A, *all;
    for (x.keep = 0; x.keep < 3; x.keep++) {
        x.positions = room(&r, 1, N), x.velocities = room(&r, 1, N);
        x.A = room(&r, 1, 0), x.by_start = room(&r, 1, SQUARE);
        assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
        p = got(&r, x.positions, 1, N, false), v = got(&r, x.velocities, 1, N, false);
        A = got(&r, x.by_start, 1, SQUARE, false);
        assert_memory_equal(p, q, sizeof q);
        assert_memory_equal(v, qd, sizeof qd);
        for (int i = 0; i < SQUARE; i++) assert_true(A[i] == (i % (2 * N + 1) == 0));
        free(p), free(v), free(A);
        arne_cuda_release(r.c, x.A);
    }
    x.steps = 5, x.keep = 1, x.by_start = NULL;
    x.positions = room(&r, 1, 6 * N), x.velocities = NULL, x.A = room(&r, 1, 5 * SQUARE);
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
    all = got(&r, x.positions, 1, 6 * N, false);
    assert_int_equal(arne_cuda_rollout(r.c, NULL, (size_t)1 << 30, &x), ARNE_NO_MEMORY);
    assert_string_equal(arne_cuda_message(r.c), "the device has not enough memory for a rollout: out of memory (CUDA error 2)");
    arne_cuda_release(r.c, x.A);
    x.keep = 2, x.positions = room(&r, 1, 3 * N), x.A = NULL, x.B = room(&r, 1, 5 * SQUARE / 2);
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &x), ARNE_OK);
    p = got(&r, x.positions, 1, 3 * N, false);
    for (int k = 0; k < 3; k++) assert_memory_equal(p + k * N, all + 2 * k * N, N * sizeof *p);
    free(p), free(all);
    void *rest[] = {dq, dqd, dtau, x.B};
    for (int k = 0; k < 4; k++) arne_cuda_release(r.c, rest[k]);
    closed(&r);
}

/* q, qd and the sums of both are 64 bytes a robot of two joints: blocks of 64 take 4096, and smaller ones where that is too much
 */
static void blocks_fit_into_shared_memory(void **state)
{
    (void)state;
    static const int cases[][2] = {{1 << 17, 64}, {4096, 64}, {4095, 32}, {1024, 16}, {100, 1}};
    double first[2 * ROBOTS], q[2 * ROBOTS], qd[2 * ROBOTS];
    int *shared = of_processor("processor_shared");
    random_stream s = {.state = 4};
    random_vector(&s, 2 * ROBOTS, 1, q);
    random_vector(&s, 2 * ROBOTS, 1, qd);
    for (int k = 0; k < 5; k++) {
        *shared = cases[k][0];
        robot r = opened("planar2r", "fd,dfd", false, false);
        void *dq = put(&r, q, ROBOTS, 2, false), *dqd = put(&r, qd, ROBOTS, 2, false);
        const arne_cuda_rollout_arrays x = {
            .size = sizeof x, .step = 0.01, .steps = 1, .q = dq, .qd = dqd, .tau = dqd, .velocities = room(&r, ROBOTS, 2)};
        assert_int_equal(arne_cuda_rollout(r.c, NULL, ROBOTS, &x), ARNE_OK);
        assert_int_equal(*of_processor("processor_block"), cases[k][1]);
        double *v = got(&r, x.velocities, ROBOTS, 2, false);
        if (k == 0) memcpy(first, v, sizeof first);
        assert_memory_equal(first, v, sizeof first);
        free(v);
        arne_cuda_release(r.c, dq), arne_cuda_release(r.c, dqd);
        closed(&r);
    }
    *shared = 1 << 17;
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
    arne_cuda_rollout_arrays less = rolled;
    less.parameters = NULL;
    expect_refused(&r, less, "a rollout needs q and qd, torques or a law, and parameters where they are live");
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rollouts_are_those_of_the_processor),
                                       cmocka_unit_test(quaternions_roll_as_on_the_processor),
                                       cmocka_unit_test(a_law_closes_the_loop),
                                       cmocka_unit_test(a_rollout_says_what_it_needs),
                                       cmocka_unit_test(rollouts_may_be_short),
                                       cmocka_unit_test(blocks_fit_into_shared_memory),
                                       cmocka_unit_test(a_law_leads_along_velocities),
                                       cmocka_unit_test(long_rollouts_go_in_pieces),
                                       cmocka_unit_test(robots_carry_loads_of_their_own)};
    return cmocka_run_group_tests(tests, enter, leave);
}
