# SPDX-License-Identifier: Apache-2.0
"""What the records of maps hold, ready to be drawn: layers, axes, colours."""

import itertools
import re
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, MaxNLocator

from carom.plot import style
from carom.plot.packed import unpack

#: Paul Tol's "light" colours, made for areas under black text; the grey is for what is left over.
AREAS = ("#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#99DDFF", "#44BB99", "#BBCC33", "#AAAA00")
ROUND = [1, 2, 5, 10]  # steps of ticks
LEFT_OVER, NOTHING, UNDEFINED = "#DDDDDD", "#FFFFFF", "#D3D3D3"


@dataclass
class Layer:
    """One quantity of one law, or of two laws compared, on every cell."""

    given: dict  # as the record has it
    values: np.ndarray  # numbers (NaN: undefined), or indices of categories (255: undefined)
    boundaries: list  # members of the record's "boundaries"

    @property
    def categories(self):
        return self.given.get("categories")

    @property
    def label(self):
        """("slip after", "vₜ⁺ [m/s]"), without the law unless two are compared."""
        return _label(self.given["title" if self.given["other"] else "name"], self.given)

    def same_as(self, other):
        """Do both say the same everywhere? Numbers may differ in their last digits."""
        if self.categories:
            names = [[c["label"] for c in layer.categories] + [""] * (256 - len(layer.categories))
                     for layer in (self, other)]
            return bool(np.array_equal(np.array(names[0])[self.values], np.array(names[1])[other.values]))
        size = np.nanmax(np.abs(self.values), initial=0)
        return bool(np.allclose(self.values, other.values, rtol=0, atol=1e-6 * size, equal_nan=True))


def layers_of(record):
    """All layers of a record."""
    return [Layer(given, unpack(given["values"]),
                  _of_two_laws([record["boundaries"][b] for b in given["boundaries"]], given["other"]))
            for given in record["layers"]]


def _of_two_laws(boundaries, other):
    """Where two laws are compared, a boundary of both stands once, one of a single law with the law's name."""
    if not other:
        return boundaries
    merged = []
    for boundary in boundaries:
        twin = next((m for m in merged if m["meaning"] == boundary["meaning"] and _same_lines(m, boundary)), None)
        if twin:
            twin["name"] = boundary["name"]
        else:
            merged.append({**boundary, "name": f"{boundary['name']} ({boundary['law']})"})
    return merged


def _same_lines(a, b):
    return len(a["lines"]) == len(b["lines"]) and all(
        len(one[axis]) == len(two[axis]) and np.allclose(one[axis], two[axis], rtol=1e-5, atol=1e-5)
        for one, two in zip(a["lines"], b["lines"]) for axis in "xy")


def groups_of(layers):
    """Layers that share a scale: one quantity of several laws."""
    def kind(layer):
        return layer.given["quantity"], layer.given["compared"], bool(layer.categories)
    return [list(group) for _, group in itertools.groupby(layers, kind)]


def agreements(layers):
    """For each layer the first one before it that says the same, or None."""
    return [next((a for a in layers[:k] if a.same_as(b)), None) for k, b in enumerate(layers)]


def title_of(layer, same):
    """"mode, poisson", and which layer before says the same."""
    return style.plain(layer.given["title"] + (f" (same as {same.given['laws']})" if same else ""))


def percent(share):
    """"34.0 %", "< 0.1 %"."""
    p = 100 * share
    if p in (0, 100):
        return f"{p:.0f} %"
    return "< 0.1 %" if p < 0.1 else "> 99.9 %" if p > 99.95 else f"{p:.1f} %"


def number(value, digits=6):
    """A number for people: "−0.5", "7×10¹⁶"."""
    text = f"{value + 0.0:.{digits}g}".replace("-", "\u2212")
    mantissa, _, power = text.partition("e")
    if not power:
        return text
    power = str(int(power.replace("\u2212", "-")))
    raised = power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{'' if mantissa == '1' else mantissa + '×'}10{raised}"


def _label(name, given):
    unit = f"[{given['unit']}]" if given["unit"] else ""
    return style.plain(name), style.plain(" ".join(filter(None, (given["symbol"], unit))))


def fitted(label, width, size=9.5):
    """A label on one line if that is no wider than this [points], else its symbol and unit on a line of their own."""
    whole = " ".join(label).strip()
    if style.text_width(whole, size) <= width:
        return whole
    return "\n".join(style.wrap(part, width, size) for part in label if part)


def symbol(name):
    """The name of a boundary, which is Carom's own, typeset: the F of r_F is an index, and the FC of r_FC."""
    if "$" in name or len(name) > 24:
        return style.plain(name)
    return re.sub(r"(?<!\w)(\w)_(\w{1,2})(?!\w)", r"$\\mathrm{\1}_\\mathrm{\2}$", style.plain(name))


# --- axes --------------------------------------------------------------------------------------------


class Scale:
    """An axis of a map: evenly spaced samples, or evenly spaced logarithms."""

    def __init__(self, given):
        self.given = given
        self.values = np.array(given["values"], float)
        self.log = given["log"] and self.values.min() > 0

    @property
    def label(self):
        """("angle", "φ [deg]")."""
        return _label(self.given["label"] or self.given["path"], self.given)

    @property
    def short(self):
        return self.given["symbol"] or self.given["label"] or self.given["path"]

    def drawn(self, values):
        return np.log10(values) if self.log else np.asarray(values, float)

    def edges(self, cells):
        """Where so many cells around evenly spaced samples meet, and the outer ends of the first and the last."""
        first, last = self.drawn(self.values[[0, -1]])
        half = (last - first) / max(cells - 1, 1) / 2 or 0.05 * abs(first) or 0.5
        edges = np.linspace(first - half, last + half, cells + 1)
        return 10.0 ** edges if self.log else edges

    def limits(self):
        """From the first sample to the last, which may fall."""
        return (self.values[0], self.values[-1]) if self.values[0] != self.values[-1] else tuple(self.edges(1))

    def ticks(self, most):
        """A locator of at most about `most` round values."""
        return Degrees(most, steps=ROUND) if self.given["unit"] == "deg" else MaxNLocator(most, steps=ROUND)

    def apply(self, axis, most):
        """Sets scale, limits and at most about `most` ticks of a matplotlib axis."""
        name = axis.axis_name
        if self.log:
            getattr(axis.axes, f"set_{name}scale")("log")
            axis.set_major_formatter(_LogNumbers())
            axis.set_minor_formatter(_LogNumbers())
        else:
            axis.set_major_locator(self.ticks(most))
        getattr(axis.axes, f"set_{name}lim")(self.limits())


class Degrees(MaxNLocator):
    """Ticks at what people divide a circle by."""

    def tick_values(self, vmin, vmax):
        for step in (15, 30, 45, 90, 180, 360):
            if self._nbins / 2 < (vmax - vmin) / step <= self._nbins:
                return step * np.arange(np.ceil(vmin / step - 1e-9), np.floor(vmax / step + 1e-9) + 1)
        return super().tick_values(vmin, vmax)


class _LogNumbers(LogFormatterSciNotation):
    """Beside the ticks that matplotlib chooses, numbers as elsewhere: "0.5", "10⁻⁷"."""

    def __call__(self, value, pos=None):
        return number(value, 4) if super().__call__(value, pos) else ""


# --- colours -----------------------------------------------------------------------------------------


@dataclass
class Entry:
    """One colour of a group of categories, and what the key says of it."""

    label: str
    meaning: str
    colour: str
    shares: list  # of the map, layer by layer

    @property
    def name(self):
        return "\u2212" if self.label == "-" else style.plain(self.label)


class Palette:
    """Gives out colours for categories: a label keeps its colour in all of a picture."""

    def __init__(self):
        self.known = {}

    def colours(self, layers):
        """The entries of a group of layers, and for each layer the entry of each index (0 to 255)."""
        found = {}  # label: (entry, its place in the layer's own list)
        for k, layer in enumerate(layers):
            for place, category in enumerate(layer.categories):
                if category["share"] > 0:
                    new = Entry(category["label"], category["meaning"], "", [0.0] * len(layers))
                    entry, _ = found.setdefault(category["label"], (new, place))
                    entry.shares[k] += category["share"]
        wanted = sorted(found.values(), key=lambda one: -sum(one[0].shares))
        entries, pooled = [e for e, _ in found.values()], [e for e, _ in wanted[len(AREAS):]]
        if len(pooled) > 1:
            entries = [e for e in entries if e not in pooled]
            entries.append(Entry("other", ", ".join(e.label for e in pooled), LEFT_OVER,
                                 [sum(s) for s in zip(*(e.shares for e in pooled))]))
        self._give([(e, place) for e, place in found.values() if e in entries])
        if any(layer.given["undefined"] > 0 for layer in layers):
            entries.append(Entry("undefined", "", NOTHING, [layer.given["undefined"] for layer in layers]))
        return entries, [self._indices(layer, entries) for layer in layers]

    def _give(self, wanted):
        """Each gets the colour it had, or that of its place in its list, or the first that is free."""
        free = [*AREAS, LEFT_OVER]

        def give(entry, colour):
            if not entry.colour and colour in free:
                free.remove(colour)
                entry.colour = self.known.setdefault(entry.label, colour)

        for entry, _ in wanted:
            give(entry, self.known.get(entry.label))
        for entry, place in wanted:
            give(entry, AREAS[place % len(AREAS)])
        for entry, _ in wanted:
            give(entry, free[0])

    @staticmethod
    def _indices(layer, entries):
        place = {e.label: k for k, e in enumerate(entries)}
        indices = np.full(256, place.get("undefined", 0))
        for c, category in enumerate(layer.categories):
            indices[c] = place.get(category["label"], place.get("other", 0))
        return indices


@dataclass
class Colours:
    """How the numbers of a group are coloured."""

    norm: Normalize
    cmap: object
    least: float  # what the values reach
    greatest: float
    undefined: list  # shares, layer by layer

    @property
    def cut(self):
        """Do values go beyond the lower end of the scale, the upper one? Last digits do not count."""
        slack = 1e-5 * (self.norm.vmax - self.norm.vmin)
        return self.least < self.norm.vmin - slack, self.greatest > self.norm.vmax + slack

    @property
    def extend(self):
        """Which ends of the scale values go beyond, as a colour bar has it."""
        below, above = self.cut
        return "both" if below and above else "min" if below else "max" if above else "neither"

    def ticks(self):
        """Round values for the colour bar and for contours."""
        if isinstance(self.norm, LogNorm) and self.norm.vmax > 4 * self.norm.vmin:
            decades = np.log10(self.norm.vmax / self.norm.vmin)
            return LogLocator(subs=(1, 2, 5) if decades < 4 else (1,), numticks=9)
        return MaxNLocator(8, steps=ROUND)

    def is_dark(self, value):
        """Is the colour so dark that lines on it must be white?"""
        red, green, blue, _ = self.cmap(float(self.norm(value)))
        return 0.299 * red + 0.587 * green + 0.114 * blue < 0.52


def colours_of(layers):
    """For all layers of a group. A few extreme values do not count; differences are coloured from 0 in both
    directions, ratios from 1: twice as much is as far from it as half as much, unless some ratios are not positive."""
    low, high = common_range(layers)
    compared = layers[0].given["compared"]
    norm = Normalize(*widened(low, high))
    if compared == "ratio" and low > 0:
        reach = max(high, 1 / low, 1.01)
        norm = LogNorm(1 / reach, reach)
    elif compared != "no":
        middle = 1.0 if compared == "ratio" else 0.0
        reach = max(high - middle, middle - low) or 1.0
        norm = Normalize(*widened(middle - reach, middle + reach))
    cmap = matplotlib.colormaps["RdBu_r" if compared != "no" else "viridis"].with_extremes(bad=UNDEFINED)
    undefined = [layer.given["undefined"] for layer in layers]
    return Colours(norm, cmap, *reached(layers), undefined)


def reached(layers):
    """The least and the greatest number of the layers; 0 and 1 where there is none."""
    least = [layer.given["least"] for layer in layers if layer.given["least"] is not None]
    greatest = [layer.given["greatest"] for layer in layers if layer.given["greatest"] is not None]
    return (min(least), max(greatest)) if least else (0.0, 1.0)


def common_range(layers):
    """What nearly all values are in: their own range, unless a few are much farther out than the others."""
    values = np.concatenate([layer.values[np.isfinite(layer.values)].astype(float) for layer in layers])
    if values.size == 0:
        return 0.0, 1.0
    low, first, last, high = np.quantile(values, [0, 0.01, 0.99, 1])
    if layers[0].given["compared"] == "ratio" and first > 0:  # positive but for a few: by their logarithms
        size = max(last / first, 1.01)
        return float(low if low > first / size else _rounded(first, np.floor)), \
            float(high if high < last * size else _rounded(last, np.ceil))
    size = last - first
    if size > 0:
        high = _rounded(last, np.ceil) if high > last + size else high
        low = _rounded(first, np.floor) if low < first - size else low
    return float(low), float(high)


def widened(low, high):
    """The range, or one around it where it is empty."""
    if high - low > 1e-5 * max(abs(low), abs(high)):
        return low, high
    half = 0.1 * abs(low) or 0.5
    return low - half, high + half


def _rounded(value, how):
    """Two digits."""
    if value == 0:
        return 0.0
    unit = 10.0 ** (np.floor(np.log10(abs(value))) - 1)
    return how(value / unit) * unit
