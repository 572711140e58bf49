/* SPDX-License-Identifier: MIT
 *
 * yaml.c - YAML mappings read by tables, on libyaml. */
#include "file/yaml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/formats.h"

/* Far more values than any robot has: what goes beyond is a list of aliases of lists of aliases. */
static const size_t MOST_STEPS = 2000000;
/* libyaml's time grows with the square of these. */
enum { DEEPEST = 64, MOST_ANCHORS = 1000 };
static const size_t LARGEST_FILE = 4 << 20;
/* Beyond this no quantity is meant, and products could overflow. */
static const double LARGEST_NUMBER = 1e30;
static const size_t MOST_SYMBOLS = 1000;

/* ---- messages ---- */

int arne__yaml_line(const yaml_node_t *node) { return (int)node->start_mark.line + 1; }

arne_status arne__yaml_fail(const yaml_reader *r, const yaml_node_t *node, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return arne_fail(r->error, ARNE_BAD_VALUE, r->file, arne__yaml_line(node), "%s%s%.60s%s%s", r->where, *r->where ? ": " : "",
                     r->key ? r->key : "", r->key ? ": " : "", text);
}

arne_status arne__yaml_no_memory(const yaml_reader *r)
{
    return arne_fail(r->error, ARNE_NO_MEMORY, r->file, 0, "out of memory");
}

/* ---- the document ---- */

static arne_status syntax_error(const yaml_reader *r, const yaml_parser_t *p)
{
    /* without a word about a problem it is memory too: libyaml says so in some of its functions only */
    if (p->error == YAML_MEMORY_ERROR || !p->problem) return arne__yaml_no_memory(r);
    return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, (int)p->problem_mark.line + 1, "not well-formed YAML: %s%s%s",
                     p->problem, p->context ? " " : "", p->context ? p->context : "");
}

static bool has_anchor(const yaml_event_t *e)
{
    return (e->type == YAML_SCALAR_EVENT && e->data.scalar.anchor) ||
           (e->type == YAML_SEQUENCE_START_EVENT && e->data.sequence_start.anchor) ||
           (e->type == YAML_MAPPING_START_EVENT && e->data.mapping_start.anchor);
}

/* A first pass over the file that stops where nesting or anchors are beyond reason. */
static arne_status check_bounds(const yaml_reader *r, yaml_parser_t *p)
{
    int depth = 0, anchors = 0;
    for (bool more = true; more;) {
        yaml_event_t e;
        if (!yaml_parser_parse(p, &e)) return syntax_error(r, p);
        depth += (e.type == YAML_SEQUENCE_START_EVENT || e.type == YAML_MAPPING_START_EVENT) -
                 (e.type == YAML_SEQUENCE_END_EVENT || e.type == YAML_MAPPING_END_EVENT);
        anchors += has_anchor(&e);
        more = e.type != YAML_STREAM_END_EVENT;
        int line = (int)e.start_mark.line + 1;
        yaml_event_delete(&e);
        if (depth > DEEPEST) return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, line, "the YAML is nested too deeply");
        if (anchors > MOST_ANCHORS)
            return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, line, "more than %d anchors", MOST_ANCHORS);
    }
    return ARNE_OK;
}

/* Nothing but one document with something in it. */
static arne_status load(yaml_reader *r, yaml_parser_t *p)
{
    if (!yaml_parser_load(p, &r->document)) return syntax_error(r, p);
    if (!yaml_document_get_root_node(&r->document))
        return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, 0, "the file is empty but for comments");
    yaml_document_t second;
    if (!yaml_parser_load(p, &second)) return syntax_error(r, p);
    const yaml_node_t *more = yaml_document_get_root_node(&second);
    int line = more ? arne__yaml_line(more) : 0;
    yaml_document_delete(&second);
    if (more) return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, line, "a second document begins here; keep one in a file");
    return ARNE_OK;
}

arne_status arne__yaml_open(yaml_reader *r, const char *path, const char *text, arne_error *error)
{
    *r = (yaml_reader){.file = path, .error = error};
    size_t size = text ? strlen(text) : 0;
    arne_status status = ARNE_OK;
    if (!text)
        status = arne__file_text(path, &r->text, &size, error);
    else if (!(r->text = strdup(text)))
        status = arne__yaml_no_memory(r);
    if (status) return status;
    if (size > LARGEST_FILE) return arne_fail(error, ARNE_BAD_SYNTAX, path, 0, "the file is larger than 4 MB");
    for (int pass = 0; pass < 2 && !status; pass++) {
        yaml_parser_t parser;
        if (!yaml_parser_initialize(&parser)) return arne__yaml_no_memory(r);
        yaml_parser_set_input_string(&parser, (const unsigned char *)r->text, size);
        status = pass == 0 ? check_bounds(r, &parser) : load(r, &parser);
        yaml_parser_delete(&parser);
    }
    return status;
}

void arne__yaml_close(yaml_reader *r)
{
    yaml_document_delete(&r->document);
    free(r->text);
    free(r->symbols);
    *r = (yaml_reader){.file = r->file, .error = r->error};
}

const yaml_node_t *arne__yaml_root(yaml_reader *r) { return yaml_document_get_root_node(&r->document); }

static const yaml_node_t *node_at(yaml_reader *r, int index) { return yaml_document_get_node(&r->document, index); }

/* ---- mappings and lists ---- */

static arne_status step(yaml_reader *r, const yaml_node_t *node)
{
    if (++r->steps > MOST_STEPS) return arne__yaml_fail(r, node, "the file holds too many values");
    return ARNE_OK;
}

/* The text of a scalar, or NULL where it is none or has a 0 in it. */
static const char *scalar(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE) return NULL;
    const char *text = (const char *)node->data.scalar.value;
    return strlen(text) == node->data.scalar.length ? text : NULL;
}

static arne_status unknown_key(const yaml_reader *r, const yaml_node_t *node, const char *key, const yaml_field *fields,
                               size_t nfield)
{
    nearest near = {.word = key};
    for (size_t i = 0; i < nfield; i++) arne__nearest_offer(&near, fields[i].key);
    if (near.best[0]) return arne__yaml_fail(r, node, "unknown key '%.60s'; did you mean '%s'?", key, near.best);
    char known[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < nfield && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", fields[i].key);
    return arne__yaml_fail(r, node, "unknown key '%.60s'; known keys: %s", key, known);
}

static arne_status read_pair(yaml_reader *r, const yaml_node_pair_t *pair, const yaml_field *fields, size_t nfield, bool *seen,
                             void *into)
{
    const yaml_node_t *key_node = node_at(r, pair->key);
    const char *key = scalar(key_node), *outer = r->key;
    if (!key) return arne__yaml_fail(r, key_node, "a key must be a word");
    size_t i = 0;
    while (i < nfield && strcmp(fields[i].key, key) != 0) i++;
    if (i == nfield) return unknown_key(r, key_node, key, fields, nfield);
    if (seen[i]) return arne__yaml_fail(r, key_node, "key '%s' is given twice", key);
    seen[i] = true;
    if (!fields[i].read) return ARNE_OK;
    r->key = fields[i].key;
    arne_status status = fields[i].read(r, node_at(r, pair->value), (char *)into + fields[i].offset);
    r->key = outer;
    return status;
}

arne_status arne__yaml_mapping(yaml_reader *r, const yaml_node_t *node, const yaml_field *fields, size_t nfield, void *into)
{
    bool seen[64] = {false};
    if (node->type != YAML_MAPPING_NODE)
        return arne__yaml_fail(r, node, "keys and values are expected, like {%s: ...}", fields[0].key);
    if (nfield > sizeof seen / sizeof *seen) return arne__yaml_no_memory(r);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        arne_status status = step(r, node);
        if (!status) status = read_pair(r, pair, fields, nfield, seen, into);
        if (status) return status;
    }
    return ARNE_OK;
}

const yaml_node_t *arne__yaml_find(yaml_reader *r, const yaml_node_t *node, const char *key)
{
    if (node->type != YAML_MAPPING_NODE) return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const char *found = scalar(node_at(r, pair->key));
        if (found && strcmp(found, key) == 0) return node_at(r, pair->value);
    }
    return NULL;
}

arne_status arne__yaml_list(yaml_reader *r, const yaml_node_t *node, size_t *count)
{
    if (node->type != YAML_SEQUENCE_NODE) return arne__yaml_fail(r, node, "a list [..., ...] is expected");
    *count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    r->steps += *count;
    return step(r, node);
}

const yaml_node_t *arne__yaml_item(yaml_reader *r, const yaml_node_t *list, size_t i)
{
    return node_at(r, list->data.sequence.items.start[i]);
}

/* ---- single values ---- */

arne_status arne__yaml_number(yaml_reader *r, const yaml_node_t *value, void *into)
{
    char why[120];
    double number;
    const char *text = scalar(value);
    if (!text) return arne__yaml_fail(r, value, "a number is expected");
    if (arne__expr_eval(text, r->symbols, r->nsymbol, &number, why, sizeof why))
        return arne__yaml_fail(r, value, "'%.60s' is not a number: %s", text, why);
    if (fabs(number) > LARGEST_NUMBER) return arne__yaml_fail(r, value, "%.60s is too large", text);
    *(double *)into = number;
    return ARNE_OK;
}

arne_status arne__yaml_positive(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_status status = arne__yaml_number(r, value, into);
    if (status || *(double *)into > 0) return status;
    return arne__yaml_fail(r, value, "must be greater than 0, not %g", *(double *)into);
}

arne_status arne__yaml_not_negative(yaml_reader *r, const yaml_node_t *value, void *into)
{
    arne_status status = arne__yaml_number(r, value, into);
    if (status || *(double *)into >= 0) return status;
    return arne__yaml_fail(r, value, "must not be negative, but is %g", *(double *)into);
}

arne_status arne__yaml_vector(yaml_reader *r, const yaml_node_t *node, size_t count, double *values)
{
    size_t given;
    arne_status status = arne__yaml_list(r, node, &given);
    if (!status && given != count) status = arne__yaml_fail(r, node, "needs %zu numbers, has %zu", count, given);
    for (size_t i = 0; i < count && !status; i++) status = arne__yaml_number(r, arne__yaml_item(r, node, i), &values[i]);
    return status;
}

arne_status arne__yaml_vector3(yaml_reader *r, const yaml_node_t *value, void *into)
{
    return arne__yaml_vector(r, value, 3, into);
}

arne_status arne__yaml_string(yaml_reader *r, const yaml_node_t *value, void *into)
{
    const char *text = scalar(value);
    if (!text || !*text) return arne__yaml_fail(r, value, "a text is expected");
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ') return arne__yaml_fail(r, value, "the text has a line break or control character in it");
    *(const char **)into = text;
    return ARNE_OK;
}

arne_status arne__yaml_truth(yaml_reader *r, const yaml_node_t *value, void *into)
{
    static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};
    const char *word;
    const arne_status status = arne__yaml_string(r, value, &word);
    if (status) return status;
    for (size_t i = 0; i < 3; i++)
        if (!strcmp(word, yes[i]) || !strcmp(word, no[i])) {
            *(bool *)into = !strcmp(word, yes[i]);
            return ARNE_OK;
        }
    return arne__yaml_fail(r, value, "true or false is expected, not '%.40s'", word);
}

arne_status arne__yaml_node(yaml_reader *r, const yaml_node_t *value, void *into)
{
    (void)r;
    *(const yaml_node_t **)into = value;
    return ARNE_OK;
}

/* ---- symbols ---- */

static arne_status add_symbol(yaml_reader *r, const yaml_node_pair_t *pair, size_t ngiven)
{
    const yaml_node_t *key = node_at(r, pair->key);
    const char *name = scalar(key);
    double value;
    if (!name || !arne__expr_is_name(name))
        return arne__yaml_fail(r, key, "'%.60s' cannot be a symbol; use letters, digits and _", name ? name : "");
    for (size_t i = ngiven; i < r->nsymbol; i++)
        if (strcmp(r->symbols[i].name, name) == 0) return arne__yaml_fail(r, key, "symbol '%s' is given twice", name);
    arne_status status = arne__yaml_number(r, node_at(r, pair->value), &value);
    if (!status) r->symbols[r->nsymbol++] = (expr_symbol){name, value};
    return status;
}

arne_status arne__yaml_symbols(yaml_reader *r, const arne_symbol *given, size_t ngiven, const yaml_node_t *node)
{
    size_t count = 0;
    r->key = "symbols";
    if (node) {
        if (node->type != YAML_MAPPING_NODE) return arne__yaml_fail(r, node, "names and numbers are expected, like {D3: 0.45}");
        count = (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
        if (count > MOST_SYMBOLS) return arne__yaml_fail(r, node, "more than %zu symbols", MOST_SYMBOLS);
    }
    r->symbols = calloc(ngiven + count + 1, sizeof *r->symbols);
    if (!r->symbols) return arne__yaml_no_memory(r);
    for (; r->nsymbol < ngiven; r->nsymbol++)
        r->symbols[r->nsymbol] = (expr_symbol){given[r->nsymbol].name, given[r->nsymbol].value};
    arne_status status = ARNE_OK;
    for (size_t i = 0; i < count && !status; i++) status = add_symbol(r, &node->data.mapping.pairs.start[i], ngiven);
    r->key = NULL;
    return status;
}
