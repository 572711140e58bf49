/* SPDX-License-Identifier: MIT */
#include "support/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

/* ---- vectors ---- */
static real dot(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void cross(const real a[3], const real b[3], real c[3])
{
    const real x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}
/* out = a + s b */
static void plus(const real a[3], real s, const real b[3], real out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] + s * b[k];
}
static void times(const real R[9], const real v[3], real out[3])
{
    const real x = dot(R, v), y = dot(R + 3, v), z = dot(R + 6, v);
    out[0] = x, out[1] = y, out[2] = z;
}
static void times_back(const real R[9], const real v[3], real out[3])
{
    for (int k = 0; k < 3; k++) out[k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
}
static void product(const real A[9], const real B[9], real C[9])
{
    real T[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    memcpy(C, T, sizeof T);
}
static void widen(int n, const double *x, real *out)
{
    for (int k = 0; k < n; k++) out[k] = x[k];
}
/* rotation about the unit vector u: E + sin u^ + (1 - cos) u^ u^ */
static void turn_about(const real u[3], real angle, real R[9])
{
    const real U[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    real UU[9];
    product(U, U, UU);
    for (int k = 0; k < 9; k++) R[k] = (k % 4 == 0 ? 1 : 0) + sinl(angle) * U[k] + (1 - cosl(angle)) * UU[k];
}

/* ---- the tree ---- */
static void visit(plain *p, const arne_description *d, const char *name, int parent, const arne_joint_description *joint)
{
    const int me = p->nlink++;
    plain_link *l = &p->link[me];
    l->parent = parent;
    l->joint = joint;
    l->mover = -1;
    l->nearest = parent < 0 ? -1 : p->link[parent].nearest;
    if (joint && joint->type != ARNE_FIXED) {
        p->joint_link[p->n] = me;
        l->mover = l->nearest = p->n++;
        l->nv = joint->type == ARNE_FREE ? 6 : joint->type == ARNE_SPHERICAL ? 3 : 1;
        l->iq = p->nq;
        l->iv = p->nv;
        p->nv += l->nv;
        p->nq += l->nv > 1 ? l->nv + 1 : 1;
    }
    for (size_t i = 0; i < d->nlink; i++)
        if (!strcmp(d->links[i].name, name)) l->body = &d->links[i].body;
    for (size_t i = 0; i < d->njoint; i++)
        if (!strcmp(d->joints[i].parent, name)) visit(p, d, d->joints[i].child, me, &d->joints[i]);
}

plain *plain_new(const arne_description *d)
{
    plain *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->link = calloc(d->nlink, sizeof *p->link);
    p->joint_link = calloc(d->njoint + 1, sizeof *p->joint_link);
    if (!p->link || !p->joint_link) abort();
    for (size_t i = 0; i < d->nlink; i++) {
        bool root = true;
        for (size_t j = 0; j < d->njoint; j++) root = root && strcmp(d->joints[j].child, d->links[i].name) != 0;
        if (root) visit(p, d, d->links[i].name, -1, NULL);
    }
    return p;
}

void plain_free(plain *p)
{
    if (!p) return;
    free(p->link);
    free(p->joint_link);
    free(p);
}

/* ---- motion ---- */
static void move_link(plain_link *l, const plain_link *up, real q, real qd, real qdd)
{
    const arne_joint_description *j = l->joint;
    real before[9], after[9], there[3], tail[3], R[9], o[3], axis[3], motion[9], r[3], t[3];
    widen(9, j->before.R, before);
    widen(9, j->after.R, after);
    widen(3, j->before.p, there);
    widen(3, j->after.p, tail);
    widen(3, j->axis, axis);
    /* the joint frame, carried by the parent */
    product(up->R, before, R);
    times(up->R, there, o);
    plus(up->p, 1, o, o);
    real u[3] = {0, 0, 0};
    if (j->type != ARNE_FIXED) {
        const real length = sqrtl(dot(axis, axis));
        for (int k = 0; k < 3; k++) axis[k] /= length;
        times(R, axis, u);
    }
    memcpy(l->axis, u, sizeof u);
    memcpy(l->on_axis, o, sizeof o);
    if (j->type == ARNE_REVOLUTE) {
        turn_about(axis, q, motion);
        product(R, motion, R);
    }
    times(R, tail, r);
    plus(o, 1, r, l->p);
    if (j->type == ARNE_PRISMATIC) plus(l->p, q, u, l->p);
    product(R, after, l->R);

    /* angular: w = w_p + u qd, wd = wd_p + u qdd + w_p x u qd */
    const bool turns = j->type == ARNE_REVOLUTE, slides = j->type == ARNE_PRISMATIC;
    cross(up->w, u, t);
    plus(up->w, turns ? qd : 0, u, l->w);
    plus(up->wd, turns ? qdd : 0, u, l->wd);
    if (turns) plus(l->wd, qd, t, l->wd);
    /* linear: first a point of the parent, on the axis (revolute) or where the link origin is now (prismatic), then the joint */
    real d[3], s[3];
    plus(turns ? o : l->p, -1, up->p, d);
    cross(up->w, d, s);
    plus(up->v, 1, s, l->v);
    cross(up->w, s, s);
    plus(up->a, 1, s, l->a);
    cross(up->wd, d, s);
    plus(l->a, 1, s, l->a);
    if (slides) {
        plus(l->v, qd, u, l->v);
        plus(l->a, 2 * qd, t, l->a);
        plus(l->a, qdd, u, l->a);
    }
    if (turns) {
        plus(l->p, -1, o, d);
        cross(l->w, d, s);
        plus(l->v, 1, s, l->v);
        cross(l->w, s, s);
        plus(l->a, 1, s, l->a);
        cross(l->wd, d, s);
        plus(l->a, 1, s, l->a);
    }
}

/* A joint that turns its link in any way, and may move it: place x and quaternion e in the joint frame, velocities v, u and their
 * derivatives in link axes. */
static void move_wide(plain_link *l, const plain_link *up, const double *q, const double *qd, const double *qdd)
{
    const arne_joint_description *j = l->joint;
    const bool free_ = l->nv == 6;
    real before[9], there[3], R[9], o[3], x[3] = {0}, e[4], v[3] = {0}, u[3], vd[3] = {0}, ud[3], d[3], s[3];
    widen(9, j->before.R, before);
    widen(3, j->before.p, there);
    product(up->R, before, R);
    times(up->R, there, o);
    plus(up->p, 1, o, o);
    if (free_) widen(3, q, x), widen(3, qd, v), widen(3, qdd, vd);
    widen(4, q + (free_ ? 3 : 0), e);
    widen(3, qd + (free_ ? 3 : 0), u);
    widen(3, qdd + (free_ ? 3 : 0), ud);
    times(R, x, s);
    plus(o, 1, s, l->p);
    /* the turn about (x, y, z) by 2 atan2(|xyz|, w) */
    real axis[3] = {e[0], e[1], e[2]}, motion[9];
    const real length = sqrtl(dot(axis, axis));
    for (int k = 0; k < 3; k++) axis[k] = length > 0 ? axis[k] / length : k == 2;
    turn_about(axis, 2 * atan2l(length, e[3]), motion);
    product(R, motion, l->R);
    /* velocities and their rates as the link's own observer tells them, into the world */
    real w[3], carried[3], inner[3];
    times(l->R, u, w);
    times(l->R, v, s);
    plus(up->w, 1, w, l->w);
    cross(up->w, w, carried);
    times(l->R, ud, l->wd);
    plus(l->wd, 1, carried, l->wd);
    plus(l->wd, 1, up->wd, l->wd);
    plus(l->p, -1, up->p, d);
    cross(up->w, d, l->v);
    cross(up->w, l->v, l->a);
    plus(l->v, 1, up->v, l->v);
    plus(l->v, 1, s, l->v);
    cross(up->wd, d, carried);
    plus(l->a, 1, carried, l->a);
    plus(l->a, 1, up->a, l->a);
    cross(up->w, s, carried); /* Coriolis: the parent turns under it */
    plus(l->a, 2, carried, l->a);
    cross(u, v, inner); /* d/dt (R v) = R (v' + u x v) in the parent */
    plus(inner, 1, vd, inner);
    times(l->R, inner, carried);
    plus(l->a, 1, carried, l->a);
}

static void move_body(plain_link *l)
{
    real com[3], d[3], s[3], RT[9];
    const double *e = l->body->inertia;
    const real I[9] = {e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5]};
    widen(3, l->body->com, com);
    times(l->R, com, d);
    plus(l->p, 1, d, l->c);
    cross(l->w, d, s);
    cross(l->w, s, s);
    plus(l->a, 1, s, l->ac);
    cross(l->wd, d, s);
    plus(l->ac, 1, s, l->ac);
    for (int i = 0; i < 9; i++) RT[i] = l->R[i % 3 * 3 + i / 3];
    product(l->R, I, l->I);
    product(l->I, RT, l->I);
}

void plain_move(plain *p, const double *q, const double *qd, const double *qdd)
{
    for (int i = 0; i < p->nlink; i++) {
        plain_link *l = &p->link[i];
        const int m = l->mover;
        if (l->parent >= 0 && l->nv > 1) {
            move_wide(l, &p->link[l->parent], q + l->iq, qd + l->iv, qdd + l->iv);
        } else if (l->parent < 0) {
            memset(l->R, 0, sizeof l->R);
            l->R[0] = l->R[4] = l->R[8] = 1;
            for (int k = 0; k < 3; k++) l->p[k] = l->v[k] = l->a[k] = l->w[k] = l->wd[k] = 0;
        } else {
            move_link(l, &p->link[l->parent], m < 0 ? 0 : q[l->iq], m < 0 ? 0 : qd[l->iv], m < 0 ? 0 : qdd[l->iv]);
        }
        move_body(l);
    }
}

/* ---- dynamics ---- */

/* velocity of the point x of a link, and its angular velocity, for unit speed of freedom c of the joint of link j */
static void column(const plain_link *j, int c, const real x[3], real jv[3], real jw[3])
{
    if (j->nv > 1) { /* along or about an axis of the link, through its origin */
        const bool along = j->nv == 6 && c < 3;
        const real e[3] = {j->R[c % 3], j->R[3 + c % 3], j->R[6 + c % 3]};
        real d[3];
        plus(x, -1, j->p, d);
        memset(jw, 0, 3 * sizeof *jw);
        memcpy(along ? jv : jw, e, sizeof e);
        if (!along) cross(e, d, jv);
        return;
    }
    memset(jw, 0, 3 * sizeof *jw);
    memcpy(jv, j->axis, 3 * sizeof *jv);
    if (j->joint->type == ARNE_PRISMATIC) return;
    real d[3];
    memcpy(jw, j->axis, 3 * sizeof *jw);
    plus(x, -1, j->on_axis, d);
    cross(j->axis, d, jv);
}

/* the next link above (or at) i that a joint moves, -1: none */
static int moved(const plain *p, int i)
{
    while (i >= 0 && p->link[i].mover < 0) i = p->link[i].parent;
    return i;
}

/* force m (a_c - g) and moment I wd + w x I w at the centre of mass */
static void newton_euler(const plain_link *l, const double g[3], real f[3], real m[3])
{
    real G[3], Iw[3], t[3];
    widen(3, g, G);
    plus(l->ac, -1, G, f);
    for (int k = 0; k < 3; k++) f[k] *= l->body->mass;
    times(l->I, l->w, Iw);
    cross(l->w, Iw, t);
    times(l->I, l->wd, m);
    plus(m, 1, t, m);
}

/* tau += Jv'f + Jw'm for every joint that moves link i, f at x */
static void work_on(const plain *p, int i, const real x[3], const real f[3], const real m[3], real *tau)
{
    for (int j = moved(p, i); j >= 0; j = moved(p, p->link[j].parent)) {
        for (int c = 0; c < p->link[j].nv; c++) {
            real jv[3], jw[3];
            column(&p->link[j], c, x, jv, jw);
            tau[p->link[j].iv + c] += dot(jv, f) + dot(jw, m);
        }
    }
}

static void narrow(int n, real *x, double *out)
{
    for (int k = 0; k < n; k++) out[k] = (double)x[k];
    free(x);
}
static real *zeros(int n)
{
    real *x = calloc((size_t)n, sizeof *x);
    if (!x) abort();
    return x;
}

void plain_torque(const plain *p, const double g[3], double *tau)
{
    real *sum = zeros(p->nv);
    for (int i = 0; i < p->nlink; i++) {
        real f[3], m[3];
        newton_euler(&p->link[i], g, f, m);
        work_on(p, i, p->link[i].c, f, m, sum);
    }
    narrow(p->nv, sum, tau);
}

void plain_gravity(const plain *p, const double g[3], double *tau)
{
    real *sum = zeros(p->nv);
    for (int i = 0; i < p->nlink; i++) {
        real f[3];
        const real none[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) f[k] = -(real)p->link[i].body->mass * g[k];
        work_on(p, i, p->link[i].c, f, none, sum);
    }
    narrow(p->nv, sum, tau);
}

void plain_mass(const plain *p, double *M)
{
    real *sum = zeros(p->nv * p->nv);
    for (int i = 0; i < p->nlink; i++) {
        const plain_link *l = &p->link[i];
        for (int j = moved(p, i); j >= 0; j = moved(p, p->link[j].parent)) {
            for (int c = 0; c < p->link[j].nv; c++) {
                real jv[3], jw[3], m[3];
                column(&p->link[j], c, l->c, jv, jw);
                times(l->I, jw, m);
                for (int k = 0; k < 3; k++) jv[k] *= l->body->mass;
                work_on(p, i, l->c, jv, m, sum + (p->link[j].iv + c) * p->nv);
            }
        }
    }
    narrow(p->nv * p->nv, sum, M);
}

void plain_energy(const plain *p, const double g[3], double *kinetic, double *potential)
{
    real T = 0, U = 0, G[3];
    widen(3, g, G);
    for (int i = 0; i < p->nlink; i++) {
        const plain_link *l = &p->link[i];
        if (l->nearest < 0) continue;
        real d[3], v[3], Iw[3];
        plus(l->c, -1, l->p, d);
        cross(l->w, d, v);
        plus(l->v, 1, v, v);
        times(l->I, l->w, Iw);
        T += (l->body->mass * dot(v, v) + dot(l->w, Iw)) / 2;
        U -= l->body->mass * dot(G, l->c);
    }
    *kinetic = (double)T;
    *potential = (double)U;
}

/* ---- links ---- */
void plain_pose(const plain *p, int link, arne_pose *pose)
{
    for (int k = 0; k < 9; k++) pose->R[k] = (double)p->link[link].R[k];
    for (int k = 0; k < 3; k++) pose->p[k] = (double)p->link[link].p[k];
}

/* velocity v, w of the link's origin in the frame asked for */
static void seen_from(const plain_link *l, arne_frame frame, const real v[3], const real w[3], double *out, int stride)
{
    real a[3], b[3];
    memcpy(a, v, sizeof a);
    memcpy(b, w, sizeof b);
    if (frame == ARNE_LOCAL) {
        times_back(l->R, v, a);
        times_back(l->R, w, b);
    } else if (frame == ARNE_WORLD) { /* of the point of the link that is at the world origin */
        real t[3];
        cross(l->p, w, t);
        plus(v, 1, t, a);
    }
    for (int k = 0; k < 3; k++) {
        out[k * stride] = (double)a[k];
        out[(k + 3) * stride] = (double)b[k];
    }
}

void plain_velocity(const plain *p, int link, arne_frame frame, double v[6])
{
    const plain_link *l = &p->link[link];
    seen_from(l, frame, l->v, l->w, v, 1);
}

void plain_jacobian(const plain *p, int link, arne_frame frame, double *J)
{
    memset(J, 0, 6 * (size_t)p->nv * sizeof *J);
    for (int j = moved(p, link); j >= 0; j = moved(p, p->link[j].parent)) {
        for (int c = 0; c < p->link[j].nv; c++) {
            real jv[3], jw[3];
            column(&p->link[j], c, p->link[link].p, jv, jw);
            seen_from(&p->link[link], frame, jv, jw, J + p->link[j].iv + c, p->nv);
        }
    }
}

void plain_reaction(const plain *p, const double g[3], int i, double w[6])
{
    const int root = p->joint_link[i];
    const plain_link *l = &p->link[root];
    real force[3] = {0}, moment[3] = {0};
    for (int k = root; k < p->nlink; k++) {
        int above = k;
        while (above > root) above = p->link[above].parent;
        if (above != root) break; /* outboard links follow one another */
        real f[3], m[3], d[3], t[3];
        newton_euler(&p->link[k], g, f, m);
        plus(p->link[k].c, -1, l->p, d);
        cross(d, f, t);
        plus(force, 1, f, force);
        plus(moment, 1, m, moment);
        plus(moment, 1, t, moment);
    }
    seen_from(l, ARNE_LOCAL, force, moment, w, 1);
}
