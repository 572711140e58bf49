/* SPDX-License-Identifier: MIT
 *
 * convert_test.c - a robot written to a file and read back feels the same, in every format, as far as the format can say it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "support/subject.h"
#include "support/tempfile.h"

/* Angles go through atan2 and back, inertias to another point: a few roundings, beside what the joints carry. */
static const double TOLERANCE = 1e-12;

enum { RANDOM_ROBOTS = FEWER(308) };

static const char *const file_name[] = {[ARNE_URDF] = "robot.urdf", [ARNE_YAML] = "robot.yaml", [ARNE_PAR] = "robot.par"};

/* Can the format say all that arne_id needs? */
static bool says_everything(const arne_description *d, arne_format format)
{
    if (format == ARNE_YAML) return true;
    if (d->transmission) return false;
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        if (j->friction.static_ != 0 || j->friction.npoint > 0) return false;
        if (format == ARNE_URDF && (j->motor.inertia != 0 || j->motor.viscous != 0 || j->motor.coulomb != 0)) return false;
    }
    return true;
}

/* Writes s->d and reads it back. */
static subject converted(const subject *s, arne_format format)
{
    temp_folder t = temp_open();
    const char *path = temp_write(&t, file_name[format], "");
    arne_error error;
    arne_description *d = NULL;
    arne_status status = arne_write(s->d, format, path, &error);
    if (!status) status = arne_read(path, NULL, &d, &error);
    temp_close(&t);
    if (status) fail_msg("%s as %s: line %d: %s", s->name, file_name[format], error.line, error.message);
    return subject_of(d);
}

static void expect_names(const subject *s, const subject *other)
{
    for (int i = 0; i < s->n; i++) assert_string_equal(arne_joint_name(other->m, i), arne_joint_name(s->m, i));
    for (int l = 0; l < s->nlink; l++)
        if (arne_link_find(other->m, arne_link_name(s->m, l)) < 0)
            fail_msg("%s: link %s is lost", s->name, arne_link_name(s->m, l));
}

static void expect_same(subject *s, subject *other, const char *law)
{
    for (int k = 0; k < STATES; k++) {
        const motion x = subject_motion(s, k);
        double is[MOST_DOF], should[MOST_DOF];
        arne_id(other->data, x.q, x.qd, x.qdd, is);
        arne_id(s->data, x.q, x.qd, x.qdd, should);
        expect_near(s, law, s->n, is, should, TOLERANCE, carried(s, &x));
    }
}

static void expect_links(subject *s, subject *other)
{
    const motion x = subject_motion(s, 1);
    for (int l = 0; l < s->nlink; l++) {
        arne_pose a, b;
        arne_link_pose(s->data, x.q, l, &a);
        arne_link_pose(other->data, x.q, arne_link_find(other->m, arne_link_name(s->m, l)), &b);
        expect_near(s, "rotation of a link", 9, b.R, a.R, TOLERANCE, 1);
        expect_near(s, "origin of a link", 3, b.p, a.p, TOLERANCE, 1 + largest(3, a.p));
    }
}

static void through(arne_format format, unsigned parts)
{
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts);
        subject other = converted(&s, format);
        assert_int_equal(other.n, s.n);
        if (format == ARNE_URDF)
            arne_set_gravity(other.settings, s.g); /* which URDF cannot say */
        else
            expect_near(&s, "gravity", 3, other.g, s.g, 0, 0);
        if (format != ARNE_PAR) {
            expect_names(&s, &other);
            expect_links(&s, &other);
        }
        if (says_everything(s.d, format)) expect_same(&s, &other, "torques with motors and friction");
        arne_set_rigid(s.settings, true);
        arne_set_rigid(other.settings, true);
        expect_same(&s, &other, "rigid torques");
        subject_close(&other);
        subject_close(&s);
    }
}

static void urdf_keeps_the_robot(void **state)
{
    (void)state;
    through(ARNE_URDF, RANDOM_FRICTION);
    through(ARNE_URDF, RANDOM_ALL);
}
static void yaml_keeps_the_robot(void **state)
{
    (void)state;
    through(ARNE_YAML, RANDOM_RIGID);
    through(ARNE_YAML, RANDOM_ALL);
}
static void par_keeps_the_robot(void **state)
{
    (void)state;
    through(ARNE_PAR, RANDOM_MOTORS | RANDOM_FRICTION);
    through(ARNE_PAR, RANDOM_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urdf_keeps_the_robot),
        cmocka_unit_test(yaml_keeps_the_robot),
        cmocka_unit_test(par_keeps_the_robot),
    };
    return cmocka_run_group_tests_name("laws/convert", tests, NULL, NULL);
}
