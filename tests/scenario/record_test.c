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

/* ---- columns ---- */

/* The lines of a file, as they should be. */
static void expect_lines(const char *path, const char *first, const char *second)
{
    char line[4000];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, first);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, second);
    assert_null(fgets(line, sizeof line, f));
    fclose(f);
}

/* A row in which every number is another, and what is said of a run that failed. */
static void every_number_has_its_column(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_scenario *s;
    arne_record *r;
    arne_error e = {0};
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    const char *yaml = temp_write(&f, "s.yaml",
                                  "robot: planar2r\nstart: {q: [1, 0]}\nduration: 3\ncontroller: {kind: pd-gravity, period: "
                                  "0.002}\nobserver: {threshold: [3, 4]}\noptions: {base: fixed, mimic: independent}\n");
    if (arne_scenario_read(yaml, NULL, &s, &e)) fail_msg("%s", e.message);
    const char *csv = temp_write(&f, "run.csv", "");
    char path[500];
    snprintf(path, sizeof path, "%s", csv);
#define PAIR(a) ((const double[]){a, a + 0.5})
    arne_row row = {.t = 1,
                    .q = PAIR(2),
                    .qd = PAIR(3),
                    .tau = PAIR(4),
                    .theta = PAIR(5),
                    .thetad = PAIR(6),
                    .qr = PAIR(7),
                    .qdr = PAIR(8),
                    .real_q = PAIR(9),
                    .real_qd = PAIR(10),
                    .real_tau = PAIR(11),
                    .residual = PAIR(12),
                    .contact = true,
                    .kinetic = 13,
                    .potential = 14,
                    .hand = (const double[]){15, 16, 17},
                    .momentum = (const double[]){18, 19, 20, 21, 22, 23}};
    arne_event event = {.t = 0.25, .end = 0.75, .kind = "contact", .text = "somebody"};
    double errors[2] = {0.125, 0.375};
    const arne_result failed = {.end = ARNE_RUN_FAILED,
                                .t = 1.5,
                                .message = "it broke",
                                .nevent = 1,
                                .events = &event,
                                .max_error = errors,
                                .ticks = 750,
                                .steps = 1500};
    const arne_record_end end = {.wall = 0.5};
    assert_int_equal(arne_record_open(s, path, &r, &e), ARNE_OK);
    assert_true(arne_record_row(r, &row));
    assert_int_equal(arne_record_close(r, &failed, &end, ARNE_OK, &e), ARNE_OK);
    expect_lines(
        path,
        "t,q1,q2,qd1,qd2,tau1,tau2,theta1,theta2,thetad1,thetad2,qr1,qr2,qdr1,qdr2,real_q1,real_q2,real_qd1,real_qd2,"
        "real_tau1,real_tau2,r1,r2,contact,kinetic,potential,hand.x,hand.y,hand.z,linear.x,linear.y,linear.z,angular.x,"
        "angular.y,angular.z\n",
        "1,2,2.5,3,3.5,4,4.5,5,5.5,6,6.5,7,7.5,8,8.5,9,9.5,10,10.5,11,11.5,12,12.5,1,13,14,15,16,17,18,19,20,21,22,23\n");
    arne_about a;
    assert_int_equal(arne_about_read(path, &a, &e), ARNE_OK);
    assert_string_equal(a.status, "failed");
    assert_string_equal(a.message, "it broke");
    assert_string_equal(a.controller, "pd-gravity");
    assert_string_equal(a.integrator, "rk4");
    assert_string_equal(a.robot, "planar2r");
    assert_string_equal(a.base, "fixed");
    assert_string_equal(a.mimic, "independent");
    assert_true(a.duration == 1.5 && a.period == 0.002 && a.wall == 0.5 && a.thresholds[0] == 3 && a.thresholds[1] == 4);
    assert_true(a.errors[0] == 0.125 && a.errors[1] == 0.375 && a.nevent == 1 && a.events[0].t == 0.25 &&
                a.events[0].end == 0.75);
    assert_string_equal(a.events[0].kind, "contact");
    assert_string_equal(a.events[0].text, "somebody");
    arne_about_free(&a);
    char *text;
    assert_int_equal(arne_record_text(s, &failed, &end, &text, &e), ARNE_OK);
    assert_non_null(strstr(text, "\"ticks\":750"));
    assert_non_null(strstr(text, "\"steps\":1500"));
    assert_non_null(strstr(text, "\"max_error\":[0.125,0.375]"));
    free(text);
    /* what is not asked for, and what there is not */
    s->energy = s->reference = false;
    row.theta = row.thetad = row.real_q = row.real_qd = row.real_tau = row.hand = NULL;
    row.contact = false;
    assert_int_equal(arne_record_open(s, path, &r, &e), ARNE_OK);
    assert_true(arne_record_row(r, &row));
    assert_int_equal(arne_record_close(r, &failed, &end, ARNE_OK, &e), ARNE_OK);
    expect_lines(path, "t,q1,q2,qd1,qd2,tau1,tau2,r1,r2,contact\n", "1,2,2.5,3,3.5,4,4.5,12,12.5,0\n");
    arne_scenario_free(s);
    temp_close(&f);
}

/* Where a base is free columns have names, and joints of several freedoms no reference; 17 digits. */
static void columns_of_a_free_robot_have_names(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_scenario *s;
    arne_record *r;
    arne_error e = {0};
    assert_int_equal(setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1), 0);
    const char *yaml = temp_write(&f, "s.yaml",
                                  "robot: planar2r\noptions: {base: free, payload: {link: base, body: {mass: 2, inertia: {xx: 1, "
                                  "yy: 1, zz: 1}}}}\nduration: 1\noutput: {energy: false}\n");
    if (arne_scenario_read(yaml, NULL, &s, &e)) fail_msg("%s", e.message);
    const char *csv = temp_write(&f, "run.csv", "");
    char path[500];
    snprintf(path, sizeof path, "%s", csv);
    double q[9], v[8], third = 1.0 / 3;
    for (int i = 0; i < 9; i++) q[i] = i;
    for (int i = 0; i < 8; i++) v[i] = 10 + i;
    q[8] = third;
    const arne_row row = {.t = 1, .q = q, .qd = v, .tau = v, .qr = v, .qdr = v, .momentum = v};
    const arne_result stopped = {.end = ARNE_RUN_STOPPED, .t = 0.5};
    assert_int_equal(arne_record_open(s, path, &r, &e), ARNE_OK);
    assert_true(arne_record_row(r, &row));
    assert_int_equal(arne_record_close(r, &stopped, &(arne_record_end){.wall = 1}, ARNE_OK, &e), ARNE_OK);
    expect_lines(
        path,
        "t,q.base.x,q.base.y,q.base.z,q.base.qx,q.base.qy,q.base.qz,q.base.qw,q.j1,q.j2,qd.base.vx,qd.base.vy,qd.base.vz,"
        "qd.base.wx,qd.base.wy,qd.base.wz,qd.j1,qd.j2,tau.base.vx,tau.base.vy,tau.base.vz,tau.base.wx,tau.base.wy,"
        "tau.base.wz,tau.j1,tau.j2,qr.j1,qr.j2,qdr.j1,qdr.j2\n",
        "1,0,1,2,3,4,5,6,7,0.33333333333333331,10,11,12,13,14,15,16,17,10,11,12,13,14,15,16,17,16,17,16,17\n");
    arne_about a;
    assert_int_equal(arne_about_read(path, &a, &e), ARNE_OK);
    assert_string_equal(a.status, "stopped");
    assert_string_equal(a.base, "free");
    assert_true(a.duration == 0.5);
    arne_about_free(&a);
    arne_scenario_free(s);
    temp_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_becomes_two_files), cmocka_unit_test(every_number_has_its_column),
                                       cmocka_unit_test(columns_of_a_free_robot_have_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
