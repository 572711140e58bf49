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

/* rows of what follows are added to their masters' */
static void lead_rows(const robot *r, int columns, num *all)
{
    for (int i = 0; i < r->nv; i++) {
        const robot_follower *f = robot_v(r, i);
        for (int c = 0; c < columns && f->master >= 0; c++) {
            num *to = all + f->master * columns + c;
            *to = add(*to, mulc(con(f->ratio), all[i * columns + c]));
        }
    }
    for (int i = 0; i < r->nv; i++)
        for (int c = 0; c < columns && robot_v(r, i)->master < 0; c++)
            all[robot_v(r, i)->own * columns + c] = all[i * columns + c];
}

/* the same with columns: the rows become shorter and move together */
static void lead_columns(const robot *r, int rows, num *all)
{
    const int width = robot_nv(r);
    for (int k = 0; k < rows; k++) {
        num *row = all + k * r->nv;
        for (int i = 0; i < r->nv; i++) {
            const robot_follower *f = robot_v(r, i);
            if (f->master >= 0) row[f->master] = add(row[f->master], mulc(con(f->ratio), row[i]));
        }
        for (int i = 0; i < r->nv; i++)
            if (robot_v(r, i)->master < 0) all[k * width + robot_v(r, i)->own] = row[i];
    }
}

void EXPORT(lead)(const robot *r, int rows, int columns, int by_row, int by_column, num *all, num *y)
{
    if (by_row) lead_rows(r, columns, all), rows = robot_nv(r);
    if (by_column) lead_columns(r, rows, all), columns = robot_nv(r);
    for (int i = 0; i < rows * columns && y != all; i++) y[i] = all[i];
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
