# SPDX-License-Identifier: MIT
"""Seed 000: the 16 variants of NE*, and figure 3: closed form against recursion."""
import pathlib
import subprocess
import tempfile

from paper import ARNE, HERE, Failure, Page, arne, ask

BUILD = pathlib.Path(ARNE).resolve().parent
TOP = HERE.parent


def variants(page):
    page.section("Section III: which of the 16 variants satisfy Mdot = C + C'",
                 "The paper claims: only 0001 and 1110, in general. Largest violation over 20 random states, relative to Mdot.")
    for robot in ("dlr-lwr3", "kuka-lwr", "rx90"):
        for v in ask("variants", robot)["variants"]:
            claimed = v["variant"] in ("0001", "1110")
            page.row("eq. (20)", f"{robot}, variant {v['variant']}", "valid" if claimed else "not valid", "valid" if v["valid"] else "not valid",
                     f"{v['skew']:.1e}", claimed == v["valid"], command=f"arne variants {robot}")
    every = [v["valid"] for v in ask("variants", "planar2r")["variants"]]
    page.row("eq. (20)", "planar2r", "only 0001 and 1110, in general", f"{sum(every)} of 16", why="planar arms are special: all variants are "
             "valid (ERRATA 1.2)", command="arne variants planar2r")


def figure_three(page):
    page.section("Figure 3: time of the Coriolis matrix of the DLR arm", "The paper compares MATLAB functions: one with the closed form written "
                 "out, one that calls NE* seven times. Ours in C, the three ways in turns in one program (papers/000/time.c).")
    with tempfile.TemporaryDirectory() as folder:
        arne("codegen", "dlr-lwr3", "--what", "coriolis", "--name", "closed", "--out", folder, "--rigid", "--quiet")
        words = ["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O3", f"-I{TOP / 'include'}", f"-I{folder}", str(HERE / "000" / "time.c"), f"{folder}/closed.c", f"{BUILD}/libarne_file.a",
                 f"{BUILD}/libarne.a", "-lxml2", "-lyaml", "-lm", "-o", f"{folder}/time"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise Failure(done.stderr)
        closed, sweeps, one = (float(x) for x in subprocess.run([f"{folder}/time", str(TOP / "robots" / "dlr-lwr3.yaml")], capture_output=True,
                                                                text=True, check=True).stdout.split())
    command = "make papers"
    page.row("Fig. 3", "closed form, s", "2.201 (MATLAB)", f"{closed:.0f} ns, generated C", "", why="the generator factors and shares what the "
             "MATLAB file spelled out", command=command)
    page.row("Fig. 3", "NE*, seven sweeps, s", "0.105 (MATLAB)", f"{sweeps:.0f} ns", "", why="the same seven sweeps", command=command)
    page.row("Fig. 3", "closed form over NE*", "about 20", f"{closed / sweeps:.2f}", "", why="customized code turns the claim round: with common terms shared "
             "the closed form is the fastest, where MATLAB's was the slowest", command=command)
    page.row("section IV", "one O(n^2) pass instead of n sweeps", "not in the paper", f"{one:.0f} ns", f"{sweeps / one:.1f} times faster than the "
             "sweeps", why="composite bodies give all columns at once (doc/coriolis.md)", command=command)


def page():
    p = Page("000", "De Luca and Ferrajoli: a modified Newton-Euler method, NE*")
    variants(p)
    figure_three(p)
    return p
