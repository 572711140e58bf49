/* SPDX-License-Identifier: MIT
 *
 * scenario.h - scenario files: a robot, a motion, a controller and what befalls them, ready to run (doc/simulate.md). Library
 * arne_simulate. */
#ifndef ARNE_SCENARIO_H
#define ARNE_SCENARIO_H

#include "arne/file.h"
#include "arne/log.h"
#include "arne/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct {
    size_t size;                    /* sizeof of this struct */
    const arne_robot_place *places; /* robots that it may call by their names; NULL: those of arne_robots */
    size_t nplace;
    const char *const *settings; /* "controller.period=0.002", "disturbances.1.wrench.scale=2" (items of lists are counted from
                                  * 1): values that replace those of the file */
    size_t nsetting;
    const char *text; /* of the file, where it was read before; NULL: it is read */
} arne_scenario_options;

/* A scenario as it was read. `loop` may be run again and again after arne_scenario_rewind; its listener (row, context, stop) is
 * the caller's to set. */
typedef struct {
    const char *title; /* may be NULL */
    const char *robot; /* its name, or its path */
    const char *base;  /* "fixed", "free": what it was put on instead of that of its file; NULL: that */
    const char *mimic; /* "independent": joints that mimic others move by themselves; NULL: they follow */
    const char *controller;
    const char *integrator;
    const arne_description *description;
    const arne_model *model;
    const double *thresholds; /* dof, NULL: none */
    double learn;     /* false alarms an hour for which thresholds are to be learned; 0: they are given, or there are none */
    const char *link; /* whose position is recorded, NULL: none */
    int npayload;     /* that the robot carries from the start */
    const arne_about_payload *payloads;
    bool energy, reference; /* columns that are asked for */
    struct scenario_parts *parts;
    arne_loop loop; /* last: it may grow */
} arne_scenario;

/* options may be NULL. Errors name the line of the scenario file, or of the robot file where that is at fault. */
arne_status arne_scenario_read(const char *path, const arne_scenario_options *options, arne_scenario **out, arne_error *error);
void arne_scenario_free(arne_scenario *s);

/* The robot at its start again. */
arne_status arne_scenario_rewind(arne_scenario *s);
/* Where thresholds are to be learned: runs the scenario once without disturbances and sets them. Else does nothing. */
arne_status arne_scenario_learn(arne_scenario *s, arne_error *error);

/* ---- many runs of one scenario: what its key `vary:` says is drawn anew for every run (doc/sweep.md) ---- */

typedef struct arne_variation arne_variation;

/* seed: of all draws; options as of arne_scenario_read, kept by the caller. Reads the file once: what happens to it later does
 * not matter. ARNE_BAD_VALUE: it has no `vary:`. */
arne_status arne_variation_read(const char *path, uint64_t seed, const arne_scenario_options *options, arne_variation **out,
                                arne_error *error);
void arne_variation_free(arne_variation *v);
int arne_variation_count(const arne_variation *v);
const char *arne_variation_name(const arne_variation *v, int i); /* the place in the file that is drawn, NULL: no such one */
const char *arne_variation_path(const arne_variation *v);
const char *arne_variation_text(const arne_variation *v); /* the scenario file itself */
/* The settings of its options, "controller.period=0.002", one a line; from malloc, NULL: memory is short. */
char *arne_variation_settings(const arne_variation *v);
long arne_variation_grid(const arne_variation *v); /* points of all grids together, 1: there are none */
/* What run k has: the same values whoever asks, k = 0, 1, ... A word of a list is told by its place there, from 0. */
arne_status arne_variation_draw(const arne_variation *v, long run, double *values);
/* Run k, ready. Its sensors, where it has any, have a seed of their own too. */
arne_status arne_variation_scenario(const arne_variation *v, long run, arne_scenario **out, arne_error *error);
/* One that can be run, of the first twenty: some draws may make no scenario. */
arne_status arne_variation_example(const arne_variation *v, arne_scenario **out, arne_error *error);

/* ---- a run as a file: rows in run.csv, what they mean and what happened in run.json beside it (log.h) ---- */

typedef struct arne_record arne_record;
arne_status arne_record_open(const arne_scenario *s, const char *path, arne_record **out, arne_error *error);
bool arne_record_row(arne_record *r, const arne_row *row); /* false: it cannot be written; arne_record_close says why */
/* Who ran it adds how long it took and what is to be said of it. */
typedef struct {
    double wall;               /* s */
    const char *verdict, *why; /* as in arne_about; NULL: nothing */
} arne_record_end;
/* Puts both files into place (status ARNE_OK), or leaves nothing behind. ARNE_CANNOT_WRITE after a row that could not be written:
 * the rows before it are in place where the message says so. */
arne_status arne_record_close(arne_record *r, const arne_result *result, const arne_record_end *end, arne_status status,
                              arne_error *error);
/* What run.json holds, from malloc; and the same before it is text: *events, from malloc, are part of it. */
arne_status arne_record_text(const arne_scenario *s, const arne_result *r, const arne_record_end *end, char **text,
                             arne_error *error);
arne_status arne_record_about(const arne_scenario *s, const arne_result *r, const arne_record_end *end, arne_about *about,
                              arne_about_event **events, arne_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
