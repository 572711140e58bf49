/* SPDX-License-Identifier: MIT
 *
 * robot.cpp - from an arne description to the robot that all peers get, and random states for it.
 *
 * A moving joint of a description is  parent --before--> motion along axis --after--> child. With a rotation A that takes z to
 * the axis the motion is A motion(z) A', so the joint frame is (parent) before A and the child stands at A' after in it. */
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "arne/file.h"
#include "peers.h"

static KDL::Frame frame(const arne_pose &p)
{
    const double *R = p.R;
    return KDL::Frame(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), KDL::Vector(p.p[0], p.p[1], p.p[2]));
}

static KDL::RigidBodyInertia inertia(const arne_body &b)
{
    const double *I = b.inertia; /* xx xy xz yy yz zz; KDL wants xx yy zz xy xz yz, about the centre of mass as well */
    return KDL::RigidBodyInertia(b.mass, KDL::Vector(b.com[0], b.com[1], b.com[2]),
                                 KDL::RotationalInertia(I[0], I[3], I[5], I[1], I[2], I[4]));
}

/* A rotation with z on the axis; axes of the coordinate system give exact zeros and ones. */
static KDL::Frame onto_axis(const double axis[3])
{
    KDL::Vector z(axis[0], axis[1], axis[2]);
    z.Normalize();
    int thin = 0;
    for (int i = 1; i < 3; i++)
        if (std::fabs(z(i)) < std::fabs(z(thin))) thin = i;
    KDL::Vector x = KDL::Vector::Zero();
    x(thin) = 1;
    x = x - z * z(thin);
    x.Normalize();
    return KDL::Frame(KDL::Rotation(x, z * x, z));
}

bool Robot::serial() const
{
    for (size_t i = 0; i < bodies.size(); i++)
        if (bodies[i].parent != static_cast<int>(i) - 1) return false;
    return true;
}

namespace
{
using Description = std::unique_ptr<arne_description, decltype(&arne_description_free)>;

/* Walks from the base to the leaves, depth first in the order of the file: the order of arne's joints. */
struct Walk {
    const arne_description &d;
    std::vector<Body> &bodies;

    const arne_link_description &link(const std::string &name) const
    {
        for (size_t i = 0; i < d.nlink; i++)
            if (name == d.links[i].name) return d.links[i];
        throw std::runtime_error(std::string(d.name) + ": no link '" + name + "'");
    }

    const char *root() const
    {
        for (size_t i = 0; i < d.nlink; i++) {
            bool child = false;
            for (size_t j = 0; j < d.njoint; j++) child = child || std::string(d.links[i].name) == d.joints[j].child;
            if (!child) return d.links[i].name;
        }
        throw std::runtime_error(std::string(d.name) + ": no base link");
    }

    /* a link that stands at `at` in body `self`, and all that hangs on it */
    void visit(const std::string &name, const KDL::Frame &at, int self)
    {
        if (self >= 0) {
            Body &body = bodies[static_cast<size_t>(self)];
            body.inertia = body.inertia + at * inertia(link(name).body);
        }
        for (size_t j = 0; j < d.njoint; j++) {
            const arne_joint_description &joint = d.joints[j];
            if (name != joint.parent) continue;
            const KDL::Frame here = at * frame(joint.before);
            if (joint.type == ARNE_FIXED) {
                visit(joint.child, here * frame(joint.after), self);
                continue;
            }
            const KDL::Frame axis = onto_axis(joint.axis);
            bodies.push_back({self, joint.type == ARNE_PRISMATIC, here * axis, KDL::RigidBodyInertia::Zero()});
            visit(joint.child, axis.Inverse() * frame(joint.after), static_cast<int>(bodies.size()) - 1);
        }
    }
};
} // namespace

[[noreturn]] static void refuse(const std::string &name, const arne_error &error)
{
    throw std::runtime_error(name + ":" + (error.line > 0 ? std::to_string(error.line) + ":" : "") + " " + error.message);
}

static Robot robot_from(arne_description &d, const std::string &file)
{
    arne_model *built = nullptr;
    arne_error error;
    const std::string name = file.empty() ? d.name : file;
    if (arne_model_build(&d, nullptr, &built, &error) != ARNE_OK) refuse(name, error);
    Robot robot{d.name, file, KDL::Vector(d.gravity[0], d.gravity[1], d.gravity[2]), {}, {built, arne_model_free}};
    Walk walk{d, robot.bodies};
    walk.visit(walk.root(), KDL::Frame::Identity(), -1);
    const size_t n = robot.dof();
    if (n == 0) throw std::runtime_error(name + ": no joint moves");
    if (n != static_cast<size_t>(arne_model_joints(built)) || n != static_cast<size_t>(arne_model_nv(built)))
        throw std::runtime_error(name + ": the peers get joints of one freedom that do not mimic others; this robot has others");
    return robot;
}

Robot robot_read(const std::string &file)
{
    arne_description *read = nullptr;
    arne_error error;
    arne_read_options options{};
    options.size = sizeof options;
    options.base = ARNE_BASE_FIXED;
    if (arne_read(file.c_str(), &options, &read, &error) != ARNE_OK) refuse(file, error);
    return robot_from(*Description(read, arne_description_free), file);
}

/* Links of 0.1 to 0.3 m, axes at random; the inertia is that of a spread along three axes, so the body can exist. */
Robot robot_chain(size_t n)
{
    const Description d(arne_description_new(("chain " + std::to_string(n)).c_str()), arne_description_free);
    if (!d || !arne_description_link(d.get(), "l0", 0)) throw std::runtime_error("no memory");
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_real_distribution<double> unit(-1, 1);
    for (size_t i = 1; i <= n; i++) {
        const std::string parent = "l" + std::to_string(i - 1), name = "l" + std::to_string(i), joint = "j" + std::to_string(i);
        arne_link_description *link = arne_description_link(d.get(), name.c_str(), 0);
        arne_joint_description *j =
            arne_description_joint(d.get(), joint.c_str(), 0, ARNE_REVOLUTE, parent.c_str(), name.c_str());
        if (!link || !j) throw std::runtime_error("no memory");
        const double xyz[3] = {0.1 * unit(random), 0.1 * unit(random), 0.2 + 0.1 * unit(random)};
        const double rpy[3] = {3 * unit(random), 3 * unit(random), 3 * unit(random)};
        j->before = arne_pose_rpy(xyz, rpy);
        link->body.mass = 1 + 0.5 * unit(random);
        for (double &c : link->body.com) c = 0.1 * unit(random);
        const double x2 = 0.010 + 0.005 * unit(random), y2 = 0.010 + 0.005 * unit(random), z2 = 0.010 + 0.005 * unit(random);
        link->body.inertia[0] = y2 + z2;
        link->body.inertia[3] = x2 + z2;
        link->body.inertia[5] = x2 + y2;
    }
    return robot_from(*d, "");
}

States states_random(const Robot &robot)
{
    /* 256; fewer for long chains, whose inputs must stay in the cache as those of short ones do; whole vectors of 16 */
    const size_t n = robot.dof(), count = std::max<size_t>(16, std::min<size_t>(256, 8192 / n / 16 * 16));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> angle(-3.1, 3.1), rate(-2, 2), acceleration(-5, 5);
    States s{count, n, {}, {}, {}, std::vector<double>(count * n)};
    for (size_t i = 0; i < count * n; i++) {
        s.q.push_back(angle(random));
        s.qd.push_back(rate(random));
        s.qdd.push_back(acceleration(random));
    }
    kdl_fill_torques(robot, s);
    return s;
}
