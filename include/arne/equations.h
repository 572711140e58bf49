/* SPDX-License-Identifier: MIT
 *
 * equations.h - the equations of a robot in closed form, as text for people. Library arne_codegen.
 *
 *     A(q) qdd + c(q,qd) + Q(q) = tau          [003 eq. 9.4]
 *
 * Link j is written by its standard inertial parameters in its modified Denavit-Hartenberg frame: mass Mj, first moments MXj MYj
 * MZj, inertia about the origin XXj XYj XZj YYj YZj ZZj, rotor inertia IAj [003 eq. 9.3, 9.13, 9.29]. G1 G2 G3 are gravity in
 * the frame of the first joint before it turns; g1 g2 g3, in the potential energy, are gravity in base axes where those differ.
 * Friction is left out. */
#ifndef ARNE_EQUATIONS_H
#define ARNE_EQUATIONS_H

#include "arne/dynamics.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum {
    ARNE_FORM_AUTO,     /* expanded up to ARNE_SHORT_EQUATIONS terms, otherwise a listing */
    ARNE_FORM_EXPANDED, /* every element one sum */
    ARNE_FORM_LISTING   /* step by step, intermediates t1, t2, ... */
} arne_equation_form;

enum { ARNE_SHORT_EQUATIONS = 300, ARNE_LONGEST_EQUATIONS = 20000 }; /* terms in all */

/* A dimension that has a name: "D3", or "-D3" for minus what is called so. */
typedef struct {
    const char *name; /* "": none */
    double value;     /* of the dimension; where the robot's own differs the name is not used */
} arne_dimension;

typedef struct {
    size_t size;  /* sizeof of this struct */
    bool general; /* every inertial parameter arbitrary; else what is zero in the file is left out */
    bool latex;   /* align* environments of amsmath instead of plain text */
    arne_equation_form form;
    int links;                        /* only the first joints with the links they carry, 0: all */
    const arne_dimension *dimensions; /* 2 a joint, its d and its r: names in their place; NULL: none */
    /* Names of textbooks: mass mj, centre of mass lcj (lcxj lcyj lczj), inertia about it Ij (Ixxj ... Izzj), lengths lj of link
     * j, gravity g. */
    bool textbook;
    const arne_data *other; /* the same robot with other numbers for symbols without a value: where the two differ no value is
                               written; NULL: all have one */
} arne_equation_options;

/* What can be written, ending with NULL: mass gravity coriolis id energy. */
const char *const *arne_equation_names(void);

/* The text, from malloc. `what`: names with commas between them; options may be NULL. Rotor inertias are written unless
 * arne_set_rigid. ARNE_BAD_ARGUMENT: a null pointer, a size that is not set; ARNE_BAD_VALUE: an unknown name, too many links;
 * ARNE_UNSUPPORTED: too long to be expanded. */
arne_status arne_equations(const arne_data *d, const char *what, const arne_equation_options *options, char **text,
                           arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
