# SPDX-License-Identifier: Apache-2.0
"""pip installs the package into a fresh virtual environment, without network, and takes all of it away again."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from package import TOP


class Install(unittest.TestCase):
    def test_install_and_uninstall(self):
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "CAROM")}
        with tempfile.TemporaryDirectory() as directory:
            # pip writes beside the sources: into a copy of what it needs.
            source = pathlib.Path(directory) / "source"
            source.mkdir()
            for name in ("pyproject.toml", "setup.py", "README.md", "CMakeLists.txt"):
                shutil.copy(TOP / name, source)
            shutil.copytree(TOP / "python", source / "python", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))

            def run(*command):
                result = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=source,
                                        env=environment)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                return result.stdout

            venv = pathlib.Path(directory) / "venv"
            run(sys.executable, "-m", "venv", "--system-site-packages", venv)
            python = venv / "bin" / "python"
            before = {path for path in venv.rglob("*") if "__pycache__" not in path.parts}
            run(python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", ".")
            printed = run(python, "-I", "-c", "import carom; print(carom.__file__); print(carom.solve(law='energetic', "
                          "inverse_inertia=[[1, .9], [.9, 1]], approach=[-1, -.5], restitution=1, friction=1)"
                          ".impulse.tolist())")
            self.assertIn(str(venv), printed)
            self.assertIn("[5.895198487102996, -4.8056786383926955]", printed)
            run(python, "-m", "pip", "uninstall", "-y", "carom")
            after = {path for path in venv.rglob("*") if "__pycache__" not in path.parts}
            self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main()
