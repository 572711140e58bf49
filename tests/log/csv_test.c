/* SPDX-License-Identifier: MIT
 *
 * csv_test.c - tables of numbers: what is read, what is refused and where, what is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/file.h"
#include "arne/log.h"
#include "support/tempfile.h"

static void rows_are_read_one_by_one(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv", "\xEF\xBB\xBF t , \"q,1\" ,\"say \"\"a\"\"\"\r\n0, 1.5e-3 ,-2\r\n\"1\",2,3\n\n\n");
    arne_csv c;
    arne_error e;
    double row[3];
    bool more;
    assert_int_equal(arne_csv_open(&c, path, &e), ARNE_OK);
    assert_int_equal(c.columns, 3);
    assert_int_equal(arne_csv_find(&c, "q,1"), 1);
    assert_int_equal(arne_csv_find(&c, "say \"a\""), 2);
    assert_int_equal(arne_csv_find(&c, "q"), -1);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK);
    assert_true(more && row[0] == 0 && row[1] == 1.5e-3 && row[2] == -2 && c.line == 2);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK);
    assert_true(more && row[0] == 1 && c.line == 3);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK);
    assert_false(more);
    arne_csv_close(&c);
    temp_close(&f);
}

static void holes_are_nan_where_they_are_allowed(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv", "a,b,c,d\n,nan,-inf,4\n\n1,2\n1,2,x,4\n");
    arne_csv c;
    arne_error e;
    double row[4];
    bool more;
    assert_int_equal(arne_csv_open(&c, path, &e), ARNE_OK);
    c.holes = true;
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK);
    assert_true(isnan(row[0]) && isnan(row[1]) && isnan(row[2]) && row[3] == 4);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK); /* an empty line */
    assert_true(more && isnan(row[0]) && isnan(row[3]) && c.line == 3);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_OK); /* a row that was cut off */
    assert_true(more && row[1] == 2 && isnan(row[2]) && isnan(row[3]) && c.line == 4);
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_BAD_VALUE);
    assert_int_equal(e.line, 5);
    arne_csv_close(&c);
    temp_close(&f);
}

static void faults_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } bad[] = {
        {"", 0, "the file is empty"},
        {"a,,b\n", 1, "column 2 has no name"},
        {"a;b\n", 1, "commas, not by semicolons"},
        {"1,2\n", 1, "should name the columns"},
        {"a,\"b\n", 1, "a quote in the wrong place in column 2"},
        {"a\tb\n", 1, "columns are separated by commas, not by semicolons or tabs"},
        {"a,b,7\n", 1, "column 3 is named \"7\"; the first line should name the columns: q1,q2,..."},
        {"a,b\n1,\"2\n", 2, "column b: a quote in the wrong place"},
        {"a,b\n\"1\"2,3\n", 2, "column a: a quote in the wrong place"},
        {"a,b\n1,nan\n", 2, "column b: \"nan\" is not a finite number"},
        {"a,b\n1,two\n", 2, "column b: \"two\" is not a number"},
        {"a,b,c\n1,\n", 2, "column b is empty; it needs a number"},
        {"a,b,c\n1,2\n", 2, "the row has 2 of 3 fields; column c is missing"},
        {"a,b\n1\n", 2, "has 1 of 2 fields; column b is missing"},
        {"a,b\n1,2,3\n", 2, "more than the 2 fields"},
        {"a,b\n1,\n", 2, "column b is empty"},
        {"a,b\n1,1e999\n", 2, "\"1e999\" is not a finite number"},
        {"a,b\n1,0x10\n", 2, "\"0x10\" is not a number"},
        {"a,b\n1,2\n\n3,4\n", 3, "an empty line between the rows"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        temp_folder f = temp_open();
        const char *path = temp_write(&f, "a.csv", bad[i].text);
        arne_csv c;
        arne_error e = {0};
        double row[8];
        bool more = true;
        arne_status status = arne_csv_open(&c, path, &e);
        while (!status && more) status = arne_csv_next(&c, row, &more, &e);
        assert_true(status == ARNE_BAD_SYNTAX || status == ARNE_BAD_VALUE);
        assert_string_equal(e.file, path);
        assert_int_equal(e.line, bad[i].line);
        if (!strstr(e.message, bad[i].words)) fail_msg("\"%s\" does not say \"%s\"", e.message, bad[i].words);
        arne_csv_close(&c);
        temp_close(&f);
    }
    temp_folder f = temp_open();
    arne_csv c;
    arne_error e;
    assert_int_equal(arne_csv_open(&c, temp_write_bytes(&f, "a.csv", "a,b\n1,\0\n", 9), &e), ARNE_OK);
    double row[2];
    bool more;
    assert_int_equal(arne_csv_next(&c, row, &more, &e), ARNE_BAD_SYNTAX);
    assert_true(e.line == 2 && !strcmp(e.message, "a zero byte: this is not a text file"));
    arne_csv_close(&c);
    temp_close(&f);
    assert_int_equal(arne_csv_open(&c, "/nowhere.csv", &e), ARNE_NO_FILE);
    assert_string_equal(e.message, "cannot open: No such file or directory");
    arne_csv_close(&c);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv", "old");
    const double x[] = {0.1 + 0.2, NAN, -1e-300};
    for (int digits = 0; digits <= 12; digits += 12) {
        arne_csv_writer *w;
        assert_int_equal(arne_csv_create(path, digits, &w, NULL), ARNE_OK);
        arne_csv_names(w, "q", 2);
        arne_csv_name(w, "odd \"name\"");
        assert_true(arne_csv_end_row(w));
        arne_csv_numbers(w, x, 2);
        arne_csv_numbers(w, x + 2, 1);
        assert_true(arne_csv_end_row(w));
        assert_int_equal(arne_csv_finish(w, ARNE_OK, NULL), ARNE_OK);
        arne_csv c;
        double row[3];
        bool more;
        assert_int_equal(arne_csv_open(&c, path, NULL), ARNE_OK);
        assert_string_equal(c.names[1], "q2");
        assert_string_equal(c.names[2], "odd \"name\"");
        c.holes = true;
        assert_int_equal(arne_csv_next(&c, row, &more, NULL), ARNE_OK);
        assert_true(row[0] == (digits ? 0.3 : x[0]) && isnan(row[1]) && row[2] == x[2]);
        arne_csv_close(&c);
    }
    arne_csv_writer *w;
    assert_int_equal(arne_csv_create(path, 0, &w, NULL), ARNE_OK);
    assert_int_equal(arne_csv_finish(w, ARNE_BAD_VALUE, NULL), ARNE_BAD_VALUE); /* the old one stays */
    arne_csv c;
    assert_int_equal(arne_csv_open(&c, path, NULL), ARNE_OK);
    arne_csv_close(&c);
    temp_close(&f);
}

static void a_full_disk_is_said_at_the_end(void **state)
{
    (void)state;
    arne_csv_writer *w;
    arne_error e;
    const double x[1000] = {0};
    assert_int_equal(arne_csv_create("/dev/full", 0, &w, &e), ARNE_OK);
    bool ok = true;
    for (int k = 0; k < 100 && ok; k++) {
        arne_csv_numbers(w, x, 1000);
        ok = arne_csv_end_row(w);
    }
    assert_false(ok);
    assert_int_equal(arne_csv_finish(w, ARNE_OK, &e), ARNE_CANNOT_WRITE);
    assert_string_equal(e.message, "cannot write: No space left on device");
    assert_int_equal(arne_csv_create("/nowhere/a.csv", 0, &w, &e), ARNE_CANNOT_WRITE);
    assert_null(w);
}

/* A file that may not grow: the rows before stay, whole, and what is said about them beside them. */
static void rows_can_be_kept(void **state)
{
    (void)state;
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    temp_folder f = temp_open();
    const char *csv = temp_write(&f, "run.csv", "old"), *json = temp_write(&f, "run.json", "old");
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    for (int limited = 0; limited < 2; limited++) {
        arne_csv_writer *w;
        arne_error e;
        double last;
        assert_int_equal(arne_csv_create(csv, 0, &w, &e), ARNE_OK);
        arne_csv_name(w, "t");
        arne_csv_name(w, "x");
        for (int k = 0; k < 300; k++) {
            arne_csv_end_row(w);
            arne_csv_numbers(w, (const double[]){k, 0.5}, 2);
        }
        arne_csv_end_row(w);
        small = before;
        small.rlim_cur = 1000;
        void (*usual)(int) = signal(SIGXFSZ, SIG_IGN);
        if (limited) setrlimit(RLIMIT_FSIZE, &small);
        const bool cut = arne_csv_keep(w, &last, &e);
        const arne_about a = {.kind = "run", .robot = "planar2r", .of = m, .duration = last, .period = NAN, .wall = NAN};
        const arne_status status = arne_csv_finish_told(w, &a, ARNE_OK, NULL);
        setrlimit(RLIMIT_FSIZE, &before);
        signal(SIGXFSZ, usual);
        assert_int_equal(status, ARNE_OK);
        assert_true(cut == limited);
        if (cut) assert_string_equal(e.message, "cannot write: File too large");
        arne_csv c;
        double row[2] = {-1};
        bool more = true;
        int rows = -1;
        assert_int_equal(arne_csv_open(&c, csv, NULL), ARNE_OK);
        for (; more; rows++) assert_int_equal(arne_csv_next(&c, row, &more, NULL), ARNE_OK);
        arne_csv_close(&c);
        assert_true(row[0] == last && rows == (int)last + 1 && (limited ? rows > 100 && rows < 200 : rows == 300));
        arne_about b;
        assert_int_equal(arne_about_read(csv, &b, NULL), ARNE_OK);
        assert_true(b.duration == last);
        arne_about_free(&b);
    }
    /* none of both where one cannot be */
    arne_csv_writer *w;
    const arne_about a = {.kind = "run", .robot = "planar2r", .of = m, .duration = 1, .period = NAN, .wall = NAN};
    unlink(csv), unlink(json);
    assert_int_equal(mkdir(json, 0777), 0);
    assert_int_equal(arne_csv_create(csv, 0, &w, NULL), ARNE_OK);
    assert_int_equal(arne_csv_finish_told(w, &a, ARNE_OK, NULL), ARNE_CANNOT_WRITE);
    assert_int_not_equal(access(csv, F_OK), 0);
    rmdir(json);
    temp_close(&f);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_one_by_one),
        cmocka_unit_test(holes_are_nan_where_they_are_allowed),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_full_disk_is_said_at_the_end),
        cmocka_unit_test(rows_can_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
