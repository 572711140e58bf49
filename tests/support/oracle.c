/* SPDX-License-Identifier: MIT
 *
 * oracle.c - stored answers for the tests. */
#include "support/oracle.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/data.h"

cJSON *oracle_load(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot open %s", path);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const long size = ftell(f);
    assert_true(size > 0);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, f), (size_t)size);
    text[size] = '\0';
    fclose(f);
    cJSON *json = cJSON_Parse(text);
    free(text);
    if (!json) fail_msg("%s is not JSON", path);
    return json;
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

oracle_names oracle_list(const char *folder, const char *ending)
{
    oracle_names list = {0};
    DIR *d = opendir(folder);
    if (!d) return list;
    for (struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name), tail = strlen(ending);
        if (length <= tail || strcmp(e->d_name + length - tail, ending) != 0) continue;
        assert_true(list.count < 64 && length - tail < sizeof list.name[0]);
        memcpy(list.name[list.count++], e->d_name, length - tail);
    }
    closedir(d);
    qsort(list.name, (size_t)list.count, sizeof list.name[0], by_name);
    return list;
}

const cJSON *oracle_field(const cJSON *object, const char *field)
{
    const cJSON *f = cJSON_GetObjectItemCaseSensitive(object, field);
    if (!f) fail_msg("the stored answers have no field %s", field);
    return f;
}

double oracle_number(const cJSON *object, const char *field)
{
    const cJSON *f = oracle_field(object, field);
    assert_true(cJSON_IsNumber(f));
    return f->valuedouble;
}

/* numbers of a number or of a list, nested or not; their count */
static int flatten(const cJSON *item, int room, double *out)
{
    if (cJSON_IsNumber(item)) {
        assert_true(room > 0);
        *out = item->valuedouble;
        return 1;
    }
    assert_true(cJSON_IsArray(item));
    int count = 0;
    const cJSON *inner;
    cJSON_ArrayForEach(inner, item) count += flatten(inner, room - count, out + count);
    return count;
}

void oracle_numbers(const cJSON *object, const char *field, int count, double *out)
{
    if (flatten(oracle_field(object, field), count, out) != count) fail_msg("%s has not %d numbers", field, count);
}

void oracle_order(const arne_model *m, const cJSON *joint_names, int *order)
{
    const int n = arne_model_dof(m);
    assert_int_equal(cJSON_GetArraySize(joint_names), n);
    assert_true(n <= ORACLE_JOINTS);
    for (int k = 0; k < n; k++) {
        order[k] = arne_joint_find(m, cJSON_GetArrayItem(joint_names, k)->valuestring);
        assert_true(order[k] >= 0);
    }
}

void oracle_vector(const cJSON *object, const char *field, int n, const int *order, double *out)
{
    double stored[ORACLE_JOINTS];
    oracle_numbers(object, field, n, stored);
    for (int k = 0; k < n; k++) out[order[k]] = stored[k];
}

void oracle_matrix(const cJSON *object, const char *field, int n, const int *order, double *out)
{
    double stored[ORACLE_JOINTS * ORACLE_JOINTS];
    oracle_numbers(object, field, n * n, stored);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) out[order[r] * n + order[c]] = stored[r * n + c];
}

arne_description *oracle_dh_description(const cJSON *robot)
{
    const int n = (int)oracle_number(robot, "n");
    double a[ORACLE_JOINTS], alpha[ORACLE_JOINTS], d[ORACLE_JOINTS], theta[ORACLE_JOINTS];
    double mass[ORACLE_JOINTS], com[ORACLE_JOINTS * 3], inertia[ORACLE_JOINTS * 9], rotor[ORACLE_JOINTS];
    assert_true(n > 0 && n <= ORACLE_JOINTS);
    oracle_numbers(robot, "dh_a", n, a);
    oracle_numbers(robot, "dh_alpha", n, alpha);
    oracle_numbers(robot, "dh_d", n, d);
    oracle_numbers(robot, "dh_theta", n, theta);
    oracle_numbers(robot, "mass", n, mass);
    oracle_numbers(robot, "com", 3 * n, com);
    oracle_numbers(robot, "inertia", 9 * n, inertia);
    oracle_numbers(robot, "rotor_inertia", n, rotor);
    arne_description *r = arne_description_new(oracle_field(robot, "name")->valuestring);
    assert_non_null(r);
    oracle_numbers(robot, "gravity", 3, r->gravity);
    assert_non_null(arne_description_link(r, "base", 0));
    const cJSON *types = oracle_field(robot, "joint_types");
    for (int i = 0; i < n; i++) {
        char parent[16] = "base", name[16];
        if (i > 0) snprintf(parent, sizeof parent, "j%d", i);
        snprintf(name, sizeof name, "j%d", i + 1);
        arne_link_description *l = arne_description_link(r, name, 0);
        assert_non_null(l);
        const double *I = inertia + 9 * i;
        l->body = (arne_body){mass[i], {com[3 * i], com[3 * i + 1], com[3 * i + 2]}, {I[0], I[1], I[2], I[4], I[5], I[8]}};
        const bool prismatic = cJSON_GetArrayItem(types, i)->valuestring[0] == 'P';
        arne_joint_description *j = arne_description_joint(r, name, 0, prismatic ? ARNE_PRISMATIC : ARNE_REVOLUTE, parent, name);
        assert_non_null(j);
        j->after = arne_pose_dh(a[i], alpha[i], d[i], theta[i]);
        j->motor.inertia = rotor[i];
    }
    return r;
}

arne_model *oracle_dh_robot(const cJSON *robot)
{
    arne_description *r = oracle_dh_description(robot);
    arne_model *m = NULL;
    arne_error error;
    if (arne_model_build(r, NULL, &m, &error) != ARNE_OK) fail_msg("%s", error.message);
    arne_description_free(r);
    return m;
}

int oracle_all(const char *ending, int files, oracle_check *check)
{
    static const char folder[] = ARNE_TEST_DATA "/seeds012";
    const oracle_names names = oracle_list(folder, ending);
    int seen = 0;
    assert_int_equal(names.count, files);
    for (int i = 0; i < names.count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s%s", folder, names.name[i], ending);
        print_message("%s%s\n", names.name[i], ending);
        cJSON *json = oracle_load(path);
        const cJSON *robot = oracle_field(json, "robot"), *at;
        arne_model *m = oracle_dh_robot(robot);
        arne_data *d = test_data(m);
        cJSON_ArrayForEach(at, oracle_field(json, "cases")) seen += check(robot, d, at);
        arne_data_free(d);
        arne_model_free(m);
        cJSON_Delete(json);
    }
    return seen;
}

void oracle_close(const char *what, const double *got, const double *want, int count, double tolerance)
{
    double scale = 1;
    for (int i = 0; i < count; i++) scale = fmax(scale, fabs(want[i]));
    for (int i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * scale))
            fail_msg("%s[%d] is %.17g, the stored answer is %.17g (%.1e of the largest entry)", what, i, got[i], want[i],
                     fabs(got[i] - want[i]) / scale);
}
