# SPDX-License-Identifier: Apache-2.0
"""Many impacts at once."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike, NDArray

from carom._arguments import whole
from carom._errors import InputError, of_keywords
from carom._laws import LawLike, named
from carom._native import native
from carom._scenario import is_coefficient

if TYPE_CHECKING:
    from pandas import DataFrame

_NUMBERS = {row["name"]: row["numbers"] for row in native.coefficients()}
_VERDICTS = ("ordinary", "no-impulse", "recompressed", "jam", "several-solutions", "energy-gained",
             "still-approaching", "target-unreachable", "not-converged", "no-solution")


class Many:
    """What one law says of many impacts: arrays whose leading axes are those of the input.

    impulse         (..., n) P [N s]
    velocity        (..., n) v+ [m/s]
    energy_change   (...) [J]
    friction_work   (...) [J]
    mode            (...) what the (first) contact did, as text
    verdict         (...) the gravest flag, as text
    has("jam")      (...) whether a flag is set

    With sensitivity=True also
    derivatives     (..., outputs, inputs): d output/d input; NaN where there is none
    inputs, outputs names, as [(name, unit)]; many.derivative("impulse, normal", "friction") is one of them
    """

    def __init__(self, law: str, shape: tuple[int, ...], rows: int, answers: dict[str, Any]) -> None:
        self.law = law
        self.shape = shape
        self.impulse: NDArray[numpy.float64] = answers["impulse"].reshape(*shape, rows)
        self.velocity: NDArray[numpy.float64] = answers["velocity"].reshape(*shape, rows)
        self.energy_change: NDArray[numpy.float64] = answers["energy_change"].reshape(shape)
        self.friction_work: NDArray[numpy.float64] = answers["friction_work"].reshape(shape)
        self.flags: NDArray[numpy.uint16] = answers["flags"].reshape(shape)
        self.note: str = answers["note"]
        self._mode = answers["mode"].reshape(shape)
        self._mode_names = answers["mode_names"]
        self.derivatives: NDArray[numpy.float64] | None = None
        self.inputs: Sequence[tuple[str, str]] = ()
        self.outputs: Sequence[tuple[str, str]] = ()
        if "derivatives" in answers:
            self.inputs = answers["inputs"]
            self.outputs = answers["outputs"]
            self.derivatives = answers["derivatives"].reshape(*shape, len(self.outputs), len(self.inputs))

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 1

    @property
    def mode(self) -> NDArray[numpy.str_]:
        """What the (first) contact did, as text; "" without impulse for laws that have no label for it."""
        return numpy.asarray(numpy.array(self._mode_names)[self._mode])

    @property
    def verdict(self) -> NDArray[numpy.str_]:
        """The gravest flag of each, as text."""
        gravest = numpy.zeros(self.shape, int)
        for bit in range(1, len(_VERDICTS)):
            gravest = numpy.where(self.flags >> bit & 1, bit, gravest)
        return numpy.asarray(numpy.array(_VERDICTS)[gravest])

    def has(self, flag: str) -> NDArray[numpy.bool_]:
        """Whether each has a flag: "energy-gained", "jam", ..."""
        if flag not in _VERDICTS:
            raise InputError("flag", f"must be one of {', '.join(_VERDICTS)}, got '{flag}'")
        if flag == "ordinary":
            return numpy.asarray(self.flags == 0)
        return numpy.asarray(self.flags >> _VERDICTS.index(flag) & 1, dtype=bool)

    def derivative(self, output: str, input: str) -> NDArray[numpy.float64]:
        """d output/d input by their names, an array like `energy_change`."""
        if self.derivatives is None:
            raise InputError("derivative", "needs solve_many(..., sensitivity=True)")
        rows, columns = [name for name, _ in self.outputs], [name for name, _ in self.inputs]
        for name, names, field in ((output, rows, "output"), (input, columns, "input")):
            if name not in names:
                raise InputError(field, f"must be one of {names}, got '{name}'")
        return self.derivatives[..., rows.index(output), columns.index(input)]

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each impact (pandas must be installed)."""
        from carom._frames import frame

        columns: dict[str, NDArray[Any]] = {}
        for name, values in (("impulse", self.impulse), ("velocity", self.velocity)):
            flat = values.reshape(-1, values.shape[-1])
            columns |= {f"{name}[{k}]": flat[:, k] for k in range(flat.shape[1])}
        columns["energy_change"] = self.energy_change.ravel()
        columns["mode"] = self.mode.ravel()
        columns["verdict"] = self.verdict.ravel()
        return frame(columns)

    def __repr__(self) -> str:
        counts = {name: int(self.has(name).sum()) for name in _VERDICTS}
        flags = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return f"<carom.Many {self.law}: shape {self.shape}; {flags or 'empty'}>"


def _array(value: Any, field: str) -> NDArray[numpy.float64]:
    try:
        array = numpy.asarray(value)
        if array.dtype.kind in "biufO":
            return numpy.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(field, f"must be numbers, got {type(value).__name__}")


def _matrix_of_columns(columns: tuple[Any, ...]) -> NDArray[numpy.float64]:
    """G from its columns: (nn, nt, tt), or (nn, n1, n2, t11, t12, t22) in space."""
    size = {3: 2, 6: 3}[len(columns)]
    arrays = numpy.broadcast_arrays(*(_array(column, "inverse_inertia") for column in columns))
    G = numpy.empty(arrays[0].shape + (size, size))
    places = [(r, c) for r in range(size) for c in range(r, size)]
    for (r, c), column in zip(places, arrays):
        G[..., r, c] = G[..., c, r] = column
    return G


def _rows(array: NDArray[numpy.float64], shape: tuple[int, ...], inner: tuple[int, ...]) -> NDArray[numpy.float64]:
    """(1 or N, *inner), without copying where that can be."""
    if array.size == math.prod(inner):
        return array.reshape(1, *inner)
    return numpy.broadcast_to(array, shape + inner).reshape(-1, *inner)


def solve_many(inverse_inertia: ArrayLike, approach: ArrayLike, *, law: LawLike, components: int = 0,
               sensitivity: bool = False, threads: int = 0, **keywords: Any) -> Many:
    """Asks one law about many impacts, on all cores and without Python's lock.

    inverse_inertia  G [1/kg], shape (..., n, n); or a tuple of its columns, (nn, nt, tt) in the plane and
                     (nn, n1, n2, t11, t12, t22) in space
    approach         v- [m/s], shape (..., n)
    law              a name, or a function (then one thread asks it, problem by problem)
    components       of each contact; needed only where n > 3
    keywords         coefficients: numbers, or arrays of the leading shape; options of the law
    sensitivity      derivatives of every outcome, too
    threads          0: as many as there are

    Leading axes are broadcast as NumPy does. The answers are those of `solve`, bit for bit, whatever the number of
    threads. One contact in the plane is computed by vector instructions.

    >>> import carom, numpy
    >>> friction = numpy.linspace(0, 1, 5)
    >>> many = carom.solve_many([[1, 0.3], [0.3, 2]], [-1, 0.8], law="energetic", restitution=0.6, friction=friction)
    >>> many.velocity.shape
    (5, 2)
    >>> many.mode.tolist()
    ['0', '0', '1', '1', '1']
    """
    with of_keywords():
        return _solve_many(inverse_inertia, approach, law, components, sensitivity, threads, keywords)


def _solve_many(inverse_inertia: Any, approach: Any, law: LawLike, components: int, sensitivity: bool, threads: int,
                keywords: dict[str, Any]) -> Many:
    if isinstance(inverse_inertia, tuple) and len(inverse_inertia) in (3, 6):
        G = _matrix_of_columns(inverse_inertia)
    else:
        G = _array(inverse_inertia, "inverse_inertia")
    v = _array(approach, "approach")
    if v.ndim < 1 or v.shape[-1] < 1:
        raise InputError("approach", f"must have the shape (..., n), got {v.shape}")
    n = v.shape[-1]
    if G.ndim < 2 or G.shape[-2:] != (n, n):
        raise InputError("inverse_inertia", f"must have the shape (..., {n}, {n}) as approach has {n} numbers, got {G.shape}")
    if not components:
        if n > 3:
            raise InputError("components", "is missing: how many numbers of approach each contact has")
        components = n
    if components not in (1, 2, 3) or n % components:
        raise InputError("components", f"must be 1, 2 or 3 and divide {n}, got {components}")
    threads = whole(threads, "threads")
    given: dict[str, tuple[NDArray[numpy.float64], tuple[int, ...]]] = {}
    options = {}
    for key, value in keywords.items():
        if not is_coefficient(key):
            options[key] = value
            continue
        array = _array(value, key)
        size = _NUMBERS[key][components == 3]
        inner = (size,)
        if size == 1:
            array = array[..., None]
        elif array.ndim < 1 or array.shape[-1] != size:
            raise InputError(key, f"must have the shape (..., {size}), got {array.shape}")
        given[key] = (array, inner)
    leading = [G.shape[:-2], v.shape[:-1], *(array.shape[:-1] for array, _ in given.values())]
    try:
        shape = numpy.broadcast_shapes(*leading)
    except ValueError:
        raise InputError("approach", f"has leading axes that do not go with the others: {leading}") from None
    size = math.prod(shape)
    if size * n * n * 8 > sys.maxsize:
        raise InputError("approach", f"must be problems that fit into memory, got {size:.3g} by broadcasting {leading}")
    with named(law) as name:
        answers = native.solve_many(
            name, _rows(G, shape, (n, n)), _rows(v, shape, (n,)), components,
            {key: _rows(array, shape, inner) for key, (array, inner) in given.items()},
            options, size, bool(sensitivity), threads)
    return Many(name, shape, n, answers)
