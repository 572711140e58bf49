/* SPDX-License-Identifier: MIT
 *
 * device.h - robots on a device that is a processor (processor.c), numbers to it and back, a cache of their own. */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arne/cuda.h"
#include "arne/file.h"
#include "arne/positions.h"
#include "support/data.h"
#include "support/random_robot.h"

enum { ROBOTS = 5, STEPS = 7, MOST = 40 };

typedef struct {
    arne_model *m;
    arne_data *d;
    arne_cuda *c;
    int nq, nv;
} robot;

/* a variable of processor.c */
static inline int *of_processor(const char *name)
{
    static void *library; /* stays open */
    if (!library) library = dlopen("libnvrtc.so", RTLD_NOW);
    assert_non_null(library);
    int *variable = dlsym(library, name);
    assert_non_null(variable);
    return variable;
}

static inline robot opened_with(arne_model *m, const arne_cuda_options *o)
{
    robot r = {.m = m, .d = test_data(m), .nq = arne_model_nq(m), .nv = arne_model_nv(m)};
    arne_error error = {0};
    if (arne_cuda_new(r.d, o, &r.c, &error)) fail_msg("%s: %s", arne_model_name(m), error.message);
    return r;
}

static inline robot opened_model(arne_model *m, const char *what, bool live, bool single)
{
    return opened_with(m, &(arne_cuda_options){.size = sizeof(arne_cuda_options), .what = what, .live = live, .single = single});
}

static inline arne_model *shipped(const char *name)
{
    char path[256];
    arne_model *m;
    snprintf(path, sizeof path, ARNE_ROBOTS "/%s.yaml", name);
    assert_int_equal(arne_load(path, &m, NULL), ARNE_OK);
    return m;
}

static inline robot opened(const char *name, const char *what, bool live, bool single)
{
    return opened_model(shipped(name), what, live, single);
}

/* A tree with a spherical joint inside, then a free one on a branch; joints slide first and last. */
static inline arne_model *a_tree(void)
{
    static const struct {
        arne_joint_type type;
        int on;
    } joints[] = {{ARNE_PRISMATIC, 0}, {ARNE_REVOLUTE, 1}, {ARNE_SPHERICAL, 2},
                  {ARNE_REVOLUTE, 3},  {ARNE_FREE, 2},     {ARNE_PRISMATIC, 4}};
    random_stream s = {.state = 21};
    arne_description *d = arne_description_new("tree");
    arne_model *m;
    arne_description_link(d, "0", 0);
    for (int i = 0; i < 6; i++) {
        char name[3][2] = {{(char)('a' + i)}, {(char)('0' + joints[i].on)}, {(char)('1' + i)}};
        arne_description_link(d, name[2], 0)->body = random_body(&s);
        arne_joint_description *j = arne_description_joint(d, name[0], 0, joints[i].type, name[1], name[2]);
        j->before = random_pose(&s, 0.3);
    }
    assert_int_equal(arne_model_build(d, NULL, &m, NULL), ARNE_OK);
    arne_description_free(d);
    return m;
}

/* nothing is left on the device */
static inline void closed(robot *r)
{
    arne_cuda_free(r->c);
    assert_int_equal(*of_processor("processor_held"), 0);
    arne_data_free(r->d);
    arne_model_free(r->m);
}

/* to the device: entry i of state k from k size + i to i count + k */
static inline void *put(robot *r, const double *x, int count, int size, bool single)
{
    void *device;
    const size_t all = (size_t)(count * size);
    double *turned = malloc(all * sizeof *turned);
    float *small = malloc(all * sizeof *small);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < size; i++) turned[i * count + k] = x[k * size + i], small[i * count + k] = (float)x[k * size + i];
    assert_int_equal(arne_cuda_alloc(r->c, all * 8, &device), ARNE_OK);
    assert_int_equal(arne_cuda_put(r->c, device, single ? (void *)small : turned, all * (single ? 4 : 8)), ARNE_OK);
    free(turned), free(small);
    return device;
}

static inline void *room(robot *r, int count, int size)
{
    void *device;
    assert_int_equal(arne_cuda_alloc(r->c, (size_t)(count * size) * 8, &device), ARNE_OK);
    return device;
}

/* back, and released */
static inline double *got(robot *r, void *device, int count, int size, bool single)
{
    const size_t all = (size_t)(count * size);
    double *x = malloc(all * sizeof *x), *turned = malloc(all * sizeof *x);
    float *small = malloc(all * sizeof *small);
    assert_int_equal(arne_cuda_get(r->c, single ? (void *)small : turned, device, all * (single ? 4 : 8)), ARNE_OK);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < size; i++) x[k * size + i] = single ? (double)small[i * count + k] : turned[i * count + k];
    arne_cuda_release(r->c, device);
    free(turned), free(small);
    return x;
}

static inline void expect_near(const double *is, const double *should, int n, double tolerance, const char *what)
{
    double size = 1e-3, error = 0;
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(is[i]) && isfinite(should[i])); /* fmax would not see it */
        size = fmax(size, fabs(should[i])), error = fmax(error, fabs(is[i] - should[i]));
    }
    if (!(error <= tolerance * size)) fail_msg("%s is off by %g of %g", what, error, size);
}

static inline void random_states(const robot *r, random_stream *s, int count, double *q, double *qd, double *x)
{
    random_vector(s, count * r->nq, 1.5, q);
    random_vector(s, count * r->nv, 1, qd);
    random_vector(s, count * r->nv, 1, x);
    for (int k = 0; k < count; k++) arne_normalize(r->m, NAN, q + k * r->nq, NULL);
}

/* ---- a folder for compiled code ---- */

static char folder[] = "/tmp/arne_cuda_XXXXXX";

/* the path of what is kept there, "": nothing; removed: and now no longer */
static inline void kept(char path[300], bool removed)
{
    char name[100];
    snprintf(name, sizeof name, "%s/arne", folder);
    path[0] = '\0';
    DIR *d = opendir(name);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, 300, "%s/%.150s", name, e->d_name);
        if (removed) remove(path);
    }
    if (d) closedir(d);
}

static inline int enter(void **state)
{
    (void)state;
    return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1);
}

static inline int leave(void **state)
{
    (void)state;
    char path[300];
    kept(path, true);
    snprintf(path, sizeof path, "%s/arne", folder);
    return rmdir(path) || rmdir(folder);
}

#endif
