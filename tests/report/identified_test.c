/* SPDX-License-Identifier: MIT
 *
 * identified_test.c - the page about an identification that is made up here: its words, numbers and pictures. With
 * ARNE_PAGE=FILE it is written there, to be looked at. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/report.h"

enum { N = 2, ROWS = 3000, PARAMETERS = 8 };
static const double PI = 3.14159265358979323846;

static double t[ROWS], measured[ROWS * N], predicted[ROWS * N];
static arne_identified_joint joints[N];
static arne_identified_body bodies[N];
static arne_identified_cutoff cutoffs[] = {{2, 0.2}, {5, 0.06}, {10, 0.04}, {20, 0.05}, {50, 0.09}};
static arne_identified_parameter parameters[PARAMETERS] = {
    {"ZZ1", 3.1, 0.05, 3.1, 4, true, true, NULL},    {"MXR1", 4.4, 0.1, 4.4, 4.5, false, true, NULL},
    {"MY1", 0.02, 0.04, 0.01, 0, false, true, NULL}, {"IA2", 0, INFINITY, 0.1, 0.1, false, false, "joint <2> hardly accelerates"},
    {"FV1", 0.8, 0.05, 0.8, 1, false, true, NULL},   {"FS1", 2, 0.1, 2, 2.5, false, true, NULL},
    {"FO1", -0.3, 0.1, -0.3, 0, false, true, NULL},  {"M2", 3.02, 0.02, 3.02, 3, false, true, NULL}};
static char *warnings[] = {"joint j2 rests 55 % of the log", "3 s are <too> short"};

/* Torques of 1 Hz; what is left of joint j is a tone of 7 + j Hz and 0.4 high. */
static arne_identified made(void)
{
    for (int k = 0; k < ROWS; k++) {
        t[k] = 0.005 * k + (k >= 2000 ? 5 : 0);
        for (int j = 0; j < N; j++) {
            predicted[k * N + j] = 10 * sin(2 * PI * t[k]) + j;
            measured[k * N + j] = predicted[k * N + j] + 0.4 * sin(2 * PI * (7 + j) * t[k]);
        }
    }
    for (int j = 0; j < N; j++) {
        joints[j] =
            (arne_identified_joint){.name = j ? "j2" : "j1", .velocity = j, .error = j ? 0.123 : 0.045, .error_moving = 0.04};
        joints[j].error_resting = (double)NAN, joints[j].error_least_squares = 0.041, joints[j].error_before = 0.4;
        joints[j].viscous = 0.8, joints[j].coulomb = 2, joints[j].offset = -0.3, joints[j].rotor = 0.1;
        joints[j].deviation[0] = 0.05, joints[j].deviation[1] = 0.1, joints[j].deviation[2] = 0.1;
        joints[j].deviation[3] = j ? INFINITY : 0.01;
        joints[j].noise = 0.28, joints[j].moves = 0.9, joints[j].gain = 1, joints[j].least = -1, joints[j].most = 2;
        bodies[j] = (arne_identified_body){
            .link = "l<ink", .body = {3.1, {0.5, 0, 0}}, .prior = {3, {0.5, 0, 0}}, .data = 0.8, .felt = true};
    }
    return (arne_identified){.nparameter = PARAMETERS,
                             .njoint = N,
                             .nbody = N,
                             .ncutoff = 5,
                             .nwarning = 2,
                             .parameters = parameters,
                             .joints = joints,
                             .bodies = bodies,
                             .consistent = true,
                             .cutoff = 10,
                             .cutoffs = cutoffs,
                             .condition = 40,
                             .rows = 9000,
                             .rate = 200,
                             .duration = 45,
                             .gaps = 1,
                             .validated = true,
                             .seconds = 0.5,
                             .series = {ROWS, 0.005, t, measured, predicted, measured, predicted},
                             .warnings = warnings};
}

static char *page_of(const arne_identified *r)
{
    arne_model *m;
    arne_error error = {0};
    char *page = NULL;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    if (arne_identified_page(r, m, NULL, &page, &error)) fail_msg("%s", error.message);
    arne_model_free(m);
    return page;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) n++;
    return n;
}

static void has(const char *page, const char *word)
{
    if (!strstr(page, word)) fail_msg("the page does not say: %s", word);
}

static void it_says_what_was_found(void **state)
{
    (void)state;
    const arne_identified r = made();
    char *page = page_of(&r);
    const char *place = getenv("ARNE_PAGE");
    FILE *file = place ? fopen(place, "w") : NULL;
    if (file) fputs(page, file), fclose(file);
    has(page, "<title>planar2r, identified</title>");
    has(page, "verdict fair\">The model leaves 8.4 % of the torques unexplained; the one it began with left 40 %");
    has(page, "<b>j2</b> with 12.3 %");
    has(page, "9000 rows of 45 s at 200 Hz, with 1 gap;");
    has(page, "<td>ZZR1</td>");
    has(page, "7 of 8 parameters show");
    has(page, "joint j2 rests 55 % of the log");
    has(page, "3 s are &lt;too&gt; short");
    has(page, "joint &lt;2&gt; hardly accelerates");
    has(page, "l&lt;ink");
    has(page, "0.1 ± 0.01");
    has(page, "not told");
    has(page, "the one that was chosen, 10 Hz");
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "src="));
    /* two joints, spectrum, low pass; inertias, moments, masses, viscous, Coulomb */
    assert_int_equal(count(page, "<figure"), 4 + 5);
    assert_int_equal(count(page, "<svg"), count(page, "</svg>"));
    free(page);
}

static void it_judges_and_lives_with_little(void **state)
{
    (void)state;
    arne_identified r = made();
    joints[0].error = joints[1].error = 0.05;
    char *page = page_of(&r);
    has(page, "verdict good");
    free(page);
    r.consistent = false;
    r.series.count = r.ncutoff = r.nwarning = r.nbody = 0;
    r.cutoff = INFINITY;
    r.validated = false;
    page = page_of(&r);
    has(page, "verdict bad");
    has(page, "cannot exist");
    has(page, "Nothing was filtered");
    has(page, "held out");
    assert_int_equal(count(page, "<figure"), 5);
    free(page);
    r = made();
    r.payload = (arne_identified_payload){{1.5, {0, 0, 0.1}}, {0.01, 0.002, 0.002, 0.003}};
    page = page_of(&r);
    has(page, "<h2>Payload</h2>");
    has(page, "1.5 ± 0.01");
    free(page);
    r.nparameter = 0;
    page = page_of(&r);
    has(page, "<h2>Payload</h2>");
    assert_null(strstr(page, "0 of 0"));
    assert_null(strstr(page, "<h2>Joints</h2>"));
    free(page);
}

static void nothing_is_refused(void **state)
{
    (void)state;
    const arne_identified r = made();
    arne_model *m;
    char *page = warnings[0];
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    assert_int_equal(arne_identified_page(NULL, m, NULL, &page, NULL), ARNE_BAD_ARGUMENT);
    assert_null(page);
    assert_int_equal(arne_identified_page(&r, NULL, NULL, &page, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_identified_page(&r, m, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_was_found),
        cmocka_unit_test(it_judges_and_lives_with_little),
        cmocka_unit_test(nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
