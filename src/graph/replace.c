/* SPDX-License-Identifier: MIT */
#include "graph/replace.h"

#include <stdlib.h>

#include "graph/graph.h"

static sym mapped(const sym *map, int ref) { return ref & 1 ? sym_neg(map[ref >> 1]) : map[ref >> 1]; }

bool arne__graph_replace(const sym_graph *g, const sym *out, int n, graph_replacement *replacement, const void *context,
                         sym_graph *into, sym *result)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    bool *live = calloc(size, sizeof *live);
    sym *map = calloc(size, sizeof *map);
    const bool memory = live && map;
    if (memory) {
        arne__graph_live(g, out, n, live);
        for (int i = 0; i < arne__sym_graph_size(g); i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
            if (!live[i] && x->op != SYM_INPUT) continue; /* all inputs, so that their numbers agree */
            map[i] = x->op == SYM_PARAM ? replacement(context, into, x->key, x->value)
                     : x->op <= SYM_INPUT
                         ? arne__sym_leaf(into, x)
                         : arne__sym_operate(x->op, mapped(map, x->a), x->b >= 0 ? mapped(map, x->b) : sym_of(0));
        }
        for (int i = 0; i < n; i++) result[i] = out[i].g ? mapped(map, out[i].ref) : out[i];
    }
    free(live);
    free(map);
    return memory && !arne__sym_graph_failed(into);
}
