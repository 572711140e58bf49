/* SPDX-License-Identifier: MIT
 *
 * load.c - a robot's own code, compiled once, kept in the user's cache (cache.h), loaded. What makes it is the text itself with
 * every number of the robot, the compiler and its flags, the processor. */
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arne/arne.h"
#include "arne/batch.h"
#include "base/cache.h"
#include "base/fail.h"
#include "base/text.h"
#include "base/whole.h"
#include "codegen/code.h"

enum { MOST_LANE_RESULTS = 2000 };

#define CANNOT(error, ...) arne_fail(error, ARNE_CANNOT_WRITE, NULL, 0, __VA_ARGS__)

typedef void run_fn(size_t count, const double *q, const double *qd, const double *qdd, const double *tau, const double *qa,
                    double *out);
struct arne_loaded {
    void *library;
    run_fn *run;
};

/* ---- the text ---- */

/* Its loop over states: gathers lanes of them, calls the function, brings the results back; the rest one by one. */
static void add_loop(text_buffer *t, const arne_data *d, const function *f, int lanes)
{
    static const char *const groups[] = {"q", "qd", "qdd", "tau", "qa"};
    const arne_model *m = arne_data_model(d);
    const int size = arne_quantity_size(arne_quantity_find(f->name), m);
    int width[5];
    for (int g = 0; g < 5; g++) width[g] = !(f->inputs & 1u << g) ? 0 : g ? arne_model_nv(m) : arne_model_nq(m);
    arne__text_put(t, "\nvoid robot_run(size_t count, const double *q, const double *qd, const double *qdd, const double *tau,\n"
                      "               const double *qa, double *out)\n{\n");
    if (lanes) arne__text_put(t, "#if defined(__GNUC__)\n");
    for (int g = 0; g < 5 && lanes; g++)
        if (width[g]) arne__text_add(t, "    double %s_x[%d] __attribute__((aligned(64)));\n", groups[g], width[g] * lanes);
    if (lanes) {
        arne__text_add(t, "    double out_x[%d] __attribute__((aligned(64)));\n", size * lanes);
        arne__text_add(t, "    for (; count >= %d; count -= %d) {\n", lanes, lanes);
        for (int g = 0; g < 5; g++)
            if (width[g])
                arne__text_add(
                    t,
                    "        for (int i = 0; i < %d; i++)\n            for (int l = 0; l < %d; l++) %s_x[i * %d + l] = "
                    "%s[l * %d + i];\n        %s += %d;\n",
                    width[g], lanes, groups[g], lanes, groups[g], width[g], groups[g], width[g] * lanes);
    }
    for (int single = !lanes; single < 2; single++) {
        const char *mark = single ? "" : "_x";
        if (single) arne__text_put(t, lanes ? "    }\n#endif\n    for (; count; count--) {\n" : "    for (; count; count--) {\n");
        arne__text_add(t, "        robot_%s", f->name);
        if (!single) arne__text_add(t, "_x%d", lanes);
        arne__text_put(t, "(");
        for (int k = 0; k < CODE_INPUTS; k++)
            if (f->inputs & 1u << arne__code_inputs[k].bit) arne__text_add(t, "%s%s, ", arne__code_inputs[k].name, mark);
        arne__text_add(t, "out%s);\n", mark);
        if (!single)
            arne__text_add(t,
                           "        for (int l = 0; l < %d; l++)\n            for (int i = 0; i < %d; i++) out[l * %d + i] = "
                           "out_x[i * %d + l];\n        out += %d;\n",
                           lanes, size, size, lanes, size * lanes);
        for (int g = 0; g < 5 && single; g++)
            if (width[g]) arne__text_add(t, "        %s += %d;\n", groups[g], width[g]);
        if (single) arne__text_add(t, "        out += %d;\n    }\n", size);
    }
    arne__text_put(t, "    (void)qd, (void)qdd, (void)tau, (void)qa;\n}\n");
}

/* header, source and loop as one text */
static arne_status write_text(const arne_data *d, const char *what, int link, text_buffer *t, arne_error *error)
{
    static const char INCLUDE[] = "#include \"robot.h\"\n";
    function f;
    const int row = arne_quantity_find(what);
    if (row < 0 || !arne__code_function(what, &f)) return BAD_VALUE(error, "no code can be written for \"%.60s\"", what);
    const int size = arne_quantity_size(row, arne_data_model(d)), lanes = size <= MOST_LANE_RESULTS ? arne_batch_lanes() : 0;
    const arne_codegen_options o = {
        .size = sizeof o, .name = "robot", .what = what, .link = link, .standard = true, .lanes = lanes};
    arne_code *written;
    const arne_status status = arne_codegen(d, &o, &written, error);
    if (status) return status;
    const char *source = strstr(written->source, INCLUDE);
    arne__text_put(t, "#include <stddef.h>\n");
    arne__text_put(t, written->header);
    if (source) arne__text_put(t, source + sizeof INCLUDE - 1);
    add_loop(t, d, &f, lanes);
    arne_code_free(written);
    return source && !t->failed ? ARNE_OK : NO_MEMORY(error);
}

/* ---- compiling ---- */

static const char *const FLAGS[] = {"-std=c11",          "-O3", "-march=native", "-mtune=generic",
                                    "-ffp-contract=off", "-w",  "-shared",       "-fPIC"};
enum { FLAG_COUNT = sizeof FLAGS / sizeof *FLAGS };

static const char *compiler(void)
{
    const char *cc = getenv("CC");
    return cc && *cc ? cc : "cc";
}

/* What -march=native means: code in a folder that several machines share is that of one kind of processor. */
static cache_hash add_machine(cache_hash h)
{
    static const char *const words[] = {"model name", "flags", "CPU part", "Features"};
    char line[8192];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && line[0] != '\n')
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strncmp(line, words[k], strlen(words[k]))) h = arne__cache_word(h, line);
    if (f) fclose(f);
    return h;
}

/* The first line of what the compiler said. */
static void first_line(FILE *f, char *to, size_t size)
{
    rewind(f);
    if (!fgets(to, (int)size, f)) to[0] = '\0';
    to[strcspn(to, "\n")] = '\0';
}

/* text to the library `path`. The compiler may be several words, so a shell takes them apart. */
static arne_status compile(const text_buffer *t, const char *path, arne_error *error)
{
    const char *words[FLAG_COUNT + 12] = {"sh", "-c", "exec ${CC:-cc} \"$@\"", "sh"};
    const char *const last[] = {"-o", path, "-x", "c", "-", "-lm"};
    extern char **environ;
    FILE *in = tmpfile(), *said = tmpfile();
    posix_spawn_file_actions_t act;
    pid_t child;
    int answer = -1;
    char line[200] = "";
    memcpy(words + 4, FLAGS, sizeof FLAGS);
    memcpy(words + 4 + FLAG_COUNT, last, sizeof last);
    bool ok = in && said && fwrite(t->s, 1, t->length, in) == t->length && !fflush(in) && !posix_spawn_file_actions_init(&act);
    if (ok) {
        rewind(in);
        posix_spawn_file_actions_adddup2(&act, fileno(in), 0);
        posix_spawn_file_actions_adddup2(&act, fileno(said), 1);
        posix_spawn_file_actions_adddup2(&act, fileno(said), 2);
        ok = !posix_spawn(&child, "/bin/sh", &act, NULL, (char *const *)words, environ);
        while (ok && waitpid(child, &answer, 0) < 0 && errno == EINTR) {}
        posix_spawn_file_actions_destroy(&act);
        first_line(said, line, sizeof line);
    }
    if (in) fclose(in);
    if (said) fclose(said);
    if (!ok) return CANNOT(error, "no compiler can be started: %s", strerror(errno));
    if (answer == 0) return ARNE_OK;
    return WIFEXITED(answer) && WEXITSTATUS(answer) == 127
               ? CANNOT(error, "there is no compiler %.60s (the variable CC names another one)", compiler())
               : CANNOT(error, "%.60s does not compile the code: %s", compiler(), line);
}

static arne_status make(const text_buffer *t, const char *path, arne_error *error)
{
    whole_file w;
    arne_status status = arne__whole_open(&w, path, error);
    if (status) return status;
    status = w.part ? compile(t, w.part, error) : CANNOT(error, "%s is no file", path);
    if (!status && !arne__cache_seal(w.part))
        status = arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot write: %s", strerror(errno));
    return arne__whole_close(&w, status, error);
}

static bool load(const char *path, arne_loaded *c)
{
    size_t size;
    char *whole = arne__cache_read(path, &size);
    free(whole);
    if (!whole) return false;
    c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = c->library ? dlsym(c->library, "robot_run") : NULL;
    memcpy(&c->run, &found, sizeof found); /* ISO C has no cast for it */
    return found != NULL;
}

/* ---- the door ---- */

void arne_loaded_free(arne_loaded *c)
{
    if (c && c->library) dlclose(c->library);
    free(c);
}

static arne_status fetch(const text_buffer *t, const char *what, arne_loaded *c, arne_error *error)
{
    char path[CACHE_LONGEST];
    cache_hash h = arne__cache_add(arne__cache_word(arne__cache_start(), compiler()), t->s, t->length);
    for (int i = 0; i < FLAG_COUNT; i++) h = arne__cache_word(h, FLAGS[i]);
    arne_status status = arne__cache_path(what, add_machine(h), "so", path, error);
    if (status || load(path, c)) return status;
    status = make(t, path, error);
    if (!status && !load(path, c)) status = CANNOT(error, "the compiled code %s does not load: %s", path, dlerror());
    return status;
}

arne_status arne_code_load(const arne_data *d, const char *what, int link, arne_loaded **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!d || !what || !out) return BAD_ARGUMENT(error, "code needs data, the name of a function and a place");
    text_buffer t = {0};
    arne_loaded *c = calloc(1, sizeof *c);
    arne_status status = c ? write_text(d, what, link, &t, error) : NO_MEMORY(error);
    if (!status) status = fetch(&t, what, c, error);
    arne__text_free(&t);
    if (status)
        arne_loaded_free(c);
    else
        *out = c;
    return status;
}

void arne_code_run(const arne_loaded *c, size_t count, const arne_state *x, double *out)
{
    c->run(count, x->q, x->qd, x->qdd, x->tau, x->qa, out);
}
