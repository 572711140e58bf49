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

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } bad[] = {
        {"", 1, "this is not JSON"},
        {"{\n\"arne\": nonsense}", 2, "this is not JSON"},
        {"[]", 0, "it should be a JSON object"},
        {"{}", 0, "it has no \"arne\""},
        {"{\"arne\":\"run\",\"title\":3}", 0, "\"title\" should be a text"},
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
    assert_int_equal(arne_about_read("/nowhere/run.csv", &a, NULL), ARNE_OK);
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
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(a_folder_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
