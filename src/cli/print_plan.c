/* SPDX-License-Identifier: MIT
 *
 * print_plan.c - the report of `plan` for people and for programs. */
#include <math.h>
#include <stdio.h>

#include "cli/plan.h"

static void say_limits(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const int n = arne_model_dof(m);
    static const char *const heads[] = {"limit", "joint", "% of the time"};
    table t = {.columns = 3, .align = "llr"};
    int rows = 0;
    for (int k = 0; k < 3; k++) table_cell(&t, heads[k]);
    for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++)
        for (int i = 0; i < n; i++) {
            if (p->records.share[kind * n + i] == 0) continue;
            char text[32];
            snprintf(text, sizeof text, "%.1f", 100 * p->records.share[kind * n + i]);
            table_cell(&t, arne_limit_words((arne_limit_kind)kind));
            table_cell(&t, arne_joint_name(m, i));
            table_cell(&t, text);
            rows++;
        }
    out_format(o, "some limit is reached, to 1 %%, %.1f %% of the time%s\n", 100 * p->records.active, rows ? ":" : "");
    out nothing = {0};
    table_print(&t, "  ", rows ? o : &nothing);
    out_free(&nothing);
}

static void say_timing(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const double T = arne_plan_duration(p->plan);
    static const char *const heads[] = {"joint", "torque", "motor", "speed"};
    out_format(o, "fastest motion: %.6g s, %d samples at intervals of %.6g s\n", T, arne_plan_samples(p->plan), p->dt);
    if (isfinite(p->uniform))
        out_format(o, "one smooth time law for the whole path takes %.6g s, %.3g times as long\n", p->uniform, p->uniform / T);
    if (isinf(p->uniform)) out_text(o, "one smooth time law for the whole path: at no speed\n");
    say_limits(p, o);
    out_text(o, "largest values:\n");
    table t = {.columns = 4};
    for (int k = 0; k < 4; k++) table_cell(&t, heads[k]);
    for (int i = 0; i < arne_model_dof(m); i++) {
        table_cell(&t, arne_joint_name(m, i));
        table_number(&t, p->records.joints[i].torque);
        table_number(&t, p->records.joints[i].motor);
        table_number(&t, p->records.joints[i].speed);
    }
    table_print(&t, "  ", o);
}

void print_plan_text(const planning *p, out *o)
{
    out_format(o, "%s: %d points, a path of length %.6g\n", arne_model_name(p->robot->model), p->points.count,
               arne_curve_length(p->curve));
    if (p->plan) say_timing(p, o);
    if (!p->places) return;
    out_format(o, "largest accelerations of the link, the least of them along the path (%s; -: there is none):\n",
               p->plan ? "moving" : "at rest");
    table t = {.columns = 3, .align = "lrr"};
    static const char *const heads[] = {"direction", "m/s^2", "at point"};
    for (int k = 0; k < 3; k++) table_cell(&t, heads[k]);
    for (int k = 0; k < ARNE_WAY_COUNT; k++) {
        const int least = arne_map_least(p->map, p->places, (arne_way)k);
        table_cell(&t, arne_way_name((arne_way)k));
        table_number(&t, least < 0 ? INFINITY : p->map[least].largest[k]);
        table_number(&t, least < 0 ? INFINITY : p->map[least].point);
    }
    table_print(&t, "  ", o);
}

static void json_timing(const planning *p, out *o)
{
    const arne_model *m = p->robot->model;
    const int n = arne_model_dof(m);
    json_number(o, "duration", arne_plan_duration(p->plan));
    json_number(o, "samples", arne_plan_samples(p->plan));
    json_number(o, "dt", p->dt);
    json_number(o, "uniform", p->uniform);
    json_number(o, "active", p->records.active);
    json_open(o, "limits", '[');
    for (int kind = 0; kind < ARNE_LIMIT_COUNT; kind++)
        for (int i = 0; i < n; i++) {
            if (p->records.share[kind * n + i] == 0) continue;
            json_open(o, NULL, '{');
            json_string(o, "kind", arne_limit_words((arne_limit_kind)kind));
            json_string(o, "joint", arne_joint_name(m, i));
            json_number(o, "share", p->records.share[kind * n + i]);
            json_close(o, '}');
        }
    json_close(o, ']');
    json_open(o, "joints", '[');
    for (int i = 0; i < n; i++) {
        json_open(o, NULL, '{');
        json_string(o, "name", arne_joint_name(m, i));
        json_number(o, "peak_torque", p->records.joints[i].torque);
        json_number(o, "peak_motor", p->records.joints[i].motor);
        json_number(o, "peak_speed", p->records.joints[i].speed);
        json_close(o, '}');
    }
    json_close(o, ']');
}

void print_plan_json(const planning *p, out *o)
{
    json_open(o, NULL, '{');
    json_string(o, "robot", arne_model_name(p->robot->model));
    json_number(o, "points", p->points.count);
    json_number(o, "length", arne_curve_length(p->curve));
    if (p->plan) json_timing(p, o);
    if (p->places) {
        json_open(o, "map", '{');
        for (int k = 0; k < ARNE_WAY_COUNT; k++) {
            const int least = arne_map_least(p->map, p->places, (arne_way)k);
            json_open(o, arne_way_name((arne_way)k), '{');
            json_number(o, "least", least < 0 ? NAN : p->map[least].largest[k]);
            json_number(o, "point", least < 0 ? NAN : p->map[least].point);
            json_close(o, '}');
        }
        json_close(o, '}');
    }
    out_text(o, "}\n");
}
