/* SPDX-License-Identifier: MIT
 *
 * arm.cpp - from an arne description to the arm that all peers get, and random states for it.
 *
 * A moving joint of a description is  parent --before--> motion along axis --after--> child. With a rotation A that takes z to
 * the axis the motion is A motion(z) A', so the joint frame is (parent) before A and the child stands at A' after in it. */
#include <cmath>
#include <random>
#include <stdexcept>

#include "peers.h"

std::string place(const std::string &file, int line) { return file + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " "; }

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

namespace
{
/* Walks from the base to the hand, one body (a link and all that is fixed to it) at a time. */
struct Walk {
    const arne_description &d;
    const arne_joint_description *next; /* the moving joint that hangs on the present body */
    KDL::Frame next_at;

    std::string at_line(int line) const { return place(d.file ? d.file : d.name, line); }

    const arne_link_description &link(const std::string &name) const
    {
        for (size_t i = 0; i < d.nlink; i++)
            if (name == d.links[i].name) return d.links[i];
        throw std::runtime_error(at_line(0) + "no link '" + name + "'");
    }

    const char *root() const
    {
        for (size_t i = 0; i < d.nlink; i++) {
            bool child = false;
            for (size_t j = 0; j < d.njoint; j++) child = child || std::string(d.links[i].name) == d.joints[j].child;
            if (!child) return d.links[i].name;
        }
        throw std::runtime_error(at_line(0) + "no base link");
    }

    KDL::RigidBodyInertia body(const std::string &name, const KDL::Frame &at)
    {
        KDL::RigidBodyInertia sum = at * inertia(link(name).body);
        for (size_t j = 0; j < d.njoint; j++) {
            const arne_joint_description &joint = d.joints[j];
            if (name != joint.parent) continue;
            if (joint.type == ARNE_FIXED) {
                sum = sum + body(joint.child, at * frame(joint.before) * frame(joint.after));
            } else if (next) {
                throw std::runtime_error(at_line(joint.line) + "not a serial chain: joints '" + std::string(next->name) +
                                         "' and '" + joint.name + "' hang on one body; give an arm without branches");
            } else {
                next = &joint;
                next_at = at * frame(joint.before) * onto_axis(joint.axis);
            }
        }
        return sum;
    }
};
} // namespace

Arm arm_from(const arne_description &d)
{
    Walk walk{d, nullptr, KDL::Frame::Identity()};
    Arm arm{d.name, KDL::Vector(d.gravity[0], d.gravity[1], d.gravity[2]), {}};
    walk.body(walk.root(), KDL::Frame::Identity());
    while (const arne_joint_description *joint = walk.next) {
        ArmLink link{joint->type == ARNE_PRISMATIC, walk.next_at, KDL::RigidBodyInertia::Zero()};
        walk.next = nullptr;
        link.inertia = walk.body(joint->child, onto_axis(joint->axis).Inverse() * frame(joint->after));
        arm.links.push_back(link);
    }
    if (arm.links.empty())
        throw std::runtime_error(walk.at_line(0) + "no joint moves; give an arm with at least one moving joint");
    return arm;
}

States states_random(size_t count, size_t dof, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> angle(-3.1, 3.1), rate(-2, 2), acceleration(-5, 5);
    States s{count, dof, {}, {}, {}, std::vector<double>(count * dof)};
    for (size_t i = 0; i < count * dof; i++) {
        s.q.push_back(angle(random));
        s.qd.push_back(rate(random));
        s.qdd.push_back(acceleration(random));
    }
    return s;
}
