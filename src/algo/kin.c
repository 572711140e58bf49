/* SPDX-License-Identifier: MIT
 *
 * kin.c - pose, velocity and Jacobian of a named link, by one walk from the link up to the base.
 *
 * The walk carries the link's origin o and axes x, y, z, seen from the frame it has reached. At joint j the link's velocity for
 * unit joint speed is z_j x o (revolute) or z_j (prismatic); its components along the carried axes are the column of the Jacobian
 * in link axes [003 eq. 9.14, 9.15 summed over the joints]. */
#include "algo/texts.h"
#include "algo/walk.h"

/* velocity of the link for unit speed of freedom c of the joint, in link axes */
INL void kin_column(const robot_link *l, int c, kin_frame f, num v[6])
{
    if (is_wide(l)) {
        const int way = joint_way(l, c);
        const vec3 e = v3_unit(way % 3), u = way < 3 ? e : v3_cross(e, f.o);
        v[0] = v3_dot(f.x, u), v[1] = v3_dot(f.y, u), v[2] = v3_dot(f.z, u);
        v[3] = v[4] = v[5] = of(0);
        if (way >= 3) v[3] = v3_dot(f.x, e), v[4] = v3_dot(f.y, e), v[5] = v3_dot(f.z, e);
    } else if (revolves(l)) {
        v[0] = sub(mul(f.o.x, f.x.y), mul(f.o.y, f.x.x));
        v[1] = sub(mul(f.o.x, f.y.y), mul(f.o.y, f.y.x));
        v[2] = sub(mul(f.o.x, f.z.y), mul(f.o.y, f.z.x));
        v[3] = f.x.z, v[4] = f.y.z, v[5] = f.z.z;
    } else {
        v[0] = f.x.z, v[1] = f.y.z, v[2] = f.z.z;
        v[3] = v[4] = v[5] = of(0);
    }
}

/* velocity of the link in its own axes, of its origin; returns where the link is */
INL kin_frame kin_velocity(const robot *r, const work *k, const num *q, const num *qd, int f, num v[6])
{
    kin_frame at = kin_start(robot_frame(r, f));
    for (int c = 0; c < 6; c++) v[c] = of(0);
    for (int i = robot_frame(r, f)->body; i >= 0; i = r->link[i].parent) {
        for (int d = 0; d < r->link[i].nv; d++) {
            num u[6];
            kin_column(&r->link[i], d, at, u);
            for (int c = 0; c < 6; c++) v[c] = add(v[c], mul(u[c], qd[r->link[i].iv + d]));
        }
        at = kin_up(r, k, q, i, at);
    }
    return at;
}

void EXPORT(frame_velocity)(const robot *r, const work *k, const num *q, const num *qd, int f, num v[6])
{
    (void)kin_velocity(r, k, q, qd, f, v);
}

/* A column from the axes of the link, which has come to `at`, into those asked for; WORLD: of the point that passes the world
 * origin, v - w x p. step: from one of its numbers to the next */
INL void kin_into_frame(kin_frame at, int axes, num *v, int step)
{
    if (axes == ARNE_LOCAL) return;
    const vec3 a = v3(v[0], v[step], v[2 * step]), b = v3(v[3 * step], v[4 * step], v[5 * step]);
    const vec3 row[3] = {v3(at.x.x, at.y.x, at.z.x), v3(at.x.y, at.y.y, at.z.y), v3(at.x.z, at.y.z, at.z.z)};
    for (int e = 0; e < 3; e++) {
        v[e * step] = v3_dot(row[e], a);
        v[(e + 3) * step] = v3_dot(row[e], b);
    }
    if (axes == ARNE_ALIGNED) return;
    const vec3 far = v3_cross(v3(v[3 * step], v[4 * step], v[5 * step]), at.o);
    v[0] = sub(v[0], far.x);
    v[step] = sub(v[step], far.y);
    v[2 * step] = sub(v[2 * step], far.z);
}

void EXPORT(position_rate)(const robot *r, const num *q, const num *qd, num *rate)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        num *to = rate + robot_own_q(r, l);
        const num *v = qd + robot_own_v(r, l) - l->iv; /* as the words of joints read it */
        if (!is_wide(l)) {
            if (!robot_follows(r, l)) *to = v[l->iv];
            continue;
        }
        /* R(e) v, and e (u, 0)/2 by the product of quaternions */
        const num *e = q + robot_own_q(r, l) + l->nq - 4;
        const vec3 u = v3_scalec(con(0.5), wide_angular(l, v)), x = v3(e[0], e[1], e[2]);
        if (l->joint == FREE) {
            const vec3 way = m3_mul(quaternion_rotation(e), wide_linear(l, v));
            to[0] = way.x, to[1] = way.y, to[2] = way.z, to += 3;
        }
        const vec3 turned = v3_add(v3_scale(e[3], u), v3_cross(x, u));
        to[0] = turned.x, to[1] = turned.y, to[2] = turned.z, to[3] = neg(v3_dot(x, u));
    }
}

void EXPORT(pose)(const robot *r, const work *k, const num *q, int f, num *x)
{
    joint_turns_to(r, k, robot_frame(r, f)->body, q);
    EXPORT(frame_pose)(r, k, q, f, x + 3, x);
}

void EXPORT(velocity)(const robot *r, const work *k, const num *q, const num *qd, int f, int axes, num *v)
{
    joint_turns_to(r, k, robot_frame(r, f)->body, q);
    kin_into_frame(kin_velocity(r, k, q, qd, f, v), axes, v, 1);
}

void EXPORT(jacobian)(const robot *r, const work *k, const num *q, int f, int axes, int blank, num *J)
{
    const int n = r->nv, body = robot_frame(r, f)->body;
    joint_turns_to(r, k, body, q);
    kin_frame at = kin_start(robot_frame(r, f));
    if (!blank)
        for (int i = 0; i < 6 * n; i++) J[i] = of(0);
    for (int i = body; i >= 0; i = r->link[i].parent) {
        for (int d = 0; d < r->link[i].nv; d++) {
            num u[6];
            kin_column(&r->link[i], d, at, u);
            for (int c = 0; c < 6; c++) J[c * n + r->link[i].iv + d] = u[c];
        }
        at = kin_up(r, k, q, i, at);
    }
    for (int i = axes == ARNE_LOCAL ? -1 : body; i >= 0; i = r->link[i].parent)
        for (int d = 0; d < r->link[i].nv; d++) kin_into_frame(at, axes, J + r->link[i].iv + d, n);
}
