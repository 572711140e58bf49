/* SPDX-License-Identifier: MIT
 *
 * find.c - from what the user calls a robot to its file: a path, or the name of a file in one of the folders of robots:
 * $ARNE_ROBOTS, ../robots and ../share/arne/robots beside the program, and the folder given when arne was built. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/file.h"
#include "base/nearest.h"

enum { FOLDERS = 4, LONGEST_PATH = 4096 };

/* In the order of preference where one name has several files: a YAML file may build on the URDF beside it. */
static const char *const endings[] = {".yaml", ".yml", ".urdf", ".xml", ".par"};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Place of the file's ending in the list, -1 if it is another. */
static int ending_of(const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < ENDINGS; i++) {
        size_t e = strlen(endings[i]);
        if (n > e && !strcmp(name + n - e, endings[i])) return i;
    }
    return -1;
}

/* The folders, as far as they are known; returns how many. */
static int folders(char out[FOLDERS][LONGEST_PATH])
{
    int n = 0;
    const char *chosen = getenv("ARNE_ROBOTS");
    if (chosen && *chosen && strlen(chosen) < LONGEST_PATH) strcpy(out[n++], chosen);

    char program[LONGEST_PATH - 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        for (int up = 0; up < 2; up++) { /* without the program's name, then without its folder's */
            char *slash = strrchr(program, '/');
            if (slash) *slash = 0;
        }
        snprintf(out[n++], LONGEST_PATH, "%s/robots", program);
        snprintf(out[n++], LONGEST_PATH, "%s/share/arne/robots", program);
    }
#ifdef ARNE_ROBOT_DIR
    snprintf(out[n++], LONGEST_PATH, "%s", ARNE_ROBOT_DIR);
#endif
    return n;
}

static bool is_file(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const arne_robot_place *)a)->name, ((const arne_robot_place *)b)->name);
}

static arne_robot_place *known(arne_robot_place *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

static arne_status no_memory(arne_error *error) { return arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory"); }

/* Adds one file; the robots before `own` in the list are from a folder that goes first. Takes over name and path. */
static bool add_robot(char *name, char *path, size_t own, arne_robot_place **list, size_t *count)
{
    arne_robot_place *same = known(*list, *count, name);
    if (same) {
        const bool better = (size_t)(same - *list) >= own && ending_of(path) < ending_of(same->path);
        free(better ? same->path : path);
        if (better) same->path = path;
        free(name);
        return true;
    }
    arne_robot_place *more = realloc(*list, (*count + 1) * sizeof *more);
    if (!more) {
        free(name);
        free(path);
        return false;
    }
    *list = more;
    more[(*count)++] = (arne_robot_place){name, path};
    return true;
}

/* False: out of memory. */
static bool scan(const char *folder, arne_robot_place **list, size_t *count)
{
    DIR *dir = opendir(folder);
    if (!dir) return true;
    bool ok = true;
    const size_t own = *count;
    for (struct dirent *e; ok && (e = readdir(dir));) {
        const int ending = ending_of(e->d_name);
        if (ending < 0 || e->d_name[0] == '.') continue;
        const size_t room = strlen(folder) + strlen(e->d_name) + 2;
        char *path = malloc(room), *name = strndup(e->d_name, strlen(e->d_name) - strlen(endings[ending]));
        if (path) snprintf(path, room, "%s/%s", folder, e->d_name);
        if (path && name && is_file(path)) {
            ok = add_robot(name, path, own, list, count);
        } else {
            ok = path && name;
            free(path);
            free(name);
        }
    }
    closedir(dir);
    return ok;
}

arne_status arne_robots(arne_robot_place **list, size_t *count, arne_error *error)
{
    *list = NULL;
    *count = 0;
    char(*places)[LONGEST_PATH] = malloc(FOLDERS * sizeof *places);
    bool ok = places;
    const int n = places ? folders(places) : 0;
    for (int i = 0; i < n && ok; i++) ok = scan(places[i], list, count);
    free(places);
    if (ok && *count) qsort(*list, *count, sizeof **list, by_name);
    if (ok) return ARNE_OK;
    arne_robots_free(*list, *count);
    *list = NULL;
    *count = 0;
    return no_memory(error);
}

void arne_robots_free(arne_robot_place *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].name);
        free(list[i].path);
    }
    free(list);
}

arne_status arne_robot_find(const char *name, char **path, arne_error *error)
{
    *path = NULL;
    struct stat s;
    const bool exists = !stat(name, &s);
    if (exists && (strchr(name, '/') || ending_of(name) >= 0)) {
        if (S_ISDIR(s.st_mode)) return arne_fail(error, ARNE_NO_FILE, name, 0, "this is a folder, not a robot file");
        *path = strdup(name);
        return *path ? ARNE_OK : no_memory(error);
    }
    if (strchr(name, '/')) return arne_fail(error, ARNE_NO_FILE, name, 0, "%s", strerror(errno));

    arne_robot_place *list;
    size_t count;
    arne_status status = arne_robots(&list, &count, error);
    if (status) return status;
    const arne_robot_place *r = known(list, count, name);
    if (r) {
        *path = strdup(r->path);
        status = *path ? ARNE_OK : no_memory(error);
    } else if (ending_of(name) >= 0) {
        status = arne_fail(error, ARNE_NO_FILE, name, 0, "there is no such file");
    } else {
        nearest near = {.word = name};
        for (size_t i = 0; i < count; i++) arne__nearest_offer(&near, list[i].name);
        char hint[192];
        arne__nearest_hint(&near, hint, sizeof hint);
        status = arne_fail(error, ARNE_NO_FILE, NULL, 0,
                           "there is no robot \"%s\"%s (the shipped robots: arne robots; a file: its path)", name, hint);
    }
    arne_robots_free(list, count);
    return status;
}
