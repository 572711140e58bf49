/* SPDX-License-Identifier: MIT
 *
 * cmd_simulate.c - runs a scenario file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/report.h"
#include "base/clock.h"
#include "cli/out.h"
#include "cli/scenario.h"

/* ---- progress ---- */

typedef struct {
    const arne_scenario *s;
    arne_record *file; /* NULL: none */
    arne_report_watch *watch;
    arne_record_end end; /* the verdict */
    char *words;
    const volatile sig_atomic_t *signal; /* not 0: it came */
    long rows;
    double begin, told; /* s */
    bool progress;
} simulation;

static int row(void *context, const arne_row *r)
{
    simulation *k = context;
    if (k->progress) {
        const double t = arne__clock_now(), spent = t - k->begin, duration = k->s->loop.duration;
        if (spent > 1 && t - k->told > 0.2 && r->t > 0) {
            fprintf(stderr, "\r  t = %.2f of %g s, %.0f s left    ", r->t, duration, spent * (duration - r->t) / r->t);
            k->told = t;
        }
    }
    k->rows++;
    arne_report_watch_row(k->watch, r->t, r->real_q ? r->real_q : r->q, r->real_qd ? r->real_qd : r->qd, r->tau);
    return k->file && !arne_record_row(k->file, r);
}

/* ---- summary ---- */

static void errors(const arne_scenario *s, const arne_result *r, out *o)
{
    table t = {.columns = 3, .align = "lrr"};
    if (!r->max_error) return;
    table_cells(&t, "joint", "largest error", "");
    for (int i = 0; i < arne_model_nv(s->model); i++) {
        if (arne_velocity_position(s->model, i) < 0) continue;
        table_cell(&t, arne_velocity_name(s->model, i));
        table_number(&t, r->max_error[i]);
        table_cell(&t, arne_velocity_turns(s->model, i) ? "rad" : "m");
    }
    out_text(o, "\n");
    table_print(&t, "  ", o);
}

static void happened(const arne_result *r, out *o)
{
    enum { SHOWN = 30 };
    if (r->nevent > 0) out_text(o, "\nwhat happened\n");
    for (int i = 0; i < r->nevent && i < SHOWN; i++) {
        const arne_event *e = &r->events[i];
        char time[64];
        if (isfinite(e->end) && e->end > e->t)
            snprintf(time, sizeof time, "%.4g ... %.4g", e->t, e->end);
        else
            snprintf(time, sizeof time, "%.4g", e->t);
        out_format(o, "  t = %-18s %-11s %s\n", time, e->kind, e->text);
    }
    if (r->nevent > SHOWN) out_format(o, "  and %d more (run.json has them all)\n", r->nevent - SHOWN);
}

static void summary(const simulation *k, const arne_result *r, double busy, const char *path, out *o)
{
    const arne_scenario *s = k->s;
    const double wall = k->end.wall;
    if (s->title) out_format(o, "%s\n", s->title);
    out_format(o, "%s, controller %s", arne_model_name(s->model), s->controller);
    if (s->loop.controller) out_format(o, " at %g Hz", 1 / s->loop.period);
    out_format(o, ", %s: %.4g s in %.3g s, %.3g times as fast as real time (%.3g s of processor time); %ld steps\n",
               s->integrator, r->t, wall, r->t / wall, busy, r->steps);
    errors(s, r, o);
    happened(r, o);
    out_text(o, "\nverdict: ");
    out_verdict(o, strcmp(k->end.verdict, "good") ? strcmp(k->end.verdict, "fair") ? '-' : '?' : '+', k->end.verdict);
    out_format(o, ". %s\n", k->end.why);
    if (path) out_format(o, "%s: %ld rows; a picture: arne report %s --out page.html\n", path, k->rows, path);
}

/* ---- the run ---- */

static int judge(simulation *k, const arne_result *r)
{
    arne_about about;
    arne_about_event *events = NULL;
    arne_error error = {0};
    arne_status status = arne_record_about(k->s, r, &k->end, &about, &events, &error);
    if (!status) status = arne_report_watch_end(k->watch, &about, &k->end.verdict, &k->words, &error);
    k->end.why = k->words;
    free(events);
    return checked(status, &error);
}

/* What is to be said of the run, composed before its files are put into their places. */
static int compose(const arguments *a, const simulation *k, const arne_result *r, double busy, out *o)
{
    if (option_json(a)) {
        char *json;
        arne_error error = {0};
        if (arne_record_text(k->s, r, &k->end, &json, &error)) return say_error(&error);
        out_text(o, json);
        free(json);
    } else if (!option_given(a, "quiet"))
        summary(k, r, busy, option_value(a, "out"), o), out_fold(o, 0);
    return o->failed ? no_memory() : CLI_OK;
}

static int conclude(const arguments *a, const simulation *k, const arne_result *r, out *o)
{
    const char *path = option_value(a, "out");
    const int status = out_write(o, false);
    if (status || r->end == ARNE_RUN_FINISHED) return status;
    char holds[160] = "";
    if (path) snprintf(holds, sizeof holds, "; %.100s holds t = 0 ... %g", path, r->t);
    if (r->end == ARNE_RUN_STOPPED) return say_failure(128 + *k->signal, NULL, 0, "stopped at t = %g%s", r->t, holds);
    return complain("%s%s", r->message, holds);
}

static int simulate(const arguments *a, const char *file, arne_scenario *s)
{
    simulation k = {.s = s, .progress = isatty(fileno(stderr)) && !option_given(a, "quiet")};
    const char *path = option_value(a, "out");
    arne_error error = {0};
    arne_result result = {0};
    if (path && is_json_name(path))
        return misuse("--out %s: the name ending in .json is for what is said about the run; give run.csv", path);
    if (arne_report_watch_new(s->model, &k.watch, &error)) return say_error(&error);
    if (path && arne_record_open(s, path, &k.file, &error)) {
        arne_report_watch_free(k.watch);
        return say_error(&error);
    }
    k.signal = end_gently();
    s->loop.row = row;
    s->loop.context = &k;
    s->loop.stop = k.signal;
    int status = CLI_OK;
    if (arne_scenario_learn(s, &error)) status = complain_at(file, 0, "%s", error.message);
    const double busy_before = arne__clock_busy();
    k.begin = arne__clock_now();
    if (!status && arne_loop_run(&s->loop, &result, &error)) status = complain_at(file, 0, "%s", error.message);
    const double busy = arne__clock_busy() - busy_before;
    k.end.wall = arne__clock_now() - k.begin;
    if (k.told > 0) fprintf(stderr, "\r%60s\r", "");
    if (result.end == ARNE_RUN_STOPPED && *k.signal)
        snprintf(result.message, sizeof result.message, "interrupted (%s)", strsignal(*k.signal));
    if (!status) status = judge(&k, &result);
    out o = {0};
    if (!status) status = compose(a, &k, &result, busy, &o);
    if (arne_record_close(k.file, &result, &k.end, (arne_status)status, &error) && !status) status = say_error(&error);
    if (!status)
        status = conclude(a, &k, &result, &o);
    else if (*k.signal)
        status = 128 + *k.signal;
    out_free(&o);
    arne_result_free(&result);
    arne_report_watch_free(k.watch);
    free(k.words);
    return status;
}

/* The scenario as it is, or with what varies as run K of a sweep has it. */
static int read_scenario(const arguments *a, const scenario_given *g, arne_scenario **s)
{
    double number = 0;
    arne_variation *v = NULL;
    arne_error error = {0};
    if (!option_given(a, "run") && option_given(a, "seed"))
        return misuse("--seed is that of a sweep: give --run K too (the noise of this run: --set sensors.seed=N)");
    if (!option_given(a, "run")) return checked(arne_scenario_read(g->path, &g->options, s, &error), &error);
    int status = option_number(a, "run", 0, true, 1e9, "the number of a run", &number);
    if (!status) status = checked(arne_variation_read(g->path, g->seed, &g->options, &v, &error), &error);
    if (!status) status = checked(arne_variation_scenario(v, (long)number, s, &error), &error);
    arne_variation_free(v);
    return status;
}

static int run(const arguments *a)
{
    arne_scenario *s = NULL;
    scenario_given given;
    int status = scenario_take(a, &given);
    if (!status) status = read_scenario(a, &given, &s);
    if (!status) {
        warn_of(a, s->description, 0);
        status = simulate(a, given.path, s);
    }
    arne_scenario_free(s);
    scenario_drop(&given);
    return status;
}

static const option options[] = {
    {"out", "FILE", false, "the run, CSV; what happened goes to the file of the same name that ends in .json"},
    {"set", "KEY=VALUE", true, "a value instead of that in the scenario, e.g. --set integrator.step=0.0005 (repeatable)"},
    {"run", "K", false, "the run of this number of `arne sweep`: what varies as it was drawn there"},
    {"seed", "N", false, "of that sweep, 1 unless told"},
    {"format", "text|json", false, "the summary for people, or all that is said about the run as JSON"},
    {0},
};

const command command_simulate = {
    .name = "simulate",
    .synopsis = "SCENARIO [--out run.csv]",
    .brief = "Runs a robot with its controller, sensors, disturbances and observer",
    .details = print_scenarios,
    .text =
        "SCENARIO is a file, or the name of a file in $ARNE_SCENARIOS or of a shipped one: arne simulate lwr_push.\n"
        "\n"
        "A scenario is a YAML file: robot, start, motion, controller, limits, sensors, disturbances, observer,\n"
        "integrator, output. doc/simulate.md describes every key; examples/scenarios has files to begin with.\n"
        "\n"
        "Columns of FILE: t; q, qd as the controller saw them; tau, the mean of the torques since the row before (in the\n"
        "first row those that begin then); then, where they exist, theta, thetad (motors of elastic joints), qr, qdr\n"
        "(reference), real_q, real_qd, real_tau, r (residual of the observer), contact, kinetic, potential, hand.x ...\n"
        "With a free base columns are called by names, q.base.x ... q.base.qw, qd.base.vx ..., and the momentum of the whole\n"
        "robot follows: linear.x ..., angular.x ... (about its centre of mass).\n"
        "\n"
        "A run that is interrupted (Ctrl-C, kill, a file that grows too large) or becomes unstable keeps its rows, and\n"
        "FILE's .json, the message and the exit status say so: 130 after Ctrl-C, 128 + the signal's number after others,\n"
        "else 1. A second signal ends it at once, without a file.\n",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .word = "SCENARIO",
    .example = "  printf 'robot: planar2r\\nstart: {q: [1, 0]}\\nduration: 2\\n' > fall.yaml\n"
               "  @ simulate fall.yaml --out fall.csv\n",
    .run = run,
};
