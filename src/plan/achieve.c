/* SPDX-License-Identifier: MIT
 *
 * achieve.c - what the robot makes of a commanded motion: cycle by cycle under its limits, or along the same path at a speed it
 * can keep. Loads of record are those of the commanded motion, or of the slowed one: not of what a robot does that is asked for
 * too much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arne/plan.h"
#include "base/options.h"
#include "plan/limits.h"

/* times the fastest that is commanded: where nothing limits a speed */
static const double RUN_AWAY = 20;
/* rounding is no violation */
static const double TOLERANCE = 1e-9;

typedef struct {
    const arne_motion *motion;
    const arne_achieve_options *o;
    const arne_model *m;
    arne_data *d;
    arne_joint_record *joints;
    arne_achievement *out;
    int n;
    double *memory;
    double *q, *qd, *qdd, *tau, *motor; /* the state now */
    double *next, *reached;             /* position and velocity after this cycle */
    double *command, *asked;            /* velocity of the program now and then */
    double *away, *stop;                /* from the program; way to stop */
    double *wrench;                     /* n x 6, and room for those of joints that follow */
    bool *saturated;
} run_state;

/* ---- what the joints go through ---- */

/* Reactions from link frames into the frames of the joints: origin on the axis, which is where bearings are. */
static void reactions(run_state *s)
{
    arne_joint_wrenches(s->d, s->q, s->qd, s->qdd, s->wrench);
    for (int i = 0; i < s->n; i++) {
        const arne_pose *p = &s->m->joint[i].after;        /* from the link's axes into the joint's */
        const double *all = s->wrench + 6 * s->m->body[i]; /* never before w */
        double *w = s->wrench + 6 * i, f[3], m[3];
        for (int k = 0; k < 3; k++) {
            f[k] = p->R[3 * k] * all[0] + p->R[3 * k + 1] * all[1] + p->R[3 * k + 2] * all[2];
            m[k] = p->R[3 * k] * all[3] + p->R[3 * k + 1] * all[4] + p->R[3 * k + 2] * all[5];
        }
        for (int k = 0; k < 3; k++)
            w[k] = f[k], w[3 + k] = m[k] + p->p[(k + 1) % 3] * f[(k + 2) % 3] - p->p[(k + 2) % 3] * f[(k + 1) % 3];
    }
}

static double norm(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Can every joint still stop before its limit? */
static void braking(run_state *s, double t)
{
    arne_stopping(s->d, s->q, s->qd, s->qdd, s->stop);
    for (int i = 0; i < s->n; i++) {
        const arne_limits *l = &s->m->joint[i].limits;
        const double room = s->qd[i] > 0 ? l->upper - s->q[i] : s->q[i] - l->lower;
        arne_joint_record *j = &s->joints[i];
        if (isnan(j->no_stop) && s->qd[i] != 0 && s->stop[i] > room + 1e-9) j->no_stop = t;
    }
}

/* Loads of record: the largest of the state of now, its reactions included; false: a number is not finite. */
static bool note(run_state *s)
{
    reactions(s);
    for (int i = 0; i < s->n; i++) {
        arne_joint_record *j = &s->joints[i];
        const double *w = s->wrench + 6 * i, *axis = s->m->joint[i].axis;
        const double along = (axis[0] * w[3] + axis[1] * w[4] + axis[2] * w[5]) / norm(axis), moment = norm(w + 3);
        if (!isfinite(s->tau[i]) || !isfinite(moment) || !isfinite(s->q[i])) return false;
        j->torque = fmax(j->torque, fabs(s->tau[i]));
        j->speed = fmax(j->speed, fabs(s->qd[i]));
        j->motor = fmax(j->motor, fabs(s->motor[i]));
        j->force = fmax(j->force, norm(w));
        j->moment = fmax(j->moment, moment);
        j->bending = fmax(j->bending, sqrt(fmax(0, moment * moment - along * along)));
    }
    return true;
}

static void tell(run_state *s, double t, double path)
{
    if (s->o->row) s->o->row(s->o->context, &(arne_motion_row){t, path, s->q, s->qd, s->qdd, s->tau, s->motor, s->wrench});
}

static arne_status overflow(double t, arne_error *error)
{
    return BAD_VALUE(error, "the motion overflows at t = %g s: its numbers are too large", t);
}

/* ---- policies ---- */

/* The joint that its saturated motors could not keep within its speed limit; where it has none: that runs away, as the forces of
 * a fast motion grow with the square of its speed. -1: none. A drive would switch itself off there. */
static int too_fast(const run_state *s, double fastest)
{
    for (int i = 0; i < s->n; i++) {
        const double limit = given_limit(s->m->joint[i].limits.velocity),
                     most = s->m->drive ? limit : arne__limits_speed(s->m, i);
        if (!(fabs(s->qd[i]) <= (isfinite(most) ? most * (1 + TOLERANCE) : RUN_AWAY * fastest))) return i;
    }
    return -1;
}

/* The commanded motion at sample k and what it loads the joints with. */
static bool command(run_state *s, int k)
{
    memcpy(s->q, s->motion->q + (size_t)k * (size_t)s->n, (size_t)s->n * sizeof *s->q);
    arne_motion_at(s->motion, s->n, k, s->qd, s->qdd);
    arne_id(s->d, s->q, s->qd, s->qdd, s->tau);
    arne_motor_torques(s->d, s->tau, s->motor);
    return note(s);
}

/* One cycle from where the robot is now (away, now) towards the velocity of the program after it. */
static arne_status cycle_of(run_state *s, int k, double t, arne_error *error)
{
    const arne_motion *motion = s->motion;
    /* velocities that were given differ from the way over dt, so they cannot say where the position after next will be */
    const arne_cycle_options o = {.size = sizeof o, .dt = motion->dt, .policy = s->o->policy, .stay = !motion->qd, .ease = true};
    if (k + 1 < motion->count)
        arne_motion_at(motion, s->n, k + 1, s->asked, NULL);
    else /* after the last sample the velocity is held, whatever it became */
        memcpy(s->asked, s->qd, (size_t)s->n * sizeof *s->asked);
    for (int i = 0; i < s->n; i++) {
        s->q[i] = motion->q[(size_t)k * (size_t)s->n + (size_t)i] + s->away[i];
        s->next[i] = s->q[i] + motion->dt * s->qd[i];
    }
    const arne_achieved to = {sizeof to, s->qdd, s->reached, s->tau, s->motor, s->saturated};
    if (arne_achievable(s->d, &o, s->q, s->qd, s->next, s->asked, &to))
        return UNSUPPORTED(error, "the inertia matrix is singular at joint %s: it moves no mass and no inertia",
                           s->m->joint[arne_data_joint(s->d)].name);
    for (int i = 0; i < s->n; i++) {
        arne_joint_record *j = &s->joints[i];
        if (!isfinite(s->tau[i]) || !isfinite(s->q[i])) return overflow(t, error);
        j->away = fmax(j->away, fabs(s->away[i]));
        if (s->saturated[i]) j->saturated += motion->dt;
    }
    braking(s, t);
    if (s->o->row) reactions(s);
    return ARNE_OK;
}

/* keep, resolve: velocities of the program, as far as limits allow; positions follow them [001 section II] */
static arne_status run_cycles(run_state *s, arne_error *error)
{
    const arne_motion *motion = s->motion;
    const size_t size = (size_t)s->n * sizeof(double);
    double fastest = motion->dt;
    for (int k = 0; k < motion->count; k++) {
        if (!command(s, k)) return overflow(s->o->start + k * motion->dt, error);
        for (int i = 0; i < s->n; i++) fastest = fmax(fastest, fabs(s->qd[i]));
    }
    arne_motion_at(motion, s->n, 0, s->qd, NULL);
    s->out->duration = (motion->count - 1) * motion->dt;
    for (int k = 0; k < motion->count; k++) {
        const double t = s->o->start + k * motion->dt;
        if ((s->out->lost_joint = too_fast(s, fastest)) >= 0) {
            s->out->lost = t;
            s->out->duration = k * motion->dt;
            break;
        }
        const arne_status status = cycle_of(s, k, t, error);
        if (status) return status;
        tell(s, t, t);
        arne_motion_at(motion, s->n, k, s->command, NULL);
        for (int i = 0; i < s->n; i++) s->away[i] += motion->dt * (s->qd[i] - s->command[i]);
        memcpy(s->qd, s->reached, size);
    }
    return ARNE_OK;
}

static arne_status run_scaled(run_state *s, arne_error *error)
{
    arne_plan *r;
    const double start = s->o->start, dt = s->motion->dt;
    arne_status status = arne_retime(s->motion, s->d, &r, error);
    if (status) return status;
    s->out->duration = arne_plan_duration(r);
    const long cycles = lround(s->out->duration / dt);
    for (long k = 0; k <= cycles && !status; k++) {
        const double since = (double)k * dt;
        double path;
        arne_plan_at(r, since, s->q, s->qd, s->qdd, &path);
        arne_id(s->d, s->q, s->qd, s->qdd, s->tau);
        arne_motor_torques(s->d, s->tau, s->motor);
        if (!note(s)) status = overflow(start + since, error);
        braking(s, start + since);
        if (!status) tell(s, start + since, start + path);
    }
    arne_plan_free(r);
    return status;
}

/* ---- */

static bool make_room(run_state *s)
{
    const size_t n = (size_t)s->n;
    double **const vectors[] = {&s->q,       &s->qd,      &s->qdd,   &s->tau,  &s->motor, &s->next,
                                &s->reached, &s->command, &s->asked, &s->away, &s->stop};
    enum { COUNT = sizeof vectors / sizeof *vectors };
    double *v = s->memory = calloc(n * COUNT + 6 * (size_t)s->m->robot->n + 1, sizeof *v);
    s->saturated = calloc(n + 1, sizeof *s->saturated);
    if (!v || !s->saturated || arne_data_prepare(s->d, ARNE_LIMITS, NULL)) return false;
    for (int k = 0; k < COUNT; k++, v += n) *vectors[k] = v;
    s->wrench = v;
    return true;
}

arne_status arne_achieve(const arne_motion *motion, arne_data *d, const arne_achieve_options *o, arne_joint_record *joints,
                         arne_achievement *out, arne_error *error)
{
    arne_achieve_options own;
    arne_status status = arne__motion_check(motion, d, out, error);
    if (status) return status;
    if (!joints || options_take(&own, sizeof own, o))
        return BAD_ARGUMENT(error, "a place for the records of the joints, and options with their size, are needed");
    run_state s = {.motion = motion, .o = &own, .m = arne_data_model(d), .d = d, .joints = joints, .out = out};
    s.n = s.m->n;
    *out = (arne_achievement){.lost = NAN, .lost_joint = -1};
    for (int i = 0; i < s.n; i++) joints[i] = (arne_joint_record){.no_stop = NAN};
    if (!make_room(&s))
        status = NO_MEMORY(error);
    else
        status = own.policy == ARNE_SCALE ? run_scaled(&s, error) : run_cycles(&s, error);
    free(s.memory);
    free(s.saturated);
    return status;
}
