/* SPDX-License-Identifier: MIT
 *
 * dense.h - the little linear algebra that all need: vectors; at most six equations, and a square root of the inertia
 * matrix. Matrices are row major. */
#ifndef BASE_DENSE_H
#define BASE_DENSE_H

#include <math.h>
#include <stdbool.h>

static inline double dense_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* c = a x b */
static inline void dense_cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline bool dense_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* One-sided Jacobi: turns the equations A x = b (rows x n) among themselves until the rows of A are orthogonal. They are then
 * the singular values times the right singular vectors, b is U'b, and square[i] the square of singular value i (not sorted). */
static inline void dense_orthogonalize(int rows, int n, double *A, double *b, double *square)
{
    enum { SWEEPS = 30 };
    const double orthogonal = 1e-15;
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int i = 0; i < rows; i++)
            for (int j = i + 1; j < rows; j++) {
                double *x = A + i * n, *y = A + j * n;
                const double xx = dense_dot(n, x, x), yy = dense_dot(n, y, y), xy = dense_dot(n, x, y);
                if (!(fabs(xy) > orthogonal * sqrt(xx) * sqrt(yy))) continue;
                /* tan of the angle that makes x'y = 0, the smaller of the two */
                const double zeta = (yy - xx) / (2 * xy);
                const double t = copysign(1 / (fabs(zeta) + hypot(1, zeta)), zeta), c = 1 / hypot(1, t), s = c * t;
                for (int k = 0; k < n; k++) {
                    const double u = x[k], v = y[k];
                    x[k] = c * u - s * v;
                    y[k] = s * u + c * v;
                }
                const double u = b[i], v = b[j];
                b[i] = c * u - s * v;
                b[j] = s * u + c * v;
                turned = true;
            }
    }
    for (int i = 0; i < rows; i++) square[i] = dense_dot(n, A + i * n, A + i * n);
}

/* M = G G', the lower triangle in place. False: not positive definite. */
static inline bool dense_cholesky(int n, double *M)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) M[i * n + j] = (M[i * n + j] - dense_dot(j, M + i * n, M + j * n)) / M[j * n + j];
        const double pivot = M[i * n + i] - dense_dot(i, M + i * n, M + i * n);
        if (!(pivot > 1e-14 * M[i * n + i])) return false;
        M[i * n + i] = sqrt(pivot);
    }
    return true;
}

/* x := G^-1 x and x := G'^-1 x */
static inline void dense_forward(int n, const double *G, double *x)
{
    for (int i = 0; i < n; i++) x[i] = (x[i] - dense_dot(i, G + i * n, x)) / G[i * n + i];
}
static inline void dense_backward(int n, const double *G, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= G[i * n + i];
        for (int j = 0; j < i; j++) x[j] -= G[i * n + j] * x[i];
    }
}

#endif
