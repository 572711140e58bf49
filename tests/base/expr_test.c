/* SPDX-License-Identifier: MIT
 *
 * expr_test.c - arithmetic of robot files, and the words of failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expr.h"

static const double PI = 3.14159265358979323846;
static const expr_symbol symbols[] = {{"D3", 0.45}, {"RL4", -2}, {"D3", 99}};

static void gives(const char *text, double expected)
{
    double value = NAN;
    char why[80] = "";
    if (arne__expr_eval(text, symbols, 3, &value, why, sizeof why)) fail_msg("'%s': %s", text, why);
    if (value != expected) fail_msg("'%s' gives %.17g, not %.17g", text, value, expected);
}

static void refuses(const char *text, const char *words)
{
    double value = 7;
    char why[80] = "";
    assert_int_equal(arne__expr_eval(text, symbols, 3, &value, why, sizeof why), ARNE_BAD_VALUE);
    if (!strstr(why, words)) fail_msg("'%s': \"%s\" does not say \"%s\"", text, why, words);
    assert_true(value == 7);
    assert_int_equal(arne__expr_eval(text, symbols, 3, &value, NULL, 0), ARNE_BAD_VALUE);
}

static void numbers_are_read_to_the_last_bit(void **state)
{
    (void)state;
    gives("0", 0);
    gives("12.5", 12.5);
    gives(".5", 0.5);
    gives("5.", 5);
    gives(" -3.0e-6\n", -3.0e-6);
    gives("+1E+2", 100);
    gives("0.1", 0.1);
    gives("9007199254740993", 9007199254740992.0);
    gives("1e-400", 0);
}

static void arithmetic_has_the_usual_order(void **state)
{
    (void)state;
    gives("1+2*3", 7);
    gives("(1+2)*3", 9);
    gives("8-4-2", 2);
    gives("8/4/2", 1);
    gives("-2*-3", 6);
    gives("2--3", 5);
    gives("-(1+1)", -2);
    gives("- - 4", 4);
    gives("-+-3", 3);
    gives("2-3+4", 3);
    gives("12/3*2", 8);
    gives("-8/-4", 2);
    gives("2*-3+1", -5);
    gives("3-2*4/8", 2);
    gives("\r\n\t7\r\n\t", 7);
}

static void pi_and_functions(void **state)
{
    (void)state;
    gives("pi", PI);
    gives("Pi/2", PI / 2);
    gives("-PI/2", -PI / 2);
    gives("sqrt(2)/2", sqrt(2) / 2);
    gives("sin(pi/6)", sin(PI / 6));
    gives("cos ( 0 )", 1);
    gives("sqrt(0)", 0);
    gives("cos(1)*sin(2)", cos(1) * sin(2));
}

static void symbols_take_their_first_value(void **state)
{
    (void)state;
    gives("D3", 0.45);
    gives("2*D3+RL4", 2 * 0.45 - 2);
}

static void faults_are_told(void **state)
{
    (void)state;
    refuses("", "empty");
    refuses("  ", "empty");
    refuses("1/0", "division by zero");
    refuses("1/(2-2)", "division by zero");
    refuses("1e400", "finite");
    refuses("1e300*1e300", "finite");
    refuses("1/(1e300*1e300)", "finite");
    refuses("1.2abc", "unexpected 'abc'");
    refuses("1 2", "unexpected '2'");
    refuses("1,5", "unexpected ',5'");
    refuses("0x10", "unexpected 'x10'");
    refuses("2^3", "unexpected '^3'");
    refuses("2**3", "expected at '*3'");
    refuses("nan", "unknown symbol 'nan'");
    refuses("inf", "unknown symbol 'inf'");
    refuses("d3", "unknown symbol 'd3'");
    refuses("tan(1)", "unknown function 'tan'");
    refuses("sqrt(-1)", "negative");
    refuses("(1", "')' is missing");
    refuses("1)", "unexpected ')'");
    refuses("1+", "ends where");
    refuses("*1", "expected at '*1'");
    refuses("()", "expected at ')'");
    refuses(".", "expected at '.'");
    refuses("1e+", "unexpected 'e+'");
    refuses("0X1", "unexpected 'X1'");
    refuses("1/x", "unknown symbol 'x'");
    refuses("1e300+1e308+1e308", "the result is not a finite number");
    refuses("+", "it ends where a number is expected");
}

static void deep_brackets_are_refused_and_long_texts_are_not(void **state)
{
    (void)state;
    char text[100001];
    memset(text, '(', 100000);
    text[100000] = '\0';
    refuses(text, "too deep");
    for (int deep = 64; deep <= 65; deep++) { /* 64 are not too deep */
        memset(text, '(', (size_t)deep);
        text[deep] = '5';
        memset(text + deep + 1, ')', (size_t)deep);
        text[2 * deep + 1] = '\0';
        if (deep == 64)
            gives(text, 5);
        else
            refuses(text, "brackets are nested too deeply");
    }
    memset(text, 'n', 63); /* the longest name, and one more letter */
    text[63] = '\0';
    refuses(text, "unknown symbol 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'");
    assert_true(arne__expr_is_name(text));
    strcpy(text + 63, "n");
    refuses(text, "a name is too long");
    assert_false(arne__expr_is_name(text));
    text[100000] = '\0';
    memset(text, '-', 100000);
    text[99999] = '1';
    gives(text, -1);
    for (int k = 0; k < 10000; k++) memcpy(text + 4 * k, "(1)+", 4);
    strcpy(text + 40000, "(1)");
    gives(text, 10001); /* brackets beside each other */
    memset(text, 'x', 100000);
    refuses(text, "too long");
}

/* Counts unknown names and calls them 0, but for "bad". */
static bool count_unknown(void *context, const char *name, double *value)
{
    strcat(context, name);
    *value = 0;
    return strcmp(name, "bad") != 0;
}

static void unknown_names_are_asked_for(void **state)
{
    (void)state;
    char asked[80] = "", why[80];
    const expr_scope scope = {symbols, 3, count_unknown, asked};
    double value;
    assert_int_equal(arne__expr_eval_in(&scope, "D3 + RL5*2 - x", &value, why, sizeof why), ARNE_OK);
    assert_true(value == 0.45);
    assert_string_equal(asked, "RL5x");
    assert_int_equal(arne__expr_eval_in(&scope, "1+bad", &value, why, sizeof why), ARNE_BAD_VALUE);
    assert_string_equal(why, "unknown symbol 'bad'");
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < 4; i++)
        if (setlocale(LC_ALL, commas[i])) break;
    gives("1.5", 1.5);
    setlocale(LC_ALL, "C");
}

static void names_of_symbols(void **state)
{
    (void)state;
    assert_true(arne__expr_is_name("D3"));
    assert_true(arne__expr_is_name("_x"));
    assert_true(arne__expr_is_name("azAZ_09"));
    assert_true(arne__expr_is_name("z"));
    assert_true(arne__expr_is_name("Z0"));
    static const char beside[] = "@[`{/:"; /* before and after letters and digits */
    for (const char *c = beside; *c; c++) {
        assert_false(arne__expr_is_name((const char[]){*c, 0}));
        assert_false(arne__expr_is_name((const char[]){'a', *c, 0}));
    }
    assert_false(arne__expr_is_name("3D"));
    assert_false(arne__expr_is_name("a-b"));
    assert_false(arne__expr_is_name(""));
    assert_false(arne__expr_is_name("Pi"));
}

static void a_failure_is_one_line_and_may_quote_itself(void **state)
{
    (void)state;
    arne_error e = {.status = ARNE_OK};
    assert_int_equal(arne_fail(&e, ARNE_BAD_VALUE, "a.urdf", 7, "link '%s'", "x\ny"), ARNE_BAD_VALUE);
    assert_string_equal(e.message, "link 'x y'");
    arne_fail(&e, ARNE_NO_FILE, e.file, 8, "again: %s", e.message);
    assert_string_equal(e.message, "again: link 'x y'");
    assert_string_equal(e.file, "a.urdf");
    assert_int_equal(e.line, 8);
    assert_int_equal(arne_fail(NULL, ARNE_NO_FILE, NULL, 0, "unheard"), ARNE_NO_FILE);
    assert_string_equal(arne_status_words(ARNE_NO_MEMORY), "out of memory");
    assert_string_equal(arne_status_words((arne_status)1000), "unknown status");
    assert_string_equal(arne_status_words(ARNE_STATUS_COUNT), "unknown status");
    assert_string_equal(arne_status_words((arne_status)-1), "unknown status");
    assert_string_not_equal(arne_status_words(ARNE_OK), "unknown status");
    assert_string_not_equal(arne_status_words((arne_status)(ARNE_STATUS_COUNT - 1)), "unknown status");
    arne_fail(&e, ARNE_NO_FILE, NULL, 0, "a\x1F\x7F~ %d %s", 1, "b");
    assert_string_equal(e.message, "a  ~ 1 b");
    assert_true(!*e.file && e.line == 0 && e.status == ARNE_NO_FILE);
}

static void one_name_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } known[] = {{"D3", "D3"}, {" \t D3 ", "D3"}, {"- D3", "-D3"}, {"\t-D3\t", "-D3"}, {"D3 D4", NULL},
                 {"", NULL},   {" ", NULL},       {"3D", NULL},    {"-pi", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char name[16] = "?";
        const bool one = arne__expr_one_name(known[i].text, name, sizeof name);
        if (!one) assert_string_equal(name, "");
        if (one != (known[i].name != NULL) || (one && strcmp(name, known[i].name)))
            fail_msg("'%s': %d '%s'", known[i].text, one, name);
    }
    char small[3];
    assert_false(arne__expr_one_name("abc", small, sizeof small));
    assert_string_equal(small, "");
    assert_true(arne__expr_one_name("ab", small, sizeof small) && !strcmp(small, "ab"));
    assert_false(arne__expr_one_name("-ab", small, sizeof small));
    assert_true(arne__expr_one_name("-b", small, sizeof small) && !strcmp(small, "-b"));
    assert_false(arne__expr_one_name("pi", small, sizeof small));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_to_the_last_bit),
        cmocka_unit_test(arithmetic_has_the_usual_order),
        cmocka_unit_test(pi_and_functions),
        cmocka_unit_test(symbols_take_their_first_value),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(deep_brackets_are_refused_and_long_texts_are_not),
        cmocka_unit_test(unknown_names_are_asked_for),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(names_of_symbols),
        cmocka_unit_test(one_name_alone),
        cmocka_unit_test(a_failure_is_one_line_and_may_quote_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
