/* SPDX-License-Identifier: MIT
 *
 * log_test.c - states, logs, motions and paths of a robot: columns by name and joint, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "arne/file.h"
#include "arne/log.h"
#include "support/tempfile.h"

static arne_model *m; /* joints j1, j2; limits pi and 10 rad/s */

static int load(void **state)
{
    (void)state;
    return arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL) != ARNE_OK;
}

static int unload(void **state)
{
    (void)state;
    arne_model_free(m);
    return 0;
}

static void columns_are_sorted_by_name_and_joint(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv",
                                  "tau2,q.j2,t,q1,tau.j1,w.j2.fx,w.j2.fy,w.j2.fz,w.j2.mx,w.j2.my,w.j2.mz\n"
                                  "1,2,3,4,5,6,7,8,9,10,11\n");
    arne_states s;
    arne_error e;
    bool more;
    assert_int_equal(arne_states_open(&s, path, m, false, &e), ARNE_OK);
    assert_true(arne_states_has(&s, ARNE_COLUMN_Q) && arne_states_has(&s, ARNE_COLUMN_TAU) &&
                !arne_states_has(&s, ARNE_COLUMN_QD));
    assert_int_equal(arne_states_next(&s, &more, &e), ARNE_OK);
    const double *q = arne_states_of(&s, ARNE_COLUMN_Q), *tau = arne_states_of(&s, ARNE_COLUMN_TAU);
    const double *w = arne_states_wrench(&s, arne_link_find(m, "j2"));
    assert_true(more && q[0] == 4 && q[1] == 2 && tau[0] == 5 && tau[1] == 1 && *arne_states_time(&s) == 3);
    assert_true(w && w[0] == 6 && w[5] == 11 && !arne_states_wrench(&s, 0));
    assert_true(arne_states_of(&s, ARNE_COLUMN_QD)[1] == 0);
    assert_int_equal(arne_states_next(&s, &more, &e), ARNE_OK);
    assert_false(more);
    arne_states_close(&s);
    temp_close(&f);
}

static void without_a_file_there_is_one_row_of_zeros(void **state)
{
    (void)state;
    arne_states s;
    bool more;
    assert_int_equal(arne_states_open(&s, NULL, m, false, NULL), ARNE_OK);
    assert_true(!arne_states_next(&s, &more, NULL) && more && arne_states_of(&s, ARNE_COLUMN_QDD)[1] == 0);
    assert_true(!arne_states_next(&s, &more, NULL) && !more && !arne_states_time(&s));
    arne_states_close(&s);
}

typedef arne_status reading(const char *path, arne_log *l, arne_error *e);

static arne_status states(const char *path, arne_log *l, arne_error *e)
{
    *l = (arne_log){0};
    arne_states s;
    bool more = true;
    arne_status status = arne_states_open(&s, path, m, false, e);
    while (!status && more) status = arne_states_next(&s, &more, e);
    arne_states_close(&s);
    return status;
}

static arne_status recorded(const char *path, arne_log *l, arne_error *e) { return arne_log_read(path, m, l, e); }
static arne_status waypoints(const char *path, arne_log *l, arne_error *e) { return arne_log_path(path, m, l, e); }

static arne_status motion(const char *path, arne_log *l, arne_error *e)
{
    arne_motion to;
    const arne_status status = arne_log_motion(path, m, 0, false, l, e);
    return status ? status : arne_log_regular(l, m, 0, &to, e);
}

static void bad_files_are_refused_with_their_line(void **state)
{
    (void)state;
#define LOG "t,q1,q2,qd1,qd2,tau1,tau2\n"
#define ROW ",0,0,0,0,0,0\n"
    static const struct {
        reading *read;
        const char *text;
        int line;
        const char *words;
    } bad[] = {
        {states, "q1,q3\n0,0\n", 1, "unknown column \"q3\"; did you mean \"q1\"? (the robot has 2 moving joints)"},
        {states, "q01,q2\n0,0\n", 1, "unknown column \"q01\""},
        {states, "T,q1,q2\n0,0,0\n", 1, "unknown column \"T\"; did you mean \"t\"?"},
        {states, "q1\n0\n", 1, "column q2 (or q.j2) is missing"},
        {states, "q1,q2,q.j1\n0,0,0\n", 1, "column q.j1 is there twice"},
        {states, "w.j2.fx\n0\n", 1, "column w.j2.fy is missing"},
        {states, "w.j9.fx\n0\n", 1, "unknown column \"w.j9.fx\""},
        {recorded, "q1,q2,qd1,qd2,tau1,tau2\n0,0,0,0,0,0\n", 1, "column t is missing; a log has t, q, qd and tau of every joint"},
        {recorded, "t,q1,q2,tau1,tau2\n0,0,0,0,0\n", 1, "column qd1 (or qd.j1) is missing; a log has"},
        {recorded, LOG "0" ROW "1" ROW, 0, "the log has 2 rows; it needs at least three"},
        {recorded, LOG "0" ROW "1" ROW "1" ROW "2" ROW, 4, "t = 1 does not come after t = 1"},
        {recorded, LOG "0" ROW "1" ROW "2" ROW "3" ROW "5" ROW "7" ROW, 7, "the rate changes: t = 7 comes 2 s after"},
        {recorded, LOG "0" ROW "1" ROW "2" ROW "2.9" ROW, 5, "the rate changes"},
        {recorded, LOG ROW "1" ROW ROW, 2, "column t: a row needs its time"},
        {recorded, LOG "0" ROW ROW ROW ROW ROW "1" ROW "2" ROW, 3, "an empty line, or a row without time, where no row"},
        {recorded, LOG "0" ROW ROW ROW, 3, "column t: a row needs its time"},
        {recorded, LOG "0" ROW "1" ROW "\n2" ROW "3" ROW, 4, "an empty line, or a row without time, where no row is missing"},
        {motion, "t,qd1,qd2\n0,0,0\n", 1, "a motion needs columns q1, q2, ..."},
        {motion, "q1,q2\n0,0\n", 1, "there is no column t"},
        {motion, "t,q1,q2\n", 1, "there are no rows after the header"},
        {motion, "t,q1,q2\n0,0,0\n", 2, "a motion has at least two rows"},
        {motion, "t,q1,q2\n0,0,0\n1,0,0\n3,0,0\n", 4, "column t is irregular: t = 3 comes 2 s after"},
        {motion, "t,q1,q2\n0,0,0\n0,0,0\n", 3, "does not come after"},
        {motion, "t,q1,q2\n0,4,0\n1,0,0\n", 2, "outside the limits: joint j1 at 4"},
        {motion, "t,q1,q2,qd1,qd2\n0,0,0,0,11\n1,0,0,0,0\n", 2, "outside the limits: joint j2 moves at 11"},
        {waypoints, "t,q1,q2\n0,0,0\n", 1, "a path has no column t"},
        {waypoints, "q1,q2,qd1,qd2\n0,0,0,0\n", 1, "a path has positions only"},
        {waypoints, "q1,q2\n0,0\n", 2, "at least two points, and here is one"},
        {waypoints, "q1,q2\n", 1, "at least two points, and here is none"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        temp_folder f = temp_open();
        const char *path = temp_write(&f, "a.csv", bad[i].text);
        arne_log l;
        arne_error e = {0};
        const arne_status status = bad[i].read(path, &l, &e);
        if (!status) fail_msg("read: \"%s\"", bad[i].text);
        assert_true(status == ARNE_BAD_SYNTAX || status == ARNE_BAD_VALUE);
        if (e.line != bad[i].line || strcmp(e.file, path) || !strstr(e.message, bad[i].words))
            fail_msg("\"%s\": %s:%d: %s", bad[i].text, e.file, e.line, e.message);
        arne_log_free(&l);
        temp_close(&f);
    }
    arne_log l;
    arne_error e;
    assert_int_equal(arne_log_read("/nowhere.csv", m, &l, &e), ARNE_NO_FILE);
    arne_log_free(&l);
}

static void a_log_keeps_holes_and_passes_over_other_columns(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv",
                                  "t,q1,q2,qd1,qd2,tau1,tau2,theta1,theta2,r1,note\n" /* a note is not looked at */
                                  "0,1,2,3,4,5,6,7,8,9,some text\n0.101,,2,nan,4,5,6,7,8,9,10\n0.2,1,2,3,4,5,60,7,8,9,10\n");
    arne_log l;
    assert_int_equal(arne_log_read(path, m, &l, NULL), ARNE_OK);
    assert_true(l.count == 3 && l.n == 2 && fabs(l.period - 0.1) < 1e-15);
    assert_true(isnan(l.q[2]) && isnan(l.qd[2]) && l.q[3] == 2 && arne_log_row(l.tau, l.n, 2)[1] == 60);
    assert_true(l.theta && l.theta[1] == 8 && !l.thetad && !l.qdd);
    assert_int_equal(arne_log_line(2), 4);
    arne_log_free(&l);
    temp_close(&f);
}

/* a gap, a row without time, an empty line, a row that was cut off, empty lines at the end */
static void a_log_may_lack_rows(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "a.csv",
                                  LOG ",1,2,3,4,5,6\n1" ROW "2" ROW "6" ROW "7" ROW "8" ROW ",1,2,3,4,5,6\n"
                                      "10" ROW "11" ROW "\n13" ROW "14,1\n,1,2,3,4,5,6\n\n\n");
    static const double t[] = {0, 1, 2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    arne_log l;
    arne_error e;
    if (arne_log_read(path, m, &l, &e)) fail_msg("%d: %s", e.line, e.message);
    assert_int_equal(l.count, 13);
    assert_true(fabs(l.period - 1) < 1e-15);
    for (int k = 0; k < l.count; k++) {
        assert_true(l.t[k] == t[k]);
        const double sum = l.q[2 * k] + l.qd[2 * k] + l.tau[2 * k];
        assert_true(isnan(sum) == (k == 0 || k == 6 || k == 9 || k >= 11));
    }
    arne_log_free(&l);
    temp_close(&f);
}

static void motions_have_times_or_an_interval(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *timed = temp_write(&f, "a.csv", "t,q1,q2,qd1,qd2\n5,0,1,0,0\n5.1,0,2,0,0\n5.20005,0,3,0,0\n");
    const char *bare = temp_write(&f, "b.csv", "q1,q2\n0,1\n0,2\n");
    arne_log l;
    arne_motion to;
    assert_int_equal(arne_log_motion(timed, m, 0, false, &l, NULL), ARNE_OK);
    assert_int_equal(arne_log_regular(&l, m, 0, &to, NULL), ARNE_OK);
    assert_true(to.count == 3 && fabs(to.dt - 0.100025) < 1e-12 && to.q[5] == 3 && to.qd == l.qd && l.t[0] == 5);
    assert_int_equal(arne_log_regular(&l, m, 0.2, &to, NULL), ARNE_BAD_VALUE);
    arne_log_free(&l);
    assert_int_equal(arne_log_motion(bare, m, 0.5, false, &l, NULL), ARNE_OK);
    assert_int_equal(arne_log_regular(&l, m, 0.5, &to, NULL), ARNE_OK);
    assert_true(to.dt == 0.5 && !to.qd && l.t[1] == 0.5);
    arne_log_free(&l);
    assert_int_equal(arne_log_path(bare, m, &l, NULL), ARNE_OK);
    assert_true(l.count == 2 && l.q[3] == 2 && !l.t);
    arne_log_free(&l);
    temp_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_sorted_by_name_and_joint),
        cmocka_unit_test(without_a_file_there_is_one_row_of_zeros),
        cmocka_unit_test(bad_files_are_refused_with_their_line),
        cmocka_unit_test(a_log_keeps_holes_and_passes_over_other_columns),
        cmocka_unit_test(a_log_may_lack_rows),
        cmocka_unit_test(motions_have_times_or_an_interval),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
