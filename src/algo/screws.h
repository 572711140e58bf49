/* SPDX-License-Identifier: MIT
 *
 * screws.h - what derivatives know of every freedom, in blocks of `abreast` freedoms: of each number first that of the first
 * freedom of the block, then that of the next. A loop over a block is a vector operation; where abreast is 1 a block is one
 * freedom. All about one point that rests, in base axes; of a screw or a wrench the velocity or the force first. */
#ifndef ALGO_SCREWS_H
#define ALGO_SCREWS_H

#include "algo/joint.h"

enum {
    AT_AXES,                 /* x, y, z of its link */
    AT_ORIGIN = AT_AXES + 9, /* of its link */
    AT_V = AT_ORIGIN + 3,    /* velocity and acceleration of its link, -g with it, and of the link before */
    AT_A = AT_V + 6,
    AT_V_BEFORE = AT_A + 6,
    AT_A_BEFORE = AT_V_BEFORE + 6,
    AT_S = AT_A_BEFORE + 6, /* the screw */
    AT_D = AT_S + 6,        /* V x S and A x S + V x D, by the link before */
    AT_E = AT_D + 6,
    AT_G = AT_E + 6, /* D and the rate of S */
    AT_M = AT_G + 6, /* mass, first moments, inertia of the link, then of all it carries */
    AT_MS = AT_M + 1,
    AT_J = AT_MS + 3,
    AT_P = AT_J + 6, /* momentum */
    AT_H = AT_P + 3,
    AT_T = AT_H + 3, /* T of doc/derivatives.md */
    AT_F = AT_T + 6, /* the wrench that moves it */
    AT_N = AT_F + 3,
    AT_END_SUMS = AT_N + 3,
    AT_U = AT_END_SUMS, /* I S */
    AT_B = AT_U + 6,    /* (2B)'S, angular */
    AT_CQ = AT_B + 3,   /* columns by q and by qd */
    AT_CD = AT_CQ + 6,
    SCREW_ROWS = AT_CD + 6
};

/* columns that dfd.c solves for at a time: a lane has its own state, and reads each factor once for four */
#ifdef LANES
enum { COLUMNS = 4 };
#else
enum { COLUMNS = abreast };
#endif

INL int screws_room(int nv) { return (nv + abreast - 1) / abreast * abreast * SCREW_ROWS; }

/* the block of freedom v, and where v stands in it */
INL num *screws_block(const work *k, int v) { return k->screws + (size_t)((unsigned)v / abreast) * (SCREW_ROWS * abreast); }
INL num *screws_at(const work *k, int v) { return screws_block(k, v) + (unsigned)v % abreast; }

/* numbers `row` and the next two of a freedom, or of all it carries six */
INL vec3 get3(const num *b, int row) { return v3(b[row * abreast], b[(row + 1) * abreast], b[(row + 2) * abreast]); }
INL void put3(num *b, int row, vec3 a) { b[row * abreast] = a.x, b[(row + 1) * abreast] = a.y, b[(row + 2) * abreast] = a.z; }
INL sym3 get6(const num *b, int row)
{
    const vec3 x = get3(b, row), y = get3(b, row + 3);
    return (sym3){x.x, x.y, x.z, y.x, y.y, y.z};
}
INL void put6(num *b, int row, sym3 a)
{
    put3(b, row, v3(a.xx, a.xy, a.xz));
    put3(b, row + 3, v3(a.yy, a.yz, a.zz));
}

/* A kind whose numbers may be vectors (num/sym.h) makes a statement about a block once, about vectors: `together` copies the rows
 * of a block as vectors, of how many numbers is left to loop over; `apart` gives the results to the freedoms. */
#define HAS_VECTORS_sym 1
#if CAT(HAS_VECTORS_, KIND)
enum { TOGETHER_ROOM = SCREW_ROWS * abreast };
INL int together(const num **b, num *room)
{
    sym_graph *g = NULL;
    for (int i = 0; i < SCREW_ROWS * abreast && !g; i++) g = (*b)[i].g;
    if (!g) return abreast;
    for (int row = 0; row < SCREW_ROWS; row++) room[row * abreast] = arne__sym_side_by_side(g, *b + row * abreast);
    *b = room;
    return 1;
}
INL void apart(int loops, num *x)
{
    const num vector = x[0];
    for (int l = 0; l < abreast && loops == 1; l++) x[l] = arne__sym_lane(vector, l);
}
INL void rows_apart(int loops, const num *from, num *block)
{
    for (int i = 0; i < SCREW_ROWS * abreast && loops == 1; i++)
        block[i] = arne__sym_lane(from[i / abreast * abreast], i % abreast);
}
/* x - a by, and a x, of numbers that stand side by side */
INL void less_by(num *x, num a, const num *by)
{
    if (a.g) x[0] = sub(arne__sym_side_by_side(a.g, x), mul(a, arne__sym_side_by_side(a.g, by)));
    for (int l = 0; l < abreast && !a.g; l++) x[l] = sub(x[l], mul(a, by[l]));
    apart(a.g ? 1 : abreast, x);
}
INL void times(num *x, num a)
{
    if (a.g) x[0] = mul(a, arne__sym_side_by_side(a.g, x));
    for (int l = 0; l < abreast && !a.g; l++) x[l] = mul(a, x[l]);
    apart(a.g ? 1 : abreast, x);
}
#else
enum { TOGETHER_ROOM = 1 };
INL int together(const num **b, num *room)
{
    (void)b, (void)room;
    return abreast;
}
INL void apart(int loops, num *x) { (void)loops, (void)x; }
INL void rows_apart(int loops, const num *from, num *block) { (void)loops, (void)from, (void)block; }
INL void less_by(num *restrict x, num a, const num *restrict by)
{
    AS_VECTOR
    for (int c = 0; c < COLUMNS; c++) x[c] = sub(x[c], mul(a, by[c]));
}
INL void times(num *x, num a)
{
    AS_VECTOR
    for (int c = 0; c < COLUMNS; c++) x[c] = mul(a, x[c]);
}
#endif

/* Makes a statement about every freedom b, all of a block at once. */
#define FOR_SCREWS(r, k, statement)                                                                                              \
    for (int first_ = 0; first_ < (r)->nv; first_ += abreast) {                                                                  \
        num room_[TOGETHER_ROOM];                                                                                                \
        const num *at_ = screws_block(k, first_);                                                                                \
        const int loops_ = together(&at_, room_);                                                                                \
        for (int x_ = 0; x_ < loops_; x_++) {                                                                                    \
            num *b = (num *)at_ + x_;                                                                                            \
            statement;                                                                                                           \
        }                                                                                                                        \
        rows_apart(loops_, at_, screws_block(k, first_));                                                                        \
    }

/* Makes a statement about every block `first` with freedoms before link i, its own among them: those from `from` to `to`. */
#define FOR_SCREWS_BEFORE(r, i, statement)                                                                                       \
    for (int last_ = (i); last_ >= 0; last_ = (r)->link[(r)->link[last_].first].parent) {                                        \
        const int begin_ = (r)->link[(r)->link[last_].first].iv, end_ = (r)->link[last_].iv + (r)->link[last_].nv;               \
        for (int first = begin_ / abreast * abreast; first < end_; first += abreast) {                                           \
            const int from = first < begin_ ? begin_ : first, to = first + abreast < end_ ? first + abreast : end_;              \
            statement;                                                                                                           \
        }                                                                                                                        \
    }

#endif
