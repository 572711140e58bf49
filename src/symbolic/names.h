/* SPDX-License-Identifier: MIT
 *
 * names.h - what equations call the constants and variables of a robot. */
#ifndef SYMBOLIC_NAMES_H
#define SYMBOLIC_NAMES_H

#include "arne/equations.h"
#include "graph/closed_form.h"
#include "symbolic/symbolic.h"

typedef struct {
    const void *doubles; /* the robot */
    int links, rows;     /* that are written: links, velocities */
    const arne_dimension *dimensions;
    bool one_stem;   /* one link stands on the base: its frame needs no number */
    bool along_base; /* and has the axes of the base before its joint turns */
    bool textbook;   /* names of textbooks, inertias about centres of mass */
    bool general;    /* textbook: every inertial parameter is arbitrary */
    bool planar;     /* all axes are parallel: of an inertia zz counts */
    bool one_g;      /* gravity is along one axis of the base, and of the first frame */
} equation_names;

equation_names arne__equation_names_of(const arne_data *d, int links, const arne_equation_options *o);
/* Has this constant the same value in another robot? */
bool arne__equation_same(const equation_names *names, const void *other, sym_key key);

/* What equations have in the place of a parameter: a graph_replacement. */
sym arne__equation_constant(const void *names, sym_graph *into, sym_key key, double value);
void arne__equation_name(const void *names, sym_key key, bool latex, graph_name *name); /* a graph_namer */
expand_atom arne__equation_atom(sym_key key);                                           /* an expand_reader */

#endif
