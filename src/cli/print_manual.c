/* SPDX-License-Identifier: MIT
 *
 * print_manual.c - the manual page arne(1), roff for man, made from the tables of the commands. */
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "cli/cli.h"

/* Text as it stands: what roff takes for its own (backslash, dash, a point or quote that starts a line) is escaped. program:
 * what '@' stands for, NULL: itself. */
static void roff_of(const char *text, const char *program)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        start = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '@' && program)
            fputs(program, stdout);
        else
            putchar(*text);
    }
}

static void roff(const char *text) { roff_of(text, NULL); }

/* Lines that keep their ends and their columns. */
static void verbatim(const char *text, const char *program)
{
    puts(".PP\n.EX");
    roff_of(text, program);
    if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
    puts(".EE");
}

/* Lines are filled, but for those that begin with a blank. */
static void paragraphs(const char *text)
{
    bool kept = false;
    puts(".PP");
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        char line[256];
        n = strcspn(text, "\n");
        if (n == 0) {
            puts(kept ? ".EE\n.PP" : ".PP");
            kept = false;
            continue;
        }
        if ((*text == ' ') != kept) puts((kept = !kept) ? ".EX" : ".EE");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        roff(line);
        putchar('\n');
    }
    if (kept) puts(".EE");
}

static void options(const option *o)
{
    for (; o && o->name; o++) {
        fputs(".TP\n.B \\-\\-", stdout);
        roff(o->name);
        if (o->value) {
            fputs(" \\fI", stdout);
            roff(o->value);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        roff(o->help);
        putchar('\n');
    }
}

static void details(const command *c)
{
    text_buffer text = {0};
    FILE *memory = arne__text_stream(&text);
    if (!memory) return;
    c->details(memory);
    if (arne__text_stream_close(memory, &text)) verbatim(text.s, NULL);
    arne__text_free(&text);
}

static void one_command(const command *c)
{
    fputs(".SS \"arne ", stdout);
    roff(c->name);
    putchar(' ');
    roff(c->synopsis);
    puts("\"");
    roff(c->brief);
    puts(".");
    if (c->details) details(c);
    if (c->text) paragraphs(c->text);
    options(c->options);
    if (c->more_options == robot_options)
        puts(".PP\nand the options about the robot.");
    else
        options(c->more_options);
    puts(".PP\nExample:");
    verbatim(c->example, "arne");
}

void print_manual(void)
{
    printf(".TH ARNE 1 \"\" \"arne %s\" \"User Commands\"\n", ARNE_VERSION);
    puts(".SH NAME\narne \\- the dynamics of robots\n"
         ".SH SYNOPSIS\n.B arne\n.I COMMAND\n.RI [ options ]\n.PP\n.B arne help\n.RI [ COMMAND ]\n"
         ".SH DESCRIPTION\n"
         "Give it a robot file, get torques, accelerations, inertia matrices, derivatives, base parameters, C code, simulations\n"
         "and reports.\n.I ROBOT\nis a file (.urdf, .sdf, .xml of MuJoCo, .yaml, .par) or the name of a shipped robot\n.RB ( "
         "\"arne robots\" ).\n"
         "Units are SI and radians. Results go to standard output, messages to standard error.\n"
         ".SH COMMANDS");
    for (const command *const *c = all_commands(); *c; c++) one_command(*c);
    puts(".SH \"OPTIONS ABOUT THE ROBOT\"");
    options(robot_options);
    puts(".SH \"OPTIONS OF EVERY COMMAND\"");
    options(common_options);
    puts(".TP\n.B \\-\\-help\nhelp on the command\n"
         ".SH ENVIRONMENT\n.TP\n.B ARNE_ROBOTS\na folder with more robots, searched first\n"
         ".TP\n.B ARNE_SCENARIOS\na folder with more scenarios, searched first\n"
         ".TP\n.B NO_COLOR\nno colours on a terminal, whatever its value\n"
         ".SH \"EXIT STATUS\"\n0 success, 1 bad input or failure, 2 wrong usage, 3 not feasible (feasible \\-\\-check), 128 + "
         "its number: a signal ended simulate.\n"
         ".SH \"SEE ALSO\"\n.BR gnuplot (1)");
}
