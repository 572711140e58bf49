/* SPDX-License-Identifier: MIT
 *
 * find_robot.c - from what the user calls a robot to its file: a path, or the name of a file in one of the folders of robots:
 * $ARNE_ROBOTS, ../robots and ../share/arne/robots beside the program, and the folder given when arne was built. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

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
    return strcmp(((const shipped_robot *)a)->name, ((const shipped_robot *)b)->name);
}

static shipped_robot *known(shipped_robot *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

/* Adds one file; the robots before `own` in the list are from a folder that goes first. Takes over name and path. */
static int add_robot(char *name, char *path, size_t own, shipped_robot **list, size_t *count)
{
    shipped_robot *same = known(*list, *count, name);
    if (same) {
        bool better = (size_t)(same - *list) >= own && ending_of(path) < ending_of(same->path);
        free(better ? same->path : path);
        if (better) same->path = path;
        free(name);
        return CLI_OK;
    }
    shipped_robot *more = realloc(*list, (*count + 1) * sizeof *more);
    if (!more) {
        free(name);
        free(path);
        return no_memory();
    }
    *list = more;
    more[(*count)++] = (shipped_robot){name, path};
    return CLI_OK;
}

static int scan(const char *folder, shipped_robot **list, size_t *count)
{
    DIR *dir = opendir(folder);
    if (!dir) return CLI_OK;
    int status = CLI_OK;
    size_t own = *count;
    for (struct dirent *e; !status && (e = readdir(dir));) {
        int ending = ending_of(e->d_name);
        if (ending < 0 || e->d_name[0] == '.') continue;
        size_t room = strlen(folder) + strlen(e->d_name) + 2;
        char *path = malloc(room), *name = strndup(e->d_name, strlen(e->d_name) - strlen(endings[ending]));
        if (path) snprintf(path, room, "%s/%s", folder, e->d_name);
        if (path && name && is_file(path)) {
            status = add_robot(name, path, own, list, count);
        } else {
            if (!path || !name) status = no_memory();
            free(path);
            free(name);
        }
    }
    closedir(dir);
    return status;
}

int shipped_robots(shipped_robot **out, size_t *count)
{
    *out = NULL;
    *count = 0;
    char(*list)[LONGEST_PATH] = malloc(FOLDERS * sizeof *list);
    if (!list) return no_memory();
    int status = CLI_OK, n = folders(list);
    for (int i = 0; i < n && !status; i++) status = scan(list[i], out, count);
    free(list);
    if (status) {
        shipped_free(*out, *count);
        *out = NULL;
        *count = 0;
    }
    if (*count) qsort(*out, *count, sizeof **out, by_name);
    return status;
}

void shipped_free(shipped_robot *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].name);
        free(list[i].path);
    }
    free(list);
}

int find_robot(const char *name, char **path)
{
    *path = NULL;
    struct stat s;
    bool exists = !stat(name, &s);
    if (exists && (strchr(name, '/') || ending_of(name) >= 0)) {
        if (S_ISDIR(s.st_mode)) return complain_at(name, 0, "this is a folder, not a robot file");
        *path = strdup(name);
        return *path ? CLI_OK : no_memory();
    }
    if (strchr(name, '/')) return complain_at(name, 0, "%s", strerror(errno));

    shipped_robot *list;
    size_t count;
    int status = shipped_robots(&list, &count);
    if (status) return status;
    shipped_robot *r = known(list, count, name);
    if (r) {
        *path = strdup(r->path);
        status = *path ? CLI_OK : no_memory();
    } else {
        nearest near = {.word = name};
        for (size_t i = 0; i < count; i++) arne__nearest_offer(&near, list[i].name);
        char hint[192];
        arne__nearest_hint(&near, hint, sizeof hint);
        status = ending_of(name) >= 0
                     ? complain_at(name, 0, "there is no such file")
                     : complain("there is no robot \"%s\"%s (the shipped robots: arne robots; a file: its path)", name, hint);
    }
    shipped_free(list, count);
    return status;
}
