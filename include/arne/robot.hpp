// SPDX-License-Identifier: MIT
//
// robot.hpp - robots in C++, and what may change about them. Part of arne.hpp.
#ifndef ARNE_ROBOT_HPP
#define ARNE_ROBOT_HPP

#include <array>
#include <cstdlib>
#include <vector>

#include "arne/owned.hpp"
#include "arne/view.hpp"

namespace arne
{
#ifdef ARNE_NO_EXCEPTIONS
inline namespace quiet
{
#endif

// A robot, const; copies are the same one.
class model
{
  public:
    model() = default; // no robot
    // Builds what a description says; what is to be said about it comes with it.
    explicit model(arne_description *d, const arne_model_options *o = nullptr, arne_error *told = nullptr)
    {
        auto built = make_told(told, arne_model_build, d, o);
        if (!built) return;
        robot_ = std::shared_ptr<const arne_model>(built.release(),
                                                   [](const arne_model *m) { arne_model_free(const_cast<arne_model *>(m)); });
        nq_ = arne_model_nq(*this);
        nv_ = arne_model_nv(*this);
        for (std::size_t i = 0; i < d->nwarning; i++) warnings_.emplace_back(d->warnings[i]);
    }
    operator const arne_model *() const { return robot_.get(); }
    const std::vector<std::string> &warnings() const { return warnings_; }

    std::string name() const { return arne_model_name(*this); }
    int nq() const { return nq_; }
    int nv() const { return nv_; }
    int joints() const { return arne_model_joints(*this); }
    int links() const { return arne_model_links(*this); }
    std::string joint_name(int i) const { return arne_joint_name(*this, i); }
    std::string link_name(int i) const { return arne_link_name(*this, i); }
    int tip() const { return arne_model_tip(*this); }
    double mass() const { return arne_model_mass(*this); }
    // By their names; -1: there is none, after telling.
    int joint(const std::string &name, arne_error *told = nullptr) const
    {
        return found(arne_joint_find(*this, name.c_str()), "joint", name, told);
    }
    int link(const std::string &name, arne_error *told = nullptr) const
    {
        return found(arne_link_find(*this, name.c_str()), "link", name, told);
    }

    // positions: q of nq numbers, v of nv (positions.h)
    std::vector<double> neutral() const
    {
        std::vector<double> q(static_cast<std::size_t>(nq()));
        check(arne_neutral(*this, q.data()), "neutral");
        return q;
    }
    std::vector<double> integrate(in q, in v, arne_error *told = nullptr) const
    {
        return along(arne_integrate, "integrate", q, v, nq(), nv(), nq(), told);
    }
    std::vector<double> difference(in a, in b, arne_error *told = nullptr) const
    {
        return along(arne_difference, "difference", a, b, nq(), nq(), nv(), told);
    }

  private:
    int found(int i, const char *what, const std::string &name, arne_error *told) const
    {
        if (i < 0) fail(ARNE_BAD_ARGUMENT, this->name() + " has no " + what + " " + name, told);
        return i;
    }
    std::vector<double> along(arne_status (*f)(const arne_model *, const double *, const double *, double *), const char *what,
                              in a, in b, int na, int nb, int n, arne_error *told) const
    {
        std::vector<double> y(static_cast<std::size_t>(n));
        if (a.size() != static_cast<std::size_t>(na) || b.size() != static_cast<std::size_t>(nb) || a.apart() || b.apart()) {
            fail(ARNE_BAD_ARGUMENT,
                 std::string(what) + " takes " + std::to_string(na) + " and " + std::to_string(nb) +
                     " numbers side by side, not " + std::to_string(a.size()) + " and " + std::to_string(b.size()),
                 told);
            return {};
        }
        return check(f(*this, a.data(), b.data(), y.data()), what, told) ? std::vector<double>() : y;
    }
    std::shared_ptr<const arne_model> robot_;
    int nq_ = 0, nv_ = 0;
    std::vector<std::string> warnings_;
};

// A robot file, or a shipped robot by its name. Library arne_file.
inline model load(const std::string &name, arne_base_choice base = ARNE_BASE_FILE, arne_mimic_choice mimic = ARNE_MIMIC_FOLLOW,
                  arne_error *told = nullptr)
{
    char *path = nullptr;
    arne_error e = {};
    if ((e.status = arne_robot_find(name.c_str(), &path, &e))) {
        fail(e, told);
        return model();
    }
    const std::unique_ptr<char, void (*)(void *)> file(path, std::free);
    auto o = options<arne_read_options>();
    o.base = base;
    o.mimic = mimic;
    const auto d = make_told(told, arne_read, path, &o);
    return d ? model(d, nullptr, told) : model();
}

// A link, by its number or its name; left out: the tip.
class link_of
{
  public:
    link_of() = default;
    link_of(int number) : tip_(false), number_(number) {}
    link_of(const char *name) : tip_(false), name_(name) {}
    link_of(const std::string &name) : link_of(name.c_str()) {} // lives as long as the call it is written in
    // Its number; -1: there is none, after telling.
    int in(const model &m, arne_error *told) const
    {
        if (tip_ || name_) return tip_ ? m.tip() : m.link(name_, told);
        if (number_ >= 0 && number_ < m.links()) return number_;
        fail(ARNE_BAD_ARGUMENT, m.name() + " has no link " + std::to_string(number_), told);
        return -1;
    }

  private:
    bool tip_ = true;
    int number_ = 0;
    const char *name_ = nullptr;
};

// What may change about it: gravity, load, wrenches. A copy is the same settings; clone() is another.

class settings
{
  public:
    settings() = default;
    explicit settings(const model &m, arne_error *told = nullptr) : model_(m)
    {
        auto s = make_told(told, arne_settings_new, static_cast<const arne_model *>(m));
        if (s) settings_ = std::shared_ptr<arne_settings>(s.release(), arne_settings_free);
    }
    operator arne_settings *() const { return settings_.get(); }
    const arne::model &model() const { return model_; }
    settings clone(arne_error *told = nullptr) const
    {
        settings s(model_, told);
        if (s) check(arne_settings_copy(s, *this), "settings", told);
        return s;
    }

    settings &gravity(double x, double y, double z, arne_error *told = nullptr)
    {
        const double g[3] = {x, y, z};
        return set(arne_set_gravity(*this, g), "gravity", told);
    }
    settings &rigid(bool on = true, arne_error *told = nullptr) { return set(arne_set_rigid(*this, on), "rigid", told); }
    settings &friction(bool on, arne_error *told = nullptr) { return set(arne_set_friction(*this, on), "friction", told); }
    settings &rotors(bool on, arne_error *told = nullptr) { return set(arne_set_rotors(*this, on), "rotors", told); }
    // Carried by a link, in its axes: kg, centre of mass, inertia about it xx xy xz yy yz zz.
    settings &payload(link_of link, double mass, std::array<double, 3> com, std::array<double, 6> inertia = {},
                      arne_error *told = nullptr)
    {
        const arne_body b = {
            mass, {com[0], com[1], com[2]}, {inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]}};
        const int at = link.in(model_, told);
        return at < 0 ? *this : set(arne_set_payload(*this, at, &b), "payload", told);
    }
    settings &no_payload(link_of link, arne_error *told = nullptr)
    {
        const int at = link.in(model_, told);
        return at < 0 ? *this : set(arne_set_payload(*this, at, nullptr), "no_payload", told);
    }
    // One more wrench that acts ON a link, at a point in its axes.
    settings &wrench(link_of link, std::array<double, 3> force, std::array<double, 3> moment = {},
                     arne_frame frame = ARNE_ALIGNED, std::array<double, 3> point = {}, arne_error *told = nullptr)
    {
        const int at = link.in(model_, told);
        if (at < 0) return *this;
        int count = 0;
        const arne_wrench *now = arne_settings_wrenches(*this, &count);
        std::vector<arne_wrench> all(now, now + count);
        all.push_back(
            {at, frame, {force[0], force[1], force[2]}, {moment[0], moment[1], moment[2]}, {point[0], point[1], point[2]}});
        return set(arne_set_wrenches(*this, all.data(), count + 1), "wrench", told);
    }
    settings &no_wrenches(arne_error *told = nullptr) { return set(arne_set_wrenches(*this, nullptr, 0), "no_wrenches", told); }

  private:
    settings &set(arne_status status, const char *what, arne_error *told)
    {
        check(status, what, told);
        return *this;
    }
    arne::model model_;
    std::shared_ptr<arne_settings> settings_;
};

#ifdef ARNE_NO_EXCEPTIONS
}
#endif
} // namespace arne
#endif
