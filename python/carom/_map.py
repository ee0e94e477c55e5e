# SPDX-License-Identifier: Apache-2.0
"""Maps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from carom._arguments import items, text, texts, unknown, whole
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, all_named
from carom._models import Model, StateLike, asked
from carom._native import native
from carom._scenario import SOLVE_KEYS, ScenarioLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

#: (path, from, to), with a number of points, and "log"; or "path=from:to:points:log".
AxisLike = str | Sequence[Any]


class Axis:
    """What varies: path ("surface.friction"), label, symbol, unit, values."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.path: str = entries["path"]
        self.label: str = entries["label"]
        self.symbol: str = entries["symbol"]
        self.unit: str = entries["unit"]
        self.log: bool = entries["log"]
        self.values: NDArray[numpy.float64] = entries["values"]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"<Axis {self.path}: {self.values[0]:g} to {self.values[-1]:g}{unit}, {len(self)} points>"


class Layer:
    """One quantity of one law on every cell: name, law, other (compared with), unit, values (rows are y).

    Where the quantity is a category, `values` are indices (NaN where it is not defined), `categories` are the
    labels, and `labels` is the array of them.
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.name: str = entries["name"]
        self.law: str = entries["law"]
        self.other: str = entries["other"]
        self.title: str = entries["title"]
        self.unit: str = entries["unit"]
        self.values: NDArray[numpy.float64] = entries["values"]
        self.categories: list[str] = [label for label, _ in entries["categories"]]
        self.meanings: dict[str, str] = dict(entries["categories"])

    @property
    def labels(self) -> NDArray[numpy.object_]:
        """The label of every cell, "" where it is not defined."""
        names = numpy.array([*self.categories, ""], dtype=object)
        index = numpy.where(numpy.isnan(self.values), len(self.categories), self.values).astype(int)
        return numpy.asarray(names[index])

    def __repr__(self) -> str:
        return f"<Layer {self.title}: {' x '.join(str(size) for size in self.values.shape)}>"


class Map:
    """What laws say while one or two numbers of a scenario vary.

    x, y        Axis; y is None for curves
    layers      all layers in order
    map["mode"], map["mode", "newton"]   the values of a layer, of the first law or of one by name
    boundaries  lines known in closed form: dicts with law, name, meaning, lines
    notes       laws left out, coefficients not honoured
    """

    def __init__(self, native_map: native.Map) -> None:
        self._map = native_map
        self.title: str = native_map.title
        self.x = Axis(native_map.x)
        self.y = Axis(native_map.y) if native_map.y is not None else None
        self.layers = [Layer(entries) for entries in native_map.layers()]
        self.boundaries = native_map.boundaries()
        self.notes = list(native_map.notes)

    def layer(self, name: str, law: str | None = None) -> Layer:
        """A layer by the name of its quantity, and its law where there are several."""
        for layer in self.layers:
            if layer.name == name and law in (None, layer.law):
                return layer
        if law is not None and any(layer.name == name for layer in self.layers):
            raise unknown("layer", law, [layer.law for layer in self.layers if layer.name == name])
        raise unknown("layer", name, dict.fromkeys(layer.name for layer in self.layers))

    def __getitem__(self, key: str | tuple[str, str]) -> NDArray[numpy.float64]:
        name, law = key if isinstance(key, tuple) else (key, None)
        return self.layer(name, law).values

    def record(self, style: str = "map") -> dict[str, Any]:
        """The record of its picture, for carom.plot.draw; style "map" or "surface"."""
        if style not in ("map", "surface"):
            raise InputError("style", f"must be map or surface, got '{style}'")
        return dict(json.loads(self._map.record(style == "surface")))

    def plot(self, style: str = "map") -> Figure:
        """A matplotlib Figure of it."""
        import carom.plot

        return carom.plot.draw(self.record(style))

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each cell (pandas must be installed)."""
        from carom._frames import frame

        if self.y is None:
            columns: dict[str, NDArray[Any]] = {self.x.path: self.x.values}
        else:
            x, y = numpy.meshgrid(self.x.values, self.y.values)
            columns = {self.x.path: x.ravel(), self.y.path: y.ravel()}
        for layer in self.layers:
            columns[layer.title] = (layer.labels if layer.categories else layer.values).ravel()
        return frame(columns)

    def __repr__(self) -> str:
        axes = [self.x] if self.y is None else [self.x, self.y]
        size = " x ".join(str(len(axis)) for axis in axes)
        return f"<carom.Map {size}: {', '.join(axis.path for axis in axes)}; {'; '.join(l.title for l in self.layers)}>"


def _axis(given: AxisLike | None, field: str) -> tuple[Any, ...] | None:
    """(path, from, to, points, log) of what is given."""
    if given is None:
        return None
    if not isinstance(given, (str, Sequence)):
        raise InputError(field, f'must be (path, from, to, points), got {given!r}')
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


def map(scenario: ScenarioLike | None = None, /, *, x: AxisLike | None = None,
        y: AxisLike | None = None, show: str | Sequence[str] = (), law: LawLike | Sequence[LawLike] | None = None,
        compare: str = "", model: Model | None = None, q: StateLike | None = None,
        u: StateLike | None = None, threads: int = 0, **keywords: Any) -> Map:
    """Asks laws about a scenario while one or two of its numbers vary.

    scenario   a file's name, a carom.Scenario or a dict of tables; keywords change it, or make it, as in `solve`
    x, y       ("surface.friction", 0, 1), with a number of points, and "log"; or "surface.friction=0:1:201".
               Only x: curves. None: as the scenario's [map] says
    show       names of quantities (see carom.quantities()); default the mode
    law        a name, a function, or a list; default the scenario's, or all that apply
    compare    "difference" or "ratio" of the first two laws
    model, q, u    instead of a scenario a model written in Python (see carom.Model), in a state; numbers that can vary are
               "system.q.NAME", "system.u.NAME", and "system.NAME" for an attribute that is a number. What touches
               strikes, or contacts=["NAME"] whatever its gap

    Returns a Map. A function or a model is asked by one thread. Ctrl-C ends it.

    >>> import carom
    >>> map = carom.map("examples/bar.toml", x=("system.angle_deg", 10, 80, 8), y=("surface.friction", 0, 1, 5),
    ...                 show="energy", law="newton")
    >>> map["energy"].shape
    (5, 8)
    """
    shown, laws = texts(show, "show"), items(law, "law", "a name or a function")
    how, threads = text(compare, "compare"), whole(threads, "threads")
    with of_keywords(), asked(scenario, keywords, SOLVE_KEYS, model, q, u) as (given, labels), all_named(laws) as names:
        return Map(native.compute_map(given.text, given.name, _axis(x, "x"), _axis(y, "y"), shown, names, how, threads,
                                      labels))
