/* SPDX-License-Identifier: MIT
 *
 * Tables of .npy and .h5 files: what is written is read, in any blocks; states come from their groups. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arne/file.h"
#include "arne/log.h"
#include "arne/table.h"
#include "support/tempfile.h"

enum { ROWS = 2500, N = 6 };
static double value(long row, int part, int k) { return sin((double)row) + part + 0.001 * k; }

/* q of 6, mass of 6 x 6 and a number alone, in blocks of odd sizes */
static const arne_table_part PARTS[] = {{"q", N, 1}, {"more/mass", N, N}, {"t", 1, 1}};
enum { COUNT = 3 };

static void write_table(const char *path)
{
    arne_table_writer *w;
    arne_error error = {0};
    static double x[COUNT][700 * N * N];
    if (arne_table_create(path, PARTS, COUNT, -1, false, &w, &error)) fail_msg("%s", error.message);
    for (long from = 0, count = 1; from < ROWS; from += count, count = count * 3 % 700) {
        if (count > ROWS - from) count = ROWS - from;
        for (int p = 0; p < COUNT; p++)
            for (long k = 0; k < count; k++)
                for (int i = 0, n = PARTS[p].rows * PARTS[p].columns; i < n; i++) x[p][k * n + i] = value(from + k, p, i);
        assert_int_equal(arne_table_append(w, count, (const double *const[]){x[0], x[1], x[2]}, &error), ARNE_OK);
    }
    assert_int_equal(arne_table_finish(w, ARNE_OK, &error), ARNE_OK);
}

static bool has_hdf5(void)
{
    arne_table *t;
    return arne_table_open("/nowhere.h5", "q", &t, NULL) != ARNE_UNSUPPORTED;
}

static void arrays_come_back(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    double row[3 * (N + N * N + 1)];
    arne_table *t;
    const char *path = temp_write(&folder, "a.npy", "");
    write_table(path);
    assert_int_equal(arne_table_open(path, NULL, &t, NULL), ARNE_OK);
    assert_int_equal(arne_table_rows(t), ROWS);
    assert_int_equal(arne_table_columns(t), N + N * N + 1);
    for (long k = 0; k < ROWS - 3; k += 97) {
        assert_int_equal(arne_table_read(t, k, 3, row, NULL), ARNE_OK);
        for (int i = 0; i < 3; i++) {
            const double *x = row + i * (N + N * N + 1);
            assert_true(x[4] == value(k + i, 0, 4) && x[N + 17] == value(k + i, 1, 17) && x[N + N * N] == value(k + i, 2, 0));
        }
    }
    assert_int_equal(arne_table_read(t, ROWS - 1, 2, row, NULL), ARNE_BAD_ARGUMENT);
    arne_table_close(t);
    temp_close(&folder);
}

static void datasets_come_back(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    temp_folder folder = temp_open();
    double row[2 * N];
    arne_table *t;
    arne_table_writer *w;
    arne_error error = {0};
    const char *path = temp_write(&folder, "a.h5", "");
    write_table(path);
    assert_int_equal(arne_table_open(path, "q", &t, NULL), ARNE_OK);
    assert_int_equal(arne_table_rows(t), ROWS);
    assert_int_equal(arne_table_columns(t), N);
    assert_int_equal(arne_table_read(t, 1234, 2, row, NULL), ARNE_OK);
    for (int i = 0; i < N; i++) assert_true(row[i] == value(1234, 0, i) && row[N + i] == value(1235, 0, i));
    arne_table_close(t);
    assert_int_equal(arne_table_open(path, "more/mass", &t, &error), ARNE_BAD_VALUE); /* three dimensions */
    assert_int_equal(arne_table_open(path, "qd", &t, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "/qd"));
    /* beside what is there, and what is there stays; a failure takes away what was added */
    const arne_table_part more = {"id", 2, 1}, again = {"q", 2, 1};
    assert_int_equal(arne_table_create(path, &again, 1, 3, true, &w, &error), ARNE_BAD_VALUE);
    assert_int_equal(arne_table_create(path, &more, 1, 3, true, &w, &error), ARNE_OK);
    assert_int_equal(arne_table_finish(w, ARNE_BAD_VALUE, NULL), ARNE_BAD_VALUE);
    assert_false(arne_table_has(path, "id"));
    assert_true(arne_table_has(path, "q"));
    assert_int_equal(arne_table_create(path, &more, 1, 3, true, &w, &error), ARNE_OK);
    assert_int_equal(arne_table_put(w, 0, 3, (const double *const[]){(const double[]){1, 2, 3, 4, 5, 6}}, NULL), ARNE_OK);
    assert_int_equal(arne_table_finish(w, ARNE_OK, NULL), ARNE_OK);
    assert_true(arne_table_has(path, "id") && arne_table_has(path, "q"));
    temp_close(&folder);
}

/* Rows put in any order by two writers are those that were appended: the same bytes of .npy, the same numbers of .h5. */
static void puts_rows(const char *path, const char *grown)
{
    arne_table_writer *w, *other;
    arne_error error = {0};
    double x[3][7 * N * N];
    write_table(grown);
    if (arne_table_create(path, PARTS, COUNT, ROWS, false, &w, &error)) fail_msg("%s", error.message);
    if (arne_table_join(path, arne_table_working(w), PARTS, COUNT, &other, &error)) fail_msg("%s", error.message);
    assert_int_equal(arne_table_append(w, 1, (const double *const[]){x[0], x[1], x[2]}, NULL), ARNE_BAD_ARGUMENT);
    for (long block = (ROWS - 1) / 7; block >= 0; block--) {
        const long from = 7 * block, count = from + 7 < ROWS ? 7 : ROWS - from;
        for (long k = 0; k < count; k++)
            for (int p = 0; p < COUNT; p++)
                for (int i = 0, n = PARTS[p].rows * PARTS[p].columns; i < n; i++) x[p][k * n + i] = value(from + k, p, i);
        assert_int_equal(arne_table_put(block % 2 ? w : other, from, count, (const double *const[]){x[0], x[1], x[2]}, &error),
                         ARNE_OK);
    }
    assert_int_equal(arne_table_finish(other, ARNE_OK, NULL), ARNE_OK);
    assert_int_equal(arne_table_finish(w, ARNE_OK, NULL), ARNE_OK);
}

static void rows_have_their_places(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "a.npy", ""), *grown = temp_write(&folder, "b.npy", "");
    puts_rows(path, grown);
    FILE *files[] = {fopen(path, "rb"), fopen(grown, "rb")};
    assert_true(files[0] && files[1]);
    for (int byte = 0; byte != EOF;) assert_int_equal(byte = fgetc(files[0]), fgetc(files[1]));
    fclose(files[0]);
    fclose(files[1]);
    if (has_hdf5()) {
        arne_table *t;
        double row[N];
        path = temp_write(&folder, "a.h5", "");
        puts_rows(path, temp_write(&folder, "b.h5", ""));
        assert_int_equal(arne_table_open(path, "q", &t, NULL), ARNE_OK);
        assert_int_equal(arne_table_rows(t), ROWS);
        for (long k = 0; k < ROWS; k++) {
            assert_int_equal(arne_table_read(t, k, 1, row, NULL), ARNE_OK);
            for (int i = 0; i < N; i++) assert_true(row[i] == value(k, 0, i));
        }
        arne_table_close(t);
    }
    temp_close(&folder);
}

/* Blocks of states, in any order, are all of them with their lines; a row belongs to the block in which it begins. */
static void states_in_blocks(const char *path)
{
    arne_description *d;
    arne_model *m;
    arne_states s;
    arne_error error = {0};
    enum { MOST = 400 };
    long first[MOST + 1] = {0}, all = 0;
    bool more;
    assert_int_equal(arne_read(ARNE_ROBOTS "/planar2r.yaml", NULL, &d, NULL), ARNE_OK);
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    if (arne_states_open_table(&s, path, NULL, m, false, &error)) fail_msg("%s", error.message);
    const long blocks = arne_states_blocks(&s, 3);
    assert_in_range(blocks, 20, MOST);
    for (long b = 0; b < blocks; b++) {
        assert_int_equal(arne_states_count(&s, b, &first[b + 1], &error), ARNE_OK);
        first[b + 1] += first[b];
    }
    assert_int_equal(first[blocks], 100);
    for (long b = blocks; b-- > -1;) { /* and at the end all of them */
        long k = b < 0 ? 0 : first[b];
        const int head = !arne_table_is(path);
        assert_int_equal(arne_states_seek(&s, b, k, &error), ARNE_OK);
        for (; !arne_states_next(&s, &more, &error) && more; k++, all++) {
            assert_int_equal(s.file.line, k + 1 + head);
            assert_true(arne_states_of(&s, ARNE_COLUMN_Q)[0] == (double)k && arne_states_of(&s, ARNE_COLUMN_Q)[1] == 0.5);
        }
        assert_int_equal(k, b < 0 ? 100 : first[b + 1]);
    }
    assert_int_equal(all, 200);
    arne_states_close(&s);
    arne_model_free(m);
    arne_description_free(d);
}

static void blocks_are_found(void **state)
{
    (void)state;
    temp_folder folder = temp_open();
    for (int front = 0; front < 2; front++) { /* lines of many lengths, longer than a block too, with blanks here or there */
        char text[8000] = "q1,q2\r\n";
        for (int k = 0; k < 100; k++) {
            const size_t n = strlen(text);
            const int blanks = k % 7 == 3 ? 150 : k % 5;
            snprintf(text + n, sizeof text - n, "%*s%d,%*s0.5\r\n", front ? blanks : 0, "", k, front ? 0 : blanks, "");
        }
        if (front)
            text[strlen(text) - 2] = 0; /* the last line without an end */
        else
            strcat(text, "\n  \n"); /* empty lines at the end are none */
        states_in_blocks(temp_write(&folder, "a.csv", text));
    }
    arne_table_writer *w;
    double x[200];
    for (int k = 0; k < 100; k++) x[2 * k] = k, x[2 * k + 1] = 0.5;
    const arne_table_part q = {"q", 2, 1};
    const char *path = temp_write(&folder, "a.npy", "");
    assert_int_equal(arne_table_create(path, &q, 1, 100, false, &w, NULL), ARNE_OK);
    assert_int_equal(arne_table_put(w, 0, 100, (const double *const[]){x}, NULL), ARNE_OK);
    assert_int_equal(arne_table_finish(w, ARNE_OK, NULL), ARNE_OK);
    states_in_blocks(path);
    temp_close(&folder);
}

static void states_come_from_their_groups(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    temp_folder folder = temp_open();
    arne_description *d;
    arne_model *m;
    arne_states s;
    arne_error error = {0};
    bool more;
    long rows = 0;
    const char *path = temp_write(&folder, "a.h5", "");
    write_table(path);
    assert_int_equal(arne_read(ARNE_ROBOTS "/ur5e.yaml", NULL, &d, NULL), ARNE_OK);
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    if (arne_states_open(&s, path, m, false, &error)) fail_msg("%s", error.message);
    assert_true(arne_states_has(&s, ARNE_COLUMN_Q) && !arne_states_has(&s, ARNE_COLUMN_QD));
    while (!arne_states_next(&s, &more, &error) && more) {
        assert_true(*arne_states_time(&s) == value(rows, 2, 0));
        for (int i = 0; i < N; i++) assert_true(arne_states_of(&s, ARNE_COLUMN_Q)[i] == value(rows, 0, i));
        rows++;
    }
    assert_int_equal(rows, ROWS);
    arne_states_close(&s);
    arne_model_free(m);
    arne_description_free(d);
    temp_close(&folder);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    arne_table *t;
    arne_table_writer *w;
    assert_int_equal(arne_table_open(NULL, NULL, &t, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_table_open("a.csv", NULL, &t, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_table_open("/nowhere/a.npy", NULL, &t, NULL), ARNE_NO_FILE);
    assert_int_equal(arne_table_create("/nowhere/a.npy", PARTS, COUNT, -1, false, &w, NULL), ARNE_CANNOT_WRITE);
    assert_int_equal(arne_table_create("a.npy", PARTS, COUNT, -1, true, &w, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_table_append(NULL, 1, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_table_read(NULL, 0, 1, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_table_rows(NULL), 0);
    arne_table_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_come_back),
                                       cmocka_unit_test(datasets_come_back),
                                       cmocka_unit_test(rows_have_their_places),
                                       cmocka_unit_test(blocks_are_found),
                                       cmocka_unit_test(states_come_from_their_groups),
                                       cmocka_unit_test(wrong_ones_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
