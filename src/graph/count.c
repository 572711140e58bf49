/* SPDX-License-Identifier: MIT
 *
 * count.c - live nodes, operation counts, depth, and steps on k processors. */
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

void arne__graph_live(const sym_graph *g, const sym *out, int n, bool *live)
{
    memset(live, 0, (size_t)arne__sym_graph_size(g) * sizeof *live);
    for (int i = 0; i < n; i++)
        if (out[i].g) live[out[i].ref >> 1] = true;
    for (int i = arne__sym_graph_size(g) - 1; i >= 0; i--) {
        const sym_node *x = arne__sym_graph_node(g, i);
        if (!live[i] || x->op <= SYM_INPUT) continue;
        live[x->a >> 1] = true;
        if (x->b >= 0) live[x->b >> 1] = true;
    }
}

/* an operation of the run-time program */
static bool works(const sym_node *x) { return x->op > SYM_INPUT && !x->fixed && x->op != SYM_SINE && x->op != SYM_COSINE; }

static void depths(const sym_graph *g, const bool *live, long *depth)
{
    for (int i = 0; i < arne__sym_graph_size(g); i++) {
        const sym_node *x = arne__sym_graph_node(g, i);
        depth[i] = 0;
        if (!live[i] || !works(x)) continue;
        const long a = depth[x->a >> 1], b = x->b >= 0 ? depth[x->b >> 1] : 0;
        depth[i] = 1 + (a > b ? a : b);
    }
}

bool arne__graph_cost(const sym_graph *g, const sym *out, int n, graph_count *count)
{
    const int size = arne__sym_graph_size(g);
    bool *live = malloc(((size_t)size + 1) * sizeof *live), *angle = calloc((size_t)size + 1, sizeof *angle);
    long *depth = malloc(((size_t)size + 1) * sizeof *depth);
    const bool ok = live && angle && depth;
    *count = (graph_count){0};
    if (ok) {
        arne__graph_live(g, out, n, live);
        depths(g, live, depth);
        for (int i = 0; i < size; i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
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
    const int size = arne__sym_graph_size(g);
    for (int i = 0; i < size; i++) height[i] = 0;
    for (int i = size - 1; i >= 0; i--) {
        const sym_node *x = arne__sym_graph_node(g, i);
        if (!live[i] || !works(x)) continue;
        const long h = height[i] + 1;
        if (height[x->a >> 1] < h) height[x->a >> 1] = h;
        if (x->b >= 0 && height[x->b >> 1] < h) height[x->b >> 1] = h;
    }
}

/* ready operations, the one with most behind it first */
typedef struct {
    int *node;
    int count;
    const long *height;
} heap;

static bool before(const heap *h, int a, int b)
{
    const long x = h->height[h->node[a]], y = h->height[h->node[b]];
    return x != y ? x > y : h->node[a] < h->node[b];
}

static void swap(heap *h, int a, int b)
{
    const int t = h->node[a];
    h->node[a] = h->node[b];
    h->node[b] = t;
}

static void push(heap *h, int node)
{
    int at = h->count++;
    h->node[at] = node;
    for (; at > 0 && before(h, at, (at - 1) / 2); at = (at - 1) / 2) swap(h, at, (at - 1) / 2);
}

static int pop(heap *h)
{
    const int top = h->node[0];
    h->node[0] = h->node[--h->count];
    for (int at = 0;;) {
        int best = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < h->count && before(h, child, best)) best = child;
        if (best == at) return top;
        swap(h, at, best);
        at = best;
    }
}

/* who reads a node: two links a reader, one for each operand */
typedef struct {
    int *first, *next, *waits; /* next[2 i + operand]; waits: operands that are not ready */
} readers;

static void link_readers(const sym_graph *g, const bool *live, readers *r, heap *ready, int *left)
{
    const int size = arne__sym_graph_size(g);
    for (int i = 0; i < size; i++) r->first[i] = -1, r->waits[i] = 0;
    *left = 0;
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(g, i);
        if (!live[i] || !works(x)) continue;
        const int operand[2] = {x->a, x->b};
        for (int o = 0; o < 2; o++) {
            if (operand[o] < 0 || !works(arne__sym_graph_node(g, operand[o] >> 1))) continue;
            r->next[2 * i + o] = r->first[operand[o] >> 1];
            r->first[operand[o] >> 1] = 2 * i + o;
            r->waits[i]++;
        }
        if (!r->waits[i]) push(ready, i);
        (*left)++;
    }
}

static long schedule(readers *r, heap *ready, int *done, int left, int processors)
{
    long step = 0;
    for (; left > 0; step++) {
        int started = 0;
        while (started < processors && ready->count) done[started++] = pop(ready);
        for (int k = 0; k < started; k++)
            for (int at = r->first[done[k]]; at >= 0; at = r->next[at])
                if (--r->waits[at / 2] == 0) push(ready, at / 2);
        left -= started;
    }
    return step;
}

long arne__graph_steps(const sym_graph *g, const sym *out, int n, int processors)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    bool *live = malloc(size * sizeof *live);
    long *height = malloc(size * sizeof *height), step = -1;
    readers r = {malloc(size * sizeof(int)), malloc(2 * size * sizeof(int)), malloc(size * sizeof(int))};
    heap ready = {malloc(size * sizeof(int)), 0, height};
    int *done = malloc(size * sizeof *done), left;
    if (live && height && r.first && r.next && r.waits && ready.node && done) {
        arne__graph_live(g, out, n, live);
        heights(g, live, height);
        link_readers(g, live, &r, &ready, &left);
        step = schedule(&r, &ready, done, left, processors);
    }
    free(live);
    free(height);
    free(r.first);
    free(r.next);
    free(r.waits);
    free(ready.node);
    free(done);
    return step;
}
