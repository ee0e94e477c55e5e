# SPDX-License-Identifier: Apache-2.0
"""Sweeps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike, NDArray

from carom._arguments import flag, items, table, texts, unknown, whole
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, all_named
from carom._models import Model, StateLike, asked
from carom._motion import MOTION_KEYS
from carom._native import native
from carom._scenario import SOLVE_KEYS, ScenarioLike, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


class Sweep:
    """What became of a scenario while any count of its numbers varied.

    inputs      paths of the numbers that varied
    results     names of the results: "energy_change", or "newton: energy_change" where there are several laws
    sweep["..."]        an input or a result at every point, where rows were kept (up to a million, or rows=True);
                        sweep.labels("mode") has the words of a category, whose numbers are indices
    statistics["..."]   dict: mean, mean_error, deviation, quantiles, histogram; with indices=True also first_order and
                        total, Sobol' indices with errors, in the order of `inputs`
    notes       laws left out, coefficients not honoured, points that could not be computed
    """

    def __init__(self, sweep: native.Sweep) -> None:
        self._sweep = sweep
        self.record: dict[str, Any] = json.loads(sweep.record())
        self.inputs: list[str] = [one["path"] for one in self.record["inputs"]]
        results = self.record["results"]
        several = len({one["law"] for one in results}) > 1
        self.results = [f"{one['law']}: {one['quantity']}" if several else one["quantity"] for one in results]
        self.units: dict[str, str] = {name: one["unit"] for name, one in zip(self.results, results)}
        self.categories: dict[str, list[str]] = dict(zip(self.results, sweep.categories()))
        self.statistics: dict[str, dict[str, Any]] = dict(zip(self.results, results))
        self.notes: list[str] = self.record["notes"] + self.record["not_computed"]
        rows = sweep.rows()
        self._rows: dict[str, NDArray[numpy.float64]] | None
        self._rows = None if rows is None else dict(zip([*self.inputs, *self.results], rows[0] + rows[1]))

    def __getitem__(self, name: str) -> NDArray[numpy.float64]:
        if self._rows is None:
            raise InputError("rows", "were not kept; ask for rows=True")
        if name not in self._rows:
            raise unknown("column", name, self._rows)
        return self._rows[name]

    def labels(self, name: str) -> NDArray[numpy.object_]:
        """Of a result that is a category the label at every point, "" where it is not defined."""
        values = self[name]
        if not self.categories.get(name):
            raise InputError("column", f"must be a category, such as mode, got '{name}', which is a number")
        names = numpy.array([*self.categories[name], ""], dtype=object)
        return numpy.asarray(names[numpy.where(numpy.isnan(values), len(names) - 1, values).astype(int)])

    def __len__(self) -> int:
        return int(self.record["points"])

    def plot(self) -> Figure:
        """A matplotlib Figure of it."""
        import carom.plot

        return carom.plot.draw(self.record)

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each point (pandas must be installed)."""
        from carom._frames import frame

        return frame({name: self.labels(name) if self.categories.get(name) else self[name]
                      for name in [*self.inputs, *self.results]})

    def __repr__(self) -> str:
        return self._sweep.summary()


def _axis(path: str, values: Any) -> str:
    """As on the command line: "PATH=..."."""
    if isinstance(values, str):
        return f"{path}={values}"
    if isinstance(values, tuple):
        if len(values) < 2:
            raise InputError("vary", f"must be (from, to), with a number of points, and \"log\", got {values!r}")
        return f"{path}=" + ":".join(v if isinstance(v, str) else repr(plain(v, "vary")) for v in values)
    values = numpy.atleast_1d(numpy.asarray(values))
    if values.dtype.kind not in "biuf" or values.ndim != 1 or not len(values):
        raise InputError("vary", f"must be text, a number, a list of numbers or (from, to, points), got {values!r}")
    return f"{path}=" + ",".join(repr(float(v)) for v in values)


def sweep(scenario: ScenarioLike | None = None, /, *,
          vary: Mapping[str, Any] | None = None, show: str | Sequence[str] = (),
          law: LawLike | Sequence[LawLike] | None = None, method: str | None = None, samples: int | None = None,
          seed: int | None = None, bins: int | None = None, quantiles: ArrayLike | None = None,
          indices: bool | None = None, rows: bool | None = None, model: Model | None = None,
          q: StateLike | None = None, u: StateLike | None = None,
          threads: int = 0, **keywords: Any) -> Sweep:
    """Varies any count of a scenario's numbers: on a grid, or as a sample of distributions.

    scenario   a file's name, a carom.Scenario or a dict of tables, which keywords change or make, as in `solve`
    vary       a dict from paths to values: (from, to, points), a list, a number, or text as for `carom sweep`:
               "normal:0.3:0.05", "uniform:0:1", "log-normal:MEAN:DEVIATION". None: as the scenario's [sweep] says
    show       names of quantities, or numbers of a motion
    law        a name, a function, or a list; of a motion one, of its impacts at one contact
    method     "grid", "sobol" or "random";  samples, seed, quantiles, bins
    indices    Sobol' indices: which input matters
    rows       whether all points are kept; default where they are at most a million
    model, q, u    instead of a scenario a model written in Python, as in `map`; with end_time its motion
    keywords   change or make the scenario, as in `solve` and `simulate`

    Returns a Sweep. The numbers are the same on any number of threads; a function or a model is asked by one thread.
    Ctrl-C ends it.

    >>> import carom
    >>> swept = carom.sweep("examples/bar.toml", vary={"surface.friction": "normal:0.3:0.05:0"}, samples=1024,
    ...                     show="slip", law="energetic")
    >>> round(swept.statistics["slip"]["mean"], 2)
    -0.25
    >>> swept["slip"].shape
    (1024,)
    """
    shown, laws = texts(show, "show"), items(law, "law", "a name or a function")
    varied, threads = table(vary or {}, "vary"), whole(threads, "threads")
    options = {"method": method, "samples": samples, "seed": seed, "bins": bins, "quantiles": quantiles,
               "indices": None if indices is None else flag(indices, "indices"),
               "rows": None if rows is None else flag(rows, "rows")}
    options = {key: value for key, value in options.items() if value is not None}
    with (of_keywords(), asked(scenario, keywords, SOLVE_KEYS | MOTION_KEYS, model, q, u) as (given, labels),
          all_named(laws) as names):
        axes = [_axis(path, values) for path, values in varied.items()]
        if "motion" in given.tables and names:
            if len(names) > 1:
                raise InputError("law", "must be one: a motion has one law of impacts")
            given = given.changed({"motion.law": names.pop()})
        return Sweep(native.compute_sweep(given.text, given.name, axes, shown, names, options, threads, labels))
