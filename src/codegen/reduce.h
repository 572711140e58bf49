/* SPDX-License-Identifier: MIT
 *
 * reduce.h - a robot with its base parameters in the place of the standard ones, and the ways that make its lean texts cheap. */
#ifndef CODEGEN_REDUCE_H
#define CODEGEN_REDUCE_H

#include "arne/identify.h"
#include "graph/graph.h"
#include "symbolic/symbolic.h"

typedef struct {
    arne_data *d; /* with base parameters */
    arne_base *base;
    double distance; /* of its torques from those of the robot, beside the largest */
} reduced;

/* general: any numbers where a parameter stays, none zero, no two equal. Start with {0}; free it in any case. */
arne_status arne__reduce(const arne_data *d, bool general, reduced *r, arne_error *error);
void arne__reduced_free(reduced *r);

/* search.c: how each link is treated, a number of algo/lean.h a link, the best found for these uses (LEAN_TORQUES ...). False:
 * out of memory. */
bool arne__lean_search(const reduced *r, int uses, bool with_wrench, int *lean);

/* count.c: the graph `out` with less work, in two graphs that are emptied first; x: twice out.nout */
bool arne__graph_leaner(const symbolic *out, sym_graph *spread, sym_graph *less, sym *x, graph_count *count);

#endif
