/* SPDX-License-Identifier: MIT
 *
 * xml.h - what the readers of XML files share: parsing, elements, attributes, numbers, and messages with their lines. */
#ifndef FILE_XML_H
#define FILE_XML_H

#include <libxml/tree.h>

#include "arne/description.h"

typedef struct {
    const char *file;
    arne_description *d;
    arne_error *error;
    bool base_is_free; /* the caller frees what the file holds still */
    char where[160];   /* "link 'forearm'": begins every message about it */
} xml_reader;

/* The robot below the root of a file into r->d, which they make themselves; freed by the caller when they fail. */
arne_status arne__urdf_robot(xml_reader *r, xmlNode *root);
arne_status arne__sdf_robot(xml_reader *r, xmlNode *root);
arne_status arne__mjcf_robot(xml_reader *r, xmlNode *root);

/* Parses one more file while a robot is read; the caller frees *doc. Entities are refused. Elements of a `movable` one own their
 * names and may become part of another document. */
arne_status arne__xml_parse(const xml_reader *r, const char *path, bool movable, xmlDoc **doc);

int arne__xml_line(const xmlNode *node);
/* the file a node stands in: that of its document, or the one an include noted */
const char *arne__xml_file(const xml_reader *r, const xmlNode *node);

#define XML_FAIL(r, node, ...) arne_fail((r)->error, ARNE_BAD_VALUE, arne__xml_file(r, node), arne__xml_line(node), __VA_ARGS__)

/* A warning that begins with the file and line of a node. */
void arne__xml_warn(const xml_reader *r, const xmlNode *node, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same of what moves the robot and is not modelled: "WHERE: WHAT is not modelled", noted in the description. */
arne_status arne__xml_unmodelled(const xml_reader *r, const xmlNode *node, const char *what);

arne_status arne__xml_no_memory(const xml_reader *r);

bool arne__xml_is(const xmlNode *node, const char *name); /* an element of this name */

/* *child = the child element of this name, or NULL; two of them are an error. */
arne_status arne__xml_only_child(const xml_reader *r, const xmlNode *parent, const char *name, const xmlNode **child);

/* An attribute in buffer; absent when *found is false, which leaves buffer. */
arne_status arne__xml_attribute(const xml_reader *r, const xmlNode *node, const char *name, bool *found, char *buffer,
                                size_t size);

/* A name that must be there, without control characters. */
arne_status arne__xml_name(const xml_reader *r, const xmlNode *node, const char *name, char *buffer, size_t size);

/* Reads exactly `count` numbers; infinity is a number only where `unbounded`. */
arne_status arne__xml_numbers(const xml_reader *r, const xmlNode *node, const char *name, size_t count, bool unbounded,
                              bool *found, double *values);
/* `least` to `most` numbers; *count is 0 where there is none. */
arne_status arne__xml_list(const xml_reader *r, const xmlNode *node, const char *name, size_t least, size_t most, bool unbounded,
                           size_t *count, double *values);

/* What stands between the tags of an element: a text without the blanks around it; `least` to `most` numbers. */
arne_status arne__xml_content(const xml_reader *r, const xmlNode *node, char *buffer, size_t size);
arne_status arne__xml_content_numbers(const xml_reader *r, const xmlNode *node, size_t least, size_t most, bool unbounded,
                                      size_t *count, double *values);

#endif
