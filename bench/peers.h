/* SPDX-License-Identifier: MIT
 *
 * peers.h - the benchmark against peers: one robot, one set of states, and the functions that race on them.
 *
 * Every library gets the robot in its best form: one body per moving joint, fixed joints merged, every joint about or along z of
 * its own frame. It is converted with KDL's own frames and inertias, not with arne's, so the answers stay independent. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/* libkdl was compiled for the plain machine: Eigen's alignment must be the same here, whatever -march or sanitizer says. This
 * header therefore stands before all others that may include Eigen. */
#define EIGEN_MAX_ALIGN_BYTES 16
#define EIGEN_MALLOC_ALREADY_ALIGNED 1

#include <kdl/frames.hpp>
#include <kdl/rigidbodyinertia.hpp>

#include "arne/arne.h"

/* ---- the robot ---- */

struct Body {
    int parent; /* -1: the base */
    bool prismatic;
    KDL::Frame at;                 /* joint frame in the parent's joint frame (of the base: in it), at q = 0; z is the axis */
    KDL::RigidBodyInertia inertia; /* of the body that this joint moves, in the joint frame */
};

struct Robot {
    std::string name, file; /* file: what its name was read from, empty: made here */
    KDL::Vector gravity;    /* base axes */
    std::vector<Body> bodies;
    std::shared_ptr<const arne_model> model;

    size_t dof() const { return bodies.size(); }
    bool serial() const;
};

/* A robot file, its base held still. */
Robot robot_read(const std::string &file);
/* One random serial chain of n revolute joints. */
Robot robot_chain(size_t n);

/* ---- states ---- */

/* Random states, one after the other: q[count][dof]. tau is the torque of (q, qd, qdd), by KDL. */
struct States {
    size_t count, dof;
    std::vector<double> q, qd, qdd, tau;
};

States states_random(const Robot &robot);

/* ---- contenders ---- */

/* Matrices are asked for up to so many joints, derivatives by differences up to fewer: both cost the square of them or more.
 * Floats carry forward dynamics up to so many: the condition of M grows with them. */
enum { MOST_MATRIX = 100, MOST_DIFFERENCES = 30, MOST_FLOAT_FD = 30 };

/* Largest difference from the reference, of the largest entry: of doubles (forward dynamics loses digits to the condition of M);
 * of differences with a step of 1e-8; of floats, of what does not and of what does divide by M. */
const double AGREE = 1e-8, AGREE_DIFFERENCES = 1e-5, AGREE_FLOAT = 2e-5, AGREE_FLOAT_FD = 5e-3;

/* One quantity by one library in one way. `evaluate` computes `rounds` states, going round the state array, and is what the
 * clock sees; `answer(k)` computes state k and returns the result. */
struct Contender {
    std::string variant, quantity; /* variant: a column of the tables; contenders of one quantity must agree */
    std::string calls;             /* the calls that are timed */
    size_t entries;                /* numbers in an answer */
    std::function<void(size_t rounds)> evaluate;
    std::function<const double *(size_t k)> answer;
    std::function<void(size_t k)> once; /* state k alone; empty: it takes many states a call */
    size_t block = 1;                   /* states a call */
    double limit = AGREE;
    bool wall = false; /* timed by the clock on the wall: it has several threads */
};

/* A contender whose `call(k)` computes state k; `read()` returns its result. The loop is compiled around the call. */
template <class Call, class Read>
Contender contender(const char *variant, const char *quantity, const char *calls, size_t entries, size_t count, Call call,
                    Read read, double limit = AGREE)
{
    Contender c;
    c.variant = variant;
    c.quantity = quantity;
    c.calls = calls;
    c.entries = entries;
    c.evaluate = [=](size_t rounds) {
        for (size_t i = 0, k = 0; i < rounds; i++, k = k + 1 == count ? 0 : k + 1) call(k);
    };
    c.answer = [=](size_t k) {
        call(k);
        return static_cast<const double *>(read());
    };
    c.once = [=](size_t k) { call(k); };
    c.limit = limit;
    return c;
}

/* Derivatives by forward differences, for libraries that have none: f(x, y) evaluates n numbers at inputs x, `columns` of them;
 * D[i * n + c] is that of number i by input c. x comes back as it was, y holds the numbers at x. */
template <class Evaluate>
void differences(Evaluate f, double *const *x, size_t columns, size_t n, double *y, double *ahead, double *D)
{
    const double h = 1e-8;
    f(y);
    for (size_t c = 0; c < columns; c++) {
        const double kept = *x[c];
        *x[c] += h;
        f(ahead);
        *x[c] = kept;
        for (size_t i = 0; i < n; i++) D[c / n * n * n + i * n + c % n] = (ahead[i] - y[i]) / h;
    }
}

using Contenders = std::vector<Contender>;

/* Robot and states must outlive the contenders. */
Contenders kdl_contenders(const Robot &robot, const States &states);
void kdl_fill_torques(const Robot &robot, States &states);
/* Empty, with the reason in `refusal`, when MuJoCo does not take the robot (it wants mass and inertia in every moving body). */
Contenders mujoco_contenders(const Robot &robot, const States &states, std::string &refusal);
Contenders arne_contenders(const Robot &robot, const States &states, int threads);
/* Code that `arne codegen` writes for the robot in its file, compiled by the command `compiler` into `folder`, where it is kept.
 * generated_make does so ahead of time; several robots may be made at once. */
void generated_make(const Robot &robot, const std::string &compiler, const std::string &folder);
Contenders generated_contenders(const Robot &robot, const std::string &folder, const States &states);
/* Multiplications and additions that nothing waits for, on the widest vectors: "peak", of doubles and of floats; a round is one
 * operation. */
Contenders peak_contenders();

/* The robot as a model of MuJoCo, for mj_deleteModel; null with the reason in `refusal`. */
struct mjModel_ *mujoco_model(const Robot &robot, std::string &refusal);
/* Prints how far arne and MuJoCo are apart after a simulated second, at several steps. */
void simulate_side_by_side(const std::string &file);

#endif
