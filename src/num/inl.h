/* SPDX-License-Identifier: MIT
 *
 * inl.h - how a word of a number kind is declared: always inlined in a release, an ordinary function in a debug build. */
#ifndef NUM_INL_H
#define NUM_INL_H

#ifdef ARNE_DEBUG
#define INL static inline __attribute__((unused))
#else
#define INL static inline __attribute__((always_inline, unused))
#endif

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#endif
