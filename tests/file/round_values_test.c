/* SPDX-License-Identifier: MIT
 *
 * round_values_test.c - what a YAML file leaves out when it is written is what is assumed when it is read: drives whose numbers
 * are all the same round one, which may be a default of some of them, read back as they were. Limits in URDF, present or not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/file.h"
#include "support/tempfile.h"

enum { FIELDS = 21, MOTOR = 7, SPRING = 13 };

/* all numbers of a drive; limits last */
static void fields_of(arne_joint_description *j, double *field[FIELDS])
{
    double *const all[FIELDS] = {&j->friction.viscous,
                                 &j->friction.coulomb,
                                 &j->friction.static_,
                                 &j->friction.stribeck_velocity,
                                 &j->friction.stribeck_exponent,
                                 &j->friction.offset,
                                 &j->friction.coulomb_negative,
                                 &j->motor.inertia,
                                 &j->motor.gear,
                                 &j->motor.viscous,
                                 &j->motor.coulomb,
                                 &j->motor.effort,
                                 &j->motor.speed,
                                 &j->elastic.stiffness,
                                 &j->elastic.damping,
                                 &j->elastic.cubic,
                                 &j->elastic.quintic,
                                 &j->limits.upper,
                                 &j->limits.velocity,
                                 &j->limits.acceleration,
                                 &j->limits.effort};
    memcpy(field, all, sizeof all);
}

static arne_description *drive(void)
{
    arne_description *d = arne_description_new("one");
    assert_true(d && arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "arm", 0);
    assert_non_null(l);
    l->body = (arne_body){.mass = 1, .com = {1, 1, 1}, .inertia = {1, 0, 0, 1, 0, 1}};
    assert_non_null(arne_description_joint(d, "j1", 0, ARNE_REVOLUTE, "base", "arm"));
    return d;
}

/* all fields are this value, or all but one, which is left as it was made, or only one */
static void expect_back(double value, int left, int only)
{
    arne_description *d = drive(), *back = NULL;
    double *field[FIELDS], *found[FIELDS];
    fields_of(&d->joints[0], field);
    for (int i = 0; i < FIELDS; i++)
        if (only >= 0 ? i == only : i != left) *field[i] = value;
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "one.yaml", "");
    arne_error error = {0};
    if (arne_write(d, ARNE_YAML, path, &error)) fail_msg("%g, without %d, only %d: %s", value, left, only, error.message);
    if (arne_read(path, NULL, &back, &error)) fail_msg("%g, without %d, only %d: %s", value, left, only, error.message);
    temp_close(&folder);
    fields_of(&back->joints[0], found);
    for (int i = 0; i < FIELDS; i++)
        if (*field[i] != *found[i]) fail_msg("%g, without %d, only %d: number %d is %g", value, left, only, i, *found[i]);
    arne_description_free(d);
    arne_description_free(back);
}

static void round_numbers_read_back(void **state)
{
    (void)state;
    static const double values[] = {0.1, 0.5, 1, 2, 3, 1000};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (int left = -1; left < FIELDS; left++)
            if (left != SPRING) expect_back(values[v], left, -1); /* k3 and k5 alone do not rise */
}

/* one number is enough for a motor to be written */
static void one_number_makes_a_motor(void **state)
{
    (void)state;
    for (int only = MOTOR; only < SPRING; only++) expect_back(2, -1, only);
}

/* in URDF a joint without limits is continuous, and may still have those of speed and torque */
static void limits_of_urdf_read_back(void **state)
{
    (void)state;
    static const arne_limits cases[] = {
        {.lower = -1, .upper = 2, .velocity = 3, .effort = 4},
        {.lower = -1, .upper = 2, .velocity = INFINITY, .effort = 4},
        {.lower = -1, .upper = 2, .velocity = 3, .effort = INFINITY},
        {.lower = -INFINITY, .upper = INFINITY, .velocity = 3, .effort = INFINITY},
        {.lower = -INFINITY, .upper = INFINITY, .velocity = INFINITY, .effort = 4},
        {.lower = -INFINITY, .upper = INFINITY, .velocity = INFINITY, .effort = INFINITY},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const arne_limits *l = &cases[k];
        arne_description *d = drive(), *back = NULL;
        d->joints[0].limits = *l;
        d->joints[0].limits.acceleration = INFINITY;
        d->joints[0].continuous = isinf(l->upper);
        temp_folder folder = temp_open();
        const char *path = temp_write(&folder, "one.urdf", "");
        arne_error error = {0};
        if (arne_write(d, ARNE_URDF, path, &error)) fail_msg("case %zu: %s", k, error.message);
        if (d->nwarning) fail_msg("case %zu: %s", k, d->warnings[0]); /* there is no motor that URDF could not say */
        if (arne_read(path, NULL, &back, &error)) fail_msg("case %zu: %s", k, error.message);
        temp_close(&folder);
        const arne_limits *b = &back->joints[0].limits;
        if (b->lower != l->lower || b->upper != l->upper || b->velocity != l->velocity || b->effort != l->effort)
            fail_msg("case %zu: %g %g %g %g", k, b->lower, b->upper, b->velocity, b->effort);
        arne_description_free(d);
        arne_description_free(back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_number_makes_a_motor),
        cmocka_unit_test(round_numbers_read_back),
        cmocka_unit_test(limits_of_urdf_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
