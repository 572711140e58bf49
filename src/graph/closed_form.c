/* SPDX-License-Identifier: MIT
 *
 * closed_form.c - the terms of a polynomial in the order and the form in which people read them.
 *
 * Terms that agree but for sines and cosines are one coefficient. It is written anew for every choice of angles that spans those
 * of a chain - the spanning trees on phi_0 = 0, phi_1, ..., an edge being a difference - and for squares of sines or of cosines;
 * the shortest stays. */
#include "graph/closed_form.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IN_TREE = 4 }; /* angles of a chain in one coefficient: 4 make 125 trees */

bool arne__closed_same(const poly_ring *r, const unsigned char *a, const unsigned char *b, int role)
{
    for (int k = 0; k < r->count; k++)
        if (r->atom[k].role == role && a[k] != b[k]) return false;
    return true;
}

/* ---- how long is it? ---- */

/* symbols on paper: SS2, CC2, CS2 and powers are one each */
static long length(const poly *p)
{
    long sum = 64L * p->count;
    for (int i = 0; i < p->count; i++) {
        const unsigned char *x = arne__poly_power(p, i);
        for (int k = 0; k < p->ring->count; k++) {
            const poly_atom *a = &p->ring->atom[k];
            if (!x[k] || (a->sine && x[a->partner] == 1 && x[k] == 1)) continue;
            sum += x[k] <= 2 ? 2 : 3;
        }
        if (p->coefficient[i] != 1 && p->coefficient[i] != -1) sum++;
    }
    return sum;
}

/* keeps the shorter of two; the other is freed */
static void keep_shorter(poly *best, poly *other)
{
    if (!best->ring->state && length(other) < length(best)) {
        arne__poly_free(best);
        *best = *other;
    } else {
        arne__poly_free(other);
    }
}

/* squares of sines instead of cosines, angle by angle */
static void choose_squares(poly *p)
{
    for (int k = 0; k < p->ring->count && !p->ring->state; k++) {
        const poly_atom *a = &p->ring->atom[k];
        if (a->partner < 0 || a->sine) continue;
        bool square = false;
        for (int i = 0; i < p->count; i++) square = square || arne__poly_power(p, i)[k] >= 2;
        if (!square) continue;
        poly other = arne__poly_zero(p->ring);
        arne__poly_by_sines(&other, p, k);
        keep_shorter(p, &other);
    }
}

/* ---- trees ---- */

typedef struct {
    int count;                    /* nodes: 0 stands for phi = 0 */
    int joint[MOST_IN_TREE + 1];  /* of node 1 ... */
    int parent[MOST_IN_TREE + 1]; /* towards node 0 */
} tree;

/* The tree of a Pruefer sequence; parents by walking from node 0. */
static void tree_of(const int *sequence, tree *t)
{
    const int n = t->count;
    int degree[MOST_IN_TREE + 1], edge[MOST_IN_TREE + 1][2], edges = 0;
    for (int i = 0; i < n; i++) degree[i] = 1;
    for (int i = 0; i < n - 2; i++) degree[sequence[i]]++;
    for (int i = 0; i < n - 2; i++) {
        int leaf = 0;
        while (degree[leaf] != 1) leaf++;
        edge[edges][0] = leaf;
        edge[edges++][1] = sequence[i];
        degree[leaf] = 0;
        degree[sequence[i]]--;
    }
    int last[2], found = 0;
    for (int i = 0; i < n && found < 2; i++)
        if (degree[i] == 1) last[found++] = i;
    edge[edges][0] = last[0];
    edge[edges++][1] = last[1];
    for (int i = 0; i < n; i++) t->parent[i] = -1;
    for (int round = 0; round < n; round++)
        for (int i = 0; i < edges; i++)
            for (int side = 0; side < 2; side++) {
                const int a = edge[i][side], b = edge[i][1 - side];
                if ((a == 0 || t->parent[a] >= 0) && b != 0 && t->parent[b] < 0) t->parent[b] = a;
            }
}

/* cosine and sine of phi at a node: those of its parent, turned by the angle of the edge */
static bool node_turn(expansion *e, const tree *t, int node, poly *c, poly *s)
{
    poly_ring *r = &e->ring;
    *c = *s = arne__poly_zero(r);
    if (node == 0) {
        *c = arne__poly_constant(r, 1);
        return true;
    }
    const int up = t->parent[node];
    int sign;
    const expand_angle *a = arne__expand_find(e, up ? t->joint[up] : -1, t->joint[node], &sign);
    if (!a) return false;
    poly uc, us, ec = arne__poly_of(r, a->cosine), es = arne__poly_of(r, a->cosine + 1);
    const bool ok = node_turn(e, t, up, &uc, &us);
    arne__poly_mul(c, 1, &uc, &ec);
    arne__poly_mul(c, -sign, &us, &es);
    arne__poly_mul(s, 1, &us, &ec);
    arne__poly_mul(s, sign, &uc, &es);
    arne__poly_free(&uc), arne__poly_free(&us), arne__poly_free(&ec), arne__poly_free(&es);
    return ok;
}

/* p with the angles of a tree */
static bool by_tree(expansion *e, const tree *t, const poly *p, poly *out)
{
    const poly **value = calloc((size_t)e->ring.count + 1, sizeof *value);
    poly turn[MOST_IN_TREE + 1][2];
    bool ok = value != NULL;
    if (!value) e->ring.state = POLY_NO_MEMORY;
    for (int i = 1; i < t->count; i++) {
        int sign;
        ok = node_turn(e, t, i, &turn[i][0], &turn[i][1]) && ok;
        const expand_angle *a = arne__expand_find(e, -1, t->joint[i], &sign);
        if (value) value[a->cosine] = &turn[i][0], value[a->cosine + 1] = &turn[i][1];
    }
    *out = arne__poly_zero(&e->ring);
    if (ok) arne__poly_substitute(out, p, value);
    for (int i = 1; i < t->count; i++) arne__poly_free(&turn[i][0]), arne__poly_free(&turn[i][1]);
    free(value);
    return ok;
}

static bool occurs(const poly *p, int cosine)
{
    for (int i = 0; i < p->count; i++)
        if (arne__poly_power(p, i)[cosine] || arne__poly_power(p, i)[cosine + 1]) return true;
    return false;
}

/* all trees on the angles of one chain that occur in p (canonical); *best is the shortest so far */
static void choose_angles(expansion *e, int root, const poly *p, poly *best)
{
    tree t = {.count = 1};
    for (int j = 0; j < e->axes.joints; j++) {
        int sign;
        if (e->scale[j] == 0 || arne__expand_root(&e->axes, j) != root) continue;
        if (!occurs(p, arne__expand_find(e, -1, j, &sign)->cosine)) continue;
        if (t.count > MOST_IN_TREE) return;
        t.joint[t.count++] = j;
    }
    if (t.count < 3) return;
    int sequence[MOST_IN_TREE + 1] = {0};
    for (bool more = true; more && !e->ring.state;) {
        tree_of(sequence, &t);
        poly other;
        if (by_tree(e, &t, p, &other)) {
            choose_squares(&other);
            keep_shorter(best, &other);
        }
        more = false;
        for (int i = 0; i < t.count - 2 && !more; i++) {
            sequence[i] = (sequence[i] + 1) % t.count;
            more = sequence[i] != 0;
        }
    }
}

/* the shortest form of a coefficient; one chain after the other, in the angles chosen so far */
static void shorten(expansion *e, poly *p)
{
    for (int j = 0; j < e->axes.joints && !e->ring.state; j++) {
        if (e->scale[j] == 0 || e->axes.before[j] >= 0) continue;
        poly best = arne__poly_zero(&e->ring);
        arne__poly_add(&best, 1, p);
        choose_angles(e, j, p, &best);
        /* squares of sines are not canonical: back for the next chain, the angles stay */
        poly one = arne__poly_constant(&e->ring, 1), again = arne__poly_zero(&e->ring);
        arne__poly_mul(&again, 1, &best, &one);
        arne__poly_free(&one), arne__poly_free(&best), arne__poly_free(p);
        *p = again;
    }
    choose_squares(p);
    arne__poly_sort(p);
}

/* ---- order ---- */

typedef struct {
    const poly_ring *ring;
    closed_term term;
} sortable;

static int compare_role(const poly_ring *r, const unsigned char *a, const unsigned char *b, int role)
{
    if (role == ROLE_TURN) { /* fewer factors first, so that a one leads */
        int da = 0, db = 0;
        for (int k = 0; k < r->count; k++)
            if (r->atom[k].role == role) da += a[k], db += b[k];
        if (da != db) return da - db;
    }
    for (int k = 0; k < r->count; k++)
        if (r->atom[k].role == role && a[k] != b[k]) return a[k] > b[k] ? -1 : 1;
    return 0;
}

static int by_reading(const void *a, const void *b)
{
    const sortable *x = a, *y = b;
    for (int role = ROLE_KEY; role <= ROLE_TURN; role++) {
        const int c = compare_role(x->ring, x->term.power, y->term.power, role);
        if (c) return c;
    }
    return 0;
}

static bool sort_terms(closed_form *c)
{
    sortable *list = malloc(((size_t)c->count + 1) * sizeof *list);
    if (!list) return false;
    for (int i = 0; i < c->count; i++) list[i] = (sortable){c->ring, c->term[i]};
    qsort(list, (size_t)c->count, sizeof *list, by_reading);
    for (int i = 0; i < c->count; i++) c->term[i] = list[i].term;
    free(list);
    return true;
}

static bool take_all(poly_ring *r, const poly *p, closed_form *c)
{
    const size_t n = (size_t)p->count, width = (size_t)r->count;
    *c = (closed_form){.ring = r, .count = p->count};
    c->term = calloc(n + 1, sizeof *c->term);
    c->power = malloc(n * width + 1);
    if (!c->term || !c->power) return false;
    if (n) memcpy(c->power, p->power, n * width);
    for (size_t i = 0; i < n; i++) c->term[i] = (closed_term){p->coefficient[i], c->power + i * width};
    return sort_terms(c);
}

bool arne__closed_form_of(expansion *e, const poly *p, closed_form *c)
{
    poly_ring *r = &e->ring;
    closed_form raw = {0};
    *c = (closed_form){0};
    poly all = arne__poly_zero(r);
    if (!take_all(r, p, &raw)) r->state = POLY_NO_MEMORY;
    for (int i = 0; i < raw.count && !r->state;) {
        poly one = arne__poly_zero(r);
        const unsigned char *first = raw.term[i].power;
        for (; i < raw.count; i++) {
            const unsigned char *x = raw.term[i].power;
            if (!arne__closed_same(r, first, x, ROLE_KEY) || !arne__closed_same(r, first, x, ROLE_INERTIA) ||
                !arne__closed_same(r, first, x, ROLE_LENGTH))
                break;
            arne__poly_add_term(&one, raw.term[i].c, x);
        }
        shorten(e, &one);
        for (int k = 0; k < one.count; k++) arne__poly_add_term(&all, one.coefficient[k], arne__poly_power(&one, k));
        arne__poly_free(&one);
    }
    arne__closed_form_free(&raw);
    if (!r->state && !take_all(r, &all, c)) r->state = POLY_NO_MEMORY;
    arne__poly_free(&all);
    if (r->state) arne__closed_form_free(c);
    return !r->state;
}

void arne__closed_form_free(closed_form *c)
{
    free(c->term);
    free(c->power);
    *c = (closed_form){0};
}
