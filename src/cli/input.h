/* SPDX-License-Identifier: MIT
 *
 * input.h - the states that `eval` works on: rows of a CSV file whose columns are sorted by their names, or one row of zeros. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli/csv.h"

/* The groups of columns, one number a joint: q1 q2 ... or q.JOINT ... */
#define INPUT_GROUPS(X)                                                                                                          \
    X(Q, "q")                                                                                                                    \
    X(QD, "qd") X(QDD, "qdd") X(QDDD, "qddd") X(QDDDD, "qdddd") X(TAU, "tau") X(QA, "qa") X(QNEXT, "qnext") X(QDNEXT, "qdnext")
#define INPUT_GROUP_ENUM(id, name) INPUT_##id,
typedef enum { INPUT_GROUPS(INPUT_GROUP_ENUM) INPUT_GROUP_COUNT } input_group;
#undef INPUT_GROUP_ENUM

/* Options of the commands in which a wrench acts all the time. */
#define INPUT_WRENCH_OPTIONS                                                                                                     \
    {"wrench", "LINK=fx,fy,fz,mx,my,mz[@x,y,z]", true,                                                                           \
     "acts ON the link all the time, at its origin or at a point in link axes (repeatable)"},                                    \
    {                                                                                                                            \
        "wrench-frame", "local|world|aligned", false, "axes of the wrenches; default: aligned, world axes at the link's origin"  \
    }

typedef struct {
    const robot *robot;
    bool has_file, done; /* done: the row of zeros is taken */
    csv file;
    int *slots;     /* per column of the file: its place in values */
    double *row;    /* per column */
    double *values; /* t, the groups one after the other, then six numbers a link for its wrench */
    bool *given;    /* per value: a column has it */
    int nvalue;
    arne_wrench *wrenches; /* those of the options, then those of the columns */
    int nwrench, noption_wrench;
} input;

/* Reads the header and the options --in, --wrench, --wrench-frame. input_close is due after a failure too. */
int input_open(const arguments *a, const robot *r, input *out);
/* The same with the file given by another option (NULL: none). */
int input_open_file(const arguments *a, const char *path, const robot *r, input *out);
/* Takes the next row; *more is false when there is none. */
int input_next(input *in, bool *more);
void input_close(input *in);

const double *input_of(const input *in, input_group group); /* dof numbers */
bool input_has(const input *in, input_group group);         /* the file has these columns */
bool input_has_time(const input *in);
double input_time(const input *in);
/* A fault of the current row, with its place: as complain_at. */
int input_complain(const input *in, const char *format, ...) CLI_PRINTF(2, 3);

#endif
