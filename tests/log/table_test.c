/* SPDX-License-Identifier: MIT
 *
 * Tables of .npy and .h5 files: what is written is read, in any blocks; states come from their groups. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <cmocka.h>

#include "arne/file.h"
#include "arne/log.h"
#include "arne/table.h"
#include "module/module.h"
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
    other = w;
    assert_int_equal(arne_table_join(path, arne_table_working(w), PARTS, 0, &other, NULL), ARNE_BAD_ARGUMENT);
    assert_null(other);
    assert_int_equal(arne_table_join(path, arne_table_working(w), PARTS, COUNT, NULL, NULL), ARNE_BAD_ARGUMENT);
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

/* An array as numpy writes it: a header of this text, then doubles 0, 1, ...; version 2 has a longer length of the header. */
static const char *array(temp_folder *f, const char *name, const char *header, int version, int numbers)
{
    char bytes[1024];
    const size_t length = strlen(header), head = version == 2 ? 12 : 10;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)version, bytes[7] = 0, bytes[8] = (char)length, bytes[9] = bytes[10] = bytes[11] = 0;
    memcpy(bytes + head, header, length);
    for (int k = 0; k < numbers; k++) memcpy(bytes + head + length + 8 * (size_t)k, &(double){k}, 8);
    return temp_write_bytes(f, name, bytes, head + length + 8 * (size_t)numbers);
}

static void arrays_of_others_are_read_or_refused(void **state)
{
    (void)state;
#define HEAD "{'descr': '<f8', 'fortran_order': False, 'shape': "
    static const struct {
        const char *header;
        int numbers;
        const char *words;
    } bad[] = {
        {"{'descr': '<f8', 'shape': (2, 3), }", 6, "is no array of numpy"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 6,
         "has numbers of type <f4, float64 is needed: a.astype('<f8')"},
        {"{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", 6,
         "is stored column after column: numpy.ascontiguousarray makes rows of it"},
        {HEAD "(2, 3, 4), }", 24, "has the shape (2, 3, 4), rows x columns are needed"},
        {HEAD "(), }", 1, "has the shape (), rows x columns are needed"},
        {HEAD "(-1, 3), }", 1, "has the shape (-1, 3), rows x columns are needed"},
        {HEAD "(2, 0), }", 1, "has the shape (2, 0), rows x columns are needed"},
        {HEAD "(1, 1000001), }", 1, "has the shape (1, 1000001), rows x columns are needed"},
        {HEAD "(2, 3), }", 5, "it was cut off: 109 bytes of 117"}, /* 10 + 59 + 8 x numbers */
    };
    arne_table *t;
    arne_error e = {0};
    double x[3];
    assert_int_equal(strlen(HEAD "(2, 3), }"), 59);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        temp_folder f = temp_open();
        const char *path = array(&f, "a.npy", bad[k].header, 1, bad[k].numbers);
        assert_int_not_equal(arne_table_open(path, NULL, &t, &e), ARNE_OK);
        if (strcmp(e.message, bad[k].words) || strcmp(e.file, path)) fail_msg("%s: %s", e.message, bad[k].words);
        temp_close(&f);
    }
    temp_folder f = temp_open();
    const char *const good[] = {array(&f, "a.npy", HEAD "(2, 3), }", 1, 6), array(&f, "b.npy", HEAD "(2, 3), }", 2, 6),
                                array(&f, "c.npy", "{ 'shape':(6,), 'fortran_order':False, 'descr':'<f8'}", 1, 6),
                                array(&f, "d.npy", HEAD "(0, 1000000), }", 1, 0)};
    for (int k = 0; k < 4; k++) {
        const int columns = k < 2 ? 3 : k == 2 ? 1 : 1000000;
        if (arne_table_open(good[k], NULL, &t, &e)) fail_msg("%s", e.message);
        assert_true(arne_table_columns(t) == columns && arne_table_rows(t) == (k == 3 ? 0 : 6 / columns));
        if (k < 3) assert_true(!arne_table_read(t, 1, 1, x, &e) && x[0] == columns && (k == 2 || x[2] == columns + 2));
        assert_int_equal(arne_table_read(t, -1, 1, x, &e), ARNE_BAD_ARGUMENT);
        assert_int_equal(arne_table_read(t, arne_table_rows(t), 0, x, &e), ARNE_OK);
        arne_table_close(t);
    }
    temp_close(&f);
}

/* Which columns of an array are which groups, for a robot of two joints. */
static void groups_of_an_array(void **state)
{
    (void)state;
    static const struct {
        const char *columns;
        int have;
        arne_column first, second; /* what its first and second column are, of joint 1 or else of another group */
        const char *words;         /* NULL: it is read */
    } cases[] = {
        {NULL, 2, ARNE_COLUMN_Q, ARNE_COLUMN_Q, NULL},
        {NULL, 8, ARNE_COLUMN_Q, ARNE_COLUMN_Q, NULL},
        {"tau,q", 4, ARNE_COLUMN_TAU, ARNE_COLUMN_TAU, NULL},
        {"qa", 2, ARNE_COLUMN_QA, ARNE_COLUMN_QA, NULL},
        {NULL, 1, 0, 0,
         "has 1 columns; a robot of 2 positions and 2 velocities needs 2 for q: say which they are, --columns q,qd,tau"},
        {NULL, 3, 0, 0,
         "has 3 columns; a robot of 2 positions and 2 velocities needs 4 for these groups: say which they are, --columns "
         "q,qd,tau"},
        {NULL, 9, 0, 0,
         "has 9 columns; a robot of 2 positions and 2 velocities needs 8 for these groups: say which they are, --columns "
         "q,qd,tau"},
        {"q,tau", 5, 0, 0,
         "has 5 columns; a robot of 2 positions and 2 velocities needs 4 for these groups: say which they are, --columns "
         "q,qd,tau"},
        {"q,speed,qd", 6, 0, 0, "--columns: \"speed\" is no group of columns: t, q, qd, qdd, tau, qa, ..."},
    };
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        temp_folder f = temp_open();
        char header[100];
        arne_states s;
        arne_error e;
        bool more;
        snprintf(header, sizeof header, HEAD "(1, %d), }", cases[k].have);
        const char *path = array(&f, "a.npy", header, 1, cases[k].have);
        const arne_status status = arne_states_open_table(&s, path, cases[k].columns, m, false, &e);
        if (cases[k].words) {
            assert_int_equal(status, ARNE_BAD_VALUE);
            assert_string_equal(e.message, cases[k].words);
        } else {
            if (status || arne_states_next(&s, &more, &e)) fail_msg("%s", e.message);
            assert_true(arne_states_of(&s, cases[k].first)[0] == 0 && arne_states_of(&s, cases[k].second)[1] == 1);
            if (cases[k].have == 8)
                assert_true(arne_states_of(&s, ARNE_COLUMN_QD)[1] == 3 && arne_states_of(&s, ARNE_COLUMN_TAU)[0] == 6);
            if (cases[k].have == 4) assert_true(arne_states_of(&s, ARNE_COLUMN_Q)[1] == 3);
        }
        arne_states_close(&s);
        temp_close(&f);
    }
    arne_model_free(m);
}

/* Datasets of other widths or lengths than each other. */
static void datasets_must_fit(void **state)
{
    (void)state;
    if (!has_hdf5()) skip();
    static const arne_table_part wide[] = {{"t", 1, 1}, {"q", 3, 1}}, good[] = {{"q", 2, 1}};
    const double x[6] = {0};
    temp_folder f = temp_open();
    arne_table_writer *w;
    arne_states s;
    arne_model *m;
    arne_error e;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    const char *path = temp_write(&f, "a.h5", ""), *other = temp_write(&f, "b.h5", "");
    assert_int_equal(arne_table_create(path, wide, 2, -1, false, &w, &e) ||
                         arne_table_append(w, 2, (const double *const[]){x, x}, &e) || arne_table_finish(w, ARNE_OK, &e),
                     0);
    assert_int_equal(arne_states_open(&s, path, m, false, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /q has 3 columns, the robot needs 2");
    arne_states_close(&s);
    assert_int_equal(arne_states_open_table(&s, path, "q", m, false, &e), ARNE_BAD_VALUE);
    assert_true(strstr(e.message, "--columns: ") && strstr(e.message, path) && strstr(e.message, " names its datasets itself"));
    arne_states_close(&s);
    assert_int_equal(arne_table_create(other, good, 1, -1, false, &w, &e) ||
                         arne_table_append(w, 3, (const double *const[]){x}, &e) || arne_table_finish(w, ARNE_OK, &e),
                     0);
    const arne_table_part beside = {"qd", 2, 1};
    assert_int_equal(arne_table_create(other, &beside, 1, 2, true, &w, &e) ||
                         arne_table_put(w, 0, 2, (const double *const[]){x}, &e) || arne_table_finish(w, ARNE_OK, &e),
                     0);
    assert_int_equal(arne_states_open(&s, other, m, false, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /qd has 2 rows, those before it 3");
    arne_states_close(&s);
    temp_close(&f);
    arne_model_free(m);
}

/* ---- the module itself ---- */

static const hdf5_module *module(void)
{
    const void *table;
    if (arne__module("hdf5", &table, NULL)) skip();
    return table;
}

/* all bytes of a file, of which *size; the caller's to free */
static char *bytes_of(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = calloc(1, 1 << 20);
    *size = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return bytes;
}

static bool holds(const char *bytes, size_t size, const void *part, size_t count)
{
    for (size_t i = 0; i + count <= size; i++)
        if (!memcmp(bytes + i, part, count)) return true;
    return false;
}

/* A module that is not there, and nobody who started others. */
static void what_is_not_there_is_told(void **state)
{
    (void)state;
    const void *table = "";
    const mpi_module *mpi = (const mpi_module *)table;
    arne_error e = {.line = 9};
    int rank = 9, ranks = 9;
    assert_int_equal(arne__module("nothing", &table, &e), ARNE_UNSUPPORTED);
    assert_true(!table && e.line == 0 && !*e.file);
    assert_int_equal(arne__ranks_begin(&mpi, &rank, &ranks, &e), ARNE_OK);
    assert_true(!mpi && rank == 0 && ranks == 1);
}

/* A file of all kinds of tables: each has its place, numbers that are not written yet are none, notes of any length come back. */
static void tables_have_their_places(void **state)
{
    (void)state;
    const hdf5_module *h = module();
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "a.h5", "");
    arne_error e = {0};
    char brief[1000], lengthy[1001], *text;
    memset(brief, 'b', sizeof brief), brief[999] = 0;
    memset(lengthy, 'l', sizeof lengthy), lengthy[1000] = 0;
    const hdf5_note notes[] = {{"sort", "a test"}, {"brief", brief}, {"lengthy", lengthy}};
    hdf5_table made[] = {{"x", 'd', 2, 1, "what x is", 0},
                         {"in/deep", 'n', 2, 3, NULL, 0},
                         {"done", 'b', 1, 1, NULL, 0},
                         {"name", 's', 5, 1, NULL, 0},
                         {"one", 'd', 1, 1, NULL, 0}};
    enum { KINDS = sizeof made / sizeof *made, LINES = 3 };
    const uint32_t before = (uint32_t)time(NULL);
    if (h->create(path, false, LINES, made, KINDS, notes, 3, &e)) fail_msg("%s", e.message);
    size_t size;
    char *bytes = bytes_of(path, &size);
    for (uint32_t t = before; t <= (uint32_t)time(NULL); t++) assert_false(holds(bytes, size, &t, sizeof t)); /* no times in it */
    double first[6];
    memcpy(first, bytes + made[0].place, sizeof first);
    for (int i = 0; i < 6; i++) assert_true(isnan(first[i]));
    assert_memory_equal(bytes + made[2].place, "\0\0\0", LINES);
    free(bytes);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(h->note(path, notes[k].name, &text, &e), ARNE_OK);
        assert_string_equal(text, notes[k].text);
        free(text);
    }
    assert_int_equal(h->note(path, "nothing", &text, &e), ARNE_OK);
    assert_null(text);

    int64_t rows;
    hdf5_table any[] = {{"x", 'd', 0, 1, NULL, 0},
                        {"in/deep", 'n', 2, 3, NULL, 0},
                        {"done", 'b', 1, 0, NULL, 0},
                        {"name", 's', 0, 1, NULL, 0},
                        {"one", 'd', 1, 1, NULL, 0}};
    if (h->find(path, &rows, any, KINDS, &e)) fail_msg("%s", e.message);
    assert_int_equal(rows, LINES);
    for (int k = 0; k < KINDS; k++) assert_true(any[k].columns == made[k].columns && any[k].place == made[k].place);
    static const struct {
        hdf5_table of[2];
        int count;
        const char *words;
    } wrong[] = {{{{"y", 'd', 2, 1, NULL, 0}}, 1, "dataset /y: is not there"},
                 {{{"done", 'd', 1, 1, NULL, 0}}, 1, "dataset /done: is none that arne made"},
                 {{{"x", 's', 2, 1, NULL, 0}}, 1, "dataset /x: is none that arne made"},
                 {{{"x", 'd', 3, 1, NULL, 0}}, 1, "dataset /x: has another shape"},
                 {{{"x", 'd', 2, 2, NULL, 0}}, 1, "dataset /x: has another shape"},
                 {{{"in/deep", 'n', 2, 2, NULL, 0}}, 1, "dataset /in/deep: has another shape"},
                 {{{"x", 'd', 2, 1, NULL, 0}, {"more", 'd', 2, 1, NULL, 0}}, 2, "dataset /more: has another shape"}};
    hdf5_table more = {"more", 'd', 2, 1, NULL, 0}; /* beside them, with other rows */
    if (h->create(path, true, LINES + 1, &more, 1, NULL, 0, &e)) fail_msg("%s", e.message);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        hdf5_table t[2] = {wrong[k].of[0], wrong[k].of[1]};
        assert_int_equal(h->find(path, &rows, t, wrong[k].count, &e), ARNE_BAD_VALUE);
        assert_string_equal(e.message, wrong[k].words);
        assert_string_equal(e.file, path);
    }

    /* what is written at the places is read, any rows of it; bytes are numbers too */
    const int file = open(path, O_WRONLY);
    const double x[] = {1, 2, 3, 4, 5, 6};
    assert_true(pwrite(file, x, sizeof x, (off_t)made[0].place) == sizeof x &&
                pwrite(file, "\7\10\11", 3, (off_t)made[2].place) == 3);
    close(file);
    void *set;
    int columns;
    double got[4] = {0};
    assert_int_equal(h->open(path, "x", &set, &rows, &columns, &e), ARNE_OK);
    assert_true(rows == LINES && columns == 2);
    assert_int_equal(h->read(set, 1, 2, got, &e), ARNE_OK);
    assert_memory_equal(got, x + 2, sizeof got);
    assert_int_equal(h->read(set, 0, 1, got, &e), ARNE_OK);
    assert_true(got[0] == 1 && got[1] == 2 && got[2] == 5);
    h->close(set);
    assert_int_equal(h->open(path, "done", &set, &rows, &columns, &e), ARNE_OK);
    assert_true(rows == LINES && columns == 1 && !h->read(set, 1, 2, got, &e) && got[0] == 8 && got[1] == 9);
    h->close(set);
    assert_int_equal(h->open(path, "in/deep", &set, &rows, &columns, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /in/deep: rows x columns are needed");
    assert_int_equal(h->open(path, "name", &set, &rows, &columns, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /name: numbers are needed");
    assert_null(set);

    /* one that is there already stops all of them, and one that cannot be taken out is told */
    hdf5_table two[] = {{"in/other", 'd', 1, 1, NULL, 0}, {"in/deep", 'd', 1, 1, NULL, 0}};
    assert_int_equal(h->create(path, true, LINES, two, 2, NULL, 0, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /in/deep: is there already; give another --out");
    assert_false(h->has(path, "in/other"));
    assert_int_equal(h->drop(path, two, 2, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "what was added to it cannot be taken out again");
    assert_true(h->has(path, "in/deep"));
    assert_int_equal(h->drop(path, two + 1, 1, &e), ARNE_OK);
    assert_true(!h->has(path, "in/deep") && h->has(path, "x"));
    assert_int_equal(h->create("/nowhere/a.h5", false, LINES, two, 2, NULL, 0, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "cannot be written as HDF5");
    temp_close(&folder);
}

/* Rows of a matrix that are appended lie one behind the other as they came. */
static void matrices_grow(void **state)
{
    (void)state;
    const hdf5_module *h = module();
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "a.h5", "");
    const hdf5_table parts[] = {{"t", 'd', 1, 1, NULL, 0}, {"mass", 'd', 2, 3, NULL, 0}}, twice[] = {parts[0], parts[0]};
    arne_error e;
    void *sets;
    const double t[] = {0.5, 1.5, 2.5};
    double mass[18];
    for (int i = 0; i < 18; i++) mass[i] = 100 + i;
    const uint32_t before = (uint32_t)time(NULL);
    assert_int_equal(h->begin(path, parts, 2, &sets, &e), ARNE_OK);
    assert_int_equal(h->append(sets, 2, (const double *const[]){t, mass}, &e), ARNE_OK);
    assert_int_equal(h->append(sets, 1, (const double *const[]){t + 2, mass + 12}, &e), ARNE_OK);
    assert_int_equal(h->end(sets, &e), ARNE_OK);
    FILE *f = fopen(path, "rb");
    static char bytes[1 << 22];
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(holds(bytes, size, mass, sizeof mass) && holds(bytes, size, t, sizeof t));
    for (uint32_t at = before; at <= (uint32_t)time(NULL); at++) assert_false(holds(bytes, size, &at, sizeof at));
    assert_int_equal(h->begin(path, twice, 2, &sets, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "dataset /t: cannot be made");
    assert_int_equal(h->begin("/nowhere/a.h5", parts, 2, &sets, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "cannot be written as HDF5");
    assert_null(sets);
    temp_close(&folder);
}

/* A file that may not grow. */
static void a_full_disk_is_told(void **state)
{
    (void)state;
    const hdf5_module *h = module();
    temp_folder folder = temp_open();
    const char *path = temp_write(&folder, "a.h5", ""), *there = temp_write(&folder, "b.h5", "");
    const hdf5_table part = {"t", 'd', 1, 1, NULL, 0};
    hdf5_table more[] = {{"some", 'd', 1, 1, NULL, 0}, {"much", 'd', 9000, 1, NULL, 0}}, one = part;
    static double x[9000];
    arne_error e = {0}, later = {0};
    void *sets;
    assert_int_equal(h->create(there, false, 2, &one, 1, NULL, 0, &e), ARNE_OK);
    assert_int_equal(h->begin(path, &part, 1, &sets, &e), ARNE_OK);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before, small.rlim_cur = 16384;
    void (*usual)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const arne_status grown = h->append(sets, 9000, (const double *const[]){x}, &e), ended = h->end(sets, &later);
    arne_error beside = {0};
    const arne_status added = h->create(there, true, 2, more, 2, NULL, 0, &beside);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, usual);
    assert_int_equal(grown ? grown : ended, ARNE_CANNOT_WRITE);
    assert_string_equal((grown ? &e : &later)->message, "cannot be written; is the disk full?");
    assert_string_equal((grown ? &e : &later)->file, path);
    assert_int_equal(added, ARNE_CANNOT_WRITE);
    assert_string_equal(beside.message, "cannot be written; is the disk full?");
    temp_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays_come_back),
                                       cmocka_unit_test(datasets_come_back),
                                       cmocka_unit_test(rows_have_their_places),
                                       cmocka_unit_test(blocks_are_found),
                                       cmocka_unit_test(states_come_from_their_groups),
                                       cmocka_unit_test(wrong_ones_are_refused),
                                       cmocka_unit_test(arrays_of_others_are_read_or_refused),
                                       cmocka_unit_test(groups_of_an_array),
                                       cmocka_unit_test(datasets_must_fit),
                                       cmocka_unit_test(what_is_not_there_is_told),
                                       cmocka_unit_test(tables_have_their_places),
                                       cmocka_unit_test(matrices_grow),
                                       cmocka_unit_test(a_full_disk_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
