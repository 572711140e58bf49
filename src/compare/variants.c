/* SPDX-License-Identifier: MIT
 *
 * variants.c - the 16 variants of NE* on one robot: which of them factor the Coriolis terms with Mdot = C + C'? */
#include <math.h>
#include <stdlib.h>

#include "arne/compare.h"
#include "arne/coriolis.h"
#include "arne/derive.h"
#include "base/random.h"

enum { VARIANTS = ARNE_VARIANTS, STATES = ARNE_VARIANTS_STATES };

/* A law that holds is off by rounding only, one that does not by percents. */
static const double VALID = 1e-9;

typedef struct {
    arne_data *data;
    int n;
    random_source random;
    double *memory, *q, *qd, *unit, *zero, *column, *c; /* n */
    double *C, *rate;                                   /* n x n */
    double skew[VARIANTS], product[VARIANTS];           /* largest violations of Mdot = C + C' and C qd = c */
    double size, vector;                                /* largest |Mdot|, or |M||qd| where that is nothing; largest |c| */
} study;

/* Mdot column by column; its size, and that of M qd */
static void mass_rate(study *s, double *rate, double *momentum)
{
    const int n = s->n;
    arne_mass(s->data, s->q, s->C);
    for (int k = 0; k < n; k++) {
        s->unit[k] = 1;
        arne_mass_rate_product(s->data, s->q, s->qd, s->unit, s->column);
        s->unit[k] = 0;
        for (int i = 0; i < n; i++) {
            s->rate[i * n + k] = s->column[i];
            *rate = fmax(*rate, fabs(s->column[i]));
            *momentum = fmax(*momentum, fabs(s->C[i * n + k] * s->qd[k]));
        }
    }
}

static void try_variant(study *s, int variant)
{
    const int n = s->n;
    for (int k = 0; k < n; k++) {
        /* [000 eq. 24], gravity switched off [ERRATA part one 1.1] */
        s->unit[k] = 1;
        arne_star_variant(s->data, variant, s->q, s->qd, s->unit, s->zero, s->column);
        s->unit[k] = 0;
        for (int i = 0; i < n; i++) s->C[i * n + k] = s->column[i];
    }
    for (int i = 0; i < n; i++) {
        double Cqd = 0;
        for (int k = 0; k < n; k++) {
            Cqd += s->C[i * n + k] * s->qd[k];
            /* [000 eq. 22] for every pair */
            s->skew[variant] = fmax(s->skew[variant], fabs(s->rate[i * n + k] - s->C[i * n + k] - s->C[k * n + i]));
        }
        s->product[variant] = fmax(s->product[variant], fabs(Cqd - s->c[i]));
    }
}

static void run_study(study *s)
{
    const double none[3] = {0};
    double rate = 0, momentum = 0, speed = 0;
    arne_set_gravity(arne_data_settings(s->data), none);
    for (int state = 0; state < STATES; state++) {
        for (int i = 0; i < s->n; i++) {
            s->q[i] = 3 * arne__random_signed(&s->random);
            s->qd[i] = 2 * arne__random_signed(&s->random);
            speed = fmax(speed, fabs(s->qd[i]));
        }
        arne_coriolis_vector(s->data, s->q, s->qd, s->c);
        for (int i = 0; i < s->n; i++) s->vector = fmax(s->vector, fabs(s->c[i]));
        mass_rate(s, &rate, &momentum);
        for (int variant = 0; variant < VARIANTS; variant++) try_variant(s, variant);
    }
    /* where the inertia matrix is constant there is nothing to be relative to but its own size */
    s->size = rate > VALID * momentum ? rate : momentum;
    s->vector = s->vector > VALID * momentum * speed ? s->vector : momentum * speed;
    for (int variant = 0; variant < VARIANTS; variant++) {
        if (s->size > 0) s->skew[variant] /= s->size;
        if (s->vector > 0) s->product[variant] /= s->vector;
    }
}

static bool prepare(study *s)
{
    const size_t n = (size_t)s->n;
    double *v = s->memory = calloc(6 * n + 2 * n * n + 1, sizeof *v);
    if (!v || arne_data_prepare(s->data, ARNE_DERIVATIVES | ARNE_FORMS, NULL)) return false;
    double **const vectors[] = {&s->q, &s->qd, &s->unit, &s->zero, &s->column, &s->c};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, v += n) *vectors[k] = v;
    s->C = v;
    s->rate = v + n * n;
    return true;
}

arne_status arne_compare_variants(arne_data *d, arne_variant_result results[ARNE_VARIANTS], arne_error *error)
{
    const arne_model *m = arne_data_model(d);
    if (arne_model_nq(m) != arne_model_nv(m))
        return arne_fail(
            error, ARNE_UNSUPPORTED, NULL, 0,
            "the variants of [000 section IV] have one axis a joint, which the link before it carries: they are for robots "
            "whose joints have one freedom each");
    study s = {.data = d, .n = arne_model_dof(m), .random = {.state = 1}};
    if (s.n > ARNE_VARIANTS_MOST_JOINTS)
        return arne_fail(error, ARNE_UNSUPPORTED, NULL, 0, "the robot has %d joints; variants compares robots of up to %d", s.n,
                         ARNE_VARIANTS_MOST_JOINTS);
    const bool ok = prepare(&s);
    if (ok) run_study(&s);
    for (int k = 0; k < VARIANTS && ok; k++)
        results[k] = (arne_variant_result){s.skew[k], s.product[k], s.skew[k] <= VALID && s.product[k] <= VALID};
    free(s.memory);
    return ok ? ARNE_OK : arne_fail(error, ARNE_NO_MEMORY, NULL, 0, "out of memory");
}
