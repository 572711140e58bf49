/* SPDX-License-Identifier: MIT
 *
 * quantity.c - the rows of texts.def for users, and any of them for one state. */
#include "arne/quantity.h"

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
    int size = 0;
    for (int i = 0; q && m && i < q->nparts; i++)
        size += arne_axis_size(q->parts[i].rows, m) * arne_axis_size(q->parts[i].columns, m);
    return size;
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
    const bool wrong = (q->options & ARNE_OF_LINK && (o->link < 0 || o->link >= d->model->nlink)) ||
                       (q->options & ARNE_IN_FRAME && (unsigned)o->frame > ARNE_ALIGNED) ||
                       (q->options & ARNE_BY_FACTOR && (unsigned)o->factor > ARNE_CHRISTOFFEL_FACTOR);
    return wrong ? ARNE_BAD_ARGUMENT : ARNE_OK;
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
    const text_input input = {x->q, x->qd, x->qdd, x->tau, x->qa, o.link, (int)o.frame, (int)o.factor};
    TEXT_OF(d, run)(quantity, d->settings->robot, &d->work, &input, out);
    return ARNE_OK;
}
