/* SPDX-License-Identifier: MIT
 *
 * oracle.h - stored answers (tests/data, see its README.md): reading them, putting them in the joint order of a model, comparing.
 */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "arne/dynamics.h"

enum { ORACLE_JOINTS = 40 }; /* no stored robot has more */

/* The whole of a JSON file, to be freed with cJSON_Delete; the test fails where it cannot be read. */
cJSON *oracle_load(const char *path);

/* The names of the files in a folder that end so, without the ending, sorted; none where there is no such folder. */
typedef struct {
    int count;
    char name[64][64];
} oracle_names;
oracle_names oracle_list(const char *folder, const char *ending);

/* Field of an object; the test fails where it is missing or of another size. Nested lists are read one after the other,
 * a number is a list of one. */
const cJSON *oracle_field(const cJSON *object, const char *field);
double oracle_number(const cJSON *object, const char *field);
void oracle_numbers(const cJSON *object, const char *field, int count, double *out);

/* order[k]: the joint of the model that the k-th stored entry belongs to */
void oracle_order(const arne_model *m, const cJSON *joint_names, int *order);
void oracle_vector(const cJSON *object, const char *field, int n, const int *order, double *out);
void oracle_matrix(const cJSON *object, const char *field, int n, const int *order, double *out);

/* The serial robot of tests/data/seeds012 in standard DH parameters; rotor inertia at the joints, no friction. */
arne_description *oracle_dh_description(const cJSON *robot);
arne_model *oracle_dh_robot(const cJSON *robot);

/* Every case of the files there that end so; the test fails unless there are as many files. Returns how many cases had what the
 * check looks for. */
typedef bool oracle_check(const cJSON *robot, arne_data *d, const cJSON *at);
int oracle_all(const char *ending, int files, oracle_check *check);

/* Fails unless |got - want| <= tolerance * max(1, largest |want|) for all entries. */
void oracle_close(const char *what, const double *got, const double *want, int count, double tolerance);

#endif
