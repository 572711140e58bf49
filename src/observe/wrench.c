/* SPDX-License-Identifier: MIT
 *
 * wrench.c - the force or the wrench at a point of a link that explains a residual: r = J'w in least squares, of all such w the
 * smallest; and the directions of which the joints feel nothing.
 *
 * w = (J J')^+ J r by the eigenvectors of J J', 3 x 3 for a force, 6 x 6 for a wrench. */
#include <math.h>
#include <string.h>

#include "arne/observe.h"
#include "base/dense.h"
#include "dynamics/data.h"

/* singular values of J below this part of the largest: a direction that the joints do not feel */
static const double BLIND = 1e-3;

enum { SIX = 6 };

/* Column i of J at the point: its velocity, and that of the link's axes, for unit speed of joint i. */
static void column_of(arne_data *d, const double *q, const arne_touch *at, const double arm[3], int i, double column[SIX])
{
    double *unit = arne__data_work(d)->column, turned[3];
    unit[i] = 1;
    arne_link_velocity(d, q, unit, at->link, ARNE_ALIGNED, column);
    unit[i] = 0;
    dense_cross(column + 3, arm, turned);
    for (int k = 0; k < 3; k++) column[k] += turned[k];
}

/* w of A w = b with A = J J': singular values are eigenvalues here, and rows made orthogonal are eigenvectors times them. The
 * first rows of A become the eigenvectors that are felt; their number. */
static int least_squares(int size, double *A, double *b, double *w)
{
    double square[SIX], most = 0;
    int seen = 0;
    dense_orthogonalize(size, size, A, b, square);
    for (int k = 0; k < size; k++) most = fmax(most, square[k]), w[k] = 0;
    for (int k = 0; k < size; k++) {
        if (!(sqrt(square[k]) > BLIND * BLIND * sqrt(most))) continue;
        for (int i = 0; i < size; i++) {
            w[i] += A[k * size + i] * b[k] / square[k];
            A[seen * size + i] = A[k * size + i] / sqrt(square[k]);
        }
        seen++;
    }
    return seen;
}

/* Fills `basis` (rows of unit length, `have` of them there) up to all directions: of the axes the one farthest from what is
 * there comes next. */
static void complete(int size, int have, double *basis)
{
    for (; have < size; have++) {
        double *to = basis + have * size, longest = 0;
        for (int axis = 0; axis < size; axis++) {
            double x[SIX] = {0};
            x[axis] = 1;
            for (int k = 0; k < have; k++)
                for (int i = 0; i < size; i++) x[i] -= basis[k * size + axis] * basis[k * size + i];
            const double length = sqrt(dense_dot(size, x, x));
            if (!(length > longest)) continue;
            longest = length;
            for (int i = 0; i < size; i++) to[i] = x[i] / length;
        }
    }
}

arne_status arne_residual_wrench(arne_data *d, const double *q, const arne_touch *at, const double *residual,
                                 arne_wrench_estimate *out)
{
    if (!d || !q || !at || at->link < 0 || at->link >= d->model->nlink || !residual || !out) return ARNE_BAD_ARGUMENT;
    const int n = arne_model_dof(arne_data_model(d)), size = at->force_only ? 3 : SIX;
    double A[SIX * SIX] = {0}, b[SIX] = {0}, column[SIX], arm[3], all = 0, left = 0;
    memset(arne__data_work(d)->column, 0, (size_t)n * sizeof(double));
    arne_pose pose;
    arne_link_pose(d, q, at->link, &pose);
    for (int k = 0; k < 3; k++) arm[k] = dense_dot(3, pose.R + 3 * k, at->point);
    for (int i = 0; i < n; i++) {
        column_of(d, q, at, arm, i, column);
        for (int k = 0; k < size; k++) {
            b[k] += column[k] * residual[i];
            for (int j = 0; j < size; j++) A[k * size + j] += column[k] * column[j];
        }
    }
    *out = (arne_wrench_estimate){0};
    out->seen = least_squares(size, A, b, out->wrench);
    complete(size, out->seen, A);
    for (int k = out->seen; k < size; k++) memcpy(out->blind[k - out->seen], A + k * size, (size_t)size * sizeof *A);
    for (int i = 0; i < n; i++) {
        column_of(d, q, at, arm, i, column);
        all = hypot(all, residual[i]);
        left = hypot(left, residual[i] - dense_dot(size, column, out->wrench));
    }
    out->unexplained = all > 0 ? fmin(1, left / all) : 0;
    return ARNE_OK;
}
