/* SPDX-License-Identifier: MIT
 *
 * write_par.c - a description as a SYMORO+ .par file.
 *
 * The format knows modified-DH frames only. A robot given by them keeps them, fixed frames included; any other gets the canonical
 * frames, one per moving joint, with the links behind fixed joints merged. Where these keep a general translation (axes nearly
 * parallel) two frames are written: a fixed one without mass that carries the translation, and the moving one that turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "describe/body.h"
#include "describe/frames.h"
#include "describe/pose.h"
#include "file/write.h"

/* One column of the file; every number of it is a double, put_numbers takes them by their places. */
typedef struct {
    double ant;       /* 1 ... n, 0: base */
    double sigma, mu; /* 0 turns, 1 slides, 2 is fixed; has a motor */
    double dh[6];     /* gamma b alpha d theta r */
    origin_inertia inertia;
    double drive[3];  /* IA FV FS */
    double wrench[6]; /* zero */
    const char *name; /* of the joint, NULL: a frame of our own */
} column;

typedef struct {
    int n;
    column *columns;
} sheet;

static void add_inertia(origin_inertia *sum, const origin_inertia *j)
{
    sum->m += j->m;
    for (int i = 0; i < 3; i++) sum->h[i] += j->h[i];
    for (int k = 0; k < 6; k++) sum->I[k] += j->I[k];
}

/* Rotor inertia and motor friction as the joint feels them [003 eq. 9.29]. */
static column column_of(const arne_joint_description *j, int ant)
{
    static const int code[] = {[ARNE_REVOLUTE] = 0, [ARNE_PRISMATIC] = 1, [ARNE_FIXED] = 2};
    column c = {.ant = ant, .sigma = code[j->type], .mu = j->type != ARNE_FIXED, .name = j->name};
    if (j->type == ARNE_FIXED) return c;
    c.drive[0] = j->motor.inertia * j->motor.gear * j->motor.gear;
    c.drive[1] = j->friction.viscous + j->motor.viscous * j->motor.gear * j->motor.gear;
    c.drive[2] = j->friction.coulomb + j->motor.coulomb * fabs(j->motor.gear);
    return c;
}

/* Every link but the root is a frame of its own. `number` (nlink) receives the frame of each link. */
static void own_frames(const arne_description *d, const robot_tree *t, int *number, sheet *s)
{
    for (size_t k = 0; k < d->nlink; k++) {
        int link = t->link_order[k], joint = t->link_joint[link];
        number[link] = 0;
        if (joint < 0) continue;
        column c = column_of(&d->joints[joint], number[t->joint_parent[joint]]);
        memcpy(c.dh, d->joints[joint].dh, sizeof c.dh);
        c.inertia = arne__body_about_origin(&d->links[link].body);
        s->columns[s->n++] = c;
        number[link] = s->n;
    }
}

/* One or two frames per body. `number` (nbody) receives the frame of each body. */
static void canonical_frames(const arne_description *d, const robot_tree *t, const canonical_frame *frames, int *number, sheet *s)
{
    for (int b = 0; b < t->nbody; b++) {
        const canonical_frame *f = &frames[b];
        column c = column_of(&d->joints[t->body_joint[b]], t->body_parent[b] < 0 ? 0 : number[t->body_parent[b]]);
        double gamma = atan2(f->sg, f->cg), alpha = atan2(f->sa, f->ca), theta = atan2(f->st, f->ct);
        if (f->dh) {
            memcpy(c.dh, (double[6]){gamma, f->b, alpha, f->d, theta, f->r}, sizeof c.dh);
        } else {
            double way = atan2(f->p[1], f->p[0]); /* Rz(way) Trans(d,0,b) Rz(-way) */
            s->columns[s->n++] = (column){.ant = c.ant, .sigma = 2, .dh = {way, f->p[2], 0, hypot(f->p[0], f->p[1]), -way, 0}};
            c.ant = s->n;
            memcpy(c.dh, (double[6]){gamma, 0, alpha, 0, theta, 0}, sizeof c.dh);
        }
        arne_pose into_frame = arne__pose_inverse(&f->frame);
        for (size_t link = 0; link < d->nlink; link++) {
            if (t->link_body[link] != b) continue;
            arne_pose at = arne__pose_mul(&into_frame, &t->link_at[link]);
            arne_body body;
            arne__body_transform(&at, &d->links[link].body, &body);
            origin_inertia j = arne__body_about_origin(&body);
            add_inertia(&c.inertia, &j);
        }
        s->columns[s->n++] = c;
        number[b] = s->n;
    }
}

/* Names end up in comments, which end with an asterisk and a bracket; and one quote ends the robot's name. */
static void put_name(FILE *f, const char *name)
{
    for (; *name; name++) putc((unsigned char)*name < ' ' || strchr("*'\177", *name) ? '_' : *name, f);
}

/* Lists NAME = {...}: that of the k-th name has the k-th double from `offset` on of every column. */
static void put_numbers(FILE *f, const char *const *names, size_t count, const sheet *s, size_t offset)
{
    for (size_t k = 0; k < count; k++) {
        fprintf(f, "%s = {", names[k]);
        for (int i = 0; i < s->n; i++) {
            const char *at = (const char *)&s->columns[i] + offset + k * sizeof(double);
            fputs(i ? "," : "", f);
            arne__put_numbers(f, 1, (const double *)(const void *)at, "");
        }
        fputs("}\n", f);
    }
}

enum { GAMMA, B, ALPHA, D, THETA, R };

static const char *geometry(const column *c, int i, int which, char text[NUMBER_TEXT])
{
    bool angle = which == GAMMA || which == ALPHA || which == THETA;
    bool variable = (which == THETA && c->sigma == 0) || (which == R && c->sigma == 1);
    double x = c->dh[which];
    if (!variable) return angle ? arne__angle_text(x, text) : arne__value_text(x, text);
    char letter = which == THETA ? 't' : 'r', offset[NUMBER_TEXT];
    if (x == 0)
        snprintf(text, NUMBER_TEXT, "%c%d", letter, i + 1);
    else
        snprintf(text, NUMBER_TEXT, "%c%d%s%s", letter, i + 1, x > 0 ? "+" : "",
                 angle ? arne__angle_text(x, offset) : arne__value_text(x, offset));
    return text;
}

static void put_sheet(FILE *f, const arne_description *d, const sheet *s)
{
    static const char *const geo[] = {"gamma", "b", "alpha", "d", "theta", "r"};
    static const char *const inertia[] = {"XX", "XY", "XZ", "YY", "YZ", "ZZ"};
    static const char *const first[] = {"MX", "MY", "MZ"}, *const mass[] = {"M"}, *const own[] = {"IA", "FV", "FS"};
    static const char *const wrench[] = {"FX", "FY", "FZ", "CX", "CY", "CZ"}, *const motion[] = {"QP", "QDP", "GAM"};
    static const char *const joint[] = {"ant", "sigma", "mu"}, *const base[] = {"W0", "WP0", "V0", "VP0"};
    bool chain = true;
    for (int i = 0; i < s->n; i++) chain = chain && s->columns[i].ant == i;

    fputs("(* Robotname = '", f);
    put_name(f, d->name);
    fprintf(f, "' *)\nNL = %d\nNJ = %d\nNF = %d\nType = %d\nis_mobile = 0\n", s->n, s->n, s->n, chain ? 0 : 1);
    fputs("\n(* Joints *)\n", f);
    for (int i = 0; i < s->n; i++) {
        fprintf(f, "(* %d: ", i + 1);
        put_name(f, s->columns[i].name ? s->columns[i].name : "a fixed frame that carries a translation");
        fputs(" *)\n", f);
    }
    fputs("\n(* Geometric parameters *)\n", f);
    put_numbers(f, joint, 3, s, offsetof(column, ant));
    for (int k = 0; k < 6; k++) {
        char text[NUMBER_TEXT];
        fprintf(f, "%s = {", geo[k]);
        for (int i = 0; i < s->n; i++) fprintf(f, "%s%s", i ? "," : "", geometry(&s->columns[i], i, k, text));
        fputs("}\n", f);
    }
    fputs("\n(* Dynamic parameters and external forces *)\n", f);
    put_numbers(f, inertia, 6, s, offsetof(column, inertia.I));
    put_numbers(f, first, 3, s, offsetof(column, inertia.h));
    put_numbers(f, mass, 1, s, offsetof(column, inertia.m));
    put_numbers(f, own, 3, s, offsetof(column, drive));
    put_numbers(f, wrench, 6, s, offsetof(column, wrench));
    fputs("\n(* Joint parameters *)\n", f);
    for (int k = 0; k < 3; k++) {
        fprintf(f, "%s = {", motion[k]);
        for (int i = 0; i < s->n; i++) {
            if (s->columns[i].mu > 0)
                fprintf(f, "%s%s%d", i ? "," : "", motion[k], i + 1);
            else
                fputs(i ? ",0" : "0", f);
        }
        fputs("}\n", f);
    }
    fputs("\n(* Speed and acceleration of the base *)\n", f);
    for (int k = 0; k < 4; k++) fprintf(f, "%s = {0,0,0}\n", base[k]);
    fputs("\n(* Acceleration of gravity *)\nG = {", f);
    arne__put_numbers(f, 3, d->gravity, ",");
    fputs("}\n\n(* Transformation of 0 frame position fT0 *)\nZ = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}\n\n(* End of definition *)\n",
          f);
}

static void warn(arne_description *d, const robot_tree *t)
{
    static const joint_feature lost[] = {
        {"a limit of position, velocity, acceleration or effort", arne__has_limits},
        {"a limit of a motor", arne__has_motor_limits},
        {"static friction", arne__has_stribeck},
        {"an offset of friction, or friction that differs backwards", arne__has_uneven_friction},
        {"friction given by points", arne__has_friction_points},
        {"a joint spring", arne__has_elastic},
    };
    arne__warn_left_out(d, ".par", sizeof lost / sizeof *lost, lost);
    if (d->transmission) arne_description_warn(d, 0, ".par cannot say a transmission matrix: left out");
    for (size_t i = 0; i < d->nlink; i++) {
        if (t->link_body[i] >= 0 || d->links[i].body.mass == 0 || (d->mdh && t->link_joint[i] >= 0)) continue;
        arne_description_warn(d, 0, ".par cannot say the mass of the base: left out (link %s)", d->links[i].name);
        return;
    }
}

static arne_status fill_sheet(const arne_description *d, const robot_tree *t, sheet *s, arne_error *error)
{
    size_t most = 2 * d->njoint + 1;
    s->columns = calloc(most, sizeof *s->columns);
    int *number = calloc(d->nlink + 1, sizeof *number);
    canonical_frame *frames = calloc((size_t)t->nbody + 1, sizeof *frames);
    arne_status status = ARNE_OK;
    if (!s->columns || !number || !frames) {
        status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
    } else if (d->mdh) {
        own_frames(d, t, number, s);
    } else {
        if (!arne__frames_choose(d, t, frames))
            status = arne_fail(error, ARNE_NO_MEMORY, d->file, 0, "out of memory");
        else
            canonical_frames(d, t, frames, number, s);
    }
    free(number);
    free(frames);
    return status;
}

arne_status arne__par_write(arne_description *d, FILE *f, arne_error *error)
{
    robot_tree *t = NULL;
    arne_status status = arne__tree_build(d, &t, error);
    if (status != ARNE_OK) return status;
    sheet s = {0};
    status = fill_sheet(d, t, &s, error);
    if (status == ARNE_OK && s.n == 0)
        status =
            arne_fail(error, ARNE_CANNOT_WRITE, d->file, 0, "robot %s has no joint that moves: .par cannot say that", d->name);
    if (status == ARNE_OK) {
        put_sheet(f, d, &s);
        warn(d, t);
    }
    free(s.columns);
    arne__tree_free(t);
    return status;
}
