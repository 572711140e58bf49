/* SPDX-License-Identifier: MIT
 *
 * input.h - the states that `eval` works on, with the wrenches of the options; and the motions of other commands. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "arne/log.h"
#include "cli/cli.h"

/* Options of the commands in which a wrench acts all the time. */
#define INPUT_WRENCH_OPTIONS                                                                                                     \
    {"wrench", "LINK=fx,fy,fz,mx,my,mz[@x,y,z]", true,                                                                           \
     "acts ON the link all the time, at its origin or at a point in link axes (repeatable)"},                                    \
    {                                                                                                                            \
        "wrench-frame", "local|world|aligned", false, "axes of the wrenches; default: aligned, world axes at the link's origin"  \
    }

#define INPUT_DEGREES_OPTION                                                                                                     \
    {                                                                                                                            \
        "degrees", NULL, false, "angles of the file are in degrees, a second or a second squared too"                            \
    }

arne_frame option_frame(const arguments *a, const char *name); /* local|world|aligned; not given: aligned */
/* Those of the options, and room for one more on every link; *list from malloc, also after a failure. */
int take_wrenches(const arguments *a, const robot *r, arne_wrench **list, int *count);
/* --dt SECONDS; *dt stays where it is not given. */
int take_interval(const arguments *a, double *dt);

enum { MOST_THREADS = 1024 };

typedef struct {
    const robot *robot;
    arne_states states;
    arne_wrench *wrenches; /* those of the options, then those of the columns */
    int nwrench, noption_wrench;
    const char *state; /* --state, NULL: none */
    bool watched;      /* for rows far outside the limits, which are said once */
    bool hushed;       /* it is not said, but kept: the line, 0: none; the words */
    int far_line;
    char far_text[500];
    const double *q; /* of the current row */
    double *limits;  /* lower and upper of each of them */
    int nlimit;
} input;

/* Reads the header and the options --in, --state, --degrees, --differentiate, --wrench, --wrench-frame. needs: ARNE_QD |
 * ARNE_QDD, of which a table with times should have columns: else it is said. input_close is due after a failure too. */
int input_open(const arguments *a, const robot *r, unsigned needs, input *out);
/* Takes the next row; *more is false when there is none. */
int input_next(input *in, bool *more);
void input_close(input *in);
/* A fault of the current row, with its place: as complain_at. */
int input_complain(const input *in, const char *format, ...) CLI_PRINTF(2, 3);

/* A motion that the robot is to do, with the wrenches of the options, which act all the time. */
typedef struct {
    arne_log log;
    double dt; /* --dt, 0: not given */
    arne_wrench *wrenches;
    int nwrench;
} motion_file;

/* Reads the whole file of --in, with --dt where there is no column t. motion_close is due after a failure too. */
int motion_open(const arguments *a, const robot *r, const char *whose, motion_file *out);
void motion_close(motion_file *f);
/* A log that was read: takes degrees as radians where --degrees says so, and tells what was passed over or looks like degrees. */
void take_log(const arguments *a, const robot *r, arne_log *log);

#endif
