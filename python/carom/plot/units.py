# SPDX-License-Identifier: Apache-2.0
"""What axes count in: SI prefixes where numbers would be long, and labels with units."""

import math

import numpy as np
from matplotlib.ticker import Formatter, MaxNLocator

from carom.plot import style

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def prefixed(power, unit):
    """ "mJ" for -3 and "J"; where there is no common prefix "10⁻¹⁸ J"."""
    if unit and power in _PREFIXES:
        return _PREFIXES[power] + unit
    return f"10{str(power).translate(RAISED)} {unit}".strip()


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
    return Unit(10.0**power, prefixed(power, unit))


def label(quantity, unit, symbol=True, breaks=False):
    """The label of an axis, "normal impulse Pₙ [N s]".

    quantity: of a record, with "name" and "symbol"; breaks: whether the symbol is on a line of its own.
    """
    parts = [quantity["symbol"]] if symbol and quantity["symbol"] else []
    if unit.text:
        parts.append(f"[{unit.text}]")
    gap = "\n" if breaks and parts else " "
    return gap.join(part for part in (style.plain(quantity["name"]), style.plain(" ".join(parts))) if part)


class Scaled(Formatter):
    """Tick labels in 10^power of the axis' unit, with as many decimals as distinguish them."""

    def __init__(self, power):
        self.power = power

    def format_ticks(self, values):
        scaled = np.asarray(values, float) / 10.0**self.power
        step = np.min(np.diff(np.sort(scaled))) if len(scaled) > 1 else 1.0
        size = np.max(np.abs(scaled), initial=0.0)
        if size >= 1e5 or (0 < size < 1e-4):
            return [f"{x:.4g}".replace("-", "\u2212") for x in scaled]
        decimals = max(0, -math.floor(math.log10(step) + 1e-6)) if step > 0 else 3
        decimals += round(step, decimals) != round(step, 12) and decimals < 12  # steps such as 0.25
        return [f"{x + 0.0:.{decimals}f}".replace("-", "\u2212") for x in np.round(scaled, 12)]

    def __call__(self, value, position=None):
        return f"{value / 10.0**self.power:.6g}".replace("-", "\u2212")


def power_of(unit, values):
    """The power of ten of the prefix that suits values: 0 from 0.02 to 20000, else a multiple of three."""
    most = np.nanmax(np.abs(values), initial=0.0)
    if not unit or not np.isfinite(most) or most == 0 or 0.02 <= most < 2e4:
        return 0
    return 3 * math.floor(math.log10(most) / 3 + 1e-9)


def label_axis(axis, name, unit, values, ticks=5):
    """Names an axis "name [mJ]" and numbers it in that unit. values: what the axis shows, in SI units."""
    power = power_of(unit, np.asarray(values, float))
    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(Scaled(power))
    bracket = f"[{prefixed(power, unit)}]" if unit else ""
    axis.set_label_text(f"{name} {bracket}".strip())
