/* SPDX-License-Identifier: MIT
 *
 * cmd_feasible.c - can the robot do this motion, and what happens if it tries? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/feasible.h"
#include "base/whole.h"

int check_torque_limits(const robot *r)
{
    for (int i = 0; i < arne_model_dof(r->model); i++) {
        const arne_motor *motor = arne_joint_motor(r->model, i);
        const double effort = arne_joint_limits(r->model, i)->effort;
        if (isfinite(motor->effort) || motor->ncurve > 0 || (isfinite(effort) && effort > 0)) continue;
        const char *name = arne_joint_name(r->model, i);
        int line = 0;
        for (size_t k = 0; k < r->description->njoint; k++)
            if (!strcmp(r->description->joints[k].name, name)) line = r->description->joints[k].line;
        return complain_at(r->path, line,
                           "joint %s has no torque limit; give it one: limits: {effort: ...} or motor: {effort: ...} in YAML, "
                           "<limit effort=\"...\"> in URDF",
                           name);
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

static void write_header(FILE *file, int n, bool path)
{
    static const char *const groups[] = {"q", "qd", "qdd", "tau", "motor"}, *const parts[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    fputs(path ? "t,s" : "t", file);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int i = 0; i < n; i++) fprintf(file, ",%s%d", groups[g], i + 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 6; k++) fprintf(file, ",r%d.%s", i + 1, parts[k]);
    putc('\n', file);
}

static void write_numbers(FILE *file, const double *x, int n)
{
    for (int i = 0; i < n; i++) fprintf(file, ",%.15g", x[i]);
}

typedef struct {
    FILE *file;
    int n;
    bool path;
} row_writer;

static void write_row(void *context, const arne_motion_row *r)
{
    const row_writer *w = context;
    const double *const groups[] = {r->q, r->qd, r->qdd, r->tau, r->motor};
    fprintf(w->file, "%.15g", r->t);
    if (w->path) write_numbers(w->file, &r->path, 1);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) write_numbers(w->file, groups[g], w->n);
    write_numbers(w->file, r->reaction, 6 * w->n);
    putc('\n', w->file);
}

/* path NULL: nowhere */
static int achieve(feasibility *f, const char *path)
{
    const motion_file *file = f->file;
    whole_file whole = {0};
    arne_error error = {0};
    int status = path ? checked(arne__whole_open(&whole, path, &error), &error) : CLI_OK;
    if (status) return status;
    row_writer to = {whole.file, arne_model_dof(f->robot->model), f->policy == ARNE_SCALE};
    if (path) write_header(to.file, to.n, to.path);
    const arne_achieve_options o = {f->policy, file->log.t[0], path ? write_row : NULL, &to};
    const arne_status made = arne_achieve(&file->motion, f->data, &o, f->joints, &f->achieved, &error);
    const bool singular = made == ARNE_UNSUPPORTED && f->policy != ARNE_SCALE; /* the robot is to blame, not the motion */
    if (made) status = complain_at(singular ? f->robot->path : file->log.name, 0, "%s", error.message);
    if (arne__whole_close(&whole, made, &error) && !status) status = say_error(&error);
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
