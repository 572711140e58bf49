/* SPDX-License-Identifier: MIT
 *
 * print_feasible.c - the verdict of `feasible` for people and for programs. */
#include <math.h>
#include <stdio.h>

#include "cli/feasible.h"

static const char *joint_name(const feasibility *f, int i) { return arne_joint_name(f->robot->model, i); }
static double time_of(const feasibility *f, int sample) { return f->file->log.t[0] + sample * f->file->motion.dt; }
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

static void say_violation(const feasibility *f, const char *when, const arne_violation *v, out *o)
{
    const double limit = shown(v, v->limit), demand = shown(v, v->demand);
    out_format(o, "%s at t = %.6g s: joint %s, %s %.6g %s, limit %.6g", when, time_of(f, v->sample), joint_name(f, v->joint),
               arne_limit_words(v->kind), demand, unit(f, v), limit);
    if (v->kind == ARNE_POSITION || limit == 0)
        out_text(o, "\n");
    else
        out_format(o, " (%.3g %% over)\n", 100 * (demand / limit - 1));
}

static void say_verdict(const feasibility *f, out *o)
{
    const arne_verdict *v = &f->verdict;
    const arne_motion *s = &f->file->motion;
    const double duration = (s->count - 1) * s->dt;
    out_format(o, "%s: %d samples, %.6g s at intervals of %.6g s\n", arne_model_name(f->robot->model), s->count, duration, s->dt);
    if (!v->first.kind) {
        out_text(o, "feasible: no limit is exceeded\n");
        return;
    }
    out_text(o, "not feasible\n");
    say_violation(f, "  first", &v->first, o);
    say_violation(f, "  worst", &v->worst, o);
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
        out_format(o, "lost: at t = %.6g s the motion runs away from its saturated motors; what follows is not computed\n",
                   f->achieved.lost);
    for (int i = 0; i < arne_model_dof(f->robot->model); i++)
        if (!isnan(f->joints[i].no_stop))
            out_format(o, "warning: from t = %.6g s on joint %s could not stop before its limit\n", f->joints[i].no_stop,
                       joint_name(f, i));
}

void print_feasible_text(const feasibility *f, out *o)
{
    static const char *const heads[] = {"joint",   "torque",    "motor",      "speed", "saturated s",
                                        "force N", "moment Nm", "bending Nm", "off by"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    say_verdict(f, o);
    out_format(o, "\nachieved motion, policy %s, %.6g s; largest values:\n", policy_name(f), f->achieved.duration);
    table t = {.columns = COLUMNS};
    for (int k = 0; k < COLUMNS; k++) table_cell(&t, heads[k]);
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) {
        const arne_joint_record *j = &f->joints[i];
        const double row[] = {j->torque, j->motor, j->speed, j->saturated, j->force, j->moment, j->bending, j->away};
        table_cell(&t, joint_name(f, i));
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) table_number(&t, row[k]);
    }
    table_print(&t, "  ", o);
    say_warnings(f, o);
}

static void json_violation(const feasibility *f, const char *key, const arne_violation *v, out *o)
{
    if (!v->kind) {
        json_string(o, key, NULL);
        return;
    }
    json_open(o, key, '{');
    json_number(o, "t", time_of(f, v->sample));
    json_string(o, "joint", joint_name(f, v->joint));
    json_number(o, "limit", shown(v, v->limit));
    json_number(o, "demand", shown(v, v->demand));
    json_string(o, "kind", arne_limit_words(v->kind));
    json_close(o, '}');
}

void print_feasible_json(const feasibility *f, out *o)
{
    const arne_verdict *v = &f->verdict;
    json_open(o, NULL, '{');
    json_truth(o, "feasible", !v->first.kind);
    json_violation(f, "first_violation", &v->first, o);
    json_open(o, "joints", '[');
    for (int i = 0; i < arne_model_dof(f->robot->model); i++) {
        const arne_joint_record *j = &f->joints[i];
        json_open(o, NULL, '{');
        json_string(o, "name", joint_name(f, i));
        json_number(o, "peak_torque", j->torque);
        json_number(o, "peak_speed", j->speed);
        json_number(o, "saturated_time", j->saturated);
        json_number(o, "peak_force", j->force);
        json_number(o, "peak_moment", j->moment);
        json_number(o, "peak_bending", j->bending);
        json_number(o, "peak_motor", j->motor);
        json_number(o, "deviation", j->away);
        json_number(o, "cannot_stop_from", j->no_stop);
        json_close(o, '}');
    }
    json_close(o, ']');
    json_violation(f, "worst_violation", &v->worst, o);
    json_number(o, "slower", v->slower);
    json_number(o, "lighter", v->lighter);
    json_string(o, "policy", policy_name(f));
    json_number(o, "duration", f->achieved.duration);
    json_number(o, "lost_from", f->achieved.lost);
    out_text(o, "}\n");
}
