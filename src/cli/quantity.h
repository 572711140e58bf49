/* SPDX-License-Identifier: MIT
 *
 * quantity.h - what `eval` can compute: a name, a shape, a function. Everything else (JSON, CSV, tables) follows from the shape.
 */
#ifndef CLI_QUANTITY_H
#define CLI_QUANTITY_H

#include "arne/elastic.h"
#include "arne/feasible.h"
#include "arne/identify.h"
#include "cli/input.h"
#include "cli/out.h"

/* What the rows or columns of a result stand for. MEMBERS, a column alone: a list of the rows that are not 0, by name.
 * PARAMETERS: the standard inertial parameters, BASE: those that stay. */
typedef enum { AXIS_ONE, AXIS_JOINTS, AXIS_XYZ, AXIS_TWIST, AXIS_WRENCH, AXIS_MEMBERS, AXIS_PARAMETERS, AXIS_BASE } axis;

/* A scalar (ONE, ONE), a vector (X, ONE) or a matrix. `name` is NULL where the quantity is this part alone. */
typedef struct {
    const char *name;
    axis rows, columns;
} part;

enum { MOST_PARTS = 7 };

enum { FD_ABA = -1, FD_CRBA = -2 };

typedef struct {
    const robot *robot;
    const input *input;
    arne_data *data;
    arne_jets *jets; /* made when a quantity needs them */
    int link;        /* of pose, velocity, jacobian */
    arne_frame frame;
    arne_forms *forms;         /* made when a method needs them */
    int id_method;             /* an arne_formulation */
    int fd_method;             /* an arne_formulation, or one of these */
    arne_factor_choice factor; /* of coriolis */
    arne_factor_choice star;   /* of star */
    double *torques;           /* dof, scratch */
    arne_flex *flex;           /* made when `elastic` is wanted */
    arne_cycle *cycle;         /* made when `achievable` is wanted */
    arne_cycle_options step;
    bool *saturated; /* dof, scratch */
    /* linear.c, made when a regressor is wanted */
    arne_regressor_work *regressor;
    arne_base *base;
    arne_parameter_order order;
    bool friction_columns;
    double *columns;                      /* dof x 11 dof, scratch */
    char (*names)[16], (*base_names)[16]; /* of the columns */
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
int quantity_size(const quantity *q, const evaluation *e);
int axis_size(axis a, const evaluation *e);
const char *axis_label(axis a, const evaluation *e, int i);

/* linear.c: options and memory of the regressors; base: base_regressor is wanted. Return an exit status. */
int linear_options(const arguments *a, evaluation *e);
int linear_open(evaluation *e, bool base);
void linear_close(evaluation *e);
int linear_width(const evaluation *e); /* columns of the regressor */

/* print_eval.c: one row of results; results[i] belongs to wanted[i]. */
void print_json(const evaluation *e, const quantity **wanted, double **results, int count, out *o);
void print_csv_header(const evaluation *e, const quantity **wanted, int count, out *o);
void print_csv(const evaluation *e, const quantity **wanted, double **results, int count, out *o);
void print_text(const evaluation *e, const quantity **wanted, double **results, int count, long row, out *o);

#endif
