/* SPDX-License-Identifier: MIT
 *
 * cmd_count.c - operation counts of what arne computes for a robot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arne/count.h"
#include "cli/cli.h"
#include "cli/out.h"

static void print_names(FILE *to)
{
    fputs("LIST names, with commas between them:", to);
    for (int i = 0; arne_count_name(i); i++) fprintf(to, " %s", arne_count_name(i));
    fputs(".\n", to);
}

static int unknown(const char *word, size_t length)
{
    char hint[192], name[64];
    nearest near = {.word = name};
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
    for (int i = 0; arne_count_name(i); i++) arne__nearest_offer(&near, arne_count_name(i));
    arne__nearest_hint(&near, hint, sizeof hint);
    return misuse("--what: nothing called \"%s\" can be counted%s (arne help count lists all)", name, hint);
}

/* the name at `word`, or NULL */
static const char *known(const char *word, size_t length)
{
    for (int i = 0; arne_count_name(i); i++)
        if (strlen(arne_count_name(i)) == length && !strncmp(arne_count_name(i), word, length)) return arne_count_name(i);
    return NULL;
}

void json_operations(out *o, const arne_operations *c)
{
    json_number(o, "mul", c ? (double)c->mul : NAN);
    json_number(o, "add", c ? (double)c->add : NAN);
    json_number(o, "div", c ? (double)c->div : NAN);
    json_number(o, "trig", c ? (double)c->trig : NAN);
    json_number(o, "other", c ? (double)c->other : NAN);
    json_number(o, "depth", c ? (double)c->depth : NAN);
}

static void json_row(out *o, const char *name, const arne_operations *c, bool steps)
{
    json_open(o, name, '{');
    json_operations(o, c);
    if (steps) json_number(o, "steps", (double)c->steps);
    json_close(o, '}');
}

static void text_row(out *o, const char *name, const arne_operations *c, bool first, bool steps)
{
    if (first)
        out_format(o, "  %-20s%8s%8s%8s%8s%8s%8s%s\n", "", "mul", "add", "div", "trig", "other", "depth",
                   steps ? "   steps" : "");
    out_format(o, "  %-20s%8ld%8ld%8ld%8ld%8ld%8ld", name, c->mul, c->add, c->div, c->trig, c->other, c->depth);
    if (steps) out_format(o, "%8ld", c->steps);
    out_text(o, "\n");
}

/* head: what follows the name of the robot; empty: JSON */
static int count_all(const char *list, const arne_data *d, const arne_count_options *o, const char *head)
{
    const bool json = !*head;
    bool first = true;
    out to = {0};
    if (json)
        json_open(&to, NULL, '{');
    else
        out_format(&to, "%s%s", arne_model_name(arne_data_model(d)), head);
    for (const char *at = list;;) {
        const size_t length = strcspn(at, ",");
        const char *name = known(at, length);
        arne_operations c;
        const arne_status status = arne_count(d, name, o, &c);
        if (status) {
            out_free(&to);
            return status == ARNE_UNSUPPORTED
                       ? complain("%s is not counted: %s", name, arne_count_fault(arne_data_model(d), name, o))
                       : no_memory();
        }
        if (json)
            json_row(&to, name, &c, o->processors > 0);
        else
            text_row(&to, name, &c, first, o->processors > 0);
        first = false;
        if (!at[length]) break;
        at += length + 1;
    }
    if (json) out_text(&to, "}\n");
    return out_finish(&to, true);
}

static int run(const arguments *a)
{
    static const char *const inertias[] = {"general", "file", NULL}, *const params[] = {"base", "standard", NULL};
    const int format = option_json(a), inertia = option_choice(a, "inertia", inertias, 0);
    const int params_given = option_choice(a, "params", params, 1);
    if (format < 0 || inertia < 0 || params_given < 0) return CLI_MISUSED;
    const char *list = option_value(a, "what");
    if (!list) list = "id,fd,mass,bias,gravity";
    for (const char *at = list;; at += strcspn(at, ",") + 1) {
        const size_t length = strcspn(at, ",");
        if (!known(at, length)) return unknown(at, length);
        if (!at[length]) break;
    }
    arne_count_options o = {.size = sizeof o,
                            .general = inertia == 0,
                            .base = params_given == 0,
                            .with_wrench = option_given(a, "with-wrench"),
                            .given = option_given(a, "given-rotations"),
                            .as_written = option_given(a, "as-written")};
    const char *processors = option_value(a, "processors");
    if (processors) {
        double k;
        if (parse_numbers(processors, strlen(processors), &k, 1) != 1 || !(k >= 1 && k <= 1e6) || k != (double)(int)k)
            return misuse("--processors takes a whole number from 1 on, not \"%s\"", processors);
        o.processors = (int)k;
    }
    robot r;
    int status = robot_open_symbolic(a, a->words[0], 1, &r);
    if (status) return status;
    arne_data *d = robot_data(&r);
    status = d ? CLI_OK : CLI_FAILED;
    char head[160] = "";
    if (format == 0)
        snprintf(head, sizeof head, ": operations a call, %s %s inertial parameters%s\n",
                 inertia == 0 ? "arbitrary" : "the file's", params[params_given],
                 o.with_wrench ? ", with the wrench of the last link" : "");
    if (!status) status = count_all(list, d, &o, head);
    arne_data_free(d);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"what", "LIST", false, "what to count; default: id,fd,mass,bias,gravity"},
    {"inertia", "general|file", false,
     "general (default): every inertial parameter is arbitrary; file: what is zero in the file stays zero"},
    {"params", "standard|base", false, "standard (default) or base inertial parameters (see: arne help base)"},
    {"with-wrench", NULL, false, "the wrench of the last link on the environment is an input at run time"},
    {"given-rotations", NULL, false, "formulations: nine free entries in every rotation matrix, as the published tables count"},
    {"as-written", NULL, false, "the text as it stands: no common factors taken out, no sums balanced"},
    {"processors", "K", false, "also the steps on K processors, one operation each a step"},
    {"format", "text|json", false, "for people or for programs"},
    {0},
};

const command command_count = {
    .name = "count",
    .synopsis = "ROBOT [--what LIST] [--inertia general|file] [--with-wrench]",
    .brief = "Counts the operations of a computation for this robot",
    .details = print_names,
    .text = "The algorithm is run on expression graphs. Signs are free, and so is all work on constants of the robot\n"
            "alone; 0, 1 and -1 fold; equal expressions are computed once; common factors leave sums. trig: sine and\n"
            "cosine of one angle; depth: the longest chain of operations. Friction is not counted.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ count rx90 --what id,fd --with-wrench\n",
    .run = run,
};
