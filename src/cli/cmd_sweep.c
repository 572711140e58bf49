/* SPDX-License-Identifier: MIT
 *
 * cmd_sweep.c - many runs of a scenario file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/sweep.h"
#include "base/clock.h"
#include "cli/out.h"
#include "cli/scenario.h"

typedef struct {
    double begin, told;
    long fresh; /* runs of this call */
    bool shown;
} progress;

static void tell_progress(void *context, long done, long all)
{
    progress *p = context;
    const double now = arne__clock_now();
    p->fresh++;
    if (!p->shown || now - p->begin < 1 || now - p->told < 0.2) return;
    p->told = now;
    fprintf(stderr, "\r  %ld of %ld runs, %.0f s left    ", done, all,
            (now - p->begin) * (double)(all - done) / (double)p->fresh);
}

/* ---- what came out ---- */

static const double SHARES[] = {0.05, 0.5, 0.95, 1};
enum { NSHARE = 4, SHOWN = 5 };

/* Numbers of the runs, one a joint or one alone. */
typedef struct {
    const char *key, *words, *unit;
    const double *values;
    bool joints;
} measure;
enum { MEASURES = 5 };

static void measures(const arne_sweep *s, measure m[MEASURES])
{
    const measure all[MEASURES] = {{"error", "largest error", "rad|m", s->error, true},
                                   {"torque", "peak torque", "Nm|N", s->torque, true},
                                   {"speed", "peak speed", "rad/s|m/s", s->speed, true},
                                   {"delay", "detection delay", "s", s->delay, false},
                                   {"false_alarms", "false alarms", "", s->false_alarms, false}};
    memcpy(m, all, sizeof all);
}

/* Calls `put` for each quantity of each joint that has numbers. */
typedef void put_measure(void *to, const measure *m, const char *joint, bool first, const double q[NSHARE], long runs,
                         long largest);
static int each_measure(const arne_sweep *s, put_measure *put, void *to)
{
    measure list[MEASURES];
    measures(s, list);
    for (int i = 0; i < MEASURES; i++) {
        const measure *m = &list[i];
        const int width = m->joints ? s->njoint : 1;
        for (int j = 0; j < width; j++) {
            double q[NSHARE];
            long runs, largest;
            if (arne_sweep_quantiles(m->values + j, s->runs, width, NSHARE, SHARES, q, &runs, &largest)) return no_memory();
            if (runs) put(to, m, m->joints ? s->joints[j] : NULL, j == 0, q, runs, largest);
        }
    }
    return CLI_OK;
}

static void put_row(void *to, const measure *m, const char *joint, bool first, const double q[NSHARE], long runs, long largest)
{
    table *t = to;
    (void)runs;
    table_cells(t, first ? m->words : "", joint ? joint : "");
    table_values(t, q, NSHARE);
    table_cell(t, first ? m->unit : "");
    table_format(t, "%ld", largest);
}

static void put_object(void *to, const measure *m, const char *joint, bool first, const double q[NSHARE], long runs, long largest)
{
    (void)first;
    json_object(to, NULL, TEXT("of", m->key), TEXT("joint", joint), NUMBER("low", q[0]), NUMBER("median", q[1]),
                NUMBER("high", q[2]), NUMBER("largest", q[3]), NUMBER("runs", (double)runs), NUMBER("in", (double)largest));
}

/* Runs that finished with a verdict, -1: with any; or that failed. */
static long count(const arne_sweep *s, arne_sweep_state state, int verdict)
{
    long n = 0;
    for (long k = 0; k < s->runs; k++)
        n += s->state[k] == (unsigned char)state && (verdict < 0 || s->verdict[k] == (double)verdict);
    return n;
}

static void put_failed(const arne_sweep *s, out *o)
{
    long shown = 0;
    for (long k = 0; k < s->runs; k++) {
        if (s->state[k] != ARNE_SWEEP_FAILED || ++shown > SHOWN) continue;
        out_format(o, "%s  run %ld: %.119s\n", shown == 1 ? "\nfailed\n" : "", k, s->message[k]);
    }
    if (shown > SHOWN) out_format(o, "  and %ld more (the dataset /message has them all)\n", shown - SHOWN);
}

static int summary(const arne_sweep *s, const char *path, double wall, long fresh, out *o)
{
    table t = {.columns = 8, .align = "llrrrrlr"};
    const long finished = count(s, ARNE_SWEEP_FINISHED, -1), failed = count(s, ARNE_SWEEP_FAILED, -1);
    if (s->title[0]) out_format(o, "%s\n", s->title);
    out_format(o, "%ld runs of %s", s->runs, s->robot);
    if (fresh > 0 && wall > 0) out_format(o, ", %ld of them now in %.3g s, %.4g a second", fresh, wall, (double)fresh / wall);
    out_format(o, "\n%ld finished: %ld good, %ld fair, %ld bad; %ld failed", finished, count(s, ARNE_SWEEP_FINISHED, 2),
               count(s, ARNE_SWEEP_FINISHED, 1), count(s, ARNE_SWEEP_FINISHED, 0), failed);
    if (finished + failed < s->runs)
        out_format(o, "; %ld not run yet: the same command goes on with them", s->runs - finished - failed);
    out_text(o, "\n\n");
    table_cells(&t, "", "joint", "5 %", "median", "95 %", "largest", "", "in run");
    const int status = each_measure(s, put_row, &t);
    table_print(&t, "  ", o);
    put_failed(s, o);
    out_format(o, "\none of them again: arne simulate %s --run K", s->path);
    if (s->seed != 1) out_format(o, " --seed %llu", (unsigned long long)s->seed);
    out_format(o, " --out run.csv\na picture: arne report %s --out page.html\n", path);
    out_fold(o, 0);
    return status;
}

static int as_json(const arne_sweep *s, out *o)
{
    json_open(o, NULL, '{');
    json_members(
        o, TEXT("title", s->title), TEXT("robot", s->robot), NUMBER("runs", (double)s->runs), NUMBER("seed", (double)s->seed),
        NUMBER("finished", (double)count(s, ARNE_SWEEP_FINISHED, -1)), NUMBER("failed", (double)count(s, ARNE_SWEEP_FAILED, -1)),
        NUMBER("good", (double)count(s, ARNE_SWEEP_FINISHED, 2)), NUMBER("fair", (double)count(s, ARNE_SWEEP_FINISHED, 1)),
        NUMBER("bad", (double)count(s, ARNE_SWEEP_FINISHED, 0)));
    json_open(o, "quantiles", '[');
    const int status = each_measure(s, put_object, o);
    json_close(o, ']');
    json_open(o, "failures", '[');
    for (long k = 0; k < s->runs; k++)
        if (s->state[k] == ARNE_SWEEP_FAILED) json_object(o, NULL, NUMBER("run", (double)k), TEXT("message", s->message[k]));
    json_close(o, ']');
    json_close(o, '}');
    out_text(o, "\n");
    return status;
}

static int say(const arguments *a, const char *path, double wall, long fresh)
{
    arne_sweep *s;
    arne_error error = {0};
    out o = {0};
    int status = checked(arne_sweep_read(path, &s, &error), &error);
    if (status) return status;
    if (option_json(a))
        status = as_json(s, &o);
    else if (!option_given(a, "quiet"))
        status = summary(s, path, wall, fresh, &o);
    arne_sweep_free(s);
    if (!status && o.failed) status = no_memory();
    if (!status) status = out_write(&o, false);
    out_free(&o);
    return status;
}

/* ---- the command ---- */

static int sweep(const arguments *a, const arne_variation *v, uint64_t seed)
{
    const char *path = option_value(a, "out");
    double runs = 0, threads = 1;
    int status = option_number(a, "runs", 1, true, 1e9, "a number of runs", &runs);
    if (!status) status = option_number(a, "threads", 1, true, 1024, "a number of threads", &threads);
    if (status) return status;
    if (runs != rint(runs) || threads != rint(threads)) return misuse("--runs and --threads take whole numbers");
    progress p = {.begin = arne__clock_now()};
    const volatile sig_atomic_t *signal = end_gently();
    const bool shown = isatty(fileno(stderr)) && !option_given(a, "quiet");
    const arne_sweep_options o = {
        .size = sizeof o, .runs = (long)runs, .threads = (int)threads, .stop = signal, .progress = tell_progress, .context = &p};
    p.shown = shown;
    long done;
    arne_error error = {0};
    status = checked(arne_sweep_run(v, seed, path, &o, &done, &error), &error);
    const double wall = arne__clock_now() - p.begin;
    if (p.told > 0) fprintf(stderr, "\r%60s\r", "");
    if (status || !done) return status; /* another rank speaks */
    if (*signal)
        return say_failure(128 + *signal, NULL, 0, "interrupted; %s holds %ld runs, the same command goes on with the others",
                           path, done);
    return say(a, path, wall, p.fresh);
}

static int run(const arguments *a)
{
    if (!option_value(a, "out")) return misuse("sweep needs a place for its runs: --out sweep.h5");
    arne_variation *v = NULL;
    arne_error error = {0};
    scenario_given given;
    int status = scenario_take(a, &given);
    if (!status) status = checked(arne_variation_read(given.path, given.seed, &given.options, &v, &error), &error);
    if (!status) status = sweep(a, v, given.seed);
    arne_variation_free(v);
    scenario_drop(&given);
    return status;
}

static const option options[] = {
    {"runs", "N", false, "how many; as many as the grid has points unless told"},
    {"out", "FILE", false, "the runs, HDF5; where it is there already, the sweep goes on with the runs that it lacks"},
    {"threads", "N", false, "so many runs at once, 1 unless told; under mpirun those of the first rank, the others do one each"},
    {"seed", "N", false, "of all that is drawn, 1 unless told"},
    {"set", "KEY=VALUE", true, "a value instead of that in the scenario (repeatable)"},
    {"format", "text|json", false, "quantiles for people, or as JSON"},
    {0},
};

const command command_sweep = {
    .name = "sweep",
    .synopsis = "SCENARIO --runs N --out FILE.h5 [--threads N]",
    .brief = "Runs a scenario many times with what varies drawn anew, over threads and machines",
    .text =
        "The scenario says what varies (doc/sweep.md):\n"
        "  vary:\n"
        "    payload: {uniform: [0, 3]}        # kg; payload.com.1 and other places of its body too\n"
        "    mass: {normal: [1, 0.03]}         # factor of all links, unknown to the controller\n"
        "    friction: {uniform: [0.5, 1.5]}   # factor of all friction\n"
        "    push: {list: [0.5, 1, 2]}         # factor of the first wrench; push.from, push.force.2 ...\n"
        "    noise: {uniform: [0, 1e-4]}       # of the position sensors\n"
        "    start.q.2: {normal: [0.3, 0.05]}  # any place of the file; items of lists are counted from 1\n"
        "    controller.period: {grid: [0.001, 0.002]}\n"
        "Points of all grids are taken in turn, all combinations.\n"
        "\n"
        "Run K = 0, 1, ... is the same run on any number of threads and machines (mpirun -n R arne sweep ...), and again with\n"
        "`arne simulate SCENARIO --run K`. What was interrupted or killed goes on with the same command: a run is in the file\n"
        "with all its numbers or not at all. Datasets: /draw, /error, /torque, /speed (a column each joint), /t, /delay,\n"
        "/contacts, /false_alarms, /verdict (2 good, 1 fair, 0 bad), /state (1 finished, 2 failed), /message.\n",
    .options = options,
    .details = print_scenarios,
    .min_words = 1,
    .max_words = 1,
    .word = "SCENARIO",
    .example = "  printf 'robot: planar2r\\nstart: {q: [1, 0]}\\nduration: 1\\n' > falls.yaml\n"
               "  printf 'vary: {start.q.1: {uniform: [0, 1]}}\\n' >> falls.yaml\n"
               "  @ sweep falls.yaml --runs 100 --out falls.h5\n",
    .run = run,
};
