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

/* The numbers x of a vector LANE as they are, though -ffast-math would reorder what is done with them. Where the compiler has no
 * word for that they go by way of integers LANEI: `bit` is one that is zero. */
#if defined __has_builtin
#if __has_builtin(__builtin_assoc_barrier)
#define KEPT(x, bit) __builtin_assoc_barrier(x)
#elif __has_builtin(__arithmetic_fence) && defined __x86_64__
#define KEPT(x, bit) __arithmetic_fence(x)
#endif
#endif
#ifndef KEPT
#define KEPT(x, bit) ((LANE)((LANEI)(x) & ~(((LANEI){0} + 1) << (bit))))
#endif

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#endif
