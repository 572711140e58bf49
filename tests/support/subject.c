/* SPDX-License-Identifier: MIT */
#include "support/subject.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "arne/file.h"

/* Robots that fly are no subjects: random ones with free and spherical joints (RANDOM_WIDE) are, where a law is for them too. */
static bool floats(const char *name)
{
    char path[512], line[512];
    bool found = false;
    snprintf(path, sizeof path, "%s/%s", ARNE_ROBOTS, name);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) found = found || !strncmp(line, "floating: true", 14);
    if (f) fclose(f);
    return found;
}

static int is_robot(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return n > 5 && strcmp(e->d_name + n - 5, ".yaml") == 0 && !floats(e->d_name);
}

static arne_description *read_robot(const char *name)
{
    char path[512];
    arne_description *d;
    arne_error error;
    snprintf(path, sizeof path, "%s/%s", ARNE_ROBOTS, name);
    if (arne_read(path, NULL, &d, &error) != ARNE_OK) fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return d;
}

/* The shipped robots by name, read once: [0] joints of one freedom each, [1] others. */
enum { MOST_SHIPPED = 64 };
static struct {
    int count[2];
    char name[2][MOST_SHIPPED][256];
} shipped;

static void find_shipped(void)
{
    struct dirent **list;
    const int n = scandir(ARNE_ROBOTS, &list, is_robot, alphasort);
    if (n < 1 || n > MOST_SHIPPED) fail_msg("%d robots in %s", n, ARNE_ROBOTS);
    for (int i = 0; i < n; i++) {
        arne_description *d = read_robot(list[i]->d_name);
        int wide = 0;
        for (size_t k = 0; k < d->njoint; k++)
            wide = wide || d->joints[k].type == ARNE_FREE || d->joints[k].type == ARNE_SPHERICAL;
        snprintf(shipped.name[wide][shipped.count[wide]++], sizeof shipped.name[0][0], "%s", list[i]->d_name);
        arne_description_free(d);
        free(list[i]);
    }
    free(list);
}

int shipped_robots(void)
{
    if (!shipped.count[0]) find_shipped();
    return shipped.count[0];
}

int shipped_wide_robots(void) { return shipped_robots() ? shipped.count[1] : 0; }

arne_description *robot_number(int number, unsigned parts)
{
    const int narrow = shipped_robots();
    if (number < 0) return read_robot(shipped.name[1][-number - 1]);
    return number < narrow ? read_robot(shipped.name[0][number]) : random_robot_with((unsigned)(number - narrow), parts);
}

subject subject_of(arne_description *d)
{
    subject s = {.d = d, .r = {d->njoint}};
    arne_error error;
    snprintf(s.name, sizeof s.name, "%s", d->name);
    if (arne_model_build(d, NULL, &s.m, &error) != ARNE_OK) fail_msg("%s: %s", d->name, error.message);
    s.data = test_data(s.m);
    s.settings = arne_data_settings(s.data);
    s.judge = plain_new(d);
    s.n = arne_model_nv(s.m);
    s.nq = arne_model_nq(s.m);
    s.nlink = arne_model_links(s.m);
    s.g = d->gravity;
    assert_int_equal(s.judge->nv, s.n);
    assert_int_equal(s.judge->nq, s.nq);
    assert_int_equal(s.judge->nlink, s.nlink);
    return s;
}

subject subject_number(int number, unsigned parts)
{
    subject s = subject_of(robot_number(number, parts));
    assert_in_range(s.n, 1, MOST_DOF);
    s.r.state += 1000003u * (unsigned)number;
    return s;
}

void subject_close(subject *s)
{
    plain_free(s->judge);
    arne_data_free(s->data);
    arne_model_free(s->m);
    arne_description_free(s->d);
}

motion subject_motion(subject *s, int k)
{
    motion x = {0};
    for (int i = 0; i < arne_model_joints(s->m); i++) {
        const arne_joint_type kind = arne_joint_kind(s->m, i);
        double *q = x.q + arne_joint_q(s->m, i);
        const bool slides = kind == ARNE_PRISMATIC || kind == ARNE_FREE;
        const double size = k == 3 ? (slides ? 20 : 1000) : slides ? 1 : 3.2;
        if (kind == ARNE_FREE) random_vector(&s->r, 3, size, q), q += 3;
        if (kind == ARNE_FREE || kind == ARNE_SPHERICAL)
            random_quaternion(&s->r, q);
        else
            q[0] = random_between(&s->r, -1, 1) * size;
    }
    if (k == 0) return x;
    random_vector(&s->r, s->n, 2, x.qd);
    random_vector(&s->r, s->n, 5, x.qdd);
    return x;
}

double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

double carried(const subject *s, const motion *x)
{
    double w[6 * MOST_DOF];
    arne_joint_wrenches(s->data, x->q, x->qd, x->qdd, w);
    return largest(6 * arne_model_joints(s->m), w);
}

double condition(int n, const double *M, const double *inverse)
{
    double a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (int j = 0; j < n; j++) x += fabs(M[i * n + j]), y += fabs(inverse[i * n + j]);
        a = fmax(a, x), b = fmax(b, y);
    }
    return a * b;
}

void expect_near(const subject *s, const char *law, int n, const double *is, const double *should, double tolerance, double scale)
{
    for (int i = 0; i < n; i++) {
        const double off = fabs(is[i] - should[i]);
        if (!(off <= tolerance * scale))
            fail_msg("%s: %s: entry %d is %.17g, should be %.17g, off by %.2g of %.3g", s->name, law, i, is[i], should[i],
                     off / scale, scale);
    }
}

void expect_close(const subject *s, const char *law, int n, const double *is, const double *should, double tolerance)
{
    expect_near(s, law, n, is, should, tolerance, largest(n, should));
}
