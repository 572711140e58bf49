/* SPDX-License-Identifier: MIT
 *
 * graph.h - passes over an expression graph: what is live, what it costs, how deep it is, its value, and the same with less work.
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "num/sym.h"

/* Work that depends on inputs. Signs are free, and so is all work on constants and parameters alone. */
typedef struct {
    long mul, add, div;
    long trig;  /* sine and cosine of one angle */
    long other; /* roots, absolute values, signs, limits, exponentials */
    long depth; /* longest chain of operations; sines and cosines count as inputs */
} graph_count;

/* live[node] for everything that `out` needs; live has arne__sym_graph_size entries */
void arne__graph_live(const sym_graph *g, const sym *out, int n, bool *live);

/* False: out of memory. */
bool arne__graph_cost(const sym_graph *g, const sym *out, int n, graph_count *count);

/* Steps on k processors, one operation each a step, longest remaining chain first; -1: out of memory. */
long arne__graph_steps(const sym_graph *g, const sym *out, int n, int processors);

/* Values of `out` for the inputs, in the order they were made; false: out of memory. */
bool arne__graph_evaluate(const sym_graph *g, const double *input, const sym *out, int n, double *value);

/* Rewrites `out` into the graph `into`: common factors of sums are taken out where that saves an operation, and, with `balance`,
 * long sums become trees so that depth falls. Inputs keep their numbers. Changes rounding,
 * never the formula. */
bool arne__graph_factor(const sym_graph *g, const sym *out, int n, bool balance, sym_graph *into, sym *result);

/* Rewrites `out` into the graph `into`: constants times sums go into the constants of their terms; else as arne__graph_factor. */
bool arne__graph_distribute(const sym_graph *g, const sym *out, int n, sym_graph *into, sym *result);

#endif
