# SPDX-License-Identifier: Apache-2.0
"""Compares what the carom command computes with values recorded before its types were made one.

    recorded.py --carom build/release/bin/carom            compare (exit code 1 if a value differs)
    recorded.py --carom build/release/bin/carom --write    record anew
    recorded.py --carom ... solve stream                   only these groups

A row of GROUP.csv.gz is: source, law, contact, quantity, component, value. Words begin with an apostrophe. The names
of quantities are those of physics: where the layout of an answer changes, only the adapter below that reads it does.
Numbers may differ by 1e-12 of the scale of their quantity within one source and law (see `Scales`).
Differences that are intended stand in intended.txt, with their reason. Sources and laws that were not recorded are
counted as new, and are no differences. This test is deleted with its data once that work is done.
"""

import argparse
import csv
import fnmatch
import gzip
import io
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLES = ROOT / "examples"
REFERENCE = ROOT / "tests" / "reference"
TOLERANCE = 1e-12
LAWS = ["newton", "poisson", "energetic", "moreau", "moreau:poisson", "brach", "compliant", "conventional",
        "conventional:rebound", "shen-townsend", "walton", "sun-baruh", "sun-baruh:energetic", "lzb"]
QUANTITIES = ["mode", "regime", "verdict", "reversal", "sign", "energy", "rebound", "ratio", "restitution",
              "impulse_ratio", "normal_velocity", "slip", "normal_impulse", "tangential_impulse", "energy_change"]
AXES = {1: ["n"], 2: ["n", "t"], 3: ["n", "t1", "t2"]}
NONE = "-"  # no law (the problem itself), or no contact (the whole system)
MOST_CONTACTS = 24  # of a record with more only some are kept
MOST_PHASES = 12  # at each contact
MOST_EVENTS = 60
# Quantities that answers have since, beside what was recorded: they are new, not wrong.
ADDED = ("coordinate_velocity", "energy.translation", "energy.rotation", "body.", "surface.", "phase.", "sensitivity.",
         "relative_sensitivity.", "against.", "label.")


class Rows:
    """Values by source, law, contact, quantity and component."""

    def __init__(self, source):
        self.source = source
        self.values = {}

    def number(self, law, contact, quantity, component, value):
        if value is not None:  # null is no value
            self._add(law, contact, quantity, component, float(value))

    def word(self, law, contact, quantity, value, component=""):
        if value is not None:
            self._add(law, contact, quantity, component, "'" + str(value))

    def vector(self, law, quantity, values, d, kept=None):
        """Components of all contacts, contact by contact."""
        for i in kept if kept is not None else range(len(values) // d):
            for axis, value in zip(AXES[d], values[i * d:(i + 1) * d]):
                self.number(law, i, quantity, axis, value)

    def _add(self, law, contact, quantity, component, value):
        key = (self.source, law, str(contact), quantity, str(component))
        if key in self.values:
            raise SystemExit(f"two values of {key}")
        self.values[key] = value


def chosen(size, most=MOST_CONTACTS):
    """All of them, or a few spread evenly with both ends."""
    return list(range(size)) if size <= most else sorted({round(i * (size - 1) / (most - 1)) for i in range(most)})


# The adapters: what the answers of each command mean.

# Not values: names of what was asked, statistics, and digits of rounding.
IGNORED = {"id", "law", "residual", "steps", "phases", "solutions", "quantities"}


def outcome_rows(rows, law, o, d, coordinates=None):
    """An outcome of `solve --json` or `solve --stream`."""
    contacts = len(o["impulse"]) // d
    kept = chosen(contacts)
    read = {
        "impulse": lambda v: rows.vector(law, "impulse", v, d, kept),
        "velocity": lambda v: rows.vector(law, "velocity", v, d, kept),
        "mode": lambda v: [rows.word(law, i, "mode", v[i]) for i in kept] if isinstance(v, list)
        else rows.word(law, 0, "mode", v),
        "verdict": lambda v: rows.word(law, NONE, "verdict", v),
        "flags": lambda v: rows.word(law, NONE, "flags", " + ".join(v)),
        "energy": lambda v: energy_rows(rows, law, v, kept),
        "labels": lambda v: [rows.word(law, 0, f"label.{key}", label) for key, label in v.items()],
        "equivalent_restitution": lambda v: [rows.number(law, 0, f"restitution.{key}", "", e) for key, e in v.items()],
        "brach_coefficients": lambda v: brach_rows(rows, law, v),
        "couple": lambda v: listed(rows, law, 0, "couple", v),
        "velocity_after": lambda v: [
            rows.number(law, NONE, "coordinate_velocity", coordinates[i] if coordinates else i, v[i])
            for i in chosen(len(v), 2 * MOST_CONTACTS)],
        "bodies": lambda v: [body_rows(rows, law, i, body) for i, body in enumerate(v)],
        "joints": lambda v: [joint_rows(rows, law, joint) for joint in v],
        "against": lambda v: against_rows(rows, law, v),
        "tolerance": lambda v: rows.number(law, NONE, "tolerance", "", v),
        "note": lambda v: rows.word(law, NONE, "noted", "yes"),
        "collapsed": lambda v: rows.word(law, NONE, "collapsed", v),
        "phases_left_out": lambda v: rows.word(law, NONE, "phases_left_out", v) if contacts > 1
        else rows.word(law, NONE, "phases_counted", len(o["phases"]) + v),
        "phases_counted": lambda v: rows.word(law, NONE, "phases_counted", v),
    }
    for key, value in o.items():
        if key not in IGNORED:
            read[key](value)
    phase_rows(rows, law, o["phases"], d, kept)
    if "solutions" in o:
        rows.word(law, NONE, "solutions", len(o["solutions"]))
        for k, s in enumerate(o["solutions"]):
            rows.word(law, 0, f"solution.{k}.mode", s.get("mode"))
            for quantity in ("impulse", "velocity"):
                rows.vector(law, f"solution.{k}.{quantity}", s.get(quantity, []), d)


def energy_rows(rows, law, energy, kept):
    for key, value in energy.items():
        if key == "change":
            rows.number(law, NONE, "energy.change", "", value)
        elif isinstance(value, list):
            for i in kept:
                rows.number(law, i, f"energy.{key}", "", value[i])
        else:
            rows.number(law, 0, f"energy.{key}", "", value)


def listed(rows, law, contact, quantity, value):
    """One number, or several."""
    for i, x in enumerate(value if isinstance(value, list) else [value]):
        rows.number(law, contact, quantity, i, x)


def brach_rows(rows, law, coefficients):
    for key, value in coefficients.items():
        values = value if isinstance(value, list) else [value]
        for i, x in enumerate(values):
            if not isinstance(x, (list, type(None))) and abs(x) < 1e8:  # beyond that it is a quotient of rounding
                rows.number(law, 0, f"brach.{key}", i, x)


def body_rows(rows, law, i, body):
    for key, quantity in (("velocity", "body.velocity"), ("spin", "body.spin")):
        value = body[key]
        for axis, x in zip("xyz", value if isinstance(value, list) else [value]):
            rows.number(law, NONE, quantity, f"{i}.{axis}", x)
    for key in ("translation", "rotation"):
        rows.number(law, NONE, f"energy.{key}", i, body.get(key))


def joint_rows(rows, law, joint):
    for axis, x in zip("xy", joint["impulse"]):
        rows.number(law, NONE, "joint.impulse", f"{joint['name']}.{axis}", x)
    rows.number(law, NONE, "joint.couple", joint["name"], joint["couple"])


def against_rows(rows, law, against):
    rows.word(law, NONE, "against.law", against["law"])
    rows.number(law, NONE, "against.distance", "", against["distance"])
    rows.word(law, NONE, "against.same_mode", against["same_mode"])


def phase_rows(rows, law, phases, d, kept):
    of_contact = {}
    for phase in phases:
        of_contact.setdefault(phase.get("contact", 0), []).append(phase)
    for contact in kept:
        own = of_contact.get(contact, [])
        rows.word(law, contact, "phases", len(own))
        for k, phase in enumerate(own[:MOST_PHASES]):
            rows.word(law, contact, f"phase.{k}.stage", phase["stage"])
            rows.word(law, contact, f"phase.{k}.motion", phase["motion"])
            rows.number(law, contact, f"phase.{k}.time", "", phase.get("time"))
            for quantity in ("impulse", "velocity"):
                for axis, x in zip(AXES[d], phase[quantity]):
                    rows.number(law, contact, f"phase.{k}.{quantity}", axis, x)


def problem_rows(rows, answer):
    """The problem in contact space that `solve --json` says it has solved."""
    approach = answer["approach"]
    d = answer.get("components", len(approach))
    kept = chosen(len(approach) // d)
    rows.vector(NONE, "approach", approach, d, kept)
    rows.number(NONE, NONE, "energy.before", "", answer["energy_before"])
    G = answer["inverse_inertia"]
    if isinstance(G, list) and len(G) <= 32:
        for r, row in enumerate(G):
            for c, x in enumerate(row[:r + 1]):
                rows.number(NONE, NONE, "inverse_inertia", f"{r}.{c}", x)
    else:
        sums = {}
        for r, _, x in G["triplets"] if isinstance(G, dict) else ((r, 0, x) for r, row in enumerate(G) for x in row):
            sums[r] = sums.get(r, 0.) + abs(x)
        for r in chosen(len(approach)):
            rows.number(NONE, NONE, "inverse_inertia.row_sum", r, sums.get(r, 0.))
    surfaces = answer["surfaces"] if "surfaces" in answer else [answer["surface"]]
    for i in kept:
        for key, value in surfaces[i].items():
            for k, x in enumerate(value if isinstance(value, list) else [value]):
                rows.number(NONE, i, f"surface.{key}", k, x)
    for i in kept if "contacts" in answer else []:
        rows.word(NONE, i, "name", answer["contacts"][i])
    if "velocity_before" in answer:
        for i in chosen(len(answer["coordinates"]), 2 * MOST_CONTACTS):
            rows.number(NONE, NONE, "coordinate_velocity", answer["coordinates"][i], answer["velocity_before"][i])
    for i, body in enumerate(answer.get("bodies_before", [])):
        body_rows(rows, NONE, i, body)
    return d


def sensitivity_rows(rows, s):
    law = s["law"]
    for output, absolute, relative in zip(s["outputs"], s["absolute"], s["relative"]):
        for input_, a, r in zip(s["inputs"], absolute, relative):
            rows.number(law, 0, f"sensitivity.{output['name']}", input_["name"], a)
            if abs(output["value"]) > 1e-9:  # else a quotient of rounding
                rows.number(law, 0, f"relative_sensitivity.{output['name']}", input_["name"], r)


def solve_rows(rows, text):
    """`solve --json`."""
    answer = json.loads(text)
    known = (NONE, "approach") in {(key[1], key[3]) for key in rows.values}
    d = answer.get("components", len(answer["approach"])) if known else problem_rows(rows, answer)
    for o in answer["outcomes"]:
        outcome_rows(rows, o["law"], o, d, answer.get("coordinates"))
    for s in answer.get("sensitivity", []):
        sensitivity_rows(rows, s)
    return [o["law"] for o in answer["outcomes"]], d, len(answer["approach"]) // d


def map_rows(rows, text, with_axes):
    """`map --csv`: columns are the axes, then QUANTITY (LAW) [UNIT]."""
    table = list(csv.reader(io.StringIO(text)))
    head, cells = table[0], table[1:]
    columns = [re.fullmatch(r"(\w+) \((.*?)\)( \[.*\])?", name) for name in head]
    for j, name in enumerate(columns):
        for i, row in enumerate(cells):
            if row[j] == "":
                continue
            if name is None:
                if with_axes:
                    rows.number(NONE, NONE, f"axis.{j}", i, row[j])
                continue
            try:
                if name[1] in ("mode", "sign"):
                    raise ValueError
                rows.number(name[2], NONE, name[1], i, row[j])
            except ValueError:
                rows.word(name[2], NONE, name[1], row[j], i)


def motion_rows(rows, directory):
    """What `simulate --out` writes: events, a few samples and the last one, the account of energy."""
    with open(directory / "events.csv", newline="") as file:
        events = list(csv.DictReader(file))
    rows.word(NONE, NONE, "events", len(events))
    for k in [*range(min(len(events), MOST_EVENTS)), *range(max(len(events) - 3, MOST_EVENTS), len(events))]:
        e = events[k]
        rows.number(NONE, NONE, f"event.{k}.time", "", e["time_s"])
        for column in ("kind", "contacts", "from", "to"):
            rows.word(NONE, NONE, f"event.{k}.{column}", e[column])
        rows.number(NONE, NONE, f"event.{k}.energy.change", "", e["energy_change_J"] or None)
        for i, x in enumerate(filter(None, e["normal_impulse_Ns"].split(";"))):
            rows.number(NONE, e["contacts"].split(";")[i], f"event.{k}.impulse", "n", x)
    with open(directory / "trajectory.csv", newline="") as file:
        samples = list(csv.DictReader(file))
    for k, at in enumerate(chosen(len(samples), 8)):
        for column, value in samples[at].items():
            sample_row(rows, k, column, value)
    with open(directory / "energy.csv", newline="") as file:
        for part in csv.DictReader(file):
            rows.number(NONE, NONE, f"energy.{part['part']}", "", part["energy_J"])


def sample_row(rows, k, column, value):
    for pattern, quantity in ((r"()()time_s", "time"), (r"()q_(.*)", "position"), (r"()u_(.*)", "coordinate_velocity"),
                              (r"(.*)()_gap_m", "gap"), (r"(.*)_v_(\w+)_m_s", "velocity"),
                              (r"(.*)_F_(\w+)_N", "force"), (r"()(kinetic|potential)_J", "energy")):
        found = re.fullmatch(pattern, column)
        if found:
            rows.number(NONE, found[1] or NONE, f"sample.{k}.{quantity}", found[2], value or None)
            return
    if column.endswith("_status"):
        rows.word(NONE, column.removesuffix("_status"), f"sample.{k}.status", value)
    elif not column.endswith("_ratio"):
        raise SystemExit(f"trajectory.csv has a column that is not known here: {column}")


def paper_rows(rows, paper):
    """A publication of `papers --json`: what was computed, place by place; of statements the numbers found."""
    count = {}
    for c in paper["comparisons"]:
        quantity = f"{c['part']}; {c.get('column', 'statement')}"
        row = c.get("row", "")
        count[quantity, row] = count.get((quantity, row), 0) + 1
        component = f"{row}; {count[quantity, row]}"
        if "row" not in c:
            numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", c["found"])
            numbers = [x if abs(float(x)) > 1e-10 else "0" for x in numbers]  # not digits of rounding
            rows.word(NONE, NONE, quantity, " ".join(numbers), component)
        elif isinstance(c["computed"], str):
            rows.word(NONE, NONE, quantity, c["computed"], component)
        else:
            rows.number(NONE, NONE, quantity, component, c["computed"])
        rows.word(NONE, NONE, quantity + "; agreement", c["agreement"], component)


# The runs: which commands are asked for what. Each returns its rows.

class Command:
    def __init__(self, carom, scratch):
        self.carom = carom
        self.scratch = scratch

    def run(self, *arguments, text=None, codes=(0,)):
        """What it prints; None if it refuses (exit code 2) or fails. What is recorded is then missing."""
        done = subprocess.run([self.carom, *arguments], input=text, capture_output=True, text=True, cwd=ROOT)
        if done.returncode in codes:
            return done.stdout
        if done.returncode != 2:
            print(f"carom {' '.join(arguments)}: exit code {done.returncode}: {done.stderr}", file=sys.stderr)
        return None


def name_of(file):
    return str(file.relative_to(ROOT))


def solve_jobs(command):
    def solve(file):
        rows = Rows(name_of(file))
        ask = ["solve", str(file), "--json"]
        text = None
        exact = ["--against", "exact"]
        for more in (["--sensitivity", *exact], ["--sensitivity"], exact, []):  # what there is
            text = text or command.run(*ask, *more)
        if text is None:
            return {}
        answered, d, contacts = solve_rows(rows, text)
        more = ["--sensitivity"] if d == 2 and contacts == 1 else []
        for law in LAWS:
            if law not in answered and (text := command.run(*ask, *more, "--law", law)):
                solve_rows(rows, text)
        values = rows.values
        if contacts > 1 and "lzb" in answered and contacts < 100:
            rows = Rows(name_of(file) + " by 300 steps of Euler")
            solve_rows(rows, command.run(*ask, "--law", "lzb", "--euler-steps", "300"))
            values |= rows.values
        return values

    return [lambda file=file: solve(file) for file in sorted(EXAMPLES.rglob("*.toml"))]


def law_of_line(problem):
    """With the option that makes another law of it."""
    for option in problem.get("options", {}).values():
        if f"{problem['law']}:{option}" in LAWS:
            return f"{problem['law']}:{option}"
    return problem["law"]


def stream_lines():
    """(source, law, problem): every reference case under its own law and under all others, and in its other forms."""
    for file in ("planar", "spatial", "multi", "own/planar-own", "own/multi-own-lzb", "own/multi-moreau-own"):
        for case in json.loads((REFERENCE / f"{file}.json").read_text())["cases"]:
            if case["kind"] != "outcome":
                continue
            source, problem = f"reference/{file}: {case['id']}", case["problem"]
            own = law_of_line(problem)
            yield source, own, problem
            bare = {key: value for key, value in problem.items() if key != "options"}
            for law in LAWS:
                if law != own:
                    yield source, law, bare | {"law": law}
            for form in ("bodies_form", "generalized"):
                if form in case:
                    other = {k: v for k, v in problem.items() if k not in ("inverse_inertia", "approach")}
                    other |= {k: v for k, v in case[form].items() if k != "velocity_after"}
                    yield f"{source}, {form.removesuffix('_form')}", own, other


def stream_jobs(command):
    def stream():
        lines = list(stream_lines())
        text = command.run("solve", "--stream", text="".join(json.dumps(problem) + "\n" for _, _, problem in lines))
        answers = [json.loads(line) for line in (text or "").splitlines()]
        values = {}
        for (source, law, problem), o in zip(lines, answers):
            if "error" in o:
                continue  # the law does not apply
            contacts = len(problem.get("surfaces", [0]))
            rows = Rows(source)
            d = len(o["impulse"]) // contacts
            outcome_rows(rows, law, o, d)
            values |= rows.values
            rows = Rows(source)  # what velocities are compared with, where a contact ends at rest
            if "approach" in problem:
                rows.vector(NONE, "approach", problem["approach"], d)
            elif "velocity" in problem:
                listed(rows, NONE, NONE, "coordinate_velocity", problem["velocity"])
            for i, body in enumerate(problem.get("bodies", [])):
                body_rows(rows, NONE, i, body)
            values |= rows.values
        return values

    return [stream]


def axis_text(axis, points):
    points = min(points, axis.get("points", points))
    return f"{axis['vary']}={axis['from']!r}:{axis['to']!r}:{points}" + (":log" if axis.get("log") else "")


def map_jobs(command):
    def cells(file, what, points, *more):
        text = file.read_text()
        axes = tomllib.loads(text)["map"]
        ask = [f"--{name}={axis_text(axes[name], points if 'y' in axes else points * points)}"
               for name in ("x", "y") if name in axes]
        if more:  # of one law
            text = re.sub(r"(?m)^compare.*$", "", text)
        rows = Rows(name_of(file) + what)
        answer = command.run("map", "-", *ask, *more, "--csv", "-", "--quiet", "--threads", "1", text=text)
        if answer:
            map_rows(rows, answer, not more)
        return rows.values

    jobs = []
    for file in sorted((EXAMPLES / "maps").glob("*.toml")):
        space = 'type = "space' in file.read_text()
        show = ",".join(q for q in QUANTITIES if not (space and q == "regime"))
        laws = "poisson,sun-baruh" if space else "poisson,moreau"
        jobs.append(lambda file=file: cells(file, "", 20))
        jobs.append(lambda file=file, laws=laws: cells(file, ", parting", 8, "--show", "parting", "--law", laws))
        jobs += [lambda file=file, law=law, show=show: cells(file, f", {law}", 6, "--law", law, "--show", show)
                 for law in LAWS]
    return jobs


def disc_scenario(parameters, run):
    """A run of reference/motion.json as a scenario."""
    rule = run["contact_time_rule"]
    contact_time = '"local"' if rule == "local" else repr(4.7531e-4 * run["striker_speed"]**-0.2)
    return f"""
[system]
type = "disc-ball"
disc_mass = {parameters['disc_mass']}
radius = {parameters['radius']}
half_thickness = {parameters['half_thickness']}
angle_deg = {math.degrees(run['start'][2])!r}
disc_velocity = {run['start'][3:5]}
disc_spin = {run['start'][5]!r}
[surface]
restitution = {parameters['restitution']}
friction = {run['friction']}
static_friction = {run['static_friction']}
stiffness = {parameters['stiffness']}
exponent = {parameters['exponent']}
[motion]
end_time = 0.6
tolerance = 1e-9
sample_interval = 0.01
settling = "contact-time"
contact_time = {contact_time}
"""


def simulate_jobs(command):
    def simulate(source, file, text=None):
        rows = Rows(source)
        directory = Path(tempfile.mkdtemp(dir=command.scratch))
        if command.run("simulate", file, "--out", str(directory / "run"), "--quiet", text=text) is None:
            return {}
        motion_rows(rows, directory / "run")
        return rows.values

    reference = json.loads((REFERENCE / "motion.json").read_text())
    files = sorted((EXAMPLES / "motion").glob("*.toml"))
    jobs = [lambda file=file: simulate(name_of(file), str(file)) for file in files]
    for run in reference["runs"]:
        text = disc_scenario(reference["parameters"], run)
        jobs.append(lambda run=run, text=text: simulate(f"reference/motion: {run['id']}", "-", text))
    return jobs


def papers_jobs(command):
    def papers(name):
        rows = Rows(f"papers/{name}")
        # Exit code 1: something differs from print. The values tell what.
        for line in (command.run("papers", name, "--json", "--quiet", codes=(0, 1)) or "").splitlines():
            paper_rows(rows, json.loads(line))
        return rows.values

    names = sorted(page.parent.name for page in (ROOT / "papers").glob("*/publication.md"))
    return [lambda name=name: papers(name) for name in names]


GROUPS = {"solve": solve_jobs, "stream": stream_jobs, "map": map_jobs, "simulate": simulate_jobs, "papers": papers_jobs}


# Files and comparison.

def read(group):
    with gzip.open(HERE / f"{group}.csv.gz", "rt", newline="") as file:
        return {tuple(row[:5]): row[5] if row[5].startswith("'") else float(row[5]) for row in csv.reader(file)}


def write(group, values):
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerows([*key, value if isinstance(value, str) else repr(value)] for key, value in values.items())
    (HERE / f"{group}.csv.gz").write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))


FAMILIES = {"approach": "velocity", "coordinate_velocity": "motion", "body.velocity": "motion", "body.spin": "motion",
            "joint.impulse": "impulse", "joint.couple": "impulse", "couple": "impulse", "gap": "position"}


def family(quantity):
    """Quantities of one kind share their scale, at all contacts and in all phases."""
    base = re.sub(r"^(phase|solution|sample|event)\.\d+\.", "", quantity)
    if base.startswith("energy."):
        return "energy"
    if base.startswith(("restitution.", "brach.", "against.")):
        return "ratio"
    return FAMILIES.get(base, base)


class Scales:
    """What differences are relative to: the largest value of the family in the record of one source and law, or in
    the problem itself; of energies at least impulse times velocity, of ratios at least 1, of velocities at contacts
    also those of the bodies where there is no approach. Of maps it is the larger of the value itself and the median of
    the quantity."""

    def __init__(self, group, values):
        self.motion = group == "simulate"
        every = {}
        for (source, law, _, quantity, _), value in values.items():
            if not isinstance(value, str):
                every.setdefault((source, law, family(quantity)), []).append(abs(value))
        pick = statistics.median if group == "map" else max
        self.most = {key: pick(numbers) for key, numbers in every.items()}

    def __call__(self, key, value):
        source, law, _, quantity, _ = key
        kind = family(quantity)

        def of(kind):
            return max(self.most.get((source, law, kind), 0.), self.most.get((source, NONE, kind), 0.))

        scale = max(abs(value), of(kind))
        if kind == "velocity" and (self.motion or (source, NONE, kind) not in self.most):
            scale = max(scale, of("motion"))
        if kind == "energy":
            scale = max(scale, of("impulse") * of("velocity"))
        return max(scale, 1.) if kind == "ratio" else scale


class Intended:
    """Lines `PATTERN -- REASON` or `PATTERN -- within X: REASON`, X being the relative difference that is allowed. The
    pattern is of GROUP;SOURCE;LAW;CONTACT;QUANTITY;COMPONENT, with * and ?."""

    def __init__(self, text):
        self.lines = []
        for line in text.splitlines():
            if line and not line.startswith("#"):
                pattern, within = re.fullmatch(r"(.*?) -- (?:within (\S+): )?.+", line).groups()
                limit = float(within) if within else math.inf
                self.lines.append((re.compile(fnmatch.translate(pattern.replace("[", "[[]"))), limit, line))
        self.count = dict.fromkeys((line for _, _, line in self.lines), 0)

    def covers(self, group, key, error):
        name = ";".join((group, *key))
        for pattern, limit, line in self.lines:
            if error <= limit and pattern.match(name):
                self.count[line] += 1
                return True
        return False


def compare(group, recorded, found, intended, most=10):
    """Prints what differs, of a source and law at most so many. Returns how many differences are not intended."""
    scales = Scales(group, recorded)
    records = {key[:2] for key in recorded}
    wrong, differences, new = [], [], set()
    for key, was in recorded.items():
        now = found.get(key)
        if now == was:
            continue
        if now is None or isinstance(now, str) or isinstance(was, str):
            wrong.append((key, was, "missing" if now is None else now, math.inf))
            continue
        error = abs(now - was) / (scales(key, was) or 5e-324)  # 0: it was exactly 0
        differences.append((error, key, was, now))
        if not error <= TOLERANCE:
            wrong.append((key, was, now, error))
    for key, now in found.items():
        if key in recorded:
            continue
        if key[:2] in records and not key[3].startswith(ADDED):
            wrong.append((key, "missing", now, math.inf))
        else:
            new.add(key[:2])
    unintended = [w for w in wrong if not intended.covers(group, w[0], w[3])]
    print(f"{group}: {len(recorded)} rows, {len(differences)} differ in their last digits or more, "
          f"{len(wrong) - len(unintended)} as intended, {len(unintended)} wrongly; {len(new)} new records")
    for error, key, was, now in sorted(differences, reverse=True)[:3]:
        print(f"  worst: {error:.1e}  {'; '.join(key)}: {was!r}, now {now!r}")
    printed = {}
    for key, was, now, error in unintended:
        printed[key[:2]] = printed.get(key[:2], 0) + 1
        if printed[key[:2]] <= most:
            by = f" by {error:.1e}" if error < math.inf else ""
            print(f"  WRONG{by}  {'; '.join(key)}: {was!r}, now {now!r}")
        elif printed[key[:2]] == most + 1:
            print(f"  WRONG  {'; '.join(key[:2])}: more; see them with --all")
    return len(unintended)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--carom", default=os.environ.get("CAROM"), help="the command (default: the variable CAROM)")
    parser.add_argument("--write", action="store_true", help="record anew instead of comparing")
    parser.add_argument("--all", action="store_true", help="print every difference, however many there are")
    parser.add_argument("group", nargs="*", help=", ".join(GROUPS))
    o = parser.parse_args()
    if not o.carom or not set(o.group) <= set(GROUPS):
        parser.error("needs --carom, and groups among " + ", ".join(GROUPS))
    groups = o.group or list(GROUPS)
    intended = Intended((HERE / "intended.txt").read_text())
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        command = Command(str(Path(o.carom).resolve()), scratch)
        running = {group: [pool.submit(job) for job in GROUPS[group](command)] for group in groups}
        for group, futures in running.items():
            found = {}
            for future in futures:
                found |= future.result()
            if o.write:
                write(group, found)
                print(f"{group}: {len(found)} rows written")
            else:
                wrong += compare(group, read(group), found, intended, math.inf if o.all else 10)
    for line, count in intended.count.items():
        print(f"intended: {count} rows by {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
