/* SPDX-License-Identifier: MIT
 *
 * kind.h - which kind of number this file is compiled for: its types and the names it exports. The words that texts speak are in
 * words.h.
 *
 * A text is an ordinary C file. Compiled as it stands it is the f64 instance; arne_kind of CMakeLists.txt sets KIND and compiles
 * it again. `num` is a number that varies, `par` a constant of the robot. A text branches on integers of the robot and
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

typedef KIND num;            /* varies */
typedef CAT(KIND, _par) par; /* a constant of the robot */

#endif
