/* SPDX-License-Identifier: MIT
 *
 * peers.cpp - arne, Orocos KDL and MuJoCo on the same arms, the same states, in one run.
 *
 * A machine's speed wanders, so contenders take turns: in every repeat each runs once for some milliseconds, and a ratio is the
 * median over the repeats of the ratio within one repeat. Nothing is timed before all contenders gave the same answers. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>

#include <sys/stat.h>

#include "arne/arne.h"
#include "arne/file.h"
#include "peers.h"

static const double AGREEMENT = 1e-8; /* of the largest entry; forward dynamics loses digits to the condition of M */
static const size_t STATES = 256;
static const size_t CHAINS[] = {10, 30, 100, 300, 1000};

struct Options {
    bool json = false, simulate = false;
    size_t repeats = 31;
    double seconds = 0.005;                                                   /* per contender and repeat */
    std::string compiler = "cc -std=c11 -O3 -march=native -ffp-contract=off"; /* of generated code */
    std::vector<std::string> files;
};

/* ---- timing ---- */

/* Time of this thread on a processor: on a busy machine the wall clock also counts the others. */
static double now()
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

static double seconds_of(const Contender &c, size_t rounds)
{
    const double start = now();
    c.evaluate(rounds);
    return now() - start;
}

static size_t rounds_for(const Contender &c, double seconds)
{
    size_t rounds = STATES;
    double taken = seconds_of(c, rounds);
    while (taken < seconds / 4) taken = seconds_of(c, rounds *= 2);
    return std::max<size_t>(1, static_cast<size_t>(static_cast<double>(rounds) * seconds / taken));
}

/* ns per state: [contender][repeat]. The order is drawn anew in every repeat, so that nobody always meets the same neighbour. */
static std::vector<std::vector<double>> race(const std::vector<Contender> &list, const Options &o)
{
    std::vector<size_t> rounds;
    for (const Contender &c : list) rounds.push_back(rounds_for(c, o.seconds));
    std::vector<std::vector<double>> ns(list.size());
    std::vector<size_t> order(list.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::mt19937 random(1);
    for (size_t r = 0; r < o.repeats; r++) {
        std::shuffle(order.begin(), order.end(), random);
        for (size_t c : order) ns[c].push_back(seconds_of(list[c], rounds[c]) * 1e9 / static_cast<double>(rounds[c]));
    }
    return ns;
}

static double minimum(const std::vector<double> &v) { return *std::min_element(v.begin(), v.end()); }

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

/* ---- agreement ---- */

/* Largest difference of two contenders over all states, relative to the largest entry of b; infinite when either is not a number.
 */
static double difference(const Contender &a, const Contender &b)
{
    double worst = 0, largest = 0;
    for (size_t k = 0; k < STATES; k++) {
        const double *x = a.answer(k), *y = b.answer(k);
        for (size_t i = 0; i < a.entries; i++) {
            if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
            worst = std::max(worst, std::fabs(x[i] - y[i]));
            largest = std::max(largest, std::fabs(y[i]));
        }
    }
    return largest > 0 ? worst / largest : worst;
}

/* The first contender of the same quantity is the reference: KDL, which stands first in the list. */
static const Contender &reference(const std::vector<Contender> &list, const Contender &c)
{
    return *std::find_if(list.begin(), list.end(), [&](const Contender &r) { return r.quantity == c.quantity; });
}

/* ---- one arm ---- */

struct Row {
    std::string library, function, calls;
    double difference, median, minimum, ratio;
};

struct ArmTimes {
    std::string name, file, refusal;
    size_t dof;
    std::vector<Row> rows;
};

static ArmTimes time_arm(const Options &o, const std::string &file)
{
    arne_description *read = nullptr;
    arne_model *built = nullptr;
    arne_error error;
    if (arne_read(file.c_str(), nullptr, &read, &error) != ARNE_OK)
        throw std::runtime_error(place(file, error.line) + error.message);
    const std::unique_ptr<arne_description, decltype(&arne_description_free)> description(read, arne_description_free);
    if (arne_model_build(read, nullptr, &built, &error) != ARNE_OK)
        throw std::runtime_error(place(file, error.line) + error.message);
    const std::unique_ptr<arne_model, decltype(&arne_model_free)> model(built, arne_model_free);

    const Arm arm = arm_from(*description);
    ArmTimes times{arm.name, file, "", arm.links.size(), {}};
    States states = states_random(STATES, times.dof, 1);
    kdl_fill_torques(arm, states);
    std::vector<Contender> list = kdl_contenders(arm, states);
    for (const Contender &c : mujoco_contenders(arm, states, times.refusal)) list.push_back(c);
    for (const Contender &c : arne_contenders(model.get(), states)) list.push_back(c);
    for (const Contender &c : generated_contenders(file, o.compiler, states)) list.push_back(c);

    for (const Contender &c : list) {
        const double apart = difference(c, reference(list, c));
        if (!(apart <= AGREEMENT)) {
            char text[64];
            std::snprintf(text, sizeof text, " differs from KDL by %.1e of the largest entry", apart);
            throw std::runtime_error(file + ": " + c.library + " " + c.function + text);
        }
        times.rows.push_back({c.library, c.function, c.calls, apart, 0, 0, 0});
    }
    const auto ns = race(list, o);
    for (size_t i = 0; i < list.size(); i++) {
        times.rows[i].median = median(ns[i]);
        times.rows[i].minimum = minimum(ns[i]);
        times.rows[i].ratio = median_ratio(ns[i], ns[0]); /* the first contender is KDL's id */
    }
    return times;
}

static void print_arm(const ArmTimes &t)
{
    double worst = 0;
    for (const Row &r : t.rows) worst = std::max(worst, r.difference);
    std::printf("%s, %zu joints (%s)\n", t.name.c_str(), t.dof, t.file.c_str());
    std::printf("largest difference between the libraries: %.1e of the largest entry (limit %.0e)\n", worst, AGREEMENT);
    if (!t.refusal.empty()) std::printf("MuJoCo left out, it refuses the arm: %s\n", t.refusal.c_str());
    std::printf("\n  %-8s %-14s %10s %10s %10s %11s  %s\n", "library", "function", "median ns", "min ns", "of KDL id",
                "difference", "calls");
    for (const Row &r : t.rows)
        std::printf("  %-8s %-14s %10.1f %10.1f %10.3f %11.1e  %s\n", r.library.c_str(), r.function.c_str(), r.median, r.minimum,
                    r.ratio, r.difference, r.calls.c_str());
    std::printf("\n");
    std::fflush(stdout);
}

/* ---- long chains ---- */

struct ChainTimes {
    std::string calls;
    size_t joints;
    double median, minimum, to_10, to_100; /* ns per joint, and ratios of it */
};

static std::vector<ChainTimes> time_chains(const Options &o)
{
    std::vector<Contender> list; /* id and fd of each length in turn */
    for (size_t n : CHAINS)
        for (const Contender &c : arne_chain_contenders(n)) list.push_back(c);
    for (const Contender &c : list) {
        const double *x = c.answer(0);
        if (!std::all_of(x, x + c.entries, [](double v) { return std::isfinite(v); }))
            throw std::runtime_error("chain of " + std::to_string(c.entries) + " joints: " + c.calls + " is not a number");
    }
    auto ns = race(list, o);
    std::vector<ChainTimes> times;
    for (size_t i = 0; i < list.size(); i++)
        for (double &t : ns[i]) t /= static_cast<double>(list[i].entries);
    for (size_t i = 0; i < list.size(); i++) /* CHAINS[0] is 10, CHAINS[2] is 100 */
        times.push_back({list[i].calls, list[i].entries, median(ns[i]), minimum(ns[i]), median_ratio(ns[i], ns[i % 2]),
                         median_ratio(ns[i], ns[4 + i % 2])});
    return times;
}

static void print_chains(const std::vector<ChainTimes> &times)
{
    std::printf("long chains, ns per joint: a flat column means linear cost\n\n  %-8s %8s %10s %10s %10s %10s\n", "function",
                "joints", "median ns", "min ns", "of n=10", "of n=100");
    for (size_t f = 0; f < 2; f++)
        for (size_t i = f; i < times.size(); i += 2)
            std::printf("  %-8s %8zu %10.2f %10.2f %10.2f %10.2f\n", times[i].calls.c_str(), times[i].joints, times[i].median,
                        times[i].minimum, times[i].to_10, times[i].to_100);
}

/* ---- JSON ---- */

static std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (char c : text) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
        if (static_cast<unsigned char>(c) < 0x20)
            out += code;
        else
            out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return out + "\"";
}

static void print_json(const Options &o, const std::vector<ArmTimes> &arms, const std::vector<ChainTimes> &chains)
{
    std::printf("{\"repeats\":%zu,\"block_ms\":%g,\"arms\":[", o.repeats, o.seconds * 1000);
    for (const ArmTimes &t : arms) {
        std::printf("%s{\"name\":%s,\"file\":%s,\"dof\":%zu,\"mujoco_refusal\":%s,\"rows\":[", &t == arms.data() ? "" : ",",
                    quoted(t.name).c_str(), quoted(t.file).c_str(), t.dof,
                    t.refusal.empty() ? "null" : quoted(t.refusal).c_str());
        for (const Row &r : t.rows)
            std::printf("%s{\"library\":%s,\"function\":%s,\"calls\":%s,\"difference\":%.3g,\"median_ns\":%.1f,\"min_ns\":%.1f,"
                        "\"ratio_to_kdl_id\":%.4f}",
                        &r == t.rows.data() ? "" : ",", quoted(r.library).c_str(), quoted(r.function).c_str(),
                        quoted(r.calls).c_str(), r.difference, r.median, r.minimum, r.ratio);
        std::printf("]}");
    }
    std::printf("],\"chains\":[");
    for (const ChainTimes &c : chains)
        std::printf("%s{\"calls\":%s,\"joints\":%zu,\"median_ns_per_joint\":%.2f,\"min_ns_per_joint\":%.2f,\"ratio_to_10\":%.3f,"
                    "\"ratio_to_100\":%.3f}",
                    &c == chains.data() ? "" : ",", quoted(c.calls).c_str(), c.joints, c.median, c.minimum, c.to_10, c.to_100);
    std::printf("]}\n");
}

/* ---- the command ---- */

static const char USAGE[] =
    "usage: arne_peers [--format text|json] [--repeats N] [--ms MILLISECONDS] [--cc COMMAND] [--simulate] [ROBOT FILE ...]\n"
    "Times arne, KDL and MuJoCo on serial arms. Default: a 6R and a 7R arm of robots/. COMMAND compiles\n"
    "generated code, e.g. \"gcc -O3 -march=native\". --simulate: arne and MuJoCo go the same way, instead.\n";

static bool exists(const std::string &path)
{
    struct stat s;
    return stat(path.c_str(), &s) == 0;
}

static void add_first_of(std::vector<std::string> &files, std::initializer_list<const char *> names)
{
    for (const char *name : names)
        if (exists(name)) {
            files.push_back(name);
            return;
        }
}

static double positive(const char *option, const char *word, double largest)
{
    char *end = nullptr;
    const double value = word ? std::strtod(word, &end) : 0;
    if (!word || end == word || *end || !(value > 0) || value > largest) {
        char text[96];
        std::snprintf(text, sizeof text, "%s wants a number above 0 and up to %g", option, largest);
        throw std::runtime_error(text);
    }
    return value;
}

static Options parse(int argc, char **argv)
{
    Options o;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (word == "--help" || word == "-h") {
            std::fputs(USAGE, stdout);
            std::exit(0);
        } else if (word == "--simulate") {
            o.simulate = true;
        } else if (word == "--format") {
            if (!value || (std::strcmp(value, "json") && std::strcmp(value, "text")))
                throw std::runtime_error("--format wants text or json");
            o.json = !std::strcmp(value, "json");
            i++;
        } else if (word == "--repeats") {
            o.repeats = std::max<size_t>(1, static_cast<size_t>(positive("--repeats", value, 10000)));
            i++;
        } else if (word == "--ms") {
            o.seconds = positive("--ms", value, 10000) / 1000;
            i++;
        } else if (word == "--cc") {
            if (!value) throw std::runtime_error("--cc wants the command of a compiler");
            o.compiler = value;
            i++;
        } else if (word[0] == '-') {
            throw std::runtime_error("unknown option '" + word + "'; see arne_peers --help");
        } else {
            o.files.push_back(word);
        }
    }
    if (o.files.empty()) {
        add_first_of(o.files, {"robots/ur5e.yaml", "robots/ur5.yaml", "robots/puma560.yaml"});
        add_first_of(o.files, {"robots/panda.yaml", "robots/kuka-lwr.yaml"});
        if (o.files.empty()) throw std::runtime_error("no arm in robots/; run from the project's root or name a robot file");
    }
    return o;
}

int main(int argc, char **argv)
{
    try {
        const Options o = parse(argc, argv);
        if (o.simulate) {
            for (const std::string &file : o.files) simulate_side_by_side(file);
            return 0;
        }
        std::vector<ArmTimes> arms;
        for (const std::string &file : o.files) {
            arms.push_back(time_arm(o, file));
            if (!o.json) print_arm(arms.back());
        }
        const std::vector<ChainTimes> chains = time_chains(o);
        if (o.json)
            print_json(o, arms, chains);
        else
            print_chains(chains);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "arne_peers: %s\n", e.what());
        return 1;
    }
    return 0;
}
