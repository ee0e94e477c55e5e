# SPDX-License-Identifier: Apache-2.0
"""Scenarios: files, and what keywords say as a file would say it."""

from __future__ import annotations

import copy
import html
import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from carom._arguments import table
from carom._errors import InputError
from carom._native import native

#: How messages call a scenario that was given by keywords.
ARGUMENTS = "<arguments>"

#: Keywords that go to [solve].
SOLVE_KEYS = dict.fromkeys(("tolerance", "solver", "euler_steps"), "solve")

#: Keywords that are tables of the scenario.
_TABLES = ("title", "surface", "surfaces", "motion", "solve", "map", "sweep", "fit")

COEFFICIENTS = frozenset(row["name"] for row in native.coefficients())
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def is_coefficient(key: str) -> bool:
    """Whether a keyword is one of the table of coefficients."""
    return key in COEFFICIENTS


def plain(value: Any, field: str) -> Any:
    """A value as TOML has them: arrays become lists, NumPy's numbers Python's."""
    if isinstance(value, dict):
        return {str(key): plain(item, f"{field}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, field) for item in value]
    if isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist(), field)
    raise InputError(field, f"must be a number, text, a list or a table, got {type(value).__name__}")


def _key(text: str) -> str:
    return text if _PLAIN_KEY.match(text) else _text(text)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)  # reads back the same
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"


def write(tables: Mapping[str, Any]) -> str:
    """The text of a scenario file. Tables of the top level stand alone, tables in them in one line."""
    lines = [f"{_key(key)} = {_value(value)}" for key, value in tables.items() if not isinstance(value, dict)]
    for name, table in tables.items():
        if isinstance(table, dict):
            lines.append(f"[{_key(name)}]")
            lines += [f"{_key(key)} = {_value(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


class Scenario:
    """What strikes, what its surfaces are made of, and what is asked: a scenario file, or one made by keywords.

    name    of the file, for messages; "<arguments>" where it was made or changed by keywords
    tables  what it says, as dicts: scenario.tables["surface"]["friction"]
    text    the same as TOML

    >>> import carom
    >>> bar = carom.Scenario(system={"type": "bar", "angle_deg": 60, "velocity": [0.4, -1]},
    ...                      surface={"restitution": 0.5, "friction": 0.3})
    >>> steeper = bar.changed({"system.angle_deg": 75})
    >>> steeper.tables["system"]["angle_deg"]
    75
    >>> carom.solve(steeper, law="newton").verdict
    'ordinary'
    """

    def __init__(self, name: str = ARGUMENTS, *, text: str | None = None, **tables: Any) -> None:
        self.name = name
        self.tables: dict[str, Any]
        self._text = text
        #: Where files that it names are.
        self._folder = os.path.dirname(name)
        if text is None:
            self.tables = plain(tables, "scenario")
            return
        try:
            self.tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            native.solve_scenario(text, name, [])  # says where
            raise

    @property
    def text(self) -> str:
        """As TOML."""
        return self._text if self._text is not None else write(self.tables)

    def changed(self, numbers: Mapping[str, Any]) -> Scenario:
        """A copy with other values at dotted paths: {"surface.friction": 0.2, "system.bodies[0].mass": 3}."""
        tables = copy.deepcopy(self.tables)
        for path, value in table(numbers, "numbers").items():
            steps = [int(index) if index else key for key, index in _STEP.findall(path)]
            if not steps:
                raise InputError(path, "must be a dotted path, such as surface.friction")
            place = tables
            try:
                for step in steps[:-1]:
                    is_new = isinstance(step, str) and step not in place
                    place = place.setdefault(step, {}) if is_new else place[step]
                if isinstance(place, dict) != isinstance(steps[-1], str):
                    raise TypeError
                place[steps[-1]] = plain(value, path)
            except (IndexError, KeyError, TypeError, AttributeError):
                raise InputError(path, "does not exist in the scenario") from None
        return self._with(tables)

    def _with(self, tables: dict[str, Any]) -> Scenario:
        made = Scenario()  # no line of a file is meant any more
        made.tables = tables
        made._folder = self._folder
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.tables == other.tables

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        title = self.tables.get("title", "")
        system = self.tables.get("system", {}).get("type", "?")
        return f"<carom.Scenario {self.name}: {system}{', ' + title if title else ''}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


#: How a scenario is given: a file's name, a Scenario, or a dict of tables.
ScenarioLike = str | os.PathLike[str] | Scenario | Mapping[str, Any]


def load(file: str | os.PathLike[str]) -> Scenario:
    """Reads a scenario file (TOML; see docs/systems.md and docs/motion.md).

    >>> import carom
    >>> scenario = carom.load("examples/bar.toml")
    >>> scenario.tables["system"]["type"]
    'bar'
    """
    if not isinstance(file, (str, os.PathLike)):
        raise InputError("scenario", f"must be the name of a file, got {type(file).__name__}")
    path = os.fspath(file)
    try:
        with open(path, encoding="utf-8") as stream:
            return Scenario(str(path), text=stream.read())
    except OSError as error:
        raise InputError("file", f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("file", f"'{path}' is not UTF-8 text") from None


def scenario_of(scenario: object, keywords: Mapping[str, Any], tables: Mapping[str, str]) -> Scenario:
    """The scenario that is given (a file's name, a Scenario, a dict of tables), with what keywords say instead.

    Keywords that are coefficients go to [surface], those of `tables` to the table named there, all others to [system].
    """
    if isinstance(scenario, (str, os.PathLike)):
        scenario = load(scenario)
    elif isinstance(scenario, dict):
        scenario = Scenario(**scenario)
    elif scenario is not None and not isinstance(scenario, Scenario):
        raise InputError("scenario", f"must be a file, a Scenario or a dict of tables, got {type(scenario).__name__}")
    missing = InputError("system", "is missing: give a scenario, system=... or model=...")
    if scenario is None and not keywords:
        raise missing
    base = Scenario() if scenario is None else scenario
    if not keywords:
        return base
    made = copy.deepcopy(base.tables)
    keywords = dict(keywords)
    system = keywords.pop("system", None)
    if isinstance(system, str):
        made.setdefault("system", {})["type"] = system
    elif system is not None:
        if not isinstance(system, dict):
            raise InputError("system", f"must be a type or a table, got {type(system).__name__}")
        made["system"] = plain(system, "system")
    for key, value in keywords.items():
        if value is None:
            continue
        if key in _TABLES:
            made[key] = plain(value, key)
            continue
        where = tables.get(key) or ("surface" if is_coefficient(key) else "system")
        made.setdefault(where, {})[key] = plain(value, key)
    if "system" not in made:
        raise missing
    if "surfaces" not in made:  # a map or a sweep may give all coefficients
        made.setdefault("surface", {})
    return base._with(made)
