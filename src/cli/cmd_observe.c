/* SPDX-License-Identifier: MIT
 *
 * cmd_observe.c - who touched the robot, and when? Residuals, contacts and actuator faults from a log of q, qd, tau. */
#include <stdlib.h>
#include <string.h>

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
            return misuse("--%s %s: the %s of joint %s must be above 0", name, text, what, arne_joint_name(r->model, i));
    }
    return CLI_OK;
}

static int take_thresholds(const arguments *a, observation *o)
{
    const char *learn = option_value(a, "learn"), *rate = option_value(a, "rate");
    double chance = 0.01;
    if (learn && option_given(a, "threshold")) return misuse("--learn and --threshold exclude each other");
    if (rate && !learn) return misuse("--rate is about thresholds that are learned: give --learn FILE too");
    if (rate && (parse_numbers(rate, strlen(rate), &chance, 1) != 1 || !(chance > 0 && chance < 1)))
        return misuse("--rate %s: it is the chance of a false alarm in an hour, between 0 and 1", rate);
    if (learn) return observe_learn(o, learn, chance);
    o->threshold_source = "given";
    const int status = take_numbers(a, "threshold", "threshold", o->robot, 0, o->threshold);
    return status || option_given(a, "threshold") ? status : observe_usual(o);
}

static int report(const arguments *a, const observation *o, bool json)
{
    const char *csv_path = option_value(a, "out"), *plot = option_value(a, "plot");
    int status = csv_path ? write_observe_csv(o, csv_path) : CLI_OK;
    if (!status && plot) status = write_observe_plot(o, plot);
    if (status) return status;
    out to = {0};
    (json ? print_observe_json : print_observe_text)(o, &to);
    return out_finish(&to, false);
}

static int observe(const arguments *a, observation *o, bool json)
{
    const size_t n = (size_t)o->n, rows = (size_t)o->log->count;
    o->gain = calloc(n + 1, sizeof *o->gain);
    o->threshold = calloc(n + 1, sizeof *o->threshold);
    o->residual = calloc(rows * n + 1, sizeof *o->residual);
    o->touched = calloc(rows + 1, sizeof *o->touched);
    if (!o->gain || !o->threshold || !o->residual || !o->touched) return no_memory();
    if (!(o->data = robot_data(o->robot))) return CLI_FAILED;
    int status = take_numbers(a, "gain", "gain", o->robot, ARNE_OBSERVER_GAIN, o->gain);
    if (!status) status = observe_residuals(o, o->log, o->residual);
    if (!status) status = take_thresholds(a, o);
    if (!status) status = observe_events(o);
    return status ? status : report(a, o, json);
}

static int open_log(const arguments *a, const robot *r, arne_log *log)
{
    if (!option_given(a, "in")) return misuse("observe needs a log: --in FILE");
    if (arne_model_dof(r->model) == 0)
        return complain_at(r->path, 0, "the robot has no joint that moves: there is nothing to observe");
    arne_error error = {0};
    return checked(arne_log_read(option_value(a, "in"), r->model, log, &error), &error);
}

static int run(const arguments *a)
{
    static const char *const methods[] = {"exact", "numeric", NULL};
    const int format = option_json(a), method = option_choice(a, "method", methods, 0);
    if (format < 0 || method < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    arne_log log = {0};
    observation o = {.robot = &r, .log = &log, .n = arne_model_dof(r.model), .wrench_link = -1};
    o.numeric = method == 1;
    o.links = option_given(a, "links");
    o.quiet = option_given(a, "quiet");
    const char *link = option_value(a, "link");
    if (link) status = robot_link(&r, link, &o.wrench_link);
    if (!status) status = open_log(a, &r, &log);
    if (!status) status = observe(a, &o, format == 1);
    free(o.gain);
    free(o.threshold);
    free(o.residual);
    free(o.touched);
    free(o.contacts);
    free(o.faults);
    arne_data_free(o.data);
    arne_log_free(&log);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"in", "FILE", false, "the log, CSV with a header; - is standard input"},
    {"gain", "K[,K,...]", false,
     "of the observer, 1/s: for all joints or one a joint; default 50. 1/K is how long it takes to notice"},
    {"threshold", "X[,X,...]", false, "on the residual, Nm or N: for all joints or one a joint; default: from the log itself"},
    {"learn", "FILE", false, "thresholds from a log in which nothing touched the robot, recorded at the same rate"},
    {"rate", "P", false, "with --learn: the chance of a false alarm in an hour, default 0.01"},
    {"link", "LINK", false, "estimate the wrench on this link instead of the one that was hit"},
    {"links", NULL, false, "elastic joints: observe the links alone, with the spring torques of columns theta, thetad"},
    {"method", "exact|numeric", false,
     "numeric: the inertia matrix is differentiated numerically, as is done elsewhere; for comparison"},
    {"out", "FILE", false, "the residuals, CSV: t, r1 ..., contact; and what they are, FILE with the ending .json"},
    {"plot", "FILE", false, "a picture of the residuals, SVG (needs gnuplot)"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_observe = {
    .name = "observe",
    .synopsis = "ROBOT --in FILE [--gain K] [--threshold X | --learn FILE --rate P] [--out FILE] [--plot FILE]",
    .brief = "Residuals, contacts and actuator faults from a log of q, qd, tau",
    .text = "Columns of FILE: t; q1 ... qn, or q.JOINT; qd1 ...; tau1 ...: the joint torques that the actuators gave since the\n"
            "row before. Rows at a constant interval; other columns are not looked at. A row in which a number is missing or\n"
            "nan is said and held.\n"
            "\n"
            "The residual of a joint follows the torque of all that is not in the robot file: a push, a wrong payload, a\n"
            "broken actuator. A link that is touched loads the joints between it and the base: the last joint that speaks\n"
            "tells the link. The wrench is the smallest one that explains the residuals best.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example =
        "  printf 't,q1,q2,qd1,qd2,tau1,tau2\\n0,0,0,0,0,58.86,14.715\\n0.1,0,0,0,0,58.86,14.715\\n0.2,0,0,0,0,58.86,20\\n' |\n"
        "    @ observe planar2r --in - --threshold 1\n",
    .run = run,
};
