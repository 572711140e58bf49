/* SPDX-License-Identifier: MIT
 *
 * module.c - finds and loads modules: beside the program, or where they are installed. */
#include "module/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"

/* The folder of the program, without a slash at its end. */
static void program_folder(char *to, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", to, size - 1);
    to[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(to, '/');
    if (slash) *slash = '\0';
}

#define INSTALLED "/../" ARNE_MODULE_FOLDER

static void *load(const char *name, char *why, size_t size)
{
    char folder[3000], path[4096];
    program_folder(folder, sizeof folder);
    static const char *const places[] = {"", INSTALLED};
    why[0] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s%s/arne_%s.so", folder, places[i], name);
        if (access(path, R_OK)) continue;
        void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI loads parts that look for it */
        if (library) return library;
        snprintf(why, size, "%s", dlerror());
    }
    return NULL;
}

arne_status arne__module(const char *name, const void **table, arne_error *error)
{
    char why[300], symbol[64];
    *table = NULL;
    void *library = load(name, why, sizeof why);
    if (!library && why[0]) return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "%s is here and cannot be loaded: %s", name, why);
    if (!library)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0,
                         "this arne was built without %s; install it and build again (tools/setup big)",
                         strcmp(name, "mpi") ? "HDF5" : "MPI");
    snprintf(symbol, sizeof symbol, "arne_%s_module", name);
    void *found = dlsym(library, symbol);
    const void *(*give)(void);
    memcpy(&give, &found, sizeof give); /* ISO C has no cast for it */
    if (found) *table = give();
    return *table ? ARNE_OK : arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "arne_%s.so is no module of this arne", name);
}

/* How many of us did somebody like mpirun start? 1: nobody did. */
static int ranks_started(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MV2_COMM_WORLD_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *size = getenv(names[i]);
        if (size && atoi(size) > 1) return atoi(size);
    }
    return 1;
}

arne_status arne__ranks_begin(const mpi_module **mpi, int *rank, int *ranks, arne_error *error)
{
    const void *table;
    *mpi = NULL;
    *rank = 0;
    *ranks = 1;
    if (ranks_started() < 2) return ARNE_OK;
    const arne_status status = arne__module("mpi", &table, error);
    if (!status) *mpi = table;
    return status ? status : (*mpi)->begin(rank, ranks, error);
}
