/* SPDX-License-Identifier: MIT
 *
 * wrench_test.c - external wrenches in all frames and at points, and the wrenches that joints carry. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "support/subject.h"

/* Differences of two torques, beside the larger of them, what the joints carry and the lever arms of the wrench. */
static const double TOLERANCE = 1e-11;

enum { RANDOM_ROBOTS = FEWER(2100), WRENCHES = 3 };

typedef void law(subject *s, const motion *x);

static void on_all_robots(law *holds)
{
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, RANDOM_MOTORS | RANDOM_FRICTION);
        for (int k = 0; k < STATES; k++) {
            const motion x = subject_motion(&s, k);
            plain_move(s.judge, x.q, x.qd, x.qdd);
            holds(&s, &x);
        }
        subject_close(&s);
    }
}

static void random_wrenches(subject *s, arne_wrench w[WRENCHES])
{
    static const arne_frame frames[WRENCHES] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    for (int k = 0; k < WRENCHES; k++) {
        w[k] = (arne_wrench){.link = random_below(&s->r, s->nlink), .frame = frames[k]};
        random_vector(&s->r, 3, 50, w[k].force);
        random_vector(&s->r, 3, 50, w[k].moment);
        if (random_below(&s->r, 2)) random_vector(&s->r, 3, 1, w[k].point);
    }
}

static void cross_add(const double a[3], const double b[3], double c[3])
{
    c[0] += a[1] * b[2] - a[2] * b[1];
    c[1] += a[2] * b[0] - a[0] * b[2];
    c[2] += a[0] * b[1] - a[1] * b[0];
}

/* tau -= J'w with the judge's Jacobian at the link's origin (WORLD: at the world's); returns the largest term */
static double less_wrench(const subject *s, const arne_wrench *w, double *tau)
{
    double J[6 * MOST_DOF], v[6], at[3], most = 0;
    arne_pose pose;
    memcpy(v, w->force, sizeof w->force);
    memcpy(v + 3, w->moment, sizeof w->moment);
    memcpy(at, w->point, sizeof at);
    plain_pose(s->judge, w->link, &pose);
    if (w->frame == ARNE_ALIGNED)
        for (int k = 0; k < 3; k++)
            at[k] = pose.R[3 * k] * w->point[0] + pose.R[3 * k + 1] * w->point[1] + pose.R[3 * k + 2] * w->point[2];
    if (w->frame != ARNE_WORLD) cross_add(at, w->force, v + 3);
    plain_jacobian(s->judge, w->link, w->frame, J);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < 6; k++) {
            tau[i] -= J[k * s->n + i] * v[k];
            most = fmax(most, fabs(J[k * s->n + i] * v[k]));
        }
    return most;
}

static void wrenches_by_virtual_work(subject *s, const motion *x)
{
    arne_wrench w[WRENCHES];
    double free[MOST_DOF], loaded[MOST_DOF], h[MOST_DOF], h0[MOST_DOF], scale = 0;
    random_wrenches(s, w);
    arne_set_wrenches(s->settings, NULL, 0);
    arne_id(s->data, x->q, x->qd, x->qdd, free);
    arne_bias(s->data, x->q, x->qd, h0);
    arne_set_wrenches(s->settings, w, WRENCHES);
    arne_id(s->data, x->q, x->qd, x->qdd, loaded);
    arne_bias(s->data, x->q, x->qd, h);
    scale = fmax(largest(s->n, free), largest(s->n, h0));
    for (int k = 0; k < WRENCHES; k++) {
        scale += less_wrench(s, &w[k], free);
        less_wrench(s, &w[k], h0);
    }
    expect_near(s, "id(w) = id(0) - J'w", s->n, loaded, free, TOLERANCE, scale);
    expect_near(s, "bias(w) = bias(0) - J'w", s->n, h, h0, TOLERANCE, scale);
    arne_set_wrenches(s->settings, NULL, 0);
}

static void forward_feels_wrenches(subject *s, const motion *x)
{
    static const double no[MOST_DOF];
    arne_wrench w[WRENCHES];
    double tau[MOST_DOF], qdd[2][MOST_DOF], M[MOST_DOF * MOST_DOF];
    random_wrenches(s, w);
    arne_set_wrenches(s->settings, w, WRENCHES);
    arne_id(s->data, x->q, x->qd, x->qdd, tau);
    const double scale = fmax(carried(s, x), largest(s->n, tau));
    arne_mass(s->data, x->q, M);
    assert_int_equal(arne_fd(s->data, x->q, x->qd, tau, qdd[0]), ARNE_OK);
    assert_int_equal(arne_fd_crba(s->data, x->q, x->qd, tau, qdd[1]), ARNE_OK);
    for (int k = 0; k < 2; k++) {
        double left[MOST_DOF] = {0};
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n; j++) left[i] += M[i * s->n + j] * (qdd[k][j] - x->qdd[j]);
        expect_near(s, k ? "fd(id) under wrenches by crba" : "fd(id) under wrenches by aba", s->n, left, no, TOLERANCE, scale);
    }
    arne_set_wrenches(s->settings, NULL, 0);
}

/* the part of a joint's wrench along its axis is its torque, wrenches on or off */
static void reactions_project_on_torques(subject *s, const motion *x)
{
    arne_wrench w[WRENCHES];
    double tau[MOST_DOF], is[MOST_DOF], passed[6 * MOST_DOF], J[6 * MOST_DOF];
    random_wrenches(s, w);
    arne_set_rigid(s->settings, true);
    for (int with = 0; with < 2; with++) {
        arne_set_wrenches(s->settings, w, with ? WRENCHES : 0);
        arne_id(s->data, x->q, x->qd, x->qdd, tau);
        arne_joint_wrenches(s->data, x->q, x->qd, x->qdd, passed);
        for (int i = 0; i < s->n; i++) {
            plain_jacobian(s->judge, arne_joint_link(s->m, i), ARNE_LOCAL, J);
            is[i] = 0;
            for (int k = 0; k < 6; k++) is[i] += J[k * s->n + i] * passed[6 * i + k];
        }
        expect_near(s, "joint wrench along the axis", s->n, is, tau, TOLERANCE, largest(6 * s->n, passed));
    }
    arne_set_wrenches(s->settings, NULL, 0);
    arne_set_rigid(s->settings, false);
}

/* at rest the joints on the base carry the whole weight */
static void base_carries_the_weight(subject *s, const motion *x)
{
    static const double no[MOST_DOF];
    double passed[6 * MOST_DOF], force[3] = {0}, weight[3] = {0}, scale = 0;
    arne_joint_wrenches(s->data, x->q, no, no, passed);
    for (int i = 0; i < s->n; i++) {
        if (arne_joint_parent(s->m, i) >= 0) continue;
        arne_pose p;
        arne_link_pose(s->data, x->q, arne_joint_link(s->m, i), &p);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) force[k] += p.R[3 * k + c] * passed[6 * i + c];
    }
    for (int l = 0; l < s->nlink; l++)
        for (int k = 0; k < 3; k++)
            if (arne_link_joint(s->m, l) >= 0) weight[k] -= arne_link_body(s->m, l)->mass * s->g[k];
    scale = largest(3, weight);
    expect_near(s, "force on the base", 3, force, weight, TOLERANCE, scale);
}

static void wrenches_act_by_virtual_work(void **state) { (void)state, on_all_robots(wrenches_by_virtual_work); }
static void forward_dynamics_feels_wrenches(void **state) { (void)state, on_all_robots(forward_feels_wrenches); }
static void joint_wrenches_project_on_torques(void **state) { (void)state, on_all_robots(reactions_project_on_torques); }
static void joints_on_the_base_carry_the_weight(void **state) { (void)state, on_all_robots(base_carries_the_weight); }

/* a bar of 1 m, hinged at its end about y, with 10 N down at its tip: 10 Nm, in every frame */
static void a_force_on_a_bar_by_hand(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("bar");
    d->gravity[2] = 0;
    arne_description_link(d, "base", 0);
    arne_description_link(d, "bar", 0)->body = (arne_body){1, {0.5, 0, 0}, {0, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(d, "hinge", 0, ARNE_REVOLUTE, "base", "bar");
    j->axis[1] = 1, j->axis[2] = 0;
    j->before.p[0] = 2;
    subject s = subject_of(d);
    const arne_wrench w[] = {
        {1, ARNE_LOCAL, {0, 0, -10}, {0, 0, 0}, {1, 0, 0}},
        {1, ARNE_ALIGNED, {0, 0, -10}, {0, 10, 0}, {0, 0, 0}},
        {1, ARNE_WORLD, {0, 0, -10}, {0, 30, 0}, {9, 9, 9}}, /* through (3, 0, 0); the point is not used */
        {0, ARNE_WORLD, {1, 2, 3}, {4, 5, 6}, {0, 0, 0}},    /* on the base: nobody feels it */
    };
    const double no[1] = {0}, should[4] = {-10, -10, -10, 0};
    for (int k = 0; k < 4; k++) {
        double tau;
        arne_set_wrenches(s.settings, &w[k], 1);
        arne_id(s.data, no, no, no, &tau); /* positive about y is down: the hinge holds with -10 Nm */
        expect_near(&s, "torque", 1, &tau, &should[k], 1e-15, 10);
    }
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrenches_act_by_virtual_work),      cmocka_unit_test(forward_dynamics_feels_wrenches),
        cmocka_unit_test(joint_wrenches_project_on_torques), cmocka_unit_test(joints_on_the_base_carry_the_weight),
        cmocka_unit_test(a_force_on_a_bar_by_hand),
    };
    return cmocka_run_group_tests_name("laws/wrench", tests, NULL, NULL);
}
