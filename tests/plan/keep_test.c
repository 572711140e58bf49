/* SPDX-License-Identifier: MIT
 *
 * keep_test.c - a motion that asks for too much, under the policy `keep`: which motors are at their limits, that torques do not
 * chatter, that speeds stay within their limits and that loads of record are those of the commanded motion. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/feasible.h"
#include "support/subject.h"

enum { RANDOM_ROBOTS = FEWER(210), MOTIONS = 12, ROWS = 501 };

/* ---- one cycle ---- */

static subject limited_subject(int number, unsigned parts)
{
    arne_description *d = robot_number(number, parts);
    random_stream r = {(uint64_t)number + 7};
    for (size_t i = 0; i < d->njoint; i++) {
        d->joints[i].limits = (arne_limits){-INFINITY, INFINITY, INFINITY, INFINITY, random_between(&r, 2, 200)};
        d->joints[i].motor.effort = d->joints[i].motor.speed = INFINITY;
    }
    return subject_of(d);
}

/* x'H x */
static double energy(const subject *s, const double *H, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) sum += x[i] * H[i * s->n + j] * x[j];
    return sum;
}

/* The achievable accelerations nearest to those asked for are a projection on a convex set: two demands come nearer to each other
 * by it, never farther apart. A motor is at its limit only if it lacks acceleration on that side. */
static void check_cycles(subject *s)
{
    const int n = s->n;
    const double dt = 0.01;
    double H[MOST_DOF * MOST_DOF], asked[2][MOST_DOF], got[2][MOST_DOF], motor[MOST_DOF], next[MOST_DOF], qd[MOST_DOF];
    bool saturated[MOST_DOF];
    for (int k = 0; k < 3; k++) {
        const motion x = subject_motion(s, k);
        assert_int_equal(arne_mass(s->data, x.q, H), ARNE_OK);
        for (int i = 0; i < n; i++) next[i] = x.q[i] + dt * x.qd[i];
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < n; i++) asked[c][i] = (c ? random_between(&s->r, -30, 30) : x.qdd[i]);
            for (int i = 0; i < n; i++) qd[i] = x.qd[i] + dt * asked[c][i];
            const arne_cycle_options o = {.size = sizeof o, .dt = dt, .policy = ARNE_KEEP, .ease = true};
            const arne_achieved to = {.size = sizeof to, .qdd = got[c], .motor = motor, .saturated = saturated};
            assert_int_equal(arne_achievable(s->data, &o, x.q, x.qd, next, qd, &to), ARNE_OK);
            assert_int_equal(arne_data_joint(s->data), -1);
            for (int i = 0; i < n; i++) {
                const double gear = arne_joint_motor(s->m, i)->gear, torque = motor[i] * gear;
                const double limit = arne_joint_limits(s->m, i)->effort, lacks = asked[c][i] - got[c][i];
                if (fabs(torque) > limit * (1 + 1e-9)) fail_msg("%s: joint %d is over its limit", s->name, i);
                if (saturated[i] && fabs(fabs(torque) - limit) > 1e-9 * limit) fail_msg("%s: %d: not at the limit", s->name, i);
                if (saturated[i] && lacks * torque < -1e-8 * limit * (1 + fabs(lacks)))
                    fail_msg("%s: joint %d has more acceleration than it asked for, and is at its limit", s->name, i);
                if (!saturated[i] && fabs(lacks) > 1e-9 * (1 + fabs(asked[c][i])))
                    fail_msg("%s: joint %d is not at its limit and lacks acceleration", s->name, i);
            }
        }
        double demand[MOST_DOF], answer[MOST_DOF];
        for (int i = 0; i < n; i++) demand[i] = asked[1][i] - asked[0][i], answer[i] = got[1][i] - got[0][i];
        const double before = energy(s, H, demand), after = energy(s, H, answer);
        if (after > before * (1 + 1e-8)) fail_msg("%s: demands that differ by %g are answered by %g", s->name, before, after);
    }
}

static void a_motor_is_at_its_limit_only_if_it_lacks_acceleration(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = limited_subject(number, RANDOM_MOTORS | RANDOM_FRICTION | RANDOM_LAWS);
        if (!strstr(s.name, "coupled")) check_cycles(&s);
        subject_close(&s);
    }
}

/* ---- whole motions ---- */

typedef struct {
    const subject *s;
    int rows, flips[MOST_DOF];
    double before[MOST_DOF], speed[MOST_DOF];
} watch;

static void look(void *context, const arne_motion_row *r)
{
    watch *w = context;
    for (int i = 0; i < w->s->n; i++) {
        w->flips[i] += w->rows > 0 && w->before[i] * r->tau[i] < 0;
        w->before[i] = r->tau[i];
        w->speed[i] = fmax(w->speed[i], fabs(r->qd[i]));
    }
    w->rows++;
}

/* from rest to rest between two random places within a second and a half */
static arne_motion quintic(subject *s, double *q, double *qd, bool velocities)
{
    const double T = random_between(&s->r, 0.5, 1.5);
    for (int i = 0; i < s->n; i++) {
        const arne_limits *l = arne_joint_limits(s->m, i);
        const double low = fmax(l->lower, -1.5), high = fmin(l->upper, 1.5);
        const double a = random_between(&s->r, low, high), way = random_between(&s->r, low, high) - a;
        for (int k = 0; k < ROWS; k++) {
            const double x = k / (ROWS - 1.0);
            q[k * s->n + i] = a + way * x * x * x * (10 - 15 * x + 6 * x * x);
            qd[k * s->n + i] = way / T * 30 * x * x * (1 - x) * (1 - x);
        }
    }
    return (arne_motion){ROWS, T / (ROWS - 1), q, velocities ? qd : NULL};
}

/* The largest torques and speeds that the motion asks for. */
static void demands(subject *s, const arne_motion *x, double *torque, double *speed)
{
    double qd[MOST_DOF], qdd[MOST_DOF], tau[MOST_DOF];
    memset(torque, 0, (size_t)s->n * sizeof *torque);
    memset(speed, 0, (size_t)s->n * sizeof *speed);
    for (int k = 0; k < x->count; k++) {
        arne_motion_at(x, s->n, k, qd, qdd);
        arne_id(s->data, x->q + k * s->n, qd, qdd, tau);
        for (int i = 0; i < s->n; i++) torque[i] = fmax(torque[i], fabs(tau[i])), speed[i] = fmax(speed[i], fabs(qd[i]));
    }
}

static int check_motion(subject *s, bool velocities, double *q, double *qd)
{
    const arne_motion x = quintic(s, q, qd, velocities);
    arne_joint_record keep[MOST_DOF], resolve[MOST_DOF];
    arne_achievement a;
    double torque[MOST_DOF], speed[MOST_DOF];
    watch w = {.s = s};
    arne_achieve_options o = {.size = sizeof o, .policy = ARNE_KEEP, .row = look, .context = &w};
    assert_int_equal(arne_achieve(&x, s->data, &o, keep, &a, NULL), ARNE_OK);
    assert_true(isnan(a.lost) ? w.rows == ROWS && a.lost_joint < 0 : w.rows < ROWS && a.lost_joint >= 0);
    o.policy = ARNE_RESOLVE, o.row = NULL;
    assert_int_equal(arne_achieve(&x, s->data, &o, resolve, &a, NULL), ARNE_OK);
    demands(s, &x, torque, speed);
    int saturated = 0;
    for (int i = 0; i < s->n; i++) {
        const double limit = arne_joint_limits(s->m, i)->velocity;
        /* smooth motions turn round a few times; who is late and catches up adds a few */
        if (w.flips[i] > 20) fail_msg("%s: the torque of joint %d changes sign %d times", s->name, i, w.flips[i]);
        if (limit > 0 && w.speed[i] > limit * (1 + 1e-8)) fail_msg("%s: joint %d moves at %g", s->name, i, w.speed[i]);
        const arne_joint_record *k = &keep[i], *r = &resolve[i];
        assert_true(fabs(k->torque - torque[i]) <= 1e-9 * torque[i] && k->speed == speed[i]);
        assert_true(k->torque == r->torque && k->motor == r->motor && k->speed == r->speed && k->force == r->force &&
                    k->moment == r->moment && k->bending == r->bending);
        saturated += k->saturated > 0;
    }
    return saturated;
}

static void torques_do_not_chatter_and_loads_are_those_of_the_command(void **state)
{
    (void)state;
    double *q = malloc(sizeof *q * ROWS * MOST_DOF), *qd = malloc(sizeof *qd * ROWS * MOST_DOF);
    assert_true(q && qd);
    int saturated = 0, robots = 0;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        if (strstr(s.name, "ur5e") || strstr(s.name, "panda") || strstr(s.name, "kuka-lwr")) {
            robots++;
            for (int k = 0; k < MOTIONS; k++) {
                const arne_body load = {.mass = 2.0 * k, .com = {0.05, 0, 0.1}};
                assert_int_equal(arne_set_payload(s.settings, arne_model_links(s.m) - 1, &load), ARNE_OK);
                saturated += check_motion(&s, k % 2, q, qd);
            }
        }
        subject_close(&s);
    }
    assert_int_equal(robots, 3);
    assert_true(saturated > 2 * MOTIONS); /* or nothing was tried */
    free(q);
    free(qd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_is_at_its_limit_only_if_it_lacks_acceleration),
        cmocka_unit_test(torques_do_not_chatter_and_loads_are_those_of_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
