/* SPDX-License-Identifier: MIT
 *
 * quantity.h - everything that can be computed, by name: what it reads, the shape of its result, and one call for all of them.
 * The list grows with the library; programs, bindings and the command line take it from here. */
#ifndef ARNE_QUANTITY_H
#define ARNE_QUANTITY_H

#include "arne/coriolis.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* vectors that a quantity reads: nq numbers of q, nv of the others */
enum { ARNE_Q = 1, ARNE_QD = 2, ARNE_QDD = 4, ARNE_TAU = 8, ARNE_QA = 16 };

/* What the rows or columns of a result stand for: nv joint freedoms, links that move, components, 11 parameters a link, nv x nv
 * pairs of freedoms (of which the second counts faster), 10 parameters of a load. */
typedef enum {
    ARNE_AXIS_ONE,
    ARNE_AXIS_JOINTS,
    ARNE_AXIS_LINKS,
    ARNE_AXIS_XYZ,
    ARNE_AXIS_TWIST,
    ARNE_AXIS_WRENCH,
    ARNE_AXIS_PARAMETERS,
    ARNE_AXIS_PAIRS,
    ARNE_AXIS_LOAD
} arne_axis;

/* A scalar (ONE, ONE), a vector (X, ONE) or a matrix; name NULL where the quantity is this part alone. */
typedef struct {
    const char *name;
    arne_axis rows, columns;
} arne_part;

/* what the options below matter to */
enum { ARNE_OF_LINK = 1, ARNE_IN_FRAME = 2, ARNE_BY_FACTOR = 4 };

enum { ARNE_MOST_PARTS = 4 };

typedef struct {
    const char *name, *about;
    const char *letter; /* of its result, in formulas and generated code */
    unsigned inputs, options;
    bool grouped; /* the same from base parameters */
    bool hidden;  /* another way to one of the others, for study */
    int nparts;
    arne_part parts[ARNE_MOST_PARTS]; /* of the result, one after the other */
} arne_quantity;

/* i = 0 ... arne_quantities - 1; find: -1, no such name */
int arne_quantities(void);
const arne_quantity *arne_quantity_at(int i);
int arne_quantity_find(const char *name);
int arne_axis_size(arne_axis axis, const arne_model *m);
/* numbers of a result; 0: more than an int can say (d2id of more than 812 freedoms: ARNE_UNSUPPORTED) */
int arne_quantity_size(int quantity, const arne_model *m);

typedef struct {
    size_t size;               /* sizeof of this struct */
    int link;                  /* of pose, velocity, jacobian */
    arne_frame frame;          /* of velocity, jacobian */
    arne_factor_choice factor; /* of coriolis, star */
} arne_quantity_options;

/* A state, or many: those that the quantity reads. */
typedef struct {
    const double *q, *qd, *qdd, *tau, *qa;
} arne_state;

typedef struct {
    const float *q, *qd, *qdd, *tau, *qa;
} arne_state32;

/* options may be NULL: all zero. What derives from forward dynamics answers as arne_fd; derivatives by positions or velocities of
 * a state that has no numbers, or none in reach, are zero, ARNE_NOT_FINITE, and arne_data_joint says where. */
arne_status arne_compute(arne_data *d, int quantity, const arne_quantity_options *options, const arne_state *x, double *out);

/* `count` states, one after the other in every vector and in out, on the widest SIMD lanes the machine has, for data prepared
 * with ARNE_BATCHES: bit for bit the numbers of arne_compute. Where some states are singular or not finite their results are zero
 * and the status says so; the others are right. In floats: rounded inside too, the relative error is about 1e-6. */
arne_status arne_batch(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state *x,
                       double *out);
arne_status arne_batch32(arne_data *d, int quantity, const arne_quantity_options *options, size_t count, const arne_state32 *x,
                         float *out);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
