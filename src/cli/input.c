/* SPDX-License-Identifier: MIT
 *
 * input.c - states and motions from a file, with the wrenches of the options. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"

arne_frame option_frame(const arguments *a, const char *name)
{
    static const arne_frame frames[] = {ARNE_LOCAL, ARNE_WORLD, ARNE_ALIGNED};
    return frames[option_word(a, name, 2)];
}

/* LINK=fx,fy,fz,mx,my,mz[@x,y,z] */
static int take_wrench(const robot *r, arne_frame frame, const char *text, arne_wrench *w)
{
    const char *numbers = strrchr(text, '=');
    if (!numbers || numbers == text) return misuse("--wrench %s: it should read LINK=fx,fy,fz,mx,my,mz[@x,y,z]", text);
    numbers++;
    const char *at = strchr(numbers, '@');
    double v[6], p[3] = {0};
    if (parse_numbers(numbers, at ? (size_t)(at - numbers) : strlen(numbers), v, 6) != 6)
        return misuse("--wrench %s: after the = come six numbers fx,fy,fz,mx,my,mz", text);
    if (at && parse_numbers(at + 1, strlen(at + 1), p, 3) != 3)
        return misuse("--wrench %s: after the @ come three numbers x,y,z", text);
    if (at && frame == ARNE_WORLD)
        return misuse("--wrench %s: in the frame world the moment is about the world's origin; leave out @x,y,z", text);
    char *name = strndup(text, (size_t)(numbers - 1 - text));
    if (!name) return no_memory();
    *w = (arne_wrench){.frame = frame, .force = {v[0], v[1], v[2]}, .moment = {v[3], v[4], v[5]}, .point = {p[0], p[1], p[2]}};
    const int status = robot_link(r, name, &w->link);
    free(name);
    return status;
}

int take_wrenches(const arguments *a, const robot *r, arne_wrench **list, int *count)
{
    *count = 0;
    *list = calloc((size_t)(a->noption + arne_model_links(r->model)), sizeof **list);
    int status = *list ? CLI_OK : no_memory();
    for (int i = 0; i < a->noption && !status; i++)
        if (!strcmp(a->options[i].name, "wrench"))
            status = take_wrench(r, option_frame(a, "wrench-frame"), a->options[i].value, &(*list)[(*count)++]);
    return status;
}

int take_interval(const arguments *a, double *dt)
{
    return option_number(a, "dt", 0, false, INFINITY, "a number of seconds above 0", dt);
}

/* ---- what is said about a table ---- */

static void say_passed(const arguments *a, const char *name, const char *passed)
{
    if (*passed && !option_given(a, "quiet")) note("%s: not used here: columns %s", name, passed);
}

/* Does a joint stand far outside its limits? Then *text tells it, and there is no need to look again. */
enum { FAR_TEXT = 500 };
static bool find_far(const robot *r, const char *name, int line, const double *q, char text[FAR_TEXT])
{
    const int i = arne_joint_far(r->model, q);
    if (i < 0) return false;
    const arne_limits *l = arne_joint_limits(r->model, i);
    snprintf(text, FAR_TEXT, "%s:%d: joint %s stands at %g rad, far outside its limits %g ... %g%s", name, line,
             arne_joint_name(r->model, i), q[arne_joint_q(r->model, i)], l->lower, l->upper,
             option_given(r->arguments, "degrees") ? "" : "; if these are degrees: --degrees");
    return true;
}

/* Of a log, that is; a table of states has what it needs. */
static void say_missing(const arguments *a, const arne_states *s, unsigned needs)
{
    const bool has_qd = arne_states_has(s, ARNE_COLUMN_QD), log = has_qd || arne_states_has(s, ARNE_COLUMN_TAU);
    const bool qd = needs & ARNE_QD && !has_qd, qdd = needs & ARNE_QDD && !arne_states_has(s, ARNE_COLUMN_QDD);
    if ((qd || qdd) && log && arne_states_time(s) && !option_given(a, "quiet"))
        note("%s: there are no columns %s%s%s: taken as zero; --differentiate makes them from t", s->file.name, qd ? "qd" : "",
             qd && qdd ? ", " : "", qdd ? "qdd" : "");
}

void take_log(const arguments *a, const robot *r, arne_log *log)
{
    if (option_given(a, "degrees")) arne_log_radians(log, r->model);
    say_passed(a, log->name, log->passed);
    char text[FAR_TEXT];
    bool far = false;
    for (int k = 0; k < log->count && !option_given(a, "quiet") && !far; k++)
        far = find_far(r, log->name, arne_log_line(k), arne_log_row(log->q, log->n, k), text);
    if (far) warn("%s", text);
}

/* ---- states ---- */

/* --state NAME */
static int take_state(const arguments *a, const robot *r, const char **name)
{
    const arne_description *d = r->description;
    *name = option_value(a, "state");
    if (!*name) return CLI_OK;
    if (option_given(a, "in")) return misuse("--state and --in are two ways to say the same; give one of them");
    nearest near = {.word = *name};
    for (size_t i = 0; i < d->nstate; i++) {
        if (!strcmp(d->states[i].name, *name)) return CLI_OK;
        arne__nearest_offer(&near, d->states[i].name);
    }
    char hint[192];
    return complain_at(r->path, 0, "there is no state \"%s\"%s (arne info lists them)", *name,
                       arne__nearest_hint(&near, hint, sizeof hint));
}

/* Positions inside their limits need no closer look: of millions of rows most. */
static bool inside(const input *in, const double *q)
{
    int out = 0;
    for (int i = 0; i < in->nlimit; i++) out |= (q[i] < in->limits[2 * i]) | (q[i] > in->limits[2 * i + 1]);
    return in->nlimit && !out;
}

static void take_limits(input *in)
{
    const arne_model *m = in->robot->model;
    const int n = arne_model_joints(m);
    if (arne_model_nq(m) != n || !(in->limits = malloc(2 * (size_t)n * sizeof *in->limits))) return; /* all are looked at */
    for (in->nlimit = 0; in->nlimit < n; in->nlimit++) {
        const arne_limits *l = arne_joint_limits(m, in->nlimit);
        in->limits[2 * in->nlimit] = l->lower;
        in->limits[2 * in->nlimit + 1] = l->upper;
    }
}

int input_open(const arguments *a, const robot *r, unsigned needs, input *out)
{
    *out = (input){.robot = r, .watched = !option_given(a, "quiet")};
    arne_error error = {0};
    arne_states *s = &out->states;
    int status = take_state(a, r, &out->state);
    if (status) return status;
    if (arne_states_open_table(s, option_value(a, "in"), option_value(a, "columns"), r->model, false, &error))
        return say_error(&error);
    s->degrees = option_given(a, "degrees");
    if (!option_given(a, "differentiate"))
        say_missing(a, s, needs);
    else if (arne_states_differentiate(s, &error))
        return say_error(&error);
    say_passed(a, s->file.name, s->passed);
    if (out->watched && s->has_file) take_limits(out);
    out->q = arne_states_of(s, ARNE_COLUMN_Q);
    status = take_wrenches(a, r, &out->wrenches, &out->nwrench);
    if (status) return status;
    out->noption_wrench = out->nwrench;
    for (int link = 0; link < arne_model_links(r->model); link++)
        if (arne_states_wrench(&out->states, link))
            out->wrenches[out->nwrench++] = (arne_wrench){.link = link, .frame = option_frame(a, "wrench-frame")};
    return CLI_OK;
}

int input_next(input *in, bool *more)
{
    arne_error error; /* millions of rows: not cleared for each */
    const arne_states *s = &in->states;
    if (arne_states_next(&in->states, more, &error)) return say_error(&error);
    if (*more && in->state)
        arne_named_state(in->robot->model, in->robot->description, in->state, (double *)arne_states_of(s, ARNE_COLUMN_Q),
                         (double *)arne_states_of(s, ARNE_COLUMN_QD));
    if (*more && in->watched && s->has_file && !inside(in, in->q) &&
        find_far(in->robot, s->file.name, s->file.line, in->q, in->far_text)) {
        in->watched = false;
        in->far_line = s->file.line;
        if (!in->hushed) warn("%s", in->far_text);
    }
    for (int i = in->noption_wrench; i < in->nwrench; i++) {
        arne_wrench *w = &in->wrenches[i];
        const double *v = arne_states_wrench(&in->states, w->link);
        memcpy(w->force, v, sizeof w->force);
        memcpy(w->moment, v + 3, sizeof w->moment);
    }
    return CLI_OK;
}

void input_close(input *in)
{
    arne_states_close(&in->states);
    free(in->limits);
    free(in->wrenches);
}

int input_complain(const input *in, const char *format, ...)
{
    const arne_states *s = &in->states;
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return complain_at(s->has_file ? s->file.name : in->robot->path, s->has_file ? s->file.line : 0, "%s", text);
}

/* ---- motions ---- */

int motion_open(const arguments *a, const robot *r, const char *whose, motion_file *out)
{
    *out = (motion_file){0};
    const char *path = option_value(a, "in");
    arne_error error = {0};
    if (!path) return misuse("%s needs a motion: --in FILE", whose);
    int status = take_interval(a, &out->dt);
    if (!status) status = checked(arne_log_motion(path, r->model, out->dt, false, &out->log, &error), &error);
    if (status) return status;
    take_log(a, r, &out->log);
    return take_wrenches(a, r, &out->wrenches, &out->nwrench);
}

void motion_close(motion_file *f)
{
    arne_log_free(&f->log);
    free(f->wrenches);
}
