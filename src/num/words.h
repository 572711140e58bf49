/* SPDX-License-Identifier: MIT
 *
 * words.h - the words that a text speaks; the only list of them. For texts and the headers they are made of, and nobody else: the
 * words are short. */
#ifndef NUM_WORDS_H
#define NUM_WORDS_H

#include "num/kind.h"

#define of CAT(KIND, _of)             /* num of a written number      */
#define con CAT(KIND, _con)           /* par of a written number      */
#define from CAT(KIND, _from)         /* num of a par                 */
#define add CAT(KIND, _add)           /* a + b                        */
#define sub CAT(KIND, _sub)           /* a - b                        */
#define neg CAT(KIND, _neg)           /* -a                           */
#define mul CAT(KIND, _mul)           /* a b                          */
#define mulc CAT(KIND, _mulc)         /* constant times number        */
#define divide CAT(KIND, _divide)     /* a / b                        */
#define root CAT(KIND, _root)         /* square root                  */
#define absolute CAT(KIND, _absolute) /* |a|                          */
#define sign CAT(KIND, _sign)         /* -1, 0, 1                     */
#define least CAT(KIND, _least)       /* min(a, constant)             */
#define most CAT(KIND, _most)         /* max(a, constant)             */
#define expo CAT(KIND, _expo)         /* e^a                          */
#define power CAT(KIND, _power)       /* a^constant, a >= 0           */
#define abreast CAT(KIND, _abreast)   /* numbers that loops take at a time: what a vector register holds of them */
#define turns CAT(KIND, _turns)       /* sines and cosines of all joints */

#endif
