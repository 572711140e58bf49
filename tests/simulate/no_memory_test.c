/* SPDX-License-Identifier: MIT
 *
 * A small run with too little memory for each of its allocations in turn, those of SUNDIALS included, and others without any one
 * of theirs: it is said, nothing is lost. This program stands in for malloc and its kin; where a sanitizer owns the allocator the
 * test is skipped. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "arne/codegen.h"
#include "arne/equations.h"
#include "arne/estimate.h"
#include "arne/excite.h"
#include "arne/file.h"
#include "arne/observe.h"
#include "arne/plan.h"
#include "arne/simulate.h"

#ifdef ARNE_OWN_MALLOC
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *p);

/* volatile: the compiler knows malloc and believes that it touches no variable of ours */
static volatile long live, limit = LONG_MAX;
static volatile int calls, refusals, one; /* one: the call that is refused whatever it asks for; 0: none */
enum { MOST_CALLS = 10000 };
static long needs[MOST_CALLS]; /* bytes in use with those of each call */

/* A store of `limit` bytes: what is freed can be used again. */
static bool refused(size_t size)
{
    const bool full = live + (long)size > limit || (one && calls + 1 == one);
    if (calls < MOST_CALLS) needs[calls++] = live + (long)size;
    refusals += full;
    return full;
}

static void *took(void *p)
{
    if (p) live += (long)malloc_usable_size(p);
    if (!p) errno = ENOMEM;
    return p;
}

#pragma GCC visibility push(default)
void *malloc(size_t size) { return took(refused(size) ? NULL : __libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return took(refused(count * size) ? NULL : __libc_calloc(count, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return took(refused(size) ? NULL : __libc_memalign(alignment, size)); }
void *realloc(void *p, size_t size)
{
    if (refused(size)) return took(NULL);
    if (p) live -= (long)malloc_usable_size(p);
    return took(__libc_realloc(p, size));
}
void free(void *p)
{
    if (p) live -= (long)malloc_usable_size(p);
    __libc_free(p);
}
#pragma GCC visibility pop

static arne_description *described(bool flies)
{
    arne_description *d = arne_description_new("pendulum");
    arne_description_link(d, "base", 0)->body = (arne_body){.mass = 1, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
    if (flies) {
        arne_description_link(d, "world", 0);
        arne_description_joint(d, "free", 0, ARNE_FREE, "world", "base");
    }
    arne_description_link(d, "arm", 0)->body = (arne_body){.mass = 1, .com = {0.5, 0, 0}, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}};
    arne_joint_description *j = arne_description_joint(d, "z", 0, ARNE_REVOLUTE, "base", "arm");
    j->motor.inertia = 0.1;
    j->motor.gear = 1;
    j->elastic.stiffness = 1000;
    j->limits = (arne_limits){-3, 3, 2, INFINITY, 20};
    return d;
}

static arne_model *pendulum(bool flies)
{
    arne_description *d = described(flies);
    arne_model *m;
    arne_error error;
    if (arne_model_build(d, NULL, &m, &error)) fail_msg("%s", error.message);
    arne_description_free(d);
    return m;
}

/* A few ticks with a push between them. */
static arne_status run(const arne_settings *robot, arne_integrator method, double rtol, int ticks)
{
    arne_plant *p = NULL;
    arne_error error;
    arne_result r = {0};
    const bool flies = arne_model_floats(arne_settings_model(robot));
    const double free[8] = {0, 0, 0, 0, 0, 0, 1, 0.1}, rest[8] = {0}, *q = flies ? free : free + 7;
    const arne_plant_options o = {.size = sizeof o, .method = method, .rtol = rtol, .step = 1e-3, .elastic = true};
    const arne_disturbance push = {.from = 0.0015, .to = 1, .wrench = {.link = 1, .frame = ARNE_ALIGNED, .force = {0, 1, 0}}};
    const arne_loop loop = {.size = sizeof loop,
                            .period = 1e-3,
                            .duration = ticks * 1e-3,
                            .interval = 1e-3,
                            .link = -1,
                            .disturbances = &push,
                            .ndisturbance = 1};
    arne_status status = arne_plant_new(robot, &o, &p, &error);
    if (!status) {
        arne_loop l = loop;
        l.plant = p;
        arne_plant_place(p, 0, q, rest, NULL, NULL);
        status = arne_loop_run(&l, &r, &error);
        if (!status && r.end != ARNE_RUN_FINISHED) status = ARNE_BAD_VALUE;
    }
    arne_result_free(&r);
    arne_plant_free(p);
    return status;
}

static void short_memory_is_said(void **state)
{
    (void)state;
    static const struct {
        arne_integrator method;
        double rtol;
    } cases[] = {{ARNE_RK4, 1e-6}, {ARNE_CVODE, 1e-6}, {ARNE_ARKODE, 1e-6}, {ARNE_ARKODE, 1e-9}};
    static long enough[MOST_CALLS];
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        arne_model *m = pendulum(k % 2);
        arne_settings *robot;
        arne_error error;
        if (arne_settings_new(m, &robot, &error)) fail_msg("%s", error.message);
        const long before = live;
        calls = 0;
        assert_int_equal(run(robot, cases[k / 2].method, cases[k / 2].rtol, 3), ARNE_OK);
        assert_int_equal(live, before);
        const int all = calls;
        calls = 0;
        assert_int_equal(run(robot, cases[k / 2].method, cases[k / 2].rtol, 30), ARNE_OK);
        assert_int_equal(calls, all); /* a step takes no memory */
        calls = 0;
        assert_int_equal(run(robot, cases[k / 2].method, cases[k / 2].rtol, 3), ARNE_OK);
        assert_true(all > 20 && all < MOST_CALLS);
        for (int i = 0; i < all; i++) enough[i] = needs[i] - before;
        int told = 0;
        for (int i = 0; i < all; i++) {
            const long now = live;
            refusals = 0;
            limit = now + enough[i] - 1;
            const arne_status status = run(robot, cases[k / 2].method, cases[k / 2].rtol, 3);
            limit = LONG_MAX;
            if (status != (refusals ? ARNE_NO_MEMORY : ARNE_OK)) fail_msg("case %zu, %ld bytes: %d", k, enough[i], status);
            assert_int_equal(live, now);
            told += status != ARNE_OK;
        }
        print_message("case %zu: %d allocations, %d times too little\n", k, all, told);
        assert_true(told > 20);
        arne_settings_free(robot);
        arne_model_free(m);
    }
}

/* the pendulum swings and learns itself; the C library can do without the buffer of a file */
static arne_status identify(const arne_settings *robot, int kind, arne_error *error)
{
    (void)kind;
    const arne_identify_options o = {.size = sizeof o, .cutoff = INFINITY};
    const arne_identify_log log = {.size = sizeof log, .name = "swing", .has_qd = true, .has_qdd = true};
    arne_identifier *i;
    arne_identified *found = NULL;
    const int refuse = one;
    one = 0;
    arne_status status = arne_identifier_new(arne_settings_model(robot), &o, &i, error);
    if (!status) status = arne_identifier_log(i, &log, error);
    for (int k = 0; k < 100 && !status; k++) {
        const double q = sin(0.1 * k), qd = cos(0.1 * k), tau = -0.45 * q;
        status = arne_identifier_row(i, 0.1 * k, &q, &qd, &(double){-q}, &tau, error);
    }
    calls = 0, one = refuse;
    if (!status) status = arne_identify(i, &found, error);
    arne_identified_free(found);
    arne_identifier_free(i);
    return status;
}

static arne_status control(const arne_settings *robot, int kind, arne_error *error)
{
    const arne_control_options o = {.size = sizeof o, .kind = (arne_control_kind)kind, .period = 1e-3, .link = 1};
    arne_controller *c;
    const arne_status status = arne_controller_new(robot, &o, &c, error);
    arne_controller_free(c);
    return status;
}

static arne_status observe(const arne_settings *robot, int kind, arne_error *error)
{
    const arne_observer_options o = {.size = sizeof o, .period = 1e-3, .link_side = kind == 1, .numeric = kind == 2};
    arne_observer *x;
    const arne_status status = arne_observer_new(robot, &o, &x, error);
    arne_observer_free(x);
    return status;
}

static arne_status excite(const arne_settings *robot, int kind, arne_error *error)
{
    const arne_excite_options o = {
        .size = sizeof o, .criterion = (arne_excite_criterion)kind, .period = 5, .randoms = 5, .starts = 1, .steps = 1};
    arne_excitation *e;
    arne_trajectory *s = NULL;
    arne_status status = arne_excite(robot, &o, &e, error);
    if (!status) status = arne_excitation_trajectory(e, 1, &s, error);
    arne_trajectory_free(s);
    arne_excitation_free(e);
    return status;
}

static arne_status plan(const arne_settings *robot, int kind, arne_error *error)
{
    const double points[] = {0, 0.5, -0.5};
    const arne_plan_options o = {.size = sizeof o, .grid = 50, .jerk = kind ? 1e4 : 0};
    arne_data *d;
    arne_curve *c = NULL;
    arne_plan *p = NULL;
    arne_status status = arne_data_share(robot, &d, error);
    if (!status) status = arne_data_prepare(d, ARNE_LIMITS, error);
    if (!status) status = arne_curve_new(points, 3, 1, &c, error);
    if (!status) status = arne_plan_find(c, d, &o, &p, error);
    arne_plan_free(p);
    arne_curve_free(c);
    arne_data_free(d);
    return status;
}

/* text that is made all the same is the same */
static arne_status same_text(const char *text)
{
    static unsigned long should;
    unsigned long mark = 5381;
    for (const char *c = text; *c; c++) mark = mark * 33 + (unsigned char)*c;
    if (!one) should = mark;
    return mark == should ? ARNE_OK : ARNE_BAD_VALUE;
}

static arne_status code(const arne_settings *robot, int kind, arne_error *error)
{
    enum { EQUATIONS = 4 };
    arne_codegen_options o = {.size = sizeof o,
                              .name = "code",
                              .what = kind == 3 ? "fd,did" : "fd",
                              .live = kind == 1,
                              .lanes = kind == 2 ? 4 : 0,
                              .cuda = kind == 3};
    const bool textbook = kind > EQUATIONS;
    const arne_equation_options e = {.size = sizeof e, .latex = textbook, .textbook = textbook, .form = ARNE_FORM_LISTING};
    arne_data *d;
    arne_code *made = NULL;
    char *text = NULL;
    arne_status status = arne_data_share(robot, &d, error);
    if (!status && kind < EQUATIONS) status = arne_codegen(d, &o, &made, error);
    if (!status && kind >= EQUATIONS) status = arne_equations(d, "id", kind == EQUATIONS ? NULL : &e, &text, error);
    if (!status) status = same_text(kind == 3 ? made->header : made ? made->source : text);
    arne_code_free(made);
    free(text);
    arne_data_free(d);
    return status;
}

/* a robot into a file; kind: its format */
static arne_status write_robot(const arne_settings *robot, int kind, arne_error *error)
{
    (void)robot;
    const char *path = "no_memory_test.robot";
    char text[8192] = "";
    const int refuse = one;
    one = 0;
    arne_description *d = described(false);
    calls = 0, one = refuse;
    arne_status status = arne_write(d, (arne_format)kind, path, error);
    const int written = calls;
    one = 0;
    FILE *f = fopen(path, "r");
    if (!status != (f != NULL)) fail_msg("a file that is there or not: %d", status);
    if (f) text[fread(text, 1, sizeof text - 1, f)] = '\0', fclose(f), remove(path);
    arne_description_free(d);
    calls = written, one = refuse;
    return status ? status : same_text(text);
}

static const struct {
    const char *name;
    arne_status (*make)(const arne_settings *robot, int kind, arne_error *error);
    int kinds;
    bool buffered; /* by way of files, whose buffers the C library can do without */
} makers[] = {{"controller", control, ARNE_CONTROL_COUNT},
              {"observer", observe, 3},
              {"identification", identify, 1},
              {"excitation", excite, ARNE_EXCITE_COUNT},
              {"plan", plan, 2},
              {"code", code, 6, true},
              {"file", write_robot, 3, true}};

/* memory that is there again right after it was refused */
static void others_miss_none_of_it(void **state)
{
    (void)state;
    arne_model *m = pendulum(false);
    arne_settings *robot;
    assert_int_equal(arne_settings_new(m, &robot, NULL), ARNE_OK);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        for (int kind = 0; kind < makers[i].kinds; kind++) {
            arne_error error;
            one = calls = 0;
            if (makers[i].make(robot, kind, &error)) fail_msg("%s %d: %s", makers[i].name, kind, error.message);
            const int all = calls;
            const long before = live;
            for (int k = 1; k <= all; k++) {
                calls = refusals = 0;
                one = k;
                const arne_status status = makers[i].make(robot, kind, &error);
                one = 0;
                const bool fine = status == ARNE_NO_MEMORY || (makers[i].buffered && !status);
                if (!fine || refusals != 1 || live != before)
                    fail_msg("%s %d, allocation %d of %d: %d", makers[i].name, kind, k, all, status);
            }
        }
    arne_settings_free(robot);
    arne_model_free(m);
}
#else
static void others_miss_none_of_it(void **state)
{
    (void)state;
    skip();
}
static void short_memory_is_said(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_memory_is_said), cmocka_unit_test(others_miss_none_of_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
