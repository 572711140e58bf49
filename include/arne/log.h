/* SPDX-License-Identifier: MIT
 *
 * log.h - files of numbers: CSV tables, states, logs and motions of a robot, and the file that tells what is in them. Library
 * arne_log (needs cJSON). Errors name the file and the line. */
#ifndef ARNE_LOG_H
#define ARNE_LOG_H

#include <stdio.h>

#include "arne/feasible.h"
#include "arne/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- a table of numbers with a header, one row after the other, in constant memory ---- */

typedef struct {
    FILE *file;
    const char *name; /* for messages; the caller's path */
    int line;         /* of the row read last */
    int columns;
    char **names;
    bool holes; /* a field that is empty, nan, inf or not there is NAN and an empty line a row of them, not an error; set it after
                   arne_csv_open */
    bool *skip; /* per column: it is not looked at, whatever it holds; all false at first */
    char *text; /* the line itself */
    size_t room;
    long at;                   /* bytes read so far */
    long from, step, until;    /* where rows begin; bytes of a block; the block that is read ends here, 0: there are none */
    struct csv_tables *tables; /* the rows are of an .npy or .h5 file; NULL: of a text */
} arne_csv;

/* Opens the file ("-": standard input) and reads its header. arne_csv_close is due after a failure too. */
arne_status arne_csv_open(arne_csv *c, const char *path, arne_error *error);
/* Reads the next row (columns numbers); *more is false when there is none. */
arne_status arne_csv_next(arne_csv *c, double *row, bool *more, arne_error *error);
int arne_csv_find(const arne_csv *c, const char *name); /* the column of this name, or -1 */
void arne_csv_close(arne_csv *c);

/* A table that is written: the file appears whole or not at all. A name or a number that cannot be written is remembered and said
 * at the end. */
typedef struct arne_csv_writer arne_csv_writer;
/* digits: of numbers, 1 ... 17; 0: the fewest that read back as the same number. */
arne_status arne_csv_create(const char *path, int digits, arne_csv_writer **out, arne_error *error);
void arne_csv_name(arne_csv_writer *w, const char *name);              /* one column of the header */
void arne_csv_names(arne_csv_writer *w, const char *group, int count); /* q1, q2, ... */
void arne_csv_numbers(arne_csv_writer *w, const double *x, int count); /* NAN: an empty field */
bool arne_csv_end_row(arne_csv_writer *w);                             /* the header is a row too; false: it cannot be written */
/* status ARNE_OK: puts the file into its place; otherwise nothing is left behind. Returns status, or that of a failure. */
arne_status arne_csv_finish(arne_csv_writer *w, arne_status status, arne_error *error);
/* The same, with what is in it (NULL: nothing) in the file beside it, run.json for run.csv: both appear or none. */
typedef struct arne_about arne_about;
arne_status arne_csv_finish_told(arne_csv_writer *w, const arne_about *about, arne_status status, arne_error *error);
/* For rows that are worth keeping when the next one cannot be written: true then, and error says why; the table ends with its
 * last whole row, whose first number is *last, and can be finished. False: all is well, or there is nothing to keep. */
bool arne_csv_keep(arne_csv_writer *w, double *last, arne_error *error);

/* ---- states: a table whose columns are sorted by their names ---- */

/* The groups of columns, one number a joint: q1 q2 ... or q.JOINT ... */
#define ARNE_COLUMN_LIST(X)                                                                                                      \
    X(ARNE_COLUMN_Q, "q")                                                                                                        \
    X(ARNE_COLUMN_QD, "qd")                                                                                                      \
    X(ARNE_COLUMN_QDD, "qdd")                                                                                                    \
    X(ARNE_COLUMN_QDDD, "qddd")                                                                                                  \
    X(ARNE_COLUMN_QDDDD, "qdddd")                                                                                                \
    X(ARNE_COLUMN_TAU, "tau")                                                                                                    \
    X(ARNE_COLUMN_THETA, "theta")                                                                                                \
    X(ARNE_COLUMN_THETAD, "thetad") X(ARNE_COLUMN_QA, "qa") X(ARNE_COLUMN_QNEXT, "qnext") X(ARNE_COLUMN_QDNEXT, "qdnext")
#define ARNE_COLUMN_ENUM(id, name) id,
typedef enum { ARNE_COLUMN_LIST(ARNE_COLUMN_ENUM) ARNE_COLUMN_COUNT } arne_column;
#undef ARNE_COLUMN_ENUM

typedef struct arne_differences arne_differences;

typedef struct {
    const arne_model *model;
    arne_csv file;
    bool has_file, done; /* done: the row of zeros is taken */
    bool degrees;        /* angles of the file are in degrees; set it after arne_states_open */
    char passed[160];    /* families of columns that arne writes and that are passed over: "qr, hand" */
    int *slots;          /* per column of the file: its place in values, -1: none */
    double *row;         /* per column */
    double *values;      /* t, the groups one after the other, then six numbers a link for its wrench */
    bool *given;         /* per value: a column has it */
    int nvalue;
    arne_differences *differences; /* NULL: none are made */
} arne_states;

/* Reads the header (path NULL: no file, one row of zeros). Columns: t; q1 ... and the other groups, or q.JOINT ...; w.LINK.fx ...
 * w.LINK.mz. All of a group or none. Columns that commands of arne write for other uses (qr1, hand.x, id.JOINT, ...) are passed
 * over. others: so are columns of any other name; else they are an error. arne_states_close is due after a failure too. */
arne_status arne_states_open(arne_states *s, const char *path, const arne_model *m, bool others, arne_error *error);
/* The same where joints may be left out of a group, and rest at zero; columns of other names are not looked at. */
arne_status arne_states_open_part(arne_states *s, const char *path, const arne_model *m, arne_error *error);
/* The same of a file that may also be .h5, with datasets /t, /q, /qd, ... of one row a state, or .npy, whose columns are those of
 * the groups that `columns` names, "q,qd,tau"; NULL: as many of q, qd, qdd, tau as it has columns. */
arne_status arne_states_open_table(arne_states *s, const char *path, const char *columns, const arne_model *m, bool others,
                                   arne_error *error);
/* Takes the next row; *more is false when there is none. */
arne_status arne_states_next(arne_states *s, bool *more, arne_error *error);
/* Cuts the rows into blocks that are found without reading those before, for several readers: of so many rows, those of a text
 * of about so many. How many blocks; -1: it is a pipe. */
long arne_states_blocks(arne_states *s, long rows);
/* The rows of a block; those of a text are counted, up to one that cannot be read. Seek before you read on. */
arne_status arne_states_count(arne_states *s, long block, long *rows, arne_error *error);
/* Goes to a block, whose first row has this number in the file: the next rows are its own, and then there are no more. Block -1:
 * all of them, as at the beginning; states that are differentiated go there alone. */
arne_status arne_states_seek(arne_states *s, long block, long first, arne_error *error);
void arne_states_close(arne_states *s);
/* Before the first row: qd and qdd are made where the file has none, from t and q (qdd from qd where it has that), by centred
 * differences. Rows then come when the next one is read; there must be three. */
arne_status arne_states_differentiate(arne_states *s, arne_error *error);

const double *arne_states_of(const arne_states *s, arne_column group);       /* dof numbers, 0 where the file has none */
bool arne_states_has(const arne_states *s, arne_column group);               /* the file has these columns */
bool arne_states_given(const arne_states *s, arne_column group, int number); /* it has this one */
const double *arne_states_time(const arne_states *s);                        /* NULL: no column t */
const double *arne_states_wrench(const arne_states *s, int link);            /* fx ... mz, NULL: no such columns */

/* A joint that turns and stands more than a whole turn outside its limits, as if q were in degrees; -1: none. */
int arne_joint_far(const arne_model *m, const double *q);

/* ---- whole files ---- */

/* count rows of n numbers each; NULL: not in the file. */
typedef struct {
    const char *name; /* for messages; the caller's path */
    int count, n, nq; /* n: nv; rows of q have nq numbers */
    double period;    /* of a log: the interval of its rows */
    double *t;        /* count */
    double *q, *qd, *qdd, *qddd, *qdddd, *tau;
    double *theta, *thetad; /* motors of elastic joints */
    char passed[160];       /* of a motion: as arne_states has it */
} arne_log;

/* A recorded run: t, q, qd, tau at a constant interval, perhaps theta and thetad. Other columns are not looked at. A number that
 * is missing or none is NAN: whoever ticks with it holds; so are the numbers of an empty line, and q where t is missing. Rows may
 * be missing here and there: t rises by more than ARNE_RECORDING_GAP intervals. arne_log_free is due after a failure too, in all
 * of these. */
arne_status arne_log_read(const char *path, const arne_model *m, arne_log *out, arne_error *error);
/* A motion: q and perhaps derivatives; t, which rises, or rows that are dt apart (dt 0: there must be a column t). others: as
 * arne_states_open has it. */
arne_status arne_log_motion(const char *path, const arne_model *m, double dt, bool others, arne_log *out, arne_error *error);
/* A path: way-points, at least two, q alone. */
arne_status arne_log_path(const char *path, const arne_model *m, arne_log *out, arne_error *error);
void arne_log_free(arne_log *l);
/* Poses of a link: columns x, y, z and, all or none (*places: there are none), roll, pitch, yaw as arne_pose_rpy has them. *poses
 * from malloc, at least two. */
arne_status arne_log_poses(const char *path, bool degrees, arne_pose **poses, int *count, bool *places, arne_error *error);
void arne_log_radians(arne_log *l, const arne_model *m); /* its angles were in degrees */

/* A motion as the robot commands it: at a constant interval (dt, or 0: that of its times), from within the limits. */
arne_status arne_log_regular(const arne_log *l, const arne_model *m, double dt, arne_motion *out, arne_error *error);

int arne_log_line(int row);                                     /* the line of the file that a row stands in */
const double *arne_log_row(const double *values, int n, int k); /* row k of a group */

/* ---- what stands beside a file of numbers: run.json for run.csv ---- */

typedef struct {
    double t, end; /* s; end NAN: a moment */
    const char *kind, *text;
} arne_about_event;

typedef struct {
    const char *name;
    int count; /* 0: one number, else a list */
    const double *values;
} arne_about_numbers;

typedef struct {
    const char *link;
    double mass, com[3]; /* in the axes of the link */
} arne_about_payload;

/* Strings that are absent are NULL, numbers NAN. */
struct arne_about {
    const char *kind;  /* the command that wrote it: "run", "feasible", ... */
    const char *title; /* one line for people */
    const char *robot; /* as the user calls it */
    const char *base;  /* "fixed", "free": what it was put on instead of that of its file */
    const char *mimic; /* "independent": joints that mimic others moved by themselves */
    const char *controller, *integrator;
    const char *status, *message;  /* "finished", "stopped", "failed"; why */
    const char *link;              /* whose position is recorded */
    const char *purpose;           /* "time-optimal": it reaches limits because that is what it is for */
    const char *verdict, *why;     /* of the command that wrote it: "feasible" or "infeasible"; a sentence */
    double period, duration, wall; /* wall: s that it took */
    const arne_model *of;          /* to be written: names, joints and limits are its own; NULL after reading */
    const char *model;
    int dof;
    const char **joints;                             /* dof names */
    const double *effort, *velocity, *lower, *upper; /* dof each, NAN: none; NULL: not told */
    const double *thresholds;                        /* of residuals, per joint */
    const double *errors;                            /* dof: largest distance from what was asked for; NULL: not told */
    int npayload;
    const arne_about_payload *payloads;
    int nevent;
    const arne_about_event *events; /* in the order of time after reading */
    int nsummary;
    const arne_about_numbers *summary; /* to be written: what else is worth telling */
    void *memory;                      /* of what was read */
};

/* The name of the file beside another. From malloc; NULL: memory is short. */
char *arne_about_path(const char *path);
/* As JSON, from malloc. */
arne_status arne_about_text(const arne_about *a, char **text, arne_error *error);
/* Of this the members purpose, verdict, why, payload and tracking, without brackets. */
arne_status arne_about_judged(const arne_about *a, char **text, arne_error *error);
/* Writes it beside a file. Does nothing where that is no regular file, or ends in .json itself. */
arne_status arne_about_write(const arne_about *a, const char *path, arne_error *error);
/* Reads what stands beside a file; kind NULL: there is no such file. It may lack anything else, but what is there must be of the
 * right type. arne_about_free is due after a failure too. */
arne_status arne_about_read(const char *path, arne_about *out, arne_error *error);
void arne_about_free(arne_about *a);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
