/* SPDX-License-Identifier: MIT
 *
 * live_test.c - generated code whose inertial parameters are an argument: with any parameters it is the robot of
 * arne_set_parameters. The code is compiled and loaded, all robots in one library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arne/arne.h"
#include "arne/codegen.h"
#include "arne/identify.h"
#include "support/code.h"
#include "support/subject.h"

/* rounding beside the largest force that a joint carries; grouping adds its own, which nearly parallel axes make large */
static const double CLOSE = 1e-12;

enum { RANDOM_ROBOTS = RANDOM_FAMILIES + 4, LANES = 4 }; /* the last ones with joints of several freedoms */

typedef void vector_function(const double *parameters, const double *q, const double *qd, const double *qdd, double *tau);
typedef void matrix_function(const double *parameters, const double *q, double *M);

typedef struct {
    subject s;
    char name[16];
    int lanes; /* 0: none, and the inertia matrix instead */
    int count;
    int *parameter; /* those that are arguments */
    double *value;
} live_robot;

/* odd robots: base parameters, unless axes are nearly parallel; even ones: all standard ones */
static void list_parameters(live_robot *r, bool standard)
{
    const int all = ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m);
    r->parameter = malloc((size_t)all * sizeof *r->parameter);
    r->value = malloc((size_t)all * sizeof *r->value);
    assert_true(r->parameter && r->value);
    arne_parameters(r->s.settings, r->value);
    r->count = all;
    for (int k = 0; k < all; k++) r->parameter[k] = k;
    if (standard) return;
    const arne_base_options options = {.size = sizeof options, .no_rotors = r->s.d->transmission != NULL};
    arne_base *b;
    arne_error error;
    assert_int_equal(arne_base_find(r->s.m, &options, &b, &error), ARNE_OK);
    arne_base_grouped(b, r->value, r->value);
    r->count = b->count;
    for (int k = 0; k < b->count; k++) {
        r->parameter[k] = b->parameters[k].parameter;
        r->value[k] = r->value[r->parameter[k]];
    }
    arne_base_free(b);
}

static void write_text(const char *folder, const char *name, const char *ending, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static void write_code(const char *folder, live_robot *r, bool standard, FILE *all)
{
    const arne_codegen_options o = {.size = sizeof o,
                                    .name = r->name,
                                    .what = r->lanes ? "id" : "id,mass",
                                    .standard = standard,
                                    .live = true,
                                    .lanes = r->lanes};
    arne_code *code;
    arne_error error;
    double *before = malloc(2 * (size_t)(ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m)) * sizeof *before);
    double *after = before + ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m);
    assert_non_null(before);
    arne_parameters(r->s.settings, before);
    assert_int_equal(arne_codegen(r->s.data, &o, &code, &error), ARNE_OK);
    arne_parameters(r->s.settings, after);
    assert_memory_equal(before, after, (size_t)(ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m)) * sizeof *before);
    assert_true(code->standard || !standard);
    list_parameters(r, code->standard);
    write_text(folder, r->name, ".c", code->source);
    write_text(folder, r->name, ".h", code->header);
    fprintf(all, "#include \"%s.c\"\n", r->name);
    arne_code_free(code);
    free(before);
}

/* other parameters: those of the robot, each one changed a little */
static void change(live_robot *r, double *K, double *G)
{
    memset(G, 0, (size_t)(ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m)) * sizeof *G);
    for (int k = 0; k < r->count; k++) {
        const double times = random_between(&r->s.r, 0.7, 1.4);
        G[r->parameter[k]] = K[k] = r->value[k] * times + random_between(&r->s.r, 0.001, 0.02);
    }
}

static void check_state(live_robot *r, void *library, const double *K, const motion *x)
{
    char name[32];
    const int n = r->s.n;
    double tau[MOST_DOF], want[MOST_DOF], M[MOST_DOF * MOST_DOF], A[MOST_DOF * MOST_DOF];
    snprintf(name, sizeof name, "%s_id", r->name);
    vector_function *id;
    *(void **)&id = dlsym(library, name);
    assert_non_null(id);
    id(K, x->q, x->qd, x->qdd, tau);
    arne_id(r->s.data, x->q, x->qd, x->qdd, want);
    expect_near(&r->s, "live id", n, tau, want, CLOSE, fmax(carried(&r->s, x), largest(n, want)));
    if (r->lanes) return;
    snprintf(name, sizeof name, "%s_mass", r->name);
    matrix_function *mass;
    *(void **)&mass = dlsym(library, name);
    assert_non_null(mass);
    mass(K, x->q, M);
    arne_mass(r->s.data, x->q, A);
    expect_close(&r->s, "live mass", n * n, M, A, CLOSE);
}

/* lanes give the bits of the function of one state */
static void check_lanes(live_robot *r, void *library, const double *K)
{
    char name[32];
    const int n = r->s.n;
    double x[3][MOST_DOF * LANES], y[MOST_DOF * LANES];
    motion one[LANES];
    vector_function *id, *many;
    snprintf(name, sizeof name, "%s_id", r->name);
    *(void **)&id = dlsym(library, name);
    snprintf(name, sizeof name, "%s_id_x%d", r->name, LANES);
    *(void **)&many = dlsym(library, name);
    assert_true(id && many);
    for (int l = 0; l < LANES; l++) {
        one[l] = subject_motion(&r->s, l % STATES);
        for (int i = 0; i < r->s.nq; i++) x[0][i * LANES + l] = one[l].q[i];
        for (int i = 0; i < n; i++) {
            x[1][i * LANES + l] = one[l].qd[i];
            x[2][i * LANES + l] = one[l].qdd[i];
        }
    }
    many(K, x[0], x[1], x[2], y);
    for (int l = 0; l < LANES; l++) {
        double tau[MOST_DOF];
        id(K, one[l].q, one[l].qd, one[l].qdd, tau);
        for (int i = 0; i < n; i++) assert_memory_equal(&tau[i], &y[i * LANES + l], sizeof *tau);
    }
}

static void check_robot(live_robot *r, void *library)
{
    char name[32];
    const int all = ARNE_LINK_PARAMETERS * arne_model_joints(r->s.m);
    double *K = malloc(2 * (size_t)all * sizeof *K), *G = K + all;
    assert_non_null(K);
    /* the robot's own: the array in the code */
    snprintf(name, sizeof name, "%s_parameters", r->name);
    const double *own = dlsym(library, name);
    assert_non_null(own);
    assert_memory_equal(own, r->value, (size_t)r->count * sizeof *own);
    for (int k = 0; k < 3; k++) {
        const motion x = subject_motion(&r->s, k);
        check_state(r, library, own, &x);
    }
    for (int k = 0; k < 3; k++) {
        const motion x = subject_motion(&r->s, k);
        change(r, K, G);
        arne_set_parameters(r->s.settings, G);
        check_state(r, library, K, &x);
    }
    if (r->lanes) check_lanes(r, library, K);
    free(K);
}

static void live_code_is_the_robot_of_its_parameters(void **state)
{
    (void)state;
    char folder[] = "/tmp/arne_live_XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    const int count = shipped_robots() + RANDOM_ROBOTS;
    live_robot *robots = calloc((size_t)count, sizeof *robots);
    assert_non_null(robots);
    snprintf(path, sizeof path, "%s/all.c", folder);
    FILE *all = fopen(path, "w");
    assert_non_null(all);
    for (int i = 0; i < count; i++) {
        live_robot *r = &robots[i];
        r->s = subject_number(i, i < shipped_robots() + RANDOM_FAMILIES ? RANDOM_ALL : RANDOM_ANY);
        snprintf(r->name, sizeof r->name, "robot%d", i);
        r->lanes = i % 4 == 1 ? LANES : 0;
        write_code(folder, r, i % 2 == 0, all);
    }
    assert_int_equal(fclose(all), 0);
    void *library = code_load(folder);
    for (int i = 0; i < count; i++) {
        check_robot(&robots[i], library);
        subject_close(&robots[i].s);
        free(robots[i].parameter);
        free(robots[i].value);
    }
    code_drop(library, folder);
    free(robots);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    subject s = subject_number(0, RANDOM_RIGID);
    const arne_codegen_options good = {.size = sizeof good, .name = "g", .what = "id,energy"};
    arne_codegen_options bad[17];
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) bad[k] = good;
    bad[0].live = true; /* energy needs standard parameters */
    bad[1].lanes = 16;
    bad[2].lanes = 2, bad[2].single = true;
    bad[3].link = arne_model_links(s.m);
    bad[4].name = "a b";
    bad[5].what = "id,nothing";
    bad[6].casadi = true, bad[6].lanes = 4;
    bad[7].casadi = bad[7].live = bad[7].standard = true;
    bad[8].casadi = bad[8].single = true;
    bad[9].cuda = true, bad[9].lanes = 2;
    bad[10].cuda = bad[10].casadi = true;
    bad[11].link = -1;
    bad[12].name = "";
    bad[13].name = "a_name_of_sixty_one_letters_is_one_letter_more_than_there_may_";
    bad[14].what = "mass,id,mass";
    bad[15].what = "a_name_of_sixty-one_letters_is_printed_up_to_the_sixtieth_one_";
    bad[16].name = NULL;
    char no_link[60];
    snprintf(no_link, sizeof no_link, "the robot has no link %d", bad[3].link);
    static const char *const name = "the name must be a C identifier: letters, digits, _, no digit first",
                             *const casadi = "CasADi calls functions of doubles, one state at a time, without live parameters: "
                                             "leave out ",
                             *const cuda = "code for a GPU has one state a thread: leave out ";
    const char *const words[][2] = {
        {"energy does not follow from base parameters: take the standard ones, or leave it out", ""},
        {"lanes of doubles are 2, 4 or 8, not 16", ""},
        {"lanes of floats are 4, 8 or 16, not 2", ""},
        {no_link, ""},
        {name, ""},
        {"no code can be written for \"nothing\"", ""},
        {casadi, "lanes (--lanes)"},
        {casadi, "live (--live)"},
        {casadi, "single (--real float)"},
        {cuda, "lanes (--lanes)"},
        {cuda, "casadi (--abi casadi)"},
        {"the robot has no link -1", ""},
        {name, ""},
        {name, ""},
        {"mass is there twice", ""},
        {"no code can be written for \"a_name_of_sixty-one_letters_is_printed_up_to_the_sixtieth_on\"", ""},
        {name, ""}};
    arne_code *code;
    arne_error error;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(arne_codegen(s.data, &bad[k], &code, &error), ARNE_BAD_VALUE);
        char sentence[300];
        snprintf(sentence, sizeof sentence, "%s%s", words[k][0], words[k][1]);
        assert_string_equal(error.message, sentence);
        assert_null(code);
    }
    bad[0] = good, bad[0].size = 0;
    bad[1] = good, bad[1].what = NULL;
    arne_loaded *loaded;
    assert_int_equal(arne_code_load(NULL, "id", 0, &loaded, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_code_load(s.data, NULL, 0, &loaded, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_code_load(s.data, "id", 0, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_code_load(s.data, "elastic", 0, &loaded, NULL), ARNE_BAD_VALUE);
    assert_int_equal(arne_code_load(s.data, "pose", 99, &loaded, NULL), ARNE_BAD_VALUE);
    assert_null(loaded);
    arne_loaded_free(NULL);
    assert_int_equal(arne_codegen(NULL, &good, &code, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_codegen(s.data, NULL, &code, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_codegen(s.data, &good, NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_codegen(s.data, &bad[0], &code, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_codegen(s.data, &bad[1], &code, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_codegen(s.data, &good, &code, NULL), ARNE_OK);
    arne_code_free(code);
    arne_code_free(NULL);
    subject_close(&s);
}

/* the most joints for which code of a function is written, and one more; what is not refused for its size is for its lanes */
static void long_code_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int joints; /* 40000 results: n^2, 10 n^2 on the way, 4 n^3, 3 n^2; base parameters up to 200 joints */
    } cases[] = {{"mass", 200}, {"fd", 200}, {"dfd", 63}, {"d2id", 21}, {"did", 115}, {"id", 200}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int more = 0; more < 2; more++) {
            const int n = cases[k].joints + more;
            const bool grouped = k == 5;
            arne_description *d = long_chain(n);
            arne_model *m;
            arne_data *data;
            arne_code *code;
            arne_error error;
            assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
            assert_int_equal(arne_data_new(m, &data, NULL), ARNE_OK);
            const arne_codegen_options o = {
                .size = sizeof o, .name = "g", .what = cases[k].what, .standard = !grouped || !more, .lanes = 16};
            char sentence[300] = "lanes of doubles are 2, 4 or 8, not 16";
            if (more && grouped)
                snprintf(sentence, sizeof sentence,
                         "base parameters are found for up to 200 joints, not for %d: take the standard ones (--params standard)",
                         n);
            else if (more)
                snprintf(sentence, sizeof sentence,
                         "no code for %s of %d joints: straight lines end at 40000 results; leave it out (id, bias, gravity and "
                         "others with one result a joint reach further)",
                         cases[k].what, n);
            assert_int_equal(arne_codegen(data, &o, &code, &error), more ? ARNE_UNSUPPORTED : ARNE_BAD_VALUE);
            assert_string_equal(error.message, sentence);
            arne_data_free(data);
            arne_model_free(m);
            arne_description_free(d);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(live_code_is_the_robot_of_its_parameters),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(long_code_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
