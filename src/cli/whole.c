/* SPDX-License-Identifier: MIT
 *
 * whole.c - output files that appear whole or not at all. */
#include "cli/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int whole_open(whole_file *w, const char *path)
{
    *w = (whole_file){.path = path};
    struct stat there;
    const bool direct = !stat(path, &there) && !S_ISREG(there.st_mode);
    const size_t size = strlen(path) + 32;
    if (!direct && !(w->part = malloc(size))) return no_memory();
    if (w->part) snprintf(w->part, size, "%s.%ld.part", path, (long)getpid());
    const int fd = w->part ? open(w->part, O_WRONLY | O_CREAT | O_EXCL, 0666) : open(path, O_WRONLY);
    w->file = fd < 0 ? NULL : fdopen(fd, "w");
    if (w->file) return CLI_OK;
    const int status = complain_at(path, 0, "cannot write: %s", strerror(errno));
    if (fd >= 0) {
        close(fd);
        if (w->part) unlink(w->part);
    }
    free(w->part);
    *w = (whole_file){0};
    return status;
}

int whole_close(whole_file *w, int status)
{
    if (!w->file) return status;
    errno = 0;
    const bool bad = ferror(w->file) | fclose(w->file);
    if (!status && (bad || (w->part && rename(w->part, w->path))))
        status = complain_at(w->path, 0, "cannot write: %s", strerror(errno ? errno : EIO));
    if (status && w->part) unlink(w->part);
    free(w->part);
    *w = (whole_file){0};
    return status;
}

int whole_write(const char *path, const char *text, size_t length)
{
    whole_file w;
    const int status = whole_open(&w, path);
    if (status) return status;
    fwrite(text, 1, length, w.file);
    return whole_close(&w, CLI_OK);
}

char *json_beside(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(path, '.');
    const size_t stem = point && point > (slash ? slash + 1 : path) ? (size_t)(point - path) : strlen(path);
    char *name = malloc(stem + sizeof ".json");
    if (!name) return NULL;
    memcpy(name, path, stem);
    memcpy(name + stem, ".json", sizeof ".json");
    return name;
}
