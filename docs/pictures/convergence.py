#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes convergence.svg: errors of `carom simulate` against the tolerance asked for, and against the number of steps.

The error is that of event times, the largest over the run, relative to the time of the run; what it is measured
against is the run at tolerance 1e-13.

    docs/pictures/convergence.py [COMMAND]     COMMAND: ./run by default
"""

import csv
import os
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "python"))

import numpy as np  # noqa: E402
from carom.plot import save, style  # noqa: E402

#: Scenario, end of the run [s], name, colour, marker.
RUNS = (
    ("disc-ball-7", 0.6, "disc and ball, case 7", style.BLUE, "o"),
    ("double-pendulum", 1.5, "double pendulum", style.ORANGE, "s"),
    ("sliding-block", 0.42, "block that rocks and slips", style.GREEN, "^"),
)
TOLERANCES = [digit * 10.0**-exponent for exponent in range(4, 13) for digit in (3, 1)]


def follow(command, scenario, end, tolerance):
    """Times of the events of a run [s], and how many steps it took."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([command, "simulate", f"examples/motion/{scenario}.toml", "-q", "--end", str(end), "--tolerance",
                        f"{tolerance:.0e}", "--force", "--out", out], cwd=SOURCE, check=True)
        with open(os.path.join(out, "events.csv"), encoding="utf-8", newline="") as file:
            times = [float(row[0]) for row in list(csv.reader(file))[1:]]
        with open(os.path.join(out, "progress.toml"), "rb") as file:
            return np.array(times), int(tomllib.load(file)["counts"][-1])


def errors(command, scenario, end):
    """Rows of tolerance, steps and error; events that differ in number have no error that means anything."""
    exact, _ = follow(command, scenario, end, 1e-13)
    rows = []
    for tolerance in TOLERANCES:
        times, steps = follow(command, scenario, end, tolerance)
        if len(times) == len(exact) and np.any(times != exact):
            rows.append((tolerance, steps, np.max(np.abs(times - exact)) / end))
    return np.array(rows)


def draw(runs):
    """The figure. runs: name, colour, marker and rows of each scenario."""
    figure = style.figure(9.6, 4.4)
    left, right = figure.subplots(1, 2, sharey=True)
    for name, colour, marker, rows in runs:
        look = {"color": colour, "marker": marker, "markersize": 4}
        left.plot(rows[:, 0], rows[:, 2], label=name, **look)
        right.plot(rows[:, 1], rows[:, 2], **look)
    guide = {"color": style.SOFT, "linewidth": 1.2, "linestyle": (0, (6, 4))}
    left.plot([1e-3, 1e-12], [1e-3, 1e-12], label="error = tolerance", **guide)
    steps = np.array([5.0, 200.0])
    right.plot(steps, 3e5 * steps**-8, label="error ∝ steps⁻⁸", **guide)
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.legend(loc="upper right")
    left.set_ylim(1e-15, 1e-3)
    left.set_xlim(1e-3, 5e-13)
    right.set_xlim(5, 200)
    right.set_xticks([5, 10, 20, 50, 100, 200], ["5", "10", "20", "50", "100", "200"])
    right.minorticks_off()
    left.set_xlabel("tolerance")
    right.set_xlabel("steps")
    left.set_ylabel("error of event times, relative")
    return figure


if __name__ == "__main__":
    carom = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(SOURCE, "run")
    measured = [(name, colour, marker, errors(carom, scenario, end)) for scenario, end, name, colour, marker in RUNS]
    with style.context():
        save(draw(measured), os.path.join(HERE, "convergence.svg"))
