/* SPDX-License-Identifier: MIT
 *
 * joints_test.c - what lies between motor and link: friction laws, rotors, gears and coupled transmissions by hand numbers,
 * virtual work on random ones; and joints that move nothing, which forward dynamics must name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/subject.h"

/* A handful of products. */
static const double BY_HAND = 1e-14;
/* Sums over a dozen joints, through an inverted matrix. */
static const double TOLERANCE = 1e-12;

enum { RANDOM_ROBOTS = FEWER(1000) };

/* base - joint - link of 2 kg, inertia 0.1 about the joint's axis */
static arne_description *one_joint(arne_joint_type type)
{
    arne_description *d = arne_description_new("one joint");
    if (!d || !arne_description_link(d, "base", 0)) abort();
    arne_link_description *l = arne_description_link(d, "link", 0);
    if (!l || !arne_description_joint(d, "joint", 0, type, "base", "link")) abort();
    l->body = (arne_body){2, {0, 0, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    return d;
}

typedef struct {
    double speed, torque;
} friction_at;

static void expect_friction(arne_description *d, int count, const friction_at *points)
{
    subject s = subject_of(d);
    for (int k = 0; k < count; k++) {
        double f, tau;
        const double q[1] = {0.3}, no[1] = {0};
        arne_friction_torque(s.data, &points[k].speed, &f);
        expect_near(&s, "friction", 1, &f, &points[k].torque, BY_HAND, 1 + fabs(points[k].torque));
        arne_id(s.data, q, &points[k].speed, no, &tau); /* a wheel about its centre: nothing but friction */
        expect_near(&s, "friction in the torque", 1, &tau, &points[k].torque, BY_HAND, 1 + fabs(points[k].torque));
        arne_set_rigid(s.settings, true);
        arne_id(s.data, q, &points[k].speed, no, &tau);
        assert_true(fabs(tau) <= BY_HAND);
        arne_friction_torque(s.data, &points[k].speed, &f);
        assert_true(f == 0);
        arne_set_rigid(s.settings, false);
    }
    subject_close(&s);
}

static void coulomb_and_viscous_friction_by_hand(void **state)
{
    (void)state;
    arne_description *d = one_joint(ARNE_REVOLUTE);
    d->joints[0].friction.viscous = 0.5;
    d->joints[0].friction.coulomb = 2;
    expect_friction(d, 3, (friction_at[]){{3, 3.5}, {-3, -3.5}, {0, 0}});
}

static void stribeck_friction_by_hand(void **state)
{
    (void)state;
    arne_description *d = one_joint(ARNE_REVOLUTE);
    arne_friction *f = &d->joints[0].friction;
    f->viscous = 0.5, f->coulomb = 2, f->static_ = 5, f->stribeck_velocity = 0.1, f->stribeck_exponent = 2;
    const double e = 3 * exp(-1), e4 = 3 * exp(-4);
    expect_friction(d, 5, (friction_at[]){{0.1, 2.05 + e}, {-0.1, -2.05 - e}, {0.2, 2.1 + e4}, {0, 0}, {50, 27}});
    d = one_joint(ARNE_PRISMATIC);
    f = &d->joints[0].friction;
    d->gravity[2] = 0;
    f->coulomb = 1, f->static_ = 2, f->stribeck_velocity = 0.5, f->stribeck_exponent = 1;
    expect_friction(d, 2, (friction_at[]){{0.5, 1 + exp(-1)}, {-1, -1 - exp(-2)}});
}

static void friction_points_by_hand(void **state)
{
    (void)state;
    static const double law[3][2] = {{0, 1}, {1, 3}, {3, 4}};
    arne_description *d = one_joint(ARNE_REVOLUTE);
    arne_friction *f = &d->joints[0].friction;
    f->npoint = 3;
    f->points = malloc(sizeof law);
    assert_non_null(f->points);
    memcpy(f->points, law, sizeof law);
    f->viscous = 100, f->coulomb = 100, f->static_ = 200; /* the points stand instead of these */
    expect_friction(d, 6, (friction_at[]){{0.5, 2}, {-0.5, -2}, {1, 3}, {2, 3.5}, {5, 5}, {0, 0}});
}

static void motor_friction_and_rotor_pass_the_gear(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        arne_description *d = one_joint(ARNE_REVOLUTE);
        d->joints[0].motor.inertia = 0.002;
        d->joints[0].motor.gear = 10 * sign;
        d->joints[0].motor.viscous = 0.01;
        d->joints[0].motor.coulomb = 0.2;
        d->joints[0].friction.viscous = 0.5;
        subject s = subject_of(d);
        const double q[1] = {1}, qd[1] = {2}, qdd[1] = {3};
        double M, tau, motor, p, T, U;
        const double mass = 0.1 + 0.2, torque = 0.3 * 3 + 1.5 * 2 + 2, shaft = torque / (10 * sign), momentum = 0.6,
                     kinetic = 0.6;
        arne_mass(s.data, q, &M);
        arne_id(s.data, q, qd, qdd, &tau);
        arne_motor_torques(s.data, &tau, &motor);
        arne_momentum(s.data, q, qd, &p);
        arne_energy(s.data, q, qd, &T, &U);
        expect_close(&s, "inertia with rotor", 1, &M, &mass, BY_HAND);
        expect_close(&s, "torque with rotor", 1, &tau, &torque, BY_HAND);
        expect_close(&s, "shaft torque", 1, &motor, &shaft, BY_HAND);
        expect_close(&s, "momentum with rotor", 1, &p, &momentum, BY_HAND);
        expect_close(&s, "kinetic energy with rotor", 1, &T, &kinetic, BY_HAND);
        const double light = 0.1;
        arne_set_rigid(s.settings, true);
        arne_mass(s.data, q, &M);
        expect_close(&s, "inertia without rotor", 1, &M, &light, BY_HAND);
        subject_close(&s);
    }
}

/* Two slides, up (3 kg) and, carried by it, along x (2 kg). q1 = m1, q2 = m2 - m1, so m = [1 0; 1 1] q. Rotors behind their
 * gears: 0.01 * 10^2 = 1 and 0.005 * 20^2 = 2, at the joints [1 1; 0 1] diag(1, 2) [1 0; 1 1] = [3 2; 2 2]; with diag(5, 2) of
 * the slides M = [8 2; 2 4]. Speeds (0.5, -1) give motor speeds (0.5, -0.5) and motor friction (0.1*0.5 + 0.2, -0.8*0.5 - 0.6) =
 * (0.25, -1), at the joints (-0.75, -1); joint 2 rubs -0.3 more. Torques M (1, 2) + (5*9.81, 0) + friction. */
static arne_description *coupled_slides(bool file_order_turned)
{
    arne_description *d = arne_description_new("coupled slides");
    if (!d) abort();
    static const char *const links[] = {"base", "lift", "arm"};
    for (int i = 0; i < 3; i++)
        if (!arne_description_link(d, links[i], 0)) abort();
    d->links[1].body = (arne_body){3, {0.1, 0.2, 0.3}, {0.1, 0, 0, 0.1, 0, 0.1}};
    d->links[2].body = (arne_body){2, {0.3, 0.1, 0}, {0.1, 0, 0, 0.1, 0, 0.1}};
    for (int i = 0; i < 2; i++) {
        const int which = file_order_turned ? 1 - i : i;
        arne_joint_description *j =
            arne_description_joint(d, which ? "j2" : "j1", 0, ARNE_PRISMATIC, links[which], links[which + 1]);
        if (!j) abort();
        if (which == 0) {
            j->motor = (arne_motor){0.01, 10, 0.001, 0.02, INFINITY, INFINITY, 0, NULL};
        } else {
            j->axis[0] = 2, j->axis[2] = 0;
            j->motor = (arne_motor){0.005, 20, 0.002, 0.03, INFINITY, INFINITY, 0, NULL};
            j->friction.viscous = 0.3;
        }
    }
    d->ntransmission = 2;
    d->transmission = malloc(4 * sizeof *d->transmission);
    if (!d->transmission) abort();
    memcpy(d->transmission, file_order_turned ? (double[4]){1, -1, 0, 1} : (double[4]){1, 0, -1, 1}, 4 * sizeof(double));
    return d;
}

static void coupled_transmission_by_hand(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        subject s = subject_of(coupled_slides(turned));
        const double q[2] = {0.2, 0.4}, qd[2] = {0.5, -1}, qdd[2] = {1, 2};
        const double mass[4] = {8, 2, 2, 4}, rub[2] = {-0.75, -1.3}, torque[2] = {60.3, 8.7}, shaft[2] = {5.16, 0.435};
        const double momentum[2] = {2, -3}, kinetic = 2;
        double M[4], f[2], tau[2], motor[2], p[2], T, U, back[2];
        arne_mass(s.data, q, M);
        arne_friction_torque(s.data, qd, f);
        arne_id(s.data, q, qd, qdd, tau);
        arne_motor_torques(s.data, tau, motor);
        arne_momentum(s.data, q, qd, p);
        arne_energy(s.data, q, qd, &T, &U);
        expect_close(&s, "coupled inertia", 4, M, mass, BY_HAND);
        expect_close(&s, "coupled friction", 2, f, rub, BY_HAND);
        expect_close(&s, "coupled torques", 2, tau, torque, BY_HAND);
        expect_close(&s, "shaft torques", 2, motor, shaft, BY_HAND);
        expect_close(&s, "momentum", 2, p, momentum, BY_HAND);
        expect_close(&s, "kinetic energy", 1, &T, &kinetic, BY_HAND);
        for (int k = 0; k < 2; k++) {
            assert_int_equal((k ? arne_fd : arne_fd_crba)(s.data, q, qd, tau, back), ARNE_OK);
            expect_close(&s, "acceleration", 2, back, qdd, 1e-13);
        }
        subject_close(&s);
    }
}

/* tau'dq = sum of shaft torque times shaft motion, with dq = J dq_m in the file order of the joints */
static void transmissions_keep_the_work(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, RANDOM_ALL);
        const motion x = subject_motion(&s, 1);
        double tau[MOST_DOF], motor[MOST_DOF], shafts[MOST_DOF], joint_work = 0, shaft_work = 0, size = 0;
        int index[MOST_DOF], n = 0;
        for (size_t i = 0; i < s.d->njoint; i++)
            if (s.d->joints[i].type != ARNE_FIXED) index[n++] = arne_joint_find(s.m, s.d->joints[i].name);
        assert_int_equal(n, s.n);
        random_vector(&s.r, n, 1, shafts); /* behind the gears */
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        arne_motor_torques(s.data, tau, motor);
        for (int i = 0; i < n; i++) {
            double dq = s.d->transmission ? 0 : shafts[i];
            for (int k = 0; s.d->transmission && k < n; k++) dq += s.d->transmission[i * n + k] * shafts[k];
            joint_work += tau[index[i]] * dq;
            size += fabs(tau[index[i]] * dq);
            shaft_work += motor[index[i]] * arne_joint_motor(s.m, index[i])->gear * shafts[i];
        }
        expect_near(&s, "work of the motors", 1, &shaft_work, &joint_work, TOLERANCE, size);
        subject_close(&s);
    }
}

/* ---- joints that move nothing ---- */
static void expect_singular(subject *s, int joint)
{
    double tau[MOST_DOF], qdd[MOST_DOF];
    arne_set_rigid(s->settings, true);
    for (int k = 0; k < STATES; k++) {
        const motion x = subject_motion(s, k);
        arne_id(s->data, x.q, x.qd, x.qdd, tau);
        for (int method = 0; method < 2; method++) {
            for (int i = 0; i < s->n; i++) qdd[i] = NAN;
            assert_int_equal((method ? arne_fd_crba : arne_fd)(s->data, x.q, x.qd, tau, qdd), ARNE_SINGULAR);
            const int found = arne_data_joint(s->data);
            if (found != joint) fail_msg("%s: singular at joint %d, but %d is reported", s->name, joint, found);
            for (int i = 0; i < s->n; i++)
                if (qdd[i] != 0) fail_msg("%s: singular, but acceleration %d is %g", s->name, i, qdd[i]);
        }
    }
    arne_set_rigid(s->settings, false);
}

/* a joint on the tip of the last branch, with this body */
static subject with_tip(int number, arne_joint_type type, arne_body body)
{
    arne_description *d = robot_number(number, RANDOM_RIGID);
    arne_model *m;
    arne_error error;
    assert_int_equal(arne_model_build(d, NULL, &m, &error), ARNE_OK);
    const char *last = arne_link_name(m, arne_model_links(m) - 1);
    arne_link_description *l = arne_description_link(d, "extra", 0);
    arne_joint_description *j = arne_description_joint(d, "extra", 0, type, last, "extra");
    assert_true(l && j);
    random_stream r = {(uint64_t)number};
    l->body = body;
    j->before = random_pose(&r, 0.5);
    j->motor.inertia = 1e-4;
    j->motor.gear = 50;
    d->mdh = false;
    free(d->transmission);
    d->transmission = NULL;
    arne_model_free(m);
    return subject_of(d);
}

static void massless_tips_are_reported(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = with_tip(number, number % 2 ? ARNE_REVOLUTE : ARNE_PRISMATIC, (arne_body){0});
        const int tip = arne_joint_find(s.m, "extra");
        const motion x = subject_motion(&s, 1);
        double tau[MOST_DOF], qdd[MOST_DOF];
        arne_id(s.data, x.q, x.qd, x.qdd, tau);
        assert_int_equal(arne_fd(s.data, x.q, x.qd, tau, qdd), ARNE_OK); /* its rotor has inertia */
        assert_int_equal(arne_fd_crba(s.data, x.q, x.qd, tau, qdd), ARNE_OK);
        expect_singular(&s, tip);
        subject_close(&s);
    }
}

/* a point mass on the axis of the last joint: it can be lifted but not turned */
static void point_masses_on_the_axis_are_reported(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = with_tip(number, ARNE_REVOLUTE, (arne_body){1.5, {0, 0, 0.3}, {0}});
        expect_singular(&s, arne_joint_find(s.m, "extra"));
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_and_viscous_friction_by_hand),
        cmocka_unit_test(stribeck_friction_by_hand),
        cmocka_unit_test(friction_points_by_hand),
        cmocka_unit_test(motor_friction_and_rotor_pass_the_gear),
        cmocka_unit_test(coupled_transmission_by_hand),
        cmocka_unit_test(transmissions_keep_the_work),
        cmocka_unit_test(massless_tips_are_reported),
        cmocka_unit_test(point_masses_on_the_axis_are_reported),
    };
    return cmocka_run_group_tests_name("laws/joints", tests, NULL, NULL);
}
