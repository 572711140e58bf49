/* SPDX-License-Identifier: MIT
 *
 * rollout_test.c - rollouts and their derivatives: against differences of the rollouts themselves, by products of shorter ones,
 * side by side against one by one. */
#include <pthread.h>

#include "rollout/rollouts.h"

enum { ROBOTS = 56 };
static const double DIFFERENCES = 3e-6; /* with M near to singular rounding, over the small change */

/* what is changed: a number of the start along velocities, of the torques, or an inertial parameter */
typedef enum { START, TORQUE, PARAMETER } which;

static void moved(const subject *s, arne_rollout *r, int steps, const start *at, which w, int c, double by, const double *own,
                  double *end)
{
    start x = *at;
    double v[N] = {0}, P[13 * N];
    if (w == START && c < s->n) {
        v[c] = by;
        arne_integrate(s->m, at->x.q, v, x.x.q);
    } else if (w == START) {
        x.x.qd[c - s->n] += by;
    } else if (w == TORQUE) {
        x.tau[c] += by;
    } else {
        memcpy(P, own, 11 * (size_t)arne_model_bodies(s->m) * sizeof *P);
        P[c] += by;
        arne_set_parameters(s->settings, P);
    }
    last_state(s, r, steps, x.x.q, x.x.qd, x.tau, end);
}

/* column c by differences of two sizes: the error is of the fourth power */
static void differ(const subject *s, arne_rollout *r, int steps, const start *at, which w, int c, const double *own,
                   double *column)
{
    const double h = w == PARAMETER ? 1e-4 : 4e-3, sizes[2] = {h, h / 2};
    double middle[2 * N], end[2 * N], a[2 * N], b[2 * N], d[2][2 * N];
    last_state(s, r, steps, at->x.q, at->x.qd, at->tau, middle);
    for (int k = 0; k < 2; k++) {
        moved(s, r, steps, at, w, c, sizes[k], own, end);
        seen_from(s, middle, end, a);
        moved(s, r, steps, at, w, c, -sizes[k], own, end);
        seen_from(s, middle, end, b);
        for (int i = 0; i < 2 * s->n; i++) d[k][i] = (a[i] - b[i]) / (2 * sizes[k]);
    }
    for (int i = 0; i < 2 * s->n; i++) column[i] = (4 * d[1][i] - d[0][i]) / 3;
    if (w == PARAMETER) arne_set_parameters(s->settings, own);
}

static void check_column(const subject *s, const char *law, const double *J, int width, int c, const double *should)
{
    double is[2 * N];
    for (int i = 0; i < 2 * s->n; i++) is[i] = J[i * width + c];
    expect_near(s, law, 2 * s->n, is, should, DIFFERENCES, fmax(1e-2, largest(2 * s->n, should)));
}

/* every seventh is a chain with two joints that follow */
static subject a_robot(int number)
{
    if (number % 7 != 6) return subject_number(shipped_robots() + number, number % 2 ? RANDOM_ANY & ~RANDOM_LAWS : RANDOM_WIDE);
    arne_description *d = long_chain(5);
    for (size_t k = 0; k < d->nlink; k++) d->links[k].body = (arne_body){2, {0.1, 0, 0.05}, {0.3, 0.01, 0, 0.4, 0, 0.2}};
    subject s = subject_of(d);
    arne_data_free(s.data);
    arne_model_free(s.m);
    assert_int_equal(arne_description_follow(&s.d->joints[2], s.d->joints[0].name, -1.5, 0.2), ARNE_OK);
    assert_int_equal(arne_description_follow(&s.d->joints[3], s.d->joints[4].name, 0.7, 0), ARNE_OK);
    assert_int_equal(arne_model_build(s.d, NULL, &s.m, NULL), ARNE_OK);
    s.data = test_data(s.m), s.settings = arne_data_settings(s.data);
    s.n = s.nq = arne_model_nv(s.m);
    assert_int_equal(s.n, 3);
    return s;
}

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    results *x = new_results();
    for (int number = 0; number < FEWER(ROBOTS); number++) {
        subject s = a_robot(number);
        /* long steps too: there what is small in u counts */
        arne_rollout *r = begin(&s, (arne_rule)(number % ARNE_RULES), number % 4 ? 0.01 : 0.15);
        const int steps = 1 + number % 3, np = 13 * arne_model_bodies(s.m), set = number % SETTINGS;
        double own[13 * N], column[2 * N];
        set_up(&s, set & 1 ? set : 0); /* parameters keep no payloads */
        const start at = a_start(&s, 1);
        go(r, steps, false, at.x.q, at.x.qd, at.tau, x);
        for (int c = number % 2; c < 2 * s.n; c += 2) {
            differ(&s, r, steps, &at, START, c, NULL, column);
            check_column(&s, "by start", x->by_start, 2 * s.n, c, column);
        }
        for (int c = number % 5; c < steps * s.n; c += 5) {
            differ(&s, r, steps, &at, TORQUE, c, NULL, column);
            check_column(&s, "by torque", x->by_tau, steps * s.n, c, column);
        }
        arne_parameters(s.settings, own);
        for (int c = number % 7; c < 11 * arne_model_bodies(s.m); c += 7) {
            differ(&s, r, steps, &at, PARAMETER, c, own, column);
            if (number % 2 == 0 || c % 11 != 10) /* coupled rotors stay */
                check_column(&s, "by parameter", x->by_parameters, np, c, column);
        }
        arne_rollout_free(r);
        subject_close(&s);
    }
    free(x);
}

/* by friction: robots whose file says otherwise */
static void derivatives_by_friction_are_those_of_other_robots(void **state)
{
    (void)state;
    const double h = 1e-4;
    results *x = new_results();
    for (int off = 0; off < 2; off++) {
        double end[2][2 * N], d[2 * N], a[2 * N], b[2 * N];
        for (int c = 0; c < 4; c++) { /* FV, FS of two joints */
            start at;
            for (int side = -1; side <= 1; side++) {
                arne_description *robot = robot_number(shipped_robots() + RANDOM_FAMILIES, RANDOM_FRICTION);
                for (size_t j = 0, seen = 0; j < robot->njoint; j++) {
                    if (robot->joints[j].type == ARNE_FIXED || seen++ != (size_t)(c / 2)) continue;
                    arne_friction *f = &robot->joints[j].friction;
                    *(c % 2 ? &f->coulomb : &f->viscous) += side * h;
                }
                subject s = subject_of(robot);
                s.r.state = 7;
                at = a_start(&s, 1);
                if (off) arne_set_friction(s.settings, false);
                arne_rollout *r = begin(&s, ARNE_RULE_RK4, 0.01);
                if (side) {
                    last_state(&s, r, 3, at.x.q, at.x.qd, at.tau, end[side > 0]);
                } else {
                    go(r, 3, false, at.x.q, at.x.qd, at.tau, x);
                }
                arne_rollout_free(r);
                if (side == 1) {
                    seen_from(&s, end[0], end[1], a);
                    seen_from(&s, end[0], end[0], b);
                    const int width = 13 * arne_model_bodies(s.m);
                    for (int i = 0; i < 2 * s.n; i++) d[i] = (a[i] - b[i]) / (2 * h);
                    if (off) assert_true(largest(2 * s.n, d) == 0);
                    double is[2 * N];
                    for (int i = 0; i < 2 * s.n; i++) is[i] = x->by_parameters[i * width + 11 * arne_model_bodies(s.m) + c];
                    expect_near(&s, "by friction", 2 * s.n, is, d, 1e-7, off ? 0 : largest(2 * s.n, d));
                    if (!off) assert_true(largest(2 * s.n, d) > 1e-5);
                }
                subject_close(&s);
            }
        }
    }
    free(x);
}

/* A long rollout is two short ones, and its derivative is their product; those of every state are those of shorter rollouts. */
static void derivatives_of_parts_are_factors(void **state)
{
    (void)state;
    results *whole = new_results(), *half = new_results(), *rest = new_results();
    double *P = malloc(4 * N * N * sizeof *P);
    for (int number = 0; number < 24; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_ANY);
        arne_rollout *r = begin(&s, (arne_rule)(number % ARNE_RULES), 0.02);
        const int n = 2 * s.n, k = 1 + number % (K - 1), np = 13 * arne_model_bodies(s.m);
        const start at = a_start(&s, 1);
        go(r, K, true, at.x.q, at.x.qd, at.tau, whole);
        go(r, k, false, at.x.q, at.x.qd, at.tau, half);
        go(r, K - k, false, half->positions + k * s.nq, half->velocities + k * s.n, at.tau + k * s.n, rest);
        expect_close(&s, "position", s.nq, rest->positions + (K - k) * s.nq, whole->positions + K * s.nq, 1e-13);
        multiply(n, rest->by_start, half->by_start, n, P);
        expect_close(&s, "product by start", n * n, P, whole->by_start + K * n * n, 1e-12);
        expect_close(&s, "state in the middle", n * n, half->by_start, whole->by_start + k * n * n, 0);
        multiply(n, rest->by_start, half->by_parameters, np, P);
        for (int i = 0; i < n * np; i++) P[i] += rest->by_parameters[i];
        expect_close(&s, "product by parameters", n * np, P, whole->by_parameters + K * n * np, 1e-12);
        /* torques of the first part come through the second, those of the second are its own; of the last state from the end */
        const double *T = whole->by_tau + (size_t)K * (size_t)(n * K * s.n);
        multiply(n, rest->by_start, half->by_tau, k * s.n, P);
        for (int i = 0; i < n; i++) {
            expect_near(&s, "first torques", k * s.n, T + i * K * s.n, P + i * k * s.n, 1e-12, largest(n * k * s.n, P));
            expect_near(&s, "later torques", (K - k) * s.n, T + i * K * s.n + k * s.n, rest->by_tau + i * (K - k) * s.n, 1e-12,
                        largest(n * (K - k) * s.n, rest->by_tau));
        }
        /* nothing depends on torques that are to come */
        const double *early = whole->by_tau + (size_t)k * (size_t)(n * K * s.n);
        for (int i = 0; i < n; i++) assert_true(largest((K - k) * s.n, early + i * K * s.n + k * s.n) == 0);
        arne_rollout_free(r);
        subject_close(&s);
    }
    free(P), free(whole), free(half), free(rest);
}

/* parts of threads: all at once, the last begins first */
typedef struct {
    void (*part)(void *context, int k);
    void *context;
    int k;
} a_part;
static void *run_one(void *part)
{
    const a_part *p = part;
    p->part(p->context, p->k);
    return NULL;
}
static void at_once(int parts, void (*part)(void *context, int k), void *context)
{
    pthread_t thread[4];
    a_part own[4];
    assert_in_range(parts, 2, 4);
    for (int k = parts - 1; k >= 0; k--) {
        own[k] = (a_part){part, context, k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_one, &own[k]), 0);
    }
    for (int k = 0; k < parts; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
}

/* Many side by side, on threads or not, are the bits of one by one, also where some of them fail, and these say where. */
static void many_are_the_bits_of_one(void **state)
{
    (void)state;
    enum { COUNT = 29, BAD = 20 };
    results *one = new_results();
    arne_rollout_arrays many = {.size = sizeof many,
                                .steps = K,
                                .positions = calloc(COUNT, sizeof one->positions),
                                .velocities = calloc(COUNT, sizeof one->velocities),
                                .A = calloc(COUNT, sizeof one->A),
                                .B = calloc(COUNT, sizeof one->B),
                                .by_start = calloc(COUNT, sizeof one->by_start),
                                .by_tau = calloc(COUNT, sizeof one->by_tau),
                                .by_parameters = calloc(COUNT, sizeof one->by_parameters)};
    for (int number = 0; number < 15; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_ANY);
        arne_rollout *r = begin(&s, (arne_rule)(number % ARNE_RULES), 0.01);
        const int n = 2 * s.n, np = 13 * arne_model_bodies(s.m);
        double q[COUNT * N], qd[COUNT * N], tau[COUNT * K * N];
        for (int i = 0; i < COUNT; i++) {
            const start at = a_start(&s, 1);
            memcpy(q + i * s.nq, at.x.q, (size_t)s.nq * sizeof *q);
            memcpy(qd + i * s.n, at.x.qd, (size_t)s.n * sizeof *q);
            memcpy(tau + i * K * s.n, at.tau, (size_t)(K * s.n) * sizeof *q);
        }
        const bool bad = number % 2;
        if (bad) tau[BAD * K * s.n + 2 * s.n] = NAN; /* its third step */
        int done[COUNT];
        many.q = q, many.qd = qd, many.tau = tau, many.done = done;
        const arne_rollout_options o = {.size = sizeof o,
                                        .rule = (arne_rule)(number % ARNE_RULES),
                                        .step = 0.01,
                                        .parameters = true,
                                        .threads = number % 5,
                                        .run = number % 3 ? at_once : NULL};
        arne_rollout *all_of;
        assert_int_equal(arne_rollout_new(s.settings, &o, &all_of, NULL), ARNE_OK);
        assert_int_equal(arne_rollout_run(all_of, COUNT, &many), bad ? ARNE_NOT_FINITE : ARNE_OK);
        assert_int_equal(arne_rollout_joint(all_of) >= 0, bad);
        arne_rollout_free(all_of);
        for (int i = 0; i < COUNT; i++) {
            const size_t at = (size_t)i, whole = sizeof(double);
            assert_int_equal(done[i], bad && i == BAD ? 2 : K);
            if (bad && i == BAD) {
                assert_true(largest(n * n * K, many.A + i * K * n * n) == 0);
                assert_true(largest(n * s.n * K, many.B + i * K * n * s.n) == 0);
                assert_true(largest(n * n, many.by_start + i * n * n) == 0);
                assert_true(largest(n * K * s.n, many.by_tau + i * n * K * s.n) == 0);
                assert_true(largest(n * np, many.by_parameters + i * n * np) == 0);
                assert_true(largest(3 * s.n, many.velocities + (i * (K + 1) + 3) * s.n) == 0);
                assert_true(largest(3 * s.nq, many.positions + (i * (K + 1) + 3) * s.nq) == 0);
                assert_true(largest(s.n, many.velocities + (i * (K + 1) + 2) * s.n) > 0);
                continue;
            }
            go(r, K, false, q + i * s.nq, qd + i * s.n, tau + i * K * s.n, one);
            const struct {
                const double *a, *b;
                int size;
            } all[] = {{one->positions, many.positions, (K + 1) * s.nq},
                       {one->velocities, many.velocities, (K + 1) * s.n},
                       {one->A, many.A, K * n * n},
                       {one->B, many.B, K * n * s.n},
                       {one->by_start, many.by_start, n * n},
                       {one->by_tau, many.by_tau, n * K * s.n},
                       {one->by_parameters, many.by_parameters, n * np}};
            for (size_t k = 0; k < sizeof all / sizeof *all; k++)
                assert_memory_equal(all[k].a, all[k].b + at * (size_t)all[k].size, (size_t)all[k].size * whole);
        }
        arne_rollout_free(r);
        subject_close(&s);
    }
    double *const all[] = {many.positions, many.velocities, many.A, many.B, many.by_start, many.by_tau, many.by_parameters};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    free(one);
}

/* A run that is told how many parts there are, and does them in turn. */
static int told;
static void in_turn(int parts, void (*part)(void *context, int k), void *context)
{
    told = parts;
    for (int k = 0; k < parts; k++) part(context, k);
}

/* Slides at rest; one of them, in one rollout of some, is so fast that the step is no number: that rollout is cleared, its joint
 * is named, the others stay where they are, and nothing is written beyond the last. */
static void a_fault_is_that_of_its_rollout(void **state)
{
    (void)state;
    enum { MANY = 17, JOINTS = 3, STEPS = 2, X = 2 * JOINTS, NP = 13 * JOINTS, ROOM = (MANY + 1) * (STEPS + 1) * X * NP };
    arne_description *d = long_chain(JOINTS);
    for (int i = 0; i < JOINTS; i++) d->joints[i].type = ARNE_PRISMATIC;
    subject s = subject_of(d);
    arne_set_gravity(s.settings, (const double[3]){0});
    const int sizes[] = {(STEPS + 1) * JOINTS, (STEPS + 1) * JOINTS, STEPS * X * X,
                         STEPS * X * JOINTS,   (STEPS + 1) * X * X,  (STEPS + 1) * X * STEPS * JOINTS,
                         (STEPS + 1) * X * NP};
    double *out[7], q[MANY * JOINTS], tau[MANY * STEPS * JOINTS] = {0};
    for (int k = 0; k < 7; k++) out[k] = malloc(ROOM * sizeof **out);
    for (int i = 0; i < MANY * JOINTS; i++) q[i] = 0.1 + i;
    for (int threads = 0; threads < 4; threads++) {
        const arne_rollout_options o = {
            .size = sizeof o, .rule = ARNE_RULE_EULER, .step = 1e300, .parameters = true, .threads = threads, .run = in_turn};
        arne_rollout *r;
        assert_int_equal(arne_rollout_new(s.settings, &o, &r, NULL), ARNE_OK);
        for (int count = 1; count <= MANY; count += count < 4 ? 1 : 5)
            for (int bad = -1; bad < count; bad++) { /* -1: none */
                double qd[MANY * JOINTS] = {0};
                int done[MANY + 1];
                const int joint = bad < 0 ? -1 : (bad + count) % JOINTS;
                if (bad >= 0) qd[bad * JOINTS + joint] = 1e50;
                for (int k = 0; k < 7; k++)
                    for (int i = 0; i < ROOM; i++) out[k][i] = 7;
                done[count] = 7, told = 1;
                const arne_rollout_arrays x = {.size = sizeof x,
                                               .steps = STEPS,
                                               .every = true,
                                               .q = q,
                                               .qd = qd,
                                               .tau = tau,
                                               .positions = out[0],
                                               .velocities = out[1],
                                               .A = out[2],
                                               .B = out[3],
                                               .by_start = out[4],
                                               .by_tau = out[5],
                                               .by_parameters = out[6],
                                               .done = done};
                assert_int_equal(arne_rollout_run(r, (size_t)count, &x), bad < 0 ? ARNE_OK : ARNE_NOT_FINITE);
                assert_int_equal(arne_rollout_joint(r), joint);
                assert_int_equal(told, threads > 1 ? threads : 1);
                for (int i = 0; i < count; i++) assert_int_equal(done[i], i == bad ? 0 : STEPS);
                assert_int_equal(done[count], 7);
                for (int k = 0; k < 7; k++) {
                    assert_true(out[k][count * sizes[k]] == 7 && out[k][count * sizes[k] - 1] != 7);
                    const int kept = k < 2 ? JOINTS : 0; /* where it starts */
                    if (bad >= 0) assert_true(largest(sizes[k] - kept, out[k] + bad * sizes[k] + kept) == 0);
                }
                for (int i = 0; i < count * (STEPS + 1); i++) {
                    const int one = i / (STEPS + 1), first = i % (STEPS + 1) == 0;
                    for (int j = 0; j < JOINTS; j++) {
                        const int at = one * JOINTS + j;
                        assert_true(out[0][i * JOINTS + j] == (one != bad || first ? q[at] : 0));
                        assert_true(out[1][i * JOINTS + j] == (first ? qd[at] : 0));
                    }
                }
            }
        arne_rollout_free(r);
    }
    for (int k = 0; k < 7; k++) free(out[k]);
    /* a velocity that is no number after the step, where the position still is one */
    arne_rollout *r = begin(&s, ARNE_RULE_EULER, 1e300);
    double end[2 * JOINTS];
    tau[0] = 1e10;
    const arne_rollout_arrays x = {
        .size = sizeof x, .steps = 1, .q = q, .qd = (const double[JOINTS]){0}, .tau = tau, .positions = end};
    assert_int_equal(arne_rollout_run(r, 1, &x), ARNE_NOT_FINITE);
    assert_int_equal(arne_rollout_joint(r), 0);
    arne_rollout_free(r);
    subject_close(&s);
}

/* What is asked for alone has the bits of what is asked for with all the rest. */
static void one_answer_needs_no_other(void **state)
{
    (void)state;
    results *all = new_results(), *one = new_results();
    for (int number = 0; number < 6; number++) {
        subject s = subject_number(shipped_robots() + number, RANDOM_WIDE);
        arne_rollout *r = begin(&s, (arne_rule)(number % ARNE_RULES), 0.01);
        const int n = 2 * s.n;
        const start at = a_start(&s, 1);
        go(r, 2, false, at.x.q, at.x.qd, at.tau, all);
        const arne_rollout_arrays none = {.size = sizeof none, .steps = 2, .q = at.x.q, .qd = at.x.qd, .tau = at.tau};
        arne_rollout_arrays x[] = {none, none, none, none, none, none};
        x[0].positions = one->positions, x[1].velocities = one->velocities, x[2].A = one->A, x[3].B = one->B;
        x[4].by_start = one->by_start, x[5].by_parameters = one->by_parameters;
        for (int k = 0; k < 6; k++) assert_int_equal(arne_rollout_run(r, 1, &x[k]), ARNE_OK);
        assert_memory_equal(one->positions, all->positions, sizeof(double) * (size_t)(3 * s.nq));
        assert_memory_equal(one->velocities, all->velocities, sizeof(double) * (size_t)(3 * s.n));
        assert_memory_equal(one->A, all->A, sizeof(double) * (size_t)(2 * n * n));
        assert_memory_equal(one->B, all->B, sizeof(double) * (size_t)(2 * n * s.n));
        assert_memory_equal(one->by_start, all->by_start, sizeof(double) * (size_t)(n * n));
        assert_memory_equal(one->by_parameters, all->by_parameters, sizeof(double) * (size_t)(n * 13 * arne_model_bodies(s.m)));
        arne_rollout_free(r);
        subject_close(&s);
    }
    free(all), free(one);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    subject s = subject_number(0, RANDOM_RIGID);
    const arne_rollout_options good = {.size = sizeof good, .step = 0.01};
    arne_rollout_options bad[] = {good, good, good, good, good, good};
    bad[0].step = 0, bad[1].step = NAN, bad[2].rule = ARNE_RULES, bad[3].size = 0, bad[4].step = INFINITY;
    bad[5].threads = -2;
    static const char *const sentence[] = {"the step of a rollout must be a positive time",
                                           "the step of a rollout must be a positive time",
                                           "no such rule for steps: 3",
                                           "a rollout needs settings, options and a place",
                                           "the step of a rollout must be a positive time",
                                           "rollouts cannot be split into -2 parts"};
    arne_rollout *r;
    arne_error error;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(arne_rollout_new(s.settings, &bad[k], &r, &error), ARNE_BAD_ARGUMENT);
        assert_null(r);
        assert_string_equal(error.message, sentence[k]);
    }
    assert_int_equal(arne_rollout_new(NULL, &good, &r, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_new(s.settings, NULL, &r, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_new(s.settings, &good, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_new(s.settings, &good, &r, NULL), ARNE_OK);
    const start at = a_start(&s, 1);
    double out[4 * N * N];
    const arne_rollout_arrays fine = {
        .size = sizeof fine, .steps = 1, .q = at.x.q, .qd = at.x.qd, .tau = at.tau, .positions = out};
    arne_rollout_arrays wrong[] = {fine, fine, fine, fine, fine, fine, fine};
    wrong[0].q = NULL, wrong[1].qd = NULL, wrong[2].tau = NULL, wrong[3].steps = -1, wrong[4].size = 0;
    wrong[5].by_tau = out;        /* needs A and B */
    wrong[6].by_parameters = out; /* not prepared for */
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(arne_rollout_run(r, 1, &wrong[k]), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_run(NULL, 1, &fine), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_run(r, 1, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_rollout_run(r, 1, &fine), ARNE_OK);
    /* no step: the start itself */
    arne_rollout_arrays none = fine;
    none.steps = 0, none.tau = NULL, none.by_start = out + N;
    assert_int_equal(arne_rollout_run(r, 1, &none), ARNE_OK);
    assert_memory_equal(out, at.x.q, (size_t)s.nq * sizeof *out);
    for (int i = 0; i < 4 * s.n * s.n; i++) assert_true(out[N + i] == (i % (2 * s.n + 1) == 0));
    assert_int_equal(arne_rollout_joint(NULL), -1);
    arne_rollout_free(r);
    arne_rollout_free(NULL);
    /* a tip without mass: whose fault it is */
    subject_close(&s);
    arne_description *d = long_chain(3);
    d->links[3].body = (arne_body){0};
    s = subject_of(d);
    assert_int_equal(arne_rollout_new(s.settings, &good, &r, NULL), ARNE_OK);
    assert_int_equal(arne_rollout_run(r, 1, &fine), ARNE_SINGULAR);
    assert_int_equal(arne_rollout_joint(r), 2);
    arne_rollout_free(r);
    subject_close(&s);
}

/* slides know no forces of speed: accelerations are numbers, the step is not */
static void a_step_that_leaves_all_bounds_names_its_joint(void **state)
{
    (void)state;
    arne_description *d = long_chain(3);
    for (int i = 0; i < 3; i++) d->joints[i].type = ARNE_PRISMATIC;
    subject s = subject_of(d);
    arne_rollout *r = begin(&s, ARNE_RULE_EULER, 1e300);
    double q[N] = {0}, qd[N] = {0}, tau[N] = {0};
    const arne_rollout_arrays x = {.size = sizeof x, .steps = 1, .q = q, .qd = qd, .tau = tau, .positions = (double[2 * N]){0}};
    for (int i = 0; i < s.n; i++) {
        qd[i] = 1e50;
        assert_int_equal(arne_rollout_run(r, 1, &x), ARNE_NOT_FINITE);
        assert_int_equal(arne_rollout_joint(r), i);
        qd[i] = 0;
    }
    arne_rollout_free(r);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(derivatives_by_friction_are_those_of_other_robots),
        cmocka_unit_test(derivatives_of_parts_are_factors),
        cmocka_unit_test(many_are_the_bits_of_one),
        cmocka_unit_test(a_fault_is_that_of_its_rollout),
        cmocka_unit_test(one_answer_needs_no_other),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_step_that_leaves_all_bounds_names_its_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
