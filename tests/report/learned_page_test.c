/* SPDX-License-Identifier: MIT
 *
 * learned_page_test.c - the page of what was identified, as it is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "report/drawn.h"

static char *identified(const arne_identified *r)
{
    arne_model *m;
    arne_error e = {0};
    char *page = NULL;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    if (arne_identified_page(r, m, NULL, &page, &e)) fail_msg("%s", e.message);
    arne_model_free(m);
    return page;
}

/* A gap in time is a gap in the curves; what is left is measured minus predicted, of each joint. */
static void torques_and_what_is_left(void **state)
{
    (void)state;
    double t[] = {0, 0.1, 0.2, 5}, measured[] = {1, 10, 2, 20, 3, 30, 4, 40}, predicted[] = {0.5, 6, 1, 7, 1.5, 8, 2, 9};
    arne_identified_joint joints[] = {{.name = "j1", .velocity = 0, .error = 0.045},
                                      {.name = "j2", .velocity = 1, .error = 0.123}};
    arne_identified_cutoff cutoffs[] = {{2, 0.2}, {5, 0.0625}};
    const arne_identified r = {.njoint = 2,
                               .joints = joints,
                               .ncutoff = 2,
                               .cutoffs = cutoffs,
                               .cutoff = 5,
                               .consistent = true,
                               .series = {4, 0.1, t, measured, predicted, NULL, NULL}};
    char *page = identified(&r);
    figure_has(page, "j1: error 4.5 %",
               "\n0,1\n0.1,2\n0.2,3\n\n5,4\n\n\n0,0.5\n0.1,1\n0.2,1.5\n\n5,2\n\n\n0,0.5\n0.1,1\n0.2,1.5\n\n5,2\n\n\n");
    figure_has(page, "j2: error 12.3 %",
               "\n0,10\n0.1,20\n0.2,30\n\n5,40\n\n\n0,6\n0.1,7\n0.2,8\n\n5,9\n\n\n0,4\n0.1,13\n0.2,22\n\n5,31\n\n\n");
    figure_has(
        page, "j2: error 12.3 %",
        "plot data index 0 using 1:2 with lines lw 1.8 lc rgb '#1f5fbf', data index 1 using 1:2 with lines lw 1.3 dt 2 lc rgb "
        "'#c8501e', data index 2 using 1:2 with lines lw 1 lc rgb '#2a8a3e'\n");
    figure_has(page, "j2: error 12.3 %",
               "</i>measured</span> <span><i style=\"background:var(--c2)\"></i>model</span> "
               "<span><i style=\"background:var(--c3)\"></i>what is left</span> ");
    figure_has(page, "j2: error 12.3 %", "set label 1 'Nm' at");
    figure_has(page, "j2: error 12.3 %", "set xlabel 't, s' offset 0,0.4\n");
    figure_has(page, "Choice of the low pass", "\n2,20\n5,6.25\n");
    figure_has(page, "Choice of the low pass", "set arrow from 5, graph 0 to 5, graph 1 nohead dt 2 lc rgb '#222222'\n");
    figure_has(page, "Choice of the low pass", "<em>dashed: the one that was chosen, 5 Hz</em>");
    figure_has(page, "Choice of the low pass", "set label 1 'error held out, mean of the joints, %' at");
    figure_has(page, "Choice of the low pass", "set xlabel 'cut-off of the low pass, Hz'");
    assert_int_equal(count(page, "<figure"), 3); /* too few rows for a spectrum */
    free(page);
}

/* Welch's: segments of 1024 rows, half over each other, under Hann windows; as a direct sum here. */
static void spectra_are_those_of_a_direct_sum(void **state)
{
    (void)state;
    enum { ROWS = 1600, N = 2, LENGTH = 1024 };
    static double t[ROWS], measured[ROWS * N], predicted[ROWS * N];
    const double dt = 0.005;
    for (int k = 0; k < ROWS; k++) {
        t[k] = dt * k;
        for (int j = 0; j < N; j++) {
            predicted[k * N + j] = 10 * sin(k);
            measured[k * N + j] = predicted[k * N + j] + sin(2 * PI * (7 + 4 * j) * t[k]) + 0.1 * sin(0.01 * k * k);
        }
    }
    arne_identified_joint joints[] = {{.name = "j1", .velocity = 0}, {.name = "j2", .velocity = 1}};
    arne_identified r = {.njoint = N,
                         .joints = joints,
                         .cutoff = 10,
                         .consistent = true,
                         .series = {ROWS, dt, t, measured, predicted, NULL, NULL}};
    char *page = identified(&r), *text = figure(page, "What is left, over frequency");
    has(text, "<em>dashed: the low pass, 10 Hz</em>");
    has(text, "set arrow from 10, graph 0 to 10, graph 1 nohead dt 2 lc rgb '#222222'\n");
    has(text, "set label 1 'Nm/√Hz' at");
    has(text, "set xlabel 'Hz' offset");
    has(text, "set xrange [0.390625:40]\n"); /* two turns of a segment, four times the low pass */
    has(text, "plot data index 0 using 1:2 with lines lw 1.3 lc rgb '#1f5fbf', data index 1 using 1:2 with lines lw 1.3 lc rgb "
              "'#c8501e'\n");
    const char *at = strstr(text, "\n0.390625,");
    assert_non_null(at);
    for (int j = 0; j < N; j++) {
        at += strspn(at, "\n");
        for (int tone = 0; tone < 120; tone++) {
            double f, root, sum = 0, weight = 0;
            char *end;
            f = strtod(at, &end), root = strtod(end + 1, &end);
            at = end + 1;
            assert_true(fabs(f / (0.390625 * pow(40 / 0.390625, tone / 119.0)) - 1) < 1e-5);
            if (tone % 17 && tone < 115) continue;
            f = 0.390625 * pow(40 / 0.390625, tone / 119.0);
            for (int from = 0; from + LENGTH <= ROWS; from += LENGTH / 2) {
                double re = 0, im = 0;
                for (int k = 0; k < LENGTH; k++) {
                    const double hann = 0.5 - 0.5 * cos(2 * PI * (k + 0.5) / LENGTH);
                    const double x = hann * (measured[(from + k) * N + j] - predicted[(from + k) * N + j]);
                    re += x * cos(2 * PI * f * k * dt), im -= x * sin(2 * PI * f * k * dt);
                    weight += hann * hann;
                }
                sum += re * re + im * im;
            }
            assert_true(fabs(root / sqrt(2 * dt * sum / weight) - 1) < 1e-4);
        }
    }
    free(text);
    free(page);
    r.cutoff = INFINITY; /* up to half the rate */
    page = identified(&r);
    figure_has(page, "What is left, over frequency", "set xrange [0.390625:100]\n");
    free(page);
    r.series.count = 32, r.cutoff = 40;
    page = identified(&r);
    figure_has(page, "What is left, over frequency", "set xrange [12.5:100]\n");
    free(page);
}

/* 14 in a picture, each kind by itself; what the logs do not tell is in none. */
static void parameters_are_bars(void **state)
{
    (void)state;
    static const char *const names[] = {"XX1", "M1", "MX1", "FV1", "FS1", "FO1", "IA1", "MY2", "MZ3"};
    arne_identified_parameter list[9 + 15];
    for (int k = 0; k < 24; k++) {
        list[k] =
            (arne_identified_parameter){.value = k + 0.5, .deviation = 0.25 * k, .before = -k, .seen = k != 7, .grouped = k == 0};
        snprintf(list[k].name, sizeof list[k].name, k < 9 ? "%s" : "%s%d", k < 9 ? names[k] : "ZZ", k);
    }
    const arne_identified r = {.nparameter = 24, .parameters = list, .cutoff = INFINITY, .consistent = true};
    char *page = identified(&r);
    assert_int_equal(count(page, "<figcaption>Inertias<span"), 2); /* 2 + 15 of them */
    figure_has(page, "Inertias", "\n0,0.5,0,0\n1,6.5,3,-6\n2,9.5,4.5,-9\n");
    figure_has(page, "Inertias", "set xtics ('XXR1' 0, 'IA1' 1, 'ZZ9' 2, ");
    figure_has(page, "Inertias", "set xrange [-0.6:13.6]\n");
    figure_has(page, "Inertias", "\n13,20.5,10,-20\n</svg>");
    figure_has(page, "Inertias", "set label 1 'kg m²' at");
    figure_has(page, "Inertias", "<em>lines: twice the deviation</em>");
    has(page, "\n0,21.5,10.5,-21\n1,22.5,11,-22\n2,23.5,11.5,-23\n</svg>");
    has(page, "set xtics ('ZZ21' 0, 'ZZ22' 1, 'ZZ23' 2)\nplot data using 1:2 with boxes lc rgb '#1f5fbf', data using ($1 - "
              "0.35):4:(0.7):(0) with vectors nohead lw 2 lc rgb '#c8501e', data using 1:2:3 with yerrorbars pt 0 lw 1.2 lc rgb "
              "'#222222'\n");
    figure_has(page, "First moments", "set xtics ('MX1' 0, 'MZ3' 1)\n");
    figure_has(page, "First moments", "\n0,2.5,1,-2\n1,8.5,4,-8\n</svg>");
    figure_has(page, "Masses", "\n0,1.5,0.5,-1\n</svg>");
    figure_has(page, "Viscous friction", "\n0,3.5,1.5,-3\n</svg>");
    figure_has(page, "Coulomb friction and offsets", "\n0,4.5,2,-4\n1,5.5,2.5,-5\n</svg>");
    figure_has(page, "Coulomb friction and offsets", "set xrange [-0.6:1.6]\n");
    free(page);
}

/* Every number of the tables in its place. */
static void tables_of_what_was_identified(void **state)
{
    (void)state;
    static const double errors[] = {0.05, 0.1, 0.11, 0.3, 0.31}, before[] = {0.2, 0.4, 0.4, 0.4, 0.6};
    static const char *const verdicts[] = {"", "good", "good", "fair", "fair", "bad"};
    static char *names[] = {"a", "b<", "c", "d", "e"};
    arne_identified_joint joints[5] = {{0}};
    for (int j = 0; j < 5; j++) {
        joints[j] = (arne_identified_joint){
            .name = names[j], .velocity = 0, .error = errors[j], .error_moving = 0.06, .error_resting = NAN};
        joints[j].error_least_squares = 0.08, joints[j].error_before = before[j], joints[j].noise = 0.28, joints[j].moves = 0.9;
        joints[j].least = -1, joints[j].most = 2, joints[j].gain = 1;
        joints[j].viscous = 0.8, joints[j].coulomb = 2, joints[j].offset = -0.3, joints[j].rotor = 0.1;
        memcpy(joints[j].deviation, (double[]){0.05, 0.15, 0.2, j ? INFINITY : 0}, 4 * sizeof(double));
    }
    joints[0].delay = 0.0015, joints[0].gain = 0.98, joints[1].gain = (double)NAN;
    arne_identified_body bodies[] = {
        {.link = "l1",
         .body = {3.1, {0.5, 0.25, -0.125}, {0}},
         .prior = {3, {0}, {0}},
         .data = 0.8,
         .felt = true,
         .mended = true},
        {.link = "hidden", .felt = false},
        {.link = "l3", .body = {4, {1, 2, 3}, {0}}, .prior = {5, {0}, {0}}, .data = 0.25, .felt = true}};
    arne_identified_parameter parameters[] = {{"ZZ1", 3.1, 0.05, 3.2, 4, true, true, NULL},
                                              {"IA2", 9, 9, 0.1, 0.2, false, false, "it <rests>"},
                                              {"IA3", 9, 9, 0.3, 0.4, false, false, NULL}};
    arne_identified r = {.joints = joints,
                         .nbody = 3,
                         .bodies = bodies,
                         .nparameter = 3,
                         .parameters = parameters,
                         .consistent = true,
                         .cutoff = 10,
                         .ncutoff = 1,
                         .condition = 200,
                         .rows = 9000,
                         .rate = 200,
                         .duration = 45,
                         .gaps = 2,
                         .seconds = 0.5};
    char *page, words[100];
    for (r.njoint = 1; r.njoint <= 5; r.njoint++) {
        page = identified(&r);
        snprintf(words, sizeof words, "<p class=\"verdict %s\">", verdicts[r.njoint]);
        has(page, words);
        if (r.njoint < 5) free(page);
    }
    has(page,
        "The model leaves 17.4 % of the torques unexplained; the one it began with left 40 %. Worst is joint <b>e</b> with 31 %. "
        "Every link of it can exist.</p>");
    has(page, "<li>9000 rows of 45 s at 200 Hz, with 2 gaps; computed in 0.5 s.</li>\n"
              "<li>Errors are those on blocks of the logs that were held out, each in its turn.</li>\n"
              "<li>1 of 3 parameters show in the torques; condition number of the regressor 200.</li>\n"
              "<li>Torques and regressor went through a low pass of 10 Hz.</li>\n</ul>");
    has(page,
        "<tr><td>a</td><td class=\"good\">5</td><td>6</td><td></td><td>8</td><td>20</td><td>0.28 Nm</td><td>90</td><td>-1</td>"
        "<td>2 rad</td></tr>\n<tr><td>b&lt;</td><td class=\"good\">10</td>");
    has(page, "<tr><td>c</td><td class=\"fair\">11</td>");
    has(page, "<tr><td>d</td><td class=\"fair\">30</td>");
    has(page, "<tr><td>e</td><td class=\"bad\">31</td><td>6</td><td></td><td>8</td><td>60</td>");
    has(page, "<th>rotor, kg m²</th><th>delay, ms</th><th>gain of the drive</th></tr>\n"
              "<tr><td>a</td><td>0.8 ± 0.05</td><td>2 ± 0.15</td><td>-0.3 ± 0.2</td><td>0.1</td><td>1.50</td><td>0.98</td></tr>\n"
              "<tr><td>b&lt;</td><td>0.8 ± 0.05</td><td>2 ± 0.15</td><td>-0.3 ± 0.2</td><td>not told</td><td>0.00</td>"
              "<td>cannot be known</td></tr>\n");
    has(page,
        "<tr><td>l1</td><td>3.1</td><td>3</td><td>0.5000 0.2500 -0.1250</td><td>80</td><td>could not exist before</td></tr>\n"
        "<tr><td>l3</td><td>4</td><td>5</td><td>1.0000 2.0000 3.0000</td><td>25</td><td></td></tr>\n</table>");
    has(page,
        "<tr><td>ZZR1</td><td>3.1</td><td>0.05</td><td>1.61</td><td>3.2</td><td>4</td><td></td></tr>\n"
        "<tr><td>IA2</td><td></td><td></td><td></td><td>0.1</td><td>0.2</td><td>it &lt;rests&gt;</td></tr>\n"
        "<tr><td>IA3</td><td></td><td></td><td></td><td>0.3</td><td>0.4</td><td>the logs do not tell it</td></tr>\n</table>");
    assert_null(strstr(page, "<h2>Payload</h2>"));
    free(page);
    /* a payload alone; nothing of the drives */
    joints[0].delay = 0, joints[0].gain = joints[1].gain = 1;
    r.njoint = 2, r.condition = 201, r.ncutoff = 2, r.cutoffs = (arne_identified_cutoff[]){{1, 0.5}, {2, 0.25}};
    r.payload = (arne_identified_payload){{1.5, {0.1, 0.2, 0.3}, {1, 2, 3, 4, 5, 6}},
                                          {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0, INFINITY, 0.09}};
    page = identified(&r);
    has(page, "<table>\n<tr><th>mass, kg</th><td>1.5 ± 0.01</td></tr>\n<tr><th>x, m</th><td>0.1 ± 0.02</td></tr>\n"
              "<tr><th>y, m</th><td>0.2 ± 0.03</td></tr>\n<tr><th>z, m</th><td>0.3 ± 0.04</td></tr>\n"
              "<tr><th>Ixx, kg m²</th><td>1 ± 0.05</td></tr>\n<tr><th>Ixy, kg m²</th><td>2 ± 0.06</td></tr>\n"
              "<tr><th>Ixz, kg m²</th><td>3 ± 0.07</td></tr>\n<tr><th>Iyy, kg m²</th><td>4</td></tr>\n"
              "<tr><th>Iyz, kg m²</th><td>not told</td></tr>\n<tr><th>Izz, kg m²</th><td>6 ± 0.09</td></tr>\n</table>");
    has(page, "regressor 201, which is much: some parameters are hard to tell apart.</li>");
    has(page, "low pass of 10 Hz, chosen by the error on data that were held out.</li>");
    has(page, "<th>rotor, kg m²</th></tr>\n");
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_and_what_is_left),
        cmocka_unit_test(spectra_are_those_of_a_direct_sum),
        cmocka_unit_test(parameters_are_bars),
        cmocka_unit_test(tables_of_what_was_identified),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
