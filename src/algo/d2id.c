/* SPDX-License-Identifier: MIT
 *
 * d2id.c - second derivatives of inverse dynamics: four tensors, [torque][first][second], of the derivative by the second (q, qd,
 * qd, qdd) that by the first (q, q, qd, q), O(n d^2) for trees of depth d.
 *
 * Three freedoms a, b, c that are not on one way to the base have nothing to do with each other. c is the outermost, K, H, U, B',
 * columns and I those of all it carries; (S, D, E, G): algo/screws.h. With b between a and c, or beside one of them,
 *
 *     q q    tau_c: D_b'K D_a - S_b'(E_a x* U + D_a x* B')     tau_b: S_b'H(D_a, E_a)     tau_a: S_a'(S_b x* C_q + H(D_b, E_b))
 *
 * and the others as they stand below: [003 eq. 9.84-9.94] differentiated twice, doc/derivatives.md (18)-(21); [Singh 2022b] has
 * the same in spatial vectors. */
#include "algo/second.h"

/* wrenches of freedom a beside c: force and moment, N: a moment alone */
enum {
    AT_KD,             /* K D */
    AT_KS = AT_KD + 6, /* K S */
    AT_Q = AT_KS + 6,  /* -(E x* U + D x* B') */
    AT_Z = AT_Q + 6,   /* H(D, E) */
    AT_X = AT_Z + 6,   /* S x* C_q + H(D, E) */
    AT_W = AT_X + 6,   /* S x* U */
    AT_Y = AT_W + 6,   /* S x* C_d - K D */
    AT_PS = AT_Y + 6,  /* H(S, G) */
    AT_NS = AT_PS + 6, /* K D + 2 D x* U + S x* B', N */
    AT_IS = AT_NS + 3, /* I (S x S_c) */
    D2ID_ROWS = AT_IS + 6
};

INL void put_wrench(num *w, int row, vec3 f, vec3 n) { put3(w, row, f), put3(w, row + 3, n); }

/* c: the outermost; b: freedom a */
INL void d2id_wrenches(const num *c, const num *b, num *w)
{
    const vec3 uf = get3(c, AT_U), un = get3(c, AT_U + 3), UU = v3_add(uf, uf), B = get3(c, AT_B), P = get3(c, AT_PQ);
    const vec3 PP = v3_add(P, P), h = get3(c, AT_HQ), qf = get3(c, AT_CQ), qn = get3(c, AT_CQ + 3), df = get3(c, AT_CD),
               dn = get3(c, AT_CD + 3);
    const sym3 TS = get6(c, AT_TS), TQ = get6(c, AT_TQ);
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), dv = get3(b, AT_D), dw = get3(b, AT_D + 3), ev = get3(b, AT_E),
               ew = get3(b, AT_E + 3), gv = get3(b, AT_G), gw = get3(b, AT_G + 3);
    const vec3 Td = s3_mul(TS, dw), nd = v3_cross(un, dw), kf = v3_cross(UU, dw), kn = v3_sub(nd, Td);
    put_wrench(w, AT_KD, kf, kn);
    put_wrench(w, AT_KS, v3_cross(UU, sw), v3_sub(v3_cross(un, sw), s3_mul(TS, sw)));
    const vec3 ef = v3_cross(ew, uf), arm = v3_cross(ev, uf);
    put_wrench(w, AT_Q, v3_neg(ef), v3_neg(v3_add(v3_add(v3_cross(ew, un), arm), v3_cross(dw, B))));
    const vec3 zf = v3_sub(ef, v3_cross(PP, dw));
    const vec3 zn = v3_add(v3_sub(s3_mul(TQ, dw), v3_cross(h, dw)), v3_sub(s3_mul(TS, ew), arm));
    put_wrench(w, AT_Z, zf, zn);
    put_wrench(w, AT_X, v3_add(zf, with_force(sw, qf)), v3_add(zn, with_moment(sv, sw, qf, qn)));
    put_wrench(w, AT_W, with_force(sw, uf), with_moment(sv, sw, uf, un));
    put_wrench(w, AT_Y, v3_sub(with_force(sw, df), kf), v3_sub(with_moment(sv, sw, df, dn), kn));
    put_wrench(w, AT_PS, v3_sub(v3_cross(gw, uf), v3_cross(PP, sw)),
               v3_add(v3_sub(s3_mul(TQ, sw), v3_cross(h, sw)), v3_add(s3_mul(TS, gw), v3_cross(uf, gv))));
    put3(w, AT_NS, v3_add(v3_sub(v3_cross(dv, UU), v3_add(nd, Td)), v3_cross(sw, B)));
}

/* freedoms of one joint: the rate of one turns the other */
INL void d2id_beside(const num *c, const num *b, num *w)
{
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), cv = get3(c, AT_S), cw = get3(c, AT_S + 3), MS = get3(c, AT_MS);
    const vec3 v = v3_add(v3_cross(sw, cv), v3_cross(sv, cw)), x = v3_cross(sw, cw);
    put_wrench(w, AT_IS, did_force(c[AT_M * abreast], MS, v, x), did_moment(MS, get6(c, AT_J), v, x));
}

/* wrenches that keep their axes */
INL void add3(num *w, int row, vec3 a) { put3(w, row, v3_add(get3(w, row), a)); }
static void d2id_kept(const kept_state *kept, const num *c, const num *b, num *w)
{
    const second_kept e = second_kept_of(kept, get3(c, AT_S), get3(c, AT_S + 3));
    for (int x = 0; x < abreast; x++) {
        const vec3 sv = get3(b + x, AT_S), sw = get3(b + x, AT_S + 3);
        add3(w + x, AT_Q, m3_mul(e.shift, sw));
        add3(w + x, AT_Q + 3, v3_add(m3_mul(e.turn, sw), m3_mul(e.shift, sv)));
        add3(w + x, AT_Z + 3, m3_mul(e.follow, sw));
        add3(w + x, AT_X + 3, m3_tmul(e.follow, sw));
    }
}

/* Where results go: [i][j][k]; where joints follow, to those that move by themselves, added up. */
typedef struct {
    const robot *r;
    int n;
    num *qq, *qqd, *qdqd, *qqdd;
} tensors;

OUTLINE void d2id_add(const robot *r, num *T, int i, int j, int k, num x)
{
    const int n = robot_nv(r), at[3] = {i, j, k};
    int to = 0;
    for (int g = 0; g < 3; g++) {
        const robot_follower *f = robot_v(r, at[g]);
        to = to * n + f->own;
        if (f->master >= 0) x = mulc(con(f->ratio), x);
    }
    T[to] = add(T[to], x);
}
INL void d2id_put(const tensors *t, num *T, int i, int j, int k, num x)
{
    if (t->r->nfollow)
        d2id_add(t->r, T, i, j, k, x);
    else
        T[(i * t->n + j) * t->n + k] = x;
}

/* which freedoms: c of the joint that begins with own_c, a of that from own to end */
typedef struct {
    int c, own_c, a, own, end;
} trio;

/* freedoms b from a's joint to c's, one block */
INL void d2id_between(const tensors *t, const trio *o, const num *w, const num *b, int first, int from, int to)
{
    const vec3 kf = get3(w, AT_KD), kn = get3(w, AT_KD + 3), qf = get3(w, AT_Q), qn = get3(w, AT_Q + 3), zf = get3(w, AT_Z),
               zn = get3(w, AT_Z + 3), sf = get3(w, AT_KS), sn = get3(w, AT_KS + 3), wf = get3(w, AT_W), wn = get3(w, AT_W + 3);
    num K[abreast], Q[abreast], Z[abreast], R[abreast], W[abreast];
    AS_VECTOR
    for (int x = 0; x < abreast; x++) {
        K[x] = did_dot(b + x, AT_S, kf, kn);
        Q[x] = add(did_dot(b + x, AT_D, kf, kn), did_dot(b + x, AT_S, qf, qn));
        Z[x] = did_dot(b + x, AT_S, zf, zn);
        R[x] = did_dot(b + x, AT_S, sf, sn);
        W[x] = did_dot(b + x, AT_S, wf, wn);
    }
    const int a = o->a, c = o->c;
    for (int j = from > o->own ? from : o->own; j < to; j++) {
        const int x = j - first;
        const num beside = j < o->end ? add(R[x], W[x]) : R[x];
        d2id_put(t, t->qq, c, a, j, Q[x]);
        d2id_put(t, t->qqd, c, a, j, K[x]);
        d2id_put(t, t->qdqd, c, a, j, beside);
        if (j >= o->end) d2id_put(t, t->qq, c, j, a, Q[x]);
        if (j >= o->end) d2id_put(t, t->qdqd, c, j, a, R[x]);
        if (j >= o->own_c) continue;
        d2id_put(t, t->qq, j, a, c, Z[x]);
        d2id_put(t, t->qq, j, c, a, Z[x]);
        d2id_put(t, t->qqd, j, a, c, sub(of(0), K[x])); /* no -0 */
    }
}

/* freedoms b before a's joint */
INL void d2id_before(const tensors *t, const trio *o, const num *w, const num *b, int first, int from, int to)
{
    const vec3 xf = get3(w, AT_X), xn = get3(w, AT_X + 3), n = get3(w, AT_NS), wf = get3(w, AT_W), wn = get3(w, AT_W + 3),
               yf = get3(w, AT_Y), yn = get3(w, AT_Y + 3), sf = get3(w, AT_KS), sn = get3(w, AT_KS + 3), if_ = get3(w, AT_IS),
               in = get3(w, AT_IS + 3);
    num X[abreast], N[abreast], Y[abreast], W[abreast], L[abreast];
    AS_VECTOR
    for (int x = 0; x < abreast; x++) {
        X[x] = did_dot(b + x, AT_S, xf, xn);
        N[x] = add(did_dot3(b + x, AT_S + 3, n), did_dot(b + x, AT_G, wf, wn));
        Y[x] = did_dot(b + x, AT_S, yf, yn);
        W[x] = did_dot(b + x, AT_S, wf, wn);
    }
    const int a = o->a, c = o->c, same = a >= o->own_c;
    if (same) {
        AS_VECTOR
        for (int x = 0; x < abreast; x++) L[x] = sub(of(0), did_dot(b + x, AT_S, sf, sn));
        if (t->r->nwide)
            for (int x = 0; x < abreast; x++) L[x] = sub(L[x], did_dot(b + x, AT_S, if_, in));
    }
    for (int j = from; j < to && j < o->own; j++) {
        const int x = j - first;
        d2id_put(t, t->qq, j, a, c, X[x]);
        d2id_put(t, t->qqd, c, a, j, N[x]);
        d2id_put(t, t->qqd, j, a, c, Y[x]);
        d2id_put(t, t->qqdd, c, a, j, W[x]);
        d2id_put(t, t->qqdd, j, a, c, W[x]);
        if (same)
            d2id_put(t, t->qdqd, j, a, c, L[x]);
        else
            d2id_put(t, t->qq, j, c, a, X[x]);
    }
}

/* all freedoms b before c's joint, as a is */
INL void d2id_within(const tensors *t, const trio *o, const num *w, const num *b, int first, int from, int to)
{
    const vec3 pf = get3(w, AT_PS), pn = get3(w, AT_PS + 3), sf = get3(w, AT_KS), sn = get3(w, AT_KS + 3), wf = get3(w, AT_W),
               wn = get3(w, AT_W + 3);
    num P[abreast], R[abreast], L[abreast];
    AS_VECTOR
    for (int x = 0; x < abreast; x++) {
        P[x] = did_dot(b + x, AT_S, pf, pn);
        R[x] = sub(of(0), did_dot(b + x, AT_S, sf, sn));
        L[x] = sub(R[x], did_dot(b + x, AT_S, wf, wn));
    }
    for (int j = from; j < to && j < o->own_c; j++) {
        const int x = j - first;
        d2id_put(t, t->qqd, j, o->c, o->a, P[x]);
        d2id_put(t, t->qdqd, j, o->a, o->c, R[x]);
        d2id_put(t, t->qdqd, j, o->c, o->a, R[x]);
        d2id_put(t, t->qqdd, j, o->c, o->a, L[x]);
    }
}

/* all pairs of freedoms a, b up to link i, its own freedom c the outermost */
static void d2id_outermost(const tensors *t, const work *k, int i, int c)
{
    const robot *r = t->r;
    const num *own = screws_at(k, c);
    num wrench[D2ID_ROWS * abreast];
    for (int x = 0; x < D2ID_ROWS * abreast; x++) wrench[x] = of(0);
    for (int l = i, block = -1; l >= 0; l = r->link[l].parent) {
        trio o = {c, r->link[i].iv, 0, r->link[l].iv, r->link[l].iv + r->link[l].nv};
        for (o.a = o.end - 1; o.a >= o.own; o.a--) {
            const num *w = wrench + o.a % abreast, *a = screws_block(k, o.a);
            if (o.a / abreast != block) {
                AS_VECTOR
                for (int x = 0; x < abreast; x++) d2id_wrenches(own, a + x, wrench + x);
                for (int x = 0; x < abreast && r->nwide; x++) d2id_beside(own, a + x, wrench + x);
                if (r->nwrench > 0) d2id_kept(&k->kept[i], own, a, wrench);
                block = o.a / abreast;
            }
            FOR_SCREWS_BEFORE(r, i, if (to > o.own) d2id_between(t, &o, w, screws_block(k, first), first, from, to));
            FOR_SCREWS_BEFORE(r, l, if (from < o.own) d2id_before(t, &o, w, screws_block(k, first), first, from, to));
            if (o.a >= o.own_c) continue;
            FOR_SCREWS_BEFORE(r, i, if (from < o.own_c) d2id_within(t, &o, w, screws_block(k, first), first, from, to));
        }
    }
}

void EXPORT(d2id)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *y)
{
    const int n = robot_nv(r), cube = n * n * n;
    const tensors t = {r, n, y, y + cube, y + 2 * cube, y + 3 * cube};
    for (int i = 0; i < 4 * cube; i++) y[i] = of(0);
    second_prepare(r, k, q, qd, qdd);
    for (int i = 0; i < r->n; i++)
        for (int c = r->link[i].iv; c < r->link[i].iv + r->link[i].nv; c++) d2id_outermost(&t, k, i, c);
    for (int i = 0; i < r->n && r->friction; i++) {
        const robot_link *l = &r->link[i];
        if (l->law != LAW_STRIBECK) continue;
        const int v = l->iv;
        const num f = friction_curve(l, qd[v]);
        if (r->nfollow)
            d2id_add(r, t.qdqd, v, v, v, f);
        else
            t.qdqd[(v * n + v) * n + v] = add(t.qdqd[(v * n + v) * n + v], f);
    }
}
