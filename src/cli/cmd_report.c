/* SPDX-License-Identifier: MIT
 *
 * cmd_report.c - one page about one or more runs: words, pictures, a verdict. */
#include <stdlib.h>
#include <string.h>

#include "arne/report.h"
#include "arne/sweep.h"
#include "base/whole.h"
#include "cli/cli.h"

typedef struct {
    arne_report_run *run;
    robot robot; /* description NULL: unknown */
} told_run;

/* The robot that was given, or that of the run where it is here. */
static int open_robot(const arguments *a, const char *path, told_run *t)
{
    const char *given = option_value(a, "robot"), *called = arne_report_robot(t->run);
    const robot_way way = {arne_report_base(t->run), arne_report_mimic(t->run)};
    if (given) return robot_open_on(a, given, way, &t->robot);
    char *name = NULL;
    arne_error error = {0};
    int status = checked(arne_report_locate(t->run, &name, &error), &error);
    if (!status && name)
        status = robot_open_on(a, name, way, &t->robot);
    else if (!status && called && !option_given(a, "quiet"))
        warn("%s: its robot \"%s\" is not here, so it is not drawn; say where it is: --robot ROBOT", path, called);
    free(name);
    return status;
}

static int open_run(const arguments *a, const char *path, told_run *t)
{
    arne_error error = {0};
    int status = checked(arne_report_read(path, &t->run, &error), &error);
    if (!status) status = open_robot(a, path, t);
    if (!status)
        status = checked(arne_report_complete(t->run, t->robot.description, t->robot.model, t->robot.path, &error), &error);
    if (status) return status;
    size_t rows;
    int columns, joints;
    arne_report_size(t->run, &rows, &columns, &joints);
    tell(a, "%s: %zu rows, %d columns, %d joints", path, rows, columns, joints);
    return CLI_OK;
}

static bool is_sweep(const char *path)
{
    const size_t n = strlen(path);
    return n > 3 && !strcmp(path + n - 3, ".h5");
}

static int report_sweep(const arguments *a, const char *out)
{
    arne_sweep *s = NULL;
    char *page = NULL;
    arne_error error = {0};
    if (a->nword != 1) return misuse("a page is about one sweep, or about some runs");
    int status = checked(arne_sweep_read(a->words[0], &s, &error), &error);
    if (!status) status = checked(arne_sweep_page(s, a->words[0], option_value(a, "title"), &page, &error), &error);
    if (!status) status = checked(arne__whole_write(out, page, strlen(page), &error), &error);
    free(page);
    arne_sweep_free(s);
    return status;
}

static int run(const arguments *a)
{
    const char *path = option_value(a, "out");
    if (!path) return misuse("report needs a place for its page: --out page.html");
    for (int i = 0; i < a->nword; i++)
        if (is_sweep(a->words[i])) return report_sweep(a, path);
    const size_t count = (size_t)a->nword;
    told_run *told = calloc(count, sizeof *told);
    const arne_report_run **runs = calloc(count, sizeof *runs);
    int status = told && runs ? CLI_OK : no_memory();
    for (size_t i = 0; i < count && !status; i++) {
        status = open_run(a, a->words[i], &told[i]);
        runs[i] = told[i].run;
    }
    char *page = NULL;
    arne_error error = {0};
    if (!status) status = checked(arne_report_page(runs, a->nword, option_value(a, "title"), &page, &error), &error);
    for (int i = 0; i < a->nword && !status; i++) tell(a, "%s: drawn", a->words[i]);
    if (!status) status = checked(arne__whole_write(path, page, strlen(page), &error), &error);
    free(page);
    for (size_t i = 0; i < count && told; i++) {
        arne_report_free(told[i].run);
        robot_close(&told[i].robot);
    }
    free(told);
    free(runs);
    return status;
}

static const option options[] = {
    {"out", "FILE", false, "the page, HTML; it holds its pictures and needs no network"},
    {"robot", "ROBOT", false, "the robot of the runs, where they do not say it or it is elsewhere"},
    {"title", "TEXT", false, "headline of the page"},
    {0},
};

const command command_report = {
    .name = "report",
    .synopsis = "RUN... --out page.html [--robot ROBOT]",
    .brief = "Draws runs and judges them: one page with pictures and words",
    .text =
        "RUN is a CSV file of simulate, observe, feasible or elastic, with the JSON file of the same name beside it, or any\n"
        "CSV file with a column t and some of: q1 ..., qr1 ... (reference), qd1 ..., tau1 ..., motor1 ..., r1 ... (residuals),\n"
        "theta1 ... (motors of elastic joints), r1.fx ... r1.mz ... (loads), kinetic, potential, hand.x, hand.y, hand.z,\n"
        "contact. With the robot the page shows it along the motion, true to scale. Several runs are laid over each other and\n"
        "named by what differs: title, robot, controller, integrator, period, else the file. Pictures need gnuplot.\n"
        "\n"
        "RUN may also be one file of `arne sweep`, .h5: distributions, what matters, the worst runs.\n",
    .options = options,
    .more_options = file_options,
    .min_words = 1,
    .max_words = -1,
    .word = "RUN",
    .example = "  printf 't,q1,q2\\n0,0,0\\n1,0.5,-0.2\\n2,0.9,0.3\\n' > /tmp/swing.csv\n"
               "  @ report /tmp/swing.csv --robot planar2r --out /tmp/swing.html\n",
    .run = run,
};
