/* SPDX-License-Identifier: MIT
 *
 * motion_test.c - `motion:` of scenario files: what each kind needs is asked for by its name, harmonics are what they are called.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arne/scenario.h"
#include "arne/trajectory.h"
#include "support/tempfile.h"

static arne_scenario *read_motion(const char *motion, arne_error *error)
{
    static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    char text[600];
    snprintf(text, sizeof text,
             "robot: planar2r\nduration: 1\nstart: {q: [0.25, 0.5]}\ncontroller: {kind: pd-gravity}\nmotion:\n  - %s\n", motion);
    temp_folder folder = temp_open();
    arne_scenario *s = NULL;
    *error = (arne_error){0};
    arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, error);
    temp_close(&folder);
    return s;
}

static void each_kind_asks_for_what_it_needs(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *parts[4], *keys[4];
    } kinds[] = {
        {"polynomial", {"time: [0, 1]", "to: [1, 0]"}, {"time", "to"}},
        {"points", {"times: [0, 1]", "q: [[0.25, 0.5], [1, 0]]"}, {"times", "q"}},
        {"fourier", {"time: [0, 1]", "frequency: 1", "sine: [[0.1, 0.2]]"}, {"time", "frequency", "sine"}},
        {"path", {"link: j2", "times: [0, 1]", "poses: [{move: [0, 0, 0]}]"}, {"link", "times", "poses"}},
        {"csv", {"degree: 5"}, {NULL}},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int without = -1; without < 4; without++) {
            if (without >= 0 && !kinds[k].keys[without]) break;
            char motion[300];
            int at = snprintf(motion, sizeof motion, "%s: {", kinds[k].kind);
            bool first = true;
            for (int i = 0; i < 4 && kinds[k].parts[i]; i++) {
                if (i == without) continue;
                at += snprintf(motion + at, sizeof motion - (size_t)at, "%s%s", first ? "" : ", ", kinds[k].parts[i]);
                first = false;
            }
            snprintf(motion + at, sizeof motion - (size_t)at, "}");
            const bool whole = without < 0 && kinds[k].keys[0];
            arne_error error;
            arne_scenario *s = read_motion(motion, &error);
            if (whole != (s != NULL)) fail_msg("%s: %s", motion, error.message);
            char words[40];
            snprintf(words, sizeof words, "needs `%s:`", without < 0 ? "file" : kinds[k].keys[without]);
            if (!whole && (error.line != 6 || !strstr(error.message, words))) fail_msg("%s: %s", motion, error.message);
            arne_scenario_free(s);
        }
}

static void a_table_that_is_not_there_is_named(void **state)
{
    (void)state;
    arne_error error;
    assert_null(read_motion("csv: {file: nowhere.csv}", &error));
    assert_int_equal(error.line, 6);
    assert_non_null(strstr(error.message, "/nowhere.csv': "));
    assert_int_equal(strncmp(error.message, "motion: csv: ", 13), 0);
}

/* the words before a fault are those of its place, also after other parts have been read */
static void faults_begin_with_their_place(void **state)
{
    (void)state;
    static const arne_robot_place places[] = {{"planar2r", ARNE_ROBOTS "/planar2r.yaml"}};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    static const char *const cases[][2] = {
        {"robot: planar2r\noptions: {rigid: true}\nstart: {q: 0}\n", "needs `duration:`"},
        {"robot: planar2r\noptions: {gravity: 1}\nduration: 1\nstart: {q: 0}\n", "options: "},
        {"robot: planar2r\noptions: {rigid: true}\nduration: 1\nstart: {q: [1, 2, 3]}\n", "start: q"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        temp_folder folder = temp_open();
        arne_scenario *s = NULL;
        arne_error error = {0};
        arne_scenario_read(temp_write(&folder, "run.yaml", cases[k][0]), &o, &s, &error);
        temp_close(&folder);
        assert_null(s);
        if (strncmp(error.message, cases[k][1], strlen(cases[k][1])) != 0) fail_msg("%s", error.message);
    }
}

/* q = mean + sum of sines and cosines of multiples of the frequency, once past the ramp */
static void harmonics_are_sines_and_cosines(void **state)
{
    (void)state;
    const double w = 4 * acos(-1), t = 0.4;
    const struct {
        const char *rows;
        double q[2];
    } cases[] = {
        {"mean: [0.3, 0.4], sine: [[0.1, 0.2], [0.05, 0]]",
         {0.3 + 0.1 * sin(w * t) + 0.05 * sin(2 * w * t), 0.4 + 0.2 * sin(w * t)}},
        {"mean: [0.3, 0.4], cosine: [[0.1, 0.2]]", {0.3 + 0.1 * cos(w * t), 0.4 + 0.2 * cos(w * t)}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char motion[200];
        snprintf(motion, sizeof motion, "fourier: {time: [0, 1], frequency: 2, ramp: 0, %s}", cases[k].rows);
        arne_error error;
        arne_scenario *s = read_motion(motion, &error);
        if (!s) fail_msg("%s", error.message);
        double q[2];
        assert_int_equal(arne_trajectory_at(s->loop.reference, t, 0, q), ARNE_OK);
        for (int i = 0; i < 2; i++) assert_true(fabs(q[i] - cases[k].q[i]) < 1e-12);
        arne_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_asks_for_what_it_needs),
        cmocka_unit_test(a_table_that_is_not_there_is_named),
        cmocka_unit_test(faults_begin_with_their_place),
        cmocka_unit_test(harmonics_are_sines_and_cosines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
