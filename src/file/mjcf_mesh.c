/* SPDX-License-Identifier: MIT
 *
 * mjcf_mesh.c - meshes of MJCF (<asset>): found by their names, moved, turned and scaled as MuJoCo does it. */
#include <stdlib.h>
#include <string.h>

#include "describe/pose.h"
#include "file/formats.h"
#include "file/mjcf.h"

/* The <mesh> of this name, or that of its file without one; NULL: none. */
static arne_status find_mesh(const mjcf *m, const char *name, const xmlNode **out)
{
    *out = NULL;
    for (const xmlNode *node = NULL; (node = arne__mjcf_in(m->root, "asset", node));) {
        char own[512], stem[512];
        bool found;
        if (!arne__xml_is(node, "mesh")) continue;
        TRY(arne__xml_attribute(m->r, node, "name", &found, own, sizeof own));
        if (!found) {
            TRY(arne__xml_attribute(m->r, node, "file", &found, own, sizeof own));
            if (!found) continue;
            arne__file_stem(own, stem, sizeof stem);
            memcpy(own, stem, sizeof own);
        }
        if (!strcmp(own, name)) *out = node;
    }
    return ARNE_OK;
}

/* Triangles of <mesh vertex face>. */
static arne_status inline_mesh(const mjcf *m, const xmlNode *node, const char *name, mesh *out)
{
    enum { MOST = 1 << 20 };
    size_t nvertex = 0, nface = 0;
    double *vertex = malloc(2 * MOST * sizeof *vertex), *corner = vertex ? vertex + MOST : NULL;
    if (!vertex) return arne__xml_no_memory(m->r);
    arne_status status = arne__mjcf_list(m, node, "vertex", 12, MOST, false, &nvertex, vertex);
    if (!status) status = arne__mjcf_list(m, node, "face", 3, MOST, false, &nface, corner);
    if (!status && nvertex && !nface)
        status = arne_fail(m->r->error, ARNE_UNSUPPORTED, arne__xml_file(m->r, node), arne__xml_line(node),
                           "%s: mesh '%s' has no faces: convex hulls are not computed; give the body its <inertial>", m->r->where,
                           name);
    if (!status && (nvertex % 3 || nface % 3)) status = XML_FAIL(m->r, node, "mesh '%s': vertex and face come in threes", name);
    *out = (mesh){.count = nface / 3};
    if (!status && nface && !(out->corner = malloc(out->count * sizeof *out->corner))) status = arne__xml_no_memory(m->r);
    for (size_t i = 0; i < nface && !status; i++) {
        if (!(corner[i] >= 0 && corner[i] < (double)(nvertex / 3)))
            status = XML_FAIL(m->r, node, "mesh '%s': face names vertex %g of %zu", name, corner[i], nvertex / 3);
        for (int k = 0; k < 3 && !status; k++) out->corner[i / 3][i % 3][k] = (float)vertex[3 * (size_t)corner[i] + (size_t)k];
    }
    free(vertex);
    if (status) arne__mesh_free(out);
    return status;
}

/* The folder of a file, then that of meshes, then the name; NULL: out of memory */
static char *mesh_path(const mjcf *m, const char *beside, const char *file)
{
    const char *slash = strrchr(beside, '/'), *folder = file[0] == '/' ? "" : m->mesh_folder;
    const bool absolute = file[0] == '/' || folder[0] == '/';
    const int base = slash && !absolute ? (int)(slash - beside) + 1 : 0;
    const size_t size = (size_t)base + strlen(folder) + strlen(file) + 2;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%.*s%s%s%s", base, beside, folder, *folder ? "/" : "", file);
    return path;
}

/* Looks from the folder of the model, and from that of the included file that names the mesh. */
static arne_status read_file(const mjcf *m, const xmlNode *geom, const xmlNode *node, const char *name, const char *file,
                             mesh *out)
{
    const char *slash = strrchr(file, '/'), *places[2] = {m->r->file, arne__xml_file(m->r, node)};
    if (m->strip_path == MJCF_YES && slash) file = slash + 1;
    arne_error error = {.status = ARNE_OK};
    arne_status status = ARNE_NO_FILE;
    for (int i = 0; i < 2 && status == ARNE_NO_FILE; i++) {
        char *path = mesh_path(m, places[i], file);
        status = path ? arne__mesh_read(path, out, &error) : ARNE_NO_MEMORY;
        free(path);
    }
    if (!status) return ARNE_OK;
    if (status == ARNE_NO_MEMORY) return arne__xml_no_memory(m->r);
    return arne_fail(m->r->error, status, arne__xml_file(m->r, geom), arne__xml_line(geom),
                     "%s: its inertia comes from mesh '%s', file '%.120s': %s; give the file, or the body its <inertial>",
                     m->r->where, name, file, error.message);
}

/* Moved, turned, scaled; single precision after each step, as MuJoCo. A mirror turns the faces round. */
static void arrange(mesh *t, const double place[3], const double R[9], const double scale[3])
{
    const bool mirror = scale[0] * scale[1] * scale[2] < 0;
    for (size_t i = 0; i < t->count; i++) {
        for (int k = 0; k < 3; k++) {
            float *v = t->corner[i][k], w[3];
            for (int j = 0; j < 3; j++) v[j] -= (float)place[j];
            for (int j = 0; j < 3; j++) w[j] = (float)(R[j] * v[0] + R[3 + j] * v[1] + R[6 + j] * v[2]);
            for (int j = 0; j < 3; j++) v[j] = (float)(w[j] * scale[j]);
        }
        if (!mirror) continue;
        float swap[3];
        memcpy(swap, t->corner[i][1], sizeof swap);
        memcpy(t->corner[i][1], t->corner[i][2], sizeof swap);
        memcpy(t->corner[i][2], swap, sizeof swap);
    }
}

static arne_status kind_of(const mjcf *m, const xmlNode *geom, const xmlNode *node, const char *name, mesh_kind *kind)
{
    static const char *const words[] = {"legacy", "exact", "shell", "convex", NULL};
    int word = m->exact_mesh == MJCF_YES, shell = MJCF_NO;
    TRY(arne__mjcf_word(m, node, "inertia", words, &word));
    TRY(arne__mjcf_switch(m, geom, "shellinertia", &shell));
    if (word > MESH_SHELL)
        return arne_fail(m->r->error, ARNE_UNSUPPORTED, arne__xml_file(m->r, node), arne__xml_line(node),
                         "%s: mesh '%s' has the inertia of its convex hull, which is not computed; give the body its <inertial>",
                         m->r->where, name);
    *kind = shell == MJCF_YES ? MESH_SHELL : (mesh_kind)word;
    return ARNE_OK;
}

/* The solid of a <mesh>, moved and scaled. */
static arne_status make_solid(const mjcf *m, const xmlNode *geom, const xmlNode *node, const char *name, mesh_kind kind,
                              mesh_solid *out)
{
    double scale[3] = {1, 1, 1}, place[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0}, R[9];
    char file[512];
    bool found;
    mesh triangles = {.count = 0};
    TRY(arne__mjcf_numbers(m, node, "scale", 3, &found, scale));
    TRY(arne__mjcf_numbers(m, node, "refpos", 3, &found, place));
    TRY(arne__mjcf_numbers(m, node, "refquat", 4, &found, q));
    if (arne__mjcf_normalize(q, 4) < 1e-12) return XML_FAIL(m->r, node, "mesh '%s': its refquat is zero", name);
    arne__mjcf_from_quaternion(q, R);
    TRY(arne__xml_attribute(m->r, node, "file", &found, file, sizeof file));
    TRY(found ? read_file(m, geom, node, name, file, &triangles) : inline_mesh(m, node, name, &triangles));
    arrange(&triangles, place, R, scale);
    const arne_status status = arne__mesh_solid(&triangles, kind, out);
    arne__mesh_free(&triangles);
    if (status) return XML_FAIL(m->r, geom, "%s: mesh '%s' encloses no volume", m->r->where, name);
    return ARNE_OK;
}

arne_status arne__mjcf_mesh(mjcf *m, const xmlNode *geom, const char *name, mesh_solid *out)
{
    const xmlNode *node;
    mesh_kind kind = MESH_LEGACY;
    TRY(find_mesh(m, name, &node));
    if (!node) return XML_FAIL(m->r, geom, "%s: there is no mesh '%s' in <asset>", m->r->where, name);
    TRY(kind_of(m, geom, node, name, &kind));
    for (size_t i = 0; i < m->nsolid; i++)
        if (m->solids[i].node == node && m->solids[i].kind == kind) {
            *out = m->solids[i].solid;
            return ARNE_OK;
        }
    TRY(make_solid(m, geom, node, name, kind, out));
    void *more = realloc(m->solids, (m->nsolid + 1) * sizeof *m->solids);
    if (!more) return arne__xml_no_memory(m->r);
    m->solids = more;
    m->solids[m->nsolid].node = node;
    m->solids[m->nsolid].kind = kind;
    m->solids[m->nsolid++].solid = *out;
    return ARNE_OK;
}
