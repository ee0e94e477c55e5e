# SPDX-License-Identifier: Apache-2.0
"""Builds the compiled half of the Python package with CMake, for the Python that runs this.

CAROM_BUILD names a build tree to use; without it one is made in build/temp.*, which nothing but building again needs.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

TOP = pathlib.Path(__file__).resolve().parent


def version():
    text = (TOP / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(carom VERSION ([0-9.]+)", text)[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        kept = os.environ.get("CAROM_BUILD")
        tree = pathlib.Path(kept).resolve() if kept else pathlib.Path(self.build_temp).resolve() / "cmake"
        if not (tree / "build.ninja").exists():
            tree.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cmake", "-S", TOP, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCAROM_TESTS=OFF", "-DCAROM_BENCHMARKS=OFF",
                            f"-DCAROM_PYTHON_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["ninja", "-C", tree, "carom_python"], check=True)
        built = tree / "python" / "carom" / target.name
        if not built.exists():
            raise SystemExit(f"{built} was not built: pybind11 and Python's headers are needed "
                             "(Debian: pybind11-dev, python3-dev), and the same Python for both")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(built, target)


setup(version=version(), ext_modules=[Extension("carom._carom", [])], cmdclass={"build_ext": CMakeBuild})
