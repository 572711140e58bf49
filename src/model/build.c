/* SPDX-License-Identifier: MIT
 *
 * build.c - description to model: order, canonical frames, merged bodies, joint laws, transmissions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/matrix.h"
#include "base/options.h"
#include "describe/frames.h"
#include "describe/pose.h"
#include "model/follow.h"
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

/* motor, friction or spring that does anything */
static bool is_driven(const arne_joint_description *j)
{
    return j->motor.inertia != 0 || j->motor.viscous != 0 || j->motor.coulomb != 0 || j->friction.viscous != 0 ||
           j->friction.coulomb != 0 || j->friction.coulomb_negative != 0 || j->friction.offset != 0 || j->friction.static_ != 0 ||
           j->friction.npoint > 0 || j->elastic.stiffness != 0;
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
        if (arne__joint_is_wide(j->type)) {
            const arne_pose none = arne__pose_identity();
            if (memcmp(&j->after, &none, sizeof none))
                return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line,
                                 "joint '%s' has several freedoms: its frame is that of its link, put all of it before the joint",
                                 j->name);
            if (is_driven(j))
                return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line,
                                 "joint '%s' has several freedoms: no motor, friction or spring can act on it", j->name);
            continue;
        }
        const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
        if (!(n > 0 && isfinite(n)))
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line, "joint '%s': its axis has no length", j->name);
        const double laws[] = {j->motor.inertia,    j->motor.gear,       j->motor.viscous,
                               j->motor.coulomb,    j->friction.viscous, j->friction.coulomb,
                               j->friction.static_, j->friction.offset,  j->friction.coulomb_negative};
        if (!dense_finite(9, laws) || j->motor.gear == 0)
            return arne_fail(error, ARNE_BAD_VALUE, d->file, j->line,
                             "joint '%s': motor and friction must be finite, the gear ratio not zero", j->name);
    }
    return ARNE_OK;
}

void arne__link_law(robot_link *l, const arne_friction *f, const arne_motor *motor)
{
    l->fv = f->npoint > 0 ? 0 : f->viscous;
    l->uneven = f->npoint == 0 && f->coulomb_negative > 0 && f->coulomb_negative != f->coulomb;
    l->fd = l->uneven ? (f->coulomb - f->coulomb_negative) / 2 : 0;
    l->fc = f->npoint > 0 ? 0 : f->coulomb - l->fd;
    l->pulled = f->offset != 0;
    l->fo = f->offset;
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
    l->law = f->npoint > 0                           ? LAW_POINTS
             : l->fs != 0                            ? LAW_STRIBECK
             : l->fv != 0 || l->fc != 0 || l->pulled ? LAW_COULOMB
                                                     : LAW_NONE;
}

void arne__link_rotation(const robot_link *l, double c, double s, double R[9])
{
    const double ca = l->ca, sa = l->sa, cg = l->cg, sg = l->sg;
    const double rows[3][3] = {{cg * c - sg * ca * s, -cg * s - sg * ca * c, sg * sa},
                               {sg * c + cg * ca * s, -sg * s + cg * ca * c, -cg * sa},
                               {sa * s, sa * c, ca}};
    memcpy(R, rows, sizeof rows);
}

static int twist(double c, double s)
{
    return c == 1 && s == 0 ? TWIST_NONE : c == 0 && s == 1 ? TWIST_LEFT : c == 0 && s == -1 ? TWIST_RIGHT : TWIST_ANY;
}

static void place(arne_model *m, const canonical_frame *f, const robot_tree *t)
{
    robot *r = m->robot;
    const turn_table table = robot_turns(r, NULL);
    double *scale = (double *)table.scale, *theta = (double *)table.theta;
    long long *quarter = (long long *)table.quarter;
    int nbase = 0;
    for (int i = 0; i < r->n; i++) {
        robot_link *l = &r->link[i];
        l->parent = t->body_parent[i];
        const robot_link *all = m->robot->link;
        const int p = l->parent, sum = i > 0 ? all[i - 1].before : 0;
        l->before = sum + (p < 0 ? 0 : 1 + all[p].before - (p > 0 ? all[p - 1].before : 0));
        l->first = i > 0 && l->parent == i - 1 ? m->robot->link[i - 1].first : i;
        l->slot = 0;
        for (int c = i + 1; c < r->n && p >= 0; c++) /* links of one branch stand together: a later one may hang on p as well */
            if (t->body_parent[c] == p) l->slot = 1;
        if (p >= 0) l->slot += all[p].slot;
        l->base = l->parent < 0 || l->nv > 1 ? nbase++ : -1;
        l->ca = f[i].ca, l->sa = f[i].sa, l->cg = f[i].cg, l->sg = f[i].sg;
        l->branch = f[i].sg != 0 || f[i].cg != 1;
        l->twist = twist(l->ca, l->sa);
        memcpy(l->p, f[i].p, sizeof l->p);
        scale[l->iq] = l->joint == REVOLUTE;
        if (l->base >= 0) { /* a constant of its base frame: the joint turns from zero */
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

/* dq = J dq_m [003 eq. 9.31]: J^-1, the rotors seen from the joints J^-T diag(Ia) J^-1, friction of the motors. Joints of several
 * freedoms have no motor, those that follow have their own: ones on the diagonal. */
static arne_status couple(arne_model *m, const arne_description *d, const robot_tree *t, arne_error *error)
{
    const int n = m->nv, all = m->robot->nv, moving = m->robot->n;
    const int driven = m->n - m->robot->nwide;
    const size_t nn = (size_t)n * (size_t)n;
    if (d->ntransmission != (size_t)driven)
        return arne_fail(error, ARNE_BAD_VALUE, d->file, 0, "the transmission matrix is %zu x %zu but %d joints have a motor",
                         d->ntransmission, d->ntransmission, driven);
    m->transmission = arne__arena_take(m->memory, nn, sizeof(double));
    double *back = arne__arena_take(m->memory, nn, sizeof(double));
    int *velocity = malloc((size_t)driven * sizeof *velocity);
    if (!m->transmission || !back || !velocity) {
        free(velocity);
        return arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    }
    const robot_link *link = m->robot->link;
    double *drive = (double *)robot_drive(m->robot), *rotor = (double *)robot_rotor(m->robot);
    double *motor_fv = (double *)robot_motor_fv(m->robot), *motor_fc = (double *)robot_motor_fc(m->robot);
    m->drive = back;
    for (int i = 0; i < n; i++) m->transmission[i * n + i] = 1;
    for (int i = 0, k = 0; i < moving; i++)
        if (link[t->moving[i]].nv == 1 && !robot_follows(m->robot, &link[t->moving[i]]))
            velocity[k++] = robot_own_v(m->robot, &link[t->moving[i]]);
    for (int i = 0; i < driven; i++)
        for (int j = 0; j < driven; j++) m->transmission[velocity[i] * n + velocity[j]] = d->transmission[i * driven + j];
    free(velocity);
    const arne_status status = arne__matrix_invert(m->transmission, n, back);
    if (status == ARNE_NO_MEMORY) return arne_fail(error, status, d->file, 0, "out of memory");
    if (status) return arne_fail(error, status, d->file, 0, "the transmission matrix is singular: some motor moves nothing");
    for (int i = 0; i < all; i++) drive[i * all + i] = 1;
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++) {
            const robot_link *a = &link[m->body[i]], *b = &link[m->body[j]];
            if (a->nv > 1 || b->nv > 1) continue;
            drive[a->iv * all + b->iv] = back[robot_own_v(m->robot, a) * n + robot_own_v(m->robot, b)];
        }
    for (int body = 0; body < moving; body++) {
        if (link[body].nv > 1) continue;
        const arne_motor *motor = &m->joint[m->joint_of[body]].motor;
        const int k = link[body].iv;
        const double Ia = motor->gear * motor->gear * motor->inertia;
        motor_fv[k] = motor->gear * motor->gear * motor->viscous;
        motor_fc[k] = fabs(motor->gear) * motor->coulomb;
        for (int i = 0; i < all; i++)
            for (int j = 0; j < all; j++) rotor[i * all + j] += Ia * (drive[k * all + i] * drive[k * all + j]);
    }
    return ARNE_OK;
}

/* names, frames and inertias of the links, summed over each body */
static arne_status fill_links(arne_model *m, const arne_description *d, const robot_tree *t, const canonical_frame *f,
                              arne_error *error)
{
    arne_body *sum = calloc((size_t)m->robot->n + 1, sizeof *sum);
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
            if (t->link_joint[from] == t->body_joint[body]) m->joint[m->joint_of[body]].link = m->robot->link[body].frame = k;
        }
        frame->body = body;
        memcpy(frame->R, at.R, sizeof at.R);
        memcpy(frame->p, at.p, sizeof at.p);
    }
    for (int i = 0; i < m->robot->n; i++) {
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

/* of the positions and velocities of a joint */
static bool name_numbers(arne_model *m, int i)
{
    char *joint = m->joint[i].name;
    const robot_link *l = &m->robot->link[m->body[i]];
    const int iq = arne_joint_q(m, i), iv = arne_joint_v(m, i);
    static const char *const place[] = {"x", "y", "z", "qx", "qy", "qz", "qw"}, *const rate[] = {"vx", "vy", "vz",
                                                                                                 "wx", "wy", "wz"};
    bool ok = true;
    char text[256];
    for (int k = 0; k < l->nq; k++) {
        snprintf(text, sizeof text, "%.200s.%s", joint, place[7 - l->nq + k]);
        ok = (m->position_name[iq + k] = l->nq == 1 ? joint : arne__arena_text(m->memory, text)) && ok;
    }
    for (int k = 0; k < l->nv; k++) {
        snprintf(text, sizeof text, "%.200s.%s", joint, rate[6 - l->nv + k]);
        ok = (m->velocity_name[iv + k] = l->nv == 1 ? joint : arne__arena_text(m->memory, text)) && ok;
    }
    return ok;
}

/* Joints that follow come after the others. */
static void order_joints(arne_model *m, const robot_tree *t, const follow_law *law)
{
    int self = 0, following = m->n;
    for (int i = 0; i < m->robot->n; i++) {
        const int joint = law[t->body_joint[i]].master < 0 ? self++ : following++;
        m->body[joint] = i;
        m->joint_of[i] = joint;
    }
}

/* What rubs in a joint that follows, its master feels: tau = ratio f(ratio dq). */
static void rub(model_joint *follower, double ratio, model_joint *master)
{
    const arne_motor *motor = &follower->motor;
    arne_friction *to = &master->friction, *from = &follower->friction;
    const double viscous = ratio * ratio * (from->viscous + motor->gear * motor->gear * motor->viscous);
    const double coulomb = fabs(ratio) * (from->coulomb + fabs(motor->gear) * motor->coulomb);
    to->viscous += viscous;
    to->coulomb += coulomb;
    if (to->coulomb_negative > 0) to->coulomb_negative += coulomb;
    to->offset += ratio * from->offset;
    from->offset = 0;
    if (to->static_ > 0) to->static_ += coulomb;
    for (int k = 0; k < to->npoint; k++) to->points[k][1] += coulomb + viscous * to->points[k][0];
    from->viscous = from->coulomb = follower->motor.viscous = follower->motor.coulomb = 0;
}

/* the numbers that users see, and who follows whom; then what rubs */
static void fill_followers(arne_model *m, const robot_tree *t, const follow_law *law)
{
    robot *r = m->robot;
    robot_follower *q = (robot_follower *)robot_q(r, 0), *v = (robot_follower *)robot_v(r, 0);
    for (int i = 0, nq = 0, nv = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        if (law[t->body_joint[i]].master >= 0) continue;
        for (int k = 0; k < l->nq; k++) q[l->iq + k] = (robot_follower){nq++, -1, 0, 1, 1, 0};
        for (int k = 0; k < l->nv; k++) v[l->iv + k] = (robot_follower){nv++, -1, 0, 1, 1, 0};
    }
    for (int k = m->n; k < r->n; k++) {
        const follow_law *own = &law[t->body_joint[m->body[k]]];
        const int master = t->link_body[t->joint_child[own->master]];
        const robot_link *l = &r->link[m->body[k]], *to = &r->link[master];
        q[l->iq] = (robot_follower){q[to->iq].own, to->iq, 0, 1, own->ratio, own->offset};
        v[l->iv] = (robot_follower){v[to->iv].own, to->iv, 0, 1, own->ratio, 0};
        rub(&m->joint[k], own->ratio, &m->joint[m->joint_of[master]]);
    }
    for (int i = 0, own = 0, rest = robot_nq(r); i < r->nq; i++) q[q[i].master < 0 ? own++ : rest++].place = i;
    for (int i = 0, own = 0, rest = robot_nv(r); i < r->nv; i++) v[v[i].master < 0 ? own++ : rest++].place = i;
    for (int i = robot_nv(r) - 2; i >= 0; i--)
        if (v[i + 1].place == v[i].place + 1) v[i].run += v[i + 1].run;
}

/* numbers of positions and velocities */
static arne_status fill_joints(arne_model *m, const arne_description *d, const robot_tree *t, arne_error *error)
{
    robot *r = m->robot;
    bool ok = true;
    for (int i = 0, nq = 0, nv = 0; i < r->n && ok; i++) {
        const arne_joint_description *j = &d->joints[t->body_joint[i]];
        model_joint *joint = &m->joint[m->joint_of[i]];
        *joint = (model_joint){
            arne__arena_text(m->memory, j->name), joint->link, j->limits, j->motor, j->friction, j->elastic, j->after,
            {j->axis[0], j->axis[1], j->axis[2]}};
        joint->friction.points = copy(m->memory, j->friction.points, j->friction.npoint);
        joint->motor.curve = copy(m->memory, j->motor.curve, j->motor.ncurve);
        robot_link *l = &r->link[i];
        static const struct {
            int joint, nq, nv;
        } kinds[] = {[ARNE_REVOLUTE] = {REVOLUTE, 1, 1},
                     [ARNE_PRISMATIC] = {PRISMATIC, 1, 1},
                     [ARNE_SPHERICAL] = {SPHERICAL, 4, 3},
                     [ARNE_FREE] = {FREE, 7, 6}};
        l->joint = kinds[j->type].joint;
        l->nq = kinds[j->type].nq;
        l->nv = kinds[j->type].nv;
        l->iq = nq;
        l->iv = nv;
        nq += l->nq;
        nv += l->nv;
        ok = joint->name && joint->friction.points && joint->motor.curve;
    }
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
}

/* The velocity before each one of those that move by themselves, from that of all: none where M has no entry. A branch stands
 * together, so a goes before b if all between go back to a. */
enum { MOST_ORDERED = 256 }; /* joints: beyond, each goes back to the one just before */
static void relate(int *before, int x, int y)
{
    const int a = x < y ? x : y, b = x < y ? y : x;
    for (int v = a + 1; v <= b; v++)
        if (before[v] < a) before[v] = a;
}
static void order_followers(const robot *r, const int *all, int *before)
{
    const robot_follower *f = robot_v(r, 0);
    for (int k = 0; k < robot_nv(r); k++) {
        int up = all[f[k].place];
        while (up >= 0 && f[up].master >= 0) up = all[up];
        before[k] = up < 0 ? -1 : f[up].own;
    }
    for (int v = 0; v < r->nv; v++) {
        bool follows = false; /* anything on the way to v: then masters are on it too */
        for (int up = v; up >= 0; up = all[up]) follows |= f[up].master >= 0;
        for (int up = all[v]; up >= 0 && follows; up = all[up]) relate(before, f[v].own, f[up].own);
    }
}

/* friction, rotors, and in which order the inertia matrix is factorized */
static void fill_laws(arne_model *m, const arne_description *d, const robot_tree *t)
{
    robot *r = m->robot;
    int points = 0, nwide = 0;
    for (int i = 0; i < r->n; i++) {
        const model_joint *joint = &m->joint[m->joint_of[i]];
        robot_link *l = &r->link[i];
        l->wide = l->nv > 1 ? nwide++ : -1;
        l->point = points;
        l->npoint = joint->friction.npoint;
        for (int k = 0; k < l->npoint; k++, points++)
            memcpy((double *)*robot_point(r, points), joint->friction.points[k], sizeof(robot_pair));
        const robot_link *up = t->body_parent[i] < 0 ? NULL : &r->link[t->body_parent[i]];
        for (int v = 0; v < l->nv; v++) *(int *)robot_chain(r, l->iv + v) = v > 0 ? l->iv + v - 1 : up ? up->iv + up->nv - 1 : -1;
        arne__link_law(l, &joint->friction, d->transmission ? NULL : &joint->motor);
    }
    int *before = (int *)robot_chain(r, 0), *first = before + r->nv, *last = first + r->nv, *carried = last + r->nv;
    memcpy(first, before, (size_t)r->nv * sizeof *first);
    for (int v = 0; v < r->nv && (r->nfollow || d->transmission); v++) before[v] = v - 1;
    if (r->nfollow && !d->transmission && r->n <= MOST_ORDERED) order_followers(r, first, before);
    for (int v = 0; v < r->nv; v++) first[v] = v > 0 && before[v] == v - 1 ? first[v - 1] : v;
    for (int v = robot_nv(r) - 1; v >= 0; v--) {
        if (last[v] < v) last[v] = v;
        if (before[v] >= 0 && last[before[v]] < last[v]) last[before[v]] = last[v];
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        int *own = carried + l->iv, *up = t->body_parent[i] < 0 ? NULL : carried + r->link[t->body_parent[i]].iv;
        if (*own < l->iv + l->nv - 1) *own = l->iv + l->nv - 1;
        for (int c = 1; c < l->nv; c++) own[c] = *own;
        if (up && *up < *own) *up = *own;
    }
}

static arne_model *take_memory(const arne_description *d, const robot_tree *t, int nfollow)
{
    arena *a = arne__arena_new();
    arne_model *m = arne__arena_take(a, 1, sizeof *m);
    if (!m) {
        arne__arena_free(a);
        return NULL;
    }
    const size_t n = (size_t)t->nbody, nlink = d->nlink;
    robot_counts counts = {.n = t->nbody, .friction = 1, .rotors = 1, .nfollow = nfollow};
    robot_places at = {.nframe = (int)nlink, .most_wrenches = 2 * (int)nlink + 16};
    for (int i = 0; i < t->nbody; i++) {
        const arne_joint_type type = d->joints[t->body_joint[i]].type;
        const bool wide = arne__joint_is_wide(type);
        counts.nq += type == ARNE_FREE ? 7 : wide ? 4 : 1;
        counts.nv += type == ARNE_FREE ? 6 : wide ? 3 : 1;
        counts.nwide += wide;
        at.nbase += wide || t->body_parent[i] < 0;
        at.npoint += d->joints[t->body_joint[i]].friction.npoint;
    }
    arne__robot_place(counts, d->transmission != NULL, ROBOT_SIZES, &at);
    const int nq = counts.nq - nfollow, nv = counts.nv - nfollow;
    *m = (arne_model){.memory = a, .n = counts.n - nfollow, .nq = nq, .nv = nv, .nlink = (int)nlink};
    m->name = arne__arena_text(a, d->name ? d->name : "robot");
    m->robot = arne__arena_take(a, 1, at.bytes);
    m->joint = arne__arena_take(a, n, sizeof *m->joint);
    m->position_name = arne__arena_take(a, (size_t)nq, sizeof *m->position_name);
    m->velocity_name = arne__arena_take(a, (size_t)nv, sizeof *m->velocity_name);
    m->body = arne__arena_take(a, n, sizeof *m->body);
    m->joint_of = arne__arena_take(a, n, sizeof *m->joint_of);
    m->named = arne__arena_take(a, nlink, sizeof *m->named);
    if (m->name && m->robot && m->joint && m->named && m->position_name && m->velocity_name && m->body && m->joint_of) {
        *m->robot = (robot){counts.n, counts.nq, counts.nv, 0, counts.friction, counts.rotors, counts.nwide, nfollow, .at = at};
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
    follow_law *law = NULL;
    int nfollow = 0;
    arne_status status = check_links(d, o.strict, error);
    if (!status) status = check_joints(d, error);
    if (!status) status = arne__tree_build(d, &t, error);
    if (!status) status = arne__follow(d, t, &law, &nfollow, error);
    if (!status && t->nbody == 0 && !o.body)
        status = arne_fail(error, ARNE_BAD_TREE, d->file, 0, "the robot has no joint that moves");
    if (!status) {
        f = calloc((size_t)t->nbody + 1, sizeof *f);
        m = take_memory(d, t, nfollow);
        if (!f || !m || !arne__frames_choose(d, t, f)) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    }
    if (!status) {
        memcpy(m->gravity, d->gravity, sizeof m->gravity);
        order_joints(m, t, law);
        status = fill_joints(m, d, t, error);
    }
    if (!status && nfollow) fill_followers(m, t, law);
    for (int i = 0; !status && i < m->n; i++)
        if (!name_numbers(m, i)) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) fill_laws(m, d, t);
    if (!status && d->transmission) status = couple(m, d, t, error);
    if (!status && d->unmodelled && !(m->unmodelled = arne__arena_text(m->memory, d->unmodelled)))
        status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) place(m, f, t);
    if (!status) status = fill_links(m, d, t, f, error);
    if (!status)
        for (int k = 0; k < m->nlink && !status; k++)
            if (!m->named[k].name) status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    if (!status) arne__robot_gravity(m->robot, m->gravity);
    free(f);
    free(law);
    arne__tree_free(t);
    if (status)
        arne_model_free(m);
    else
        *out = m;
    return status;
}
