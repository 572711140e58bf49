/* SPDX-License-Identifier: MIT
 *
 * whole.c - output files that appear whole or not at all. */
#include "base/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096, MOST_LINKS = 40, MOST_NAMES = 100, MOST_PARTS = 64 };

/* ---- what is being written, for a program that ends before it is done ---- */

static _Atomic(const char *) parts[MOST_PARTS]; /* files, and folders made for them */

/* Those beyond the room are written as well as the others; a signal alone leaves them. */
static void replace(const char *old, const char *new)
{
    for (int k = 0; k < MOST_PARTS; k++) {
        const char *here = old;
        if (atomic_compare_exchange_strong(&parts[k], &here, new)) return;
    }
}

void arne__whole_abandon(void)
{
    int (*const away[])(const char *) = {unlink, rmdir}; /* a folder that is empty then */
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < MOST_PARTS; k++) {
            const char *part = atomic_load(&parts[k]);
            if (part) away[i](part);
        }
}

/* No signal comes between two steps that belong together. */
static void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static void let_signals(const sigset_t *before) { pthread_sigmask(SIG_SETMASK, before, NULL); }

/* ---- files ---- */

static arne_status cannot_write(const char *path, arne_error *error)
{
    if (errno == ENOMEM) return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
    return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot write: %s", strerror(errno ? errno : EIO));
}

/* The file that a path leads to, through links, whether it is there or not. From malloc; NULL: errno says why. */
static char *behind_links(const char *path)
{
    char *now = strdup(path), to[LONGEST];
    for (int k = 0; now; k++) {
        const ssize_t n = readlink(now, to, sizeof to - 1);
        if (n < 0) return now;
        to[n] = '\0';
        const char *slash = strrchr(now, '/');
        const int folder = slash && to[0] != '/' ? (int)(slash - now) + 1 : 0;
        const size_t size = (size_t)folder + (size_t)n + 1;
        char *next = k < MOST_LINKS ? malloc(size) : NULL;
        if (next) snprintf(next, size, "%.*s%s", folder, now, to);
        if (k == MOST_LINKS) errno = ELOOP;
        free(now);
        now = next;
    }
    return NULL;
}

/* Opens a new file beside the place. */
static int open_part(whole_file *w)
{
    const size_t size = strlen(w->place) + 40;
    if (!(w->part = malloc(size))) return -1;
    int fd = -1;
    sigset_t before;
    hold_signals(&before);
    for (int k = 0; k < MOST_NAMES && fd < 0; k++) {
        snprintf(w->part, size, "%s.%ld-%d.part", w->place, (long)getpid(), k);
        fd = open(w->part, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd >= 0) replace(NULL, w->part);
    let_signals(&before);
    return fd;
}

static void forget(whole_file *w)
{
    if (w->part) replace(w->part, NULL);
    free(w->place);
    free(w->part);
    *w = (whole_file){0};
}

arne_status arne__whole_open(whole_file *w, const char *path, arne_error *error)
{
    *w = (whole_file){.path = path, .place = behind_links(path)};
    struct stat there;
    const bool exists = w->place && !stat(w->place, &there), direct = exists && !S_ISREG(there.st_mode);
    const int fd = !w->place ? -1 : direct ? open(w->place, O_WRONLY) : open_part(w);
    if (fd >= 0 && exists && !direct) (void)!fchmod(fd, there.st_mode & 07777); /* rights stay as they are */
    w->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (w->file) return ARNE_OK;
    const arne_status status = cannot_write(path, error);
    if (fd >= 0) {
        close(fd);
        if (w->part) unlink(w->part);
    }
    forget(w);
    return status;
}

arne_status arne__whole_join(whole_file *w, const char *path, const char *part, arne_error *error)
{
    const int fd = open(part, O_WRONLY);
    *w = (whole_file){.path = path, .file = fd < 0 ? NULL : fdopen(fd, "w")};
    if (w->file) return ARNE_OK;
    const arne_status status = cannot_write(path, error);
    if (fd >= 0) close(fd);
    return status;
}

bool arne__whole_put(int handle, int64_t place, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        errno = 0;
        const ssize_t n = pwrite(handle, at, count, (off_t)place);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n, place += n, count -= (size_t)n;
    }
    return true;
}

arne_status arne__whole_check(whole_file *w, arne_error *error)
{
    errno = 0;
    /* pipes and devices have nothing to keep and say EINVAL */
    const bool bad = ferror(w->file) || fflush(w->file) || (w->part && fsync(fileno(w->file)) && errno != EINVAL);
    return bad ? cannot_write(w->path, error) : ARNE_OK;
}

arne_status arne__whole_close_all(whole_file *w, int count, arne_status status, arne_error *error)
{
    for (int i = 0; i < count && !status; i++)
        if (w[i].file) status = arne__whole_check(&w[i], error);
    for (int i = 0; i < count; i++) {
        errno = 0;
        if (w[i].file && fclose(w[i].file) && !status) status = cannot_write(w[i].path, error);
    }
    sigset_t before;
    hold_signals(&before);
    for (int i = count; i-- > 0 && !status;)
        if (w[i].part && rename(w[i].part, w[i].place)) status = cannot_write(w[i].path, error);
    for (int i = 0; i < count; i++) {
        if (status && w[i].part) unlink(w[i].part);
        forget(&w[i]);
    }
    let_signals(&before);
    return status;
}

arne_status arne__whole_close(whole_file *w, arne_status status, arne_error *error)
{
    return arne__whole_close_all(w, 1, status, error);
}

arne_status arne__whole_write(const char *path, const char *text, size_t length, arne_error *error)
{
    whole_file w;
    const arne_status status = arne__whole_open(&w, path, error);
    if (status) return status;
    fwrite(text, 1, length, w.file);
    return arne__whole_close(&w, ARNE_OK, error);
}

arne_status arne__whole_folder(const char *path, bool *made, arne_error *error)
{
    sigset_t before;
    hold_signals(&before);
    *made = !mkdir(path, 0777);
    const int why = *made ? EEXIST : errno;
    if (*made) replace(NULL, path);
    let_signals(&before);
    if (why == EEXIST) return ARNE_OK;
    return arne_fail(error, ARNE_CANNOT_WRITE, path, 0, "cannot make this folder: %s", strerror(why));
}

void arne__whole_folder_done(const char *path, bool made, arne_status status)
{
    if (made && status) rmdir(path);
    if (made) replace(path, NULL);
}
