#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""doc/adding_a_kind.md: the kind of its example is compiled, all texts for it, and counts what the page says."""
import concurrent.futures
import os
import re
import subprocess
import unittest

from support import ARNE, TOP, Program


class Page(Program):
    def test_the_kind_that_counts(self):
        with open(os.path.join(TOP, "doc", "adding_a_kind.md")) as f:
            page = f.read()
        header, door = re.findall(r"```c\n(.*?)```", page, re.S)
        self.write("tally.h", header)
        self.write("tally.c", door)
        with open(os.path.join(TOP, "CMakeLists.txt")) as f:
            texts = re.search(r"^set\(TEXTS (.*)\)$", f.read(), re.M).group(1).split()

        def compiled(source):
            object_ = re.sub(r"\W", "_", source) + ".o"
            r = subprocess.run(["cc", "-std=c11", "-O0", "-DKIND=tally", "-I.", f"-I{TOP}/src", f"-I{TOP}/include", "-c", source, "-o", object_],
                               cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(r.returncode, 0, r.stderr)
            return object_

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(compiled, ["tally.c", *(f"{TOP}/src/{t}.c" for t in texts)]))
        library = os.path.join(os.path.dirname(ARNE), "libarne.a")
        r = subprocess.run(["cc", *objects, library, "-lm", "-o", "tally"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(r.returncode, 0, r.stderr)
        printed = subprocess.run(["./tally"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        counts = lambda text: re.findall(r"(\w+) (\d+/\d+/\d+)", text)
        of_six = re.search(r"^n = 6:.*$", printed, re.M).group()
        self.assertEqual(counts(of_six), counts(page))

        # the sentences of other pages: id, forward dynamics
        for n, line in enumerate(printed.splitlines(), 1):
            here = dict(counts(line))
            self.assertEqual(here["id"], f"{96 * n - 73}/{84 * n - 70}/0")
            self.assertEqual(here["aba"], f"{286 * n - 247}/{265 * n - 232}/{2 * n - 1}")
            self.assertEqual(here["mass"], f"{39 * (n - 1) + 11 * n * (n - 1)}/{51 * (n - 1) + 10 * n * (n - 1)}/0")


if __name__ == "__main__":
    unittest.main()
