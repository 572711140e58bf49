/* SPDX-License-Identifier: MIT
 *
 * kind.h - first include of every algorithm text; the only list of words.
 *
 * A text is an ordinary C file. Compiled as it stands it is the f64 instance; kind/f64x4.c and its siblings set KIND and include
 * the texts again. `num` is a number that varies, `par` a constant of the robot. A text branches on integers of the robot and
 * never on a num. A new kind is a header that defines these words with its name before them (doc/adding_a_kind.md). */
#ifndef NUM_KIND_H
#define NUM_KIND_H

#include "num/inl.h"

#ifndef KIND
#define KIND f64
#define KIND_SUFFIX /* arne__text_id: the double instance */
#endif
#ifndef KIND_SUFFIX
#define KIND_SUFFIX CAT(_, KIND) /* arne__text_id_f64x4 */
#endif
#define EXPORT(f) CAT(arne__text_##f, KIND_SUFFIX)

#define KIND_STR_(x) #x
#define KIND_STR(x) KIND_STR_(x)
#include KIND_STR(KIND.h) /* beside this file */

#define num KIND
#define par CAT(KIND, _par)
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
#define turns CAT(KIND, _turns)       /* sines and cosines of all joints */

#endif
