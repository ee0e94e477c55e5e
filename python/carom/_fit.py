# SPDX-License-Identifier: Apache-2.0
"""Fits."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike

from carom._arguments import items, unknown, whole
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, all_named
from carom._models import Model, StateLike, asked
from carom._native import native
from carom._scenario import ARGUMENTS, ScenarioLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Keywords of [fit].
_FIT_KEYS = dict.fromkeys(("before", "after", "error_before", "error_after", "id", "group", "columns", "units", "keep",
                           "metric_radius", "parameters", "bounds", "start"), "fit")
_OPTIONS = ("loss", "huber", "folds", "seed", "against")


class Fit:
    """Laws fitted to measured impacts, best first; or the motion of a body fitted to measured trajectories.

    models      list of dicts as `carom fit --json` says them: model, law, error, cross_validated_error, parameters, ...;
                of trajectories one, with law, parameters, score, cross_validation
    best        the first of these
    fitted["friction"]   the value of a parameter of the best model; of trajectories fitted["surface.friction"]
    record      everything that `carom fit --json` says
    """

    def __init__(self, answer: tuple[str, str, str]) -> None:
        text, self._summary, self._picture = answer
        self.record: dict[str, Any] = json.loads(text)
        self.models: list[dict[str, Any]] = self.record.get("models", [self.record])

    @property
    def best(self) -> dict[str, Any]:
        """The model that predicts best."""
        return self.models[0]

    def __getitem__(self, parameter: str) -> float:
        parameters = self.best["parameters"]
        values: dict[str, float] = (parameters if isinstance(parameters, dict) else
                                    {one["name"]: one["value"] for one in parameters})
        if parameter not in values:
            raise unknown("parameter", parameter, values)
        return values[parameter]

    def plot(self) -> Figure:
        """A matplotlib Figure: predicted against measured velocities, and errors, of the best model."""
        import carom.plot

        return carom.plot.draw(json.loads(self._picture))

    def __repr__(self) -> str:
        return self._summary


def fit(scenario: ScenarioLike | None = None, /, *,
        law: LawLike | Sequence[LawLike] | None = None, data: str | os.PathLike[str] | Mapping[str, ArrayLike] | None = None,
        model: Model | None = None, q: StateLike | None = None,
        u: StateLike | None = None, threads: int = 0, **keywords: Any) -> Fit:
    """Finds the coefficients with which each law predicts measured impacts best.

    scenario  a file with [system] and [fit] (docs/fit.md describes them), a carom.Scenario or a dict of tables;
              keywords change it, or make it
    law       names of laws or models, or functions, instead of those of the scenario. A function is fitted with the
              scenario's parameters, by default restitution and friction; one on which it does not depend is reported as
              undetermined
    data      columns by name: a dict of arrays, or anything else that has keys, such as a DataFrame; or a CSV file
    before, after   names of the columns of the velocities
    columns   columns of numbers of the system, which differ from row to row: {"angle_deg": "theta"}
    parameters, bounds, start, group, id, units, keep, metric_radius, error_before, error_after   as in [fit]
    loss      "mean-error", "least-squares" or "huber" (then huber, the error where it turns from square to linear)
    folds     of cross-validation; 0: none
    seed, against   as in [fit]
    model, q  instead of a scenario a model written in Python (see carom.Model), with its positions where no column gives
              them ({"q.angle": "theta"} in `columns`); `before` and `after` are its velocities, in their order. Its
              numbers can be fitted by their names
    keywords  coefficients that are given; anything else belongs to [system]

    A scenario with [motion] beside [fit] is fitted to measured trajectories of a body (docs/trajectories.md), with one
    law of impacts.

    Returns a Fit. A function or a model is asked by one thread. Ctrl-C ends it.

    >>> import carom
    >>> fitted = carom.fit("examples/fit/ellipse.toml", law="energetic", folds=0)
    >>> 0 < fitted.best["error"] < 0.1, 0 < fitted["restitution"] < 1
    (True, True)
    """
    laws, threads = items(law, "law", "a name or a function"), whole(threads, "threads")
    options = {key: keywords.pop(key) for key in _OPTIONS if keywords.get(key) is not None}
    if model is not None and u is None:  # the data have them
        u = numpy.zeros(len(model.velocities))
    with (of_keywords(), all_named(laws) as names,
          asked(scenario, keywords, _FIT_KEYS, model, q, u) as (given, _)):
        tables = dict(given.tables)
        of_fit = dict(tables.get("fit", {}))
        text = None
        if isinstance(data, (str, os.PathLike)):
            of_fit["data"] = os.path.abspath(data)
        elif data is not None:
            text = _csv(data)
            of_fit["data"] = "data"
        elif given.name == ARGUMENTS and isinstance(of_fit.get("data"), str):  # a file that was changed
            of_fit["data"] = os.path.join(given._folder, of_fit["data"])
        if of_fit:
            tables["fit"] = of_fit
        if tables != given.tables:
            given = given._with(tables)
        return Fit(native.compute_fit(given.text, given.name, text, names, options, threads))


def _csv(data: Any) -> str:
    """A table of columns as the text of a CSV file, whose numbers read back the same."""
    try:
        names = [str(name) for name in data.keys()]
        columns = [numpy.asarray(data[name]) for name in data.keys()]
    except (AttributeError, TypeError, ValueError):
        raise InputError("data", f"must be a file, or columns by their names, got {type(data).__name__}") from None
    if not names or any(column.ndim != 1 for column in columns) or len({len(column) for column in columns}) != 1:
        raise InputError("data", "must be columns of one length")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*(column.tolist() for column in columns)))
    return text.getvalue()
