/* SPDX-License-Identifier: MIT
 *
 * follow.c - joints that follow others: all positions are q_all = G q + c, q those of joints that move by themselves, G constant;
 * so dq_all = G dq, ddq_all = G ddq. The texts know the robot with all its joints. By virtual work [003 eq. 9.33 has the same of
 * motors] tau = G' tau_all, and from it M = G' M_all G, C = G' C_all G (dM/dt = C + C' stays true), Y = G' Y_all; velocities are
 * J = J_all G. Only forward dynamics is not of this form. doc/follow.md */
#include "algo/texts.h"
#include "num/words.h"

void EXPORT(follow)(const robot *r, const num *x, int position, num *all)
{
    for (int i = 0; i < (position ? r->nq : r->nv); i++) {
        const robot_follower *f = position ? robot_q(r, i) : robot_v(r, i);
        all[i] = x[f->own];
        if (f->master >= 0) all[i] = mulc(con(f->ratio), all[i]);
        if (f->master >= 0 && position) all[i] = add(all[i], of(f->offset));
    }
}

/* row k of the result, of those that move by themselves or, behind them, of those that follow: y is the row or gets a times it */
INL void lead_row(const robot *r, int columns, int by_column, const par *a, const num *restrict row, num *restrict y)
{
    const robot_follower *f = robot_v(r, 0);
    const int width = by_column ? robot_nv(r) : columns;
    for (int begin = 0, run; begin < width; begin += run) {
        run = by_column ? f[begin].run : width;
        const num *restrict from = row + (by_column ? f[begin].place : 0);
        num *restrict to = y + begin;
        AS_VECTOR
        for (int c = 0; c < run; c++) to[c] = a ? add(to[c], mulc(*a, from[c])) : from[c];
    }
    for (int c = width; c < columns; c++) {
        const robot_follower *e = &f[f[c].place];
        const num x = mulc(con(e->ratio), row[f[c].place]);
        y[e->own] = add(y[e->own], a ? mulc(*a, x) : x);
    }
}

void EXPORT(lead)(const robot *r, int rows, int columns, int by_row, int by_column, const num *all, num *y)
{
    const robot_follower *f = robot_v(r, 0);
    const int own = by_row ? robot_nv(r) : rows, width = by_column ? robot_nv(r) : columns;
    for (int k = 0; k < own; k++) {
        const num *row = all + (by_row ? f[k].place : k) * columns;
        if (by_column)
            lead_row(r, columns, 1, NULL, row, y + k * width);
        else
            lead_row(r, columns, 0, NULL, row, y + k * width);
    }
    for (int k = own; k < rows; k++) {
        const robot_follower *e = &f[f[k].place];
        const par ratio = con(e->ratio);
        lead_row(r, columns, by_column, &ratio, all + f[k].place * columns, y + e->own * width);
    }
}

void EXPORT(id_follow)(const robot *r, const work *k, const num *q, const num *qd, const num *qdd, num *tau)
{
    num *q_all = k->all, *qd_all = q_all + r->nq, *qdd_all = qd_all + r->nv, *all = qdd_all + r->nv;
    EXPORT(follow)(r, q, 1, q_all);
    EXPORT(follow)(r, qd, 0, qd_all);
    EXPORT(follow)(r, qdd, 0, qdd_all);
    EXPORT(id)(r, k, q_all, qd_all, qdd_all, all);
    EXPORT(lead)(r, r->nv, 1, 1, 0, all, tau);
}
