# SPDX-License-Identifier: Apache-2.0
"""What the tests of carom.plot share."""

import os
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "python"))

import carom.plot  # noqa: E402
from carom.plot import audit, style  # noqa: E402

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


def examples(folder=""):
    """The scenarios of a folder below examples/: "bar.toml", "space/rod.toml"."""
    names = sorted(os.listdir(os.path.join(EXAMPLES, folder)))
    return [os.path.join(folder, name) for name in names if name.endswith(".toml")]


def record_of_text(text, *arguments):
    """The record of `carom solve` of a scenario given as text."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "scenario.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return record_of("solve", path, *arguments)


def readable(test, figure):
    """No text beyond the edge, none over another. Returns all texts that are seen."""
    with style.context():
        found = audit.texts(figure)
        test.assertEqual(audit.problems(figure, found=found), [])
        return [text.get_text() for text, _ in found]


def words(figure):
    """All texts that are seen."""
    with style.context():
        return [text.get_text() for text, _ in audit.texts(figure)]


def legend_of(figure):
    """The labels of all legends, each on one line."""
    return [text.get_text().replace("\n", " ") for axes in figure.axes if axes.get_legend()
            for text in axes.get_legend().get_texts()]
