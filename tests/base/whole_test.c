/* SPDX-License-Identifier: MIT
 *
 * whole_test.c - files that appear whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole.h"

static char folder[] = "/tmp/arne_whole_XXXXXX";

static void holds(const char *path, const char *words)
{
    char text[100] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_string_equal(text, words);
}

static int files(void)
{
    DIR *d = opendir(".");
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static int enter(void **state)
{
    (void)state;
    umask(0);
    return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state)
{
    (void)state;
    return chdir("/") || rmdir(folder);
}

static void a_file_is_replaced_and_keeps_its_rights(void **state)
{
    (void)state;
    assert_int_equal(arne__whole_write("a", "one", 3, NULL), ARNE_OK);
    holds("a", "one");
    chmod("a", 0640);
    assert_int_equal(arne__whole_write("a", "two", 3, NULL), ARNE_OK);
    holds("a", "two");
    struct stat s;
    assert_true(!stat("a", &s) && (s.st_mode & 07777) == 0640);
    assert_int_equal(files(), 1);
    unlink("a");
}

static void links_stay_links(void **state)
{
    (void)state;
    mkdir("in", 0777);
    assert_int_equal(symlink("in/middle", "link") | symlink("end", "in/middle"), 0);
    for (int k = 0; k < 2; k++) { /* the file is not there, then it is */
        assert_int_equal(arne__whole_write("link", "text", 4, NULL), ARNE_OK);
        holds("in/end", "text");
        struct stat s;
        assert_true(!lstat("link", &s) && S_ISLNK(s.st_mode) && !lstat("in/middle", &s) && S_ISLNK(s.st_mode));
    }
    assert_int_equal(symlink("loop", "loop"), 0);
    arne_error e;
    assert_int_equal(arne__whole_write("loop", "text", 4, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.file, "loop");
    unlink("loop"), unlink("link"), unlink("in/middle"), unlink("in/end"), rmdir("in");
}

static void a_failure_leaves_nothing(void **state)
{
    (void)state;
    arne_error e;
    assert_int_equal(arne__whole_write("nowhere/a", "x", 1, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.file, "nowhere/a");
    assert_string_equal(e.message, "cannot write: No such file or directory");
    assert_int_equal(e.line, 0); /* no line is at fault */
    assert_int_equal(arne__whole_write(".", "x", 1, &e), ARNE_CANNOT_WRITE);
    whole_file w;
    assert_int_equal(arne__whole_open(&w, "a", &e), ARNE_OK);
    fputs("half", w.file);
    assert_int_equal(arne__whole_close(&w, ARNE_BAD_VALUE, &e), ARNE_BAD_VALUE);
    assert_int_equal(arne__whole_close(&w, ARNE_OK, &e), ARNE_OK); /* not open */
    assert_int_equal(files(), 0);
}

/* New files have the rights of this process; a name that is taken is another's, who may be writing it. */
static void the_part_has_a_name_of_its_own(void **state)
{
    (void)state;
    char name[100], other[100];
    whole_file w;
    struct stat s;
    bool made;
    arne_error e;
    snprintf(other, sizeof other, "a.%ld-0.part", (long)getpid());
    assert_int_equal(arne__whole_write(other, "another", 7, NULL), ARNE_OK);
    assert_true(!stat(other, &s) && (s.st_mode & 07777) == 0666);
    assert_int_equal(arne__whole_open(&w, "a", NULL), ARNE_OK);
    snprintf(name, sizeof name, "a.%ld-1.part", (long)getpid());
    assert_string_equal(w.part, name);
    fputs("mine", w.file);
    assert_int_equal(arne__whole_check(&w, NULL), ARNE_OK);
    holds(name, "mine"); /* on the disk already */
    assert_int_equal(arne__whole_close(&w, ARNE_OK, NULL), ARNE_OK);
    holds("a", "mine"), holds(other, "another");
    assert_int_equal(files(), 2);
    unlink("a"), unlink(other);
    assert_int_equal(arne__whole_folder("nowhere/new", &made, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "cannot make this folder: No such file or directory");
    assert_true(!made && !strcmp(e.file, "nowhere/new"));
}

static void devices_are_written_directly(void **state)
{
    (void)state;
    arne_error e;
    assert_int_equal(arne__whole_write("/dev/null", "x", 1, &e), ARNE_OK);
    assert_int_equal(arne__whole_write("/dev/full", "x", 1, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "cannot write: No space left on device");
    struct stat s;
    assert_true(!stat("/dev/null", &s) && S_ISCHR(s.st_mode));
}

static void several_appear_together_or_not_at_all(void **state)
{
    (void)state;
    arne_error e;
    for (int bad = 0; bad < 2; bad++) {
        whole_file w[3] = {0}; /* the last one is not open */
        assert_int_equal(arne__whole_open(&w[0], "a", &e) | arne__whole_open(&w[1], "b", &e), ARNE_OK);
        fputs("one", w[0].file), fputs("two", w[1].file);
        assert_int_equal(files(), 2);
        if (bad) mkdir("b", 0777); /* it cannot be put there */
        assert_int_equal(arne__whole_close_all(w, 3, ARNE_OK, &e), bad ? ARNE_CANNOT_WRITE : ARNE_OK);
        if (bad) {
            assert_string_equal(e.file, "b");
            assert_int_equal(files(), 1);
            rmdir("b");
        } else {
            holds("a", "one"), holds("b", "two");
            unlink("a"), unlink("b");
        }
    }
}

static void others_write_their_places(void **state)
{
    (void)state;
    whole_file first, second;
    arne_error e;
    assert_int_equal(arne__whole_open(&first, "a", NULL), ARNE_OK);
    assert_int_equal(arne__whole_join(&second, "a", first.part, NULL), ARNE_OK);
    assert_true(arne__whole_put(fileno(second.file), 4, "two", 3) && arne__whole_put(fileno(first.file), 0, "one ", 4));
    assert_true(arne__whole_put(fileno(first.file), 0, NULL, 0));
    assert_int_equal(arne__whole_close(&second, ARNE_OK, NULL), ARNE_OK);
    assert_true(files() == 1 && access("a", F_OK)); /* until the first one puts it there */
    assert_int_equal(arne__whole_close(&first, ARNE_OK, NULL), ARNE_OK);
    holds("a", "one two");
    assert_int_equal(arne__whole_join(&second, "b", "nowhere/b", &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.file, "b");
    assert_string_equal(e.message, "cannot write: No such file or directory");
    assert_null(second.file);
    assert_int_equal(arne__whole_join(&second, "b", "a", NULL), ARNE_OK);
    assert_int_equal(arne__whole_close(&second, ARNE_BAD_VALUE, NULL), ARNE_BAD_VALUE); /* not its own to remove */
    holds("a", "one two");
    FILE *f = fopen("a", "r");
    assert_false(arne__whole_put(fileno(f), 0, "x", 1)); /* to be read only */
    assert_int_equal(errno, EBADF);
    fclose(f);
    unlink("a");
}

static void what_is_abandoned_is_gone(void **state)
{
    (void)state;
    bool made;
    whole_file w[2];
    assert_int_equal(arne__whole_write("done", "x", 1, NULL), ARNE_OK);
    assert_int_equal(arne__whole_folder("new", &made, NULL), ARNE_OK);
    assert_true(made);
    assert_int_equal(arne__whole_open(&w[0], "a", NULL) | arne__whole_open(&w[1], "new/b", NULL), ARNE_OK);
    assert_int_equal(files(), 3);
    arne__whole_abandon();
    assert_int_equal(files(), 1);
    holds("done", "x");
    assert_int_equal(arne__whole_close_all(w, 2, ARNE_OK, NULL), ARNE_CANNOT_WRITE);
    arne__whole_folder_done("new", made, ARNE_CANNOT_WRITE);

    /* a folder that was there stays, one that was made for nothing goes, and what is done is no longer ours */
    for (int there = 0; there < 2; there++) {
        if (there) mkdir("new", 0777);
        assert_int_equal(arne__whole_folder("new", &made, NULL), ARNE_OK);
        struct stat s;
        assert_true(made == !there && !stat("new", &s) && (s.st_mode & 07777) == 0777);
        arne__whole_folder_done("new", made, ARNE_BAD_VALUE);
        assert_int_equal(files(), 1 + there);
    }
    arne__whole_abandon();
    assert_int_equal(files(), 2);
    rmdir("new"), unlink("done");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_and_keeps_its_rights),
        cmocka_unit_test(links_stay_links),
        cmocka_unit_test(a_failure_leaves_nothing),
        cmocka_unit_test(the_part_has_a_name_of_its_own),
        cmocka_unit_test(devices_are_written_directly),
        cmocka_unit_test(several_appear_together_or_not_at_all),
        cmocka_unit_test(others_write_their_places),
        cmocka_unit_test(what_is_abandoned_is_gone),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
