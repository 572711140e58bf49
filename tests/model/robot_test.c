/* SPDX-License-Identifier: MIT
 *
 * robot_test.c - a robot is one block of bytes: a copy, in other memory or through a file, computes the same bits when the
 * original is gone. */
#include "kinds/settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "algo/rows.h"
#include "dynamics/data.h"

enum { RANDOM_ROBOTS = 6 * RANDOM_FAMILIES };

typedef struct {
    subject *s;
    const robot *robot; /* under test */
    work work;
    motion x;
    double is[MOST_RESULTS], should[MOST_RESULTS];
} desk;

static void *block(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    assert_non_null(memory);
    return memset(memory, 0, bytes);
}

static void check_row(void *desk_, int row, const arne_quantity_options *o)
{
    desk *k = desk_;
    const motion *x = &k->x;
    const arne_state state = {x->q, x->qd, x->qdd, x->qdd, x->qd};
    const text_input in = {x->q, x->qd, x->qdd, x->qdd, x->qd, o->link, (int)o->frame, (int)o->factor, 0};
    assert_int_equal(arne_compute(k->s->data, row, o, &state, k->should), ARNE_OK);
    arne__text_run(row, k->robot, &k->work, &in, k->is);
    expect_bits(k->s, arne_quantity_at(row)->name, arne_quantity_size(row, k->s->m), k->is, k->should);
}

/* a copy by way of a file */
static void through_file(const void *from, size_t bytes, void *to)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(from, 1, bytes, f), bytes);
    rewind(f);
    assert_int_equal(fread(to, 1, bytes, f), bytes);
    fclose(f);
}

/* The first copy is spoiled after the second was made of it, so nothing can point into it. */
static void check_copy(subject *s, desk *k, bool file)
{
    const robot *r = arne__data_robot(s->data);
    const size_t bytes = r->at.bytes;
    void *first = block(bytes), *second = block(bytes), *memory = block(arne__text_work(robot_count(r), NULL, &k->work));
    arne__text_work(robot_count(r), memory, &k->work);
    memcpy(first, r, bytes);
    if (file)
        through_file(first, bytes, second);
    else
        memcpy(second, first, bytes);
    memset(first, 0xFF, bytes);
    k->s = s;
    k->robot = second;
    every_row(s, TEXT_ROWS, check_row, k);
    assert_memory_equal(second, r, bytes); /* texts write nothing into it */
    free(first);
    free(second);
    free(memory);
}

static void copies_compute_the_same(void **state)
{
    (void)state;
    desk *k = malloc(sizeof *k);
    assert_non_null(k);
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            k->x = subject_motion(&s, setting);
            check_copy(&s, k, setting % 2);
        }
        subject_close(&s);
    }
    free(k);
}

/* settings that change leave the model and other settings as they are */
static void settings_are_copies(void **state)
{
    (void)state;
    for (int number = 0; number < shipped_robots(); number++) {
        subject s = subject_number(number, 0);
        const robot *r = s.m->robot;
        void *before = block(r->at.bytes);
        arne_settings *other;
        memcpy(before, r, r->at.bytes);
        assert_int_equal(arne_settings_new(s.m, &other, NULL), ARNE_OK);
        arne_data *d = test_data_on(other);
        for (int setting = 0; setting < SETTINGS; setting++) set_up(&s, setting);
        arne_set_link_side(s.settings);
        assert_memory_equal(r, before, r->at.bytes);
        assert_memory_equal(arne__data_robot(d), before, r->at.bytes);
        arne_data_free(d);
        arne_settings_free(other);
        free(before);
        subject_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_compute_the_same),
        cmocka_unit_test(settings_are_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
