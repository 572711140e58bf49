/* SPDX-License-Identifier: MIT
 *
 * second.h - what second derivatives know of every freedom c beside did.h, with I, B of all that it carries:
 *
 *     (2B)x = (-2 P x w, (T - h^) w) of a screw x = (v, w), whatever P, h, T it is made of: doc/derivatives.md (12);
 *     made of I and S_c:  K x = -(2B)x;     what 2B grows by with q_c, and I with q_c:  H(x, y) = (d2B)x + (dI)y.   (16), (17) */
#ifndef ALGO_SECOND_H
#define ALGO_SECOND_H

#include "algo/did.h"

/* In place of frames and motions, which nobody needs once the columns are there: T of I and S; P, h, T of d2B; the rest is free.
 */
enum { AT_TS = AT_AXES, AT_PQ = AT_TS + 6, AT_HQ = AT_PQ + 3, AT_TQ = AT_HQ + 3, AT_FREE = AT_TQ + 6 };
_Static_assert((int)AT_FREE <= (int)AT_A, "they fit");

INL void second_screw(num *b)
{
    const num M = b[AT_M * abreast];
    const vec3 MS = get3(b, AT_MS), P = get3(b, AT_P), h = get3(b, AT_H), sv = get3(b, AT_S), sw = get3(b, AT_S + 3);
    const vec3 dv = get3(b, AT_D), dw = get3(b, AT_D + 3);
    const sym3 J = get6(b, AT_J), T = get6(b, AT_T);
    put6(b, AT_TS, s3_add(did_turning(sw, J), did_mixed(sv, MS)));
    put3(b, AT_PQ, v3_add(did_force(M, MS, dv, dw), v3_cross(sw, P)));
    put3(b, AT_HQ, v3_add(did_moment(MS, J, dv, dw), v3_add(v3_cross(sw, h), v3_cross(sv, P))));
    put6(b, AT_TQ, s3_add(s3_add(did_turning(dw, J), did_mixed(dv, MS)), s3_add(did_turning(sw, T), did_mixed(sv, P))));
}

/* V x* f: force and moment of a wrench that goes with a screw V */
INL vec3 with_force(vec3 w, vec3 f) { return v3_cross(w, f); }
INL vec3 with_moment(vec3 v, vec3 w, vec3 f, vec3 n) { return v3_add(v3_cross(w, n), v3_cross(v, f)); }

/* Of wrenches that keep their axes, of all that freedom c carries: with u = v_c + w_c x p the way of a point p as q_c grows, and
 * (f, n) the wrenches whose point rests,
 *     follow = sum of f.u E - f u' of the others;  turn: follow, and the same of f with v_c and of n with w_c;  shift: of f with
 * w_c doc/derivatives.md (22) */
typedef struct {
    mat3 turn, shift, follow;
} second_kept;

/* a.b E - a b' */
INL mat3 less_outer(vec3 a, vec3 b)
{
    const num d = v3_dot(a, b), o = of(0);
    return m3_less((mat3){d, o, o, o, d, o, o, o, d}, a, b);
}
INL second_kept second_kept_of(const kept_state *e, vec3 sv, vec3 sw)
{
    const mat3 P = e->P;
    const vec3 arm = v3(sub(P.zy, P.yz), sub(P.xz, P.zx), sub(P.yx, P.xy)), f = v3_sub(e->f, e->F), n = v3_sub(e->n, arm);
    /* sum of f p' = P + p.f E, p.f = -tr P/2; its rows times w */
    const num half = mulc(con(-0.5), add(add(P.xx, P.yy), P.zz));
    const vec3 x = v3_cross(sw, v3(add(P.xx, half), P.xy, P.xz)), y = v3_cross(sw, v3(P.yx, add(P.yy, half), P.yz)),
               z = v3_cross(sw, v3(P.zx, P.zy, add(P.zz, half)));
    const num d = add(add(x.x, y.y), z.z);
    const mat3 turned = {sub(d, x.x), neg(x.y), neg(x.z), neg(y.x), sub(d, y.y), neg(y.z), neg(z.x), neg(z.y), sub(d, z.z)};
    const mat3 follow = m3_add(less_outer(e->F, sv), turned);
    return (second_kept){m3_add(follow, m3_add(less_outer(f, sv), less_outer(n, sw))), less_outer(f, sw), follow};
}

/* what the slope of the law of one axis grows by with v: -sign(v) dF B x^B exp(-x^B) (B - 1 - B x^B)/v^2 with x = |v/vs| */
INL num friction_curve(const robot_link *l, num v)
{
    const num s = sign(v), speed = add(absolute(v), sub(of(1), mul(s, s))), x = power(mulc(l->vs, speed), l->ex),
              Bx = mulc(l->ex, x);
    const num fall = divide(divide(mul(Bx, expo(neg(x))), speed), speed);
    return mul(s, mulc(l->fs, mul(fall, add(sub(of(1), from(l->ex)), Bx))));
}

/* frames to columns, and these */
INL void second_prepare(const robot *r, const work *k, const num *q, const num *qd, const num *qdd)
{
    EXPORT(did_outward)(r, k, q, qd, qdd);
    EXPORT(did_inward)(r, k);
    EXPORT(did_screws)(r, k);
    FOR_SCREWS(r, k, second_screw(b));
}

#endif
