#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Robots of very many joints: time and memory grow with the joints where they can, and what cannot be done in reasonable time says
so at once, with a way out. The program is $ARNE, or build/arne."""
import os
import subprocess

from support import ARNE, Program, main


def chain(n):
    """URDF: n revolute joints in a row, axes in turn."""
    body = "<inertial><origin xyz='0.05 0 0'/><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial>"
    limit = "<limit lower='-3' upper='3' velocity='5' effort='50'/>"
    links = ["<link name='l%d'>%s</link>\n" % (i, body) for i in range(1, n + 1)]
    joints = ["<joint name='j%d' type='revolute'><parent link='l%d'/><child link='l%d'/><origin xyz='0.1 0 0'/><axis xyz='%s'/>%s"
              "</joint>\n" % (i, i - 1, i, ("0 0 1", "0 1 0", "1 0 0")[i % 3], limit) for i in range(1, n + 1)]
    return "<robot name='chain'><link name='l0'/>\n%s%s</robot>\n" % ("".join(links), "".join(joints))


class Long(Program):
    def measured(self, *args):
        """Seconds of processor time and megabytes."""
        with open(os.devnull, "w") as nowhere:
            p = subprocess.Popen([ARNE, *args], cwd=self.folder, stdout=nowhere)
            _, status, used = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(p.returncode, 0, args)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    def test_ten_thousand_joints(self):
        self.write("chain.urdf", chain(10000))
        seconds, _ = self.measured("info", "chain.urdf")
        self.assertLess(seconds, 4)  # 0.2 s; in the square of the joints it was 8 s
        for want in ("id", "fd", "pose"):
            seconds, megabytes = self.measured("eval", "chain.urdf", "--want", want)
            self.assertLess(seconds, 4, want)
            self.assertLess(megabytes, 500, want)  # 90; with an inertia matrix 860

    def test_code_of_many_joints(self):
        self.write("chain.urdf", chain(300))
        self.refused(1, ["mass", "300 joints", "40000", "leave it out"], "codegen", "chain.urdf", "--what", "id,mass", "--out", "code")
        self.refused(1, ["fd"], "codegen", "chain.urdf", "--what", "fd", "--out", "code")
        self.refused(1, ["200 joints", "--params standard"], "codegen", "chain.urdf", "--what", "id", "--out", "code")
        self.good("codegen", "chain.urdf", "--what", "id", "--params", "standard", "--out", "code", "--quiet")
        self.assertIn("chain_id(", self.read("code/chain.h"))

    def test_base_parameters_of_many_joints(self):
        self.write("chain.urdf", chain(300))
        self.refused(1, ["chain.urdf", "300 joints", "200"], "base", "chain.urdf")
        self.refused(1, ["200 joints", "--params standard"], "count", "chain.urdf", "--params", "base", "--what", "id", "--format", "json")

    def test_what_takes_long_says_so_first(self):
        self.write("chain.urdf", chain(150))
        for command, more in ((["base", "chain.urdf"], ""), (["codegen", "chain.urdf", "--out", "code"], "--params standard")):
            p = subprocess.Popen([ARNE, *command], cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
            line = p.stderr.readline().decode()
            p.kill()
            p.communicate()
            self.assertRegex(line, r"base parameters of 150 joints take about \d+ s")
            self.assertIn(more, line)
        self.write("short.urdf", chain(12))
        self.good("base", "short.urdf")


if __name__ == "__main__":
    main()
