/* SPDX-License-Identifier: MIT
 *
 * cmd_bench.c - how long the library's functions take on this machine: median and least of fifteen measurements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/compare.h"
#include "cli/out.h"

static void print_json_bench(const arne_model *m, const arne_function_time *times, int lanes, out *o)
{
    json_open(o, NULL, '{');
    json_members(o, TEXT("robot", arne_model_name(m)), NUMBER("dof", arne_model_dof(m)), NUMBER("lanes", lanes));
    json_open(o, "ns", '{');
    for (int k = 0; k < ARNE_TIMED; k++) {
        if (isnan(times[k].median))
            json_string(o, times[k].name, NULL);
        else
            json_object(o, times[k].name, NUMBER("median", rint(10 * times[k].median) / 10),
                        NUMBER("min", rint(10 * times[k].least) / 10));
    }
    out_text(o, "}}\n");
}

static void print_text_bench(const arne_model *m, const arne_function_time *times, int lanes, out *o)
{
    out_format(o, "%s: %d %s, ns a state; batch: %d lanes\n", arne_model_name(m), arne_model_dof(m),
               arne_model_joints(m) == arne_model_dof(m) ? "joints" : "freedoms", lanes);
    table t = {.columns = 4};
    table_cells(&t, "function", "median", "least", "least of id");
    for (int k = 0; k < ARNE_TIMED; k++) {
        if (times[k].elastic && isnan(times[k].median)) continue;
        table_cell(&t, times[k].name);
        if (isnan(times[k].median)) {
            table_cells(&t, "-", "-", "-");
            continue;
        }
        table_format(&t, "%.1f", times[k].median);
        table_format(&t, "%.1f", times[k].least);
        table_format(&t, "%.2f", times[k].least / times[0].least);
    }
    table_print(&t, "  ", o);
}

typedef struct {
    double seconds;
    bool json, progress;
    size_t done, count; /* robots */
    out o;
} bench;

static int bench_robot(const robot *r, arne_data *d, void *context)
{
    bench *b = context;
    arne_function_time times[ARNE_TIMED];
    int lanes;
    arne_error error = {0};
    if (b->progress) fprintf(stderr, "  timing %s, %zu of %zu", arne_model_name(r->model), ++b->done, b->count), fflush(stderr);
    const arne_status status = arne_time_functions(d, b->seconds, times, &lanes, &error);
    if (b->progress) fprintf(stderr, "\r%78s\r", "");
    if (status) return say_error(&error);
    (b->json ? print_json_bench : print_text_bench)(r->model, times, lanes, &b->o);
    return out_write(&b->o, true);
}

/* Becomes the program that times arne, KDL and MuJoCo side by side; `make bench` puts it beside the folder of this one. */
static int run_peers(const arguments *a, bool json)
{
    char program[2048], path[2112];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? (program[length] = 0, strrchr(program, '/')) : NULL;
    if (!slash) return complain("cannot tell where this program is");
    *slash = 0;
    snprintf(path, sizeof path, "%s/arne_peers", program);
    if (access(path, X_OK)) snprintf(path, sizeof path, "%s-bench/arne_peers", program);
    if (access(path, X_OK)) return complain("the benchmark with KDL and MuJoCo is not built: make bench builds and runs it");
    char **words = calloc((size_t)a->nword + 4, sizeof *words);
    if (!words) return no_memory();
    int n = 0, status = CLI_OK;
    words[n++] = path;
    words[n++] = "--format";
    words[n++] = json ? "json" : "text";
    arne_error error = {0};
    for (int i = 0; i < a->nword && !status; i++) status = checked(arne_robot_find(a->words[i], &words[n++], &error), &error);
    if (!status) {
        execv(path, words);
        status = complain("cannot run %s", path);
    }
    for (int i = 3; i < n; i++) free(words[i]);
    free(words);
    return status;
}

static int run(const arguments *a)
{
    const bool json = option_json(a);
    if (option_given(a, "peers")) return run_peers(a, json);
    double ms = 20;
    int status = option_number(a, "ms", 0, false, 10000, "a number of milliseconds between 0 and 10000", &ms);
    arne_robot_place *list = NULL;
    size_t count = 0;
    arne_error error = {0};
    if (!status && !a->nword) status = checked(arne_robots(&list, &count, &error), &error);
    if (!status && !a->nword && !count) status = complain("there are no shipped robots; name one: arne bench ROBOT");
    bench b = {.seconds = 1e-3 * ms, .json = json, .count = count + (size_t)a->nword};
    b.progress = isatty(fileno(stderr)) && !option_given(a, "quiet");
    for (int i = 0; i < a->nword && !status; i++) status = with_any_robot(a, a->words[i], bench_robot, &b);
    for (size_t i = 0; i < count && !status; i++) status = with_any_robot(a, list[i].name, bench_robot, &b);
    arne_robots_free(list, count);
    if (!status && !json) {
        out_text(&b.o, "make bench, then arne bench --peers, compares these with KDL and MuJoCo.\n");
        status = out_write(&b.o, true);
    }
    out_free(&b.o);
    return status;
}

static const option options[] = {
    {"format", "text|json", false, "tables, or JSON, one object a robot"},
    {"peers", NULL, false, "arne, Orocos KDL and MuJoCo on the same arms in one run; make bench builds what this needs"},
    {"ms", "NUMBER", false, "length of one of the 15 measurements in milliseconds; default: 20"},
    {0},
};

const command command_bench = {
    .name = "bench",
    .synopsis = "[ROBOT...] [--format text|json]",
    .brief = "Times the library's functions, nanoseconds a state",
    .text =
        "Without ROBOT all shipped robots are timed. --peers, or make bench, compares with KDL and MuJoCo. Lines elastic_...\n"
        "are for robots with a spring and a rotor in every joint; elastic_linearize is one tick of feedback linearization.\n",
    .options = options,
    .more_options = robot_options,
    .max_words = -1,
    .word = "ROBOT",
    .example = "  @ bench puma560 --ms 2\n",
    .run = run,
};
