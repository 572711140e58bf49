#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two ranks of mpirun beside two threads, the same work in turn, least of some rounds: seconds that pass, and of all processors.

    python3 bench/ranks.py [ROWS [ROUNDS [FOLDER]]]

$ARNE, or build/arne; ROWS of .npy (12 million; a sixth of them of CSV, a sweep of a sixty thousandth of runs) in FOLDER, the one of
temporary files. The first line is a file of ten rows: what it costs to start. Both must write the same bytes."""
import array
import filecmp
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ARNE = os.path.abspath(os.environ.get("ARNE", "build/arne"))
RANKS = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "2"]
ROWS, ROUNDS = (int(x) for x in (*sys.argv[1:3], *("12000000", "5")[len(sys.argv[1:3]):]))
WIDTH, SOME = 24, 20000


def write_states(name, rows):
    some = array.array("d", (random.uniform(-2, 2) for _ in range(SOME * WIDTH)))
    lines = "".join(",".join(map(repr, some[i:i + WIDTH])) + "\n" for i in range(0, len(some), WIDTH)) if name.endswith("csv") else None
    with open(name, "wb") as f:
        if lines:
            f.write((",".join(g + str(i + 1) for g in ("q", "qd", "qdd", "tau") for i in range(6)) + "\n").encode())
        else:
            f.write(b"\x93NUMPY\x01\0\x76\0" + ("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, WIDTH)).ljust(117).encode() + b"\n")
        for begin in range(0, rows, SOME):
            n = min(SOME, rows - begin)
            f.write(lines.encode() if lines else some[:n * WIDTH].tobytes())


def used(command):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed, after = time.time() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def beside(words, out):
    """Least times of threads and ranks."""
    rounds = []
    for _ in range(ROUNDS):
        for name in ("threads" + out, "ranks" + out):
            if os.path.exists(name):
                os.remove(name)
        rounds.append((*used([ARNE, *words, "--threads", "2", "--out", "threads" + out]), *used([*RANKS, ARNE, *words, "--out", "ranks" + out])))
    if not filecmp.cmp("threads" + out, "ranks" + out, shallow=False):
        sys.exit("other bytes: " + " ".join(words))
    return [min(x) for x in zip(*rounds)]


with tempfile.TemporaryDirectory(dir=(sys.argv[3:4] or [None])[0]) as folder:
    os.chdir(folder)
    write_states("few.npy", 10)
    write_states("s.npy", ROWS)
    write_states("s.csv", ROWS // 6 // SOME * SOME or SOME)
    cases = [(["eval", "ur5e", "--quiet", "--want", want, "--in", source], out)
             for want, source, out in (("id", "few.npy", ".npy"), ("id", "s.npy", ".npy"), ("fd", "s.npy", ".npy"), ("id", "s.npy", ".h5"),
                                       ("id", "s.csv", ".npy"), ("id", "s.csv", ".csv"))]
    cases.append((["sweep", "lwr_push", "--quiet", "--runs", str(ROWS // 60000 or 1)], ".h5"))
    print("| | threads, s | ranks, s | threads, processors | ranks, processors |\n|---|---|---|---|---|")
    for words, out in cases:
        if out != ".h5" or os.path.exists(os.path.join(os.path.dirname(ARNE), "arne_hdf5.so")):
            what = "`%s` %s to %s" % (words[4], words[-1], out) if words[0] == "eval" else "sweep of %s runs" % words[-1]
            wall, cpu, wall_ranks, cpu_ranks = beside(words, out)
            print("| %s | %.2f | %.2f | %.2f | %.2f |" % (what, wall, wall_ranks, cpu, cpu_ranks), flush=True)
