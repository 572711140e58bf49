/* SPDX-License-Identifier: MIT
 *
 * mesh.h - solids bounded by triangles: STL (binary and text) and OBJ files, their volume, centre and inertia. */
#ifndef FILE_MESH_H
#define FILE_MESH_H

#include "arne/status.h"

#include <stddef.h>

typedef struct {
    size_t count;
    float (*corner)[3][3]; /* of each triangle */
} mesh;

typedef struct {
    double volume;     /* or area, of a shell */
    double centre[3];  /* of mass */
    double inertia[6]; /* of one kilogramme about it: xx xy xz yy yz zz */
} mesh_solid;

/* MESH_LEGACY takes every pyramid between the centre and a face as positive: also for faces that look inwards, and then too
 * large for hollows. MESH_EXACT counts them with their signs. MESH_SHELL: all mass in the surface. */
typedef enum { MESH_LEGACY, MESH_EXACT, MESH_SHELL } mesh_kind;

/* By the ending of its name. ARNE_NO_FILE: it is not there. `error` may be NULL. */
arne_status arne__mesh_read(const char *path, mesh *out, arne_error *error);
void arne__mesh_free(mesh *m);

/* ARNE_BAD_VALUE: nothing is enclosed. Moves the triangles. */
arne_status arne__mesh_solid(mesh *m, mesh_kind kind, mesh_solid *out);

#endif
