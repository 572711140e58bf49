/* SPDX-License-Identifier: MIT
 *
 * data.c - the memory of a thread that computes, and how wide its machine's vectors are. */
#include "dynamics/data.h"

#include <stdlib.h>
#include <string.h>

int arne__machine_lanes(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return 8;
    if (__builtin_cpu_supports("avx2")) return 4;
#endif
    return 2;
}

turns_fn *arne__machine_turns(void) { return WIDEST(arne__turns_, f64x8, f64x4, f64x2); }

static size_t work_bytes(const arne_model *m)
{
    work k;
    return arne__text_work(robot_count(m->robot), NULL, &k);
}

/* Zeros at a place that suits vectors. Pages that nobody writes stay the system's: the n x n numbers of long robots. */
static char *take(size_t bytes, void **block)
{
    *block = calloc(1, bytes + LAYOUT_ALIGN);
    return *block ? (char *)*block + (LAYOUT_ALIGN - (size_t)*block % LAYOUT_ALIGN) % LAYOUT_ALIGN : NULL;
}

/* in memory that is zero */
static arne_data *begin(const arne_model *m, char *memory)
{
    arne_data *d = (arne_data *)(void *)memory;
    *d = (arne_data){.model = m, .lanes = arne__machine_lanes(), .joint = -1};
    arne__text_work(robot_count(m->robot), memory + layout_aligned(sizeof *d), &d->work);
    return d;
}

static arne_data *begin_own(const arne_model *m, char *memory)
{
    arne_data *d = begin(m, memory);
    d->settings = d->own = arne__settings_init(m, memory + layout_aligned(sizeof *d) + work_bytes(m));
    return d;
}

size_t arne_data_bytes(const arne_model *m)
{
    return m ? layout_aligned(sizeof(arne_data)) + work_bytes(m) + layout_aligned(arne__settings_bytes(m)) : 0;
}

arne_status arne_data_init(const arne_model *m, void *memory, size_t bytes, arne_data **out)
{
    if (!m || !memory || !out || bytes < arne_data_bytes(m) || (size_t)memory % LAYOUT_ALIGN) return ARNE_BAD_ARGUMENT;
    memset(memory, 0, layout_aligned(sizeof(arne_data)) + work_bytes(m));
    *out = begin_own(m, memory);
    return ARNE_OK;
}

arne_status arne_data_new(const arne_model *m, arne_data **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!m || !out) return BAD_ARGUMENT(error, "data need a model and a place");
    void *block;
    char *memory = take(arne_data_bytes(m), &block);
    if (!memory) return NO_MEMORY(error);
    *out = begin_own(m, memory);
    (*out)->block = block;
    return ARNE_OK;
}

arne_status arne_data_share(const arne_settings *s, arne_data **out, arne_error *error)
{
    if (out) *out = NULL;
    if (!s || !out) return BAD_ARGUMENT(error, "data need settings and a place");
    void *block;
    char *memory = take(layout_aligned(sizeof(arne_data)) + work_bytes(s->model), &block);
    if (!memory) return NO_MEMORY(error);
    *out = begin(s->model, memory);
    (*out)->block = block;
    (*out)->settings = s;
    return ARNE_OK;
}

void arne_data_free(arne_data *d)
{
    if (!d) return;
    if (d->more) {
        void *const all[] = {d->more->derivatives, d->more->lanes,  d->more->lanes32, d->more->robot32,
                             d->more->doubts,      d->more->state,  d->more->widened, d->more->forms,
                             d->more->hands,       d->more->limits, d->more};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    }
    free(d->block);
}

const arne_model *arne_data_model(const arne_data *d) { return d ? d->model : NULL; }
arne_settings *arne_data_settings(arne_data *d) { return d ? d->own : NULL; }
const arne_settings *arne_data_settings_used(const arne_data *d) { return d ? d->settings : NULL; }
int arne_data_joint(const arne_data *d) { return d ? d->joint : -1; }
const void *arne__data_doubles(const arne_data *d) { return d->settings->robot; }
