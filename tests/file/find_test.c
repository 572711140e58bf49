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

/* of several files of one name the best ending, in whatever order the folder tells them */
static void the_best_ending_wins(void **state)
{
    (void)state;
    static const char *const endings[] = {".yaml", ".yml", ".urdf", ".xml", ".sdf", ".par"};
    char folder[] = "/tmp/arne_find_XXXXXX", path[64], name[16];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("ARNE_ROBOTS", folder, 1), 0);
    for (int made = 0; made < 2; made++)
        for (int k = 0; k < 30; k++) { /* robot k has the endings i and j, made in one order or the other */
            const int i = k % 5, j = i + 1 + (k / 5) % (5 - i), first = k % 2 ? i : j, second = k % 2 ? j : i;
            for (int e = 0; e < 2; e++) {
                snprintf(path, sizeof path, "%s/r%d%s", folder, k, endings[e ? second : first]);
                if (made)
                    unlink(path);
                else
                    fclose(fopen(path, "w"));
            }
            if (made) continue;
            char *found;
            snprintf(path, sizeof path, "%s/r%d%s", folder, k, endings[i]);
            snprintf(name, sizeof name, "r%d", k);
            assert_int_equal(arne_robot_find(name, &found, NULL), ARNE_OK);
            assert_string_equal(found, path);
            free(found);
        }
    rmdir(folder);
}

/* what lies in the working folder and tells by its ending or a slash what it is; a shipped robot goes before what does not */
static void files_of_the_working_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/arne_find_XXXXXX", back[4096], *found;
    arne_error e;
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(back, sizeof back));
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    assert_int_equal(chdir(folder), 0);
    static const char *const files[] = {"plain", "ur5e", "ur5e.yaml", "my.xacro"};
    for (int i = 0; i < 4; i++) fclose(fopen(files[i], "w"));
    assert_int_equal(mkdir("scara", 0777), 0);
    assert_int_equal(mkdir("nowhere", 0777), 0);
    assert_int_equal(mkdir("folder.yaml", 0777), 0);
    static const struct {
        const char *name, *path;
    } good[] = {{"plain", "plain"},
                {"ur5e", ARNE_ROBOTS "/ur5e.yaml"},
                {"ur5e.yaml", "ur5e.yaml"},
                {"./ur5e", "./ur5e"},
                {"scara", ARNE_ROBOTS "/scara.yaml"}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(arne_robot_find(good[i].name, &found, &e), ARNE_OK);
        assert_string_equal(found, good[i].path);
        free(found);
    }
    assert_int_equal(arne_robot_find("nowhere", &found, &e), ARNE_NO_FILE);
    assert_string_equal(e.message, "there is no robot \"nowhere\" (the shipped robots: arne robots; a file: its path)");
    assert_int_equal(arne_robot_find("folder.yaml", &found, &e), ARNE_NO_FILE);
    assert_string_equal(e.message, "this is a folder, not a robot file");
    assert_int_equal(arne_robot_find("my.xacro", &found, &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message,
                        "a xacro file is a program that writes a URDF: xacro my.xacro > robot.urdf, then give robot.urdf");
    assert_int_equal(arne_scenario_find("nowhere", &found, &e), ARNE_NO_FILE);
    assert_string_equal(e.message,
                        "there is no scenario \"nowhere\" (the shipped scenarios: arne help simulate; a file: its path)");
    for (int i = 0; i < 4; i++) unlink(files[i]);
    rmdir("scara");
    rmdir("nowhere");
    rmdir("folder.yaml");
    assert_int_equal(chdir(back), 0);
    rmdir(folder);
}

/* 64 MB are read, one byte more is not; nor is anything without a place to put it */
static void files_of_up_to_64_megabytes(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_description *d;
    arne_model *m;
    arne_error e;
    const char *path = temp_write(&f, "zeros.par", "");
    for (int more = 0; more < 2; more++) {
        assert_int_equal(truncate(path, (64 << 20) + more), 0);
        assert_int_equal(arne_read(path, NULL, &d, &e), ARNE_BAD_SYNTAX);
        assert_string_equal(e.message, more ? "the file is larger than 64 MB" : "not a text file: it has a zero byte");
    }
    assert_int_equal(arne_read(NULL, NULL, &d, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a path, a place, and options with their size are needed");
    assert_int_equal(arne_read(path, NULL, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_load(path, NULL, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "there is no place for the model");
    assert_int_equal(arne_load("/nowhere", &m, &e), ARNE_NO_FILE);
    assert_null(m);
    assert_string_equal(e.message, "cannot open the file: No such file or directory");
    assert_int_equal(arne_read(f.path, NULL, &d, &e), ARNE_NO_FILE);
    assert_string_equal(e.message, "is a directory, not a robot file");
    assert_int_equal(arne_read(temp_write(&f, "words", "robot"), NULL, &d, &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "unknown kind of file; its name should end in .urdf, .sdf, .yaml or .par");
    temp_close(&f);
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
        cmocka_unit_test(the_best_ending_wins),
        cmocka_unit_test(files_of_the_working_folder),
        cmocka_unit_test(files_of_up_to_64_megabytes),
        cmocka_unit_test(paths_and_faults),
        cmocka_unit_test(scenarios_have_folders_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
