/* SPDX-License-Identifier: MIT
 *
 * text.c - what the compiler of CUDA gets: the robot's own code (codegen.h), kernels of this library, and a kernel a quantity. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arne/codegen.h"
#include "arne/positions.h"
#include "base/fail.h"
#include "cuda/cuda.h"

/* parts into which the code of a function is cut: it says so itself */
static int parts_of(const char *code, const char *name)
{
    char line[96];
    snprintf(line, sizeof line, "enum { robot_%.40s_parts = ", name);
    const char *at = strstr(code, line);
    return at ? atoi(at + strlen(line)) : 1;
}

/* Arguments in the order of generated code: parameters, q qd qa qdd tau, the result. */
static void add_kernel(text_buffer *t, const arne_cuda *c, const kernel *k)
{
    static const struct {
        unsigned bit;
        int at;
    } order[] = {{ARNE_Q, 0}, {ARNE_QD, 1}, {ARNE_QA, 4}, {ARNE_QDD, 2}, {ARNE_TAU, 3}};
    const arne_quantity *q = arne_quantity_at(k->quantity);
    arne__text_add(
        t, "\nextern \"C\" __global__ void robot_run_%s(job j)\n{\n    const long k = thread();\n    if (k >= j.n) return;\n",
        q->name);
    if (k->parts > 1) arne__text_add(t, "    for (int part = blockIdx.y; part < %d; part += gridDim.y)\n    ", k->parts);
    arne__text_add(t, "    robot_words::%s_of(%s, ", q->name, k->parts > 1 ? "part" : "0");
    if (c->o.live) arne__text_put(t, "in(j, 5) + k % j.count[0], ");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (q->inputs & order[i].bit || order[i].bit == ARNE_Q) arne__text_add(t, "in(j, %d) + k, ", order[i].at);
    arne__text_put(t, c->o.live ? "out(j, 0) + k, j.n, j.count[0]);\n}\n" : "out(j, 0) + k, j.n);\n}\n");
}

/* joints whose positions are no plain numbers: rollout.cuh says what their list is for */
static void add_wide(text_buffer *t, const arne_model *m)
{
    arne__text_put(t, "#define ROBOT_WIDE(X)");
    for (int i = 0; i < arne_model_joints(m); i++) {
        const int q = arne_joint_q(m, i), turn = arne_joint_turn(m, i);
        if (turn >= 0) arne__text_add(t, " X(%d, %d, %d)", q, arne_joint_v(m, i), turn > q ? 6 : 3);
    }
    arne__text_put(t, "\n");
}

/* which quantities are asked for; generated code has been asked for the same */
static arne_status list_kernels(arne_cuda *c, const char *what, arne_error *error)
{
    for (const char *at = what; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        const int row = arne_quantity_find(name);
        if (row < 0) return BAD_VALUE(error, "no quantity is called \"%.60s\"", name);
        if (c->count == MOST_KERNELS) return BAD_VALUE(error, "too many quantities");
        c->kernels[c->count++] = (kernel){.quantity = row};
    }
    return ARNE_OK;
}

arne_status arne__cuda_text(arne_cuda *c, const arne_data *d, text_buffer *t, arne_error *error)
{
    const char *what = c->o.what ? c->o.what : "id,fd";
    const arne_codegen_options o = {.size = sizeof o,
                                    .name = "robot",
                                    .what = what,
                                    .link = c->o.link,
                                    .standard = c->o.standard,
                                    .live = c->o.live,
                                    .cuda = true};
    arne_code *code = NULL;
    arne_status status = arne_codegen(d, &o, &code, error);
    if (!status) status = list_kernels(c, what, error);
    if (!status) {
        c->nparameter = code->nparameter;
        c->base = code->base;
        code->base = NULL;
        const bool rolls = arne__cuda_kernel(c, "fd");
        const size_t wanted = (arne__cuda_waiting(c) + (size_t)c->nparameter) * arne__cuda_real(c) * SMALL_BLOCK * 2;
        c->shared_parameters = c->o.live && wanted <= 100000;
        arne__text_add(t, "#define ARNE_FMA %d\n#define ARNE_TURNS %d\n#define ROBOT_LIVE %d\n#define ROBOT_ROLLS %d\n", c->o.fma,
                       c->o.turns, c->o.live, rolls);
        arne__text_add(t, "#define ROBOT_PARAMETERS %d\n#define ROBOT_SHARED_PARAMETERS %d\ntypedef %s real;\n",
                       c->nparameter ? c->nparameter : 1, c->shared_parameters, c->o.single ? "float" : "double");
        arne__text_put(t, code->header);
        add_wide(t, c->model);
        arne__text_put(t, arne__cuda_tangent);
        arne__text_put(t, arne__cuda_rollout);
        for (int i = 0; i < c->count; i++) {
            kernel *k = &c->kernels[i];
            k->parts = parts_of(code->header, arne_quantity_at(k->quantity)->name);
            add_kernel(t, c, k);
        }
        if (t->failed) status = NO_MEMORY(error);
    }
    arne_code_free(code);
    return status;
}
