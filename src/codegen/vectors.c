/* SPDX-License-Identifier: MIT
 *
 * vectors.c - numbers that a text takes side by side (num/sym.h), computed by one vector operation in code of one state a call.
 *
 * A vector whose lanes are read one by one, or that is put together from single values, lies in memory: a row of the array v.
 * Values are written to their rows as soon as they are there, long before the row is loaded as a whole: a load waits for stores
 * that have only just been made. */
#include <stdlib.h>

#include "codegen/printer.h"

enum { LANES = sym_abreast, WORTH = 3 }; /* lanes to be computed from which on a vector pays */
enum { MANY = 2 };                       /* sums and rows that take single lanes, from which on these are loads */
enum { LOCAL = -1, NUMBERS = -2 };       /* rows: in a variable; constants where they are read */

static const sym_vector *at(const printer *p, int v) { return arne__sym_vector_at(p->g, v); }

/* a lane that this operation makes, and somebody needs */
static bool makes(const printer *p, const sym_vector *x, int lane)
{
    const int node = x->lane[lane].ref >> 1;
    return x->lane[lane].g && node >= x->begin && arne__works(p, node) && p->by[node] < 0;
}

static bool pays(const printer *p, const sym_vector *x)
{
    int count = 0;
    for (int l = 0; l < LANES && x->op != SYM_CONST; l++) {
        if (!makes(p, x, l)) continue;
        if (p->early[x->lane[l].ref >> 1]) return false;
        count++;
    }
    return count >= WORTH;
}

/* its value comes with a statement or a vector, after the sines and cosines */
static bool is_made(const printer *p, int node) { return p->by[node] >= 0 || (arne__has_statement(p, node) && !p->early[node]); }
static int made_when(const printer *p, int node) { return p->by[node] >= 0 ? at(p, p->by[node])->end : node; }

/* somebody reads one lane of a vector: it lies in memory until then */
static void read_lane(printer *p, int node, int when)
{
    const int v = p->by[node];
    if (v < 0) return;
    p->row[v] = 0;
    if (when > p->ends[v]) p->ends[v] = when;
}

static void count_read(printer *p, int node)
{
    if (p->by[node] >= 0) p->reads[p->by[node]]++;
}

/* a row that is put together: each lane is written once its value is there */
static void gather(printer *p, int v)
{
    const sym_vector *x = at(p, v);
    bool numbers = true;
    p->needed[v] = true;
    p->begins[v] = p->size;
    p->row[v] = 0;
    for (int l = 0; l < LANES; l++) {
        const int node = x->lane[l].ref >> 1;
        if (!x->lane[l].g || !p->live[node]) continue;
        if (!arne__sym_graph_node(p->g, node)->fixed) numbers = false;
        if (!is_made(p, node)) continue;
        const int when = made_when(p, node);
        p->store[v * LANES + l] = (lane_store){v, l, x->lane[l].ref & 1, p->first_store[node]};
        p->first_store[node] = v * LANES + l;
        p->stores++;
        if (when < p->begins[v]) p->begins[v] = when;
        read_lane(p, node, when);
        count_read(p, node);
    }
    if (numbers) p->row[v] = NUMBERS;
}

static void read_operand(printer *p, sym a, int when)
{
    const int v = arne__sym_vector_of(a);
    if (v < 0) {
        if (a.g) read_lane(p, a.ref >> 1, when);
        return;
    }
    if (!p->computed[v] && !p->needed[v]) gather(p, v);
    if (when > p->ends[v]) p->ends[v] = when;
    if (!p->computed[v] && when < p->begins[v]) p->begins[v] = when;
}

static bool room(printer *p)
{
    const size_t n = (size_t)p->vectors + 1, size = (size_t)p->size + 1;
    p->computed = calloc(4 * n, sizeof *p->computed);
    p->row = calloc(5 * n, sizeof *p->row);
    p->store = calloc(n * LANES, sizeof *p->store);
    p->by = malloc(2 * size * sizeof *p->by);
    if (!p->computed || !p->row || !p->store || !p->by) return false;
    p->needed = p->computed + n;
    p->begun = p->needed + n;
    p->minus_vector = p->begun + n;
    p->vector_piece = p->row + n;
    p->begins = p->vector_piece + n;
    p->ends = p->begins + n;
    p->reads = p->ends + n;
    p->first_store = p->by + size;
    for (size_t i = 0; i < 2 * size; i++) p->by[i] = -1;
    for (size_t v = 0; v < n; v++) p->row[v] = LOCAL;
    return true;
}

void arne__printer_vectors_free(printer *p)
{
    free(p->computed);
    free(p->row);
    free(p->store);
    free(p->by);
}

/* Statements that nobody reads: vectors compute the same in lanes beside those that they are for. */
static void spare_statements(printer *p, const sym *out, int nout)
{
    for (int i = 0; i < p->size; i++) p->spare[i] = arne__has_statement(p, i) && !p->early[i] && p->first_store[i] < 0;
    for (int i = 0; i < nout; i++)
        if (out[i].g) p->spare[out[i].ref >> 1] = false;
    for (int v = 0; v < p->vectors; v++) {
        const sym operand[2] = {at(p, v)->a, at(p, v)->b};
        for (int k = 0; k < 2 && p->computed[v]; k++)
            if (operand[k].g && arne__sym_vector_of(operand[k]) < 0) p->spare[operand[k].ref >> 1] = false;
    }
    for (int i = p->size - 1; i >= 0; i--) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!arne__works(p, i) || p->by[i] >= 0 || p->spare[i]) continue;
        p->spare[x->a >> 1] = false;
        if (x->b >= 0) p->spare[x->b >> 1] = false;
    }
}

bool arne__printer_vectors_choose(printer *p, const sym *out, int nout)
{
    p->vectors = p->side_by_side ? arne__sym_vectors(p->g) : 0;
    if (!room(p)) return false;
    for (int v = 0; v < p->vectors; v++) {
        const sym_vector *x = at(p, v);
        if (!pays(p, x)) continue;
        p->computed[v] = true;
        p->begins[v] = x->end;
        for (int l = 0; l < LANES; l++)
            if (makes(p, x, l)) p->by[x->lane[l].ref >> 1] = v;
    }
    for (int v = 0; v < p->vectors; v++) {
        if (!p->computed[v]) continue;
        read_operand(p, at(p, v)->a, at(p, v)->end);
        read_operand(p, at(p, v)->b, at(p, v)->end);
    }
    if (p->vectors) spare_statements(p, out, nout);
    for (int i = 0; i < p->size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!arne__has_statement(p, i)) continue;
        read_lane(p, x->a >> 1, i);
        if (x->b >= 0) read_lane(p, x->b >> 1, i);
        if (x->op != SYM_ADD) continue;
        count_read(p, x->a >> 1);
        count_read(p, x->b >> 1);
    }
    for (int i = 0; i < nout; i++)
        if (out[i].g) read_lane(p, out[i].ref >> 1, p->size);
    return true;
}

/* what another piece reads lies in memory */
static void keep_for_pieces(printer *p)
{
    for (int v = 0; v < p->vectors; v++) {
        const sym operand[2] = {at(p, v)->a, at(p, v)->b};
        for (int k = 0; k < 2 && p->computed[v]; k++) {
            const int o = arne__sym_vector_of(operand[k]);
            if (o >= 0 && p->computed[o] && p->vector_piece[o] != p->vector_piece[v]) p->row[o] = 0;
        }
    }
}

/* rows by the time they begin; a row is free again after it was last read */
bool arne__printer_vectors_place(printer *p)
{
    int *next = malloc(((size_t)p->vectors + 1) * sizeof *next), *first = malloc(((size_t)p->size + 1) * sizeof *first);
    int *until = malloc(((size_t)p->vectors + 1) * sizeof *until);
    const bool ok = next && first && until;
    if (ok) {
        keep_for_pieces(p);
        for (int t = 0; t <= p->size; t++) first[t] = -1;
        for (int v = p->vectors - 1; v >= 0; v--)
            if (p->row[v] >= 0) next[v] = first[p->begins[v]], first[p->begins[v]] = v;
        for (int t = 0; t <= p->size; t++)
            for (int v = first[t]; v >= 0; v = next[v]) {
                int k = 0;
                while (k < p->rows && until[k] >= t) k++;
                if (k == p->rows) p->rows++;
                p->row[v] = k;
                until[k] = p->ends[v];
            }
    }
    free(next);
    free(first);
    free(until);
    return ok;
}

/* ---- printing ---- */

void arne__print_lane(FILE *f, const printer *p, int i)
{
    const sym_vector *x = at(p, p->by[i]);
    int l = 0;
    while (!x->lane[l].g || x->lane[l].ref >> 1 != i) l++;
    fprintf(f, "v[%d].d[%d]", p->row[p->by[i]], l);
}

static void print_lane_value(FILE *f, const printer *p, sym lane)
{
    arne__print_value(f, p, lane.g && p->live[lane.ref >> 1] ? lane : sym_of(lane.g ? 0 : lane.c));
}

/* zeros in the place of what statements and vectors make */
static void print_numbers(FILE *f, const printer *p, int v)
{
    for (int l = 0; l < LANES; l++) {
        const sym lane = at(p, v)->lane[l];
        print_lane_value(f, p, lane.g && is_made(p, lane.ref >> 1) ? sym_of(0) : lane);
        fputs(l + 1 < LANES ? ", " : "", f);
    }
}

/* of a row: what no statement and no vector makes */
static void begin_row(FILE *f, printer *p, int v)
{
    const sym_vector *x = at(p, v);
    int given = 0, last = 0;
    if (!p->needed[v] || p->begun[v] || p->row[v] == LOCAL) return;
    p->begun[v] = true;
    for (int l = 0; l < LANES; l++)
        if (!x->lane[l].g || !p->live[x->lane[l].ref >> 1] || !is_made(p, x->lane[l].ref >> 1)) given++, last = l;
    if (p->row[v] == NUMBERS) {
        fprintf(f, "    static const %s_row row%d = {{", p->names->prefix, v);
        print_numbers(f, p, v);
        fputs("}};\n", f);
    } else if (given > 1) {
        fprintf(f, "    v[%d] = (%s_row){{", p->row[v], p->names->prefix);
        print_numbers(f, p, v);
        fputs("}};\n", f);
    } else if (given) {
        fprintf(f, "    v[%d].d[%d] = ", p->row[v], last);
        print_lane_value(f, p, x->lane[last]);
        fputs(";\n", f);
    }
}

void arne__print_stores(FILE *f, printer *p, int i)
{
    for (int s = p->first_store[i]; s >= 0; s = p->store[s].next) {
        const lane_store *x = &p->store[s];
        begin_row(f, p, x->vector);
        fprintf(f, "    v[%d].d[%d] = ", p->row[x->vector], x->lane);
        arne__print_operand(f, p, 2 * i + x->negated, false);
        fputs(";\n", f);
    }
}

/* other: the number that it is has the other sign */
static void print_operand(FILE *f, const printer *p, sym a, bool other)
{
    const int v = arne__sym_vector_of(a);
    if (arne__is_number(p, a)) {
        fputs("S, ", f);
        arne__print_value(f, p, other ? sym_neg(a) : a);
    } else if (v < 0) {
        fputs("S, ", f);
        arne__print_node(f, p, a.ref >> 1);
    } else {
        const int row = p->row[v];
        fprintf(f, row >= 0 ? "V, %d" : row == LOCAL ? "U, %d" : "K, %d", row >= 0 ? row : v);
    }
}

/* Its signs are such that no operand is negated (signs.c); a number has its own. */
static void print_computed(FILE *f, printer *p, int v)
{
    const sym_vector *x = at(p, v);
    const bool sum = x->op == SYM_ADD, minus = p->minus_vector[v];
    const bool minus_a = arne__is_minus_operand(p, x->a), minus_b = arne__is_minus_operand(p, x->b);
    const bool swap = sum && minus_a != minus && !arne__is_number(p, x->a),
               less = swap || (minus_b != minus && !arne__is_number(p, x->b));
    const bool other = sum ? minus : (minus_a != minus_b) != minus;
    if (arne__sym_vector_of(x->a) >= 0) begin_row(f, p, arne__sym_vector_of(x->a));
    if (arne__sym_vector_of(x->b) >= 0) begin_row(f, p, arne__sym_vector_of(x->b));
    fprintf(f, "    %s_%s(%d, ", p->names->prefix, p->row[v] >= 0 ? "PUT" : "LET", p->row[v] >= 0 ? p->row[v] : v);
    print_operand(f, p, swap ? x->b : x->a, other);
    fputs(!sum ? ", *, " : less ? ", -, " : ", +, ", f);
    print_operand(f, p, swap ? x->a : x->b, other);
    fputs(");\n", f);
    if (p->reads[v] >= MANY) fprintf(f, "    %s_IN_MEMORY(%d);\n", p->names->prefix, p->row[v]);
    for (int l = 0; l < LANES; l++) {
        const int node = x->lane[l].ref >> 1;
        int k = 0; /* a value that stands in two lanes is stored once */
        if (!x->lane[l].g || p->by[node] != v) continue;
        while (!x->lane[k].g || x->lane[k].ref >> 1 != node) k++;
        if (k == l) arne__print_stores(f, p, node);
    }
}

int arne__print_vectors(FILE *f, printer *p, int from, int i)
{
    for (int v = 0; v < p->vectors && i == 0; v++) /* each piece has its own constants */
        if (p->row[v] == NUMBERS) p->begun[v] = false;
    for (; from < p->vectors && at(p, from)->end <= i; from++)
        if (p->computed[from] && p->vector_piece[from] == p->now) print_computed(f, p, from);
    return from;
}
