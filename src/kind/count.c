/* SPDX-License-Identifier: MIT
 *
 * count.c - public operation counts: a symbolic run, its graph rewritten with less work, counted. */
#include "arne/count.h"

#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "kind/symbolic.h"

const char *arne_count_name(int i) { return arne__symbolic_name_of(i); }

static bool cost(const sym_graph *g, const sym *out, int n, int processors, arne_operations *o)
{
    graph_count c;
    if (!arne__graph_cost(g, out, n, &c)) return false;
    *o = (arne_operations){c.mul, c.add, c.div, c.trig, c.other, c.depth, 0};
    if (processors > 0) o->steps = arne__graph_steps(g, out, n, processors);
    return o->steps >= 0;
}

arne_status arne_count(const arne_data *d, const char *what, const arne_count_options *options, arne_operations *out)
{
    const arne_count_options none = {0}, *o = options ? options : &none;
    int i = 0;
    while (arne__symbolic_name_of(i) && strcmp(arne__symbolic_name_of(i), what)) i++;
    if (!arne__symbolic_name_of(i)) return ARNE_BAD_VALUE;
    symbolic s;
    if (!arne__symbolic_run(
            d, what,
            &(symbolic_options){.general = o->general, .with_wrench = o->with_wrench, .given = o->given, .lean = o->lean}, &s))
        return ARNE_NO_MEMORY;
    bool ok;
    if (o->as_written) {
        ok = cost(s.g, s.out, s.nout, o->processors, out);
    } else {
        sym_graph *spread = arne__sym_graph_new(), *g = arne__sym_graph_new();
        sym *x = malloc(2 * (size_t)s.nout * sizeof *x), *y = x + s.nout;
        ok = spread && g && x && arne__graph_distribute(s.g, s.out, s.nout, spread, x) &&
             arne__graph_factor(spread, x, s.nout, true, g, y) && cost(g, y, s.nout, o->processors, out);
        free(x);
        arne__sym_graph_free(spread);
        arne__sym_graph_free(g);
    }
    arne__symbolic_free(&s);
    return ok ? ARNE_OK : ARNE_NO_MEMORY;
}
