/* SPDX-License-Identifier: MIT
 *
 * file.h - robot files: URDF, arne YAML, SYMORO .par, both ways; SDF is read. Library arne_file (needs libxml2 and libyaml). */
#ifndef ARNE_FILE_H
#define ARNE_FILE_H

#include "arne/description.h"
#include "arne/model.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* A symbol of a .par or YAML file given a number, e.g. {"D3", 0.45}. */
typedef struct {
    const char *name;
    double value;
} arne_symbol;

typedef struct {
    size_t size;                /* sizeof of this struct */
    const arne_symbol *symbols; /* values for names in expressions, may be NULL */
    size_t nsymbol;
    /* .par: a symbol without a value is an error where this is 0; else it gets a number that nobody chose, another one for each
     * number given here, and stands in `open` of the description: enough for closed forms and counts. */
    int arbitrary;
    arne_base_choice base;
    arne_mimic_choice mimic;
} arne_read_options;

/* Reads a robot file by its ending: .yaml or .yml, .par, else XML: URDF, SDF or MJCF. options may be NULL. */
arne_status arne_read(const char *path, const arne_read_options *options, arne_description **out, arne_error *error);

typedef enum { ARNE_URDF, ARNE_YAML, ARNE_PAR } arne_format;

/* Writes a description to a file (path "-": standard output). Nothing is left behind when it fails. .par needs modified-DH
 * frames: they are computed. What a format cannot say (friction points in URDF, ...) is left out with a warning in d. */
arne_status arne_write(arne_description *d, arne_format format, const char *path, arne_error *error);

/* Reads a file and builds its model: the one call most programs need. */
arne_status arne_load(const char *path, arne_model **out, arne_error *error);

/* A robot or a scenario that is called by a name. */
typedef struct {
    char *name, *path;
} arne_robot_place;

/* The shipped robots: files in the folders $ARNE_ROBOTS, ../robots and ../share/arne/robots beside the program, and where arne
 * was installed. Sorted by name; the first folder that has a name wins. */
arne_status arne_robots(arne_robot_place **list, size_t *count, arne_error *error);
void arne_robots_free(arne_robot_place *list, size_t count);

/* The file of a robot that is called by its path or by such a name; *path is from malloc. */
arne_status arne_robot_find(const char *name, char **path, arne_error *error);

/* The same for scenarios: files in $ARNE_SCENARIOS, ../examples/scenarios and ../share/arne/scenarios beside the program, and
 * where arne was installed. Freed by arne_robots_free. */
arne_status arne_scenarios(arne_robot_place **list, size_t *count, arne_error *error);
arne_status arne_scenario_find(const char *name, char **path, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
