/* SPDX-License-Identifier: MIT
 *
 * mjcf_include.c - <include file="..."/> of MJCF: the elements of another file in its place.
 *
 * A file is included once, as MuJoCo has it, so nothing recurs; and it lies in the folder of the model or below. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/mjcf.h"

void arne__mjcf_free_files(mjcf_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        xmlFreeDoc(files->doc[i]);
        free(files->name[i]);
    }
}

/* Does the path stay in its folder, links of the file system followed? errno says why there is no such file. */
static bool is_inside(const char *folder, const char *path)
{
    char *outer = realpath(folder, NULL), *inner = outer ? realpath(path, NULL) : NULL;
    const size_t n = outer ? strlen(outer) : 0;
    const bool inside = inner && !strncmp(inner, outer, n) && (inner[n] == '/' || n == 1);
    if (inner) errno = 0;
    free(outer);
    free(inner);
    return inside;
}

/* folder of `beside` with its slash, then name; NULL: out of memory */
static char *path_beside(const char *beside, const char *name)
{
    const char *slash = strrchr(beside, '/');
    const size_t folder = slash ? (size_t)(slash - beside) + 1 : 0, size = folder + strlen(name) + 1;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%.*s%s", (int)folder, beside, name);
    return path;
}

/* The path of an included file: in the folder of the model, or of the file that includes it. */
static arne_status find_file(const xml_reader *r, const xmlNode *node, const char *name, char **out)
{
    char *folder = path_beside(r->file, "."), *path = path_beside(r->file, name),
         *other = path_beside(arne__xml_file(r, node), name);
    arne_status status = folder && path && other ? ARNE_OK : arne__xml_no_memory(r);
    const bool first = !status && access(path, F_OK) == 0;
    char *found = first ? path : other;
    errno = 0;
    if (!status && (name[0] == '/' || !is_inside(folder, found)))
        status = errno ? XML_FAIL(r, node, "cannot include '%.200s': %s", name, strerror(errno))
                       : XML_FAIL(r, node, "'%.200s' leaves the folder of the model; copy the file there", name);
    *out = status ? NULL : found;
    free(folder);
    if (status || found != path) free(path);
    if (status || found != other) free(other);
    return status;
}

/* Appends the file of an <include> to the list. */
static arne_status add_file(const xml_reader *r, const xmlNode *node, mjcf_files *files)
{
    char name[512], *path;
    TRY(arne__xml_name(r, node, "file", name, sizeof name));
    TRY(find_file(r, node, name, &path));
    bool again = !strcmp(r->file, path);
    for (size_t i = 0; i < files->count; i++) again |= !strcmp(files->name[i], path);
    if (!again && files->count < sizeof files->name / sizeof *files->name) {
        files->name[files->count++] = path;
        return ARNE_OK;
    }
    free(path);
    return again ? XML_FAIL(r, node, "'%.200s' is included a second time", name)
                 : XML_FAIL(r, node, "more than %zu files are included", files->count);
}

static void mark(xmlNode *node, void *file)
{
    for (; node; node = node->next) {
        if (node->type != XML_ELEMENT_NODE) continue;
        node->_private = file;
        mark(node->children, file);
    }
}

/* Moves the elements of the last file to the place before `node`. */
static arne_status move_elements(const xml_reader *r, xmlNode *node, mjcf_files *files)
{
    char *file = files->name[files->count - 1];
    xmlDoc **doc = &files->doc[files->count - 1];
    TRY(arne__xml_parse(r, file, true, doc));
    xmlNode *root = xmlDocGetRootElement(*doc);
    mark(root, file);
    for (xmlNode *child = root ? root->children : NULL, *next; child; child = next) {
        next = child->next;
        if (child->type != XML_ELEMENT_NODE) continue;
        xmlUnlinkNode(child);
        xmlAddPrevSibling(node, child);
    }
    return ARNE_OK;
}

arne_status arne__mjcf_include(const xml_reader *r, xmlNode *parent, mjcf_files *files)
{
    enum { DEEPEST = 1000 }; /* one file alone is bounded by libxml2 */
    arne_status status = ARNE_OK;
    if (files->depth == DEEPEST) return XML_FAIL(r, parent, "elements are nested deeper than %d", DEEPEST);
    files->depth++;
    for (xmlNode *node = parent->children, *next; node && !status; node = next) {
        next = node->next;
        if (node->type != XML_ELEMENT_NODE) continue;
        if (!arne__xml_is(node, "include")) {
            status = arne__mjcf_include(r, node, files);
            continue;
        }
        xmlNode *before = node->prev;
        status = add_file(r, node, files);
        if (!status) status = move_elements(r, node, files);
        next = before ? before->next : parent->children; /* what was moved may include others */
        if (next == node) next = node->next;
        xmlUnlinkNode(node);
        xmlFreeNode(node);
    }
    files->depth--;
    return status;
}
