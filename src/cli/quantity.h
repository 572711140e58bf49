/* SPDX-License-Identifier: MIT
 *
 * quantity.h - what `eval` can compute: a name, a shape, a function. Everything else (JSON, CSV, tables) follows from the shape.
 */
#ifndef CLI_QUANTITY_H
#define CLI_QUANTITY_H

#include "arne/arne.h"
#include "arne/identify.h"
#include "cli/input.h"
#include "cli/out.h"

/* What the rows or columns of a result stand for: those of the library, and MEMBERS, a column alone: a list of the rows that are
 * not 0, by name; BASE: the parameters that stay. */
enum { AXIS_MEMBERS = 100, AXIS_BASE };
typedef int axis;

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
    int link; /* of pose, velocity, jacobian */
    arne_frame frame;
    int id_method;             /* an arne_formulation */
    int fd_method;             /* an arne_formulation, or one of these */
    arne_factor_choice factor; /* of coriolis */
    arne_factor_choice star;   /* of star */
    double *torques;           /* dof, scratch */
    arne_flex *flex;           /* made when `elastic` is wanted */
    arne_cycle_options step;   /* of `achievable` */
    bool *saturated;           /* dof, scratch */
    /* linear.c, made when a regressor is wanted */
    arne_base *base;
    arne_parameter_order order;
    bool friction_columns;
    double *columns;                      /* dof x 11 dof, scratch */
    char (*names)[16], (*base_names)[16]; /* of the columns */
} evaluation;

/* One that the library's table has (`row` >= 0), or one of another library, computed by `compute`. */
typedef struct quantity {
    const char *name, *help;
    int nparts;
    part parts[MOST_PARTS];
    int row;
    arne_status (*compute)(const evaluation *e, double *result);
    unsigned inputs; /* ARNE_Q ..., what it reads */
} quantity;

bool quantity_at(int i, quantity *q);                 /* the i-th that users may ask for; false: there is none */
int quantity_find(const char *name, quantity *found); /* or a message and the exit status */
arne_status quantity_compute(const quantity *q, const evaluation *e, double *result); /* the parts one after the other */
/* The row of the library's table that computes it alone, for many states at once too. */
bool quantity_in_batch(const quantity *q, const evaluation *e);
arne_quantity_options quantity_options(const quantity *q, const evaluation *e);
int quantity_size(const quantity *q, const evaluation *e);
int axis_size(axis a, const evaluation *e);
const char *axis_label(axis a, const evaluation *e, int i);

/* linear.c: options and memory of the regressors; base: base_regressor is wanted. */
void linear_options(const arguments *a, evaluation *e);
int linear_open(evaluation *e, bool base); /* returns an exit status */
void linear_close(evaluation *e);
int linear_width(const evaluation *e); /* columns of the regressor */

/* print_eval.c: one row of results; results[i] belongs to wanted[i]. */
void print_json(const evaluation *e, const quantity *wanted, double **results, int count, const double *t, out *o);
void print_csv_header(const evaluation *e, const quantity *wanted, int count, const double *t, out *o); /* t NULL: none */
void print_csv(const evaluation *e, const quantity *wanted, double **results, int count, const double *t, out *o);
void print_text(const evaluation *e, const quantity *wanted, double **results, int count, long row, const double *t, out *o);

#endif
