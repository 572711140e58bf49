/* SPDX-License-Identifier: MIT
 *
 * cmd_formulations.c - one robot, every way to compute its dynamics: operations, time and agreement side by side. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/published.h"

/* ---- printing ---- */

static void print_text(const arne_model *model, const arne_count_options *o, const arne_method_result *results, out *to)
{
    const int n = arne_model_dof(model);
    out_format(to, "%s: %d %s%s; operations a call%s, %s inertial parameters\n", arne_model_name(model), n,
               arne_model_joints(model) == n ? "joint" : "freedom", n == 1 ? "" : "s", o->as_written ? " as written" : "",
               o->general ? "arbitrary" : "the file's");
    table t = {.columns = 10, .align = "lllrrrrrrr"};
    table_cells(&t, "computes", "method", "order", "mul", "add", "div", "sin/cos", "depth", "ns", "agreement");
    bool left_out = false;
    for (int k = 0; k < ARNE_METHODS; k++) {
        static const char *const orders[] = {"", "n", "n^2", "n^3"};
        const arne_method_result *x = &results[k];
        left_out = left_out || x->left_out;
        if (x->left_out || x->narrow) continue;
        const long cost[] = {x->cost.mul, x->cost.add, x->cost.div, x->cost.trig, x->cost.depth};
        table_cells(&t, x->computes, x->name, orders[x->order]);
        for (int c = 0; c < 5 && x->counted; c++) table_format(&t, "%ld", cost[c]);
        if (!x->counted) table_cells(&t, "-", "-", "-", "-", "-");
        if (x->singular) {
            table_cells(&t, "-", "singular");
            continue;
        }
        table_format(&t, "%.1f", x->ns);
        table_format(&t, "%.1e", x->agreement);
    }
    table_print(&t, "  ", to);
    const size_t words = to->length;
    if (left_out) {
        const char *between = n > ARNE_METHODS_SQUARE ? "only the methods of order n; left out: " : "left out: ";
        out_format(to, "More than %d joints: ", n > ARNE_METHODS_SQUARE ? ARNE_METHODS_SQUARE : ARNE_METHODS_CUBIC);
        for (int k = 0; k < ARNE_METHODS; k++) {
            if (!results[k].left_out) continue;
            out_format(to, "%s%s (%s)", between, results[k].name, results[k].computes);
            between = ", ";
        }
        out_text(to, ".\n");
    }
    for (int k = 0; k < ARNE_METHODS; k++) { /* one line a reason */
        const arne_method_result *x = &results[k];
        bool told = !x->narrow;
        for (int j = 0; j < k; j++) told = told || (results[j].narrow && !strcmp(results[j].narrow, x->narrow));
        if (told) continue;
        out_text(to, "Not for joints of several freedoms:");
        const char *between = " ";
        for (int j = k; j < ARNE_METHODS; j++) {
            if (!results[j].narrow || strcmp(results[j].narrow, x->narrow)) continue;
            out_format(to, "%s%s (%s)", between, results[j].name, results[j].computes);
            between = ", ";
        }
        out_format(to, ": %s.\n", x->narrow);
    }
    out_text(to, "agreement: largest difference from arne_id as a part of the largest torque, random states.\n");
    out_fold(to, words);
}

static void print_json(const arne_model *model, const arne_count_options *o, const arne_method_result *results, out *to)
{
    json_open(to, NULL, '{');
    json_members(to, TEXT("robot", arne_model_name(model)), NUMBER("dof", arne_model_dof(model)),
                 TEXT("inertia", o->general ? "general" : "file"), TRUTH("as_written", o->as_written));
    json_open(to, "methods", '[');
    for (int k = 0; k < ARNE_METHODS; k++) {
        const arne_method_result *x = &results[k];
        if (x->left_out || x->narrow) continue;
        json_open(to, NULL, '{');
        json_members(to, TEXT("computes", x->computes), TEXT("method", x->name), NUMBER("order", x->order));
        json_operations(to, x->counted ? &x->cost : NULL);
        json_members(to, NUMBER("ns", x->singular ? NAN : x->ns), NUMBER("agreement", x->agreement));
        json_close(to, '}');
    }
    json_close(to, ']');
    json_open(to, "left_out", '[');
    for (int k = 0; k < ARNE_METHODS; k++)
        if (results[k].left_out || results[k].narrow) json_string(to, NULL, results[k].name);
    out_text(to, "]}\n");
}

typedef struct {
    arne_count_options count;
    double seconds;
    bool json;
} comparison;

static int compare(const robot *r, arne_data *d, void *context)
{
    const comparison *c = context;
    arne_method_result results[ARNE_METHODS];
    arne_error error = {0};
    if (arne_compare_methods(d, &c->count, c->seconds, results, &error))
        return error.status == ARNE_NO_MEMORY ? no_memory() : complain_at(r->path, 0, "%s", error.message);
    out to = {0};
    (c->json ? print_json : print_text)(r->model, &c->count, results, &to);
    return out_finish(&to, true);
}

/* ---- the command ---- */

/* "6" or "1..12" */
static int take_links(const char *text, int *first, int *last)
{
    const char *dots = strstr(text, "..");
    double from, to;
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    bool ok = parse_numbers(text, length, &from, 1) == 1;
    to = from;
    if (ok && dots) ok = parse_numbers(dots + 2, strlen(dots + 2), &to, 1) == 1;
    if (!ok || !(from >= 1 && from <= to && to <= PUBLISHED_LONGEST) || from != floor(from) || to != floor(to))
        return misuse("--n %s: it is a number of links, 6, or two, 1..12, between 1 and %d", text, PUBLISHED_LONGEST);
    *first = (int)from;
    *last = (int)to;
    return CLI_OK;
}

static int run(const arguments *a)
{
    const bool json = option_json(a);
    const bool published = option_given(a, "published");
    if (published && a->nword) return misuse("--published is about a general arm and takes no ROBOT, not \"%s\"", a->words[0]);
    if (!published && !a->nword) return misuse("formulations needs a ROBOT, or --published for the general arm");
    for (int k = 0; k < a->noption; k++) {
        const char *name = a->options[k].name;
        const bool arm = !strcmp(name, "n") || !strcmp(name, "all");
        if (arm && !published) return misuse("--%s belongs to --published", name);
        if (published && !arm && strcmp(name, "published") && strcmp(name, "format"))
            return misuse("--%s does not belong to --published", name);
    }
    if (published) {
        published_options p = {.first = 1, .last = 12, .all = option_given(a, "all"), .json = json};
        const char *links = option_value(a, "n");
        const int status = links ? take_links(links, &p.first, &p.last) : CLI_OK;
        return status ? status : published_print(&p);
    }
    double ms = 2;
    const int status = option_number(a, "ms", 0, false, 1000, "a number of milliseconds between 0 and 1000", &ms);
    if (status) return status;
    comparison c = {{.size = sizeof(arne_count_options),
                     .general = option_word(a, "inertia", 0) == 0,
                     .as_written = option_given(a, "as-written")},
                    1e-3 * ms,
                    json};
    return with_any_robot(a, a->words[0], compare, &c);
}

static const option options[] = {
    {"published", NULL, false, "the general arm instead of a robot: printed, recounted and our operations"},
    {"n", "N|A..B", false, "--published: numbers of links; default: 1..12"},
    {"all", NULL, false, "--published: the arrays C for more than 8 links too"},
    {"as-written", NULL, false, "count the texts as they stand: no common factors taken out, no sums balanced"},
    {"inertia", "general|file", false,
     "general (default): every inertial parameter is arbitrary; file: what is zero in the file stays zero"},
    {"ms", "NUMBER", false, "length of one of the 9 measurements in milliseconds; default: 2"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_formulations = {
    .name = "formulations",
    .synopsis = "ROBOT | --published [--n 1..12]",
    .brief = "Compares all formulations: operations, depth, time, agreement",
    .text =
        "Inverse dynamics in eight ways, the inertia matrix in two, the Coriolis arrays, forward dynamics in four. Operations\n"
        "are those of `arne count`; a dash: not counted. With --published the tables of seed 004, section 8, beside an\n"
        "independent recount and ours, for an arm with given rotation matrices. doc/formulations.md explains every\n"
        "difference.\n",
    .options = options,
    .more_options = robot_options,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ formulations rx90\n  @ formulations --published --n 6\n",
    .run = run,
};
