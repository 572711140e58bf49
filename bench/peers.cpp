/* SPDX-License-Identifier: MIT
 *
 * peers.cpp - the command: arne, Orocos KDL and MuJoCo on the same robots, the same states, in one run. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <stdexcept>

#include <sys/stat.h>
#include <unistd.h>

#include "race.h"

static const char *const ROBOTS[] = {"planar2r", "ur5e", "panda", "torso2", "humanoid"};
static const size_t CHAINS[] = {10, 30, 100, 300, 1000};

struct Command : Options {
    bool json = false, simulate = false, quick = false;
    std::string out; /* for JSON beside the tables */
    std::vector<std::string> files;
};

static const char USAGE[] =
    "usage: arne_peers [--format text|json] [--out FILE.json] [--quick] [--repeats N] [--ms MILLISECONDS] [--threads N]\n"
    "                  [--cc COMMAND] [--simulate] [ROBOT FILE ...]\n"
    "Times arne, KDL and MuJoCo on the same robots. Default: five robots of robots/ and random chains of 10 to 1000 joints.\n"
    "COMMAND compiles generated code, e.g. \"gcc -O3 -march=native\". --quick: few repeats, short robots, no generated code.\n"
    "--simulate: arne and MuJoCo go the same way, instead.\n";

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

static Command parse(int argc, char **argv)
{
    Command c;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (word == "--help" || word == "-h") {
            std::fputs(USAGE, stdout);
            std::exit(0);
        } else if (word == "--simulate") {
            c.simulate = true;
        } else if (word == "--quick") {
            c.quick = true;
        } else if (word[0] != '-') {
            c.files.push_back(word);
        } else if (word == "--format") {
            if (!value || (std::strcmp(value, "json") && std::strcmp(value, "text")))
                throw std::runtime_error("--format wants text or json");
            c.json = !std::strcmp(argv[++i], "json");
        } else if (word == "--repeats") {
            c.repeats = std::max<size_t>(1, static_cast<size_t>(positive("--repeats", value, 10000))), i++;
        } else if (word == "--ms") {
            c.seconds = positive("--ms", value, 10000) / 1000, i++;
        } else if (word == "--threads") {
            c.threads = std::max(2, static_cast<int>(positive("--threads", value, 64))), i++;
        } else if (word == "--cc" || word == "--out") {
            if (!value) throw std::runtime_error(word + " wants " + (word == "--cc" ? "the command of a compiler" : "a file"));
            (word == "--cc" ? c.compiler : c.out) = argv[++i];
        } else {
            throw std::runtime_error("unknown option '" + word + "'; see arne_peers --help");
        }
    }
    return c;
}

/* The robots in the order of the tables; chains where no file was named. */
static std::vector<Robot> robots_of(const Command &c)
{
    std::vector<Robot> robots;
    for (const std::string &file : c.files) robots.push_back(robot_read(file));
    if (!c.files.empty()) return robots;
    for (const char *name : ROBOTS) {
        const std::string file = "robots/" + std::string(name) + ".yaml";
        if (access(file.c_str(), R_OK))
            throw std::runtime_error("no " + file + "; run from the project's root or name a robot file");
        robots.push_back(robot_read(file));
        if (c.quick && robots.size() == 2) break;
    }
    for (size_t n : CHAINS)
        if (!c.quick || n <= 30) robots.push_back(robot_chain(n));
    return robots;
}

/* Writes and compiles the code of all robots, on two processors at once. */
static void make_code(const std::vector<Robot> &robots, const Options &o)
{
    std::vector<std::future<void>> jobs;
    for (const Robot &r : robots) {
        if (r.file.empty()) continue;
        if (jobs.size() >= 2) jobs[jobs.size() - 2].wait();
        jobs.push_back(std::async(std::launch::async, [&] { generated_make(r, o.compiler, o.folder); }));
    }
    for (auto &job : jobs) job.get();
}

static void run(Command &c)
{
    if (c.quick) {
        c.repeats = std::min<size_t>(c.repeats, 3);
        c.seconds = std::min(c.seconds, 0.001);
        c.generated = false;
    }
    const std::vector<Robot> robots = robots_of(c);
    char self[4096] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) throw std::runtime_error("cannot tell where this program is");
    c.folder = std::string(self).substr(0, std::string(self).rfind('/')) + "/generated";
    mkdir(c.folder.c_str(), 0777);
    std::FILE *out = c.out.empty() ? nullptr : std::fopen((c.out + ".part").c_str(), "w");
    if (!c.out.empty() && !out) throw std::runtime_error("cannot write " + c.out);

    const auto say = [&](const std::string &text) { std::fprintf(stderr, "arne_peers: %s\n", text.c_str()); };
    if (c.generated) {
        say("writing and compiling code");
        make_code(robots, c);
    }
    std::vector<Result> results, chains;
    for (const Robot &r : robots) {
        say("timing " + r.name + ", " + std::to_string(results.size() + 1) + " of " + std::to_string(robots.size()));
        results.push_back(race_robot(r, c));
        if (r.file.empty()) chains.push_back(results.back());
        if (!c.json && !r.file.empty()) print_text(results.back());
    }
    if (!c.json && !chains.empty()) print_growth(chains);
    if (c.json) print_json(stdout, c, results);
    if (!out) return;
    print_json(out, c, results);
    if (std::fclose(out) || std::rename((c.out + ".part").c_str(), c.out.c_str()))
        throw std::runtime_error("cannot write " + c.out);
}

int main(int argc, char **argv)
{
    try {
        Command c = parse(argc, argv);
        if (c.simulate)
            for (const std::string &file :
                 c.files.empty() ? std::vector<std::string>{"robots/ur5e.yaml", "robots/panda.yaml"} : c.files)
                simulate_side_by_side(file);
        else
            run(c);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "arne_peers: %s\n", e.what());
        return 1;
    }
    return 0;
}
