/* SPDX-License-Identifier: MIT
 *
 * follow_test.c - joints that follow others. The judge is the same robot with all joints independent, x_all = G x + c by hand:
 * torques G' tau, matrices G'MG, Jacobians JG, forward dynamics and its derivatives by a solver of our own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../kinds/settings.h"
#include "arne/formulations.h"
#include "arne/identify.h"
#include "arne/positions.h"
#include "dynamics/data.h"

enum { ROBOTS = FEWER(300), N = MOST_DOF, WIDTH = 4 };

typedef struct {
    subject all;   /* every joint by itself */
    arne_model *m; /* some follow */
    arne_data *data;
    int nq, nv;
    double G[N * N], c[N]; /* all.n x nv; of positions: all.nq */
    int from[N];           /* of each position of all: which of the others */
    double ratio[N];       /* and by which factor */
} pair;

static bool can_follow(const arne_joint_description *j)
{
    return (j->type == ARNE_REVOLUTE || j->type == ARNE_PRISMATIC) && j->friction.static_ == 0 && j->friction.npoint == 0 &&
           j->friction.coulomb_negative == 0;
}

/* About half of the joints that can follow another one, any before or behind it; some follow one that follows. */
static int let_follow(arne_description *d, random_stream *r)
{
    int count = 0;
    for (size_t i = 0; i < d->njoint; i++) {
        arne_joint_description *j = &d->joints[i];
        const arne_joint_description *to = &d->joints[random_below(r, (int)d->njoint)];
        const double ratio = random_between(r, -2, 2), offset = random_between(r, -1, 1);
        if (!can_follow(j) || random_below(r, 2)) continue;
        const arne_joint_description *up = to; /* no rings */
        while (up && up != j && up->master) {
            const arne_joint_description *next = NULL;
            for (size_t k = 0; k < d->njoint; k++)
                if (!strcmp(d->joints[k].name, up->master)) next = &d->joints[k];
            up = next;
        }
        if (up == j || (to->type != ARNE_REVOLUTE && to->type != ARNE_PRISMATIC)) continue;
        assert_int_equal(arne_description_follow(j, to->name, ratio, offset), ARNE_OK);
        count++;
    }
    return count;
}

static pair open_pair(int number, unsigned parts)
{
    arne_description *d = robot_number(shipped_robots() + number, parts);
    random_stream r = {(uint64_t)number * 7919u + 1};
    arne_error error;
    pair p = {0};
    let_follow(d, &r);
    if (arne_model_build(d, NULL, &p.m, &error) != ARNE_OK) fail_msg("%s: %s", d->name, error.message);
    assert_int_equal(arne_description_mimic(d, ARNE_MIMIC_INDEPENDENT, NULL), ARNE_OK);
    p.all = subject_of(d);
    p.all.r.state += (unsigned)number;
    p.data = test_data(p.m);
    p.nq = arne_model_nq(p.m), p.nv = arne_model_nv(p.m);
    for (int i = 0; i < arne_model_joints(p.m); i++) /* others lead themselves */
        assert_true(arne_joint_master(p.m, i) < 0 && arne_joint_ratio(p.m, i) == 1 && arne_joint_offset(p.m, i) == 0);
    assert_int_equal(p.nv + arne_model_followers(p.m), p.all.n);
    for (int k = 0; k < p.all.nq; k++) { /* names are the link between the two */
        const char *name = arne_position_name(p.all.m, k);
        p.from[k] = -1;
        for (int i = 0; i < p.nq; i++)
            if (!strcmp(arne_position_name(p.m, i), name)) p.from[k] = i, p.ratio[k] = 1;
        const int f = arne_follower_find(p.m, name);
        if (p.from[k] < 0) {
            assert_true(f >= arne_model_joints(p.m));
            p.from[k] = arne_joint_q(p.m, f);
            p.ratio[k] = arne_joint_ratio(p.m, f);
            p.c[k] = arne_joint_offset(p.m, f);
        }
    }
    for (int v = 0; v < p.all.n; v++) {
        const char *name = arne_velocity_name(p.all.m, v);
        const int f = arne_follower_find(p.m, name);
        for (int i = 0; i < p.nv; i++)
            if (f < 0 && !strcmp(arne_velocity_name(p.m, i), name)) p.G[v * p.nv + i] = 1;
        if (f >= 0) p.G[v * p.nv + arne_joint_v(p.m, f)] = arne_joint_ratio(p.m, f);
    }
    return p;
}

static void close_pair(pair *p)
{
    arne_data_free(p->data);
    arne_model_free(p->m);
    subject_close(&p->all);
}

/* a motion of both */
typedef struct {
    double q[N], x[4][N];         /* qd qdd tau qa */
    double q_all[N], x_all[4][N]; /* tau of all is not used */
} moves;

static moves move(pair *p)
{
    moves s = {0};
    const motion all = subject_motion(&p->all, 1);
    for (int k = 0; k < p->all.nq; k++)
        if (p->ratio[k] == 1 && p->c[k] == 0) s.q[p->from[k]] = all.q[k];
    for (int k = 0; k < p->all.nq; k++) s.q_all[k] = p->ratio[k] * s.q[p->from[k]] + p->c[k];
    for (int g = 0; g < 4; g++) {
        random_vector(&p->all.r, p->nv, 2, s.x[g]);
        for (int v = 0; v < p->all.n; v++)
            for (int i = 0; i < p->nv; i++) s.x_all[g][v] += p->G[v * p->nv + i] * s.x[g][i];
    }
    return s;
}

/* y = A or G'A, then times G, from rows x columns */
static int led_back(const pair *p, int rows, int columns, bool by_row, bool by_column, const double *A, double *y)
{
    const int height = by_row ? p->nv : rows, width = by_column ? p->nv : columns;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            double sum = 0;
            for (int a = by_row ? 0 : i; a < (by_row ? rows : i + 1); a++)
                for (int b = by_column ? 0 : j; b < (by_column ? columns : j + 1); b++)
                    sum += (by_row ? p->G[a * p->nv + i] : 1) * A[a * columns + b] * (by_column ? p->G[b * p->nv + j] : 1);
            y[i * width + j] = sum;
        }
    return height * width;
}

/* A X = B by elimination, A n x n, B n x m; B becomes X */
static void eliminate(int n, int m, double *A, double *B)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            for (int j = 0; j < m; j++) B[i * m + j] -= f * B[k * m + j];
        }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++) B[k * m + j] /= A[k * n + k];
}

typedef struct {
    pair *p;
    moves s;
    double scale; /* of torques */
    double M[N * N], qdd[N];
} check;

static arne_state of(const double *q, const double x[4][N]) { return (arne_state){q, x[0], x[1], x[2], x[3]}; }

/* what all joints say of a row, led back */
static int judged(const check *k, int row, const arne_quantity_options *o, const moves *s, double *y)
{
    static double result[3 * MOST_RESULTS];
    const pair *p = k->p;
    const arne_quantity *q = arne_quantity_at(row);
    const arne_state x = of(s->q_all, s->x_all);
    const double *part = result;
    int size = 0;
    assert_int_equal(arne_compute(p->all.data, row, o, &x, result), ARNE_OK);
    for (int i = 0; i < q->nparts && q->parts[i].columns == ARNE_AXIS_PAIRS; i++) { /* G' and G one after the other */
        const int n = p->all.n, m = p->nv;
        static double half[MOST_RESULTS];
        led_back(p, n, n * n, true, false, part, half);
        for (int k = 0; k < m; k++) size += led_back(p, n, n, true, true, half + k * n * n, y + size);
        part += n * n * n;
    }
    for (int i = 0; i < q->nparts && q->parts[i].columns != ARNE_AXIS_PAIRS; i++) {
        const int rows = arne_axis_size(q->parts[i].rows, p->all.m), columns = arne_axis_size(q->parts[i].columns, p->all.m);
        size += led_back(p, rows, columns, q->parts[i].rows == ARNE_AXIS_JOINTS, q->parts[i].columns == ARNE_AXIS_JOINTS, part,
                         y + size);
        part += rows * columns;
    }
    return size;
}

static void one_row(void *context, int row, const arne_quantity_options *o)
{
    static double is[3 * MOST_RESULTS], should[3 * MOST_RESULTS], M[N * N];
    const check *k = context;
    const pair *p = k->p;
    const arne_quantity *q = arne_quantity_at(row);
    const arne_state x = of(k->s.q, k->s.x);
    const bool forward = q->inputs & ARNE_TAU, derived = row == arne_quantity_find("dfd");
    const int by = row == arne_quantity_find("dfd_parameters") ? arne_quantity_find("regressor")
                   : row == arne_quantity_find("dfd_payload")  ? arne_quantity_find("did_payload")
                                                               : -1;
    assert_int_equal(arne_compute(p->data, row, o, &x, is), ARNE_OK);
    int size = arne_quantity_size(row, p->m);
    if (!forward) {
        assert_int_equal(judged(k, row, o, &k->s, should), size);
    } else if (!derived && by < 0) {
        memcpy(should, k->qdd, sizeof k->qdd);
    } else { /* -M^-1 did(qdd), M^-1; -M^-1 Y(qdd) */
        moves at = k->s;
        memcpy(at.x[1], k->qdd, sizeof at.x[1]);
        memset(at.x_all[1], 0, sizeof at.x_all[1]);
        for (int v = 0; v < p->all.n; v++)
            for (int i = 0; i < p->nv; i++) at.x_all[1][v] += p->G[v * p->nv + i] * k->qdd[i];
        judged(k, derived ? arne_quantity_find("did") : by, o, &at, should);
        memcpy(M, k->M, sizeof M);
        for (int i = 0; i < size && !derived; i++) should[i] = -should[i];
        if (!derived) eliminate(p->nv, size / p->nv, M, should);
        for (int g = 0; g < 3 && derived; g++) {
            double *D = should + g * p->nv * p->nv;
            for (int i = 0; i < p->nv * p->nv; i++) D[i] = g < 2 ? -D[i] : i / p->nv == i % p->nv;
            memcpy(M, k->M, sizeof M);
            eliminate(p->nv, p->nv, M, D);
        }
    }
    const double scale = fmax(forward ? 0 : k->scale, largest(size, should));
    expect_near(&p->all, q->name, size, is, should, forward ? 1e-8 : 1e-12, scale);
}

static void every_quantity_is_led_back(void **state)
{
    (void)state;
    int followers = 0;
    for (int number = 0; number < ROBOTS; number++) {
        const unsigned parts = (number % 4 == 1 ? RANDOM_WIDE : 0) | RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS;
        pair p = open_pair(number, parts);
        check k = {.p = &p};
        followers += arne_model_followers(p.m);
        set_settings(&p.all, p.all.settings, number % SETTINGS);
        set_settings(&p.all, arne_data_settings(p.data), number % SETTINGS);
        k.s = move(&p);
        double w[6 * N], h[N], M[N * N];
        assert_int_equal(arne_joint_wrenches(p.all.data, k.s.q_all, k.s.x_all[0], k.s.x_all[1], w), ARNE_OK);
        k.scale = fmax(1, largest(6 * arne_model_bodies(p.all.m), w)) * 4;
        /* M qdd = tau - h */
        judged(&k, arne_quantity_find("mass"), NULL, &k.s, k.M);
        judged(&k, arne_quantity_find("bias"), NULL, &k.s, h);
        for (int i = 0; i < p.nv; i++) k.qdd[i] = k.s.x[2][i] - h[i];
        memcpy(M, k.M, sizeof M);
        eliminate(p.nv, 1, M, k.qdd);
        const subject shown = {.nlink = p.all.nlink, .m = p.all.m};
        every_row(&shown, arne_quantities(), one_row, &k);
        close_pair(&p);
    }
    assert_true(followers > ROBOTS / 2);
}

/* lanes and single states: the same bits; floats agree */
/* What is asked of a joint or a velocity is of that one, whatever follows before it. */
static void numbers_of_joints_are_their_own(void **state)
{
    (void)state;
    for (int number = 0; number < 30; number++) {
        pair p = open_pair(number, RANDOM_WIDE);
        for (int v = 0; v < p.nv; v++) {
            const int i = arne_velocity_joint(p.m, v), iq = arne_joint_q(p.m, i), within = v - arne_joint_v(p.m, i);
            const arne_joint_type kind = arne_joint_kind(p.m, i);
            const bool wide = kind == ARNE_SPHERICAL || kind == ARNE_FREE;
            const bool turns = kind == ARNE_REVOLUTE || kind == ARNE_SPHERICAL || (kind == ARNE_FREE && within >= 3);
            assert_int_equal(arne_velocity_turns(p.m, v), turns);
            assert_int_equal(arne_velocity_position(p.m, v), wide ? -1 : iq);
            assert_int_equal(arne_joint_turn(p.m, i), !wide ? -1 : kind == ARNE_FREE ? iq + 3 : iq);
        }
        close_pair(&p);
    }
}

static void batches_follow_too(void **state)
{
    (void)state;
    for (int number = 0; number < ROBOTS / 3; number++) {
        pair p = open_pair(number, (number % 3 == 1 ? RANDOM_WIDE : 0) | RANDOM_MOTORS | RANDOM_FRICTION);
        static double q[WIDTH * N], x[4][WIDTH * N], is[WIDTH * MOST_RESULTS], should[MOST_RESULTS];
        moves s[WIDTH];
        for (int k = 0; k < WIDTH; k++) {
            s[k] = move(&p);
            memcpy(q + k * p.nq, s[k].q, (size_t)p.nq * sizeof *q);
            for (int g = 0; g < 4; g++) memcpy(x[g] + k * p.nv, s[k].x[g], (size_t)p.nv * sizeof *q);
        }
        const arne_state many = {q, x[0], x[1], x[2], x[3]};
        for (int row = 0; row < arne_quantities(); row++) {
            const int size = arne_quantity_size(row, p.m);
            if (arne_quantity_at(row)->hidden || size > MOST_RESULTS) continue;
            const arne_quantity_options o = {sizeof o, p.all.nlink - 1, ARNE_ALIGNED, ARNE_CHRISTOFFEL_FACTOR};
            assert_int_equal(arne_batch(p.data, row, &o, WIDTH, &many, is), ARNE_OK);
            for (int k = 0; k < WIDTH; k++) {
                const arne_state one = of(s[k].q, s[k].x);
                assert_int_equal(arne_compute(p.data, row, &o, &one, should), ARNE_OK);
                expect_bits(&p.all, arne_quantity_at(row)->name, size, is + k * size, should);
            }
        }
        close_pair(&p);
    }
}

/* every formulation that is led back gives the torques of id; the doors of single quantities give those of arne_compute */
static void formulations_and_doors_agree(void **state)
{
    (void)state;
    for (int number = 0; number < ROBOTS / 2; number++) {
        pair p = open_pair(number, RANDOM_MOTORS | RANDOM_FRICTION);
        moves s = move(&p);
        double tau[N], is[N], p1[N], c1[N], g1[N], should[N];
        assert_int_equal(arne_id(p.data, s.q, s.x[0], s.x[1], tau), ARNE_OK);
        judged(&(check){.p = &p}, arne_quantity_find("id"), NULL, &s, should);
        const double scale = fmax(1, largest(p.nv, should)) * 100;
        expect_near(&p.all, "id", p.nv, tau, should, 1e-12, scale);
        for (int method = 0; method < ARNE_FORMULATION_COUNT; method++) {
            assert_int_equal(arne_forms_id(p.data, (arne_formulation)method, s.q, s.x[0], s.x[1], is), ARNE_OK);
            expect_near(&p.all, arne_formulation_name((arne_formulation)method), p.nv, is, tau, 1e-11, scale);
        }
        assert_int_equal(arne_momentum_terms(p.data, s.q, s.x[0], p1, c1, g1), ARNE_OK);
        const struct {
            const char *name;
            const double *is;
        } terms[] = {{"momentum", p1}, {"ctqd", c1}, {"gravity", g1}};
        for (int k = 0; k < 3; k++) {
            judged(&(check){.p = &p}, arne_quantity_find(terms[k].name), NULL, &s, should);
            expect_near(&p.all, terms[k].name, p.nv, terms[k].is, should, 1e-12, scale);
        }
        close_pair(&p);
    }
}

/* d/dt of p = M qd and of torques along a motion, by Taylor series and by differences */
static void series_follow_too(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (int number = 0; number < ROBOTS / 6; number++) {
        pair p = open_pair(number, (number % 3 == 1 ? RANDOM_WIDE : 0) | RANDOM_MOTORS);
        moves s = move(&p);
        double y[N], is[N], ahead[N], way[N], a[N], b[N];
        assert_int_equal(arne_mass_rate_product(p.data, s.q, s.x[0], s.x[1], is), ARNE_OK);
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < p.nv; i++) way[i] = side * h * s.x[0][i];
            assert_int_equal(arne_integrate(p.m, s.q, way, ahead), ARNE_OK);
            assert_int_equal(arne_momentum(p.data, ahead, s.x[1], side < 0 ? a : b), ARNE_OK);
        }
        for (int i = 0; i < p.nv; i++) y[i] = (b[i] - a[i]) / (2 * h);
        expect_near(&p.all, "rate of M x", p.nv, is, y, 1e-5, fmax(largest(p.nv, b), largest(p.nv, y)));
        close_pair(&p);
    }
}

/* torques from base parameters, where one joint leads all others: one row a state */
static void base_parameters_tell_the_torques(void **state)
{
    (void)state;
    arne_description *d = long_chain(9);
    arne_model *m;
    arne_base *base;
    random_stream r = {5};
    for (size_t i = 1; i < d->njoint; i++) {
        d->joints[i].motor.inertia = 0.01;
        assert_int_equal(arne_description_follow(&d->joints[i], d->joints[i - 1].name, random_between(&r, 0.5, 1.5), 0.2),
                         ARNE_OK);
    }
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    assert_int_equal(arne_base_find(m, NULL, &base, NULL), ARNE_OK);
    assert_int_equal(arne_model_nv(m), 1);
    assert_true(base->count > 36);
    arne_data *data = test_data(m);
    double K[11 * 9], values[11 * 9], Y[11 * 9];
    arne_parameters(arne_data_settings(data), K);
    arne_base_values(base, K, values);
    for (int k = 0; k < 20; k++) {
        double x[3], tau, sum = 0;
        random_vector(&r, 3, 2, x);
        arne_id(data, x, x + 1, x + 2, &tau);
        arne_regressor(data, x, x + 1, x + 2, Y);
        for (int i = 0; i < base->count; i++) sum += Y[base->parameters[i].parameter] * values[i];
        assert_true(fabs(sum - tau) < 1e-6 * (1 + fabs(tau)));
    }
    arne_base_free(base);
    arne_data_free(data);
    arne_model_free(m);
    arne_description_free(d);
}

/* a finger that goes twice as far as its master: inertias, friction and gravity by hand */
/* Does the factorization of M know that number b has to do with number a < b? */
static bool goes_back(const robot *r, int b, int a)
{
    while (b > a) b = *robot_chain(r, b);
    return b == a;
}

/* What shares an entry of M goes back to each other, and all between go back to the first; two arms with a gripper each have
 * nothing to do with each other, whoever follows. */
static void the_factorization_knows_who_is_apart(void **state)
{
    (void)state;
    static double M[N * N];
    for (int number = 0; number < ROBOTS; number++) {
        pair p = open_pair(number, (number % 3 == 1 ? RANDOM_WIDE : 0) | RANDOM_MOTORS);
        const moves s = move(&p);
        const robot *r = arne__data_robot(p.data);
        assert_int_equal(arne_mass(p.data, s.q, M), ARNE_OK);
        for (int b = 0; b < p.nv; b++)
            for (int a = 0; a < b; a++) {
                assert_true(M[b * p.nv + a] == 0 || goes_back(r, b, a));
                assert_true(*robot_chain(r, b) >= a || goes_back(r, a, *robot_chain(r, b)));
            }
        close_pair(&p);
    }
    arne_description *d = arne_description_new("two arms");
    static const char *const names[] = {"upper", "finger", "thumb", "upper_2", "finger_2", "thumb_2"};
    assert_true(d && arne_description_link(d, "base", 0));
    for (int k = 0; k < 6; k++) {
        arne_link_description *l = arne_description_link(d, names[k], 0);
        l->body.mass = 1 + k;
        l->body.com[0] = 0.1;
        arne_joint_description *j =
            arne_description_joint(d, names[k], 0, ARNE_REVOLUTE, k % 3 ? names[k / 3 * 3] : "base", names[k]);
        if (k % 3 == 1) assert_int_equal(arne_description_follow(j, names[k + 1], -1, 0), ARNE_OK);
    }
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    const int before[] = {-1, 0, -1, 2};
    assert_int_equal(arne_model_nv(m), 4);
    for (int v = 0; v < 4; v++) assert_int_equal(*robot_chain(m->robot, v), before[v]);
    arne_model_free(m);
    arne_description_free(d);
}

static void two_fingers_by_hand(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("gripper");
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "palm", 0));
    for (int k = 0; k < 2; k++) {
        arne_link_description *l = arne_description_link(d, k ? "right" : "left", 0);
        l->body.mass = k ? 3 : 2;
        arne_joint_description *j =
            arne_description_joint(d, k ? "right" : "left", 0, ARNE_PRISMATIC, "palm", k ? "right" : "left");
        j->friction.viscous = k ? 0.5 : 0.25;
        j->friction.coulomb = k ? 0.75 : 0.125;
        if (!k) j->friction.coulomb_negative = 0.0625;
        j->motor.inertia = k ? 0.01 : 0.02;
        j->motor.gear = 10;
        if (k) assert_int_equal(arne_description_follow(j, "left", -2, 0.3), ARNE_OK);
    }
    subject s = {.d = d};
    assert_int_equal(arne_model_build(d, NULL, &s.m, NULL), ARNE_OK);
    s.data = test_data(s.m);
    assert_int_equal(arne_model_nv(s.m), 1);
    assert_int_equal(arne_model_joints(s.m), 1);
    assert_int_equal(arne_joint_master(s.m, 1), 0);
    const double q = 0.1, qd = 0.5, qdd = 2;
    double tau, x;
    assert_int_equal(arne_id(s.data, &q, &qd, &qdd, &tau), ARNE_OK);
    const double M = 2 + 4 * 3 + 100 * (0.02 + 4 * 0.01), g = 9.81 * (2 - 2 * 3), f = (0.25 + 4 * 0.5) * qd + 0.125 + 2 * 0.75;
    assert_true(fabs(tau - (M * qdd + g + f)) < 1e-13);
    const double back = -qd, rub = -(0.25 + 4 * 0.5) * qd - 0.0625 - 2 * 0.75;
    assert_int_equal(arne_id(s.data, &q, &back, &qdd, &x), ARNE_OK);
    assert_true(fabs(x - (M * qdd + g + rub)) < 1e-13);
    assert_int_equal(arne_fd(s.data, &q, &qd, &tau, &x), ARNE_OK);
    assert_true(fabs(x - qdd) < 1e-14);
    arne_pose at;
    assert_int_equal(arne_link_pose(s.data, &q, arne_link_find(s.m, "right"), &at), ARNE_OK);
    assert_true(fabs(at.p[2] - (0.3 - 2 * q)) < 1e-15);
    arne_data_free(s.data);
    arne_model_free(s.m);
    /* two that weigh nothing cannot be accelerated: all derivatives are zero, and nothing else is touched */
    for (size_t k = 0; k < 2; k++) {
        d->joints[k].motor.inertia = 0;
        d->links[k + 1].body.mass = 0;
    }
    assert_int_equal(arne_model_build(d, NULL, &s.m, NULL), ARNE_OK);
    s.data = test_data(s.m);
    double part[5] = {7, 7, 7, 7, 7};
    assert_int_equal(arne_fd_derivatives(s.data, &q, &qd, &tau, part + 1, part + 2, part + 3), ARNE_SINGULAR);
    assert_true(part[0] == 7 && part[1] == 0 && part[2] == 0 && part[3] == 0 && part[4] == 7);
    arne_data_free(s.data);
    arne_model_free(s.m);
    arne_description_free(d);
}

/* What rubs in a follower, its master feels: at the ratio -2 its viscous friction four times, what is dry twice, and an offset
 * the other way round, whatever law the master has. */
static void masters_feel_what_rubs(void **state)
{
    (void)state;
    static const double points[3][2] = {{0, 5}, {1, 6}, {3, 8}};
    for (int by_points = 0; by_points < 2; by_points++) {
        arne_description *d = arne_description_new("gripper");
        assert_true(d && arne_description_link(d, "palm", 0));
        for (int k = 0; k < 3; k++) {
            const char *const names[] = {"left", "right", "thumb"};
            arne_link_description *l = arne_description_link(d, names[k], 0);
            l->body.mass = 1;
            arne_joint_description *j = arne_description_joint(d, names[k], 0, ARNE_PRISMATIC, "palm", names[k]);
            assert_non_null(j);
        }
        arne_joint_description *left = &d->joints[0], *right = &d->joints[1];
        assert_int_equal(arne_description_follow(right, "left", -2, 0), ARNE_OK);
        right->friction.viscous = 0.5;
        right->friction.coulomb = 0.75;
        right->friction.offset = 0.25;
        right->motor = (arne_motor){.gear = -10, .viscous = 0.01, .coulomb = 0.02};
        const double viscous = 4 * (0.5 + 100 * 0.01), coulomb = 2 * (0.75 + 10 * 0.02);
        left->friction.viscous = 3;
        left->friction.coulomb = 4;
        left->friction.coulomb_negative = 2;
        left->friction.static_ = 6;
        left->friction.offset = 7;
        if (by_points) {
            left->friction.points = malloc(sizeof points);
            assert_non_null(left->friction.points);
            memcpy(left->friction.points, points, sizeof points);
            left->friction.npoint = 3;
        }
        arne_model *m;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        const arne_friction *f = arne_joint_friction(m, 0), *own = arne_joint_friction(m, arne_follower_find(m, "right"));
        assert_true(fabs(f->viscous - 3 - viscous) < 1e-14 && fabs(f->coulomb - 4 - coulomb) < 1e-14);
        assert_true(fabs(f->coulomb_negative - 2 - coulomb) < 1e-14 && fabs(f->static_ - 6 - coulomb) < 1e-14);
        assert_true(f->offset == 7 - 2 * 0.25);
        for (int k = 0; k < f->npoint; k++) {
            assert_true(f->points[k][0] == points[k][0]);
            assert_true(fabs(f->points[k][1] - points[k][1] - coulomb - viscous * points[k][0]) < 1e-14);
        }
        const arne_motor *motor = arne_joint_motor(m, arne_follower_find(m, "right"));
        assert_true(own->viscous == 0 && own->coulomb == 0 && own->offset == 0 && motor->viscous == 0 && motor->coulomb == 0);
        assert_true(motor->gear == -10 && arne_joint_friction(m, 1)->viscous == 0); /* the thumb feels nothing */
        arne_model_free(m);
        arne_description_free(d);
    }
}

static void what_cannot_follow_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        arne_description *d = random_robot(FAMILY_PLANAR);
        arne_model *m;
        arne_error error;
        char sentence[160];
        arne_joint_description *j = &d->joints[1];
        double point[1][2] = {{0, 1}};
        assert_int_equal(arne_description_follow(j, d->joints[0].name, 1, 0), ARNE_OK);
        if (k == 0) j->friction.coulomb = 1, j->friction.static_ = 2;
        if (k == 1) j->friction.coulomb_negative = 1;
        if (k == 2) j->friction.points = point, j->friction.npoint = 1;
        if (k == 3) j->elastic.stiffness = 100;
        if (k == 4) j->ratio = NAN;
        if (k == 5) j->offset = INFINITY;
        j->line = 17;
        snprintf(sentence, sizeof sentence, "joint '%s' follows %s%s%s", j->name, k < 4 ? "another one" : "'",
                 k < 4 ? "" : d->joints[0].name,
                 k < 3   ? ": its friction can be viscous, Coulomb and an offset, nothing else"
                 : k < 4 ? " and cannot be elastic"
                         : "' with a number that is not finite");
        assert_int_equal(arne_model_build(d, NULL, &m, &error), k < 4 ? ARNE_UNSUPPORTED : ARNE_BAD_TREE);
        assert_int_equal(error.line, 17);
        assert_string_equal(error.message, sentence);
        j->friction.points = NULL;
        arne_description_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factorization_knows_who_is_apart),
        cmocka_unit_test(two_fingers_by_hand),
        cmocka_unit_test(base_parameters_tell_the_torques),
        cmocka_unit_test(every_quantity_is_led_back),
        cmocka_unit_test(batches_follow_too),
        cmocka_unit_test(formulations_and_doors_agree),
        cmocka_unit_test(series_follow_too),
        cmocka_unit_test(masters_feel_what_rubs),
        cmocka_unit_test(what_cannot_follow_is_refused),
        cmocka_unit_test(numbers_of_joints_are_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
