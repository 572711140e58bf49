/* SPDX-License-Identifier: MIT
 *
 * whole.c - the robot as a whole: centre of mass, centroidal momentum and their Jacobians; and how the velocity of a link
 * changes. Derivation in doc/whole_body.md; the velocities of the links are those of [003 eq. 9.17, 9.18].
 *
 * Everything is told from the base. Column v of the momentum matrix is the momentum of all that joint v carries, moving with unit
 * speed of v: (M v + w x MS, J w + MS x v) for the screw (v, w) and the bodies outboard as one. */
#include "algo/texts.h"
#include "algo/world.h"

/* frames, velocities and bodies; each joined to its parent, `total` all of them */
INL void whole_bodies(const robot *r, const work *k, const num *q, const num *qd, world_state *total)
{
    joint_turns(r, k, q);
    world_frames(r, k, r->n, 1, q, qd);
    const sym3 none = {of(0), of(0), of(0), of(0), of(0), of(0)};
    *total = (world_state){.M = of(0), .MS = v3_zero(), .P = v3_zero(), .J = none};
    for (int i = 0; i < r->n; i++) (void)world_body(&r->link[i], &k->link[i].world);
    for (int i = r->n - 1; i >= 0; i--)
        world_join(&k->link[i].world, r->link[i].parent < 0 ? total : &k->link[r->link[i].parent].world);
}

void EXPORT(com)(const robot *r, const work *k, const num *q, const num *qd, num *y)
{
    world_state all;
    whole_bodies(r, k, q, qd, &all);
    const num one = divide(of(1), all.M);
    const vec3 c = v3_scale(one, all.MS), v = v3_scale(one, all.P);
    y[0] = c.x, y[1] = c.y, y[2] = c.z;
    y[3] = v.x, y[4] = v.y, y[5] = v.z;
    y[6] = all.M;
}

/* linear momentum of a column, f, and angular momentum about the base origin, m */
INL void whole_column(const robot_link *l, int c, const world_state *s, vec3 *f, vec3 *m)
{
    const screw S = link_screw(l, c, s);
    *f = v3_add(v3_scale(s->M, S.v), v3_cross(S.w, s->MS));
    *m = v3_add(s3_mul(s->J, S.w), v3_cross(s->MS, S.v));
}

void EXPORT(com_jacobian)(const robot *r, const work *k, const num *q, num *J)
{
    world_state all;
    const int n = r->nv;
    for (int i = 0; i < n; i++) k->row[i] = of(0);
    whole_bodies(r, k, q, k->row, &all);
    const num one = divide(of(1), all.M);
    for (int i = 0; i < r->n; i++)
        for (int c = 0; c < r->link[i].nv; c++) {
            vec3 f, m;
            whole_column(&r->link[i], c, &k->link[i].world, &f, &m);
            f = v3_scale(one, f);
            num *column = J + r->link[i].iv + c;
            column[0] = f.x, column[n] = f.y, column[2 * n] = f.z;
        }
}

/* about the centre of mass: m - c x f */
void EXPORT(centroidal)(const robot *r, const work *k, const num *q, const num *qd, num *y)
{
    world_state all;
    const int n = r->nv;
    whole_bodies(r, k, q, qd, &all);
    const vec3 centre = v3_scale(divide(of(1), all.M), all.MS);
    num *A = y + 6;
    for (int e = 0; e < 6; e++) y[e] = of(0);
    for (int i = 0; i < r->n; i++)
        for (int c = 0; c < r->link[i].nv; c++) {
            const int v = r->link[i].iv + c;
            vec3 f, m;
            whole_column(&r->link[i], c, &k->link[i].world, &f, &m);
            m = v3_sub(m, v3_cross(centre, f));
            const num column[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
            for (int e = 0; e < 6; e++) {
                A[e * n + v] = column[e];
                y[e] = add(y[e], mul(column[e], qd[v]));
            }
        }
}

/* The velocity of a named link for a unit of a screw, and its rate: about the base origin, or of the link's origin p that moves
 * with v, in base axes (ALIGNED) or in the axes R of the link that turns with w (LOCAL). */
typedef struct {
    int axes;
    mat3 R;
    vec3 p, v, w;
} moving_frame;

INL moving_frame link_frame(const robot *r, const work *k, const num *q, const num *qd, int f, int axes)
{
    const named_frame *n = robot_frame(r, f);
    joint_turns_to(r, k, n->body, q);
    world_frames(r, k, n->body + 1, 1, q, qd);
    if (n->body < 0) return (moving_frame){.axes = axes};
    const world_state *s = &k->link[n->body].world;
    const mat3 body = m3_columns(s->x, s->y, s->z);
    const par *F = n->R;
    moving_frame m = {axes, body, s->o, s->v, s->w};
    m.R = m3_columns(m3_mulc(body, (con3){F[0], F[3], F[6]}), m3_mulc(body, (con3){F[1], F[4], F[7]}),
                     m3_mulc(body, (con3){F[2], F[5], F[8]}));
    m.p = v3_add(s->o, m3_mulc(body, con3_at(n->p)));
    m.v = v3_add(s->v, v3_cross(s->w, m.p));
    return m;
}

INL void screw_in_frame(const moving_frame *at, screw S, num u[6], num du[6])
{
    if (at->axes != ARNE_WORLD) {
        /* of the point p: v + w x p */
        S.dv = v3_add(S.dv, v3_add(v3_cross(S.dw, at->p), v3_cross(S.w, at->v)));
        S.v = v3_add(S.v, v3_cross(S.w, at->p));
    }
    if (at->axes == ARNE_LOCAL) {
        /* R'x, and its rate R'(x' - w x x) */
        S.dv = m3_tmul(at->R, v3_sub(S.dv, v3_cross(at->w, S.v)));
        S.dw = m3_tmul(at->R, v3_sub(S.dw, v3_cross(at->w, S.w)));
        S.v = m3_tmul(at->R, S.v);
        S.w = m3_tmul(at->R, S.w);
    }
    u[0] = S.v.x, u[1] = S.v.y, u[2] = S.v.z, u[3] = S.w.x, u[4] = S.w.y, u[5] = S.w.z;
    du[0] = S.dv.x, du[1] = S.dv.y, du[2] = S.dv.z, du[3] = S.dw.x, du[4] = S.dw.y, du[5] = S.dw.z;
}

void EXPORT(jacobian_dot)(const robot *r, const work *k, const num *q, const num *qd, int f, int axes, int blank, num *D)
{
    const int n = r->nv;
    const moving_frame at = link_frame(r, k, q, qd, f, axes);
    if (!blank)
        for (int i = 0; i < 6 * n; i++) D[i] = of(0);
    for (int i = robot_frame(r, f)->body; i >= 0; i = r->link[i].parent)
        for (int c = 0; c < r->link[i].nv; c++) {
            num u[6], du[6];
            screw_in_frame(&at, link_screw(&r->link[i], c, &k->link[i].world), u, du);
            for (int e = 0; e < 6; e++) D[e * n + r->link[i].iv + c] = du[e];
        }
}

/* J qdd + J' qd */
void EXPORT(acceleration)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, int f, int axes, num *a)
{
    const moving_frame at = link_frame(r, k, q, qd, f, axes);
    for (int e = 0; e < 6; e++) a[e] = of(0);
    for (int i = robot_frame(r, f)->body; i >= 0; i = r->link[i].parent)
        for (int c = 0; c < r->link[i].nv; c++) {
            const int v = r->link[i].iv + c;
            num u[6], du[6];
            screw_in_frame(&at, link_screw(&r->link[i], c, &k->link[i].world), u, du);
            for (int e = 0; e < 6; e++) a[e] = add(a[e], add(mul(u[e], qdd[v]), mul(du[e], qd[v])));
        }
}
