/* SPDX-License-Identifier: MIT
 *
 * record_test.c - a run as a file, and what stands beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "arne/log.h"
#include "arne/scenario.h"
#include "support/tempfile.h"

static int record_row(void *context, const arne_row *row) { return !arne_record_row(context, row); }

static void a_run_becomes_two_files(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *yaml = temp_write(&f, "s.yaml",
                                  "title: a fall\nrobot: planar2r\noptions: {payload: {link: j2, body: {mass: 1.5, com: [0.25, "
                                  "0, 0]}}}\nstart: {q: [1, 0]}\nduration: 0.1\noutput: {energy: true, link: "
                                  "j2}\n");
    const char *csv = temp_write(&f, "run.csv", ""), *json = temp_write(&f, "run.json", "");
    arne_scenario *s;
    arne_record *r;
    arne_result result = {0};
    arne_error e = {0};
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    if (arne_scenario_read(yaml, NULL, &s, &e)) fail_msg("%s", e.message); /* the shipped robots are known */
    assert_int_equal(arne_record_open(s, json, &r, &e), ARNE_BAD_VALUE);
    assert_int_equal(arne_record_open(s, csv, &r, &e), ARNE_OK);
    s->loop.row = record_row;
    s->loop.context = r;
    assert_int_equal(arne_loop_run(&s->loop, &result, &e), ARNE_OK);
    assert_int_equal(
        arne_record_close(r, &result, &(arne_record_end){.wall = 0.5, .verdict = "good", .why = "well"}, ARNE_OK, &e), ARNE_OK);

    arne_log l;
    if (arne_log_read(csv, s->model, &l, &e)) fail_msg("%s:%d: %s", e.file, e.line, e.message);
    assert_true(l.count > 10 && l.q[0] == 1 && fabs(l.t[l.count - 1] - 0.1) < 1e-12);
    arne_log_free(&l);
    arne_csv c;
    assert_int_equal(arne_csv_open(&c, csv, NULL), ARNE_OK);
    assert_true(arne_csv_find(&c, "potential") > 0 && arne_csv_find(&c, "hand.z") == c.columns - 1);
    arne_csv_close(&c);
    arne_about a;
    assert_int_equal(arne_about_read(csv, &a, &e), ARNE_OK);
    assert_string_equal(a.kind, "run");
    assert_string_equal(a.title, "a fall");
    assert_string_equal(a.link, "j2");
    assert_true(a.wall == 0.5 && a.duration == 0.1 && a.dof == 2);
    assert_string_equal(a.verdict, "good");
    assert_string_equal(a.why, "well");
    assert_true(a.npayload == 1 && !strcmp(a.payloads[0].link, "j2") && a.payloads[0].mass == 1.5 &&
                a.payloads[0].com[0] == 0.25);
    arne_about_free(&a);
    arne_result_free(&result);
    arne_scenario_free(s);
    temp_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_becomes_two_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
