/* SPDX-License-Identifier: MIT
 *
 * main.c - the program `arne`: finds the command and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "base/clock.h"

const command *const *all_commands(void)
{
    static const command *const list[] = {&command_info,
                                          &command_eval,
                                          &command_convert,
                                          &command_robots,
                                          &command_count,
                                          &command_equations,
                                          &command_formulations,
                                          &command_codegen,
                                          &command_base,
                                          &command_feasible,
                                          &command_plan,
                                          &command_elastic,
                                          &command_observe,
                                          &command_variants,
                                          &command_reach,
                                          &command_identify,
                                          &command_report,
                                          &command_simulate,
                                          &command_sweep,
                                          &command_excite,
                                          &command_bench,
                                          &command_help,
                                          NULL};
    return list;
}

const command *find_command(const char *name, char hint[192])
{
    nearest near = {.word = name};
    for (const command *const *c = all_commands(); *c; c++) {
        if (!strcmp((*c)->name, name)) return *c;
        arne__nearest_offer(&near, (*c)->name);
    }
    arne__nearest_hint(&near, hint, 192);
    return NULL;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) return true;
    return false;
}

/* Runs the command on its words; with --verbose says how long it took. */
static int perform(const command *c, int argc, char **argv, const char *program)
{
    arguments a = {.program = program};
    const double begin = arne__clock_now();
    int status = arguments_parse(c, argc, argv, &a);
    if (!status) status = c->run(&a);
    tell(&a, "%s took %.3f s", c->name, arne__clock_now() - begin);
    arguments_free(&a);
    return status;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: arne COMMAND ...   (the commands: arne help)\n", stderr);
        return CLI_MISUSED;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version")) {
        printf("arne %s\n", arne_version());
        return CLI_OK;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) return print_help(NULL, argv[0]);
    char hint[192];
    const command *c = find_command(name, hint);
    if (!c && alias_command(name, hint, sizeof hint)) return misuse("there is no command \"%s\"; arne calls it: %s", name, hint);
    if (!c) return misuse("there is no command \"%s\"%s (the commands: arne help)", name, hint);
    return asks_for_help(argc - 2, argv + 2) ? print_help(c, argv[0]) : perform(c, argc - 2, argv + 2, argv[0]);
}

int main(int argc, char **argv)
{
    /* A closed standard stream must not come back as the next file that is opened; writing to this one still fails. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return CLI_FAILED;

    /* memory that ends must not take the words with it */
    static char said[BUFSIZ];
    setvbuf(stdout, said, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof said);
    catch_signals();
    int status = dispatch(argc, argv);
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return status;
    if (status || errno == EPIPE) return status ? status : CLI_FAILED;
    return complain("cannot write the output: %s", strerror(errno ? errno : EIO));
}
