/* SPDX-License-Identifier: MIT
 *
 * refuse_test.c - robots that cannot be written, or not there: nothing is left behind, and what was there stays. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "arne/file.h"
#include "support/random_robot.h"

static char folder[] = "/tmp/arne_refuse_XXXXXX", path[128];

static int files_in(const char *name)
{
    int count = 0;
    DIR *f = opendir(name);
    assert_non_null(f);
    for (const struct dirent *e; (e = readdir(f));) count += e->d_name[0] != '.';
    closedir(f);
    return count;
}

static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    arne_error error;
    arne_description *d = random_robot_with(1, RANDOM_FRICTION);
    char place[96], target[128];
    snprintf(place, sizeof place, "%s/place", folder);
    assert_int_equal(mkdir(place, 0777), 0);

    for (arne_format format = ARNE_URDF; format <= ARNE_PAR; format++) {
        assert_int_equal(arne_write(d, format, "/dev/full", &error), ARNE_CANNOT_WRITE);
        assert_string_equal(error.file, "/dev/full");
        snprintf(target, sizeof target, "%s/no/such/folder.urdf", place);
        assert_int_equal(arne_write(d, format, target, &error), ARNE_CANNOT_WRITE);
        assert_int_equal(arne_write(d, format, place, &error), ARNE_CANNOT_WRITE);
    }
    struct stat there;
    assert_int_equal(stat("/dev/full", &there), 0);
    assert_true(S_ISCHR(there.st_mode));

    /* a file that is there keeps its content when the robot cannot be written */
    snprintf(target, sizeof target, "%s/old.yaml", place);
    assert_int_equal(arne_write(d, ARNE_YAML, target, &error), ARNE_OK);
    assert_int_equal(stat(target, &there), 0);
    off_t size = there.st_size;
    d->links[0].body.mass = NAN;
    assert_int_equal(arne_write(d, ARNE_YAML, target, &error), ARNE_BAD_VALUE);
    assert_int_equal(stat(target, &there), 0);
    assert_true(there.st_size == size);
    d->links[0].body.mass = 1;

    if (geteuid() != 0) { /* root may write anywhere */
        assert_int_equal(chmod(place, 0555), 0);
        assert_int_equal(arne_write(d, ARNE_URDF, target, &error), ARNE_CANNOT_WRITE);
        assert_int_equal(chmod(place, 0777), 0);
    }
    assert_int_equal(files_in(place), 1);
    unlink(target);
    assert_int_equal(rmdir(place), 0);
    arne_description_free(d);
}

static void links_to_files_stay_links(void **state)
{
    (void)state;
    arne_error error;
    arne_description *d = random_robot_with(1, RANDOM_FRICTION);
    char real[128], alias[128];
    struct stat there;
    snprintf(real, sizeof real, "%s/real.yaml", folder);
    snprintf(alias, sizeof alias, "%s/alias.yaml", folder);
    assert_int_equal(arne_write(d, ARNE_YAML, real, &error), ARNE_OK);
    assert_int_equal(symlink(real, alias), 0);
    assert_int_equal(arne_write(d, ARNE_URDF, alias, &error), ARNE_OK);
    assert_int_equal(lstat(alias, &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    unlink(real);
    unlink(alias);
    arne_description_free(d);
}

static void names_that_no_file_can_hold_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "a\nb", "\x01",    "\xFF",          "\xC3",          "\xED\xA0\x80", "\xE0\x80\x80", "\xF4\x90\x80\x80",
        "\x7F", "ab\xFFz", "x\xEF\xBF\xBE", "\xEF\xBF\xBFy", "caf\xC3"};
    arne_error error;
    arne_description *d = random_robot_with(1, RANDOM_FRICTION);
    snprintf(path, sizeof path, "%s/bad.yaml", folder);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *const link = d->links[0].name, *const name = d->name, *const source = d->source;
        d->links[0].name = (char *)bad[i];
        assert_int_equal(arne_write(d, ARNE_YAML, path, &error), ARNE_CANNOT_WRITE);
        assert_int_equal(arne_write(d, ARNE_URDF, path, &error), ARNE_CANNOT_WRITE);
        d->links[0].name = link;
        d->name = d->source = (char *)bad[i];
        assert_int_equal(arne_write(d, ARNE_YAML, path, &error), ARNE_CANNOT_WRITE);
        d->name = name;
        /* a source may have lines */
        assert_int_equal(arne_write(d, ARNE_YAML, "/dev/null", &error), i == 0 || i == 1 || i == 7 ? ARNE_OK : ARNE_CANNOT_WRITE);
        d->source = source;
    }
    assert_int_not_equal(access(path, F_OK), 0);
    arne_description_free(d);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_writes_leave_nothing),
        cmocka_unit_test(links_to_files_stay_links),
        cmocka_unit_test(names_that_no_file_can_hold_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
