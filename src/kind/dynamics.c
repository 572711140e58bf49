/* SPDX-License-Identifier: MIT
 *
 * dynamics.c - the public functions in double precision: a thread's data, and a door to each text. */
#include "arne/dynamics.h"
#include "arne/regressor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algo/joint.h"
#include "algo/texts.h"
#include "kind/f64_texts.h"
#include "kind/kinds.h"
#include "kind/symbolic.h"

#define TEXT_PLAIN(f) arne__text_##f,
#define TEXT_WIDE(f) arne__text_##f##_wide,
#define TEXT_DECLARE(f) extern __typeof__(arne__text_##f) arne__text_##f##_wide;
F64_TEXTS(TEXT_DECLARE)
static const f64_texts plain_texts = {F64_TEXTS(TEXT_PLAIN)}, wide_texts = {F64_TEXTS(TEXT_WIDE)};

struct arne_data {
    const arne_model *model;
    const f64_texts *text;
    robot robot;
    work work;
    turn_table turns;
    link *link;
    base_frame *base;
    arne_body *payload; /* per named link, mass 0: none */
};

enum { DATA_ALIGN = 64 };

static size_t aligned(size_t bytes) { return (bytes + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN; }

size_t arne_data_bytes(const arne_model *m)
{
    work k;
    return aligned(sizeof(arne_data)) + aligned((size_t)m->n * sizeof(link)) + aligned((size_t)m->nbase * sizeof(base_frame)) +
           aligned((size_t)m->nlink * sizeof(arne_body)) + arne__text_work(m->n, NULL, &k);
}

arne_data *arne_data_init(const arne_model *m, void *memory)
{
    char *at = memory;
    arne_data *d = memory;
    memset(d, 0, sizeof *d);
    at += aligned(sizeof *d);
    d->model = m;
    d->link = memcpy(at, m->link, (size_t)m->n * sizeof(link));
    at += aligned((size_t)m->n * sizeof(link));
    d->base = memcpy(at, m->base, (size_t)m->nbase * sizeof(base_frame));
    at += aligned((size_t)m->nbase * sizeof(base_frame));
    d->payload = memset(at, 0, (size_t)m->nlink * sizeof(arne_body));
    at += aligned((size_t)m->nlink * sizeof(arne_body));
    arne__text_work(m->n, at, &d->work);
    const int lanes = arne__machine_lanes();
    d->text = lanes == 8 ? &wide_texts : &plain_texts;
    d->turns = m->turns;
    d->turns.f64 = lanes == 8 ? arne__turns_f64x8 : lanes == 4 ? arne__turns_f64x4 : arne__turns_f64x2;
    d->robot = (robot){.n = m->n,
                       .link = d->link,
                       .base = d->base,
                       .frame = m->frame,
                       .friction = 1,
                       .rotors = 1,
                       .drive = m->drive,
                       .rotor = m->rotor,
                       .motor_fv = m->motor_fv,
                       .motor_fc = m->motor_fc,
                       .chain = m->chain,
                       .turns = &d->turns};
    arne_set_gravity(d, m->gravity);
    return d;
}

arne_data *arne_data_new(const arne_model *m)
{
    void *memory = aligned_alloc(DATA_ALIGN, aligned(arne_data_bytes(m)));
    return memory ? arne_data_init(m, memory) : NULL;
}

void arne_data_free(arne_data *d) { free(d); }
const arne_model *arne_data_model(const arne_data *d) { return d->model; }
const robot *arne__data_robot(const arne_data *d) { return &d->robot; }
const work *arne__data_work(const arne_data *d) { return &d->work; }
const f64_texts *arne__data_text(const arne_data *d) { return d->text; }

const double (*arne__data_link_points(const arne_data *d, int i))[2] { return d->link[i].point; }
const double *arne__data_frame_constants(const arne_data *d, int k, int *body)
{
    *body = d->model->frame[k].body;
    return d->model->frame[k].R;
}
const double *arne__data_drive(const arne_data *d) { return d->robot.drive; }
const double *arne__data_motor_friction(const arne_data *d, int coulomb)
{
    return coulomb ? d->robot.motor_fc : d->robot.motor_fv;
}
const int *arne__data_link_integers(const arne_data *d, int i) { return &d->link[i].parent; }
const double *arne__data_link_constants(const arne_data *d, int i) { return &d->link[i].ca; }
const double *arne__data_base_constants(const arne_data *d, int k) { return d->base[k].R; }
const turn_table *arne__data_turns(const arne_data *d) { return &d->turns; }
bool arne__data_rotors(const arne_data *d) { return d->robot.rotors; }
const double *arne__data_gravity(const arne_data *d) { return d->robot.g; }
const double *arne__data_rotor_matrix(const arne_data *d) { return d->robot.rotor; }
const int *arne__data_chain(const arne_data *d) { return d->robot.chain; }

void arne_set_gravity(arne_data *d, const double g[3])
{
    memcpy(d->robot.g, g, sizeof d->robot.g);
    arne__base_gravity(d->base, d->model->nbase, g);
}

void arne_set_friction(arne_data *d, bool friction) { d->robot.friction = friction; }
void arne_set_rotors(arne_data *d, bool rotors) { d->robot.rotors = rotors; }

void arne_set_rigid(arne_data *d, bool rigid)
{
    arne_set_friction(d, !rigid);
    arne_set_rotors(d, !rigid);
}

void arne_set_link_side(arne_data *d)
{
    arne_set_rotors(d, false);
    for (int i = 0; i < d->model->n; i++) arne__link_law(&d->link[i], &d->model->joint[i].friction, NULL);
    d->robot.drive = d->robot.rotor = NULL;
}

void arne_set_payload(arne_data *d, int at, const arne_body *load)
{
    const arne_model *m = d->model;
    const int body = m->frame[at].body;
    d->payload[at] = load ? *load : (arne_body){0};
    if (body < 0) return;
    /* from the file's inertia again, so that loads come and go without a trace */
    const link *own = &m->link[body];
    origin_inertia sum = {.m = own->M};
    memcpy(sum.h, own->MS, sizeof sum.h);
    memcpy(sum.I, own->J, sizeof sum.I);
    for (int k = 0; k < m->nlink; k++) {
        if (m->frame[k].body != body || d->payload[k].mass == 0) continue;
        arne_pose pose;
        arne_body b;
        memcpy(pose.R, m->frame[k].R, sizeof pose.R);
        memcpy(pose.p, m->frame[k].p, sizeof pose.p);
        arne__body_transform(&pose, &d->payload[k], &b);
        const origin_inertia j = arne__body_about_origin(&b);
        sum.m += j.m;
        for (int c = 0; c < 3; c++) sum.h[c] += j.h[c];
        for (int c = 0; c < 6; c++) sum.I[c] += j.I[c];
    }
    arne__link_inertia(&d->link[body], &sum);
}

/* K in the order of regressor.h: XX XY XZ YY YZ ZZ MX MY MZ M IA */
void arne_set_parameters(arne_data *d, const double *K)
{
    for (int i = 0; i < d->robot.n; i++, K += 11) {
        const origin_inertia j = {K[9], {K[6], K[7], K[8]}, {K[0], K[1], K[2], K[3], K[4], K[5]}};
        arne__link_inertia(&d->link[i], &j);
        if (!d->robot.drive) d->link[i].Ia = K[10];
    }
}

void arne_set_wrenches(arne_data *d, const arne_wrench *w, int count)
{
    d->robot.wrench = w;
    d->robot.nwrench = w ? count : 0;
}

void arne_id(arne_data *d, const double *q, const double *qd, const double *qdd, double *tau)
{
    d->text->id(&d->robot, &d->work, q, qd, qdd, tau);
}
void arne_bias(arne_data *d, const double *q, const double *qd, double *h) { d->text->bias(&d->robot, &d->work, q, qd, h); }
void arne_gravity(arne_data *d, const double *q, double *g) { d->text->gravity(&d->robot, &d->work, q, g); }
void arne_coriolis_vector(arne_data *d, const double *q, const double *qd, double *c)
{
    d->text->coriolis(&d->robot, &d->work, q, qd, c);
}
void arne_friction_torque(arne_data *d, const double *qd, double *f)
{
    memset(f, 0, (size_t)d->robot.n * sizeof *f);
    d->text->friction(&d->robot, &d->work, qd, f, 1);
}
void arne_mass(arne_data *d, const double *q, double *M) { d->text->mass(&d->robot, &d->work, q, M); }
void arne_solve(arne_data *d, const double *LD, double *x) { d->text->solve(&d->robot, LD, x); }

/* A pivot is zero if it is rounding beside the numbers it came from. */
static const double SINGULAR = 1e-13;

/* M = L'DL in place; -1, or the outermost joint whose pivot is nothing beside scale (n) */
static int factor(const f64_texts *text, const robot *r, double *M, const double *scale)
{
    text->factor(r, M);
    for (int i = r->n - 1; i >= 0; i--)
        if (!(M[i * r->n + i] > SINGULAR * scale[i])) return i;
    return -1;
}

int arne_factor(arne_data *d, double *M)
{
    const int n = d->robot.n;
    for (int i = 0; i < n; i++) d->work.row[i] = fabs(M[i * n + i]);
    return factor(d->text, &d->robot, M, d->work.row);
}

static int fd_crba(const f64_texts *text, const robot *r, const work *k, const double *q, const double *qd, const double *tau,
                   double *qdd)
{
    const int n = r->n;
    double *M = k->matrix, *scale = k->row, *rest = k->column;
    text->mass(r, k, q, M);
    for (int i = 0; i < n; i++) {
        /* what moves with the joint: a point on the axis has its inertia in the other two directions */
        const sym3 *J = &k->link[i].crba.J;
        scale[i] = fabs(M[i * n + i]);
        if (r->link[i].joint == REVOLUTE) scale[i] = fmax(scale[i], J->xx + J->yy + J->zz);
    }
    const int singular = factor(text, r, M, scale);
    if (singular >= 0) {
        memset(qdd, 0, (size_t)n * sizeof *qdd);
        return singular;
    }
    text->bias(r, k, q, qd, rest);
    for (int i = 0; i < n; i++) rest[i] = tau[i] - rest[i];
    text->solve(r, M, rest);
    memcpy(qdd, rest, (size_t)n * sizeof *qdd);
    return -1;
}

/* Articulated inertias far apart, or none: the factorization, which knows where each pivot came from, must judge. */
bool arne__fd_doubtful(const double *H, int n, int stride)
{
    double least_H = INFINITY, most_H = 0;
    for (int i = 0; i < n; i++, H += stride) {
        if (!(*H >= least_H)) least_H = *H;
        if (*H > most_H) most_H = *H;
    }
    return !(least_H > 1e-9 * most_H);
}

static int fd(const f64_texts *text, const robot *r, const work *k, const double *q, const double *qd, const double *tau,
              double *qdd)
{
    if (r->drive) return fd_crba(text, r, k, q, qd, tau, qdd); /* coupled rotors are no part of one link */
    text->fd_aba(r, k, q, qd, tau, qdd);
    return arne__fd_doubtful(k->row, r->n, 1) ? fd_crba(text, r, k, q, qd, tau, qdd) : -1;
}

int arne_fd_crba(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    return fd_crba(d->text, &d->robot, &d->work, q, qd, tau, qdd);
}

int arne_fd(arne_data *d, const double *q, const double *qd, const double *tau, double *qdd)
{
    return fd(d->text, &d->robot, &d->work, q, qd, tau, qdd);
}

size_t arne__fd_bytes(int n)
{
    work k;
    return arne__text_work(n, NULL, &k);
}

int arne__fd_one(const robot *r, void *memory, const double *q, const double *qd, const double *tau, double *qdd)
{
    work k;
    arne__text_work(r->n, memory, &k);
    return fd(&plain_texts, r, &k, q, qd, tau, qdd);
}

void arne_momentum(arne_data *d, const double *q, const double *qd, double *p)
{
    d->text->momentum(&d->robot, &d->work, q, qd, p);
}
void arne_energy(arne_data *d, const double *q, const double *qd, double *kinetic, double *potential)
{
    d->text->energy(&d->robot, &d->work, q, qd, kinetic, potential);
}

void arne_link_pose(arne_data *d, const double *q, int at, arne_pose *pose)
{
    joint_turns(&d->robot, &d->work, q);
    d->text->pose(&d->robot, &d->work, q, at, pose->R, pose->p);
}

/* columns of `v` (6 x count) from link axes at the link origin into the frame asked for */
static void into_frame(arne_data *d, const double *q, int at, arne_frame frame, double *v, int count)
{
    if (frame == ARNE_LOCAL) return;
    double R[9], p[3];
    d->text->pose(&d->robot, &d->work, q, at, R, p);
    for (int c = 0; c < count; c++) {
        double u[6];
        for (int k = 0; k < 6; k++) u[k] = v[k * count + c];
        for (int k = 0; k < 3; k++) {
            v[k * count + c] = R[3 * k] * u[0] + R[3 * k + 1] * u[1] + R[3 * k + 2] * u[2];
            v[(k + 3) * count + c] = R[3 * k] * u[3] + R[3 * k + 1] * u[4] + R[3 * k + 2] * u[5];
        }
        if (frame == ARNE_ALIGNED) continue;
        /* of the point that passes the world origin: v - w x p */
        const double *w = v + 3 * count + c;
        const double w0 = w[0], w1 = w[count], w2 = w[2 * count];
        v[c] -= w1 * p[2] - w2 * p[1];
        v[count + c] -= w2 * p[0] - w0 * p[2];
        v[2 * count + c] -= w0 * p[1] - w1 * p[0];
    }
}

void arne_link_velocity(arne_data *d, const double *q, const double *qd, int at, arne_frame frame, double v[6])
{
    joint_turns(&d->robot, &d->work, q);
    d->text->velocity(&d->robot, &d->work, q, qd, at, v);
    into_frame(d, q, at, frame, v, 1);
}

void arne_link_jacobian(arne_data *d, const double *q, int at, arne_frame frame, double *J)
{
    joint_turns(&d->robot, &d->work, q);
    d->text->jacobian(&d->robot, &d->work, q, at, J);
    into_frame(d, q, at, frame, J, d->robot.n);
}

void arne_joint_wrenches(arne_data *d, const double *q, const double *qd, const double *qdd, double *w)
{
    const arne_model *m = d->model;
    d->text->id(&d->robot, &d->work, q, qd, qdd, d->work.row);
    for (int i = 0; i < m->n; i++, w += 6) {
        /* from the canonical frame to the frame of the link: origin at p, axes R */
        const named_frame *f = &m->frame[m->joint[i].link];
        const vec3 force = d->work.link[i].rne.f;
        const vec3 moment = v3_sub(d->work.link[i].rne.m, con3_cross(con3_at(f->p), force));
        const vec3 a = rot_back(f->R, force), b = rot_back(f->R, moment);
        w[0] = a.x, w[1] = a.y, w[2] = a.z;
        w[3] = b.x, w[4] = b.y, w[5] = b.z;
    }
}

/* tau_m = J' tau at the motors behind their gears [003 eq. 9.33], then through the gears */
void arne_motor_torques(arne_data *d, const double *tau, double *motor)
{
    const arne_model *m = d->model;
    const int n = m->n;
    for (int k = 0; k < n; k++) {
        double t = tau[k];
        if (m->transmission) {
            t = 0;
            for (int i = 0; i < n; i++) t += m->transmission[i * n + k] * tau[i];
        }
        d->work.row[k] = t / m->joint[k].motor.gear;
    }
    memcpy(motor, d->work.row, (size_t)n * sizeof *motor);
}
