/* SPDX-License-Identifier: MIT
 *
 * pictures_test.c - the robot along its motion, and pictures of springs, residuals and maps, as they are drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "report/drawn.h"

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
        cmocka_unit_test(sticks_are_true_to_scale),
        cmocka_unit_test(free_bases_are_drawn),
        cmocka_unit_test(elastic_motions_are_drawn),
        cmocka_unit_test(residuals_are_drawn),
        cmocka_unit_test(maps_are_drawn),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
