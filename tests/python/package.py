# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package carom share. They run in the top directory of the sources."""

import json
import os
import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
CAROM = os.environ.get("CAROM", str(TOP / "build" / "release" / "bin" / "carom"))
REFERENCE = TOP / "tests" / "reference"


def stream(problems):
    """What `carom solve --stream` answers to problems, as dicts."""
    lines = "".join(json.dumps(problem) + "\n" for problem in problems)
    run = subprocess.run([CAROM, "solve", "--stream"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def reference_problems():
    """All problems of the reference cases."""
    problems = []
    for file in sorted(REFERENCE.rglob("*.json")):
        cases = json.loads(file.read_text(encoding="utf-8"))
        for case in cases.get("cases", []) if isinstance(cases, dict) else cases:
            if "law" in case.get("problem", {}):
                problems.append(case["problem"])
    return problems
