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
        {states, "w.j2.fx,w.j2.fy,w.j2.fz,w.j2.mx,w.j2.my\n0,0,0,0,0\n", 1, "column w.j2.mz is missing"},
        {states, "q1,q2,tau.j1\n0,0,0\n", 1, "column tau2 (or tau.j2) is missing"},
        {states, "r3.fx\n0\n", 1, "unknown column \"r3.fx\""},
        {states, "r1.gx\n0\n", 1, "unknown column \"r1.gx\""},
        {states, "x1.fx\n0\n", 1, "unknown column \"x1.fx\""},
        {states, "qr3\n0\n", 1, "unknown column \"qr3\""},
        {states, "q0\n0\n", 1, "unknown column \"q0\""},
        {states, "q1x\n0\n", 1, "unknown column \"q1x\""},
        {states, "mass\n0\n", 1, "unknown column \"mass\""},
        {states, "q.j3\n0\n", 1, "unknown column \"q.j3\""},
        {states, "s1\n0\n", 1, "unknown column \"s1\""},
        {states, "w.j9.fx\n0\n", 1, "unknown column \"w.j9.fx\""},
        {recorded, "q1,q2,qd1,qd2,tau1,tau2\n0,0,0,0,0,0\n", 1, "column t is missing; a log has t, q, qd and tau of every joint"},
        {recorded, "t,q1,q2,tau1,tau2\n0,0,0,0,0\n", 1,
         "column qd1 (or qd.j1) is missing; a log has t, q, qd and tau of every joint"},
        {recorded, LOG "0" ROW "1" ROW, 0, "the log has 2 rows; it needs at least three"},
        {recorded, LOG "0" ROW "1" ROW "1" ROW "2" ROW, 4, "t = 1 does not come after t = 1"},
        {recorded, LOG "0" ROW "1" ROW "2" ROW "1.5" ROW, 5, "t = 1.5 does not come after t = 2"},
        {recorded, LOG "0" ROW, 0, "the log has 1 row; it needs at least three"},
        {recorded, LOG "0" ROW "1" ROW "2" ROW "3" ROW "5" ROW "7" ROW, 7,
         "the rate changes: t = 7 comes 2 s after the row before, the others 1 s; resample the log"},
        {recorded, LOG "0" ROW "1" ROW "2" ROW "2.9" ROW, 5, "the rate changes"},
        {recorded, LOG ROW "1" ROW ROW, 2, "column t: a row needs its time"},
        {recorded, LOG "0" ROW ROW ROW ROW ROW "1" ROW "2" ROW, 3, "an empty line, or a row without time, where no row"},
        {recorded, LOG "0" ROW ROW ROW, 3, "column t: a row needs its time"},
        {recorded, LOG "0" ROW "1" ROW "\n2" ROW "3" ROW, 4, "an empty line, or a row without time, where no row is missing"},
        {motion, "t,qd1,qd2\n0,0,0\n", 1, "a motion needs columns q1, q2, ..."},
        {motion, "q1,q2\n0,0\n", 1, "there is no column t"},
        {motion, "t,q1,q2\n", 1, "there are no rows after the header"},
        {motion, "t,q1,q2\n0,0,0\n", 2, "a motion has at least two rows"},
        {motion, "t,q1,q2\n0,0,0\n1,0,0\n3,0,0\n", 4,
         "column t is irregular: t = 3 comes 2 s after the row before, not 1 s; resample the motion"},
        {motion, "t,q1,q2\n0,0,0\n0,0,0\n", 3, "t = 0 does not come after t = 0"},
        {motion, "t,q1,q2\n0,0,0\n2,0,0\n1,0,0\n", 4, "t = 1 does not come after t = 2"},
        {motion, "t,q1,q2\n0,4,0\n1,0,0\n", 2,
         "the motion starts outside the limits: joint j1 at 4, limits -3.14159 ... 3.14159"},
        {motion, "t,q1,q2\n0,0,-3.25\n1,0,0\n", 2,
         "the motion starts outside the limits: joint j2 at -3.25, limits -3.14159 ... 3.14159"},
        {motion, "t,q1,q2,w.j2.fx,w.j2.fy,w.j2.fz,w.j2.mx,w.j2.my,w.j2.mz\n0,0,0,0,0,0,0,0,0\n", 1,
         "columns w.LINK.fx ... are not for motions; a constant wrench is given by --wrench"},
        {waypoints, "theta1,theta2\n0,0\n", 1, "a path has positions only: columns q1, q2, ... or q.JOINT, ..."},
        {waypoints, "w.j2.fx,w.j2.fy,w.j2.fz,w.j2.mx,w.j2.my,w.j2.mz\n0,0,0,0,0,0\n", 1, "a path needs columns q1, q2, ..."},
        {motion, "t,q1,q2,qd1,qd2\n0,0,0,0,11\n1,0,0,0,0\n", 2,
         "the motion starts outside the limits: joint j2 moves at 11, its limit is 10"},
        {waypoints, "t,q1,q2\n0,0,0\n", 1, "a path has no column t"},
        {waypoints, "q1,q2,qd1,qd2\n0,0,0,0\n", 1, "a path has positions only"},
        {waypoints, "q1,q2\n0,0\n", 2, "a path has at least two points, and here is one"},
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

/* What commands write for people is passed over and named by its families, each once. */
static void columns_of_other_commands_are_passed_over(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_states s;
    arne_error e;
    bool more;
    const char *path =
        temp_write(&f, "a.csv",
                   "t,qr1,qr2,q1,qdr.j2,real_q1,real_qd2,real_tau1,r1,r2.mz,motor1,tau_e2,rigid1,q2,s,contact,kinetic,"
                   "hand.z,linear.x,angular.y,mass.1.2,elastic.j1,id.j2\n"
                   "0,0,0,5,0,0,0,0,0,0,0,0,0,6,0,0,0,0,0,0,0,0,0\n");
    if (arne_states_open(&s, path, m, false, &e)) fail_msg("%s", e.message);
    assert_string_equal(s.passed,
                        "qr, qdr, real_q, real_qd, real_tau, r, motor, tau_e, rigid, s, contact, kinetic, hand, linear, "
                        "angular, mass, elastic, id");
    assert_int_equal(arne_states_next(&s, &more, &e), ARNE_OK);
    assert_true(arne_states_of(&s, ARNE_COLUMN_Q)[0] == 5 && arne_states_of(&s, ARNE_COLUMN_Q)[1] == 6);
    arne_states_close(&s);
    arne_log l;
    assert_int_equal(arne_log_motion(temp_write(&f, "b.csv", "t,q1,q2,hand.x\n0,0,0,1\n1,0,0,1\n"), m, 0, false, &l, &e),
                     ARNE_OK);
    assert_string_equal(l.passed, "hand");
    arne_log_free(&l);
    temp_close(&f);
}

/* One gap in ten rows and one more; an interval may be off by 2 %, of a motion by a thousandth, but not by a tenth more. */
static void a_rate_may_be_off_a_little(void **state)
{
    (void)state;
    static const struct {
        int rows, gaps;
        double off;
        bool motion, good;
    } cases[] = {{9, 1, 0, false, true},       {9, 2, 0, false, false},     {10, 2, 0, false, true},
                 {10, 3, 0, false, false},     {20, 3, 0, false, true},     {20, 4, 0, false, false},
                 {8, 0, 0.019, false, true},   {8, 0, 0.022, false, false}, {8, 0, -0.019, false, true},
                 {8, 0, -0.022, false, false}, {8, 0, 0.0009, true, true},  {8, 0, 0.0011, true, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[4000];
        int n = snprintf(text, sizeof text, "t,q1,q2,qd1,qd2,tau1,tau2\n");
        double t = 5;
        for (int row = 0, gaps = 0; row < cases[k].rows; row++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%.9g,0,0,0,0,0,0\n", t);
            const bool gap = row > 1 && gaps < cases[k].gaps;
            gaps += gap;
            t += gap ? 0.75 : 0.25 + (row == 3 ? cases[k].off * 0.25 : 0);
        }
        temp_folder f = temp_open();
        const char *path = temp_write(&f, "a.csv", text);
        arne_log l;
        arne_motion to;
        arne_status status = cases[k].motion ? arne_log_motion(path, m, 0, false, &l, NULL) : arne_log_read(path, m, &l, NULL);
        if (cases[k].motion && !status) status = arne_log_regular(&l, m, 0, &to, NULL);
        if (!status != cases[k].good) fail_msg("%d rows, %d gaps, off by %g", cases[k].rows, cases[k].gaps, cases[k].off);
        if (!status && !cases[k].motion) assert_true(fabs(l.period - 0.25 * (1 + cases[k].off / 7)) < 1e-8);
        arne_log_free(&l);
        temp_close(&f);
    }
}

static void a_motion_may_start_at_its_limits(void **state)
{
    (void)state;
    const arne_limits *limits = arne_joint_limits(m, 1);
    double q[] = {0, limits->upper, 0, 0}, qd[] = {0, -limits->velocity, 0, 0}, t[] = {0, 1};
    const arne_log l = {.name = "a", .count = 2, .n = 2, .nq = 2, .t = t, .q = q, .qd = qd};
    arne_motion to;
    assert_int_equal(arne_log_regular(&l, m, 0, &to, NULL), ARNE_OK);
    q[1] = limits->lower;
    assert_int_equal(arne_log_regular(&l, m, 0, &to, NULL), ARNE_OK);
    qd[1] = -1.01 * limits->velocity;
    assert_int_equal(arne_log_regular(&l, m, 0, &to, NULL), ARNE_BAD_VALUE);
    /* more than a whole turn outside: as if in degrees */
    const double turn = 2 * acos(-1);
    for (int side = -1; side < 2; side += 2)
        for (int far = 0; far < 2; far++) {
            q[0] = 0, q[1] = (side < 0 ? limits->lower : limits->upper) + side * (turn + (far ? 0.01 : -0.01));
            assert_int_equal(arne_joint_far(m, q), far ? 1 : -1);
        }
}

static void poses_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } bad[] = {
        {"x,y\n0,0\n", 1, "column z is missing; poses have x, y, z and perhaps roll, pitch, yaw"},
        {"x,y,z,roll,yaw\n0,0,0,0,0\n", 1, "of roll, pitch and yaw there are all three, or none"},
        {"x,y,z,t\n0,0,0,0\n", 1, "poses have the columns x, y, z and perhaps roll, pitch, yaw, and no others"},
        {"x,y,z\n0,0,0\n", 2, "a path has at least two poses, and here is one"},
        {"x,y,z\n", 1, "a path has at least two poses, and here is none"},
        {"x,y,z\n0,0,0\n0,0,a\n", 3, "column z: \"a\" is not a number"},
    };
    arne_pose *poses;
    int count;
    bool places;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        temp_folder f = temp_open();
        arne_error e = {0};
        assert_int_not_equal(arne_log_poses(temp_write(&f, "a.csv", bad[k].text), false, &poses, &count, &places, &e), ARNE_OK);
        if (strcmp(e.message, bad[k].words) || e.line != bad[k].line) fail_msg("%d: %s", e.line, e.message);
        assert_null(poses);
        temp_close(&f);
    }
    temp_folder f = temp_open();
    const char *turned = temp_write(&f, "a.csv", "yaw,z,y,x,pitch,roll\n30,3,2,1,20,10\n0,0,0,0,0,0\n1,2,3,4,5,6\n");
    const char *plain = temp_write(&f, "b.csv", "z,x,y\n3,1,2\n6,4,5\n9,7,8\n12,10,11\n15,13,14\n");
    for (int degrees = 0; degrees < 2; degrees++) {
        const double unit = degrees ? acos(-1) / 180 : 1;
        assert_int_equal(arne_log_poses(turned, degrees, &poses, &count, &places, NULL), ARNE_OK);
        const arne_pose first = arne_pose_rpy((double[]){1, 2, 3}, (double[]){10 * unit, 20 * unit, 30 * unit});
        assert_true(count == 3 && !places);
        for (int k = 0; k < 9; k++) assert_true(fabs(poses[0].R[k] - first.R[k]) < 1e-15);
        for (int k = 0; k < 3; k++) assert_true(poses[0].p[k] == 1 + k && poses[2].p[k] == 4 - k);
        free(poses);
        assert_int_equal(arne_log_poses(plain, degrees, &poses, &count, &places, NULL), ARNE_OK);
        assert_true(count == 5 && places);
        for (int k = 0; k < 15; k++) assert_true(poses[k / 3].p[k % 3] == k + 1 && poses[k / 3].R[4 * (k % 3)] == 1);
        free(poses);
    }
    temp_close(&f);
}

/* Of a free base, a spherical joint, one that turns and one that slides: what is in degrees. */
static void degrees_are_of_what_turns(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("mixed");
    static const arne_joint_type types[] = {ARNE_FREE, ARNE_SPHERICAL, ARNE_REVOLUTE, ARNE_PRISMATIC};
    assert_non_null(arne_description_link(d, "l0", 0));
    for (int i = 0; i < 4; i++) {
        char parent[8], child[8];
        snprintf(parent, sizeof parent, "l%d", i), snprintf(child, sizeof child, "l%d", i + 1);
        arne_description_link(d, child, 0)->body = (arne_body){1, {0}, {1, 0, 0, 1, 0, 1}};
        assert_non_null(arne_description_joint(d, child, 0, types[i], parent, child));
    }
    arne_model *mixed;
    assert_int_equal(arne_model_build(d, NULL, &mixed, NULL), ARNE_OK);
    const int nq = arne_model_nq(mixed), nv = arne_model_nv(mixed);
    assert_true(nq == 7 + 4 + 2 && nv == 6 + 3 + 2);
    char text[2000];
    int n = snprintf(text, sizeof text, "t");
    static const char *const groups[] = {"q", "qd", "tau"};
    for (int g = 0; g < 3; g++)
        for (int i = 1; i <= (g ? nv : nq); i++) n += snprintf(text + n, sizeof text - (size_t)n, ",%s%d", groups[g], i);
    n += snprintf(text + n, sizeof text - (size_t)n, "\n90,90,90,90,0,0,1,0,0,0.6,0,0.8,90,90");
    for (int i = 0; i < 2 * nv; i++) n += snprintf(text + n, sizeof text - (size_t)n, ",90");
    temp_folder f = temp_open();
    arne_states s;
    arne_error e;
    bool more;
    if (arne_states_open(&s, temp_write(&f, "a.csv", text), mixed, false, &e)) fail_msg("%s", e.message);
    s.degrees = true;
    if (arne_states_next(&s, &more, &e)) fail_msg("%s", e.message);
    const double right = acos(-1) / 2, *q = arne_states_of(&s, ARNE_COLUMN_Q), *qd = arne_states_of(&s, ARNE_COLUMN_QD);
    const double position[] = {90, 90, 90, 0, 0, 1, 0, 0, 0.6, 0, 0.8, right, 90};
    const double velocity[] = {90, 90, 90, right, right, right, right, right, right, right, 90};
    for (int i = 0; i < nq; i++) assert_true(fabs(q[i] - position[i]) < 1e-14);
    for (int i = 0; i < nv; i++) assert_true(fabs(qd[i] - velocity[i]) < 1e-14);
    for (int i = 0; i < nv; i++) assert_true(arne_states_of(&s, ARNE_COLUMN_TAU)[i] == 90);
    assert_true(*arne_states_time(&s) == 90);
    arne_states_close(&s);
    /* what has no number of its own: a quaternion that is none, and where it is */
    const char *none = temp_write(&f, "b.csv",
                                  "q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13\n0,0,0,0,0,0,1,0,0,0,1,0,0\n"
                                  "0,0,0,0,0,0,1,0.5,0,0,1,0,0\n");
    assert_int_equal(arne_states_open(&s, none, mixed, false, &e), ARNE_OK);
    assert_int_equal(arne_states_next(&s, &more, &e), ARNE_OK);
    assert_int_equal(arne_states_next(&s, &more, &e), ARNE_BAD_VALUE);
    assert_true(e.line == 3 && !strcmp(e.message, "joint l2: the quaternion qx qy qz qw of its position is not of unit length"));
    arne_states_close(&s);
    /* joints of several freedoms have no motor, and their numbers have names */
    static const char *const headers[][2] = {
        {"theta10,theta11\n0,0\n", NULL},
        {"theta10\n0\n", "column theta11 (or theta.l4) is missing"},
        {"q.l1.x\n0\n", "column q2 (or q.l1.y) is missing"},
        {"qd1\n0\n", "column qd2 (or qd.l1.vy) is missing"},
        {"q14\n0\n", "unknown column \"q14\"; did you mean \"q1\"? (the robot has 4 moving joints)"}};
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        temp_folder other = temp_open();
        const arne_status status = arne_states_open(&s, temp_write(&other, "a.csv", headers[k][0]), mixed, false, &e);
        if (!status != !headers[k][1] || (status && strcmp(e.message, headers[k][1])))
            fail_msg("%s: %s", headers[k][0], e.message);
        arne_states_close(&s);
        temp_close(&other);
    }
    /* a log of it becomes radians the same way */
    double qs[26], qds[22], ts[2] = {0, 1};
    for (int i = 0; i < 26; i++) qs[i] = 90;
    for (int i = 0; i < 22; i++) qds[i] = 90;
    arne_log l = {.count = 2, .n = nv, .nq = nq, .t = ts, .q = qs, .qd = qds};
    arne_log_radians(&l, mixed);
    for (int i = 0; i < 26; i++) assert_true(fabs(qs[i] - (i % 13 == 11 ? right : 90)) < 1e-14);
    for (int i = 0; i < 22; i++) assert_true(fabs(qds[i] - velocity[i % 11]) < 1e-14);
    temp_close(&f);
    arne_model_free(mixed);
    arne_description_free(d);
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
        cmocka_unit_test(columns_of_other_commands_are_passed_over),
        cmocka_unit_test(a_rate_may_be_off_a_little),
        cmocka_unit_test(a_motion_may_start_at_its_limits),
        cmocka_unit_test(poses_are_read),
        cmocka_unit_test(degrees_are_of_what_turns),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
