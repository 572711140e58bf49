# SPDX-License-Identifier: MIT
"""pip install . in a fresh environment, without a network: the package of $ARNE_BUILD, found by another working folder."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = """
import arne, os
assert os.environ["HOME"] in arne.__file__, arne.__file__
m = arne.load("planar2r")
assert m.id([0, 0], [0, 0], [0, 0]).tolist() == [58.86, 14.715]
assert arne.info("ur5e").dof == 6
assert len(arne.simulate("pendulum", set=["duration=0.1"])) > 1
print("installed", arne.__version__)
"""


class Installed(unittest.TestCase):
    def test_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ARNE_ROBOTS", "ARNE")}
            env.update(HOME=folder, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")

            def run(*words):
                r = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=env)
                self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
                return r.stdout

            if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
                print("not tested: pip install .: pip is not here (python3-pip)")
                return
            run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", "env")
            python = os.path.join(folder, "env", "bin", "python")
            run(python, "-m", "pip", "install", "-q", str(TOP))
            self.assertIn("installed", run(python, "-c", SCRIPT))
            run(python, "-m", "pip", "uninstall", "-q", "-y", "arne")


if __name__ == "__main__":
    unittest.main()
