# SPDX-License-Identifier: Apache-2.0
"""What laws say of one impact."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy
from numpy.typing import NDArray

from carom._arguments import text, unknown
from carom._errors import InputError
from carom._laws import LawLike, all_named
from carom._native import native
from carom._scenario import ARGUMENTS, SOLVE_KEYS, is_coefficient, scenario_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

Floats = NDArray[numpy.float64]
#: What a picture is drawn of: text and name of a scenario, or keywords and surfaces in contact space; laws.
Source = tuple[str | Mapping[str, Any], Any, list[LawLike]]


class Outcome:
    """What one law says of one impact.

    Arrays are ordered contact by contact, n, t in the plane and n, t1, t2 in space.

    impulse          P [N s]
    velocity         v+ [m/s], relative velocity at the contacts after the impact
    approach         v- [m/s], before it
    velocity_after   u+, the system's own velocities after (m/s, rad/s); None where only contact space is known
    verdict          "ordinary", "energy-gained", "jam", ...: the gravest of `flags`
    mode             what the contact did, in the law's own labels
    energy           dict: change and its parts [J]
    phases           list of dicts: stage, motion, impulse, velocity at the end of each
    outcome["slip"]  any of carom.quantities(), by name; of one of several contacts by "slip:NAME"

    >>> import carom
    >>> outcome = carom.solve(law="newton", inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5],
    ...                       restitution=1, friction=1)
    >>> outcome.verdict, round(outcome["energy_change"], 6)
    ('energy-gained', 1.710526)
    >>> [phase["motion"] for phase in outcome.phases]
    ['slip', 'stick', 'stick']
    """

    __slots__ = ("_answer", "_cached", "_name", "_source")

    def __init__(self, answer: native.Answer, name: str | None = None, source: Source | None = None) -> None:
        self._answer = answer
        self._cached: dict[str, Any] | None = None
        self._name = name
        self._source = source

    @property
    def law(self) -> str:
        """Its name."""
        return self._name or self._answer.law

    @property
    def impulse(self) -> Floats:
        """P [N s]."""
        return self._answer.impulse

    @property
    def couple(self) -> Floats | None:
        """Couples at the contact [N m s]; None where the spin is not known."""
        return self._answer.couple

    @property
    def spin(self) -> Floats | None:
        """Relative spin after [rad/s]; None where it is not known."""
        return self._answer.spin

    @property
    def velocity(self) -> Floats:
        """v+ at the contacts [m/s]."""
        return self._answer.velocity

    @property
    def approach(self) -> Floats:
        """v- at the contacts [m/s]."""
        return self._answer.approach

    @property
    def inverse_inertia(self) -> Floats:
        """G [1/kg]; with rows of spin where these are known."""
        return self._answer.inverse_inertia

    @property
    def velocity_after(self) -> Floats | None:
        """u+, the system's own velocities, in the order of `coordinates`; None where it has none."""
        return self._answer.velocity_after

    @property
    def velocity_before(self) -> Floats | None:
        """u- in the same order."""
        return self._answer.velocity_before

    @property
    def coordinates(self) -> list[str]:
        """Names of the system's velocities."""
        return [name for name, _ in self._answer.coordinates]

    @property
    def contacts(self) -> int:
        """How many contacts there are."""
        return self._answer.contacts

    @property
    def components(self) -> int:
        """How many components of velocity each has: 1, 2 or 3."""
        return self._answer.components

    @property
    def names(self) -> list[str]:
        """The contacts' names."""
        return self._answer.names

    @property
    def energy_before(self) -> float:
        """Kinetic energy [J]; where it is not known, the most that the impact could take away."""
        return self._answer.energy_before

    @property
    def verdict(self) -> str:
        """The gravest of `flags`, or "ordinary"."""
        return self._answer.verdict

    @property
    def note(self) -> str:
        """What the law could not honour: "ignores static_friction"; or ""."""
        return self._answer.note

    @property
    def record(self) -> dict[str, Any]:
        """All that the command `carom solve --stream` says of it, as a dict."""
        if self._cached is None:
            self._cached = json.loads(self._answer.record())
        return self._cached

    @property
    def mode(self) -> str | list[str]:
        """What the contact did ("0" to "6", "stick", ...; "" where there is no label); of several contacts a list."""
        mode = self.record["mode"]
        return [_label(one) for one in mode] if isinstance(mode, list) else _label(mode)

    @property
    def flags(self) -> list[str]:
        """Everything remarkable, the gravest first."""
        return list(self.record["flags"])

    @property
    def energy(self) -> dict[str, Any]:
        """The change of energy and its parts [J]; with several contacts the parts are lists."""
        energy: dict[str, Any] = self.record["energy"]
        return energy

    @property
    def phases(self) -> list[dict[str, Any]]:
        """What happened in turn; impulses are cumulative. Empty for laws that do not follow the process."""
        phases = self.record.get("phases") or []
        return [
            {key: numpy.array(value) if key in ("impulse", "velocity") else value for key, value in phase.items()}
            for phase in phases
        ]

    @property
    def solutions(self) -> list[dict[str, Any]]:
        """All solutions of a law that has several."""
        return self.record.get("solutions") or []

    @property
    def labels(self) -> dict[str, str]:
        """What publications call it, by name."""
        return self.record.get("labels") or {}

    def __getitem__(self, quantity: str) -> Any:
        """A quantity by its name: a number, a word, or an array where there are several."""
        return self._answer.quantity(text(quantity, "quantity"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its question: asked again, it has the same bits."""
        from carom._solve import again

        if self._source is None:
            raise TypeError("cannot pickle an impact of a model or of a line of the stream; its record can be")
        given, name, laws = self._source
        if isinstance(given, str):
            return again, (laws[0], given, name)
        return again, (laws[0], given, name, self.inverse_inertia, self.approach, self.components)

    def rows(self) -> list[dict[str, Any]]:
        """All that is shown: dicts with quantity, of, unit, before, value."""
        return [
            {"quantity": label, "of": of, "unit": unit, "before": before, "value": value}
            for label, of, unit, value, before, if_any in self._answer.rows()
            if not (if_any and value == 0)
        ]

    def plot(self, over: str = "time") -> Figure:
        """A matplotlib Figure: see Comparison.plot."""
        return draw(self._source, over, self._answer)

    def to_frame(self) -> DataFrame:
        """`rows` as a pandas DataFrame (pandas must be installed)."""
        from carom._frames import frame

        return frame(self.rows())

    def __repr__(self) -> str:
        return table_text([self])

    def __str__(self) -> str:
        """With all digits."""
        return table_text([self], repr)

    def _repr_html_(self) -> str:
        return table_html([self])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self.record == other.record

    __hash__ = None  # type: ignore[assignment]


class Comparison:
    """What several laws say of the same impact: a list of Outcome, also by the law's name.

    left_out   [(law, why)] of laws that could not be asked

    >>> import carom
    >>> laws = carom.solve("examples/bar.toml")
    >>> laws["newton"].verdict
    'ordinary'
    """

    def __init__(self, outcomes: Iterable[Outcome], left_out: Iterable[tuple[str, str]] = (),
                 source: Source | None = None) -> None:
        self.outcomes = list(outcomes)
        self.left_out = list(left_out)
        self._source = source

    @overload
    def __getitem__(self, key: str | int) -> Outcome: ...
    @overload
    def __getitem__(self, key: slice) -> list[Outcome]: ...
    def __getitem__(self, key: str | int | slice) -> Outcome | list[Outcome]:
        if isinstance(key, (int, slice)):
            return self.outcomes[key]
        for outcome in self.outcomes:
            if outcome.law == key:
                return outcome
        raise unknown("law", key, self.laws)

    def __contains__(self, law: object) -> bool:
        return law in self.outcomes if isinstance(law, Outcome) else law in self.laws

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def laws(self) -> list[str]:
        """The names of the laws."""
        return [outcome.law for outcome in self.outcomes]

    def plot(self, over: str = "time") -> Figure:
        """A matplotlib Figure: Routh's diagram in the plane, the hodograph of slip in space, the
        course over "time" or "impulse" of several contacts, vehicles from above."""
        return draw(self._source, over, self.outcomes[0]._answer)

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a column for each law (pandas must be installed)."""
        from carom._frames import frame

        rows = []
        for key, values in _lines(self.outcomes):
            rows.append({"quantity": key[0], "of": key[1], "unit": key[2], "before": values[0]}
                        | dict(zip(self.laws, values[1:])))
        return frame(rows)

    def __repr__(self) -> str:
        text = table_text(self.outcomes)
        for law, why in self.left_out:
            text += f"\nleft out: {law}: {why}"
        return text

    def _repr_html_(self) -> str:
        return table_html(self.outcomes)


def draw(source: Source | None, over: str, answer: native.Answer) -> Figure:
    """Draws laws of what was asked."""
    import carom.plot

    if source is None:
        raise InputError("plot", "needs a scenario or contact space: a model written in Python has no picture of its impact")
    given, name, laws = source
    if not isinstance(given, str):  # keywords
        given, name = _contact_space(answer, given, name), ARGUMENTS
    with all_named(laws) as names:
        record = json.loads(native.picture_of(given, name, names, text(over, "over")))
    if record["picture"]["title"] == ARGUMENTS:  # a file would have its name there
        record["picture"]["title"] = ""
    return carom.plot.draw(record)


def _contact_space(answer: native.Answer, keywords: Mapping[str, Any], surfaces: Any) -> str:
    """As a scenario has it."""
    d, contacts = answer.components, answer.contacts
    system: dict[str, Any] = {"inverse_inertia": answer.inverse_inertia, "approach": answer.approach}
    if contacts == 1 and d > 1:
        system["type"] = "contact" if d == 2 else "space-contact"
    else:
        system |= {"type": "contacts", "components": d}
    # Options that choose a law are in its name.
    known = {key: value for key, value in keywords.items() if is_coefficient(key) or key in SOLVE_KEYS}
    return scenario_of(None, {"system": system, "surfaces": surfaces, **known}, SOLVE_KEYS).text


def _label(mode: object) -> str:
    return "" if mode is None else str(mode)


def _lines(outcomes: Sequence[Outcome]) -> list[tuple[tuple[str, str, str], list[Any]]]:
    """[((label, of, unit), [before, value by each law])], in order; what is zero for all laws is left out."""
    lines: dict[tuple[str, str, str], tuple[list[Any], bool]] = {}
    for k, outcome in enumerate(outcomes):
        for label, of, unit, value, before, if_any in outcome._answer.rows():
            key = (label, of, unit)
            line = lines.setdefault(key, ([None] * (len(outcomes) + 1), if_any))
            line[0][0] = before if line[0][0] is None else line[0][0]
            line[0][k + 1] = value
    return [(key, values) for key, (values, if_any) in lines.items()
            if any(v is not None and v == v and v != "" for v in values[1:])
            and not (if_any and all(v in (None, 0) for v in values[1:]))]


def _rounded(value: float) -> str:
    return f"{value + 0.0:.6g}"  # no -0


def _cell(value: Any, text_of: Callable[[float], str]) -> str:
    if value is None or value != value:
        return ""
    return text_of(value) if isinstance(value, float) else str(value)


def _cells(outcomes: Sequence[Outcome], text_of: Callable[[float], str]) -> list[list[str]]:
    rows = [["", "before", *(outcome.law for outcome in outcomes)]]
    for (label, of, unit), values in _lines(outcomes):
        name = ", ".join(part for part in (label, of) if part) + (f" [{unit}]" if unit else "")
        rows.append([name, *(_cell(value, text_of) for value in values)])
    return rows


def table_text(outcomes: Sequence[Outcome], text_of: Callable[[float], str] = _rounded) -> str:
    """As a table of text: a column for each law."""
    rows = _cells(outcomes, text_of)
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * len(lines[0]))
    notes = [f"{outcome.law} {outcome.note}" for outcome in outcomes if outcome.note]
    return "\n".join(lines + notes)


def table_html(outcomes: Sequence[Outcome]) -> str:
    """The same for notebooks."""
    head, *rows = _cells(outcomes, _rounded)

    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"
