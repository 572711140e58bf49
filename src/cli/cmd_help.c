/* SPDX-License-Identifier: MIT
 *
 * cmd_help.c - help, made from the tables of the commands. */
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

static void print_options(const option *o)
{
    for (; o && o->name; o++) {
        char left[96];
        int n = snprintf(left, sizeof left, "  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        if (n < 30)
            printf("%-30s", left);
        else
            printf("%s\n%30s", left, "");
        wrap(o->help, 30);
    }
}

static void print_overview(const char *program)
{
    printf("arne %s - the dynamics of robots\n\nusage: arne COMMAND ...\n\n", ARNE_VERSION);
    for (const command *const *c = all_commands(); *c; c++) printf("  %-14s%s\n", (*c)->name, (*c)->brief);
    puts("\nROBOT is a file (.urdf, .yaml, .par) or the name of a shipped robot (arne robots).");
    puts("Units: SI, radians. Exit status: 0 success, 1 bad input or failure, 2 wrong usage.");
    printf("More: %s help COMMAND\n", program);
}

void print_help(const command *c, const char *program)
{
    if (!c) {
        print_overview(program);
        return;
    }
    printf("usage: arne %s %s\n\n%s.\n", c->name, c->synopsis, c->brief);
    if (c->details) {
        putchar('\n');
        c->details();
    }
    if (c->text) printf("\n%s", c->text);
    if (c->options || c->more_options) puts("\noptions:");
    print_options(c->options);
    print_options(c->more_options);
    printf("\nexample:\n");
    expand(c->example, program);
}

static int run(const arguments *a)
{
    if (a->nword == 0) {
        print_help(NULL, a->program);
        return CLI_OK;
    }
    nearest near = {0};
    for (const command *const *c = all_commands(); *c; c++) {
        if (!strcmp((*c)->name, a->words[0])) {
            print_help(*c, a->program);
            return CLI_OK;
        }
        nearest_offer(&near, a->words[0], (*c)->name);
    }
    char hint[192];
    nearest_hint(&near, hint, sizeof hint);
    return misuse("no such command in this version: \"%s\"%s (the commands: arne help)", a->words[0], hint);
}

const command command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .brief = "Help on arne or on one command",
    .max_words = 1,
    .word = "COMMAND",
    .example = "  @ help eval\n",
    .run = run,
};
