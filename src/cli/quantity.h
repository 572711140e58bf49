/* SPDX-License-Identifier: MIT
 *
 * quantity.h - what `eval` can compute: a name, a shape, a function. Everything else (JSON, CSV, tables) follows from the shape.
 */
#ifndef CLI_QUANTITY_H
#define CLI_QUANTITY_H

#include "cli/input.h"
#include "cli/out.h"

/* What the rows or columns of a result stand for. */
typedef enum { AXIS_ONE, AXIS_JOINTS, AXIS_XYZ, AXIS_TWIST, AXIS_WRENCH } axis;

/* A scalar (ONE, ONE), a vector (X, ONE) or a matrix. `name` is NULL where the quantity is this part alone. */
typedef struct {
    const char *name;
    axis rows, columns;
} part;

enum { MOST_PARTS = 3 };

enum { FD_ABA = -1, FD_CRBA = -2 };

typedef struct {
    const robot *robot;
    const input *input;
    arne_data *data;
    arne_jets *jets; /* made when a quantity needs them */
    int link;        /* of pose, velocity, jacobian */
    arne_frame frame;
    arne_forms *forms; /* made when a method needs them */
    int id_method;     /* an arne_formulation */
    int fd_method;     /* an arne_formulation, or one of these */
    double *torques;   /* dof, scratch */
} evaluation;

typedef struct {
    const char *name;
    const char *help;
    part parts[MOST_PARTS];
    bool jets;
    /* Fills the parts one after the other. Returns -1, or the joint at which the inertia matrix is singular. */
    int (*compute)(const evaluation *e, double *result);
} quantity;

const quantity *quantity_list(void);                         /* ends with name == NULL */
int quantity_find(const char *name, const quantity **found); /* or a message and the exit status */
int quantity_parts(const quantity *q);
int quantity_size(const quantity *q, const arne_model *m);
int axis_size(axis a, const arne_model *m);
const char *axis_label(axis a, const arne_model *m, int i);

/* print_eval.c: one row of results; results[i] belongs to wanted[i]. */
void print_json(const evaluation *e, const quantity **wanted, double **results, int count, out *o);
void print_csv_header(const evaluation *e, const quantity **wanted, int count, out *o);
void print_csv(const evaluation *e, const quantity **wanted, double **results, int count, out *o);
void print_text(const evaluation *e, const quantity **wanted, double **results, int count, long row, out *o);

#endif
