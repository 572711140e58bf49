/* SPDX-License-Identifier: MIT
 *
 * d2id_times.c - second derivatives of x'tau for constant numbers x, one for each torque: the tensors of d2id.c times x, four
 * matrices [first][second] in O(n d).
 *
 * x moves the links as velocities would: u is the sum of S x from the base to a link, u_p of the link before. The sums over what
 * a joint carries need no more: with U, T, B' times x summed up, and b the outer of two freedoms, a before it or beside it,
 *
 *     q_a q_b    w_D(a).alpha + E_a'eps + R_a'C_q                    R = u_p x S
 *     q_a qd_b   w_D(a).gamma + R_a'C_d                             q_b qd_a   w_S(a).alpha + G_a'eps
 *     qd_a qd_b  w_S(a).gamma                                       q_a qdd_b  R_a'U         q_b qdd_a   S_a'eps
 *
 * where w_D, w_S are the angular parts of D and S: [003 eq. 9.84-9.94] differentiated twice, doc/derivatives.md (23), (24). */
#include "algo/second.h"

/* places that are free now: alpha and gamma, eps, R; of freedoms of one joint S x* (sum of U x + I u_p). Until then: u_p, the
 * sums. */
enum {
    AT_ALPHA = AT_T,
    AT_GAMMA = AT_T + 3,
    AT_EPS = AT_TS,
    AT_BESIDE = AT_TS + 6,
    AT_RATE = AT_A,
    AT_LED = AT_V_BEFORE,
    AT_SUM_U = AT_A_BEFORE,
    AT_SUM_T = AT_F,
    AT_SUM_B = AT_P
};

/* adds `count` numbers of a freedom from row `from` on, x times, to those from row `to` on of b */
INL void times_add(num x, const num *a, int from, num *b, int to, int count)
{
    for (int c = 0; c < count; c++) b[(to + c) * abreast] = add(b[(to + c) * abreast], mul(x, a[(from + c) * abreast]));
}

/* u before every joint, and the sums of all that it carries */
static void times_sums(const robot *r, const work *k, const num *x)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        num *b = screws_at(k, l->iv), u[6 * abreast];
        for (int c = 0; c < 6; c++) u[c * abreast] = of(0);
        if (l->parent >= 0) { /* that of the link before it, and what its joint adds */
            const robot_link *p = &r->link[l->parent];
            times_add(of(1), screws_at(k, p->iv), AT_LED, u, 0, 6);
            for (int c = p->iv; c < p->iv + p->nv; c++) times_add(x[c], screws_at(k, c), AT_S, u, 0, 6);
        }
        for (int c = l->iv; c < l->iv + l->nv; c++)
            put3(screws_at(k, c), AT_LED, get3(u, 0)), put3(screws_at(k, c), AT_LED + 3, get3(u, 3));
        for (int c = 0; c < 6; c++) b[(AT_SUM_U + c) * abreast] = b[(AT_SUM_T + c) * abreast] = of(0);
        put3(b, AT_SUM_B, v3_zero());
        for (int c = l->iv; c < l->iv + l->nv; c++) {
            times_add(x[c], screws_at(k, c), AT_U, b, AT_SUM_U, 6);
            times_add(x[c], screws_at(k, c), AT_TS, b, AT_SUM_T, 6);
            times_add(x[c], screws_at(k, c), AT_B, b, AT_SUM_B, 3);
        }
    }
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const num *b = screws_at(k, l->iv);
        for (int c = l->iv + 1; c < l->iv + l->nv; c++) {
            num *to = screws_at(k, c);
            for (int g = 0; g < 6; g++) to[(AT_SUM_U + g) * abreast] = b[(AT_SUM_U + g) * abreast];
            for (int g = 0; g < 6; g++) to[(AT_SUM_T + g) * abreast] = b[(AT_SUM_T + g) * abreast];
            put3(to, AT_SUM_B, get3(b, AT_SUM_B));
        }
        if (l->parent < 0) continue;
        num *up = screws_at(k, r->link[l->parent].iv);
        times_add(of(1), b, AT_SUM_U, up, AT_SUM_U, 6);
        times_add(of(1), b, AT_SUM_T, up, AT_SUM_T, 6);
        times_add(of(1), b, AT_SUM_B, up, AT_SUM_B, 3);
    }
}

INL void times_screw(num *b)
{
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), dv = get3(b, AT_D), dw = get3(b, AT_D + 3), v = get3(b, AT_LED),
               w = get3(b, AT_LED + 3), uf = get3(b, AT_U), un = get3(b, AT_U + 3);
    const vec3 Sf = get3(b, AT_SUM_U), Sn = get3(b, AT_SUM_U + 3), P = get3(b, AT_PQ), h = get3(b, AT_HQ), MS = get3(b, AT_MS);
    const sym3 TS = get6(b, AT_TS), TQ = get6(b, AT_TQ), sum = get6(b, AT_SUM_T);
    const vec3 Tw = s3_mul(TS, w), SS = v3_add(Sf, Sf);
    const vec3 beyond =
        v3_add(v3_add(v3_cross(dv, SS), v3_cross(dw, Sn)), v3_sub(v3_cross(sw, get3(b, AT_SUM_B)), s3_mul(sum, dw)));
    const vec3 before = v3_add(v3_add(v3_cross(v3_add(P, P), v), s3_mul(TQ, w)), v3_cross(h, w));
    const vec3 own = v3_add(v3_cross(sv, SS), v3_sub(v3_cross(sw, Sn), s3_mul(sum, sw)));
    const vec3 led = v3_add(v3_cross(v, v3_add(uf, uf)), v3_sub(v3_cross(w, un), Tw));
    const vec3 If = v3_add(Sf, did_force(b[AT_M * abreast], MS, v, w)), In = v3_add(Sn, did_moment(MS, get6(b, AT_J), v, w));
    put3(b, AT_ALPHA, v3_add(beyond, before));
    put3(b, AT_GAMMA, v3_sub(own, led));
    put3(b, AT_EPS, v3_add(with_force(sw, Sf), v3_cross(w, uf)));
    put3(b, AT_EPS + 3, v3_add(with_moment(sv, sw, Sf, Sn), v3_add(v3_cross(uf, v), Tw)));
    put3(b, AT_BESIDE, with_force(sw, If));
    put3(b, AT_BESIDE + 3, with_moment(sv, sw, If, In));
    put3(b, AT_RATE, v3_add(v3_cross(w, sv), v3_cross(v, sw)));
    put3(b, AT_RATE + 3, v3_cross(w, sw));
}

/* entries of freedom v of the joint that begins with own, with those of a block from ... to before or beside it */
INL void times_block(const num *b, const num *of_v, int n, int own, int v, int first, int from, int to, num *qq, num *qqd,
                     num *qdqd, num *qqdd)
{
    const vec3 alpha = get3(of_v, AT_ALPHA), gamma = get3(of_v, AT_GAMMA), ef = get3(of_v, AT_EPS), em = get3(of_v, AT_EPS + 3);
    const vec3 qf = get3(of_v, AT_CQ), qm = get3(of_v, AT_CQ + 3), df = get3(of_v, AT_CD), dm = get3(of_v, AT_CD + 3),
               uf = get3(of_v, AT_U), um = get3(of_v, AT_U + 3);
    num Q[abreast], in[abreast], out[abreast], D[abreast], A[abreast], B[abreast];
    AS_VECTOR
    for (int x = 0; x < abreast; x++) {
        Q[x] = add(did_dot3(b + x, AT_D + 3, alpha), add(did_dot(b + x, AT_E, ef, em), did_dot(b + x, AT_RATE, qf, qm)));
        in[x] = add(did_dot3(b + x, AT_D + 3, gamma), did_dot(b + x, AT_RATE, df, dm));
        out[x] = add(did_dot3(b + x, AT_S + 3, alpha), did_dot(b + x, AT_G, ef, em));
        D[x] = did_dot3(b + x, AT_S + 3, gamma);
        A[x] = did_dot(b + x, AT_RATE, uf, um);
        B[x] = did_dot(b + x, AT_S, ef, em);
    }
    for (int j = from; j < to; j++) {
        const int x = j - first;
        qq[j * n + v] = Q[x];
        qqd[j * n + v] = in[x];
        qdqd[j * n + v] = D[x];
        qqdd[j * n + v] = A[x];
        if (j >= own) continue;
        qq[v * n + j] = Q[x];
        qqd[v * n + j] = out[x];
        qdqd[v * n + j] = D[x];
        qqdd[v * n + j] = B[x];
    }
}

/* freedoms of one joint: the rate of one turns the other */
static void times_beside(const work *k, const robot_link *l, int n, int v, num *qdqd)
{
    const vec3 f = get3(screws_at(k, v), AT_BESIDE), m = get3(screws_at(k, v), AT_BESIDE + 3);
    for (int j = l->iv; j < l->iv + l->nv; j++) qdqd[j * n + v] = sub(qdqd[j * n + v], did_dot(screws_at(k, j), AT_S, f, m));
}

INL mat3 m3_scaled(num x, mat3 a)
{
    return (mat3){mul(x, a.xx), mul(x, a.xy), mul(x, a.xz), mul(x, a.yx), mul(x, a.yy),
                  mul(x, a.yz), mul(x, a.zx), mul(x, a.zy), mul(x, a.zz)};
}

INL num times_kept_entry(const num *a, vec3 f, vec3 m, vec3 axis)
{
    return add(did_dot(a, AT_S, f, m), did_dot3(a, AT_RATE + 3, axis));
}

/* wrenches that keep their axes, from the last link to the first */
static void times_kept(const robot *r, const work *k, const num *x, num *qq)
{
    const int n = r->nv;
    const mat3 none = m3_columns(v3_zero(), v3_zero(), v3_zero());
    for (int i = 0; i < r->n; i++) k->link[i].second = (second_state){none, none};
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        second_state *s = &k->link[i].second;
        for (int v = l->iv; v < l->iv + l->nv; v++) {
            const num *b = screws_at(k, v);
            const second_kept e = second_kept_of(&k->kept[i], get3(b, AT_S), get3(b, AT_S + 3));
            s->turn = m3_add(s->turn, m3_scaled(x[v], e.turn));
            s->shift = m3_add(s->shift, m3_scaled(x[v], e.shift));
        }
        for (int v = l->iv; v < l->iv + l->nv; v++) {
            const num *b = screws_at(k, v);
            const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3);
            const mat3 follow = second_kept_of(&k->kept[i], sv, sw).follow;
            const vec3 f = m3_tmul(s->shift, sw), led = m3_tmul(follow, get3(b, AT_LED + 3));
            const vec3 m = v3_add(v3_add(m3_tmul(s->turn, sw), m3_tmul(s->shift, sv)), led);
            const vec3 axis = v3(sub(follow.zy, follow.yz), sub(follow.xz, follow.zx), sub(follow.yx, follow.xy));
            FOR_SCREWS_BEFORE(r, i, {
                (void)first;
                for (int j = from; j < to; j++) {
                    const num y = times_kept_entry(screws_at(k, j), f, m, axis);
                    qq[j * n + v] = add(qq[j * n + v], y);
                    if (j < l->iv) qq[v * n + j] = add(qq[v * n + j], y);
                }
            });
        }
        if (l->parent < 0) continue;
        second_state *up = &k->link[l->parent].second;
        up->turn = m3_add(up->turn, s->turn);
        up->shift = m3_add(up->shift, s->shift);
    }
}

void EXPORT(d2id_times)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, const num *x, num *y)
{
    const int n = r->nv, square = n * n;
    num *qq = y, *qqd = qq + square, *qdqd = qqd + square, *qqdd = qdqd + square;
    for (int i = 0; i < 4 * square; i++) y[i] = of(0);
    second_prepare(r, k, q, qd, qdd);
    times_sums(r, k, x);
    FOR_SCREWS(r, k, times_screw(b));
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        for (int v = l->iv; v < l->iv + l->nv; v++) {
            const num *own = screws_at(k, v);
            FOR_SCREWS_BEFORE(r, i, times_block(screws_block(k, first), own, n, l->iv, v, first, from, to, qq, qqd, qdqd, qqdd));
            if (is_wide(l)) times_beside(k, l, n, v, qdqd);
            if (r->friction && l->law == LAW_STRIBECK)
                qdqd[v * n + v] = add(qdqd[v * n + v], mul(x[v], friction_curve(l, qd[v])));
        }
    }
    if (r->nwrench > 0) times_kept(r, k, x, qq);
}
