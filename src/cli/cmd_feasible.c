/* SPDX-License-Identifier: MIT
 *
 * cmd_feasible.c - can the robot do this motion, and what happens if it tries? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/feasible.h"

int check_torque_limits(const robot *r)
{
    for (int i = 0; i < arne_model_dof(r->model); i++) {
        const arne_motor *motor = arne_joint_motor(r->model, i);
        const double effort = arne_joint_limits(r->model, i)->effort;
        if (isfinite(motor->effort) || motor->ncurve > 0 || (isfinite(effort) && effort > 0)) continue;
        return complain_at(r->path, robot_joint_line(r, i),
                           "joint %s has no torque limit; give it one: limits: {effort: ...} or motor: {effort: ...} in YAML, "
                           "<limit effort=\"...\"> in URDF",
                           arne_joint_name(r->model, i));
    }
    return CLI_OK;
}

static int judge(feasibility *f)
{
    arne_data *light = NULL;
    const motion_file *file = f->file;
    if (f->robot->npayload > 0) {
        light = arne_data_new(f->robot->model);
        if (!light) return no_memory();
        arne_set_rigid(light, f->robot->rigid);
        arne_set_wrenches(light, file->wrenches, file->nwrench);
    }
    arne_error error = {0};
    const arne_status status = arne_judge(&file->motion, f->data, light, &f->verdict, &error);
    arne_data_free(light);
    return status ? complain_at(file->log.name, 0, "%s", error.message) : CLI_OK;
}

/* ---- the file of the achieved motion ---- */

void motion_rows_begin(const motion_rows *w)
{
    static const char *const groups[] = {"q", "qd", "qdd", "tau", "motor"}, *const parts[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    arne_csv_name(w->file, "t");
    if (w->path) arne_csv_name(w->file, "s");
    for (int g = 0; g < (w->loads ? 5 : 4); g++) arne_csv_names(w->file, groups[g], w->n);
    for (int i = 0; i < 6 * w->n && w->loads; i++) {
        char name[32];
        snprintf(name, sizeof name, "r%d.%s", i / 6 + 1, parts[i % 6]);
        arne_csv_name(w->file, name);
    }
    arne_csv_end_row(w->file);
}

void motion_rows_add(void *context, const arne_motion_row *r)
{
    const motion_rows *w = context;
    const double *const groups[] = {r->q, r->qd, r->qdd, r->tau, r->motor};
    arne_csv_numbers(w->file, &r->t, 1);
    if (w->path) arne_csv_numbers(w->file, &r->path, 1);
    for (int g = 0; g < (w->loads ? 5 : 4); g++) arne_csv_numbers(w->file, groups[g], w->n);
    if (w->loads) arne_csv_numbers(w->file, r->reaction, 6 * w->n);
    arne_csv_end_row(w->file);
}

/* path NULL: nowhere */
static int achieve(feasibility *f, const char *path)
{
    const motion_file *file = f->file;
    arne_csv_writer *w = NULL;
    arne_error error = {0};
    int status = CLI_OK;
    if (path && arne_csv_create(path, 15, &w, &error)) return say_error(&error);
    motion_rows to = {w, arne_model_dof(f->robot->model), f->policy == ARNE_SCALE, true};
    if (path) motion_rows_begin(&to);
    const arne_achieve_options o = {f->policy, file->log.t[0], path ? motion_rows_add : NULL, &to};
    const arne_status made = arne_achieve(&file->motion, f->data, &o, f->joints, &f->achieved, &error);
    const bool singular = made == ARNE_UNSUPPORTED && f->policy != ARNE_SCALE; /* the robot is to blame, not the motion */
    if (made) status = complain_at(singular ? f->robot->path : file->log.name, 0, "%s", error.message);
    if (arne_csv_finish(w, made, &error) && !status) status = say_error(&error);
    return status;
}

static int examine(const arguments *a, feasibility *f, bool json)
{
    f->joints = calloc((size_t)arne_model_dof(f->robot->model) + 1, sizeof *f->joints);
    f->data = robot_data(f->robot);
    if (!f->joints || !f->data) return f->joints ? CLI_FAILED : no_memory();
    arne_set_wrenches(f->data, f->file->wrenches, f->file->nwrench);
    int status = judge(f);
    const char *path = option_value(a, "out");
    if (!status) status = achieve(f, path);
    if (!status && path)
        status = tell_about("feasible", "achieved motion", a->words[0], f->robot->model, f->achieved.duration, path);
    if (status) return status;
    out o = {0};
    (json ? print_feasible_json : print_feasible_text)(f, &o);
    return out_finish(&o, false);
}

static int run(const arguments *a)
{
    static const char *const policies[] = {"keep", "resolve", "scale", NULL};
    const int format = option_json(a), policy = option_choice(a, "policy", policies, 0);
    if (format < 0 || policy < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    motion_file file = {0};
    feasibility f = {.robot = &r, .file = &file, .policy = (arne_policy)policy};
    status = check_torque_limits(&r);
    if (!status) {
        status = motion_open(a, &r, &file);
        if (!status) status = examine(a, &f, format == 1);
        motion_close(&file);
    }
    free(f.joints);
    arne_data_free(f.data);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"in", "FILE", false, "the motion, CSV with a header; - is standard input"},
    {"policy", "keep|resolve|scale", false,
     "what a motion becomes that asks for too much: joints that do not saturate keep their accelerations (default); all torques "
     "are clipped [001 eq. 44]; the whole motion is slowed along its path"},
    {"dt", "SECONDS", false, "the interval of the rows, where there is no column t"},
    {"out", "FILE", false,
     "the achieved motion, CSV: t, q, qd, qdd, tau, motor torques, reactions r1.fx ... of every joint; and a .json beside "
     "it for `report`"},
    INPUT_WRENCH_OPTIONS,
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_feasible = {
    .name = "feasible",
    .synopsis = "ROBOT --in FILE [--policy keep|resolve|scale] [--out FILE]",
    .brief = "Judges a motion: which limit, when, by how much; loads of the joints",
    .text = "Columns of FILE: t; q1 ... qn, or q.JOINT; perhaps qd1 ... Rows at a constant interval. Without qd the velocity\n"
            "of a row is the way to the next one over the interval. Other columns are not used.\n"
            "\n"
            "Limits are those of the robot file: position, velocity and acceleration of the joints, torque of joints and\n"
            "motors, a motor's torque over speed. Every joint needs a torque limit. The verdict is on the motion as it is\n"
            "commanded; torques and reactions are those of the motion that the robot achieves. A reaction is the force and\n"
            "moment that a joint passes on to its link, in the joint's own frame (its origin on the axis).\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  printf 't,q1,q2\\n0,0,0\\n0.1,0.02,0\\n0.2,0.1,0\\n' | @ feasible planar2r --in -\n",
    .run = run,
};
