/* SPDX-License-Identifier: MIT
 *
 * cmd_identify.c - a recorded motion in, a model out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/estimate.h"
#include "arne/report.h"
#include "base/whole.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/out.h"

/* ---- options ---- */

/* All that one run needs. */
typedef struct {
    const arguments *a;
    robot robot, prior;
    bool *joints;
    arne_identify_options o;
} request;

static int take_joints(request *q)
{
    const char *text = option_value(q->a, "joints");
    const arne_model *m = q->robot.model;
    if (!text) return CLI_OK;
    if (!(q->joints = calloc((size_t)arne_model_nv(m) + 1, sizeof *q->joints))) return no_memory();
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ",");
        char *name = strndup(at, length);
        if (!name) return no_memory();
        int joint = arne_joint_find(m, name);
        char *end;
        const long number = strtol(name, &end, 10);
        if (joint < 0 && end != name && !*end && number >= 1 && number <= arne_model_joints(m)) joint = (int)number - 1;
        nearest near = {.word = name};
        char hint[192];
        for (int i = 0; i < arne_model_joints(m); i++) arne__nearest_offer(&near, arne_joint_name(m, i));
        const int status = joint >= 0 ? CLI_OK
                                      : misuse("--joints %s: the robot has no joint \"%s\"%s", text, name,
                                               arne__nearest_hint(&near, hint, sizeof hint));
        free(name);
        if (status) return status;
        q->joints[joint] = true;
        at += length + (at[length] == ',');
    }
    q->o.joints = q->joints;
    return CLI_OK;
}

static int take_prior(request *q)
{
    const char *text = option_value(q->a, "prior");
    if (!text) return CLI_OK;
    if (!strcmp(text, "none")) {
        q->o.no_prior = true;
        return CLI_OK;
    }
    const int status = robot_open_unloaded(q->a, text, &q->prior);
    q->o.prior = q->prior.model;
    return status;
}

/* A number, or the word that stands for another one. */
static int take_word_or_number(const request *q, const char *name, const char *word, double meant, const char *off, double none,
                               double *x)
{
    const char *text = option_value(q->a, name);
    if (!text) return CLI_OK;
    if (!strcmp(text, word)) {
        *x = meant;
        return CLI_OK;
    }
    if (off && !strcmp(text, off)) {
        *x = none;
        return CLI_OK;
    }
    return option_number(q->a, name, 0, false, 1e6, off ? "a number of Hz above 0, auto or off" : "seconds, or auto", x);
}

static int take_options(request *q)
{
    const arguments *a = q->a;
    double delay = 0;
    int status = take_word_or_number(q, "cutoff", "auto", 0, "off", INFINITY, &q->o.cutoff);
    if (!status) status = take_word_or_number(q, "delay", "auto", NAN, NULL, 0, &delay);
    if (!status) status = option_number(a, "moving", 0, false, 1e3, "a speed above 0, rad/s or m/s", &q->o.moving);
    if (!status) status = take_joints(q);
    if (!status) status = take_prior(q);
    q->o.delays = isnan(delay);
    q->o.delay = isnan(delay) ? 0 : delay;
    q->o.motor_torques = option_word(a, "torque", 0) == 1;
    q->o.no_rotors = option_given(a, "no-rotors");
    q->o.uneven = option_given(a, "uneven");
    q->o.stribeck = option_given(a, "stribeck");
    const char *link = option_value(a, "payload");
    if (!status && link) status = robot_link(&q->robot, link, &q->o.payload);
    if (!status && link && q->o.payload == 0)
        status = misuse("--payload %s: the base does not move: no torque depends on what it carries", link);
    return status;
}

/* LOG:LINK=m,x,y,z: a log in which a link carries a known body */
static int read_loaded(const request *q, arne_identifier *i, const char *text)
{
    const char *colon = strchr(text, ':'), *e = strrchr(text, '=');
    double v[4];
    arne_known_load load = {0};
    if (!colon || !e || e < colon || parse_numbers(e + 1, strlen(e + 1), v, 4) != 4 || !(v[0] > 0))
        return misuse("--load %s: it should read --load LOG:LINK=m,x,y,z", text);
    char *path = strndup(text, (size_t)(colon - text)), *link = strndup(colon + 1, (size_t)(e - colon - 1));
    int status = path && link ? robot_link(&q->robot, link, &load.link) : no_memory();
    load.body = (arne_body){.mass = v[0], .com = {v[1], v[2], v[3]}};
    arne_error error = {0};
    if (!status)
        status = checked(arne_identifier_read(i, ARNE_LOG_LEARN, path, &load, option_given(q->a, "degrees"), &error), &error);
    free(path);
    free(link);
    return status;
}

static int read_logs(const request *q, arne_identifier *i)
{
    int status = CLI_OK, count = 0;
    const bool degrees = option_given(q->a, "degrees");
    for (int k = 0; k < q->a->noption && !status; k++) {
        const given_option *g = &q->a->options[k];
        arne_error error = {0};
        const bool in = !strcmp(g->name, "in"), empty = !strcmp(g->name, "empty");
        if (in || empty || !strcmp(g->name, "validate"))
            status = checked(arne_identifier_read(i,
                                                  in      ? ARNE_LOG_LEARN
                                                  : empty ? ARNE_LOG_EMPTY
                                                          : ARNE_LOG_VALIDATE,
                                                  g->value, NULL, degrees, &error),
                             &error);
        if (!strcmp(g->name, "load")) status = read_loaded(q, i, g->value);
        count += in;
    }
    return status || count ? status : misuse("identify needs a log: --in FILE");
}

/* ---- output ---- */

static void json_joint(const arne_identified_joint *j, out *o)
{
    json_object(o, NULL, TEXT("name", j->name), NUMBER("error", j->error), NUMBER("error_moving", j->error_moving),
                NUMBER("error_resting", j->error_resting), NUMBER("error_least_squares", j->error_least_squares),
                NUMBER("error_before", j->error_before), NUMBER("viscous", j->viscous), NUMBER("coulomb", j->coulomb),
                NUMBER("coulomb_negative", j->coulomb_negative > 0 ? j->coulomb_negative : j->coulomb),
                NUMBER("static", j->static_), NUMBER("stribeck_velocity", j->stribeck_velocity), NUMBER("offset", j->offset),
                NUMBER("rotor", j->rotor), NUMBER("motor_viscous", j->motor_viscous), NUMBER("motor_coulomb", j->motor_coulomb),
                NUMBER("noise", j->noise), NUMBER("moves", j->moves), NUMBER("delay", j->delay), NUMBER("gain", j->gain));
}

static void json_body(const arne_identified_body *b, out *o)
{
    json_open(o, NULL, '{');
    json_string(o, "link", b->link);
    json_number(o, "mass", b->body.mass);
    json_numbers(o, "com", b->body.com, 3);
    json_numbers(o, "inertia", b->body.inertia, 6);
    json_number(o, "prior_mass", b->prior.mass);
    json_number(o, "data", b->data);
    json_truth(o, "mended", b->mended);
    json_close(o, '}');
}

static void print_json(const arne_identified *r, bool load_only, out *o)
{
    double delay = 0;
    json_open(o, NULL, '{');
    json_open(o, "parameters", '[');
    for (int k = 0; k < r->nparameter; k++) {
        const arne_identified_parameter *p = &r->parameters[k];
        json_object(o, NULL, TEXT("name", p->name), NUMBER("value", p->value), NUMBER("deviation", p->deviation),
                    NUMBER("consistent", p->consistent), NUMBER("before", p->before), TRUTH("seen", p->seen));
    }
    json_close(o, ']');
    json_open(o, "joints", '[');
    for (int k = 0; k < r->njoint; k++) {
        json_joint(&r->joints[k], o);
        delay = fmax(delay, fabs(r->joints[k].delay));
    }
    json_close(o, ']');
    json_open(o, "bodies", '[');
    for (int k = 0; k < r->nbody; k++) json_body(&r->bodies[k], o);
    json_close(o, ']');
    if (load_only) {
        json_open(o, "payload", '{');
        json_number(o, "mass", r->payload.body.mass);
        json_numbers(o, "com", r->payload.body.com, 3);
        json_numbers(o, "inertia", r->payload.body.inertia, 6);
        json_numbers(o, "deviation", r->payload.deviation, 10);
        json_close(o, '}');
    }
    json_truth(o, "consistent", r->consistent);
    json_number(o, "cutoff", r->cutoff);
    json_open(o, "cutoffs", '[');
    for (int k = 0; k < r->ncutoff; k++)
        json_object(o, NULL, NUMBER("hz", r->cutoffs[k].hz), NUMBER("error", r->cutoffs[k].error));
    json_close(o, ']');
    json_number(o, "delay", delay);
    json_number(o, "rows", (double)r->rows);
    json_number(o, "rate", r->rate);
    json_number(o, "duration", r->duration);
    json_number(o, "gaps", r->gaps);
    json_truth(o, "validated", r->validated);
    json_number(o, "prior_weight", r->prior_weight);
    json_number(o, "condition", r->condition);
    json_number(o, "seconds", r->seconds);
    json_open(o, "warnings", '[');
    for (int k = 0; k < r->nwarning; k++) json_string(o, NULL, r->warnings[k]);
    json_close(o, ']');
    out_text(o, "}\n");
}

static void cell_percent(table *t, double part)
{
    if (isfinite(part))
        table_format(t, "%.1f", 100 * part);
    else
        table_cell(t, "-");
}

static void print_joints(const arne_identified *r, out *o)
{
    table t = {.columns = 10};
    table_cells(&t, "joint", "error", "moving", "least squares", "before", "viscous", "coulomb", "offset", "rotor", "moves");
    table_cells(&t, "", "%", "%", "%", "%", "Nm s", "Nm", "Nm", "kg m^2", "%");
    for (int k = 0; k < r->njoint; k++) {
        const arne_identified_joint *j = &r->joints[k];
        table_cell(&t, j->name);
        cell_percent(&t, j->error);
        cell_percent(&t, j->error_moving);
        cell_percent(&t, j->error_least_squares);
        cell_percent(&t, j->error_before);
        table_format(&t, "%.4g", j->viscous);
        table_format(&t, "%.4g", j->coulomb);
        table_format(&t, "%.4g", j->offset);
        table_format(&t, "%.4g", j->rotor);
        table_format(&t, "%.0f", 100 * j->moves);
    }
    table_print(&t, "", o);
}

static void print_parameters(const arne_identified *r, out *o)
{
    table t = {.columns = 5};
    table_cells(&t, "parameter", "value", "deviation", "consistent", "before");
    for (int k = 0; k < r->nparameter; k++) {
        const arne_identified_parameter *p = &r->parameters[k];
        const size_t letters = strcspn(p->name, "0123456789");
        table_format(&t, "%.*s%s%s", (int)letters, p->name, p->grouped ? "R" : "", p->name + letters);
        table_format(&t, p->seen ? "%.5g" : "-", p->value);
        table_format(&t, p->seen ? "%.2g" : "not seen", p->deviation);
        table_format(&t, "%.5g", p->consistent);
        table_format(&t, "%.5g", p->before);
    }
    table_print(&t, "", o);
}

static void print_bodies(const arne_identified *r, out *o)
{
    table t = {.columns = 5};
    table_cells(&t, "link", "mass", "com", "mass before", "from");
    for (int k = 0; k < r->nbody; k++) {
        const arne_identified_body *b = &r->bodies[k];
        if (!b->felt) continue;
        table_cell(&t, b->link);
        table_format(&t, "%.4g", b->body.mass);
        table_format(&t, "%.3f %.3f %.3f", b->body.com[0], b->body.com[1], b->body.com[2]);
        table_format(&t, "%.4g", b->prior.mass);
        table_cell(&t, b->data > 0.9   ? "data"
                       : b->data > 0.5 ? "data, some prior"
                       : b->data > 0.1 ? "prior, some data"
                                       : "prior");
    }
    table_print(&t, "", o);
}

static void print_text(const arne_identified *r, bool load_only, out *o)
{
    out_format(o, "%ld rows, %.4g s at %.4g Hz", r->rows, r->duration, r->rate);
    if (isfinite(r->cutoff))
        out_format(o, ", low pass at %.3g Hz", r->cutoff);
    else
        out_text(o, ", not filtered");
    out_format(o, "; condition number %.3g; %.2g s\n", r->condition, r->seconds);
    if (load_only) {
        const arne_body *b = &r->payload.body;
        const double *s = r->payload.deviation;
        out_format(o, "\npayload: %.5g kg +- %.2g, centre %.4g %.4g %.4g m +- %.2g %.2g %.2g\n", b->mass, s[0], b->com[0],
                   b->com[1], b->com[2], s[1], s[2], s[3]);
        out_format(o, "inertia about it %.4g %.4g %.4g %.4g %.4g %.4g kg m^2\n          +- %.2g %.2g %.2g %.2g %.2g %.2g\n",
                   b->inertia[0], b->inertia[1], b->inertia[2], b->inertia[3], b->inertia[4], b->inertia[5], s[4], s[5], s[6],
                   s[7], s[8], s[9]);
        return;
    }
    out_format(o, "\nErrors on %s: norm of (torque - model) over norm of torque\n\n",
               r->validated ? "the logs of --validate" : "blocks that were held out");
    print_joints(r, o);
    out_text(o, "\n");
    print_bodies(r, o);
    out_text(o, "\n");
    print_parameters(r, o);
}

/* Where the numbers of the new file come from. */
static int tell_source(const arguments *a, arne_description *d)
{
    out o = {0};
    const char *before = ": ";
    out_format(&o, "identified by arne %s from logs", arne_version());
    for (int k = 0; k < a->noption; k++)
        if (!strcmp(a->options[k].name, "in") || !strcmp(a->options[k].name, "load")) {
            out_format(&o, "%s%s", before, a->options[k].value);
            before = ", ";
        }
    if (d->source) out_format(&o, "; geometry: %s", d->source);
    if (o.failed) return out_free(&o), no_memory();
    free(d->source);
    d->source = o.s;
    return CLI_OK;
}

static int write_model(request *q, const arne_identified *r)
{
    const char *path = option_value(q->a, "out");
    const int told = path ? tell_source(q->a, q->robot.description) : CLI_OK;
    if (!path || told) return told;
    arne_error error = {0};
    const size_t said = q->robot.description->nwarning;
    int status = checked(arne_identified_apply(r, q->robot.description, &error), &error);
    if (!status) status = checked(arne_write(q->robot.description, ARNE_YAML, path, &error), &error);
    if (!status) warn_of(q->a, q->robot.description, said);
    return status;
}

static int identify(request *q)
{
    arne_identifier *i = NULL;
    arne_identified *r = NULL;
    arne_error error = {0};
    int status = checked(arne_identifier_new(q->robot.model, &q->o, &i, &error), &error);
    if (!status) status = read_logs(q, i);
    if (!status) status = checked(arne_identify(i, &r, &error), &error);
    arne_identifier_free(i);
    if (status) return status;
    for (int k = 0; k < r->nwarning && !option_given(q->a, "quiet"); k++) warn("%s", r->warnings[k]);
    const char *place = option_value(q->a, "report");
    char *page = NULL;
    out o = {0};
    (option_json(q->a) ? print_json : print_text)(r, q->o.payload > 0, &o);
    if (o.failed) status = no_memory(); /* before files are written */
    if (!status && place) status = checked(arne_identified_page(r, q->robot.model, NULL, &page, &error), &error);
    if (!status) status = write_model(q, r);
    if (!status && page) status = checked(arne__whole_write(place, page, strlen(page), &error), &error);
    free(page);
    if (!status) status = out_write(&o, false);
    out_free(&o);
    arne_identified_free(r);
    return status;
}

static int run(const arguments *a)
{
    request q = {.a = a, .o = {.size = sizeof q.o}};
    if (!option_given(a, "in")) return misuse("identify needs a log: --in FILE");
    int status = robot_open_unloaded(a, a->words[0], &q.robot);
    if (!status) status = take_options(&q);
    if (!status) status = identify(&q);
    if (q.robot.model) robot_close(&q.robot);
    if (q.prior.model) robot_close(&q.prior);
    free(q.joints);
    return status;
}

static const option options[] = {
    {"in", "LOG", true, "a log to learn from, CSV: t, q1 ..., tau1 ..., perhaps qd1 ..., qdd1 ... (repeatable)"},
    {"validate", "LOG", true, "a log that the model is judged by; else by blocks of the others that are held out (repeatable)"},
    {"out", "FILE", false, "the model, a robot file in YAML that every command reads"},
    {"report", "FILE", false, "a page: torques, what is left of them, parameters with deviations, warnings (needs gnuplot)"},
    {"cutoff", "HZ|auto|off", false, "of the low pass over torques and regressor; default auto: by cross-validation"},
    {"torque", "joint|motor", false, "where torques are: on the joint side of the gears (default), or at the shafts"},
    {"no-rotors", NULL, false, "torque sensors behind the gears: they see no rotor"},
    {"joints", "LIST", false,
     "names or numbers, with commas: only torques of these joints are used; default: all that a log has"},
    {"prior", "ROBOT|none", false, "what is believed where the logs are silent; default: ROBOT itself"},
    {"payload", "LINK", false, "only what this link carries is unknown, the rest as the file says"},
    {"empty", "LOG", true, "with --payload: a log of the robot without it, in place of the numbers of the file (repeatable)"},
    {"load", "LOG:LINK=m,x,y,z", true, "a log in which LINK carries a known body: torques are then currents, gains are found"},
    {"delay", "S|auto", false, "of the torques behind the motion; auto: found for every joint"},
    {"uneven", NULL, false, "dry friction may differ backwards (in place of the offset)"},
    {"stribeck", NULL, false, "dry friction may fall with speed"},
    {"moving", "V", false, "speed below which a joint rests, rad/s or m/s; default 0.02"},
    INPUT_DEGREES_OPTION,
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_identify = {
    .name = "identify",
    .synopsis = "ROBOT --in LOG [--validate LOG] [--out model.yaml] [--report page.html]",
    .brief = "A model from a recorded motion: inertias, rotors, friction",
    .text = "From the robot file come geometry, joint types and transmissions; from the logs q and tau, and qd, qdd\n"
            "where they have them. Joints that a log does not mention rest at zero.\n"
            "\n"
            "Torque and every column of the regressor go through one low pass without phase; weighted least squares\n"
            "gives base parameters with deviations; a fit near the prior gives a robot that can exist. Errors are of\n"
            "data that were not used. What the logs do not tell is said, and stays as the prior has it.\n",
    .options = options,
    .more_options = file_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ simulate lwr_push --out run.csv --quiet\n"
               "  @ identify kuka-lwr --in run.csv --cutoff 8 --out mine.yaml\n",
    .run = run,
};
