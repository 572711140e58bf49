/* SPDX-License-Identifier: MIT
 *
 * mesh.c - triangles from STL and OBJ files, and the solid they bound.
 *
 * Corners are single precision, and so are the sums over one triangle: this is how the files have them and how MuJoCo counts,
 * whose numbers these are to the last digits. A solid is the sum of pyramids from its centre to each face. */
#include "file/mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/expr.h"
#include "file/formats.h"

#define FAIL(...) arne_fail(error, ARNE_BAD_VALUE, path, 0, __VA_ARGS__)

void arne__mesh_free(mesh *m)
{
    free(m->corner);
    *m = (mesh){.count = 0};
}

/* Appends a triangle; false: out of memory. */
static bool add(mesh *m, const float *a, const float *b, const float *c)
{
    if ((m->count & (m->count - 1)) == 0) {
        void *more = realloc(m->corner, (m->count ? 2 * m->count : 1) * sizeof *m->corner);
        if (!more) return false;
        m->corner = more;
    }
    memcpy(m->corner[m->count][0], a, sizeof(float[3]));
    memcpy(m->corner[m->count][1], b, sizeof(float[3]));
    memcpy(m->corner[m->count][2], c, sizeof(float[3]));
    m->count++;
    return true;
}

/* Three numbers; false: there are none. */
static bool three(const char *text, float v[3])
{
    for (int i = 0; i < 3; i++) {
        text += strspn(text, " \t\r");
        const bool minus = *text == '-';
        text += minus || *text == '+';
        double value;
        const char *end = arne__expr_number(text, &value);
        if (end == text) return false;
        v[i] = (float)(minus ? -value : value);
        text = end;
    }
    return true;
}

/* ---- STL ---- */

static bool read_binary(const char *text, size_t count, mesh *m)
{
    for (size_t i = 0; i < count; i++) {
        float v[12]; /* the normal, then the corners */
        memcpy(v, text + 84 + 50 * i, sizeof v);
        if (!add(m, v + 3, v + 6, v + 9)) return false;
    }
    return true;
}

static bool read_words(const char *text, mesh *m)
{
    float v[3][3];
    int corner = 0;
    for (const char *at = strstr(text, "vertex"); at; at = strstr(at + 6, "vertex")) {
        if (!three(at + 6, v[corner])) continue;
        if (++corner < 3) continue;
        corner = 0;
        if (!add(m, v[0], v[1], v[2])) return false;
    }
    return true;
}

static bool read_stl(const char *text, size_t size, mesh *m)
{
    uint32_t count = 0;
    if (size >= 84) memcpy(&count, text + 80, sizeof count);
    return size >= 84 && size == 84 + 50 * (size_t)count ? read_binary(text, count, m) : read_words(text, m);
}

/* ---- OBJ ---- */

typedef struct {
    float (*at)[3];
    size_t count;
} points;

static bool add_point(points *p, const float v[3])
{
    if ((p->count & (p->count - 1)) == 0) {
        void *more = realloc(p->at, (p->count ? 2 * p->count : 1) * sizeof *p->at);
        if (!more) return false;
        p->at = more;
    }
    memcpy(p->at[p->count++], v, sizeof(float[3]));
    return true;
}

/* "f 1/2/3 4 -1 ...": a fan of triangles. */
static arne_status read_face(const char *line, const points *p, mesh *m, const char *path, arne_error *error)
{
    size_t first = 0, before = 0;
    int corners = 0;
    for (const char *at = line; *at && *at != '\n';) {
        char *end;
        const long given = strtol(at, &end, 10);
        if (end == at) break;
        const size_t i = given > 0 ? (size_t)given - 1 : p->count - (size_t)-given;
        if (given == 0 || i >= p->count) return FAIL("a face has vertex %ld of %zu", given, p->count);
        at = end + strcspn(end, " \t\r\n"); /* without texture and normal */
        at += strspn(at, " \t\r");
        if (corners >= 2 && !add(m, p->at[first], p->at[before], p->at[i]))
            return arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
        if (corners++ == 0) first = i;
        before = i;
    }
    return corners >= 3 ? ARNE_OK : FAIL("a face has %d corners", corners);
}

/* The first object of the file alone, as MuJoCo has it. */
static arne_status read_obj(const char *text, mesh *m, const char *path, arne_error *error)
{
    points p = {.count = 0};
    arne_status status = ARNE_OK;
    for (const char *line = text; line && !status; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        float v[3];
        if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) {
            if (!three(line + 1, v))
                status = FAIL("a vertex needs three numbers");
            else if (!add_point(&p, v))
                status = arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
        } else if (line[0] == 'f' && (line[1] == ' ' || line[1] == '\t'))
            status = read_face(line + 1, &p, m, path, error);
        else if ((line[0] == 'o' || line[0] == 'g') && (line[1] == ' ' || line[1] == '\t') && m->count)
            break;
    }
    free(p.at);
    return status;
}

arne_status arne__mesh_read(const char *path, mesh *out, arne_error *error)
{
    const char *dot = strrchr(path, '.');
    const bool stl = dot && !strcasecmp(dot, ".stl"), obj = dot && !strcasecmp(dot, ".obj");
    char *text;
    size_t size;
    *out = (mesh){.count = 0};
    arne_status status = arne__file_text(path, &text, &size, error);
    if (status) return status;
    if (stl && !read_stl(text, size, out))
        status = arne_fail(error, ARNE_NO_MEMORY, path, 0, "out of memory");
    else if (obj)
        status = read_obj(text, out, path, error);
    else if (!stl)
        status = arne_fail(error, ARNE_UNSUPPORTED, path, 0, "meshes are read from .stl and .obj files");
    free(text);
    if (!status && !out->count) status = FAIL("there is no triangle in it");
    for (size_t i = 0; i < out->count && !status; i++)
        for (int k = 0; k < 9; k++)
            if (!(fabsf(out->corner[i][k / 3][k % 3]) < 1e9f)) status = FAIL("a corner is not finite or beyond 1e9");
    if (status) arne__mesh_free(out);
    return status;
}

/* ---- solids ---- */

/* Area of a triangle, its unit normal, its centre. */
static double face(const float v[3][3], double normal[3], double centre[3])
{
    double b[3], c[3];
    for (int i = 0; i < 3; i++) {
        centre[i] = (v[0][i] + v[1][i] + v[2][i]) / 3;
        b[i] = v[1][i] - v[0][i];
        c[i] = v[2][i] - v[0][i];
    }
    for (int i = 0; i < 3; i++) normal[i] = b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3];
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (length < 1e-15) return 0;
    for (int i = 0; i < 3; i++) normal[i] /= length;
    return length / 2;
}

/* Volume of the pyramid from `top` to a face; of a shell the area. */
static double part(const float v[3][3], const double top[3], mesh_kind kind, double centre[3])
{
    double normal[3];
    const double area = face(v, normal, centre);
    if (kind == MESH_SHELL || area == 0) return area;
    double height = 0;
    for (int i = 0; i < 3; i++) height += (centre[i] - top[i]) * normal[i];
    const double volume = height * area / 3;
    return kind == MESH_LEGACY ? fabs(volume) : volume;
}

/* The centre of all faces, each by its area. */
static double surface(const mesh *m, double centre[3])
{
    double sum = 0;
    centre[0] = centre[1] = centre[2] = 0;
    for (size_t k = 0; k < m->count; k++) {
        double normal[3], at[3];
        const double area = face(m->corner[k], normal, at);
        for (int i = 0; i < 3; i++) centre[i] += area * at[i];
        sum += area;
    }
    for (int i = 0; i < 3 && sum > 0; i++) centre[i] /= sum;
    return sum;
}

static void recentre(mesh *m, const double centre[3])
{
    for (size_t k = 0; k < m->count; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) m->corner[k][j][i] = (float)(m->corner[k][j][i] - centre[i]);
}

/* Of the box with this inertia: half sides a with a^2 = 3/2 (I_j + I_k - I_i), so their product is a root of a determinant. */
static double box_volume(const double I[6])
{
    const double t = I[0] + I[3] + I[5], a = t - 2 * I[0], b = -2 * I[1], c = -2 * I[2], d = t - 2 * I[3], e = -2 * I[4],
                 f = t - 2 * I[5];
    const double det = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d);
    return 8 * sqrt(1.5 * 1.5 * 1.5 * fmax(0, det));
}

arne_status arne__mesh_solid(mesh *m, mesh_kind kind, mesh_solid *out)
{
    static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const double nothing = 1e-15, origin[3] = {0, 0, 0};
    double top[3], centre[3], sum = 0, P[6] = {0};
    *out = (mesh_solid){.volume = 0};
    if (surface(m, top) < nothing) return ARNE_BAD_VALUE;
    for (size_t k = 0; k < m->count; k++) {
        const double v = part(m->corner[k], top, kind, centre);
        sum += v; /* the centre of a pyramid is a quarter of the way up */
        for (int i = 0; i < 3; i++) out->centre[i] += v * (kind == MESH_SHELL ? centre[i] : centre[i] * 3 / 4 + top[i] / 4);
    }
    if (!(sum >= nothing)) return ARNE_BAD_VALUE;
    for (int i = 0; i < 3; i++) out->centre[i] /= sum;
    recentre(m, out->centre);
    for (size_t k = 0; k < m->count; k++) {
        const float *D = m->corner[k][0], *E = m->corner[k][1], *F = m->corner[k][2];
        const double v = part(m->corner[k], origin, kind, centre);
        out->volume += v;
        for (int j = 0; j < 6; j++) { /* integral of x y over a pyramid with its top in the origin, or over a triangle */
            const int x = at[j][0], y = at[j][1];
            const float s = 2 * (D[x] * D[y] + E[x] * E[y] + F[x] * F[y]) + D[x] * E[y] + D[y] * E[x] + D[x] * F[y] +
                            D[y] * F[x] + E[x] * F[y] + E[y] * F[x];
            P[j] += v / (kind == MESH_SHELL ? 12 : 20) * (double)s;
        }
    }
    if (!(out->volume >= nothing)) return ARNE_BAD_VALUE;
    for (int j = 0; j < 6; j++) P[j] /= out->volume;
    const double I[6] = {P[3] + P[5], -P[1], -P[2], P[0] + P[5], -P[4], P[0] + P[3]};
    memcpy(out->inertia, I, sizeof I);
    if (kind == MESH_LEGACY) out->volume = box_volume(I);
    return ARNE_OK;
}
