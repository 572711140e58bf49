/* SPDX-License-Identifier: MIT
 *
 * world.h - links seen from the base: their axes and origins, the screws of their joints with their rates, velocities, and their
 * bodies about the base origin. The Coriolis matrix and whole-body quantities share it. */
#ifndef ALGO_WORLD_H
#define ALGO_WORLD_H

#include "algo/joint.h"

/* freedom c of a joint as a screw (v, w) about the base origin, and its rate (dv, dw) */
typedef struct {
    vec3 v, w, dv, dw;
} screw;

INL screw narrow_screw(const robot_link *l, const world_state *s)
{
    return (screw){s->sv, revolves(l) ? s->z : v3_zero(), s->dv, s->dw};
}
INL screw link_screw(const robot_link *l, int c, const world_state *s)
{
    if (!is_wide(l)) return narrow_screw(l, s);
    /* S = (o x e, e) or (e, 0) for an axis e of the link, and V x S with the velocity V of the link itself */
    const int way = joint_way(l, c);
    const vec3 e = way % 3 == 0 ? s->x : way % 3 == 1 ? s->y : s->z;
    if (way < 3) return (screw){e, v3_zero(), v3_cross(s->w, e), v3_zero()};
    const vec3 v = v3_cross(s->o, e);
    return (screw){v, e, v3_add(v3_cross(s->w, v), v3_cross(s->v, e)), v3_cross(s->w, e)};
}

/* axes R, origin o and velocity of the link beyond a joint of several freedoms whose parent moves with v, w */
INL void world_wide(const robot_link *l, const num *qd, mat3 R, vec3 o, vec3 v, vec3 w, world_state *s)
{
    s->x = v3(R.xx, R.yx, R.zx);
    s->y = v3(R.xy, R.yy, R.zy);
    s->z = v3(R.xz, R.yz, R.zz);
    s->o = o;
    const vec3 own = m3_mul(R, wide_angular(l, qd));
    s->v = v3_add(v, v3_add(m3_mul(R, wide_linear(l, qd)), v3_cross(s->o, own)));
    s->w = v3_add(w, own);
}

/* where a link that stands on the base has come to */
INL vec3 world_place(const robot *r, int i, turn t, const num *q)
{
    const robot_link *l = &r->link[i];
    const base_frame *b = robot_base(r, l->base);
    const vec3 o = v3_of(con3_at(b->p));
    if (t.wide) return v3_add(o, m3_mul(t.wide->R, t.wide->d));
    return slides(l) ? v3_add(o, v3_scale(q[l->iq], v3_of((con3){b->R[2], b->R[5], b->R[8]}))) : o;
}

/* axes and origin of a link in base axes, its screw and the rate of that screw, about the base origin; up: the link before;
 * about: about this place, which is that of link 0; qd NULL: at rest, no velocities are wanted */
INL void world_frame(const robot *r, int i, turn t, const num *q, const num *qd, const vec3 *about, const world_state *up,
                     world_state *s)
{
    const robot_link *l = &r->link[i];
    vec3 x, y, o, v, w;
    if (l->parent < 0) {
        const par *R = robot_base(r, l->base)->R;
        o = about && i == 0 ? v3_zero() : world_place(r, i, t, q);
        if (about && i > 0) o = v3_sub(o, *about);
        x = v3_of((con3){R[0], R[3], R[6]});
        y = v3_of((con3){R[1], R[4], R[7]});
        s->z = v3_of((con3){R[2], R[5], R[8]});
        v = w = v3_zero();
        if (t.wide) {
            world_wide(l, qd, t.wide->R, o, v, w, s);
            return;
        }
    } else {
        vec3 px = up->x, py = up->y;
        o = v3_add(up->o, v3_add(v3_scalec(l->p[0], px), v3_add(v3_scalec(l->p[1], py), v3_scalec(l->p[2], up->z))));
        v = up->v;
        w = up->w;
        if (t.wide) {
            const mat3 R = m3_times(m3_columns(up->x, up->y, up->z), t.wide->R);
            world_wide(l, qd, R, v3_add(o, m3_mul(R, t.wide->d)), v, w, s);
            return;
        }
        if (l->branch) {
            px = v3_add(v3_scalec(l->cg, up->x), v3_scalec(l->sg, up->y));
            py = v3_sub(v3_scalec(l->cg, up->y), v3_scalec(l->sg, up->x));
        }
        x = px;
        twist_axes(l, py, up->z, &y, &s->z);
        if (slides(l)) o = v3_add(o, v3_scale(q[l->iq], s->z));
    }
    s->x = v3_add(v3_scale(t.c, x), v3_scale(t.s, y));
    s->y = v3_sub(v3_scale(t.c, y), v3_scale(t.s, x));
    s->o = o;
    /* S = (o x z, z) or (z, 0); rate V x S; V = V_p + S qd */
    if (revolves(l)) {
        s->sv = v3_cross(o, s->z);
        if (!qd) return;
        s->dw = v3_cross(w, s->z);
        s->dv = v3_add(v3_cross(w, s->sv), v3_cross(v, s->z));
        s->w = v3_add(w, v3_scale(qd[l->iv], s->z));
    } else {
        s->sv = s->z;
        if (!qd) return;
        s->dw = v3_zero();
        s->dv = v3_cross(w, s->sv);
        s->w = w;
    }
    s->v = v3_add(v, v3_scale(qd[l->iv], s->sv));
}
/* of the first n links */
INL void world_frames(const robot *r, const work *k, int n, int several, const num *q, const num *qd)
{
    for (int i = 0; i < n; i++) {
        const int p = r->link[i].parent;
        AT_JOINT(several, &r->link[i], k, world_frame(r, i, t, q, qd, NULL, &k->link[p < 0 ? 0 : p].world, &k->link[i].world));
    }
}

/* a vector of a link in base axes */
INL vec3 world_axes(const world_state *s, vec3 a)
{
    return v3_add(v3_scale(a.x, s->x), v3_add(v3_scale(a.y, s->y), v3_scale(a.z, s->z)));
}

/* R J R' for a tensor of a link */
INL sym3 world_tensor(sym3 J, const world_state *s)
{
    const vec3 a = v3_add(v3_add(v3_scale(J.xx, s->x), v3_scale(J.xy, s->y)), v3_scale(J.xz, s->z));
    const vec3 b = v3_add(v3_add(v3_scale(J.xy, s->x), v3_scale(J.yy, s->y)), v3_scale(J.yz, s->z));
    const vec3 c = v3_add(v3_add(v3_scale(J.xz, s->x), v3_scale(J.yz, s->y)), v3_scale(J.zz, s->z));
#define ENTRY(i, j) add(add(mul(a.i, s->x.j), mul(b.i, s->y.j)), mul(c.i, s->z.j))
    return (sym3){ENTRY(x, x), ENTRY(x, y), ENTRY(x, z), ENTRY(y, y), ENTRY(y, z), ENTRY(z, z)};
#undef ENTRY
}
/* the inertia of a link about its origin, in its axes */
INL sym3 link_tensor(const robot_link *l)
{
    return (sym3){from(l->J[0]), from(l->J[1]), from(l->J[2]), from(l->J[3]), from(l->J[4]), from(l->J[5])};
}

/* w^ J */
INL mat3 world_turning(vec3 w, sym3 J)
{
    return (mat3){sub(mul(w.y, J.xz), mul(w.z, J.xy)), sub(mul(w.y, J.yz), mul(w.z, J.yy)), sub(mul(w.y, J.zz), mul(w.z, J.yz)),
                  sub(mul(w.z, J.xx), mul(w.x, J.xz)), sub(mul(w.z, J.xy), mul(w.x, J.yz)), sub(mul(w.z, J.xz), mul(w.x, J.zz)),
                  sub(mul(w.x, J.xy), mul(w.y, J.xx)), sub(mul(w.x, J.yy), mul(w.y, J.xy)), sub(mul(w.x, J.yz), mul(w.y, J.xz))};
}

/* mass, first moments, inertia and momentum of a link about the base origin; returns its first moments about its own origin */
INL vec3 world_body(const robot_link *l, world_state *s)
{
    const con3 MS = con3_at(l->MS);
    const vec3 h = v3_add(v3_scalec(MS.x, s->x), v3_add(v3_scalec(MS.y, s->y), v3_scalec(MS.z, s->z)));
    const sym3 J = world_tensor(link_tensor(l), s);
    s->P = v3_add(v3_scalec(l->M, v3_add(s->v, v3_cross(s->w, s->o))), v3_cross(s->w, h));
    /* J about the base origin: + 2 o.k E - (o k' + k o'), k = h + M o/2 */
    const vec3 Mo = v3_scalec(l->M, s->o), m = v3_add(h, v3_scalec(con(0.5), Mo));
    const num d = v3_dot(s->o, m), e = add(d, d);
    s->J = (sym3){add(J.xx, sub(e, mul(add(s->o.x, s->o.x), m.x))),   sub(J.xy, add(mul(s->o.x, m.y), mul(s->o.y, m.x))),
                  sub(J.xz, add(mul(s->o.x, m.z), mul(s->o.z, m.x))), add(J.yy, sub(e, mul(add(s->o.y, s->o.y), m.y))),
                  sub(J.yz, add(mul(s->o.y, m.z), mul(s->o.z, m.y))), add(J.zz, sub(e, mul(add(s->o.z, s->o.z), m.z)))};
    s->M = from(l->M);
    s->MS = v3_add(h, Mo);
    return h;
}

/* the body of a link joined to that of its parent */
INL void world_join(const world_state *s, world_state *up)
{
    up->M = add(up->M, s->M);
    up->MS = v3_add(up->MS, s->MS);
    up->J = s3_add(up->J, s->J);
    up->P = v3_add(up->P, s->P);
}

#endif
