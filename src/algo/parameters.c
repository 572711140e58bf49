/* SPDX-License-Identifier: MIT
 *
 * parameters.c - derivatives of the accelerations by inertial parameters. M qdd + h = tau with M qdd + h = Y K [003 eq. 9.36] and
 * tau held, so
 *
 *     dqdd/dK = -M^-1 Y(q, qd, qdd)      at qdd = fd(q, qd, tau)                              [003 eq. 9.95]
 *
 * for the standard parameters of all links, and for those of a load on one. doc/derivatives.md. */
#include "algo/joint.h"
#include "algo/screws.h"
#include "algo/texts.h"

/* rows of Y: one is less, or a part of another less */
INL void row_less(num *restrict to, num a, const num *restrict by, int width)
{
    const int blocks = width - width % COLUMNS;
    for (int c = 0; c < blocks; c += COLUMNS) less_by(to + c, a, by + c);
    for (int c = blocks; c < width; c++) to[c] = sub(to[c], mul(a, by[c]));
}
INL void row_times(num *to, num a, int width)
{
    const int blocks = width - width % COLUMNS;
    for (int c = 0; c < blocks; c += COLUMNS) times(to + c, a);
    for (int c = blocks; c < width; c++) to[c] = mul(a, to[c]);
}

void EXPORT(dfd_columns)(const robot *r, const num *LD, int width, num *Y)
{
    const int n = robot_nv(r), *up = robot_chain(r, 0);
    for (int i = n - 1; i >= 0; i--)
        for (int j = up[i]; j >= 0; j = up[j]) row_less(Y + j * width, LD[i * n + j], Y + i * width, width);
    for (int i = 0; i < n; i++) {
        const num h = divide(of(-1), LD[i * n + i]);
        num *row = Y + i * width;
        row_times(row, h, width);
        for (int j = up[i]; j >= 0; j = up[j]) row_less(row, LD[i * n + j], Y + j * width, width);
    }
}

void EXPORT(dfd_parameters)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, num *Y)
{
    EXPORT(fd_crba)(r, k, q, qd, tau, k->columns);
    EXPORT(regressor)(r, k, q, qd, k->columns, Y);
    EXPORT(dfd_columns)(r, k->matrix, REGRESSOR_LINK * r->n, Y);
}

void EXPORT(dfd_payload)(const robot *r, const work *k, const num *q, const num *qd, const num *tau, int f, num *Y)
{
    EXPORT(fd_crba)(r, k, q, qd, tau, k->columns);
    EXPORT(did_payload)(r, k, q, qd, k->columns, f, 0, Y);
    EXPORT(dfd_columns)(r, k->matrix, REGRESSOR_BODY, Y);
}
