/* SPDX-License-Identifier: MIT */
#include "describe/frames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/body.h"
#include "describe/pose.h"

/* Axes whose sine is below PARALLEL are parallel: what is neglected is smaller than what double can say of a torque. A common
 * normal is used if its foot is at most FAR times as far away as the axes' own points: moving inertias over a distance of k sizes
 * costs k^2 in relative accuracy. Cosines, sines and offsets below TINY (of their scale) are rounding. */
static const double PARALLEL = 1e-13, FAR = 8, TINY = 4e-15;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double length(const double a[3]) { return sqrt(dot(a, a)); }
static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
static void along(const double p[3], double s, const double u[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = p[k] + s * u[k];
}
static void turned(const double R[9], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = dot(R + 3 * k, v);
}
static void turned_back(const double R[9], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = R[k] * v[0] + R[3 + k] * v[1] + R[6 + k] * v[2];
}

/* x made normal to the unit vector u and of length one; false if nothing is left of it */
static bool normal_to(double x[3], const double u[3])
{
    const double before = length(x);
    for (int pass = 0; pass < 2; pass++) along(x, -dot(x, u), u, x);
    const double n = length(x);
    if (!(n > 1e-3 * before) || n == 0) return false;
    for (int k = 0; k < 3; k++) x[k] /= n;
    return true;
}

/* An axis: a point and a unit direction. The point is the one nearest to the centre of mass of what the joint moves, so that
 * nothing depends on where along the axis the file put its frame. */
typedef struct {
    double c[3], u[3];
} axis;

/* The common normal of two axes: direction from the first to the second, feet at c + s u and c + t u. */
typedef struct {
    bool exists; /* axes not parallel, or parallel and apart: x is valid */
    bool close;  /* s and t are valid */
    double x[3], s, t;
} common_normal;

static common_normal normal_of(const axis *a, const axis *b)
{
    common_normal n = {0};
    double d[3], w[3], v[3];
    along(b->c, -1, a->c, d);
    cross(a->u, b->u, w);
    const double sine = length(w);
    if (sine > PARALLEL) {
        memcpy(n.x, w, sizeof w);
        for (int k = 0; k < 3; k++) n.x[k] /= sine;
        n.exists = normal_to(n.x, a->u);
        cross(d, b->u, v);
        n.s = dot(v, w) / (sine * sine);
        cross(d, a->u, v);
        n.t = dot(v, w) / (sine * sine);
        const double reach = FAR * length(d);
        n.close = fabs(n.s) <= reach && fabs(n.t) <= reach;
    } else {
        memcpy(n.x, d, sizeof d);
        along(n.x, -dot(n.x, a->u), a->u, n.x);
        const double apart = length(n.x);
        n.exists = apart > TINY * length(d) && apart > 0 && normal_to(n.x, a->u);
    }
    return n;
}

static arne_pose frame_of(const double z[3], const double x[3], const double o[3])
{
    double y[3];
    arne_pose f;
    cross(z, x, y);
    for (int k = 0; k < 3; k++) {
        f.R[3 * k] = x[k];
        f.R[3 * k + 1] = y[k];
        f.R[3 * k + 2] = z[k];
        f.p[k] = o[k];
    }
    return f;
}

static void unit_pair(double *c, double *s)
{
    const double n = hypot(*c, *s);
    *c /= n;
    *s /= n;
    if (fabs(*s) < TINY) *s = 0, *c = *c < 0 ? -1 : 1;
    if (fabs(*c) < TINY) *c = 0, *s = *s < 0 ? -1 : 1;
}

/* b, d, r of p = Rz(gamma) (d, -r sin(alpha), b + r cos(alpha)) */
static void offsets(canonical_frame *f)
{
    const double x = f->cg * f->p[0] + f->sg * f->p[1], y = f->cg * f->p[1] - f->sg * f->p[0], z = f->p[2];
    const double small = TINY * (fabs(x) + fabs(y) + fabs(z));
    f->d = x;
    f->b = 0;
    if (f->sa == 0) {
        f->r = f->ca * z;
        f->dh = fabs(y) <= small;
        return;
    }
    f->r = fabs(y) <= small ? 0 : -y / f->sa;
    f->b = z - f->r * f->ca;
    if (fabs(f->b) <= small) f->b = 0;
    f->dh = fabs(f->r) <= FAR * (fabs(x) + fabs(y) + fabs(z));
}

/* R = Rz(gamma) Rx(alpha) Rz(theta) and p from a transform; `normal`: the x axis after Rz(gamma), in parent axes */
static void decompose(canonical_frame *f, const arne_pose *T, const double normal[3])
{
    const double *R = T->R;
    f->cg = normal[0];
    f->sg = normal[1];
    unit_pair(&f->cg, &f->sg);
    /* second and third row of Rz(gamma)'R */
    double row1[3], row0[3];
    for (int k = 0; k < 3; k++) {
        row0[k] = f->cg * R[k] + f->sg * R[3 + k];
        row1[k] = f->cg * R[3 + k] - f->sg * R[k];
    }
    f->ca = R[8];
    f->sa = -row1[2];
    if (fabs(f->sa) < PARALLEL) f->sa = 0;
    unit_pair(&f->ca, &f->sa);
    f->ct = row0[0];
    f->st = -row0[1];
    unit_pair(&f->ct, &f->st);
    const double scale = TINY * length(T->p);
    for (int k = 0; k < 3; k++) f->p[k] = fabs(T->p[k]) <= scale ? 0 : T->p[k];
    offsets(f);
}

/* the normal of R = Rz(gamma) Rx(alpha) Rz(theta) in parent axes where only R is known */
static void normal_from(const double R[9], double normal[3])
{
    const double sine = hypot(R[2], R[5]);
    normal[0] = sine > PARALLEL ? -R[5] / sine : 1;
    normal[1] = sine > PARALLEL ? R[2] / sine : 0;
    normal[2] = 0;
}

static void given(canonical_frame *f, const double dh[6])
{
    arne__exact_cos_sin(dh[0], &f->cg, &f->sg);
    arne__exact_cos_sin(dh[2], &f->ca, &f->sa);
    arne__exact_cos_sin(dh[4], &f->ct, &f->st);
    f->b = dh[1], f->d = dh[3], f->r = dh[5];
    f->dh = true;
    const double x = f->d, y = -f->r * f->sa;
    f->p[0] = f->cg * x - f->sg * y;
    f->p[1] = f->sg * x + f->cg * y;
    f->p[2] = f->b + f->r * f->ca;
}

/* What the choice needs to know of a body; all in the frame of its first link, except `rest`. */
typedef struct {
    axis own;          /* its joint */
    axis in_parent;    /* its joint, in the frame of the parent's first link */
    arne_pose rest;    /* frame of the first link in that of the parent, q = 0 */
    double x[3], o[3]; /* where the normal from the parent puts x axis and origin */
    int main, size;    /* child on the main chain, -1: none; bodies outboard with itself */
    double normal[3];  /* direction of the normal from the parent, in the canonical frame of the parent */
} body_frame;

/* centre of mass of every body, in the frame of its first link */
static void centres(const arne_description *d, const robot_tree *t, arne_body *sum)
{
    for (size_t k = 0; k < d->nlink; k++) {
        arne_body part;
        if (t->link_body[k] < 0) continue;
        arne__body_transform(&t->link_at[k], &d->links[k].body, &part);
        arne__body_add(&sum[t->link_body[k]], &part);
    }
}

static void gather(const arne_description *d, const robot_tree *t, const arne_body *sum, body_frame *b)
{
    for (int i = 0; i < t->nbody; i++) {
        const arne_joint_description *j = &d->joints[t->body_joint[i]];
        const arne_pose *at = &t->link_at[t->joint_parent[t->body_joint[i]]];
        const arne_pose joint = arne__pose_mul(at, &j->before), back = arne__pose_inverse(&j->after);
        const double n = length(j->axis), z[3] = {0, 0, 1};
        const double along_axis[3] = {j->axis[0] / n, j->axis[1] / n, j->axis[2] / n};
        const double *u = arne__joint_is_wide(j->type) ? z : along_axis;
        b[i].rest = arne__pose_mul(&joint, &j->after);
        turned(joint.R, u, b[i].in_parent.u);
        turned(back.R, u, b[i].own.u);
        /* along the axis to the centre of mass, or, without mass, to the point of the axis before */
        double from[3], s = 0;
        if (sum[i].mass > 0) {
            along(sum[i].com, -1, back.p, from);
            s = dot(from, b[i].own.u);
        } else if (t->body_parent[i] >= 0) {
            along(b[t->body_parent[i]].own.c, -1, joint.p, from);
            s = dot(from, b[i].in_parent.u);
        }
        along(joint.p, s, b[i].in_parent.u, b[i].in_parent.c);
        along(back.p, s, b[i].own.u, b[i].own.c);
        b[i].main = -1;
        b[i].size = 1;
    }
    for (int i = t->nbody - 1; i >= 0; i--) {
        const int up = t->body_parent[i];
        if (up < 0) continue;
        b[up].size += b[i].size;
        if (b[up].main < 0 || b[i].size >= b[b[up].main].size) b[up].main = i;
    }
}

/* x axis and origin that the parent's frame and the common normal `n` suggest to child j: theta = 0, r = 0 */
static void suggest(body_frame *b, const arne_pose *parent, const common_normal *n)
{
    double x[3], o[3];
    const double parent_x[3] = {parent->R[0], parent->R[3], parent->R[6]};
    memcpy(x, n->exists ? n->x : parent_x, sizeof x);
    if (n->close) {
        along(b->in_parent.c, n->t, b->in_parent.u, o);
    } else {
        double d[3];
        along(parent->p, -1, b->in_parent.c, d);
        along(b->in_parent.c, dot(d, b->in_parent.u), b->in_parent.u, o);
    }
    turned_back(parent->R, x, b->normal);
    turned_back(b->rest.R, x, b->x);
    along(o, -1, b->rest.p, o);
    turned_back(b->rest.R, o, b->o);
}

static void choose(body_frame *b, int i, canonical_frame *f)
{
    double x[3], o[3];
    memcpy(x, b[i].x, sizeof x);
    memcpy(o, b[i].o, sizeof o);
    if (b[i].main >= 0) {
        const common_normal n = normal_of(&b[i].own, &b[b[i].main].in_parent);
        if (n.exists) memcpy(x, n.x, sizeof x);
        if (n.close) along(b[i].own.c, n.s, b[i].own.u, o);
    }
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3 && !normal_to(x, b[i].own.u); k++) memcpy(x, unit[k], sizeof x);
    f->frame = frame_of(b[i].own.u, x, o);
}

bool arne__frames_choose(const arne_description *d, const robot_tree *t, canonical_frame *out)
{
    body_frame *b = calloc((size_t)t->nbody + 1, sizeof *b);
    arne_body *sum = calloc((size_t)t->nbody + 1, sizeof *sum);
    if (!b || !sum) {
        free(b);
        free(sum);
        return false;
    }
    centres(d, t, sum);
    gather(d, t, sum, b);
    free(sum);
    const arne_pose world = arne__pose_identity();
    for (int i = 0; i < t->nbody; i++) {
        const int up = t->body_parent[i];
        const arne_pose *parent = up < 0 ? &world : &out[up].frame;
        if (d->mdh) {
            out[i].frame = arne__pose_identity();
        } else {
            const axis base = {{0, 0, 0}, {0, 0, 1}};
            const common_normal n = normal_of(up < 0 ? &base : &b[up].own, &b[i].in_parent);
            suggest(&b[i], parent, &n);
            if (up < 0) memcpy(b[i].o, b[i].own.c, sizeof b[i].o); /* the base may be far away */
            choose(b, i, &out[i]);
        }
        const bool wide = arne__joint_is_wide(d->joints[t->body_joint[i]].type);
        if (wide) out[i].frame = arne__pose_identity(); /* the file's own: velocities are told in it */
        const arne_pose back = arne__pose_inverse(parent), here = arne__pose_mul(&b[i].rest, &out[i].frame),
                        T = arne__pose_mul(&back, &here);
        const bool merged = t->link_joint[t->joint_parent[t->body_joint[i]]] != (up < 0 ? -1 : t->body_joint[up]);
        if (d->mdh && !merged && !wide) {
            given(&out[i], d->joints[t->body_joint[i]].dh);
        } else {
            if (d->mdh || wide) normal_from(T.R, b[i].normal);
            decompose(&out[i], &T, b[i].normal);
        }
    }
    free(b);
    return true;
}
