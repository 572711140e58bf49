/* SPDX-License-Identifier: MIT
 *
 * gnuplot.c - runs gnuplot on a script and its data, without a shell. All four files that pass between are in memory and have no
 * name: whatever happens, nothing is left of them. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole.h"
#include "report/chart.h"

extern char **environ;

/* As gnuplot knows them, by number: the first three are its standard streams. */
enum { SCRIPT, PICTURE, MESSAGES, DATA, FILES };
#define DATA_NAME "/dev/fd/3"

typedef struct {
    int file[FILES];
} desk;

static void desk_close(const desk *d)
{
    for (int i = 0; i < FILES; i++)
        if (d->file[i] >= 0) close(d->file[i]);
}

static arne_status desk_open(desk *d, arne_error *error)
{
    bool good = true;
    for (int i = 0; i < FILES; i++) {
        const int file = memfd_create("arne", MFD_CLOEXEC);
        d->file[i] = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FILES); /* out of the way of gnuplot's */
        if (file >= 0) close(file);
        good = good && d->file[i] >= 0;
    }
    if (good) return ARNE_OK;
    arne_fail(error, ARNE_CANNOT_WRITE, NULL, 0, "cannot make a temporary file: %s", strerror(errno));
    desk_close(d);
    return ARNE_CANNOT_WRITE;
}

static arne_status put_file(int file, const char *text, size_t length, arne_error *error)
{
    for (ssize_t n; length > 0; text += n, length -= (size_t)n)
        if ((n = write(file, text, length)) <= 0)
            return arne_fail(error, ARNE_CANNOT_WRITE, NULL, 0, "cannot write for gnuplot: %s", strerror(errno));
    lseek(file, 0, SEEK_SET);
    return ARNE_OK;
}

static arne_status write_script(const desk *d, const arne_picture *p, arne_error *error)
{
    text_buffer o = {0};
    add(&o,
        "set terminal svg size %d,%d fixed font 'sans-serif,12'\n"
        "set datafile separator ','\n"
        "data = '" DATA_NAME "'\n%s\n",
        p->width, p->height, p->script);
    const arne_status status = o.failed ? report_no_memory(error) : put_file(d->file[SCRIPT], o.s, o.length, error);
    arne__text_free(&o);
    return status;
}

/* Exit status of gnuplot, or -1 when it cannot be started (errno). */
static int run(const desk *d)
{
    char program[] = "gnuplot", defaults[] = "-d", script[] = "/dev/stdin";
    char *const words[] = {program, defaults, script, NULL};
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions)) return -1;
    int bad = 0;
    for (int i = 0; i < FILES && !bad; i++) bad = posix_spawn_file_actions_adddup2(&actions, d->file[i], i);
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
static char *contents(int file)
{
    struct stat about;
    char *text = !fstat(file, &about) && about.st_size >= 0 ? malloc((size_t)about.st_size + 1) : NULL;
    const ssize_t n = text ? pread(file, text, (size_t)about.st_size, 0) : 0;
    if (text) text[n > 0 ? n : 0] = 0;
    return text;
}

static arne_status say_fault(const desk *d, arne_error *error)
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
    arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "gnuplot could not draw the picture: %.300s", *line ? line : "it gave no reason");
    free(text);
    return ARNE_UNSUPPORTED;
}

static arne_status draw(const desk *d, const arne_picture *p, char **svg, arne_error *error)
{
    arne_status status = write_script(d, p, error);
    if (!status && p->data) status = put_file(d->file[DATA], p->data, strlen(p->data), error);
    if (status) return status;
    const int result = run(d);
    if (result < 0 && errno == ENOENT)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                         "pictures need gnuplot, which is not here: apt-get install gnuplot-nox");
    if (result < 0) return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "cannot run gnuplot: %s", strerror(errno));
    if (result > 0) return say_fault(d, error);
    *svg = contents(d->file[PICTURE]);
    if (!*svg) return report_no_memory(error);
    if (strstr(*svg, "</svg>")) return ARNE_OK;
    free(*svg);
    *svg = NULL;
    return say_fault(d, error);
}

/* ---- the picture ---- */

/* Copies a picture without the XML head, gnuplot's name, shapes that no line needs, names that would come twice in a page;
 * colours as style.c knows them. */
static void copy_svg(const char *svg, text_buffer *o)
{
    static const struct {
        const char *from, *to, *instead; /* to NULL: no more than `from` */
    } changes[] = {
        {"<title>", "</title>", ""},    {"<desc>", "</desc>", ""},      {"<defs>", "</defs>", ""},         {" id=\"", "\"", ""},
        {" color=\"black\"", NULL, ""}, {" color=\"white\"", NULL, ""}, {"\"black\"", NULL, "\"#222222\""}};
    for (const char *s = strstr(svg, "<svg"); s && *s;) {
        const char *next = NULL;
        int r, g, b, length = 0;
        for (size_t k = 0; k < sizeof changes / sizeof *changes && !next; k++) {
            const size_t n = strlen(changes[k].from);
            if (strncmp(s, changes[k].from, n)) continue;
            next = changes[k].to ? strstr(s + n, changes[k].to) : s + n;
            if (next && changes[k].to) next += strlen(changes[k].to);
            if (next) put(o, changes[k].instead);
        }
        if (!next && !strncmp(s, "rgb(", 4) && sscanf(s, "rgb(%d,%d,%d)%n", &r, &g, &b, &length) == 3 && length) {
            add(o, "#%02x%02x%02x", (unsigned)r & 255, (unsigned)g & 255, (unsigned)b & 255);
            next = s + length;
        } else if (!next) {
            arne__text_bytes(o, s, 1);
            next = s + 1;
        }
        s = next;
    }
}

arne_status arne_picture_svg(const arne_picture *p, char **svg, arne_error *error)
{
    desk d;
    char *raw = NULL;
    text_buffer o = {0};
    *svg = NULL;
    arne_status status = desk_open(&d, error);
    if (status) return status;
    status = draw(&d, p, &raw, error);
    desk_close(&d);
    if (!status) copy_svg(raw, &o);
    free(raw);
    if (!status && (o.failed || !o.s)) status = report_no_memory(error);
    if (status)
        arne__text_free(&o);
    else
        *svg = o.s;
    return status;
}

/* Alone in a file the picture brings its colours and its paper. */
arne_status arne_picture_file(const arne_picture *p, const char *path, arne_error *error)
{
    char *svg;
    text_buffer o = {0};
    arne_status status = arne_picture_svg(p, &svg, error);
    if (status) return status;
    const size_t head = strcspn(svg, ">") + 1;
    put(&o, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    arne__text_bytes(&o, svg, head);
    put(&o, "\n<style>");
    arne__style_colours(&o);
    add(&o, "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>", arne__colour(CARD));
    put(&o, svg + head);
    status = o.failed ? report_no_memory(error) : arne__whole_write(path, o.s, o.length, error);
    arne__text_free(&o);
    free(svg);
    return status;
}

const char *arne_picture_quoted(const char *text, char *to, size_t size)
{
    size_t n = 0;
    for (; *text && n + 3 < size; text++) {
        if (*text == '\'') to[n++] = '\'';
        to[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    if (size) to[n] = 0;
    return to;
}
