/* SPDX-License-Identifier: MIT
 *
 * ltdl.c - M = L'DL with L unit lower triangular, eliminated from the last joint: where two joints lie on different branches the
 * entry is zero and stays zero, so only the joints between a joint and the base are visited. [ERRATA part two 2.4]
 *
 * L stands below the diagonal, D on it; the upper triangle is not touched. Forward dynamics by the inertia matrix
 * [003 eq. 9.95-9.97]. */
#include "algo/joint.h"
#include "algo/texts.h"

void EXPORT(factor)(const robot *r, num *M)
{
    const int n = robot_nv(r), *up = robot_chain(r, 0), *first = robot_chain(r, r->nv);
    for (int k = n - 1; k >= 0; k--) {
        num *row = M + k * n;
        const num d = divide(of(1), row[k]);
        for (int i = up[k]; i >= 0; i = up[i]) {
            const num a = mul(row[i], d);
            num *to = M + i * n;
            for (int last = i; last >= 0; last = up[first[last]])
                for (int j = first[last]; j <= last; j++) to[j] = sub(to[j], mul(a, row[j]));
            row[i] = a;
        }
    }
}

void EXPORT(solve)(const robot *r, const num *LD, num *x)
{
    const int n = robot_nv(r), *up = robot_chain(r, 0), *last = robot_chain(r, 2 * r->nv);
    for (int i = n - 1; i >= 0; i--)
        for (int j = up[i]; j >= 0; j = up[j]) x[j] = sub(x[j], mul(LD[i * n + j], x[i]));
    for (int i = 0; i < n; i++) x[i] = divide(x[i], LD[i * n + i]);
    for (int i = 0; i < n; i++) /* what is known first is given away first: nobody waits for more than one product */
        for (int j = i + 1; j <= last[i]; j++) x[j] = sub(x[j], mul(LD[j * n + i], x[i]));
}

/* A qdd = x  [003 eq. 9.95], A in work->matrix; its pivots go to work->row, for the caller to look at */
static void solve_for(const robot *r, const work *k, num *x)
{
    const int n = robot_nv(r);
    EXPORT(factor)(r, k->matrix);
    for (int i = 0; i < n; i++) k->row[i] = k->matrix[i * n + i];
    EXPORT(solve)(r, k->matrix, x);
}

/* A qdd = tau - H */
void EXPORT(fd_crba)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd)
{
    EXPORT(bias)(r, k, q, qd, qdd);
    for (int i = 0; i < r->nv; i++) qdd[i] = sub(tau[i], qdd[i]);
    EXPORT(mass)(r, k, q, k->matrix);
    solve_for(r, k, qdd);
}

/* articulated bodies, unless coupled rotors make the inertia matrix more than the sum of its links */
void EXPORT(fd)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd)
{
    if (robot_drive(r))
        EXPORT(fd_crba)(r, k, q, qd, tau, qdd);
    else
        EXPORT(fd_aba)(r, k, q, qd, tau, qdd);
}

/* G'M_all G qdd = tau - G'h_all */
void EXPORT(fd_follow)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *qdd)
{
    const int n = robot_nv(r);
    num *q_all = k->all, *qd_all = q_all + r->nq, *all = qd_all + 4 * r->nv;
    EXPORT(follow)(r, q, 1, q_all);
    EXPORT(follow)(r, qd, 0, qd_all);
    EXPORT(bias)(r, k, q_all, qd_all, all);
    EXPORT(lead)(r, r->nv, 1, 1, 0, all, qdd);
    for (int i = 0; i < n; i++) qdd[i] = sub(tau[i], qdd[i]);
    EXPORT(mass)(r, k, q_all, all);
    EXPORT(lead)(r, r->nv, r->nv, 1, 1, all, k->matrix);
    solve_for(r, k, qdd);
}
