/* SPDX-License-Identifier: MIT
 *
 * processor.c - CUDA's driver and compiler for machines that have none: texts are compiled by c++ into a shared library, and a
 * kernel is run thread after thread. It stands under the names libcuda.so.1 and libnvrtc.so before the tests of arne_cuda, which
 * see the library's host side and the arithmetic of all kernels; what only a device can do wrong they do not see. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/cuda.h"

enum { REFUSED = 1, NO_ROOM = 2, NO_PROGRAM = 6, TOO_LARGE = 9 }; /* answers; of the last there are no words */
enum { SHARED = 1 << 17, GUARD = 64 };

int processor_compiled, processor_version = 1;             /* tests count compilations, and change the compiler */
int processor_broken;                                      /* 1: it finds a mistake, 2: and does not say which */
int processor_kind[2] = {9, 0}, processor_shared = SHARED; /* of the device */
unsigned processor_block;                                  /* threads of a block of the last launch */
int processor_held; /* what was made and not given back; a thousand more: something was written outside its memory, or too late */

/* code: whose it is, how many bytes, the bytes of the library */
typedef struct {
    char mark[8];
    size_t size;
    char bytes[];
} image;
static const char mark[8] = "process";

static const char prelude[] = "#define __global__\n#define __shared__\n"
                              "struct index3 { unsigned x, y, z; };\n"
                              "extern \"C\" { index3 blockIdx, threadIdx, blockDim, gridDim; }\n"
                              "alignas(64) char robot_room[(1 << 17) + 64];\n";

typedef struct {
    char *text, *path, *said;
} program;

int nvrtcVersion(int *major, int *minor) { return *major = processor_version, *minor = 0, 0; }

int nvrtcCreateProgram(void **out, const char *text, const char *name, int headers, const char *const *a, const char *const *b)
{
    (void)name, (void)headers, (void)a, (void)b;
    program *p = calloc(1, sizeof *p);
    p->text = strdup(text);
    *out = p;
    processor_held++;
    return 0;
}

int nvrtcCompileProgram(void *of, int count, const char *const *options)
{
    program *p = of;
    char path[] = "/tmp/arne_processor_XXXXXX", command[400];
    snprintf(command, sizeof command, "--gpu-architecture=sm_%d%d", processor_kind[0], processor_kind[1]);
    if (count != 2 || strcmp(options[0], command) || strcmp(options[1], "-std=c++17")) return REFUSED;
    processor_compiled++;
    if (processor_broken) {
        p->said = strdup(processor_broken == 1 ? "robot.cu(3): warning: odd\nrobot.cu(7): error: on purpose\n1 error\n" : "");
        return NO_PROGRAM;
    }
    const int file = mkstemp(path);
    close(file);
    snprintf(command, sizeof command, "c++ -std=c++17 -O0 -ffp-contract=off -w -shared -fPIC -x c++ - -o %s 2>%s.said", path,
             path);
    FILE *f = popen(command, "w");
    fputs(prelude, f);
    fputs(p->text, f);
    const int answer = pclose(f);
    p->path = strdup(path);
    snprintf(command, sizeof command, "%s.said", path);
    f = fopen(command, "r");
    p->said = calloc(1, 4096);
    if (f && fread(p->said, 1, 4095, f) == 0) p->said[0] = '\0';
    if (f) fclose(f);
    remove(command);
    return answer ? NO_PROGRAM : 0;
}

int nvrtcGetProgramLogSize(void *of, size_t *size) { return *size = strlen(((program *)of)->said) + 1, 0; }
int nvrtcGetProgramLog(void *of, char *to) { return strcpy(to, ((program *)of)->said), 0; }
int nvrtcGetCUBINSize(void *of, size_t *size)
{
    FILE *f = fopen(((program *)of)->path, "rb");
    if (!f) return REFUSED;
    fseek(f, 0, SEEK_END);
    *size = sizeof(image) + (size_t)ftell(f);
    return fclose(f);
}
int nvrtcGetCUBIN(void *of, char *to)
{
    image head = {.size = 0};
    size_t all;
    if (nvrtcGetCUBINSize(of, &all)) return REFUSED;
    memcpy(head.mark, mark, sizeof mark);
    head.size = all - sizeof head;
    memcpy(to, &head, sizeof head);
    FILE *f = fopen(((program *)of)->path, "rb");
    const size_t got = fread(to + sizeof head, 1, head.size, f);
    return fclose(f) || got != head.size ? REFUSED : 0;
}
int nvrtcDestroyProgram(void **of)
{
    program *p = *of;
    if (p->path) remove(p->path);
    free(p->text), free(p->path), free(p->said), free(p);
    *of = NULL;
    processor_held--;
    return 0;
}

static int depth; /* of the stack of contexts: what is called outside is a mistake of the library */

int cuInit(unsigned flags) { return flags ? REFUSED : 0; }
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int i) { return *device = i, 0; }
int cuDeviceGetName(char *to, int size, int device) { return (void)device, snprintf(to, (size_t)size, "a processor"), 0; }
int cuDeviceGetAttribute(int *to, int what, int device)
{
    (void)device;
    *to = what == CU_MAJOR ? processor_kind[0] : what == CU_MINOR ? processor_kind[1] : processor_shared;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return (void)device, processor_held++, *context = &depth, 0; }
int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    processor_held += depth ? 1000 : -1;
    return depth ? REFUSED : 0;
}
int cuCtxPushCurrent_v2(void *context) { return context == &depth ? depth++, 0 : REFUSED; }
int cuCtxPopCurrent_v2(void **context) { return *context = &depth, depth ? depth--, 0 : REFUSED; }

int cuModuleLoadData(void **module, const void *code)
{
    char path[] = "/tmp/arne_processor_XXXXXX";
    image head;
    if (!depth || memcmp(code, mark, sizeof mark)) return REFUSED;
    memcpy(&head, code, sizeof head);
    FILE *f = fdopen(mkstemp(path), "wb");
    const size_t put = fwrite((const char *)code + sizeof head, 1, head.size, f);
    *module = !fclose(f) && put == head.size ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    remove(path);
    processor_held += *module != NULL;
    return *module ? 0 : REFUSED;
}
int cuModuleUnload(void *module) { return depth ? processor_held--, dlclose(module) : REFUSED; }

typedef struct {
    void (*run)(job);
    struct {
        unsigned x, y, z;
    } * block, *thread, *threads, *blocks;
    char *room; /* shared memory */
} function;

int cuModuleGetFunction(void **out, void *module, const char *name)
{
    static function all[256]; /* they are not freed, as a device's */
    static int count;
    void *found = dlsym(module, name);
    if (!found || !depth) return REFUSED;
    function *f = &all[count++ % 256];
    memcpy(&f->run, &found, sizeof found);
    f->block = dlsym(module, "blockIdx");
    f->thread = dlsym(module, "threadIdx");
    f->threads = dlsym(module, "blockDim");
    f->blocks = dlsym(module, "gridDim");
    f->room = dlsym(module, "robot_room");
    *out = f;
    return 0;
}
int cuFuncSetAttribute(void *f, int what, int value)
{
    return f && what == CU_DYNAMIC_SHARED && value <= processor_shared ? 0 : REFUSED;
}

int cuLaunchKernel(void *of, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **arguments, void **extra)
{
    const function *f = of;
    char *end = f->room + shared, guard[GUARD];
    (void)stream, (void)extra;
    if (!depth || by != 1 || bz != 1 || bx < 1 || bx > 1024 || !x || !y || !z || shared > (unsigned)processor_shared)
        return REFUSED;
    if (x > 1 << 20) return TOO_LARGE;
    processor_block = bx;
    memset(guard, 77, GUARD);
    memcpy(end, guard, GUARD);
    f->threads->x = bx, f->threads->y = f->threads->z = 1;
    f->blocks->x = x, f->blocks->y = y, f->blocks->z = z;
    for (unsigned k = 0; k < z; k++)
        for (unsigned j = 0; j < y; j++)
            for (unsigned i = 0; i < x; i++)
                for (unsigned t = 0; t < bx; t++) {
                    f->block->x = i, f->block->y = j, f->block->z = k;
                    f->thread->x = t;
                    f->run(*(const job *)arguments[0]);
                }
    return memcmp(end, guard, GUARD) ? REFUSED : 0;
}

/* memory between two guards, its size before it */
static void *allocate(size_t bytes)
{
    char *at = malloc(bytes + 2 * GUARD);
    if (!at) return NULL;
    memcpy(at, &bytes, sizeof bytes);
    memset(at + sizeof bytes, 77, GUARD - sizeof bytes);
    memset(at + GUARD + bytes, 77, GUARD);
    processor_held++;
    return at + GUARD;
}

static int released(void *device)
{
    char *at = (char *)device - GUARD, guard[GUARD];
    size_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    memset(guard, 77, GUARD);
    const int broken = memcmp(at + sizeof bytes, guard, GUARD - sizeof bytes) || memcmp(at + GUARD + bytes, guard, GUARD);
    processor_held += broken || !depth ? 1000 : -1;
    free(at);
    return 0;
}

int cuMemAlloc_v2(uintptr_t *to, size_t bytes)
{
    if (!depth || !bytes) return REFUSED;
    if (bytes > (size_t)1 << 36) return NO_ROOM;
    *to = (uintptr_t)allocate(bytes);
    return *to ? 0 : NO_ROOM;
}
int cuMemFree_v2(uintptr_t at) { return released((void *)at); }
int cuMemHostAlloc(void **to, size_t bytes, unsigned flags)
{
    *to = depth && bytes && flags == CU_MAPPED ? allocate(bytes) : NULL;
    return *to ? 0 : REFUSED;
}
int cuMemFreeHost(void *at) { return released(at); }
int cuMemcpyHtoD_v2(uintptr_t to, const void *from, size_t bytes) { return memcpy((void *)to, from, bytes), depth ? 0 : REFUSED; }
int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t bytes) { return memcpy(to, (void *)from, bytes), depth ? 0 : REFUSED; }
int cuStreamSynchronize(void *stream) { return (void)stream, depth ? 0 : REFUSED; }
int cuGetErrorString(int answer, const char **words)
{
    *words = answer == NO_ROOM ? "out of memory" : answer == REFUSED ? "refused" : NULL;
    return 0;
}
