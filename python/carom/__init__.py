# SPDX-License-Identifier: Apache-2.0
"""Carom: what happens when rigid bodies strike each other with friction.

One impact, by any of the published laws:

>>> import carom
>>> outcome = carom.solve(law="energetic", inverse_inertia=[[1, 0.9], [0.9, 1]],
...                       approach=[-1, -0.5], restitution=1, friction=1)
>>> outcome.impulse.tolist()                         # N s: normal, tangential
[5.895198487102996, -4.8056786383926955]
>>> outcome.verdict
'ordinary'

The words are those of scenario files (TOML, SI units), so that whatever such a file says can be said by
keywords:

>>> carom.solve(system="bar", angle_deg=60, velocity=[0.4, -1], restitution=0.5, friction=0.3,
...             law="poisson").velocity_after.tolist()        # u_x, u_y [m/s], spin [rad/s]
[0.0691878396336359, 0.1027072012212138, -0.7945855975575724]

What there is
    solve         one impact: impulses, velocities after, energy, what the contact did
    solve_many    millions of impacts, arrays in and arrays out, on all cores
    simulate      motion from event to event: trajectory, events, energy account
    map           outcomes over one or two numbers of a scenario
    sweep         outcomes while any count of numbers vary: statistics, quantiles, Sobol' indices
    fit           coefficients and laws from measured impacts
    load          a scenario file, to be asked and changed
    laws, coefficients, quantities    the tables of what can be asked
    register_law  a law written in Python, which asks about a Problem
    Model         what a model written in Python has
    plot          pictures of all of these, by matplotlib
    InputError    what wrong input raises: a ValueError that names field, value and what is allowed

Normals come first, then tangents: n, t in the plane and n, t1, t2 in space, contact by contact. A normal
velocity below zero closes. Units are SI. `docs/python.md` is the guide; `examples/notebooks` are lessons.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from carom._errors import InputError as InputError

if TYPE_CHECKING:  # what the names below are; at run time they are imported when first used
    from carom import plot as plot
    from carom._fit import Fit as Fit, fit as fit
    from carom._laws import Problem as Problem, register_law as register_law
    from carom._many import Many as Many, solve_many as solve_many
    from carom._map import Axis as Axis, Layer as Layer, Map as Map, map as map
    from carom._models import Model as Model
    from carom._motion import Motion as Motion, simulate as simulate
    from carom._outcome import Comparison as Comparison, Outcome as Outcome
    from carom._scenario import Scenario as Scenario, load as load
    from carom._solve import solve as solve
    from carom._sweep import Sweep as Sweep, sweep as sweep
    from carom._tables import coefficients as coefficients, laws as laws, quantities as quantities

# Which module has which name. Pictures need none of them, and no compiled code.
_HOMES = {
    "solve": "carom._solve",
    "solve_many": "carom._many",
    "Many": "carom._many",
    "simulate": "carom._motion",
    "Motion": "carom._motion",
    "map": "carom._map",
    "Map": "carom._map",
    "Axis": "carom._map",
    "Layer": "carom._map",
    "sweep": "carom._sweep",
    "Sweep": "carom._sweep",
    "fit": "carom._fit",
    "Fit": "carom._fit",
    "load": "carom._scenario",
    "Scenario": "carom._scenario",
    "Outcome": "carom._outcome",
    "Comparison": "carom._outcome",
    "laws": "carom._tables",
    "coefficients": "carom._tables",
    "quantities": "carom._tables",
    "register_law": "carom._laws",
    "Problem": "carom._laws",
    "Model": "carom._models",
}

__all__ = ["InputError", "plot", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "plot":
        return importlib.import_module("carom.plot")
    if name == "__version__":
        from carom._native import native

        return native.__version__
    if name not in _HOMES:
        raise AttributeError(f"module 'carom' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({name for name in globals() if name.startswith("__")} | set(__all__))
