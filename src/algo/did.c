/* SPDX-License-Identifier: MIT
 *
 * did.c - derivatives of inverse dynamics by q, qd and qdd, O(n d) for trees of depth d.
 *
 * Everything stands in base axes about the place of link 0, so that a sum over the links that a joint carries is a sum, and an
 * entry is a product of screws: for a joint j before joint i, or i itself,
 *
 *     dtau_i/dq_j  = S_i'(2 B D_j + I E_j)                     dtau_j/dq_i  = S_j'(2 B D_i + I E_i + S_i x* f)
 *     dtau_i/dqd_j = S_i'(2 B S_j + I G_j)                     dtau_j/dqd_i = S_j'(2 B S_i + I G_i)
 *     dtau_i/dqdd_j = dtau_j/dqdd_i = S_i'I S_j
 *
 * with I, B, f of all that joint i carries: [003 eq. 9.84-9.94] differentiated, as [Carpentier 2018] and [Singh 2022] do it; with
 * wrenches, friction and joints of several freedoms in doc/derivatives.md. */
#include "algo/did.h"

#include "algo/loads.h"

/* first moments and inertia of a link, from its own axes and origin to the point */
INL void did_inertia(num *b)
{
    const world_state s = {.x = get3(b, AT_AXES), .y = get3(b, AT_AXES + 3), .z = get3(b, AT_AXES + 6)};
    const vec3 o = get3(b, AT_ORIGIN), own = world_axes(&s, get3(b, AT_MS)), Mo = v3_scale(b[AT_M * abreast], o);
    put3(b, AT_MS, v3_add(own, Mo));
    /* + 2 o.h E - (o h' + h o'), h = MS + M o/2 */
    put6(b, AT_J, s3_add(world_tensor(get6(b, AT_J), &s), did_mixed(o, v3_add(own, v3_scalec(con(0.5), Mo)))));
}

/* momentum and T of a link by itself, */
INL void did_momentum(num *b)
{
    const vec3 v = get3(b, AT_V), w = get3(b, AT_V + 3), MS = get3(b, AT_MS);
    const sym3 J = get6(b, AT_J);
    put3(b, AT_P, did_force(b[AT_M * abreast], MS, v, w));
    put3(b, AT_H, did_moment(MS, J, v, w));
    put6(b, AT_T, s3_add(did_turning(w, J), did_mixed(v, MS)));
}
/* and the wrench that moves it */
INL void did_body(num *b)
{
    did_momentum(b);
    const vec3 v = get3(b, AT_V), w = get3(b, AT_V + 3), av = get3(b, AT_A), aw = get3(b, AT_A + 3), MS = get3(b, AT_MS);
    const num M = b[AT_M * abreast];
    const sym3 J = get6(b, AT_J);
    const vec3 P = get3(b, AT_P), h = get3(b, AT_H);
    put3(b, AT_F, v3_add(did_force(M, MS, av, aw), v3_cross(w, P)));
    put3(b, AT_N, v3_add(did_moment(MS, J, av, aw), v3_add(v3_cross(w, h), v3_cross(v, P))));
}

/* what the bodies and screws of a link begin with, at each of its freedoms */
INL void did_place(const robot_link *l, const world_state *s, num *b)
{
    put3(b, AT_AXES, s->x);
    put3(b, AT_AXES + 3, s->y);
    put3(b, AT_AXES + 6, s->z);
    put3(b, AT_ORIGIN, s->o);
    b[AT_M * abreast] = from(l->M);
    put3(b, AT_MS, v3_of(con3_at(l->MS)));
    put3(b, AT_J, v3_of(con3_at(l->J)));
    put3(b, AT_J + 3, v3_of(con3_at(l->J + 3)));
}

INL void did_link(const robot *r, const work *k, int several, int i, turn t, const num *q, const num *qd, const num *qdd,
                  const vec3 *about)
{
    const robot_link *l = &r->link[i];
    const int nv = t.wide ? l->nv : 1;
    world_state *s = &k->link[i].world;
    vec3 pv = v3_zero(), pw = pv, av = v3_neg(v3_of(con3_at(r->g))), aw = pv;
    if (l->parent >= 0) {
        const world_state *up = &k->link[l->parent].world;
        const num *before = screws_at(k, r->link[l->parent].iv);
        pv = up->v, pw = up->w, av = get3(before, AT_A), aw = get3(before, AT_A + 3);
    }
    const vec3 pav = av, paw = aw;
    world_frame(r, k, i, t, q, qd, about);
    for (int c = 0; c < nv; c++) {
        const screw S = t.wide ? link_screw(l, c, s) : narrow_screw(l, s);
        const int v = l->iv + c;
        num *b = screws_at(k, v);
        const vec3 dv = t.wide ? v3_add(v3_cross(pw, S.v), v3_cross(pv, S.w)) : S.dv, dw = t.wide ? v3_cross(pw, S.w) : S.dw;
        did_place(l, s, b);
        put3(b, AT_V, s->v);
        put3(b, AT_V + 3, s->w);
        put3(b, AT_V_BEFORE, pv);
        put3(b, AT_V_BEFORE + 3, pw);
        put3(b, AT_A_BEFORE, pav);
        put3(b, AT_A_BEFORE + 3, paw);
        put3(b, AT_S, S.v);
        put3(b, AT_S + 3, S.w);
        put3(b, AT_D, dv);
        put3(b, AT_D + 3, dw);
        if (several) put3(b, AT_G, v3_add(dv, S.dv)), put3(b, AT_G + 3, v3_add(dw, S.dw));
        /* A = A_p + S qdd + S' qd */
        av = v3_add(av, v3_scale(qd[v], S.dv));
        aw = v3_add(aw, v3_scale(qd[v], S.dw));
        if (qdd) av = v3_add(av, v3_scale(qdd[v], S.v));
        if (qdd) aw = v3_add(aw, v3_scale(qdd[v], S.w));
    }
    for (int c = 0; c < nv; c++) {
        put3(screws_at(k, l->iv + c), AT_A, av);
        put3(screws_at(k, l->iv + c), AT_A + 3, aw);
    }
}
INL void did_links(const robot *r, const work *k, int several, const num *q, const num *qd, const num *qdd, const vec3 *about)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, did_link(r, k, several, i, t, q, qd, qdd, about));
}

/* What a wrench adds to its link: one that goes with the link to the wrench of the link, one that keeps its axes apart. */
static void did_wrench(const robot *r, const work *k, const arne_wrench *w, vec3 about)
{
    const named_frame *f = robot_frame(r, w->link);
    if (f->body < 0) return;
    const world_state *s = &k->link[f->body].world;
    kept_state *e = &k->kept[f->body];
    num *b = screws_at(k, r->link[f->body].iv);
    vec3 force = v3(of(w->force[0]), of(w->force[1]), of(w->force[2]));
    vec3 moment = v3(of(w->moment[0]), of(w->moment[1]), of(w->moment[2]));
    const vec3 own = v3_add(rot_of(f->R, v3(of(w->point[0]), of(w->point[1]), of(w->point[2]))), v3_of(con3_at(f->p)));
    const vec3 p = v3_add(s->o, world_axes(s, own));
    if (w->frame == ARNE_LOCAL) {
        force = world_axes(s, rot_of(f->R, force));
        moment = world_axes(s, rot_of(f->R, moment));
        put3(b, AT_F, v3_sub(get3(b, AT_F), force));
        put3(b, AT_N, v3_sub(get3(b, AT_N), v3_add(moment, v3_cross(p, force))));
        return;
    }
    e->f = v3_add(e->f, force);
    e->n = v3_add(e->n, moment);
    if (w->frame == ARNE_WORLD) { /* about the origin of the world */
        e->n = v3_sub(e->n, v3_cross(about, force));
        return;
    }
    const num d = v3_dot(p, force);
    e->n = v3_add(e->n, v3_cross(p, force));
    e->F = v3_add(e->F, force);
    e->P = m3_less(e->P, v3_neg(force), p);
    e->P.xx = sub(e->P.xx, d), e->P.yy = sub(e->P.yy, d), e->P.zz = sub(e->P.zz, d);
}
static void did_wrenches(const robot *r, const work *k, vec3 about)
{
    for (int i = 0; i < r->n; i++) {
        const world_state *s = &k->link[i].world;
        num *b = screws_at(k, r->link[i].iv);
        k->kept[i] = (kept_state){v3_zero(), v3_zero(), v3_zero(), m3_columns(v3_zero(), v3_zero(), v3_zero())};
        if (r->nwrench > 0) continue;
        const vec3 force = world_axes(s, k->force[i]); /* given in link axes */
        put3(b, AT_F, v3_sub(get3(b, AT_F), force));
        put3(b, AT_N, v3_sub(get3(b, AT_N), v3_add(world_axes(s, k->moment[i]), v3_cross(s->o, force))));
    }
    for (int e = 0; e < r->nwrench; e++) did_wrench(r, k, robot_wrench(r, e), about);
}

void EXPORT(did_outward)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd)
{
    if (!r->n) return;
    joint_turns(r, k, q);
    const vec3 about = world_place(r, 0, any_turn(&r->link[0], k), q);
    FOR_ROBOT(r, did_links(r, k, several, q, qd, qdd, &about));
    FOR_SCREWS(r, k, did_inertia(b); did_body(b));
    if (r->nwrench) did_wrenches(r, k, about);
}

/* I S of all that a joint carries */
INL void did_unit(num *b)
{
    const vec3 MS = get3(b, AT_MS), sv = get3(b, AT_S), sw = get3(b, AT_S + 3);
    put3(b, AT_U, did_force(b[AT_M * abreast], MS, sv, sw));
    put3(b, AT_U + 3, did_moment(MS, get6(b, AT_J), sv, sw));
}

/* the first of the links up to link i that hang on one another, of one freedom each, and stand in one block */
INL int did_side_by_side(const robot *r, int i)
{
    const robot_link *l = r->link;
    while (l[i].parent >= 0 && l[i].parent == i - 1 && l[i].nv == 1 && l[i - 1].nv == 1 && l[i].iv % abreast > 0) i--;
    return i;
}

/* rows from `begin` to `end` of all that each link carries, and I S */
INL void did_sums(const robot *r, const work *k, int begin, int end)
{
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        num *b = screws_at(k, l->iv);
        for (int c = 1; c < l->nv; c++)
            for (int row = begin; row < end; row++) screws_at(k, l->iv + c)[row * abreast] = b[row * abreast];
        if (l->parent < 0) continue;
        const int steps = i - did_side_by_side(r, i);
        for (int row = begin; row < end && steps > 0; row++) {
            num *at = b + row * abreast, sum = *at;
            for (int s = 1; s <= steps; s++) at[-s] = sum = add(at[-s], sum);
        }
        if (steps > 0) {
            i -= steps - 1;
            continue;
        }
        num *up = screws_at(k, r->link[l->parent].iv);
        for (int row = begin; row < end; row++) up[row * abreast] = add(up[row * abreast], b[row * abreast]);
    }
    FOR_SCREWS(r, k, did_unit(b));
}

void EXPORT(did_inward)(const robot *r, const work *k)
{
    did_sums(r, k, AT_M, AT_END_SUMS);
    for (int i = r->n - 1; i >= 0 && r->nwrench > 0; i--) {
        const kept_state *e = &k->kept[i];
        if (r->link[i].parent < 0) continue;
        kept_state *to = &k->kept[r->link[i].parent];
        to->f = v3_add(to->f, e->f);
        to->n = v3_add(to->n, e->n);
        to->F = v3_add(to->F, e->F);
        to->P = m3_add(to->P, e->P);
    }
}

/* `abreast` entries of row v of each matrix, of which `part` are wanted */
enum { BY_Q = 1, BY_QD = 2, MASS = 4, RATES = BY_Q | BY_QD };
typedef struct {
    num q[abreast], d[abreast], m[abreast];
} did_entries;

/* of joints before v and of its own, with (2B)'S and I S of v, and of joints that it carries, with S: as the head of this file
 * has them */
INL void did_apart(int loops, int part, did_entries *e)
{
    if (part & BY_Q) apart(loops, e->q);
    if (part & BY_QD) apart(loops, e->d);
    if (part & MASS) apart(loops, e->m);
}
INL void did_before(const num *b, vec3 a, vec3 f, vec3 m, int part, did_entries *e)
{
    num room[TOGETHER_ROOM];
    const int loops = together(&b, room);
    AS_VECTOR
    for (int x = 0; x < loops; x++) {
        if (part & BY_Q) e->q[x] = add(did_dot3(b + x, AT_D + 3, a), did_dot(b + x, AT_E, f, m));
        if (part & BY_QD) e->d[x] = add(did_dot3(b + x, AT_S + 3, a), did_dot(b + x, AT_G, f, m));
        if (part & MASS) e->m[x] = did_dot(b + x, AT_S, f, m);
    }
    did_apart(loops, part, e);
}
INL void did_beyond(const num *b, vec3 f, vec3 m, int part, did_entries *e)
{
    num room[TOGETHER_ROOM];
    const int loops = together(&b, room);
    AS_VECTOR
    for (int x = 0; x < loops; x++) {
        if (part & BY_Q) e->q[x] = did_dot(b + x, AT_CQ, f, m);
        if (part & BY_QD) e->d[x] = did_dot(b + x, AT_CD, f, m);
        if (part & MASS) e->m[x] = did_dot(b + x, AT_U, f, m);
    }
    did_apart(loops, part, e);
}
/* e: where its entries from x = `end` on are those of o */
INL void did_joined(const did_entries *o, long long end, int part, did_entries *e)
{
    AS_VECTOR
    for (long long x = 0; x < abreast; x++) {
        if (part & BY_Q) e->q[x] = x < end ? e->q[x] : o->q[x];
        if (part & BY_QD) e->d[x] = x < end ? e->d[x] : o->d[x];
        if (part & MASS) e->m[x] = x < end ? e->m[x] : o->m[x];
    }
}
/* those from `from` to `to`, as a vector where there is room for one */
INL void did_write(const did_entries *e, long long from, long long to, int room, int part, num *restrict dq, num *restrict dqd,
                   num *restrict M)
{
    if (abreast > 1 && room < abreast) {
        for (long long x = from > 0 ? from : 0; x < to; x++) {
            if (part & BY_Q) dq[x] = e->q[x];
            if (part & BY_QD) dqd[x] = e->d[x];
            if (part & MASS) M[x] = e->m[x];
        }
        return;
    }
    AS_VECTOR
    for (long long x = 0; x < abreast; x++) { /* as wide as the numbers that it chooses */
        const bool inside = (x >= from) & (x < to);
        if (part & BY_Q) dq[x] = inside ? e->q[x] : dq[x];
        if (part & BY_QD) dqd[x] = inside ? e->d[x] : dqd[x];
        if (part & MASS) M[x] = inside ? e->m[x] : M[x];
    }
}

/* Row v of joint i. Entries that are not zero stand at the joints that lead to joint i, in runs, the last of which goes on with
 * all that it carries. Rows of a chain are written in order: what is too much at the end of one is overwritten by the next. */
INL void did_row(const robot *r, const work *k, int i, int v, int part, num *dq, num *dqd, num *M)
{
    const int n = r->nv, end = r->link[i].iv + r->link[i].nv, chain = r->link[r->n - 1].first == 0;
    const num *own = screws_at(k, v);
    const vec3 a = get3(own, AT_B), f = get3(own, AT_U), m = get3(own, AT_U + 3), sf = get3(own, AT_S), sm = get3(own, AT_S + 3);
    for (int last = i, stop = robot_chain(r, 3 * n)[v] + 1; last >= 0;) {
        const robot_link *head = &r->link[r->link[last].first];
        for (int first = head->iv / abreast * abreast; first < stop; first += abreast) {
            const num *b = screws_block(k, first);
            const int at = v * n + first;
            did_entries e, o;
            if (first < end)
                did_before(b, a, f, m, part, &e);
            else
                did_beyond(b, sf, sm, part, &e);
            if (abreast > 1 && last == i && first < end && first + abreast > end) {
                did_beyond(b, sf, sm, part, &o);
                did_joined(&o, end - first, part, &e);
            }
            if (first >= head->iv && (first + abreast <= stop || (chain && at + abreast <= n * n)))
                did_write(&e, 0, abreast, abreast, part, dq + at, dqd + at, M + at);
            else
                did_write(&e, head->iv - first, stop - first, n * n - at, part, dq + at, dqd + at, M + at);
        }
        last = head->parent;
        if (last >= 0) stop = r->link[last].iv + r->link[last].nv;
    }
}
INL void did_rows_of(const robot *r, const work *k, int part, num *dq, num *dqd, num *M)
{
    const int square = r->link[r->n - 1].first == 0 ? 0 : r->nv * r->nv;
    for (int i = 0; i < square && part & BY_Q; i++) dq[i] = of(0);
    for (int i = 0; i < square && part & BY_QD; i++) dqd[i] = of(0);
    for (int i = 0; i < square && part & MASS; i++) M[i] = of(0);
    for (int i = 0; i < r->n; i++)
        for (int v = r->link[i].iv; v < r->link[i].iv + r->link[i].nv; v++) did_row(r, k, i, v, part, dq, dqd, M);
}

void EXPORT(did_mass)(const robot *r, const work *k, num *M)
{
    if (r->n) did_rows_of(r, k, MASS, M, M, M);
    EXPORT(rotor_matrix)(r, M);
}

/* frame, body and screws of a link; qd NULL: no velocity, and no rates of the screws */
INL void mass_deep_link(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, const vec3 *about)
{
    const robot_link *l = &r->link[i];
    const world_state *s = &k->link[i].world;
    world_frame(r, k, i, t, q, qd, about);
    for (int c = 0; c < (t.wide ? l->nv : 1); c++) {
        num *b = screws_at(k, l->iv + c);
        const screw S = t.wide ? link_screw(l, c, s) : narrow_screw(l, s);
        did_place(l, s, b);
        put3(b, AT_S, S.v);
        put3(b, AT_S + 3, S.w);
        if (!qd) continue;
        put3(b, AT_V, s->v);
        put3(b, AT_V + 3, s->w);
        put3(b, AT_G, S.dv);
        put3(b, AT_G + 3, S.dw);
    }
}
INL void mass_deep_links(const robot *r, const work *k, int several, const num *q, const num *qd, const vec3 *about)
{
    for (int i = 0; i < r->n; i++) AT_JOINT(several, &r->link[i], k, mass_deep_link(r, k, i, t, q, qd, about));
}

/* the inertia matrix alone: with many joints before a joint quicker than composite bodies in link axes */
void EXPORT(mass_deep)(const robot *r, const work *k, const num *q, num *M)
{
    joint_turns(r, k, q);
    const vec3 about = world_place(r, 0, any_turn(&r->link[0], k), q);
    FOR_ROBOT(r, mass_deep_links(r, k, several, q, NULL, &about));
    FOR_SCREWS(r, k, did_inertia(b));
    did_sums(r, k, AT_M, AT_P);
    EXPORT(did_mass)(r, k, M);
    for (int i = 0; i < r->n; i++) { /* composite bodies about their own origins, as crba.c leaves them, in base axes */
        const num *b = screws_at(k, r->link[i].iv), mass = b[AT_M * abreast];
        const vec3 o = get3(b, AT_ORIGIN), MS = get3(b, AT_MS), half = v3_scale(mul(of(0.5), mass), o);
        const sym3 J = get6(b, AT_J), moved = did_mixed(o, v3_sub(MS, half));
        k->link[i].crba = (crba_state){mass,
                                       v3_sub(MS, v3_add(half, half)),
                                       {sub(J.xx, moved.xx), sub(J.xy, moved.xy), sub(J.xz, moved.xz), sub(J.yy, moved.yy),
                                        sub(J.yz, moved.yz), sub(J.zz, moved.zz)}};
    }
}

/* B'S; B S + I dS/dt, with B x = (-P x w, (T - h^) w/2) */
INL void coriolis_columns(num *b)
{
    const vec3 MS = get3(b, AT_MS), P = get3(b, AT_P), sv = get3(b, AT_S), sw = get3(b, AT_S + 3);
    const vec3 rv = get3(b, AT_G), rw = get3(b, AT_G + 3), Ts = s3_mul(get6(b, AT_T), sw), hs = v3_cross(get3(b, AT_H), sw);
    put3(b, AT_B, v3_add(v3_scalec(con(0.5), v3_add(Ts, hs)), v3_cross(P, sv)));
    put3(b, AT_CD, v3_sub(did_force(b[AT_M * abreast], MS, rv, rw), v3_cross(P, sw)));
    put3(b, AT_CD + 3, v3_add(did_moment(MS, get6(b, AT_J), rv, rw), v3_scalec(con(0.5), v3_sub(Ts, hs))));
}

/* C_ij = S_i'(B S_j + I dS_j/dt) over all that the outer of the two joints carries: coriolis.c, in the place of derivatives by qd
 */
void EXPORT(coriolis_screws)(const robot *r, const work *k, const num *q, const num *qd, num *C)
{
    if (!r->n) return;
    joint_turns(r, k, q);
    const vec3 about = world_place(r, 0, any_turn(&r->link[0], k), q);
    FOR_ROBOT(r, mass_deep_links(r, k, several, q, qd, &about));
    FOR_SCREWS(r, k, did_inertia(b); did_momentum(b));
    did_sums(r, k, AT_M, AT_F);
    FOR_SCREWS(r, k, coriolis_columns(b));
    did_rows_of(r, k, BY_QD, C, C, C);
}

/* E = A x S + V x D */
INL void did_second(num *b)
{
    const vec3 v = get3(b, AT_V_BEFORE), w = get3(b, AT_V_BEFORE + 3), av = get3(b, AT_A_BEFORE), aw = get3(b, AT_A_BEFORE + 3);
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), dv = get3(b, AT_D), dw = get3(b, AT_D + 3);
    put3(b, AT_E, v3_add(v3_add(v3_cross(av, sw), v3_cross(aw, sv)), v3_add(v3_cross(v, dw), v3_cross(w, dv))));
    put3(b, AT_E + 3, v3_add(v3_cross(aw, sw), v3_cross(w, dw)));
}

/* the same where a joint has one freedom */
INL void did_twice(num *b)
{
    for (int row = 0; row < 6; row++) b[(AT_G + row) * abreast] = add(b[(AT_D + row) * abreast], b[(AT_D + row) * abreast]);
}

/* (2B)'S; 2 B D + I E + S x* f; 2 B S + I G, with 2 B x = (-2 P x w, (T - h^) w) */
INL void did_columns(num *b)
{
    const num M = b[AT_M * abreast];
    const vec3 MS = get3(b, AT_MS), P = get3(b, AT_P), PP = v3_add(P, P), h = get3(b, AT_H), f = get3(b, AT_F), n = get3(b, AT_N);
    const sym3 J = get6(b, AT_J), T = get6(b, AT_T);
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), dw = get3(b, AT_D + 3), ev = get3(b, AT_E), ew = get3(b, AT_E + 3);
    const vec3 gv = get3(b, AT_G), gw = get3(b, AT_G + 3), Ts = s3_mul(T, sw), hs = v3_cross(h, sw);
    put3(b, AT_B, v3_add(v3_add(Ts, hs), v3_cross(PP, sv)));
    put3(b, AT_CQ, v3_add(v3_sub(did_force(M, MS, ev, ew), v3_cross(PP, dw)), v3_cross(sw, f)));
    put3(b, AT_CQ + 3,
         v3_add(v3_add(did_moment(MS, J, ev, ew), v3_sub(s3_mul(T, dw), v3_cross(h, dw))),
                v3_add(v3_cross(sw, n), v3_cross(sv, f))));
    put3(b, AT_CD, v3_sub(did_force(M, MS, gv, gw), v3_cross(PP, sw)));
    put3(b, AT_CD + 3, v3_add(did_moment(MS, J, gv, gw), v3_sub(Ts, hs)));
}

/* of wrenches that keep their axes: -S_j'(S_i x* w + (F x w_i, P w_i)) by q of the joints j before joint i, and the other way
 * round -S_j'(0, v_i x F + P'w_i) */
static void did_kept(const robot *r, const work *k, int i, int v, num *dq)
{
    const int n = r->nv, own = r->link[i].iv;
    const kept_state *e = &k->kept[i];
    const vec3 sv = get3(screws_at(k, v), AT_S), sw = get3(screws_at(k, v), AT_S + 3);
    const vec3 f = v3_add(v3_cross(sw, e->f), v3_cross(e->F, sw));
    const vec3 m = v3_add(v3_add(v3_cross(sw, e->n), v3_cross(sv, e->f)), m3_mul(e->P, sw));
    const vec3 back = v3_add(v3_cross(sv, e->F), m3_tmul(e->P, sw));
    FOR_SCREWS_BEFORE(r, i, {
        (void)first;
        for (int j = from; j < to; j++) {
            dq[v * n + j] = sub(dq[v * n + j], did_dot(screws_at(k, j), AT_S, f, m));
            if (j < own) dq[j * n + v] = sub(dq[j * n + v], did_dot3(screws_at(k, j), AT_S + 3, back));
        }
    });
}

INL void did_all_columns(const robot *r, const work *k)
{
    FOR_SCREWS(r, k, did_second(b));
    if (!r->nwide) FOR_SCREWS(r, k, did_twice(b));
    FOR_SCREWS(r, k, did_columns(b));
}
void EXPORT(did_screws)(const robot *r, const work *k) { did_all_columns(r, k); }

INL void did_matrices(const robot *r, const work *k, int part, num *dq, num *dqd, num *M)
{
    if (!r->n) return;
    did_all_columns(r, k);
    did_rows_of(r, k, part, dq, dqd, M);
    for (int i = 0; i < r->n && r->nwrench > 0; i++)
        for (int v = r->link[i].iv; v < r->link[i].iv + r->link[i].nv; v++) did_kept(r, k, i, v, dq);
}

/* what the law of one axis grows by with v; s: sign(v), at rest there is no friction and no slope */
INL num friction_slope(const robot_link *l, const robot_pair *point, num v)
{
    const num speed = absolute(v), s = sign(v), moves = mul(s, s);
    num slope = from(l->fv);
    if (l->law == LAW_STRIBECK) { /* of (Fst - Fc) exp(-x^B), x = |v/vs|: -B x^B exp(-x^B)/|v| */
        const num x = power(mulc(l->vs, speed), l->ex);
        const num fall = divide(mulc(l->ex, mul(x, expo(neg(x)))), most(speed, 1e-30));
        slope = sub(slope, mul(moves, mulc(l->fs, fall)));
    }
    for (int k = 0; l->law == LAW_POINTS && k + 1 < l->npoint; k++) {
        const double *a = point[k], *b = point[k + 1];
        num in = mul(moves, most(sign(sub(speed, of(a[0]))), 0));
        if (k + 2 < l->npoint) in = mul(in, most(sign(sub(of(b[0]), speed)), 0));
        slope = add(slope, mulc(con((b[1] - a[1]) / (b[0] - a[0])), in));
    }
    return slope;
}

/* D += dfriction/dqd */
static void friction_slopes(const robot *r, const num *qd, num *D)
{
    const int n = r->nv;
    if (!r->friction) return;
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        num *own = D + l->iv * n + l->iv;
        if (l->law != LAW_NONE) *own = add(*own, friction_slope(l, robot_point(r, l->point), qd[l->iv]));
    }
    const par *drive = robot_drive(r), *fv = robot_motor_fv(r);
    for (int m = 0; m < n && drive; m++) /* J^-T diag(fv) J^-1 */
        for (int i = 0; i < n; i++) {
            const num pull = mulc(drive[m * n + i], from(fv[m]));
            for (int j = 0; j < n; j++) D[i * n + j] = add(D[i * n + j], mulc(drive[m * n + j], pull));
        }
}

void EXPORT(did_rows)(const robot *r, const work *k, const num *qd, num *dq, num *dqd)
{
    did_matrices(r, k, RATES, dq, dqd, dq);
    friction_slopes(r, qd, dqd);
}

void EXPORT(did_parts)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *dq, num *dqd, num *dqdd)
{
    EXPORT(did_outward)(r, k, q, qd, qdd);
    EXPORT(did_inward)(r, k);
    did_matrices(r, k, RATES | MASS, dq, dqd, dqdd);
    EXPORT(rotor_matrix)(r, dqdd);
    friction_slopes(r, qd, dqd);
}

void EXPORT(did)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *D)
{
    const int square = r->nv * r->nv;
    EXPORT(did_parts)(r, k, q, qd, qdd, D, D + square, D + 2 * square);
}
