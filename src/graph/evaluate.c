/* SPDX-License-Identifier: MIT
 *
 * evaluate.c - the numbers of a graph, by the operations of the double kind in the same order. */
#include <math.h>
#include <stdlib.h>

#include "graph/graph.h"

static double operation(const sym_node *x, double a, double b)
{
    switch (x->op) {
    case SYM_ADD: return a + b;
    case SYM_MUL: return a * b;
    case SYM_DIVIDE: return a / b;
    case SYM_ROOT: return sqrt(a);
    case SYM_SINE: return sin(a);
    case SYM_COSINE: return cos(a);
    case SYM_ABSOLUTE: return fabs(a);
    case SYM_SIGN: return (double)((a > 0) - (a < 0));
    case SYM_LEAST: return a < b ? a : b;
    case SYM_MOST: return a > b ? a : b;
    case SYM_EXPO: return exp(a);
    case SYM_POWER: return pow(a, b);
    default: return x->value;
    }
}

static double at(const double *v, int ref) { return ref < 0 ? 0 : ref & 1 ? -v[ref >> 1] : v[ref >> 1]; }

bool arne__graph_evaluate(const sym_graph *g, const double *input, const sym *out, int n, double *value)
{
    const int size = arne__sym_graph_size(g);
    bool *live = malloc(((size_t)size + 1) * sizeof *live);
    double *v = malloc(((size_t)size + 1) * sizeof *v);
    const bool ok = live && v;
    if (ok) {
        arne__graph_live(g, out, n, live);
        for (int i = 0; i < size; i++) {
            if (!live[i]) continue;
            const sym_node *x = arne__sym_graph_node(g, i);
            v[i] = x->op == SYM_INPUT ? input[x->a] : x->op < SYM_INPUT ? x->value : operation(x, at(v, x->a), at(v, x->b));
        }
        for (int i = 0; i < n; i++) value[i] = out[i].g ? at(v, out[i].ref) : out[i].c;
    }
    free(live);
    free(v);
    return ok;
}
