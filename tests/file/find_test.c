/* SPDX-License-Identifier: MIT
 *
 * find_test.c - robots by their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/file.h"
#include "support/tempfile.h"

static void shipped_robots_are_listed_in_order(void **state)
{
    (void)state;
    arne_robot_place *list;
    size_t count;
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    assert_int_equal(arne_robots(&list, &count, NULL), ARNE_OK);
    assert_true(count > 10);
    for (size_t i = 1; i < count; i++) assert_true(strcmp(list[i - 1].name, list[i].name) < 0);
    for (size_t i = 0; i < count; i++) assert_int_equal(access(list[i].path, R_OK), 0);
    arne_robots_free(list, count);
}

static void the_first_folder_and_the_first_ending_win(void **state)
{
    (void)state;
    static const char *const names[] = {"ur5e.urdf", "ur5e.yml", "new.par", "note.txt", ".hidden.yaml"};
    char folder[] = "/tmp/arne_find_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        fclose(fopen(path, "w"));
    }
    assert_int_equal(setenv("ARNE_ROBOTS", folder, 1), 0);
    char *found;
    snprintf(path, sizeof path, "%s/ur5e.yml", folder);
    assert_int_equal(arne_robot_find("ur5e", &found, NULL), ARNE_OK);
    assert_string_equal(found, path);
    free(found);
    assert_int_equal(arne_robot_find("new", &found, NULL), ARNE_OK);
    free(found);
    assert_int_equal(arne_robot_find("note", &found, NULL), ARNE_NO_FILE);
    assert_null(found);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void paths_and_faults(void **state)
{
    (void)state;
    static const struct {
        const char *name, *file, *words;
    } bad[] = {
        {"planer2r", "", "there is no robot \"planer2r\"; did you mean \"planar2r\"?"},
        {"nothing.yaml", "nothing.yaml", "there is no such file"},
        {"/nowhere/a.yaml", "/nowhere/a.yaml", "No such file or directory"},
        {"/tmp/", "/tmp/", "this is a folder, not a robot file"},
    };
    arne_error e;
    char *found;
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    assert_int_equal(arne_robot_find(ARNE_ROBOTS "/ur5e.yaml", &found, &e), ARNE_OK);
    assert_string_equal(found, ARNE_ROBOTS "/ur5e.yaml");
    free(found);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(arne_robot_find(bad[i].name, &found, &e), ARNE_NO_FILE);
        assert_string_equal(e.file, bad[i].file);
        if (!strstr(e.message, bad[i].words)) fail_msg("%s: \"%s\"", bad[i].name, e.message);
    }
}

static void scenarios_have_folders_of_their_own(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "fall.yaml", "robot: planar2r\n");
    temp_write(&f, "fall.urdf", "");
    assert_int_equal(setenv("ARNE_SCENARIOS", f.path, 1), 0);
    arne_robot_place *list;
    size_t count, seen = 0;
    assert_int_equal(arne_scenarios(&list, &count, NULL), ARNE_OK);
    for (size_t i = 0; i < count; i++) seen += !strcmp(list[i].name, "fall") && !strcmp(list[i].path, path);
    assert_int_equal(seen, 1);
    arne_robots_free(list, count);
    char *found;
    assert_int_equal(arne_scenario_find("fall", &found, NULL), ARNE_OK);
    assert_string_equal(found, path);
    free(found);
    arne_error e;
    assert_int_equal(arne_scenario_find("fal", &found, &e), ARNE_NO_FILE);
    assert_non_null(strstr(e.message, "there is no scenario \"fal\"; did you mean \"fall\"?"));
    assert_int_equal(arne_robot_find("fall", &found, NULL), ARNE_NO_FILE);
    /* files of other tools */
    assert_int_equal(arne_robot_find(temp_write(&f, "r.xacro", "<robot/>"), &found, &e), ARNE_UNSUPPORTED);
    assert_null(found);
    temp_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_robots_are_listed_in_order),
        cmocka_unit_test(the_first_folder_and_the_first_ending_win),
        cmocka_unit_test(paths_and_faults),
        cmocka_unit_test(scenarios_have_folders_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
