/* SPDX-License-Identifier: MIT
 *
 * A small run with too little memory for each of its allocations in turn, those of SUNDIALS included, and controllers too: it is
 * said, nothing is lost. This program stands in for malloc and its kin; where a sanitizer owns the allocator the test is skipped.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

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

static arne_model *pendulum(bool flies)
{
    arne_description *d = arne_description_new("pendulum");
    arne_model *m;
    arne_error error;
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

/* memory that is there again right after it was refused */
static void controllers_miss_none_of_it(void **state)
{
    (void)state;
    arne_model *m = pendulum(false);
    arne_settings *robot;
    assert_int_equal(arne_settings_new(m, &robot, NULL), ARNE_OK);
    for (int kind = 0; kind < ARNE_CONTROL_COUNT; kind++) {
        const arne_control_options o = {.size = sizeof o, .kind = (arne_control_kind)kind, .period = 1e-3, .link = 1};
        arne_controller *c;
        arne_error error;
        one = calls = 0;
        if (arne_controller_new(robot, &o, &c, &error)) fail_msg("%s: %s", arne_control_name(o.kind), error.message);
        const int all = calls;
        arne_controller_free(c);
        const long before = live;
        for (int i = 1; i <= all; i++) {
            calls = refusals = 0;
            one = i;
            const arne_status status = arne_controller_new(robot, &o, &c, &error);
            one = 0;
            if (status != ARNE_NO_MEMORY || refusals != 1 || live != before)
                fail_msg("%s, allocation %d of %d: %d", arne_control_name(o.kind), i, all, status);
        }
    }
    arne_settings_free(robot);
    arne_model_free(m);
}
#else
static void controllers_miss_none_of_it(void **state)
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_memory_is_said), cmocka_unit_test(controllers_miss_none_of_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
