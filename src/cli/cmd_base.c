/* SPDX-License-Identifier: MIT
 *
 * cmd_base.c - base inertial parameters of a robot: tables and grouping equations as seed 003 prints them, or JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/identify.h"
#include "cli/cli.h"
#include "cli/out.h"

enum { NAME = 16, LONGEST = 4096 };

static void name_of(const arne_base *b, int parameter, char name[NAME]) { arne_parameter_name(b->joints, parameter, name); }

/* ZZR1: more than the standard parameter itself */
static void base_name(const arne_base *b, const arne_base_parameter *p, char name[NAME + 1])
{
    char plain[NAME];
    name_of(b, p->parameter, plain);
    const bool alone = p->nterm == 1 && p->terms[0].parameter == p->parameter;
    const size_t letters = strcspn(plain, "0123456789");
    snprintf(name, NAME + 1, "%.*s%s%s", (int)letters, plain, alone ? "" : "R", plain + letters);
}

/* ---- JSON ---- */
static void json_names(const arne_base *b, const char *key, const int *list, int count, out *o)
{
    char name[NAME];
    json_open(o, key, '[');
    for (int i = 0; i < count; i++) {
        name_of(b, list[i], name);
        json_string(o, NULL, name);
    }
    json_close(o, ']');
}

static void json_parameter(const arne_base *b, const arne_base_parameter *p, out *o)
{
    char name[NAME];
    name_of(b, p->parameter, name);
    json_open(o, NULL, '{');
    json_string(o, "name", name);
    json_open(o, "terms", '[');
    for (int t = 0; t < p->nterm; t++) {
        name_of(b, p->terms[t].parameter, name);
        json_open(o, NULL, '{');
        json_string(o, "parameter", name);
        json_number(o, "coefficient", p->terms[t].coefficient);
        json_string(o, "expression", p->terms[t].expression);
        json_close(o, '}');
    }
    out_text(o, "]}");
}

static void json_frames(const arne_base *b, const arne_model *m, out *o)
{
    static const char *const keys[] = {"gamma", "b", "alpha", "d", "theta", "r"};
    json_open(o, "frames", '[');
    for (int i = 0; i < b->joints; i++) {
        const arne_base_frame *f = &b->frames[i];
        const double values[] = {f->gamma, f->b, f->alpha, f->d, f->theta, f->r};
        json_open(o, NULL, '{');
        json_string(o, "joint", arne_joint_name(m, arne_body_joint(m, i)));
        for (int k = 0; k < 6; k++)
            if (f->dh || k % 2 == 0) json_number(o, keys[k], values[k]);
        json_numbers(o, "origin", f->p, 3);
        json_close(o, '}');
    }
    json_close(o, ']');
}

static void print_json(const arne_base *b, const arne_model *m, out *o)
{
    json_open(o, NULL, '{');
    json_number(o, "count", b->count);
    json_number(o, "count_without_rotors", b->count_without_rotors);
    json_open(o, "parameters", '[');
    for (int k = 0; k < b->count; k++) json_parameter(b, &b->parameters[k], o);
    json_close(o, ']');
    json_names(b, "no_effect", b->no_effect, b->nno_effect, o);
    json_names(b, "grouped", b->grouped, b->ngrouped, o);
    json_truth(o, "closed_form", b->by_rules);
    json_frames(b, m, o);
    out_text(o, "}\n");
}

/* ---- for people ---- */
/* [003 tables 9.3, 9.4] */
static void print_table(const arne_base *b, const arne_model *m, out *o)
{
    static const char *const head[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "IA"};
    table t = {.columns = ARNE_LINK_PARAMETERS + 2, .align = "rlrrrrrrrrrrr"};
    table_cell(&t, "j");
    table_cell(&t, "joint");
    for (int c = 0; c < ARNE_LINK_PARAMETERS; c++) table_cell(&t, head[c]);
    for (int i = 0, k = 0; i < b->joints; i++) {
        char text[NAME + 1];
        snprintf(text, sizeof text, "%d", i + 1);
        table_cell(&t, text);
        table_cell(&t, arne_joint_name(m, arne_body_joint(m, i)));
        for (int c = 0; c < ARNE_LINK_PARAMETERS; c++) {
            const bool here = k < b->count && b->parameters[k].parameter == ARNE_LINK_PARAMETERS * i + c;
            if (here) base_name(b, &b->parameters[k++], text);
            table_cell(&t, here ? text : "0");
        }
    }
    table_print(&t, "  ", o);
}

static bool is_sum(const char *expression) { return strstr(expression, " + ") || strstr(expression, " - "); }

/* Parameters with one coefficient stand in one bracket: D3^2 (M3 + M4 + M5 + M6). */
static void print_equation(const arne_base *b, const arne_base_parameter *p, const arne_dimension *dimensions, out *o)
{
    char name[NAME + 1], factor[LONGEST];
    base_name(b, p, name);
    out_format(o, "  %s =", name);
    for (int t = 0; t < p->nterm; t++) {
        const char *e = p->terms[t].expression;
        int alike = 0, before = 0;
        for (int k = 0; k < p->nterm; k++)
            if (!strcmp(p->terms[k].expression, e)) alike++, before += k < t;
        const bool unit = !strcmp(e, "1") || !strcmp(e, "-1"), bracket = alike > 1 && !unit, sum = is_sum(e);
        if (bracket && before) continue;
        const bool negative = e[0] == '-' && !sum;
        out_text(o, negative ? (t ? " - " : " -") : (t ? " + " : " "));
        dimension_text(dimensions, b->joints, e + negative, factor, sizeof factor);
        if (!unit) out_format(o, sum ? "(%s) " : "%s ", factor);
        if (bracket) out_text(o, "(");
        for (int k = t, printed = 0; k < p->nterm; k++) {
            if (k > t && (!bracket || strcmp(p->terms[k].expression, e))) continue;
            name_of(b, p->terms[k].parameter, name);
            out_format(o, "%s%s", printed++ ? " + " : "", name);
        }
        if (bracket) out_text(o, ")");
    }
    out_text(o, "\n");
}

static void print_names(const arne_base *b, const char *what, const int *list, int count, out *o)
{
    char name[NAME];
    if (!count) return;
    out_format(o, "\n%s:", what);
    for (int i = 0; i < count; i++) {
        name_of(b, list[i], name);
        out_format(o, " %s", name);
    }
    out_text(o, "\n");
}

/* the symbol that the file has in this place of joint i */
static const char *file_name(const robot *r, int i, int k)
{
    const arne_description *d = r->description;
    for (size_t j = 0; j < d->njoint; j++)
        if (!strcmp(d->joints[j].name, arne_joint_name(r->model, arne_body_joint(r->model, i)))) return d->joints[j].dh_names[k];
    return "";
}

static void print_frames(const arne_base *b, const robot *r, out *o)
{
    const arne_model *m = r->model;
    const bool own = r->description->mdh;
    static const char *const head[] = {"j", "joint", "after", "gamma", "b", "alpha", "d", "theta", "r"};
    table t = {.columns = 9, .align = "rlrrrrrrr"};
    out_format(o, "\n%s (rad, m; q = 0):\n",
               own ? "frames of the links, as the file gives them"
                   : "frames of the links, canonical modified Denavit-Hartenberg");
    for (int k = 0; k < 9; k++) table_cell(&t, head[k]);
    bool all = true;
    for (int i = 0; i < b->joints; i++) {
        const arne_base_frame *f = &b->frames[i];
        const double values[] = {f->gamma, f->b, f->alpha, f->d, f->theta, f->r};
        char text[16];
        snprintf(text, sizeof text, "%d", i + 1);
        table_cell(&t, text);
        table_cell(&t, arne_joint_name(m, arne_body_joint(m, i)));
        snprintf(text, sizeof text, "%d", arne_joint_parent(m, i) + 1);
        table_cell(&t, text);
        for (int k = 0; k < 6; k++)
            if (isnan(values[k]))
                table_cell(&t, *file_name(r, i, k) ? file_name(r, i, k) : "?");
            else if (f->dh || k % 2 == 0)
                table_number(&t, values[k]);
            else
                table_cell(&t, "*");
        all = all && f->dh;
    }
    table_print(&t, "  ", o);
    for (int i = 0; i < b->joints && !all; i++)
        if (!b->frames[i].dh)
            out_format(o, "  * axes nearly parallel: origin of frame %d at %.6g %.6g %.6g\n", i + 1, b->frames[i].p[0],
                       b->frames[i].p[1], b->frames[i].p[2]);
}

/* the file's names, where the frames are those of the file */
static arne_dimension *name_dimensions(const arne_base *b, const robot *r)
{
    arne_dimension *all = robot_dimensions(r);
    for (int i = 0; all && i < b->joints; i++) {
        if (b->frames[i].d != all[2 * i].value) all[2 * i].name = "";
        if (b->frames[i].r != all[2 * i + 1].value) all[2 * i + 1].name = "";
    }
    return all;
}

static void print_text(const arne_base *b, const robot *r, const arne_dimension *dimensions, bool rotors, out *o)
{
    out_format(o, "%s: %d base inertial parameters", arne_model_name(r->model), b->count);
    if (rotors) out_format(o, ", %d without rotor inertias", b->count_without_rotors);
    out_text(o, "\n\n");
    print_table(b, r->model, o);
    bool any = false;
    for (int k = 0; k < b->count; k++) {
        const arne_base_parameter *p = &b->parameters[k];
        if (p->nterm == 1 && p->terms[0].parameter == p->parameter) continue;
        if (!any) out_text(o, "\ngrouping equations:\n");
        any = true;
        print_equation(b, p, dimensions, o);
    }
    print_names(b, "no effect", b->no_effect, b->nno_effect, o);
    print_names(b, "grouped", b->grouped, b->ngrouped, o);
    if (!b->by_rules)
        out_text(o, "\nThe grouping rules do not cover this robot (axes nearly parallel, coupled motors): numbers from sampled\n"
                    "regressors.\n");
    print_frames(b, r, o);
    out_fold(o, 0);
}

/* ---- symbols without numbers ---- */
/* The same for other arbitrary numbers: what differs is none. False: a closed form has such a number in it. */
static bool forget_numbers(arne_base *b, const arne_base *other)
{
    if (!b->by_rules || !other->by_rules || b->count != other->count) return false;
    for (int k = 0; k < b->count; k++)
        for (int t = 0; t < b->parameters[k].nterm; t++) {
            arne_base_term *x = &b->parameters[k].terms[t];
            const arne_base_parameter *p = &other->parameters[k];
            if (t >= p->nterm || p->terms[t].parameter != x->parameter || strcmp(p->terms[t].expression, x->expression))
                return false;
            if (p->terms[t].coefficient != x->coefficient) x->coefficient = NAN;
        }
    for (int i = 0; i < b->joints; i++) {
        arne_base_frame *f = &b->frames[i];
        const arne_base_frame *g = &other->frames[i];
        double *const x[] = {&f->gamma, &f->b, &f->alpha, &f->d, &f->theta, &f->r};
        const double y[] = {g->gamma, g->b, g->alpha, g->d, g->theta, g->r};
        for (int k = 0; k < 6; k++)
            if (*x[k] != y[k]) *x[k] = NAN;
    }
    return true;
}

/* ---- the command ---- */
static int find(const arguments *a, const robot *r, bool structure, arne_base **b)
{
    arne_error error = {0};
    arne_base_options options = {.size = sizeof options, .no_rotors = option_given(a, "no-rotors")};
    double *K = NULL;
    arne_data *d = NULL;
    int status = CLI_OK;
    if (structure) {
        d = robot_data(r);
        K = calloc((size_t)(ARNE_LINK_PARAMETERS * arne_model_bodies(r->model)), sizeof *K);
        if (!d)
            status = CLI_FAILED;
        else if (!K)
            status = no_memory();
        else
            arne_parameters(arne_data_settings_used(d), K);
        options.structure = K;
    }
    if (!status) tell_base_time(r, "");
    if (!status && arne_base_find(r->model, &options, b, &error)) status = complain_at(r->path, 0, "%s", error.message);
    arne_data_free(d);
    free(K);
    return status;
}

/* the base parameters of a robot some of whose symbols have no numbers */
static int find_symbolic(const arguments *a, const robot *r, bool structure, arne_base *b)
{
    robot other;
    arne_base *second = NULL;
    int status = robot_open_symbolic(a, a->words[0], 2, &other);
    if (status) return status;
    status = find(a, &other, structure, &second);
    if (!status && !forget_numbers(b, second))
        status = complain_at(r->path, 0, "the groups of this robot have no closed form: symbol %s needs a number, --set %s=VALUE",
                             r->description->open[0], r->description->open[0]);
    arne_base_free(second);
    robot_close(&other);
    return status;
}

static int run(const arguments *a)
{
    static const char *const inertias[] = {"general", "file", NULL};
    const int format = option_json(a), inertia = option_choice(a, "inertia", inertias, 0);
    if (format < 0 || inertia < 0) return CLI_MISUSED;
    robot r;
    int status = robot_open_symbolic(a, a->words[0], 1, &r);
    if (status) return status;
    arne_base *b = NULL;
    out o = {0};
    status = find(a, &r, inertia == 1, &b);
    arne_dimension *dimensions = status ? NULL : name_dimensions(b, &r);
    if (!status && r.description->nopen) status = find_symbolic(a, &r, inertia == 1, b);
    if (!status) {
        if (!dimensions)
            status = CLI_FAILED;
        else if (format == 1)
            print_json(b, r.model, &o);
        else
            print_text(b, &r, dimensions, !option_given(a, "no-rotors"), &o);
        if (!status) status = out_write(&o, true);
    }
    free(dimensions);
    out_free(&o);
    arne_base_free(b);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"no-rotors", NULL, false, "without the rotor inertias IA"},
    {"inertia", "general|file", false,
     "general (default): every inertial parameter is arbitrary; file: those that are zero in the file are left out"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_base = {
    .name = "base",
    .synopsis = "ROBOT [--no-rotors] [--format text|json]",
    .brief = "Base inertial parameters: the fewest that give all torques, and how the others join them",
    .text = "Geometry and gravity alone decide. Parameters of link j, in its frame: inertia about the origin XXj XYj XZj YYj\n"
            "YZj ZZj, first moments MXj MYj MZj, mass Mj, rotor inertia at the joint IAj; an R marks one that has taken in\n"
            "others. A robot given in modified Denavit-Hartenberg form keeps its frames, others have canonical ones. Symbols of\n"
            "a .par file need no numbers; a coefficient without one is null in JSON.\n",
    .options = options,
    .more_options = file_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ base rx90\n  @ base scara --no-rotors --format json\n",
    .run = run,
};
