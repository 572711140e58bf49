/* SPDX-License-Identifier: MIT
 *
 * xml.c - what the readers of XML files share. A file is told by its root element, not by its name. */
#include "file/xml.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include "base/expr.h"
#include "file/formats.h"

/* Beyond this no length, mass or inertia is meant, and their products could overflow. */
static const double LARGEST = 1e30;

/* ---- messages ---- */

int arne__xml_line(const xmlNode *node)
{
    long line = node ? xmlGetLineNo((xmlNode *)node) : 0;
    return line > 0 && line < INT_MAX ? (int)line : 0;
}

const char *arne__xml_file(const xml_reader *r, const xmlNode *node) { return node && node->_private ? node->_private : r->file; }

arne_status arne__xml_no_memory(const xml_reader *r) { return arne_fail(r->error, ARNE_NO_MEMORY, r->file, 0, "out of memory"); }

void arne__xml_warn(const xml_reader *r, const xmlNode *node, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char *own = r->d->file; /* a warning begins with the file it is about */
    r->d->file = (char *)arne__xml_file(r, node);
    arne_description_warn(r->d, arne__xml_line(node), "%s", text);
    r->d->file = own;
}

arne_status arne__xml_unmodelled(const xml_reader *r, const xmlNode *node, const char *what)
{
    arne_description *d = r->d;
    const size_t before = d->nwarning;
    arne__xml_warn(r, node, "%s: %s is not modelled", r->where, what);
    if (!d->unmodelled && d->nwarning > before) d->unmodelled = strdup(d->warnings[before]);
    return d->unmodelled ? ARNE_OK : arne__xml_no_memory(r);
}

/* ---- elements and attributes ---- */

bool arne__xml_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

arne_status arne__xml_only_child(const xml_reader *r, const xmlNode *parent, const char *name, const xmlNode **child)
{
    *child = NULL;
    for (const xmlNode *node = parent->children; node; node = node->next) {
        if (!arne__xml_is(node, name)) continue;
        if (*child) return XML_FAIL(r, node, "%s: a second <%s>; keep one", r->where, name);
        *child = node;
    }
    return ARNE_OK;
}

/* The text of an attribute, to be freed by xmlFree; NULL: there is none. */
static arne_status text_of(const xml_reader *r, const xmlNode *node, const char *name, char **text)
{
    *text = (char *)xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)name);
    return !*text && xmlHasProp((xmlNode *)node, (const xmlChar *)name) ? arne__xml_no_memory(r) : ARNE_OK;
}

arne_status arne__xml_attribute(const xml_reader *r, const xmlNode *node, const char *name, bool *found, char *buffer,
                                size_t size)
{
    char *text;
    arne_status status = text_of(r, node, name, &text);
    *found = text != NULL;
    if (!text) return status;
    size_t length = strlen(text);
    if (length < size) memcpy(buffer, text, length + 1);
    xmlFree(text);
    if (length >= size) return XML_FAIL(r, node, "%s: %s of <%s> is too long", r->where, name, (const char *)node->name);
    return ARNE_OK;
}

arne_status arne__xml_name(const xml_reader *r, const xmlNode *node, const char *name, char *buffer, size_t size)
{
    bool found;
    arne_status status = arne__xml_attribute(r, node, name, &found, buffer, size);
    if (status) return status;
    if (!found || !*buffer) return XML_FAIL(r, node, "%s: <%s> has no %s", r->where, (const char *)node->name, name);
    for (const char *c = buffer; *c; c++)
        if ((unsigned char)*c < ' ') return XML_FAIL(r, node, "%s: %s has a control character", r->where, name);
    return ARNE_OK;
}

/* ---- numbers ---- */

/* A text that is wrong, as the file has it: an attribute, or (name NULL) what stands between the tags. */
static arne_status wrong(const xml_reader *r, const xmlNode *node, const char *name, const char *text, const char *why)
{
    const char *element = (const char *)node->name;
    return name ? XML_FAIL(r, node, "%s: %s=\"%.80s\" of <%s> %s", r->where, name, text, element, why)
                : XML_FAIL(r, node, "%s: <%s>%.80s</%s> %s", r->where, element, text, element, why);
}

static arne_status numbers_in(const xml_reader *r, const xmlNode *node, const char *name, const char *text, size_t least,
                              size_t most, bool unbounded, size_t *count, double *values)
{
    const char *at = text;
    for (*count = 0;; ++*count) {
        at += strspn(at, " \t\r\n");
        if (!*at && *count >= least) return ARNE_OK;
        if (!*at || *count == most) {
            char why[96], range[32] = "";
            if (least < most) snprintf(range, sizeof range, "%zu to ", least);
            snprintf(why, sizeof why, "needs %s%zu number%s", range, most, most > 1 ? "s" : "");
            return wrong(r, node, name, text, why);
        }
        double sign = *at == '-' ? -1 : 1, value = 0;
        const char *digits = at + (*at == '-' || *at == '+');
        const char *end = arne__expr_number(digits, &value);
        if (unbounded && strncmp(digits, "inf", 3) == 0) {
            value = INFINITY;
            end = digits + 3;
        }
        if (end == digits || (*end && !strchr(" \t\r\n", *end))) return wrong(r, node, name, text, "is not a number");
        if (!unbounded && !(value <= LARGEST)) return wrong(r, node, name, text, "is too large");
        values[*count] = sign * value;
        at = end;
    }
}

arne_status arne__xml_content(const xml_reader *r, const xmlNode *node, char *buffer, size_t size)
{
    char *text = (char *)xmlNodeGetContent(node);
    if (!text) return arne__xml_no_memory(r);
    const char *begin = text + strspn(text, " \t\r\n");
    size_t length = strlen(begin);
    while (length && strchr(" \t\r\n", begin[length - 1])) length--;
    if (length < size) snprintf(buffer, size, "%.*s", (int)length, begin);
    xmlFree(text);
    if (length >= size) return XML_FAIL(r, node, "%s: the text of <%s> is too long", r->where, (const char *)node->name);
    for (const char *c = buffer; *c; c++)
        if ((unsigned char)*c < ' ')
            return XML_FAIL(r, node, "%s: <%s> has a control character", r->where, (const char *)node->name);
    return ARNE_OK;
}

arne_status arne__xml_content_numbers(const xml_reader *r, const xmlNode *node, size_t least, size_t most, bool unbounded,
                                      size_t *count, double *values)
{
    char *text = (char *)xmlNodeGetContent(node);
    if (!text) return arne__xml_no_memory(r);
    arne_status status = numbers_in(r, node, NULL, text, least, most, unbounded, count, values);
    xmlFree(text);
    return status;
}

arne_status arne__xml_list(const xml_reader *r, const xmlNode *node, const char *name, size_t least, size_t most, bool unbounded,
                           size_t *count, double *values)
{
    char *text;
    *count = 0;
    arne_status status = text_of(r, node, name, &text);
    if (!text) return status;
    status = numbers_in(r, node, name, text, least, most, unbounded, count, values);
    xmlFree(text);
    return status;
}

arne_status arne__xml_numbers(const xml_reader *r, const xmlNode *node, const char *name, size_t count, bool unbounded,
                              bool *found, double *values)
{
    size_t n;
    arne_status status = arne__xml_list(r, node, name, count, count, unbounded, &n, values);
    *found = n > 0;
    return status;
}

/* ---- files ---- */

/* The parser's first complaint. Memory that was short may have left out any part of the text: that counts more than all else. */
typedef struct {
    const char *file;
    arne_error *error;
    arne_status status;
} complaint;

#if LIBXML_VERSION >= 21200
static void on_xml_error(void *context, const xmlError *e)
#else
static void on_xml_error(void *context, xmlError *e)
#endif
{
    complaint *c = context;
    if (e->code == XML_ERR_NO_MEMORY) c->status = ARNE_NO_MEMORY;
    if (e->level != XML_ERR_FATAL || c->status) return;
    const char *words = e->message ? e->message : "not well-formed XML";
    c->status =
        arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, e->line, "not well-formed XML: %.*s", (int)strcspn(words, "\n"), words);
}

/* No robot needs entities; a few lines of them can describe more text than any memory holds. */
static void on_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content)
{
    xmlParserCtxt *parser = context;
    complaint *c = parser->_private;
    (void)type, (void)public_id, (void)system_id, (void)content;
    if (!c->status)
        c->status = arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, xmlSAX2GetLineNumber(context),
                              "entity '%.80s': entities are not accepted; write the text where it is used", (const char *)name);
    xmlStopParser(parser);
}

/* The parsed text, or NULL: then c->status says why. */
static xmlDoc *parse(const char *text, size_t size, bool movable, complaint *c)
{
    const int options =
        (movable ? XML_PARSE_NODICT : 0) | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser) c->status = ARNE_NO_MEMORY;
    if (!parser) return NULL;
    parser->_private = c;
    parser->sax->entityDecl = on_entity;
    xmlDoc *doc = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL, options);
    if (parser->errNo == XML_ERR_NO_MEMORY) c->status = ARNE_NO_MEMORY;
    if (!c->status && !doc) c->status = arne_fail(c->error, ARNE_BAD_SYNTAX, c->file, 0, "not well-formed XML");
    xmlFreeParserCtxt(parser);
    return doc;
}

arne_status arne__xml_parse(const xml_reader *r, const char *path, bool movable, xmlDoc **doc)
{
    char *text;
    size_t size;
    *doc = NULL;
    arne_status status = arne__file_text(path, &text, &size, r->error);
    if (status) return status;
    complaint c = {.file = path, .error = r->error};
    void *const context = xmlStructuredErrorContext;
    const xmlStructuredErrorFunc before = xmlStructuredError;
    xmlSetStructuredErrorFunc(&c, on_xml_error);
    *doc = parse(text, size, movable, &c);
    xmlSetStructuredErrorFunc(context, before);
    free(text);
    if (c.status == ARNE_NO_MEMORY) arne__xml_no_memory(r);
    if (c.status) xmlFreeDoc(*doc);
    if (c.status) *doc = NULL;
    return c.status;
}

/* ---- robots ---- */

static arne_status read_robot(xml_reader *r, xmlNode *root)
{
    static const struct {
        const char *root;
        arne_status (*read)(xml_reader *, xmlNode *);
    } kinds[] = {{"robot", arne__urdf_robot}, {"mujoco", arne__mjcf_robot}, {"sdf", arne__sdf_robot}};
    for (size_t i = 0; root && i < sizeof kinds / sizeof *kinds; i++)
        if (arne__xml_is(root, kinds[i].root)) return kinds[i].read(r, root);
    return arne_fail(r->error, ARNE_BAD_SYNTAX, r->file, arne__xml_line(root),
                     "not a robot file: it begins with <%s>, not with <robot> as URDF, <mujoco> as MJCF or <sdf> as SDF",
                     root ? (const char *)root->name : "");
}

arne_status arne__xml_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error)
{
    *out = NULL;
    xml_reader r = {.file = path, .error = error, .base_is_free = options && options->base == ARNE_BASE_FREE};
    complaint c = {.file = path, .error = error};
    /* of this thread, for what libxml2 complains about without a parser at hand; as it was, afterwards */
    const xmlStructuredErrorFunc before = xmlStructuredError;
    void *const context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&c, on_xml_error);
    xmlDoc *doc;
    arne_status status = arne__xml_parse(&r, path, false, &doc);
    if (!status) status = read_robot(&r, xmlDocGetRootElement(doc));
    if (c.status == ARNE_NO_MEMORY) status = arne__xml_no_memory(&r);
    xmlFreeDoc(doc);
    xmlSetStructuredErrorFunc(context, before);
    if (status)
        arne_description_free(r.d);
    else
        *out = r.d;
    return status;
}
