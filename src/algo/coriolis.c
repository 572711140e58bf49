/* SPDX-License-Identifier: MIT
 *
 * coriolis.c - the Coriolis terms factored: NE*(q, qd, qa, qdd) with two velocities, and the matrix C(q, qd) with Mdot = C + C'.
 *
 * NE* = M qdd + C(q,qd) qa + g in one sweep [000 eq. 18-21, ERRATA part one 1]. Angular acceleration and centripetal terms take
 * the choice 1 of the paper, al = sum of qa w x z and wa x (w x r); the choices of its last index differ by a multiple of w x wa
 * only, so one text serves all three factorizations: with kappa times w x wa taken off the moment of a link, 1110: kappa = m c^2,
 * Christoffel: kappa = Tr(J)/2,   0001: kappa = Tr(J) - m c^2       doc/coriolis.md The split of a prismatic joint's term is the
 * symmetric one, qd wa x z + qa w x z [ERRATA part one 1.3]. */
#include "algo/joint.h"
#include "algo/loads.h"
#include "algo/world.h"
#include "arne/coriolis.h"

INL num coriolis_kappa(const robot_link *l, int factor)
{
    const num trace = add(add(from(l->J[0]), from(l->J[3])), from(l->J[5])), own = from(l->MC);
    return factor == ARNE_STAR1110 ? own : factor == ARNE_STAR0001 ? sub(trace, own) : mulc(con(0.5), trace);
}

/* al^ + wa^ w^ = al^ + w wa' - (w.wa) E */
INL mat3 star_U(vec3 al, vec3 w, vec3 wa)
{
    const num d = v3_dot(w, wa);
    return (mat3){sub(mul(w.x, wa.x), d),    sub(mul(w.x, wa.y), al.z), add(mul(w.x, wa.z), al.y),
                  add(mul(w.y, wa.x), al.z), sub(mul(w.y, wa.y), d),    sub(mul(w.y, wa.z), al.x),
                  sub(mul(w.z, wa.x), al.y), add(mul(w.z, wa.y), al.x), sub(mul(w.z, wa.z), d)};
}

/* Beyond a joint of several freedoms, with its own velocities v, u by qd and va, ua by qa:
 * a += al x d + wa x (w x d) + wa x v + (w + u) x va + v'; al += (w + u) x ua + u'. Own derivation, doc/free.md. */
INL void star_wide(const robot_link *l, turn t, const num *qd, const num *qa, const num *qdd, vec3 *w, vec3 *wa, vec3 *al,
                   vec3 *a)
{
    const vec3 d = t.wide->d, sum = v3_add(*w, wide_angular(l, qd)), ua = wide_angular(l, qa);
    const vec3 carried = v3_add(v3_cross(*al, d), v3_cross(*wa, v3_add(v3_cross(*w, d), wide_linear(l, qd))));
    *a = v3_add(v3_add(*a, carried), v3_add(v3_cross(sum, wide_linear(l, qa)), wide_linear(l, qdd)));
    *al = v3_add(*al, v3_add(v3_cross(sum, ua), wide_angular(l, qdd)));
    *w = sum;
    *wa = v3_add(*wa, ua);
}

INL void star_link(const robot *r, const work *k, int i, turn t, int factor, const num *q, const num *qd, const num *qa,
                   const num *qdd)
{
    const robot_link *l = &r->link[i];
    star_state *s = &k->link[i].star;
    const num x = q[l->iq], rate = qd[l->iv], second = qa[l->iv];
    vec3 w, wa, al, a;
    if (l->parent < 0) {
        w = wa = al = v3_zero();
        a = lift_into_link(r, l, t);
    } else {
        const star_state *up = &k->link[l->parent].star;
        w = into_link(l, t, up->w);
        wa = into_link(l, t, up->wa);
        al = into_link(l, t, up->al);
        a = into_link(l, t, v3_add(up->a, m3_mulc(up->U, con3_at(l->p)))); /* (LAR'*_1) */
    }
    if (t.wide) {
        star_wide(l, t, qd, qa, qdd, &w, &wa, &al, &a);
    } else if (revolves(l)) {
        /* al += qa w x z + qdd z (AAR*_1); w += qd z (AVR); wa += qa z (AVR*) */
        al.x = add(al.x, mul(w.y, second));
        al.y = sub(al.y, mul(w.x, second));
        al.z = add(al.z, qdd[l->iv]);
        w.z = add(w.z, rate);
        wa.z = add(wa.z, second);
    }
    const mat3 U = star_U(al, w, wa);
    if (!t.wide && slides(l)) {
        /* a += U z q + qdd z + qd wa x z + qa w x z  [ERRATA part one 1.3] */
        a.x = add(a.x, add(mul(U.xz, x), add(mul(wa.y, rate), mul(w.y, second))));
        a.y = add(a.y, sub(mul(U.yz, x), add(mul(wa.x, rate), mul(w.x, second))));
        a.z = add(a.z, add(mul(U.zz, x), qdd[l->iv]));
    }
    const con3 MS = con3_at(l->MS);
    s->w = w;
    s->wa = wa;
    s->al = al;
    s->a = a;
    s->U = U;
    /* F = M a + U MS; N = J al + w x J wa - kappa w x wa + MS x a */
    s->f = v3_add(v3_scalec(l->M, a), m3_mulc(U, MS));
    const vec3 turning = v3_sub(link_inertia(l, wa), v3_scale(coriolis_kappa(l, factor), wa));
    s->m = v3_add(v3_add(link_inertia(l, al), v3_cross(w, turning)), con3_cross(MS, a));
}

INL void star_joint(const robot *r, const work *k, int i, turn t, const num *q, num *tau)
{
    const robot_link *l = &r->link[i];
    const star_state *s = &k->link[i].star;
    joint_project(l, t, s->f, s->m, tau); /* (FP) */
    if (l->parent < 0) return;
    star_state *up = &k->link[l->parent].star;
    wrench_into_parent(l, t, q, s->f, s->m, &up->f, &up->m);
}

INL void star_passes(const robot *r, const work *k, int several, int factor, const num *q, const num *qd, const num *qa,
                     const num *qdd, num *tau)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, star_link(r, k, i, t, factor, q, qd, qa, qdd));
    for (int i = r->n - 1; i >= 0; i--) AT_JOINT(several, &r->link[i], k, star_joint(r, k, i, t, q, tau));
}

void EXPORT(star)(const robot *r, const work *k, int factor, const num *q, const num *qd, const num *qa, const num *qdd, num *tau)
{
    joint_turns(r, k, q);
    FOR_ROBOT(r, star_passes(r, k, several, factor, q, qd, qa, qdd, tau));
    load_rotors(r, qdd, tau);
}

/* a^ b^ = b a' - (a.b) E, taken off */
INL mat3 less_cross_cross(mat3 m, vec3 a, vec3 b)
{
    const num d = v3_dot(a, b);
    m = m3_less(m, b, a);
    m.xx = add(m.xx, d);
    m.yy = add(m.yy, d);
    m.zz = add(m.zz, d);
    return m;
}

/* B: the moment that a link takes for wa at rest accelerations, B = w^ J - kappa w^ - h^ v^ - o^ P^ with v the velocity of the
 * link origin, J about it */
INL void coriolis_body(const robot_link *l, int factor, world_state *s)
{
    const sym3 J = world_tensor(link_tensor(l), s);
    const vec3 h = world_body(l, s), vo = v3_add(s->v, v3_cross(s->w, s->o));
    mat3 B = world_turning(s->w, J);
    const vec3 kw = v3_scale(coriolis_kappa(l, factor), s->w);
    B.xy = add(B.xy, kw.z), B.xz = sub(B.xz, kw.y), B.yz = add(B.yz, kw.x);
    B.yx = sub(B.yx, kw.z), B.zx = add(B.zx, kw.y), B.zy = sub(B.zy, kw.x);
    s->B = less_cross_cross(less_cross_cross(B, h, vo), s->o, s->P);
}

/* the freedoms of a joint; several 0: no joint of the robot has more than one */
INL int coriolis_freedoms(const robot_link *l, int several) { return several ? l->nv : 1; }
INL screw coriolis_screw(const robot_link *l, int c, const world_state *s, int several)
{
    return several ? link_screw(l, c, s) : narrow_screw(l, s);
}

/* S_i'(f, m) into entries (v, i) of a column for every freedom v of a joint */
INL void screw_dots(const robot_link *l, const world_state *s, vec3 f, vec3 m, num *column, int n, int several)
{
    for (int c = 0; c < coriolis_freedoms(l, several); c++) {
        const screw e = coriolis_screw(l, c, s, several);
        const num along = v3_dot(e.v, f);
        column[(l->iv + c) * n] = slides(l) ? along : add(along, v3_dot(e.w, m));
    }
}

/* columns of joint j, and rows where the others are below it */
INL void coriolis_joint(const robot *r, const work *k, int j, int several, num *C)
{
    const int n = r->nv;
    const robot_link *l = &r->link[j];
    const world_state *s = &k->link[j].world;
    for (int c = 0; c < coriolis_freedoms(l, several); c++) {
        const screw S = coriolis_screw(l, c, s, several);
        const int v = l->iv + c;
        /* I S, I dS + B S, and B'S */
        const vec3 f = v3_add(v3_scale(s->M, S.v), v3_cross(S.w, s->MS)), m = v3_add(s3_mul(s->J, S.w), v3_cross(s->MS, S.v));
        const vec3 ef = v3_add(v3_scale(s->M, S.dv), v3_add(v3_cross(S.dw, s->MS), v3_cross(S.w, s->P)));
        const vec3 em = v3_add(s3_mul(s->J, S.dw), v3_add(v3_cross(s->MS, S.dv), m3_mul(s->B, S.w)));
        const vec3 u = v3_add(v3_cross(s->P, S.v), m3_tmul(s->B, S.w));
        screw_dots(l, s, ef, em, C + v, n, several);
        for (int i = l->parent; i >= 0; i = r->link[i].parent) {
            const world_state *a = &k->link[i].world;
            const robot_link *up = &r->link[i];
            screw_dots(up, a, ef, em, C + v, n, several);
            for (int d = 0; d < coriolis_freedoms(up, several); d++) {
                const screw A = coriolis_screw(up, d, a, several);
                const num below = add(v3_dot(f, A.dv), v3_dot(m, A.dw));
                C[v * n + up->iv + d] = slides(up) ? below : add(below, v3_dot(u, A.w));
            }
        }
    }
    if (l->parent < 0) return;
    world_state *up = &k->link[l->parent].world;
    world_join(s, up);
    up->B = m3_add(up->B, s->B);
}

/* C_ij = S_i'(I dS_j + B S_j) over the outer of the two bodies with all it carries: O(n^2) */
INL void coriolis_joints(const robot *r, const work *k, int several, int factor, const num *q, const num *qd, num *C)
{
    world_frames(r, k, r->n, several, q, qd);
    for (int i = 0; i < r->n; i++) coriolis_body(&r->link[i], factor, &k->link[i].world);
    for (int j = r->n - 1; j >= 0; j--) coriolis_joint(r, k, j, several, C);
}

void EXPORT(coriolis_matrix)(const robot *r, const work *k, int factor, const num *q, const num *qd, num *C)
{
    joint_turns(r, k, q);
    for (int i = 0; i < r->nv * r->nv; i++) C[i] = of(0);
    FOR_ROBOT(r, coriolis_joints(r, k, several, factor, q, qd, C));
}
