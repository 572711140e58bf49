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

INL void star_forward(const robot *r, const work *k, int factor, const num *q, const num *qd, const num *qa, const num *qdd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        star_state *s = &k->link[i].star;
        const turn t = joint_turn(l, k);
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
        if (revolves(l)) {
            /* al += qa w x z + qdd z (AAR*_1); w += qd z (AVR); wa += qa z (AVR*) */
            al.x = add(al.x, mul(w.y, second));
            al.y = sub(al.y, mul(w.x, second));
            al.z = add(al.z, qdd[l->iv]);
            w.z = add(w.z, rate);
            wa.z = add(wa.z, second);
        }
        const mat3 U = star_U(al, w, wa);
        if (slides(l)) {
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
}

void EXPORT(star)(const robot *r, const work *k, int factor, const num *q, const num *qd, const num *qa, const num *qdd, num *tau)
{
    joint_turns(r, k, q);
    star_forward(r, k, factor, q, qd, qa, qdd);
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const star_state *s = &k->link[i].star;
        joint_project(l, s->f, s->m, tau); /* (FP) */
        if (l->parent < 0) continue;
        star_state *up = &k->link[l->parent].star;
        wrench_into_parent(l, joint_turn(l, k), q, s->f, s->m, &up->f, &up->m);
    }
    load_rotors(r, qdd, tau);
}

/* axes and origin of every link in base axes, its screw and the rate of that screw, about the base origin */
INL void coriolis_frames(const robot *r, const work *k, const num *q, const num *qd)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        coriolis_state *s = &k->link[i].coriolis;
        const turn t = joint_turn(l, k);
        vec3 x, y, o, v, w;
        if (l->parent < 0) {
            const par *R = robot_base(r, l->base)->R;
            x = v3_of((con3){R[0], R[3], R[6]});
            y = v3_of((con3){R[1], R[4], R[7]});
            s->z = v3_of((con3){R[2], R[5], R[8]});
            o = v3_of(con3_at(robot_base(r, l->base)->p));
            v = w = v3_zero();
        } else {
            const coriolis_state *up = &k->link[l->parent].coriolis;
            vec3 px = up->x, py = up->y;
            o = v3_add(up->o, v3_add(v3_scalec(l->p[0], px), v3_add(v3_scalec(l->p[1], py), v3_scalec(l->p[2], up->z))));
            if (l->branch) {
                px = v3_add(v3_scalec(l->cg, up->x), v3_scalec(l->sg, up->y));
                py = v3_sub(v3_scalec(l->cg, up->y), v3_scalec(l->sg, up->x));
            }
            x = px;
            y = v3_add(v3_scalec(l->ca, py), v3_scalec(l->sa, up->z));
            s->z = v3_sub(v3_scalec(l->ca, up->z), v3_scalec(l->sa, py));
            v = up->v;
            w = up->w;
        }
        s->x = v3_add(v3_scale(t.c, x), v3_scale(t.s, y));
        s->y = v3_sub(v3_scale(t.c, y), v3_scale(t.s, x));
        s->o = slides(l) ? v3_add(o, v3_scale(q[l->iq], s->z)) : o;
        /* S = (o x z, z) or (z, 0); rate V x S; V = V_p + S qd */
        s->sv = revolves(l) ? v3_cross(s->o, s->z) : s->z;
        s->dw = revolves(l) ? v3_cross(w, s->z) : v3_zero();
        s->dv = v3_cross(w, s->sv);
        if (revolves(l)) s->dv = v3_add(s->dv, v3_cross(v, s->z));
        s->v = v3_add(v, v3_scale(qd[l->iv], s->sv));
        s->w = revolves(l) ? v3_add(w, v3_scale(qd[l->iv], s->z)) : w;
    }
}

/* R J R' for the constant tensor of a link */
INL sym3 coriolis_tensor(const par J[6], const coriolis_state *s)
{
    const vec3 a = v3_add(v3_add(v3_scalec(J[0], s->x), v3_scalec(J[1], s->y)), v3_scalec(J[2], s->z));
    const vec3 b = v3_add(v3_add(v3_scalec(J[1], s->x), v3_scalec(J[3], s->y)), v3_scalec(J[4], s->z));
    const vec3 c = v3_add(v3_add(v3_scalec(J[2], s->x), v3_scalec(J[4], s->y)), v3_scalec(J[5], s->z));
#define ENTRY(i, j) add(add(mul(a.i, s->x.j), mul(b.i, s->y.j)), mul(c.i, s->z.j))
    return (sym3){ENTRY(x, x), ENTRY(x, y), ENTRY(x, z), ENTRY(y, y), ENTRY(y, z), ENTRY(z, z)};
#undef ENTRY
}

/* w^ J */
INL mat3 coriolis_turning(vec3 w, sym3 J)
{
    return (mat3){sub(mul(w.y, J.xz), mul(w.z, J.xy)), sub(mul(w.y, J.yz), mul(w.z, J.yy)), sub(mul(w.y, J.zz), mul(w.z, J.yz)),
                  sub(mul(w.z, J.xx), mul(w.x, J.xz)), sub(mul(w.z, J.xy), mul(w.x, J.yz)), sub(mul(w.z, J.xz), mul(w.x, J.zz)),
                  sub(mul(w.x, J.xy), mul(w.y, J.xx)), sub(mul(w.x, J.yy), mul(w.y, J.xy)), sub(mul(w.x, J.yz), mul(w.y, J.xz))};
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

/* mass, first moments, inertia and momentum of a link about the base origin, and B: the moment it takes for wa at rest
 * accelerations, B = w^ J - kappa w^ - h^ v^ - o^ P^ with v the velocity of the link origin */
INL void coriolis_body(const robot_link *l, int factor, coriolis_state *s)
{
    const con3 MS = con3_at(l->MS);
    const vec3 h = v3_add(v3_scalec(MS.x, s->x), v3_add(v3_scalec(MS.y, s->y), v3_scalec(MS.z, s->z)));
    const vec3 vo = v3_add(s->v, v3_cross(s->w, s->o));
    const sym3 J = coriolis_tensor(l->J, s);
    const num kappa = coriolis_kappa(l, factor);
    s->P = v3_add(v3_scalec(l->M, vo), v3_cross(s->w, h));
    mat3 B = coriolis_turning(s->w, J);
    const vec3 kw = v3_scale(kappa, s->w);
    B.xy = add(B.xy, kw.z), B.xz = sub(B.xz, kw.y), B.yz = add(B.yz, kw.x);
    B.yx = sub(B.yx, kw.z), B.zx = add(B.zx, kw.y), B.zy = sub(B.zy, kw.x);
    s->B = less_cross_cross(less_cross_cross(B, h, vo), s->o, s->P);
    /* J about the base origin: + 2 o.k E - (o k' + k o'), k = h + M o/2 */
    const vec3 Mo = v3_scalec(l->M, s->o), m = v3_add(h, v3_scalec(con(0.5), Mo));
    const num d = v3_dot(s->o, m), e = add(d, d);
    s->J = (sym3){add(J.xx, sub(e, mul(add(s->o.x, s->o.x), m.x))),   sub(J.xy, add(mul(s->o.x, m.y), mul(s->o.y, m.x))),
                  sub(J.xz, add(mul(s->o.x, m.z), mul(s->o.z, m.x))), add(J.yy, sub(e, mul(add(s->o.y, s->o.y), m.y))),
                  sub(J.yz, add(mul(s->o.y, m.z), mul(s->o.z, m.y))), add(J.zz, sub(e, mul(add(s->o.z, s->o.z), m.z)))};
    s->M = from(l->M);
    s->MS = v3_add(h, Mo);
}

INL num screw_dot(const robot_link *l, const coriolis_state *s, vec3 f, vec3 m)
{
    return revolves(l) ? add(v3_dot(s->sv, f), v3_dot(s->z, m)) : v3_dot(s->sv, f);
}

/* C_ij = S_i'(I dS_j + B S_j) over the outer of the two bodies with all it carries: O(n^2) */
void EXPORT(coriolis_matrix)(const robot *r, const work *k, int factor, const num *q, const num *qd, num *C)
{
    const int n = r->nv;
    joint_turns(r, k, q);
    coriolis_frames(r, k, q, qd);
    for (int i = 0; i < n * n; i++) C[i] = of(0);
    for (int i = 0; i < r->n; i++) coriolis_body(&r->link[i], factor, &k->link[i].coriolis);
    for (int j = r->n - 1; j >= 0; j--) {
        const robot_link *l = &r->link[j];
        const coriolis_state *s = &k->link[j].coriolis;
        const vec3 sw = revolves(l) ? s->z : v3_zero();
        /* I S, I dS + B S, and B'S */
        const vec3 f = v3_add(v3_scale(s->M, s->sv), v3_cross(sw, s->MS)), m = v3_add(s3_mul(s->J, sw), v3_cross(s->MS, s->sv));
        const vec3 ef = v3_add(v3_scale(s->M, s->dv), v3_add(v3_cross(s->dw, s->MS), v3_cross(sw, s->P)));
        const vec3 em = v3_add(s3_mul(s->J, s->dw), v3_add(v3_cross(s->MS, s->dv), m3_mul(s->B, sw)));
        const vec3 u = v3_add(v3_cross(s->P, s->sv), m3_tmul(s->B, sw));
        C[l->iv * n + l->iv] = screw_dot(l, s, ef, em);
        for (int i = l->parent; i >= 0; i = r->link[i].parent) {
            const coriolis_state *a = &k->link[i].coriolis;
            const robot_link *up = &r->link[i];
            C[up->iv * n + l->iv] = screw_dot(up, a, ef, em);
            num below = add(v3_dot(f, a->dv), v3_dot(m, a->dw));
            if (revolves(up)) below = add(below, v3_dot(u, a->z));
            C[l->iv * n + up->iv] = below;
        }
        if (l->parent < 0) continue;
        coriolis_state *up = &k->link[l->parent].coriolis;
        up->M = add(up->M, s->M);
        up->MS = v3_add(up->MS, s->MS);
        up->J = s3_add(up->J, s->J);
        up->P = v3_add(up->P, s->P);
        up->B = m3_add(up->B, s->B);
    }
}
