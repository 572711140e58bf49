/* SPDX-License-Identifier: MIT
 *
 * fingerprint_test.c - the same file gives the same number; any number of the robot changes it, its names do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arne/file.h"

static uint64_t print_of(arne_description *d)
{
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    const uint64_t print = arne_model_fingerprint(m);
    arne_model_free(m);
    return print;
}

static arne_description *read_robot(const char *path)
{
    arne_description *d;
    arne_error error = {0};
    if (arne_read(path, NULL, &d, &error)) fail_msg("%s", error.message);
    return d;
}

static void the_same_file_the_same_number(void **state)
{
    (void)state;
    static const char *const files[] = {ARNE_ROBOTS "/ur5e.yaml", ARNE_ROBOTS "/kuka-lwr.yaml", ARNE_ROBOTS "/humanoid.yaml"};
    uint64_t last = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        arne_description *one = read_robot(files[i]), *two = read_robot(files[i]);
        void *between = malloc(100000); /* other memory */
        const uint64_t print = print_of(one);
        if (between) memset(between, 0xa5, 100000);
        free(between);
        assert_true(print == print_of(two));
        assert_true(print != last);
        last = print;
        free(two->joints[0].name);
        two->joints[0].name = strdup("another");
        assert_true(print == print_of(two));
        arne_description_free(one);
        arne_description_free(two);
    }
}

static void any_number_changes_it(void **state)
{
    (void)state;
    arne_description *d = read_robot(ARNE_ROBOTS "/kuka-lwr.yaml");
    arne_joint_description *j = &d->joints[d->njoint - 1];
    while (j->type != ARNE_REVOLUTE) j--;
    arne_body *body = &d->links[d->nlink - 1].body;
    double curve[2][2] = {{0, 300}, {4, 200}};
    double *J = calloc(49, sizeof *J);
    assert_non_null(J);
    for (int i = 0; i < 7; i++) J[8 * i] = 1;
    d->transmission = J;
    d->ntransmission = 7;
    assert_int_equal(d->joints[d->njoint - 1].motor.ncurve, 0);
    j->motor.curve = curve;
    j->motor.ncurve = 2;
    j->motor.effort = j->motor.speed = j->limits.velocity = j->limits.acceleration = j->limits.jerk = j->limits.effort_rate = 5;
    double *const numbers[] = {&body->mass,
                               &body->com[1],
                               &body->inertia[5],
                               &j->before.p[2],
                               &j->limits.lower,
                               &j->limits.upper,
                               &j->limits.velocity,
                               &j->limits.acceleration,
                               &j->limits.effort,
                               &j->limits.jerk,
                               &j->limits.effort_rate,
                               &j->motor.inertia,
                               &j->motor.gear,
                               &j->motor.viscous,
                               &j->motor.coulomb,
                               &j->motor.effort,
                               &j->motor.speed,
                               &curve[0][0],
                               &curve[1][1],
                               &j->friction.viscous,
                               &j->friction.coulomb,
                               &j->elastic.stiffness,
                               &j->elastic.damping,
                               &J[48],
                               &J[6],
                               &d->gravity[2]};
    const uint64_t print = print_of(d);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double before = *numbers[i];
        *numbers[i] += 1e-9;
        if (print_of(d) == print) fail_msg("number %d is not in the fingerprint", (int)i);
        *numbers[i] = before;
    }
    assert_true(print_of(d) == print);
    j->motor.curve = NULL;
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_file_the_same_number),
        cmocka_unit_test(any_number_changes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
