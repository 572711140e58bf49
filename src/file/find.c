/* SPDX-License-Identifier: MIT
 *
 * find.c - from what the user calls a robot or a scenario to its file: a path, or the name of a file in one of their folders:
 * that of the environment, those beside the program, those beside the library or extension that this is part of, and the one
 * given when arne was built. */
#define _GNU_SOURCE /* dladdr */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arne/file.h"
#include "base/nearest.h"

enum { FOLDERS = 6, LONGEST_PATH = 4096 };

/* Endings in the order of preference where one name has several files: a YAML file may build on the URDF beside it. */
typedef struct {
    const char *what, *variable; /* that names a folder */
    const char *source, *share;  /* the folders beside the program, as it is built and as it is installed */
    const char *list;            /* how to see what there is */
    const char *endings[7];
} shelf;

static const shelf robots = {"robot",
                             "ARNE_ROBOTS",
                             "robots",
                             "robots",
                             "the shipped robots: arne robots; a file: its path",
                             {".yaml", ".yml", ".urdf", ".xml", ".sdf", ".par"}};
static const shelf scenarios = {"scenario",
                                "ARNE_SCENARIOS",
                                "examples/scenarios",
                                "scenarios",
                                "the shipped scenarios: arne help simulate; a file: its path",
                                {".yaml", ".yml"}};

/* Place of the file's ending in the list, -1 if it is another. */
static int ending_of(const shelf *k, const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; k->endings[i]; i++) {
        const size_t e = strlen(k->endings[i]);
        if (n > e && !strcmp(name + n - e, k->endings[i])) return i;
    }
    return -1;
}

/* The folders, as far as they are known; returns how many. */
static int folders(const shelf *k, char out[FOLDERS][LONGEST_PATH])
{
    int n = 0;
    const char *chosen = getenv(k->variable);
    if (chosen && *chosen && strlen(chosen) < LONGEST_PATH) strcpy(out[n++], chosen);

    char program[LONGEST_PATH - 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = 0;
        for (int up = 0; up < 2; up++) { /* without the program's name, then without its folder's */
            char *slash = strrchr(program, '/');
            if (slash) *slash = 0;
        }
        snprintf(out[n++], LONGEST_PATH, "%s/%s", program, k->source);
        snprintf(out[n++], LONGEST_PATH, "%s/share/arne/%s", program, k->share);
    }
    /* a package has share/ beside its extension, an installation beside the folder of its library */
    Dl_info own;
    if (dladdr(k, &own) && own.dli_fname && own.dli_fname[0] == '/' && strlen(own.dli_fname) < sizeof program) {
        strcpy(program, own.dli_fname);
        for (int up = 0; up < 2; up++) {
            char *slash = strrchr(program, '/');
            if (slash) *slash = 0;
            snprintf(out[n++], LONGEST_PATH, "%s/share/arne/%s", program, k->share);
        }
    }
#ifdef ARNE_DATA_DIR
    snprintf(out[n++], LONGEST_PATH, "%s/%s", ARNE_DATA_DIR, k->share);
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

/* Adds one file; those before `own` in the list are from a folder that goes first. Takes over name and path. */
static bool add_place(const shelf *k, char *name, char *path, size_t own, arne_robot_place **list, size_t *count)
{
    arne_robot_place *same = known(*list, *count, name);
    if (same) {
        const bool better = (size_t)(same - *list) >= own && ending_of(k, path) < ending_of(k, same->path);
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
static bool scan(const shelf *k, const char *folder, arne_robot_place **list, size_t *count)
{
    DIR *dir = opendir(folder);
    if (!dir) return errno != ENOMEM;
    bool ok = true;
    const size_t own = *count;
    for (struct dirent *e; ok && (e = readdir(dir));) {
        const int ending = ending_of(k, e->d_name);
        if (ending < 0 || e->d_name[0] == '.') continue;
        const size_t room = strlen(folder) + strlen(e->d_name) + 2;
        char *path = malloc(room), *name = strndup(e->d_name, strlen(e->d_name) - strlen(k->endings[ending]));
        if (path) snprintf(path, room, "%s/%s", folder, e->d_name);
        if (path && name && is_file(path)) {
            ok = add_place(k, name, path, own, list, count);
        } else {
            ok = path && name;
            free(path);
            free(name);
        }
    }
    closedir(dir);
    return ok;
}

static arne_status list_all(const shelf *k, arne_robot_place **list, size_t *count, arne_error *error)
{
    *list = NULL;
    *count = 0;
    char(*places)[LONGEST_PATH] = malloc(FOLDERS * sizeof *places);
    bool ok = places;
    const int n = places ? folders(k, places) : 0;
    for (int i = 0; i < n && ok; i++) ok = scan(k, places[i], list, count);
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

arne_status arne_robots(arne_robot_place **list, size_t *count, arne_error *error)
{
    return list_all(&robots, list, count, error);
}

arne_status arne_scenarios(arne_robot_place **list, size_t *count, arne_error *error)
{
    return list_all(&scenarios, list, count, error);
}

static arne_status no_such_name(const shelf *k, const char *name, const arne_robot_place *list, size_t count, arne_error *error)
{
    if (ending_of(k, name) >= 0) return arne_fail(error, ARNE_NO_FILE, name, 0, "there is no such file");
    nearest near = {.word = name};
    for (size_t i = 0; i < count; i++) arne__nearest_offer(&near, list[i].name);
    char hint[192];
    arne__nearest_hint(&near, hint, sizeof hint);
    return arne_fail(error, ARNE_NO_FILE, NULL, 0, "there is no %s \"%s\"%s (%s)", k->what, name, hint, k->list);
}

static arne_status find(const shelf *k, const char *name, char **path, arne_error *error)
{
    *path = NULL;
    struct stat s;
    const bool exists = !stat(name, &s), named = strchr(name, '/') || ending_of(k, name) >= 0;
    if (!exists && strchr(name, '/')) return arne_fail(error, ARNE_NO_FILE, name, 0, "%s", strerror(errno));
    if (exists && named && S_ISDIR(s.st_mode))
        return arne_fail(error, ARNE_NO_FILE, name, 0, "this is a folder, not a %s file", k->what);
    arne_robot_place *list = NULL;
    size_t count = 0;
    arne_status status = exists && named ? ARNE_OK : list_all(k, &list, &count, error);
    if (status) return status;
    /* a shipped one goes before a file whose name tells nothing */
    const arne_robot_place *r = known(list, count, name);
    if (!r && (!exists || S_ISDIR(s.st_mode)))
        status = no_such_name(k, name, list, count, error);
    else if (!(*path = strdup(r ? r->path : name)))
        status = no_memory(error);
    arne_robots_free(list, count);
    return status;
}

arne_status arne_scenario_find(const char *name, char **path, arne_error *error) { return find(&scenarios, name, path, error); }

arne_status arne_robot_find(const char *name, char **path, arne_error *error)
{
    /* files of other tools that people have at hand */
    static const char *const others[][2] = {
        {".xacro", "a xacro file is a program that writes a URDF: xacro %.200s > robot.urdf, then give robot.urdf"},
    };
    const size_t n = strlen(name);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        const size_t e = strlen(others[k][0]);
        if (n <= e || strcmp(name + n - e, others[k][0]) || !is_file(name)) continue;
        *path = NULL;
        return arne_fail(error, ARNE_UNSUPPORTED, name, 0, others[k][1], name);
    }
    return find(&robots, name, path, error);
}
