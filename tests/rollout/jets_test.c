/* SPDX-License-Identifier: MIT
 *
 * jets_test.c - the derivatives of rollouts against whole rollouts on jets: the same rules, written once more with positions by
 * power series, on the text of forward dynamics that differentiates itself. */
#define KIND jet2
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "algo/rows.h"
#include "algo/texts.h"
#include "arne/positions.h"
#include "arne/rollout.h"
#include "num/words.h"
#include "support/subject.h"

enum { N = MOST_DOF, K = 3, ROBOTS = FEWER(140), WIDTH = 2 };

const void *arne__data_doubles(const arne_data *d); /* dynamics/data.c */

/* a rollout on jets */
typedef struct {
    const subject *s;
    const robot *r;
    work k;
    void *memory;
    num q[N], v[N], tau[K * N];
} jets;

static jets begin(const subject *s)
{
    jets j = {.s = s, .r = arne__data_doubles(s->data)};
    const size_t room = EXPORT(work)(robot_count(j.r), NULL, &j.k);
    j.memory = aligned_alloc(64, (room + 63) / 64 * 64);
    assert_non_null(j.memory);
    memset(j.memory, 0, room);
    EXPORT(work)(robot_count(j.r), j.memory, &j.k);
    return j;
}

static void cross(const num a[3], const num b[3], num c[3])
{
    for (int k = 0; k < 3; k++) c[k] = sub(mul(a[(k + 1) % 3], b[(k + 2) % 3]), mul(a[(k + 2) % 3], b[(k + 1) % 3]));
}

static num dot(const num a[3], const num b[3]) { return add(mul(a[0], b[0]), add(mul(a[1], b[1]), mul(a[2], b[2]))); }

/* sum of (-xx)^i/(2i + first)! */
static num series(num xx, int first)
{
    num sum = of(0), term = of(1);
    for (int k = 2; k <= first; k++) term = mulc(1.0 / k, term);
    for (int i = 0; i < 12; i++) {
        sum = add(sum, term);
        term = neg(mulc(1.0 / ((2 * i + first + 1) * (2 * i + first + 2)), mul(xx, term)));
    }
    return sum;
}

/* v turned by the quaternion e */
static void turned(const num e[4], const num v[3], num out[3])
{
    num t[3], u[3];
    cross(e, v, t);
    cross(e, t, u);
    for (int k = 0; k < 3; k++) out[k] = add(v[k], mulc(2, add(mul(e[3], t[k]), u[k])));
}

/* q exp(u), joint by joint */
static void integrate(const subject *s, const num *q, const num *u, num *out)
{
    for (int i = 0; i < arne_model_joints(s->m); i++) {
        const int iq = arne_joint_q(s->m, i), iv = arne_joint_v(s->m, i), turn = arne_joint_turn(s->m, i);
        if (turn < 0) {
            out[iq] = add(q[iq], u[iv]);
            continue;
        }
        const num *w = u + iv + turn - iq, *e = q + turn, xx = dot(w, w);
        if (turn > iq) { /* a free joint: the way along the screw */
            num a[3], b[3], way[3];
            cross(w, u + iv, a);
            cross(w, a, b);
            for (int k = 0; k < 3; k++) way[k] = add(u[iv + k], add(mul(series(xx, 2), a[k]), mul(series(xx, 3), b[k])));
            turned(e, way, a);
            for (int k = 0; k < 3; k++) out[iq + k] = add(q[iq + k], a[k]);
        }
        num half[4], x[3], to[4];
        for (int k = 0; k < 3; k++) half[k] = mul(mulc(0.5, w[k]), series(mulc(0.25, xx), 1));
        half[3] = series(mulc(0.25, xx), 0);
        cross(e, half, x);
        for (int k = 0; k < 3; k++) to[k] = add(x[k], add(mul(e[3], half[k]), mul(half[3], e[k])));
        to[3] = sub(mul(e[3], half[3]), dot(e, half));
        memcpy(out + turn, to, sizeof to);
    }
}

/* the rate of u where q exp(u) moves with v, by brackets */
static void rate(const subject *s, const num *u, const num *v, num *out)
{
    memcpy(out, v, (size_t)s->n * sizeof *out);
    for (int i = 0; i < arne_model_joints(s->m); i++) {
        const int iv = arne_joint_v(s->m, i), turn = arne_joint_turn(s->m, i), way = turn - arne_joint_q(s->m, i);
        if (turn < 0) continue;
        num now[6], next[6], a[3], b[3];
        memcpy(now, v + iv, sizeof(num) * (size_t)(way + 3));
        static const double by[2] = {1.0 / 2, 1.0 / 12};
        for (int k = 0; k < 2; k++) {
            cross(u + iv + way, now + way, next + way);
            if (way) {
                cross(u + iv + 3, now, a);
                cross(u + iv, now + 3, b);
                for (int c = 0; c < 3; c++) next[c] = add(a[c], b[c]);
            }
            memcpy(now, next, sizeof(num) * (size_t)(way + 3));
            for (int c = 0; c < way + 3; c++) out[iv + c] = add(out[iv + c], mulc(by[k], now[c]));
        }
    }
}

static void step(jets *j, arne_rule rule, double h, const num *tau)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const int n = j->s->n, stages = rule == ARNE_RULE_RK4 ? 4 : 1;
    num u[N], Q[N], V[N], slope[2][N], sum[2][N], end[N];
    for (int s = 0; s < stages; s++) {
        for (int i = 0; i < n; i++) {
            u[i] = s ? mulc(at[s] * h, slope[0][i]) : of(0);
            V[i] = s ? add(j->v[i], mulc(at[s] * h, slope[1][i])) : j->v[i];
        }
        integrate(j->s, j->q, u, Q);
        const text_input in = {.q = Q, .qd = V, .tau = tau};
        EXPORT(run)(TEXT_fd, j->r, &j->k, &in, slope[1]);
        rate(j->s, u, V, slope[0]);
        for (int g = 0; g < 2; g++)
            for (int i = 0; i < n; i++) {
                const num part = mulc(stages == 4 ? weight[s] : 1, slope[g][i]);
                sum[g][i] = s ? add(sum[g][i], part) : part;
            }
    }
    for (int i = 0; i < n; i++) {
        j->v[i] = add(j->v[i], mulc(h, sum[1][i]));
        u[i] = mulc(h, rule == ARNE_RULE_SEMI_IMPLICIT ? j->v[i] : sum[0][i]);
    }
    integrate(j->s, j->q, u, end);
    memcpy(j->q, end, sizeof end);
}

/* the derivative of the last state in direction c, along velocities */
static void along(const jets *j, int c, double *out)
{
    const subject *s = j->s;
    for (int i = 0; i < s->n; i++) out[s->n + i] = j->v[i].d[c];
    for (int i = 0; i < arne_model_joints(s->m); i++) {
        const int iq = arne_joint_q(s->m, i), iv = arne_joint_v(s->m, i), turn = arne_joint_turn(s->m, i);
        if (turn < 0) {
            out[iv] = j->q[iq].d[c];
            continue;
        }
        const num *e = j->q + turn;
        num back[4], way[3], x[3], from[3], change[3];
        for (int k = 0; k < 4; k++) back[k] = of(k < 3 ? -e[k].v : e[k].v);
        for (int k = 0; k < 3; k++) from[k] = of(j->q[iq + k].d[c]), change[k] = of(e[k].d[c]);
        if (turn > iq) turned(back, from, way);
        for (int k = 0; k < 3 && turn > iq; k++) out[iv + k] = way[k].v;
        cross(back, change, x); /* twice the vector part of conj(e) de */
        for (int k = 0; k < 3; k++) out[iv + turn - iq + k] = 2 * (x[k].v + e[3].v * e[k].d[c] - e[3].d[c] * e[k].v);
    }
}

/* columns `first` and the next of x_K by the start (2 nv of them) and the torques after it */
static void run_jets(jets *j, arne_rule rule, double h, const motion *x, const double *tau, int first, double *columns)
{
    const subject *s = j->s;
    for (int i = 0; i < s->nq; i++) j->q[i] = of(x->q[i]);
    for (int i = 0; i < s->n; i++) j->v[i] = of(x->qd[i]);
    for (int i = 0; i < K * s->n; i++) j->tau[i] = of(tau[i]);
    for (int c = 0; c < WIDTH; c++) {
        double unit[N] = {0}, moving[N];
        const int column = first + c;
        if (column < s->n) {
            unit[column] = 1;
            arne_position_rate(s->m, x->q, unit, moving);
            for (int i = 0; i < s->nq; i++) j->q[i].d[c] = moving[i];
        } else if (column < 2 * s->n) {
            j->v[column - s->n].d[c] = 1;
        } else if (column < (2 + K) * s->n) {
            j->tau[column - 2 * s->n].d[c] = 1;
        }
    }
    for (int k = 0; k < K; k++) step(j, rule, h, j->tau + k * s->n);
    for (int c = 0; c < WIDTH; c++) along(j, c, columns + c * 2 * s->n);
}

static void check(subject *s, arne_rule rule, double h)
{
    const arne_rollout_options o = {.size = sizeof o, .rule = rule, .step = h};
    const int n = 2 * s->n, all = (2 + K) * s->n;
    const motion x = subject_motion(s, 1);
    arne_rollout *r;
    double tau[K * N], end[N * (K + 1)];
    double *A = calloc((size_t)(K * n * n), sizeof *A), *B = calloc((size_t)(K * n * s->n), sizeof *B);
    double *S = calloc((size_t)(n * n), sizeof *S), *T = calloc((size_t)(n * K * s->n), sizeof *T);
    for (int i = 0; i < K * s->n; i++) tau[i] = random_between(&s->r, -3, 3);
    assert_int_equal(arne_rollout_new(s->settings, &o, &r, NULL), ARNE_OK);
    const arne_rollout_arrays of_it = {.size = sizeof of_it,
                                       .steps = K,
                                       .q = x.q,
                                       .qd = x.qd,
                                       .tau = tau,
                                       .velocities = end,
                                       .A = A,
                                       .B = B,
                                       .by_start = S,
                                       .by_tau = T};
    assert_int_equal(arne_rollout_run(r, 1, &of_it), ARNE_OK);
    jets j = begin(s);
    double scale[2] = {largest(n * n, S), largest(n * K * s->n, T)};
    for (int first = 0; first < all; first += WIDTH) {
        double columns[WIDTH * 2 * N];
        run_jets(&j, rule, h, &x, tau, first, columns);
        for (int c = first; c < first + WIDTH && c < all; c++) {
            double is[2 * N];
            for (int i = 0; i < n; i++) is[i] = c < n ? S[i * n + c] : T[i * K * s->n + c - n];
            expect_near(s, c < n ? "by start" : "by torque", n, is, columns + (c - first) * n, 1e-10, scale[c >= n]);
        }
    }
    free(j.memory);
    arne_rollout_free(r);
    free(A), free(B), free(S), free(T);
}

static void derivatives_are_those_of_jets(void **state)
{
    (void)state;
    for (int number = 0; number < ROBOTS; number++) {
        subject s = subject_number(shipped_robots() + number, number % 2 ? RANDOM_ANY : RANDOM_ALL);
        check(&s, (arne_rule)(number % ARNE_RULES), number % 5 ? 0.01 : 0.03);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_those_of_jets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
