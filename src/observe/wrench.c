/* SPDX-License-Identifier: MIT
 *
 * wrench.c - the wrench on a link that explains a residual: r = J'w in least squares, of all such w the smallest.
 *
 * w = (J J')^+ J r by the eigenvectors of the 6 x 6 matrix J J'; directions of space that no joint feels are left zero. */
#include <math.h>
#include <string.h>

#include "arne/observe.h"
#include "kind/f64_texts.h"

/* eigenvalues of J J' below this part of the largest: a direction that the joints do not feel */
static const double BLIND = 1e-10;

enum { SIX = 6, SWEEPS = 30 };

/* Jacobi's rotations: A becomes diagonal, V its eigenvectors in columns. */
static void eigenvectors(double A[SIX][SIX], double V[SIX][SIX])
{
    for (int i = 0; i < SIX; i++)
        for (int k = 0; k < SIX; k++) V[i][k] = i == k;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0;
        for (int i = 0; i < SIX; i++)
            for (int k = 0; k < i; k++) off = fmax(off, fabs(A[i][k]));
        if (off == 0) return;
        for (int p = 0; p < SIX; p++)
            for (int q = p + 1; q < SIX; q++) {
                if (A[p][q] == 0) continue;
                const double half = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                const double t = copysign(1, half) / (fabs(half) + hypot(half, 1)), c = 1 / hypot(t, 1), s = t * c;
                for (int k = 0; k < SIX; k++) {
                    const double x = A[k][p], y = A[k][q];
                    A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
                }
                for (int k = 0; k < SIX; k++) {
                    const double x = A[p][k], y = A[q][k];
                    A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
                }
                for (int k = 0; k < SIX; k++) {
                    const double x = V[k][p], y = V[k][q];
                    V[k][p] = c * x - s * y, V[k][q] = s * x + c * y;
                }
                A[p][q] = A[q][p] = 0;
            }
    }
}

static void least_squares(double A[SIX][SIX], const double b[SIX], double w[SIX])
{
    double V[SIX][SIX], most = 0;
    eigenvectors(A, V);
    for (int k = 0; k < SIX; k++) most = fmax(most, A[k][k]), w[k] = 0;
    for (int k = 0; k < SIX; k++) {
        if (!(A[k][k] > BLIND * most)) continue;
        double along = 0;
        for (int i = 0; i < SIX; i++) along += V[i][k] * b[i];
        for (int i = 0; i < SIX; i++) w[i] += V[i][k] * along / A[k][k];
    }
}

double arne_residual_wrench(arne_data *d, const double *q, int at, const double *residual, double wrench[6])
{
    const int n = arne_model_dof(arne_data_model(d));
    double *unit = data_work(d)->row, A[SIX][SIX] = {{0}}, b[SIX] = {0}, column[SIX];
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
    return all > 0 ? fmin(1, left / all) : 0;
}
