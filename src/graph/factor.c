/* SPDX-License-Identifier: MIT
 *
 * factor.c - the same formula with less work: constants meet in products, common factors leave sums, long sums become trees.
 *
 * A sum is an ADD with all the ADDs below it that nobody else uses; a product likewise. A factor shared by k products of a sum is
 * taken out: k - 1 multiplications saved, and k - 1 additions as well where what is left in the bracket is made of parameters
 * alone. The dearest factor first, then the rest again, inside the bracket too. */
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

enum { FEW = 16 }; /* numbers for which there is room without asking for memory: nearly always */

typedef struct {
    int *factor; /* old nodes, sorted */
    int count;
    int negated;
} product;

/* how many products of a sum have a factor, and in how many of them the rest is fixed */
typedef struct {
    int shared, fixed;
} tally;

typedef struct {
    const sym_graph *from;
    sym_graph *to;
    int *uses, *user; /* how many readers a node has, and the last of them */
    tally *tally;     /* by old node */
    sym *map;         /* old node -> number of the new graph */
    int *pool;        /* memory of the factor lists of the sum at hand */
    int used;
    product *term; /* of the sum at hand */
    int terms;
    long *depth; /* of the new nodes, as far as known */
    int known, room;
    bool balance, failed;
} rewriter;

/* a node of its reader's sum or product; one of constants is one constant */
static bool inner(const rewriter *w, int node, sym_op op)
{
    const sym_node *x = arne__sym_graph_node(w->from, node);
    return x->op == op && w->uses[node] == 1 && !x->fixed;
}

/* part of the one sum or product that reads it: it gets no node of its own */
static bool absorbed(const rewriter *w, int node)
{
    const sym_op op = arne__sym_graph_node(w->from, node)->op;
    if (!inner(w, node, op) || (op != SYM_ADD && op != SYM_MUL)) return false;
    const sym_op by = arne__sym_graph_node(w->from, w->user[node])->op;
    return by == op || (op == SYM_MUL && by == SYM_ADD);
}

static long depth_of(rewriter *w, sym a)
{
    if (!a.g) return 0;
    const int size = arne__sym_graph_size(w->to);
    if (size > w->room) {
        const int room = 2 * size;
        long *more = realloc(w->depth, (size_t)room * sizeof *more);
        if (!more) {
            w->failed = true;
            return 0;
        }
        w->depth = more;
        w->room = room;
    }
    for (; w->known < size; w->known++) {
        const sym_node *x = arne__sym_graph_node(w->to, w->known);
        long d = 0;
        if (x->op > SYM_INPUT && !x->fixed && x->op != SYM_SINE && x->op != SYM_COSINE) {
            d = w->depth[x->a >> 1];
            if (x->b >= 0 && w->depth[x->b >> 1] > d) d = w->depth[x->b >> 1];
            d++;
        }
        w->depth[w->known] = d;
    }
    return w->depth[a.ref >> 1];
}

/* joins n numbers by add or mul: shallow ones first when balancing, otherwise from the left */
static sym join(rewriter *w, sym *x, int n, sym (*op)(sym, sym))
{
    if (!w->balance) {
        sym r = x[0];
        for (int i = 1; i < n; i++) r = op(r, x[i]);
        return r;
    }
    while (n > 1) {
        for (int k = 0; k < 2 && n > 2; k++) { /* the two shallowest to the end */
            int best = 0;
            long least = depth_of(w, x[0]);
            for (int i = 1; i < n - k && least > 0; i++) {
                const long depth = depth_of(w, x[i]);
                if (depth < least) best = i, least = depth;
            }
            const sym t = x[n - 1 - k];
            x[n - 1 - k] = x[best];
            x[best] = t;
        }
        x[n - 2] = op(x[n - 1], x[n - 2]);
        n--;
    }
    return x[0];
}

/* product of old nodes: what is fixed first, so that it is free */
static sym multiply(rewriter *w, const int *factor, int count)
{
    sym few[FEW], fixed = sym_of(1), *rest = count < FEW ? few : malloc(((size_t)count + 1) * sizeof *rest);
    int n = 0;
    if (!rest) {
        w->failed = true;
        return fixed;
    }
    for (int i = 0; i < count; i++) {
        const sym x = w->map[factor[i]];
        if (arne__sym_graph_node(w->from, factor[i])->fixed)
            fixed = sym_mul(fixed, x);
        else
            rest[n++] = x;
    }
    rest[n++] = fixed;
    const sym r = join(w, rest, n, sym_mul);
    if (rest != few) free(rest);
    return r;
}

/* of a product: its factors, and those of the products inside */
static void factors_of(rewriter *w, int ref, product *p)
{
    const sym_node *x = arne__sym_graph_node(w->from, ref >> 1);
    const int operand[2] = {x->a, x->b};
    p->negated ^= ref & 1;
    for (int k = 0; k < 2; k++) {
        if (inner(w, operand[k] >> 1, SYM_MUL))
            factors_of(w, operand[k], p);
        else
            p->factor[p->count++] = operand[k] >> 1, p->negated ^= operand[k] & 1;
    }
}

/* few numbers: one after the other to its place */
static void sort(int *x, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && x[k - 1] > x[k]; k--) {
            const int t = x[k];
            x[k] = x[k - 1];
            x[k - 1] = t;
        }
}

static void terms_of(rewriter *w, int ref, bool top)
{
    const sym_node *x = arne__sym_graph_node(w->from, ref >> 1);
    if (x->op == SYM_ADD && (top || inner(w, ref >> 1, SYM_ADD))) {
        terms_of(w, x->a ^ (ref & 1), false);
        terms_of(w, x->b ^ (ref & 1), false);
        return;
    }
    product *p = &w->term[w->terms++];
    *p = (product){w->pool + w->used, 0, 0};
    if (inner(w, ref >> 1, SYM_MUL))
        factors_of(w, ref, p);
    else
        p->factor[p->count++] = ref >> 1, p->negated = ref & 1;
    sort(p->factor, p->count);
    w->used += p->count;
}

/* Is it a gain to take this factor out? A constant beside another one is no work. */
static bool has(const rewriter *w, const product *p, int factor)
{
    const bool fixed = arne__sym_graph_node(w->from, factor)->fixed;
    bool found = false;
    for (int i = 0; i < p->count; i++) {
        if (!found && p->factor[i] == factor)
            found = true;
        else if (fixed && arne__sym_graph_node(w->from, p->factor[i])->fixed)
            return false;
    }
    return found;
}

/* is what remains of the product without one `factor` made of parameters alone? */
static bool fixed_without(const rewriter *w, const product *p, int factor)
{
    bool skipped = false;
    for (int i = 0; i < p->count; i++) {
        if (!skipped && p->factor[i] == factor)
            skipped = true;
        else if (!arne__sym_graph_node(w->from, p->factor[i])->fixed)
            return false;
    }
    return true;
}

/* the factor that saves most, -1: none; each term is looked at once, the tallies are zero again at the end */
static int dearest(const rewriter *w, const product *t, int n)
{
    int best = -1, most = 0;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n; i++) {
            if (t[i].count < 2) continue;
            for (int k = 0; k < t[i].count; k++) {
                const int f = t[i].factor[k];
                if ((k > 0 && t[i].factor[k - 1] == f) || !has(w, &t[i], f)) continue; /* factors are sorted */
                tally *at = &w->tally[f];
                if (pass == 0) {
                    at->shared++;
                    at->fixed += fixed_without(w, &t[i], f);
                } else if (pass == 1) {
                    const bool varies = !arne__sym_graph_node(w->from, f)->fixed;
                    const int saved = at->shared < 2 ? 0 : (at->shared - 1) + (varies && at->fixed > 1 ? at->fixed - 1 : 0);
                    if (saved > most) most = saved, best = f;
                } else {
                    *at = (tally){0, 0};
                }
            }
        }
    return best;
}

static sym sum(rewriter *w, product *t, int n)
{
    sym few[FEW], *x = n < FEW ? few : malloc(((size_t)n + 1) * sizeof *x);
    product *bracket = NULL;
    if (!x) {
        w->failed = true;
        return sym_of(0);
    }
    int count = 0;
    for (int f = dearest(w, t, n); f >= 0; f = dearest(w, t, n)) {
        /* the terms with f to the end, without it */
        int keep = 0;
        int inside = 0;
        if (!bracket) bracket = malloc((size_t)n * sizeof *bracket);
        if (!bracket) {
            w->failed = true;
            break;
        }
        for (int i = 0; i < n; i++) {
            if (t[i].count < 2 || !has(w, &t[i], f)) {
                t[keep++] = t[i];
                continue;
            }
            product p = t[i];
            for (int k = 0; k < p.count; k++)
                if (p.factor[k] == f) {
                    memmove(p.factor + k, p.factor + k + 1, (size_t)(p.count - k - 1) * sizeof(int));
                    break;
                }
            p.count--;
            bracket[inside++] = p;
        }
        n = keep;
        x[count++] = sym_mul(w->map[f], sum(w, bracket, inside));
    }
    for (int i = 0; i < n; i++) {
        const sym p = multiply(w, t[i].factor, t[i].count);
        x[count++] = t[i].negated ? sym_neg(p) : p;
    }
    const sym r = count ? join(w, x, count, sym_add) : sym_of(0);
    free(bracket);
    if (x != few) free(x);
    return r;
}

static sym copy(rewriter *w, int node)
{
    const sym_node *x = arne__sym_graph_node(w->from, node);
    sym a = sym_of(0), b = sym_of(0);
    if (x->op == SYM_ADD) {
        w->terms = w->used = 0;
        terms_of(w, 2 * node, true);
        return sum(w, w->term, w->terms);
    }
    if (x->op == SYM_MUL) {
        product p = {w->pool, 0, 0};
        factors_of(w, 2 * node, &p);
        const sym r = multiply(w, p.factor, p.count);
        return p.negated ? sym_neg(r) : r;
    }
    if (x->op <= SYM_INPUT) return arne__sym_leaf(w->to, x);
    a = w->map[x->a >> 1];
    if (x->a & 1) a = sym_neg(a);
    if (x->b >= 0) b = x->b & 1 ? sym_neg(w->map[x->b >> 1]) : w->map[x->b >> 1];
    return arne__sym_operate(x->op, a, b);
}

bool arne__graph_factor(const sym_graph *g, const sym *out, int n, bool balance, sym_graph *into, sym *result)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1;
    bool *live = malloc(size * sizeof *live);
    rewriter w = {.from = g, .to = into, .balance = balance};
    w.uses = calloc(size, sizeof *w.uses);
    w.user = calloc(size, sizeof *w.user);
    w.map = calloc(size, sizeof *w.map);
    w.tally = calloc(size, sizeof *w.tally);
    w.pool = malloc(4 * size * sizeof *w.pool);
    w.term = malloc(2 * size * sizeof *w.term);
    if (!live || !w.uses || !w.user || !w.map || !w.tally || !w.pool || !w.term) w.failed = true;
    if (!w.failed) {
        arne__graph_live(g, out, n, live);
        for (int i = 0; i < n; i++)
            if (out[i].g) w.uses[out[i].ref >> 1] += 2; /* an output is never inside another sum */
        for (int i = 0; i < arne__sym_graph_size(g); i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
            if (!live[i] || x->op <= SYM_INPUT) continue;
            w.uses[x->a >> 1]++;
            w.user[x->a >> 1] = i;
            if (x->b >= 0) w.uses[x->b >> 1]++, w.user[x->b >> 1] = i;
        }
        /* inputs first and in order, so that their numbers agree */
        for (int i = 0; i < arne__sym_graph_size(g) && !w.failed; i++)
            if (arne__sym_graph_node(g, i)->op == SYM_INPUT) w.map[i] = copy(&w, i);
        for (int i = 0; i < arne__sym_graph_size(g) && !w.failed; i++)
            if (live[i] && arne__sym_graph_node(g, i)->op != SYM_INPUT && !absorbed(&w, i)) w.map[i] = copy(&w, i);
        for (int i = 0; i < n; i++) {
            result[i] = out[i].g ? w.map[out[i].ref >> 1] : out[i];
            if (out[i].g && out[i].ref & 1) result[i] = sym_neg(result[i]);
        }
    }
    free(live);
    free(w.uses);
    free(w.user);
    free(w.map);
    free(w.tally);
    free(w.pool);
    free(w.term);
    free(w.depth);
    return !w.failed && !arne__sym_graph_failed(into);
}
