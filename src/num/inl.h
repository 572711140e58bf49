/* SPDX-License-Identifier: MIT
 *
 * inl.h - how a word of a number kind is declared: always inlined, or (ARNE_OUTLINE) an ordinary function: quick to
 * compile, slow to run. */
#ifndef NUM_INL_H
#define NUM_INL_H

#ifdef ARNE_OUTLINE
#define INL static inline __attribute__((unused))
#else
#define INL static inline __attribute__((always_inline, unused))
#endif

/* What is rarely run and would only make a text longer. */
#define OUTLINE static __attribute__((noinline))

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#endif
