/* SPDX-License-Identifier: MIT
 *
 * text_test.c - the growing string, numbers as text, UTF-8, the nearest word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/random.h"
#include "base/text.h"

static void a_string_grows(void **state)
{
    (void)state;
    text_buffer t = {0};
    assert_string_equal(arne__text_string(&t), "");
    for (int i = 0; i < 1000; i++) arne__text_add(&t, "%d,", i);
    arne__text_put(&t, "end");
    arne__text_bytes(&t, "\0.", 2);
    assert_int_equal(t.length, 10 * 2 + 90 * 3 + 900 * 4 + 5);
    assert_true(!strncmp(t.s, "0,1,2,", 6) && !strcmp(t.s + t.length - 9, "999,end") && !t.failed);
    arne__text_clear(&t);
    arne__text_add(&t, "%s %d %g %s %c %d %d", "one", 2, 3.5, "four", '5', 6, 7);
    assert_string_equal(arne__text_string(&t), "one 2 3.5 four 5 6 7");
    arne__text_clear(&t);
    arne__text_number(&t, 0.1);
    assert_string_equal(arne__text_string(&t), "0.1");
    arne__text_free(&t);
}

/* What it reads is what strtod reads, to the last bit; and it reads nearly all that programs write. */
static void numbers_are_read_as_strtod_does(void **state)
{
    (void)state;
    random_source r = {.state = 3};
    long left = 0, all = 0;
    for (int i = 0; i < 200000; i++) {
        char text[64], *end;
        const double x = ldexp(arne__random_signed(&r), (int)(80 * arne__random_signed(&r)));
        double y;
        const int digits = 1 + (int)(19 * arne__random_uniform(&r));
        snprintf(text, sizeof text, i % 3 ? "%.*g,1" : "%.*e;", digits, x);
        if (i % 7 == 0) { /* nearly between two doubles: the digits of a half, and one more or less */
            const long double half = (long double)x + 0.5L * (nextafter(x, INFINITY) - (long double)x);
            snprintf(text, sizeof text, "%.*Lg", 17 + i % 4, half);
        }
        const char *stop = arne__number_read(text, &y);
        const double wanted = strtod(text, &end);
        all += i % 7 != 0;
        left += !stop && i % 7;
        if (!stop) continue;
        assert_ptr_equal(stop, end);
        assert_memory_equal(&y, &wanted, sizeof y);
    }
    assert_true(left < all / 5); /* beyond 1e27, or 20 digits */
    static const char *const plain[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-1e3",
                                        "1E-3x",
                                        "007",
                                        "9007199254740993",
                                        "18446744073709551615",
                                        "1e22",
                                        "123456789012345678",
                                        "0.1"};
    static const char *const odd[] = {
        "", "-", ".", "abc", "inf", "nan", "0x10", "1e", "1e+", "1..2", "1e400", "123456789012345678901", "--1"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        double y = 7;
        char *end;
        const double wanted = strtod(plain[i], &end);
        const char *stop = arne__number_read(plain[i], &y);
        if (stop) assert_true(stop == end && y == wanted && signbit(y) == signbit(wanted));
    }
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        double y;
        assert_null(arne__number_read(odd[i], &y));
    }
}

static void numbers_read_back(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } known[] = {{0, "0"},        {-0.0, "-0"},      {12, "12"},
                 {-3.5, "-3.5"},  {1e22, "1e+22"},   {0.3, "0.3"},
                 {1e-5, "1e-05"}, {INFINITY, "inf"}, {0.1 + 0.2, "0.30000000000000004"}};
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_string_equal(arne__number_text(known[i].x, text), known[i].text);
    random_source r = {.state = 1};
    for (int i = 0; i < 10000; i++) {
        const double x = ldexp(arne__random_signed(&r), i % 60 - 30);
        char digits[NUMBER_TEXT];
        for (int n = 7; n <= 17; n++) {
            const char *end = arne__digits_text(x, n, text);
            assert_ptr_equal(end, text + strlen(text));
            snprintf(digits, sizeof digits, "%.*g", n, x);
            assert_string_equal(text, digits);
        }
        arne__number_text(x, text);
        assert_true(strtod(text, NULL) == x);
        for (int n = 15; n < 17; n++) { /* no shorter one would do */
            char shorter[NUMBER_TEXT];
            snprintf(shorter, sizeof shorter, "%.*g", n, x);
            if (strtod(shorter, NULL) == x) assert_true(strlen(text) <= strlen(shorter));
        }
    }
}

static void characters_have_lengths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } known[] = {{"a", 1},    {"\xC3\xA4", 2},     {"\xE2\x82\xAC", 3}, {"\xF0\x9F\x98\x80", 4}, {"\xC0\x80", 0},
                 {"\x80", 0}, {"\xE0\x80\x80", 0}, {"\xED\xA0\x80", 0}, {"\xF4\x90\x80\x80", 0}, {"\xE2\x82", 0},
                 {"\xFF", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_int_equal(arne__utf8_length(known[i].text), known[i].length);
}

static const char *nearest_of(const char *word, const char *const *words)
{
    static nearest n;
    n = (nearest){.word = word};
    for (; *words; words++) arne__nearest_offer(&n, *words);
    return n.best;
}

static void the_nearest_word_is_found(void **state)
{
    (void)state;
    static const char *const words[] = {"mass", "gravity", "coriolis_vector", "id", NULL};
    assert_string_equal(nearest_of("mas", words), "mass");
    assert_string_equal(nearest_of("gravtiy", words), "gravity");
    assert_string_equal(nearest_of("MASS", words), "mass");
    assert_string_equal(nearest_of("coriolis", words), "coriolis_vector");
    assert_string_equal(nearest_of("ids", words), "id");
    assert_string_equal(nearest_of("temperature", words), "");
    char hint[64];
    nearest n = {.word = "mas"};
    assert_string_equal(arne__nearest_hint(&n, hint, sizeof hint), "");
    arne__nearest_offer(&n, "mass");
    assert_string_equal(arne__nearest_hint(&n, hint, sizeof hint), "; did you mean \"mass\"?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_grows),
        cmocka_unit_test(numbers_are_read_as_strtod_does),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(characters_have_lengths),
        cmocka_unit_test(the_nearest_word_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
