/* SPDX-License-Identifier: MIT
 *
 * base_test.c - base parameters: those of the book, those of others, and the completed rules against the arbiter on thousands of
 * random robots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"
#include "identify/grouping.h"
#include "arne/positions.h"
#include "support/oracle.h"
#include "support/subject.h"

static const double PI = 3.14159265358979323846;
static const double ORACLE = 1e-9, TORQUES = 1e-11;

static arne_base *base_of(const arne_model *m, const arne_base_options *o)
{
    arne_base *b = NULL;
    arne_error error = {0};
    if (arne_base_find(m, o, &b, &error)) fail_msg("%s", error.message);
    return b;
}

static arne_model *shipped(const char *name)
{
    char path[512];
    arne_model *m = NULL;
    arne_error error = {0};
    snprintf(path, sizeof path, "%s/%s.yaml", ARNE_ROBOTS, name);
    if (arne_load(path, &m, &error)) fail_msg("%s", error.message);
    return m;
}

/* " ZZ1 XX2 ...": parameters by name */
static void join(const arne_base *b, const int *list, int count, char *text)
{
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        char name[16];
        arne_parameter_name(b->joints, list[i], name);
        strcat(strcat(text, i ? " " : ""), name);
    }
}

static void join_base(const arne_base *b, char *text)
{
    int list[11 * MOST_DOF];
    for (int k = 0; k < b->count; k++) list[k] = b->parameters[k].parameter;
    join(b, list, b->count, text);
}

/* "XX3 -1*YY3 +1*YY4 +2*r4*MZ4": the terms of a parameter */
static void equation(const arne_base *b, const char *name, char *text)
{
    text[0] = 0;
    for (int k = 0; k < b->count; k++) {
        char own[16];
        arne_parameter_name(b->joints, b->parameters[k].parameter, own);
        if (strcmp(own, name)) continue;
        for (int t = 0; t < b->parameters[k].nterm; t++) {
            const arne_base_term *term = &b->parameters[k].terms[t];
            arne_parameter_name(b->joints, term->parameter, own);
            sprintf(text + strlen(text), "%s%s %s", t ? ", " : "", term->expression, own);
        }
    }
}

/* [003 table 9.3, example 9.2] */
static void rx90_has_the_forty_parameters_of_the_book(void **state)
{
    (void)state;
    static const char *const grouping_equations[][2] = {
        {"ZZ1", "1 ZZ1, 1 IA1, 1 YY2, 1 YY3, d3^2 M3, d3^2 M4, d3^2 M5, d3^2 M6"},
        {"XX2", "1 XX2, -1 YY2, -d3^2 M3, -d3^2 M4, -d3^2 M5, -d3^2 M6"},
        {"XY2", "1 XY2"},
        {"XZ2", "1 XZ2, -d3 MZ3"},
        {"ZZ2", "1 ZZ2, 1 IA2, d3^2 M3, d3^2 M4, d3^2 M5, d3^2 M6"},
        {"MX2", "1 MX2, d3 M3, d3 M4, d3 M5, d3 M6"},
        {"XX3", "1 XX3, -1 YY3, 1 YY4, 2*r4 MZ4, r4^2 M4, r4^2 M5, r4^2 M6"},
        {"ZZ3", "1 ZZ3, 1 YY4, 2*r4 MZ4, r4^2 M4, r4^2 M5, r4^2 M6"},
        {"MY3", "1 MY3, 1 MZ4, r4 M4, r4 M5, r4 M6"},
        {"XX4", "1 XX4, -1 YY4, 1 YY5"},
        {"ZZ4", "1 ZZ4, 1 YY5"},
        {"MY4", "1 MY4, -1 MZ5"},
        {"XX5", "1 XX5, -1 YY5, 1 YY6"},
        {"ZZ5", "1 ZZ5, 1 YY6"},
        {"MY5", "1 MY5, 1 MZ6"},
        {"XX6", "1 XX6, -1 YY6"},
        {"ZZ6", "1 ZZ6"},
        {"IA3", "1 IA3"},
    };
    arne_model *m = shipped("rx90");
    arne_base *b = base_of(m, NULL);
    char text[2048];
    assert_true(b->by_rules);
    assert_int_equal(b->count, 40);
    assert_int_equal(b->count_without_rotors, 36);
    join_base(b, text);
    assert_string_equal(text, "ZZ1 XX2 XY2 XZ2 YZ2 ZZ2 MX2 MY2 XX3 XY3 XZ3 YZ3 ZZ3 MX3 MY3 IA3 XX4 XY4 XZ4 YZ4 ZZ4 MX4 MY4 IA4 "
                              "XX5 XY5 XZ5 YZ5 ZZ5 MX5 MY5 IA5 XX6 XY6 XZ6 YZ6 ZZ6 MX6 MY6 IA6");
    join(b, b->no_effect, b->nno_effect, text);
    assert_string_equal(text, "XX1 XY1 XZ1 YY1 YZ1 MX1 MY1 MZ1 M1 MZ2 M2");
    join(b, b->grouped, b->ngrouped, text);
    assert_string_equal(text, "IA1 YY2 IA2 YY3 MZ3 M3 YY4 MZ4 M4 YY5 MZ5 M5 YY6 MZ6 M6");
    for (size_t k = 0; k < sizeof grouping_equations / sizeof *grouping_equations; k++) {
        equation(b, grouping_equations[k][0], text);
        assert_string_equal(text, grouping_equations[k][1]);
    }
    arne_base_free(b);
    b = base_of(m, &(arne_base_options){.size = sizeof(arne_base_options), .no_rotors = true});
    assert_int_equal(b->count, 36);
    assert_int_equal(b->count_without_rotors, 36);
    equation(b, "ZZ2", text);
    assert_string_equal(text, "1 ZZ2, d3^2 M3, d3^2 M4, d3^2 M5, d3^2 M6");
    arne_base_free(b);
    arne_model_free(m);
}

/* [003 table 9.4] */
static void symmetric_links_leave_nineteen(void **state)
{
    (void)state;
    arne_model *m = shipped("rx90-simplified");
    arne_data *d = test_data(m);
    double K[66];
    arne_parameters(arne_data_settings(d), K);
    arne_base *b = base_of(m, &(arne_base_options){.size = sizeof(arne_base_options), .structure = K});
    char text[1024];
    assert_int_equal(b->count, 19);
    assert_int_equal(b->count_without_rotors, 15); /* IA3 ... IA6 */
    join_base(b, text);
    assert_string_equal(text, "ZZ1 XX2 ZZ2 MX2 MY2 XX3 ZZ3 MY3 IA3 XX4 ZZ4 IA4 XX5 ZZ5 MY5 IA5 XX6 ZZ6 IA6");
    equation(b, "MY2", text);
    assert_string_equal(text, "1 MY2");
    arne_base_free(b);
    arne_data_free(d);
    arne_model_free(m);
}

/* ---- a serial robot or a tree in modified DH ---- */
typedef struct {
    int n;
    bool prismatic[8];
    int parent[8]; /* -1: the base */
    double dh[8][6], g[3];
} geometry;

static arne_model *model_of(const geometry *g)
{
    arne_description *d = arne_description_new("r");
    arne_model *m = NULL;
    arne_error error = {0};
    assert_non_null(d);
    arne_description_link(d, "base", 0);
    for (int i = 0; i < g->n; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "j%d", i + 1);
        snprintf(parent, sizeof parent, g->parent[i] < 0 ? "base" : "j%d", g->parent[i] + 1);
        arne_link_description *l = arne_description_link(d, name, 0);
        l->body = (arne_body){2, {0.1, 0.2, 0.3}, {1, 0.01, 0.02, 1.1, 0.03, 1.2}};
        arne_joint_description *j =
            arne_description_joint(d, name, 0, g->prismatic[i] ? ARNE_PRISMATIC : ARNE_REVOLUTE, parent, name);
        memcpy(j->dh, g->dh[i], sizeof j->dh);
        j->before = arne_pose_mdh(j->dh);
        j->motor.inertia = 0.1;
    }
    memcpy(d->gravity, g->g, sizeof g->g);
    d->mdh = true;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

static void compare_with_oracle(const char *name, const cJSON *j)
{
    geometry g = {.n = cJSON_GetArraySize(oracle_field(j, "sigma"))};
    double v[5][8];
    static const char *const fields[5] = {"sigma", "alpha", "d", "theta0", "r0"};
    for (int k = 0; k < 5; k++) oracle_numbers(j, fields[k], g.n, v[k]);
    oracle_numbers(j, "g", 3, g.g);
    for (int i = 0; i < g.n; i++) {
        g.prismatic[i] = v[0][i] != 0;
        g.parent[i] = i - 1;
        const double dh[6] = {0, 0, v[1][i], v[2][i], v[3][i], v[4][i]};
        memcpy(g.dh[i], dh, sizeof dh);
    }
    arne_model *m = model_of(&g);
    arne_base *b = base_of(m, NULL);
    assert_true(b->by_rules);
    assert_int_equal(b->count, (int)oracle_number(j, "n_base"));
    assert_int_equal(b->count_without_rotors, (int)oracle_number(j, "n_base_without_rotors"));
    static const char *const lists[3] = {"base", "no_effect", "grouped"};
    const int sizes[3] = {b->count, b->nno_effect, b->ngrouped};
    for (int k = 0; k < 3; k++) {
        const cJSON *list = oracle_field(j, lists[k]);
        assert_int_equal(cJSON_GetArraySize(list), sizes[k]);
        for (int i = 0; i < sizes[k]; i++) {
            char own[16];
            arne_parameter_name(b->joints, k == 0 ? b->parameters[i].parameter : (k == 1 ? b->no_effect : b->grouped)[i], own);
            assert_string_equal(own, cJSON_GetArrayItem(list, i)->valuestring);
        }
    }
    const cJSON *groups = oracle_field(j, "grouping");
    for (int k = 0; k < b->count; k++) {
        const arne_base_parameter *p = &b->parameters[k];
        char own[16];
        arne_parameter_name(b->joints, p->parameter, own);
        const cJSON *terms = cJSON_GetObjectItemCaseSensitive(groups, own);
        assert_int_equal(p->nterm, terms ? cJSON_GetArraySize(terms) : 1);
        for (int t = 0; terms && t < p->nterm; t++) {
            arne_parameter_name(b->joints, p->terms[t].parameter, own);
            const double want = oracle_number(terms, own), got = p->terms[t].coefficient;
            if (!(fabs(got - want) <= ORACLE)) fail_msg("%s %s: %.17g for %.17g", name, own, got, want);
        }
    }
    arne_base_free(b);
    arne_model_free(m);
}

static void others_find_the_same(void **state)
{
    (void)state;
    const oracle_names files = oracle_list(ARNE_TEST_DATA "/seeds34", ".json");
    int seen = 0;
    for (int k = 0; k < files.count; k++) {
        if (strncmp(files.name[k], "base_", 5)) continue;
        char path[512];
        snprintf(path, sizeof path, "%s/seeds34/%s.json", ARNE_TEST_DATA, files.name[k]);
        cJSON *j = oracle_load(path);
        compare_with_oracle(files.name[k], j);
        cJSON_Delete(j);
        seen++;
    }
    assert_true(seen >= 3);
}

/* ---- random robots: rules and arbiter ---- */
static double pick(random_stream *r, int count, const double *from) { return from[random_below(r, count)]; }

static geometry random_geometry(unsigned seed, bool tree)
{
    random_stream r = {seed};
    geometry g = {.n = 1 + random_below(&r, tree ? 8 : 5)};
    const double oblique = random_between(&r, 0.2, 1.3);
    const double twists[] = {0, 0, PI / 2, -PI / 2, PI, oblique, -oblique};
    const double lengths[] = {0, 0, 0.3, -0.3, 0.45}, turns[] = {0, 0, PI / 2, PI, oblique};
    const double share = pick(&r, 4, (const double[]){0, 0.3, 0.6, 1});
    const bool flat = random_below(&r, 4) == 0; /* many parallel axes */
    for (int i = 0; i < g.n; i++) {
        g.prismatic[i] = random_between(&r, 0, 1) < share;
        g.parent[i] = tree ? random_below(&r, i + 1) - 1 : i - 1;
        if (tree && i > 0 && random_below(&r, 2)) g.parent[i] = i - 1;
        g.dh[i][2] = flat && random_below(&r, 3) ? 0 : pick(&r, 7, twists);
        g.dh[i][3] = pick(&r, 5, lengths);
        g.dh[i][4] = pick(&r, 5, turns);
        g.dh[i][5] = pick(&r, 5, lengths);
        if (!tree) continue;
        g.dh[i][0] = pick(&r, 5, turns);
        g.dh[i][1] = pick(&r, 5, lengths);
    }
    static const double gravities[][3] = {{0, 0, -9.81}, {0, 0, -9.81}, {9.81, 0, 0}, {0, 9.81, 0},
                                          {3, -4, 5},    {0, 0, 0},     {0, 0, 0}};
    memcpy(g.g, gravities[random_below(&r, 7)], sizeof g.g);
    return g;
}

/* [ERRATA part two 3.3 d], serial robots with gravity */
static int number_of_parameters(const arne_model *m, const axis_path *path)
{
    int b = 0;
    for (int j = 0; j < m->n; j++) {
        const axis_path *at = &path[j];
        if (m->robot->link[j].joint == REVOLUTE)
            b += at->r2 >= 0 ? 7 : at->coaxial && at->parallel && at->gravity_along ? 1 : 3;
        else
            b += at->r2 >= 0 ? 4 : at->r1 < 0 || arne__axes_parallel(at, &path[at->r1]) ? 1 : 3;
    }
    return b;
}

static void check_torques(const arne_model *m, const double g[3], const arne_base *b, unsigned seed)
{
    const int n = arne_model_nv(m), size = 11 * n * m->n;
    double q[MOST_DOF], qd[MOST_DOF], qdd[MOST_DOF], tau[MOST_DOF], K[11 * MOST_DOF], KB[11 * MOST_DOF];
    double *Y = calloc((size_t)size, sizeof *Y), *YB = calloc((size_t)size, sizeof *YB);
    random_stream r = {seed};
    random_vector(&r, arne_model_nq(m), 3, q);
    arne_normalize(m, NAN, q, NULL);
    random_vector(&r, n, 2, qd);
    random_vector(&r, n, 2, qdd);
    arne_data *d = test_data(m);
    assert_true(Y && YB);
    arne_set_gravity(arne_data_settings(d), g);
    arne_set_friction(arne_data_settings(d), false);
    arne_parameters(arne_data_settings(d), K);
    arne_regressor(d, q, qd, qdd, Y);
    arne_id(d, q, qd, qdd, tau);
    arne_base_columns(b, n, Y, YB);
    arne_base_values(b, K, KB);
    double scale = 1;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(tau[i]));
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < b->count; k++) {
            sum += YB[i * b->count + k] * KB[k];
            scale = fmax(scale, fabs(YB[i * b->count + k] * KB[k]));
        }
        if (!(fabs(sum - tau[i]) <= TORQUES * scale))
            fail_msg("robot %u: torque %d is %.17g for %.17g", seed, i + 1, sum, tau[i]);
    }
    arne_data_free(d);
    free(Y);
    free(YB);
}

static void check_geometry(unsigned seed, bool tree)
{
    const geometry g = random_geometry(seed, tree);
    arne_model *m = model_of(&g);
    const arne_base_options options = {.size = sizeof options, .no_rotors = seed % 5 == 0};
    arne_base *b = base_of(m, &options);
    if (!b->by_rules) fail_msg("robot %u%s: rules and numbers differ", seed, tree ? " (tree)" : "");
    if (!tree && g.g[0] * g.g[0] + g.g[1] * g.g[1] + g.g[2] * g.g[2] > 0) {
        axis_path path[8];
        arne__axes_find(m, g.g, path);
        if (b->count_without_rotors != number_of_parameters(m, path))
            fail_msg("robot %u: %d parameters for %d", seed, b->count_without_rotors, number_of_parameters(m, path));
    }
    if (!options.no_rotors) check_torques(m, g.g, b, seed);
    arne_base_free(b);
    arne_model_free(m);
}

static void rules_equal_the_arbiter_on_serial_robots(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= FEWER(1500); seed++) check_geometry(seed, false);
}

static void rules_equal_the_arbiter_on_trees(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= FEWER(500); seed++) check_geometry(seed, true);
}

/* Canonical frames of robots given otherwise. Nearly parallel axes are the arbiter's: what is 1e-9 of a column may stay or go. */
static void canonical_frames_have_base_parameters_too(void **state)
{
    (void)state;
    for (int k = 0; k < shipped_robots() + FEWER(420); k++) {
        subject s = subject_number(k, RANDOM_MOTORS);
        const int seed = k - shipped_robots();
        arne_base *b = base_of(s.m, NULL);
        if (!b->by_rules && !(seed >= 0 && seed % RANDOM_FAMILIES == FAMILY_NEARLY_PARALLEL))
            fail_msg("%s: rules and numbers differ", s.name);
        arne_base_free(b);
        subject_close(&s);
    }
}

/* Free and spherical joints first, in the middle and last; gravity off too. */
static void rules_equal_the_arbiter_with_wide_joints(void **state)
{
    (void)state;
    for (int k = 0; k < FEWER(280); k++) {
        static const double none[3];
        subject s = subject_number(shipped_robots() + k, k % 2 ? RANDOM_WIDE : RANDOM_WIDE | RANDOM_MOTORS);
        const bool weightless = k % 5 == 4;
        arne_base *b = base_of(s.m, &(arne_base_options){.size = sizeof(arne_base_options), .gravity = weightless ? none : NULL});
        bool concurrent = false; /* without gravity axes through one point are the arbiter's where a joint there is spherical */
        for (int i = 0; i < arne_model_joints(s.m); i++)
            concurrent = concurrent || (weightless && arne_joint_kind(s.m, i) == ARNE_SPHERICAL);
        if (!b->by_rules && !concurrent && k % RANDOM_FAMILIES != FAMILY_NEARLY_PARALLEL)
            fail_msg("%s: rules and numbers differ", s.name);
        for (int i = 0; i < arne_model_joints(s.m); i++) {
            int own = 0;
            for (int c = 0; c < b->count; c++) own += b->parameters[c].parameter / 11 == i;
            if (arne_joint_kind(s.m, i) == ARNE_FREE) assert_int_equal(own, 10);
        }
        if (!weightless && k % RANDOM_FAMILIES != FAMILY_NEARLY_PARALLEL) check_torques(s.m, s.g, b, (unsigned)k);
        arne_base_free(b);
        subject_close(&s);
    }
}

/* The six rows of a free base see every base parameter but the rotors (Ayusawa, Venture and Nakamura 2014): doc/base.md. */
static void the_rows_of_a_free_base_see_all_parameters(void **state)
{
    (void)state;
    enum { ROWS = 6 };
    for (int k = 0; k < FEWER(40); k++) {
        arne_description *d = robot_number(shipped_robots() + k, RANDOM_RIGID);
        assert_int_equal(arne_description_base(d, ARNE_BASE_FREE, NULL), ARNE_OK);
        d->links[0].body = (arne_body){3, {0.1, 0.2, -0.1}, {0.3, 0, 0, 0.4, 0, 0.5}};
        subject s = subject_of(d);
        arne_base *b = base_of(s.m, &(arne_base_options){.size = sizeof(arne_base_options), .no_rotors = true});
        const int n = s.n, size = 11 * arne_model_joints(s.m), states = size / 2, width = b->count;
        double *Y = malloc((size_t)(n * size) * sizeof *Y), *YB = malloc((size_t)(n * width) * sizeof *YB);
        double *W = malloc((size_t)(ROWS * states * width) * sizeof *W);
        assert_true(Y && YB && W);
        for (int i = 0; i < states; i++) {
            const motion x = subject_motion(&s, 1);
            arne_regressor(s.data, x.q, x.qd, x.qdd, Y);
            arne_base_columns(b, n, Y, YB);
            memcpy(W + i * ROWS * width, YB, (size_t)(ROWS * width) * sizeof *W);
        }
        /* Gram and Schmidt, columns of unit length */
        for (int c = 0; c < width; c++) {
            double before = 0, left = 0;
            for (int i = 0; i < ROWS * states; i++) before += W[i * width + c] * W[i * width + c];
            for (int pass = 0; pass < 2; pass++)
                for (int e = 0; e < c; e++) {
                    double part = 0;
                    for (int i = 0; i < ROWS * states; i++) part += W[i * width + c] * W[i * width + e];
                    for (int i = 0; i < ROWS * states; i++) W[i * width + c] -= part * W[i * width + e];
                }
            for (int i = 0; i < ROWS * states; i++) left += W[i * width + c] * W[i * width + c];
            if (!(left > 1e-14 * before) && k % RANDOM_FAMILIES != FAMILY_NEARLY_PARALLEL)
                fail_msg("%s: the base does not see parameter %d", s.name, b->parameters[c].parameter);
            for (int i = 0; i < ROWS * states; i++) W[i * width + c] /= sqrt(left);
        }
        free(Y);
        free(YB);
        free(W);
        arne_base_free(b);
        subject_close(&s);
    }
}

/* The frames of the result, one behind the other, are those of the links at q = 0: Rot(z,gamma) Trans(z,b) Rot(x,alpha)
 * Trans(x,d) Rot(z,theta) Trans(z,r), and p is the origin in the parent. */
static void frames_end_in_the_links(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 40; seed++) {
        const geometry g = random_geometry(seed, true);
        arne_model *m = model_of(&g);
        arne_data *d = test_data(m);
        arne_base *b = base_of(m, NULL);
        const double q[8] = {0};
        double R[8][9], p[8][3];
        assert_int_equal(b->joints, g.n);
        for (int i = 0; i < g.n; i++) {
            const int parent = arne_joint_parent(m, i);
            const arne_base_frame *f = &b->frames[i];
            const double cg = cos(f->gamma), sg = sin(f->gamma), c = cos(f->alpha), s = sin(f->alpha), ct = cos(f->theta),
                         st = sin(f->theta);
            const double own[9] = {cg * ct - sg * c * st,
                                   -cg * st - sg * c * ct,
                                   sg * s,
                                   sg * ct + cg * c * st,
                                   -sg * st + cg * c * ct,
                                   -cg * s,
                                   s * st,
                                   s * ct,
                                   c};
            const double at[3] = {cg * f->d + sg * s * f->r, sg * f->d - cg * s * f->r, f->b + c * f->r};
            const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0};
            const double *up = parent < 0 ? one : R[parent], *from = parent < 0 ? zero : p[parent];
            arne_pose pose;
            assert_true(f->dh);
            arne_link_pose(d, q, arne_joint_link(m, i), &pose);
            for (int r = 0; r < 3; r++) {
                assert_true(fabs(f->p[r] - at[r]) < 1e-14);
                p[i][r] = from[r] + up[3 * r] * at[0] + up[3 * r + 1] * at[1] + up[3 * r + 2] * at[2];
                assert_true(fabs(p[i][r] - pose.p[r]) < 1e-13);
                for (int k = 0; k < 3; k++) {
                    R[i][3 * r + k] = up[3 * r] * own[k] + up[3 * r + 1] * own[3 + k] + up[3 * r + 2] * own[6 + k];
                    if (!(fabs(R[i][3 * r + k] - pose.R[3 * r + k]) < 1e-13)) fail_msg("robot %u, joint %d", seed, i + 1);
                }
            }
        }
        arne_base_free(b);
        arne_data_free(d);
        arne_model_free(m);
    }
}

/* Below 1e-8 rad axes are parallel, or at right angles. */
static void small_angles_are_none(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        const double small = over ? 1.1e-8 : 0.9e-8;
        const axis_path up = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, along = {.R = {[2] = small, [5] = 0, [8] = 1}},
                        across = {.R = {[2] = 0, [5] = 1, [8] = -small}};
        assert_int_equal(arne__axes_parallel(&up, &along), !over);
        assert_int_equal(arne__axes_parallel(&along, &up), !over);
        assert_int_equal(arne__axes_normal(&up, &across), !over);
        assert_false(arne__axes_normal(&up, &along) || arne__axes_parallel(&up, &across));
    }
}

/* Two level slides on the base, the second follows with -0.5: its mass and rotor count a quarter. */
static void followers_join_their_masters_by_numbers(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("gripper");
    arne_model *m = NULL;
    arne_error error = {0};
    char text[256];
    assert_non_null(d);
    arne_description_link(d, "base", 0);
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "right" : "left";
        arne_description_link(d, name, 0)->body = (arne_body){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
        arne_joint_description *j = arne_description_joint(d, name, 0, ARNE_PRISMATIC, "base", name);
        memcpy(j->axis, (double[3]){1, 0, 0}, sizeof j->axis);
        j->motor.inertia = 0.1;
        if (k) assert_int_equal(arne_description_follow(j, "left", -0.5, 0.02), ARNE_OK);
    }
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_base *b = base_of(m, NULL);
    assert_false(b->by_rules);
    join_base(b, text);
    assert_string_equal(text, "M1");
    equation(b, "M1", text);
    assert_string_equal(text, "1 M1, 1 IA1, 0.25 M2, 0.25 IA2");
    join(b, b->grouped, b->ngrouped, text);
    assert_string_equal(text, "IA1 M2 IA2");
    assert_true(b->count_without_rotors == 1 && b->nno_effect == 22 - 4);
    arne_base_free(b);
    arne_model_free(m);
    arne_description_free(d);
}

static void too_many_joints_are_refused(void **state)
{
    (void)state;
    enum { JOINTS = 201 };
    arne_description *d = arne_description_new("snake");
    arne_model *m = NULL;
    arne_base *b = (arne_base *)(void *)&m;
    arne_error error = {0};
    char name[16] = "base", before[16];
    assert_true(d && arne_description_link(d, name, 0));
    for (int k = 1; k <= JOINTS; k++) {
        memcpy(before, name, sizeof name);
        snprintf(name, sizeof name, "j%d", k);
        assert_non_null(arne_description_link(d, name, 0));
        assert_non_null(arne_description_joint(d, name, 0, ARNE_REVOLUTE, before, name));
    }
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    assert_int_equal(arne_base_find(m, NULL, &b, &error), ARNE_UNSUPPORTED);
    assert_null(b);
    assert_string_equal(error.message, "snake has 201 joints; base parameters are found for up to 200");
    arne_model_free(m);
    arne_description_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rx90_has_the_forty_parameters_of_the_book),
        cmocka_unit_test(symmetric_links_leave_nineteen),
        cmocka_unit_test(others_find_the_same),
        cmocka_unit_test(rules_equal_the_arbiter_on_serial_robots),
        cmocka_unit_test(rules_equal_the_arbiter_on_trees),
        cmocka_unit_test(canonical_frames_have_base_parameters_too),
        cmocka_unit_test(rules_equal_the_arbiter_with_wide_joints),
        cmocka_unit_test(the_rows_of_a_free_base_see_all_parameters),
        cmocka_unit_test(frames_end_in_the_links),
        cmocka_unit_test(small_angles_are_none),
        cmocka_unit_test(followers_join_their_masters_by_numbers),
        cmocka_unit_test(too_many_joints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
