/* SPDX-License-Identifier: MIT
 *
 * par_text.c - a .par file cut into lists of entries. */
#include "file/par_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME(name) #name
const char *const arne__par_keywords[KEY_COUNT] = {PAR_KEYWORDS(NAME)};
#undef NAME

typedef struct {
    par_text *p;
    arne_description *d;
    arne_error *error;
    char *at;
    int line; /* of `at` */
} parser;

#define BAD(r, line, ...) arne_fail((r)->error, ARNE_BAD_SYNTAX, (r)->d->file, line, __VA_ARGS__)

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/* The file tells the robot's name in a comment: (* Robotname = 'RX90' *). */
static void robot_name(parser *r, const char *from, const char *to)
{
    static const char word[] = "robotname";
    for (; from + sizeof word < to; from++) {
        if (strncasecmp(from, word, sizeof word - 1) != 0) continue;
        const char *begin = memchr(from, '\'', (size_t)(to - from));
        const char *end = begin ? memchr(begin + 1, '\'', (size_t)(to - begin - 1)) : NULL;
        if (end) snprintf(r->p->name, sizeof r->p->name, "%.*s", (int)(end - begin - 1), begin + 1);
        for (char *c = r->p->name; *c; c++)
            if ((unsigned char)*c < ' ') *c = ' ';
        return;
    }
}

static arne_status blank_comments(parser *r)
{
    int line = 1;
    for (char *c = r->p->text; *c; c++) {
        if (*c == '\n') line++;
        if (c[0] != '(' || c[1] != '*') continue;
        const char *end = strstr(c + 2, "*)"), *next = strstr(c + 2, "(*");
        if (!end || (next && next < end)) return BAD(r, line, "the comment that begins here has no end: add *)");
        robot_name(r, c, end);
        for (; c < end + 2; c++) {
            if (*c == '\n')
                line++;
            else
                *c = ' ';
        }
        c--;
    }
    return ARNE_OK;
}

static void skip_blanks(parser *r)
{
    for (; is_blank(*r->at) || *r->at == ';'; r->at++)
        if (*r->at == '\n') r->line++;
}

/* Cuts blanks off both ends. */
static char *trim(char *begin, char *end)
{
    while (begin < end && is_blank(*begin)) begin++;
    while (end > begin && (is_blank(end[-1]) || end[-1] == ';')) end--;
    *end = '\0';
    return begin;
}

static arne_status append(parser *r, par_list *l, char *begin, char *end, int line)
{
    if ((l->count & (l->count - 1)) == 0) {
        par_entry *bigger = realloc(l->entries, (l->count ? 2 * l->count : 1) * sizeof *bigger);
        if (!bigger) return arne_fail(r->error, ARNE_NO_MEMORY, r->d->file, 0, "out of memory");
        l->entries = bigger;
    }
    l->entries[l->count++] = (par_entry){trim(begin, end), line};
    return ARNE_OK;
}

/* {entry, entry, ...}: a comma inside round brackets belongs to its entry. */
static arne_status read_entries(parser *r, const char *name, par_list *l)
{
    int depth = 0;
    char *begin = ++r->at;
    int line = r->line;
    for (;; r->at++) {
        char c = *r->at;
        if (c == '\0' || c == '{' || c == '=') return BAD(r, l->line, "the list %s that begins here has no end: add }", name);
        if (c == '\n') r->line++;
        if (begin == r->at && is_blank(c)) { /* the line of an entry is that of its first character */
            begin++;
            line = r->line;
        }
        if (c == '(') depth++;
        if (c == ')') depth--;
        if (c != '}' && !(c == ',' && depth == 0)) continue;
        bool last = c == '}';
        if (!last || l->count > 0 || begin < r->at) {
            arne_status status = append(r, l, begin, r->at, line);
            if (status != ARNE_OK) return status;
        }
        begin = r->at + 1;
        line = r->line;
        depth = 0;
        if (last) break;
    }
    r->at++;
    return ARNE_OK;
}

static par_keyword find_keyword(const char *name, size_t length)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (strlen(arne__par_keywords[i]) == length && strncasecmp(arne__par_keywords[i], name, length) == 0)
            return (par_keyword)i;
    return KEY_COUNT;
}

static arne_status read_assignment(parser *r, par_list *unknown)
{
    int line = r->line;
    const char *begin = r->at;
    while (is_letter(*r->at) || is_digit(*r->at)) r->at++;
    int length = (int)(r->at - begin);
    if (length == 0 || length > 40) return BAD(r, line, "NAME = value or NAME = {...} is expected, not '%.20s'", begin);
    char name[48];
    snprintf(name, sizeof name, "%.*s", length, begin);
    par_keyword key = find_keyword(name, (size_t)length);
    par_list *l = key < KEY_COUNT ? &r->p->lists[key] : unknown;
    if (key < KEY_COUNT && l->line) return BAD(r, line, "%s is given a second time (first in line %d)", name, l->line);

    while (*r->at == ' ' || *r->at == '\t') r->at++;
    if (*r->at != '=') return BAD(r, line, "after %s, = is expected", name);
    r->at++;
    skip_blanks(r);
    l->line = line;
    if (key == KEY_COUNT) arne_description_warn(r->d, line, "%s is no keyword of .par files: ignored", name);
    if (*r->at == '{') return read_entries(r, name, l);
    char *value = r->at;
    while (*r->at && *r->at != '\n') r->at++;
    char *end = r->at;
    if (*end) r->at++;
    arne_status status = append(r, l, value, end, r->line);
    if (*value == '\0') status = BAD(r, line, "%s has no value", name);
    r->line++;
    return status;
}

arne_status arne__par_parse(par_text *p, arne_description *d, arne_error *error)
{
    parser r = {.p = p, .d = d, .error = error, .at = p->text, .line = 1};
    if (strncmp(r.at, "\xEF\xBB\xBF", 3) == 0) r.at += 3; /* byte order mark */
    arne_status status = blank_comments(&r);
    while (status == ARNE_OK) {
        skip_blanks(&r);
        if (!*r.at) break;
        par_list unknown = {0};
        status = read_assignment(&r, &unknown);
        free(unknown.entries);
    }
    return status;
}

void arne__par_text_free(par_text *p)
{
    for (int k = 0; k < KEY_COUNT; k++) free(p->lists[k].entries);
    free(p->text);
}
