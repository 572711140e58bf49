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

/* a link by its first freedom: axes, origin, velocity */
INL world_state did_frame(const num *b)
{
    return (world_state){.x = get3(b, AT_AXES),
                         .y = get3(b, AT_AXES + 3),
                         .z = get3(b, AT_AXES + 6),
                         .o = get3(b, AT_ORIGIN),
                         .v = get3(b, AT_V),
                         .w = get3(b, AT_V + 3)};
}
/* What bodies and screws begin with, at each freedom of a link, in the order in which blocks ask for it, for vectors that are
 * loaded wait until all their numbers are stored: inertia, which itself waits for nothing; where the link is; the screw. */
INL void put_inertia(num *b, const robot_link *l)
{
    b[AT_M * abreast] = from(l->M);
    put3(b, AT_MS, v3_of(con3_at(l->MS)));
    put3(b, AT_J, v3_of(con3_at(l->J)));
    put3(b, AT_J + 3, v3_of(con3_at(l->J + 3)));
}
INL void put_frame(num *b, const world_state *s)
{
    put3(b, AT_AXES, s->x);
    put3(b, AT_AXES + 3, s->y);
    put3(b, AT_AXES + 6, s->z);
    put3(b, AT_ORIGIN, s->o);
    put3(b, AT_V, s->v);
    put3(b, AT_V + 3, s->w);
}
INL void put_screw(num *b, screw S)
{
    put3(b, AT_S, S.v);
    put3(b, AT_S + 3, S.w);
}
INL screw did_screw(const robot_link *l, turn t, int c, const world_state *s)
{
    return t.wide ? link_screw(l, c, s) : narrow_screw(l, s);
}

INL void did_link(const robot *r, const work *k, int several, int i, turn t, const num *q, const num *qd, const num *qdd,
                  const vec3 *about)
{
    const robot_link *l = &r->link[i];
    const int nv = t.wide ? l->nv : 1;
    for (int c = 0; c < nv; c++) put_inertia(screws_at(k, l->iv + c), l);
    const num *before = screws_at(k, l->parent < 0 ? 0 : r->link[l->parent].iv);
    const world_state up = l->parent < 0 ? (world_state){.v = v3_zero(), .w = v3_zero()} : did_frame(before);
    const vec3 pav = l->parent < 0 ? v3_neg(v3_of(con3_at(r->g))) : get3(before, AT_A);
    const vec3 paw = l->parent < 0 ? v3_zero() : get3(before, AT_A + 3);
    vec3 av = pav, aw = paw;
    world_state s = {.v = v3_zero(), .w = v3_zero()};
    world_frame(r, i, t, q, qd, about, &up, &s);
    num *own = screws_at(k, l->iv), *b = own;
    for (int c = 0; c < nv; c++) {
        const screw S = did_screw(l, t, c, &s);
        const int v = l->iv + c;
        if (c > 0) b = screws_at(k, v);
        /* A = A_p + S qdd + S' qd */
        av = v3_add(av, v3_scale(qd[v], S.dv));
        aw = v3_add(aw, v3_scale(qd[v], S.dw));
        if (qdd) av = v3_add(av, v3_scale(qdd[v], S.v));
        if (qdd) aw = v3_add(aw, v3_scale(qdd[v], S.w));
        put_frame(b, &s);
        if (several) {
            put3(b, AT_V_BEFORE, up.v);
            put3(b, AT_V_BEFORE + 3, up.w);
            put3(b, AT_A_BEFORE, pav);
            put3(b, AT_A_BEFORE + 3, paw);
        }
    }
    for (int c = 0; c < nv; c++) {
        if (c > 0) own = screws_at(k, l->iv + c);
        put3(own, AT_A, av);
        put3(own, AT_A + 3, aw);
        put_screw(own, did_screw(l, t, c, &s));
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
    kept_state *e = &k->kept[f->body];
    num *b = screws_at(k, r->link[f->body].iv);
    const world_state link = did_frame(b), *s = &link;
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
        num *b = screws_at(k, r->link[i].iv);
        k->kept[i] = (kept_state){v3_zero(), v3_zero(), v3_zero(), m3_columns(v3_zero(), v3_zero(), v3_zero())};
        if (r->nwrench > 0) continue;
        const world_state s = did_frame(b);
        const vec3 force = world_axes(&s, k->force[i]); /* given in link axes */
        put3(b, AT_F, v3_sub(get3(b, AT_F), force));
        put3(b, AT_N, v3_sub(get3(b, AT_N), v3_add(world_axes(&s, k->moment[i]), v3_cross(s.o, force))));
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

/* rows from `begin` to `end` of all that each link carries */
void EXPORT(did_sums)(const robot *r, const work *k, int begin, int end)
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
}

void EXPORT(did_inward)(const robot *r, const work *k)
{
    EXPORT(did_sums)(r, k, AT_M, AT_END_SUMS);
    FOR_SCREWS(r, k, did_unit(b));
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
enum { BY_Q = 1, BY_QD = 2, MASS = 4, RATES = BY_Q | BY_QD, LOWER = 8 }; /* LOWER: up to the diagonal */
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
/* Those of the lanes `in`, and zeros where nothing stands yet; `room` of them at most, whatever else there is goes where later
 * rows will stand. */
INL void did_write(const did_entries *e, unsigned in, int room, int part, num *restrict dq, num *restrict dqd, num *restrict M)
{
    for (int x = 0; x < room && abreast > 1 && room < abreast; x++) {
        if (part & BY_Q) dq[x] = in >> x & 1 ? e->q[x] : of(0);
        if (part & BY_QD) dqd[x] = in >> x & 1 ? e->d[x] : of(0);
        if (part & MASS) M[x] = in >> x & 1 ? e->m[x] : of(0);
    }
    if (abreast > 1 && room < abreast) return;
    const bool plainly = !(part & RATES) && in == (1u << abreast) - 1; /* where little is computed, choosing would show */
    AS_VECTOR
    for (int x = 0; x < abreast && plainly; x++) M[x] = e->m[x];
    if (plainly) return;
    AS_VECTOR
    for (long long x = 0; x < abreast; x++) { /* as wide as the numbers that it chooses */
        const bool inside = (long long)in >> x & 1;
        if (part & BY_Q) dq[x] = inside ? e->q[x] : of(0);
        if (part & BY_QD) dqd[x] = inside ? e->d[x] : of(0);
        if (part & MASS) M[x] = inside ? e->m[x] : of(0);
    }
}
/* over those of the lanes `in` */
INL void did_write_over(const did_entries *e, unsigned in, int room, int part, num *restrict dq, num *restrict dqd,
                        num *restrict M)
{
    for (int x = 0; x < room && room < abreast; x++) {
        if (part & BY_Q && in >> x & 1) dq[x] = e->q[x];
        if (part & BY_QD && in >> x & 1) dqd[x] = e->d[x];
        if (part & MASS && in >> x & 1) M[x] = e->m[x];
    }
    if (room < abreast) return;
    AS_VECTOR
    for (long long x = 0; x < abreast; x++) {
        if (part & BY_Q && (long long)in >> x & 1) dq[x] = e->q[x];
        if (part & BY_QD && (long long)in >> x & 1) dqd[x] = e->d[x];
        if (part & MASS && (long long)in >> x & 1) M[x] = e->m[x];
    }
}
INL void did_blank(int room, int part, num *restrict dq, num *restrict dqd, num *restrict M)
{
    for (int x = 0; x < room && room < abreast; x++) {
        if (part & BY_Q) dq[x] = of(0);
        if (part & BY_QD) dqd[x] = of(0);
        if (part & MASS) M[x] = of(0);
    }
    if (room < abreast) return;
    AS_VECTOR
    for (int x = 0; x < abreast; x++) {
        if (part & BY_Q) dq[x] = of(0);
        if (part & BY_QD) dqd[x] = of(0);
        if (part & MASS) M[x] = of(0);
    }
}

/* what row v of a joint is made of: (2B)'S, I S and S of v; the freedoms beyond its own joint begin at `end` */
typedef struct {
    vec3 a, f, m, sf, sm;
    int end, part;
} did_maker;

/* entries of a row at one block of freedoms: lanes `in`, of which `beyond` are of freedoms beyond, the others of those before; a
 * constant tells which there are */
enum { BEFORE = 1, BEYOND = 2 };
INL void did_block(const did_maker *w, const num *b, int which, unsigned in, unsigned beyond, int room, num *dq, num *dqd, num *M)
{
    did_entries e, o;
    if (which & BEFORE) did_before(b, w->a, w->f, w->m, w->part, &e);
    if (which & BEYOND) did_beyond(b, w->sf, w->sm, w->part, &o);
    did_write(which & BEFORE ? &e : &o, in, room, w->part, dq, dqd, M);
    if (which == (BEFORE | BEYOND)) did_write_over(&o, beyond, room, w->part, dq, dqd, M);
}

/* Lanes of the block from freedom `first` on that lie from `begin` to `end`. */
INL unsigned did_lanes(int first, int begin, int end)
{
    const int a = begin > first ? begin - first : 0, b = end - first < abreast ? end - first : abreast;
    return (1u << b) - (1u << a);
}

/* Row v of joint i, block by block. Entries that are not zero stand at the joints that lead to joint i, in runs, the last of
 * which goes on with all that it carries: from where it begins down to the base, then up, which in a chain is from left to right.
 * Rows are written in order: what is too much at the end of one is overwritten by the next. */
INL void did_row(const robot *r, const work *k, int i, int v, int part, num *dq, num *dqd, num *M)
{
    const int n = r->nv, end = r->link[i].iv + r->link[i].nv, wanted = part & LOWER ? v + 1 : n;
    const num *own = screws_at(k, v);
    const did_maker w = {get3(own, AT_B), get3(own, AT_U), get3(own, AT_U + 3), get3(own, AT_S), get3(own, AT_S + 3), end, part};
    const robot_link *head = &r->link[r->link[i].first]; /* of the run, which stops before freedom `stop` */
    const int reach = part & LOWER ? wanted : robot_chain(r, 3 * n)[v] + 1, turning = head->iv / abreast;
    for (int g = 0, stop = reach; g * abreast < wanted; g++) {
        const int first = (g > turning ? g : turning - g) * abreast;
        unsigned in = g <= turning || first >= reach ? 0 : did_lanes(first, first, reach);
        while (g <= turning && stop > first) {
            in |= did_lanes(first, head->iv, stop);
            if (head->iv < first) break;
            const int last = head->parent;
            stop = last < 0 ? 0 : r->link[last].iv + r->link[last].nv;
            if (last >= 0) head = &r->link[r->link[last].first];
        }
        const unsigned beyond = first >= end ? in : first + abreast > end ? in & ~did_lanes(first, first, end) : 0;
        if (wanted < first + abreast) in |= did_lanes(first, wanted, first + abreast);
        const int at = v * n + first, room = n * n - at;
        const num *b = screws_block(k, first);
        if (!in)
            did_blank(room, part, dq + at, dqd + at, M + at);
        else if (!beyond)
            did_block(&w, b, BEFORE, in, 0, room, dq + at, dqd + at, M + at);
        else if (first >= end)
            did_block(&w, b, BEYOND, in, 0, room, dq + at, dqd + at, M + at);
        else
            did_block(&w, b, BEFORE | BEYOND, in, beyond, room, dq + at, dqd + at, M + at);
    }
}
INL void did_rows_of(const robot *r, const work *k, int part, num *dq, num *dqd, num *M)
{
    for (int i = 0; i < r->n; i++)
        for (int v = r->link[i].iv; v < r->link[i].iv + r->link[i].nv; v++) did_row(r, k, i, v, part, dq, dqd, M);
}

void EXPORT(did_mass)(const robot *r, const work *k, num *M)
{
    if (r->n) did_rows_of(r, k, MASS, M, M, M);
    EXPORT(rotor_matrix)(r, M);
}
void EXPORT(did_mass_lower)(const robot *r, const work *k, num *M)
{
    if (r->n) did_rows_of(r, k, MASS | LOWER, M, M, M);
    EXPORT(rotor_matrix)(r, M);
}

/* frame, body and screws of a link; qd NULL: at rest */
INL void mass_deep_link(const robot *r, const work *k, int i, turn t, const num *q, const num *qd, const vec3 *about)
{
    const robot_link *l = &r->link[i];
    const int nv = t.wide ? l->nv : 1;
    for (int c = 0; c < nv; c++) put_inertia(screws_at(k, l->iv + c), l);
    const world_state up = l->parent < 0 ? (world_state){.v = v3_zero()} : did_frame(screws_at(k, r->link[l->parent].iv));
    world_state s = {.v = v3_zero(), .w = v3_zero()};
    world_frame(r, i, t, q, qd, about, &up, &s);
    for (int c = 0; c < nv; c++) {
        put_frame(screws_at(k, l->iv + c), &s);
        put_screw(screws_at(k, l->iv + c), did_screw(l, t, c, &s));
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
    EXPORT(did_sums)(r, k, AT_M, AT_P);
    FOR_SCREWS(r, k, did_unit(b));
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
    const vec3 v = get3(b, AT_V), w = get3(b, AT_V + 3), rv = v3_add(v3_cross(w, sv), v3_cross(v, sw)), rw = v3_cross(w, sw),
               Ts = s3_mul(get6(b, AT_T), sw), hs = v3_cross(get3(b, AT_H), sw);
    did_unit(b);
    put3(b, AT_G, rv);
    put3(b, AT_G + 3, rw);
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
    EXPORT(did_sums)(r, k, AT_M, AT_F);
    FOR_SCREWS(r, k, coriolis_columns(b));
    did_rows_of(r, k, BY_QD, C, C, C);
}

/* D = V x S, E = A x S + V x D, by the motion of the link before; G = D + S', S' by that of the link itself. Where a joint has
 * one freedom both say the same, as S x S is nothing. */
INL void did_second(num *b, int several)
{
    const int at_v = several ? AT_V_BEFORE : AT_V, at_a = several ? AT_A_BEFORE : AT_A;
    const vec3 v = get3(b, at_v), w = get3(b, at_v + 3), av = get3(b, at_a), aw = get3(b, at_a + 3);
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), dv = v3_add(v3_cross(w, sv), v3_cross(v, sw)), dw = v3_cross(w, sw);
    vec3 rv = dv, rw = dw;
    put3(b, AT_D, dv);
    put3(b, AT_D + 3, dw);
    put3(b, AT_E, v3_add(v3_add(v3_cross(av, sw), v3_cross(aw, sv)), v3_add(v3_cross(v, dw), v3_cross(w, dv))));
    put3(b, AT_E + 3, v3_add(v3_cross(aw, sw), v3_cross(w, dw)));
    if (several) {
        const vec3 own_v = get3(b, AT_V), own_w = get3(b, AT_V + 3);
        rv = v3_add(v3_cross(own_w, sv), v3_cross(own_v, sw)), rw = v3_cross(own_w, sw);
    }
    put3(b, AT_G, v3_add(dv, rv));
    put3(b, AT_G + 3, v3_add(dw, rw));
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
    FOR_ROBOT(r, FOR_SCREWS(r, k, did_second(b, several && r->nwide); did_columns(b)));
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
