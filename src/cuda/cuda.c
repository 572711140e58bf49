/* SPDX-License-Identifier: MIT
 *
 * cuda.c - a robot on a device: opens it, compiles or finds its code, launches. */
#include "cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/regressor.h"
#include "base/cache.h"
#include "base/fail.h"
#include "base/options.h"

enum { OPTIONS = 2 }; /* of the compiler */

/* ---- answers ---- */

arne_status arne__cuda_say(arne_cuda *c, arne_status status, const char *words)
{
    snprintf(c->message, sizeof c->message, "%s", words);
    return status;
}

arne_status arne__cuda_answer(arne_cuda *c, int answer, const char *doing)
{
    const char *words = NULL;
    if (!answer) return ARNE_OK;
    if (c->d.cuGetErrorString(answer, &words) || !words) words = "unknown error";
    snprintf(c->message, sizeof c->message, "%s: %s (CUDA error %d)", doing, words, answer);
    return answer == CU_OUT_OF_MEMORY ? ARNE_NO_MEMORY : ARNE_DEVICE;
}

arne_status arne__cuda_enter(arne_cuda *c)
{
    return arne__cuda_answer(c, c->d.cuCtxPushCurrent_v2(c->context), "the device cannot be entered");
}

arne_status arne__cuda_leave(arne_cuda *c, arne_status status)
{
    void *context;
    c->d.cuCtxPopCurrent_v2(&context);
    return status;
}

const char *arne_cuda_message(const arne_cuda *c) { return c ? c->message : ""; }
const char *arne_cuda_device_name(const arne_cuda *c) { return c ? c->name : ""; }

/* ---- opening ---- */

static arne_status open_device(arne_cuda *c)
{
    int count = 0;
    arne_status status = arne__cuda_answer(c, c->d.cuInit(0), "the NVIDIA driver does not start");
    if (!status) status = arne__cuda_answer(c, c->d.cuDeviceGetCount(&count), "devices cannot be counted");
    if (!status && c->o.device >= count) {
        snprintf(c->message, sizeof c->message, "there is no device %d, there are %d", c->o.device, count);
        status = ARNE_UNSUPPORTED;
    }
    if (!status) status = arne__cuda_answer(c, c->d.cuDeviceGet(&c->device, c->o.device), "the device does not answer");
    if (!status)
        status = arne__cuda_answer(c, c->d.cuDeviceGetName(c->name, sizeof c->name, c->device), "the device has no name");
    if (!status)
        status = arne__cuda_answer(c, c->d.cuDeviceGetAttribute(&c->most_shared, CU_MOST_SHARED, c->device),
                                   "the device does not say what it has");
    if (!status)
        status = arne__cuda_answer(c, c->d.cuDevicePrimaryCtxRetain(&c->context, c->device), "the device cannot be opened");
    c->retained = !status;
    return status;
}

/* The compiler's first complaint, or its answer. */
static arne_status complain(arne_cuda *c, void *program, int answer)
{
    size_t size = 0;
    char *log = NULL, *line = NULL;
    if (!c->d.nvrtcGetProgramLogSize(program, &size) && (log = calloc(size + 1, 1)) && !c->d.nvrtcGetProgramLog(program, log)) {
        line = strstr(log, "error");
        if (line) line[strcspn(line, "\n")] = '\0';
    }
    snprintf(c->message, sizeof c->message, "CUDA's compiler refuses the code (%d): %.300s", answer,
             line ? line : "no reason given");
    free(log);
    return ARNE_DEVICE;
}

/* text to machine code of this device */
static arne_status compile(arne_cuda *c, const text_buffer *t, const char *const options[OPTIONS], char **code, size_t *size)
{
    void *program = NULL;
    arne_status status = ARNE_OK;
    int answer = c->d.nvrtcCreateProgram(&program, arne__text_string(t), "robot.cu", 0, NULL, NULL);
    if (!answer) answer = c->d.nvrtcCompileProgram(program, OPTIONS, options);
    if (!answer) answer = c->d.nvrtcGetCUBINSize(program, size);
    if (!answer && !(*code = malloc(*size + 1))) status = arne__cuda_say(c, ARNE_NO_MEMORY, arne_status_words(ARNE_NO_MEMORY));
    if (!answer && !status) answer = c->d.nvrtcGetCUBIN(program, *code);
    if (answer) status = complain(c, program, answer);
    if (program) c->d.nvrtcDestroyProgram(&program);
    return status;
}

static arne_status find_function(arne_cuda *c, const char *name, void **function)
{
    return arne__cuda_answer(c, c->d.cuModuleGetFunction(function, c->module, name), "a kernel is missing");
}

static arne_status find_functions(arne_cuda *c)
{
    char name[80];
    arne_status status = ARNE_OK;
    for (int i = 0; i < c->count && !status; i++) {
        snprintf(name, sizeof name, "robot_run_%.60s", arne_quantity_at(c->kernels[i].quantity)->name);
        status = find_function(c, name, &c->kernels[i].function);
    }
    if (!status && c->o.live) status = find_function(c, "robot_mix", &c->mix);
    if (status || !arne__cuda_kernel(c, "fd")) return status;
    status = find_function(c, "robot_rollout", &c->rollout);
    if (!status) status = find_function(c, "robot_step_column", &c->step_column);
    if (!status) status = find_function(c, "robot_chain", &c->chain);
    if (!status)
        status = arne__cuda_answer(c, c->d.cuFuncSetAttribute(c->rollout, CU_DYNAMIC_SHARED, c->most_shared),
                                   "shared memory cannot be had");
    return status;
}

static arne_status load(arne_cuda *c, const char *code)
{
    arne_status status = arne__cuda_answer(c, c->d.cuModuleLoadData(&c->module, code), "the code cannot be loaded");
    if (status) return status;
    status = find_functions(c);
    if (!status) return ARNE_OK;
    c->d.cuModuleUnload(c->module);
    c->module = NULL;
    return status;
}

/* Where the code of this text is kept: it is of one kind of device, by one compiler with its options. false: nowhere. */
static bool find_place(const arne_cuda *c, const text_buffer *t, const char *const options[OPTIONS], char path[CACHE_LONGEST])
{
    int version[2];
    if (c->o.anew || c->d.nvrtcVersion(&version[0], &version[1])) return false;
    cache_hash h = arne__cache_add(arne__cache_start(), version, sizeof version);
    for (int i = 0; i < OPTIONS; i++) h = arne__cache_word(h, options[i]);
    return !arne__cache_path("cuda", arne__cache_add(h, t->s, t->length), "cubin", path, NULL);
}

/* Code that is kept, or compiled now and kept then; one that the device does not take, as if it were not there. A folder that
 * cannot be written to is no failure: the next program compiles as well. */
static arne_status take_code(arne_cuda *c, const text_buffer *t)
{
    char kind[48], path[CACHE_LONGEST], *code = NULL;
    int major = 0, minor = 0;
    size_t size = 0;
    arne_status status =
        arne__cuda_answer(c, c->d.cuDeviceGetAttribute(&major, CU_MAJOR, c->device), "the device does not say what it is");
    if (!status)
        status =
            arne__cuda_answer(c, c->d.cuDeviceGetAttribute(&minor, CU_MINOR, c->device), "the device does not say what it is");
    if (status) return status;
    snprintf(kind, sizeof kind, "--gpu-architecture=sm_%d%d", major, minor);
    const char *const options[OPTIONS] = {kind, "-std=c++17"};
    const bool place = find_place(c, t, options, path);
    if (place) code = arne__cache_read(path, &size);
    const bool kept = code && !load(c, code);
    if (!kept) {
        free(code);
        code = NULL;
        status = compile(c, t, options, &code, &size);
        if (!status) status = load(c, code);
        if (!status && place) arne__cache_write(path, code, size, NULL);
    }
    free(code);
    if (!status) c->message[0] = '\0'; /* what was said of code that was kept */
    return status;
}

arne_status arne_cuda_new(const arne_data *d, const arne_cuda_options *options, arne_cuda **out, arne_error *error)
{
    arne_cuda_options o;
    if (out) *out = NULL;
    if (!d || !options || !out || options_take(&o, sizeof o, options) || o.device < 0)
        return BAD_ARGUMENT(error, "a robot on a device needs data, options and a place");
    arne_cuda *c = calloc(1, sizeof *c);
    if (!c) return NO_MEMORY(error);
    c->o = o;
    c->model = arne_data_model(d);
    text_buffer t = {0};
    arne_status status = arne__driver_load(&c->d, error);
    if (!status) status = arne__cuda_text(c, d, &t, error);
    if (!status) {
        status = open_device(c);
        if (!status) status = arne__cuda_enter(c);
        if (!status) status = arne__cuda_leave(c, take_code(c, &t));
        if (status) arne_fail(error, status, NULL, 0, "%s", c->message);
    }
    arne__text_free(&t);
    if (status)
        arne_cuda_free(c);
    else
        *out = c;
    return status;
}

void arne_cuda_free(arne_cuda *c)
{
    if (!c) return;
    if (c->retained && !arne__cuda_enter(c)) {
        if (c->scratch) c->d.cuMemFree_v2((uintptr_t)c->scratch);
        if (c->module) c->d.cuModuleUnload(c->module);
        arne__cuda_leave(c, ARNE_OK);
    }
    if (c->retained) c->d.cuDevicePrimaryCtxRelease_v2(c->device);
    arne_base_free(c->base);
    free(c);
}

/* ---- running ---- */

const kernel *arne__cuda_kernel(const arne_cuda *c, const char *quantity)
{
    for (int i = 0; i < c->count; i++)
        if (!strcmp(arne_quantity_at(c->kernels[i].quantity)->name, quantity)) return &c->kernels[i];
    return NULL;
}

arne_status arne__cuda_launch(arne_cuda *c, void *function, void *stream, int block, size_t across, unsigned y, unsigned z,
                              size_t shared, const job *j)
{
    void *arguments[] = {(void *)j};
    const size_t blocks = (across + (size_t)block - 1) / (size_t)block;
    if (blocks > 0x7fffffff) return arne__cuda_say(c, ARNE_BAD_ARGUMENT, "too many states for one call");
    return arne__cuda_answer(
        c,
        c->d.cuLaunchKernel(function, (unsigned)blocks, y, z, (unsigned)block, 1, 1, (unsigned)shared, stream, arguments, NULL),
        "a kernel cannot be started");
}

arne_status arne__cuda_states(arne_cuda *c, const kernel *k, void *stream, size_t count, size_t robots, const arne_cuda_state *x,
                              void *out)
{
    const job j = {
        .n = (long)count, .count = {(long)robots}, .in = {x->q, x->qd, x->qdd, x->tau, x->qa, x->parameters}, .out = {out}};
    const unsigned inputs = arne_quantity_at(k->quantity)->inputs | ARNE_Q;
    const struct {
        unsigned bit;
        const void *given;
    } needed[] = {{ARNE_Q, x->q}, {ARNE_QD, x->qd}, {ARNE_QDD, x->qdd}, {ARNE_TAU, x->tau}, {ARNE_QA, x->qa}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (inputs & needed[i].bit && !needed[i].given)
            return arne__cuda_say(c, ARNE_BAD_ARGUMENT, "a vector that it reads is missing");
    if (!out || (c->o.live && !x->parameters))
        return arne__cuda_say(c, ARNE_BAD_ARGUMENT, out ? "parameters are missing" : "there is no place for the result");
    if (count == 0) return ARNE_OK;
    /* few states: all parts at once and small blocks, so that more of the device works */
    return arne__cuda_launch(c, k->function, stream, count < 16384 ? SMALL_BLOCK : BLOCK, count, (unsigned)k->parts, 1, 0, &j);
}

arne_status arne_cuda_run(arne_cuda *c, const char *quantity, void *stream, size_t count, const arne_cuda_state *x, void *out)
{
    if (!c || !quantity || !x) return ARNE_BAD_ARGUMENT;
    const kernel *k = arne__cuda_kernel(c, quantity);
    if (!k) return arne__cuda_say(c, ARNE_NOT_PREPARED, "this quantity was not named in `what` when the robot was opened");
    arne_status status = arne__cuda_enter(c);
    return status ? status : arne__cuda_leave(c, arne__cuda_states(c, k, stream, count, count, x, out));
}

/* ---- parameters ---- */

int arne_cuda_parameters(const arne_cuda *c) { return c ? c->nparameter : 0; }

arne_status arne_cuda_parameter_values(const arne_cuda *c, const arne_settings *s, double *values)
{
    if (!c || !s || !values || !c->o.live) return ARNE_BAD_ARGUMENT;
    const int all = ARNE_LINK_PARAMETERS * arne_model_bodies(c->model);
    double *K = malloc((size_t)all * sizeof *K);
    arne_status status = K ? arne_parameters(s, K) : ARNE_NO_MEMORY;
    if (!status && c->base) status = arne_base_values(c->base, K, values);
    if (!status && !c->base) memcpy(values, K, (size_t)all * sizeof *K);
    free(K);
    return status;
}

arne_status arne_cuda_mix(arne_cuda *c, void *stream, size_t count, int nrow, const double *rows, const void *weight,
                          void *parameters)
{
    if (!c || nrow < 1 || !rows || !weight || !parameters || !c->mix) return ARNE_BAD_ARGUMENT;
    const size_t size = (size_t)nrow * (size_t)c->nparameter;
    void *device = NULL;
    float *small = c->o.single ? malloc(size * sizeof *small) : NULL;
    if (c->o.single && !small) return arne__cuda_say(c, ARNE_NO_MEMORY, arne_status_words(ARNE_NO_MEMORY));
    for (size_t i = 0; small && i < size; i++) small[i] = (float)rows[i];
    arne_status status = arne_cuda_alloc(c, size * arne__cuda_real(c), &device);
    if (!status) status = arne_cuda_put(c, device, small ? (const void *)small : rows, size * arne__cuda_real(c));
    if (!status && count) status = arne__cuda_enter(c);
    if (!status && count) {
        const job j = {.n = (long)count, .count = {nrow}, .in = {device, weight}, .out = {parameters}};
        status = arne__cuda_launch(c, c->mix, stream, BLOCK, count, (unsigned)c->nparameter, 1, 0, &j);
        if (!status) status = arne__cuda_answer(c, c->d.cuStreamSynchronize(stream), "parameters cannot be mixed");
        arne__cuda_leave(c, status);
    }
    if (device) arne_cuda_release(c, device);
    free(small);
    return status;
}
