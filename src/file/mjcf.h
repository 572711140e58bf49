/* SPDX-License-Identifier: MIT
 *
 * mjcf.h - parts of the MJCF reader: elements with their defaults, inertia of bodies, what stands beside the tree. doc/mjcf.md */
#ifndef FILE_MJCF_H
#define FILE_MJCF_H

#include <libxml/hash.h>

#include "file/mesh.h"
#include "file/xml.h"

#define TRY(call)                                                                                                                \
    do {                                                                                                                         \
        const arne_status status_ = (call);                                                                                      \
        if (status_) return status_;                                                                                             \
    } while (0)

enum { MJCF_NO, MJCF_YES, MJCF_AUTO }; /* the words false, true, auto */

typedef struct {
    char name[128];
    const xmlNode *node; /* its <default> */
    int id, parent;      /* class it belongs to: several sections at the top are one; -1: none */
} mjcf_class;

typedef struct {
    xml_reader *r;
    const xmlNode *root;
    mjcf_class *classes; /* in the order of the file */
    size_t nclass;
    /* <compiler> */
    int degree, autolimits, balance, exact_mesh, discard_visual, fit_aabb, strip_path, from_geoms;
    char euler[4], mesh_folder[512];
    double bound_mass, bound_inertia, total_mass, groups[2];
    size_t nbody;
    xmlHashTable *joints, *links; /* names that are taken; those of joints that are there with their place, from 1 */
    struct {
        const xmlNode *node;
        mesh_kind kind;
        mesh_solid solid;
    } * solids; /* of the meshes that were read */
    size_t nsolid;
    double *ref;    /* of every joint of the description */
    unsigned named; /* bits of what was named once */
} mjcf;

/* Replaces every <include> below root by what its file holds. The files are freed by the caller. */
typedef struct {
    char *name[256];
    xmlDoc *doc[256]; /* what is left of them: namespaces, comments */
    size_t count, depth;
} mjcf_files;
arne_status arne__mjcf_include(const xml_reader *r, xmlNode *root, mjcf_files *files);
void arne__mjcf_free_files(mjcf_files *files);

/* ---- elements with their defaults (mjcf_default.c) ---- */

arne_status arne__mjcf_classes(mjcf *m);

/* The element that gives this attribute: `node`, or one of the defaults of its class; NULL: none. */
const xmlNode *arne__mjcf_holder(const mjcf *m, const xmlNode *node, const char *name);

arne_status arne__mjcf_numbers(const mjcf *m, const xmlNode *node, const char *name, size_t count, bool *found, double *values);
arne_status arne__mjcf_list(const mjcf *m, const xmlNode *node, const char *name, size_t least, size_t most, bool unbounded,
                            size_t *count, double *values);
arne_status arne__mjcf_text(const mjcf *m, const xmlNode *node, const char *name, bool *found, char *text, size_t size);
/* *value = place in `words`, which ends with NULL; another word is an error. *value stays where there is none. */
arne_status arne__mjcf_word(const mjcf *m, const xmlNode *node, const char *name, const char *const words[], int *value);
/* false, true, auto */
arne_status arne__mjcf_switch(const mjcf *m, const xmlNode *node, const char *name, int *value);

/* Two numbers of a range, infinite where it says nothing: LIMITED and RANGE are the attributes, `limited` by itself. */
arne_status arne__mjcf_range(const mjcf *m, const xmlNode *node, const char *limited, const char *range, bool *found,
                             double *values);

/* pos and orientation, with the <frame>s around it: in the axes of the body that has the element. */
arne_status arne__mjcf_pose(const mjcf *m, const xmlNode *node, arne_pose *pose);
/* of these <frame>s alone */
arne_status arne__mjcf_frames(const mjcf *m, const xmlNode *node, arne_pose *pose);

/* The turn by an angle about an axis of length one; the shortest one that brings z there. */
void arne__mjcf_turn(const double axis[3], double angle, double R[9]);
void arne__mjcf_turn_z(const double to[3], double R[9]);
void arne__mjcf_from_quaternion(const double q[4], double R[9]); /* w x y z, of length one */
/* To length one; returns the length it had. */
double arne__mjcf_normalize(double *v, int n);

/* The next element of a body (NULL: the first), those in its <frame>s in their place. */
const xmlNode *arne__mjcf_next(const xmlNode *body, const xmlNode *element);
/* The next element of a section, all sections of this name together. */
const xmlNode *arne__mjcf_in(const xmlNode *root, const char *section, const xmlNode *element);

/* ---- inertia (mjcf_geom.c) ---- */

/* The solid of a mesh for a geom. */
arne_status arne__mjcf_mesh(mjcf *m, const xmlNode *geom, const char *name, mesh_solid *out);

arne_status arne__mjcf_inertia(mjcf *m, const xmlNode *body, arne_body *out);

/* ---- beside the tree (mjcf_more.c) ---- */

/* What acts on the motion and is not modelled. */
enum { MJCF_GRAVCOMP = 1, MJCF_FLUID = 2, MJCF_SPRING = 4, MJCF_LOOP = 8, MJCF_TENDON = 16, MJCF_EQUALITY = 32, MJCF_WIDE = 64 };
/* Names the first of its kind, with its line. */
arne_status arne__mjcf_acts(mjcf *m, const xmlNode *node, unsigned kind, const char *what);

arne_status arne__mjcf_actuators(mjcf *m);
arne_status arne__mjcf_equalities(mjcf *m);
arne_status arne__mjcf_keyframes(mjcf *m);
arne_status arne__mjcf_tendons(mjcf *m);
void arne__mjcf_total_mass(const mjcf *m);

#endif
