/* SPDX-License-Identifier: MIT
 *
 * yaml.h - YAML mappings read by tables: {key, how to read it, where it goes}.
 *
 * On libyaml's document interface, where every node knows its line. A key that no table has, a key given twice, a text where a
 * number is expected: each is an error with its line, the item it belongs to and the nearest known key. A number is an expression
 * (base/expr.h). Aliases are followed, never copied; what is read in all is bounded, so they cannot multiply. */
#ifndef FILE_YAML_H
#define FILE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include <yaml.h>

#include "arne/file.h"
#include "base/expr.h"
#include "base/nearest.h"

#pragma GCC visibility push(default) /* used by more than one library */

typedef struct {
    const char *file;
    arne_error *error;
    yaml_document_t document;
    char *text;           /* the whole file */
    expr_symbol *symbols; /* for numbers */
    size_t nsymbol;
    char where[160]; /* "joint 'j1'", or empty: begins every message */
    const char *key; /* the key being read, NULL at the top */
    size_t steps;    /* values read so far */
} yaml_reader;

/* Reads the value of one key into *into. */
typedef arne_status yaml_read_value(yaml_reader *r, const yaml_node_t *value, void *into);

typedef struct {
    const char *key;
    yaml_read_value *read; /* NULL: known, but read by someone else */
    size_t offset;         /* of the destination in the struct given to arne__yaml_mapping */
} yaml_field;

/* The file must hold one document; text: what it held when it was read before, NULL: it is read. arne__yaml_close also after a
 * failure. */
arne_status arne__yaml_open(yaml_reader *r, const char *path, const char *text, arne_error *error);
void arne__yaml_close(yaml_reader *r);
const yaml_node_t *arne__yaml_root(yaml_reader *r);

/* printf-like; "where: key: " comes before the message. */
arne_status arne__yaml_fail(const yaml_reader *r, const yaml_node_t *node, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
arne_status arne__yaml_no_memory(const yaml_reader *r);
int arne__yaml_line(const yaml_node_t *node);

/* The names that numbers may use: those given, which win, and then a mapping of names to numbers (may be NULL), where a number
 * may use the names before it. Names of the mapping live until arne__yaml_close, the others are the caller's. */
arne_status arne__yaml_symbols(yaml_reader *r, const arne_symbol *given, size_t ngiven, const yaml_node_t *node);

/* Every key of a mapping by the table; `into` is the struct the offsets belong to. */
arne_status arne__yaml_mapping(yaml_reader *r, const yaml_node_t *node, const yaml_field *fields, size_t nfield, void *into);
/* The value of a key, or NULL. */
const yaml_node_t *arne__yaml_find(yaml_reader *r, const yaml_node_t *node, const char *key);
/* Fails unless node is a list; *count = its length. */
arne_status arne__yaml_list(yaml_reader *r, const yaml_node_t *node, size_t *count);
const yaml_node_t *arne__yaml_item(yaml_reader *r, const yaml_node_t *list, size_t i);
/* A list of exactly count numbers. */
arne_status arne__yaml_vector(yaml_reader *r, const yaml_node_t *node, size_t count, double *values);

/* Readers of single values for tables. Strings stay valid until arne__yaml_close. */
yaml_read_value arne__yaml_number;       /* double */
yaml_read_value arne__yaml_positive;     /* double > 0 */
yaml_read_value arne__yaml_not_negative; /* double >= 0 */
yaml_read_value arne__yaml_vector3;      /* double[3] */
yaml_read_value arne__yaml_string;       /* const char *, not empty, no control characters */
yaml_read_value arne__yaml_truth;        /* bool */
yaml_read_value arne__yaml_node;         /* const yaml_node_t *, to be read later */

#pragma GCC visibility pop
#endif
