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

/* Before a loop over `abreast` numbers that is to become a vector operation: gcc would take a short one apart first. */
#ifdef __clang__
#define AS_VECTOR
#else
#define AS_VECTOR _Pragma("GCC unroll 1")
#endif

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#endif
