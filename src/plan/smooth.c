/* SPDX-License-Identifier: MIT
 *
 * smooth.c - timings whose jerk and torque rates are limited too. Along the path, with x = s'^2, u = s'' and u' = du/ds
 *     jerk of the joints = s' (q_sss x + 3 q_ss u + q_s u'),     torque rate = s' (a u' + (a_s + 2 b) u + b_s x + c_s)
 * so that these limits are bounds, linear in x(s) and its derivatives, by limit/sqrt(x): not convex, but near any timing they are
 * within convex ones [Debrouwere 2013 in doc/references.md]. x = w(s) y(s), y a quadratic spline, w ~ s^(4/3) at an end at rest,
 * as at a constant jerk. An interior point method: from a motion slow enough for all limits it goes to a fast one, within all of
 * them at all times, by Newton's method on tau time - sum of the logarithms of what is left of the limits,   tau growing.
 * Derivation: doc/plan.md. */
#include <math.h>
#include <string.h>

#include "plan/search.h"

enum { COARSE = 150, PER_PIECE = 8, FINEST = 1 << 18, TRIES = 12, NEWTONS = 40, HALVINGS = 40, SPOT_VECTORS = 9, GAUSS = 5 };
static const double SETTLED = 3e-3;        /* part of the time that finer grids change */
static const double GAP = 5e-4;            /* part of the time that is given up for the logarithms */
static const double SIDES[2] = {0.1, 0.9}; /* of every interval: where limits are kept */

typedef double row[3]; /* of the three coefficients of an interval */

/* A place where limits are kept. */
typedef struct {
    int interval;
    row x, u, j;                                        /* x, u, u' from the coefficients */
    double weight;                                      /* of its 1/s' in the time */
    double fastest;                                     /* s' by velocity limits */
    double *q1, *q2, *q3, *a, *b, *c, *a_s, *b_s, *c_s; /* dof each */
} spot;

typedef struct {
    search *j;
    int spots, count; /* coefficients */
    spot *spot;
    double ends[2]; /* lengths over which w grows at the ends */
    double *c, *trial, *g, *step, (*H)[3];
    double *friction, *low, *top; /* dof: at a speed that is a little larger */
    long slacks;
} smooth;

/* ---- limits ---- */

static double jerk_limit(const search *j, int k) { return arne__smooth_jerk(j->t->m, j->wish, k); }
static double rate_limit(const search *j, int k) { return arne__smooth_rate(j->t->m, j->wish, k); }

bool arne__smooth_wanted(const arne_model *m, const timing_wish *wish)
{
    bool some = isfinite(wish->jerk) || isfinite(wish->effort_rate);
    for (int k = 0; k < m->n; k++)
        some = some || isfinite(given_limit(m->joint[k].limits.jerk)) || isfinite(given_limit(m->joint[k].limits.effort_rate));
    return some && wish->smooth;
}

/* ---- places ---- */

/* w and its first two derivatives */
static void weight(const smooth *k, double s, double w[3])
{
    const timing *t = k->j->t;
    double part[2][3];
    for (int end = 0; end < 2; end++) { /* (z/(z + l))^(4/3) of the distance z from the end */
        const double l = k->ends[end], z = end ? t->s[t->intervals] - s : s, r = z / (z + l), r1 = l / ((z + l) * (z + l));
        const double root = cbrt(r), r2 = -2 * r1 / (z + l);
        part[end][0] = r * root;
        part[end][1] = 4.0 / 3 * root * r1 * (end ? -1 : 1);
        part[end][2] = 4.0 / 9 / (root * root) * r1 * r1 + 4.0 / 3 * root * r2;
    }
    w[0] = part[0][0] * part[1][0];
    w[1] = part[0][1] * part[1][0] + part[0][0] * part[1][1];
    w[2] = part[0][2] * part[1][0] + 2 * part[0][1] * part[1][1] + part[0][0] * part[1][2];
}

/* x, u, u' at the part z of interval i as rows of its three coefficients. */
static void rows_at(const smooth *k, int i, double z, row x, row u, row j)
{
    const timing *t = k->j->t;
    const double h = t->s[i + 1] - t->s[i], before = i > 0 ? t->s[i] - t->s[i - 1] : 0;
    const double after = i + 1 < t->intervals ? t->s[i + 2] - t->s[i + 1] : 0;
    /* y and y' at the start of the interval, y'' in it */
    const row start = {h / (before + h), before / (before + h), 0};
    const row slope = {-2 / (before + h), 2 / (before + h), 0}, end = {0, -2 / (h + after), 2 / (h + after)};
    double w[3];
    weight(k, t->s[i] + z * h, w);
    for (int a = 0; a < 3; a++) {
        const double y2 = (end[a] - slope[a]) / h, y1 = slope[a] + y2 * z * h, y = start[a] + z * h * (slope[a] + y2 * z * h / 2);
        x[a] = w[0] * y;
        u[a] = (w[1] * y + w[0] * y1) / 2;
        j[a] = (w[2] * y + 2 * w[1] * y1 + w[0] * y2) / 2;
    }
}

static double times(const row r, const double *c) { return r[0] * c[0] + r[1] * c[1] + r[2] * c[2]; }

static void lay_spots(smooth *k)
{
    search *j = k->j;
    const timing *t = j->t;
    const int n = t->m->n;
    for (int i = 0; i < t->intervals; i++) {
        const double h = t->s[i + 1] - t->s[i];
        spot *pair = k->spot + 2 * i;
        for (int side = 0; side < 2; side++) {
            spot *p = &pair[side];
            p->interval = i;
            p->weight = h / 2;
            rows_at(k, i, SIDES[side], p->x, p->u, p->j);
            const int piece = t->piece[i];
            arne__path_at(&t->path, piece, path_part(&t->path, piece, t->s[i] + SIDES[side] * h), j->q, p->q1, p->q2);
            arne__path_third(&t->path, piece, p->q3);
            arne__search_line(j, p->q1, p->a, p->c);
            arne__search_bend(j, p->q2, p->b);
            p->fastest = arne__search_fastest(j, p->q1, 1);
        }
        for (int side = 0; side < 2; side++)
            for (int a = 0; a < n; a++) {
                const double ds = (SIDES[1] - SIDES[0]) * h;
                pair[side].a_s[a] = (pair[1].a[a] - pair[0].a[a]) / ds;
                pair[side].b_s[a] = (pair[1].b[a] - pair[0].b[a]) / ds;
                pair[side].c_s[a] = (pair[1].c[a] - pair[0].c[a]) / ds;
            }
    }
}

/* ---- the function that is made small ---- */

typedef struct {
    bool inside, derive;
    double value, g[3], H[6]; /* by x, u, u'; H: xx xu xj uu uj jj */
    long slacks;
} barrier;

/* What is left of a limit, and its gradient. */
static void keep(barrier *b, double left, double x, double u, double j)
{
    if (!(left > 0)) b->inside = false;
    if (!b->inside || isinf(left)) return;
    b->value -= log(left);
    b->slacks++;
    if (!b->derive) return;
    x /= left, u /= left, j /= left;
    b->g[0] -= x, b->g[1] -= u, b->g[2] -= j;
    b->H[0] += x * x, b->H[1] += x * u, b->H[2] += x * j, b->H[3] += u * u, b->H[4] += u * j, b->H[5] += j * j;
}

/* |known + px x + pu u + pj u'| <= limit/sqrt(x) */
static void keep_rate(barrier *b, const double at[3], double known, double px, double pu, double pj, double limit)
{
    const double is = known + px * at[0] + pu * at[1] + pj * at[2], most = limit / sqrt(at[0]), slope = -most / (2 * at[0]);
    keep(b, most - is, slope - px, -pu, -pj);
    keep(b, most + is, slope + px, pu, pj);
}

/* Torques: friction and limits change with the speed, x by `more`. */
static void keep_torques(smooth *k, const spot *p, const double at[3], barrier *b)
{
    search *j = k->j;
    const int n = j->t->m->n;
    const double margin = j->margin[p->interval], more = 1e-4 * at[0], speed = fmax(sqrt(at[0]), CREEP);
    const bool changes = j->speed_matters && b->derive;
    if (changes) {
        arne__search_rub(j, p->q1, sqrt(speed * speed + more));
        memcpy(k->friction, j->friction, (size_t)n * sizeof *k->friction);
        memcpy(k->low, j->low, (size_t)n * sizeof *k->low);
        memcpy(k->top, j->top, (size_t)n * sizeof *k->top);
    }
    if (j->speed_matters) arne__search_rub(j, p->q1, speed);
    for (int i = 0; i < n && b->inside; i++) {
        const double load = p->c[i] + j->friction[i], t = p->a[i] * at[1] + p->b[i] * at[0] + load;
        const double top = arne__search_less(j->top[i], load, margin), low = arne__search_less(j->low[i], load, margin);
        double up = 0, down = 0; /* change of what is left, by x */
        if (changes) {
            const double then = p->c[i] + k->friction[i];
            up = (arne__search_less(k->top[i], then, margin) - then - (top - load)) / more;
            down = (arne__search_less(k->low[i], then, margin) - then - (low - load)) / more;
        }
        keep(b, top - t, up - p->b[i], -p->a[i], 0);
        keep(b, t - low, p->b[i] - down, p->a[i], 0);
    }
}

static void keep_all(smooth *k, const spot *p, const double at[3], barrier *b)
{
    const search *j = k->j;
    const arne_model *m = j->t->m;
    const double margin = j->margin[p->interval], fastest = margin * p->fastest;
    keep(b, fastest * fastest - at[0], -1, 0, 0);
    for (int i = 0; i < m->n && b->inside; i++) {
        const double most = margin * given_limit(m->joint[i].limits.acceleration), qdd = p->q1[i] * at[1] + p->q2[i] * at[0];
        keep(b, most - qdd, -p->q2[i], -p->q1[i], 0);
        keep(b, most + qdd, p->q2[i], p->q1[i], 0);
        const double jerk = margin * jerk_limit(j, i), rate = margin * rate_limit(j, i);
        if (isfinite(jerk)) keep_rate(b, at, 0, p->q3[i], 3 * p->q2[i], p->q1[i], jerk);
        if (isfinite(rate)) keep_rate(b, at, p->c_s[i], p->b_s[i], p->a_s[i] + 2 * p->b[i], p->a[i], rate);
    }
    if (b->inside) keep_torques(k, p, at, b);
}

/* Adds what a place gives to the gradient and to the matrix of the coefficients. */
static void spread(smooth *k, const spot *p, const barrier *b)
{
    const double *H = b->H, full[3][3] = {{H[0], H[1], H[2]}, {H[1], H[3], H[4]}, {H[2], H[4], H[5]}};
    const double *rows[3] = {p->x, p->u, p->j};
    double half[3][3] = {{0}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int l = 0; l < 3; l++) half[r][c] += full[r][l] * rows[l][c];
    for (int r = 0; r < 3; r++) {
        for (int l = 0; l < 3; l++) k->g[p->interval + r] += rows[l][r] * b->g[l];
        for (int c = 0; c <= r; c++)
            for (int l = 0; l < 3; l++) k->H[p->interval + r][r - c] += rows[l][r] * half[l][c];
    }
}

/* INFINITY: a limit is not kept. *time: what it takes, roughly. */
static double evaluate(smooth *k, const double *c, double tau, bool derive, double *time)
{
    double value = 0;
    *time = 0;
    k->slacks = k->count;
    if (derive) memset(k->g, 0, (size_t)k->count * sizeof *k->g), memset(k->H, 0, (size_t)k->count * sizeof *k->H);
    for (int i = 0; i < k->count; i++) { /* a spline is positive where its coefficients are */
        if (!(c[i] > 0)) return INFINITY;
        value -= log(c[i]);
        if (derive) k->g[i] -= 1 / c[i], k->H[i][0] += 1 / (c[i] * c[i]);
    }
    for (int i = 0; i < k->spots; i++) {
        const spot *p = &k->spot[i];
        const double at[3] = {times(p->x, c + p->interval), times(p->u, c + p->interval), times(p->j, c + p->interval)};
        barrier b = {.inside = true, .derive = derive};
        keep_all(k, p, at, &b);
        if (!b.inside) return INFINITY;
        const double slow = p->weight / sqrt(at[0]);
        *time += slow;
        k->slacks += b.slacks;
        value += tau * slow + b.value;
        if (!derive) continue;
        b.g[0] -= tau * slow / (2 * at[0]);
        b.H[0] += tau * 0.75 * slow / (at[0] * at[0]);
        spread(k, p, &b);
    }
    return value;
}

/* Solves H step = -g, H positive with two diagonals below its own: L D L'. Returns -g.step. */
static double newton(smooth *k)
{
    double down = 0;
    for (int i = 0; i < k->count; i++) {
        double *L = k->H[i];
        L[0] *= 1 + 1e-12;
        if (i > 1) L[1] -= L[2] * k->H[i - 1][1]; /* of L D; H[i-1][1] is of L */
        if (i > 1) L[2] /= k->H[i - 2][0], L[0] -= L[2] * L[2] * k->H[i - 2][0];
        if (i > 0) L[1] /= k->H[i - 1][0], L[0] -= L[1] * L[1] * k->H[i - 1][0];
        k->step[i] = -k->g[i] - (i > 0 ? L[1] * k->step[i - 1] : 0) - (i > 1 ? L[2] * k->step[i - 2] : 0);
    }
    for (int i = k->count - 1; i >= 0; i--) {
        k->step[i] /= k->H[i][0];
        if (i + 1 < k->count) k->step[i] -= k->H[i + 1][1] * k->step[i + 1];
        if (i + 2 < k->count) k->step[i] -= k->H[i + 2][2] * k->step[i + 2];
        down -= k->g[i] * k->step[i];
    }
    return down;
}

/* From coefficients within all limits to the fastest ones. */
static void descend(smooth *k, double first)
{
    double time;
    evaluate(k, k->c, 1, false, &time);
    const double slacks = (double)k->slacks;
    for (double tau = first * slacks / time;; tau *= 6) {
        for (int i = 0; i < NEWTONS; i++) {
            const double value = evaluate(k, k->c, tau, true, &time), down = newton(k);
            if (!(down > 1e-5 * slacks)) break;
            double part = 1, trial_time;
            int halvings = 0;
            for (; halvings < HALVINGS; halvings++, part /= 2) {
                for (int a = 0; a < k->count; a++) k->trial[a] = k->c[a] + part * k->step[a];
                if (evaluate(k, k->trial, tau, false, &trial_time) <= value - 0.05 * part * down) break;
            }
            if (halvings == HALVINGS) break;
            memcpy(k->c, k->trial, (size_t)k->count * sizeof *k->c);
        }
        if (slacks / tau < GAP * time) return;
    }
}

/* ---- the timing ---- */

static const double GAUSS_AT[GAUSS] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
static const double GAUSS_WEIGHT[GAUSS] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                           0.118463442528095};

/* States at the grid points; time is integrated in z with s = z^3 from an end at rest, where s' ~ z^2. */
static void take_timing(smooth *k)
{
    timing *t = k->j->t;
    row x, u, j;
    for (int i = 0; i <= t->intervals; i++) {
        const bool last = i == t->intervals;
        const double *c = k->c + (last ? i - 1 : i);
        const bool rests = i == 0 || last;
        if (!rests) rows_at(k, i, 0, x, u, j);
        t->x[i] = rests ? 0 : times(x, c);
        t->u[i] = rests ? 0 : times(u, c);
        if (last) break;
        const double h = t->s[i + 1] - t->s[i];
        double time = 0;
        for (int a = 0; a < GAUSS; a++) {
            const double z = GAUSS_AT[a], y = 1 - z, first = i == 0, back = i == t->intervals - 1;
            const double part = first != 0 ? z * z * z : back != 0 ? 1 - y * y * y : z;
            const double slope = first != 0 ? 3 * z * z : back != 0 ? 3 * y * y : 1;
            rows_at(k, i, part, x, u, j);
            time += GAUSS_WEIGHT[a] * h * slope / sqrt(times(x, c));
        }
        t->time[i + 1] = t->time[i] + time;
    }
    arne__search_stretch(t, 1);
}

/* Jerks and torque rates beside their limits, at the samples and at places of every interval; what is over is noted. Friction is
 * no part of the rates: it jumps where a joint starts, stops or turns back. */
static double measure(smooth *k)
{
    search *j = k->j;
    const timing *t = j->t;
    const int n = t->m->n;
    double most = 0, *before = k->low;
    for (int i = 0; i < t->intervals; i++)
        for (int part = 0; part <= 4; part++) {
            arne__timing_jerk(t, i, t->time[i] + (t->time[i + 1] - t->time[i]) * part / 4, j->qd, j->qdd, j->tau);
            for (int a = 0; a < n; a++) {
                const double over = fabs(j->tau[a]) / jerk_limit(j, a);
                most = fmax(most, over);
                arne__search_note(j, i, i, over);
            }
        }
    const long cycles = lround(arne__timing_duration(t) / t->dt);
    int from = 0;
    for (long s = 0; s <= cycles; s++) {
        const double time = (double)s * t->dt;
        arne__timing_at(t, time, j->q, j->qd, j->qdd);
        const int to = arne__timing_interval(t, time / t->stretch);
        arne_id(j->d, j->q, j->qd, j->qdd, j->tau);
        arne_friction_torque(j->d, j->qd, j->friction);
        for (int a = 0; a < n; a++) j->tau[a] -= j->friction[a];
        arne__limits_torques_to_motors(t->m, j->tau, j->next_q);
        for (int a = 0; a < n && s > 0; a++) {
            const double over = fabs(j->next_q[a] - before[a]) / t->dt / rate_limit(j, a);
            most = fmax(most, over);
            arne__search_note(j, from, to, over);
        }
        memcpy(before, j->next_q, (size_t)n * sizeof *before);
        from = to;
    }
    return most;
}

static bool smooth_open(smooth *k, arena *a)
{
    const timing *t = k->j->t;
    const size_t n = (size_t)t->m->n, spots = 2 * (size_t)t->intervals, count = (size_t)t->intervals + 2;
    k->spots = (int)spots, k->count = (int)count;
    k->spot = arne__arena_take(a, spots, sizeof *k->spot);
    k->H = arne__arena_take(a, count, sizeof *k->H);
    double *v = arne__arena_take(a, spots * SPOT_VECTORS * n + 4 * count + 3 * n, sizeof *v);
    if (!k->spot || !k->H || !v) return false;
    for (spot *p = k->spot; p < k->spot + spots; p++) {
        double **const vectors[SPOT_VECTORS] = {&p->q1, &p->q2, &p->q3, &p->a, &p->b, &p->c, &p->a_s, &p->b_s, &p->c_s};
        for (int i = 0; i < SPOT_VECTORS; i++, v += n) *vectors[i] = v;
    }
    double **const of_count[] = {&k->c, &k->trial, &k->g, &k->step}, **const of_joints[] = {&k->friction, &k->low, &k->top};
    for (int i = 0; i < 4; i++, v += count) *of_count[i] = v;
    for (int i = 0; i < 3; i++, v += n) *of_joints[i] = v;
    return true;
}

/* Slows the coefficients until they keep all limits; false: at no speed. */
static bool enter(smooth *k, double slower)
{
    double time;
    arne__search_rub(k->j, k->spot[0].q1, 0); /* for good where speed does not matter */
    for (int tries = 0; tries < 200; tries++, slower = 0.5) {
        for (int i = 0; i < k->count; i++) k->c[i] *= slower;
        if (isfinite(evaluate(k, k->c, 1, false, &time))) return true;
    }
    return false;
}

static arne_status no_way(search *j, arne_error *error)
{
    for (int i = 0; i <= j->t->intervals; i++) {
        const arne_status status = arne__search_rest(j, i, error);
        if (status) return status;
    }
    return UNSUPPORTED(error, "the robot cannot follow this path slowly, which limits of jerk and torque rate ask for");
}

static double measure_all(smooth *k)
{
    const double most = arne__search_measure(k->j, 1);
    return fmax(most, measure(k));
}

static arne_status tighten(smooth *k, arne_error *error)
{
    for (int i = 0; i < TRIES; i++) {
        if (measure_all(k) <= 1 + ROUNDING) return ARNE_OK;
        arne__search_tighten(k->j, i);
        if (!enter(k, 0.95)) return no_way(k->j, error);
        descend(k, 20);
        take_timing(k);
    }
    for (double slower = 1; slower < 2; slower *= 1.002) {
        arne__search_stretch(k->j->t, slower);
        if (measure_all(k) <= 1 + ROUNDING) return ARNE_OK;
    }
    return UNSUPPORTED(error, "the samples are too far apart to keep limits of jerk and torque rate; give more of them");
}

/* One grid, as in timing.c. */
static arne_status try_grid(timing *t, arne_data *d, const timing_wish *wish, double *time, bool *done, arne_error *error)
{
    search j = {.t = t, .wish = wish, .d = d};
    smooth k = {.j = &j};
    arena *memory = arne__arena_new();
    arne_status status = arne__search_open(&j, memory) && smooth_open(&k, memory) ? ARNE_OK : NO_MEMORY(error);
    if (!status && !arne__search_fill(&j)) status = BAD_VALUE(error, "the torques along the path are not finite");
    if (!status) {
        const int tenth = t->intervals > 20 ? t->intervals / 20 : 1;
        k.ends[0] = t->s[tenth], k.ends[1] = t->s[t->intervals] - t->s[t->intervals - tenth];
        for (int i = 0; i < t->intervals; i++) j.margin[i] = 1;
        lay_spots(&k);
        for (int i = 0; i < k.count; i++) k.c[i] = pow(wish->fastest, 2);
        status = enter(&k, 1) ? ARNE_OK : no_way(&j, error);
    }
    if (!status) {
        const double before = *time;
        descend(&k, 0.1);
        take_timing(&k);
        *time = t->time[t->intervals];
        if (wish->progress) wish->progress(wish->context, t->intervals, *time);
        *done = t->intervals >= FINEST || fabs(*time - before) <= SETTLED * *time;
        if (!(*time <= wish->longest))
            status =
                UNSUPPORTED(error, "the motion takes more than %g s, the longest at this interval of samples", wish->longest);
        else if (*done)
            status = tighten(&k, error);
    }
    arne__arena_free(memory);
    return status;
}

arne_status arne__smooth_find(timing *t, arena *a, arne_data *d, const timing_wish *wish, arne_error *error)
{
    if (wish->start != 0 || wish->end != 0)
        return UNSUPPORTED(error, "with limits of jerk or torque rate a motion starts and ends at rest");
    double time = NAN;
    for (int intervals = COARSE + PER_PIECE * (t->path.count - 1);; intervals *= 2) {
        bool done = false;
        if (!arne__timing_regrid(t, a, intervals)) return NO_MEMORY(error);
        t->u = arne__arena_take(a, (size_t)t->intervals + 1, sizeof *t->u);
        const arne_status status = t->u ? try_grid(t, d, wish, &time, &done, error) : NO_MEMORY(error);
        if (status || done) return status;
    }
}
