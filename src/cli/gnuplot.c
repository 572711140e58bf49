/* SPDX-License-Identifier: MIT
 *
 * gnuplot.c - runs gnuplot on a script and its data in a temporary folder, without a shell. */
#include "cli/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole.h"

extern char **environ;

enum { SCRIPT, DATA, PICTURE, MESSAGES, FILES };

typedef struct {
    char folder[128];
    char file[FILES][160];
} desk;

static int desk_open(desk *d)
{
    static const char *const names[FILES] = {"script", "data", "picture", "messages"};
    const char *where = getenv("TMPDIR");
    if (!where || !*where || strlen(where) > 90 || strpbrk(where, "'\n")) where = "/tmp";
    char folder[sizeof d->folder];
    snprintf(folder, sizeof folder, "%s/arne_plot_XXXXXX", where);
    if (!mkdtemp(folder)) return complain_at(where, 0, "cannot make a temporary folder: %s", strerror(errno));
    strcpy(d->folder, folder);
    for (int i = 0; i < FILES; i++) snprintf(d->file[i], sizeof d->file[i], "%s/%s", folder, names[i]);
    return CLI_OK;
}

static void desk_close(const desk *d)
{
    for (int i = 0; i < FILES; i++) unlink(d->file[i]);
    rmdir(d->folder);
}

static int write_script(const desk *d, const picture *p)
{
    out o = {0};
    out_format(&o,
               "set terminal svg size %d,%d dynamic font 'sans-serif,12' background rgb 'white'\n"
               "set datafile separator ','\n"
               "data = '%s'\n%s\n",
               p->width, p->height, d->file[DATA], p->script);
    return out_file(&o, d->file[SCRIPT]);
}

/* Exit status of gnuplot, or -1 when it cannot be started (errno). */
static int run(const desk *d)
{
    char program[] = "gnuplot", defaults[] = "-d", script[sizeof d->file[SCRIPT]];
    strcpy(script, d->file[SCRIPT]);
    char *const words[] = {program, defaults, script, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return -1;
    int bad = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!bad) bad = posix_spawn_file_actions_addopen(&actions, 1, d->file[PICTURE], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!bad) bad = posix_spawn_file_actions_addopen(&actions, 2, d->file[MESSAGES], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t child = 0;
    if (!bad) bad = posix_spawnp(&child, program, &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    errno = bad;
    if (bad) return -1;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        errno = ENOENT;
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* The whole file as a string, NULL: cannot. */
static char *contents(const char *path)
{
    FILE *f = fopen(path, "r");
    struct stat about;
    if (!f) return NULL;
    char *text = !fstat(fileno(f), &about) && about.st_size >= 0 ? malloc((size_t)about.st_size + 1) : NULL;
    if (text) text[fread(text, 1, (size_t)about.st_size, f)] = 0;
    fclose(f);
    return text;
}

static int say_fault(const desk *d)
{
    char *text = contents(d->file[MESSAGES]);
    /* its last line says what is wrong */
    char *line = text ? text : "";
    for (char *c = line; c && *c;) {
        char *end = strchr(c, '\n');
        if (end) *end++ = 0;
        if (c[strspn(c, " \t^")]) line = c;
        c = end;
    }
    const int status = complain("gnuplot could not draw the picture: %.300s", *line ? line : "it gave no reason");
    free(text);
    return status;
}

static int draw(const desk *d, const picture *p, char **svg)
{
    int status = write_script(d, p);
    arne_error error = {0};
    if (!status && p->data) status = checked(arne__whole_write(d->file[DATA], p->data, strlen(p->data), &error), &error);
    if (status) return status;
    const int result = run(d);
    if (result < 0 && errno == ENOENT) return complain("pictures need gnuplot, which is not here: apt-get install gnuplot-nox");
    if (result < 0) return complain("cannot run gnuplot: %s", strerror(errno));
    if (result > 0) return say_fault(d);
    *svg = contents(d->file[PICTURE]);
    if (!*svg) return no_memory();
    const char *end = strstr(*svg, "</svg>");
    if (end) return CLI_OK;
    free(*svg);
    *svg = NULL;
    return say_fault(d);
}

int gnuplot_text(const picture *p, char **svg)
{
    desk d;
    *svg = NULL;
    int status = desk_open(&d);
    if (status) return status;
    status = draw(&d, p, svg);
    desk_close(&d);
    return status;
}

int gnuplot_file(const picture *p, const char *path)
{
    char *svg;
    int status = gnuplot_text(p, &svg);
    arne_error error = {0};
    if (!status) status = checked(arne__whole_write(path, svg, strlen(svg), &error), &error);
    free(svg);
    return status;
}

int gnuplot_draw(out *script, out *data, int width, int height, const char *path)
{
    const picture p = {script->s, data->s, width, height};
    const int status = script->failed || data->failed ? no_memory() : gnuplot_file(&p, path);
    out_free(script);
    out_free(data);
    return status;
}

const char *gnuplot_quoted(const char *text, char *to, size_t size)
{
    size_t n = 0;
    for (; *text && n + 3 < size; text++) {
        if (*text == '\'') to[n++] = '\'';
        to[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    if (size) to[n] = 0;
    return to;
}
