/* SPDX-License-Identifier: MIT
 *
 * driver.c - finds CUDA's driver and compiler where they are. */
#include "cuda/driver.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/fail.h"

static void *open_one(const char *const *names)
{
    void *library = NULL;
    for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* its address into *to (ISO C has no cast for it); false: there is none */
static bool find(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

arne_status arne__driver_load(driver *d, arne_error *error)
{
    static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const char *const compilers[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                            "/usr/local/cuda/lib64/libnvrtc.so", NULL};
    d->library = open_one(drivers);
    if (!d->library) return UNSUPPORTED(error, "no NVIDIA driver is here: libcuda.so.1 is not found");
    d->compiler = open_one(compilers);
    if (!d->compiler)
        return UNSUPPORTED(error, "the run-time compiler of CUDA is not here: libnvrtc.so is not found (12 or 13, a part of the "
                                  "toolkit; LD_LIBRARY_PATH names its folder)");
    const char *missing = NULL;
#define FIND_DRIVER(name, arguments) missing = find(d->library, #name, &d->name) ? missing : #name;
#define FIND_COMPILER(name, arguments) missing = find(d->compiler, #name, &d->name) ? missing : #name;
    DRIVER_LIST(FIND_DRIVER)
    COMPILER_LIST(FIND_COMPILER)
    return missing ? UNSUPPORTED(error, "the driver or compiler of CUDA is too old: it has no %s", missing) : ARNE_OK;
}
