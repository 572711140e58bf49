/* SPDX-License-Identifier: MIT
 *
 * motion.c - reads a motion and refuses what is none: no constant interval, a start outside the limits. */
#include "cli/motion.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are printed with few digits: an interval may be off by this part of it. */
static const double IRREGULAR = 1e-3;

static int take_interval(const arguments *a, motion_file *f)
{
    const char *dt = option_value(a, "dt");
    f->motion.dt = 0;
    if (dt && (parse_numbers(dt, strlen(dt), &f->motion.dt, 1) != 1 || !(f->motion.dt > 0)))
        return misuse("--dt %s: it takes a number of seconds above 0", dt);
    if (!input_has(&f->in, INPUT_Q)) return input_complain(&f->in, "a motion needs columns q1, q2, ...");
    if (f->in.nwrench > f->in.noption_wrench)
        return input_complain(&f->in, "columns w.LINK.fx ... are not for motions; a constant wrench is given by --wrench");
    if (!dt && !input_has_time(&f->in)) return input_complain(&f->in, "there is no column t; give the interval by --dt SECONDS");
    return CLI_OK;
}

/* Column t goes on by dt from row to row. */
static int check_time(motion_file *f, double before)
{
    const double now = input_time(&f->in), step = now - before;
    if (!input_has_time(&f->in) || f->motion.count == 0) return CLI_OK;
    if (f->motion.dt == 0) {
        if (!(step > 0)) return input_complain(&f->in, "t = %g does not come after t = %g", now, before);
        f->motion.dt = step;
    }
    if (fabs(step - f->motion.dt) <= IRREGULAR * f->motion.dt) return CLI_OK;
    return input_complain(&f->in, "column t is irregular: t = %g comes %g s after the row before, not %g s; resample the motion",
                          now, step, f->motion.dt);
}

/* The first sample is where the robot stands. */
static int check_start(const motion_file *f)
{
    const arne_model *m = f->in.robot->model;
    for (int i = 0; i < arne_model_dof(m); i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        if (f->q[i] > l->upper || f->q[i] < l->lower)
            return input_complain(&f->in, "the motion starts outside the limits: joint %s at %g, limits %g ... %g",
                                  arne_joint_name(m, i), f->q[i], l->lower, l->upper);
        if (f->motion.qd && l->velocity > 0 && fabs(f->qd[i]) > l->velocity)
            return input_complain(&f->in, "the motion starts outside the limits: joint %s moves at %g, its limit is %g",
                                  arne_joint_name(m, i), f->qd[i], l->velocity);
    }
    return CLI_OK;
}

/* Room for one sample more: the arrays double whenever count is a power of two. */
static bool grow(double **x, int count, size_t dof)
{
    if (count & (count - 1)) return true;
    double *more = realloc(*x, ((size_t)(count ? 2 * count : 1) * dof + 1) * sizeof *more);
    if (more) *x = more;
    return more != NULL;
}

static int take_row(motion_file *f)
{
    const size_t dof = (size_t)arne_model_dof(f->in.robot->model);
    arne_motion *s = &f->motion;
    if (s->count >= INT_MAX / 2) return input_complain(&f->in, "the motion is too long");
    if (!grow(&f->q, s->count, dof) || !grow(&f->qd, s->count, dof)) return no_memory();
    memcpy(f->q + (size_t)s->count * dof, input_of(&f->in, INPUT_Q), dof * sizeof *f->q);
    memcpy(f->qd + (size_t)s->count * dof, input_of(&f->in, INPUT_QD), dof * sizeof *f->qd);
    s->q = f->q;
    s->qd = input_has(&f->in, INPUT_QD) ? f->qd : NULL;
    s->count++;
    return s->count == 1 ? check_start(f) : CLI_OK;
}

int motion_open(const arguments *a, const robot *r, motion_file *out)
{
    *out = (motion_file){0};
    if (!option_given(a, "in")) return misuse("feasible needs a motion: --in FILE");
    int status = input_open(a, r, &out->in);
    if (!status) status = take_interval(a, out);
    bool more = true;
    double before = 0;
    while (!status) {
        status = input_next(&out->in, &more);
        if (status || !more) break;
        status = check_time(out, before);
        before = input_time(&out->in);
        if (out->motion.count == 0) out->start = before;
        if (!status) status = take_row(out);
    }
    if (!status && out->motion.count < 2) return input_complain(&out->in, "a motion has at least two rows");
    /* the mean says it better than the first two rows */
    if (!status && input_has_time(&out->in) && !option_given(a, "dt"))
        out->motion.dt = (before - out->start) / (out->motion.count - 1);
    return status;
}

void motion_close(motion_file *f)
{
    input_close(&f->in);
    free(f->q);
    free(f->qd);
}
