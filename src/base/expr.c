/* SPDX-License-Identifier: MIT
 *
 * expr.c - recursive descent over
 *     sum = product {(+|-) product}    product = signed {(*|/) signed}    signed = {+|-} primary
 *     primary = number | pi | symbol | function ( sum ) | ( sum )
 * The first fault is kept, and everything after it returns 0 without reading on. */
#include "base/expr.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 64, LONGEST_NAME = 63 };

static const double PI = 3.14159265358979323846;

typedef struct {
    const char *at;
    const expr_scope *scope;
    int depth;
    bool failed;
    char *why;
    size_t why_size;
} cursor;

/* isalpha() and isdigit() depend on the locale. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static double fail(cursor *c, const char *words, const char *name)
{
    if (!c->failed && c->why && c->why_size > 0) snprintf(c->why, c->why_size, "%s%.40s%s", words, name, *name ? "'" : "");
    c->failed = true;
    return 0;
}

static double finite(cursor *c, double value)
{
    return isfinite(value) ? value : fail(c, "the result is not a finite number", "");
}

const char *arne__expr_number(const char *text, double *value)
{
    const char *end = text;
    while (is_digit(*end)) end++;
    size_t digits = (size_t)(end - text);
    if (*end == '.') {
        const char *fraction = ++end;
        while (is_digit(*end)) end++;
        digits += (size_t)(end - fraction);
    }
    if (digits == 0) return text;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        if (is_digit(*exponent))
            for (end = exponent; is_digit(*end);) end++;
    }
    /* strtod reads the decimal mark of the thread's locale and hexadecimal: the first is set aside, of the second only the
     * leading 0 was scanned. */
    double number = 0;
    if (!(text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))) {
        locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!plain) return text;
        locale_t before = uselocale(plain);
        number = strtod(text, NULL);
        uselocale(before);
        freelocale(plain);
    }
    *value = number;
    return end;
}

bool arne__expr_is_name(const char *word)
{
    const char *c = word;
    if (!is_letter(*c)) return false;
    while (is_letter(*c) || is_digit(*c)) c++;
    return *c == '\0' && c - word <= LONGEST_NAME && strcasecmp(word, "pi") != 0;
}

static void skip_blanks(cursor *c)
{
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n') c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->failed || *c->at != wanted) return false;
    c->at++;
    return true;
}

static double sum(cursor *c);

static double bracket(cursor *c)
{
    if (++c->depth > DEEPEST) return fail(c, "brackets are nested too deeply", "");
    double value = sum(c);
    if (!c->failed && !take(c, ')')) return fail(c, "')' is missing", "");
    c->depth--;
    return value;
}

static double call(cursor *c, const char *name)
{
    double x = bracket(c);
    if (c->failed) return 0;
    if (strcmp(name, "sin") == 0) return sin(x);
    if (strcmp(name, "cos") == 0) return cos(x);
    if (strcmp(name, "sqrt") != 0) return fail(c, "unknown function '", name);
    return x < 0 ? fail(c, "square root of a negative number", "") : sqrt(x);
}

static double named(cursor *c)
{
    char name[LONGEST_NAME + 1] = "";
    size_t length = 0;
    while (is_letter(c->at[length]) || is_digit(c->at[length])) length++;
    if (length > LONGEST_NAME) return fail(c, "a name is too long", "");
    memcpy(name, c->at, length);
    c->at += length;

    if (take(c, '(')) return call(c, name);
    if (strcasecmp(name, "pi") == 0) return PI;
    for (size_t i = 0; i < c->scope->nsymbol; i++)
        if (strcmp(c->scope->symbols[i].name, name) == 0) return finite(c, c->scope->symbols[i].value);
    double value = 0;
    if (c->scope->unknown && c->scope->unknown(c->scope->context, name, &value)) return finite(c, value);
    return fail(c, "unknown symbol '", name);
}

static double primary(cursor *c)
{
    skip_blanks(c);
    if (c->failed) return 0;
    if (take(c, '(')) return bracket(c);
    if (is_letter(*c->at)) return named(c);
    double value = 0;
    const char *end = arne__expr_number(c->at, &value);
    if (end == c->at) return *end ? fail(c, "a number is expected at '", end) : fail(c, "it ends where a number is expected", "");
    c->at = end;
    return finite(c, value);
}

static double with_sign(cursor *c)
{
    bool negative = false;
    for (;;) {
        if (take(c, '-'))
            negative = !negative;
        else if (!take(c, '+'))
            break;
    }
    double value = primary(c);
    return negative ? -value : value;
}

static double product(cursor *c)
{
    double value = with_sign(c);
    while (!c->failed) {
        if (take(c, '*')) {
            value *= with_sign(c);
        } else if (take(c, '/')) {
            double divisor = with_sign(c);
            if (c->failed) return 0;
            if (divisor == 0) return fail(c, "division by zero", "");
            value /= divisor;
        } else {
            break;
        }
        value = finite(c, value);
    }
    return value;
}

static double sum(cursor *c)
{
    double value = product(c);
    while (!c->failed) {
        if (take(c, '+'))
            value += product(c);
        else if (take(c, '-'))
            value -= product(c);
        else
            break;
        value = finite(c, value);
    }
    return value;
}

arne_status arne__expr_eval_in(const expr_scope *scope, const char *text, double *value, char *why, size_t why_size)
{
    cursor c = {.at = text, .scope = scope, .why = why, .why_size = why_size};
    skip_blanks(&c);
    if (!*c.at) fail(&c, "it is empty", "");
    double result = sum(&c);
    skip_blanks(&c);
    if (!c.failed && *c.at) fail(&c, "unexpected '", c.at);
    if (c.failed) return ARNE_BAD_VALUE;
    *value = result;
    return ARNE_OK;
}

arne_status arne__expr_eval(const char *text, const expr_symbol *symbols, size_t nsymbol, double *value, char *why,
                            size_t why_size)
{
    const expr_scope scope = {.symbols = symbols, .nsymbol = nsymbol};
    return arne__expr_eval_in(&scope, text, value, why, why_size);
}

bool arne__expr_one_name(const char *text, char *name, size_t size)
{
    static const char blank[] = " \t";
    size_t sign = 0;
    text += strspn(text, blank);
    if (*text == '-') sign = 1, text += 1 + strspn(text + 1, blank);
    const size_t length = strcspn(text, blank);
    name[0] = '\0';
    if (text[length + strspn(text + length, blank)] || sign + length + 1 > size) return false;
    snprintf(name, size, "%s%.*s", sign ? "-" : "", (int)length, text);
    if (arne__expr_is_name(name + sign)) return true;
    name[0] = '\0';
    return false;
}
