# SPDX-License-Identifier: MIT
"""Document 000: the 16 variants of NE*, and figure 3: closed form against recursion."""
import pathlib
import subprocess
import tempfile

from paper import ARNE, HERE, Failure, Page, Value, arne, ask

BUILD = pathlib.Path(ARNE).resolve().parent
TOP = HERE.parent


def variants(page):
    page.section("Section III: which of the 16 variants satisfy Mdot = C + C'",
                 "The paper claims: only 0001 and 1110, in general. Numbers: largest violation over 20 random states, relative to Mdot. Planar "
                 "arms are special, there all 16 are valid (ERRATA 1.2).")
    robots = ("dlr-lwr3", "kuka-lwr", "rx90", "planar2r")
    answers = {r: {v["variant"]: v for v in ask("variants", r)["variants"]} for r in robots}
    rows = []
    for name in sorted(answers["rx90"]):
        claimed = name in ("0001", "1110")
        cells = [Value(plain="valid" if claimed else "not valid")]
        for r in robots:
            v = answers[r][name]
            right = v["valid"] == (claimed or r == "planar2r")
            cells.append(Value(ours=f"{'valid, ' if v['valid'] else ''}{v['skew']:.1e}", agrees=right))
        rows.append((name, cells))
    page.grid("eq. (20)", ["variant", "claimed", *robots], rows, "arne variants ROBOT")


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
    why = "seconds of MATLAB on a computer of its time; ours is C, where the generator shares what the MATLAB file spells out"
    page.row("Fig. 3", "closed form", "2.201 s", f"{closed:.0f} ns", cannot=why, command=command)
    page.row("Fig. 3", "NE*, seven sweeps", "0.105 s", f"{sweeps:.0f} ns", cannot=why, command=command)
    page.row("Fig. 3", "closed form over NE*", "about 20", f"{closed / sweeps:.2f}", command=command,
             cannot="customized code turns the claim round: with common terms shared the closed form is the fastest")
    page.words(f"Not in the paper: one O(n^2) pass over composite bodies gives all columns at once, {one:.0f} ns, {sweeps / one:.1f} times faster "
               "than the sweeps (doc/coriolis.md).")


def page():
    p = Page("000", "De Luca and Ferrajoli: a modified Newton-Euler method, NE*")
    variants(p)
    figure_three(p)
    return p
