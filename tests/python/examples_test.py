# SPDX-License-Identifier: MIT
"""The worked scripts of examples/python and the lines of doc/python.md run, and what they assert holds."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
MATPLOTLIB = importlib.util.find_spec("matplotlib")


class Scripts(unittest.TestCase):
    def test_page(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (TOP / "doc" / "python.md").read_text(), re.S | re.M)
        self.assertGreater(len(blocks), 3)
        text = "\n".join(line for block in blocks for line in block.splitlines()
                         if "help(" not in line and ("matplotlib" not in line or MATPLOTLIB))
        r = subprocess.run([sys.executable, "-W", "error", "-c", text], capture_output=True, text=True)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)


for script in (TOP / "examples" / "python").glob("*.py"):
    def test(self, script=script):
        r = subprocess.run([sys.executable, "-W", "error", str(script)], capture_output=True, text=True)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertTrue(r.stdout)
    setattr(Scripts, "test_" + script.stem, test)

if __name__ == "__main__":
    unittest.main()
