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

#include "base/arena.h"
#include "base/nearest.h"
#include "base/random.h"
#include "base/stream.h"
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

/* Items of a list behind what stands before, in lines of ten bytes where items allow it; what stood before is no part of it. */
static void items_fill_lines(void **state)
{
    (void)state;
    static const char *const items[] = {"ab", "cde", "f", "a long item", "gh", "ijkl", "m"};
    text_buffer t = {0}, item = {0};
    arne__text_put(&t, "head ");
    const size_t start = t.length;
    for (int i = 0; i < 7; i++) {
        arne__text_put(&item, items[i]);
        arne__text_item(&t, start, 10, "# ", ", ", &item);
        assert_true(item.length == 0 && !item.failed);
    }
    assert_string_equal(arne__text_string(&t), "head # ab, cde\n# f\n# a long item\n# gh, ijkl\n# m");
    arne__text_clear(&t);
    for (int i = 1; i < 4; i++) { /* ten bytes are ten bytes, in the first line and the next */
        arne__text_put(&item, &"12345678"[i == 1]);
        arne__text_item(&t, 0, 10, "# ", "; ", &item);
    }
    arne__text_put(&item, "");
    arne__text_item(&t, 0, 12, "# ", "; ", &item);
    assert_string_equal(arne__text_string(&t), "# 2345678\n# 12345678\n# 12345678; ");
    item.failed = true;
    arne__text_item(&t, 0, 12, "# ", "; ", &item);
    assert_true(t.failed);
    arne__text_free(&t);
    arne__text_free(&item);
}

static void fields_are_quoted_where_they_must_be(void **state)
{
    (void)state;
    static const char *const known[][2] = {{"plain", "plain"},   {"a,b", "\"a,b\""}, {"a b", "\"a b\""}, {"a\"b", "\"a\"\"b\""},
                                           {"a\nb", "\"a\nb\""}, {"\r", "\"\r\""},   {"", ""},           {"a.b_c", "a.b_c"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        text_buffer t = {0};
        arne__text_put(&t, ">");
        arne__text_csv(&t, known[i][0]);
        assert_string_equal(arne__text_string(&t) + 1, known[i][1]);
        arne__text_free(&t);
    }
}

/* Lines of 12 bytes at most where items allow it. */
static void lists_are_broken_into_lines(void **state)
{
    (void)state;
    static const char *const items[] = {"alpha", "beta", "gamma", "dee", "f", "much too long for it", "g"};
    text_buffer t = {0}, item = {0};
    arne__text_put(&t, "list:\nx");
    const size_t start = t.length;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        arne__text_put(&item, items[i]);
        arne__text_item(&t, start, 12, "  ", ", ", &item);
        assert_string_equal(arne__text_string(&item), "");
    }
    assert_string_equal(arne__text_string(&t), "list:\nx  alpha\n  beta\n  gamma, dee\n  f\n  much too long for it\n  g");
    arne__text_free(&t);
    arne__text_free(&item);
}

static void streams_are_text(void **state)
{
    (void)state;
    text_buffer t = {0};
    FILE *f = arne__text_stream(&t);
    assert_true(f && arne__text_stream_close(f, &t) && t.s && !*t.s); /* no text is one too */
    arne__text_put(&t, "before ");
    f = arne__text_stream(&t);
    for (int i = 0; i < 5000; i++) fprintf(f, "%d,", i % 10);
    assert_true(arne__text_stream_close(f, &t));
    assert_true(t.length == 7 + 10000 && !strncmp(t.s, "before 0,1,2,", 13) && !strcmp(t.s + t.length - 4, "8,9,"));
    arne__text_free(&t);
}

static void memory_is_taken_in_pieces(void **state)
{
    (void)state;
    arena *a = arne__arena_new();
    unsigned char *pieces[100];
    for (int i = 0; i < 100; i++) {
        pieces[i] = arne__arena_take(a, (size_t)i, 8);
        assert_true(pieces[i] && (uintptr_t)pieces[i] % _Alignof(max_align_t) == 0);
        for (int k = 0; k < 8 * i; k++) assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], i, 8 * (size_t)i);
    }
    char *text = arne__arena_text(a, "kept");
    assert_string_equal(text, "kept");
    for (int i = 1; i < 100; i++) assert_true(pieces[i][0] == i && pieces[i][8 * i - 1] == i);
    assert_null(arne__arena_take(a, SIZE_MAX / 8, 16));
    assert_null(arne__arena_take(a, SIZE_MAX / 8, 8)); /* no room for what stands before a piece */
    assert_null(arne__arena_take(NULL, 1, 1));
    assert_non_null(arne__arena_take(a, 5, 0));
    arne__arena_free(a);
    arne__arena_free(NULL);
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
    assert_string_equal(arne__number_text(-INFINITY, text), "-inf");
    static const double round_ones[] = {1000, 999999, 999999.5, 1e6, 1e-4,    0.00099995, 0.0099999, 9.5,      999.7, 999999.7,
                                        99.5, 100000, 120000.5, 0.5, 0.12345, 12.345,     1.0 / 3,   0.000123, 5e-5,  1234567};
    for (size_t i = 0; i < sizeof round_ones / sizeof *round_ones; i++)
        for (int n = 1; n <= 17; n++)
            for (int sign = -1; sign < 2; sign += 2) {
                char digits[NUMBER_TEXT];
                arne__digits_text(sign * round_ones[i], n, text);
                snprintf(digits, sizeof digits, "%.*g", n, sign * round_ones[i]);
                assert_string_equal(text, digits);
            }
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
    } known[] = {{"a", 1},
                 {"\xC3\xA4", 2},
                 {"\xE2\x82\xAC", 3},
                 {"\xF0\x9F\x98\x80", 4},
                 {"\xC0\x80", 0},
                 {"\x80", 0},
                 {"\xE0\x80\x80", 0},
                 {"\xED\xA0\x80", 0},
                 {"\xF4\x90\x80\x80", 0},
                 {"\xE2\x82", 0},
                 {"\xFF", 0},
                 /* the first and the last of each length, and those beside them */
                 {"\x7F", 1},
                 {"\xC1\xBF", 0},
                 {"\xC2\x80", 2},
                 {"\xC2\x7F", 0},
                 {"\xC2\xC0", 0},
                 {"\xDF\xBF", 2},
                 {"\xE0\x9F\xBF", 0},
                 {"\xE0\xA0\x80", 3},
                 {"\xED\x9F\xBF", 3},
                 {"\xED\xBF\xBF", 0},
                 {"\xEE\x80\x80", 3},
                 {"\xEF\xBF\xBF", 3},
                 {"\xF0\x8F\xBF\xBF", 0},
                 {"\xF0\x90\x80\x80", 4},
                 {"\xF4\x8F\xBF\xBF", 4},
                 {"\xF5\x80\x80\x80", 0},
                 {"\xF0\x90\x80", 0},
                 {"\xE2\x82x", 0}};
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
    /* a change for every third letter, and one more; swapped neighbours are one; the first of those that are as near */
    static const struct {
        const char *word, *words[4], *best;
    } near[] = {{"abcxyz", {"abcdef"}, "abcdef"},
                {"abwxyz", {"abcdef"}, ""},
                {"ba", {"ab"}, "ab"},
                {"xy", {"ab"}, ""},
                {"ax", {"ab"}, "ab"},
                {"id", {"identify"}, ""},
                {"ide", {"identify"}, "identify"},
                {"abcdefgh", {"abcdef"}, "abcdef"},
                {"caw", {"cat", "car"}, "cat"},
                {"link3", {"lunk4", "link4", "link33"}, "link4"},
                {"tua", {"q1", "tau", "tu"}, "tau"},
                {"", {"ab"}, ""}};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        assert_string_equal(nearest_of(near[i].word, near[i].words), near[i].best);
    static const struct {
        const char *name;
        int other;
    } table[] = {{"one", 1}, {"two", 2}, {"three", 3}};
    assert_true(NAME_FIND(table, 3, "one") == 0 && NAME_FIND(table, 3, "three") == 2 && NAME_FIND(table, 2, "three") == -1 &&
                NAME_FIND(table, 3, NULL) == -1);
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
        cmocka_unit_test(fields_are_quoted_where_they_must_be),
        cmocka_unit_test(lists_are_broken_into_lines),
        cmocka_unit_test(streams_are_text),
        cmocka_unit_test(memory_is_taken_in_pieces),
        cmocka_unit_test(items_fill_lines),
        cmocka_unit_test(numbers_are_read_as_strtod_does),
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(characters_have_lengths),
        cmocka_unit_test(the_nearest_word_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
