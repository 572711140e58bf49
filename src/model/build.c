/* SPDX-License-Identifier: MIT
 *
 * build.c - description to model: order, canonical frames, merged bodies, joint laws, transmissions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/matrix.h"
#include "base/options.h"
#include "describe/frames.h"
#include "describe/pose.h"
#include "model/model.h"

/* numbers that no reader may let through, and bodies that cannot exist */
static arne_status check_links(arne_description *d, bool strict, arne_error *error)
{
    for (size_t i = 0; i < d->nlink; i++) {
        const arne_link_description *l = &d->links[i];
        if (!isfinite(l->body.mass) || !dense_finite(3, l->body.com) || !dense_finite(6, l->body.inertia))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, l->line,
                             "link '%s': mass, centre of mass and inertia must be finite", l->name);
        const char *fault = d->nopen ? NULL : arne_body_fault(&l->body); /* arbitrary numbers need not make a body */
        if (fault && strict)
            return arne_fail(error, ARNE_BAD_VALUE, d->file, l->line, "link '%s' cannot exist: %s", l->name, fault);
        if (fault) arne_description_warn(d, l->line, "link '%s' cannot exist: %s", l->name, fault);
    }
    return ARNE_OK;
}

static arne_status check_joints(const arne_description *d, arne_error *error)
{
    for (size_t i = 0; i < d->njoint; i++) {
        const arne_joint_description *j = &d->joints[i];
        if (!dense_finite(9, j->before.R) || !dense_finite(3, j->before.p) || !dense_finite(9, j->after.R) ||
            !dense_finite(3, j->after.p))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line, "joint '%s': its frame has a number that is not finite",
                             j->name);
        if (j->type == ARNE_FIXED) continue;
        const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
        if (!(n > 0 && isfinite(n)))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line, "joint '%s': its axis has no length", j->name);
        const double laws[] = {j->motor.inertia,    j->motor.gear,       j->motor.viscous,   j->motor.coulomb,
                               j->friction.viscous, j->friction.coulomb, j->friction.static_};
        if (!dense_finite(7, laws) || j->motor.gear == 0)
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line,
                             "joint '%s': motor and friction must be finite, the gear ratio not zero", j->name);
    }
    return ARNE_OK;
}

void arne__link_law(robot_link *l, const arne_friction *f, const arne_motor *motor)
{
    l->fv = f->npoint > 0 ? 0 : f->viscous;
    l->fc = f->npoint > 0 ? 0 : f->coulomb;
    l->Ia = 0;
    if (motor) {
        const double gear = motor->gear;
        l->Ia = gear * gear * motor->inertia; /* [003 eq. 9.29] */
        l->fv += gear * gear * motor->viscous;
        l->fc += fabs(gear) * motor->coulomb;
    }
    l->fs = f->static_ > 0 ? f->static_ - f->coulomb : 0;
    l->vs = 1 / f->stribeck_velocity;
    l->ex = f->stribeck_exponent;
    l->law = f->npoint > 0 ? LAW_POINTS : l->fs != 0 ? LAW_STRIBECK : l->fv != 0 || l->fc != 0 ? LAW_COULOMB : LAW_NONE;
}

void arne__link_rotation(const robot_link *l, double c, double s, double R[9])
{
    const double ca = l->ca, sa = l->sa, cg = l->cg, sg = l->sg;
    const double rows[3][3] = {{cg * c - sg * ca * s, -cg * s - sg * ca * c, sg * sa},
                               {sg * c + cg * ca * s, -sg * s + cg * ca * c, -cg * sa},
                               {sa * s, sa * c, ca}};
    memcpy(R, rows, sizeof rows);
}

static void place(arne_model *m, const canonical_frame *f, const robot_tree *t)
{
    robot *r = m->robot;
    const turn_table table = robot_turns(r, NULL);
    double *scale = (double *)table.scale, *theta = (double *)table.theta;
    long long *quarter = (long long *)table.quarter;
    int nbase = 0;
    for (int i = 0; i < m->n; i++) {
        robot_link *l = &r->link[i];
        l->parent = t->body_parent[i];
        l->base = l->parent < 0 ? nbase++ : -1;
        l->ca = f[i].ca, l->sa = f[i].sa, l->cg = f[i].cg, l->sg = f[i].sg;
        l->branch = f[i].sg != 0 || f[i].cg != 1;
        memcpy(l->p, f[i].p, sizeof l->p);
        scale[l->iq] = arne_joint_kind(m, i) == ARNE_REVOLUTE;
        if (l->parent < 0) { /* a constant of its base frame: the joint turns from zero */
            base_frame *b = (base_frame *)robot_base(r, l->base);
            arne__link_rotation(l, f[i].ct, f[i].st, b->R);
            memcpy(b->p, l->p, sizeof l->p);
        } else if (f[i].st == 0)
            quarter[l->iq] = f[i].ct > 0 ? 0 : 2;
        else if (f[i].ct == 0)
            quarter[l->iq] = f[i].st > 0 ? 1 : 3;
        else
            theta[l->iq] = atan2(f[i].st, f[i].ct);
    }
}

/* dq = J dq_m [003 eq. 9.31]: J^-1, the rotors seen from the joints J^-T diag(Ia) J^-1, friction of the motors */
static arne_status couple(arne_model *m, const arne_description *d, const robot_tree *t, arne_error *error)
{
    const int n = m->n;
    const size_t nn = (size_t)n * (size_t)n;
    if (d->ntransmission != (size_t)n)
        return arne_fail(error, ARNE_BAD_VALUE, d->file, 0, "the transmission matrix is %zu x %zu but %d joints move",
                         d->ntransmission, d->ntransmission, n);
    m->transmission = arne__arena_take(m->memory, nn, sizeof(double));
    if (!m->transmission) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    double *drive = (double *)robot_drive(m->robot), *rotor = (double *)robot_rotor(m->robot);
    double *motor_fv = (double *)robot_motor_fv(m->robot), *motor_fc = (double *)robot_motor_fc(m->robot);
    m->drive = drive;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m->transmission[t->moving[i] * n + t->moving[j]] = d->transmission[i * n + j];
    const arne_status status = arne__matrix_invert(m->transmission, n, drive);
    if (status == ARNE_NO_MEMORY) return arne_fail(error, status, d->file, 0, "out of memory");
    if (status) return arne_fail(error, status, d->file, 0, "the transmission matrix is singular: some motor moves nothing");
    for (int k = 0; k < n; k++) {
        const arne_motor *motor = &m->joint[k].motor;
        const double Ia = motor->gear * motor->gear * motor->inertia;
        motor_fv[k] = motor->gear * motor->gear * motor->viscous;
        motor_fc[k] = fabs(motor->gear) * motor->coulomb;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) rotor[i * n + j] += Ia * (drive[k * n + i] * drive[k * n + j]);
    }
    for (int i = 0; i < n; i++) *(int *)robot_chain(m->robot, i) = i - 1;
    return ARNE_OK;
}

/* names, frames and inertias of the links, summed over each body */
static arne_status fill_links(arne_model *m, const arne_description *d, const robot_tree *t, const canonical_frame *f,
                              arne_error *error)
{
    arne_body *sum = calloc((size_t)m->n + 1, sizeof *sum);
    if (!sum) return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    for (int k = 0; k < m->nlink; k++) {
        const int from = t->link_order[k], body = t->link_body[from];
        const arne_link_description *l = &d->links[from];
        named_frame *frame = (named_frame *)robot_frame(m->robot, k);
        arne_pose at = t->link_at[from];
        m->named[k].name = arne__arena_text(m->memory, l->name);
        m->named[k].body = l->body;
        if (from == t->tip) m->tip = k;
        m->mass += l->body.mass;
        if (body >= 0) {
            const arne_pose back = arne__pose_inverse(&f[body].frame);
            arne_body b;
            at = arne__pose_mul(&back, &at);
            arne__body_transform(&at, &l->body, &b);
            arne__body_add(&sum[body], &b);
            if (t->link_joint[from] == t->body_joint[body]) m->joint[body].link = m->robot->link[body].frame = k;
        }
        frame->body = body;
        memcpy(frame->R, at.R, sizeof at.R);
        memcpy(frame->p, at.p, sizeof at.p);
    }
    for (int i = 0; i < m->n; i++) {
        const origin_inertia j = arne__body_about_origin(&sum[i]);
        arne__link_inertia(&m->robot->link[i], &j);
    }
    free(sum);
    return ARNE_OK;
}

/* points of a law, or of a curve */
static void *copy(arena *a, const double (*points)[2], int count)
{
    void *to = arne__arena_take(a, (size_t)(count > 0 ? count : 0), sizeof *points);
    return to && count > 0 ? memcpy(to, points, (size_t)count * sizeof *points) : to;
}

static arne_status fill_joints(arne_model *m, const arne_description *d, const robot_tree *t, arne_error *error)
{
    int points = 0;
    for (int i = 0; i < m->n; i++) {
        const arne_joint_description *j = &d->joints[t->body_joint[i]];
        model_joint *joint = &m->joint[i];
        *joint = (model_joint){
            arne__arena_text(m->memory, j->name), joint->link, j->limits, j->motor, j->friction, j->elastic, j->after,
            {j->axis[0], j->axis[1], j->axis[2]}};
        joint->friction.points = copy(m->memory, j->friction.points, j->friction.npoint);
        joint->motor.curve = copy(m->memory, j->motor.curve, j->motor.ncurve);
        if (!joint->name || !joint->friction.points || !joint->motor.curve)
            return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
        robot_link *l = &m->robot->link[i];
        l->joint = j->type == ARNE_REVOLUTE ? REVOLUTE : PRISMATIC;
        l->iq = l->iv = i;
        l->nq = l->nv = 1;
        l->point = points;
        l->npoint = j->friction.npoint;
        for (int k = 0; k < l->npoint; k++, points++)
            memcpy((double *)*robot_point(m->robot, points), joint->friction.points[k], sizeof(robot_pair));
        *(int *)robot_chain(m->robot, l->iv) = t->body_parent[i]; /* joints of one freedom: velocity i is that of link i */
        arne__link_law(l, &joint->friction, d->transmission ? NULL : &joint->motor);
    }
    return d->transmission ? couple(m, d, t, error) : ARNE_OK;
}

static arne_model *take_memory(const arne_description *d, const robot_tree *t)
{
    arena *a = arne__arena_new();
    arne_model *m = arne__arena_take(a, 1, sizeof *m);
    if (!m) {
        arne__arena_free(a);
        return NULL;
    }
    const size_t n = (size_t)t->nbody, nlink = d->nlink;
    const robot_counts counts = {t->nbody, t->nbody, t->nbody, 0, 1, 1};
    robot_places at = {.nframe = (int)nlink, .most_wrenches = 2 * (int)nlink + 16};
    for (int i = 0; i < t->nbody; i++) {
        at.nbase += t->body_parent[i] < 0;
        at.npoint += d->joints[t->body_joint[i]].friction.npoint;
    }
    arne__robot_place(counts, d->transmission != NULL, ROBOT_SIZES, &at);
    *m = (arne_model){.memory = a, .n = counts.n, .nq = counts.nq, .nv = counts.nv, .nlink = (int)nlink};
    m->name = arne__arena_text(a, d->name ? d->name : "robot");
    m->robot = arne__arena_take(a, 1, at.bytes);
    m->joint = arne__arena_take(a, n, sizeof *m->joint);
    m->named = arne__arena_take(a, nlink, sizeof *m->named);
    if (m->name && m->robot && m->joint && m->named) {
        *m->robot = (robot){counts.n, counts.nq, counts.nv, .friction = 1, .rotors = 1, .at = at};
        return m;
    }
    arne_model_free(m);
    return NULL;
}

arne_status arne_model_build(arne_description *d, const arne_model_options *options, arne_model **out, arne_error *error)
{
    arne_model_options o;
    if (out) *out = NULL;
    if (!d || !out || options_take(&o, sizeof o, options))
        return BAD_ARGUMENT(error, "a model needs a description, a place, and options with their size");
    robot_tree *t = NULL;
    arne_model *m = NULL;
    canonical_frame *f = NULL;
    arne_status status = check_links(d, o.strict, error);
    if (!status) status = check_joints(d, error);
    if (!status) status = arne__tree_build(d, &t, error);
    if (!status && t->nbody == 0 && !o.body)
        status = arne_fail(error, ARNE_BAD_TREE, d->file, 0, "the robot has no joint that moves");
    if (!status) {
        f = calloc((size_t)t->nbody + 1, sizeof *f);
        m = take_memory(d, t);
        if (!f || !m || !arne__frames_choose(d, t, f)) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    }
    if (!status) {
        memcpy(m->gravity, d->gravity, sizeof m->gravity);
        status = fill_joints(m, d, t, error);
    }
    if (!status) place(m, f, t);
    if (!status) status = fill_links(m, d, t, f, error);
    if (!status)
        for (int k = 0; k < m->nlink && !status; k++)
            if (!m->named[k].name) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) arne__robot_gravity(m->robot, m->gravity);
    free(f);
    arne__tree_free(t);
    if (status)
        arne_model_free(m);
    else
        *out = m;
    return status;
}
