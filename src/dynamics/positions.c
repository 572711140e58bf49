/* SPDX-License-Identifier: MIT
 *
 * positions.c - positions of joints of several freedoms: along a screw and back, quaternions of unit length. doc/free.md */
#include "arne/positions.h"

#include <math.h>
#include <string.h>

#include "algo/joint.h"
#include "dynamics/data.h"

static double norm(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

/* a b of quaternions x y z w */
static void product(const double a[4], const double b[4], double c[4])
{
    double v[3];
    cross(a, b, v);
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    for (int k = 0; k < 3; k++) v[k] += a[3] * b[k] + b[3] * a[k];
    memcpy(c, v, sizeof v);
    c[3] = w;
}

/* v turned by e: v + 2 w (x x v) + 2 x x (x x v) */
static void turned(const double e[4], const double v[3], double out[3])
{
    double t[3], u[3];
    cross(e, v, t);
    cross(e, t, u);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (e[3] * t[k] + u[k]);
}

/* sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3, by their series where digits would cancel */
static void screw_factors(double x, double *s, double *c, double *d)
{
    const double xx = x * x;
    if (x < 0.1) {
        *s = 1 - xx / 6 * (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72)));
        *c = 0.5 * (1 - xx / 12 * (1 - xx / 30 * (1 - xx / 56 * (1 - xx / 90))));
        *d = 1.0 / 6 * (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72 * (1 - xx / 110))));
    } else {
        *s = sin(x) / x;
        *c = 2 * sin(x / 2) * sin(x / 2) / xx;
        *d = (x - sin(x)) / (xx * x);
    }
}

static const robot_link *link_of(const arne_model *m, int joint) { return &m->robot->link[m->body[joint]]; }

int arne_joint_turn(const arne_model *m, int i)
{
    const robot_link *l = link_of(m, i);
    return is_wide(l) ? arne_joint_q(m, i) + l->nq - 4 : -1;
}

int arne_velocity_position(const arne_model *m, int v)
{
    const int i = arne_velocity_joint(m, v);
    return is_wide(link_of(m, i)) ? -1 : arne_joint_q(m, i);
}

bool arne_velocity_turns(const arne_model *m, int v)
{
    const int i = arne_velocity_joint(m, v);
    return joint_way(link_of(m, i), v - arne_joint_v(m, i)) >= 3;
}

arne_status arne_neutral(const arne_model *m, double *q)
{
    if (!m || !q) return ARNE_BAD_ARGUMENT;
    memset(q, 0, (size_t)m->nq * sizeof *q);
    for (int i = 0; i < m->robot->n; i++)
        if (is_wide(&m->robot->link[i])) q[robot_own_q(m->robot, &m->robot->link[i]) + m->robot->link[i].nq - 1] = 1;
    return ARNE_OK;
}

arne_status arne_named_state(const arne_model *m, const arne_description *d, const char *name, double *q, double *qd)
{
    if (!m || !d || !name || !q) return ARNE_BAD_ARGUMENT;
    const arne_state_description *s = NULL;
    for (size_t i = 0; i < d->nstate && !s; i++)
        if (!strcmp(d->states[i].name, name)) s = &d->states[i];
    if (!s) return ARNE_BAD_VALUE;
    arne_neutral(m, q);
    if (qd) memset(qd, 0, (size_t)m->nv * sizeof *qd);
    for (size_t j = 0; j < s->njoint && j < d->njoint; j++) {
        const int i = arne_joint_find(m, d->joints[j].name);
        if (i < 0) continue;
        const robot_link *l = link_of(m, i);
        memcpy(q + arne_joint_q(m, i), s->q[j], (size_t)l->nq * sizeof *q);
        if (qd) memcpy(qd + arne_joint_v(m, i), s->qd[j], (size_t)l->nv * sizeof *qd);
    }
    return ARNE_OK;
}

/* exp of the twist (v, u): the turn about u, the way V v with V = 1 + c u^ + d u^ u^ */
static void integrate_wide(const robot_link *l, const double *q, const double *x, double *out)
{
    const double *e = q + l->nq - 4, *u = x + l->nv - 3;
    const double angle = norm(u, 3);
    double s, c, d, half[4], unused;
    if (l->joint == FREE) {
        double uv[3], uuv[3], way[3];
        screw_factors(angle, &s, &c, &d);
        cross(u, x, uv);
        cross(u, uv, uuv);
        for (int k = 0; k < 3; k++) way[k] = x[k] + c * uv[k] + d * uuv[k];
        turned(e, way, way);
        for (int k = 0; k < 3; k++) out[k] = q[k] + way[k];
    }
    screw_factors(angle / 2, &s, &c, &unused);
    for (int k = 0; k < 3; k++) half[k] = s * u[k] / 2;
    half[3] = cos(angle / 2);
    double *to = out + l->nq - 4;
    product(e, half, to);
    const double length = norm(to, 4); /* rounding does not add up */
    for (int k = 0; k < 4 && length > 0; k++) to[k] /= length;
}

arne_status arne_integrate(const arne_model *m, const double *q, const double *v, double *out)
{
    if (!m || !q || !v || !out) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < m->robot->n; i++) {
        const robot_link *l = &m->robot->link[i];
        const int iq = robot_own_q(m->robot, l), iv = robot_own_v(m->robot, l);
        if (is_wide(l))
            integrate_wide(l, q + iq, v + iv, out + iq);
        else if (!robot_follows(m->robot, l))
            out[iq] = q[iq] + v[iv];
    }
    return ARNE_OK;
}

/* log of the motion from a to b, in the axes of a: u from the quaternion, v = V^-1 way, V^-1 = 1 - u^/2 + k u^ u^ */
static void difference_wide(const robot_link *l, const double *a, const double *b, double *x)
{
    const double *ea = a + l->nq - 4, *eb = b + l->nq - 4;
    const double back[4] = {-ea[0], -ea[1], -ea[2], ea[3]};
    double e[4], *u = x + l->nv - 3;
    product(back, eb, e);
    const double sine = norm(e, 3), shorter = e[3] < 0 ? -1 : 1, half = atan2(sine, fabs(e[3]));
    for (int k = 0; k < 3; k++) u[k] = sine > 0 ? shorter * 2 * half / sine * e[k] : 0;
    if (l->joint != FREE) return;
    const double angle = 2 * half;
    double way[3], uv[3], uuv[3], s, c, d;
    for (int k = 0; k < 3; k++) way[k] = b[k] - a[k];
    turned(back, way, way);
    screw_factors(angle, &s, &c, &d);
    const double k2 =
        angle < 0.1 ? 1.0 / 12 * (1 + angle * angle / 60 * (1 + angle * angle / 42)) : (1 - s / (2 * c)) / (angle * angle);
    cross(u, way, uv);
    cross(u, uv, uuv);
    for (int k = 0; k < 3; k++) x[k] = way[k] - uv[k] / 2 + k2 * uuv[k];
}

arne_status arne_difference(const arne_model *m, const double *a, const double *b, double *v)
{
    if (!m || !a || !b || !v) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < m->robot->n; i++) {
        const robot_link *l = &m->robot->link[i];
        const int iq = robot_own_q(m->robot, l), iv = robot_own_v(m->robot, l);
        if (is_wide(l))
            difference_wide(l, a + iq, b + iq, v + iv);
        else if (!robot_follows(m->robot, l))
            v[iv] = b[iq] - a[iq];
    }
    return ARNE_OK;
}

arne_status arne_position_rate(const arne_model *m, const double *q, const double *qd, double *rate)
{
    if (!m || !q || !qd || !rate) return ARNE_BAD_ARGUMENT;
    arne__text_position_rate(m->robot, q, qd, rate);
    return ARNE_OK;
}

arne_status arne_normalize(const arne_model *m, double slack, double *q, int *joint)
{
    if (!m || !q) return ARNE_BAD_ARGUMENT;
    for (int i = 0; i < m->robot->n; i++) {
        const robot_link *l = &m->robot->link[i];
        const double length = is_wide(l) ? norm(q + robot_own_q(m->robot, l) + l->nq - 4, 4) : 1;
        if (isfinite(length) && length > 0 && !(fabs(length - 1) > slack)) continue;
        if (joint) *joint = m->joint_of[i];
        return ARNE_BAD_VALUE;
    }
    for (int i = 0; i < m->robot->n; i++) {
        const robot_link *l = &m->robot->link[i];
        double *e = q + robot_own_q(m->robot, l) + l->nq - 4;
        if (!is_wide(l)) continue;
        const double length = norm(e, 4);
        for (int k = 0; k < 4; k++) e[k] /= length;
    }
    return ARNE_OK;
}
