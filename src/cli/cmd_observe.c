/* SPDX-License-Identifier: MIT
 *
 * cmd_observe.c - who touched the robot, and when? Residuals, contacts and actuator faults from a log of q, qd, tau. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/report.h"
#include "cli/observe.h"

/* One number for all joints, or one a joint. */
static int take_numbers(const arguments *a, const char *name, const char *what, const robot *r, double absent, double *x)
{
    const char *text = option_value(a, name);
    const int n = arne_model_dof(r->model);
    for (int i = 0; i < n; i++) x[i] = absent;
    if (!text) return CLI_OK;
    const int count = parse_numbers(text, strlen(text), x, n);
    if (count != 1 && count != n)
        return misuse("--%s %s: it takes one number for all joints or %d, one a joint, with commas between them", name, text, n);
    for (int i = 0; i < n; i++) {
        if (count == 1) x[i] = x[0];
        if (!(x[i] > 0))
            return misuse("--%s %s: the %s of joint %s must be above 0", name, text, what, arne_velocity_name(r->model, i));
    }
    return CLI_OK;
}

static arne_recording recording(const arne_log *log)
{
    return (arne_recording){log->count, log->period, log->q, log->qd, log->tau, log->theta, log->thetad, log->t};
}

/* held[count]: where they are held; says the first of these rows. */
static int find_residuals(const observation *o, const arne_log *log, double *residual, bool *held)
{
    const arne_observer_options options = {
        .size = sizeof options, .period = log->period, .gain = o->gain, .link_side = o->links, .numeric = o->numeric};
    arne_recording run = recording(log);
    arne_error error = {0};
    double *springs = NULL;
    if (o->links) { /* their torques in place of the motors' */
        if (!log->theta || !log->thetad)
            return complain_at(log->name, 1, "--links needs the motors: columns theta1 ..., thetad1 ... are missing");
        if (!(springs = calloc((size_t)log->count * (size_t)o->n + 1, sizeof *springs))) return no_memory();
        if (arne_recording_springs(&run, arne_data_settings(o->data), springs, &error)) {
            free(springs);
            return complain_at(o->robot->path, error.line, "%s", error.message);
        }
        run.tau = springs;
    }
    const arne_status status = arne_recording_residuals(&run, arne_data_settings(o->data), &options, residual, held, &error);
    free(springs);
    if (status) return complain_at(log->name, error.line ? arne_log_line(error.line - 1) : 0, "%s", error.message);
    const int first = held_after(held, log->count, 0), rows = held_rows(held, log->count);
    if (rows && !o->quiet)
        warn("%s:%d: %s (%d such row%s); the residual is held there", log->name, arne_log_line(first), held_why(log, first), rows,
             rows == 1 ? "" : "s");
    return CLI_OK;
}

/* thresholds from another log */
static int learn_thresholds(observation *o, const char *path, double rate)
{
    arne_log log;
    arne_error error = {0};
    int status = checked(arne_log_read(path, o->robot->model, &log, &error), &error);
    if (!status) take_log(o->robot->arguments, o->robot, &log);
    double *residual = NULL;
    bool *held = NULL;
    if (!status && fabs(log.period - o->log->period) > 0.02 * o->log->period)
        status =
            complain_at(log.name, 0, "the rows to learn from come every %g s, those of %s every %g s; record both at one rate",
                        log.period, o->log->name, o->log->period);
    if (!status) {
        residual = calloc((size_t)log.count * (size_t)o->n + 1, sizeof *residual);
        held = calloc((size_t)log.count + 1, sizeof *held);
        status = residual && held ? find_residuals(o, &log, residual, held) : no_memory();
    }
    if (!status && arne_detector_learn(o->robot->model, log.count, residual, log.period, rate, o->threshold, &error))
        status = complain_at(log.name, 0, "%s", error.message);
    o->threshold_source = "learned";
    free(residual);
    free(held);
    arne_log_free(&log);
    return status;
}

static int take_thresholds(const arguments *a, observation *o)
{
    const char *learn = option_value(a, "learn"), *rate = option_value(a, "rate");
    double chance = 0.01;
    if (learn && option_given(a, "threshold")) return misuse("--learn and --threshold exclude each other");
    if (rate && !learn) return misuse("--rate is about thresholds that are learned: give --learn FILE too");
    if (rate && (parse_numbers(rate, strlen(rate), &chance, 1) != 1 || !(chance > 0 && chance < 1)))
        return misuse("--rate %s: it is the chance of a false alarm in an hour, between 0 and 1", rate);
    if (learn) return learn_thresholds(o, learn, chance);
    o->threshold_source = "given";
    const int status = take_numbers(a, "threshold", "threshold", o->robot, 0, o->threshold);
    if (status || option_given(a, "threshold")) return status;
    const arne_recording run = recording(o->log);
    arne_error error = {0};
    o->threshold_source = "log";
    return arne_recording_thresholds(&run, o->robot->model, o->residual, o->threshold, &error) ? say_error(&error) : CLI_OK;
}

static int report(const arguments *a, const observation *o)
{
    const char *csv_path = option_value(a, "out"), *plot = option_value(a, "plot");
    out to = {0};
    (option_json(a) ? print_observe_json : print_observe_text)(o, &to);
    int status = csv_path ? write_observe_csv(o, csv_path, &to) : CLI_OK;
    const arne_residual_plot drawn = {o->log->count, o->log->t, o->residual, o->threshold, &o->events};
    arne_error error = {0};
    if (!status && plot) status = checked(arne_plot_residuals(o->robot->model, &drawn, plot, &error), &error);
    if (!status) status = out_write(&to, false);
    out_free(&to);
    return status;
}

static int observe(const arguments *a, observation *o)
{
    const size_t n = (size_t)o->n, rows = (size_t)o->log->count;
    o->gain = calloc(n + 1, sizeof *o->gain);
    o->threshold = calloc(n + 1, sizeof *o->threshold);
    o->residual = calloc(rows * n + 1, sizeof *o->residual);
    o->held = calloc(rows + 1, sizeof *o->held);
    if (!o->gain || !o->threshold || !o->residual || !o->held) return no_memory();
    int status = take_numbers(a, "gain", "gain", o->robot, ARNE_OBSERVER_GAIN, o->gain);
    if (!status) status = find_residuals(o, o->log, o->residual, o->held);
    if (!status) status = take_thresholds(a, o);
    if (status) return status;
    const arne_recording run = recording(o->log);
    const arne_watch_options watch = {
        .size = sizeof watch, o->gain, o->threshold, o->links, o->wrench_link, {o->point[0], o->point[1], o->point[2]}};
    arne_error error = {0};
    if (arne_recording_events(&run, o->data, &watch, o->residual, &o->events, &error)) return say_error(&error);
    return report(a, o);
}

static int open_log(const arguments *a, const robot *r, arne_log *log)
{
    if (!option_given(a, "in")) return misuse("observe needs a log: --in FILE");
    if (arne_model_dof(r->model) == 0)
        return complain_at(r->path, 0, "the robot has no joint that moves: there is nothing to observe");
    arne_error error = {0};
    if (arne_log_read(option_value(a, "in"), r->model, log, &error)) return say_error(&error);
    take_log(a, r, log);
    return CLI_OK;
}

static int open_and_observe(const robot *r, arne_data *d, void *unused)
{
    (void)unused;
    const arguments *a = r->arguments;
    arne_log log = {0};
    observation o = {.robot = r, .data = d, .log = &log, .n = arne_model_dof(r->model), .wrench_link = -1};
    o.numeric = option_word(a, "method", 0) == 1;
    o.links = option_given(a, "links");
    o.quiet = option_given(a, "quiet");
    const char *link = option_value(a, "link");
    int status = link ? robot_link(r, link, &o.wrench_link) : CLI_OK;
    o.point_text = option_value(a, "point");
    if (!status && o.point_text && parse_numbers(o.point_text, strlen(o.point_text), o.point, 3) != 3)
        status = misuse("--point %s: it takes three numbers x,y,z (m, axes of the link)", o.point_text);
    if (!status) status = open_log(a, r, &log);
    if (!status) status = observe(a, &o);
    free(o.gain);
    free(o.threshold);
    free(o.residual);
    free(o.held);
    arne_events_free(&o.events);
    arne_log_free(&log);
    return status;
}

static int run(const arguments *a) { return with_any_robot(a, a->words[0], open_and_observe, NULL); }

static const option options[] = {
    {"in", "FILE", false, "the log, CSV with a header; - is standard input"},
    INPUT_DEGREES_OPTION,
    {"gain", "K[,K,...]", false,
     "of the observer, 1/s: for all joints or one a joint; default 50. 1/K is how long it takes to notice"},
    {"threshold", "X[,X,...]", false, "on the residual, Nm or N: for all joints or one a joint; default: from the log itself"},
    {"learn", "FILE", false, "thresholds from a log in which nothing touched the robot, recorded at the same rate"},
    {"rate", "P", false, "with --learn: the chance of a false alarm in an hour, default 0.01"},
    {"link", "LINK", false, "estimate force and wrench on this link instead of the one that was hit"},
    {"point", "x,y,z", false, "and at this point of it, m in its axes; its origin unless given"},
    {"links", NULL, false, "elastic joints: observe the links alone, with the spring torques of columns theta, thetad"},
    {"method", "exact|numeric", false,
     "numeric: the inertia matrix is differentiated numerically, as is done elsewhere; for comparison"},
    {"out", "FILE", false, "the residuals, CSV: t, r1 ..., contact, held; and what they are, FILE with the ending .json"},
    {"plot", "FILE", false, "a picture of the residuals, SVG (needs gnuplot)"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_observe = {
    .name = "observe",
    .synopsis = "ROBOT --in FILE [--gain K] [--threshold X | --learn FILE --rate P] [--out FILE] [--plot FILE]",
    .brief = "Residuals, contacts and actuator faults from a log of q, qd, tau",
    .text = "Columns of FILE: t; q1 ... qn, or q.JOINT; qd1 ...; tau1 ...: the joint torques that the actuators\n"
            "gave since the row before. Rows at a constant interval; other columns are not looked at. Where a\n"
            "number is missing or nan, or rows are missing, the residual is held: that is said, and marked in the\n"
            "column held of --out.\n"
            "\n"
            "The residual of a joint follows the torque of all that is not in the robot file: a push, a wrong\n"
            "payload, a broken actuator. A link that is touched loads the joints between it and the base: the\n"
            "last joint that speaks tells the link. What acted there is estimated twice: as a force alone, which\n"
            "is right if it acted at that point, and as a force with a moment. Few joints feel few directions:\n"
            "what is not seen is said.\n"
            "\n"
            "The rows of a free base (base.vx ... base.wz) are the sum of all that acts on the robot from outside: force\n"
            "and moment at the origin of the base, in its axes.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  printf '%s\\n' t,q1,q2,qd1,qd2,tau1,tau2 0,0,0,0,0,58.86,14.715 0.1,0,0,0,0,58.86,14.715 \\\n"
               "    0.2,0,0,0,0,58.86,20 | @ observe planar2r --in - --threshold 1\n",
    .run = run,
};
