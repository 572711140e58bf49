/* SPDX-License-Identifier: MIT
 *
 * race.h - all contenders of one robot: do they agree, and how long does each take? */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include "peers.h"

struct Options {
    size_t repeats = 31;
    double seconds = 0.003; /* per contender and repeat */
    int threads = 2;
    bool generated = true;
    std::string compiler = "cc -std=c11 -O3 -march=native -mtune=generic -ffp-contract=off"; /* of generated code */
    std::string folder;                                                                      /* for generated code */
};

/* ns, call by call */
struct Latency {
    size_t calls = 0; /* 0: not measured */
    double median = 0, most_of_1000 = 0, longest = 0;
};

struct Row {
    std::string variant, quantity, calls;
    size_t block;
    double difference, limit;    /* from the reference, and what it may be */
    double median, least, ratio; /* ns a state over the repeats; median of the ratios to KDL's id within a repeat */
    double speedup;              /* of threads, over one; 0: no threads */
    Latency latency;
};

struct Result {
    std::string name, file, refusal; /* refusal: why MuJoCo is left out */
    size_t dof, states;
    bool serial;
    std::vector<Row> rows;
    double peak[2]; /* operations a ns on one core, of doubles and of floats */
};

/* Throws std::runtime_error when two of them differ. */
Result race_robot(const Robot &robot, const Options &o);

/* what two looks at the clock cost, ns */
double clock_cost();

void print_text(const Result &r);
void print_growth(const std::vector<Result> &chains);
/* The whole run as one JSON object. */
void print_json(std::FILE *to, const Options &o, const std::vector<Result> &results);

#endif
