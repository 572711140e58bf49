/* SPDX-License-Identifier: MIT
 *
 * space_test.c - space is everywhere the same: a robot that is put elsewhere and turned, gravity with it, has the torques it had;
 * a robot on a free base that nothing pushes keeps its momentum, and its weight changes it as it should. Free and spherical
 * joints stand first, in the middle and last. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/arne.h"
#include "arne/positions.h"
#include "describe/pose.h"
#include "support/subject.h"

/* beside what the joints carry: the axes of a moved robot are rounded elsewhere */
static const double TOLERANCE = 1e-11;
/* central differences of order eight; links without weight accelerate fast, so the step is short */
static const double DIFFERENCES = 1e-9, H = 2e-4;

enum { RANDOM_ROBOTS = FEWER(1400), N = MOST_DOF };

static unsigned parts_of(int number) { return number % 3 ? RANDOM_ANY : RANDOM_ALL; }

static void turn(const arne_pose *by, const double *a, double *out)
{
    for (int i = 0; i < 3; i++) out[i] = by->R[3 * i] * a[0] + by->R[3 * i + 1] * a[1] + by->R[3 * i + 2] * a[2];
}

static void compute(const subject *s, const char *name, const motion *x, double *out)
{
    const arne_state state = {x->q, x->qd, x->qdd, x->qdd, x->qd};
    assert_int_equal(arne_compute(s->data, arne_quantity_find(name), NULL, &state, out), ARNE_OK);
}

static const char *root(const arne_description *d)
{
    for (size_t i = 0; i < d->nlink; i++) {
        bool carried_by = false;
        for (size_t k = 0; k < d->njoint; k++) carried_by = carried_by || !strcmp(d->joints[k].child, d->links[i].name);
        if (!carried_by) return d->links[i].name;
    }
    fail_msg("%s has no root", d->name);
    return NULL;
}

/* all that stands on the base, and gravity */
static arne_description *moved(int number, const arne_pose *by)
{
    arne_description *d = robot_number(number, parts_of(number));
    for (size_t i = 0; i < d->njoint; i++)
        if (!strcmp(d->joints[i].parent, root(d))) d->joints[i].before = arne__pose_mul(by, &d->joints[i].before);
    double g[3];
    turn(by, d->gravity, g);
    memcpy(d->gravity, g, sizeof g);
    d->mdh = false;
    return d;
}

static void a_robot_is_the_same_everywhere(void **state)
{
    (void)state;
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        const arne_pose by = random_pose(&s.r, 3);
        subject t = subject_of(moved(number, &by));
        const motion x = subject_motion(&s, 1 + number % 2);
        const int n = s.n;
        double a[N * N], b[N * N], c[N * N], there[3];
        const double scale = carried(&s, &x);
        arne_id(s.data, x.q, x.qd, x.qdd, a);
        arne_id(t.data, x.q, x.qd, x.qdd, b);
        expect_near(&s, "torques elsewhere", n, b, a, TOLERANCE, fmax(scale, largest(n, a)));
        arne_mass(s.data, x.q, a);
        arne_mass(t.data, x.q, b);
        expect_close(&s, "inertia elsewhere", n * n, b, a, TOLERANCE);
        /* centre of mass and momentum go with it */
        compute(&s, "com", &x, a);
        compute(&t, "com", &x, b);
        turn(&by, a, there);
        for (int k = 0; k < 3; k++) there[k] += by.p[k];
        turn(&by, a + 3, c);
        expect_near(&s, "centre of mass elsewhere", 3, b, there, TOLERANCE, 1 + largest(3, there));
        expect_near(&s, "its velocity", 3, b + 3, c, TOLERANCE, 1 + largest(3, c));
        compute(&s, "centroidal", &x, a);
        compute(&t, "centroidal", &x, b);
        turn(&by, a, c);
        turn(&by, a + 3, c + 3);
        expect_near(&s, "momentum elsewhere", 6, b, c, TOLERANCE, 1 + 10 * largest(6, c));
        subject_close(&t);
        subject_close(&s);
    }
}

/* one free joint on the world carries all that moves */
static bool floats(const subject *s)
{
    for (int i = 1; i < arne_model_joints(s->m); i++)
        if (arne_joint_parent(s->m, i) < 0) return false;
    return arne_joint_kind(s->m, 0) == ARNE_FREE;
}

/* the frame before the first joint is that of the world */
static bool stands_in_the_world(const subject *s)
{
    const arne_pose none = arne__pose_identity();
    for (size_t i = 0; i < s->d->njoint; i++) {
        const arne_joint_description *j = &s->d->joints[i];
        if (strcmp(j->name, arne_joint_name(s->m, 0))) continue;
        return !strcmp(j->parent, root(s->d)) && !memcmp(&j->before, &none, sizeof none);
    }
    return false;
}

/* The same told by the position: a free base that is put elsewhere, its parent not. */
static void a_free_base_may_start_anywhere(void **state)
{
    (void)state;
    int seen = 0;
    for (int number = 0; number < RANDOM_ROBOTS; number++) {
        arne_description *d = robot_number(shipped_robots() + number, parts_of(number));
        assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, NULL), ARNE_OK);
        subject s = subject_of(d);
        if (!floats(&s) || !stands_in_the_world(&s)) { /* free joints of the file, which may be several, and stand elsewhere */
            subject_close(&s);
            continue;
        }
        seen++;
        const motion x = subject_motion(&s, 1);
        motion y = x;
        double e[4], a[N], b[N], g[3];
        arne_pose by = {.p = {0}};
        random_quaternion(&s.r, e);
        random_vector(&s.r, 3, 2, by.p);
        const double w = e[3], *v = e;
        for (int i = 0; i < 3; i++) /* R = (2 w^2 - 1) E + 2 v v' + 2 w v^ */
            for (int j = 0; j < 3; j++) by.R[3 * i + j] = 2 * v[i] * v[j] + (i == j ? 2 * w * w - 1 : 0);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            by.R[3 * k + j] += 2 * w * v[i];
            by.R[3 * j + k] -= 2 * w * v[i];
        }
        turn(&by, x.q, y.q);
        for (int i = 0; i < 3; i++) y.q[i] += by.p[i];
        /* the product of both quaternions */
        const double *u = x.q + 3;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            y.q[3 + i] = w * u[i] + u[3] * v[i] + v[j] * u[k] - v[k] * u[j];
        }
        y.q[6] = w * u[3] - v[0] * u[0] - v[1] * u[1] - v[2] * u[2];
        arne_id(s.data, x.q, x.qd, x.qdd, a);
        const double scale = fmax(carried(&s, &x), largest(s.n, a));
        turn(&by, s.g, g);
        arne_set_gravity(s.settings, g);
        arne_id(s.data, y.q, y.qd, y.qdd, b);
        expect_near(&s, "torques from elsewhere", s.n, b, a, TOLERANCE, scale);
        subject_close(&s);
    }
    assert_true(seen > RANDOM_ROBOTS / 2);
}

/* momentum of the whole, linear and about the centre of mass, at time t of the motion */
static void momentum_at(const subject *s, const motion *x, double t, double h[6])
{
    motion at = *x;
    double way[N], all[6 + 6 * N];
    for (int i = 0; i < s->n; i++) {
        way[i] = t * (x->qd[i] + t * x->qdd[i] / 2);
        at.qd[i] = x->qd[i] + t * x->qdd[i];
    }
    arne_integrate(s->m, x->q, way, at.q);
    compute(s, "centroidal", &at, all);
    memcpy(h, all, 6 * sizeof *h);
}

/* Motors and friction inside push as much one way as the other: only weight changes the momentum. */
static void nothing_inside_changes_the_momentum(void **state)
{
    (void)state;
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    int seen = 0;
    for (int number = -shipped_wide_robots(); number < RANDOM_ROBOTS; number++) {
        arne_description *d =
            robot_number(number < 0 ? number : shipped_robots() + number, parts_of(number) & ~(unsigned)RANDOM_TRANSMISSION);
        if (number >= 0) {
            assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, NULL), ARNE_OK);
            d->links[0].body = random_body(&(random_stream){(uint64_t)number + 7});
        }
        subject s = subject_of(d);
        if (!floats(&s)) {
            subject_close(&s);
            continue;
        }
        seen++;
        motion x = subject_motion(&s, 1);
        double tau[N], rate[6] = {0}, at[6], com[7], should[6] = {0}, size = 1;
        random_vector(&s.r, s.n, 20, tau);
        for (int i = 0; i < 6; i++) tau[i] = 0;
        if (arne_fd(s.data, x.q, x.qd, tau, x.qdd)) fail_msg("%s: singular", s.name);
        for (int p = 1; p <= 4; p++)
            for (int side = -1; side <= 1; side += 2) {
                momentum_at(&s, &x, side * p * H, at);
                for (int i = 0; i < 6; i++) rate[i] += side * weight[p - 1] / H * at[i];
                size = fmax(size, largest(6, at) * (1 + largest(s.n, x.qdd)));
            }
        compute(&s, "com", &x, com);
        for (int i = 0; i < 3; i++) should[i] = com[6] * s.g[i];
        expect_near(&s, "rate of the momentum", 6, rate, should, DIFFERENCES, size);
        subject_close(&s);
    }
    assert_true(seen > RANDOM_ROBOTS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_robot_is_the_same_everywhere),
        cmocka_unit_test(a_free_base_may_start_anywhere),
        cmocka_unit_test(nothing_inside_changes_the_momentum),
    };
    return cmocka_run_group_tests_name("laws/space", tests, NULL, NULL);
}
