/* SPDX-License-Identifier: MIT
 *
 * write_wide_test.c - robots with joints of several freedoms, and with joints that follow others, written and read back: they
 * move as before; what a format has no word for is refused with the joint's name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arne/file.h"
#include "support/alike.h"
#include "support/random_robot.h"

static bool has(const arne_description *d, arne_joint_type type)
{
    for (size_t i = 0; i < d->njoint; i++)
        if (d->joints[i].type == type) return true;
    return false;
}

static void refused(arne_description *d, arne_format format, const char *words)
{
    arne_error e = {0};
    assert_int_equal(arne_write(d, format, "/tmp/arne_never_written", &e), ARNE_CANNOT_WRITE);
    assert_non_null(strstr(e.message, words));
    assert_int_not_equal(access("/tmp/arne_never_written", F_OK), 0);
}

static arne_description *there_and_back(arne_description *d, arne_format format)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/arne_wide_%d.%s", (int)getpid(), format == ARNE_URDF ? "urdf" : "yaml");
    arne_description *back = NULL;
    arne_error e;
    if (arne_write(d, format, path, &e)) fail_msg("%s", e.message);
    if (arne_read(path, NULL, &back, &e)) fail_msg("%s:%d: %s", e.file, e.line, e.message);
    unlink(path);
    return back;
}

static void robots_with_free_and_spherical_joints_read_back(void **state)
{
    (void)state;
    int free_ones = 0, spherical = 0, urdfs = 0;
    for (unsigned seed = 0; seed < 80; seed++) {
        arne_description *d = random_robot_with(seed, seed % 3 ? RANDOM_ANY : RANDOM_WIDE);
        arne_description *back = there_and_back(d, ARNE_YAML);
        assert_alike(d, back, seed, 1e-11);
        arne_description_free(back);
        free_ones += has(d, ARNE_FREE);
        spherical += has(d, ARNE_SPHERICAL);
        if (has(d, ARNE_SPHERICAL)) refused(d, ARNE_URDF, "is spherical: URDF has no such joint");
        if (has(d, ARNE_SPHERICAL) || has(d, ARNE_FREE)) refused(d, ARNE_PAR, "several freedoms: .par cannot say that");
        arne_description_free(d);
        d = random_robot_with(seed, RANDOM_WIDE);
        if (has(d, ARNE_FREE) && !has(d, ARNE_SPHERICAL)) {
            memcpy(d->gravity, (const double[3]){0, 0, -9.81}, sizeof d->gravity);
            back = there_and_back(d, ARNE_URDF);
            assert_alike(d, back, seed, 1e-11);
            arne_description_free(back);
            urdfs++;
        }
        arne_description_free(d);
    }
    assert_true(free_ones > 20 && spherical > 20 && urdfs > 5);
}

/* What --base free adds is told by one word, whatever the base weighs and is called. */
static void a_base_that_floats_reads_back(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 30; seed++) {
        arne_description *d = random_robot_with(seed, RANDOM_MOTORS | RANDOM_FRICTION), *back;
        assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, NULL), ARNE_OK);
        for (int k = 0; k < 2; k++) {
            if (k == 1) memcpy(d->gravity, (const double[3]){0, 0, -9.81}, sizeof d->gravity);
            for (size_t i = 0; k == 1 && i < d->njoint; i++)
                d->joints[i].motor = (arne_motor){.gear = 1}; /* no words for motors */
            back = there_and_back(d, k ? ARNE_URDF : ARNE_YAML);
            assert_alike(d, back, seed, 1e-11);
            assert_string_equal(back->joints[back->njoint - 1].name, "base");
            arne_description_free(back);
        }
        arne_description_free(d);
    }
}

static void masters_are_kept(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 40; seed++) {
        arne_description *d = random_robot(seed);
        size_t master = 0, n = 0;
        while (master < d->njoint && d->joints[master].type == ARNE_FIXED) master++;
        for (size_t i = master + 1; i < d->njoint; i++, n++)
            arne_description_follow(&d->joints[i], d->joints[master].name, 0.25 * (double)i, -1.5);
        for (int k = 0; k < 2; k++) {
            arne_description *back = there_and_back(d, k ? ARNE_URDF : ARNE_YAML);
            for (size_t i = master + 1; i < d->njoint; i++) {
                size_t same = 0;
                while (strcmp(back->joints[same].name, d->joints[i].name)) same++;
                const arne_joint_description *j = &back->joints[same];
                if (j->type == ARNE_FIXED) { /* follows nobody */
                    assert_null(j->master);
                    continue;
                }
                assert_string_equal(j->master, d->joints[master].name);
                assert_true(j->ratio == 0.25 * (double)i && j->offset == -1.5);
            }
            arne_description_free(back);
        }
        for (size_t i = master + 1; i < d->njoint; i++)
            if (d->joints[i].type != ARNE_FIXED) {
                refused(d, ARNE_PAR, "follows");
                break;
            }
        arne_description_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_with_free_and_spherical_joints_read_back),
        cmocka_unit_test(a_base_that_floats_reads_back),
        cmocka_unit_test(masters_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
