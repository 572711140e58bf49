/* SPDX-License-Identifier: MIT
 *
 * cmd_codegen.c - writes C code for one robot. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/codegen.h"
#include "base/whole.h"
#include "cli/cli.h"

enum { FILES = 3, LONGEST = 2048 };

static void print_names(FILE *to)
{
    fputs("LIST:\n", to);
    for (int i = 0; arne_codegen_name(i); i++) fprintf(to, "  %-17s%s\n", arne_codegen_name(i), arne_codegen_about(i));
}

/* All files or none: each is written beside its place first, then all are moved. */
static int write_files(const char *folder, const char *name, const char *const ending[FILES], char *const text[FILES])
{
    int files = 0;
    char path[FILES][LONGEST];
    whole_file w[FILES] = {0};
    arne_error error = {0};
    bool made = false;
    if (strlen(folder) + strlen(name) + 16 > LONGEST) return complain("--out: the path is too long");
    arne_status status = arne__whole_folder(folder, &made, &error);
    for (int i = 0; i < FILES && !status; i++) {
        if (!ending[i]) continue;
        snprintf(path[i], LONGEST, "%s/%s%s", folder, name, ending[i]);
        status = arne__whole_open(&w[files], path[i], &error);
        if (status) break;
        fputs(text[i], w[files++].file);
    }
    status = arne__whole_close_all(w, files, status, &error);
    arne__whole_folder_done(folder, made, status);
    return checked(status, &error);
}

/* the file, without its folder, and where its numbers come from */
static void say_source(const robot *r, char *source, size_t size)
{
    const char *slash = strrchr(r->path, '/'), *from = r->description->source;
    snprintf(source, size, "%s%s%s", slash ? slash + 1 : r->path, from ? "; " : "", from ? from : "");
}

static int generate(const arguments *a, const robot *r, const arne_codegen_options *o, const char *folder)
{
    const bool quiet = option_given(a, "quiet"), test = option_given(a, "test");
    arne_data *d = robot_data(r);
    if (!d) return CLI_FAILED;
    arne_code *code;
    arne_error error = {0};
    int status = CLI_OK;
    if (!o->standard) tell_base_time(r, "; --params standard takes none of them");
    if (arne_codegen(d, o, &code, &error)) status = complain("%s (see: arne help codegen)", error.message);
    if (!status && code->standard && !o->standard && !quiet)
        warn("base parameters would change the torques by %.0e of the largest: the code has the standard ones", code->distance);
    const char *const c[] = {".c", ".h", test ? "_test.c" : NULL}, *const cuda[] = {NULL, ".cuh", test ? "_test.cu" : NULL};
    if (!status)
        status = write_files(folder, o->name, o->cuda ? cuda : c, (char *const[]){code->source, code->header, code->test});
    if (!status && !quiet) {
        if (o->cuda)
            printf("%s/%s.cuh: %s\n", folder, o->name, o->what);
        else
            printf("%s/%s.c and %s.h: %s\n", folder, o->name, o->name, o->what);
        if (test && o->cuda) printf("%s/%s_test.cu: nvcc %s_test.cu && ./a.out\n", folder, o->name, o->name);
        if (test && !o->cuda) printf("%s/%s_test.c: cc %s.c %s_test.c -lm && ./a.out\n", folder, o->name, o->name, o->name);
    }
    arne_code_free(code);
    arne_data_free(d);
    return status;
}

static int run(const arguments *a)
{
    static const char *const params[] = {"base", "standard", NULL}, *const targets[] = {"c", "cuda", NULL};
    static const char *const reals[] = {"double", "float", NULL}, *const lanes[] = {"2", "4", "8", "16", NULL};
    static const char *const abis[] = {"plain", "casadi", NULL};
    const char *folder = option_value(a, "out"), *what = option_value(a, "what"), *link = option_value(a, "link");
    const int parameters = option_choice(a, "params", params, 0), real = option_choice(a, "real", reals, 0);
    const int wide = option_choice(a, "lanes", lanes, -2), abi = option_choice(a, "abi", abis, 0);
    const int target = option_choice(a, "target", targets, 0);
    if (parameters < 0 || real < 0 || wide == -1 || abi < 0 || target < 0) return CLI_MISUSED;
    if (abi == 1 && option_given(a, "test")) return misuse("--test is for plain functions: leave it out, or --abi casadi");
    if (!folder) return misuse("codegen needs a folder for its files: --out DIR");
    robot r;
    int status = robot_open_moving(a, a->words[0], &r);
    if (status) return status;
    const char *given = option_value(a, "name"), *from = given ? given : arne_model_name(r.model);
    char name[64], source[512];
    snprintf(name, sizeof name, "%.60s", from);
    if (!given) /* the robot's name as an identifier */
        for (char *c = name; *c; c++)
            if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", *c) ||
                (c == name && *c >= '0' && *c <= '9'))
                *c = '_';
    say_source(&r, source, sizeof source);
    arne_codegen_options o = {.size = sizeof o,
                              .name = name,
                              .what = what ? what : "id,fd,mass,bias,gravity",
                              .link = arne_model_tip(r.model),
                              .standard = parameters == 1,
                              .live = option_given(a, "live"),
                              .single = real == 1 && target == 0,
                              .lanes = wide < 0 ? 0 : 2 << wide,
                              .source = source,
                              .cuda = target == 1,
                              .casadi = abi == 1};
    if (link) status = robot_link(&r, link, &o.link);
    if (!status) status = generate(a, &r, &o, folder);
    robot_close(&r);
    return status;
}

static const option options[] = {
    {"what", "LIST", false, "the functions to write; default: id,fd,mass,bias,gravity"},
    {"out", "DIR", false, "the folder for NAME.c and NAME.h; it is made if it is not there"},
    {"name", "NAME", false, "prefix of files and functions; default: the robot's name"},
    {"link", "LINK", false, "link of pose and jacobian; default: the deepest beyond the last moving joint, or --tool"},
    {"test", NULL, false, "also NAME_test.c, which checks the code against stored answers"},
    {"params", "base|standard", false,
     "base (default): grouped inertial parameters, fewer operations; standard: the bits of arne eval"},
    {"live", NULL, false,
     "inertial parameters are the first argument of every function, NAME_parameters those of the robot: payloads and "
     "identified models need no new code"},
    {"lanes", "2|4|8|16", false, "also functions NAME_..._xN of N states a call, on vectors of gcc and clang (16: floats)"},
    {"real", "double|float", false, "double (default), or single precision throughout: arguments, constants, sines"},
    {"target", "c|cuda", false,
     "c (default): C11; cuda: NAME.cuh, templates of double and float for nvcc and any C++17 compiler, and kernels over arrays"},
    {"abi", "plain|casadi", false,
     "plain (default): void NAME_id(q, qd, qdd, tau); casadi: functions that CasADi and acados load as external, with sparsity "
     "patterns and the Jacobians jac_NAME_id, fd, bias, gravity"},
    {0},
};

const command command_codegen = {
    .name = "codegen",
    .synopsis = "ROBOT --out DIR [--what LIST] [--name NAME] [--live] [--lanes N] [--real float] [--abi casadi] [--target cuda]",
    .brief = "Writes C code for this robot alone: straight lines, its constants burnt in",
    .details = print_names,
    .text = "The code is stand-alone C11, needs libm, allocates nothing and has no state. Its header is a receipt: joints in\n"
            "order, the layout of q and qd where a joint has several freedoms, operations, depth. Functions: void NAME_id(const "
            "double *q, const double *qd, const double *qdd, double "
            "*tau), ...\n"
            "Friction and rotor inertia are in it unless --rigid. Functions of N states hold entry i of state l at i N + l of\n"
            "every array and give the bits of the others.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ codegen puma560 --what id,fd,mass --out /tmp/puma560 --test\n"
               "  @ codegen ur5e --what id --live --lanes 8 --out /tmp/ur5e\n"
               "  @ codegen ur5e --what id,gravity --real float --out /tmp/ur5e32\n"
               "  @ codegen ur5e --what fd --abi casadi --out /tmp/ur5e_casadi\n"
               "  @ codegen ur5e --what id,did --target cuda --out /tmp/ur5e_cuda\n",
    .run = run,
};
