/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>
#include <string.h>

static void quoted(text_buffer *t, const char *text)
{
    arne__text_put(t, "\"");
    for (size_t n; *text; text += n ? n : 1) {
        n = arne__utf8_length(text);
        if (*text == '"' || *text == '\\')
            arne__text_add(t, "\\%c", *text);
        else if (n == 0)
            arne__text_put(t, "\\ufffd");
        else if ((unsigned char)*text < ' ')
            arne__text_add(t, "\\u%04x", (unsigned)*text);
        else
            arne__text_bytes(t, text, n);
    }
    arne__text_put(t, "\"");
}

/* What stands before an item: a comma where one is before it, its key. */
static void begin(text_buffer *t, const char *key)
{
    if (t->length && !strchr("{[\n", t->s[t->length - 1])) arne__text_put(t, ",");
    if (!key) return;
    quoted(t, key);
    arne__text_put(t, ":");
}

void arne__json_open(text_buffer *t, const char *key, char bracket)
{
    begin(t, key);
    arne__text_bytes(t, &bracket, 1);
}

void arne__json_close(text_buffer *t, char bracket) { arne__text_bytes(t, &bracket, 1); }

void arne__json_string(text_buffer *t, const char *key, const char *text)
{
    begin(t, key);
    if (text)
        quoted(t, text);
    else
        arne__text_put(t, "null");
}

void arne__json_number(text_buffer *t, const char *key, double x)
{
    begin(t, key);
    if (isfinite(x))
        arne__text_number(t, x);
    else
        arne__text_put(t, "null");
}

void arne__json_numbers(text_buffer *t, const char *key, const double *x, int count)
{
    if (!x) {
        arne__json_string(t, key, NULL);
        return;
    }
    arne__json_open(t, key, '[');
    for (int i = 0; i < count; i++) arne__json_number(t, NULL, x[i]);
    arne__json_close(t, ']');
}

void arne__json_truth(text_buffer *t, const char *key, bool truth)
{
    begin(t, key);
    arne__text_put(t, truth ? "true" : "false");
}

void arne__json_members(text_buffer *t, const json_member *list)
{
    for (; list->key; list++) {
        if (list->kind == JSON_TEXT) arne__json_string(t, list->key, list->text);
        if (list->kind == JSON_NUMBER) arne__json_number(t, list->key, list->number);
        if (list->kind == JSON_TRUTH) arne__json_truth(t, list->key, list->number != 0);
    }
}

void arne__json_object(text_buffer *t, const char *key, const json_member *list)
{
    arne__json_open(t, key, '{');
    arne__json_members(t, list);
    arne__json_close(t, '}');
}
