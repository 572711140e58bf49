/* SPDX-License-Identifier: MIT
 *
 * achieve.c - what the robot makes of a commanded motion: cycle by cycle under its limits, or along the same path at a speed it
 * can keep; torques and reactions on the way, written row by row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/feasible.h"
#include "base/whole.h"

/* times the fastest that is commanded or allowed */
static const double RUN_AWAY = 20;

typedef struct {
    feasibility *f;
    int n;
    arne_cycle *cycle;
    double *memory;
    double *q, *qd, *qdd, *tau, *motor; /* the state now */
    double *next, *reached;             /* position and velocity after this cycle */
    double *command, *asked;            /* velocity of the program now and then */
    double *away, *stop;                /* from the program; way to stop */
    double *wrench;                     /* n x 6 */
    const arne_joint_description **own; /* n */
    bool *saturated;
    whole_file file;
} run_state;

/* ---- the file ---- */

static void file_header(const run_state *s)
{
    static const char *const groups[] = {"q", "qd", "qdd", "tau", "motor"}, *const parts[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    if (!s->file.file) return;
    out names = {0};
    out_text(&names, s->f->policy == ARNE_SCALE ? "t,s" : "t");
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (int i = 0; i < s->n; i++) out_format(&names, ",%s%d", groups[g], i + 1);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < 6; k++) out_format(&names, ",r%d.%s", i + 1, parts[k]);
    out_text(&names, "\n");
    fwrite(names.s, 1, names.length, s->file.file);
    out_free(&names);
}

static void file_numbers(FILE *file, const double *x, int n)
{
    for (int i = 0; i < n; i++) fprintf(file, ",%.15g", x[i]);
}

static void file_row(const run_state *s, double t, double path)
{
    FILE *file = s->file.file;
    if (!file) return;
    fprintf(file, "%.15g", t);
    if (s->f->policy == ARNE_SCALE) fprintf(file, ",%.15g", path);
    const double *const groups[] = {s->q, s->qd, s->qdd, s->tau, s->motor};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) file_numbers(file, groups[g], s->n);
    file_numbers(file, s->wrench, 6 * s->n);
    putc('\n', file);
}

/* ---- what the joints go through ---- */

/* Reactions from link frames into the frames of the joints: origin on the axis, which is where bearings are. */
static void reactions(run_state *s)
{
    arne_joint_wrenches(s->f->data, s->q, s->qd, s->qdd, s->wrench);
    for (int i = 0; i < s->n; i++) {
        const arne_pose *p = &s->own[i]->after; /* from the link's axes into the joint's */
        double *w = s->wrench + 6 * i, f[3], m[3];
        for (int k = 0; k < 3; k++) {
            f[k] = p->R[3 * k] * w[0] + p->R[3 * k + 1] * w[1] + p->R[3 * k + 2] * w[2];
            m[k] = p->R[3 * k] * w[3] + p->R[3 * k + 1] * w[4] + p->R[3 * k + 2] * w[5];
        }
        for (int k = 0; k < 3; k++)
            w[k] = f[k], w[3 + k] = m[k] + p->p[(k + 1) % 3] * f[(k + 2) % 3] - p->p[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static const arne_joint_description *described(const robot *r, int joint)
{
    const char *name = arne_joint_name(r->model, joint);
    for (size_t k = 0; k < r->description->njoint; k++)
        if (!strcmp(r->description->joints[k].name, name)) return &r->description->joints[k];
    return NULL;
}

/* Can every joint still stop before its limit? */
static void braking(run_state *s, double t)
{
    const arne_model *m = s->f->robot->model;
    arne_stopping(s->cycle, s->f->data, s->q, s->qd, s->qdd, s->stop);
    for (int i = 0; i < s->n; i++) {
        const arne_limits *l = arne_joint_limits(m, i);
        const double room = s->qd[i] > 0 ? l->upper - s->q[i] : s->q[i] - l->lower;
        joint_record *j = &s->f->joints[i];
        if (isnan(j->no_stop) && s->qd[i] != 0 && s->stop[i] > room + 1e-9) j->no_stop = t;
    }
}

/* The state of now, once it is complete; false: a number is not finite. */
static bool note(run_state *s, double t, double path)
{
    reactions(s);
    braking(s, t);
    for (int i = 0; i < s->n; i++) {
        joint_record *j = &s->f->joints[i];
        const double *w = s->wrench + 6 * i, *axis = s->own[i]->axis;
        const double along = (axis[0] * w[3] + axis[1] * w[4] + axis[2] * w[5]) / norm(axis), moment = norm(w + 3);
        if (!isfinite(s->tau[i]) || !isfinite(moment) || !isfinite(s->q[i])) return false;
        j->torque = fmax(j->torque, fabs(s->tau[i]));
        j->speed = fmax(j->speed, fabs(s->qd[i]));
        j->motor = fmax(j->motor, fabs(s->motor[i]));
        j->force = fmax(j->force, norm(w));
        j->moment = fmax(j->moment, moment);
        j->bending = fmax(j->bending, sqrt(fmax(0, moment * moment - along * along)));
        j->away = fmax(j->away, fabs(s->away[i]));
        if (s->saturated[i]) j->saturated += s->f->file->motion.dt;
    }
    file_row(s, t, path);
    return true;
}

static int overflow(const run_state *s, double t)
{
    return complain_at(s->f->file->log.name, 0, "the motion overflows at t = %g s: its numbers are too large", t);
}

/* ---- policies ---- */

/* Saturated motors cannot hold off the forces of a fast motion, which grow with the square of its speed: it runs away. */
static bool runs_away(const run_state *s, double fastest)
{
    for (int i = 0; i < s->n; i++) {
        const double limit = arne_joint_limits(s->f->robot->model, i)->velocity;
        if (!(fabs(s->qd[i]) <= RUN_AWAY * fmax(fastest, isfinite(limit) ? limit : 0))) return true;
    }
    return false;
}

/* keep, resolve: velocities of the program, as far as limits allow; positions follow them [001 section II] */
static int run_cycles(run_state *s)
{
    const arne_motion *motion = &s->f->file->motion;
    const arne_model *m = s->f->robot->model;
    /* velocities that were given differ from the way over dt, so they cannot say where the position after next will be */
    const arne_cycle_options o = {.dt = motion->dt, .policy = s->f->policy, .stay = !motion->qd};
    double fastest = 0;
    for (int k = 0; k < motion->count; k++) {
        arne_motion_at(motion, s->n, k, s->command, NULL);
        for (int i = 0; i < s->n; i++) fastest = fmax(fastest, fabs(s->command[i]));
    }
    arne_motion_at(motion, s->n, 0, s->qd, NULL);
    s->f->duration = (motion->count - 1) * motion->dt;
    for (int k = 0; k < motion->count; k++) {
        const double t = s->f->file->log.t[0] + k * motion->dt;
        if (runs_away(s, fmax(fastest, motion->dt))) {
            s->f->lost = t;
            s->f->duration = k * motion->dt;
            break;
        }
        arne_motion_at(motion, s->n, k, s->command, NULL);
        if (k + 1 < motion->count)
            arne_motion_at(motion, s->n, k + 1, s->asked, NULL);
        else /* after the last sample the velocity is held, whatever it became */
            memcpy(s->asked, s->qd, (size_t)s->n * sizeof *s->asked);
        for (int i = 0; i < s->n; i++) {
            s->q[i] = motion->q[(size_t)k * (size_t)s->n + (size_t)i] + s->away[i];
            s->next[i] = s->q[i] + motion->dt * s->qd[i];
        }
        const arne_achieved to = {s->qdd, s->reached, s->tau, s->motor, s->saturated};
        const int singular = arne_achievable(s->cycle, s->f->data, &o, s->q, s->qd, s->next, s->asked, &to);
        if (singular >= 0)
            return complain_at(s->f->robot->path, 0,
                               "the inertia matrix is singular at joint %s: it moves no mass and no inertia",
                               arne_joint_name(m, singular));
        if (!note(s, t, t)) return overflow(s, t);
        for (int i = 0; i < s->n; i++) {
            s->away[i] += motion->dt * (s->qd[i] - s->command[i]);
            s->qd[i] = s->reached[i];
        }
    }
    return CLI_OK;
}

static int run_scaled(run_state *s)
{
    const motion_file *file = s->f->file;
    arne_retimed *r;
    arne_error error = {0};
    if (arne_retime(&file->motion, s->f->data, &r, &error)) return complain_at(file->log.name, 0, "%s", error.message);
    s->f->duration = arne_retimed_duration(r);
    const long cycles = lround(s->f->duration / file->motion.dt);
    int status = CLI_OK;
    for (long k = 0; k <= cycles && !status; k++) {
        const double since = (double)k * file->motion.dt, path = arne_retimed_at(r, since, s->q, s->qd, s->qdd);
        arne_id(s->f->data, s->q, s->qd, s->qdd, s->tau);
        arne_motor_torques(s->f->data, s->tau, s->motor);
        if (!note(s, file->log.t[0] + since, file->log.t[0] + path)) status = overflow(s, since);
    }
    arne_retimed_free(r);
    return status;
}

/* ---- */

static bool make_room(run_state *s)
{
    const robot *r = s->f->robot;
    const size_t n = (size_t)s->n;
    double **const vectors[] = {&s->q,       &s->qd,      &s->qdd,   &s->tau,  &s->motor, &s->next,
                                &s->reached, &s->command, &s->asked, &s->away, &s->stop};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    double *v = s->memory = calloc(n * (COUNT + 6) + 1, sizeof *v);
    s->own = calloc(n + 1, sizeof *s->own);
    s->saturated = calloc(n + 1, sizeof *s->saturated);
    s->cycle = arne_cycle_new(r->model);
    if (!v || !s->own || !s->saturated || !s->cycle) return false;
    for (int k = 0; k < COUNT; k++, v += n) *vectors[k] = v;
    s->wrench = v;
    for (int i = 0; i < s->n; i++) s->own[i] = described(r, i);
    return true;
}

int achieve(feasibility *f, const char *path)
{
    run_state s = {.f = f, .n = arne_model_dof(f->robot->model)};
    f->lost = NAN;
    for (int i = 0; i < s.n; i++) f->joints[i] = (joint_record){.no_stop = NAN};
    int status = make_room(&s) ? CLI_OK : no_memory();
    arne_error error = {0};
    if (!status && path) status = checked(arne__whole_open(&s.file, path, &error), &error);
    if (!status) {
        file_header(&s);
        status = f->policy == ARNE_SCALE ? run_scaled(&s) : run_cycles(&s);
    }
    if (arne__whole_close(&s.file, (arne_status)status, &error) && !status) status = say_error(&error);
    arne_cycle_free(s.cycle);
    free(s.memory);
    free(s.own);
    free(s.saturated);
    return status;
}
