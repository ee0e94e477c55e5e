# SPDX-License-Identifier: Apache-2.0
"""What axes count in: SI prefixes where numbers would be long, and labels with units."""

import math

import numpy as np

from carom.plot import style

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Unit:
    """A unit of an axis: `factor` in the unit of the record, e.g. 1e-3 and "mJ" for a record in J."""

    def __init__(self, factor, text):
        self.factor, self.text = factor, text

    def of(self, values):
        """Values of the record in this unit."""
        return np.asarray(values, dtype=float) / self.factor


def unit_for(values, unit):
    """The unit in which these values are read most easily; that of the record where they are neither long nor tiny.

    values: numbers or arrays of them; unit: the record's, such as "N s"; "" where there is none.
    """
    largest = max((float(np.max(np.abs(v))) for v in values if np.size(v)), default=0.0)
    if not 0 < largest < math.inf or (0.1 if unit else 1e-3) <= largest < 10_000:
        return Unit(1.0, unit)
    power = 3 * math.floor(math.log10(largest) / 3)
    if unit and power in _PREFIXES:
        return Unit(10.0**power, _PREFIXES[power] + unit)
    return Unit(10.0**power, f"10{str(power).translate(RAISED)} {unit}".strip())


def label(quantity, unit, symbol=True, breaks=False):
    """The label of an axis, "normal impulse Pₙ [N s]".

    quantity: of a record, with "name" and "symbol"; breaks: whether the symbol is on a line of its own.
    """
    parts = [quantity["symbol"]] if symbol and quantity["symbol"] else []
    if unit.text:
        parts.append(f"[{unit.text}]")
    gap = "\n" if breaks and parts else " "
    return gap.join(part for part in (style.plain(quantity["name"]), style.plain(" ".join(parts))) if part)
