/* SPDX-License-Identifier: MIT
 *
 * matrix.c - inverse of a small dense matrix: Gauss-Jordan with the largest pivot of the column. */
#include "base/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

arne_status arne__matrix_invert(const double *a, int n, double *inverse)
{
    double *w = malloc((size_t)n * (size_t)n * sizeof *w);
    if (!w) return ARNE_NO_MEMORY;
    memcpy(w, a, (size_t)n * (size_t)n * sizeof *w);
    double size = 0;
    for (int i = 0; i < n * n; i++) size = fmax(size, fabs(a[i])), inverse[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(w[i * n + k]) > fabs(w[best * n + k])) best = i;
        if (!(fabs(w[best * n + k]) > 1e-12 * size)) {
            free(w);
            return ARNE_BAD_VALUE;
        }
        for (int j = 0; j < n; j++) {
            const double x = w[k * n + j], y = inverse[k * n + j];
            w[k * n + j] = w[best * n + j], w[best * n + j] = x;
            inverse[k * n + j] = inverse[best * n + j], inverse[best * n + j] = y;
        }
        const double d = w[k * n + k];
        for (int j = 0; j < n; j++) w[k * n + j] /= d, inverse[k * n + j] /= d;
        for (int i = 0; i < n; i++) {
            const double f = w[i * n + k];
            if (i == k || f == 0) continue;
            for (int j = 0; j < n; j++) w[i * n + j] -= f * w[k * n + j], inverse[i * n + j] -= f * inverse[k * n + j];
        }
    }
    free(w);
    return ARNE_OK;
}
