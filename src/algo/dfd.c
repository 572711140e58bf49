/* SPDX-License-Identifier: MIT
 *
 * dfd.c - derivatives of forward dynamics from those of inverse dynamics: id(q, qd, fd(q, qd, tau)) = tau, so
 *
 *     dqdd/dq = -M^-1 did/dq,   dqdd/dqd = -M^-1 did/dqd,   dqdd/dtau = M^-1
 *
 * at qdd = fd(q, qd, tau) [003 eq. 9.95]. The accelerations come from the same passes: the wrenches at rest accelerations, M and
 * its factorization, then what the accelerations add to the wrenches. doc/derivatives.md. */
#include "algo/did.h"

/* Blocks of columns that M^-1 is applied to together: of did/dq, did/dqd, and of the unit matrix. */
enum { BLOCKS = 3, WIDE = BLOCKS * COLUMNS };
/* links of a chain from which on M^-1 is applied by articulated bodies */
enum { LONG = 24 };

/* ---- long chains: M^-1 by articulated bodies, O(n) a column ---- */

/* Of each freedom, where the axes of its link were: J* a, 1/H, H. */
enum { AT_ARTICULATED = AT_AXES, AT_PER_H = AT_AXES + 6, AT_HINGE = AT_AXES + 7 };

/* J* = [A B; B' C] from the tip to the base, one freedom after the other, in base axes [003 eq. 9.116, 9.117] */
static void dfd_articulate(const robot *r, const work *k)
{
    const num zero = of(0);
    sym3 A = {zero, zero, zero, zero, zero, zero}, C = A;
    mat3 B = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    for (int i = r->n - 1; i >= 0; i--) {
        const robot_link *l = &r->link[i];
        const num *own = screws_at(k, l->iv), M = own[AT_M * abreast];
        const vec3 MS = get3(own, AT_MS);
        A.xx = add(A.xx, M), A.yy = add(A.yy, M), A.zz = add(A.zz, M);
        B.xy = add(B.xy, MS.z), B.xz = sub(B.xz, MS.y), B.yz = add(B.yz, MS.x);
        B.yx = sub(B.yx, MS.z), B.zx = add(B.zx, MS.y), B.zy = sub(B.zy, MS.x);
        C = s3_add(C, get6(own, AT_J));
        for (int v = l->iv + l->nv - 1; v >= l->iv; v--) {
            num *b = screws_at(k, v);
            const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3);
            const vec3 f = v3_add(s3_mul(A, sv), m3_mul(B, sw)), m = v3_add(m3_tmul(B, sv), s3_mul(C, sw));
            num H = add(v3_dot(sv, f), v3_dot(sw, m));
            if (r->rotors && l->nv == 1) H = add(H, from(l->Ia));
            const num h = divide(of(1), H);
            const vec3 hf = v3_scale(h, f), hm = v3_scale(h, m);
            A = s3_less(A, hf, f);
            B = m3_less(B, hf, m);
            C = s3_less(C, hm, m);
            put3(b, AT_ARTICULATED, f);
            put3(b, AT_ARTICULATED + 3, m);
            put3(b, AT_PER_H, v3(h, H, zero));
        }
    }
}

/* The torques x become accelerations: e = x - S'p, p += u e/H inward; x = (e - u'a)/H, a += S x outward; as [003
 * eq. 9.118, 9.122, 9.124] at rest. */
INL void dfd_chain_inward(const num *b, num *x, num (*p)[WIDE], int blocks)
{
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), f = get3(b, AT_ARTICULATED), m = get3(b, AT_ARTICULATED + 3);
    const num h = b[AT_PER_H * abreast];
    AS_VECTOR
    for (int c = 0; c < blocks * COLUMNS; c++) {
        const num e = sub(x[c], add(v3_dot(sv, v3(p[0][c], p[1][c], p[2][c])), v3_dot(sw, v3(p[3][c], p[4][c], p[5][c]))));
        const num g = mul(h, e);
        x[c] = e;
        p[0][c] = add(p[0][c], mul(f.x, g)), p[1][c] = add(p[1][c], mul(f.y, g)), p[2][c] = add(p[2][c], mul(f.z, g));
        p[3][c] = add(p[3][c], mul(m.x, g)), p[4][c] = add(p[4][c], mul(m.y, g)), p[5][c] = add(p[5][c], mul(m.z, g));
    }
}
INL void dfd_chain_outward(const num *b, num *x, num (*a)[WIDE], int blocks)
{
    const vec3 sv = get3(b, AT_S), sw = get3(b, AT_S + 3), f = get3(b, AT_ARTICULATED), m = get3(b, AT_ARTICULATED + 3);
    const num h = b[AT_PER_H * abreast];
    AS_VECTOR
    for (int c = 0; c < blocks * COLUMNS; c++) {
        const num y = mul(h, sub(x[c], add(v3_dot(f, v3(a[0][c], a[1][c], a[2][c])), v3_dot(m, v3(a[3][c], a[4][c], a[5][c])))));
        x[c] = y;
        a[0][c] = add(a[0][c], mul(sv.x, y)), a[1][c] = add(a[1][c], mul(sv.y, y)), a[2][c] = add(a[2][c], mul(sv.z, y));
        a[3][c] = add(a[3][c], mul(sw.x, y)), a[4][c] = add(a[4][c], mul(sw.y, y)), a[5][c] = add(a[5][c], mul(sw.z, y));
    }
}

/* Of the unit matrix, whose columns are symmetric, rows up to `last` are wanted. */
static void dfd_chain(const robot *r, const work *k, int last, num *x)
{
    num p[6][WIDE];
    for (int c = 0; c < 6 * WIDE; c++) p[c / WIDE][c % WIDE] = of(0);
    for (int v = r->nv - 1; v > last; v--) dfd_chain_inward(screws_at(k, v), x + v * WIDE, p, BLOCKS - 1);
    for (int v = last; v >= 0; v--) dfd_chain_inward(screws_at(k, v), x + v * WIDE, p, BLOCKS);
    for (int c = 0; c < 6 * WIDE; c++) p[c / WIDE][c % WIDE] = of(0);
    for (int v = 0; v <= last; v++) dfd_chain_outward(screws_at(k, v), x + v * WIDE, p, BLOCKS);
    for (int v = last + 1; v < r->nv; v++) dfd_chain_outward(screws_at(k, v), x + v * WIDE, p, BLOCKS - 1);
}
static void dfd_chain_vector(const robot *r, const work *k, num *y)
{
    num p[6][WIDE], *x = k->columns;
    for (int v = 0; v < r->nv; v++)
        for (int c = 0; c < COLUMNS; c++) x[v * WIDE + c] = c ? of(0) : y[v];
    for (int c = 0; c < 6 * WIDE; c++) p[c / WIDE][c % WIDE] = of(0);
    for (int v = r->nv - 1; v >= 0; v--) dfd_chain_inward(screws_at(k, v), x + v * WIDE, p, 1);
    for (int c = 0; c < 6 * WIDE; c++) p[c / WIDE][c % WIDE] = of(0);
    for (int v = 0; v < r->nv; v++) dfd_chain_outward(screws_at(k, v), x + v * WIDE, p, 1);
    for (int v = 0; v < r->nv; v++) y[v] = x[v * WIDE];
}

/* ---- few freedoms: M^-1 itself, so that nobody waits for anybody ---- */

/* In graphs, where only operations count, never. ALONE: a block of columns is all of them, and what is too much at the end of a
 * row the next one overwrites. */
enum { FEW = 8, ALONE = COLUMNS >= FEW, ROW = ALONE ? COLUMNS : FEW };
#if CAT(HAS_VECTORS_, KIND)
INL int dfd_few(int n) { return (void)n, 0; }
#else
INL int dfd_few(int n) { return n <= FEW; }
#endif

INL void dfd_copy(const num *restrict from, num *restrict to)
{
    AS_VECTOR
    for (int c = 0; c < COLUMNS; c++) to[c] = from[c];
}
INL void dfd_read(const num *restrict from, int room, int count, num *restrict to)
{
    if (room >= COLUMNS) {
        dfd_copy(from, to);
        return;
    }
    for (int c = 0; c < COLUMNS; c++) to[c] = c < count ? from[c] : of(0);
}
INL void dfd_put(const num *restrict from, int room, int count, num *restrict to)
{
    if (ALONE && room >= COLUMNS) {
        dfd_copy(from, to);
        return;
    }
    for (int c = 0; c < count; c++) to[c] = from[c];
}

/* M^-1 = W'D^-1 W with W = L'^-1, a row of which is one of the unit matrix less L_ji times those after. Both triangles have the
 * same bits: a vector computes both, a lane one. */
static void dfd_inverse(int n, const num *LD, num *X)
{
    num W[FEW][ROW], h[FEW], unit[FEW + ROW];
    for (int c = 0; c < FEW + ROW; c++) unit[c] = of(c == FEW);
    for (int i = n - 1; i >= 0; i--) {
        num y[ROW];
        AS_VECTOR
        for (int c = 0; c < ROW; c++) y[c] = unit[FEW - i + c];
        for (int j = n - 1; j > i; j--) {
            const num l = LD[j * n + i];
            AS_VECTOR
            for (int c = ALONE ? 0 : j; c < (ALONE ? ROW : n); c++) y[c] = sub(y[c], mul(l, W[j][c]));
        }
        AS_VECTOR
        for (int c = 0; c < ROW; c++) W[i][c] = y[c];
        h[i] = divide(of(1), LD[i * n + i]);
    }
    for (int i = 0; i < n; i++) {
        num y[ROW];
        AS_VECTOR
        for (int c = 0; c < ROW; c++) y[c] = of(0);
        for (int k = 0; k <= i; k++) {
            const num w = W[k][i], d = h[k];
            AS_VECTOR
            for (int c = ALONE ? 0 : i; c < (ALONE ? ROW : n); c++) y[c] = add(y[c], mul(d, mul(w, W[k][c])));
        }
        if (ALONE) dfd_put(y, (n - i) * n, n, X + i * n);
        for (int c = i; c < n && !ALONE; c++) X[i * n + c] = X[c * n + i] = y[c];
    }
}

/* qdd = M^-1 tau; D = -M^-1 D for did/dq and did/dqd */
static void dfd_apply(int n, const num *X, const num *tau, num *qdd)
{
    num y[ROW], own[ROW];
    AS_VECTOR
    for (int c = 0; c < ROW; c++) y[c] = of(0);
    for (int j = 0; j < n; j++) {
        const num t = tau[j], *row = ALONE ? own : X + j * n;
        if (ALONE) dfd_read(X + j * n, (n - j) * n, n, own);
        AS_VECTOR
        for (int c = 0; c < (ALONE ? ROW : n); c++) y[c] = add(y[c], mul(t, row[c]));
    }
    for (int c = 0; c < n; c++) qdd[c] = y[c];
}
static void dfd_products(int n, const num *X, num *x, num *dq, num *dqd)
{
    for (int begin = 0; begin < n; begin += COLUMNS) {
        const int count = n - begin < COLUMNS ? n - begin : COLUMNS;
        for (int i = 0; i < n; i++) {
            dfd_read(dq + i * n + begin, (n - i) * n - begin, count, x + 2 * i * COLUMNS);
            dfd_read(dqd + i * n + begin, (n - i) * n - begin, count, x + (2 * i + 1) * COLUMNS);
        }
        for (int i = 0; i < n; i++) {
            num q[COLUMNS], d[COLUMNS];
            AS_VECTOR
            for (int c = 0; c < COLUMNS; c++) q[c] = of(0);
            AS_VECTOR
            for (int c = 0; c < COLUMNS; c++) d[c] = of(0);
            for (int j = 0; j < n; j++) {
                less_by(q, X[i * n + j], x + 2 * j * COLUMNS);
                less_by(d, X[i * n + j], x + (2 * j + 1) * COLUMNS);
            }
            dfd_put(q, (n - i) * n - begin, count, dq + i * n + begin);
            dfd_put(d, (n - i) * n - begin, count, dqd + i * n + begin);
        }
    }
}

/* ---- the accelerations ---- */

/* For a while, of each freedom: qdd, S qdd, U qdd; the last two then of its link with all links before, and with all beyond;
 * without its own joint. */
enum { AT_QDD = AT_B, AT_GROWS = AT_CD, AT_U_QDD = AT_CQ, AT_GREW = AT_E };

/* torques of all joints: none of those that follow, whose masters move them */
INL num dfd_torque(const robot *r, const num *tau, int v)
{
    if (!r->nfollow) return tau[v];
    const robot_follower *f = robot_v(r, v);
    return f->master < 0 ? tau[f->own] : of(0);
}

/* qdd, from what did_outward at rest accelerations and did_inward have left; where joints follow, of all of them in `all` too */
INL void dfd_project(num *b) { b[AT_QDD * abreast] = did_dot(b, AT_S, get3(b, AT_F), get3(b, AT_N)); }
static void dfd_accelerations(const robot *r, const work *k, const num *qd, const num *tau, const num *LD, const num *inverse,
                              num *qdd, num *all)
{
    const int n = robot_nv(r);
    FOR_SCREWS(r, k, dfd_project(b));
    for (int v = 0; v < r->nv; v++) all[v] = sub(dfd_torque(r, tau, v), screws_at(k, v)[AT_QDD * abreast]);
    for (int i = 0; i < r->n && r->nwrench > 0; i++)
        for (int v = r->link[i].iv; v < r->link[i].iv + r->link[i].nv; v++)
            all[v] = add(all[v], did_dot(screws_at(k, v), AT_S, k->kept[i].f, k->kept[i].n));
    EXPORT(friction)(r, k, qd, all, -1);
    if (r->nfollow) EXPORT(lead)(r, r->nv, 1, 1, 0, all, qdd);
    if (dfd_few(n))
        dfd_apply(n, inverse, qdd, qdd);
    else if (LD)
        EXPORT(solve)(r, LD, qdd);
    else
        dfd_chain_vector(r, k, qdd);
    if (r->nfollow) EXPORT(follow)(r, qdd, 0, all);
}

INL void dfd_shares(num *b)
{
    const num qdd = b[AT_QDD * abreast];
    put3(b, AT_GROWS, v3_scale(qdd, get3(b, AT_S)));
    put3(b, AT_GROWS + 3, v3_scale(qdd, get3(b, AT_S + 3)));
    put3(b, AT_U_QDD, v3_scale(qdd, get3(b, AT_U)));
    put3(b, AT_U_QDD + 3, v3_scale(qdd, get3(b, AT_U + 3)));
}

/* sums of a joint of several freedoms, and of all before */
INL void dfd_grow(const robot *r, const work *k, int several)
{
    for (int i = 0; i < r->n; i++) {
        const robot_link *l = &r->link[i];
        const int p = l->parent;
        num *b = screws_at(k, l->iv);
        const num *up = p < 0 ? NULL : screws_at(k, r->link[p].iv);
        for (int row = AT_GROWS; row < AT_GROWS + 6; row++) {
            const num grew = up ? up[row * abreast] : of(0);
            num sum = add(grew, b[row * abreast]);
            for (int c = 1; c < l->nv && several; c++) sum = add(sum, screws_at(k, l->iv + c)[row * abreast]);
            b[row * abreast] = sum;
            for (int c = 0; c < l->nv && several; c++) {
                screws_at(k, l->iv + c)[row * abreast] = sum;
                screws_at(k, l->iv + c)[(row - AT_GROWS + AT_GREW) * abreast] = grew;
            }
        }
        for (int row = AT_U_QDD; row < AT_U_QDD + 6 && several; row++)
            for (int c = 1; c < l->nv; c++) b[row * abreast] = add(b[row * abreast], screws_at(k, l->iv + c)[row * abreast]);
    }
}

/* A grows with all before, and the wrench of all that a link carries by I times what A of its parent grew and by the sum of U qdd
 * of all joints it carries. */
INL void dfd_raise(num *b, int several)
{
    const num qdd = b[AT_QDD * abreast];
    vec3 v = get3(b, AT_GROWS), w = get3(b, AT_GROWS + 3);
    const int at_a = several ? AT_A_BEFORE : AT_A;
    if (several) v = get3(b, AT_GREW), w = get3(b, AT_GREW + 3);
    put3(b, at_a, v3_add(get3(b, at_a), v));
    put3(b, at_a + 3, v3_add(get3(b, at_a + 3), w));
    if (!several) v = v3_sub(v, v3_scale(qdd, get3(b, AT_S))), w = v3_sub(w, v3_scale(qdd, get3(b, AT_S + 3)));
    const vec3 MS = get3(b, AT_MS), f = did_force(b[AT_M * abreast], MS, v, w), n = did_moment(MS, get6(b, AT_J), v, w);
    put3(b, AT_F, v3_add(get3(b, AT_F), v3_add(f, get3(b, AT_U_QDD))));
    put3(b, AT_N, v3_add(get3(b, AT_N), v3_add(n, get3(b, AT_U_QDD + 3))));
}

/* accelerations and wrenches with qdd */
static void dfd_lift(const robot *r, const work *k, const num *qdd)
{
    for (int v = 0; v < r->nv; v++) screws_at(k, v)[AT_QDD * abreast] = qdd[v];
    FOR_SCREWS(r, k, dfd_shares(b));
    FOR_ROBOT(r, dfd_grow(r, k, several));
    EXPORT(did_sums)(r, k, AT_U_QDD, AT_U_QDD + 6);
    FOR_ROBOT(r, FOR_SCREWS(r, k, dfd_raise(b, several && r->nwide)));
}

/* ---- M^-1 by its factors ---- */

/* what a row of x becomes, its blocks apart so that compilers keep each in a register */
typedef struct {
    num q[COLUMNS], d[COLUMNS], t[COLUMNS];
} dfd_row;

INL void dfd_load(const num *x, dfd_row *y) { dfd_copy(x, y->q), dfd_copy(x + COLUMNS, y->d), dfd_copy(x + 2 * COLUMNS, y->t); }
INL void dfd_store(const dfd_row *y, num *x) { dfd_copy(y->q, x), dfd_copy(y->d, x + COLUMNS), dfd_copy(y->t, x + 2 * COLUMNS); }
/* y -= a x; unit: of the unit matrix too */
INL void dfd_take_away(num a, const num *x, int unit, dfd_row *y)
{
    less_by(y->q, a, x);
    less_by(y->d, a, x + COLUMNS);
    if (unit) less_by(y->t, a, x + 2 * COLUMNS);
}

/* Columns from `begin` to `end` of a tree that begins and ends at freedoms `root` and `last[root]`. A column has entries at the
 * freedoms before and beyond its own alone, of which `most` is the last. */
typedef struct {
    const int *up, *first, *last;
    int n, root, begin, end, most;
} dfd_columns;

/* x_j -= L_ij x_i of the freedoms i from `i` down to after `down` that go back to j */
INL int dfd_beyond(const dfd_columns *s, const num *L, const num *x, int i, int down, dfd_row *y)
{
    for (; i > down && i > s->end; i--) dfd_take_away(L[i * s->n], x + i * WIDE, 0, y);
    for (; i > down; i--) dfd_take_away(L[i * s->n], x + i * WIDE, 1, y);
    return i;
}
static void dfd_down(const dfd_columns *s, const num *LD, num *x)
{
    dfd_row y;
    for (int j = s->most; j >= s->begin; j--) {
        dfd_load(x + j * WIDE, &y);
        dfd_beyond(s, LD + j, x, s->last[j] < s->most ? s->last[j] : s->most, j, &y);
        dfd_store(&y, x + j * WIDE);
    }
    for (int j = s->up[s->begin]; j >= 0; j = s->up[j]) {
        dfd_load(x + j * WIDE, &y);
        dfd_beyond(s, LD + j, x, s->most, s->begin - 1, &y);
        for (int i = s->up[s->begin]; i > j; i = s->up[i]) dfd_take_away(LD[i * s->n + j], x + i * WIDE, 1, &y);
        dfd_store(&y, x + j * WIDE);
    }
}

/* x_i = x_i/D_i - sum of L_ij x_j */
INL void dfd_before(const dfd_columns *s, int i, const num *L, int unit, num *x)
{
    const num h = divide(of(1), L[i]);
    dfd_row y;
    dfd_load(x + i * WIDE, &y);
    times(y.q, h), times(y.d, h), times(y.t, h);
    for (int last = s->up[i]; last >= 0; last = s->up[s->first[last]])
        for (int j = last; j >= s->first[last]; j--) dfd_take_away(L[j], x + j * WIDE, unit, &y);
    dfd_store(&y, x + i * WIDE);
}
static void dfd_up(const dfd_columns *s, const num *LD, num *x)
{
    for (int i = s->root; i <= s->end; i++) dfd_before(s, i, LD + i * s->n, 1, x);
    for (int i = s->end + 1; i <= s->last[s->root]; i++) dfd_before(s, i, LD + i * s->n, 0, x);
}

/* `count` columns; where count is COLUMNS, and the compiler knows, rows move as vectors. Zeros have no sign, whatever is left
 * out. */
INL void dfd_take(const dfd_columns *s, int count, const num *restrict dq, const num *restrict dqd, num *restrict x)
{
    for (int i = s->root; i <= s->last[s->root]; i++) {
        num *row = x + i * WIDE;
        AS_VECTOR
        for (int c = 0; c < count; c++) row[c] = sub(of(0), dq[i * s->n + c]);
        AS_VECTOR
        for (int c = 0; c < count; c++) row[COLUMNS + c] = sub(of(0), dqd[i * s->n + c]);
        for (int c = count; c < COLUMNS; c++) row[c] = row[COLUMNS + c] = of(0);
        AS_VECTOR
        for (int c = 0; c < COLUMNS; c++) row[2 * COLUMNS + c] = of(i == s->begin + c);
    }
}
INL void dfd_give(const dfd_columns *s, int count, const num *restrict x, num *restrict dq, num *restrict dqd, num *restrict dtau)
{
    for (int i = s->root; i <= s->last[s->root]; i++) {
        const num *row = x + i * WIDE;
        AS_VECTOR
        for (int c = 0; c < count; c++) dq[i * s->n + c] = row[c];
        AS_VECTOR
        for (int c = 0; c < count; c++) dqd[i * s->n + c] = row[COLUMNS + c];
    }
    for (int c = s->begin; c <= s->end; c++)
        for (int i = s->root; i <= c; i++) {
            const num entry = x[i * WIDE + 2 * COLUMNS + c - s->begin];
            dtau[i * s->n + c] = entry;
            dtau[c * s->n + i] = entry;
        }
}

void EXPORT(dfd_from)(const robot *r, const work *k, const num *LD, num *dq, num *dqd, num *dtau)
{
    const int n = robot_nv(r), *up = robot_chain(r, 0), *first = robot_chain(r, r->nv), *last = robot_chain(r, 2 * r->nv);
    num *x = k->columns;
    if (dfd_few(n)) {
        dfd_inverse(n, LD, dtau);
        dfd_products(n, dtau, x, dq, dqd);
        return;
    }
    for (int i = 0; i < n * n && last[0] < n - 1; i++) dtau[i] = of(0);
    for (int root = 0; root < n; root = last[root] + 1) /* trees that share the base alone know nothing of each other */
        for (int begin = root; begin <= last[root]; begin += COLUMNS) {
            const int count = last[root] - begin < COLUMNS ? last[root] - begin + 1 : COLUMNS;
            dfd_columns s = {up, first, last, n, root, begin, begin + count - 1, 0};
            for (int c = begin; c <= s.end; c++) s.most = last[c] > s.most ? last[c] : s.most;
            if (count == COLUMNS)
                dfd_take(&s, COLUMNS, dq + begin, dqd + begin, x);
            else
                dfd_take(&s, count, dq + begin, dqd + begin, x);
            if (LD)
                dfd_down(&s, LD, x), dfd_up(&s, LD, x);
            else
                dfd_chain(r, k, s.end, x);
            if (count == COLUMNS)
                dfd_give(&s, COLUMNS, x, dq + begin, dqd + begin, dtau);
            else
                dfd_give(&s, count, x, dq + begin, dqd + begin, dtau);
        }
}

/* One long chain: articulated bodies need no matrix. Motors that couple joints do. */
INL int dfd_by_bodies(const robot *r) { return r->n >= LONG && r->link[r->n - 1].first == 0 && !robot_drive(r) && !r->nfollow; }

/* Where joints follow, M, did/dq and did/dqd of all of them are led back before they are used; q and qd are given of all. */
void EXPORT(dfd_parts)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *dq, num *dqd, num *dtau)
{
    const int n = robot_nv(r), by_bodies = dfd_by_bodies(r), square = r->nv * r->nv;
    num *LD = by_bodies ? NULL : k->matrix, *room = r->nfollow ? k->all + r->nq + 3 * r->nv : NULL;
    num *all_qdd = room ? room : k->column, *all_q = room ? room + r->nv : dq, *all_qd = room ? all_q + square : dqd;
    EXPORT(did_outward)(r, k, q, qd, NULL);
    if (by_bodies) dfd_articulate(r, k);
    EXPORT(did_inward)(r, k);
    if (room) {
        EXPORT(did_mass)(r, k, all_q);
        EXPORT(lead)(r, r->nv, r->nv, 1, 1, all_q, LD);
    } else if (!by_bodies) {
        EXPORT(did_mass_lower)(r, k, LD);
    }
    if (!by_bodies) EXPORT(factor)(r, LD);
    if (dfd_few(n)) dfd_inverse(n, LD, dtau);
    dfd_accelerations(r, k, qd, tau, LD, dtau, k->column, all_qdd);
    dfd_lift(r, k, all_qdd);
    EXPORT(did_rows)(r, k, qd, all_q, all_qd);
    if (room) {
        EXPORT(lead)(r, r->nv, r->nv, 1, 1, all_q, dq);
        EXPORT(lead)(r, r->nv, r->nv, 1, 1, all_qd, dqd);
    }
    if (dfd_few(n))
        dfd_products(n, dtau, k->columns, dq, dqd);
    else
        EXPORT(dfd_from)(r, k, LD, dq, dqd, dtau);
    /* whoever calls looks at the pivots: no numbers where the accelerations are none */
    for (int v = 0; v < n; v++) {
        const num pivot = by_bodies ? screws_at(k, v)[AT_HINGE * abreast] : LD[v * n + v];
        k->row[v] = add(pivot, sub(k->column[v], k->column[v]));
    }
}

void EXPORT(dfd)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *D)
{
    const int square = robot_nv(r) * robot_nv(r);
    EXPORT(dfd_parts)(r, k, q, qd, tau, D, D + square, D + 2 * square);
}
