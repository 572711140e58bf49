/* SPDX-License-Identifier: MIT
 *
 * pose_test.c - rigid transforms against numbers worked by hand, and the memory of a description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "describe/pose.h"

/* a few roundings of numbers near 1 */
static const double TOLERANCE = 4e-16;
static const double PI = 3.14159265358979323846;

static void same(const arne_pose *pose, const double R[9], const double p[3], double tolerance)
{
    for (int i = 0; i < 9; i++)
        if (!(fabs(pose->R[i] - R[i]) <= tolerance)) fail_msg("R[%d] = %.17g, not %.17g", i, pose->R[i], R[i]);
    for (int i = 0; i < 3; i++)
        if (!(fabs(pose->p[i] - p[i]) <= tolerance)) fail_msg("p[%d] = %.17g, not %.17g", i, pose->p[i], p[i]);
}

static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const double cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    double c, s;
    for (int k = -1000; k <= 1000; k++) {
        arne__exact_cos_sin(k * (PI / 2), &c, &s);
        assert_true(c == cosine[k & 3] && s == sine[k & 3]);
    }
    /* beside it, within 4e-16 max(1, |angle|): two of the numbers behind pi/2, but not three */
    double beside = PI / 2;
    for (int k = 1; k <= 3; k++) {
        beside = nextafter(beside, 2);
        arne__exact_cos_sin(beside, &c, &s);
        assert_true(k < 3 ? c == 0 && s == 1 : c == cos(beside));
    }
    arne__exact_cos_sin(3e-16, &c, &s);
    assert_true(c == 1 && s == 0);
    /* angles below 1e6 have digits that tell */
    arne__exact_cos_sin(636001 * (PI / 2), &c, &s);
    assert_true(c == 0 && s == 1);
}

static void other_angles_are_left_alone(void **state)
{
    (void)state;
    static const double angles[] = {4.5e-16, 1e-15, 637001 * (PI / 2), 1.570796, 3.14159, 1.57079632679, 0.3, -2, 1e7, 1e300};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        double c, s;
        arne__exact_cos_sin(angles[i], &c, &s);
        assert_true(c == cos(angles[i]) && s == sin(angles[i]));
    }
}

/* Rz(90) Tz(1) Rx(90) Tx(2) Rz(90) Tz(3), worked by hand column by column */
static void mdh_of_quarter_turns(void **state)
{
    (void)state;
    const double dh[6] = {PI / 2, 1, PI / 2, 2, PI / 2, 3};
    arne_pose pose = arne_pose_mdh(dh);
    /* Rx(90) Rz(90): x -> z, y -> -x, z -> -y; then Rz(90): z stays, -x -> -y, -y -> x */
    const double R[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0}, p[3] = {3, 2, 1};
    same(&pose, R, p, 0);
}

/* p = Rz(gamma) (d, -r sin(alpha), b + r cos(alpha)) */
static void mdh_of_general_angles(void **state)
{
    (void)state;
    const double dh[6] = {0.3, 0.1, -0.7, 0.2, 1.1, 0.5};
    arne_pose pose = arne_pose_mdh(dh);
    double x = 0.2, y = -0.5 * sin(-0.7), z = 0.1 + 0.5 * cos(-0.7);
    assert_true(fabs(pose.p[0] - (cos(0.3) * x - sin(0.3) * y)) <= TOLERANCE);
    assert_true(fabs(pose.p[1] - (sin(0.3) * x + cos(0.3) * y)) <= TOLERANCE);
    assert_true(fabs(pose.p[2] - z) <= TOLERANCE);
    assert_true(fabs(pose.R[8] - cos(-0.7)) <= TOLERANCE);
    assert_true(fabs(pose.R[6] - sin(-0.7) * sin(1.1)) <= TOLERANCE);
}

/* the textbook matrix of standard Denavit-Hartenberg numbers */
static void dh_is_the_textbook_matrix(void **state)
{
    (void)state;
    double a = 0.4, d = 0.25, ct = cos(0.6), st = sin(0.6), ca = cos(-1.2), sa = sin(-1.2);
    arne_pose pose = arne_pose_dh(a, -1.2, d, 0.6);
    const double R[9] = {ct, -st * ca, st * sa, st, ct * ca, -ct * sa, 0, sa, ca}, p[3] = {a * ct, a * st, d};
    same(&pose, R, p, TOLERANCE);
    pose = arne_pose_dh(0.5, -PI / 2, 0.1, PI);
    const double R2[9] = {-1, 0, 0, 0, 0, -1, 0, -1, 0}, p2[3] = {-0.5, 0, 0.1};
    same(&pose, R2, p2, 0);
}

/* R = Rz(yaw) Ry(pitch) Rx(roll), not the other way round */
static void rpy_turns_roll_first(void **state)
{
    (void)state;
    const double xyz[3] = {1, 2, 3}, rpy[3] = {PI / 2, 0, PI / 2};
    arne_pose pose = arne_pose_rpy(xyz, rpy);
    /* x -> x -> y, y -> z -> z, z -> -y -> x */
    const double R[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    same(&pose, R, xyz, 0);
    const double general[3] = {0.1, -0.2, 0.3};
    pose = arne_pose_rpy(xyz, general);
    assert_true(fabs(pose.R[6] + sin(-0.2)) <= TOLERANCE);
    assert_true(fabs(pose.R[7] - cos(-0.2) * sin(0.1)) <= TOLERANCE);
    assert_true(fabs(pose.R[3] - sin(0.3) * cos(-0.2)) <= TOLERANCE);
}

static void a_pose_times_its_inverse_is_the_identity(void **state)
{
    (void)state;
    const double dh[6] = {0.3, 0.1, -0.7, 0.2, 1.1, 0.5};
    arne_pose a = arne_pose_mdh(dh), b = arne__pose_inverse(&a), c = arne__pose_mul(&a, &b), one = arne__pose_identity();
    same(&c, one.R, one.p, TOLERANCE);
    c = arne__pose_mul(&b, &a);
    same(&c, one.R, one.p, TOLERANCE);
}

static void a_description_grows_and_copies(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("many");
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "n%d", i);
        assert_non_null(arne_description_link(d, name, i));
        assert_non_null(arne_description_joint(d, name, i, ARNE_REVOLUTE, "p", name));
        arne_description_warn(d, i, "number %d", i);
    }
    assert_int_equal(d->nlink, 100);
    assert_int_equal(d->njoint, 100);
    assert_int_equal(d->nwarning, 100);
    assert_string_equal(d->links[63].name, "n63");
    assert_string_equal(d->joints[64].child, "n64");
    assert_string_equal(d->warnings[0], "many: number 0");
    assert_string_equal(d->warnings[99], "many:99: number 99");
    const arne_joint_description *j = &d->joints[5];
    assert_true(j->limits.lower == -INFINITY && j->limits.effort == INFINITY && j->motor.gear == 1 && j->motor.speed == INFINITY);
    assert_true(j->axis[2] == 1 && j->before.R[4] == 1 && j->friction.stribeck_exponent == 2 && d->gravity[2] == -9.81);
    arne_description_free(d);
    arne_description_free(NULL);
}

/* what a reader does not set */
static void a_new_joint_has_no_limits_and_no_drive(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("one");
    const arne_joint_description *j = arne_description_joint(d, "j", 7, ARNE_PRISMATIC, "a", "b");
    assert_non_null(j);
    assert_string_equal(j->name, "j");
    assert_string_equal(j->parent, "a");
    assert_string_equal(j->child, "b");
    assert_int_equal(j->line, 7);
    assert_int_equal(j->type, ARNE_PRISMATIC);
    const arne_limits *l = &j->limits;
    assert_true(l->lower == -INFINITY && l->upper == INFINITY && l->velocity == INFINITY && l->acceleration == INFINITY &&
                l->effort == INFINITY && l->jerk == INFINITY && l->effort_rate == INFINITY);
    const arne_motor *m = &j->motor;
    assert_true(m->inertia == 0 && m->gear == 1 && m->viscous == 0 && m->coulomb == 0 && m->effort == INFINITY &&
                m->speed == INFINITY && m->ncurve == 0);
    const arne_friction *f = &j->friction;
    assert_true(f->viscous == 0 && f->coulomb == 0 && f->static_ == 0 && f->stribeck_velocity == 0.1 &&
                f->stribeck_exponent == 2 && f->offset == 0 && f->coulomb_negative == 0 && f->npoint == 0);
    assert_true(j->axis[0] == 0 && j->axis[1] == 0 && j->axis[2] == 1 && !j->master && j->elastic.stiffness == 0);
    const arne_pose one = arne__pose_identity();
    same(&j->before, one.R, one.p, 0);
    same(&j->after, one.R, one.p, 0);
    assert_true(d->gravity[0] == 0 && d->gravity[1] == 0 && d->gravity[2] == -9.81);
    const arne_link_description *k = arne_description_link(d, "a", 8);
    assert_true(k && k->line == 8 && k->body.mass == 0);
    arne_description_free(d);
}

/* a state is at rest with every joint at zero: quaternions x y z w of no turn */
static void a_new_state_is_zero(void **state)
{
    (void)state;
    static const arne_joint_type types[] = {ARNE_REVOLUTE, ARNE_SPHERICAL, ARNE_FREE, ARNE_FIXED};
    arne_description *d = arne_description_new("many");
    for (int i = 0; i < 4; i++) assert_non_null(arne_description_joint(d, "j", 0, types[i], "a", "b"));
    for (int times = 0; times < 3; times++) {
        const arne_state_description *s = arne_description_state(d, "home", 5 + times);
        assert_non_null(s);
        assert_string_equal(s->name, "home");
        assert_int_equal(s->line, 5 + times);
        assert_int_equal(s->njoint, 4);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 7; k++) {
                assert_true(s->q[i][k] == (i == 1 ? k == 3 : i == 2 && k == 6));
                assert_true(k > 5 || s->qd[i][k] == 0);
            }
    }
    assert_int_equal(d->nstate, 3);
    arne_description_free(d);
}

static void what_is_open_is_said_once(void **state)
{
    (void)state;
    static const char *const symbols[] = {"XX1", "M2", "XX1", "M2", "MZ3", "IA4", "FV5"};
    arne_description *d = arne_description_new("symbols");
    for (int i = 0; i < 7; i++) assert_int_equal(arne_description_open(d, symbols[i]), ARNE_OK);
    assert_int_equal(d->nopen, 5);
    assert_string_equal(d->open[1], "M2");
    assert_string_equal(d->open[4], "FV5");
    /* who follows is told anew */
    arne_joint_description *j = arne_description_joint(d, "j", 0, ARNE_REVOLUTE, "a", "b");
    assert_int_equal(arne_description_follow(j, "i", 2, 3), ARNE_OK);
    assert_int_equal(arne_description_follow(j, "k", -4, 0.5), ARNE_OK);
    assert_string_equal(j->master, "k");
    assert_true(j->ratio == -4 && j->offset == 0.5);
    /* a warning names the file where there is one */
    d->file = strdup("arm.par");
    arne_description_warn(d, 12, "%s is %d", "M2", 3);
    arne_description_warn(d, 0, "no line");
    assert_string_equal(d->warnings[0], "arm.par:12: M2 is 3");
    assert_string_equal(d->warnings[1], "arm.par: no line");
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(other_angles_are_left_alone),
        cmocka_unit_test(mdh_of_quarter_turns),
        cmocka_unit_test(mdh_of_general_angles),
        cmocka_unit_test(dh_is_the_textbook_matrix),
        cmocka_unit_test(rpy_turns_roll_first),
        cmocka_unit_test(a_pose_times_its_inverse_is_the_identity),
        cmocka_unit_test(a_description_grows_and_copies),
        cmocka_unit_test(a_new_joint_has_no_limits_and_no_drive),
        cmocka_unit_test(a_new_state_is_zero),
        cmocka_unit_test(what_is_open_is_said_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
