# SPDX-License-Identifier: Apache-2.0
"""Maps over one axis: a line for each law where values are numbers, a band where they are names."""

import numpy as np
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from carom.plot import style
from carom.plot.map_layers import (ROUND, Palette, Scale, agreements, common_range, fitted, groups_of, number,
                                   percent, reached, widened)

WIDTH, KEY_WIDTH, BAND, THINNEST = 5.6, 2.85, 0.27, 0.04  # [inches]
#: A step is a jump where it is so much larger than the steps beside it, and as large a share of the range.
MUCH_LARGER, JUMP = 8.0, 0.01
#: Of the lines of a panel, in their order.
DASHES = ("-", (0, (6, 2)), (0, (2, 1.2)), (0, (8, 2, 1.5, 2)), (0, (4, 1.5, 1, 1.5, 1, 1.5)), (0, (1, 1)),
          (0, (12, 2.5)), (0, (3, 3)), (0, (12, 2, 3, 2)), (0, (1, 2.5)), (0, (5, 1.5, 5, 1.5, 1, 1.5)),
          (0, (3, 1.5, 1, 1.5)))
#: For lines whose law has a colour that another line has.
COLOURS = (style.ORANGE, style.BLUE, style.GREEN, style.PURPLE, style.AMBER, style.SKY, style.BLACK, "#8C6D31",
           "#882255", "#606060", "#7F3C8D", "#A89A00")


def draw(record, layers):
    """A panel for each quantity, one above the other."""
    x = Scale(record["x"])
    groups = groups_of(layers)
    palette = Palette()
    parts = [(group, palette.colours(group) if group[0].categories else None) for group in groups]
    heights = [_height(group, bands, len(groups)) for group, bands in parts]
    figure = style.figure(WIDTH + KEY_WIDTH + 1.0, sum(heights) + 0.3 * len(groups) + 1.1)
    style.heading(figure, record["picture"]["title"], record["picture"]["subtitle"])
    all_axes = figure.subplots(len(groups), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    x.apply(all_axes[0].xaxis, 10)
    for axes, (group, bands) in zip(all_axes, parts):
        if bands:
            band_panel(axes, group, *bands, x)
        else:
            line_panel(axes, group, x)
    all_axes[-1].set_xlabel(fitted(x.label, 72 * WIDTH))
    return figure


def _height(group, bands, panels):
    """[inches]"""
    if not bands:
        return 3.6 if panels == 1 else max(2.0, 0.19 * len(group) + 0.2)
    key = sum(0.2 + 0.15 * bool(entry.meaning) for entry in bands[0])
    return max(BAND * len(group) + 0.1, min(key, 4.0))


# --- numbers -----------------------------------------------------------------------------------------


def looks(layers):
    """Colour, dashes and width of each line. A law has its own colour, unless a line before has it, as where one law
    is compared with several; no two lines have the same dashes."""
    found = []
    for k, layer in enumerate(layers):
        look = style.law(layer.given["law"])
        used = [one["color"] for one in found]
        if look["color"] in used:
            look["color"] = next((c for c in COLOURS if c not in used), look["color"])
            look["linewidth"] = 2.0
        found.append({**look, "linestyle": DASHES[k % len(DASHES)], "linewidth": max(0.65 * look["linewidth"], 1.1)})
    return found


def line_panel(axes, layers, x):
    """Each law's line, wide ones below narrow ones so that none hides another."""
    low, high = widened(*common_range(layers))
    margin = 0.05 * (high - low)
    axes.set_ylim(low - margin, high + margin)
    axes.set_ylabel(fitted(layers[0].label, 72 * 2.2))
    axes.yaxis.set_major_locator(MaxNLocator(8, steps=ROUND))
    ends = []
    for order, (layer, same, look) in enumerate(zip(layers, agreements(layers), looks(layers))):
        finite = np.flatnonzero(np.isfinite(layer.values))
        if not finite.size:
            continue
        name = style.plain(layer.given["laws"] + (f" (same as {same.given['laws']})" if same else ""))
        places, values = broken(x.values, layer.values, low, high)
        line, = axes.plot(places, values, label=name, **look, zorder=4 - 0.1 * look["linewidth"])
        alone = _alone(values)
        if alone.any():
            axes.plot(places[alone], values[alone], "o", markersize=4, color=look["color"])
        ends.append((-np.clip(layer.values[finite[-1]], low, high) / (high - low), order, line))
    # The key has the lines in the order in which they end.
    ends.sort(key=lambda end: (round(end[0], 3), end[1]))
    axes.legend(handles=[line for *_, line in ends], loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
    least, greatest = reached(layers)
    if least < low - 1e-5 * (high - low) or greatest > high + 1e-5 * (high - low):
        axes.text(0.99, 0.97, f"cut off: values from {number(least, 2)} to {number(greatest, 2)}", ha="right", va="top",
                  transform=axes.transAxes, fontsize=8, color=style.SOFT)


def _alone(values):
    """Which values have no neighbour to draw a line to."""
    known = np.r_[False, np.isfinite(values), False]
    return known[1:-1] & ~known[:-2] & ~known[2:]


def jumps(values, size):
    """Samples after which values jump: the step is much larger than the two before and the two after it, so that it
    is no slope, and large enough to be seen in a range of this size."""
    steps = np.nan_to_num(np.abs(np.diff(values)))
    padded = np.pad(steps, 2)
    beside = np.max([padded[k:k + steps.size] for k in (0, 1, 3, 4)], axis=0, initial=0.0)
    return np.flatnonzero((steps > MUCH_LARGER * beside) & (steps > JUMP * size)) if steps.size >= 5 else []


def broken(x, values, low, high):
    """Places and values of a line with gaps (NaN) where values jump, and between two beyond opposite ends: no line
    goes through infinity."""
    values = values.astype(float)
    beyond = np.where(values > high, 1, np.where(values < low, -1, 0))
    poles = np.flatnonzero(beyond[:-1] * beyond[1:] < 0)
    far = 20 * (high - low)  # how far outside does not matter
    values = np.clip(values, low - far, high + far)
    gaps = np.union1d(poles, jumps(values, high - low)).astype(int) + 1
    return np.insert(x, gaps, x[gaps - 1]), np.insert(values, gaps, np.nan)


# --- categories --------------------------------------------------------------------------------------


def band_panel(axes, layers, entries, indices, x):
    """A band for each law, the first above, with names where they fit."""
    axes.set_title(fitted(layers[0].label, 72 * WIDTH, 10.5))
    axes.grid(False)
    rows = np.arange(len(layers))[::-1]
    axes.set_ylim(-0.5, len(layers) - 0.5)
    axes.set_yticks(rows, [style.plain(layer.given["laws"]) for layer in layers])
    axes.tick_params(axis="y", length=0)
    edges = x.drawn(x.edges(len(x.values)))
    low, high = sorted(x.drawn(x.limits()))
    for row, layer, index in zip(rows, layers, indices):
        shown = index[layer.values]
        ends = np.flatnonzero(np.diff(shown)) + 1
        for thin in (False, True):  # thin ones last, wide enough to be seen
            for first, last in zip(np.r_[0, ends], np.r_[ends, len(shown)]):
                left, right = sorted(np.clip(edges[[first, last]], low, high))
                width = (right - left) / (high - low) * WIDTH
                if (width < THINNEST) != thin:
                    continue
                if thin:
                    half = 0.5 * THINNEST / WIDTH * (high - low)
                    middle = np.clip((left + right) / 2, low + half, high - half)
                    left, right = middle - half, middle + half
                entry = entries[shown[first]]
                ends_of = [10.0 ** v if x.log else v for v in (left, right)]
                axes.broken_barh([(ends_of[0], ends_of[1] - ends_of[0])], (row - 0.42, 0.84), facecolor=entry.colour,
                                 linewidth=0)
                if style.text_width(entry.name, 9) + 8 < 72 * width:
                    middle = (left + right) / 2
                    axes.text(10.0 ** middle if x.log else middle, row, entry.name, ha="center", va="center",
                              fontsize=9, clip_on=True)
    handles = []
    for entry in entries:
        shares = [percent(share) for share in (min(entry.shares), max(entry.shares))]
        share = shares[0] if shares[0] == shares[1] else " to ".join(shares)
        label = f"{entry.name} ({share})"
        if entry.meaning and entry.meaning != entry.label:
            label += "\n" + style.wrap(style.plain(entry.meaning), 72 * KEY_WIDTH - 32, 8.5)
        handles.append(Patch(facecolor=entry.colour, edgecolor=style.SOFT, linewidth=0.6, label=label))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0, borderpad=0, fontsize=8.5,
                handlelength=2.4, handleheight=1.1, labelspacing=0.55)
