/* SPDX-License-Identifier: MIT
 *
 * statements.c - what each node of a graph becomes: a number, an angle, a statement, a lane; in which piece of the function it
 * stands, and where it lies for later ones. */
#include <stdlib.h>

#include "codegen/printer.h"

static bool is_live(const sym_node *x) { return x->op == SYM_INPUT && x->key.row == KEY_LIVE; }

static bool find_values(printer *p)
{
    const int size = p->size;
    sym *all = calloc((size_t)size + 1, sizeof *all);
    double *values = malloc(((size_t)size + 1) * sizeof *values), none = 0;
    int count = 0;
    for (int i = 0; all && i < size; i++)
        if (arne__sym_graph_node(p->g, i)->fixed) all[count++] = (sym){(sym_graph *)p->g, 2 * i, 0};
    const bool ok = all && values && arne__graph_evaluate(p->g, &none, all, count, values);
    for (int k = 0; ok && k < count; k++) p->value[all[k].ref >> 1] = values[k];
    free(all);
    free(values);
    return ok;
}

static void number_angle(printer *p, int i)
{
    const sym_node *x = arne__sym_graph_node(p->g, i);
    for (int k = 0; k < i; k++) {
        const sym_node *y = arne__sym_graph_node(p->g, k);
        if (!arne__works(p, k) || !arne__is_turn(y) || y->a != x->a) continue;
        p->angle[i] = p->angle[k];
        return;
    }
    p->angle[i] = p->angles++;
}

/* values of what is fixed, numbers of the angles, readers of every node */
bool arne__printer_prepare(printer *p, const sym *out, int nout)
{
    const int size = p->size;
    if (!find_values(p)) return false;
    arne__graph_live(p->g, out, nout, p->live);
    for (int i = 0; i < size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        p->last[i] = -1;
        p->uniform[i] = x->fixed || is_live(x);
        if (!arne__works(p, i)) continue;
        p->uniform[i] = p->uniform[x->a >> 1] && (x->b < 0 || p->uniform[x->b >> 1]);
        if (arne__is_turn(x)) number_angle(p, i);
        p->last[x->a >> 1] = i;
        if (x->b >= 0) p->last[x->b >> 1] = i;
    }
    for (int i = 0; i < nout; i++)
        if (out[i].g) p->last[out[i].ref >> 1] = size;
    for (int i = size - 1; i >= 0; i--) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!arne__works(p, i) || (!arne__is_turn(x) && !p->early[i])) continue;
        p->early[x->a >> 1] = true;
        if (x->b >= 0) p->early[x->b >> 1] = true;
    }
    return true;
}

/* the most values that are computed and still needed: statements whose last reader is to come, angles, sines and cosines */
long arne__values_alive(const printer *p)
{
    long alive = 3 * (long)p->angles, most = alive;
    for (int i = 0; i < p->size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!arne__has_statement(p, i)) continue;
        if (++alive > most) most = alive;
        if (p->last[x->a >> 1] == i && arne__has_statement(p, x->a >> 1)) alive--;
        if (x->b >= 0 && x->b >> 1 != x->a >> 1 && p->last[x->b >> 1] == i && arne__has_statement(p, x->b >> 1)) alive--;
    }
    return most + (long)p->rows * sym_abreast;
}

/* ---- pieces ---- */

static void read_in(int *until, int node, int piece)
{
    if (piece > until[node]) until[node] = piece;
}

/* the last piece that reads each node; outputs are read at the end, angles now and perhaps later */
static void last_pieces(const printer *p, int *until)
{
    for (int i = 0; i < p->size; i++) until[i] = p->last[i] == p->size || p->early[i] ? p->pieces : 0;
    for (int i = 0; i < p->size; i++) {
        const sym_node *x = arne__sym_graph_node(p->g, i);
        if (!arne__works(p, i)) continue;
        read_in(until, x->a >> 1, p->piece[i]);
        if (x->b >= 0) read_in(until, x->b >> 1, p->piece[i]);
    }
}

/* places in w for what a piece leaves to others; a place is free again after the last piece that reads it */
static bool place_values(printer *p)
{
    int *last = calloc((size_t)p->size + 1, sizeof *last);
    int *until = calloc((size_t)p->size + 1, sizeof *until); /* of a place: the piece that reads it last */
    const bool ok = last && until;
    if (ok) last_pieces(p, last);
    for (int i = 0; ok && i < p->size; i++) {
        p->slot[i] = -1;
        if (p->pieces == 1 || !arne__has_statement(p, i) || last[i] == p->piece[i]) continue;
        int k = 0;
        while (k < p->slots && until[k] >= p->piece[i]) k++;
        if (k == p->slots) p->slots++;
        p->slot[i] = k;
        until[k] = last[i];
    }
    free(last);
    free(until);
    return ok;
}

bool arne__printer_cut(printer *p)
{
    int statements = 0, seen = 0, v = 0;
    for (int i = 0; i < p->size; i++) statements += arne__has_statement(p, i);
    for (int k = 0; k < p->vectors; k++) statements += p->computed[k];
    p->pieces = statements > WHOLE ? 1 + (statements + PIECE - 1) / PIECE : 1;
    for (int i = 0; i <= p->size && p->pieces > 1; i++) {
        for (; v < p->vectors && arne__sym_vector_at(p->g, v)->end <= i; v++)
            if (p->computed[v]) p->vector_piece[v] = 1 + seen++ / PIECE;
        if (i < p->size && arne__has_statement(p, i) && !p->early[i]) p->piece[i] = 1 + seen++ / PIECE;
    }
    for (int i = 0; i < p->size; i++)
        if (p->by[i] >= 0) p->piece[i] = p->vector_piece[p->by[i]];
    return place_values(p) && arne__printer_vectors_place(p);
}
