/* SPDX-License-Identifier: MIT
 *
 * fuzz_test.c - damaged robot files: bytes changed, pieces cut out, doubled or swapped. Every reader either reads the file, and
 * then the model is built or refused with a message, or refuses it with a message; under the sanitizers nothing else may happen.
 */
#define _DEFAULT_SOURCE /* mkstemps */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "arne/dynamics.h"
#include "arne/file.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { ROUNDS = 600, MOST_CHANGES = 6, LONGEST = 1 << 16 };

typedef struct {
    char bytes[LONGEST];
    size_t size;
} text;

static void load(const char *path, text *t)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    t->size = fread(t->bytes, 1, LONGEST / 2, f);
    fclose(f);
    assert_true(t->size > 0);
}

static size_t below(random_stream *r, size_t n) { return (size_t)(random_between(r, 0, 1) * (double)n) % n; }

/* one change: a byte, a cut, a doubled piece, or a word that readers know */
static void damage(random_stream *r, text *t)
{
    static const char *const words[] = {"nan", "-1", "1e999", "<",    "\"",   "[",        "}",    "&a",
                                        "*a",  ":",  "{",     "pi/0", "\xff", "revolute", "base", "\n"};
    const size_t at = below(r, t->size);
    size_t length = 1 + below(r, 40);
    if (length > t->size - at) length = t->size - at;
    switch (below(r, 4)) {
    case 0: t->bytes[at] = (char)(below(r, 256)); break;
    case 1:
        memmove(t->bytes + at, t->bytes + at + length, t->size - at - length);
        t->size -= length;
        break;
    case 2:
        if (t->size + length > LONGEST) return;
        memmove(t->bytes + at + length, t->bytes + at, t->size - at);
        t->size += length;
        break;
    default: {
        const char *word = words[below(r, sizeof words / sizeof *words)];
        for (size_t i = 0; word[i] && at + i < t->size; i++) t->bytes[at + i] = word[i];
        break;
    }
    }
    if (t->size == 0) t->bytes[t->size++] = ' ';
}

static void try_file(const char *path)
{
    arne_description *d = NULL;
    arne_model *m = NULL;
    arne_error e = {0};
    if (arne_read(path, NULL, &d, &e)) {
        assert_null(d);
        assert_true(e.message[0] && e.status != ARNE_OK);
        return;
    }
    if (arne_model_build(d, NULL, &m, &e)) {
        assert_null(m);
        assert_true(e.message[0] && e.status != ARNE_OK);
    } else if (arne_model_dof(m) < 64) {
        /* what was read is numbers: a robot at rest has torques that are numbers */
        double q[128] = {0}, tau[64];
        arne_data *data = test_data(m);
        arne_gravity(data, q, tau);
        for (int i = 0; i < arne_model_dof(m); i++) assert_true(tau[i] == tau[i]);
        arne_data_free(data);
    }
    arne_model_free(m);
    arne_description_free(d);
}

static void fuzz(const char *from, const char *ending, unsigned seed)
{
    static text sound, hurt;
    char path[64];
    snprintf(path, sizeof path, "/tmp/arne-fuzz-XXXXXX%s", ending);
    const int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0);
    close(file);
    load(from, &sound);
    random_stream r = {seed};
    for (int round = 0; round < ROUNDS; round++) {
        hurt = sound;
        for (size_t k = 1 + below(&r, MOST_CHANGES); k > 0; k--) damage(&r, &hurt);
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(hurt.bytes, 1, hurt.size, f), hurt.size);
        fclose(f);
        try_file(path);
    }
    unlink(path);
}

static void damaged_mjcf(void **state)
{
    (void)state;
    fuzz(ARNE_TEST_DATA "/mjcf/everything.xml", ".xml", 12);
}

static void damaged_sdf(void **state)
{
    (void)state;
    fuzz(ARNE_TEST_DATA "/sdf/everything.sdf", ".sdf", 11);
}

static void damaged_urdf(void **state)
{
    (void)state;
    fuzz(ARNE_TEST_DATA "/trees/tree_03.urdf", ".urdf", 1);
    fuzz(ARNE_TEST_DATA "/trees/tree_09.urdf", ".urdf", 2);
}

static void damaged_yaml(void **state)
{
    (void)state;
    fuzz(ARNE_ROBOTS "/rx90.yaml", ".yaml", 3);
    fuzz(ARNE_ROBOTS "/coupled-wrist.yaml", ".yaml", 4);
    fuzz(ARNE_ROBOTS "/gantry.yaml", ".yaml", 5);
    fuzz(ARNE_TEST_DATA "/rows.yaml", ".yaml", 12);
}

static void damaged_par(void **state)
{
    (void)state;
    char path[] = "/tmp/arne-fuzz-XXXXXX.par";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    arne_description *d = NULL;
    arne_error e;
    assert_int_equal(arne_read(ARNE_ROBOTS "/rx90.yaml", NULL, &d, &e), ARNE_OK);
    assert_int_equal(arne_write(d, ARNE_PAR, path, &e), ARNE_OK);
    arne_description_free(d);
    fuzz(path, ".par", 6);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_urdf), cmocka_unit_test(damaged_sdf), cmocka_unit_test(damaged_mjcf),
        cmocka_unit_test(damaged_yaml), cmocka_unit_test(damaged_par),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
