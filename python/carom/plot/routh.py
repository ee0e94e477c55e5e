# SPDX-License-Identifier: Apache-2.0
"""Routh's diagram of one impact in the plane: the path of the impulse under each law, between the edges of the
friction cone; below it velocities and work over normal impulse."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from carom.plot import laws, style, units

_KEYS = ("impulse_normal", "impulse_tangential", "velocity_normal", "slip", "work")
_PHASE_END = {"marker": "o", "markersize": 4, "color": style.BLACK}
_STICK = {"color": "#b4bac2", "linewidth": 4}
_COMPRESSION = {"color": style.INK, "linewidth": 1.1, "linestyle": (0, (5, 3))}
_EDGE = {"color": "#8c959f", "linewidth": 1}
_STATIC_EDGE = {**_EDGE, "linestyle": (0, (6, 3))}
_FRAME = {"edgecolor": style.SOFT, "linewidth": 0.9}


def draw(record):
    """The whole picture."""
    families = laws.families(record, _KEYS)
    figure = style.figure(10.6, 7.8)
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.08)
    style.heading(figure, record["picture"]["title"], record["picture"]["subtitle"])
    near = _near_group(families)
    sides, key = figure.add_gridspec(1, 2, width_ratios=(3, 1))
    grid = sides.subgridspec(2, 3, height_ratios=(1.6, 1))
    whole = figure.add_subplot(grid[0, :] if near is None else grid[0, :2])
    diagram(whole, record, families)
    if near is not None:
        closer = figure.add_subplot(grid[0, 2])
        diagram(closer, record, families, reach=near)
        closer.set_title("the framed part, closer")
        low, high = closer.get_xlim(), closer.get_ylim()
        whole.add_patch(Rectangle((low[0], high[0]), np.ptp(low), np.ptp(high), fill=False, zorder=6, **_FRAME))
    for column, quantity in enumerate(("velocity_normal", "slip", "work")):
        panel(figure.add_subplot(grid[1, column]), record, quantity, families)
    laws.legend(figure.add_subplot(key), _rows(record, families, whole), 150)
    return figure


def diagram(axes, record, families=None, reach=None):
    """The plane of tangential and normal impulse, both in one unit unless one is next to nothing.

    reach: shows laws whose normal impulse ends there or before [N s], and where the others go on; default all.
    """
    families = families or laws.families(record, _KEYS)
    picture = record["picture"]
    t, n = _view(record, families, reach)
    t_unit, n_unit = _impulse_units(record, families)
    _draw_cone(axes, picture["cone"], 3 * n[1], t_unit, n_unit)
    for name, look in (("stick_line", _STICK), ("compression_line", _COMPRESSION)):
        ends = _line(picture[name], t, n)
        if ends is not None:
            axes.plot(t_unit.of(ends[0]), n_unit.of(ends[1]), zorder=1.5, **look)
    laws.draw_paths(axes, families, "impulse_tangential", "impulse_normal", t_unit, n_unit,
                    [("phase_ends", _PHASE_END)], part=reach is not None)
    axes.set_xlim(t_unit.of(t))
    axes.set_ylim(n_unit.of(n))
    axes.set_xlabel(units.label(picture["quantities"]["impulse_tangential"], t_unit))
    axes.set_ylabel(units.label(picture["quantities"]["impulse_normal"], n_unit))
    laws.say(axes, picture["note"])


def _draw_cone(axes, cone, high, t_unit, n_unit):
    """The friction cone up to the normal impulse `high` [N s]."""
    def edge(mu):
        return t_unit.of([-mu * high, 0, mu * high]), n_unit.of([high, 0, high])

    if cone:
        axes.fill(*edge(cone["friction"]), color=style.SHADE, zorder=0.5)
        axes.plot(*edge(cone["friction"]), zorder=1, **_EDGE)
        if cone["static_friction"] > cone["friction"]:
            axes.plot(*edge(cone["static_friction"]), zorder=1, **_STATIC_EDGE)


def panel(axes, record, quantity, families=None):
    """A quantity ("velocity_normal", "slip", "work") over normal impulse."""
    families = families or laws.families(record, _KEYS)
    known = record["picture"]["quantities"]
    _, x_unit = _impulse_units(record, families)
    y_unit = units.unit_for([f.path[quantity] for f in families], known[quantity]["unit"])
    axes.axhline(0, color=style.SOFT, linewidth=0.8, zorder=1)
    laws.draw_paths(axes, families, "impulse_normal", quantity, x_unit, y_unit, [("phase_ends", _PHASE_END)])
    n = _view(record, families)[1]
    axes.set_xlim(x_unit.of([n[0] - 0.03 * np.ptp(n), n[1]]))
    laws.frame(axes, y_unit.of(np.concatenate([f.path[quantity] for f in families])))
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel(units.label(known["impulse_normal"], x_unit))
    axes.set_ylabel(units.label(known[quantity], y_unit))


def _rows(record, families, axes):
    """The legend: laws, then everything else that is seen."""
    rows = laws.handles(families)
    cone = record["picture"]["cone"]
    if any(f.path["phase_ends"].size for f in families):
        rows.append(Line2D([], [], linestyle="none", label="a phase ends", **_PHASE_END))
    if cone:
        rows.append(Patch(facecolor=style.SHADE, edgecolor=_EDGE["color"], label="friction cone, |Pₜ| ≤ μ Pₙ"))
        if cone["static_friction"] > cone["friction"]:
            rows.append(Line2D([], [], label="its edge for static friction, μₛ", **_STATIC_EDGE))
    t, n = _view(record, families)
    if _line(record["picture"]["stick_line"], t, n) is not None:
        rows.append(Line2D([], [], label="line of sticking, vₜ = 0", **_STICK))
    if _line(record["picture"]["compression_line"], t, n) is not None:
        rows.append(Line2D([], [], label="greatest compression, vₙ = 0", **_COMPRESSION))
    if laws.draws_no_process(families):
        rows.append(laws.note(laws.NO_PROCESS))
    return rows


def _near_group(families):
    """Where the ends of the laws fall into two groups far apart, the normal impulse where the nearer one ends."""
    ends = sorted(f.path["impulse_normal"][-1] for f in families if f.path["impulse_normal"][-1] > 0)
    for i in range(len(ends) - 1, 0, -1):
        if ends[i] > 2.5 * ends[i - 1]:
            return ends[i - 1]
    return None


def _impulse_units(record, families):
    """The units of tangential and normal impulse, the same in all panels."""
    t, n = _view(record, families)
    si = record["picture"]["quantities"]["impulse_normal"]["unit"]
    if np.ptp(t) < 1e-3 * np.ptp(n):
        return units.unit_for([t], si), units.unit_for([n], si)
    both = units.unit_for([t, n], si)
    return both, both


def _view(record, families, reach=None):
    """Ranges of tangential and normal impulse: all paths (that end by `reach`), something of the cone, a margin."""
    shown = [f.path for f in families if reach is None or f.path["impulse_normal"][-1] <= reach]
    t = np.concatenate([[0.0], *(p["impulse_tangential"] for p in shown)])
    n = np.concatenate([[0.0], *(p["impulse_normal"] for p in shown)])
    t, n = [t.min(), t.max()], [n.min(), n.max()]
    if not n[1] > n[0]:  # nothing strikes: as far as it would take to stop the normal velocity
        stiffness = record["inverse_inertia"][0][0]
        n[1] = (abs(record["approach"][0]) / stiffness if stiffness > 0 else 0) or 1.0
    # Of the cone as much as the paths need, half as much again; of one that none of them uses the inside.
    cone = (record["picture"]["cone"] or {"static_friction": 0})["static_friction"] * n[1]
    used = max(-t[0], t[1])
    wide = min(cone, 1.5 * used)
    if used <= 1e-6 * n[1]:
        wide = min(cone, n[1]) if cone > 0 else n[1]
    t = [min(t[0], -0.6 * wide), max(t[1], 0.6 * wide)]
    margin = 0.07 * (t[1] - t[0])
    t = [t[0] - margin, t[1] + margin]
    n = [n[0] - (0.07 * (n[1] - n[0]) if n[0] < 0 else 0), n[1] + (0.07 if reach is None else 0.18) * (n[1] - n[0])]
    return t, n


def _line(equation, t, n):
    """The line a P_n + b P_t + c = 0 across the view: its ends, ([t, t], [n, n]); None where it is not seen."""
    a, b, c = equation
    if abs(a) * np.ptp(n) + abs(b) * np.ptp(t) == 0:
        return None
    if abs(a) * np.ptp(n) >= abs(b) * np.ptp(t):  # never divided by what is smaller
        ends = np.array([t, [-(c + b * x) / a for x in t]])
        seen = ends[1].min() <= n[1] and ends[1].max() >= n[0]
    else:
        ends = np.array([[-(c + a * y) / b for y in n], n])
        seen = ends[0].min() <= t[1] and ends[0].max() >= t[0]
    return ends if seen else None
