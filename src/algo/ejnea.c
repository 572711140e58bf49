/* SPDX-License-Identifier: MIT
 *
 * ejnea.c - elastic joint Newton-Euler: the torques of rigid links and their first two time derivatives, for trees of revolute
 * and prismatic joints [002 section III, ERRATA 3.2], in the modified-DH frames and linear parameters of rne.c.
 *
 *     tau_e = M(q) qdd + c(q,qd) + g(q) - J'w,   d tau_e/dt,   d^2 tau_e/dt^2
 *
 * Vectors are derivatives in the inertial sense, written in the axes of their link, so a rotation is applied to each and never
 * differentiated. A vector y fixed in a link has the derivatives w x y, U y, V y, W y. Derivation: doc/elastic.md. Cost O(n). */
#include "algo/ejnea.h"

#include "algo/joint.h"
#include "algo/texts.h"

INL vec3 ejnea_twice(vec3 v) { return v3_add(v, v); }
INL vec3 ejnea_thrice(vec3 v) { return v3_scalec(con(3), v); }
/* v x z */
INL vec3 ejnea_cross_z(vec3 v) { return v3(v.y, neg(v.x), of(0)); }
/* to += k v */
INL void ejnea_more(vec3 *to, num k, vec3 v) { *to = v3_add(*to, v3_scale(k, v)); }

/* a^ + S */
INL mat3 ejnea_matrix(vec3 a, sym3 S)
{
    return (mat3){S.xx, sub(S.xy, a.z), add(S.xz, a.y), add(S.xy, a.z), S.yy, sub(S.yz, a.x), sub(S.xz, a.y), add(S.yz, a.x),
                  S.zz};
}

/* U = wd^ + w^ w^, V and W of a link as skew plus symmetric parts             doc/elastic.md (6)-(8) */
INL void ejnea_matrices(ejnea_state *s, int order)
{
    const vec3 w = s->w, g = s->g;
    const num xx = mul(w.x, w.x), yy = mul(w.y, w.y), zz = mul(w.z, w.z), ww = add(add(xx, yy), zz);
    s->U = ejnea_matrix(g, (sym3){sub(xx, ww), mul(w.x, w.y), mul(w.x, w.z), sub(yy, ww), mul(w.y, w.z), sub(zz, ww)});
    /* V = [i - w.w w + c/2]^ + 3/2 (w g' + g w') - 3 w.g E,  c = g x w */
    const vec3 c = v3_cross(g, w);
    const num px = mul(w.x, g.x), py = mul(w.y, g.y), pz = mul(w.z, g.z), wg = add(add(px, py), pz);
    s->c = c;
    s->V = ejnea_matrix(v3_add(v3_sub(s->i, v3_scale(ww, w)), v3_scalec(con(0.5), c)),
                        (sym3){mulc(con(3), sub(px, wg)), mulc(con(1.5), add(mul(w.x, g.y), mul(w.y, g.x))),
                               mulc(con(1.5), add(mul(w.x, g.z), mul(w.z, g.x))), mulc(con(3), sub(py, wg)),
                               mulc(con(1.5), add(mul(w.y, g.z), mul(w.z, g.y))), mulc(con(3), sub(pz, wg))});
    if (order < 2) return;
    /* W = [s - 2 w.w g - 4 w.g w + i x w]^ + w h' + h w' + 3 g g' + (w.w^2 - 3 g.g - 4 w.i) E,  h = 2 i + c - w.w w/2 */
    const vec3 h = v3_sub(v3_add(ejnea_twice(s->i), c), v3_scale(mulc(con(0.5), ww), w)), gg = ejnea_thrice(g);
    const num diagonal = sub(mul(ww, ww), add(v3_dot(gg, g), mulc(con(4), v3_dot(w, s->i))));
    s->ciw = v3_cross(s->i, w);
    const vec3 a = v3_add(v3_sub(s->s, v3_add(v3_scale(add(ww, ww), g), v3_scale(mulc(con(4), wg), w))), s->ciw);
    const vec3 w2 = ejnea_twice(w);
    s->W = ejnea_matrix(
        a, (sym3){add(add(mul(w2.x, h.x), mul(gg.x, g.x)), diagonal), add(add(mul(w.x, h.y), mul(w.y, h.x)), mul(gg.x, g.y)),
                  add(add(mul(w.x, h.z), mul(w.z, h.x)), mul(gg.x, g.z)), add(add(mul(w2.y, h.y), mul(gg.y, g.y)), diagonal),
                  add(add(mul(w.y, h.z), mul(w.z, h.y)), mul(gg.y, g.z)), add(add(mul(w2.z, h.z), mul(gg.z, g.z)), diagonal)});
}

/* columns of U, V, W: derivatives of z */
INL vec3 ejnea_column(mat3 A) { return v3(A.xz, A.yz, A.zz); }

/* Motion of link i from its parent's. x[k]: k-th derivative of the joint. */
INL void ejnea_motion(const robot *r, const work *k, ejnea_state *all, int i, const num x[5], int order)
{
    const robot_link *l = &r->link[i];
    ejnea_state *s = &all[i];
    const turn t = joint_turn(l, k);
    if (l->parent < 0) {
        s->w = s->g = s->i = s->s = s->j = s->sn = v3_zero();
        s->a = lift_into_link(r, l, t); /* a_0 = -g [002 text after eq. 26] */
    } else {
        const ejnea_state *up = &all[l->parent];
        const con3 p = con3_at(l->p);
        /* D2(p), D3(p), D4(p) of the parent                                       [002 eq. 21, 23, 25, ERRATA 3.2] */
        s->Up = m3_mulc(up->U, p);
        s->wp = v3_neg(con3_cross(p, up->w));
        s->w = into_link(l, t, up->w);
        s->g = into_link(l, t, up->g);
        s->i = into_link(l, t, up->i);
        s->a = into_link(l, t, v3_add(up->a, s->Up));
        s->j = into_link(l, t, v3_add(up->j, m3_mulc(up->V, p)));
        if (order > 1) {
            s->s = into_link(l, t, up->s);
            s->sn = into_link(l, t, v3_add(up->sn, m3_mulc(up->W, p)));
        }
    }
    if (revolves(l)) {
        /* derivatives of the axis, carried by the parent: d1 = w x z, d2 = g x z + w x d1, d3 = i x z + 2 g x d1 + w x d2 */
        const vec3 w = s->w, g = s->g;
        const vec3 d1 = ejnea_cross_z(w), d2 = v3_add(ejnea_cross_z(g), v3_cross(w, d1));
        if (order > 1) {
            const vec3 d3 = v3_add(v3_add(ejnea_cross_z(s->i), ejnea_twice(v3_cross(g, d1))), v3_cross(w, d2));
            /* s += q'''' z + 3 q''' d1 + 3 q'' d2 + q' d3                         [002 eq. 20, ERRATA 3.2] */
            ejnea_more(&s->s, mulc(con(3), x[3]), d1);
            ejnea_more(&s->s, mulc(con(3), x[2]), d2);
            ejnea_more(&s->s, x[1], d3);
            s->s.z = add(s->s.z, x[4]);
        }
        /* i += q''' z + 2 q'' d1 + q' d2                                          [002 eq. 19, ERRATA 3.2] */
        ejnea_more(&s->i, add(x[2], x[2]), d1);
        ejnea_more(&s->i, x[1], d2);
        s->i.z = add(s->i.z, x[3]);
        /* g += q'' z + q' d1, w += q' z                                           [002 eq. 17, 18] */
        ejnea_more(&s->g, x[1], d1);
        s->g.z = add(s->g.z, x[2]);
        s->w.z = add(s->w.z, x[1]);
    }
    ejnea_matrices(s, order);
    if (slides(l)) {
        const vec3 d1 = ejnea_cross_z(s->w), d2 = ejnea_column(s->U), d3 = ejnea_column(s->V);
        /* a += q'' z + 2 q' d1 + q d2                                             [002 eq. 21, ERRATA 3.2] */
        ejnea_more(&s->a, add(x[1], x[1]), d1);
        ejnea_more(&s->a, x[0], d2);
        s->a.z = add(s->a.z, x[2]);
        /* j += q''' z + 3 q'' d1 + 3 q' d2 + q d3                                 [002 eq. 23, ERRATA 3.2] */
        ejnea_more(&s->j, mulc(con(3), x[2]), d1);
        ejnea_more(&s->j, mulc(con(3), x[1]), d2);
        ejnea_more(&s->j, x[0], d3);
        s->j.z = add(s->j.z, x[3]);
        if (order > 1) {
            /* s += q'''' z + 4 q''' d1 + 6 q'' d2 + 4 q' d3 + q d4                [002 eq. 25, ERRATA 3.2] */
            ejnea_more(&s->sn, mulc(con(4), x[3]), d1);
            ejnea_more(&s->sn, mulc(con(6), x[2]), d2);
            ejnea_more(&s->sn, mulc(con(4), x[1]), d3);
            ejnea_more(&s->sn, x[0], ejnea_column(s->W));
            s->sn.z = add(s->sn.z, x[4]);
        }
    }
}

/* Force and moment of the link's own motion about its origin, and their derivatives. */
INL void ejnea_forces(const robot_link *l, ejnea_state *s, int order)
{
    const con3 MS = con3_at(l->MS);
    const vec3 w = s->w, g = s->g, i = s->i;
    /* F = M a + U MS, F' = M j + V MS, F'' = M s + W MS       [002 eq. 22, 24, 26-29] with first moments instead of centres */
    const vec3 wMS = v3_neg(con3_cross(MS, w)), UMS = m3_mulc(s->U, MS);
    s->f[0] = v3_add(v3_scalec(l->M, s->a), UMS);
    s->f[1] = v3_add(v3_scalec(l->M, s->j), m3_mulc(s->V, MS));
    /* J w, J g, J (i + g x w); about the origin as about any point of the link */
    const vec3 L = link_inertia(l, w), Lg = link_inertia(l, g), Li = link_inertia(l, v3_add(i, s->c));
    const vec3 N = v3_add(Lg, v3_cross(w, L));                                      /* [002 eq. 30] */
    const vec3 N1 = v3_add(v3_add(Li, v3_cross(g, L)), v3_cross(w, v3_add(Lg, N))); /* [002 eq. 31] */
    /* N + MS x a, and its derivatives                                             [002 eq. 36-38] */
    s->m[0] = v3_add(N, con3_cross(MS, s->a));
    s->m[1] = v3_add(N1, v3_add(v3_cross(wMS, s->a), con3_cross(MS, s->j)));
    s->f[2] = s->m[2] = v3_zero();
    if (order < 2) return;
    s->f[2] = v3_add(v3_scalec(l->M, s->sn), m3_mulc(s->W, MS));
    /* N'' = g x (J g + 2 N) + i x J w + J [2 i x w + w x (w x g) + s] + w x [w x J g + 2 J (i + g x w) + N']   [002 eq. 32] */
    const vec3 inner = v3_add(v3_sub(ejnea_twice(s->ciw), v3_cross(w, s->c)), s->s);
    const vec3 outer = v3_add(v3_add(v3_cross(w, Lg), ejnea_twice(Li)), N1);
    const vec3 N2 = v3_add(v3_add(v3_cross(g, v3_add(Lg, ejnea_twice(N))), v3_cross(i, L)),
                           v3_add(link_inertia(l, inner), v3_cross(w, outer)));
    s->m[2] = v3_add(v3_add(N2, v3_cross(UMS, s->a)), v3_add(v3_cross(ejnea_twice(wMS), s->j), con3_cross(MS, s->sn)));
}

/* Wrench of a link and its derivatives onto its parent, which feels them at its own origin   [002 eq. 33-38, ERRATA 3.2] */
INL void ejnea_into_parent(const robot_link *l, turn t, const num x[5], const ejnea_state *s, ejnea_state *up, int order)
{
    vec3 m[3] = {s->m[0], s->m[1], order > 1 ? s->m[2] : v3_zero()}, f[3];
    if (slides(l)) {
        /* e = q z, e' = q' z + q d1, e'' = q'' z + 2 q' d1 + q d2 */
        const vec3 d1 = ejnea_cross_z(s->w);
        vec3 e1 = v3_scale(x[0], d1);
        e1.z = add(e1.z, x[1]);
        m[0] = v3_add(m[0], z_cross(x[0], s->f[0]));
        m[1] = v3_add(m[1], v3_add(v3_cross(e1, s->f[0]), z_cross(x[0], s->f[1])));
        if (order > 1) {
            vec3 e2 = v3_add(v3_scale(add(x[1], x[1]), d1), v3_scale(x[0], ejnea_column(s->U)));
            e2.z = add(e2.z, x[2]);
            m[2] =
                v3_add(v3_add(m[2], v3_cross(e2, s->f[0])), v3_add(v3_cross(ejnea_twice(e1), s->f[1]), z_cross(x[0], s->f[2])));
        }
    }
    for (int d = 0; d <= order; d++) {
        f[d] = into_parent(l, t, s->f[d]);
        up->f[d] = v3_add(up->f[d], f[d]);
        up->m[d] = v3_add(up->m[d], v3_add(into_parent(l, t, m[d]), con3_cross(con3_at(l->p), f[d])));
    }
    up->m[1] = v3_add(up->m[1], v3_cross(s->wp, f[0]));
    if (order > 1) up->m[2] = v3_add(up->m[2], v3_add(v3_cross(s->Up, f[0]), v3_cross(ejnea_twice(s->wp), f[1])));
}

/* Component along the axis and its derivatives   [002 eq. 39-41] */
INL void ejnea_torque(const vec3 y[3], const ejnea_state *s, int order, num *tau, int n)
{
    const vec3 w = s->w;
    const vec3 u = v3_cross(y[0], w);
    tau[0] = y[0].z;
    tau[n] = add(y[1].z, u.z);
    if (order < 2) return;
    const num once = sub(mul(y[1].x, w.y), mul(y[1].y, w.x));
    const num twice = add(sub(mul(y[0].x, s->g.y), mul(y[0].y, s->g.x)), sub(mul(u.x, w.y), mul(u.y, w.x)));
    tau[2 * n] = add(y[2].z, add(add(once, once), twice));
}

/* ---- external wrenches ---- */

/* Inertial derivatives of a vector that is given in link axes with the derivatives of its components. */
INL void ejnea_carried(const ejnea_state *s, vec3 v[3])
{
    v[2] = v3_add(v3_add(v[2], ejnea_twice(v3_cross(s->w, v[1]))), m3_mul(s->U, v[0]));
    v[1] = v3_add(v[1], v3_cross(s->w, v[0]));
}

/* Subtracts from link b a wrench acting ON it at the point o: everything with its derivatives, in its axes. */
INL void ejnea_act(ejnea_state *s, const vec3 f[3], const vec3 m[3], const vec3 o[3])
{
    for (int d = 0; d < 3; d++) s->f[d] = v3_sub(s->f[d], f[d]);
    s->m[0] = v3_sub(s->m[0], v3_add(m[0], v3_cross(o[0], f[0])));
    s->m[1] = v3_sub(s->m[1], v3_add(m[1], v3_add(v3_cross(o[1], f[0]), v3_cross(o[0], f[1]))));
    s->m[2] = v3_sub(s->m[2],
                     v3_add(m[2], v3_add(v3_add(v3_cross(o[2], f[0]), v3_cross(o[0], f[2])), ejnea_twice(v3_cross(o[1], f[1])))));
}

/* One wrench: w[0], its rate w[1] and its acceleration w[2] (NULL: zero), as wrench.c brings it to the link. */
INL void ejnea_wrench(const robot *r, const work *k, ejnea_state *all, const num *q, const num *qd, const arne_wrench *const w[3])
{
    const named_frame *frame = robot_frame(r, w[0]->link);
    if (frame->body < 0) return; /* on the base: no joint feels it */
    ejnea_state *s = &all[frame->body];
    vec3 f[3], m[3], o[3] = {v3(of(w[0]->point[0]), of(w[0]->point[1]), of(w[0]->point[2]))};
    for (int d = 0; d < 3; d++) {
        f[d] = w[d] ? v3(of(w[d]->force[0]), of(w[d]->force[1]), of(w[d]->force[2])) : v3_zero();
        m[d] = w[d] ? v3(of(w[d]->moment[0]), of(w[d]->moment[1]), of(w[d]->moment[2])) : v3_zero();
    }
    num R[9], p[3], v[6];
    vec3 down = v3_zero();
    if (w[0]->frame != ARNE_LOCAL) {
        /* into link axes: R'v, R the pose of the link */
        EXPORT(frame_pose)(r, k, q, w[0]->link, R, p);
        const vec3 x = v3(R[0], R[3], R[6]), y = v3(R[1], R[4], R[7]), z = v3(R[2], R[5], R[8]), at = v3(p[0], p[1], p[2]);
        for (int d = 0; d < 3; d++) {
            f[d] = v3(v3_dot(x, f[d]), v3_dot(y, f[d]), v3_dot(z, f[d]));
            m[d] = v3(v3_dot(x, m[d]), v3_dot(y, m[d]), v3_dot(z, m[d]));
        }
        const con3 g = con3_at(r->g);
        down = v3(v3_dotc(g, x), v3_dotc(g, y), v3_dotc(g, z));
        if (w[0]->frame == ARNE_WORLD) o[0] = v3_neg(v3(v3_dot(x, at), v3_dot(y, at), v3_dot(z, at)));
    }
    for (int d = 0; d < 3; d++) {
        f[d] = rot_of(frame->R, f[d]);
        m[d] = rot_of(frame->R, m[d]);
    }
    const vec3 origin = v3_of(con3_at(frame->p));
    o[0] = v3_add(rot_of(frame->R, o[0]), origin);
    if (w[0]->frame == ARNE_WORLD) {
        /* the world origin stands still: it runs away from the link's by -v, -a; a of the recursion holds -g */
        EXPORT(frame_velocity)(r, k, q, qd, w[0]->link, v);
        o[1] = v3_sub(v3_cross(s->w, origin), rot_of(frame->R, v3(v[0], v[1], v[2])));
        o[2] = v3_neg(v3_add(s->a, rot_of(frame->R, down)));
    } else {
        o[1] = v3_cross(s->w, o[0]);
        o[2] = m3_mul(s->U, o[0]);
    }
    if (w[0]->frame == ARNE_LOCAL) {
        ejnea_carried(s, f);
        ejnea_carried(s, m);
    }
    ejnea_act(s, f, m, o);
}

INL void ejnea_wrenches(const robot *r, const work *k, ejnea_state *all, const num *q, const num *qd, const arne_wrench *rate,
                        const arne_wrench *acceleration)
{
    for (int e = 0; e < r->nwrench; e++) {
        const arne_wrench *const w[3] = {robot_wrench(r, e), rate ? &rate[e] : 0, acceleration ? &acceleration[e] : 0};
        ejnea_wrench(r, k, all, q, qd, w);
    }
    /* given: a wrench on the last link, constant in its axes */
    for (int i = 0; i < r->n && r->nwrench < 0; i++) {
        vec3 f[3] = {k->force[i], v3_zero(), v3_zero()}, m[3] = {k->moment[i], v3_zero(), v3_zero()};
        const vec3 at_origin[3] = {v3_zero(), v3_zero(), v3_zero()};
        ejnea_carried(&all[i], f);
        ejnea_carried(&all[i], m);
        ejnea_act(&all[i], f, m, at_origin);
    }
}

/* ---- the text ---- */

/* derivatives 0 ... 4 of joint i; q: 5 x n, the last row not read below order 2 */
INL void ejnea_joint(const num *q, int n, int i, int order, num x[5])
{
    for (int d = 0; d < 4; d++) x[d] = q[d * n + i];
    x[4] = order > 1 ? q[4 * n + i] : of(0);
}

INL void ejnea_run(const robot *r, const work *k, ejnea_state *all, int order, const num *q, const arne_wrench *rate,
                   const arne_wrench *acceleration, num *tau)
{
    const int n = r->n;
    num x[5];
    joint_turns(r, k, q);
    for (int i = 0; i < n; i++) {
        ejnea_joint(q, n, i, order, x);
        ejnea_motion(r, k, all, i, x, order);
        ejnea_forces(&r->link[i], &all[i], order);
    }
    if (r->nwrench) ejnea_wrenches(r, k, all, q, q + n, rate, acceleration);
    for (int i = n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const ejnea_state *s = &all[i];
        ejnea_torque(revolves(l) ? s->m : s->f, s, order, tau + i, n);
        if (l->parent < 0) continue;
        ejnea_joint(q, n, i, order, x);
        ejnea_into_parent(l, joint_turn(l, k), x, s, &all[l->parent], order);
    }
}

void EXPORT(ejnea)(const robot *r, const work *k, ejnea_state *state, int order, const num *q, const arne_wrench *rate,
                   const arne_wrench *acceleration, num *tau)
{
    if (order > 1)
        ejnea_run(r, k, state, 2, q, rate, acceleration, tau);
    else
        ejnea_run(r, k, state, 1, q, rate, acceleration, tau);
}
