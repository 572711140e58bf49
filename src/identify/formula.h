/* SPDX-License-Identifier: MIT
 *
 * formula.h - sums of products of named dimensions: d3^2, 2*r4, d3*sin(alpha3).
 *
 * What the grouping rules compute with, so that a coefficient keeps its closed form beside its value. NULL is zero. Formulas live
 * in the arena of their book and are never changed. A formula that grows out of hand, or a shortage of memory, leaves a plain
 * number: the value stays right. */
#ifndef IDENTIFY_FORMULA_H
#define IDENTIFY_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct formula formula;
typedef struct formula_book formula_book;

/* NULL when memory is short; the arena stays the caller's */
formula_book *arne__formula_book_new(arena *memory);
bool arne__formula_failed(const formula_book *b); /* memory was short: formulas are not to be trusted */

/* a number; a named dimension (zero: no name needed); cosine and sine of the angle of that name, which fold where they are 0, 1
 * or -1 and know that c^2 + s^2 = 1 */
const formula *arne__formula_number(formula_book *b, double value);
const formula *arne__formula_named(formula_book *b, const char *name, double value);
void arne__formula_turn(formula_book *b, const char *angle, double c, double s, const formula **cosine, const formula **sine);

const formula *arne__formula_add(formula_book *b, const formula *x, const formula *y);
const formula *arne__formula_scale(formula_book *b, double k, const formula *x);
const formula *arne__formula_mul(formula_book *b, const formula *x, const formula *y);
const formula *arne__formula_ratio(formula_book *b, const formula *x, const formula *y); /* y not zero */

double arne__formula_value(const formula *x);

/* as text: "0", "1", "-2*r4", "d3^2 + r4^2"; at most size - 1 characters, a number where it is longer */
void arne__formula_text(const formula_book *b, const formula *x, char *text, size_t size);

#pragma GCC visibility pop
#endif
