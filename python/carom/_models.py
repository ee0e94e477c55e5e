# SPDX-License-Identifier: Apache-2.0
"""Models written in Python."""

from __future__ import annotations

import contextlib
import difflib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy
from numpy.typing import ArrayLike

from carom._errors import InputError
from carom._native import native
from carom._scenario import COEFFICIENTS, Scenario, scenario_of

_OWN = frozenset(("length", "acceleration", "components"))  # of the model's description, no numbers of its own
_FUNCTIONS = ("mass", "forces", "gaps", "directions")
_TABLE = frozenset(("type", "q", "u", "time", "contacts"))  # what [system] has beside them


class Model(Protocol):
    """What a model written in Python has: any object will do, it need not derive from this class.

    positions    names, or pairs (name, unit); without unit m
    velocities   the same; without unit m/s
    contacts     names
    mass(t, q)             M, symmetric positive definite
    forces(t, q, u)        h in M u' = h + W F: all but the contacts
    gaps(t, q)             one for each contact [m]
    directions(t, q)       W: a row for each velocity, a column for each component of each contact; v = W^T u

    and if it likes
    components             of each contact: 2 (plane, default) or 3
    bias(t, q, u)          rate of W^T u at u' = 0; without it W is differenced along the motion
    rate(t, q, u)          q'; without it q' = u
    potential(t, q)        [J]; without it the forces count as drives
    length, acceleration   what tolerances are relative to; default 1 m and 9.81 m/s^2

    Attributes that are numbers can vary in maps, sweeps and fits as "system.NAME", and so can "system.q.NAME" and
    "system.u.NAME". They are set on a copy of the object: what __init__ made of them stays as it is.

    >>> import carom
    >>> class Ball:
    ...     positions, velocities, contacts = ["y"], ["v_y"], ["floor"]
    ...     m = 0.1
    ...     def mass(self, t, q): return [[self.m]]
    ...     def forces(self, t, q, u): return [-9.81 * self.m]
    ...     def gaps(self, t, q): return [q[0]]
    ...     def directions(self, t, q): return [[1, 0]]
    >>> carom.solve(model=Ball(), q=[0], u=[-2], law="newton", restitution=0.8, friction=0).impulse.round(3).tolist()
    [0.36, 0.0]
    >>> carom.map(model=Ball(), q=[0], u=[-2], x=("system.m", 0.1, 0.3, 3), show="normal_impulse", law="newton",
    ...           restitution=0.8, friction=0)["normal_impulse"].round(3).tolist()
    [0.36, 0.72, 1.08]
    """

    @property
    def positions(self) -> Sequence[str | tuple[str, str]]:
        """Names, or pairs (name, unit)."""

    @property
    def velocities(self) -> Sequence[str | tuple[str, str]]:
        """Names, or pairs (name, unit)."""

    @property
    def contacts(self) -> Sequence[str]:
        """Names."""

    def mass(self, t: float, q: Any, /) -> ArrayLike:
        """M [kg, kg m^2, ...]."""

    def forces(self, t: float, q: Any, u: Any, /) -> ArrayLike:
        """h [N, N m, ...]."""

    def gaps(self, t: float, q: Any, /) -> ArrayLike:
        """One for each contact [m]."""

    def directions(self, t: float, q: Any, /) -> ArrayLike:
        """W."""


def _named(model: object, attribute: str, unit: str) -> dict[str, str]:
    """Units by names."""
    field = f"model.{attribute}"
    given: Any = getattr(model, attribute, None)
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise InputError(field, "is missing: a list of names, or of pairs (name, unit)")
    pairs: list[Any] = [one if isinstance(one, tuple) and len(one) == 2 else (one, unit) for one in given]
    for name, of in pairs:
        if not isinstance(name, str) or not isinstance(of, str) or not name:
            raise InputError(field, f"must be names, or pairs (name, unit), got {name!r}")
    names: dict[str, str] = dict(pairs)
    if len(names) != len(pairs):
        raise InputError(field, "must be names that differ, got " + ", ".join(name for name, _ in pairs))
    return names


def _numbers_by_name(names: dict[str, str], given: ArrayLike | Mapping[str, float] | None, field: str) -> dict[str, float]:
    expected = f"one for each of {', '.join(names)}"
    if given is None:
        raise InputError(field, f"is missing: {expected}")
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise InputError(field, f"must have {expected}, got {', '.join(map(str, given))}")
        given = [given[name] for name in names]
    try:
        if numpy.iscomplexobj(given):
            raise TypeError
        array = numpy.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(field, f"must be numbers, got {type(given).__name__}") from None
    if array.ndim > 1 or array.size != len(names):
        numbers = "number" if len(names) == 1 else "numbers"
        raise InputError(field, f"must have {len(names)} {numbers} ({', '.join(names)}), got {array.size}")
    if not numpy.isfinite(array).all():
        raise InputError(field, f"must be finite, got {array.tolist()}")
    return dict(zip(names, array.ravel().tolist()))


def _own_numbers(model: object) -> dict[str, float]:
    """Attributes that are numbers, without asking properties."""
    numbers: dict[str, float] = {}
    for name in dir(model):
        if name.startswith("_") or name in _OWN or name in _TABLE:
            continue
        value = inspect.getattr_static(model, name, None)
        if isinstance(value, (int, float, numpy.integer, numpy.floating)) and not isinstance(value, bool):
            if numpy.isfinite(value):
                numbers[name] = value.item() if isinstance(value, numpy.generic) else value
    return numbers


#: Positions or velocities of a model: in their order, or by their names.
StateLike = ArrayLike | Mapping[str, float]
#: (name, unit) of a model's numbers, by their dotted paths.
Labels = dict[str, tuple[str, str]]


@contextlib.contextmanager
def described(model: object, q: Any, u: Any) -> Iterator[tuple[dict[str, Any], Labels]]:
    """A model as a type of system, for the time of one call: its table [system], and the labels of its numbers."""
    if isinstance(model, type):
        raise InputError("model", f"must be an object, got a class: write model={model.__name__}()")
    for function in _FUNCTIONS:
        if not callable(getattr(model, function, None)):
            raise InputError(f"model.{function}", "is missing: a function")
    names = {"q": _named(model, "positions", "m"), "u": _named(model, "velocities", "m/s")}
    table = {key: _numbers_by_name(names[key], given, key) for key, given in (("q", q), ("u", u))}
    numbers = _own_numbers(model)
    labels = {f"system.{key}.{name}": (name, unit) for key in names for name, unit in names[key].items()}
    labels |= {f"system.{name}": (name, "") for name in numbers}
    kind = native.register_system(type(model).__name__, model, list(numbers))
    try:
        yield {"type": kind} | numbers | table, labels
    finally:
        native.remove_system(kind)


@contextlib.contextmanager
def _suggesting(tables: Mapping[str, str]) -> Iterator[None]:
    """A keyword that [system] does not know may be meant for another table."""
    try:
        yield
    except InputError as error:
        if not error.problem.startswith("unknown key") or "did you mean" in error.problem:
            raise
        near = difflib.get_close_matches(error.field.rpartition(".")[2], [*tables, *COEFFICIENTS], 1)
        if not near:
            raise
        raise InputError(error.field, f"unknown keyword; did you mean '{near[0]}'?", error.where) from None


@contextlib.contextmanager
def asked(scenario: object, keywords: dict[str, Any], tables: Mapping[str, str], model: object, q: Any,
          u: Any) -> Iterator[tuple[Scenario, Labels]]:
    """What is asked about, for the time of one call: a scenario changed by keywords, or a model in a state.

    tables   of keywords that belong neither to [system] nor to [surface]
    """
    if model is None:
        for name, given in (("q", q), ("u", u)):
            if given is not None:
                raise InputError(name, "is the state of a model: give model=, too")
        with _suggesting(tables):
            yield scenario_of(scenario, keywords, tables), {}
        return
    for name, given in (("scenario", scenario), ("system", keywords.get("system"))):
        if given is not None:
            raise InputError(name, "must not stand beside a model")
    with described(model, q, u) as (table, labels), _suggesting(tables):
        yield scenario_of(None, keywords | {"system": table}, tables), labels
