/* SPDX-License-Identifier: MIT
 *
 * sweep_page_test.c - the page of many runs, as it is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "report/drawn.h"

static void quantiles_and_their_run(void **state)
{
    (void)state;
    const double values[] = {3, 9, NAN, 9, 1, 9, 5, 9, 5, 9}, share[] = {0, 0.25, 0.5, 1}, none[] = {NAN, NAN};
    double q[4];
    long numbers, largest;
    assert_int_equal(arne_sweep_quantiles(values, 5, 2, 4, share, q, &numbers, &largest), ARNE_OK);
    assert_true(numbers == 4 && largest == 3 && q[0] == 1 && q[1] == 2.5 && q[2] == 4 && q[3] == 5); /* 3, nan, 1, 5, 5 */
    assert_int_equal(arne_sweep_quantiles(none, 2, 1, 1, share, q, &numbers, &largest), ARNE_OK);
    assert_true(numbers == 0 && largest == -1 && isnan(q[0]));
    assert_int_equal(arne_sweep_quantiles(values, 0, 1, 0, NULL, NULL, &numbers, NULL), ARNE_OK);
    assert_int_equal(arne_sweep_quantiles(NULL, 5, 1, 0, NULL, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_quantiles(values, -1, 1, 0, NULL, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_quantiles(values, 5, 0, 0, NULL, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_quantiles(values, 5, 1, 1, NULL, q, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_sweep_quantiles(values, 5, 1, 1, share, NULL, NULL, NULL), ARNE_BAD_ARGUMENT);
}

/* Five runs of two joints, one that failed, one that waits; all numbers of the page by hand. */
static void a_sweep_is_told_in_numbers(void **state)
{
    (void)state;
    enum { F = ARNE_SWEEP_FINISHED };
    unsigned char states[] = {F, F, F, F, F, ARNE_SWEEP_FAILED, ARNE_SWEEP_WAITS};
    char messages[7][120] = {[5] = "it <broke>"}, *drawn[] = {"mass", "a & b"}, *joints[] = {"j1", "j2"};
    double draw[] = {10, 5, 20, 5, 30, 5, 40, 5, 50, 5, 60, 5, 70, 5};
    double error[] = {1, 0, 2, 1, 0, 3, 1, 4, 5, 2, NAN, NAN, NAN, NAN};
    double torque[] = {10, 8, 20, 4, 30, 4, 40, 4, 50, 2, NAN, NAN, NAN, NAN}; /* medians 30, 4 */
    double delay[] = {NAN, 0.25, NAN, 0.5, NAN, NAN, NAN}, alarms[] = {0, 0, 3, 0, 0, NAN, NAN},
           verdict[] = {2, 2, 1, 0, 2, NAN, NAN};
    arne_sweep s = {.runs = 7,
                    .seed = 7,
                    .scenario = "robot: <r>",
                    .title = "a sweep",
                    .robot = "r & s",
                    .path = "s.yaml",
                    .ndrawn = 2,
                    .njoint = 2,
                    .drawn = drawn,
                    .joints = joints,
                    .state = states,
                    .message = messages,
                    .draw = draw,
                    .error = error,
                    .torque = torque,
                    .delay = delay,
                    .false_alarms = alarms,
                    .verdict = verdict};
    char *page;
    arne_error e = {0};
    if (arne_sweep_page(&s, "runs.h5", NULL, &page, &e)) fail_msg("%s", e.message);
    has(page, "<h1>a sweep</h1>");
    has(page,
        "<p class=\"verdict bad\">50 % of 6 runs are good: 3 good, 1 fair, 1 bad, 1 failed. 1 have not been run yet; the same "
        "command goes on with them.</p>");
    has(page, "<p>Robot r &amp; s; what varied: mass, a &amp; b.</p>");
    has(page, "<tr><td>Largest error of any joint</td><td>5</td><td>1.2</td><td>3</td><td>4.8</td><td>5</td><td>rad or m</td>"
              "<td>4</td></tr>\n"
              "<tr><td>Peak torque, over the median of its joint</td><td>5</td><td>1</td><td>1.333</td><td>1.933</td><td>2</td>"
              "<td></td><td>0</td></tr>\n"
              "<tr><td>Delay of the detection</td><td>2</td><td>0.2625</td><td>0.375</td><td>0.4875</td><td>0.5</td><td>s</td>"
              "<td>3</td></tr>\n"
              "<tr><td>False alarms</td><td>5</td><td>0</td><td>0</td><td>2.4</td><td>3</td><td></td><td>2</td></tr>\n</table>");
    figure_has(page, "Largest error of any joint", "\n1.5,1\n2.5,1\n3.5,1\n4.5,2\n</svg>");
    figure_has(page, "Largest error of any joint",
               "set tmargin 2\nset xtics 1\nset ytics 1\nset xlabel 'rad or m'\nset yrange [0:*]\nset xrange [1:5]\n"
               "set boxwidth 0.92\nset style fill solid 0.7 noborder\n"
               "set arrow from 1.2, graph 0 to 1.2, graph 1 nohead dashtype 2 linecolor rgb '#222222'\n"
               "set arrow from 3, graph 0 to 3, graph 1 nohead dashtype 1 linecolor rgb '#222222'\n"
               "set arrow from 4.8, graph 0 to 4.8, graph 1 nohead dashtype 2 linecolor rgb '#222222'\n"
               "plot data using 1:2 with boxes linecolor rgb '#1f5fbf' notitle\n");
    figure_has(page, "Peak torque, over the median of its joint", "\n1.125,2\n1.375,1\n1.625,1\n1.875,1\n</svg>");
    figure_has(page, "Peak torque, over the median of its joint", "set xtics 0.2\n");
    figure_has(page, "Delay of the detection", "\n0.291666667,1\n0.375,0\n0.458333333,1\n</svg>");
    figure_has(page, "Delay of the detection", "set xtics 0.05\n");
    assert_int_equal(count(page, "<figure"), 3);
    /* ranks of five runs: 0 1 2 3 4 with 4 0.5 0.5 2 3: -0.5 of sqrt(10 x 9.5) */
    has(page, "<tr><td>mass</td><td><b>1.00</b></td><td>-0.05</td><td><b>1.00</b></td></tr>\n"
              "<tr><td>a &amp; b</td><td></td><td></td><td></td></tr>\n</table>");
    has(page, "<code>arne simulate s.yaml --run K --seed 7 --out run.csv</code>");
    has(page, "<tr><th>run</th><th>why</th><th>mass</th><th>a &amp; b</th></tr>\n"
              "<tr><td>5</td><td>it &lt;broke&gt;</td><td>60</td><td>5</td></tr>\n"
              "<tr><td>4</td><td>Largest error of any joint: 5 rad or m</td><td>50</td><td>5</td></tr>\n"
              "<tr><td>3</td><td>Largest error of any joint: 4 rad or m</td><td>40</td><td>5</td></tr>\n"
              "<tr><td>2</td><td>Largest error of any joint: 3 rad or m</td><td>30</td><td>5</td></tr>\n"
              "<tr><td>0</td><td>Peak torque, over the median of its joint: 2 </td><td>10</td><td>5</td></tr>\n"
              "<tr><td>4</td><td>Peak torque, over the median of its joint: 1.667 </td><td>50</td><td>5</td></tr>\n"
              "<tr><td>3</td><td>Peak torque, over the median of its joint: 1.333 </td><td>40</td><td>5</td></tr>\n"
              "<tr><td>3</td><td>Delay of the detection: 0.5 s</td><td>40</td><td>5</td></tr>\n"
              "<tr><td>1</td><td>Delay of the detection: 0.25 s</td><td>20</td><td>5</td></tr>\n"
              "<tr><td>2</td><td>False alarms: 3 </td><td>30</td><td>5</td></tr>\n</table>");
    has(page, "<pre>robot: &lt;r&gt;</pre>");
    has(page, "<p class=\"small\">Source: runs.h5.</p>");
    free(page);
    s.title = "", s.seed = 1;
    assert_int_equal(arne_sweep_page(&s, "runs.h5", NULL, &page, &e), ARNE_OK);
    has(page, "<h1>Many runs</h1>");
    has(page, "s.yaml --run K --out run.csv");
    free(page);
    assert_int_equal(arne_sweep_page(NULL, "runs.h5", NULL, &page, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a page needs a sweep, its path and a place");
}

static void large_sweeps_are_judged_and_cut(void **state)
{
    (void)state;
    enum { RUNS = 1000 };
    static unsigned char states[RUNS];
    static char messages[RUNS][120];
    static double x[RUNS], none[RUNS], verdict[RUNS];
    arne_sweep s = {.runs = RUNS,
                    .scenario = "",
                    .title = "",
                    .robot = "r",
                    .path = "s",
                    .njoint = 1,
                    .state = states,
                    .message = messages,
                    .error = x,
                    .torque = none,
                    .delay = none,
                    .false_alarms = none,
                    .verdict = verdict};
    char *page, bar[60];
    arne_error e;
    /* one far out: 0 ... 38 and 1000; twice the way from the 5 % to the 95 % quantile is drawn */
    for (int k = 0; k < RUNS; k++) none[k] = x[k] = (double)NAN, states[k] = ARNE_SWEEP_FINISHED, verdict[k] = 2;
    for (int k = 0; k < 40; k++) x[k] = k < 39 ? k : 1000;
    assert_int_equal(arne_sweep_page(&s, "p", NULL, &page, &e), ARNE_OK);
    char *text = figure(page, "Largest error of any joint; the last bar holds all beyond");
    has(text, "set xrange [0:72.15]\n");
    has(text, "set xtics 20\nset xlabel");
    static const int runs[] = {11, 10, 10, 8, 0, 0, 1};
    for (int i = 0; i < 7; i++) {
        snprintf(bar, sizeof bar, "\n%.9g,%d\n", (i + 0.5) * 72.15 / 7, runs[i]);
        has(text, bar);
    }
    free(text);
    free(page);
    static const struct {
        int bad;
        const char *words;
    } cases[] = {{0, "verdict good\">100 % of 1000"},
                 {1, "verdict good\">99.9 % of 1000 runs are good: 999 good, 0 fair, 1 bad"},
                 {2, "verdict fair\">99.8 % of 1000"},
                 {100, "verdict fair\">90 % of 1000"},
                 {101, "verdict bad\">89.9 % of 1000"}};
    for (int k = 0; k < 40; k++) x[k] = (double)NAN;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < cases[i].bad; k++) verdict[k] = 0;
        assert_int_equal(arne_sweep_page(&s, "p", NULL, &page, &e), ARNE_OK);
        has(page, cases[i].words);
        assert_int_equal(count(page, "<figure"), 0);
        free(page);
    }
    for (int k = 0; k < 9; k++) states[k] = ARNE_SWEEP_FAILED, strcpy(messages[k], "boom");
    assert_int_equal(arne_sweep_page(&s, "p", NULL, &page, &e), ARNE_OK);
    assert_int_equal(count(page, "<td>boom</td>"), 8);
    has(page, "899 good, 0 fair, 92 bad, 9 failed.</p>");
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_and_their_run),
        cmocka_unit_test(a_sweep_is_told_in_numbers),
        cmocka_unit_test(large_sweeps_are_judged_and_cut),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
