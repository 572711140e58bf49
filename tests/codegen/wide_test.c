/* SPDX-License-Identifier: MIT
 *
 * wide_test.c - code for robots with spherical and free joints, first, in the middle and last: every function that can be written
 * gives the answers of the general text, with standard parameters its bits. All robots in one library. */
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
#include "support/code.h"
#include "support/subject.h"

enum { ROBOTS = 4, MOST_NV = 8, WITH_LANES = 1, LANES = 2, MOST = 3 * MOST_DOF * MOST_DOF };

/* rounding beside the largest result; accelerations: times the condition of the inertia matrix */
static const double CLOSE = 1e-11, SOLVED = 1e-8;

typedef struct {
    subject s;
    char name[24];
    bool standard;
    int lanes;
    int link;
} wide_robot;

typedef struct {
    const char *name, *letter;
    unsigned inputs;
    int size, row; /* row -1: elastic */
} function;

/* bits of the inputs beyond those of quantity.h: qddd, qdddd */
enum { QDDD = 32, QDDDD = 64 };

static bool function_of(const wide_robot *r, int i, function *f)
{
    const char *name = arne_codegen_name(i);
    if (!name) return false;
    const int row = arne_quantity_find(name);
    *f = (function){name, NULL, ARNE_Q | ARNE_QD | ARNE_QDD | QDDD | QDDDD, 3 * r->s.n, row};
    if (row < 0) return true;
    f->inputs = ARNE_Q | arne_quantity_at(row)->inputs;
    f->size = arne_quantity_size(row, r->s.m);
    return true;
}

/* derivatives are long: of the short robots only */
static bool is_written(const wide_robot *r, const function *f)
{
    if (!strncmp(f->name, "dfd", 3) || !strcmp(f->name, "d2id")) return r->s.n < 4;
    return (strcmp(f->name, "did") && strcmp(f->name, "d2id_times")) || r->s.n < 6;
}

static void write_code(const char *folder, const wide_robot *r, FILE *all)
{
    char what[512] = "", path[256];
    function f;
    for (int i = 0; function_of(r, i, &f); i++)
        if (is_written(r, &f)) snprintf(what + strlen(what), sizeof what - strlen(what), "%s%s", *what ? "," : "", f.name);
    const arne_codegen_options o = {
        .size = sizeof o, .name = r->name, .what = what, .standard = r->standard, .link = r->link, .lanes = r->lanes};
    arne_code *code;
    arne_error error = {0};
    if (arne_codegen(r->s.data, &o, &code, &error)) fail_msg("%s: %s", r->s.name, error.message);
    const char *const text[] = {code->source, code->header}, *const ending[] = {"c", "h"};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s.%s", folder, r->name, ending[k]);
        FILE *file = fopen(path, "w");
        assert_true(file && fputs(text[k], file) >= 0 && fclose(file) == 0);
    }
    fprintf(all, "#include \"%s.c\"\n", r->name);
    arne_code_free(code);
}

/* the vectors that a function takes, in the order of its arguments */
static int choose(unsigned inputs, const double *const x[7], const double *argument[5])
{
    static const int order[] = {0, 1, 4, 2, 3, 5, 6}; /* q qd qa qdd tau qddd qdddd */
    int n = 0;
    for (int k = 0; k < 7; k++)
        if (inputs & 1u << order[k]) argument[n++] = x[order[k]];
    return n;
}

static void call(void *library, const char *name, int n, const double *const a[5], double *y)
{
    void (*f)(const double *, ...) = NULL;
    void *symbol = dlsym(library, name);
    if (!symbol) fail_msg("no %s", name);
    memcpy(&f, &symbol, sizeof symbol);
    switch (n) {
    case 1: ((void (*)(const double *, double *))f)(a[0], y); break;
    case 2: ((void (*)(const double *, const double *, double *))f)(a[0], a[1], y); break;
    case 3: ((void (*)(const double *, const double *, const double *, double *))f)(a[0], a[1], a[2], y); break;
    case 4:
        ((void (*)(const double *, const double *, const double *, const double *, double *))f)(a[0], a[1], a[2], a[3], y);
        break;
    default:
        ((void (*)(const double *, const double *, const double *, const double *, const double *, double *))f)(a[0], a[1], a[2],
                                                                                                                a[3], a[4], y);
    }
}

static void answer(wide_robot *r, const function *f, const double *const x[7], double *y)
{
    const arne_quantity_options o = {sizeof o, r->link, ARNE_ALIGNED, ARNE_CHRISTOFFEL_FACTOR};
    const arne_state state = {x[0], x[1], x[2], x[3], x[4]};
    if (f->row >= 0) {
        assert_int_equal(arne_compute(r->s.data, f->row, &o, &state, y), ARNE_OK);
        return;
    }
    const int n = r->s.n, nq = r->s.nq;
    double motion[7 * MOST_DOF] = {0}, rows[4 * MOST_DOF];
    memcpy(motion, x[0], (size_t)nq * sizeof *motion);
    const int from[] = {1, 2, 5, 6};
    for (int k = 0; k < 4; k++) memcpy(motion + nq + k * n, x[from[k]], (size_t)n * sizeof *motion);
    arne_set_rigid(r->s.settings, true);
    assert_int_equal(arne_id_taylor(r->s.data, motion, rows), ARNE_OK);
    arne_set_rigid(r->s.settings, false);
    memcpy(y, rows, 3 * (size_t)n * sizeof *y);
}

static void has_bits(const char *name, bool *exact)
{
    static const char *const all[] = {"id", "mass", "bias", "gravity", "momentum"};
    *exact = false;
    for (int k = 0; k < 5; k++) *exact = *exact || !strcmp(all[k], name);
}

static void check_function(wide_robot *r, void *library, const function *f, double *const x[7], double carries)
{
    static double want[MOST], got[MOST], many[MOST * LANES], spread[7][MOST_DOF * LANES];
    const double *argument[5], *lanes[7];
    char name[64];
    bool exact;
    const int n = choose(f->inputs, (const double *const *)x, argument);
    snprintf(name, sizeof name, "%s_%s", r->name, f->name);
    answer(r, f, (const double *const *)x, want);
    call(library, name, n, argument, got);
    has_bits(f->name, &exact);
    const bool solved = f->inputs & ARNE_TAU;
    if (exact && r->standard) {
        for (int i = 0; i < f->size; i++)
            if (got[i] != want[i]) fail_msg("%s, %s: %.17g, not %.17g", r->s.name, name, got[i], want[i]);
    } else {
        expect_near(&r->s, name, f->size, got, want, solved ? SOLVED : CLOSE, fmax(carries, largest(f->size, want)));
    }
    if (!r->lanes) return;
    /* the second has another state */
    for (int k = 0; k < 7; k++) {
        lanes[k] = spread[k];
        for (int i = 0; i < (k ? r->s.n : r->s.nq); i++)
            spread[k][i * LANES] = x[k][i], spread[k][i * LANES + 1] = k ? 2 * x[k][i] : x[k][i];
    }
    choose(f->inputs, lanes, argument);
    strcat(name, "_x2");
    call(library, name, n, argument, many);
    for (int i = 0; i < f->size; i++)
        if (many[i * LANES] != got[i]) fail_msg("%s, %s: another bit at %d", r->s.name, name, i);
}

static void check_robot(wide_robot *r, void *library)
{
    function f;
    for (int k = 1; k < 3; k++) {
        motion m = subject_motion(&r->s, k);
        double more[4][MOST_DOF];
        for (int i = 0; i < 4; i++) random_vector(&r->s.r, r->s.n, 3, more[i]);
        double *const x[7] = {m.q, m.qd, m.qdd, more[0], more[1], more[2], more[3]};
        const double carries = carried(&r->s, &m);
        for (int i = 0; function_of(r, i, &f); i++)
            if (is_written(r, &f)) check_function(r, library, &f, x, carries);
    }
}

static bool is_wide(const subject *s, arne_joint_type *first)
{
    bool any = false;
    for (int i = 0; i < arne_model_joints(s->m); i++)
        any = any || arne_joint_kind(s->m, i) == ARNE_FREE || arne_joint_kind(s->m, i) == ARNE_SPHERICAL;
    *first = arne_joint_kind(s->m, 0);
    return any && s->n <= MOST_NV;
}

static void every_function_of_wide_robots(void **state)
{
    (void)state;
    char folder[] = "/tmp/arne_wide_XXXXXX", path[256];
    wide_robot robots[ROBOTS] = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/all.c", folder);
    FILE *all = fopen(path, "w");
    assert_non_null(all);
    for (int number = shipped_robots(), count = 0; count < ROBOTS; number++) {
        wide_robot *r = &robots[count];
        arne_joint_type first;
        r->s = subject_number(number, number % 2 ? RANDOM_ANY : RANDOM_ANY & ~RANDOM_TRANSMISSION);
        if (!is_wide(&r->s, &first) || (count % 4 == 0) != (first == ARNE_FREE)) {
            subject_close(&r->s);
            continue;
        }
        assert_int_equal(arne_data_prepare(r->s.data, ARNE_DERIVATIVES, NULL), ARNE_OK);
        snprintf(r->name, sizeof r->name, "robot%d", count);
        r->lanes = count < WITH_LANES ? LANES : 0;
        r->standard = count++ % 2;
        r->link = arne_model_tip(r->s.m);
        write_code(folder, r, all);
    }
    assert_int_equal(fclose(all), 0);
    void *library = code_load(folder);
    for (int i = 0; i < ROBOTS; i++) {
        check_robot(&robots[i], library);
        subject_close(&robots[i].s);
    }
    code_drop(library, folder);
}

/* the receipt says how q and qd are laid out */
static void the_header_tells_the_layout(void **state)
{
    (void)state;
    arne_description *d = arne_description_new("glider");
    const arne_body body = {2, {0.1, 0, 0}, {0.1, 0, 0, 0.2, 0, 0.3}};
    assert_non_null(d);
    assert_non_null(arne_description_link(d, "world", 0));
    arne_link_description *l = arne_description_link(d, "hull", 0);
    assert_non_null(l);
    l->body = body;
    assert_non_null(arne_description_joint(d, "hull", 0, ARNE_FREE, "world", "hull"));
    l = arne_description_link(d, "tail", 0);
    assert_non_null(l);
    l->body = body;
    assert_non_null(arne_description_joint(d, "tail", 0, ARNE_REVOLUTE, "hull", "tail"));
    subject s = subject_of(d);
    arne_code *code;
    assert_int_equal(arne_codegen(s.data,
                                  &(arne_codegen_options){.size = sizeof(arne_codegen_options), .name = "g", .what = "id"}, &code,
                                  NULL),
                     ARNE_OK);
    assert_non_null(strstr(code->header, "q, 8 numbers: hull.x, hull.y, hull.z, hull.qx, hull.qy, hull.qz, hull.qw, tail."));
    assert_non_null(strstr(code->header, "7 numbers: hull.vx, hull.vy, hull.vz, hull.wx, hull.wy, hull.wz, tail."));
    assert_non_null(strstr(code->header, "enum { g_dof = 7, g_nq = 8 };"));
    arne_code_free(code);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_wide_robots),
        cmocka_unit_test(the_header_tells_the_layout),
    };
    return cmocka_run_group_tests_name("codegen/wide", tests, NULL, NULL);
}
