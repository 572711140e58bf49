/* SPDX-License-Identifier: MIT
 *
 * polytope_test.c - largest accelerations of a hand: corners of the box of torques tried one by one, the recipe for six joints,
 * and small linear programs against all their corners. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/plan.h"
#include "plan/simplex.h"
#include "support/subject.h"

static const double TOLERANCE = 1e-7;

/* x of A x = b by elimination with pivots; false: singular */
static bool solve(int n, const double *matrix, const double *b, double *x)
{
    double A[12 * 13];
    for (int i = 0; i < n; i++) {
        memcpy(A + i * (n + 1), matrix + i * n, (size_t)n * sizeof *A);
        A[i * (n + 1) + n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i * (n + 1) + k]) > fabs(A[p * (n + 1) + k])) p = i;
        if (fabs(A[p * (n + 1) + k]) < 1e-9) return false;
        for (int j = 0; j <= n; j++) {
            const double t = A[k * (n + 1) + j];
            A[k * (n + 1) + j] = A[p * (n + 1) + j];
            A[p * (n + 1) + j] = t;
        }
        for (int i = 0; i < n; i++) {
            const double f = A[i * (n + 1) + k] / A[k * (n + 1) + k];
            for (int j = k; j <= n && i != k; j++) A[i * (n + 1) + j] -= f * A[k * (n + 1) + j];
        }
    }
    for (int i = 0; i < n; i++) x[i] = A[i * (n + 1) + n] / A[i * (n + 1) + i];
    return true;
}

/* ---- linear programs ---- */

/* The best corner: m variables solve the equations, the others are at a bound, in every way. -INFINITY: none is allowed. */
static double best_corner(const simplex *p)
{
    const int m = p->rows, n = p->columns;
    double best = -INFINITY;
    for (int set = 0; set < 1 << n; set++) {
        int basic[12], count = 0;
        for (int j = 0; j < n; j++)
            if (set >> j & 1 && count < 12) basic[count++] = j;
        if (count != m) continue;
        for (int ends = 0; ends < 1 << n; ends++) {
            double B[16], b[4], y[4], x[12], value = 0;
            if (ends & set) continue;
            for (int j = 0; j < n; j++) x[j] = ends >> j & 1 ? p->high[j] : p->low[j];
            for (int i = 0; i < m; i++) {
                b[i] = p->b[i];
                for (int j = 0; j < n; j++) b[i] -= set >> j & 1 ? 0 : p->A[i * n + j] * x[j];
                for (int k = 0; k < m; k++) B[i * m + k] = p->A[i * n + basic[k]];
            }
            if (m > 0 && !solve(m, B, b, y)) continue;
            bool inside = true;
            for (int k = 0; k < m; k++) {
                x[basic[k]] = y[k];
                inside = inside && y[k] >= p->low[basic[k]] - 1e-9 && y[k] <= p->high[basic[k]] + 1e-9;
            }
            for (int j = 0; j < n; j++) value += p->c[j] * x[j];
            if (inside) best = fmax(best, value);
        }
    }
    return best;
}

/* memory for a program of so many rows and columns */
static void *program_of(simplex *p, int rows, int columns)
{
    void *memory = calloc(1, arne__simplex_place(NULL, rows, columns, NULL));
    assert_non_null(memory);
    arne__simplex_place(p, rows, columns, memory);
    return memory;
}

/* Small whole numbers make many ties: degenerate corners, equal rows, flat objectives. */
static void programs_find_the_best_corner(void **state)
{
    (void)state;
    simplex p;
    void *memory = program_of(&p, 3, 6);
    random_stream r = {5};
    int none = 0, some = 0;
    for (int k = 0; k < 3000; k++) {
        p.rows = random_below(&r, 4);
        p.columns = p.rows + 1 + random_below(&r, 6 - p.rows);
        const bool whole = k % 2;
        for (int j = 0; j < p.columns; j++) {
            p.c[j] = whole ? random_below(&r, 5) - 2 : random_between(&r, -1, 1);
            p.low[j] = whole ? -random_below(&r, 2) : random_between(&r, -1, 0);
            p.high[j] = whole ? random_below(&r, 2) : random_between(&r, 0, 1);
        }
        for (int i = 0; i < p.rows; i++) {
            p.b[i] = whole ? random_below(&r, 3) - 1 : random_between(&r, -1, 1);
            for (int j = 0; j < p.columns; j++)
                p.A[i * p.columns + j] = whole ? random_below(&r, 3) - 1 : random_between(&r, -1, 1);
        }
        const double best = best_corner(&p);
        const simplex_answer answer = arne__simplex_maximise(&p);
        if (isinf(best)) { /* rows that depend on each other have no corner of this kind */
            none++;
            if (!whole && answer != SIMPLEX_NONE) fail_msg("program %d: an answer where there is none", k);
            continue;
        }
        some++;
        if (answer != SIMPLEX_BEST) fail_msg("program %d: no answer, best is %g", k, best);
        double value = 0;
        for (int j = 0; j < p.columns; j++) {
            value += p.c[j] * p.x[j];
            if (p.x[j] < p.low[j] - 1e-9 || p.x[j] > p.high[j] + 1e-9) fail_msg("program %d: variable %d is %g", k, j, p.x[j]);
        }
        for (int i = 0; i < p.rows; i++) {
            double sum = -p.b[i];
            for (int j = 0; j < p.columns; j++) sum += p.A[i * p.columns + j] * p.x[j];
            if (fabs(sum) > 1e-7) fail_msg("program %d: row %d is off by %g", k, i, sum);
        }
        if (fabs(value - best) > TOLERANCE) fail_msg("program %d: %.12g, best is %.12g", k, value, best);
    }
    assert_true(none > 100 && some > 1000);
    free(memory);
}

static void a_program_without_bounds_says_so(void **state)
{
    (void)state;
    simplex p;
    void *memory = program_of(&p, 1, 2);
    p.rows = 1, p.columns = 2;
    p.A[0] = 1, p.A[1] = -1, p.b[0] = 0;
    p.c[0] = 1, p.c[1] = 0;
    p.low[0] = p.low[1] = -INFINITY, p.high[0] = p.high[1] = INFINITY;
    assert_int_equal(arne__simplex_maximise(&p), SIMPLEX_UNBOUNDED);
    p.high[1] = 3;
    assert_int_equal(arne__simplex_maximise(&p), SIMPLEX_BEST);
    assert_true(fabs(p.x[0] - 3) < 1e-12);
    free(memory);
}

/* ---- hands ---- */

static double best_acceleration(arne_data *d, const double *q, const double *qd, const arne_hand_direction *h,
                                const arne_achieved *out)
{
    double most;
    assert_int_equal(arne_largest_acceleration(d, q, qd, h, &most, out), ARNE_OK);
    return most;
}

/* acceleration of the point, linear and angular, by plain mechanics */
static void hand_acceleration(subject *s, const double *q, const double *qd, const double *qdd, const arne_hand_direction *h,
                              double a[6])
{
    plain_move(s->judge, q, qd, qdd);
    const plain_link *l = &s->judge->link[h->link];
    long double r[3], wr[3];
    for (int k = 0; k < 3; k++) r[k] = l->R[3 * k] * h->point[0] + l->R[3 * k + 1] * h->point[1] + l->R[3 * k + 2] * h->point[2];
    for (int k = 0; k < 3; k++) wr[k] = l->w[(k + 1) % 3] * r[(k + 2) % 3] - l->w[(k + 2) % 3] * r[(k + 1) % 3];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        a[k] = (double)(l->a[k] + l->wd[i] * r[j] - l->wd[j] * r[i] + l->w[i] * wr[j] - l->w[j] * wr[i]);
        a[3 + k] = (double)l->wd[k];
    }
}

static arne_hand_direction some_direction(subject *s, int rows, bool pure)
{
    arne_hand_direction h = {.size = sizeof h, .link = s->nlink - 1, .rows = rows, .pure = pure};
    random_vector(&s->r, 3, 0.3, h.point);
    random_vector(&s->r, rows, 1, h.direction);
    return h;
}

static double along(const arne_hand_direction *h, const double a[6])
{
    double sum = 0, size = 0;
    for (int k = 0; k < h->rows; k++) sum += a[k] * h->direction[k], size += h->direction[k] * h->direction[k];
    return sum / sqrt(size);
}

/* limits as a user could write them, with gears, friction, coupled transmissions; half of the robots have acceleration limits */
static subject limited(int number, unsigned parts)
{
    arne_description *d = robot_number(number, parts);
    random_stream r = {(uint64_t)number + 3};
    const bool without = (number - shipped_robots()) % 2; /* of every other one accelerations have no limits */
    for (size_t i = 0; i < d->njoint; i++) {
        d->joints[i].limits = (arne_limits){-9, 9, 9, without ? INFINITY : random_between(&r, 20, 60), INFINITY};
        d->joints[i].motor.effort = random_between(&r, 20, 80);
        d->joints[i].motor.speed = INFINITY;
        d->joints[i].motor.ncurve = 0;
    }
    subject s = subject_of(d);
    s.r.state += 1000003u * (unsigned)number;
    return s;
}

/* The best of all corners of the box, by forward dynamics; without acceleration limits and with the other components free. */
static double best_torques(subject *s, const motion *x, const arne_hand_direction *h)
{
    double best = -INFINITY, M[MOST_DOF * MOST_DOF], unit[MOST_DOF], tau[MOST_DOF] = {0}, qdd[MOST_DOF], a[6];
    /* motor torques are linear in joint torques: the map, column by column, then inverted */
    const int n = s->n;
    for (int k = 0; k < n; k++) {
        memset(unit, 0, sizeof unit);
        unit[k] = 1;
        arne_motor_torques(s->data, unit, tau);
        for (int i = 0; i < n; i++) M[i * n + k] = tau[i];
    }
    for (int corner = 0; corner < 1 << n; corner++) {
        for (int k = 0; k < n; k++) unit[k] = (corner >> k & 1 ? 1 : -1) * arne_joint_motor(s->m, k)->effort;
        assert_true(solve(n, M, unit, tau));
        assert_int_equal(arne_fd(s->data, x->q, x->qd, tau, qdd), ARNE_OK);
        hand_acceleration(s, x->q, x->qd, qdd, h, a);
        best = fmax(best, along(h, a));
    }
    return best;
}

static void answers_keep_limits_and_directions(void **state)
{
    (void)state;
    int none = 0;
    for (int number = 0; number < 200; number++) {
        subject s = limited(shipped_robots() + number, number % 3 ? RANDOM_ALL : RANDOM_RIGID);
        for (int k = 0; k < 6; k++) {
            const motion x = subject_motion(&s, k % 3);
            const arne_hand_direction h = some_direction(&s, k == 5 ? 6 : 3, k % 2);
            double qdd[MOST_DOF], motor[MOST_DOF], tau[MOST_DOF], again[MOST_DOF], a[6];
            const double best = best_acceleration(
                s.data, x.q, x.qd, &h, &(arne_achieved){.size = sizeof(arne_achieved), .qdd = qdd, .tau = tau, .motor = motor});
            if (isinf(best)) {
                none++;
                continue;
            }
            arne_id(s.data, x.q, x.qd, qdd, again);
            expect_near(&s, "torques", s.n, tau, again, 1e-7, 1 + largest(s.n, again));
            hand_acceleration(&s, x.q, x.qd, qdd, &h, a);
            const double size = 1 + fmax(largest(6, a), largest(s.n, qdd));
            if (fabs(along(&h, a) - best) > 1e-7 * size) fail_msg("%s: %.12g instead of %.12g", s.name, along(&h, a), best);
            double length = 0;
            for (int c = 0; c < h.rows; c++) length += h.direction[c] * h.direction[c];
            for (int c = 0; c < h.rows && h.pure; c++)
                if (fabs(a[c] - best * h.direction[c] / sqrt(length)) > 1e-6 * size)
                    fail_msg("%s: component %d across the line", s.name, c);
            for (int i = 0; i < s.n; i++) {
                if (fabs(motor[i]) > arne_joint_motor(s.m, i)->effort * (1 + 1e-7)) fail_msg("%s: torque %d", s.name, i);
                if (fabs(qdd[i]) > arne_joint_limits(s.m, i)->acceleration * (1 + 1e-7) + 1e-6)
                    fail_msg("%s: joint %d", s.name, i);
            }
        }
        subject_close(&s);
    }
    print_message("%d states without an answer\n", none);
}

static void no_corner_of_the_box_does_better(void **state)
{
    (void)state;
    for (int number = 1; number < 120; number += 2) {
        subject s = limited(shipped_robots() + number, number % 3 ? RANDOM_ALL : RANDOM_RIGID);
        for (int k = 0; k < 3 && s.n <= 6; k++) {
            const motion x = subject_motion(&s, k);
            const arne_hand_direction h = some_direction(&s, k == 2 ? 6 : 3, false);
            const double is = best_acceleration(s.data, x.q, x.qd, &h, NULL), should = best_torques(&s, &x, &h);
            if (fabs(is - should) > 1e-8 * (1 + fabs(should))) fail_msg("%s: %.12g, best corner %.12g", s.name, is, should);
        }
        subject_close(&s);
    }
}

/* A slide of 2 kg without gravity: what bounds it is its acceleration limit where its motor has none, and the motor is not
 * saturated whatever it gives; else whichever comes first. */
static void a_motor_without_a_limit_is_bounded_by_the_acceleration(void **state)
{
    (void)state;
    static const struct {
        double effort, acceleration, most;
        bool saturated;
    } cases[] = {{INFINITY, 40, 40, false}, {INFINITY, 0.1, 0.1, false}, {INFINITY, INFINITY, INFINITY, false},
                 {60, 40, 30, true},        {100, 40, 40, false},        {60, INFINITY, 30, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arne_description *d = arne_description_new("slide");
        assert_true(d && arne_description_link(d, "base", 0));
        arne_link_description *l = arne_description_link(d, "car", 0);
        arne_joint_description *j = arne_description_joint(d, "x", 0, ARNE_PRISMATIC, "base", "car");
        assert_true(l && j);
        l->body.mass = 2;
        d->gravity[2] = 0;
        j->limits = (arne_limits){-9, 9, INFINITY, cases[k].acceleration, cases[k].effort};
        subject s = subject_of(d);
        const double zero[1] = {0};
        double tau[1] = {NAN}, qdd[1] = {NAN};
        bool saturated[1] = {true};
        const arne_hand_direction h = {.size = sizeof h, .link = 1, .rows = 3, .direction = {0, 0, -1}};
        const arne_achieved to = {.size = sizeof to, .qdd = qdd, .tau = tau, .saturated = saturated};
        const double best = best_acceleration(s.data, zero, zero, &h, &to);
        if (isinf(cases[k].most)) {
            assert_true(isinf(best));
        } else {
            if (fabs(best - cases[k].most) > 1e-9) fail_msg("case %zu: %g instead of %g", k, best, cases[k].most);
            assert_true(fabs(qdd[0] + best) < 1e-9 && fabs(tau[0] + 2 * best) < 1e-9);
            assert_int_equal(saturated[0], cases[k].saturated);
        }
        subject_close(&s);
    }
}

/* Six joints and six rows leave no choice: t = s l + c with s = M L^-1 u, and every joint bounds l [ERRATA part two 5.6]. */
static void six_joints_follow_the_recipe(void **state)
{
    (void)state;
    int number = 0;
    for (; number < shipped_robots(); number++) {
        arne_description *d = robot_number(number, 0);
        const bool found = !strcmp(d->name, "puma560");
        arne_description_free(d);
        if (found) break;
    }
    subject s = limited(number, 0);
    if (s.n != 6) fail_msg("%s has %d joints", s.name, s.n);
    for (int k = 0; k < 40; k++) {
        const motion x = subject_motion(&s, 1);
        arne_hand_direction h = some_direction(&s, 6, true);
        memset(h.point, 0, sizeof h.point);
        double L[36], a[6], zero[6] = {0}, u[6], y[6], c[6], low = -INFINITY, high = INFINITY, size = 0;
        arne_link_jacobian(s.data, x.q, h.link, ARNE_ALIGNED, L);
        hand_acceleration(&s, x.q, x.qd, zero, &h, a);
        for (int i = 0; i < 6; i++) size += h.direction[i] * h.direction[i];
        for (int i = 0; i < 6; i++) u[i] = h.direction[i] / sqrt(size), a[i] = -a[i];
        if (!solve(6, L, u, y) || !solve(6, L, a, c)) continue;
        for (int i = 0; i < 6; i++) { /* y l + c are joint accelerations; their limits too */
            const double most = arne_joint_limits(s.m, i)->acceleration, p0 = (-most - c[i]) / y[i], p1 = (most - c[i]) / y[i];
            low = fmax(low, fmin(p0, p1)), high = fmin(high, fmax(p0, p1));
        }
        double t0[6], t1[6], both[6];
        for (int i = 0; i < 6; i++) both[i] = y[i] + c[i];
        arne_id(s.data, x.q, x.qd, c, t0);
        arne_id(s.data, x.q, x.qd, both, t1);
        for (int i = 0; i < 6; i++) {
            const double most = arne_joint_motor(s.m, i)->effort * fabs(arne_joint_motor(s.m, i)->gear), slope = t1[i] - t0[i];
            const double p0 = (-most - t0[i]) / slope, p1 = (most - t0[i]) / slope;
            low = fmax(low, fmin(p0, p1)), high = fmin(high, fmax(p0, p1));
        }
        const double is = best_acceleration(s.data, x.q, x.qd, &h, NULL);
        if (low > high * (1 + 1e-9) + 1e-9)
            assert_true(is == -INFINITY);
        else if (low < high && !(fabs(is - high) <= 1e-6 * (1 + fabs(high))))
            fail_msg("state %d: %.12g instead of %.12g", k, is, high);
    }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_find_the_best_corner),
        cmocka_unit_test(a_program_without_bounds_says_so),
        cmocka_unit_test(answers_keep_limits_and_directions),
        cmocka_unit_test(no_corner_of_the_box_does_better),
        cmocka_unit_test(a_motor_without_a_limit_is_bounded_by_the_acceleration),
        cmocka_unit_test(six_joints_follow_the_recipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
