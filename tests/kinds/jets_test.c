/* SPDX-License-Identifier: MIT
 *
 * jets_test.c - derivatives of inverse and forward dynamics: all jet widths alike, against differences, and against each other by
 * the chain rule. Stored derivatives of others are compared in tests/oracle. */
#include "kinds/settings.h"

#include <stdlib.h>

#include "algo/rows.h"
#include "dynamics/data.h"
#include "kind/kinds.h"

enum { RANDOM_ROBOTS = FEWER(400), N = MOST_DOF };

/* of the largest entry: differences of fourth order, step 1e-5, lose eleven digits at most to rounding */
static const double DIFFERENCES = 1e-7;
/* of |M| |X|, the size of the products that cancel */
static const double CANCELS = 1e-11;

typedef struct {
    double a[3][N * N], b[3][N * N], M[N * N], difference[N * N];
} desk;

static int make_desk(void **state) { return (*state = calloc(1, sizeof(desk))) ? 0 : -1; }
static int clear_desk(void **state)
{
    free(*state);
    return 0;
}

static void run_jets(const subject *s, int row, const motion *x, double d[3][N * N], gradient_bytes_fn *bytes,
                     gradient_run_fn *run)
{
    const robot *r = arne__data_robot(s->data);
    const size_t room = (bytes(robot_count(r), s->n) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, room);
    assert_non_null(memory);
    memset(memory, 0, room);
    for (int which = 0; which < 3; which++)
        run(r, memory, row, (const double *const[3]){x->q, x->qd, x->qdd}, which, s->n, d[which]);
    free(memory);
}

/* rows of torques or accelerations: results of nv numbers from q, qd and qdd or tau */
static bool derivable(int row)
{
    const arne_quantity *q = arne_quantity_at(row);
    return q->nparts == 1 && q->parts[0].rows == ARNE_AXIS_JOINTS && q->parts[0].columns == ARNE_AXIS_ONE &&
           !(q->inputs & ARNE_QA);
}

static void check_widths(const subject *s, int row, const motion *x, desk *k)
{
    run_jets(s, row, x, k->a, arne__gradient_bytes_jet2, arne__gradient_run_jet2);
    if (arne__machine_lanes() < 4) return;
    run_jets(s, row, x, k->b, arne__gradient_bytes_jet4, arne__gradient_run_jet4);
    for (int g = 0; g < 3; g++) expect_bits(s, "gradient of jet4", s->n * s->n, k->b[g], k->a[g]);
    if (arne__machine_lanes() < 8) return;
    run_jets(s, row, x, k->b, arne__gradient_bytes_jet8, arne__gradient_run_jet8);
    for (int g = 0; g < 3; g++) expect_bits(s, "gradient of jet8", s->n * s->n, k->b[g], k->a[g]);
}

static void all_widths_give_equal_gradients(void **state)
{
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            const motion x = subject_motion(&s, 1);
            for (int row = 0; row < TEXT_ROWS; row++)
                if (derivable(row)) check_widths(&s, row, &x, *state);
        }
        subject_close(&s);
    }
}

/* d id / d x[column], x one of the three inputs, by four points: (8 (f1 - f-1) - (f2 - f-2)) / 12 h */
static void difference(subject *s, const motion *at, int input, double *out)
{
    const double h = 1e-5;
    for (int column = 0; column < s->n; column++) {
        double f[4][N];
        for (int p = 0; p < 4; p++) {
            motion x = *at;
            const double step = h * (const double[]){-2, -1, 1, 2}[p];
            double way[N] = {0};
            way[column] = step;
            if (input == 0)
                arne_integrate(s->m, at->q, way, x.q); /* along the tangent */
            else
                (input == 1 ? x.qd : x.qdd)[column] += step;
            arne_id(s->data, x.q, x.qd, x.qdd, f[p]);
        }
        for (int i = 0; i < s->n; i++) out[i * s->n + column] = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * h);
    }
}

static void id_derivatives_are_the_limits_of_differences(void **state)
{
    desk *k = *state;
    const char *const names[3] = {"did/dq", "did/dqd", "did/dqdd"};
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            const motion x = subject_motion(&s, 1 + setting % 2);
            double tau[N];
            arne_id(s.data, x.q, x.qd, x.qdd, tau);
            arne_id_derivatives(s.data, x.q, x.qd, x.qdd, k->a[0], k->a[1], k->a[2]);
            for (int g = 0; g < 3; g++) {
                difference(&s, &x, g, k->difference);
                expect_near(&s, names[g], s.n * s.n, k->a[g], k->difference, DIFFERENCES,
                            fmax(largest(s.n * s.n, k->a[g]), largest(s.n, tau)));
            }
        }
        subject_close(&s);
    }
}

/* M x + y for n x n matrices, which should be nothing; its size beside that of the products */
static void expect_cancels(const subject *s, const char *law, const double *M, const double *x, const double *y)
{
    const int n = s->n;
    double rest[N * N], nothing[N * N] = {0};
    for (int i = 0; i < n; i++)
        for (int c = 0; c < n; c++) {
            rest[i * n + c] = y[i * n + c];
            for (int l = 0; l < n; l++) rest[i * n + c] += M[i * n + l] * x[l * n + c];
        }
    expect_near(s, law, n * n, rest, nothing, CANCELS, largest(n * n, M) * largest(n * n, x) + largest(n * n, y));
}

/* id(q, qd, fd(q, qd, tau)) = tau, so M dfd/dx = -did/dx for x = q, qd, and M dfd/dtau = 1 */
static void fd_derivatives_follow_from_those_of_id(void **state)
{
    desk *k = *state;
    for (int number = 0; number < shipped_robots() + RANDOM_ROBOTS; number++) {
        subject s = subject_number(number, parts_of(number));
        for (int setting = 0; setting < SETTINGS; setting++) {
            set_up(&s, setting);
            const motion x = subject_motion(&s, 1 + setting % 2);
            double qdd[N];
            assert_int_equal(arne_fd(s.data, x.q, x.qd, x.qdd, qdd), ARNE_OK);
            assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, k->a[0], k->a[1], k->a[2]), ARNE_OK);
            arne_id_derivatives(s.data, x.q, x.qd, qdd, k->b[0], k->b[1], k->M);
            expect_cancels(&s, "M dfd/dq + did/dq = 0", k->M, k->a[0], k->b[0]);
            expect_cancels(&s, "M dfd/dqd + did/dqd = 0", k->M, k->a[1], k->b[1]);
            memset(k->b[2], 0, sizeof k->b[2]);
            for (int i = 0; i < s.n; i++) k->b[2][i * s.n + i] = -1;
            expect_cancels(&s, "M dfd/dtau = 1", k->M, k->a[2], k->b[2]);
        }
        subject_close(&s);
    }
}

static void what_is_not_wanted_may_be_null(void **state)
{
    desk *k = *state;
    subject s = subject_number(1, 0);
    const motion x = subject_motion(&s, 1);
    arne_id_derivatives(s.data, x.q, x.qd, x.qdd, k->a[0], k->a[1], k->a[2]);
    arne_id_derivatives(s.data, x.q, x.qd, x.qdd, NULL, k->b[1], NULL);
    expect_bits(&s, "did/dqd alone", s.n * s.n, k->b[1], k->a[1]);
    arne_id_derivatives(s.data, x.q, x.qd, x.qdd, NULL, NULL, NULL);
    assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, k->a[0], k->a[1], k->a[2]), ARNE_OK);
    assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, NULL, NULL, k->b[2]), ARNE_OK);
    expect_bits(&s, "dfd/dtau alone", s.n * s.n, k->b[2], k->a[2]);
    subject_close(&s);
}

/* two joints on one axis, the first link without inertia */
static void a_singular_robot_has_derivatives_of_zero(void **state)
{
    desk *k = *state;
    arne_description *d = arne_description_new("singular");
    assert_non_null(d);
    for (int i = 0; i < 3; i++) assert_non_null(arne_description_link(d, (const char *const[]){"l0", "l1", "l2"}[i], 0));
    d->links[2].body = (arne_body){1, {0.1, 0, 0}, {0.01, 0, 0, 0.01, 0, 0.01}};
    assert_non_null(arne_description_joint(d, "j1", 0, ARNE_REVOLUTE, "l0", "l1"));
    assert_non_null(arne_description_joint(d, "j2", 0, ARNE_REVOLUTE, "l1", "l2"));
    subject s = subject_of(d);
    const motion x = subject_motion(&s, 1);
    double qdd[N];
    assert_int_equal(arne_fd(s.data, x.q, x.qd, x.qdd, qdd), ARNE_SINGULAR);
    const int joint = arne_data_joint(s.data);
    assert_in_range(joint, 0, 1);
    for (int g = 0; g < 3; g++) k->a[g][0] = k->a[g][3] = 7;
    assert_int_equal(arne_fd_derivatives(s.data, x.q, x.qd, x.qdd, k->a[0], k->a[1], k->a[2]), ARNE_SINGULAR);
    assert_int_equal(arne_data_joint(s.data), joint);
    for (int g = 0; g < 3; g++) assert_true(largest(4, k->a[g]) == 0);
    subject_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_widths_give_equal_gradients),
        cmocka_unit_test(id_derivatives_are_the_limits_of_differences),
        cmocka_unit_test(fd_derivatives_follow_from_those_of_id),
        cmocka_unit_test(what_is_not_wanted_may_be_null),
        cmocka_unit_test(a_singular_robot_has_derivatives_of_zero),
    };
    return cmocka_run_group_tests(tests, make_desk, clear_desk);
}
