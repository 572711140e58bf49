/* SPDX-License-Identifier: MIT
 *
 * distribute.c - a constant that multiplies a sum goes into the constants of its terms, where each has one: c (a x + b y) becomes
 * (c a) x + (c b) y, one multiplication less. Only sums that nobody else reads. */
#include <stdlib.h>

#include "graph/graph.h"

typedef struct {
    const sym_graph *from;
    sym *map; /* old node -> number of the new graph */
    int *uses;
} spreader;

static const sym_node *at(const spreader *s, int ref) { return arne__sym_graph_node(s->from, ref >> 1); }

static sym mapped(const spreader *s, int ref) { return ref & 1 ? sym_neg(s->map[ref >> 1]) : s->map[ref >> 1]; }

/* can a constant be taken in at no cost? */
static bool takes(const spreader *s, int ref)
{
    const sym_node *x = at(s, ref);
    if (x->fixed) return true;
    if (s->uses[ref >> 1] != 1) return false;
    if (x->op == SYM_MUL) return takes(s, x->a) || takes(s, x->b);
    return x->op == SYM_ADD && takes(s, x->a) && takes(s, x->b);
}

static sym times(const spreader *s, sym c, int ref)
{
    const sym_node *x = at(s, ref);
    if (ref & 1) return sym_neg(times(s, c, ref ^ 1));
    if (x->fixed) return sym_mul(c, mapped(s, ref));
    if (x->op == SYM_ADD) return sym_add(times(s, c, x->a), times(s, c, x->b));
    return takes(s, x->a) ? sym_mul(times(s, c, x->a), mapped(s, x->b)) : sym_mul(mapped(s, x->a), times(s, c, x->b));
}

static sym copy(const spreader *s, sym_graph *to, int i)
{
    const sym_node *x = arne__sym_graph_node(s->from, i);
    if (x->op <= SYM_INPUT) return arne__sym_leaf(to, x);
    if (x->op == SYM_MUL && !x->fixed) {
        const int fixed = at(s, x->a)->fixed ? x->a : at(s, x->b)->fixed ? x->b : -1, other = fixed == x->a ? x->b : x->a;
        if (fixed >= 0 && at(s, other)->op == SYM_ADD && takes(s, other)) return times(s, mapped(s, fixed), other);
    }
    return arne__sym_operate(x->op, mapped(s, x->a), x->b >= 0 ? mapped(s, x->b) : sym_of(0));
}

bool arne__graph_distribute(const sym_graph *g, const sym *out, int n, sym_graph *into, sym *result)
{
    const int size = arne__sym_graph_size(g);
    bool *live = malloc(((size_t)size + 1) * sizeof *live);
    spreader s = {.from = g};
    s.map = calloc((size_t)size + 1, sizeof *s.map);
    s.uses = calloc((size_t)size + 1, sizeof *s.uses);
    const bool ok = live && s.map && s.uses;
    if (ok) {
        arne__graph_live(g, out, n, live);
        for (int i = 0; i < n; i++)
            if (out[i].g) s.uses[out[i].ref >> 1] += 2; /* a result keeps its node */
        for (int i = 0; i < size; i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
            if (!live[i] || x->op <= SYM_INPUT) continue;
            s.uses[x->a >> 1]++;
            if (x->b >= 0) s.uses[x->b >> 1]++;
        }
        for (int i = 0; i < size; i++)
            if (live[i] || arne__sym_graph_node(g, i)->op == SYM_INPUT) s.map[i] = copy(&s, into, i);
        for (int i = 0; i < n; i++) result[i] = out[i].g ? mapped(&s, out[i].ref) : out[i];
    }
    free(live);
    free(s.map);
    free(s.uses);
    return ok && !arne__sym_graph_failed(into);
}
