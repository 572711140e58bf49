/* SPDX-License-Identifier: MIT
 *
 * report_test.c - what is said about small runs whose facts are known, the page of them, and how bad ones are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/report.h"
#include "support/subject.h"
#include "support/tempfile.h"

static const char TABLE[] = "t,q1,qr1,tau1,r1,contact\n"
                            "0,0,0,1,0,0\n0.1,0.1,0.2,5,0,0\n0.2,0.2,0.2,10,3,1\n0.3,0.3,0.3,2,3,1\n0.4,0.4,0.4,1,0,0\n";
static const char ABOUT[] = "{\"arne\":\"run\",\"title\":\"a <push>\",\"robot\":\"slide.yaml\",\"dof\":1,\"joints\":[\"z\"],"
                            "\"limits\":{\"effort\":[10]},\"thresholds\":[2],"
                            "\"events\":[{\"t\":0.15,\"end\":0.25,\"kind\":\"wrench\",\"text\":\"a push\"}]}";

static subject slide(int joints)
{
    arne_description *d = arne_description_new("slide");
    assert_true(d && arne_description_link(d, "base", 0));
    assert_non_null(arne_description_link(d, "car", 0));
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_PRISMATIC, "base", "car");
    assert_non_null(j);
    j->limits = (arne_limits){-1, 0.35, 2, INFINITY, 20};
    d->links[1].body.mass = 1;
    if (joints > 1) {
        assert_non_null(arne_description_link(d, "hand", 0));
        assert_non_null(arne_description_joint(d, "y", 0, ARNE_PRISMATIC, "car", "hand"));
    }
    return subject_of(d);
}

static void a_push_is_found_in_the_numbers(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", TABLE);
    temp_write(&t, "run.json", ABOUT);
    arne_report_run *r;
    arne_report_facts f;
    size_t rows;
    int columns, joints;
    char *name;
    assert_int_equal(arne_report_read(path, &r, NULL), ARNE_OK);
    assert_string_equal(arne_report_robot(r), "slide.yaml");
    assert_int_equal(arne_report_locate(r, &name, NULL), ARNE_OK);
    assert_null(name);
    temp_write(&t, "slide.yaml", "");
    assert_int_equal(arne_report_locate(r, &name, NULL), ARNE_OK);
    assert_true(name && strstr(name, t.path) && strstr(name, "/slide.yaml"));
    free(name);
    assert_int_equal(arne_report_complete(r, NULL, NULL, NULL, NULL), ARNE_OK);
    arne_report_size(r, &rows, &columns, &joints);
    assert_true(rows == 5 && columns == 6 && joints == 1);

    arne_report_find(r, &f);
    assert_true(f.error.joint == 0 && fabs(f.error.value - 0.1) < 1e-12 && f.error.t == 0.1);
    assert_true(f.torque.joint == 0 && f.torque.value == 1 && f.saturated == 0 && fabs(f.saturated_s - 0.1) < 1e-12);
    assert_true(f.watched && f.contacts == 1 && f.false_alarms == 0 && f.push && f.contact && !f.stop);
    assert_true(fabs(f.delay - 0.05) < 1e-12 && f.contact->t == 0.2 && f.contact->end == 0.3);
    assert_true(f.speed.joint == -1 && f.outside.joint == -1);
    assert_string_equal(arne_report_verdict(r, &f), "fair");
    arne_report_free(r);
    temp_close(&t);
}

static void the_robot_knows_limits_and_is_drawn(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", TABLE);
    subject s = slide(1);
    arne_report_run *r;
    arne_report_facts f;
    char *page;
    arne_error e = {0};
    assert_int_equal(arne_report_read(path, &r, NULL), ARNE_OK);
    assert_null(arne_report_robot(r));
    assert_int_equal(arne_report_complete(r, s.d, s.m, "slide", NULL), ARNE_OK);
    arne_report_find(r, &f);
    assert_true(f.outside.joint == 0 && fabs(f.outside.value - 0.05) < 1e-12 && f.torque.value == 0.5);
    assert_string_equal(arne_report_verdict(r, &f), "bad");
    const arne_report_run *const runs[] = {r, r};
    if (arne_report_page(runs, 2, "two & two", &page, &e)) fail_msg("%s", e.message);
    assert_true(strstr(page, "<!DOCTYPE html>") == page && strstr(page, "<h1>two &amp; two</h1>"));
    assert_true(strstr(page, "The runs side by side") && strstr(page, "side view") && strstr(page, "leaves its position limits"));
    free(page);
    arne_report_free(r);
    subject_close(&s);
    temp_close(&t);
}

/* A slide 2 m to the left of its base, then as far to the right: pictures of 2 m, with a bar of a quarter. */
static void a_picture_is_as_wide_as_the_robot(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", TABLE);
    for (int side = -1; side <= 1; side += 2) {
        subject s = slide(1);
        arne_report_run *r;
        char *page;
        s.d->joints[0].before.p[0] = 2 * side;
        arne_model *m;
        assert_int_equal(arne_model_build(s.d, NULL, &m, NULL), ARNE_OK);
        assert_int_equal(arne_report_read(path, &r, NULL), ARNE_OK);
        assert_int_equal(arne_report_complete(r, s.d, m, "slide", NULL), ARNE_OK);
        const arne_report_run *const runs[] = {r};
        assert_int_equal(arne_report_page(runs, 1, "aside", &page, NULL), ARNE_OK);
        const char *picture = strstr(page, "side view");
        assert_non_null(picture);
        const char *bar = strstr(picture, " m</text></svg>");
        assert_true(bar && bar > picture + 4 && !strncmp(bar - 4, ">0.5", 4));
        free(page);
        arne_report_free(r);
        arne_model_free(m);
        subject_close(&s);
    }
    temp_close(&t);
}

/* The verdict of a run of one joint with limits of 10 Nm and 2 rad/s; the page must say `words`, but not `but`. */
static void expect_verdict(const char *table, const char *about, const char *verdict, const char *words, const char *but)
{
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", table);
    char json[512];
    snprintf(json, sizeof json, "{\"dof\":1,\"joints\":[\"z\"],\"limits\":{\"effort\":[10],\"velocity\":[2]}%s,\"arne\":\"run\"}",
             about);
    temp_write(&t, "run.json", json);
    arne_report_run *r;
    arne_report_facts f;
    arne_error e = {0};
    char *page;
    if (arne_report_read(path, &r, &e) || arne_report_complete(r, NULL, NULL, NULL, &e)) fail_msg("%s", e.message);
    arne_report_find(r, &f);
    if (strcmp(arne_report_verdict(r, &f), verdict)) fail_msg("%s is %s", about, arne_report_verdict(r, &f));
    if (arne_report_page((const arne_report_run *const[]){r}, 1, NULL, &page, &e)) fail_msg("%s", e.message);
    if (!strstr(page, words)) fail_msg("%s: the page does not say '%s'", about, words);
    if (but && strstr(page, but)) fail_msg("%s: the page says '%s'", about, but);
    free(page);
    arne_report_free(r);
    temp_close(&t);
}

static void verdicts_fit_what_was_asked_for(void **state)
{
    (void)state;
    static const char over[] = "t,q1,tau1\n0,0,1\n1,1,69.2\n2,1,1\n", at[] = "t,q1,tau1\n0,0,1\n1,1,10\n2,1,10\n";
    expect_verdict(over, "", "bad", "needs 692 % of its torque limit", "comes nearest");
    expect_verdict(over, ",\"arne\":\"observe\"", "fair", "is at its torque limit or over it for 1 s.", "Not feasible");
    /* whoever made it */
    expect_verdict(over, ",\"purpose\":\"time-optimal\",\"verdict\":\"feasible\"", "bad", "needs 692 %", "As fast");
    expect_verdict("t,q1,qd1\n0,0,0\n1,1,2.8\n2,1,0\n", "", "bad", "moves at 140 % of its speed limit", "comes nearest");
    expect_verdict("t,q1,qd1\n0,0,0\n1,1,2.8\n2,1,0\n", ",\"controller\":\"none\"", "fair", "moves at 140 %", NULL);
    expect_verdict(at, "", "fair", "is at its torque limit for 2 s", "needs");
    expect_verdict(at, ",\"purpose\":\"time-optimal\"", "good", "As fast as its limits allow: no limit is exceeded.", "needs");
    expect_verdict(at, ",\"verdict\":\"feasible\",\"why\":\"by <us>\"", "good", "Feasible: by &lt;us&gt;. The joint", "needs");
    expect_verdict(at, ",\"verdict\":\"infeasible\",\"why\":\"it needs more\"", "bad", "Not feasible: it needs more.", NULL);
    expect_verdict(at, ",\"payload\":[{\"link\":\"<b>\",\"mass\":12,\"com\":[0,0,0.1]}]", "fair",
                   "<b>12 kg</b> on link &lt;b&gt;, its centre of mass at 0, 0, 0.1 m", NULL);
    static const char stuck[] = "t,q1,qr1\n0,0.2,0.2\n1,0.2,0.4\n2,0.201,0.7\n";
    expect_verdict(stuck, "", "bad", "did not move, though it should have: it is up to 0.499 rad", NULL);
    expect_verdict("t,q1,qr1\n0,0.2,0.2\n1,0.3,0.4\n2,0.6,0.7\n", "", "good", "within 0.1 rad", "did not move");
    expect_verdict("t,q1,qr1\n0,0.2,0.2\n1,0.2,0.2005\n", "", "good", "within 0.0005 rad", "did not move"); /* nowhere to go */
    expect_verdict("t,q1\n0,0.2\n1,0.2\n", ",\"tracking\":{\"errors\":[0.5]}", "bad", "up to 0.5 rad", NULL);
    /* all that a summary says */
    static const char run[] = "t,q1,qd1,qr1,tau1,r1\n0,0,0,0,1,0\n1,1,1.5,1.125,8,0\n2.5,2,0,2,-2,0\n";
    static const char told[] = ",\"controller\":\"pd\",\"period\":0.002,\"integrator\":\"rk4\",\"summary\":{\"wall_s\":0.25}";
    expect_verdict(run, told, "good",
                   "1 joint; 2.5 s, 3 rows; controller <b>pd</b> every 2 ms; integrated by rk4; computed in 250 ms.</li>\n",
                   NULL);
    expect_verdict(
        run, told, "good",
        "<li>It follows its reference to within 0.125 rad (7.2°); the largest error is at joint <b>z</b>, t = 1 s.</li>\n"
        "<li>Torque: joint <b>z</b> comes nearest to its limit, 80 % of 10 Nm at t = 1 s; no joint saturates.</li>\n"
        "<li>Speed: joint <b>z</b> comes nearest to its limit, 75 % of 2 rad/s at t = 1 s.</li>\n"
        "<li>The observer was silent, and nothing disturbed the robot.</li>\n</ul>",
        NULL);
    /* after a stop nobody follows */
    expect_verdict(stuck, ",\"events\":[{\"t\":0.5,\"kind\":\"stop\"}]", "good", "Until it stops", "did not move");
    expect_verdict(stuck, ",\"events\":[{\"t\":0.5,\"end\":0.5,\"kind\":\"stop\"}]", "good", "Reaction at", "at rest");
}

static arne_report_facts facts_of(const char *table, const char *about, const arne_model *m, char verdict[8])
{
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", table);
    char json[1000];
    snprintf(json, sizeof json, "{\"arne\":\"run\"%s}", about);
    temp_write(&t, "run.json", json);
    arne_report_run *r;
    arne_report_facts f;
    arne_error e = {0};
    if (arne_report_read(path, &r, &e) || arne_report_complete(r, NULL, m, "robot", &e)) fail_msg("%s", e.message);
    arne_report_find(r, &f);
    snprintf(verdict, 8, "%s", arne_report_verdict(r, &f));
    arne_report_free(r);
    temp_close(&t);
    f.push = f.contact = f.unexplained = f.stop = NULL; /* they were its events */
    return f;
}

/* On both sides of each limit that a verdict has. */
static void facts_at_their_limits(void **state)
{
    (void)state;
    static const char limits[] = ",\"dof\":1,\"limits\":{\"effort\":[1000],\"velocity\":[1000],\"lower\":[-1],\"upper\":[1]}";
    static const struct {
        const char *row, *verdict; /* q, qd, tau at 1 s, up to 2 s */
        int saturated;
    } rows[] = {{"0,0,998.5", "good", -1}, {"0,0,999", "fair", 0},     {"0,0,-999.5", "fair", 0},  {"0,0,1000.9", "fair", 0},
                {"0,0,1001.1", "bad", 0},  {"0,1000.9,0", "good", -1}, {"0,-1001.1,0", "bad", -1}, {"1,0,0", "good", -1},
                {"1.0001,0,0", "bad", -1}, {"-1,0,0", "good", -1},     {"-1.0001,0,0", "bad", -1}};
    char table[300], about[400], verdict[8];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        snprintf(table, sizeof table, "t,q1,qd1,tau1\n0,0,0,0\n1,%s\n2.5,0.5,0,0\n", rows[k].row);
        const arne_report_facts f = facts_of(table, limits, NULL, verdict);
        if (strcmp(verdict, rows[k].verdict) || f.saturated != rows[k].saturated) fail_msg("%s: %s", rows[k].row, verdict);
        if (f.saturated == 0) assert_true(f.saturated_s == 1);
    }
    /* it should have moved: off by more than a thousandth, and twenty times as far as it went */
    static const struct {
        double went, off;
        const char *verdict;
    } still[] = {{0, 0.0011, "bad"}, {0, 0.0009, "good"}, {0.019, 0.4, "bad"}, {0.021, 0.4, "good"}};
    for (size_t k = 0; k < 4; k++) {
        snprintf(table, sizeof table, "t,q1,qr1\n0,0,0\n1,%g,%g\n", still[k].went, still[k].went + still[k].off);
        facts_of(table, "", NULL, verdict);
        assert_string_equal(verdict, still[k].verdict);
    }
    /* a contact half a second after a disturbance is still due to it; the last one that has begun is meant */
    for (int late = 0; late < 2; late++) {
        snprintf(about, sizeof about,
                 ",\"events\":[{\"t\":0.25,\"end\":5,\"kind\":\"payload\"},{\"t\":1,\"end\":2,\"kind\":\"wrench\"},"
                 "{\"t\":2.5,\"end\":3,\"kind\":\"fault\"},{\"t\":%g,\"kind\":\"contact\"}]",
                 late ? 2.51 : 2.49);
        const arne_report_facts f = facts_of("t,q1\n0,0\n9,0\n", about, NULL, verdict);
        assert_true(f.contacts == 1 && f.false_alarms == 0 && fabs(f.delay - (late ? 0.01 : 1.49)) < 1e-12);
        snprintf(about, sizeof about, ",\"events\":[{\"t\":1,\"%s\":2,\"kind\":\"friction\"},{\"t\":%g,\"kind\":\"contact\"}]",
                 late ? "end" : "begin", late ? 2.51 : 1.51);
        assert_int_equal(facts_of("t,q1\n0,0\n9,0\n", about, NULL, verdict).false_alarms, 1);
    }
    /* two joints: whose peak it is, and who saturates longer */
    const arne_report_facts f =
        facts_of("t,q1,q2,qd1,qd2,tau1,tau2\n0,0,0,0,0,0,0\n1,0,0,4,-3,10,5\n2,0,0,0,0,0,5\n4,3,-8,0,0,2,-5\n",
                 ",\"dof\":2,\"limits\":{\"effort\":[10,5],\"velocity\":[8,4],\"lower\":[-1,-2],\"upper\":[1,2]}", NULL, verdict);
    assert_true(f.torque.joint == 0 && f.torque.value == 1 && f.torque.t == 1 && f.saturated == 1 && f.saturated_s == 4);
    assert_true(f.speed.joint == 1 && f.speed.value == 0.75 && f.speed.t == 1 && f.outside.joint == 1 && f.outside.value == 6);
    assert_true(f.outside.t == 4 && f.still.joint == -1);
}

/* The error of a joint that turns counts before that of one that slides; what the robot did before what was measured. */
static void errors_are_of_what_turns(void **state)
{
    (void)state;
    arne_model *m;
    char verdict[8];
    assert_int_equal(arne_load(ARNE_ROBOTS "/scara.yaml", &m, NULL), ARNE_OK); /* its third joint slides */
    arne_report_facts f =
        facts_of("t,q1,q2,q3,q4,qr1,qr2,qr3,qr4\n0,0,0,0,0,0.1,0,0,0\n1,0,0,0,0,0,0.2,0.9,0.15\n", "", m, verdict);
    assert_true(f.error.joint == 1 && fabs(f.error.value - 0.2) < 1e-15 && f.error.t == 1);
    f = facts_of("t,q1,q2,q3,q4,qr3\n0,0,0,0,0,0.1\n1,0,0,0,0,0.05\n", "", m, verdict);
    assert_true(f.error.joint == 2 && fabs(f.error.value - 0.1) < 1e-15 && f.error.t == 0);
    f = facts_of("t,q1,q2,q3,q4,qr3,qr4,real_q4\n0,0,0,0,0,0.1,0.3,0\n1,0,0,0,0,0.05,0.6,0.5\n", "", m, verdict);
    assert_true(f.error.joint == 3 && fabs(f.error.value - 0.3) < 1e-15 && f.error.t == 0);
    arne_model_free(m);
}

/* A robot is found beside its run, or where it is called from. */
static void robots_are_found(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", "t,q1\n0,0\n1,1\n"), *beside = temp_write(&t, "mine.v2", "");
    static const struct {
        const char *robot; /* in the JSON file, %s: the folder */
        const char *found; /* the same; NULL: it is not */
    } cases[] = {{"nobody", NULL},
                 {"planar3r", "planar3r"},
                 {"mine.v2", "%s/mine.v2"},
                 {"%s/mine.v2", "%s/mine.v2"},
                 {"./mine.v2", "%s/./mine.v2"},
                 {"%s/yours.v2", NULL},
                 {"/mine.v2", NULL},
                 {"sub/mine.v2", NULL}};
    char json[400], robot[200], should[200];
    const char *about = temp_write(&t, "run.json", ""), *shipped = getenv("ARNE_ROBOTS");
    char *before = shipped ? strdup(shipped) : NULL;
    setenv("ARNE_ROBOTS", ARNE_ROBOTS, 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arne_report_run *r;
        char *name;
        snprintf(robot, sizeof robot, cases[k].robot, t.path);
        snprintf(json, sizeof json, "{\"arne\":\"run\",\"robot\":\"%s\",\"base\":\"%s\",\"mimic\":\"%s\"}", robot,
                 k == 0   ? "free"
                 : k == 1 ? "fixed"
                          : "file",
                 k == 0 ? "independent" : "follow");
        FILE *f = fopen(about, "w");
        fputs(json, f), fclose(f);
        assert_int_equal(arne_report_read(path, &r, NULL), ARNE_OK);
        assert_int_equal(arne_report_base(r), k == 0 ? ARNE_BASE_FREE : k == 1 ? ARNE_BASE_FIXED : ARNE_BASE_FILE);
        assert_int_equal(arne_report_mimic(r), k == 0 ? ARNE_MIMIC_INDEPENDENT : ARNE_MIMIC_FOLLOW);
        assert_int_equal(arne_report_locate(r, &name, NULL), ARNE_OK);
        snprintf(should, sizeof should, cases[k].found ? cases[k].found : "", t.path);
        if (!name != !cases[k].found || (name && strcmp(name, should))) fail_msg("%s: %s", robot, name ? name : "nothing");
        free(name);
        arne_report_free(r);
    }
    assert_int_equal(access(beside, F_OK), 0);
    if (!before || setenv("ARNE_ROBOTS", before, 1)) unsetenv("ARNE_ROBOTS");
    free(before);
    temp_close(&t);
}

/* What one column tells of contacts, unless events do; and joints are counted by whatever columns are there. */
static void contacts_of_a_column(void **state)
{
    (void)state;
    static const struct {
        const char *table, *about;
        int joints, contacts;
        double first;
    } cases[] = {
        {"t,q1,contact\n0,0,1\n1,0,1\n2,0,0\n3,0,1\n4,0,0.4\n5,0,1\n", "", 1, 3, 0},
        {"t,q1,q2,contact\n0,0,0,0\n1,0,0,0\n2,0,0,1\n3,0,0,1\n", "", 2, 1, 2},
        {"t,tau1,tau2,tau3,contact\n0,0,0,0,0\n1,0,0,0,1\n", ",\"events\":[{\"t\":0.5,\"kind\":\"contact\"}]", 3, 1, 0.5},
        {"t,r1,r2,contact\n0,0,0,0\n1,0,0,1\n", ",\"arne\":\"observe\",\"events\":[{\"t\":2,\"kind\":\"stop\"}]", 2, 1, 1},
        {"t,theta1,q.z,contact\n0,0,0,0\n1,0,0,0\n", "", 1, 0, -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        temp_folder t = temp_open();
        const char *path = temp_write(&t, "run.csv", cases[k].table);
        char json[200];
        snprintf(json, sizeof json, "{\"arne\":\"observe\"%s}", cases[k].about);
        temp_write(&t, "run.json", json);
        arne_report_run *r;
        arne_report_facts f;
        size_t rows;
        int columns, joints;
        assert_int_equal(arne_report_read(path, &r, NULL), ARNE_OK);
        assert_int_equal(arne_report_complete(r, NULL, NULL, NULL, NULL), ARNE_OK);
        arne_report_size(r, &rows, &columns, &joints);
        arne_report_find(r, &f);
        assert_int_equal(joints, cases[k].joints);
        assert_int_equal(f.contacts, cases[k].contacts);
        assert_true(f.watched && (f.contact ? f.contact->t : -1) == cases[k].first);
        if (k == 0) assert_true(f.contact->end == 1 && f.contact[1].t == 3 && f.contact[1].end == 3 && f.contact[2].end == 5);
        arne_report_free(r);
        temp_close(&t);
    }
}

/* Runs that differ in one thing are called by it. */
static void what_differs_names_the_runs(void **state)
{
    (void)state;
    static const struct {
        const char *about[2], *name[2];
    } cases[] = {{{"\"title\":\"a lift\"", "\"title\":\"a fall\""}, {"a lift", "a fall"}},
                 {{"\"model\":\"left\"", "\"model\":\"right\""}, {"left", "right"}},
                 {{"\"controller\":\"pd\"", "\"controller\":\"pid\""}, {"pd", "pid"}},
                 {{"\"integrator\":\"rk4\"", "\"integrator\":\"euler\""}, {"rk4", "euler"}},
                 {{"\"period\":0.001", "\"period\":0.004"}, {"every 1 ms", "every 4 ms"}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        temp_folder t = temp_open();
        arne_report_run *r[2];
        arne_error e;
        char *page, json[200], label[60];
        for (int i = 0; i < 2; i++) {
            const char *path = temp_write(&t, i ? "b.csv" : "a.csv", "t,q1\n0,0\n1,1\n");
            snprintf(json, sizeof json, "{\"arne\":\"run\",\"dof\":1,%s}", cases[k].about[i]);
            temp_write(&t, i ? "b.json" : "a.json", json);
            if (arne_report_read(path, &r[i], &e) || arne_report_complete(r[i], NULL, NULL, NULL, &e)) fail_msg("%s", e.message);
        }
        if (arne_report_page((const arne_report_run *const[]){r[0], r[1]}, 2, NULL, &page, &e)) fail_msg("%s", e.message);
        for (int i = 0; i < 2; i++) {
            snprintf(label, sizeof label, "<a href=\"#run%d\">%s</a>", i + 1, cases[k].name[i]);
            if (!strstr(page, label)) fail_msg("the page has no %s", label);
            arne_report_free(r[i]);
        }
        free(page);
        temp_close(&t);
    }
}

static void joints_without_names_are_numbered(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_report_run *r;
    arne_error e;
    char *page = NULL;
    if (arne_report_read(temp_write(&t, "run.csv", "t,q1,q2\n0,0,0\n1,1,2\n"), &r, &e) ||
        arne_report_complete(r, NULL, NULL, NULL, &e) ||
        arne_report_page((const arne_report_run *const[]){r}, 1, NULL, &page, &e))
        fail_msg("%s", e.message);
    assert_true(strstr(page, "</i>joint 1</span>") && strstr(page, "</i>joint 2</span>"));
    free(page);
    arne_report_free(r);
    temp_close(&t);
}

static void a_page_that_fails_is_none(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    arne_report_run *r;
    arne_error e;
    char *page = t.path, *programs = strdup(getenv("PATH"));
    if (arne_report_read(temp_write(&t, "run.csv", "t,q1\n0,0\n1,1\n"), &r, &e) || arne_report_complete(r, NULL, NULL, NULL, &e))
        fail_msg("%s", e.message);
    setenv("PATH", t.path, 1); /* no gnuplot */
    const arne_status status = arne_report_page((const arne_report_run *const[]){r}, 1, NULL, &page, &e);
    setenv("PATH", programs, 1);
    assert_int_not_equal(status, ARNE_OK);
    assert_null(page);
    free(programs);
    arne_report_free(r);
    temp_close(&t);
}

/* 32 of them, eight in a picture */
static void of_many_joints_the_first_are_drawn(void **state)
{
    (void)state;
    enum { JOINTS = 41 };
    char table[600] = "t", *end = table + 1;
    for (int i = 1; i <= JOINTS; i++) end += snprintf(end, 8, ",q%d", i);
    for (int row = 0; row < 2; row++) {
        end += snprintf(end, 8, "\n%d", row);
        for (int i = 0; i < JOINTS; i++) end += snprintf(end, 8, ",%d", row * i);
    }
    temp_folder t = temp_open();
    arne_report_run *r;
    arne_error e;
    char *page = NULL;
    if (arne_report_read(temp_write(&t, "run.csv", table), &r, &e) || arne_report_complete(r, NULL, NULL, NULL, &e) ||
        arne_report_page((const arne_report_run *const[]){r}, 1, NULL, &page, &e))
        fail_msg("%s", e.message);
    int pictures = 0;
    for (const char *s = page; (s = strstr(s, ">Positions<")); s++) pictures++;
    assert_int_equal(pictures, 4);
    assert_non_null(strstr(page, "The first 32 of 41 joints are drawn."));
    free(page);
    arne_report_free(r);
    temp_close(&t);
}

/* Rows that pass by are judged as those of a table. */
static void a_watch_says_what_the_page_says(void **state)
{
    (void)state;
    subject s = slide(1); /* limits -1 ... 0.35 m, 2 m/s, 20 N */
    static const struct {
        double q, qd, tau, error;
        const char *verdict, *words;
    } runs[] = {
        {0.3, 1, 10, 0.02, "good", "No limit is reached."},
        {0.3, 1, 20, 0.02, "fair", "The joint z is at its torque limit for 2 s."},
        {0.3, 1, 30, 0.02, "bad", "Not feasible: the joint z needs 150 % of its torque limit at t = 1 s."},
        {0.3, 3, 10, 0.02, "bad", "The joint z moves at 150 % of its speed limit at t = 1 s."},
        {0.4, 1, 10, 0.02, "bad", "The joint z leaves its position limits."},
        {0, 0, 10, 0.25, "bad", "The joint z did not move, though it should have: it is up to 0.25 m off."},
        {0.3, 1, 10, NAN, "good", "No limit is reached."},
    };
    arne_report_watch *w;
    arne_error e;
    const char *verdict;
    char *words;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_int_equal(arne_report_watch_new(s.m, &w, &e), ARNE_OK);
        const double zero = 0;
        arne_report_watch_row(w, 0, &zero, &zero, &zero);
        for (int k = 1; k < 3; k++) arne_report_watch_row(w, k, &runs[i].q, &runs[i].qd, &runs[i].tau);
        const arne_about a = {.kind = "run", .status = "finished", .errors = &runs[i].error};
        assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
        assert_string_equal(verdict, runs[i].verdict);
        assert_string_equal(words, runs[i].words);
        free(words);
        const arne_about failed = {.kind = "run", .status = "failed", .message = "<z> & all"};
        assert_int_equal(arne_report_watch_end(w, &failed, &verdict, &words, &e), ARNE_OK);
        assert_string_equal(words, "The run failed at t = 2 s: <z> & all.");
        free(words);
        arne_report_watch_free(w);
    }
    const arne_about_event push[] = {
        {1, 1.5, "wrench", "a push"}, {1.25, NAN, "contact", "found"}, {2.75, NAN, "contact", "found"}};
    arne_about a = {.kind = "run", .nevent = 2, .events = push};
    assert_int_equal(arne_report_watch_new(s.m, &w, &e), ARNE_OK);
    assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
    assert_string_equal(words, "The contact was found 250 ms after it began.");
    free(words);
    a.events = (const arne_about_event[]){{1, 1.5, "wrench", "a push"}, {1, NAN, "contact", "found"}};
    assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
    assert_string_equal(words, "The contact was found 0 ms after it began.");
    free(words);
    a.nevent = 3, a.events = push;
    assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
    assert_string_equal(words, "1 contact was found where nothing had happened.");
    free(words);
    a.nevent = 2, a.events = (const arne_about_event[]){{0.5, NAN, "contact", "found"}, {1, 1.5, "wrench", "a push"}};
    assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
    assert_string_equal(words, "The observer did not notice: a push."); /* though it was there: it had raised an alarm */
    free(words);
    a.events = push;
    a.nevent = 1, a.thresholds = &runs[0].q; /* there was an observer */
    assert_int_equal(arne_report_watch_end(w, &a, &verdict, &words, &e), ARNE_OK);
    assert_string_equal(words, "The observer did not notice: a push.");
    free(words);
    assert_int_equal(arne_report_watch_end(NULL, &a, &verdict, &words, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_report_watch_end(w, NULL, &verdict, &words, &e), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_report_watch_new(NULL, &w, &e), ARNE_BAD_ARGUMENT);
    arne_report_watch_free(w);
    subject_close(&s);
}

static void expect_refused(const char *table, const char *about, const char *words)
{
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", table);
    if (about) temp_write(&t, "run.json", about);
    arne_report_run *r;
    arne_error e = {0};
    assert_int_not_equal(arne_report_read(path, &r, &e), ARNE_OK);
    assert_null(r);
    if (!strstr(e.message, words)) fail_msg("'%s' is said instead of '%s'", e.message, words);
    assert_non_null(strstr(e.file, t.path));
    temp_close(&t);
}

static void bad_runs_are_refused(void **state)
{
    (void)state;
    expect_refused("q1,q2\n0,0\n1,1\n", NULL, "no column t");
    expect_refused("t,q1\n0,0\n2,1\n1.5,1\n", NULL, "t = 1.5 does not come after t = 2; sort the rows by time");
    expect_refused("t,q1\n0,0\n0,1\n", NULL, "does not come after");
    expect_refused("t,q1\n0,0\n", NULL, "at least two rows");
    expect_refused("t,q1,q1\n0,0,0\n1,0,0\n", NULL, "there twice");
    expect_refused("t,q1\n0,0\n1,x\n", NULL, "not a number");
    expect_refused(TABLE, "{", "not JSON");
    expect_refused(TABLE, "{\"arne\":\"run\",\"dof\":\"one\"}", "\"dof\" should be");
    arne_report_run *r;
    assert_int_equal(arne_report_read("/nowhere/run.csv", &r, NULL), ARNE_NO_FILE);

    temp_folder t = temp_open();
    const char *path = temp_write(&t, "run.csv", TABLE), *odd = temp_write(&t, "odd.csv", "t,x\n0,1\n1,2\n");
    temp_write(&t, "run.json", ABOUT);
    subject s = slide(2);
    arne_error e;
    assert_int_equal(arne_report_read(path, &r, &e), ARNE_OK);
    assert_int_equal(arne_report_complete(r, s.d, s.m, "slide", &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "the run has 1 joints, the robot slide has 2; give the right one by --robot");
    arne_report_free(r);
    assert_int_equal(arne_report_read(odd, &r, &e), ARNE_OK);
    assert_int_equal(arne_report_complete(r, NULL, NULL, NULL, &e), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "there are no columns q1, q2, ..., tau1, ... or r1, ...; what should be drawn?");
    arne_report_free(r);
    subject_close(&s);
    temp_close(&t);
}

static void pictures_need_a_good_script(void **state)
{
    (void)state;
    char *svg, text[32];
    arne_error e;
    const arne_picture good = {"plot data using 1:2 with lines", "0,0\n1,1\n", 200, 100}, bad = {"plod", NULL, 200, 100};
    assert_int_equal(arne_picture_svg(&good, &svg, &e), ARNE_OK);
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
    assert_int_equal(arne_picture_svg(&bad, &svg, &e), ARNE_UNSUPPORTED);
    assert_true(!svg && strstr(e.message, "gnuplot could not draw"));
    assert_int_equal(arne_picture_file(&good, "/nowhere/at/all.svg", &e), ARNE_CANNOT_WRITE);
    assert_string_equal(arne_picture_quoted("it's\na", text, sizeof text), "it''s a");
    assert_string_equal(arne_picture_quoted("long", text, 5), "lo");
}

/* the file's text; the caller's to free */
static char *text_of(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");
    assert_true(text && f && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static void plots_are_files(void **state)
{
    (void)state;
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "plot.svg", "");
    subject s = slide(1);
    arne_contact contact = {.begin = 1, .end = -1, .link = 1};
    const arne_events events = {.ncontact = 1, .contacts = &contact};
    const double time[] = {0, 1, 2}, x[15] = {0, 1}, y[] = {1, -2, 3};
    const arne_residual_plot r = {3, time, y, y, &events};
    const arne_elastic_plot e = {3, time, x, y, y, x};
    arne_error error = {0};
    if (arne_plot_residuals(s.m, &r, path, &error)) fail_msg("%s", error.message);
    char *drawn = text_of(path);
    const double other[] = {1, 2, 3}; /* pushed the other way for a while */
    const arne_residual_plot turned = {3, time, other, y, &events};
    assert_int_equal(arne_plot_residuals(s.m, &turned, path, &error), ARNE_OK);
    char *drawn_again = text_of(path);
    assert_string_not_equal(drawn, drawn_again);
    free(drawn);
    free(drawn_again);
    if (arne_plot_elastic(s.m, &e, path, &error)) fail_msg("%s", error.message);
    drawn = text_of(path);
    const double later[] = {1, -2, 4}; /* the last of three samples */
    const arne_elastic_plot other_end = {3, time, x, later, y, x};
    assert_int_equal(arne_plot_elastic(s.m, &other_end, path, &error), ARNE_OK);
    drawn_again = text_of(path);
    assert_string_not_equal(drawn, drawn_again);
    free(drawn);
    free(drawn_again);
    assert_int_equal(arne_plot_elastic(s.m, &e, "/nowhere/at/all.svg", &error), ARNE_CANNOT_WRITE);
    subject_close(&s);
    temp_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_push_is_found_in_the_numbers),
        cmocka_unit_test(the_robot_knows_limits_and_is_drawn),
        cmocka_unit_test(a_picture_is_as_wide_as_the_robot),
        cmocka_unit_test(verdicts_fit_what_was_asked_for),
        cmocka_unit_test(a_page_that_fails_is_none),
        cmocka_unit_test(of_many_joints_the_first_are_drawn),
        cmocka_unit_test(what_differs_names_the_runs),
        cmocka_unit_test(joints_without_names_are_numbered),
        cmocka_unit_test(a_watch_says_what_the_page_says),
        cmocka_unit_test(bad_runs_are_refused),
        cmocka_unit_test(robots_are_found),
        cmocka_unit_test(contacts_of_a_column),
        cmocka_unit_test(facts_at_their_limits),
        cmocka_unit_test(errors_are_of_what_turns),
        cmocka_unit_test(pictures_need_a_good_script),
        cmocka_unit_test(plots_are_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
