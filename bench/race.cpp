/* SPDX-License-Identifier: MIT
 *
 * race.cpp - agreement, then time.
 *
 * A machine's speed wanders, so contenders take turns: in every repeat each runs once for some milliseconds, and a ratio is the
 * median over the repeats of the ratio within one repeat. Nothing is timed before all contenders gave the same answers. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>
#include <stdexcept>

#include "race.h"

/* ---- agreement ---- */

/* Largest difference of two contenders over all states, relative to the largest entry of b; infinite when either is not a number.
 */
static double difference(const Contender &a, const Contender &b, size_t states)
{
    double worst = 0, largest = 0;
    for (size_t k = 0; k < states; k++) {
        const double *x = a.answer(k), *y = b.answer(k);
        for (size_t i = 0; i < a.entries; i++) {
            if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
            worst = std::max(worst, std::fabs(x[i] - y[i]));
            largest = std::max(largest, std::fabs(y[i]));
        }
    }
    return largest > 0 ? worst / largest : worst;
}

/* Of those with the narrowest limit the first one of the same quantity: KDL where it has it, then MuJoCo, then arne. */
static const Contender &reference(const Contenders &list, const Contender &c)
{
    const Contender *best = &c;
    for (const Contender &r : list)
        if (r.quantity == c.quantity && (r.limit < best->limit || (r.limit == best->limit && &r < best))) best = &r;
    return *best;
}

static double agree(const Robot &robot, const Contenders &list, const Contender &c, size_t states)
{
    if (!c.answer) return 0;
    const Contender &r = reference(list, c);
    const double apart = &r == &c ? 0 : difference(c, r, states);
    if (!(apart <= c.limit)) {
        char text[160];
        std::snprintf(text, sizeof text, " differs from %s by %.1e of the largest entry", r.variant.c_str(), apart);
        throw std::runtime_error(robot.name + ": " + c.quantity + ", " + c.variant + text);
    }
    return apart;
}

/* ---- throughput ---- */

/* Time of this thread on a processor: on a busy machine the wall clock also counts the others. */
static double now(bool wall)
{
    struct timespec t;
    clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static double seconds_of(const Contender &c, size_t rounds)
{
    const double start = now(c.wall);
    c.evaluate(rounds);
    return now(c.wall) - start;
}

/* The wall clock counts other programs too: of the calls in so long a time the shortest one is taken. */
static double shortest_call(const Contender &c, double seconds)
{
    const double start = now(true);
    double least = INFINITY;
    do least = std::min(least, seconds_of(c, c.block));
    while (now(true) - start < seconds);
    return least;
}

/* whole blocks that take about so long */
static size_t rounds_for(const Contender &c, double seconds)
{
    size_t rounds = c.block;
    double taken = seconds_of(c, rounds);
    while (taken < seconds / 4) taken = seconds_of(c, rounds *= 2);
    return std::max<size_t>(1, static_cast<size_t>(static_cast<double>(rounds / c.block) * seconds / taken)) * c.block;
}

/* ns per state: [contender][repeat]. The order is drawn anew in every repeat, so that nobody always meets the same neighbour. */
static std::vector<std::vector<double>> race(const Contenders &list, const Options &o)
{
    std::vector<size_t> rounds;
    for (const Contender &c : list) rounds.push_back(c.wall ? 0 : rounds_for(c, o.seconds));
    std::vector<std::vector<double>> ns(list.size());
    std::vector<size_t> order(list.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::mt19937 random(1);
    for (size_t r = 0; r < o.repeats; r++) {
        std::shuffle(order.begin(), order.end(), random);
        for (size_t c : order) {
            const Contender &x = list[c];
            ns[c].push_back(x.wall ? shortest_call(x, o.seconds) * 1e9 / static_cast<double>(x.block)
                                   : seconds_of(x, rounds[c]) * 1e9 / static_cast<double>(rounds[c]));
        }
    }
    return ns;
}

static double median(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    const size_t half = v.size() / 2;
    return v.size() % 2 ? v[half] : (v[half - 1] + v[half]) / 2;
}

static double median_ratio(std::vector<double> v, const std::vector<double> &base)
{
    for (size_t r = 0; r < v.size(); r++) v[r] /= base[r];
    return median(v);
}

/* ---- latency ---- */

static std::vector<double> call_by_call(const std::function<void(size_t)> &once, size_t calls, size_t states)
{
    std::vector<double> ns(calls);
    for (size_t i = 0, k = 0; i < calls; i++, k = k + 1 == states ? 0 : k + 1) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        once(k);
        clock_gettime(CLOCK_MONOTONIC, &b);
        ns[i] = 1e9 * static_cast<double>(b.tv_sec - a.tv_sec) + static_cast<double>(b.tv_nsec - a.tv_nsec);
    }
    std::sort(ns.begin(), ns.end());
    return ns;
}

double clock_cost()
{
    static const double cost = call_by_call([](size_t) {}, 20001, 1)[10000];
    return cost;
}

/* As many calls as fit into the time of ten repeats, where that tells one in a thousand. */
static Latency latency(const Contender &c, size_t states, double ns, const Options &o)
{
    Latency l;
    const double fit = 10 * o.seconds * 1e9 / ns;
    if (!c.once || fit < 1000) return l;
    l.calls = static_cast<size_t>(std::min(20000.0, fit));
    const std::vector<double> sorted = call_by_call(c.once, l.calls, states);
    const auto at = [&](size_t i) { return std::max(0.0, sorted[i] - clock_cost()); };
    l.median = at(l.calls / 2);
    l.most_of_1000 = at(l.calls - 1 - l.calls / 1000);
    l.longest = at(l.calls - 1);
    return l;
}

/* ---- one robot ---- */

Result race_robot(const Robot &robot, const Options &o)
{
    Result result{robot.name, robot.file, "", robot.dof(), 0, robot.serial(), {}, {0, 0}};
    const States states = states_random(robot);
    result.states = states.count;
    Contenders list = kdl_contenders(robot, states);
    const auto add = [&](const Contenders &more) { list.insert(list.end(), more.begin(), more.end()); };
    add(mujoco_contenders(robot, states, result.refusal));
    add(arne_contenders(robot, states, o.threads));
    if (!robot.file.empty() && o.generated) add(generated_contenders(robot, o.folder, states));
    add(peak_contenders());
    std::vector<double> apart;
    for (const Contender &c : list) apart.push_back(agree(robot, list, c, states.count));

    const auto ns = race(list, o);
    for (size_t i = 0; i < list.size(); i++) {
        const Contender &c = list[i];
        const double each = median(ns[i]), least = *std::min_element(ns[i].begin(), ns[i].end());
        if (c.variant == "peak") {
            double &peak = result.peak[c.quantity == "f32"];
            peak = std::max(peak, 1 / each);
            continue;
        }
        /* the first contender is KDL's id; of times on the wall the least one is taken */
        Row row{c.variant, c.quantity, c.calls, c.block, apart[i], c.limit, each, least, median_ratio(ns[i], ns[0]), 0, {}};
        if (c.wall) {
            row.median = least;
            row.ratio = least / *std::min_element(ns[0].begin(), ns[0].end());
            const Row &before = result.rows.back(); /* one thread stands before several */
            if (before.variant == "1 thread" && before.quantity == c.quantity) row.speedup = before.least / least;
        }
        row.latency = latency(c, states.count, each, o);
        result.rows.push_back(row);
    }
    return result;
}
