# SPDX-License-Identifier: Apache-2.0
"""Motion."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from carom._arguments import texts, unknown
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, named
from carom._models import Model, StateLike, asked
from carom._native import native
from carom._scenario import ScenarioLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

#: Keywords of [motion].
MOTION_KEYS = dict.fromkeys(("end_time", "sample_interval", "most_samples", "settling", "contact_time", "indeterminate",
                             "several", "most_events", "gravity", "compliant", "method", "step", "rest_speed",
                             "residual"), "motion")
_ALL_KEYS = MOTION_KEYS | {"law": "motion", "tolerance": "motion"}

_EVENT = numpy.dtype([("time", float), ("kind", "U20"), ("contacts", object), ("energy_change", float),
                      ("impulse", object), ("verdict", "U20"), ("text", object)])
_ENDINGS = {"gaps": " gap", "contact_status": " status"}
_SIDES = numpy.array(["", "before", "after"])


class Motion:
    """A motion from its start to its end. Rows are samples, and both sides of every instant with events.

    time             (rows,) [s]
    motion["ball.x"] (rows,) a column by its name; `names` lists them, `units` has their units
    table            (rows, columns), everything
    side             (rows,) "" for samples, "before" and "after" events
    events           structured array: time, kind, contacts, energy_change, impulse, verdict, text
    final            dict: time, q, u at the end
    energy           dict: the account of energy [J]; `gap` is what is left over
    ending, reason   why it ended: "time", "model", "events", "failed"
    """

    def __init__(self, motion: native.Motion) -> None:
        self._motion = motion
        self.table: NDArray[numpy.float64] = motion.table()
        self._columns: dict[str, int] = {}
        self.units: dict[str, str] = {}
        for group, names, units, places in motion.groups():
            for name, unit, place in zip(names, units, places):
                if group == "side":
                    continue
                # Gap and status have the name of the contact alone.
                key = name + _ENDINGS.get(group, "")
                key = key if key not in self._columns else f"{key} ({group})"
                self._columns[key] = place
                self.units[key] = unit
        self.time: NDArray[numpy.float64] = self.table[:, 0]
        self.side: NDArray[numpy.str_] = _SIDES[self.table[:, 1].astype(int)]
        events = motion.events()
        self.events: NDArray[numpy.void] = numpy.empty(len(events), _EVENT)
        for k, event in enumerate(events):
            self.events[k] = event
        time, q, u = motion.final_state()
        self.final: dict[str, Any] = {"time": time, "q": q, "u": u}
        self.energy: dict[str, Any] = motion.energy()
        self.ending: str = motion.ending()
        self.reason: str = motion.reason()
        self.counts: dict[str, int] = motion.counts()
        self.title: str = motion.title()
        self.notes: list[str] = motion.notes()

    @property
    def names(self) -> list[str]:
        """The names of the columns, without time."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[numpy.float64]:
        if name == "time":
            return self.time
        if name not in self._columns:
            raise unknown("column", name, self._columns)
        return self.table[:, self._columns[name]]

    def __len__(self) -> int:
        return len(self.table)

    def impacts(self) -> NDArray[numpy.void]:
        """The events that are impacts."""
        return self.events[numpy.char.startswith(self.events["kind"], "impact")]

    def record(self, kind: str = "motion", show: Sequence[str] = (), at: Sequence[float] = ()) -> dict[str, Any]:
        """The record of a picture, for carom.plot.draw.

        kind  "motion" or "animation"
        show  names of views, positions, contacts or bodies; none: what is usual
        at    times of scenes [s]
        """
        if kind not in ("motion", "animation"):
            raise InputError("kind", f"must be motion or animation, got {kind!r}")
        return dict(json.loads(self._motion.record(kind, texts(show, "show"), list(at))))

    def plot(self, show: Sequence[str] = (), at: Sequence[float] = ()) -> Figure:
        """A matplotlib Figure of it."""
        import carom.plot

        return carom.plot.draw(self.record("motion", show, at))

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each sample (pandas must be installed)."""
        from carom._frames import frame

        return frame({"time": self.time, "side": self.side} | {name: self[name] for name in self.names})

    def __repr__(self) -> str:
        lines = [f"<carom.Motion {self.title + ': ' if self.title else ''}{self.final['time']:g} s, "
                 f"{len(self.events)} events, {self.counts['impacts']} impacts, {len(self)} rows; "
                 f"ended by {self.ending}{': ' + self.reason if self.reason else ''}>"]
        return "\n".join(lines)


def simulate(scenario: ScenarioLike | None = None, /, *,
             law: LawLike | None = None, several: LawLike | None = None, model: Model | None = None,
             q: StateLike | None = None, u: StateLike | None = None,
             **keywords: Any) -> Motion:
    """Follows a motion event by event, or by steps of a given length (`method`, `step`).

    What moves is a scenario (a file's name, a carom.Scenario, or a dict of tables) which keywords change, or a
    model written in Python with its state: model=, q=, u=. carom.Model says what such a model has.

    law        of impacts at one contact: a name or a function; None: as the scenario says
    several    of impacts at several contacts at once, likewise
    keywords   end_time, sample_interval, method, gravity, ... of [motion]; coefficients of the surfaces;
               anything else belongs to [system]

    Returns a Motion. Raises carom.InputError. A function or a model is asked by one thread. Ctrl-C ends it.

    >>> import carom
    >>> motion = carom.simulate("examples/motion/bouncing-ball.toml", end_time=2)
    >>> motion["ball.y"].min() > 0.0199
    True
    >>> motion.events["kind"][:2].tolist()
    ['start', 'impact']
    """
    with of_keywords(), contextlib.ExitStack() as stack:
        for key, given in (("law", law), ("several", several)):
            if given is not None:
                keywords[key] = stack.enter_context(named(given))
        if model is not None and "end_time" not in keywords:
            raise InputError("end_time", "is missing: when the motion of the model ends [s]")
        of, _ = stack.enter_context(asked(scenario, keywords, _ALL_KEYS, model, q, u))
        made = native.simulate_scenario(of.text, of.name)
    return Motion(made)
