/* SPDX-License-Identifier: MIT
 *
 * mjcf_geom.c - the inertia of MJCF bodies: as <inertial> says, or of the solids (geoms) a body is made of, as MuJoCo 2.2
 * computes it; then the bounds of <compiler>. */
#include <math.h>
#include <string.h>

#include "describe/body.h"
#include "describe/pose.h"
#include "file/mjcf.h"

static const double NOTHING = 1e-15; /* MuJoCo's smallest volume and mass */

/* ---- tensors ---- */

/* I = axes diag axes', largest first, by Jacobi's rotations; the axes are columns of a right-handed R. */
static void principal(const double I[6], double diag[3], double R[9])
{
    double a[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int round = 0; round < 60; round++) {
        int p = 0, q = 1;
        if (fabs(a[0][2]) > fabs(a[p][q])) q = 2;
        if (fabs(a[1][2]) > fabs(a[p][q])) p = 1, q = 2;
        if (fabs(a[p][q]) <= 1e-18 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]))) break;
        const double w = (a[q][q] - a[p][p]) / (2 * a[p][q]), t = (w < 0 ? -1 : 1) / (fabs(w) + hypot(w, 1));
        const double c = 1 / hypot(t, 1), s = t * c;
        for (int k = 0; k < 3; k++) { /* columns, then rows */
            const double x = a[k][p], y = a[k][q], vx = v[k][p], vy = v[k][q];
            a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
            v[k][p] = c * vx - s * vy, v[k][q] = s * vx + c * vy;
        }
        for (int k = 0; k < 3; k++) {
            const double x = a[p][k], y = a[q][k];
            a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
        a[p][q] = a[q][p] = 0;
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (a[order[j]][order[j]] > a[order[i]][order[i]]) {
                const int k = order[i];
                order[i] = order[j];
                order[j] = k;
            }
    const bool turned = (order[1] + 3 - order[0]) % 3 != 1; /* an odd order: the last axis the other way round */
    for (int i = 0; i < 3; i++) {
        diag[i] = a[order[i]][order[i]];
        for (int k = 0; k < 3; k++) R[3 * k + i] = i == 2 && turned ? -v[k][order[i]] : v[k][order[i]];
    }
}

/* A tensor given by its diagonal in the axes of R, about its centre. */
static void from_diagonal(const double diag[3], const double R[9], double I[6])
{
    arne_body b = {.mass = 0, .inertia = {diag[0], 0, 0, diag[1], 0, diag[2]}};
    arne_pose turned = arne__pose_identity();
    memcpy(turned.R, R, sizeof turned.R);
    arne__body_transform(&turned, &b, &b);
    memcpy(I, b.inertia, sizeof b.inertia);
}

/* ---- solids ---- */

enum { PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF };

static double volume_of(int type, const double s[3])
{
    const double pi = acos(-1);
    switch (type) {
    case SPHERE: return 4 * pi * s[0] * s[0] * s[0] / 3;
    case CAPSULE: return pi * (s[0] * s[0] * 2 * s[1] + 4 * s[0] * s[0] * s[0] / 3);
    case CYLINDER: return pi * s[0] * s[0] * 2 * s[1];
    case ELLIPSOID: return 4 * pi * s[0] * s[1] * s[2] / 3;
    case BOX: return s[0] * s[1] * s[2] * 8;
    default: return 0;
    }
}

/* About the centre of a solid of this mass, its axes along those of the frame. */
static void diagonal_of(int type, double mass, const double s[3], double I[3])
{
    const double r = s[0], h = 2 * s[1];
    I[0] = I[1] = I[2] = 0;
    if (type == SPHERE) I[0] = I[1] = I[2] = 2 * mass * r * r / 5;
    if (type == CYLINDER) {
        I[0] = I[1] = mass * (3 * r * r + h * h) / 12;
        I[2] = mass * r * r / 2;
    }
    if (type == CAPSULE) { /* a cylinder, and a ball cut in two */
        const double ball = mass * 4 * r / (4 * r + 3 * h), middle = mass - ball;
        I[0] = I[1] = middle * (3 * r * r + h * h) / 12 + 2 * ball * r * r / 5 + ball * h * (3 * r + 2 * h) / 8;
        I[2] = middle * r * r / 2 + 2 * ball * r * r / 5;
    }
    if (type == ELLIPSOID || type == BOX)
        for (int i = 0; i < 3; i++) {
            const double a = s[(i + 1) % 3], b = s[(i + 2) % 3];
            I[i] = mass * (a * a + b * b) / (type == BOX ? 3 : 5);
        }
}

/* Sizes of a geom that is fitted to a mesh: of the box with the same inertia. */
static void fit(int type, const mesh_solid *of, double scale, double s[3], double R[9])
{
    double I[3], box[3];
    principal(of->inertia, I, R);
    for (int i = 0; i < 3; i++) box[i] = sqrt(fmax(0, 1.5 * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i])));
    memcpy(s, box, sizeof box);
    if (type == SPHERE) s[0] = (box[0] + box[1] + box[2]) / 3;
    if (type == CAPSULE || type == CYLINDER) {
        s[0] = (box[0] + box[1]) / 2;
        s[1] = type == CAPSULE ? fmax(0, box[2] - s[0] / 2) : box[2];
    }
    for (int i = 0; i < 3; i++) s[i] *= scale;
}

typedef struct {
    const xmlNode *node;
    int type;
    bool has_mass, has_mesh;
    double mass, density, size[3];
    char mesh[128];
} geom;

static arne_status read_geom(const mjcf *m, const xmlNode *node, geom *g)
{
    static const char *const words[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh",   "sdf",     NULL};
    bool found;
    size_t n;
    *g = (geom){.node = node, .type = SPHERE, .density = 1000};
    TRY(arne__mjcf_word(m, node, "type", words, &g->type));
    TRY(arne__mjcf_numbers(m, node, "mass", 1, &g->has_mass, &g->mass));
    TRY(arne__mjcf_numbers(m, node, "density", 1, &found, &g->density));
    TRY(arne__mjcf_text(m, node, "mesh", &g->has_mesh, g->mesh, sizeof g->mesh));
    TRY(arne__mjcf_list(m, node, "size", 1, 3, false, &n, g->size));
    if (g->mass < 0 || g->density < 0) return XML_FAIL(m->r, node, "%s: mass or density of a geom is negative", m->r->where);
    return ARNE_OK;
}

/* Where the solid stands in the body; `fromto` also gives its length. */
static arne_status place(const mjcf *m, geom *g, arne_pose *pose)
{
    double ends[6], way[3];
    bool found;
    TRY(arne__mjcf_numbers(m, g->node, "fromto", 6, &found, ends));
    if (!found) return arne__mjcf_pose(m, g->node, pose);
    if (g->type < CAPSULE || g->type > BOX)
        return XML_FAIL(m->r, g->node, "%s: fromto is for capsules, cylinders, boxes and ellipsoids", m->r->where);
    arne_pose own = arne__pose_identity(), frames;
    for (int i = 0; i < 3; i++) way[i] = ends[i] - ends[3 + i];
    for (int i = 0; i < 3; i++) own.p[i] = (ends[i] + ends[3 + i]) / 2;
    g->size[1] = arne__mjcf_normalize(way, 3) / 2;
    if (g->size[1] < 1e-14) return XML_FAIL(m->r, g->node, "%s: the two points of fromto are one", m->r->where);
    if (g->type == ELLIPSOID || g->type == BOX) {
        g->size[2] = g->size[1];
        g->size[1] = g->size[0];
    }
    arne__mjcf_turn_z(way, own.R);
    TRY(arne__mjcf_frames(m, g->node, &frames));
    *pose = arne__pose_mul(&frames, &own);
    return ARNE_OK;
}

static arne_status check_sizes(const mjcf *m, const geom *g)
{
    static const int needed[] = {[SPHERE] = 1, [CAPSULE] = 2, [ELLIPSOID] = 3, [CYLINDER] = 2, [BOX] = 3};
    for (int i = 0; g->type <= BOX && i < needed[g->type]; i++)
        if (!(g->size[i] > 0))
            return XML_FAIL(m->r, g->node, "%s: a geom needs %d positive number%s in its size", m->r->where, needed[g->type],
                            needed[g->type] > 1 ? "s" : "");
    return ARNE_OK;
}

/* One geom in the axes of its body. */
static arne_status solid(mjcf *m, const xmlNode *node, arne_body *out)
{
    geom g;
    arne_pose pose;
    *out = (arne_body){.mass = 0};
    TRY(read_geom(m, node, &g));
    if (g.type == PLANE || g.type == HFIELD) return ARNE_OK;
    if ((g.has_mass && g.mass == 0) || (!g.has_mass && g.density == 0)) return ARNE_OK;
    TRY(place(m, &g, &pose));
    mesh_solid body = {.volume = 0};
    if (g.type >= MESH || g.has_mesh) {
        if (!g.has_mesh) return XML_FAIL(m->r, node, "%s: a geom of type mesh names no mesh", m->r->where);
        TRY(arne__mjcf_mesh(m, g.node, g.mesh, &body));
        arne_pose centre = arne__pose_identity();
        memcpy(centre.p, body.centre, sizeof centre.p);
        if (g.type < MESH) {
            double scale = 1;
            bool found;
            if (m->fit_aabb == MJCF_YES)
                return arne_fail(m->r->error, ARNE_UNSUPPORTED, arne__xml_file(m->r, node), arne__xml_line(node),
                                 "%s: a geom fitted to a mesh by fitaabb is not read; give the body its <inertial>", m->r->where);
            TRY(arne__mjcf_numbers(m, node, "fitscale", 1, &found, &scale));
            fit(g.type, &body, scale, g.size, centre.R);
        }
        pose = arne__pose_mul(&pose, &centre);
    }
    TRY(check_sizes(m, &g));
    const double volume = g.type < MESH ? volume_of(g.type, g.size) : body.volume;
    if (g.has_mass && volume <= NOTHING) return ARNE_OK;
    arne_body b = {.mass = g.has_mass ? g.mass : g.density * volume};
    if (g.type < MESH) {
        double diag[3];
        diagonal_of(g.type, b.mass, g.size, diag);
        b.inertia[0] = diag[0], b.inertia[3] = diag[1], b.inertia[5] = diag[2];
    } else
        for (int k = 0; k < 6; k++) b.inertia[k] = b.mass * body.inertia[k];
    arne__body_transform(&pose, &b, out);
    return ARNE_OK;
}

static arne_status counts(const mjcf *m, const xmlNode *geom_node, bool *does)
{
    double group = 0, type = 1, affinity = 1;
    bool found;
    TRY(arne__mjcf_numbers(m, geom_node, "group", 1, &found, &group));
    TRY(arne__mjcf_numbers(m, geom_node, "contype", 1, &found, &type));
    TRY(arne__mjcf_numbers(m, geom_node, "conaffinity", 1, &found, &affinity));
    *does = group >= m->groups[0] && group <= m->groups[1] && !(m->discard_visual == MJCF_YES && type == 0 && affinity == 0);
    return ARNE_OK;
}

/* Is it a part of the world: no joint in it nor above it? */
static bool stands_still(const xmlNode *body)
{
    for (; body && !arne__xml_is(body, "worldbody"); body = body->parent) {
        if (!arne__xml_is(body, "body")) continue;
        for (const xmlNode *node = arne__mjcf_next(body, NULL); node; node = arne__mjcf_next(body, node))
            if (arne__xml_is(node, "joint") || arne__xml_is(node, "freejoint")) return false;
    }
    return true;
}

/* A mesh that is not there matters only where it moves; else it is told, once a body. */
static arne_status without_mesh(const mjcf *m, const xmlNode *node, const xmlNode *body, bool *told)
{
    if (m->r->base_is_free || !stands_still(body)) return ARNE_NO_FILE;
    if (m->r->error) *m->r->error = (arne_error){.status = ARNE_OK};
    if (!*told)
        arne__xml_warn(m->r, node, "%s: a mesh of it is not there; it stands still, so it is taken without its weight",
                       m->r->where);
    *told = true;
    return ARNE_OK;
}

static arne_status from_geoms(mjcf *m, const xmlNode *body, arne_body *out)
{
    bool told = false;
    for (const xmlNode *node = arne__mjcf_next(body, NULL); node; node = arne__mjcf_next(body, node)) {
        arne_body one;
        bool does;
        if (!arne__xml_is(node, "geom")) continue;
        TRY(counts(m, node, &does));
        if (!does) continue;
        arne_status status = solid(m, node, &one);
        if (status == ARNE_NO_FILE) status = without_mesh(m, node, body, &told);
        if (status) return status;
        arne__body_add(out, &one);
    }
    return ARNE_OK;
}

/* ---- bodies ---- */

static arne_status from_inertial(const mjcf *m, const xmlNode *node, arne_body *out)
{
    double diag[3] = {0, 0, 0}, full[6];
    bool has_mass, has_pos, has_diag, has_full;
    arne_pose pose;
    TRY(arne__mjcf_numbers(m, node, "mass", 1, &has_mass, &out->mass));
    TRY(arne__mjcf_numbers(m, node, "pos", 3, &has_pos, diag));
    if (!has_mass || !has_pos) return XML_FAIL(m->r, node, "%s: <inertial> needs mass and pos", m->r->where);
    memset(diag, 0, sizeof diag);
    TRY(arne__mjcf_numbers(m, node, "diaginertia", 3, &has_diag, diag));
    TRY(arne__mjcf_numbers(m, node, "fullinertia", 6, &has_full, full));
    TRY(arne__mjcf_pose(m, node, &pose));
    const double I[6] = {diag[0], 0, 0, diag[1], 0, diag[2]}, all[6] = {full[0], full[3], full[4], full[1], full[5], full[2]};
    memcpy(out->inertia, has_full ? all : I, sizeof I);
    if (has_full) memcpy(pose.R, arne__pose_identity().R, sizeof pose.R); /* its axes are those of the body */
    arne__body_transform(&pose, out, out);
    return ARNE_OK;
}

/* Not less than the bounds; moments of no body all alike, where balanceinertia says so. */
static arne_status correct(const mjcf *m, const xmlNode *body, arne_body *b)
{
    double diag[3], R[9];
    principal(b->inertia, diag, R);
    if (b->mass < 0 || diag[2] < -1e-12 * diag[0])
        return XML_FAIL(m->r, body, "%s: its mass or a moment of inertia is negative", m->r->where);
    bool changed = false;
    b->mass = fmax(b->mass, m->bound_mass);
    for (int i = 0; i < 3; i++) {
        changed |= diag[i] < m->bound_inertia;
        diag[i] = fmax(diag[i], m->bound_inertia);
    }
    const double rounding = 1e-12 * diag[0]; /* of a thin plate, whose largest moment is the sum of the others */
    if (diag[1] + diag[2] < diag[0] - rounding && m->balance == MJCF_YES) {
        diag[0] = diag[1] = diag[2] = (diag[0] + diag[1] + diag[2]) / 3;
        changed = true;
    }
    if (changed) from_diagonal(diag, R, b->inertia);
    return ARNE_OK;
}

arne_status arne__mjcf_inertia(mjcf *m, const xmlNode *body, arne_body *out)
{
    const xmlNode *inertial;
    *out = (arne_body){.mass = 0};
    TRY(arne__xml_only_child(m->r, body, "inertial", &inertial));
    if (inertial && m->from_geoms != MJCF_YES)
        TRY(from_inertial(m, inertial, out));
    else if (m->from_geoms != MJCF_NO)
        TRY(from_geoms(m, body, out));
    return correct(m, body, out);
}
