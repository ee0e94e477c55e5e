# SPDX-License-Identifier: Apache-2.0
"""Laws written in Python."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from carom._arguments import text, texts
from carom._errors import InputError
from carom._native import native

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_BUILT_IN = frozenset(row["name"] for row in native.laws())
_TAKEN: set[str] = set()  # names of registered functions, and of those that calls in progress ask
_LOCK = threading.Lock()


class Problem:
    """What a law written in Python is asked: v+ = v- + G P, and the coefficients of the surfaces.

    inverse_inertia  G [1/kg], contact by contact
    approach         v- [m/s]
    components       of each contact: 1 frictionless, 2 plane, 3 space
    surfaces         a dict of coefficients for each contact
    """

    __slots__ = ("inverse_inertia", "approach", "components", "surfaces")

    def __init__(self, inverse_inertia: NDArray[Any], approach: NDArray[Any], components: int,
                 surfaces: list[dict[str, Any]]) -> None:
        self.inverse_inertia = inverse_inertia
        self.approach = approach
        self.components = components
        self.surfaces = surfaces

    @property
    def contacts(self) -> int:
        """How many contacts there are."""
        return len(self.surfaces)

    @property
    def surface(self) -> dict[str, Any]:
        """The coefficients of the only contact, or of the first."""
        return self.surfaces[0]

    def __repr__(self) -> str:
        return f"Problem(approach={self.approach.tolist()}, surfaces={self.surfaces})"


#: From a problem to its impulse [N s]: as many numbers as the approach has.
Function = Callable[[Problem], ArrayLike]
#: How a law is given: by its name, or as a function.
LawLike = str | Function


def register_law(name: str, function: Function, *, coefficients: Sequence[str] = ("restitution",),
                 summary: str = "") -> None:
    """Adds a law that Python computes: wherever a law is named, this one can be.

    function      takes a Problem and returns the impulse [N s]: an array as long as problem.approach
    coefficients  those that it depends on, and cannot do without; fits find them
    summary       a line for carom.laws(); by default the first of the function's docstring

    It is asked by one thread at a time, so that maps and `solve_many` take longer. Registered again under the same
    name, the new function replaces the old one.

    >>> import carom
    >>> def smooth(problem):
    ...     impulse = 0 * problem.approach
    ...     impulse[0] = -(1 + problem.surface["restitution"]) * problem.approach[0] / problem.inverse_inertia[0, 0]
    ...     return impulse
    >>> carom.register_law("smooth", smooth)
    >>> carom.solve(law="smooth", inverse_inertia=[[2, 0], [0, 3]], approach=[-1, 0.5], restitution=1).velocity.tolist()
    [1.0, 0.5]
    """
    _check(name, function)
    summary = summary or (function.__doc__ or "").strip().partition("\n")[0]
    native.register_law(name, function, text(summary, "summary"), texts(coefficients, "coefficients"), True)
    with _LOCK:
        _TAKEN.add(name)


def _check(name: object, function: object) -> None:
    if not isinstance(name, str) or not _NAME.match(name):
        raise InputError("law", f"must be named by letters, digits, _ and -, got {name!r}")
    if not callable(function):
        raise InputError("law", f"must be a function, got {type(function).__name__}")


@contextlib.contextmanager
def named(law: LawLike) -> Iterator[str]:
    """The name of a law for the time of one call: text as it stands, a function as a law of its name."""
    if isinstance(law, str):
        yield law
        return
    if not callable(law):
        raise InputError("law", f"must be a name or a function, got {type(law).__name__}")
    name = _take_name(getattr(law, "__name__", ""))
    try:
        native.register_law(name, law, "written in Python", None, False)
        yield name
    finally:
        native.withdraw_law(name)
        with _LOCK:
            _TAKEN.discard(name)


def _take_name(wish: str) -> str:
    """A name like the function's that no law has: those of Carom, registered ones, and those of calls in progress."""
    name = re.sub(r"[^A-Za-z0-9_-]", "", wish) or "function"
    name = name if name[0].isalpha() else "law" + name
    with _LOCK:
        chosen, k = name, 2
        while chosen in _BUILT_IN or chosen in _TAKEN:
            chosen, k = f"{name}-{k}", k + 1
        _TAKEN.add(chosen)
    return chosen


@contextlib.contextmanager
def all_named(laws: Iterable[LawLike]) -> Iterator[list[str]]:
    """The names of several laws."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(named(law)) for law in laws]
