/* SPDX-License-Identifier: MIT
 *
 * cmd_help.c - help, made from the tables of the commands; so are the manual page and the completions for shells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "cli/out.h"

/* Paragraphs: their lines are filled; empty ones and those that begin with a blank keep their ends. */
static void fill(const char *text, out *o)
{
    out paragraph = {0};
    while (*text) {
        const size_t n = strcspn(text, "\n");
        const char *next = text + n + (text[n] == '\n');
        const bool kept = n == 0 || *text == ' ';
        out_format(&paragraph, "%s%.*s", paragraph.length ? " " : "", (int)n, text);
        if (kept || !*next || *next == '\n' || *next == ' ') {
            out_line(o, paragraph.s, paragraph.length, kept ? -1 : 0);
            arne__text_clear(&paragraph);
        }
        text = next;
    }
    o->failed = o->failed || paragraph.failed;
    out_free(&paragraph);
}

/* What a command says of itself, folded. */
static void details(const command *c, out *o)
{
    text_buffer text = {0};
    FILE *memory = arne__text_stream(&text);
    if (memory) c->details(memory);
    if (memory && arne__text_stream_close(memory, &text)) {
        const size_t from = o->length;
        out_text(o, text.s);
        out_fold(o, from);
    } else {
        o->failed = true;
    }
    arne__text_free(&text);
}

static void heading(const char *text, out *o)
{
    const bool bold = colourful(stdout);
    out_format(o, "%s%s%s", bold ? "\033[1m" : "", text, bold ? "\033[0m" : "");
}

static void print_options(const command *c, out *o)
{
    enum { HELP = 30 };
    const option *x;
    out line = {0};
    for (int k = 0; (x = command_option(c, k)); k++) {
        out_format(&line, "  --%s%s%s", x->name, x->value ? " " : "", x->value ? x->value : "");
        if (line.length >= HELP) out_format(o, "%s\n", arne__text_string(&line)), arne__text_clear(&line);
        out_format(&line, "%*s%s", HELP - (int)line.length, "", x->help);
        out_line(o, line.s, line.length, HELP);
        arne__text_clear(&line);
    }
    o->failed = o->failed || line.failed;
    out_free(&line);
}

static void print_overview(const char *program, out *o)
{
    out_format(o, "arne %s - the dynamics of robots\n\n", ARNE_VERSION);
    heading("usage:", o);
    out_text(o, " arne COMMAND ...\n\n");
    for (const command *const *c = all_commands(); *c; c++) {
        char name[32];
        out line = {0};
        snprintf(name, sizeof name, "%-14s", (*c)->name);
        out_text(&line, "  ");
        heading(name, &line);
        out_text(&line, (*c)->brief);
        out_line(o, line.s, line.length, 16);
        o->failed = o->failed || line.failed;
        out_free(&line);
    }
    out_text(o, "\nROBOT is a file (.urdf, .sdf, .xml of MuJoCo, .yaml, .par) or the name of a shipped\nrobot (arne robots).\n"
                "Units: SI, radians. Exit status: 0 success, 1 bad input or failure, 2 wrong usage, 3 not feasible\n"
                "(feasible --check), 128 + its number after a signal.\n"
                "Words of Pinocchio, MuJoCo, KDL, RBDL and others are understood: eval --want rnea,M.\n");
    out_format(o, "More: %s help COMMAND\n", program);
}

static void print_command(const command *c, const char *program, out *o)
{
    out usage = {0};
    heading("usage:", &usage);
    out_format(&usage, " arne %s %s", c->name, c->synopsis);
    out_line(o, usage.s, usage.length, (int)strlen(c->name) + 13);
    o->failed = o->failed || usage.failed;
    out_free(&usage);
    out_format(o, "\n%s.\n", c->brief);
    if (c->details) out_text(o, "\n"), details(c, o);
    if (c->text) out_text(o, "\n"), fill(c->text, o);
    heading("\noptions:\n", o);
    print_options(c, o);
    heading("\nexample:\n", o);
    for (const char *text = c->example; *text; text++) { /* '@' stands for the program */
        if (*text == '@')
            out_text(o, program);
        else
            out_format(o, "%c", *text);
    }
}

int print_help(const command *c, const char *program)
{
    out o = {0};
    if (c)
        print_command(c, program, &o);
    else
        print_overview(program, &o);
    return out_finish(&o, false);
}

/* Names that a shell may offer. */
static int print_names(const arguments *a)
{
    enum { ROBOTS, SCENARIOS, LINKS };
    const int kind = option_word(a, "words", ROBOTS);
    if (a->nword != (kind == LINKS)) return misuse("help --words takes %s", kind == LINKS ? "links ROBOT" : "no other word");
    arne_error error = {0};
    if (kind == LINKS) {
        robot r;
        const int status = robot_open_any(a, a->words[0], &r);
        if (status) return status;
        for (int i = 0; i < arne_model_links(r.model); i++) puts(arne_link_name(r.model, i));
        robot_close(&r);
        return CLI_OK;
    }
    arne_robot_place *list;
    size_t count;
    if ((kind == ROBOTS ? arne_robots : arne_scenarios)(&list, &count, &error)) return say_error(&error);
    for (size_t i = 0; i < count; i++) puts(list[i].name);
    arne_robots_free(list, count);
    return CLI_OK;
}

static int run(const arguments *a)
{
    const bool man = option_given(a, "man"), completion = option_given(a, "completion"), words = option_given(a, "words");
    const bool commands = option_given(a, "table");
    if (man + completion + commands + (a->nword > 0 || words) > 1)
        return misuse("help takes one of COMMAND, --man, --completion, --words and --table");
    if (commands) return print_commands();
    if (words) return print_names(a);
    if (man) print_manual();
    if (completion) print_completion(option_word(a, "completion", 0) == 1);
    if (man || completion) return CLI_OK;
    char hint[192];
    const command *c = a->nword ? find_command(a->words[0], hint) : NULL;
    if (c || !a->nword) return print_help(c, a->program);
    if (alias_command(a->words[0], hint, sizeof hint))
        return misuse("there is no command \"%s\"; arne calls it: %s", a->words[0], hint);
    return misuse("no such command in this version: \"%s\"%s (the commands: arne help)", a->words[0], hint);
}

static const option options[] = {
    {"man", NULL, false, "prints the manual page, for man"},
    {"completion", "bash|zsh", false, "prints what the shell needs to complete command lines of arne"},
    {"words", "robots|scenarios|links", false, "prints names, one a line; those of links need a ROBOT: help --words links ROBOT"},
    {"table", NULL, false, "prints all commands and their options as JSON, for programs"},
    {0},
};

const command command_help = {
    .name = "help",
    .synopsis = "[COMMAND | --man | --completion bash|zsh | --words robots|scenarios|links [ROBOT] | --table]",
    .brief = "Help on arne or on one command",
    .options = options,
    .max_words = 1,
    .word = "COMMAND",
    .example = "  @ help eval\n"
               "  @ help --man > arne.1\n"
               "  @ help --completion bash > arne.bash\n",
    .run = run,
};
