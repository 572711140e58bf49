/* SPDX-License-Identifier: MIT
 *
 * quantity.c - the rows of texts.def for users, and any of them for one state. */
#include "arne/quantity.h"

#include <limits.h>
#include <string.h>

#include "algo/axes.h"
#include "algo/rows.h"
#include "arne/regressor.h"
#include "base/nearest.h"
#include "base/options.h"
#include "dynamics/more.h"
#include "kind/kinds.h"

TEXT_WIDE(run);

/* words of texts.def */
enum { Q = ARNE_Q, QD = ARNE_QD, QDD = ARNE_QDD, TAU = ARNE_TAU, QA = ARNE_QA };
enum { LINKED = ARNE_OF_LINK, FRAMED = ARNE_IN_FRAME, FACTORED = ARNE_BY_FACTOR, GROUPED = 8, HIDDEN = 16 };
#define COUNT(...) (int)(sizeof((arne_part[]){__VA_ARGS__}) / sizeof(arne_part))

/* the rows of texts.def by their numbers */
static const arne_quantity list[] = {
#define TEXT(name, text, arguments, inputs, letter, flags, about, ...)                                                           \
    {#name, about, letter, (inputs), (flags)&7, ((flags)&GROUPED) != 0, ((flags)&HIDDEN) != 0, COUNT(__VA_ARGS__), {__VA_ARGS__}},
#include "algo/texts.def"
};
enum { QUANTITIES = sizeof list / sizeof *list };

int arne_quantities(void) { return QUANTITIES; }
const arne_quantity *arne_quantity_at(int i) { return i >= 0 && i < QUANTITIES ? &list[i] : NULL; }

int arne_quantity_find(const char *name) { return NAME_FIND(list, QUANTITIES, name); }

int arne_axis_size(arne_axis axis, const arne_model *m) { return m ? arne__axis_size(axis, m->robot->n, m->nv) : 0; }

int arne_quantity_size(int quantity, const arne_model *m)
{
    const arne_quantity *q = arne_quantity_at(quantity);
    double size = 0;
    for (int i = 0; q && m && i < q->nparts; i++)
        size += (double)arne_axis_size(q->parts[i].rows, m) * (double)arne_axis_size(q->parts[i].columns, m);
    return size > INT_MAX ? 0 : (int)size;
}

arne_status arne__quantity_check(const arne_data *d, int quantity, const arne_quantity_options *given, const void *const x[5],
                                 const void *out, arne_quantity_options *o)
{
    const arne_quantity *q = arne_quantity_at(quantity);
    if (!d || !q || !out) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < 5; i++)
        if (q->inputs & 1u << i && !x[i]) return ARNE_BAD_ARGUMENT;
    const arne_status status = options_take(o, sizeof *o, given);
    if (status) return status;
    if (d->model->nv && !arne_quantity_size(quantity, d->model)) return ARNE_UNSUPPORTED;
    const bool wrong = (q->options & ARNE_OF_LINK && (o->link < 0 || o->link >= d->model->nlink)) ||
                       (q->options & ARNE_IN_FRAME && (unsigned)o->frame > ARNE_ALIGNED) ||
                       (q->options & ARNE_BY_FACTOR && (unsigned)o->factor > ARNE_CHRISTOFFEL_FACTOR);
    return wrong ? ARNE_BAD_ARGUMENT : ARNE_OK;
}

bool arne__quantity_derives(int quantity) { return quantity == TEXT_did || quantity == TEXT_d2id || quantity == TEXT_d2id_times; }

/* Of what goes forward: arne_fd judges, then the text has a matrix that can be inverted. */
static arne_status forward(arne_data *d, int quantity, const text_input *in, double *out)
{
    const arne_status status = arne__fd(d, in->q, in->qd, in->tau, d->work.columns);
    if (status)
        memset(out, 0, (size_t)arne_quantity_size(quantity, d->model) * sizeof *out);
    else
        SCREWS_TEXT_OF(d, run)(quantity, d->settings->robot, &d->work, in, out);
    return status;
}

arne_status arne_compute(arne_data *d, int quantity, const arne_quantity_options *options, const arne_state *x, double *out)
{
    arne_quantity_options o;
    if (!x) return ARNE_BAD_ARGUMENT;
    const void *const in[5] = {x->q, x->qd, x->qdd, x->tau, x->qa};
    const arne_status status = arne__quantity_check(d, quantity, options, in, out, &o);
    if (status) return status;
    if (quantity == TEXT_fd) return arne__fd(d, x->q, x->qd, x->tau, out);
    if (quantity == TEXT_dfd) {
        const size_t square = (size_t)d->model->nv * (size_t)d->model->nv;
        return arne__dfd(d, x->q, x->qd, x->tau, out, out + square, out + 2 * square);
    }
    const text_input input = {x->q, x->qd, x->qdd, x->tau, x->qa, o.link, (int)o.frame, (int)o.factor, 0};
    if (quantity == TEXT_dfd_parameters || quantity == TEXT_dfd_payload) return forward(d, quantity, &input, out);
    if (!arne__quantity_derives(quantity)) {
        TEXT_OF(d, run)(quantity, d->settings->robot, &d->work, &input, out);
        return ARNE_OK;
    }
    SCREWS_TEXT_OF(d, run)(quantity, d->settings->robot, &d->work, &input, out);
    const arne_state read = {x->q, x->qd, x->qdd, NULL, list[quantity].inputs & QA ? x->qa : NULL};
    return arne__finish_derivatives(d, &read, 1, &out, (size_t)arne_quantity_size(quantity, d->model));
}
