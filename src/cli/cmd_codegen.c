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
#include "arne/identify.h"
#include "base/whole.h"
#include "cli/cli.h"

enum { FILES = 3, LONGEST = 2048 };

/* what grouping may cost, beside the largest torque */
static const double REDUCED = 1e-12;

static void print_names(FILE *to)
{
    fputs("LIST:\n", to);
    for (int i = 0; arne_codegen_name(i); i++) fprintf(to, "  %-17s%s\n", arne_codegen_name(i), arne_codegen_about(i));
}

/* All files or none: each is written beside its place first, then all are moved. */
static int write_files(const char *folder, const char *name, char *const text[FILES], int files)
{
    static const char *const ending[FILES] = {".c", ".h", "_test.c"};
    char path[FILES][LONGEST];
    whole_file w[FILES] = {0};
    arne_error error = {0};
    arne_status status = ARNE_OK;
    if (strlen(folder) + strlen(name) + 16 > LONGEST) return complain("--out: the path is too long");
    if (mkdir(folder, 0777) && errno != EEXIST) return complain_at(folder, 0, "cannot make this folder: %s", strerror(errno));
    for (int i = 0; i < files && !status; i++) {
        snprintf(path[i], LONGEST, "%s/%s%s", folder, name, ending[i]);
        status = arne__whole_open(&w[i], path[i], &error);
        if (status) break;
        fputs(text[i], w[i].file);
        status = arne__whole_check(&w[i], &error);
    }
    for (int i = 0; i < files; i++) status = arne__whole_close(&w[i], status, &error);
    return checked(status, &error);
}

/* What the code is made of, from malloc. */
typedef struct {
    arne_data *d, *reduced;
    int *lean;
    int *parameters;
    double *values;
    char source[512];
} ingredients;

static void throw_away(ingredients *g)
{
    free(g->lean);
    free(g->parameters);
    free(g->values);
    arne_data_free(g->reduced);
    arne_data_free(g->d);
}

/* the base parameters of the robot, or all standard ones, and their values */
static int list_parameters(const robot *r, ingredients *g, bool base, arne_codegen_options *o)
{
    const int all = ARNE_LINK_PARAMETERS * arne_model_dof(r->model);
    const arne_base_options options = {.no_rotors = r->rigid || r->description->transmission};
    arne_base *b = NULL;
    arne_error error = {0};
    g->parameters = malloc((size_t)all * sizeof *g->parameters);
    g->values = malloc((size_t)all * sizeof *g->values);
    if (!g->parameters || !g->values) return no_memory();
    if (base && arne_base_find(r->model, &options, &b, &error)) return say_error(&error);
    arne_parameters(g->d, g->values);
    if (b) arne_base_grouped(b, g->values, g->values);
    o->nparameter = b ? b->count : all;
    for (int k = 0; k < o->nparameter; k++) { /* in rising order, so values move to the front */
        g->parameters[k] = b ? b->parameters[k].parameter : k;
        g->values[k] = g->values[g->parameters[k]];
    }
    o->parameters = g->parameters;
    o->values = g->values;
    arne_base_free(b);
    return CLI_OK;
}

/* base parameters unless they are asked not to be, or cost digits (axes nearly parallel) */
static int choose_parameters(const arguments *a, const robot *r, ingredients *g, arne_codegen_options *o)
{
    bool base = !option_value(a, "params") || !strcmp(option_value(a, "params"), "base");
    if (base) {
        double distance;
        g->reduced = robot_reduced(r, g->d, false, &g->lean, &distance);
        if (!g->reduced) return CLI_FAILED;
        if (!(distance <= REDUCED)) {
            if (!option_given(a, "quiet"))
                warn("base parameters would change the torques by %.0e of the largest: the code has the standard ones", distance);
            arne_data_free(g->reduced);
            g->reduced = NULL;
            base = false;
        }
    }
    o->reduced = g->reduced;
    o->lean = g->lean;
    o->live = option_given(a, "live");
    return base || o->live ? list_parameters(r, g, base, o) : CLI_OK;
}

/* the file, without its folder, and where its numbers come from */
static void say_source(const robot *r, ingredients *g)
{
    const char *slash = strrchr(r->path, '/'), *from = r->description->source;
    snprintf(g->source, sizeof g->source, "%s%s%s", slash ? slash + 1 : r->path, from ? "; " : "", from ? from : "");
}

static int generate(const arguments *a, const robot *r, const char *name, const char *folder)
{
    static const char *const lanes[] = {"2", "4", "8", NULL};
    arne_codegen_options o = {.name = name, .what = option_value(a, "what"), .link = arne_model_links(r->model) - 1};
    const char *link = option_value(a, "link");
    const int choice = option_choice(a, "lanes", lanes, 3);
    if (choice < 0) return CLI_MISUSED;
    o.lanes = choice < 3 ? 2 << choice : 0;
    if (!o.what) o.what = "id,fd,mass,bias,gravity";
    int status = link ? robot_link(r, link, &o.link) : CLI_OK;
    ingredients g = {.d = status ? NULL : robot_data(r)};
    if (!g.d) return status ? status : CLI_FAILED;
    say_source(r, &g);
    o.source = g.source;
    status = choose_parameters(a, r, &g, &o);
    char *text[FILES] = {NULL};
    arne_error error = {0};
    if (!status && arne_codegen(g.d, &o, &text[0], &text[1], &text[2], &error))
        status = complain("%s (see: arne help codegen)", error.message);
    if (!status) status = write_files(folder, name, text, option_given(a, "test") ? 3 : 2);
    if (!status && !option_given(a, "quiet")) {
        printf("%s/%s.c and %s.h: %s\n", folder, name, name, o.what);
        if (option_given(a, "test")) printf("%s/%s_test.c: cc %s.c %s_test.c -lm && ./a.out\n", folder, name, name, name);
    }
    for (int i = 0; i < FILES; i++) free(text[i]);
    throw_away(&g);
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
    {"live", NULL, false,
     "inertial parameters are the first argument of every function, NAME_parameters those of the robot: payloads and\n"
     "identified models need no new code"},
    {"lanes", "2|4|8", false, "also functions NAME_..._xN of N states a call, on vectors of gcc and clang"},
    {"target", "c", false, "C11"},
    {0},
};

const command command_codegen = {
    .name = "codegen",
    .synopsis = "ROBOT --out DIR [--what LIST] [--name NAME] [--live] [--lanes N] [--rigid]",
    .brief = "Writes C code for this robot alone: straight lines, its constants burnt in",
    .details = print_names,
    .text = "The code is stand-alone C11, needs libm, allocates nothing and has no state. Its header is a receipt: joints in\n"
            "order, operations, depth. Functions: void NAME_id(const double *q, const double *qd, const double *qdd, double "
            "*tau), ...\n"
            "Friction and rotor inertia are in it unless --rigid. Functions of N states hold entry i of state l at i N + l of\n"
            "every array and give the bits of the others.\n",
    .options = options,
    .more_options = robot_options,
    .min_words = 1,
    .max_words = 1,
    .word = "ROBOT",
    .example = "  @ codegen puma560 --what id,fd,mass --out /tmp/puma560 --test\n"
               "  @ codegen ur5e --what id --live --lanes 8 --out /tmp/ur5e\n",
    .run = run,
};
