/* SPDX-License-Identifier: MIT
 *
 * cuda_test.c - robots on a device that is a processor (processor.c): quantities are those of the library, code is compiled once,
 * what is wrong is said. */
#include "cuda/device.h"

#include <sys/stat.h>

#include "arne/regressor.h"
#include "base/cache.h"
#include "cuda/cuda.h"

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
    robot r = opened("satellite", NULL, false, false); /* id and fd */
    double x[8] = {0};
    const arne_cuda_state none = {x, x, NULL, NULL, NULL, NULL};
    assert_int_equal(arne_cuda_run(r.c, "mass", NULL, 1, &none, x), ARNE_NOT_PREPARED);
    assert_non_null(strstr(arne_cuda_message(r.c), "what"));
    arne_cuda_rollout_arrays roll = {.size = sizeof roll, .step = 0.1, .steps = 1, .q = x, .qd = x, .tau = x};
    void *device;
    assert_int_equal(arne_cuda_alloc(r.c, (size_t)1 << 40, &device), ARNE_NO_MEMORY);
    assert_string_equal(arne_cuda_message(r.c), "the device has not so much memory: out of memory (CUDA error 2)");
    assert_null(device);
    assert_string_equal(arne_cuda_device_name(r.c), "a processor");
    arne_error error = {0};
    arne_cuda *c;
    arne_cuda_options o = {.size = sizeof o, .what = "id", .device = 3};
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_UNSUPPORTED);
    assert_string_equal(error.message, "there is no device 3, there are 1");
    o.device = 1;
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_UNSUPPORTED);
    o.device = -1;
    assert_int_equal(arne_cuda_new(r.d, &o, &c, &error), ARNE_BAD_ARGUMENT);
    assert_string_equal(error.message, "a robot on a device needs data, options and a place");
    o.device = 0;
    assert_int_equal(arne_cuda_new(NULL, &o, &c, &error), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_new(r.d, NULL, &c, &error), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_new(r.d, &o, NULL, &error), ARNE_BAD_ARGUMENT);
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

static void expect_words(const robot *r, arne_status is, arne_status should, const char *words)
{
    assert_int_equal(is, should);
    assert_string_equal(arne_cuda_message(r->c), words);
}

/* each vector that a quantity reads, the place, as many states as there are */
static void every_argument_is_needed(void **state)
{
    (void)state;
    robot r = opened("planar2r", "id,fd", false, false);
    char memory[64];
    void *x = memory, *device;
    arne_cuda_mapped *m;
    static const char *const names[] = {"id", "fd"};
    for (int i = 0; i < 2; i++) {
        const arne_cuda_state all = {.q = x, .qd = x, .qdd = i ? NULL : x, .tau = i ? x : NULL};
        assert_int_equal(arne_cuda_run(r.c, names[i], NULL, 0, &all, x), ARNE_OK);
        expect_words(&r, arne_cuda_run(r.c, names[i], NULL, 0, &all, NULL), ARNE_BAD_ARGUMENT,
                     "there is no place for the result");
        for (int k = 0; k < 3; k++) {
            arne_cuda_state less = all;
            *(k == 0 ? &less.q : k == 1 ? &less.qd : i ? &less.tau : &less.qdd) = NULL;
            expect_words(&r, arne_cuda_run(r.c, names[i], NULL, 1, &less, x), ARNE_BAD_ARGUMENT,
                         "a vector that it reads is missing");
        }
    }
    /* blocks of 128 states: as many as the device counts, and one more */
    const arne_cuda_state all = {x, x, x, x, x, x};
    const size_t most = (size_t)0x7fffffff * 128;
    expect_words(&r, arne_cuda_run(r.c, "id", NULL, most, &all, x), ARNE_DEVICE,
                 "a kernel cannot be started: unknown error (CUDA error 9)");
    expect_words(&r, arne_cuda_run(r.c, "id", NULL, most + 1, &all, x), ARNE_BAD_ARGUMENT, "too many states for one call");
    assert_int_equal(arne_cuda_run(NULL, "id", NULL, 1, &all, x), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_run(r.c, NULL, NULL, 1, &all, x), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_run(r.c, "id", NULL, 1, NULL, x), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_alloc(NULL, 1, &device), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_alloc(r.c, 1, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_alloc(r.c, 0, &device), ARNE_OK);
    assert_non_null(device);
    assert_int_equal(arne_cuda_put(NULL, device, x, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_put(r.c, NULL, x, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_put(r.c, device, NULL, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_get(NULL, x, device, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_get(r.c, NULL, device, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_get(r.c, x, NULL, 1), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_wait(NULL, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_wait(r.c, NULL), ARNE_OK);
    arne_cuda_release(NULL, device), arne_cuda_release(r.c, NULL), arne_cuda_release(r.c, device);
    assert_int_equal(arne_cuda_mapped_new(NULL, "id", 1, &m), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mapped_new(r.c, NULL, 1, &m), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mapped_new(r.c, "id", 0, &m), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mapped_new(r.c, "id", 1, NULL), ARNE_BAD_ARGUMENT);
    expect_words(&r, arne_cuda_mapped_new(r.c, "mass", 1, &m), ARNE_NOT_PREPARED,
                 "this quantity was not named in `what` when the robot was opened");
    assert_null(m);
    assert_int_equal(arne_cuda_mapped_new(r.c, "fd", 2, &m), ARNE_OK);
    assert_true(m->q && m->qd && m->tau && m->out && !m->qdd && !m->qa && !m->parameters);
    assert_int_equal(arne_cuda_mapped_run(NULL, m), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mapped_run(r.c, NULL), ARNE_BAD_ARGUMENT);
    arne_cuda_mapped_free(NULL, m), arne_cuda_mapped_free(r.c, NULL), arne_cuda_mapped_free(r.c, m);
    double values[1];
    assert_string_equal(arne_cuda_message(NULL), "");
    assert_string_equal(arne_cuda_device_name(NULL), "");
    assert_int_equal(arne_cuda_parameters(NULL), 0);
    assert_int_equal(arne_cuda_parameters(r.c), 0);
    assert_int_equal(arne_cuda_parameter_values(r.c, arne_data_settings(r.d), values), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, 1, 1, values, x, x), ARNE_BAD_ARGUMENT);
    closed(&r);
}

/* Up to 16383 states go in blocks of 32, more in blocks of 128; the last state of the last block is one of them. */
static void few_states_go_in_small_blocks(void **state)
{
    (void)state;
    enum { MANY = 16384 };
    robot r = opened("planar2r", "id,fd", false, false);
    static double x[2 * MANY], once[2];
    for (int k = 0; k < 2 * MANY; k++) x[k] = sin(k);
    void *on = put(&r, x, MANY, 2, false);
    static const int counts[] = {32, 33, MANY - 1, MANY};
    for (int i = 0; i < 4; i++) {
        const int n = counts[i];
        void *out = room(&r, n, 2);
        const arne_cuda_state s = {.q = on, .qd = on, .qdd = on};
        assert_int_equal(arne_cuda_run(r.c, "id", NULL, (size_t)n, &s, out), ARNE_OK);
        assert_int_equal(*of_processor("processor_block"), n < MANY ? 32 : 128);
        double *is = got(&r, out, n, 2, false), turned[2 * MANY];
        for (int k = 0; k < MANY; k++) turned[k] = x[2 * k], turned[MANY + k] = x[2 * k + 1]; /* as they lie on the device */
        const double last[2] = {turned[n - 1], turned[n - 1 + n]};
        arne_id(r.d, last, last, last, once);
        expect_near(is + 2 * (n - 1), once, 2, 1e-12, "the last state");
        free(is);
    }
    arne_cuda_release(r.c, on);
    closed(&r);
}

/* floats, standard parameters of each robot, the Jacobian of a link that is not the last one */
static void parameters_may_be_standard_ones(void **state)
{
    (void)state;
    enum { COUNT = 33, NP = 2 * ARNE_LINK_PARAMETERS };
    arne_model *model = shipped("planar2r");
    robot r = opened_with(model, &(arne_cuda_options){.size = sizeof(arne_cuda_options),
                                                      .what = "gravity,jacobian",
                                                      .link = 1,
                                                      .single = true,
                                                      .live = true,
                                                      .standard = true});
    arne_settings *s = arne_data_settings(r.d);
    double rows[2 * NP], K[NP], q[COUNT * 2], weight[COUNT * 2], should[2 * 6];
    assert_int_equal(arne_cuda_parameters(r.c), NP);
    assert_int_equal(arne_cuda_parameter_values(NULL, s, rows), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_parameter_values(r.c, NULL, rows), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_parameter_values(r.c, s, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_parameter_values(r.c, s, rows), ARNE_OK);
    assert_int_equal(arne_parameters(s, K), ARNE_OK);
    assert_memory_equal(rows, K, sizeof K);
    arne_body load = {.mass = 1, .com = {0.1, 0.02, 0.05}};
    assert_int_equal(arne_set_payload(s, arne_model_tip(r.m), &load), ARNE_OK);
    assert_int_equal(arne_cuda_parameter_values(r.c, s, rows + NP), ARNE_OK);
    for (int k = 0; k < COUNT; k++) {
        q[2 * k] = 0.1 * k, q[2 * k + 1] = 1 - 0.2 * k;
        weight[2 * k] = 1 - 0.3 * k, weight[2 * k + 1] = 0.3 * k;
    }
    void *dq = put(&r, q, COUNT, 2, true), *dw = put(&r, weight, COUNT, 2, true), *parameters = room(&r, COUNT, NP);
    assert_int_equal(arne_cuda_mix(NULL, NULL, COUNT, 2, rows, dw, parameters), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, COUNT, 0, rows, dw, parameters), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, COUNT, 2, NULL, dw, parameters), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, COUNT, 2, rows, NULL, parameters), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, COUNT, 2, rows, dw, NULL), ARNE_BAD_ARGUMENT);
    assert_int_equal(arne_cuda_mix(r.c, NULL, 0, 2, rows, dw, parameters), ARNE_OK);
    assert_int_equal(arne_cuda_mix(r.c, NULL, COUNT, 2, rows, dw, parameters), ARNE_OK);
    void *out = room(&r, COUNT, 2), *J = room(&r, COUNT, 12);
    const arne_cuda_state without = {.q = dq}, x = {.q = dq, .parameters = parameters};
    expect_words(&r, arne_cuda_run(r.c, "gravity", NULL, COUNT, &without, out), ARNE_BAD_ARGUMENT, "parameters are missing");
    assert_int_equal(arne_cuda_run(r.c, "gravity", NULL, COUNT, &x, out), ARNE_OK);
    assert_int_equal(arne_cuda_run(r.c, "jacobian", NULL, COUNT, &x, J), ARNE_OK);
    double *torque = got(&r, out, COUNT, 2, true), *jacobian = got(&r, J, COUNT, 12, true);
    for (int k = 0; k < COUNT; k++) {
        load.mass = 0.3 * k;
        assert_int_equal(arne_set_payload(s, arne_model_tip(r.m), &load), ARNE_OK);
        assert_int_equal(arne_gravity(r.d, q + 2 * k, should), ARNE_OK);
        expect_near(torque + 2 * k, should, 2, 2e-5, "gravity with a load");
        const arne_state at = {.q = q + 2 * k};
        const arne_quantity_options o = {.size = sizeof o, .link = 1};
        assert_int_equal(arne_compute(r.d, arne_quantity_find("jacobian"), &o, &at, should), ARNE_OK);
        expect_near(jacobian + 12 * k, should, 12, 2e-6, "Jacobian of link 1");
    }
    arne_cuda_mapped *m;
    assert_int_equal(arne_cuda_mapped_new(r.c, "gravity", 2, &m), ARNE_OK);
    assert_true(m->q && m->parameters && m->out && !m->qd && !m->qdd && !m->tau && !m->qa);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) ((float *)m->q)[2 * i + k] = (float)q[2 * k + i];
        for (int i = 0; i < NP; i++) ((float *)m->parameters)[2 * i + k] = (float)(k ? K[i] : rows[NP + i]);
    }
    assert_int_equal(arne_cuda_mapped_run(r.c, m), ARNE_OK);
    for (int k = 0; k < 2; k++) {
        load.mass = 1 - k;
        const double is[2] = {((float *)m->out)[k], ((float *)m->out)[2 + k]};
        assert_int_equal(arne_set_payload(s, arne_model_tip(r.m), &load), ARNE_OK);
        assert_int_equal(arne_gravity(r.d, q + 2 * k, should), ARNE_OK);
        expect_near(is, should, 2, 2e-6, "gravity of a small batch");
    }
    arne_cuda_mapped_free(r.c, m);
    free(torque), free(jacobian);
    arne_cuda_release(r.c, dq), arne_cuda_release(r.c, dw), arne_cuda_release(r.c, parameters);
    closed(&r);
}

/* ---- the text for the compiler ---- */

static void expect_text(arne_model *m, arne_cuda_options o, const char *head, const char *wide)
{
    arne_data *d = test_data(m);
    arne_cuda *c = calloc(1, sizeof *c);
    text_buffer t = {0};
    arne_error error;
    o.size = sizeof o;
    c->o = o, c->model = m;
    if (arne__cuda_text(c, d, &t, &error)) fail_msg("%s", error.message);
    if (strncmp(t.s, head, strlen(head))) fail_msg("%.300s\nshould begin with\n%s", t.s, head);
    if (!strstr(t.s, wide)) fail_msg("no %s", wide);
    arne__text_free(&t);
    arne_cuda_free(c);
    arne_data_free(d);
    arne_model_free(m);
}

static arne_model *a_chain(int n)
{
    arne_description *d = long_chain(n);
    arne_model *m;
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_description_free(d);
    return m;
}

/* Parameters are in shared memory where twice 32 robots have room in 100000 bytes: of a chain of n joints each takes q, three
 * times qd and eleven numbers a link, 15 n. */
static void the_text_says_what_was_chosen(void **state)
{
    (void)state;
    const char *const none = "\n#define ROBOT_WIDE(X)\n";
    expect_text(shipped("planar2r"), (arne_cuda_options){.what = "gravity", .fma = true},
                "#define ARNE_FMA 1\n#define ARNE_TURNS 0\n#define ROBOT_LIVE 0\n#define ROBOT_ROLLS 0\n"
                "#define ROBOT_PARAMETERS 1\n#define ROBOT_SHARED_PARAMETERS 0\ntypedef double real;\n",
                none);
    expect_text(shipped("planar2r"),
                (arne_cuda_options){.what = "fd", .turns = true, .live = true, .standard = true, .single = true},
                "#define ARNE_FMA 0\n#define ARNE_TURNS 1\n#define ROBOT_LIVE 1\n#define ROBOT_ROLLS 1\n"
                "#define ROBOT_PARAMETERS 22\n#define ROBOT_SHARED_PARAMETERS 1\ntypedef float real;\n",
                none);
    for (int single = 0; single < 2; single++)
        for (int more = 0; more < 2; more++) {
            const int n = (single ? 26 : 13) + more; /* 99840 bytes, and too many */
            char head[300];
            snprintf(head, sizeof head,
                     "#define ARNE_FMA 0\n#define ARNE_TURNS 0\n#define ROBOT_LIVE 1\n#define ROBOT_ROLLS 0\n"
                     "#define ROBOT_PARAMETERS %d\n#define ROBOT_SHARED_PARAMETERS %d\ntypedef %s real;\n",
                     11 * n, !more, single ? "float" : "double");
            expect_text(a_chain(n), (arne_cuda_options){.what = "gravity", .live = true, .standard = true, .single = single},
                        head, none);
        }
    /* slides and turns at 0, 1 of q and v, then a spherical one at 2 of both; after it one of one freedom or the free one */
    expect_text(shipped("satellite"), (arne_cuda_options){.what = "gravity"}, "#define ARNE_FMA 0\n",
                "\n#define ROBOT_WIDE(X) X(0, 0, 6)\n");
    expect_text(a_tree(), (arne_cuda_options){.what = "gravity"}, "#define ARNE_FMA 0\n",
                "\n#define ROBOT_WIDE(X) X(2, 2, 3) X(");
}

/* ---- compiled code that is kept ---- */

static void the_first_mistake_is_told(void **state)
{
    (void)state;
    arne_model *m = shipped("planar2r");
    arne_data *d = test_data(m);
    int *broken = of_processor("processor_broken");
    for (*broken = 1; *broken <= 2; ++*broken) {
        arne_cuda *c;
        arne_error error = {0};
        assert_int_equal(arne_cuda_new(d, &(arne_cuda_options){.size = sizeof(arne_cuda_options), .what = "mass"}, &c, &error),
                         ARNE_DEVICE);
        assert_null(c);
        assert_string_equal(error.message, *broken == 1 ? "CUDA's compiler refuses the code (6): error: on purpose"
                                                        : "CUDA's compiler refuses the code (6): no reason given");
        assert_int_equal(*of_processor("processor_held"), 0);
    }
    *broken = 0;
    arne_data_free(d);
    arne_model_free(m);
}

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
    int *counter = of_processor("processor_compiled"), *version = of_processor("processor_version"),
        *kind = of_processor("processor_kind");
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
    kind[1] = 3;
    assert_int_equal(compilations(d, o, counter), 1); /* for another device */
    kind[1] = 0;
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
    arne_data_free(d);
    arne_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantities_are_those_of_the_library),
                                       cmocka_unit_test(small_batches_need_no_copies),
                                       cmocka_unit_test(one_robot_is_enough),
                                       cmocka_unit_test(what_is_wrong_is_said),
                                       cmocka_unit_test(every_argument_is_needed),
                                       cmocka_unit_test(few_states_go_in_small_blocks),
                                       cmocka_unit_test(parameters_may_be_standard_ones),
                                       cmocka_unit_test(the_text_says_what_was_chosen),
                                       cmocka_unit_test(the_first_mistake_is_told),
                                       cmocka_unit_test(code_is_compiled_once)};
    return cmocka_run_group_tests(tests, enter, leave);
}
