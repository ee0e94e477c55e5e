# SPDX-License-Identifier: Apache-2.0
"""Fits."""

import json
import os

from carom._errors import InputError, of_keywords
from carom._native import native


class Fit:
    """Laws fitted to measured impacts, best first.

    models      list of dicts as `carom fit --json` says them: model, law, error, cross_validated_error, parameters, ...
    best        the first of these
    fitted["friction"]   the value of a parameter of the best model
    record      everything that `carom fit --json` says
    """

    def __init__(self, answer):
        text, self._summary, self._picture = answer
        self.record = json.loads(text)
        self.models = self.record["models"]

    @property
    def best(self):
        """The model that predicts best."""
        return self.models[0]

    def __getitem__(self, parameter):
        values = {one["name"]: one["value"] for one in self.best["parameters"]}
        if parameter not in values:
            raise InputError("parameter", f"unknown '{parameter}'; known: {', '.join(values)}")
        return values[parameter]

    def plot(self):
        """A matplotlib Figure: predicted against measured velocities, and errors, of the best model."""
        import carom.plot

        return carom.plot.draw(json.loads(self._picture))

    def __repr__(self):
        return self._summary


def fit(file, *, law=(), threads=0, **options):
    """Finds the coefficients with which each law predicts measured impacts best.

    file      a file with [system] and [fit], which names the CSV file of the data; docs/fit.md describes it
    law       names of laws or models, instead of those of the file
    options   loss ("mean-error", "least-squares", "huber"), huber, folds (of cross-validation; 0: none), seed, against

    Returns a Fit. Ctrl-C ends it.

    >>> import carom
    >>> fitted = carom.fit("examples/fit/ellipse.toml", law="energetic", folds=0)
    >>> 0 < fitted.best["error"] < 0.1, 0 < fitted["restitution"] < 1
    (True, True)
    """
    laws = [law] if isinstance(law, str) else list(law)
    with of_keywords():
        return Fit(native.compute_fit(os.fspath(file), laws, options, threads))
