# SPDX-License-Identifier: MIT
"""The worked scripts of examples/python run, and what they assert holds."""
import pathlib
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "python"


class Scripts(unittest.TestCase):
    pass


for script in FOLDER.glob("*.py"):
    def test(self, script=script):
        r = subprocess.run([sys.executable, "-W", "error", str(script)], capture_output=True, text=True)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertTrue(r.stdout)
    setattr(Scripts, "test_" + script.stem, test)

if __name__ == "__main__":
    unittest.main()
