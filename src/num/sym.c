/* SPDX-License-Identifier: MIT */
#include "num/sym.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

sym_graph *arne__sym_graph_new(void) { return calloc(1, sizeof(sym_graph)); }

void arne__sym_graph_free(sym_graph *g)
{
    if (!g) return;
    free(g->node);
    free(g->table);
    free(g->vector);
    free(g->first);
    free(g);
}

bool arne__sym_graph_failed(const sym_graph *g) { return g->failed; }

static bool has_key(const sym_node *n) { return n->op == SYM_PARAM || n->op == SYM_INPUT; }

static uint64_t pair(int a, int b) { return (uint64_t)(uint32_t)a << 32 | (uint32_t)b; }

static uint64_t hash(const sym_node *n)
{
    uint64_t part[2] = {pair(n->a, n->b)}, h = (uint64_t)n->op * 0x9e3779b97f4a7c15u;
    memcpy(&part[1], &n->value, sizeof part[1]);
    if (has_key(n)) part[0] = pair(n->key.row, n->key.link), part[1] = (uint64_t)n->key.index;
    for (size_t i = 0; i < 2; i++) {
        h = (h ^ part[i]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

static bool same(const sym_node *x, const sym_node *y)
{
    if (x->op != y->op) return false;
    if (has_key(x)) return sym_key_same(x->key, y->key);
    return x->a == y->a && x->b == y->b && !memcmp(&x->value, &y->value, sizeof x->value);
}

static bool more_slots(sym_graph *g)
{
    const size_t slots = g->slots ? 2 * g->slots : 1024;
    int *table = malloc(slots * sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < slots; i++) table[i] = -1;
    for (int i = 0; i < g->count; i++) {
        size_t at = hash(&g->node[i]) & (slots - 1);
        while (table[at] >= 0) at = (at + 1) & (slots - 1);
        table[at] = i;
    }
    free(g->table);
    g->table = table;
    g->slots = slots;
    return true;
}

static bool more_nodes(sym_graph *g)
{
    const int room = g->room ? 2 * g->room : 512;
    sym_node *node = room < 1 << 29 ? realloc(g->node, (size_t)room * sizeof *node) : NULL;
    if (node) g->node = node;
    int *first = node ? realloc(g->first, (size_t)room * sizeof *first) : NULL;
    if (!first) return false;
    g->first = first;
    g->room = room;
    return true;
}

/* the node, new or known; -1 and a failed graph when memory is short */
static int make(sym_graph *g, sym_node n)
{
    n.fixed = n.op == SYM_CONST || n.op == SYM_PARAM;
    if (n.op > SYM_INPUT) n.fixed = g->node[n.a >> 1].fixed && (n.b < 0 || g->node[n.b >> 1].fixed);
    if (2 * (size_t)g->count >= g->slots && !more_slots(g)) g->failed = true;
    if (g->count == g->room && !more_nodes(g)) g->failed = true;
    if (g->failed) return -1;
    size_t at = hash(&n) & (g->slots - 1);
    for (; g->table[at] >= 0; at = (at + 1) & (g->slots - 1))
        if (same(&g->node[g->table[at]], &n)) return g->table[at];
    if (n.op == SYM_INPUT) n.a = g->inputs++;
    g->node[g->count] = n;
    g->first[g->count] = -1;
    return g->table[at] = g->count++;
}

/* the last first: nothing was put behind it in the table */
void arne__sym_graph_cut(sym_graph *g, int size)
{
    for (; g->vectors && g->vector[g->vectors - 1].end > size; g->vectors--)
        g->first[g->vector[g->vectors - 1].key] = g->vector[g->vectors - 1].next;
    if (size == 0 && g->count) {
        memset(g->table, -1, g->slots * sizeof *g->table);
        g->count = g->inputs = 0;
    }
    while (g->count > size) {
        const sym_node *n = &g->node[--g->count];
        size_t at = hash(n) & (g->slots - 1);
        while (g->table[at] != g->count) at = (at + 1) & (g->slots - 1);
        g->table[at] = -1;
        if (n->op == SYM_INPUT) g->inputs--;
    }
}

static sym made(sym_graph *g, sym_node n, int negated)
{
    const int node = make(g, n);
    return node < 0 ? sym_of(0) : (sym){g, 2 * node + negated, 0};
}

int arne__sym_ref(sym_graph *g, sym a)
{
    if (a.g) return a.ref;
    const int node = make(g, (sym_node){.op = SYM_CONST, .a = -1, .b = -1, .value = fabs(a.c)});
    return node < 0 ? 0 : 2 * node + (signbit(a.c) ? 1 : 0);
}

sym arne__sym_input(sym_graph *g, sym_key key) { return made(g, (sym_node){.op = SYM_INPUT, .a = -1, .b = -1, .key = key}, 0); }
sym arne__sym_param(sym_graph *g, sym_key key, double value)
{
    return fabs(value) == 1 ? sym_of(value) : arne__sym_named(g, key, value);
}
sym arne__sym_named(sym_graph *g, sym_key key, double value)
{
    if (value == 0) return sym_of(value);
    return made(g, (sym_node){.op = SYM_PARAM, .a = -1, .b = -1, .value = value, .key = key}, 0);
}
sym arne__sym_leaf(sym_graph *g, const sym_node *x)
{
    return x->op == SYM_CONST   ? sym_of(x->value)
           : x->op == SYM_PARAM ? arne__sym_named(g, x->key, x->value)
                                : arne__sym_input(g, x->key);
}

sym sym_of(double c) { return (sym){NULL, 0, c}; }
sym sym_con(double c) { return sym_of(c); }
sym sym_from(sym a) { return a; }

static bool is(sym a, double c) { return !a.g && a.c == c; }

sym sym_neg(sym a)
{
    if (!a.g) return sym_of(-a.c);
    a.ref ^= 1;
    return a;
}

/* ---- vectors: their references are negative, ~(2 vector + 1 if negated) ---- */

static bool is_vector(sym a) { return a.g && a.ref < 0; }
int arne__sym_vector_of(sym a) { return is_vector(a) ? ~a.ref >> 1 : -1; }
int arne__sym_vectors(const sym_graph *g) { return g->vectors; }
const sym_vector *arne__sym_vector_at(const sym_graph *g, int i) { return &g->vector[i]; }

sym arne__sym_lane(sym a, int lane)
{
    if (!is_vector(a)) return a;
    const sym x = a.g->vector[~a.ref >> 1].lane[lane];
    return ~a.ref & 1 ? sym_neg(x) : x;
}

/* negated: the one is minus the other; the sign of a constant zero does not matter */
static bool same_number(sym a, sym b, int negated)
{
    return a.g == b.g && (a.g ? a.ref == (b.ref ^ negated) : a.c == (negated ? -b.c : b.c));
}
static bool same_lanes(const sym *a, const sym *b, int negated)
{
    for (int x = 0; x < sym_abreast; x++)
        if (!same_number(a[x], b[x], negated)) return false;
    return true;
}

static bool more_vectors(sym_graph *g)
{
    const int room = g->vector_room ? 2 * g->vector_room : 64;
    sym_vector *vector = realloc(g->vector, (size_t)room * sizeof *vector);
    if (!vector) return false;
    g->vector = vector;
    g->vector_room = room;
    return true;
}

/* the vector, new or known by its lanes */
static sym vector(sym_graph *g, sym_vector v)
{
    int x = 0, same = 1;
    while (same < sym_abreast && same_number(v.lane[same], v.lane[0], 0)) same++;
    if (same == sym_abreast) return v.lane[0];
    while (x < sym_abreast && !v.lane[x].g) x++;
    v.key = arne__sym_ref(g, v.lane[x < sym_abreast ? x : 0]) >> 1;
    if (g->vectors == g->vector_room && !more_vectors(g)) g->failed = true;
    if (g->failed) return sym_of(0);
    for (int at = g->first[v.key]; at >= 0; at = g->vector[at].next)
        for (int negated = 0; negated < 2; negated++)
            if (same_lanes(g->vector[at].lane, v.lane, negated)) return (sym){g, ~(2 * at + negated), 0};
    v.end = g->count;
    v.next = g->first[v.key];
    g->vector[g->vectors] = v;
    g->first[v.key] = g->vectors;
    return (sym){g, ~(2 * g->vectors++), 0};
}

sym arne__sym_side_by_side(sym_graph *g, const sym *x)
{
    sym_vector v = {.op = SYM_CONST, .begin = g->count};
    memcpy(v.lane, x, sizeof v.lane);
    return vector(g, v);
}

/* a sum or a product of which one is a vector */
static sym operate_lanes(sym_op op, sym a, sym b)
{
    sym_graph *g = is_vector(a) ? a.g : b.g;
    sym_vector v = {.op = op, .a = a, .b = b, .begin = g->count};
    for (int x = 0; x < sym_abreast; x++)
        v.lane[x] = (op == SYM_ADD ? sym_add : sym_mul)(arne__sym_lane(a, x), arne__sym_lane(b, x));
    return vector(g, v);
}

sym sym_add(sym a, sym b)
{
    if (!a.g && !b.g) return sym_of(a.c + b.c);
    if (is(a, 0)) return b;
    if (is(b, 0)) return a;
    if (is_vector(a) || is_vector(b)) return operate_lanes(SYM_ADD, a, b);
    sym_graph *g = a.g ? a.g : b.g;
    int x = arne__sym_ref(g, a), y = arne__sym_ref(g, b);
    if (x == (y ^ 1)) return sym_of(0);
    if (x >> 1 > y >> 1) {
        const int t = x;
        x = y;
        y = t;
    }
    const int negated = x & 1; /* -x + y = -(x - y) */
    return made(g, (sym_node){.op = SYM_ADD, .a = x ^ negated, .b = y ^ negated}, negated);
}
sym sym_sub(sym a, sym b) { return sym_add(a, sym_neg(b)); }

sym sym_mul(sym a, sym b)
{
    if (!a.g && !b.g) return sym_of(a.c * b.c);
    if (is(a, 0) || is(b, 0)) return sym_of(0);
    if (is(a, 1)) return b;
    if (is(b, 1)) return a;
    if (is(a, -1)) return sym_neg(b);
    if (is(b, -1)) return sym_neg(a);
    if (is_vector(a) || is_vector(b)) return operate_lanes(SYM_MUL, a, b);
    sym_graph *g = a.g ? a.g : b.g;
    int x = arne__sym_ref(g, a), y = arne__sym_ref(g, b);
    const int negated = (x ^ y) & 1;
    x &= ~1, y &= ~1;
    return made(g, (sym_node){.op = SYM_MUL, .a = x < y ? x : y, .b = x < y ? y : x}, negated);
}
sym sym_mulc(sym c, sym a) { return sym_mul(c, a); }

sym sym_divide(sym a, sym b)
{
    if (!a.g && !b.g) return sym_of(a.c / b.c);
    if (is(a, 0) || is(b, 1)) return a;
    if (is(b, -1)) return sym_neg(a);
    sym_graph *g = a.g ? a.g : b.g;
    const int x = arne__sym_ref(g, a), y = arne__sym_ref(g, b);
    return made(g, (sym_node){.op = SYM_DIVIDE, .a = x & ~1, .b = y & ~1}, (x ^ y) & 1);
}

static sym unary(sym_op op, sym a) { return made(a.g, (sym_node){.op = op, .a = a.ref, .b = -1}, 0); }

sym sym_root(sym a) { return a.g ? unary(SYM_ROOT, a) : sym_of(sqrt(a.c)); }
sym sym_expo(sym a) { return a.g ? unary(SYM_EXPO, a) : sym_of(exp(a.c)); }
sym arne__sym_cosine(sym a)
{
    if (!a.g) return sym_of(cos(a.c));
    a.ref &= ~1; /* even */
    return unary(SYM_COSINE, a);
}
sym sym_absolute(sym a)
{
    if (!a.g) return sym_of(fabs(a.c));
    a.ref &= ~1;
    return unary(SYM_ABSOLUTE, a);
}
/* an odd function: the sign comes out */
static sym odd(sym_op op, sym a)
{
    const int negated = a.ref & 1;
    a.ref &= ~1;
    const sym r = unary(op, a);
    return negated ? sym_neg(r) : r;
}
sym arne__sym_sine(sym a) { return a.g ? odd(SYM_SINE, a) : sym_of(sin(a.c)); }
sym sym_sign(sym a) { return a.g ? odd(SYM_SIGN, a) : sym_of((double)((a.c > 0) - (a.c < 0))); }

static sym with_constant(sym_op op, sym a, sym c)
{
    sym_graph *g = a.g ? a.g : c.g;
    const int x = arne__sym_ref(g, a), y = arne__sym_ref(g, c);
    return made(g, (sym_node){.op = op, .a = x, .b = y}, 0);
}
sym sym_least(sym a, double c) { return a.g ? with_constant(SYM_LEAST, a, sym_of(c)) : sym_of(a.c < c ? a.c : c); }
sym sym_most(sym a, double c) { return a.g ? with_constant(SYM_MOST, a, sym_of(c)) : sym_of(a.c > c ? a.c : c); }
sym sym_power(sym a, sym c) { return a.g || c.g ? with_constant(SYM_POWER, a, c) : sym_of(pow(a.c, c.c)); }

sym arne__sym_operate(sym_op op, sym a, sym b)
{
    switch (op) {
    case SYM_ADD: return sym_add(a, b);
    case SYM_MUL: return sym_mul(a, b);
    case SYM_DIVIDE: return sym_divide(a, b);
    case SYM_ROOT: return sym_root(a);
    case SYM_SINE: return arne__sym_sine(a);
    case SYM_COSINE: return arne__sym_cosine(a);
    case SYM_ABSOLUTE: return sym_absolute(a);
    case SYM_SIGN: return sym_sign(a);
    case SYM_LEAST: return sym_least(a, b.c);
    case SYM_MOST: return sym_most(a, b.c);
    case SYM_EXPO: return sym_expo(a);
    default: return sym_power(a, b);
    }
}

void sym_turns(const turn_table *t, const sym *q, sym *s, sym *c)
{
    for (int i = 0; i < t->n; i++) {
        const sym a = sym_add(sym_mul(sym_of(t->scale[i]), q[i]), sym_of(t->theta[i]));
        const sym sn = arne__sym_sine(a), cn = arne__sym_cosine(a);
        switch (t->quarter[i] & 3) {
        case 0: s[i] = sn, c[i] = cn; break;
        case 1: s[i] = cn, c[i] = sym_neg(sn); break;
        case 2: s[i] = sym_neg(sn), c[i] = sym_neg(cn); break;
        default: s[i] = sym_neg(cn), c[i] = sn; break;
        }
    }
}
