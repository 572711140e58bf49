/* SPDX-License-Identifier: MIT
 *
 * subject.h - a robot under test: its description, its model, its data and its judge (plain.h), and states to test it in.
 *
 * Robots are numbered: first the shipped ones whose joints have one freedom each in alphabetical order, then random ones by seed;
 * -1, -2, ... are the other shipped ones. */
#ifndef SUPPORT_SUBJECT_H
#define SUPPORT_SUBJECT_H

#include "support/data.h"
#include "support/plain.h"
#include "support/random_robot.h"

enum { MOST_DOF = 40 };

typedef struct {
    char name[64];
    arne_description *d;
    arne_model *m;
    arne_data *data;
    arne_settings *settings; /* of the data */
    plain *judge;
    int n, nq, nlink; /* velocities, positions, links */
    const double *g;
    random_stream r; /* for states */
} subject;

/* A state: positions, velocities, accelerations. */
typedef struct {
    double q[MOST_DOF], qd[MOST_DOF], qdd[MOST_DOF];
} motion;

int shipped_robots(void);
int shipped_wide_robots(void); /* those with joints of several freedoms */
/* Robot `number`, shipped or random; `parts` (RANDOM_...) is for random ones. Any failure fails the test. */
arne_description *robot_number(int number, unsigned parts);
subject subject_number(int number, unsigned parts);
subject subject_of(arne_description *d); /* takes d */
void subject_close(subject *s);

/* State k of a robot. 0: at rest, bent; 1, 2: moving; 3: far away, angles up to 1000 rad, slides up to 20 m. */
enum { STATES = 4 };
motion subject_motion(subject *s, int k);

double largest(int n, const double *x);
/* The largest force or moment (about a link's origin) that a joint carries: what torques are rounded beside. Where gravity is
 * parallel to all axes the torques themselves are nothing. */
double carried(const subject *s, const motion *x);
/* |M| |M^-1|, by the largest sums of rows */
double condition(int n, const double *M, const double *inverse);

/* Fails, naming robot and law, unless |is - should| <= tolerance * scale for all n entries. */
void expect_near(const subject *s, const char *law, int n, const double *is, const double *should, double tolerance,
                 double scale);
/* The same with the largest entry of `should` as the scale. */
void expect_close(const subject *s, const char *law, int n, const double *is, const double *should, double tolerance);

#endif
