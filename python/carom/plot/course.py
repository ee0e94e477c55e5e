# SPDX-License-Identifier: Apache-2.0
"""The course of an impact of several contacts. Of few contacts, contact by contact: normal velocity, slip, force and
stored energy, with the stages shaded. Of many: the same quantities over course and contact, in colours."""

import math

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from carom.plot import laws, style, units

#: The rows of the picture and the colours of their lines.
_ROWS = {"velocity_normal": style.BLUE, "slip": style.PURPLE, "force_normal": style.ORANGE,
         "stored_energy": style.GREEN}
#: From white, which is nothing, to black.
_HEAT = LinearSegmentedColormap.from_list(
    "heat", ["white", *matplotlib.colormaps["magma_r"]([0.14, 0.32, 0.5, 0.68, 0.86, 1.0])])
_COMPRESSION, _RESTITUTION, _STICK = "#d6e6f4", "#fbe3cf", "#8c8c8c"
#: A contact whose values are smaller than this share of the row's is magnified.
_SMALL = 0.05
#: More rows than this are about as thin as the dots of a picture: panels are higher, and cells have no edges.
_FEW_ROWS = 100
#: Velocities that are smaller than this share of the approach are zero and rounding.
_STILL = 1e-8


def draw(record):
    """The whole picture."""
    return _draw_cells(record) if "cells" in record["picture"] else _draw_samples(record)


# --- few contacts ------------------------------------------------------------------------------------


def _draw_samples(record):
    """A column for each contact, a row for each quantity. All columns of a row have one scale."""
    picture = record["picture"]
    names = record["contacts"]
    rows = [key for key in _ROWS if key in picture["samples"]]
    width = max(1.1 + 2.25 * len(names), 6.6)
    figure = style.figure(width, 1.6 + 1.65 * len(rows))
    figure.get_layout_engine().set(w_pad=0.09, h_pad=0.06)
    style.heading(figure, picture["title"], picture["subtitle"])
    body, key = figure.add_gridspec(2, 1, height_ratios=(1.65 * len(rows), 0.2))
    axes = body.subgridspec(len(rows), len(names)).subplots(sharex=True, sharey="row", squeeze=False)
    magnified = False
    for r, quantity in enumerate(rows):
        for i in range(len(names)):
            magnified |= panel(axes[r, i], record, quantity, i)
            axes[r, i].label_outer()
    column = 72 * 0.85 * width / len(names)
    for i, name in enumerate(names):
        axes[0, i].set_title(style.wrap(style.plain(name), column, 10.5, most=2))
        axes[-1, i].set_xlabel(style.wrap(axes[-1, i].get_xlabel(), column, 9.5, most=2))
    figure.align_ylabels(axes[:, 0])
    words = [Patch(facecolor=_COMPRESSION, label="compression"), Patch(facecolor=_RESTITUTION, label="restitution")]
    if "slip" in rows:
        words.append(Patch(facecolor=_STICK, label="stick"))
    if magnified:
        words.append(Line2D([], [], color=style.SOFT, linestyle=(0, (4, 2)), label="magnified as said beside it"))
    laws.legend(figure.add_subplot(key), words, 200, ncol=len(words))
    return figure


def panel(axes, record, quantity, contact):
    """One quantity ("velocity_normal", "slip", "force_normal", "stored_energy") of one contact.

    Returns whether it had to be magnified: its scale is that of all contacts.
    """
    picture = record["picture"]
    samples = picture["samples"]
    over = picture["over"]
    x_unit = units.unit_for([samples[over]], picture["quantities"][over]["unit"])
    x = x_unit.of(samples[over])
    values = np.asarray(samples[quantity], dtype=float)
    values[np.abs(values) <= _nothing(record, quantity)] = 0
    unit = units.unit_for([values], picture["quantities"][quantity]["unit"])
    _shade(axes, x, record, contact, quantity)
    axes.axhline(0, color=style.SOFT, linewidth=0.7, zorder=1)
    factor = _magnified(values, contact)
    axes.plot(x, factor * unit.of(values[contact]), color=_ROWS[quantity],
              linestyle="-" if factor == 1 else (0, (4, 2)), label=style.plain(record["contacts"][contact]))
    if factor > 1:
        left = np.argmax(np.abs(values[contact])) > len(x) / 2  # away from the peak
        axes.text(0.03 if left else 0.97, 0.95, f"×{_power(factor)}", transform=axes.transAxes,
                  ha="left" if left else "right", va="top", fontsize=9)
    _frame(axes, unit.of(values), quantity)
    axes.set_xlim(0, 1.02 * x[-1] if x[-1] > 0 else 1)
    axes.locator_params(axis="x", nbins=4)
    axes.locator_params(axis="y", nbins=4)
    axes.set_xlabel(units.label(picture["quantities"][over], x_unit))
    axes.set_ylabel(units.label(picture["quantities"][quantity], unit, breaks=True))
    return factor > 1


def _nothing(record, quantity):
    """What is rounding and no more, of a velocity [m/s]."""
    speed = np.max(np.abs(record["approach"]))
    return _STILL * speed if quantity in ("velocity_normal", "slip") else 0.0


def _magnified(values, contact):
    """By what power of ten a contact's values are magnified, so that they are seen on the row's scale."""
    all_of_them, own = np.max(np.abs(values)), np.max(np.abs(values[contact]))
    if own == 0 or own >= _SMALL * all_of_them:
        return 1
    return 10 ** math.floor(math.log10(0.9 * all_of_them / own))


def _power(factor):
    """ "100", or "10⁶" """
    exponent = round(math.log10(factor))
    return str(factor) if exponent < 4 else "10" + str(exponent).translate(units.RAISED)


def _frame(axes, values, quantity):
    """The vertical range of a row; strips have room below the slip."""
    least, most = min(values.min(), 0), max(values.max(), 0)
    if most == least:
        most = 1
    size = most - least
    axes.set_ylim(least - (0.13 if quantity == "slip" else 0.08 if least < 0 else 0) * size, most + 0.1 * size)


def _shade(axes, x, record, contact, quantity):
    """Stages of a contact over the whole height; stick as a strip below the slip."""
    samples = record["picture"]["samples"]
    velocity, stored = (np.asarray(samples[key][contact]) for key in ("velocity_normal", "stored_energy"))
    pushes = (stored[:-1] > 0) | (stored[1:] > 0)
    approaches = velocity[:-1] + velocity[1:] < 0
    for where, colour in ((pushes & approaches, _COMPRESSION), (pushes & ~approaches, _RESTITUTION)):
        for start, end in _runs(where, x):
            axes.axvspan(x[start], x[end], color=colour, linewidth=0, zorder=0.5)
    if quantity == "slip":
        still = np.abs(samples["slip"][contact]) <= _nothing(record, "slip")
        force = np.asarray(samples["force_normal"][contact])
        for start, end in _runs(still[:-1] & still[1:] & ((force[:-1] > 0) | (force[1:] > 0)), x):
            axes.axvspan(x[start], x[end], ymax=0.06, color=_STICK, linewidth=0, zorder=0.6)


def _runs(where, x):
    """Where neighbouring stretches are true and not over in a moment: pairs of the first and the last sample."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], where, [False]]).astype(int))).reshape(-1, 2)
    return [(start, end) for start, end in edges if x[end] > x[start]]


# --- many contacts -----------------------------------------------------------------------------------


def _draw_cells(record):
    """A panel for each quantity: the course to the right, contacts upwards, values as colours."""
    picture = record["picture"]
    rows = [key for key in _ROWS if key in picture["cells"]]
    height = 2.35 if len(picture["cells"][rows[0]]) <= _FEW_ROWS else 3.6
    figure = style.figure(9.6, 1.1 + height * len(rows))
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.06)
    style.heading(figure, picture["title"], picture["subtitle"])
    all_axes = figure.subplots(len(rows), 1, sharex=True, sharey=True)
    for axes, quantity in zip(all_axes, rows):
        colours(axes, record, quantity)
        axes.label_outer()
    figure.align_ylabels(all_axes)
    return figure


def colours(axes, record, quantity):
    """One quantity of all contacts over the course, with a bar that says what colours mean."""
    picture = record["picture"]
    cells, over, names = picture["cells"], picture["over"], record["contacts"]
    values = np.asarray(cells[quantity], dtype=float)
    values[np.abs(values) <= _nothing(record, quantity)] = 0
    unit = units.unit_for([values], picture["quantities"][quantity]["unit"])
    x_unit = units.unit_for([cells["end"]], picture["quantities"][over]["unit"])
    most = np.max(np.abs(unit.of(values))) or 1.0
    signed = values.min() < 0
    image = axes.imshow(
        unit.of(values), origin="lower", aspect="auto",
        interpolation="bilinear" if len(values) > _FEW_ROWS else "nearest",
        cmap="RdBu_r" if signed else _HEAT, vmin=-most if signed else 0, vmax=most,
        extent=(0, x_unit.of(cells["end"]), 0.5, 0.5 + len(values) * cells["contacts_a_row"]),
    )
    axes.grid(False)
    axes.set_ylim(0.5, len(names) + 0.5)
    if len(names) <= 24:
        axes.set_yticks(range(1, len(names) + 1), [style.plain(name) for name in names],
                        fontsize=9.5 if len(names) <= 12 else 7)
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: _name(names, y)))
    axes.set_xlabel(units.label(picture["quantities"][over], x_unit))
    axes.set_ylabel("contact")
    axes.set_title(units.label(picture["quantities"][quantity], unit), loc="left")
    axes.figure.colorbar(image, ax=axes, pad=0.02, aspect=14)


def _name(names, number):
    """The contact at a place on the axis, counted from 1."""
    i = round(number) - 1
    return style.plain(names[i]) if 0 <= i < len(names) else ""
