/* SPDX-License-Identifier: MIT
 *
 * drawn_test.c - what gnuplot is given to draw: a program of its name stands in its place here and hands back script and data. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "arne/file.h"
#include "arne/report.h"
#include "arne/sweep.h"
#include "support/tempfile.h"

static const double PI = 3.14159265358979323846;

static temp_folder place;
static char *programs; /* PATH as it was */

static int enter(void **state)
{
    (void)state;
    place = temp_open();
    const char *fake = temp_write(&place, "gnuplot", "#!/bin/sh\necho '<svg>'\n/bin/cat\n/bin/cat <&3\necho '</svg>'\n");
    programs = strdup(getenv("PATH"));
    return chmod(fake, 0755) || setenv("PATH", place.path, 1);
}

static int leave(void **state)
{
    (void)state;
    setenv("PATH", programs, 1);
    free(programs);
    temp_close(&place);
    return 0;
}

/* The figure of this title, from malloc. */
static char *figure(const char *page, const char *title)
{
    char head[300];
    snprintf(head, sizeof head, "<figcaption>%s<span", title);
    const char *from = strstr(page, head), *to = from ? strstr(from, "</figure>") : NULL;
    if (!from || !to) fail_msg("there is no figure: %s", title);
    return strndup(from, (size_t)(to - from));
}

static void has(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("\"%s\" is not in: %s", words, text);
}

static void figure_has(const char *page, const char *title, const char *words)
{
    char *text = figure(page, title);
    has(text, words);
    free(text);
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) n++;
    return n;
}

/* The page of runs whose tables and words beside them are given. */
static char *page_of(int runs, const char *const *tables, const char *const *about, const arne_description *d,
                     const arne_model *m)
{
    arne_report_run *r[9] = {0};
    arne_error e = {0};
    char *page;
    for (int i = 0; i < runs; i++) {
        temp_folder t = temp_open();
        const char *path = temp_write(&t, "run.csv", tables[i]);
        if (about) temp_write(&t, "run.json", about[i]);
        if (arne_report_read(path, &r[i], &e) || arne_report_complete(r[i], d, m, "robot", &e)) fail_msg("%s", e.message);
        temp_close(&t);
    }
    if (arne_report_page((const arne_report_run *const *)r, runs, NULL, &page, &e)) fail_msg("%s", e.message);
    for (int i = 0; i < runs; i++) arne_report_free(r[i]);
    return page;
}

/* ---- runs ---- */

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

/* ---- the robot along the motion ---- */

/* A slide on an arm: from the base over `before` along an axis, its centre of mass at com. */
static arne_description *crane(const double before[3], int axis, const double com[3], const double gravity[3])
{
    arne_description *d = arne_description_new("crane");
    assert_non_null(arne_description_link(d, "base", 0));
    arne_link_description *l = arne_description_link(d, "car", 0);
    l->body = (arne_body){1, {com[0], com[1], com[2]}, {1, 0, 0, 1, 0, 1}};
    arne_joint_description *j = arne_description_joint(d, "slide", 0, ARNE_PRISMATIC, "base", "car");
    for (int k = 0; k < 3; k++) j->before.p[k] = before[k], j->axis[k] = k == axis, d->gravity[k] = gravity[k];
    return d;
}

/* Coordinates by hand: 392 of 460 points are as long as the longer side of what is drawn, 34 are around it. */
static void sticks_are_true_to_scale(void **state)
{
    (void)state;
    static const struct {
        double before[3];
        int axis;
        double com[3], gravity[3];
        const char *table, *title, *words[6];
    } cases[] = {
        /* 2 m across, 1.25 m up: 196 points a metre */
        {{2, 0, 0},
         2,
         {0, 0, 0.25},
         {0, 0, -9.81},
         "t,q1\n0,0\n1,1\n",
         "The robot along the motion, side view (x, z)",
         {"2 instants, pale to dark</span> <span><i style=\"background:var(--c2)\"></i>path of the centre of mass of car</span> "
          "<span><em>squares: joints that slide</em></span> <span><em>dashed: to the centre of mass</em></span></span>",
          "<svg viewBox=\"0 0 460 339\"", "<path d=\"M20.0 284.0h28m",
          "stroke-opacity=\"0.20\" fill=\"none\" stroke-width=\"2.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
          "<polyline points=\"34.0,279.0 426.0,279.0 426.0,279.0\"/>"
          "<polyline stroke-dasharray=\"3 4\" points=\"426.0,279.0 426.0,230.0\"/></g>"
          "<g stroke=\"#1f5fbf\" stroke-opacity=\"1.00\" fill=\"none\" stroke-width=\"4\" stroke-linejoin=\"round\" "
          "stroke-linecap=\"round\"><polyline points=\"34.0,279.0 426.0,279.0 426.0,83.0\"/>"
          "<polyline stroke-dasharray=\"3 4\" points=\"426.0,83.0 426.0,34.0\"/></g>"
          "<g fill=\"#ffffff\" stroke=\"#1f5fbf\" stroke-width=\"1.5\"><rect x=\"422.5\" y=\"275.5\" width=\"7\" "
          "height=\"7\"/></g>",
          "426.0,230.0 426.0,34.0 \"/>",
          "<path d=\"M34 329v-6m0 3h98.0m0 -3v6\" stroke=\"#222222\" fill=\"none\"/><text x=\"140.0\" y=\"330\" "
          "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">0.5 m</text>"}},
        /* hanging: y points down */
        {{0, 1, 0.5},
         2,
         {0, 0, 0},
         {0, 9.81, 0},
         "t,q1\n0,0\n1,1\n",
         "The robot along the motion, side view (z, y)",
         {"<svg viewBox=\"0 0 460 355\"", "points=\"34.0,34.0 164.7,295.3 164.7,295.3\"",
          "points=\"34.0,34.0 164.7,295.3 426.0,295.3\"", ">0.2 m</text>", "h52.3m"}},
        /* from above, with a contact at the end */
        {{1, 0, 0},
         1,
         {0, 0, 0},
         {0, 0, -9.81},
         "t,q1,contact\n0,0,0\n1,0.5,1\n",
         "View from above (x, y)",
         {"contact found</span></span></figcaption>\n<svg viewBox=\"0 0 460 290\"",
          "points=\"34.0,230.0 426.0,230.0 426.0,230.0\"", "points=\"34.0,230.0 426.0,230.0 426.0,34.0\"",
          "<circle cx=\"426.0\" cy=\"34.0\" r=\"5\" fill=\"#c62828\"/>"}},
        /* with y to the right, x points down */
        {{0, 1, 0},
         0,
         {0, 0, 0},
         {0, 0, -9.81},
         "t,q1\n0,0\n1,0.5\n",
         "View from above (y, x)",
         {"points=\"34.0,34.0 426.0,34.0 426.0,34.0\"", "points=\"34.0,34.0 426.0,34.0 426.0,230.0\""}},
        /* eight instants, the later the darker */
        {{2, 0, 0},
         2,
         {0, 0, 0},
         {0, 0, -9.81},
         "t,q1\n0,0\n1,0.1\n2,0.2\n3,0.3\n4,0.4\n5,0.5\n6,0.6\n7,0.7\n",
         "The robot along the motion, side view (x, z)",
         {"8 instants", "stroke-opacity=\"0.31\"", "stroke-opacity=\"0.43\"", "stroke-opacity=\"0.66\"",
          "stroke-opacity=\"0.89\"", "points=\"34.0,171.2 426.0,171.2 426.0,112.4\""}},
        /* what moves less than four thousandths of the picture, 0.008 m here, is not drawn again */
        {{2, 0, 0},
         2,
         {0, 0, 0},
         {0, 0, -9.81},
         "t,q1\n0,0\n1,0.007\n2,0.009\n3,0.009\n4,0.016\n5,0.018\n6,0.018\n7,0.018\n",
         "The robot along the motion, side view (x, z)",
         {"3 instants"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arne_description *d = crane(cases[k].before, cases[k].axis, cases[k].com, cases[k].gravity);
        arne_model *m;
        assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
        char *page = page_of(1, &cases[k].table, NULL, d, m), *text = figure(page, cases[k].title);
        for (int i = 0; i < 6 && cases[k].words[i]; i++) has(text, cases[k].words[i]);
        if (k == 0) assert_null(strstr(page, "View from above")); /* nothing to be seen there */
        free(text);
        free(page);
        arne_model_free(m);
        arne_description_free(d);
    }
}

/* Place and turn of a free base, by the names of their numbers. */
static void free_bases_are_drawn(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("ship");
    assert_non_null(arne_description_link(d, "world", 0));
    arne_description_link(d, "hull", 0)->body = (arne_body){1, {0}, {1, 0, 0, 1, 0, 1}};
    assert_non_null(arne_description_joint(d, "base", 0, ARNE_FREE, "world", "hull"));
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    const char *table = "t,q.base.x,q.base.y,q.base.z,q.base.qx,q.base.qy,q.base.qz,q.base.qw,tau1,tau2,tau3,tau4,tau5,tau6\n"
                        "0,1,2,3,0,0,0,1,0,0,0,0,0,0\n1,4,5,6,0,0.6,0,0.8,0,0,0,0,0,7\n";
    char *page = page_of(1, &table, NULL, d, m);
    figure_has(page, "Place of base", "\n0,1\n1,4\n\n\n0,2\n1,5\n\n\n0,3\n1,6\n\n\n</svg>");
    figure_has(page, "Place of base", "set label 1 'm' at");
    figure_has(page, "Turn of base: its quaternion", "\n0,0\n1,0\n\n\n0,0\n1,0.6\n\n\n0,0\n1,0\n\n\n0,1\n1,0.8\n\n\n</svg>");
    figure_has(page, "Torques", "\n0,0\n1,7\n\n\n</svg>"); /* those that nobody drives are left out */
    assert_int_equal(count(page, "<figcaption>Torques<"), 1);
    has(page, "Robot <b>ship</b>, 6 freedoms; 1 s, 2 rows.");
    free(page);
    arne_model_free(m);
    arne_description_free(d);
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

/* ---- what was identified ---- */

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

/* ---- many runs ---- */

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

/* ---- pictures alone ---- */

/* the file's text; the caller's to free */
static char *text_of(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");
    assert_true(text && f && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* a slide, then a joint that turns; the same, two of either kind */
static arne_model *pair(const char *first, const char *second)
{
    char text[400];
    arne_model *m;
    temp_folder t = temp_open();
    snprintf(text, sizeof text,
             "name: two's\nconvention: urdf\njoints:\n  - {name: one, type: %s, axis: [0, 0, 1]}\n"
             "  - {name: two, type: %s, axis: [0, 0, 1], link: {mass: 1}}\n",
             first, second);
    assert_int_equal(arne_load(temp_write(&t, "two.yaml", text), &m, NULL), ARNE_OK);
    temp_close(&t);
    return m;
}

static void elastic_motions_are_drawn(void **state)
{
    (void)state;
    static const char *const kinds[] = {"prismatic", "revolute"};
    static const char *const units[3][5] = {{"deg", "deg/s", "deg", "Nm", "Nm"},
                                            {"m", "m/s", "mm", "N", "N"},
                                            {"deg or m", "deg/s or m/s", "deg or mm", "Nm or N", "Nm or N"}};
    static const char *const titles[] = {"joint positions", "joint velocities", "deflections of the springs", "motor torques",
                                         "motor torques, elastic minus rigid"};
    temp_folder t = temp_open();
    const char *path = temp_write(&t, "e.svg", "");
    arne_error e = {0};
    /* q, qd, three more derivatives; of a slide and a turn */
    const double times[] = {0.5, 2}, x[] = {0.5, PI / 2, 2, PI, 0, 0, 0, 0, 0, 0, 0.25, PI, 1, -PI / 2, 0, 0, 0, 0, 0, 0};
    const double theta[] = {0.502, PI / 2 + PI / 60, 0.25, PI}, tau[] = {3, 4, 5, 6}, rigid[] = {1, 1.5, 1, 8};
    const arne_elastic_plot plot = {2, times, x, theta, tau, rigid};
    for (int kind = 0; kind < 3; kind++) {
        arne_model *m = pair(kinds[kind == 0], kinds[kind != 1]);
        if (arne_plot_elastic(m, &plot, path, &e)) fail_msg("%s", e.message);
        char *text = text_of(path), words[300];
        const char *at = text;
        for (int p = 0; p < 5; p++) {
            snprintf(words, sizeof words, "set title 'two''s: %s' noenhanced", titles[p]);
            assert_non_null(at = strstr(at, words));
            snprintf(
                words, sizeof words,
                "set label 1 '%s'\nplot data using 1:%d with lines linewidth 1.5 dashtype 1 linecolor rgb '#1f5fbf' title 'one', "
                "data using 1:%d with lines linewidth 1.5 dashtype 1 linecolor rgb '#c8501e' title 'two'\n",
                units[kind][p], 2 + 2 * p, 3 + 2 * p);
            assert_non_null(at = strstr(at, words));
        }
        has(text, "set terminal svg size 900,1500");
        has(text, "set xrange [0.5:2]\n");
        if (kind == 2) has(text, "\n0.5,0.5,90,2,180,2,3,3,4,2,2.5\n2,0.25,180,1,-90,0,0,5,6,4,-2\n</svg>");
        free(text);
        arne_model_free(m);
    }
    enum { MANY = 1201 }; /* every second of more than 1200 rows */
    static double long_t[MANY], long_x[10 * MANY], long_y[2 * MANY];
    for (int k = 0; k < MANY; k++) long_t[k] = k;
    const arne_elastic_plot lengthy = {MANY, long_t, long_x, long_y, long_y, long_y};
    arne_model *m = pair("revolute", "revolute");
    for (int less = 0; less < 2; less++) {
        arne_elastic_plot now = lengthy;
        now.count -= less;
        assert_int_equal(arne_plot_elastic(m, &now, path, &e), ARNE_OK);
        char *text = text_of(path);
        assert_int_equal(count(text, ",0,0,0,0,0,0,0,0,0,0\n"), less ? 1200 : 601);
        free(text);
    }
    arne_model_free(m);
    temp_close(&t);
}

static void residuals_are_drawn(void **state)
{
    (void)state;
    enum { MANY = 3001 };
    static double t[MANY], residual[2 * MANY];
    const double threshold[] = {2, 4};
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "r.svg", "");
    arne_model *m = pair("revolute", "prismatic");
    arne_contact contacts[] = {{.begin = 1, .end = 2, .link = 1}, {.begin = 3, .end = -1, .link = 2}};
    const arne_events events = {.ncontact = 2, .contacts = contacts};
    for (int k = 0; k < MANY; k++) t[k] = 0.5 * k, residual[2 * k] = k, residual[2 * k + 1] = k % 2 ? 1 : -8;
    arne_residual_plot plot = {5, t, residual, threshold, &events};
    arne_error e;
    char *text, words[400];
    if (arne_plot_residuals(m, &plot, path, &e)) fail_msg("%s", e.message);
    text = text_of(path);
    has(text, "\n0,0,-2\n0.5,0.5,0.25\n1,1,-2\n1.5,1.5,0.25\n2,2,-2\n</svg>");
    has(text, "set xrange [0:2]\n");
    has(text, "set label 1 'r / threshold' at");
    has(text, "set title 'two''s: residuals over their thresholds'");
    for (int k = 0; k < 2; k++) {
        const double from = k ? 1.5 : 0.5, to = k ? 2 : 1;
        snprintf(words, sizeof words,
                 "set object %d rectangle from first %g, graph 0 to first %g, graph 1 behind fillcolor rgb '#c62828' fillstyle "
                 "transparent solid 0.15 noborder\nset label %d '%s' at first %g, graph 0.96",
                 k + 1, from, to, k + 2, k ? "two" : "one", from);
        has(text, words);
    }
    has(text,
        "plot 1 with lines dashtype 2 linecolor rgb '#444444' notitle, -1 with lines dashtype 2 linecolor rgb '#444444' notitle, "
        "data using 1:2 with lines linewidth 1.5 dashtype 1 linecolor rgb '#1f5fbf' title 'one', data using 1:3 with");
    free(text);
    plot.count = MANY; /* of two rows the larger one of each joint */
    assert_int_equal(arne_plot_residuals(m, &plot, path, &e), ARNE_OK);
    text = text_of(path);
    has(text, "\n0,0.5,-2\n1,1.5,-2\n2,2.5,-2\n");
    has(text, "\n1499,1499.5,-2\n1500,1500,-2\n</svg>");
    free(text);
    arne_model_free(m);
    temp_close(&f);
}

static void maps_are_drawn(void **state)
{
    (void)state;
    temp_folder f = temp_open();
    const char *path = temp_write(&f, "m.svg", "");
    arne_model *m = pair("revolute", "prismatic");
    arne_map_row rows[] = {{.point = 1, .largest = {1.5, NAN, 1e-9, 4, INFINITY, -2}},
                           {.point = 2.5, .largest = {2, NAN, 0, 5, INFINITY, 0}}};
    arne_error e;
    if (arne_plot_map(m, rows, 2, path, &e)) fail_msg("%s", e.message);
    char *text = text_of(path);
    has(text, "\n1,1.5,nan,1e-09,4,nan,-2\n2.5,2,nan,0,5,nan,0\n</svg>");
    has(text, "set xtics 1\nset yrange [0:*]\nset datafile missing 'nan'\nset xrange [1:2.5]\n"
              "plot data using 1:2 with lines linewidth 2 dashtype 1 linecolor rgb '#1f5fbf' title 'forward', "
              "data using 1:5 with lines linewidth 2 dashtype 2 linecolor rgb '#c8501e' title 'right', "
              "data using 1:7 with lines linewidth 2 dashtype 2 linecolor rgb '#2a8a3e' title 'down'\n");
    free(text);
    rows[1].point = 21, rows[1].largest[0] = rows[0].largest[0] = (double)NAN; /* 20 points have a tick each */
    assert_int_equal(arne_plot_map(m, rows, 2, path, &e), ARNE_OK);
    text = text_of(path);
    assert_true(!strstr(text, "xtics auto") && !strstr(text, "forward"));
    free(text);
    rows[1].point = 21.5;
    for (int k = 0; k < 2; k++)
        for (int way = 0; way < ARNE_WAY_COUNT; way++) rows[k].largest[way] = 0;
    assert_int_equal(arne_plot_map(m, rows, 2, path, &e), ARNE_OK);
    text = text_of(path);
    has(text, "set xtics auto\nset xrange [1:21.5]\nplot NaN notitle\n");
    free(text);
    assert_int_equal(arne_plot_map(m, rows, 0, path, &e), ARNE_BAD_ARGUMENT);
    assert_string_equal(e.message, "a picture of a map needs its rows and a file");
    arne_model_free(m);
    temp_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_chart_draws_its_columns),
        cmocka_unit_test(thresholds_that_are_the_same),
        cmocka_unit_test(long_runs_are_thinned_but_keep_their_peaks),
        cmocka_unit_test(runs_lie_over_each_other),
        cmocka_unit_test(runs_are_told_and_compared),
        cmocka_unit_test(sticks_are_true_to_scale),
        cmocka_unit_test(free_bases_are_drawn),
        cmocka_unit_test(what_gnuplot_says_is_told),
        cmocka_unit_test(any_text_is_harmless_in_a_page),
        cmocka_unit_test(torques_and_what_is_left),
        cmocka_unit_test(spectra_are_those_of_a_direct_sum),
        cmocka_unit_test(parameters_are_bars),
        cmocka_unit_test(tables_of_what_was_identified),
        cmocka_unit_test(quantiles_and_their_run),
        cmocka_unit_test(a_sweep_is_told_in_numbers),
        cmocka_unit_test(large_sweeps_are_judged_and_cut),
        cmocka_unit_test(elastic_motions_are_drawn),
        cmocka_unit_test(residuals_are_drawn),
        cmocka_unit_test(maps_are_drawn),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
