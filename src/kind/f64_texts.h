/* SPDX-License-Identifier: MIT
 *
 * f64_texts.h - the double texts as a table: one instance for every machine, one for machines with 32 vector registers. */
#ifndef KIND_F64_TEXTS_H
#define KIND_F64_TEXTS_H

#include "algo/ejnea.h"
#include "algo/texts.h"
#include "arne/dynamics.h"

#define F64_TEXTS(X)                                                                                                             \
    X(id)                                                                                                                        \
    X(bias)                                                                                                                      \
    X(coriolis)                                                                                                                  \
    X(friction)                                                                                                                  \
    X(gravity)                                                                                                                   \
    X(momentum)                                                                                                                  \
    X(momentum_terms)                                                                                                            \
    X(energy)                                                                                                                    \
    X(mass)                                                                                                                      \
    X(factor)                                                                                                                    \
    X(solve)                                                                                                                     \
    X(fd_aba)                                                                                                                    \
    X(pose)                                                                                                                      \
    X(velocity)                                                                                                                  \
    X(jacobian)                                                                                                                  \
    X(star)                                                                                                                      \
    X(coriolis_matrix)                                                                                                           \
    X(ejnea)

#define F64_TEXT_FIELD(f) __typeof__(arne__text_##f) *f;
typedef struct {
    F64_TEXTS(F64_TEXT_FIELD)
} f64_texts;
#undef F64_TEXT_FIELD

/* dynamics.c: what a data object works with */
const work *arne__data_work(const arne_data *d);
const f64_texts *arne__data_text(const arne_data *d);

#endif
