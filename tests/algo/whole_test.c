/* SPDX-License-Identifier: MIT
 *
 * whole_test.c - centre of mass, centroidal momentum and their Jacobians against sums over the links in long double (plain.h);
 * the rate of a Jacobian and the acceleration of a link against differences along the motion and against the judge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "arne/positions.h"
#include "arne/quantity.h"
#include "support/subject.h"

static const double TOLERANCE = 1e-12;
/* central differences of order eight, step 1e-3 */
static const double DIFFERENCES = 1e-9, H = 1e-3;

enum { RANDOM_ROBOTS = FEWER(800), N = MOST_DOF };

typedef void law(subject *s, const motion *x);

static void on_all_robots(law *holds)
{
    for (int number = -shipped_wide_robots(); number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, number / RANDOM_FAMILIES % 2 ? RANDOM_ANY : RANDOM_ALL);
        for (int k = 0; k < 3; k++) {
            const motion x = subject_motion(&s, k);
            plain_move(s.judge, x.q, x.qd, x.qdd);
            holds(&s, &x);
        }
        subject_close(&s);
    }
}

static void compute(const subject *s, const char *name, int link, arne_frame frame, const motion *x, double *out)
{
    const arne_state state = {x->q, x->qd, x->qdd, x->qdd, x->qd};
    const arne_quantity_options o = {.size = sizeof o, .link = link, .frame = frame};
    assert_int_equal(arne_compute(s->data, arne_quantity_find(name), &o, &state, out), ARNE_OK);
}

/* velocity of the centre of mass of a link */
static void centre_velocity(const plain_link *l, double v[3])
{
    long double d[3];
    for (int k = 0; k < 3; k++) d[k] = l->c[k] - l->p[k];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v[k] = (double)(l->v[k] + l->w[i] * d[j] - l->w[j] * d[i]);
    }
}

static void whole_body(subject *s, const motion *x)
{
    double mass = 0, c[3] = {0}, v[3] = {0}, h[6] = {0}, far = 1, fast = 1;
    for (int i = 0; i < s->nlink; i++) {
        const plain_link *l = &s->judge->link[i];
        if (l->nearest < 0) continue;
        double u[3];
        centre_velocity(l, u);
        mass += l->body->mass;
        for (int k = 0; k < 3; k++) {
            c[k] += l->body->mass * (double)l->c[k];
            v[k] += l->body->mass * u[k];
            far = fmax(far, fabs((double)l->c[k]));
            fast = fmax(fast, fabs(u[k]));
        }
    }
    for (int k = 0; k < 3; k++) c[k] /= mass, h[k] = v[k], v[k] /= mass;
    /* m (c_i - c) x v_i + I w */
    for (int i = 0; i < s->nlink; i++) {
        const plain_link *l = &s->judge->link[i];
        if (l->nearest < 0) continue;
        double u[3];
        centre_velocity(l, u);
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            h[3 + k] += l->body->mass * (((double)l->c[a] - c[a]) * u[b] - ((double)l->c[b] - c[b]) * u[a]);
            for (int j = 0; j < 3; j++) h[3 + k] += (double)(l->I[3 * k + j] * l->w[j]);
        }
    }
    double com[7], J[3 * N], centroidal[6 + 6 * N], product[6];
    compute(s, "com", 0, ARNE_ALIGNED, x, com);
    expect_near(s, "centre of mass", 3, com, c, TOLERANCE, far);
    expect_near(s, "its velocity", 3, com + 3, v, TOLERANCE, far * fast);
    expect_near(s, "mass", 1, com + 6, &mass, TOLERANCE, mass);
    compute(s, "centroidal", 0, ARNE_ALIGNED, x, centroidal);
    expect_near(s, "centroidal momentum", 6, centroidal, h, TOLERANCE, mass * far * far * fast);
    compute(s, "com_jacobian", 0, ARNE_ALIGNED, x, J);
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int i = 0; i < s->n; i++) sum += centroidal[6 + k * s->n + i] * x->qd[i];
        product[k] = sum;
    }
    expect_near(s, "matrix times qd", 6, product, h, TOLERANCE, mass * far * far * fast);
    for (int i = 0; i < 3 * s->n; i++) J[i] *= mass;
    expect_near(s, "Jacobian of the centre", 3 * s->n, J, centroidal + 6, TOLERANCE, mass * far);
}

/* the numbers of a row at time t of the motion */
static void along(const subject *s, const char *name, int link, arne_frame frame, const motion *x, double t, double *out)
{
    motion at = *x;
    double way[N];
    for (int i = 0; i < s->n; i++) {
        way[i] = t * (x->qd[i] + t * x->qdd[i] / 2);
        at.qd[i] = x->qd[i] + t * x->qdd[i];
    }
    arne_integrate(s->m, x->q, way, at.q);
    compute(s, name, link, frame, &at, out);
}

static void difference(const subject *s, const char *name, int link, arne_frame frame, const motion *x, int size, double *rate)
{
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    memset(rate, 0, (size_t)size * sizeof *rate);
    for (int p = 1; p <= 4; p++)
        for (int side = -1; side <= 1; side += 2) {
            double at[6 * N];
            along(s, name, link, frame, x, side * p * H, at);
            for (int i = 0; i < size; i++) rate[i] += side * weight[p - 1] / H * at[i];
        }
}

static void rates(subject *s, const motion *x)
{
    const int link = random_below(&s->r, s->nlink);
    arne_pose pose;
    arne_link_pose(s->data, x->q, link, &pose);
    const double reach = 1 + largest(3, pose.p), fast = 1 + largest(s->n, x->qd), size = reach * reach * fast * fast * 10;
    for (int f = ARNE_LOCAL; f <= ARNE_ALIGNED; f++) {
        const arne_frame frame = (arne_frame)f;
        double is[6 * N], should[6 * N];
        compute(s, "jacobian_dot", link, frame, x, is);
        difference(s, "jacobian", link, frame, x, 6 * s->n, should);
        expect_near(s, "rate of the Jacobian", 6 * s->n, is, should, DIFFERENCES, size);
        compute(s, "acceleration", link, frame, x, is);
        difference(s, "velocity", link, frame, x, 6, should);
        expect_near(s, "acceleration of a link", 6, is, should, DIFFERENCES, size * (1 + largest(s->n, x->qdd)));
    }
    const plain_link *l = &s->judge->link[link];
    double is[6], should[6];
    compute(s, "acceleration", link, ARNE_ALIGNED, x, is);
    for (int k = 0; k < 3; k++) should[k] = (double)l->a[k], should[3 + k] = (double)l->wd[k];
    expect_near(s, "acceleration of its origin", 6, is, should, TOLERANCE, size * (1 + largest(s->n, x->qdd)));
}

static void sums_over_the_links(void **state) { (void)state, on_all_robots(whole_body); }
static void jacobians_and_velocities_change_as_told(void **state) { (void)state, on_all_robots(rates); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_the_links),
        cmocka_unit_test(jacobians_and_velocities_change_as_told),
    };
    return cmocka_run_group_tests_name("algo/whole", tests, NULL, NULL);
}
