# SPDX-License-Identifier: Apache-2.0
"""Axes whose numbers are in a unit with a prefix: 3 mJ in place of 0.003 J. The data stay in SI units."""

import math

import numpy as np
from matplotlib.ticker import Formatter, MaxNLocator

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


def prefixed(power, unit):
    """ "mJ" for -3 and "J"; where there is no common prefix "10^-18 J", set as a formula."""
    return _PREFIXES[power] + unit if power in _PREFIXES else f"$10^{{{power}}}$ {unit}"


class Scaled(Formatter):
    """Tick labels in 10^power of the axis' unit, with as many decimals as tell them apart."""

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


def label(axis, name, unit, values, ticks=5):
    """Names an axis "name [mJ]" and numbers it in that unit. values: what the axis shows, in SI units."""
    power = power_of(unit, np.asarray(values, float))
    axis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(Scaled(power))
    bracket = f"[{prefixed(power, unit)}]" if unit else ""
    axis.set_label_text(f"{name} {bracket}".strip())
