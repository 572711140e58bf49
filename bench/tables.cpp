/* SPDX-License-Identifier: MIT
 *
 * tables.cpp - what a race gave: tables for people, one JSON object for programs. */
#include <algorithm>
#include <cstdio>

#include "race.h"

static const struct {
    const char *variant, *above, *below; /* the two lines of a column's head */
} columns[] = {{"KDL", "", "KDL"},
               {"MuJoCo", "", "MuJoCo"},
               {"general", "", "general"},
               {"lanes", "", "lanes"},
               {"f32 lanes", "f32", "lanes"},
               {"threads", "", "threads"},
               {"generated", "", "gen."},
               {"generated lanes", "gen.", "lanes"},
               {"generated f32", "gen.", "f32"},
               {"generated f32 lanes", "gen. f32", "lanes"}};
static const char *const quantities[] = {"id", "bias", "gravity", "mass", "fd", "coriolis", "did", "dfd"};

static const Row *find(const Result &r, const std::string &variant, const std::string &quantity)
{
    for (const Row &row : r.rows)
        if ((row.variant == variant || (variant == "threads" && row.speedup > 0)) && row.quantity == quantity) return &row;
    return nullptr;
}

/* a number in nine places with three digits that say something */
static void cell(double x) { std::printf(" %8.*f", x < 0.1 ? 4 : x < 1 ? 3 : x < 10 ? 2 : x < 100 ? 1 : 0, x); }

template <class Value> static void print_table(const Result &r, const char *title, Value value)
{
    std::vector<std::string> used;
    for (const auto &c : columns)
        if (std::any_of(std::begin(quantities), std::end(quantities), [&](const char *q) {
                const Row *row = find(r, c.variant, q);
                return row && value(*row) >= 0;
            }))
            used.push_back(c.variant);
    std::printf("\n  %s\n  %-9s", title, "");
    for (const auto &c : columns)
        if (std::find(used.begin(), used.end(), c.variant) != used.end()) std::printf(" %8s", c.above);
    std::printf("\n  %-9s", "");
    for (const auto &c : columns)
        if (std::find(used.begin(), used.end(), c.variant) != used.end()) std::printf(" %8s", c.below);
    std::printf("\n");
    for (const char *q : quantities) {
        if (std::none_of(used.begin(), used.end(), [&](const std::string &v) { return find(r, v, q); })) continue;
        std::printf("  %-9s", q);
        for (const std::string &v : used) {
            const Row *row = find(r, v, q);
            if (row && value(*row) >= 0)
                cell(value(*row));
            else
                std::printf(" %8s", "-");
        }
        std::printf("\n");
    }
}

void print_text(const Result &r)
{
    double worst = 0;
    for (const Row &row : r.rows)
        if (row.limit == AGREE) worst = std::max(worst, row.difference);
    std::printf("%s, %zu joints%s: all answers agree, doubles to %.0e of the largest entry\n", r.name.c_str(), r.dof,
                r.serial ? "" : ", a tree", worst);
    if (!r.refusal.empty()) std::printf("  MuJoCo left out, it refuses the robot: %s\n", r.refusal.c_str());
    print_table(r, "time of a state over that of KDL's id", [](const Row &row) { return row.ratio; });
    print_table(r, "ns a state", [](const Row &row) { return row.median; });
    print_table(r, "ns of one call, median", [](const Row &row) { return row.latency.calls ? row.latency.median : -1; });
    print_table(r, "ns of one call, 99.9 %", [](const Row &row) { return row.latency.calls ? row.latency.most_of_1000 : -1; });
    std::printf("\n");
    std::fflush(stdout);
}

void print_growth(const std::vector<Result> &chains)
{
    std::printf("chains, ns a state and joint: a flat row means linear cost\n  %-18s", "");
    for (const Result &r : chains) std::printf(" %8zu", r.dof);
    std::printf("  joints\n");
    for (const char *q : {"id", "fd"})
        for (const char *v : {"KDL", "MuJoCo", "general", "lanes", "f32 lanes"}) {
            std::printf("  %-3s %-14s", q, v);
            for (const Result &r : chains) {
                const Row *row = find(r, v, q);
                if (row)
                    cell(row->median / static_cast<double>(r.dof));
                else
                    std::printf(" %8s", "-");
            }
            std::printf("\n");
        }
    std::printf("\n");
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

static void print_row(std::FILE *to, const Row &r)
{
    std::fprintf(
        to,
        "{\"quantity\":%s,\"variant\":%s,\"calls\":%s,\"states_a_call\":%zu,\"difference\":%.3g,\"limit\":%g,\"ns\":%.5g,"
        "\"least_ns\":%.5g,\"ratio\":%.5g,\"states_per_second\":%.5g",
        quoted(r.quantity).c_str(), quoted(r.variant).c_str(), quoted(r.calls).c_str(), r.block, r.difference, r.limit, r.median,
        r.least, r.ratio, 1e9 / r.median);
    if (r.speedup > 0) std::fprintf(to, ",\"speedup\":%.4g", r.speedup);
    if (r.latency.calls)
        std::fprintf(to, ",\"latency\":{\"calls\":%zu,\"median\":%.5g,\"p999\":%.5g,\"longest\":%.5g}", r.latency.calls,
                     r.latency.median, r.latency.most_of_1000, r.latency.longest);
    std::fprintf(to, "}");
}

void print_json(std::FILE *to, const Options &o, const std::vector<Result> &results)
{
    std::fprintf(to,
                 "{\"repeats\":%zu,\"block_ms\":%g,\"threads\":%d,\"lanes\":%d,\"compiler\":%s,\"clock_ns\":%.4g,\"robots\":[",
                 o.repeats, o.seconds * 1000, o.threads, arne_batch_lanes(), quoted(o.compiler).c_str(), clock_cost());
    for (const Result &r : results) {
        std::fprintf(to,
                     "%s\n{\"name\":%s,\"file\":%s,\"joints\":%zu,\"serial\":%s,\"states\":%zu,\"mujoco_refusal\":%s,"
                     "\"peak_f64\":%.5g,\"peak_f32\":%.5g,\"rows\":[",
                     &r == results.data() ? "" : ",", quoted(r.name).c_str(), r.file.empty() ? "null" : quoted(r.file).c_str(),
                     r.dof, r.serial ? "true" : "false", r.states, r.refusal.empty() ? "null" : quoted(r.refusal).c_str(),
                     1e9 * r.peak[0], 1e9 * r.peak[1]);
        for (const Row &row : r.rows) {
            std::fprintf(to, "%s\n", &row == r.rows.data() ? "" : ",");
            print_row(to, row);
        }
        std::fprintf(to, "]}");
    }
    std::fprintf(to, "]}\n");
}
