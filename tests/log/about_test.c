/* SPDX-License-Identifier: MIT
 *
 * about_test.c - what stands beside a file of numbers, written and read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "arne/file.h"
#include "arne/log.h"
#include "arne/positions.h"
#include "support/tempfile.h"

static void names(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"run.csv", "run.json"},
                                           {"a.b/run", "a.b/run.json"},
                                           {"a/.csv", "a/.csv.json"},
                                           {"x.json", "x.json"},
                                           {"a.tar.gz", "a.tar.json"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *name = arne_about_path(pairs[i][0]);
        assert_string_equal(name, pairs[i][1]);
        free(name);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    const double thresholds[] = {1.5, NAN}, errors[] = {0.25, 0.5}, ticks = 12;
    const arne_about_event events[] = {{2, 3, "contact", "a \"quoted\"\n\xFF text"}, {1, NAN, "stop", "early"}};
    const arne_about_numbers summary[] = {{"max_error", 2, errors}, {"ticks", 0, &ticks}, {"none", 2, NULL}};
    const arne_about_payload load = {"j2", 1.5, {0.1, 0.2, 0.3}};
    const arne_about a = {.kind = "run",
                          .purpose = "time-optimal",
                          .verdict = "infeasible",
                          .why = "it <needs> more",
                          .errors = errors,
                          .npayload = 1,
                          .payloads = &load,
                          .title = "ti\xC3\xA4tel",
                          .robot = "planar2r",
                          .of = m,
                          .period = 0.001,
                          .duration = 0.1,
                          .wall = NAN,
                          .thresholds = thresholds,
                          .nevent = 2,
                          .events = events,
                          .nsummary = 3,
                          .summary = summary};
    temp_folder f = temp_open();
    const char *csv = temp_write(&f, "run.csv", ""), *json = temp_write(&f, "run.json", "old");
    assert_int_equal(arne_about_write(&a, json, NULL), ARNE_OK); /* not over itself */
    assert_int_equal(arne_about_write(&a, csv, NULL), ARNE_OK);
    arne_about b;
    assert_int_equal(arne_about_read(csv, &b, NULL), ARNE_OK);
    assert_string_equal(b.kind, "run");
    assert_string_equal(b.title, "ti\xC3\xA4tel");
    assert_string_equal(b.model, "planar2r");
    assert_string_equal(b.status, "finished");
    assert_true(!b.message && !b.controller && !b.link && b.period == 0.001 && b.duration == 0.1 && isnan(b.wall));
    assert_true(b.dof == 2 && !strcmp(b.joints[1], "j2") && b.thresholds[0] == 1.5 && isnan(b.thresholds[1]));
    assert_true(b.effort[0] == 200 && b.velocity[0] == 10 && fabs(b.upper[0] - acos(-1)) < 1e-15);
    assert_true(b.nevent == 2 && b.events[0].t == 1 && isnan(b.events[0].end) && b.events[1].end == 3); /* in order */
    assert_string_equal(b.events[1].text, "a \"quoted\"\n\xEF\xBF\xBD text");
    assert_string_equal(b.purpose, "time-optimal");
    assert_string_equal(b.verdict, "infeasible");
    assert_string_equal(b.why, "it <needs> more");
    assert_true(b.errors[0] == 0.25 && b.errors[1] == 0.5 && b.npayload == 1 && b.payloads[0].mass == 1.5);
    assert_true(!strcmp(b.payloads[0].link, "j2") && b.payloads[0].com[0] == 0.1 && b.payloads[0].com[2] == 0.3);
    arne_about_free(&b);
    arne_about_free(&b); /* nothing is left to be freed */
    char *text;
    assert_int_equal(arne_about_judged(&a, &text, NULL), ARNE_OK);
    assert_string_equal(text, "\"purpose\":\"time-optimal\",\"verdict\":\"infeasible\",\"why\":\"it <needs> more\","
                              "\"payload\":[{\"link\":\"j2\",\"mass\":1.5,\"com\":[0.1,0.2,0.3]}],"
                              "\"tracking\":{\"joint\":\"j2\",\"error\":0.5,\"errors\":[0.25,0.5]}");
    free(text);
    assert_int_equal(arne_about_text(&a, &text, NULL), ARNE_OK);
    cJSON *top = cJSON_Parse(text), *told = cJSON_GetObjectItem(top, "summary");
    assert_true(cJSON_GetObjectItem(told, "ticks")->valueint == 12 && cJSON_IsNull(cJSON_GetObjectItem(told, "none")));
    assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(told, "max_error"), 1)->valuedouble == 0.5);
    cJSON_Delete(top);
    free(text);
    assert_int_equal(arne_about_write(&a, "/dev/null", NULL), ARNE_OK); /* nothing beside a device */
    assert_int_not_equal(access("/dev/null.json", F_OK), 0);
    temp_close(&f);
    arne_model_free(m);
}

/* joints: a slide without limits of speed and force, then one that turns */
static const char ROBOT[] = "name: two\nconvention: urdf\njoints:\n"
                            "  - {name: z, type: prismatic, axis: [0, 0, 1], limits: {lower: -0.5, upper: 0.25}}\n"
                            "  - {name: a, type: revolute, axis: [0, 0, 1], "
                            "limits: {lower: -1, upper: 2, velocity: 3, effort: 4}, link: {mass: 1}}\n";

static void all_is_written_in_its_place(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_model *m;
    char *text;
    assert_int_equal(arne_load(temp_write(&f, "two.yaml", ROBOT), &m, NULL), ARNE_OK);
    const double errors[] = {0.75, 0.5}, thresholds[] = {1.5, 2.5}, ticks = 12;
    const arne_about_event event = {1, NAN, "stop", "early"};
    const arne_about_numbers summary[] = {{"ticks", 0, &ticks}, {"max_error", 2, errors}};
    const arne_about_payload loads[] = {{"z", 1.5, {0.1, 0.2, 0.3}}, {"a", 2.5, {0.4, 0.5, 0.6}}};
    arne_about a = {.kind = "run",
                    .title = "a title",
                    .robot = "two.yaml",
                    .base = "fixed",
                    .mimic = "independent",
                    .controller = "pd",
                    .integrator = "rk4",
                    .status = "stopped",
                    .message = "by hand",
                    .link = "tool",
                    .of = m,
                    .period = 0.002,
                    .duration = 1.5,
                    .wall = 0.25,
                    .thresholds = thresholds,
                    .errors = errors,
                    .npayload = 2,
                    .payloads = loads,
                    .nevent = 1,
                    .events = &event,
                    .nsummary = 2,
                    .summary = summary};
    assert_int_equal(arne_about_text(&a, &text, NULL), ARNE_OK);
    /* the joint that turns counts, though the other is further off */
    assert_string_equal(
        text,
        "{\"arne\":\"run\",\"version\":1,\"title\":\"a title\",\"robot\":\"two.yaml\",\"model\":\"two\",\"dof\":2,"
        "\"joints\":[\"z\",\"a\"],\"base\":\"fixed\",\"mimic\":\"independent\",\"controller\":\"pd\",\"integrator\":\"rk4\","
        "\"period\":0.002,\"duration\":1.5,\"status\":\"stopped\",\"message\":\"by hand\","
        "\"payload\":[{\"link\":\"z\",\"mass\":1.5,\"com\":[0.1,0.2,0.3]},{\"link\":\"a\",\"mass\":2.5,\"com\":[0.4,0.5,0.6]}],"
        "\"tracking\":{\"joint\":\"a\",\"error\":0.5,\"errors\":[0.75,0.5]},"
        "\"limits\":{\"effort\":[null,4],\"velocity\":[null,3],\"lower\":[-0.5,-1],\"upper\":[0.25,2]},"
        "\"thresholds\":[1.5,2.5],\"link\":\"tool\","
        "\"events\":[{\"t\":1,\"end\":null,\"kind\":\"stop\",\"text\":\"early\"}],"
        "\"summary\":{\"wall_s\":0.25,\"ticks\":12,\"max_error\":[0.75,0.5]}}\n");
    free(text);
    a = (arne_about){.kind = "plan", .robot = "r", .of = m, .period = NAN, .duration = 2, .wall = NAN};
    assert_int_equal(arne_about_text(&a, &text, NULL), ARNE_OK);
    assert_string_equal(text, "{\"arne\":\"plan\",\"version\":1,\"title\":\"\",\"robot\":\"r\",\"model\":\"two\",\"dof\":2,"
                              "\"joints\":[\"z\",\"a\"],\"duration\":2,\"status\":\"finished\",\"message\":\"\",\"payload\":[],"
                              "\"tracking\":null,\"limits\":{\"effort\":[null,4],\"velocity\":[null,3],\"lower\":[-0.5,-1],"
                              "\"upper\":[0.25,2]},\"thresholds\":null,\"link\":null,\"events\":[],\"summary\":{}}\n");
    free(text);
    arne_model_free(m);
    temp_close(&f);
}

/* where nothing turns, the slide that is furthest off */
static void slides_are_tracked_too(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    arne_model *m;
    char *text;
    const char *slides = "name: s\nconvention: urdf\njoints:\n  - {name: x, type: prismatic, axis: [1, 0, 0]}\n"
                         "  - {name: y, type: prismatic, axis: [0, 1, 0]}\n"
                         "  - {name: z, type: prismatic, axis: [0, 0, 1], link: {mass: 1}}\n";
    assert_int_equal(arne_load(temp_write(&f, "s.yaml", slides), &m, NULL), ARNE_OK);
    const int n = arne_model_dof(m);
    assert_true(n == 3 && !arne_velocity_turns(m, 0) && !arne_velocity_turns(m, 2));
    for (int worst = 0; worst < n; worst++) {
        double errors[] = {0.1, 0.1, 0.1};
        char should[100];
        errors[worst] = 0.3;
        const arne_about a = {.verdict = "feasible", .of = m, .errors = errors};
        assert_int_equal(arne_about_judged(&a, &text, NULL), ARNE_OK);
        snprintf(should, sizeof should, "\"tracking\":{\"joint\":\"%s\",\"error\":0.3,", arne_velocity_name(m, worst));
        assert_true(strstr(text, should) && !strncmp(text, "\"verdict\":\"feasible\",\"why\":\"\",\"payload\":[],", 42));
        free(text);
    }
    arne_model_free(m);
    temp_close(&f);
}

static void each_member_is_read(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *csv = temp_write(&f, "run.csv", "");
    temp_write(
        &f, "run.json",
        "{\"arne\":\"kind\",\"title\":\"title\",\"robot\":\"robot\",\"base\":\"base\",\"mimic\":\"mimic\",\"model\":\"model\","
        "\"controller\":\"controller\",\"integrator\":\"integrator\",\"status\":\"status\",\"message\":\"message\","
        "\"link\":\"link\",\"purpose\":\"purpose\",\"verdict\":\"verdict\",\"why\":\"why\",\"period\":0.5,\"duration\":1.5,"
        "\"dof\":2,\"joints\":[\"first\",\"second\"],"
        "\"limits\":{\"effort\":[1,2],\"velocity\":[3,4],\"lower\":[5,null],\"upper\":[7,8]},\"thresholds\":[9,10],"
        "\"tracking\":{\"errors\":[11,12]},\"summary\":{\"wall_s\":13},"
        "\"payload\":[{\"link\":\"one\",\"mass\":14},{\"link\":\"two\",\"mass\":15,\"com\":[16,17,18]}],"
        "\"events\":[{\"t\":3,\"end\":4,\"kind\":\"c\",\"text\":\"third\"},{\"t\":1,\"kind\":\"a\"},"
        "{\"t\":2,\"kind\":\"b\",\"text\":\"\"}]}");
    arne_about a;
    assert_int_equal(arne_about_read(csv, &a, NULL), ARNE_OK);
    const char *const texts[][2] = {{a.kind, "kind"},
                                    {a.title, "title"},
                                    {a.robot, "robot"},
                                    {a.base, "base"},
                                    {a.mimic, "mimic"},
                                    {a.model, "model"},
                                    {a.controller, "controller"},
                                    {a.integrator, "integrator"},
                                    {a.status, "status"},
                                    {a.message, "message"},
                                    {a.link, "link"},
                                    {a.purpose, "purpose"},
                                    {a.verdict, "verdict"},
                                    {a.why, "why"},
                                    {a.joints[0], "first"},
                                    {a.joints[1], "second"},
                                    {a.payloads[0].link, "one"},
                                    {a.payloads[1].link, "two"},
                                    {a.events[0].kind, "a"},
                                    {a.events[1].kind, "b"},
                                    {a.events[2].kind, "c"},
                                    {a.events[2].text, "third"}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) assert_string_equal(texts[k][0], texts[k][1]);
    const double *const pairs[] = {a.effort, a.velocity, a.lower, a.upper, a.thresholds, a.errors};
    for (int k = 0; k < 6; k++) /* 1 ... 12 in their order, but for one that is null */
        for (int i = 0; i < 2; i++) assert_true(k == 2 && i == 1 ? isnan(pairs[k][i]) : pairs[k][i] == 2 * k + i + 1);
    assert_true(a.period == 0.5 && a.duration == 1.5 && a.wall == 13 && a.dof == 2 && a.npayload == 2 && a.nevent == 3);
    assert_true(a.payloads[0].mass == 14 && a.payloads[0].com[0] == 0 && a.payloads[0].com[2] == 0);
    for (int k = 0; k < 3; k++) assert_true(a.payloads[1].com[k] == 16 + k && a.events[k].t == k + 1);
    assert_true(a.payloads[1].mass == 15 && a.events[2].end == 4 && isnan(a.events[0].end) && !a.events[1].text);
    arne_about_free(&a);
    temp_close(&f);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } bad[] = {
        {"", 1, "this is not JSON"},
        {"{\"arne\":\"run\"}\n\n,", 3, "this is not JSON"},
        {"{\n\"arne\": nonsense}", 2, "this is not JSON"},
        {"[]", 0, "this is not the description of a run: it should be a JSON object"},
        {"{}", 0, "this is not the description of a run: it has no \"arne\": \"run\"; rename the file"},
        {"{\"arne\":\"run\",\"title\":3}", 0, "\"title\" should be a text"},
        {"{\"arne\":\"run\",\"dof\":0}", 0, "\"dof\" should be the number of joints"},
        {"{\"arne\":\"run\",\"dof\":1.5}", 0, "\"dof\" should be the number of joints"},
        {"{\"arne\":\"run\",\"dof\":10001}", 0, "\"dof\" should be the number of joints"},
        {"{\"arne\":\"run\",\"joints\":[\"a\"]}", 0, "\"dof\" should be the number of joints"},
        {"{\"arne\":\"run\",\"duration\":\"long\"}", 0, "\"duration\" should be a number"},
        {"{\"arne\":\"run\",\"dof\":1e300}", 0, "\"dof\" should be the number of joints"},
        {"{\"arne\":\"run\",\"dof\":2,\"joints\":[\"a\"]}", 0, "\"joints\" should be a list with the names"},
        {"{\"arne\":\"run\",\"dof\":1,\"joints\":[1]}", 0, "\"joints\" should be a list of names"},
        {"{\"arne\":\"run\",\"dof\":2,\"thresholds\":[1,2,3]}", 0, "\"thresholds\" should be a list with a number"},
        {"{\"arne\":\"run\",\"dof\":1,\"limits\":{\"effort\":[\"x\"]}}", 0, "\"effort\" should be a list of numbers"},
        {"{\"arne\":\"run\",\"events\":{}}", 0, "\"events\" should be a list"},
        {"{\"arne\":\"run\",\"verdict\":false}", 0, "\"verdict\" should be a text"},
        {"{\"arne\":\"run\",\"payload\":3}", 0, "\"payload\" should be a list"},
        {"{\"arne\":\"run\",\"payload\":[{\"link\":\"a\"}]}", 0, "\"payload\" should be a list of {"},
        {"{\"arne\":\"run\",\"payload\":[{\"link\":\"a\",\"mass\":1,\"com\":[1]}]}", 0, "\"com\" should be a list"},
        {"{\"arne\":\"run\",\"dof\":2,\"tracking\":{\"errors\":[1]}}", 0, "\"errors\" should be a list"},
        {"{\"arne\":\"run\",\"events\":[{}]}", 0, "\"events\" should be a list of {"},
        {"{\"arne\":\"run\",\"events\":[{\"t\":1}]}", 0, "\"events\" should be a list of {"},
        {"{\"arne\":\"run\",\"events\":[{\"kind\":\"stop\"}]}", 0, "\"events\" should be a list of {"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        temp_folder f = temp_open();
        const char *csv = temp_write(&f, "run.csv", ""), *json = temp_write(&f, "run.json", bad[i].text);
        arne_about a;
        arne_error e = {0};
        assert_int_not_equal(arne_about_read(csv, &a, &e), ARNE_OK);
        if (strcmp(e.file, json) || e.line != bad[i].line || !strstr(e.message, bad[i].words))
            fail_msg("\"%s\": %s:%d: %s", bad[i].text, e.file, e.line, e.message);
        arne_about_free(&a);
        temp_close(&f);
    }
    arne_about a;
    temp_folder f = temp_open();
    temp_write(&f, "run.json", "{\"arne\":\"run\",\"dof\":10000}"); /* as many as there may be */
    assert_int_equal(arne_about_read(temp_write(&f, "run.csv", ""), &a, NULL), ARNE_OK);
    assert_int_equal(a.dof, 10000);
    arne_about_free(&a);
    temp_close(&f);
    assert_int_equal(arne_about_read("/nowhere/run.csv", &a, NULL), ARNE_OK);
    assert_true(isnan(a.period) && isnan(a.duration) && isnan(a.wall));
    assert_null(a.kind);
    arne_about_free(&a);
}

/* no line is at fault where nothing can be read */
static void a_folder_is_no_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/arne_about_XXXXXX", inside[64], run[64];
    assert_non_null(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/run.json", folder);
    snprintf(run, sizeof run, "%s/run.csv", folder);
    assert_int_equal(mkdir(inside, 0700), 0);
    arne_about a;
    arne_error e = {.line = 9};
    assert_int_equal(arne_about_read(run, &a, &e), ARNE_NO_FILE);
    assert_true(e.line == 0 && strstr(e.message, "cannot read") && !strcmp(e.file, inside));
    arne_about_free(&a);
    rmdir(inside);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(all_is_written_in_its_place),
        cmocka_unit_test(slides_are_tracked_too),
        cmocka_unit_test(each_member_is_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_folder_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
