/* SPDX-License-Identifier: MIT
 *
 * json_test.c - JSON item by item, read back by another library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/json.h"

static void commas_come_by_themselves(void **state)
{
    (void)state;
    const double x[] = {0.1, NAN, -3};
    text_buffer t = {0};
    arne__json_open(&t, NULL, '{');
    arne__json_number(&t, "a", 1);
    arne__json_open(&t, "list", '[');
    arne__json_close(&t, ']');
    arne__json_numbers(&t, "x", x, 3);
    arne__json_numbers(&t, "none", NULL, 3);
    arne__json_open(&t, "in", '{');
    arne__json_truth(&t, "yes", true);
    arne__json_truth(&t, "no", false);
    arne__json_string(&t, "s", NULL);
    arne__json_close(&t, '}');
    arne__json_close(&t, '}');
    arne__text_put(&t, "\n"); /* one row, then the next */
    arne__json_open(&t, NULL, '[');
    arne__json_string(&t, NULL, "a");
    arne__json_string(&t, NULL, "b");
    arne__json_close(&t, ']');
    assert_string_equal(arne__text_string(&t),
                        "{\"a\":1,\"list\":[],\"x\":[0.1,null,-3],\"none\":null,\"in\":{\"yes\":true,\"no\":false,\"s\":null}}\n"
                        "[\"a\",\"b\"]");
    arne__text_free(&t);
}

static void any_text_is_read_back(void **state)
{
    (void)state;
    text_buffer t = {0};
    arne__json_open(&t, NULL, '[');
    arne__json_string(&t, NULL, "\"\\/ \n\x01 \xC3\xA4 {[");
    arne__json_string(&t, NULL, "\xFFx\xC3");
    arne__json_number(&t, NULL, 0.1 + 0.2);
    arne__json_close(&t, ']');
    cJSON *list = cJSON_Parse(arne__text_string(&t));
    assert_int_equal(cJSON_GetArraySize(list), 3);
    assert_string_equal(cJSON_GetArrayItem(list, 0)->valuestring, "\"\\/ \n\x01 \xC3\xA4 {[");
    assert_string_equal(cJSON_GetArrayItem(list, 1)->valuestring, "\xEF\xBF\xBDx\xEF\xBF\xBD");
    assert_true(cJSON_GetArrayItem(list, 2)->valuedouble == 0.1 + 0.2);
    cJSON_Delete(list);
    arne__text_free(&t);
}

static void members_of_an_object(void **state)
{
    (void)state;
    text_buffer t = {0};
    arne__json_open(&t, NULL, '{');
    json_members(&t, NUMBER("a \"b\"", 1), TEXT("none", NULL));
    json_object(&t, "in", TEXT("text", "x\x1F\x7F\\"), NUMBER("number", -2.5), TRUTH("yes", true), TRUTH("no", false),
                NUMBER("inf", INFINITY));
    arne__json_numbers(&t, "empty", (const double[]){1}, 0);
    arne__json_close(&t, '}');
    assert_string_equal(
        arne__text_string(&t),
        "{\"a \\\"b\\\"\":1,\"none\":null,\"in\":{\"text\":\"x\\u001f\x7F\\\\\",\"number\":-2.5,\"yes\":true,\"no\":false,"
        "\"inf\":null},\"empty\":[]}");
    arne__text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_come_by_themselves),
        cmocka_unit_test(any_text_is_read_back),
        cmocka_unit_test(members_of_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
