/* SPDX-License-Identifier: MIT
 *
 * driver.h - what is used of CUDA's driver and of its compiler, loaded at run time. The names and types are theirs; a pointer of
 * the device is an integer as wide as ours. */
#ifndef CUDA_DRIVER_H
#define CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "arne/status.h"

/* X(result, name, arguments) */
#define DRIVER_LIST(X)                                                                                                           \
    X(cuInit, (unsigned))                                                                                                        \
    X(cuDeviceGetCount, (int *))                                                                                                 \
    X(cuDeviceGet, (int *, int))                                                                                                 \
    X(cuDeviceGetName, (char *, int, int))                                                                                       \
    X(cuDeviceGetAttribute, (int *, int, int))                                                                                   \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                                                  \
    X(cuDevicePrimaryCtxRelease_v2, (int))                                                                                       \
    X(cuCtxPushCurrent_v2, (void *))                                                                                             \
    X(cuCtxPopCurrent_v2, (void **))                                                                                             \
    X(cuModuleLoadData, (void **, const void *))                                                                                 \
    X(cuModuleUnload, (void *))                                                                                                  \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                                      \
    X(cuFuncSetAttribute, (void *, int, int))                                                                                    \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))  \
    X(cuMemAlloc_v2, (uintptr_t *, size_t))                                                                                      \
    X(cuMemFree_v2, (uintptr_t))                                                                                                 \
    X(cuMemHostAlloc, (void **, size_t, unsigned))                                                                               \
    X(cuMemFreeHost, (void *))                                                                                                   \
    X(cuMemcpyHtoD_v2, (uintptr_t, const void *, size_t))                                                                        \
    X(cuMemcpyDtoH_v2, (void *, uintptr_t, size_t))                                                                              \
    X(cuStreamSynchronize, (void *))                                                                                             \
    X(cuGetErrorString, (int, const char **))
#define COMPILER_LIST(X)                                                                                                         \
    X(nvrtcVersion, (int *, int *))                                                                                              \
    X(nvrtcCreateProgram, (void **, const char *, const char *, int, const char *const *, const char *const *))                  \
    X(nvrtcCompileProgram, (void *, int, const char *const *))                                                                   \
    X(nvrtcGetProgramLogSize, (void *, size_t *))                                                                                \
    X(nvrtcGetProgramLog, (void *, char *))                                                                                      \
    X(nvrtcGetCUBINSize, (void *, size_t *))                                                                                     \
    X(nvrtcGetCUBIN, (void *, char *))                                                                                           \
    X(nvrtcDestroyProgram, (void **))

enum { CU_MAJOR = 75, CU_MINOR = 76, CU_MOST_SHARED = 97 };          /* attributes of a device: its kind; bytes of a block */
enum { CU_DYNAMIC_SHARED = 8, CU_OUT_OF_MEMORY = 2, CU_MAPPED = 2 }; /* of a function; an answer; of host memory */

typedef struct {
    void *library, *compiler;
#define POINTER(name, arguments) int(*name) arguments;
    DRIVER_LIST(POINTER)
    COMPILER_LIST(POINTER)
#undef POINTER
} driver;

/* ARNE_UNSUPPORTED: what is missing, in words. They stay loaded. */
arne_status arne__driver_load(driver *d, arne_error *error);

#endif
