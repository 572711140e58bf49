/* SPDX-License-Identifier: MIT
 *
 * openmp.h - the parts of a batch as OpenMP threads, for programs that are compiled with -fopenmp; without it they run one after
 * the other, to the same bits. The library itself has no threads and needs none. */
#ifndef ARNE_OPENMP_H
#define ARNE_OPENMP_H

/* arne_batch_options.run */
static inline void arne_openmp(int parts, void (*part)(void *context, int k), void *context)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(parts) schedule(static, 1)
#endif
    for (int k = 0; k < parts; k++) part(context, k);
}

#endif
