/* SPDX-License-Identifier: MIT
 *
 * cmd_codegen.c - writes C code for one robot. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/codegen.h"
#include "cli/cli.h"

enum { FILES = 3, LONGEST = 2048 };

/* what grouping may cost, beside the largest torque */
static const double REDUCED = 1e-12;

static void print_names(void)
{
    puts("LIST:");
    for (int i = 0; arne_codegen_name(i); i++) printf("  %-17s%s\n", arne_codegen_name(i), arne_codegen_about(i));
}

/* All files or none: each is written beside its place first, then all are moved. */
static int write_files(const char *folder, const char *name, char *const text[FILES], int files)
{
    static const char *const ending[FILES] = {".c", ".h", "_test.c"};
    char path[FILES][LONGEST], draft[FILES][LONGEST + 8];
    int status = CLI_OK, written = 0;
    if (strlen(folder) + strlen(name) + 16 > LONGEST) return complain("--out: the path is too long");
    if (mkdir(folder, 0777) && errno != EEXIST) return complain_at(folder, 0, "cannot make this folder: %s", strerror(errno));
    for (; written < files && !status; written++) {
        snprintf(path[written], LONGEST, "%s/%s%s", folder, name, ending[written]);
        snprintf(draft[written], sizeof draft[written], "%s.part", path[written]);
        FILE *f = fopen(draft[written], "w");
        if (!f) {
            status = complain_at(path[written], 0, "cannot write: %s", strerror(errno));
            break;
        }
        const bool ok = fputs(text[written], f) >= 0;
        if ((fclose(f) != 0) | !ok) status = complain_at(path[written], 0, "cannot write: %s", strerror(errno));
    }
    for (int i = 0; i < files && !status; i++)
        if (rename(draft[i], path[i])) status = complain_at(path[i], 0, "cannot write: %s", strerror(errno));
    for (int i = 0; i < written && status; i++) remove(draft[i]);
    return status;
}

static int generate(const arguments *a, const robot *r, const char *name, const char *folder)
{
    arne_codegen_options o = {.name = name, .what = option_value(a, "what"), .link = arne_model_links(r->model) - 1};
    const char *link = option_value(a, "link");
    if (!o.what) o.what = "id,fd,mass,bias,gravity";
    int status = link ? robot_link(r, link, &o.link) : CLI_OK;
    arne_data *d = status ? NULL : robot_data(r);
    if (!d) return status ? status : CLI_FAILED;
    /* base parameters unless they are asked not to be, or cost digits (axes nearly parallel) */
    arne_data *reduced = NULL;
    int *lean = NULL;
    if (!option_value(a, "params") || !strcmp(option_value(a, "params"), "base")) {
        double distance;
        reduced = robot_reduced(r, d, false, &lean, &distance);
        if (!reduced) status = CLI_FAILED;
        if (reduced && !(distance <= REDUCED)) {
            if (!option_given(a, "quiet"))
                warn("base parameters would change the torques by %.0e of the largest: the code has the standard ones", distance);
            arne_data_free(reduced);
            reduced = NULL;
        }
    }
    o.reduced = reduced;
    o.lean = lean;
    char *text[FILES] = {NULL};
    arne_error error = {0};
    if (!status && arne_codegen(d, &o, &text[0], &text[1], &text[2], &error))
        status = complain("%s (see: arne help codegen)", error.message);
    if (!status) status = write_files(folder, name, text, option_given(a, "test") ? 3 : 2);
    if (!status && !option_given(a, "quiet")) {
        printf("%s/%s.c and %s.h: %s\n", folder, name, name, o.what);
        if (option_given(a, "test")) printf("%s/%s_test.c: cc %s.c %s_test.c -lm && ./a.out\n", folder, name, name, name);
    }
    for (int i = 0; i < FILES; i++) free(text[i]);
    free(lean);
    arne_data_free(reduced);
    arne_data_free(d);
    return status;
}

static int run(const arguments *a)
{
    static const char *const params[] = {"base", "standard", NULL}, *const targets[] = {"c", NULL};
    const char *folder = option_value(a, "out");
    if (option_choice(a, "params", params, 0) < 0 || option_choice(a, "target", targets, 0) < 0) return CLI_MISUSED;
    if (!folder) return misuse("codegen needs a folder for its files: --out DIR");
    robot r;
    int status = robot_open(a, a->words[0], &r);
    if (status) return status;
    const char *given = option_value(a, "name"), *from = given ? given : arne_model_name(r.model);
    char name[64];
    snprintf(name, sizeof name, "%.60s", from);
    if (!given) /* the robot's name as an identifier */
        for (char *c = name; *c; c++)
            if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c) ||
                (c == name && *c >= '0' && *c <= '9'))
                *c = '_';
    status = generate(a, &r, name, folder);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"what", "LIST", false, "the functions to write; default: id,fd,mass,bias,gravity"},
    {"out", "DIR", false, "the folder for NAME.c and NAME.h; it is made if it is not there"},
    {"name", "NAME", false, "prefix of files and functions; default: the robot's name"},
    {"link", "LINK", false, "link of pose and jacobian; default: the last one"},
    {"test", NULL, false, "also NAME_test.c, which checks the code against stored answers"},
    {"params", "base|standard", false,
     "base (default): grouped inertial parameters, fewer operations; standard: the bits of arne eval"},
    {"target", "c", false, "C11"},
    {0},
};

const command command_codegen = {
    .name = "codegen",
    .synopsis = "ROBOT --out DIR [--what LIST] [--name NAME] [--rigid]",
    .brief = "Writes C code for this robot alone: straight lines, its constants burnt in",
    .details = print_names,
    .text = "The code is stand-alone C11, needs libm, allocates nothing and has no state. Its header is a receipt: joints in\n"
            "order, operations, depth. Functions: void NAME_id(const double *q, const double *qd, const double *qdd, double "
            "*tau), ...\n"
            "Friction and rotor inertia are in it unless --rigid.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ codegen puma560 --what id,fd,mass --out /tmp/puma560 --test\n",
    .run = run,
};
