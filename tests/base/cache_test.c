/* SPDX-License-Identifier: MIT
 *
 * cache_test.c - compiled code that is kept: what makes it names it, what is not whole or not in a folder of one's own is none.
 */
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

#include "arne/arne.h"
#include "base/cache.h"

static char folder[] = "/tmp/arne_cache_XXXXXX", kept[100];

static int enter(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(kept, sizeof kept, "%s/arne", folder);
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int leave(void **state)
{
    (void)state;
    return rmdir(kept) || rmdir(folder);
}

static void what_makes_it_names_it(void **state)
{
    (void)state;
    char paths[5][CACHE_LONGEST];
    const cache_hash start = arne__cache_start(), a = arne__cache_word(start, "a");
    const cache_hash all[] = {start, a, arne__cache_word(a, ""), arne__cache_add(start, "a", 1), arne__cache_word(start, "b")};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(arne__cache_path("name", all[i], "so", paths[i], NULL), ARNE_OK);
        assert_int_equal(strncmp(paths[i], kept, strlen(kept)), 0);
        assert_int_equal(strncmp(paths[i] + strlen(kept), "/name-", 6), 0);
        assert_string_equal(strrchr(paths[i], '.'), ".so");
        for (int k = 0; k < i; k++) assert_string_not_equal(paths[i], paths[k]);
    }
    const cache_hash ab = arne__cache_add(start, "ab", 2), a_b = arne__cache_add(arne__cache_add(start, "a", 1), "b", 1);
    assert_memory_equal(&ab, &a_b, sizeof ab);
}

/* the first half is FNV-1a of 64 bits, whose value for "foobar" is published with it; the version stands at the beginning */
static void the_hash_is_a_known_one(void **state)
{
    (void)state;
    const cache_hash basis = {0xcbf29ce484222325u, 0}, start = arne__cache_start();
    assert_true(arne__cache_add(basis, "foobar", 6).a == 0x85944171f73967e8u);
    assert_true(arne__cache_add(basis, ARNE_VERSION, sizeof ARNE_VERSION).a == start.a);
    assert_true(arne__cache_add(basis, "foobar", 6).b != arne__cache_add((cache_hash){basis.a, 1}, "foobar", 6).b);
    char path[CACHE_LONGEST], name[101], ending[31], should[300];
    memset(name, 'n', 100), name[100] = 0;
    memset(ending, 'e', 30), ending[30] = 0;
    assert_int_equal(arne__cache_path(name, (cache_hash){0x12u, 0xabu}, ending, path, NULL), ARNE_OK);
    snprintf(should, sizeof should, "%s/%.60s-000000000000001200000000000000ab.%.20s", kept, name, ending);
    assert_string_equal(path, should);
}

static void put(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void what_is_not_whole_is_none(void **state)
{
    (void)state;
    char path[CACHE_LONGEST], bytes[100];
    size_t size;
    assert_int_equal(arne__cache_path("code", arne__cache_start(), "bin", path, NULL), ARNE_OK);
    assert_null(arne__cache_read(path, &size));
    assert_int_equal(arne__cache_write(path, "a\0b", 3, NULL), ARNE_OK);
    char *back = arne__cache_read(path, &size);
    assert_non_null(back);
    assert_int_equal(size, 3);
    assert_memory_equal(back, "a\0b", 3);
    free(back);
    FILE *f = fopen(path, "rb");
    const size_t all = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_int_equal(all, 3 + sizeof(cache_hash));
    for (size_t cut = 0; cut < all; cut++) {
        put(path, bytes, cut);
        assert_null(arne__cache_read(path, &size));
        bytes[cut] ^= 1;
        put(path, bytes, all);
        assert_null(arne__cache_read(path, &size));
        bytes[cut] ^= 1;
    }
    put(path, bytes, all);
    free(back = arne__cache_read(path, &size));
    assert_non_null(back);
    put(path, bytes, 3); /* as another program leaves it */
    assert_true(arne__cache_seal(path));
    free(back = arne__cache_read(path, &size));
    assert_non_null(back);
    assert_int_equal(size, 3);
    remove(path);
    assert_false(arne__cache_seal(path));
}

static void the_folder_is_ones_own(void **state)
{
    (void)state;
    char path[CACHE_LONGEST], file[100];
    arne_error error = {0};
    const cache_hash h = arne__cache_start();
    assert_int_equal(arne__cache_path("code", h, "bin", path, NULL), ARNE_OK);
    chmod(kept, 0777);
    assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
    char should[300];
    snprintf(should, sizeof should, "%s, to keep code in, is no folder that you alone may write to", kept);
    assert_string_equal(error.message, should);
    for (int others = 0; others < 2; others++) { /* whoever else may write, but not read */
        chmod(kept, others ? 0702 : 0720);
        assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
        chmod(kept, others ? 0705 : 0750);
        assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_OK);
    }
    chmod(kept, 0700);
    snprintf(file, sizeof file, "%s/file", folder);
    put(file, "", 0);
    setenv("XDG_CACHE_HOME", file, 1);
    assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
    snprintf(should, sizeof should, "the folder %s/arne, to keep code in, cannot be made: Not a directory", file);
    assert_string_equal(error.message, should);
    remove(file);
    static char longest[2002] = "/";
    for (int k = 1; k < 2001; k++) longest[k] = k % 100 ? 'x' : '/';
    setenv("XDG_CACHE_HOME", longest, 1);
    assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
    assert_string_equal(error.message, "the name of the folder to keep code in is too long");
    longest[2000] = 0; /* but not this one, which is not there */
    setenv("XDG_CACHE_HOME", longest, 1);
    assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
    assert_non_null(strstr(error.message, "the folder /xxx"));
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    setenv("XDG_CACHE_HOME", "not/absolute", 1); /* as if it were not there */
    setenv("HOME", folder, 1);
    assert_int_equal(arne__cache_path("code", h, "bin", path, NULL), ARNE_OK);
    assert_non_null(strstr(path, "/.cache/arne/code-"));
    snprintf(file, sizeof file, "%s/.cache/arne", folder);
    assert_int_equal(rmdir(file), 0);
    snprintf(file, sizeof file, "%s/.cache", folder);
    assert_int_equal(rmdir(file), 0);
    unsetenv("HOME");
    assert_int_equal(arne__cache_path("code", h, "bin", path, &error), ARNE_CANNOT_WRITE);
    assert_non_null(strstr(error.message, "neither XDG_CACHE_HOME nor HOME"));
    setenv("HOME", home, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    free(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_makes_it_names_it), cmocka_unit_test(the_hash_is_a_known_one),
                                       cmocka_unit_test(what_is_not_whole_is_none), cmocka_unit_test(the_folder_is_ones_own)};
    return cmocka_run_group_tests(tests, enter, leave);
}
