# SPDX-License-Identifier: MIT
"""What pip calls to build the package (PEP 517, 660), with the standard library alone: cmake makes build/python/arne, and this
zips it. The version is that of CMakeLists.txt, the robots and the program go with it."""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

TOP = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"project\(arne VERSION ([0-9.]+)", (TOP / "CMakeLists.txt").read_text())[1]
TAG = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
INFO = f"arne-{VERSION}.dist-info"


def build():
    """build/python, by the Python that pip runs in; or that of $ARNE_BUILD, which is there already."""
    if "ARNE_BUILD" in os.environ:
        return pathlib.Path(os.environ["ARNE_BUILD"]) / "python"
    for tool in ("cmake", "ninja", "cc"):
        if not shutil.which(tool):
            raise SystemExit(f"arne: {tool} is not here; on Debian: tools/setup build python")
    folder = TOP / "build"
    for command in (["cmake", "-S", TOP, "-B", folder, "-G", "Ninja", f"-DARNE_PYTHON={sys.executable}"],
                    ["cmake", "--build", folder, "--target", "python"]):
        r = subprocess.run(command, capture_output=True, text=True)
        if r.returncode:
            words = (r.stdout + r.stderr)[-3000:]
            if "unknown target" in words:
                words = f"{sysconfig.get_paths()['include']}/Python.h is not here; on Debian: tools/setup python"
            raise SystemExit(f"arne: the build fails:\n{words}")
    return folder / "python"


def about():
    yield "METADATA", (f"Metadata-Version: 2.1\nName: arne\nVersion: {VERSION}\nSummary: the dynamics of robots\n"
                       "License: MIT\nRequires-Python: >=3.11\nRequires-Dist: numpy\n")
    yield "WHEEL", f"Wheel-Version: 1.0\nGenerator: arne\nRoot-Is-Purelib: false\nTag: {TAG}\n"


def write(wheel_directory, files, texts):
    """A wheel of files {name: path} and texts {name: text}."""
    name = f"arne-{VERSION}-{TAG}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        def put(at, content, mode=0o644):
            entry = zipfile.ZipInfo(at, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{at},sha256={digest},{len(content)}")

        for at, path in sorted(files.items()):
            put(at, path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        for at, text in texts.items():
            put(at, text.encode())
        record.append(f"{INFO}/RECORD,,")
        wheel.writestr(f"{INFO}/RECORD", "\n".join(record) + "\n")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    built = build()
    files = {str(f.relative_to(built)): f for f in (built / "arne").rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    return write(wheel_directory, files, {f"{INFO}/{k}": v for k, v in about()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write(wheel_directory, {}, {"arne.pth": f"{build()}\n", **{f"{INFO}/{k}": v for k, v in about()}})
