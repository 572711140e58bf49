/* SPDX-License-Identifier: MIT
 *
 * eval_fast.c - `eval --fast`: which of the quantities the robot's own code computes, and that code. */
#include <string.h>

#include "cli/eval_block.h"

typedef struct {
    const arguments *arguments;
    const eval_job *job;
    arne_loaded **code;
} attempt;

/* The code has world axes at the link and the Coriolis matrix of Christoffel's symbols inside. */
static bool has_code(const eval_job *j, const quantity *q)
{
    const unsigned options = arne_quantity_at(q->row)->options;
    const arne_quantity_options o = quantity_options(q, &j->e);
    return !(options & ARNE_IN_FRAME && o.frame != ARNE_ALIGNED) &&
           !(options & ARNE_BY_FACTOR && o.factor != ARNE_CHRISTOFFEL_FACTOR);
}

static uint64_t load(void *context, uint64_t of)
{
    const attempt *t = context;
    const eval_job *j = t->job;
    uint64_t got = 0;
    for (int i = 0; i < j->count; i++) {
        arne_error error = {0};
        if (!(of >> i & 1)) continue;
        const arne_status status = arne_code_load(j->e.data, j->wanted[i].name, j->e.link, &t->code[i], &error);
        if (!status) got |= (uint64_t)1 << i;
        if (status && !option_given(t->arguments, "quiet")) note("--fast: %s; computed as without it", error.message);
        if (status == ARNE_CANNOT_WRITE) break; /* so it would be with the others */
    }
    return got;
}

void eval_fast(const arguments *a, const eval_job *j, const bool *at_once, arne_loaded **code)
{
    uint64_t of = 0;
    char names[400] = "";
    attempt t = {a, j, code};
    for (int i = 0; i < j->count; i++) {
        const char *name = j->wanted[i].name;
        if (at_once[i] && j->in.nwrench == 0 && has_code(j, &j->wanted[i]))
            of |= (uint64_t)1 << i;
        else
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "", name);
    }
    if (names[0] && !option_given(a, "quiet"))
        note("--fast: %s: %s, computed as without it", names,
             !j->in.states.has_file ? "one row"
             : j->in.nwrench        ? "wrenches are not in the code"
                                    : "not in the code");
    const uint64_t got = ranks_common(j->ranks, load, &t, of);
    for (int i = 0; i < j->count; i++) {
        if (got >> i & 1) continue;
        arne_loaded_free(code[i]);
        code[i] = NULL;
    }
}
