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

/* where the reference is at t */
static void reference(const char *motion, double t, double q[2])
{
    arne_error error;
    arne_scenario *s = read_motion(motion, &error);
    if (!s) fail_msg("%s: %s", motion, error.message);
    assert_int_equal(arne_trajectory_at(s->loop.reference, t, 0, q), ARNE_OK);
    arne_scenario_free(s);
}

/* as doc/simulate.md has it, where nothing else is said: degrees, samples, means, beginnings */
static void what_is_left_out_is_as_documented(void **state)
{
    (void)state;
    static const struct {
        const char *without, *with, *other;
    } cases[] = {
        {"polynomial: {time: [0, 1], to: [1, 0]}", "polynomial: {degree: 7, time: [0, 1], from: [0.25, 0.5], to: [1, 0]}",
         "polynomial: {degree: 5, time: [0, 1], to: [1, 0]}"},
        {"points: {times: [0, 0.5, 1], q: [[0.25, 0.5], [1, 0], [0, 0]]}",
         "points: {degree: 5, times: [0, 0.5, 1], q: [[0.25, 0.5], [1, 0], [0, 0]]}",
         "points: {degree: 3, times: [0, 0.5, 1], q: [[0.25, 0.5], [1, 0], [0, 0]]}"},
        {"fourier: {time: [0, 1], frequency: 2, sine: [[0.1, 0.2]]}",
         "fourier: {time: [0, 1], frequency: 2, ramp: 0, mean: [0.25, 0.5], sine: [[0.1, 0.2]], cosine: [[0, 0]]}",
         "fourier: {time: [0, 1], frequency: 2, ramp: 0.4, sine: [[0.1, 0.2]]}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double a[2], b[2], c[2];
        reference(cases[k].without, 0.2, a);
        reference(cases[k].with, 0.2, b);
        reference(cases[k].other, 0.2, c);
        assert_memory_equal(a, b, sizeof a);
        assert_true(memcmp(a, c, sizeof a));
    }
}

/* Poses of a path: in the world, or from where the link is at its beginning, moved in world axes, turned about its own. */
static void paths_lead_to_their_poses(void **state)
{
    (void)state;
    static const double q0[6] = {0.3, -1.1, 1.3, -0.4, 1.2, 0.2};
    static const char *const poses[] = {"{move: [0.02, -0.03, 0.04]}", "{turn: [0.1, -0.2, 0.3]}",
                                        "{move: [0.02, -0.03, 0.04], turn: [0.1, -0.2, 0.3]}"};
    static const arne_robot_place places[] = {{"ur5e", ARNE_ROBOTS "/ur5e.yaml"}};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    const double move[3] = {0.02, -0.03, 0.04}, turn[3] = {0.1, -0.2, 0.3};
    arne_pose start = {0};
    double rpy[3] = {0};
    for (int k = -1; k < 5; k++) { /* first a path that stays, which says where the link is */
        char pose[300], text[900];
        if (k < 0) snprintf(pose, sizeof pose, "{move: [0, 0, 0]}");
        if (k >= 0 && k < 3) snprintf(pose, sizeof pose, "%s", poses[k]);
        if (k >= 3) { /* the same place, and of the last a turn too, as they are in the world */
            char turns[150] = "";
            if (k == 4) snprintf(turns, sizeof turns, ", rpy: [%.17g, %.17g, %.17g]", rpy[0] + 0.1, rpy[1] - 0.1, rpy[2] + 0.2);
            snprintf(pose, sizeof pose, "{xyz: [%.17g, %.17g, %.17g]%s}", start.p[0] + move[0], start.p[1] + move[1],
                     start.p[2] + move[2], turns);
        }
        snprintf(text, sizeof text,
                 "robot: ur5e\nlimits: {stops: false}\nstart: {q: [0.3, -1.1, 1.3, -0.4, 1.2, 0.2]}\n"
                 "motion: {path: {link: wrist_3, times: [0, 0.4, 1], poses: [{move: [0, 0, 0.01]}, %s]}}\n",
                 pose);
        temp_folder folder = temp_open();
        arne_scenario *s = NULL;
        arne_error error = {0};
        if (arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, &error)) fail_msg("%s: %s", pose, error.message);
        temp_close(&folder);
        arne_data *d = NULL;
        arne_pose end, way;
        double q[6];
        const int link = arne_link_find(s->model, "wrist_3");
        assert_int_equal(arne_data_new(s->model, &d, NULL), ARNE_OK);
        arne_link_pose(d, q0, link, &start);
        rpy[0] = atan2(start.R[7], start.R[8]), rpy[1] = asin(-start.R[6]), rpy[2] = atan2(start.R[3], start.R[0]);
        assert_true(s->loop.duration == 1);
        arne_trajectory_at(s->loop.reference, 0.4, 0, q);
        arne_link_pose(d, q, link, &way);
        assert_true(fabs(way.p[2] - start.p[2] - 0.01) < 1e-4);
        arne_trajectory_at(s->loop.reference, 1, 0, q);
        arne_link_pose(d, q, link, &end);
        double want[9], p[3];
        const double world[3] = {rpy[0] + 0.1, rpy[1] - 0.1, rpy[2] + 0.2};
        const arne_pose turned = arne_pose_rpy((const double[3]){0}, turn), given = arne_pose_rpy((const double[3]){0}, world);
        for (int i = 0; i < 3; i++) {
            p[i] = start.p[i] + (k >= 0 && k != 1 ? move[i] : 0);
            for (int j = 0; j < 3; j++) {
                want[3 * i + j] = k == 4 ? given.R[3 * i + j] : start.R[3 * i + j];
                if (k != 1 && k != 2) continue;
                want[3 * i + j] = 0;
                for (int c = 0; c < 3; c++) want[3 * i + j] += start.R[3 * i + c] * turned.R[3 * c + j];
            }
        }
        for (int i = 0; i < 3; i++)
            if (!(fabs(end.p[i] - p[i]) < 1e-6)) fail_msg("%s: place %d is %g, should be %g", pose, i, end.p[i], p[i]);
        for (int i = 0; i < 9; i++)
            if (!(fabs(end.R[i] - want[i]) < 1e-6)) fail_msg("%s: R[%d] is %g, should be %g", pose, i, end.R[i], want[i]);
        arne_data_free(d);
        arne_scenario_free(s);
    }
}

/* a path has a hundred samples unless told */
static void paths_have_a_hundred_samples(void **state)
{
    (void)state;
    static const char *const samples[] = {"", ", samples: 100", ", samples: 101"};
    static const arne_robot_place places[] = {{"ur5e", ARNE_ROBOTS "/ur5e.yaml"}};
    const arne_scenario_options o = {.size = sizeof o, .places = places, .nplace = 1};
    double q[3][6];
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "robot: ur5e\nlimits: {stops: false}\nstart: {q: [0.3, -1.1, 1.3, -0.4, 1.2, 0.2]}\n"
                 "motion: {path: {link: wrist_3, times: [0, 1], poses: [{move: [0.1, 0.1, 0], turn: [0.3, 0.2, 0.1]}]%s}}\n",
                 samples[k]);
        temp_folder folder = temp_open();
        arne_scenario *s = NULL;
        arne_error error = {0};
        if (arne_scenario_read(temp_write(&folder, "run.yaml", text), &o, &s, &error)) fail_msg("%s", error.message);
        temp_close(&folder);
        arne_trajectory_at(s->loop.reference, 0.3217, 0, q[k]);
        arne_scenario_free(s);
    }
    assert_memory_equal(q[0], q[1], sizeof q[0]);
    assert_true(memcmp(q[0], q[2], sizeof q[0]));
}

/* Several motions: each begins where the one before ends. */
static void motions_follow_one_another(void **state)
{
    (void)state;
    static const char motion[] = "polynomial: {time: [0, 0.2], to: [1, -0.5]}\n"
                                 "  - fourier: {time: [0.2, 0.5], frequency: 2, sine: [[0.1, 0.2]], ramp: 0.1}\n"
                                 "  - points: {times: [0.6, 0.8], q: [[1, -0.5], [0.4, 0.3]]}\n"
                                 "  - polynomial: {time: [0.9, 1], to: [0, 0]}";
    double q[2];
    reference(motion, 0, q);
    assert_true(q[0] == 0.25 && q[1] == 0.5);
    static const double at[][3] = {{0.2, 1, -0.5}, {0.5, 1, -0.5}, {0.55, 1, -0.5}, {0.8, 0.4, 0.3}, {0.85, 0.4, 0.3}, {1, 0, 0}};
    for (int k = 0; k < 6; k++) {
        reference(motion, at[k][0], q);
        for (int i = 0; i < 2; i++)
            if (!(fabs(q[i] - at[k][1 + i]) < 1e-9)) fail_msg("at %g joint %d is at %g", at[k][0], i, q[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_asks_for_what_it_needs),  cmocka_unit_test(a_table_that_is_not_there_is_named),
        cmocka_unit_test(faults_begin_with_their_place),     cmocka_unit_test(harmonics_are_sines_and_cosines),
        cmocka_unit_test(what_is_left_out_is_as_documented), cmocka_unit_test(paths_lead_to_their_poses),
        cmocka_unit_test(paths_have_a_hundred_samples),      cmocka_unit_test(motions_follow_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
