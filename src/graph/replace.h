/* SPDX-License-Identifier: MIT
 *
 * replace.h - the same formulas with something else in the place of some parameters. */
#ifndef GRAPH_REPLACE_H
#define GRAPH_REPLACE_H

#include "num/sym.h"

/* What stands for a parameter in the graph `into`. */
typedef sym graph_replacement(const void *context, sym_graph *into, sym_key key, double value);

/* Rewrites `out` into the graph `into`; what becomes 0 or 1 folds. Inputs keep their numbers. False: out of memory. */
bool arne__graph_replace(const sym_graph *g, const sym *out, int n, graph_replacement *replacement, const void *context,
                         sym_graph *into, sym *result);

#endif
