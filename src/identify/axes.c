/* SPDX-License-Identifier: MIT
 *
 * axes.c - directions and places of the joint axes on the way from the base to every link.
 *
 * All is judged at q = 0. That is enough: up to r2 all revolute axes are parallel and turn nothing that is asked for; axes on one
 * line, or through one point, stay so when they turn about each other [ERRATA part two 3.3 a, b]. A spherical or free joint turns
 * about every axis: r1 and r2 at once, and nothing behind it is special. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "identify/grouping.h"

/* Angles and (relative to the distances of the robot) lengths below SMALL are zero: the arbiter sees no more either. */
static const double SMALL = 1e-8;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double length(const double a[3]) { return sqrt(dot(a, a)); }
static void axis(const axis_path *l, double z[3]) { z[0] = l->R[2], z[1] = l->R[5], z[2] = l->R[8]; }

static double sine(const axis_path *a, const axis_path *b)
{
    double x[3], y[3], n[3];
    axis(a, x);
    axis(b, y);
    dense_cross(x, y, n);
    return length(n);
}

bool arne__axes_parallel(const axis_path *a, const axis_path *b) { return sine(a, b) < SMALL; }

bool arne__axes_normal(const axis_path *a, const axis_path *b)
{
    double x[3], y[3];
    axis(a, x);
    axis(b, y);
    return fabs(dot(x, y)) < SMALL;
}

static double distance(const double point[3], const axis_path *l)
{
    double z[3], n[3];
    const double d[3] = {point[0] - l->o[0], point[1] - l->o[1], point[2] - l->o[2]};
    axis(l, z);
    dense_cross(d, z, n);
    return length(n);
}

void arne__axes_turn(const arne_model *m, int i, double *c, double *s)
{
    const robot_link *l = &m->robot->link[i];
    if (l->base >= 0) { /* part of the base frame: R = Rz(gamma) Rx(alpha) Rz(theta) */
        const double *R = robot_base(m->robot, l->base)->R;
        *c = l->cg * R[0] + l->sg * R[3];
        *s = 0 - (l->cg * R[1] + l->sg * R[4]); /* no -0 */
        return;
    }
    static const double right[4] = {1, 0, -1, 0};
    const turn_table turns = robot_turns(m->robot, NULL);
    const long long quarter = turns.quarter[l->iq] & 3;
    *c = right[quarter];
    *s = right[(quarter + 3) & 3];
    if (turns.theta[l->iq] == 0) return;
    *c = cos(turns.theta[l->iq]);
    *s = sin(turns.theta[l->iq]);
}

static void place(const arne_model *m, int i, axis_path *path)
{
    const robot_link *l = &m->robot->link[i];
    double c, s, R[9];
    arne__axes_turn(m, i, &c, &s);
    arne__link_rotation(l, c, s, R);
    axis_path *at = &path[i];
    if (l->parent < 0) {
        memcpy(at->R, R, sizeof R);
        memcpy(at->o, l->p, sizeof at->o);
        return;
    }
    const axis_path *up = &path[l->parent];
    for (int r = 0; r < 3; r++) {
        at->o[r] = up->o[r] + dot(up->R + 3 * r, l->p);
        for (int k = 0; k < 3; k++)
            at->R[3 * r + k] = up->R[3 * r] * R[k] + up->R[3 * r + 1] * R[3 + k] + up->R[3 * r + 2] * R[6 + k];
    }
}

/* the point of axis a nearest to axis b */
static void foot(const axis_path *a, const axis_path *b, double point[3])
{
    double x[3], y[3], n[3], v[3];
    const double d[3] = {b->o[0] - a->o[0], b->o[1] - a->o[1], b->o[2] - a->o[2]};
    axis(a, x);
    axis(b, y);
    dense_cross(x, y, n);
    dense_cross(d, y, v);
    const double s = dot(v, n) / dot(n, n);
    for (int k = 0; k < 3; k++) point[k] = a->o[k] + s * x[k];
}

static bool meets(const arne_model *m, const axis_path *path, int i)
{
    const axis_path *at = &path[i];
    if (at->r2 < 0) return false;
    double point[3], size = 0;
    foot(&path[at->r1], &path[at->r2], point);
    for (int k = i; k >= 0; k = m->robot->link[k].parent) size = fmax(size, length(m->robot->link[k].p));
    for (int k = i; k >= 0; k = m->robot->link[k].parent)
        if (m->robot->link[k].joint != REVOLUTE || distance(point, &path[k]) > SMALL * size) return false;
    return true;
}

static bool free_of_others(const arne_model *m, const axis_path *path, int i)
{
    if (m->robot->link[i].joint != PRISMATIC) return false;
    for (int k = m->robot->link[i].parent; k >= 0; k = m->robot->link[k].parent) {
        if (m->robot->link[k].nv > 1) return false;
        if (!(m->robot->link[k].joint == REVOLUTE ? arne__axes_parallel : arne__axes_normal)(&path[i], &path[k])) return false;
    }
    return true;
}

void arne__axes_find(const arne_model *m, const double g[3], axis_path *out)
{
    for (int i = 0; i < m->robot->n; i++) {
        axis_path *at = &out[i];
        const robot_link *l = &m->robot->link[i];
        const axis_path *up = l->parent < 0 ? NULL : &out[l->parent];
        *at = (axis_path){.r1 = up ? up->r1 : -1, .r2 = up ? up->r2 : -1};
        place(m, i, out);
        at->coaxial = !up || up->coaxial;
        if (l->nv > 1) { /* turns about any axis */
            at->r1 = at->r2 = i;
            at->coaxial = false;
        }
        if (l->joint == REVOLUTE) {
            if (at->r1 < 0)
                at->r1 = i;
            else if (at->r2 < 0 && !arne__axes_parallel(at, &out[at->r1]))
                at->r2 = i;
            at->coaxial = at->coaxial && arne__axes_parallel(at, &out[at->r1]) &&
                          distance(at->o, &out[at->r1]) <= SMALL * (length(l->p) + length(at->o));
        }
        at->parallel = l->nv == 1 && (!up || (up->parallel && arne__axes_parallel(at, up)));
        at->concurrent = meets(m, out, i);
        at->free_of_others = free_of_others(m, out, i);
        double z[3], n[3];
        axis(at, z);
        dense_cross(z, g, n);
        at->gravity_along = length(n) <= SMALL * length(g);
        at->gravity_across = fabs(dot(z, g)) <= SMALL * length(g);
    }
}

arne_base_frame arne__axes_frame(const arne_model *m, int i)
{
    const robot_link *l = &m->robot->link[i];
    double c, s;
    arne__axes_turn(m, i, &c, &s);
    const double *p = l->p;
    arne_base_frame f = {.gamma = atan2(l->sg, l->cg), .alpha = atan2(l->sa, l->ca), .theta = atan2(s, c)};
    memcpy(f.p, p, sizeof f.p);
    /* p = Rz(gamma) (d, -r sin(alpha), b + r cos(alpha)) */
    const double x = l->cg * p[0] + l->sg * p[1], y = l->cg * p[1] - l->sg * p[0], z = p[2];
    const double size = fabs(x) + fabs(y) + fabs(z), small = 1e-14 * size;
    const double r = l->sa == 0 ? l->ca * z : fabs(y) <= small ? 0 : -y / l->sa, b = l->sa == 0 ? 0 : z - r * l->ca;
    f.dh = (l->sa == 0 ? fabs(y) <= small : fabs(r) <= 8 * size);
    if (!f.dh) return f;
    f.d = x;
    f.r = r;
    f.b = fabs(b) <= small ? 0 : b;
    return f;
}
