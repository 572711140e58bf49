/* SPDX-License-Identifier: MIT
 *
 * build.c - description to model: order, canonical frames, merged bodies, joint laws, transmissions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrix.h"
#include "describe/frames.h"
#include "describe/pose.h"
#include "model/model.h"

static bool finite_all(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* numbers that no reader may let through, and bodies that cannot exist */
static arne_status check_links(arne_description *d, bool strict, arne_error *error)
{
    for (size_t i = 0; i < d->nlink; i++) {
        const arne_link_description *l = &d->links[i];
        if (!isfinite(l->body.mass) || !finite_all(l->body.com, 3) || !finite_all(l->body.inertia, 6))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, l->line,
                             "link '%s': mass, centre of mass and inertia must be finite", l->name);
        const char *fault = arne_body_fault(&l->body);
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
        if (!finite_all(j->before.R, 9) || !finite_all(j->before.p, 3) || !finite_all(j->after.R, 9) ||
            !finite_all(j->after.p, 3))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line, "joint '%s': its frame has a number that is not finite",
                             j->name);
        if (j->type == ARNE_FIXED) continue;
        const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
        if (!(n > 0 && isfinite(n)))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line, "joint '%s': its axis has no length", j->name);
        const double laws[] = {j->motor.inertia,    j->motor.gear,       j->motor.viscous,   j->motor.coulomb,
                               j->friction.viscous, j->friction.coulomb, j->friction.static_};
        if (!finite_all(laws, 7) || j->motor.gear == 0)
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line,
                             "joint '%s': motor and friction must be finite, the gear ratio not zero", j->name);
    }
    return ARNE_OK;
}

void arne__link_law(link *l, const arne_friction *f, const arne_motor *motor)
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
    l->npoint = f->npoint;
    l->point = (const double(*)[2])f->points;
    l->law = f->npoint > 0 ? LAW_POINTS : l->fs != 0 ? LAW_STRIBECK : l->fv != 0 || l->fc != 0 ? LAW_COULOMB : LAW_NONE;
}

static bool place(arne_model *m, const canonical_frame *f, const robot_tree *t)
{
    const size_t padded = ((size_t)m->n + TURNS_PAD - 1) / TURNS_PAD * TURNS_PAD;
    double *scale = arne__arena_take(m->memory, padded, sizeof *scale),
           *theta = arne__arena_take(m->memory, padded, sizeof *theta);
    long long *quarter = arne__arena_take(m->memory, padded, sizeof *quarter);
    if (!scale || !theta || !quarter) return false;
    m->turns = (turn_table){m->n, scale, theta, quarter, NULL};
    for (int i = 0; i < m->n; i++) {
        link *l = &m->link[i];
        l->parent = t->body_parent[i];
        l->base = -1;
        l->ca = f[i].ca, l->sa = f[i].sa, l->cg = f[i].cg, l->sg = f[i].sg;
        l->branch = f[i].sg != 0 || f[i].cg != 1;
        memcpy(l->p, f[i].p, sizeof l->p);
        scale[i] = l->joint == REVOLUTE;
        if (l->parent >= 0) {
            if (f[i].st == 0)
                quarter[i] = f[i].ct > 0 ? 0 : 2;
            else if (f[i].ct == 0)
                quarter[i] = f[i].st > 0 ? 1 : 3;
            else
                theta[i] = atan2(f[i].st, f[i].ct);
            continue;
        }
        /* on the base: Rz(gamma) Rx(alpha) Rz(theta) is a constant of the base frame, the joint turns from zero */
        base_frame *b = &m->base[m->nbase];
        const double ca = l->ca, sa = l->sa, cg = l->cg, sg = l->sg, ct = f[i].ct, st = f[i].st;
        const double R[9] = {cg * ct - sg * ca * st,
                             -cg * st - sg * ca * ct,
                             sg * sa,
                             sg * ct + cg * ca * st,
                             -sg * st + cg * ca * ct,
                             -cg * sa,
                             sa * st,
                             sa * ct,
                             ca};
        memcpy(b->R, R, sizeof R);
        memcpy(b->p, l->p, sizeof l->p);
        l->base = m->nbase++;
    }
    return true;
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
    m->drive = arne__arena_take(m->memory, nn, sizeof(double));
    m->rotor = arne__arena_take(m->memory, nn, sizeof(double));
    m->motor_fv = arne__arena_take(m->memory, (size_t)n, sizeof(double));
    m->motor_fc = arne__arena_take(m->memory, (size_t)n, sizeof(double));
    if (!m->transmission || !m->drive || !m->rotor || !m->motor_fv || !m->motor_fc)
        return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m->transmission[t->moving[i] * n + t->moving[j]] = d->transmission[i * n + j];
    const arne_status status = arne__matrix_invert(m->transmission, n, m->drive);
    if (status == ARNE_NO_MEMORY) return arne_fail(error, status, d->file, 0, "out of memory");
    if (status) return arne_fail(error, status, d->file, 0, "the transmission matrix is singular: some motor moves nothing");
    for (int k = 0; k < n; k++) {
        const arne_motor *motor = &m->joint[k].motor;
        const double Ia = motor->gear * motor->gear * motor->inertia;
        m->motor_fv[k] = motor->gear * motor->gear * motor->viscous;
        m->motor_fc[k] = fabs(motor->gear) * motor->coulomb;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) m->rotor[i * n + j] += Ia * (m->drive[k * n + i] * m->drive[k * n + j]);
    }
    for (int i = 0; i < n; i++) m->chain[i] = i - 1;
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
        named_frame *frame = &m->frame[k];
        arne_pose at = t->link_at[from];
        m->named[k].name = arne__arena_text(m->memory, l->name);
        m->named[k].body = l->body;
        m->mass += l->body.mass;
        if (body >= 0) {
            const arne_pose back = arne__pose_inverse(&f[body].frame);
            arne_body b;
            at = arne__pose_mul(&back, &at);
            arne__body_transform(&at, &l->body, &b);
            arne__body_add(&sum[body], &b);
            if (t->link_joint[from] == t->body_joint[body]) m->joint[body].link = k;
        }
        frame->body = body;
        memcpy(frame->R, at.R, sizeof at.R);
        memcpy(frame->p, at.p, sizeof at.p);
    }
    for (int i = 0; i < m->n; i++) {
        const origin_inertia j = arne__body_about_origin(&sum[i]);
        arne__link_inertia(&m->link[i], &j);
    }
    free(sum);
    return ARNE_OK;
}

static arne_status fill_joints(arne_model *m, const arne_description *d, const robot_tree *t, arne_error *error)
{
    for (int i = 0; i < m->n; i++) {
        const arne_joint_description *j = &d->joints[t->body_joint[i]];
        model_joint *joint = &m->joint[i];
        *joint = (model_joint){
            arne__arena_text(m->memory, j->name), joint->link, j->limits, j->motor, j->friction, j->elastic, j->after,
            {j->axis[0], j->axis[1], j->axis[2]}};
        if (j->friction.npoint > 0) {
            joint->friction.points = arne__arena_take(m->memory, (size_t)j->friction.npoint, sizeof *j->friction.points);
            if (joint->friction.points)
                memcpy(joint->friction.points, j->friction.points, (size_t)j->friction.npoint * sizeof *j->friction.points);
        }
        if (j->motor.ncurve > 0) {
            joint->motor.curve = arne__arena_take(m->memory, (size_t)j->motor.ncurve, sizeof *j->motor.curve);
            if (joint->motor.curve) memcpy(joint->motor.curve, j->motor.curve, (size_t)j->motor.ncurve * sizeof *j->motor.curve);
        }
        if (!joint->name || (j->friction.npoint > 0 && !joint->friction.points) || (j->motor.ncurve > 0 && !joint->motor.curve))
            return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
        m->link[i].joint = j->type == ARNE_REVOLUTE ? REVOLUTE : PRISMATIC;
        m->chain[i] = t->body_parent[i];
        arne__link_law(&m->link[i], &joint->friction, d->transmission ? NULL : &joint->motor);
    }
    return d->transmission ? couple(m, d, t, error) : ARNE_OK;
}

static arne_model *take_memory(const arne_description *d, const robot_tree *t)
{
    arena *a = arne__arena_new();
    if (!a) return NULL;
    arne_model *m = arne__arena_take(a, 1, sizeof *m);
    if (!m) {
        arne__arena_free(a);
        return NULL;
    }
    const size_t n = (size_t)t->nbody, nlink = d->nlink;
    m->memory = a;
    m->n = t->nbody;
    m->nlink = (int)nlink;
    m->name = arne__arena_text(a, d->name ? d->name : "robot");
    m->link = arne__arena_take(a, n, sizeof *m->link);
    m->base = arne__arena_take(a, n, sizeof *m->base);
    m->frame = arne__arena_take(a, nlink, sizeof *m->frame);
    m->chain = arne__arena_take(a, n, sizeof *m->chain);
    m->joint = arne__arena_take(a, n, sizeof *m->joint);
    m->named = arne__arena_take(a, nlink, sizeof *m->named);
    if (m->name && m->link && m->base && m->frame && m->chain && m->joint && m->named) return m;
    arne_model_free(m);
    return NULL;
}

arne_status arne_model_build(arne_description *d, const arne_model_options *options, arne_model **out, arne_error *error)
{
    *out = NULL;
    robot_tree *t = NULL;
    arne_model *m = NULL;
    canonical_frame *f = NULL;
    arne_status status = check_links(d, options && options->strict, error);
    if (!status) status = check_joints(d, error);
    if (!status) status = arne__tree_build(d, &t, error);
    if (!status && t->nbody == 0) status = arne_fail(error, ARNE_BAD_TREE, d->file, 0, "the robot has no joint that moves");
    if (!status) {
        f = calloc((size_t)t->nbody, sizeof *f);
        m = take_memory(d, t);
        if (!f || !m || !arne__frames_choose(d, t, f)) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    }
    if (!status) {
        memcpy(m->gravity, d->gravity, sizeof m->gravity);
        status = fill_joints(m, d, t, error);
    }
    if (!status && !place(m, f, t)) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) status = fill_links(m, d, t, f, error);
    if (!status)
        for (int k = 0; k < m->nlink && !status; k++)
            if (!m->named[k].name) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) arne__base_gravity(m->base, m->nbase, m->gravity);
    free(f);
    arne__tree_free(t);
    if (status)
        arne_model_free(m);
    else
        *out = m;
    return status;
}
