# SPDX-License-Identifier: Apache-2.0
"""Maps."""

import json

import numpy

from carom._errors import InputError, of_keywords
from carom._laws import all_named
from carom._native import native
from carom._scenario import scenario_of


class Axis:
    """What varies: path ("surface.friction"), label, symbol, unit, values."""

    def __init__(self, entries):
        self.path = entries["path"]
        self.label = entries["label"]
        self.symbol = entries["symbol"]
        self.unit = entries["unit"]
        self.log = entries["log"]
        self.values = entries["values"]

    def __len__(self):
        return len(self.values)

    def __repr__(self):
        unit = f" {self.unit}" if self.unit else ""
        return f"<Axis {self.path}: {self.values[0]:g} to {self.values[-1]:g}{unit}, {len(self)} points>"


class Layer:
    """One quantity of one law on every cell: name, law, other (compared with), unit, values (rows are y).

    Where the quantity is a category, `values` are indices (NaN where it is not defined), `categories` are the
    labels, and `labels` is the array of them.
    """

    def __init__(self, entries):
        self.name = entries["name"]
        self.law = entries["law"]
        self.other = entries["other"]
        self.title = entries["title"]
        self.unit = entries["unit"]
        self.values = entries["values"]
        self.categories = [label for label, _ in entries["categories"]]
        self.meanings = dict(entries["categories"])

    @property
    def labels(self):
        """The label of every cell, "" where it is not defined."""
        names = numpy.array([*self.categories, ""], dtype=object)
        index = numpy.where(numpy.isnan(self.values), len(self.categories), self.values).astype(int)
        return names[index]

    def __repr__(self):
        return f"<Layer {self.title}: {' x '.join(map_str(self.values.shape))}>"


def map_str(shape):
    """The numbers of a shape as text."""
    return [str(size) for size in shape]


class Map:
    """What laws say while one or two numbers of a scenario vary.

    x, y        Axis; y is None for curves
    layers      all layers in order
    map["mode"], map["mode", "newton"]   the values of a layer, of the first law or of one by name
    boundaries  lines known in closed form: dicts with law, name, meaning, lines
    notes       laws left out, coefficients not honoured
    """

    def __init__(self, native_map):
        self._map = native_map
        self.title = native_map.title
        self.x = Axis(native_map.x)
        self.y = Axis(native_map.y) if native_map.y is not None else None
        self.layers = [Layer(entries) for entries in native_map.layers()]
        self.boundaries = native_map.boundaries()
        self.notes = list(native_map.notes)

    def layer(self, name, law=None):
        """A layer by the name of its quantity, and its law where there are several."""
        for layer in self.layers:
            if layer.name == name and law in (None, layer.law):
                return layer
        known = ", ".join(f"{layer.name} ({layer.law})" for layer in self.layers)
        raise InputError("layer", f"unknown '{name}'{f' of {law}' if law else ''}; known: {known}")

    def __getitem__(self, key):
        name, law = key if isinstance(key, tuple) else (key, None)
        return self.layer(name, law).values

    def record(self, style="map"):
        """The record of its picture, for carom.plot.draw; style "map" or "surface"."""
        if style not in ("map", "surface"):
            raise InputError("style", f"must be map or surface, got '{style}'")
        return json.loads(self._map.record(style == "surface"))

    def plot(self, style="map"):
        """A matplotlib Figure of it."""
        import carom.plot

        return carom.plot.draw(self.record(style))

    def to_frame(self):
        """A pandas DataFrame with a row for each cell (pandas must be installed)."""
        from carom._frames import frame

        if self.y is None:
            columns = {self.x.path: self.x.values}
        else:
            x, y = numpy.meshgrid(self.x.values, self.y.values)
            columns = {self.x.path: x.ravel(), self.y.path: y.ravel()}
        for layer in self.layers:
            columns[layer.title] = (layer.labels if layer.categories else layer.values).ravel()
        return frame(columns)

    def __repr__(self):
        axes = [self.x] if self.y is None else [self.x, self.y]
        size = " x ".join(str(len(axis)) for axis in axes)
        return f"<carom.Map {size}: {', '.join(axis.path for axis in axes)}; {'; '.join(l.title for l in self.layers)}>"


def _axis(given, field):
    """(path, from, to, points, log) of what is given."""
    if given is None:
        return None
    if isinstance(given, str):
        path, _, range_ = given.partition("=")
        parts = range_.split(":")
        log = parts[-1] == "log"
        parts = parts[:-1] if log else parts
        try:
            numbers = [float(part) for part in parts]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 3):
            raise InputError(field, f"must be PATH=FROM:TO, PATH=FROM:TO:POINTS or PATH=FROM:TO:POINTS:log, got '{given}'")
        return path, numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0, log
    given = tuple(given)
    if len(given) not in (3, 4, 5) or (len(given) == 5 and given[4] != "log"):
        raise InputError(field, f'must be (path, from, to), (path, from, to, points) or these and "log", got {given!r}')
    path, start, end, points = (*given, 0)[:4]
    return path, start, end, points, len(given) == 5


def map(scenario=None, /, *, x=None, y=None, show=(), law=None, compare="", threads=0, **keywords):
    """Asks laws about a scenario while one or two of its numbers vary.

    scenario   a file's name, a carom.Scenario or a dict of tables; keywords change it, or make it, as in `solve`
    x, y       ("surface.friction", 0, 1), with a number of points, and "log"; or "surface.friction=0:1:201".
               Only x: curves. None: as the scenario's [map] says
    show       names of quantities (see carom.quantities()); default the mode
    law        a name, a function, or a list; default the scenario's, or all that apply
    compare    "difference" or "ratio" of the first two laws

    Returns a Map. A function is asked by one thread. Ctrl-C ends it.

    >>> import carom
    >>> map = carom.map("examples/bar.toml", x=("system.angle_deg", 10, 80, 8), y=("surface.friction", 0, 1, 5),
    ...                 show="energy", law="newton")
    >>> map["energy"].shape
    (5, 8)
    """
    show = [show] if isinstance(show, str) else list(show)
    laws = list(law) if isinstance(law, (list, tuple)) else [] if law is None else [law]
    with of_keywords():
        given = scenario_of(scenario, keywords)
        with all_named(laws) as names:
            return Map(native.compute_map(given.text, given.name, _axis(x, "x"), _axis(y, "y"), show, names, compare,
                                          threads))
