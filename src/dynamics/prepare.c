/* SPDX-License-Identifier: MIT
 *
 * prepare.c - more memory for a thread: derivatives, batches, formulations, hands, limits. */
#include <stdlib.h>
#include <string.h>

#include "dynamics/more.h"

/* zeroed, aligned */
static void *take(size_t bytes)
{
    void *memory = aligned_alloc(LAYOUT_ALIGN, layout_aligned(bytes));
    return memory ? memset(memory, 0, bytes) : NULL;
}

static bool prepare_lanes(const robot *r, data_more *more)
{
    const robot_counts n = robot_count(r);
    const size_t state = (size_t)n.nq + 4 * (size_t)n.nv;
    const int few = 6 * n.n + 12, most = few > DATA_LANES ? few : DATA_LANES;
    /* the largest is the regressor, or a derivative; second ones, one by one, of robots that are not large */
    const int room = n.nv * (11 * n.n > 4 * n.nv ? 11 * n.n : 4 * n.nv) + 12;
    const int tensors = n.nv <= DATA_TENSORS ? 4 * n.nv * n.nv * n.nv : 0;
    more->lane_room = room < most ? room : most;
    more->state_room = room > tensors ? room : tensors;
    if (!more->lanes) more->lanes = take(arne__lanes_bytes(n, more->lane_room));
    if (!more->lanes32) more->lanes32 = take(arne__lanes32_bytes(n, more->lane_room));
    if (!more->robot32) more->robot32 = take(arne__text_robot_copy_f32(r, NULL));
    if (!more->doubts) more->doubts = take(DATA_DOUBTS * (size_t)n.nv * sizeof(double));
    if (!more->state) more->state = malloc((state + (size_t)more->state_room) * sizeof(double));
    const int derived = 3 * n.nv * n.nv;
    if (!more->widened)
        more->widened = take(DATA_WIDENED * (state + (size_t)(derived <= DATA_DFD ? derived : 0)) * sizeof(double));
    return more->lanes && more->lanes32 && more->robot32 && more->doubts && more->state && more->widened;
}

arne_status arne_data_prepare(arne_data *d, unsigned what, arne_error *error)
{
    if (!d || what & ~(unsigned)(ARNE_DERIVATIVES | ARNE_BATCHES | ARNE_FORMS | ARNE_HANDS | ARNE_LIMITS))
        return BAD_ARGUMENT(error, "no data, or nothing that can be prepared");
    const arne_status narrow = what & ARNE_LIMITS ? arne__one_freedom_each(d->model, "limits", error) : ARNE_OK;
    if (narrow) return narrow;
    const robot *r = d->model->robot; /* settings may have less of it, for a while */
    bool ok = d->more || (d->more = calloc(1, sizeof *d->more));
    data_more *more = d->more;
    if (ok && what & ARNE_DERIVATIVES && !more->derivatives)
        ok = (more->derivatives = take(arne__derivative_bytes(robot_count(r)))) != NULL;
    if (ok && what & ARNE_BATCHES) ok = prepare_lanes(r, more);
    if (what & ARNE_LIMITS) what |= ARNE_FORMS; /* achievable accelerations go by mRNEA */
    if (ok && what & ARNE_FORMS && !more->forms) {
        const size_t bytes = arne__forms_bytes(d->model);
        if ((ok = (more->forms = take(bytes)) != NULL)) arne__forms_place(d->model, more->forms);
    }
    if (ok && what & ARNE_HANDS && !more->hands && (ok = (more->hands = take(arne__hand_work(d->model, NULL))) != NULL))
        arne__hand_work(d->model, more->hands);
    if (ok && what & ARNE_LIMITS && !more->limits && (ok = (more->limits = take(arne__limits_work(d->model, NULL))) != NULL))
        arne__limits_work(d->model, more->limits);
    return ok ? ARNE_OK : NO_MEMORY(error);
}
