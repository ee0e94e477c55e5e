# SPDX-License-Identifier: Apache-2.0
"""Prints which rooms and which files include each other; exit code 1 on a cycle of headers or an upward include.

    include_graph.py SOURCE            the tree at SOURCE
    include_graph.py SOURCE --rooms    without the files

The rooms and what each may include stand in `BELOW`. A small tree with one fault of each kind is checked first.
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

CORE = ["core"]
SOLVERS = ["core", "impact", "complementarity"]
MOTION = [*SOLVERS, "laws", "mechanics", "motion"]
STUDY = [*MOTION, "scenario", "study", "report"]
BELOW = {  # a room may include itself and these
    "core": [],
    "impact": CORE,
    "complementarity": CORE,
    "laws": SOLVERS,
    "mechanics": ["core", "impact"],
    "motion": [*SOLVERS, "laws", "mechanics"],
    "scenario": MOTION,
    "study": [*MOTION, "scenario"],
    "report": [*MOTION, "scenario", "study"],
    "carom.hpp": MOTION,  # the headers for users
    "study.hpp": [*STUDY, "carom.hpp"],
    "apps/cli": [*STUDY, "carom.hpp", "study.hpp"],
    "apps/sweep": [*STUDY, "carom.hpp", "study.hpp", "apps/cli"],  # a program, as below
    "apps/fit": [*STUDY, "apps/cli"],
    "papers": [*STUDY, "carom.hpp", "study.hpp", "apps/cli"],  # a program that reads its arguments as the command does
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)


def room_of(file):
    parts = file.split("/")
    return {"carom": parts[1], "apps": "/".join(parts[:2])}.get(parts[0], parts[0])


def read_tree(source):
    """Of each file the files of the tree that it includes."""
    files = sorted(str(p.relative_to(source)) for top in ("carom", "apps", "papers")
                   for p in (source / top).rglob("*") if p.suffix in (".hpp", ".cpp"))
    known = set(files)
    graph = {}
    for file in files:
        graph[file] = []
        for angled, quoted in INCLUDE.findall((source / file).read_text(encoding="utf-8")):
            beside = f"{file.rsplit('/', 1)[0]}/{quoted}"
            graph[file] += [name for name in [angled or (beside if beside in known else quoted)] if name in known]
    return graph


def upward_includes(graph):
    faults = []
    for file, included in graph.items():
        room = room_of(file)
        if room not in BELOW:
            faults.append(f"{file}: no such room: {room}; add it to BELOW")
            continue
        faults += [f"{file}: {room} must not include {name}" for name in included
                   if room_of(name) != room and room_of(name) not in BELOW[room]]
    return faults


def cycles(graph):
    """Each cycle that a depth-first search closes."""
    found, done, path = [], set(), []

    def visit(file):
        if file in path:
            found.append("cycle: " + " -> ".join([*path[path.index(file):], file]))
        elif file not in done:
            path.append(file)
            for name in graph[file]:
                visit(name)
            done.add(path.pop())

    for file in graph:
        visit(file)
    return found


def faults_of(graph):
    return upward_includes(graph) + cycles(graph)


def show(graph, files):
    of = {room: [file for file in graph if room_of(file) == room] for room in BELOW}
    for room, members in of.items():
        counts = {}
        for name in (n for file in members for n in graph[file] if room_of(n) != room):
            counts[room_of(name)] = counts.get(room_of(name), 0) + 1
        below = ", ".join(f"{name} {counts[name]}" for name in BELOW if name in counts) or "nothing"
        print(f"{room} ({len(members)} files) includes {below}")
    if files:
        for file, included in graph.items():
            print(f"{file}: {' '.join(included) or '-'}")


def check_itself():
    """A made-up tree in which each fault is put in turn."""
    sound = {"carom/core/scalar.hpp": "#include <vector>\n",
             "carom/core/planar.hpp": "#include <carom/core/scalar.hpp>\n",
             "carom/laws/law.hpp": "#include <carom/core/planar.hpp>\n",
             "carom/mechanics/body.hpp": "#include <carom/core/planar.hpp>\n",
             "apps/cli/main.cpp": '#include "main.hpp"\n#include <carom/laws/law.hpp>\n',
             "apps/cli/main.hpp": ""}
    bad = [("carom/core/scalar.hpp", " # include <carom/core/planar.hpp>\n",
            ["cycle: carom/core/planar.hpp -> carom/core/scalar.hpp -> carom/core/planar.hpp"]),
           ("carom/core/scalar.hpp", "#include <carom/core/scalar.hpp>\n",
            ["cycle: carom/core/scalar.hpp -> carom/core/scalar.hpp"]),
           ("carom/core/scalar.cpp", "#include <carom/laws/law.hpp>\n",
            ["carom/core/scalar.cpp: core must not include carom/laws/law.hpp"]),
           ("carom/laws/law.cpp", "#include <carom/mechanics/body.hpp>\n",
            ["carom/laws/law.cpp: laws must not include carom/mechanics/body.hpp"]),
           ("carom/attic/old.hpp", "", ["carom/attic/old.hpp: no such room: attic; add it to BELOW"]),
           ("carom/core/sound.cpp", "#include <carom/core/planar.hpp>\n", [])]
    for file, text, expected in bad:
        with tempfile.TemporaryDirectory() as made:
            for name, content in (sound | {file: text}).items():
                path = Path(made) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            found = faults_of(read_tree(Path(made)))
        if found != expected:
            sys.exit(f"self-check: {file} with {text!r} gives {found}, expected {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--rooms", action="store_true", help="print rooms only")
    options = parser.parse_args()
    check_itself()
    graph = read_tree(options.source)
    show(graph, not options.rooms)
    faults = faults_of(graph)
    if not graph:
        faults = [f"{options.source}: no sources"]
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
