/* SPDX-License-Identifier: MIT
 *
 * cmd_help.c - help, made from the tables of the commands; so are the manual page and the completions for shells. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { MARGIN = 100 };

/* Prints text with '@' replaced by the program. */
static void expand(const char *text, const char *program)
{
    for (; *text; text++) {
        if (*text == '@')
            fputs(program, stdout);
        else
            putchar(*text);
    }
}

/* Words of text from column `at` on, wrapped at the margin. */
static void wrap(const char *text, int at)
{
    for (int column = at; *text;) {
        int n = (int)strcspn(text, " ");
        if (column > at && column + n > MARGIN) {
            printf("\n%*s", at, "");
            column = at;
        }
        printf("%s%.*s", column > at ? " " : "", n, text);
        column += n + 1;
        text += n;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void heading(const char *text)
{
    const bool bold = colourful(stdout);
    printf("%s%s%s", bold ? "\033[1m" : "", text, bold ? "\033[0m" : "");
}

static void print_options(const command *c)
{
    const option *o;
    for (int k = 0; (o = command_option(c, k)); k++) {
        char left[96];
        int n = snprintf(left, sizeof left, "  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        if (n < 30)
            printf("%-30s", left);
        else
            printf("%s\n%30s", left, "");
        wrap(o->help, 30);
    }
}

static int print_overview(const char *program)
{
    printf("arne %s - the dynamics of robots\n\n", ARNE_VERSION);
    heading("usage:");
    puts(" arne COMMAND ...\n");
    for (const command *const *c = all_commands(); *c; c++) {
        char name[32];
        snprintf(name, sizeof name, "%-14s", (*c)->name);
        fputs("  ", stdout);
        heading(name);
        puts((*c)->brief);
    }
    puts("\nROBOT is a file (.urdf, .yaml, .par) or the name of a shipped robot (arne robots).");
    puts("Units: SI, radians. Exit status: 0 success, 1 bad input or failure, 2 wrong usage, 3 not feasible (feasible --check).");
    printf("More: %s help COMMAND\n", program);
    return CLI_OK;
}

int print_help(const command *c, const char *program)
{
    if (!c) return print_overview(program);
    heading("usage:");
    printf(" arne %s %s\n\n%s.\n", c->name, c->synopsis, c->brief);
    if (c->details) {
        putchar('\n');
        c->details(stdout);
    }
    if (c->text) printf("\n%s", c->text);
    heading("\noptions:\n");
    print_options(c);
    heading("\nexample:\n");
    expand(c->example, program);
    return CLI_OK;
}

static int run(const arguments *a)
{
    const bool man = option_given(a, "man"), completion = option_given(a, "completion");
    if (man + completion + (a->nword > 0) > 1) return misuse("help takes one of COMMAND, --man and --completion");
    if (man) print_manual();
    if (completion) print_completion(option_word(a, "completion", 0) == 1);
    if (man || completion) return CLI_OK;
    char hint[192];
    const command *c = a->nword ? find_command(a->words[0], hint) : NULL;
    if (c || !a->nword) return print_help(c, a->program);
    return misuse("no such command in this version: \"%s\"%s (the commands: arne help)", a->words[0], hint);
}

static const option options[] = {
    {"man", NULL, false, "prints the manual page, for man"},
    {"completion", "bash|zsh", false, "prints what the shell needs to complete command lines of arne"},
    {0},
};

const command command_help = {
    .name = "help",
    .synopsis = "[COMMAND | --man | --completion bash|zsh]",
    .brief = "Help on arne or on one command",
    .options = options,
    .max_words = 1,
    .word = "COMMAND",
    .example = "  @ help eval\n"
               "  @ help --man > arne.1\n"
               "  @ help --completion bash > arne.bash\n",
    .run = run,
};
