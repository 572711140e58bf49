/* SPDX-License-Identifier: MIT
 *
 * count.c - live nodes, operation counts, depth, and steps on k processors. */
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

void graph_live(const sym_graph *g, const sym *out, int n, bool *live)
{
    memset(live, 0, (size_t)sym_graph_size(g) * sizeof *live);
    for (int i = 0; i < n; i++)
        if (out[i].g) live[out[i].ref >> 1] = true;
    for (int i = sym_graph_size(g) - 1; i >= 0; i--) {
        const sym_node *x = sym_graph_node(g, i);
        if (!live[i] || x->op <= SYM_INPUT) continue;
        live[x->a >> 1] = true;
        if (x->b >= 0) live[x->b >> 1] = true;
    }
}

/* an operation of the run-time program */
static bool works(const sym_node *x) { return x->op > SYM_INPUT && !x->fixed && x->op != SYM_SINE && x->op != SYM_COSINE; }

static void depths(const sym_graph *g, const bool *live, long *depth)
{
    for (int i = 0; i < sym_graph_size(g); i++) {
        const sym_node *x = sym_graph_node(g, i);
        depth[i] = 0;
        if (!live[i] || !works(x)) continue;
        const long a = depth[x->a >> 1], b = x->b >= 0 ? depth[x->b >> 1] : 0;
        depth[i] = 1 + (a > b ? a : b);
    }
}

bool graph_cost(const sym_graph *g, const sym *out, int n, graph_count *count)
{
    const int size = sym_graph_size(g);
    bool *live = malloc(((size_t)size + 1) * sizeof *live), *angle = calloc((size_t)size + 1, sizeof *angle);
    long *depth = malloc(((size_t)size + 1) * sizeof *depth);
    const bool ok = live && angle && depth;
    *count = (graph_count){0};
    if (ok) {
        graph_live(g, out, n, live);
        depths(g, live, depth);
        for (int i = 0; i < size; i++) {
            const sym_node *x = sym_graph_node(g, i);
            if (!live[i] || x->op <= SYM_INPUT || x->fixed) continue;
            if (depth[i] > count->depth) count->depth = depth[i];
            switch (x->op) {
            case SYM_ADD: count->add++; break;
            case SYM_MUL: count->mul++; break;
            case SYM_DIVIDE: count->div++; break;
            case SYM_SINE:
            case SYM_COSINE:
                if (!angle[x->a >> 1]) count->trig++;
                angle[x->a >> 1] = true;
                break;
            default: count->other++; break;
            }
        }
    }
    free(live);
    free(angle);
    free(depth);
    return ok;
}

/* distance of every node to the end: the operations that still wait for it */
static void heights(const sym_graph *g, const bool *live, long *height)
{
    const int size = sym_graph_size(g);
    for (int i = 0; i < size; i++) height[i] = 0;
    for (int i = size - 1; i >= 0; i--) {
        const sym_node *x = sym_graph_node(g, i);
        if (!live[i] || !works(x)) continue;
        const long h = height[i] + 1;
        if (height[x->a >> 1] < h) height[x->a >> 1] = h;
        if (x->b >= 0 && height[x->b >> 1] < h) height[x->b >> 1] = h;
    }
}

typedef struct {
    long height;
    int node;
} waiting;

static int by_height(const void *a, const void *b)
{
    const waiting *x = a, *y = b;
    if (x->height != y->height) return x->height < y->height ? 1 : -1;
    return (x->node > y->node) - (x->node < y->node);
}

long graph_steps(const sym_graph *g, const sym *out, int n, int processors)
{
    const int size = sym_graph_size(g);
    bool *live = malloc(((size_t)size + 1) * sizeof *live);
    long *height = malloc(((size_t)size + 1) * sizeof *height), *done = calloc((size_t)size + 1, sizeof *done);
    waiting *list = malloc(((size_t)size + 1) * sizeof *list);
    long step = -1;
    if (live && height && done && list) {
        graph_live(g, out, n, live);
        heights(g, live, height);
        int left = 0;
        for (int i = 0; i < size; i++)
            if (live[i] && works(sym_graph_node(g, i))) list[left++] = (waiting){height[i], i};
        qsort(list, (size_t)left, sizeof *list, by_height);
        /* done[node] = step at which it is ready; what does no work is ready at 0 */
        for (step = 0; left > 0; step++) {
            int started = 0, kept = 0;
            for (int k = 0; k < left; k++) {
                const sym_node *x = sym_graph_node(g, list[k].node);
                const int operand[2] = {x->a >> 1, x->b >= 0 ? x->b >> 1 : x->a >> 1};
                bool ready = started < processors;
                for (int o = 0; o < 2 && ready; o++)
                    ready = !works(sym_graph_node(g, operand[o])) || (done[operand[o]] && done[operand[o]] <= step);
                if (ready) {
                    done[list[k].node] = step + 1;
                    started++;
                } else {
                    list[kept++] = list[k];
                }
            }
            left = kept;
        }
    }
    free(live);
    free(height);
    free(done);
    free(list);
    return step;
}
