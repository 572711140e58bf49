/* SPDX-License-Identifier: MIT */
#include "graph/expand.h"

#include <stdlib.h>

#include "graph/graph.h"

enum { LONGEST_CHAIN = 8 }; /* longer ones have sums from their first joint only: their differences would be too many */

bool arne__expand_turn(const sym_graph *g, int node, int *joint, double *scale, double *offset)
{
    const sym_node *x = arne__sym_graph_node(g, node);
    *scale = 1;
    *offset = 0;
    if (x->op == SYM_ADD) {
        const int ref[2] = {x->a, x->b};
        for (int k = 0; k < 2; k++) {
            const sym_node *c = arne__sym_graph_node(g, ref[k] >> 1), *q = arne__sym_graph_node(g, ref[1 - k] >> 1);
            if (c->op != SYM_CONST || q->op != SYM_INPUT) continue;
            *offset = ref[k] & 1 ? -c->value : c->value;
            *scale = ref[1 - k] & 1 ? -1 : 1;
            *joint = q->a;
            return true;
        }
    }
    *joint = x->a;
    return x->op == SYM_INPUT;
}

int arne__expand_root(const graph_axes *axes, int joint)
{
    while (axes->before[joint] >= 0) joint = axes->before[joint];
    return joint;
}

/* ---- angles ---- */

/* signs of the joints in phi_joint, first joint of the chain with a plus */
static void phi(const graph_axes *axes, int joint, signed char *turns)
{
    for (int j = 0; j < axes->joints; j++) turns[j] = 0;
    int sense = 1;
    for (int j = joint; j >= 0; j = axes->before[j]) {
        turns[j] = (signed char)sense;
        if (axes->before[j] >= 0) sense *= axes->sense[j];
    }
    /* so far the last joint has the plus */
    const int first = turns[arne__expand_root(axes, joint)];
    for (int j = 0; j < axes->joints; j++) turns[j] = (signed char)(first * turns[j]);
}

static void add_angle(expansion *e, int from, int to)
{
    const int n = e->axes.joints;
    signed char *turns = malloc(2 * (size_t)n), *other = turns ? turns + n : NULL;
    if (!turns) e->ring.state = POLY_NO_MEMORY;
    if (e->ring.state) {
        free(turns);
        return;
    }
    phi(&e->axes, to, turns);
    int sign = 0;
    if (from >= 0) phi(&e->axes, from, other);
    for (int j = 0; j < n; j++) {
        if (from >= 0) turns[j] = (signed char)(turns[j] - other[j]);
        if (!sign) sign = turns[j];
        turns[j] = (signed char)(turns[j] * (sign ? sign : 1));
    }
    const int atom = arne__poly_ring_pair(&e->ring, (sym_key){0}, (sym_key){0});
    if (e->ring.state) {
        free(turns);
        return;
    }
    e->ring.atom[atom].role = e->ring.atom[atom + 1].role = ROLE_TURN;
    e->angle[e->angles++] = (expand_angle){from, to, sign, atom, turns};
}

static void add_angles(expansion *e)
{
    const int n = e->axes.joints;
    e->angle = calloc((size_t)n * (LONGEST_CHAIN + 1) + 1, sizeof *e->angle);
    if (!e->angle) e->ring.state = POLY_NO_MEMORY;
    for (int j = 0; j < n && !e->ring.state; j++) {
        if (e->scale[j] == 0) continue;
        add_angle(e, -1, j);
        int members = 0;
        for (int i = 0; i < n; i++)
            members += e->scale[i] != 0 && arne__expand_root(&e->axes, i) == arne__expand_root(&e->axes, j);
        for (int i = 0; i < j && members <= LONGEST_CHAIN; i++)
            if (e->scale[i] != 0 && arne__expand_root(&e->axes, i) == arne__expand_root(&e->axes, j)) add_angle(e, i, j);
    }
}

const expand_angle *arne__expand_find(const expansion *e, int from, int to, int *sign)
{
    for (int i = 0; i < e->angles; i++) {
        const expand_angle *a = &e->angle[i];
        if ((a->from != from || a->to != to) && (a->from != to || a->to != from)) continue;
        *sign = a->to == to ? a->sign : -a->sign;
        return a;
    }
    return NULL;
}

/* ---- the ring ---- */

typedef struct {
    expand_atom is;
    sym_key key;
    int node;
} candidate;

static int by_role(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->is.role != y->is.role) return x->is.role - y->is.role;
    if (x->is.rank != y->is.rank) return x->is.rank < y->is.rank ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void add_candidates(poly_ring *r, candidate *list, int n, int *atom)
{
    qsort(list, (size_t)n, sizeof *list, by_role);
    for (int i = 0; i < n && !r->state; i++) {
        const candidate *c = &list[i];
        int mate = c->is.sine || c->is.cosine ? 0 : n;
        while (mate < n && !sym_key_same(list[mate].key, c->is.mate)) mate++;
        if (mate < n && c->is.sine) continue; /* with its cosine */
        const int k = mate < n ? arne__poly_ring_pair(r, c->key, c->is.mate) : arne__poly_ring_add(r, c->key);
        if (r->state) return;
        atom[c->node] = k;
        r->atom[k].role = mate < n ? ROLE_TURN : c->is.role;
        r->atom[k].rank = c->is.rank;
        if (mate == n) continue;
        atom[list[mate].node] = k + 1;
        r->atom[k + 1].role = ROLE_TURN;
    }
}

/* is this input used otherwise than inside a sine? */
static void mark_plain(const sym_graph *g, const sym *out, int n, const bool *live, bool *plain)
{
    for (int i = 0; i < n; i++)
        if (out[i].g) plain[out[i].ref >> 1] = true;
    for (int i = 0; i < arne__sym_graph_size(g); i++) {
        const sym_node *x = arne__sym_graph_node(g, i);
        if (!live[i] || x->op <= SYM_INPUT || x->op == SYM_SINE || x->op == SYM_COSINE) continue;
        plain[x->a >> 1] = true;
        if (x->b >= 0) plain[x->b >> 1] = true;
    }
}

static void make_ring(const sym_graph *g, const bool *live, const bool *plain, int *atom, expansion *e)
{
    const int size = arne__sym_graph_size(g), joints = e->axes.joints;
    candidate *list = calloc((size_t)size + 1, sizeof *list);
    if (!list) {
        e->ring.state = POLY_NO_MEMORY;
        return;
    }
    int n = 0;
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(g, i);
        atom[i] = -1;
        if (!live[i]) continue;
        if (x->op == SYM_PARAM || (x->op == SYM_INPUT && plain[i]))
            list[n++] = (candidate){e->axes.read ? e->axes.read(x->key) : (expand_atom){.role = ROLE_LENGTH}, x->key, i};
        if (x->op == SYM_SINE || x->op == SYM_COSINE) {
            int joint;
            double scale, offset;
            if (!arne__expand_turn(g, x->a >> 1, &joint, &scale, &offset) || joint >= joints) continue;
            e->scale[joint] = scale;
            e->offset[joint] = offset;
        }
    }
    /* where a joint turns nothing, its chain starts after it */
    for (int j = 0; j < joints; j++) {
        const int i = e->axes.before[j];
        e->before[j] = i >= 0 && e->scale[i] != 0 && e->scale[j] != 0 ? i : -1;
    }
    e->axes.before = e->before;
    add_candidates(&e->ring, list, n, atom);
    add_angles(e);
    free(list);
}

/* ---- nodes ---- */

/* theta_j = +-(phi_j - phi_before): cosine and sine of the difference */
static poly turn_of(expansion *e, int joint, bool sine)
{
    int sign;
    const int before = e->axes.before[joint];
    const expand_angle *a = arne__expand_find(e, -1, joint, &sign),
                       *b = before < 0 ? NULL : arne__expand_find(e, -1, before, &sign);
    if (!b) return arne__poly_of(&e->ring, a->cosine + sine);
    poly c = arne__poly_of(&e->ring, a->cosine), s = arne__poly_of(&e->ring, a->cosine + 1);
    poly bc = arne__poly_of(&e->ring, b->cosine), bs = arne__poly_of(&e->ring, b->cosine + 1), p = arne__poly_zero(&e->ring);
    if (sine) {
        const double sense = a->turns[joint];
        arne__poly_mul(&p, sense, &s, &bc);
        arne__poly_mul(&p, -sense, &c, &bs);
    } else {
        arne__poly_mul(&p, 1, &c, &bc);
        arne__poly_mul(&p, 1, &s, &bs);
    }
    arne__poly_free(&c), arne__poly_free(&s), arne__poly_free(&bc), arne__poly_free(&bs);
    return p;
}

static poly node_of(expansion *e, const sym_graph *g, int node, const int *atom, const poly *done)
{
    const sym_node *x = arne__sym_graph_node(g, node);
    int joint;
    double scale, offset;
    poly p = arne__poly_zero(&e->ring);
    const double sa = x->a & 1 ? -1 : 1, sb = x->b & 1 ? -1 : 1;
    switch (x->op) {
    case SYM_CONST: return arne__poly_constant(&e->ring, x->value);
    case SYM_PARAM:
    case SYM_INPUT: return atom[node] < 0 ? p : arne__poly_of(&e->ring, atom[node]);
    case SYM_ADD:
        arne__poly_add(&p, sa, &done[x->a >> 1]);
        arne__poly_add(&p, sb, &done[x->b >> 1]);
        return p;
    case SYM_MUL: arne__poly_mul(&p, sa * sb, &done[x->a >> 1], &done[x->b >> 1]); return p;
    case SYM_SINE:
    case SYM_COSINE:
        if (arne__expand_turn(g, x->a >> 1, &joint, &scale, &offset) && joint < e->axes.joints)
            return turn_of(e, joint, x->op == SYM_SINE);
        break;
    default: break;
    }
    e->ring.state = POLY_TOO_LONG;
    return p;
}

static void expand_nodes(const sym_graph *g, const sym *out, int n, const bool *live, const int *atom, expansion *e)
{
    const int size = arne__sym_graph_size(g);
    int *uses = calloc((size_t)size + 1, sizeof *uses);
    poly *done = calloc((size_t)size + 1, sizeof *done);
    if (!uses || !done) e->ring.state = POLY_NO_MEMORY;
    if (!e->ring.state) {
        for (int i = 0; i < size; i++) done[i] = arne__poly_zero(&e->ring);
        for (int i = 0; i < n; i++)
            if (out[i].g) uses[out[i].ref >> 1]++;
        for (int i = 0; i < size; i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
            if (!live[i] || x->op <= SYM_INPUT) continue;
            uses[x->a >> 1]++;
            if (x->b >= 0) uses[x->b >> 1]++;
        }
        for (int i = 0; i < size && !e->ring.state; i++) {
            const sym_node *x = arne__sym_graph_node(g, i);
            if (!live[i]) continue;
            done[i] = node_of(e, g, i, atom, done);
            if (x->op <= SYM_INPUT) continue;
            if (!--uses[x->a >> 1]) arne__poly_free(&done[x->a >> 1]);
            if (x->b >= 0 && !--uses[x->b >> 1]) arne__poly_free(&done[x->b >> 1]);
        }
        for (int i = 0; i < n && !e->ring.state; i++) {
            e->out[i] = out[i].g ? arne__poly_zero(&e->ring) : arne__poly_constant(&e->ring, out[i].c);
            if (out[i].g) arne__poly_add(&e->out[i], out[i].ref & 1 ? -1 : 1, &done[out[i].ref >> 1]);
            arne__poly_sort(&e->out[i]);
        }
        for (int i = 0; i < size; i++) arne__poly_free(&done[i]);
    }
    free(uses);
    free(done);
}

bool arne__expand(const sym_graph *g, const sym *out, int n, const graph_axes *axes, int most, expansion *e)
{
    const size_t size = (size_t)arne__sym_graph_size(g) + 1, joints = (size_t)axes->joints;
    *e = (expansion){.ring = {.most = most}, .axes = *axes, .nout = n};
    bool *live = calloc(2 * size, sizeof *live);
    int *atom = calloc(size, sizeof *atom);
    e->scale = calloc(2 * joints + 1, sizeof *e->scale);
    e->before = calloc(joints + 1, sizeof *e->before);
    e->out = calloc((size_t)n + 1, sizeof *e->out);
    if (!live || !atom || !e->scale || !e->before || !e->out) e->ring.state = POLY_NO_MEMORY;
    if (!e->ring.state) {
        e->offset = e->scale + joints;
        for (int i = 0; i < n; i++) e->out[i] = arne__poly_zero(&e->ring);
        arne__graph_live(g, out, n, live);
        mark_plain(g, out, n, live, live + size);
        make_ring(g, live, live + size, atom, e);
        if (!e->ring.state) expand_nodes(g, out, n, live, atom, e);
    }
    free(live);
    free(atom);
    return !e->ring.state;
}

void arne__expand_free(expansion *e)
{
    for (int i = 0; e->out && i < e->nout; i++) arne__poly_free(&e->out[i]);
    for (int i = 0; i < e->angles; i++) free(e->angle[i].turns);
    free(e->out);
    free(e->angle);
    free(e->scale);
    free(e->before);
    arne__poly_ring_free(&e->ring);
    *e = (expansion){0};
}
