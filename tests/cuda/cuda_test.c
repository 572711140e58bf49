/* SPDX-License-Identifier: MIT
 *
 * cuda_test.c - robots on a device that is a processor (processor.c): quantities are those of the library, code is compiled once,
 * what is wrong is said. */
#include "cuda/device.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include "base/cache.h"

static void quantities_are_those_of_the_library(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *what;
        bool single;
    } cases[] = {{"kuka-lwr", "id,fd,mass,did,dfd", false},
                 {"scara", "id,fd,jacobian,gravity", false},
                 {"ur5e", "id,mass", true},
                 {"satellite", "id,centroidal,did", false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const bool single = cases[c].single;
        robot r = opened(cases[c].robot, cases[c].what, false, single);
        random_stream s = {.state = 5 + c};
        double q[ROBOTS * MOST], qd[ROBOTS * MOST], x[ROBOTS * MOST];
        random_states(&r, &s, ROBOTS, q, qd, x);
        void *dq = put(&r, q, ROBOTS, r.nq, single), *dqd = put(&r, qd, ROBOTS, r.nv, single),
             *dx = put(&r, x, ROBOTS, r.nv, single);
        const arne_cuda_state on = {dq, dqd, dx, dx, NULL, NULL};
        int left = 1; /* to be compared: the words of the list */
        for (const char *at = cases[c].what; *at; at++) left += *at == ',';
        for (int row = 0; row < arne_quantities(); row++) {
            const char *name = arne_quantity_at(row)->name;
            const int size = arne_quantity_size(row, r.m);
            if (!strstr(cases[c].what, name)) continue;
            void *out = room(&r, ROBOTS, size);
            const arne_status status = arne_cuda_run(r.c, name, NULL, ROBOTS, &on, out);
            if (status == ARNE_NOT_PREPARED) { /* a name within another */
                arne_cuda_release(r.c, out);
                continue;
            }
            assert_int_equal(status, ARNE_OK);
            double *is = got(&r, out, ROBOTS, size, single), *should = malloc((size_t)(ROBOTS * size) * sizeof *should);
            for (int k = 0; k < ROBOTS; k++) {
                const arne_state at = {q + k * r.nq, qd + k * r.nv, x + k * r.nv, x + k * r.nv, NULL};
                assert_int_equal(arne_compute(r.d, row, NULL, &at, should + k * size), ARNE_OK);
            }
            expect_near(is, should, ROBOTS * size, single ? 2e-5 : 1e-9, name);
            free(is), free(should);
            left--;
        }
        assert_int_equal(left, 0);
        arne_cuda_release(r.c, dq), arne_cuda_release(r.c, dqd), arne_cuda_release(r.c, dx);
        closed(&r);
    }
}

static void small_batches_need_no_copies(void **state)
{
    (void)state;
    robot r = opened("planar2r", "id", false, false);
    arne_cuda_mapped *m;
    assert_int_equal(arne_cuda_mapped_new(r.c, "id", 3, &m), ARNE_OK);
    assert_true(m->q && m->qd && m->qdd && m->out && !m->tau && !m->qa && !m->parameters);
    double *q = m->q, *qd = m->qd, *qdd = m->qdd, *tau = m->out, should[2];
    for (int i = 0; i < 6; i++) q[i] = 0.1 * i, qd[i] = 1 - i, qdd[i] = 2 * i;
    assert_int_equal(arne_cuda_mapped_run(r.c, m), ARNE_OK);
    for (int k = 0; k < 3; k++) {
        const double a[] = {q[k], q[3 + k]}, b[] = {qd[k], qd[3 + k]}, c[] = {qdd[k], qdd[3 + k]}, is[] = {tau[k], tau[3 + k]};
        arne_id(r.d, a, b, c, should);
        expect_near(is, should, 2, 1e-13, "id");
    }
    arne_cuda_mapped_free(r.c, m);
    closed(&r);
}

static void one_robot_is_enough(void **state)
{
    (void)state;
    robot r = opened("scara", "gravity", false, false);
    random_stream s = {.state = 17};
    double q[MOST], qd[MOST], x[MOST], should[MOST];
    random_states(&r, &s, 1, q, qd, x);
    void *dq = put(&r, q, 1, r.nq, false), *out = room(&r, 1, r.nv);
    const arne_cuda_state on = {dq, NULL, NULL, NULL, NULL, NULL};
    assert_int_equal(arne_cuda_run(r.c, "gravity", NULL, 1, &on, out), ARNE_OK);
    double *is = got(&r, out, 1, r.nv, false);
    assert_int_equal(arne_gravity(r.d, q, should), ARNE_OK);
    expect_near(is, should, r.nv, 1e-12, "gravity");
    free(is);
    arne_cuda_release(r.c, dq);
    closed(&r);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    robot r = opened("satellite", "id,fd", false, false);
    double x[8] = {0};
    const arne_cuda_state none = {x, x, NULL, NULL, NULL, NULL};
    assert_int_equal(arne_cuda_run(r.c, "mass", NULL, 1, &none, x), ARNE_NOT_PREPARED);
    assert_non_null(strstr(arne_cuda_message(r.c), "what"));
    assert_int_equal(arne_cuda_run(r.c, "id", NULL, 1, &none, x), ARNE_BAD_ARGUMENT);
    assert_non_null(strstr(arne_cuda_message(r.c), "missing"));
    arne_cuda_rollout_arrays roll = {.size = sizeof roll, .step = 0.1, .steps = 1, .q = x, .qd = x, .tau = x};
    void *device;
    assert_int_equal(arne_cuda_alloc(r.c, (size_t)1 << 40, &device), ARNE_NO_MEMORY);
    assert_non_null(strstr(arne_cuda_message(r.c), "memory"));
    assert_null(device);
    assert_string_equal(arne_cuda_device_name(r.c), "a processor");
    arne_error error = {0};
    arne_cuda *c;
    arne_cuda_options o = {.size = sizeof o, .what = "id", .device = 3};
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "no device 3"));
    o = (arne_cuda_options){.size = sizeof o, .what = "id,nothing"};
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_BAD_VALUE);
    assert_non_null(strstr(error.message, "nothing"));
    o.size = 0;
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_BAD_ARGUMENT);
    closed(&r);
    r = opened("planar2r", "fd", false, false);
    roll.A = x;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_NOT_PREPARED);
    assert_non_null(strstr(arne_cuda_message(r.c), "dfd"));
    roll.A = NULL, roll.tau = NULL;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_BAD_ARGUMENT);
    roll.tau = x, roll.step = 0;
    assert_int_equal(arne_cuda_rollout(r.c, NULL, 1, &roll), ARNE_BAD_ARGUMENT);
    closed(&r);
}

/* ---- compiled code that is kept ---- */

/* opens the robot, sees that it computes; how often something was compiled for it */
static int compilations(arne_data *d, arne_cuda_options o, const int *counter)
{
    const int before = *counter;
    robot r = {.d = d, .nq = 2, .nv = 2};
    arne_error error = {0};
    if (arne_cuda_new(d, &o, &r.c, &error)) fail_msg("%s", error.message);
    assert_string_equal(arne_cuda_message(r.c), "");
    const double q[2] = {0.3, -0.8};
    double should[2];
    void *dq = put(&r, q, 1, 2, false), *out = room(&r, 1, 2);
    const arne_cuda_state on = {.q = dq};
    assert_int_equal(arne_cuda_run(r.c, "gravity", NULL, 1, &on, out), ARNE_OK);
    double *is = got(&r, out, 1, 2, false);
    assert_int_equal(arne_gravity(d, q, should), ARNE_OK);
    expect_near(is, should, 2, 1e-12, "gravity");
    free(is);
    arne_cuda_release(r.c, dq);
    arne_cuda_free(r.c);
    return *counter - before;
}

static void code_is_compiled_once(void **state)
{
    (void)state;
    char path[300], other[300];
    void *compiler = dlopen("libnvrtc.so", RTLD_NOW);
    assert_non_null(compiler);
    int *counter = dlsym(compiler, "processor_compiled"), *version = dlsym(compiler, "processor_version");
    arne_model *m;
    assert_int_equal(arne_load(ARNE_ROBOTS "/planar2r.yaml", &m, NULL), ARNE_OK);
    arne_data *d = test_data(m);
    const arne_cuda_options o = {.size = sizeof o, .what = "gravity"},
                            anew = {.size = sizeof anew, .what = "gravity", .anew = true};
    kept(path, true);
    assert_int_equal(compilations(d, anew, counter), 1);
    kept(path, false);
    assert_string_equal(path, "");
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    assert_int_equal(compilations(d, anew, counter), 1);
    kept(path, false);
    const char *const words[] = {"", "no code", "twenty-four bytes, or more of them"};
    for (int i = 0; i < 3; i++) { /* damaged */
        FILE *f = fopen(path, "wb");
        assert_true(fputs(words[i], f) >= 0);
        fclose(f);
        assert_int_equal(compilations(d, o, counter), 1);
        assert_int_equal(compilations(d, o, counter), 0);
    }
    assert_int_equal(arne__cache_write(path, "of another device", 18, NULL), ARNE_OK); /* whole, but not what it should be */
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    kept(other, false);
    assert_string_equal(path, other);
    ++*version;
    assert_int_equal(compilations(d, o, counter), 1); /* by another compiler */
    --*version;
    assert_int_equal(compilations(d, o, counter), 0);
    const double g[3] = {0, 0, 9.81};
    assert_int_equal(arne_set_gravity(arne_data_settings(d), g), ARNE_OK);
    assert_int_equal(compilations(d, o, counter), 1);          /* another robot */
    setenv("XDG_CACHE_HOME", ARNE_ROBOTS "/planar2r.yaml", 1); /* no folder */
    assert_int_equal(compilations(d, o, counter), 1);
    assert_int_equal(compilations(d, o, counter), 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/arne", folder);
    chmod(path, 0500); /* nothing new comes in (root may all the same) */
    arne_cuda_options more = o;
    more.what = "gravity,id";
    assert_int_equal(compilations(d, more, counter), 1);
    assert_int_equal(compilations(d, o, counter), 0);
    chmod(path, 0700);
    dlclose(compiler);
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantities_are_those_of_the_library),
                                       cmocka_unit_test(small_batches_need_no_copies), cmocka_unit_test(one_robot_is_enough),
                                       cmocka_unit_test(what_is_wrong_is_said), cmocka_unit_test(code_is_compiled_once)};
    return cmocka_run_group_tests(tests, enter, leave);
}
