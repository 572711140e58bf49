/* SPDX-License-Identifier: MIT
 *
 * cmd_feasible.c - can the robot do this motion, and what happens if it tries? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/feasible.h"

typedef struct {
    const robot *robot;
    motion_file *file;
    arne_motion motion; /* of the arrays of the file */
    arne_data *data;
    arne_policy policy;
    arne_verdict verdict;
    arne_achievement achieved;
    arne_joint_record *joints;
    double *away;         /* of the joints */
    arne_csv_writer *out; /* the achieved motion, not yet in its place; NULL: none */
} feasibility;

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
        arne_data_new(f->robot->model, &light, NULL);
        if (!light) return no_memory();
        arne_set_rigid(arne_data_settings(light), f->robot->rigid);
        arne_set_wrenches(arne_data_settings(light), file->wrenches, file->nwrench);
    }
    arne_error error = {0};
    const arne_status status = arne_judge(&f->motion, f->data, light, &f->verdict, &error);
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

/* ---- the report ---- */

static const char *joint_name(const feasibility *f, int i) { return arne_joint_name(f->robot->model, i); }
static double time_of(const feasibility *f, int sample) { return f->file->log.t[0] + sample * f->motion.dt; }
static const char *policy_name(const feasibility *f)
{
    static const char *const names[] = {"keep", "resolve", "scale"};
    return names[f->policy];
}

/* A position keeps its sign; of the rest the size matters. */
static double shown(const arne_violation *v, double x) { return v->kind == ARNE_POSITION ? x : fabs(x); }

static const char *unit(const feasibility *f, const arne_violation *v)
{
    const bool turns = arne_joint_kind(f->robot->model, v->joint) == ARNE_REVOLUTE;
    switch (v->kind) {
    case ARNE_POSITION: return turns ? "rad" : "m";
    case ARNE_VELOCITY: return turns ? "rad/s" : "m/s";
    case ARNE_ACCELERATION: return turns ? "rad/s^2" : "m/s^2";
    case ARNE_EFFORT: return turns ? "Nm" : "N";
    case ARNE_MOTOR_SPEED: return "rad/s";
    default: return "Nm";
    }
}

static void say_violation(const feasibility *f, const arne_violation *v, out *o)
{
    const double limit = shown(v, v->limit), demand = shown(v, v->demand);
    out_format(o, "at t = %.6g s: joint %s, %s %.6g %s, limit %.6g", time_of(f, v->sample), joint_name(f, v->joint),
               arne_limit_words(v->kind), demand, unit(f, v), limit);
    if (v->kind != ARNE_POSITION && limit != 0) out_format(o, " (%.3g %% over)", 100 * (demand / limit - 1));
}

static void say_verdict(const feasibility *f, out *o)
{
    const arne_verdict *v = &f->verdict;
    const arne_motion *s = &f->motion;
    const double duration = (s->count - 1) * s->dt;
    out_format(o, "%s: %d samples, %.6g s at intervals of %.6g s\n", arne_model_name(f->robot->model), s->count, duration, s->dt);
    if (!v->first.kind) {
        out_verdict(o, '+', "feasible");
        out_text(o, ": no limit is exceeded\n");
        return;
    }
    out_verdict(o, '-', "not feasible");
    out_text(o, "\n");
    out_text(o, "  first ");
    say_violation(f, &v->first, o);
    out_text(o, "\n  worst ");
    say_violation(f, &v->worst, o);
    out_text(o, "\n");
    if (isfinite(v->slower))
        out_format(o, "  feasible in %.4g times its time, %.4g s instead of %.4g s\n", v->slower, v->slower * duration, duration);
    else
        out_text(o, "  not feasible at any speed\n");
    if (isnan(v->lighter)) return;
    if (v->lighter < 0)
        out_text(o, "  not feasible without its payload either\n");
    else
        out_format(o, "  feasible with %.3g %% of its payload\n", 100 * v->lighter);
}

static void say_warnings(const feasibility *f, out *o)
{
    if (!isnan(f->achieved.lost))
        out_format(o,
                   "lost: from t = %.6g s on saturated motors cannot hold joint %s within its speed limit; what follows is not "
                   "computed\n",
                   f->achieved.lost, joint_name(f, f->achieved.lost_joint));
    for (int i = 0; i < arne_model_dof(f->robot->model); i++)
        if (!isnan(f->joints[i].no_stop))
            out_format(o, "warning: from t = %.6g s on joint %s could not stop before its limit\n", f->joints[i].no_stop,
                       joint_name(f, i));
}

/* Loads of record are never those of a motion that only saturation made. */
static const char *loads_of(const feasibility *f) { return f->policy == ARNE_SCALE ? "slowed motion" : "commanded motion"; }

/* What becomes of the motion, where it is not the commanded one. */
static void say_policy(const feasibility *f, out *o)
{
    table t = {.columns = 3};
    int rows = 0;
    table_cells(&t, "joint", "saturated", "off by", "", "s");
    table_unit(&t, f->robot->model, "rad", "m");
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) {
        const arne_joint_record *j = &f->joints[i];
        if (j->saturated == 0 && j->away == 0) continue;
        table_cell(&t, joint_name(f, i));
        table_number(&t, j->saturated, j->away);
        rows++;
    }
    out nothing = {0};
    if (rows) out_format(o, "\npolicy %s makes another motion of it; joints that do not follow the command:\n", policy_name(f));
    table_print(&t, "  ", rows ? o : &nothing);
    out_free(&nothing);
    say_warnings(f, o);
    if (rows && isfinite(f->verdict.slower))
        out_text(o, "--policy scale: the same path, as slowly as it must be, and its loads\n");
}

static void print_text(const feasibility *f, out *o)
{
    const double commanded = (f->motion.count - 1) * f->motion.dt;
    say_verdict(f, o);
    out_format(o, "\nloads of the %s, %.6g s; largest values:\n", loads_of(f),
               f->policy == ARNE_SCALE ? f->achieved.duration : commanded);
    table t = {.columns = 7};
    table_cells(&t, "joint", "torque", "motor", "speed", "force", "moment", "bending", "");
    table_unit(&t, f->robot->model, "Nm", "N");
    table_cell(&t, "Nm");
    table_unit(&t, f->robot->model, "rad/s", "m/s");
    table_cells(&t, "N", "Nm", "Nm");
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) {
        const arne_joint_record *j = &f->joints[i];
        table_cell(&t, joint_name(f, i));
        table_number(&t, j->torque, j->motor, j->speed, j->force, j->moment, j->bending);
    }
    table_print(&t, "  ", o);
    say_policy(f, o);
    out_fold(o, 0);
}

static void json_violation(const feasibility *f, const char *key, const arne_violation *v, out *o)
{
    if (v->kind)
        json_object(o, key, NUMBER("t", time_of(f, v->sample)), TEXT("joint", joint_name(f, v->joint)),
                    NUMBER("limit", shown(v, v->limit)), NUMBER("demand", shown(v, v->demand)),
                    TEXT("kind", arne_limit_words(v->kind)));
    else
        json_string(o, key, NULL);
}

/* A sentence without its end: why the motion is not feasible. */
static void say_why(const feasibility *f, const arne_violation *v, out *o)
{
    const double limit = shown(v, v->limit), demand = shown(v, v->demand);
    out_format(o, "joint %s ", joint_name(f, v->joint));
    if (v->kind == ARNE_POSITION)
        out_text(o, "leaves its position limits");
    else if (limit != 0)
        out_format(o, "needs %.4g %% of its %s limit", 100 * demand / limit, arne_limit_words(v->kind));
    else
        out_format(o, "needs %s where it has none", arne_limit_words(v->kind));
    out_format(o, " at t = %.6g s (%.6g %s, limit %.6g)", time_of(f, v->sample), demand, unit(f, v), limit);
}

/* What is told of the motion as it is commanded, or of the one that it became (why: room for a sentence). A slowed motion is
 * within all limits. */
static arne_about about_motion(const feasibility *f, bool became, out *why)
{
    const bool slowed = became && f->policy == ARNE_SCALE, feasible = !f->verdict.first.kind;
    if (slowed || feasible) out_text(why, "no limit is exceeded");
    if (slowed && !feasible) out_text(why, "; as it was commanded, ");
    if (!feasible) say_why(f, &f->verdict.worst, why);
    if (became && !isnan(f->achieved.lost)) out_format(why, "; the motion is lost at t = %.6g s", f->achieved.lost);
    arne_about a = {.kind = "feasible",
                    .title = slowed ? "slowed motion" : "achieved motion",
                    .duration = f->achieved.duration,
                    .verdict = slowed || feasible ? "feasible" : "infeasible",
                    .why = arne__text_string(why),
                    .errors = f->policy == ARNE_SCALE ? NULL : f->away};
    about_robot(f->robot, &a);
    return a;
}

static void print_json(const feasibility *f, out *o)
{
    const arne_verdict *v = &f->verdict;
    json_open(o, NULL, '{');
    json_truth(o, "feasible", !v->first.kind);
    json_violation(f, "first_violation", &v->first, o);
    json_open(o, "joints", '[');
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) {
        const arne_joint_record *j = &f->joints[i];
        json_object(o, NULL, TEXT("name", joint_name(f, i)), NUMBER("peak_torque", j->torque), NUMBER("peak_speed", j->speed),
                    NUMBER("saturated_time", j->saturated), NUMBER("peak_force", j->force), NUMBER("peak_moment", j->moment),
                    NUMBER("peak_bending", j->bending), NUMBER("peak_motor", j->motor), NUMBER("deviation", j->away),
                    NUMBER("cannot_stop_from", j->no_stop));
    }
    json_close(o, ']');
    json_violation(f, "worst_violation", &v->worst, o);
    json_members(o, NUMBER("slower", v->slower), NUMBER("lighter", v->lighter), TEXT("policy", policy_name(f)),
                 NUMBER("duration", f->achieved.duration), NUMBER("lost_from", f->achieved.lost),
                 TEXT("lost_joint", isnan(f->achieved.lost) ? NULL : joint_name(f, f->achieved.lost_joint)),
                 TEXT("loads_of", loads_of(f)));
    out why = {0};
    const arne_about a = about_motion(f, false, &why);
    char *judged = NULL;
    o->failed |= why.failed || arne_about_judged(&a, &judged, NULL);
    out_format(o, ",%s}\n", judged ? judged : "");
    free(judged);
    out_free(&why);
}

/* ---- */

/* path NULL: nowhere */
static int achieve(feasibility *f, const char *path)
{
    const motion_file *file = f->file;
    arne_csv_writer *w = NULL;
    arne_error error = {0};
    if (path && arne_csv_create(path, 15, &w, &error)) return say_error(&error);
    motion_rows to = {w, arne_model_dof(f->robot->model), f->policy == ARNE_SCALE, true};
    if (path) motion_rows_begin(&to);
    const arne_achieve_options o = {sizeof o, f->policy, file->log.t[0], path ? motion_rows_add : NULL, &to};
    const arne_status made = arne_achieve(&f->motion, f->data, &o, f->joints, &f->achieved, &error);
    if (made) {
        const bool singular = made == ARNE_UNSUPPORTED && f->policy != ARNE_SCALE; /* the robot is to blame, not the motion */
        arne_csv_finish(w, made, NULL);
        return complain_at(singular ? f->robot->path : file->log.name, 0, "%s", error.message);
    }
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) f->away[i] = f->joints[i].away;
    f->out = w;
    return CLI_OK;
}

static int put_motion(const feasibility *f, out *said)
{
    out why = {0};
    const arne_about about = about_motion(f, true, &why);
    said->failed |= why.failed;
    const int status = finish_told(f->out, f->robot, about, said);
    out_free(&why);
    return status;
}

static int examine(const arguments *a, feasibility *f)
{
    const size_t n = (size_t)arne_model_dof(f->robot->model) + 1;
    f->joints = calloc(n, sizeof *f->joints);
    f->away = calloc(n, sizeof *f->away);
    if (!f->joints || !f->away) return no_memory();
    arne_set_wrenches(arne_data_settings(f->data), f->file->wrenches, f->file->nwrench);
    int status = judge(f);
    if (!status) status = achieve(f, option_value(a, "out"));
    if (status) return status;
    out o = {0};
    (option_json(a) ? print_json : print_text)(f, &o);
    status = put_motion(f, &o);
    if (!status) status = out_write(&o, false);
    out_free(&o);
    return !status && f->verdict.first.kind && option_given(a, "check") ? CLI_INFEASIBLE : status;
}

static int open_and_examine(const robot *r, arne_data *d, void *unused)
{
    (void)unused;
    const arguments *a = r->arguments;
    motion_file file = {0};
    feasibility f = {.robot = r, .file = &file, .data = d, .policy = (arne_policy)option_word(a, "policy", 0)};
    int status = check_torque_limits(r);
    arne_error error = {0};
    if (!status) status = motion_open(a, r, "feasible", &file);
    if (!status) status = checked(arne_log_regular(&file.log, r->model, file.dt, &f.motion, &error), &error);
    if (!status) status = examine(a, &f);
    motion_close(&file);
    free(f.joints);
    free(f.away);
    return status;
}

static int run(const arguments *a) { return with_robot(a, a->words[0], open_and_examine, NULL); }

static const option options[] = {
    {"in", "FILE", false, "the motion, CSV with a header; - is standard input"},
    {"policy", "keep|resolve|scale", false,
     "what a motion becomes that asks for too much: joints that do not saturate keep their accelerations (default); all torques "
     "are clipped [001 eq. 44]; the whole motion is slowed along its path"},
    {"check", NULL, false, "exit with status 3 where the motion is not feasible as it is commanded"},
    {"dt", "SECONDS", false, "the interval of the rows, where there is no column t"},
    INPUT_DEGREES_OPTION,
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
            "commanded, and so are the loads: largest torques, speeds, reactions; with --policy scale they are those of the\n"
            "slowed motion. A reaction is the force and moment that a joint passes on to its link, in the joint's own frame\n"
            "(its origin on the axis). --out writes the motion that the robot achieves.\n",
    .options = options,
    ONE_ROBOT,
    .example = "  printf 't,q1,q2\\n0,0,0\\n0.1,0.02,0\\n0.2,0.1,0\\n' | @ feasible planar2r --in -\n",
    .run = run,
};
