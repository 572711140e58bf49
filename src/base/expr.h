/* SPDX-License-Identifier: MIT
 *
 * expr.h - numbers as robot files write them: "0.45", "-pi/2", "2*(D3 + 0.1)", "sqrt(2)/2".
 *
 * Numbers, pi (any case), symbols, + - * / and brackets, sqrt() sin() cos(). The point is the decimal mark in every locale.
 * A value is always finite: division by zero and overflow are errors. */
#ifndef BASE_EXPR_H
#define BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "arne/status.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    const char *name;
    double value;
} expr_symbol;

/* What names mean: the table first (the first entry of a name counts), then `unknown`, which may give a value and return true.
 * Without `unknown`, or where it returns false, the name is an error. */
typedef struct {
    const expr_symbol *symbols;
    size_t nsymbol;
    bool (*unknown)(void *context, const char *name, double *value);
    void *context;
} expr_scope;

/* The value of the whole text: ARNE_OK, or ARNE_BAD_VALUE with a sentence in why (at least 80 characters, may be NULL). */
arne_status arne__expr_eval(const char *text, const expr_symbol *symbols, size_t nsymbol, double *value, char *why,
                            size_t why_size);
arne_status arne__expr_eval_in(const expr_scope *scope, const char *text, double *value, char *why, size_t why_size);

/* Reads a decimal number without sign at the start of text, e.g. "12", ".5", "1e-3". Returns where it ends, or text when there is
 * none. The value is infinite when the number is too large. */
const char *arne__expr_number(const char *text, double *value);

/* Can this word be a symbol: a letter or _, then letters, digits, _; and not pi. */
bool arne__expr_is_name(const char *word);

/* Is the text one symbol, or minus one? Copies it without blanks into name, which is empty otherwise or where it is too long. */
bool arne__expr_one_name(const char *text, char *name, size_t size);

#pragma GCC visibility pop
#endif
