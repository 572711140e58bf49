/* SPDX-License-Identifier: MIT
 *
 * wrench.c - the wrench on a link that explains a residual: r = J'w in least squares, of all such w the smallest.
 *
 * w = (J J')^+ J r by the singular vectors of the 6 x 6 matrix J J'; directions of space that no joint feels are left zero. */
#include <math.h>

#include "arne/observe.h"
#include "base/dense.h"
#include "dynamics/data.h"

/* eigenvalues of J J' below this part of the largest: a direction that the joints do not feel */
static const double BLIND = 1e-10;

enum { SIX = 6 };

/* w of A w = b with A = J J': singular values are eigenvalues here, and rows made orthogonal are eigenvectors times them */
static void least_squares(double A[SIX][SIX], double b[SIX], double w[SIX])
{
    double square[SIX], most = 0;
    dense_orthogonalize(SIX, SIX, A[0], b, square);
    for (int k = 0; k < SIX; k++) most = fmax(most, square[k]), w[k] = 0;
    for (int k = 0; k < SIX; k++)
        for (int i = 0; i < SIX && square[k] > BLIND * BLIND * most; i++) w[i] += A[k][i] * b[k] / square[k];
}

arne_status arne_residual_wrench(arne_data *d, const double *q, int at, const double *residual, double wrench[6], double *part)
{
    if (!d || !q || at < 0 || at >= d->model->nlink || !residual || !wrench) return ARNE_BAD_ARGUMENT;
    const int n = arne_model_dof(arne_data_model(d));
    double *unit = arne__data_work(d)->column, A[SIX][SIX] = {{0}}, b[SIX] = {0}, column[SIX];
    for (int i = 0; i < n; i++) unit[i] = 0;
    /* column i of J: the link's velocity for unit speed of joint i */
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        arne_link_velocity(d, q, unit, at, ARNE_ALIGNED, column);
        unit[i] = 0;
        for (int k = 0; k < SIX; k++) {
            b[k] += column[k] * residual[i];
            for (int j = 0; j < SIX; j++) A[k][j] += column[k] * column[j];
        }
    }
    least_squares(A, b, wrench);
    double all = 0, left = 0;
    for (int i = 0; i < n; i++) {
        unit[i] = 1;
        arne_link_velocity(d, q, unit, at, ARNE_ALIGNED, column);
        unit[i] = 0;
        double r = residual[i];
        for (int k = 0; k < SIX; k++) r -= column[k] * wrench[k];
        all = hypot(all, residual[i]);
        left = hypot(left, r);
    }
    if (part) *part = all > 0 ? fmin(1, left / all) : 0;
    return ARNE_OK;
}
