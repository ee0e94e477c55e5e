# SPDX-License-Identifier: Apache-2.0
"""What the tests of carom.plot share."""

import os
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "python"))

import carom.plot  # noqa: E402
from carom.plot import audit  # noqa: E402

CAROM = os.environ.get("CAROM", os.path.join(SOURCE, "build", "release", "bin", "carom"))
EXAMPLES = os.path.join(SOURCE, "examples")


def record_of(*arguments, option="--plot", ending=".svg"):
    """The record that `carom ARGUMENT... --plot x.svg` writes. Nothing is drawn: no interpreter is found."""
    with tempfile.TemporaryDirectory() as directory:
        picture = os.path.join(directory, "x" + ending)
        run = subprocess.run([CAROM, *arguments, option, picture], capture_output=True, text=True, cwd=EXAMPLES,
                             env={**os.environ, "CAROM_PYTHON": "/nowhere/python3"})
        if not os.path.exists(picture + ".json"):
            raise AssertionError(f"carom {' '.join(arguments)}: no record; {run.stderr}")
        return carom.plot.read(picture + ".json")


def readable(test, figure):
    """No text beyond the edge, none over another."""
    test.assertEqual(audit.problems(figure), [])


def words(figure):
    """All texts that are seen."""
    return [text.get_text() for text, _ in audit.texts(figure)]
