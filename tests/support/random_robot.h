/* SPDX-License-Identifier: MIT
 *
 * random_robot.h - random trees of 1 ... 12 moving joints, the same for the same seed on every machine.
 *
 * Every seed belongs to one of RANDOM_FAMILIES families (seed modulo their number), so that any run of consecutive seeds holds
 * each awkward geometry. Every body that a joint moves can exist, and the inertia matrix is well away from singular: a massless
 * moving link is followed by a joint whose axis is normal to its own, and no tip is massless. */
#ifndef SUPPORT_RANDOM_ROBOT_H
#define SUPPORT_RANDOM_ROBOT_H

#include <stdint.h>

#include "arne/description.h"

/* ---- numbers ---- */
typedef struct {
    uint64_t state;
} random_stream;

uint64_t random_bits(random_stream *r);
int random_below(random_stream *r, int n); /* 0 ... n-1 */
double random_between(random_stream *r, double low, double high);
void random_vector(random_stream *r, int n, double size, double *x); /* entries in -size ... size */
void random_quaternion(random_stream *r, double e[4]);               /* x y z w, of unit length */
void random_rotation(random_stream *r, double R[9]);
arne_pose random_pose(random_stream *r, double size);
arne_body random_body(random_stream *r); /* 0.5 ... 5 kg, a box, turned and off its link's origin */

/* How many of so many random samples a build takes: all, or one in ARNE_FEWER where another build takes all (tools/test). */
#define FEWER(n) ((n) / ARNE_FEWER)

/* ---- robots ---- */
typedef enum {
    FAMILY_SKEW,            /* revolute and prismatic mixed, axes anyhow */
    FAMILY_PRISMATIC_FIRST, /* the joints on the base slide */
    FAMILY_PRISMATIC_LAST,  /* the last joint slides */
    FAMILY_ALL_PRISMATIC,
    FAMILY_PLANAR,          /* all revolute, all axes parallel */
    FAMILY_RIGHT_ANGLED,    /* axes at 0 or 90 degrees, offsets along axes: industrial arms */
    FAMILY_CONCURRENT,      /* consecutive axes meet */
    FAMILY_COINCIDENT,      /* consecutive axes on one line */
    FAMILY_ZERO_LENGTH,     /* no translations at all: every axis through one point */
    FAMILY_BRANCHED,        /* many branches, on the base and on inner links */
    FAMILY_FIXED,           /* chains of fixed joints on the base, inside and as tips */
    FAMILY_MASSLESS,        /* links without mass between two joints */
    FAMILY_DH,              /* standard Denavit-Hartenberg: the transform is behind the motion */
    FAMILY_NEARLY_PARALLEL, /* angles of 1e-3 ... 1e-12 between consecutive axes */
    RANDOM_FAMILIES
} random_family;

/* What a random robot may have beside its links. */
enum {
    RANDOM_RIGID = 0,
    RANDOM_MOTORS = 1,       /* rotor inertia, gears of either sign, friction at the shaft */
    RANDOM_FRICTION = 2,     /* Coulomb and viscous at the joint */
    RANDOM_LAWS = 4,         /* Stribeck and piecewise linear friction, offsets and another one backwards at some joints */
    RANDOM_TRANSMISSION = 8, /* a coupled transmission */
    RANDOM_ALL = 15,
    RANDOM_WIDE = 16, /* free and spherical joints anywhere, the first among them; four joints at most */
    RANDOM_ANY = 31
};

arne_description *random_robot(unsigned seed); /* RANDOM_RIGID */
arne_description *random_robot_with(unsigned seed, unsigned parts);

/* n revolute joints in a row, every link 50 mm long, axes turning as they go. */
arne_description *long_chain(int n);

#endif
