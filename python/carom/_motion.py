# SPDX-License-Identifier: Apache-2.0
"""Motion."""

import json

import numpy

from carom._errors import InputError, of_keywords
from carom._laws import named
from carom._native import native
from carom._scenario import is_coefficient, scenario_of

#: Keywords of [motion].
MOTION_KEYS = ("end_time", "sample_interval", "most_samples", "settling", "contact_time", "indeterminate",
               "several", "most_events", "gravity", "compliant", "method", "step", "rest_speed", "residual")

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

    def __init__(self, motion):
        self._motion = motion
        self.table = motion.table()
        self._columns = {}
        self.units = {}
        for group, names, units, places in motion.groups():
            for name, unit, place in zip(names, units, places):
                if group == "side":
                    continue
                # Gap and status have the name of the contact alone.
                key = name + _ENDINGS.get(group, "")
                key = key if key not in self._columns else f"{key} ({group})"
                self._columns[key] = place
                self.units[key] = unit
        self.time = self.table[:, 0]
        self.side = _SIDES[self.table[:, 1].astype(int)]
        events = motion.events()
        self.events = numpy.empty(len(events), _EVENT)
        for k, event in enumerate(events):
            self.events[k] = event
        time, q, u = motion.final_state()
        self.final = {"time": time, "q": q, "u": u}
        self.energy = motion.energy()
        self.ending = motion.ending()
        self.reason = motion.reason()
        self.counts = motion.counts()
        self.title = motion.title()
        self.notes = motion.notes()

    @property
    def names(self):
        """The names of the columns, without time."""
        return list(self._columns)

    def __getitem__(self, name):
        if name == "time":
            return self.time
        if name not in self._columns:
            import difflib

            near = difflib.get_close_matches(str(name), self._columns, 1)
            known = f"; did you mean '{near[0]}'?" if near else "; known: " + ", ".join(self._columns)
            raise InputError("column", f"unknown '{name}'" + known)
        return self.table[:, self._columns[name]]

    def __len__(self):
        return len(self.table)

    def impacts(self):
        """The events that are impacts."""
        return self.events[numpy.char.startswith(self.events["kind"], "impact")]

    def record(self, kind="motion", show=(), at=()):
        """The record of a picture, for carom.plot.draw.

        kind  "motion" or "animation"
        show  names of views, positions, contacts or bodies; none: what is usual
        at    times of scenes [s]
        """
        return json.loads(self._motion.record(kind, list(show), list(at)))

    def plot(self, show=(), at=()):
        """A matplotlib Figure of it."""
        import carom.plot

        return carom.plot.draw(self.record("motion", show, at))

    def to_frame(self):
        """A pandas DataFrame with a row for each sample (pandas must be installed)."""
        from carom._frames import frame

        return frame({"time": self.time, "side": self.side} | {name: self[name] for name in self.names})

    def __repr__(self):
        lines = [f"<carom.Motion {self.title + ': ' if self.title else ''}{self.final['time']:g} s, "
                 f"{len(self.events)} events, {self.counts['impacts']} impacts, {len(self)} rows; "
                 f"ended by {self.ending}{': ' + self.reason if self.reason else ''}>"]
        return "\n".join(lines)


def simulate(scenario=None, /, *, law=None, model=None, q=None, u=None, surfaces=None, **keywords):
    """Follows a motion from event to event.

    What moves is a scenario (a file's name, a carom.Scenario, or a dict of tables) which keywords change, or a
    model written in Python with its state: model=, q=, u=. docs/python.md says what such a model has.

    law        of impacts at one contact: a name or a function; None: as the scenario says
    keywords   end_time, sample_interval, method, gravity, ... of [motion]; coefficients of the surfaces;
               anything else belongs to [system]

    Returns a Motion. Raises carom.InputError. Ctrl-C ends it.

    >>> import carom
    >>> motion = carom.simulate("examples/motion/bouncing-ball.toml", end_time=2)
    >>> motion["ball.y"].min() > 0.0199
    True
    >>> motion.events["kind"][:2].tolist()
    ['start', 'impact']
    """
    with of_keywords():
        if model is not None:
            return _of_model(model, q, u, law, surfaces, keywords)
        if surfaces is not None:
            keywords["surfaces"] = surfaces
        function = law if callable(law) else None
        if law is not None and function is None:
            keywords["law"] = law
        options = {key: keywords.pop(key) for key in ("tolerance",) if key in keywords}
        given = scenario_of(scenario, keywords, (*MOTION_KEYS, "law"))
        if options:
            given = given.changed({f"motion.{key}": value for key, value in options.items()})
        if function is None:
            return Motion(native.simulate_scenario(given.text, given.name, ""))
        with named(function) as name:
            return Motion(native.simulate_scenario(given.text, given.name, name))


def _of_model(model, q, u, law, surfaces, keywords):
    coefficients = {key: value for key, value in keywords.items() if is_coefficient(key)}
    several = keywords.pop("several", None) or ""
    options = {key: value for key, value in keywords.items() if key not in coefficients and value is not None}
    if law is None:
        return Motion(native.simulate_model(model, q, u, coefficients, surfaces, options, "", several))
    with named(law) as name:
        return Motion(native.simulate_model(model, q, u, coefficients, surfaces, options, name, several))
