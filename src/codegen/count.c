/* SPDX-License-Identifier: MIT
 *
 * count.c - public operation counts: a symbolic run, its graph rewritten with less work, counted. */
#include "arne/count.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "codegen/reduce.h"

const char *arne_count_name(int i) { return arne__symbolic_name_of(i); }

bool arne__graph_leaner(const symbolic *out, sym_graph *spread, sym_graph *less, sym *x, graph_count *count)
{
    sym *y = x + out->nout;
    arne__sym_graph_cut(spread, 0);
    arne__sym_graph_cut(less, 0);
    return arne__graph_distribute(out->g, out->out, out->nout, spread, x) &&
           arne__graph_factor(spread, x, out->nout, true, less, y) && arne__graph_cost(less, y, out->nout, count);
}

static arne_status count_text(const arne_data *d, const char *what, const symbolic_options *with, const arne_count_options *o,
                              arne_operations *out)
{
    symbolic s;
    if (!arne__symbolic_run(d, what, with, &s)) return ARNE_NO_MEMORY;
    sym_graph *spread = arne__sym_graph_new(), *less = arne__sym_graph_new(), *g = o->as_written ? s.g : less;
    sym *x = malloc(2 * (size_t)s.nout * sizeof *x), *y = o->as_written ? s.out : x + s.nout;
    graph_count c;
    bool ok = spread && less && x &&
              (o->as_written ? arne__graph_cost(s.g, s.out, s.nout, &c) : arne__graph_leaner(&s, spread, less, x, &c));
    if (ok) *out = (arne_operations){c.mul, c.add, c.div, c.trig, c.other, c.depth, 0};
    if (ok && o->processors > 0) ok = (out->steps = arne__graph_steps(g, y, s.nout, o->processors)) >= 0;
    free(x);
    arne__sym_graph_free(spread);
    arne__sym_graph_free(less);
    arne__symbolic_free(&s);
    return ok ? ARNE_OK : ARNE_NO_MEMORY;
}

/* with base parameters: of two texts for one thing, the general and the lean one, the cheaper */
static arne_status count_base(const arne_data *d, int what, const symbolic_options *given, const arne_count_options *o,
                              arne_operations *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s-lean", arne__symbolic_name_of(what));
    const int other = arne__symbolic_find(name), uses = arne__symbolic_uses(what) | arne__symbolic_uses(other);
    reduced r = {0};
    arne_operations less;
    int *lean = malloc((size_t)arne_model_joints(arne_data_model(d)) * sizeof *lean);
    arne_status status = lean ? arne__reduce(d, o->general, &r, NULL) : ARNE_NO_MEMORY;
    if (!status && !arne__lean_search(&r, uses, o->with_wrench, lean)) status = ARNE_NO_MEMORY;
    symbolic_options with = *given;
    with.general = false; /* the parameters that stay are arbitrary already, the others are zero */
    with.lean = lean;
    if (!status) status = count_text(r.d, arne__symbolic_name_of(what), &with, o, out);
    if (!status && other >= 0) {
        status = count_text(r.d, name, &with, o, &less);
        if (!status && less.mul + less.add + less.div < out->mul + out->add + out->div) *out = less;
    }
    arne__reduced_free(&r);
    free(lean);
    return status;
}

_Static_assert(ARNE_BASE_MOST_JOINTS == 200, "as the sentence says");
static const char *fault(const arne_model *m, const char *what, bool base)
{
    if (base && arne_model_bodies(m) > ARNE_BASE_MOST_JOINTS)
        return "base parameters are found for up to 200 joints: take standard ones (--params standard)";
    return arne__symbolic_fault(what, m);
}

const char *arne_count_fault(const arne_model *m, const char *what, const arne_count_options *options)
{
    arne_count_options o;
    return !m || !what || options_take(&o, sizeof o, options) ? NULL : fault(m, what, o.base);
}

arne_status arne_count(const arne_data *d, const char *what, const arne_count_options *options, arne_operations *out)
{
    arne_count_options o;
    if (!d || !what || !out) return ARNE_BAD_ARGUMENT;
    const arne_status status = options_take(&o, sizeof o, options);
    const int i = arne__symbolic_find(what);
    if (status || i < 0) return status ? status : ARNE_BAD_VALUE;
    if (fault(arne_data_model(d), what, o.base)) return ARNE_UNSUPPORTED;
    const symbolic_options with = {.general = o.general, .with_wrench = o.with_wrench, .given = o.given};
    return o.base ? count_base(d, i, &with, &o, out) : count_text(d, what, &with, &o, out);
}
