/* SPDX-License-Identifier: MIT
 *
 * drawn_test.c - charts of runs, runs that are compared, and gnuplot itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "report/drawn.h"

/* Column c of row i is c (10 + i). */
static const char *const COLUMNS[] = {
    "t",        "q1",       "q2",       "qr1",       "qr2",       "qd1",       "qd2",       "qdr1",   "qdr2",   "qdd1",
    "tau1",     "tau2",     "motor1",   "r1",        "theta1",    "theta2",    "thetad1",   "tau_e1", "rigid1", "r1.fx",
    "r1.fy",    "r1.fz",    "r1.mx",    "r1.my",     "r1.mz",     "kinetic",   "potential", "hand.x", "hand.y", "hand.z",
    "linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z", "odd",       "even"};
enum { ALL = sizeof COLUMNS / sizeof *COLUMNS };
static const double TIMES[] = {0, 0.5, 1.75};

static double factor(const char *column)
{
    int c = 0;
    while (strcmp(COLUMNS[c], column)) c++;
    return c;
}

static void each_chart_draws_its_columns(void **state)
{
    (void)state;
    char table[4000];
    int n = 0;
    for (int c = 0; c < ALL; c++) n += snprintf(table + n, sizeof table - (size_t)n, "%s%s", c ? "," : "", COLUMNS[c]);
    for (int i = 0; i < 3; i++) {
        n += snprintf(table + n, sizeof table - (size_t)n, "\n%g", TIMES[i]);
        for (int c = 1; c < ALL; c++) n += snprintf(table + n, sizeof table - (size_t)n, ",%d", c * (10 + i));
    }
    const char *about =
        "{\"arne\":\"run\",\"dof\":2,\"joints\":[\"a\",\"b\"],\"limits\":{\"effort\":[500,100],\"velocity\":[null,80]},"
        "\"thresholds\":[2,3],\"link\":\"tool\",\"events\":[{\"t\":0.25,\"end\":0.5,\"kind\":\"wrench\",\"text\":\"a push\"},"
        "{\"t\":0.375,\"end\":0.75,\"kind\":\"contact\"},{\"t\":0.625,\"end\":1,\"kind\":\"stop\"},"
        "{\"t\":1.125,\"end\":1.25,\"kind\":\"else\"},{\"t\":1.5,\"end\":1.75,\"kind\":\"saturation\"}]}";
    char *page = page_of(1, (const char *const[]){table}, &about, NULL, NULL);
    static const struct {
        const char *title, *unit, *legend, *first, *second; /* of the first curve; second: what is taken off */
        const char *list[6];                                /* the curves after it */
        char how;                                           /* plain, minus, share, norm */
    } charts[] = {
        {"Positions", "rad", "a b", "q1", NULL, {"qr1", "q2", "qr2"}, 'p'},
        {"Tracking error: reference minus position", "rad", "a b", "qr1", "q1", {0}, '-'},
        {"Speeds", "rad/s", "a b", "qd1", NULL, {"qdr1", "qd2", "qdr2"}, 'p'},
        {"Accelerations", "rad/s²", "a", "qdd1", NULL, {0}, 'p'},
        {"Torques", "Nm", "a b", "tau1", NULL, {"tau2"}, 'p'},
        {"Torques against their limits", "% of the limit", "a b", "tau1", NULL, {0}, '%'},
        {"Motor torques", "Nm", "a", "motor1", NULL, {0}, 'p'},
        {"Residuals of the observer", "Nm", "a", "r1", NULL, {0}, 'p'},
        {"Deflections of the springs: motor minus link", "rad", "a b", "theta1", "q1", {0}, '-'},
        {"Speeds of the motors behind their gears", "rad/s", "a", "thetad1", NULL, {0}, 'p'},
        {"Torques of the springs", "Nm", "a", "tau_e1", NULL, {0}, 'p'},
        {"Torques without springs, for comparison", "Nm", "a", "rigid1", NULL, {0}, 'p'},
        {"Torques: elastic minus rigid", "Nm", "a", "tau1", "rigid1", {0}, '-'},
        {"Loads of the joints: force", "N", "a", "r1.fx", NULL, {0}, 'n'},
        {"Loads of the joints: moment", "Nm", "a", "r1.mx", NULL, {0}, 'n'},
        {"Energies", "J", "kinetic potential", "kinetic", NULL, {"potential"}, 'p'},
        {"Linear momentum of the robot", "Ns", "x y z", "linear.x", NULL, {"linear.y", "linear.z"}, 'p'},
        {"Angular momentum about its centre of mass", "Nms", "x y z", "angular.x", NULL, {"angular.y", "angular.z"}, 'p'},
        {"Position of link tool", "m", "x y z", "hand.x", NULL, {"hand.y", "hand.z"}, 'p'},
    };
    for (size_t k = 0; k < sizeof charts / sizeof *charts; k++) {
        char *text = figure(page, charts[k].title), part[400], legend[200];
        snprintf(part, sizeof part, "set label 1 '%s' at", charts[k].unit);
        has(text, part);
        for (int c = 0; c < 4 && (!c || charts[k].list[c - 1]); c++) { /* the curves one behind the other */
            const double x = factor(c ? charts[k].list[c - 1] : charts[k].first);
            const double times = charts[k].how == '-'   ? x - factor(charts[k].second)
                                 : charts[k].how == '%' ? 100 * x / 500
                                 : charts[k].how == 'n' ? sqrt(x * x + (x + 1) * (x + 1) + (x + 2) * (x + 2))
                                                        : x;
            n = 0;
            for (int i = 0; i < 3; i++)
                n += snprintf(part + n, sizeof part - (size_t)n, "%.9g,%.7g\n", TIMES[i], times * (10 + i));
            snprintf(part + n, sizeof part - (size_t)n, "\n\n");
            has(text, part);
        }
        n = snprintf(legend, sizeof legend, "<span class=\"legend\">");
        char names[40], *rest = names;
        strcpy(names, charts[k].legend);
        for (int c = 1; rest; c++) {
            char *name = rest;
            if ((rest = strchr(rest, ' '))) *rest++ = 0;
            n += snprintf(legend + n, sizeof legend - (size_t)n, "<span><i style=\"background:var(--c%d)\"></i>%s</span> ", c,
                          name);
        }
        has(text, legend);
        has(text, "set xrange [0:1.75]\n");
        /* bands and lines of what happened, in their colours */
        has(text,
            "set object rect from 0.25, graph 0 to 0.5, graph 1 fc rgb '#f2a900' fs transparent solid 0.25 noborder behind\n"
            "set arrow from 0.25, graph 0 to 0.25, graph 1 nohead lw 1.2 dt 1 lc rgb '#f2a900'\n"
            "set arrow from 0.375, graph 0 to 0.375, graph 1 nohead lw 1.2 dt 1 lc rgb '#c62828'\n"
            "set arrow from 0.625, graph 0 to 0.625, graph 1 nohead lw 1.2 dt 3 lc rgb '#444444'\n"
            "set object rect from 1.125, graph 0 to 1.25, graph 1 fc rgb '#888888' fs transparent solid 0.25 noborder behind\n"
            "set arrow from 1.125, graph 0 to 1.125, graph 1 nohead lw 1.2 dt 1 lc rgb '#888888'\nplot ");
        free(text);
    }
    assert_int_equal(count(page, "<figure"), sizeof charts / sizeof *charts);
    figure_has(page, "Positions",
               "plot data index 0 using 1:2 with lines lw 1.6 dt 1 lc rgb '#1f5fbf', \\\n"
               " data index 1 using 1:2 with lines lw 1.1 dt 2 lc rgb '#1f5fbf', \\\n"
               " data index 2 using 1:2 with lines lw 1.6 dt 1 lc rgb '#c8501e', \\\n"
               " data index 3 using 1:2 with lines lw 1.1 dt 2 lc rgb '#c8501e'\n");
    figure_has(page, "Positions", "<em>dashed: reference</em>");
    figure_has(page, "Torques against their limits", "<em>grey: the limits</em>");
    /* 11 (10 + 2) Nm of 100, and 5 % more; the lines of the limits */
    figure_has(page, "Torques against their limits", "set offsets\nset yrange [-138.6:138.6]\n");
    figure_has(page, "Torques against their limits",
               ", \\\n 100 with lines lw 1.4 lc rgb '#888888', -100 with lines lw 1.4 lc rgb '#888888'\n");
    figure_has(page, "Residuals of the observer", "<em>dashed: thresholds</em>");
    figure_has(page, "Residuals of the observer",
               ", \\\n -2 with lines lw 1 dt 2 lc rgb '#1f5fbf', \\\n 2 with lines lw 1 dt 2 lc rgb '#1f5fbf'\n");
    has(page, "<p class=\"small\">Columns that are not drawn: odd, even.</p>");
    has(page, "<p class=\"legend\">In the charts: <span><i style=\"background:var(--done)\"></i>done to the robot</span> "
              "<span><i style=\"background:var(--found)\"></i>a contact was found</span> "
              "<span><i style=\"background:var(--stop)\"></i>the robot began to stop</span> "
              "<span><i style=\"background:var(--axis)\"></i>what else happened</span> </p>");
    has(page,
        "<tr><th>t, s</th><th>until</th><th>what</th></tr>\n<tr><td>0.25</td><td>0.5</td><td><b>wrench</b> a push</td></tr>\n"
        "<tr><td>0.375</td><td>0.75</td><td><b>contact</b> </td></tr>\n");
    free(page);
}

/* Two joints with the same threshold have one line; torques within their limits have a picture of 105 %. */
static void thresholds_that_are_the_same(void **state)
{
    (void)state;
    const char *table = "t,q1,q2,r1,r2,tau1\n0,0,0,1,2,5\n1,0,0,3,4,-9\n";
    const char *about[] = {"{\"arne\":\"run\",\"dof\":2,\"thresholds\":[2.5,2.5],\"limits\":{\"effort\":[10,10]}}",
                           "{\"arne\":\"run\",\"dof\":2,\"thresholds\":[2.5,3.5]}"};
    char *page = page_of(1, &table, about, NULL, NULL);
    figure_has(
        page, "Residuals of the observer",
        "lc rgb '#c8501e', \\\n -2.5 with lines lw 1 dt 2 lc rgb '#444444', \\\n 2.5 with lines lw 1 dt 2 lc rgb '#444444'\n");
    figure_has(page, "Torques against their limits", "set yrange [-105:105]\n");
    figure_has(page, "Torques against their limits", "\n0,50\n1,-90\n\n\n");
    free(page);
    page = page_of(1, &table, about + 1, NULL, NULL);
    figure_has(page, "Residuals of the observer",
               ", \\\n -2.5 with lines lw 1 dt 2 lc rgb '#1f5fbf', \\\n 2.5 with lines lw 1 dt 2 lc rgb '#1f5fbf', \\\n"
               " -3.5 with lines lw 1 dt 2 lc rgb '#c8501e', \\\n 3.5 with lines lw 1 dt 2 lc rgb '#c8501e'\n");
    free(page);
}

/* Beyond 800 rows two of each of 400 stretches: the ends of what rises, and every peak. */
static void long_runs_are_thinned_but_keep_their_peaks(void **state)
{
    (void)state;
    for (int rows = 800; rows <= 2000; rows += rows == 800 ? 1 : 1199) {
        char *table = malloc(100000), line[60];
        int n = snprintf(table, 100, "t,q1\n");
        for (int i = 0; i < rows; i++) n += snprintf(table + n, 60, "%d,%d\n", i, i == 503 ? 9000 : i == 504 ? -9000 : 7 * i);
        char *page = page_of(1, (const char *const[]){table}, NULL, NULL, NULL), *text = figure(page, "Positions");
        const char *data = strstr(text, "\n0,0\n");
        assert_non_null(data);
        int lines = 0;
        for (const char *c = data + 1; *c != '\n'; c = strchr(c, '\n') + 1) lines++;
        assert_int_equal(lines, 800);
        has(data, "\n503,9000\n504,-9000\n");
        snprintf(line, sizeof line, "\n%d,%d\n\n\n", rows - 1, 7 * (rows - 1));
        has(data, line);
        if (rows == 2000) has(data, "\n0,0\n4,28\n5,35\n9,63\n10,70\n"); /* stretches of five */
        free(text);
        free(page);
        free(table);
    }
}

/* Runs over each other: the largest of the joints of each, the first run the widest. */
static void runs_lie_over_each_other(void **state)
{
    (void)state;
    static const char *const tables[] = {"t,q1,q2,qr1,qr2,qd1,qd2\n0,1,2,3,5,-4,1\n1,2,3,3,3,2,-7\n",
                                         "t,q1,q2,qr1,qr2,qd1,qd2\n0,0,0,1,0,5,0\n2,0,0,0,-6,0,8\n"};
    static const char *const about[] = {"{\"arne\":\"run\",\"dof\":2,\"joints\":[\"a\",\"b\"],\"controller\":\"pd\"}",
                                        "{\"arne\":\"run\",\"dof\":2,\"joints\":[\"a\",\"b\"],\"controller\":\"pid\"}"};
    char *page = page_of(2, tables, about, NULL, NULL);
    figure_has(page, "Speeds, the largest of the joints",
               "set offsets graph 0, graph 0, graph 0.05, 0\nset yrange [0:*]\n"
               "plot data index 0 using 1:2 with lines lw 2.5 dt 1 lc rgb '#1f5fbf', \\\n"
               " data index 1 using 1:2 with lines lw 1.4 dt 1 lc rgb '#c8501e'\n");
    figure_has(page, "Speeds, the largest of the joints", "\n0,4\n1,7\n\n\n0,5\n2,8\n\n\n");
    figure_has(page, "Speeds, the largest of the joints",
               "</i>pd</span> <span><i style=\"background:var(--c2)\"></i>pid</span> ");
    figure_has(page, "Speeds, the largest of the joints", "set xrange [0:2]\n");
    figure_has(page, "Tracking error: reference minus position, the largest of the joints", "\n0,3\n1,1\n\n\n0,1\n2,6\n\n\n");
    figure_has(page, "Positions: a", "\n0,1\n1,2\n\n\n0,0\n2,0\n\n\n");
    figure_has(page, "Positions: b", "\n0,2\n1,3\n\n\n0,0\n2,0\n\n\n");
    figure_has(page, "Speeds: b", "\n0,1\n1,-7\n\n\n0,0\n2,8\n\n\n");
    figure_has(page, "Tracking error: reference minus position: b", "\n0,3\n1,0\n\n\n0,0\n2,-6\n\n\n");
    assert_null(strstr(page, "<figcaption>Positions, the largest"));
    has(page, "<details open><summary>Joint by joint</summary>");
    has(page, "<tr><th>run</th><th>controller</th><th>time, s</th><th>largest error</th><th>verdict</th></tr>\n"
              "<tr><td><a href=\"#run1\">pd</a></td><td>pd</td><td>1</td><td>3 rad</td><td class=\"good\">good</td></tr>\n"
              "<tr><td><a href=\"#run2\">pid</a></td><td>pid</td><td>2</td><td>6 rad</td>");
    free(page);
    const char *nine[9], *names[9];
    char beside[9][80];
    for (int i = 0; i < 9; i++) {
        nine[i] = "t,q1,q2,q3,qd1\n0,0,0,0,1\n1,0,0,0,2\n", names[i] = beside[i];
        snprintf(beside[i], sizeof beside[i], "{\"arne\":\"run\",\"title\":\"run %d\"}", i + 1);
    }
    page = page_of(9, nine, names, NULL, NULL);
    char *text = figure(page, "Speeds, the largest of the joints");
    has(text, "lw 9.1 dt 1 lc rgb '#1f5fbf'");
    has(text, "index 7 using 1:2 with lines lw 1.4 dt 1 lc rgb '#555555'\n");
    free(text);
    has(page, "The first 8 runs are laid over each other.");
    has(page, "<details><summary>Joint by joint</summary>");
    free(page);
}

/* A run with all that can be said of it, and one of which nothing is known. */
static void runs_are_told_and_compared(void **state)
{
    (void)state;
    static const char *const tables[] = {"t,q1,q2,qd1,qd2,qr1,tau1,tau2,r1\n0,0,0,0,0,0,1,2,0\n1,0.5,1,-1,3,0.25,-5,2,0\n2,1.5,2,"
                                         "0,0,1.5,2,8,0\n4,1,1,0,0,9,0,0,0\n",
                                         "t,q1,q2\n1,0,0\n1.5,1,1\n"};
    static const char *const about[] = {
        "{\"arne\":\"run\",\"title\":\"one\",\"dof\":2,\"joints\":[\"a\",\"b\"],\"model\":\"arm\",\"controller\":\"pd\","
        "\"limits\":{\"effort\":[10,16],\"velocity\":[4,6],\"lower\":[-1,-1],\"upper\":[1.25,3]},"
        "\"events\":[{\"t\":1,\"end\":1.5,\"kind\":\"wrench\",\"text\":\"a "
        "push\"},{\"t\":1.25,\"kind\":\"contact\",\"text\":\"felt\"},"
        "{\"t\":2.25,\"kind\":\"contact\",\"text\":\"nothing\"},{\"t\":2.5,\"end\":3.75,\"kind\":\"stop\",\"text\":\"a stop\"}]}",
        "{\"arne\":\"run\",\"title\":\"two\",\"model\":\"arm\"}"};
    char *page = page_of(2, tables, about, NULL, NULL);
    /* joint a is beyond its limit of 1.25, by 0.25 rad at 2 s; the error after the stop does not count */
    has(page, "<p class=\"verdict bad\">The joint <b>a</b> leaves its position limits.</p>\n<ul class=\"summary\">\n"
              "<li>Robot <b>arm</b>, 2 joints; 4 s, 4 rows; controller <b>pd</b>.</li>\n"
              "<li>Until it stops, it follows its reference to within 0.25 rad (14°); the largest error is at joint <b>a</b>, t "
              "= 1 s.</li>\n"
              "<li>Torque: joint <b>a</b> comes nearest to its limit, 50 % of 10 Nm at t = 1 s; no joint saturates.</li>\n"
              "<li>Speed: joint <b>b</b> comes nearest to its limit, 50 % of 6 rad/s at t = 1 s.</li>\n"
              "<li>Position: joint <b>a</b> is beyond its limit by 0.25 rad (14°) at t = 2 s.</li>\n"
              "<li>Done to the robot at <b>t = 1 s</b>: a push.</li>\n"
              "<li>Found at <b>t = 1.25 s</b>: felt &ndash; <b>250 ms</b> after it began.</li>\n"
              "<li>False alarm at <b>t = 2.25 s</b>: nothing.</li>\n"
              "<li>Reaction at <b>t = 2.5 s</b>: a stop; at rest 1.25 s later.</li>\n</ul>");
    has(page, "<p class=\"verdict good\">Nothing to complain about.</p>\n<ul class=\"summary\">\n"
              "<li>Robot <b>arm</b>, 2 joints; 0.5 s, 2 rows.</li>\n</ul>");
    has(page,
        "<tr><th>run</th><th>controller</th><th>time, s</th><th>largest error</th><th>torque of limit</th><th>saturated, s</th>"
        "<th>found after, ms</th><th>false alarms</th><th>verdict</th></tr>\n"
        "<tr><td><a href=\"#run1\">one, pd</a></td><td>pd</td><td>4</td><td>0.25 rad</td><td>50 "
        "%</td><td>0</td><td>250</td><td>1</td>"
        "<td class=\"bad\">bad</td></tr>\n"
        "<tr><td><a href=\"#run2\">two</a></td><td>–</td><td>0.5</td><td>–</td><td>–</td><td>–</td><td>–</td><td>–</td>"
        "<td class=\"good\">good</td></tr>\n</table>");
    free(page);
}

/* ---- gnuplot itself ---- */

/* As if gnuplot were this script. */
static arne_status with_gnuplot(const char *script, char **svg, arne_error *e)
{
    temp_folder t = temp_open();
    if (script) assert_int_equal(chmod(temp_write(&t, "gnuplot", script), 0755), 0);
    setenv("PATH", t.path, 1);
    const arne_status status = arne_picture_svg(&(arne_picture){"plot data", "0,0\n", 200, 100}, svg, e);
    setenv("PATH", place.path, 1);
    temp_close(&t);
    return status;
}

static void what_gnuplot_says_is_told(void **state)
{
    (void)state;
    char *svg;
    arne_error e;
    assert_int_equal(with_gnuplot("#!/bin/sh\nprintf 'first\\n\\nline 3: bad thing\\n   ^ \\n' >&2\nexit 3\n", &svg, &e),
                     ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "gnuplot could not draw the picture: line 3: bad thing");
    assert_null(svg);
    assert_int_equal(with_gnuplot("#!/bin/sh\necho '<svg>'\n", &svg, &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "gnuplot could not draw the picture: it gave no reason");
    assert_null(svg);
    assert_int_equal(with_gnuplot(NULL, &svg, &e), ARNE_UNSUPPORTED);
    assert_string_equal(e.message, "pictures need gnuplot, which is not here: apt-get install gnuplot-nox");
    /* what no picture needs is left out, colours are those of pages; nothing but the picture is taken */
    assert_int_equal(
        with_gnuplot("#!/bin/sh\necho '<?xml?> <svg a=\"1\" id=\"x\" color=\"black\" stroke=\"rgb(255,0, 16)\" fill=\"black\">"
                     "<title>t</title><desc>d</desc>a<defs>e</defs>b<g color=\"white\"/>rgb(1)</svg>'\n",
                     &svg, &e),
        ARNE_OK);
    assert_string_equal(svg, "<svg a=\"1\" stroke=\"#ff0010\" fill=\"#222222\">ab<g/>rgb(1)</svg>\n");
    free(svg);
    assert_int_equal(
        with_gnuplot("#!/bin/sh\necho \"<svg>$0 $*\"\n/bin/cat /dev/stdin\n/bin/cat /dev/fd/3\necho '</svg>'\n", &svg, &e),
        ARNE_OK);
    has(svg, "gnuplot -d /dev/stdin\nset terminal svg size 200,100 fixed font 'sans-serif,12'\nset datafile separator ','\n"
             "data = '/dev/fd/3'\nplot data\n0,0\n</svg>");
    free(svg);
}

static void any_text_is_harmless_in_a_page(void **state)
{
    (void)state;
    const char *table = "t,q1\n0,0\n1,1\n",
               *about = "{\"arne\":\"run\",\"title\":\"a\\u0001\\t\x7F\xFF\xC3\xA4<b>&\\\"'\xE2\x82\"}";
    char *page = page_of(1, &table, &about, NULL, NULL);
    has(page, "<h1>a\xEF\xBF\xBD\t\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA4&lt;b&gt;&amp;&quot;&#39;\xEF\xBF\xBD\xEF\xBF\xBD</h1>");
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chart_draws_its_columns),
        cmocka_unit_test(thresholds_that_are_the_same),
        cmocka_unit_test(long_runs_are_thinned_but_keep_their_peaks),
        cmocka_unit_test(runs_lie_over_each_other),
        cmocka_unit_test(runs_are_told_and_compared),
        cmocka_unit_test(what_gnuplot_says_is_told),
        cmocka_unit_test(any_text_is_harmless_in_a_page),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
