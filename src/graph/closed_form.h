/* SPDX-License-Identifier: MIT
 *
 * closed_form.h - equations for people, in two forms.
 *
 * Expanded: each output a sum, grouped by velocities, accelerations and gravity, in that by inertial parameter. Sines and cosines
 * as in [003 example 9.1]: S2, C23 = cos(q2 + q3), SS2 = S2^2, CC2 = C2^2, CS2 = C2 S2; a difference of joints whose axes point
 * in opposite directions is S2m3 = sin(q2 - q3). Of the ways to write a coefficient (1 - CC2 or SS2, C23 C2 + S23 S2 or C3) the
 * shortest is taken.
 * Listing: the computation step by step, t1, t2, ..., for robots whose sums would fill pages. */
#ifndef GRAPH_CLOSED_FORM_H
#define GRAPH_CLOSED_FORM_H

#include "graph/expand.h"
#include "base/text.h"

/* A name in two parts: MX and 2, C and 2m3. In LaTeX the index is a subscript; a power of \cos \alpha stands after its function.
 */
typedef struct {
    char function[8], letters[64], index[64];
} graph_name;
typedef void graph_namer(const void *context, sym_key key, bool latex, graph_name *name);

/* How a formula is written, and who names its parameters and inputs. */
typedef struct {
    bool latex;
    graph_namer *name;
    const void *context;
} graph_style;

typedef struct {
    double c;
    const unsigned char *power;
} closed_term;

/* One output as it will be printed: terms of one key together, in that those of one inertial parameter, of one length. */
typedef struct {
    const poly_ring *ring;
    int count;
    closed_term *term;
    unsigned char *power;
} closed_form;

bool arne__closed_form_of(expansion *e, const poly *p, closed_form *c); /* false: e->ring.state */
void arne__closed_form_free(closed_form *c);
/* Same atoms of this role in both terms? */
bool arne__closed_same(const poly_ring *r, const unsigned char *a, const unsigned char *b, int role);

/* "A12", in LaTeX "A_{12}"; `j` 0: one number only, `i` 0: none */
void arne__print_label(char *label, size_t size, const char *letter, int i, int j, bool latex);
void arne__print_name(text_buffer *t, const graph_name *name, int power, bool latex);
/* "label = sum", lines of about a hundred characters; in LaTeX "label &= sum \\" */
void arne__print_closed(text_buffer *t, const char *label, const expansion *e, const closed_form *c, const graph_style *style);

/* Lines that say what S2, C23, SS2, ... are; used[cosine]: the largest degree of that angle, 0: it does not occur. */
void arne__print_angles(text_buffer *t, const expansion *e, const int *used, const char *comment);

/* The live part of a graph as lines k1, k2, ... (constants of the robot), t1, t2, ... and then label[i] = out[i]. next: the last
 * numbers used so far, {0, 0} at first. False: out of memory, or an operation that has no place here. */
bool arne__print_listing(text_buffer *t, const sym_graph *g, const sym *out, int n, const char *const *label,
                         const graph_style *style, int next[2]);

#endif
