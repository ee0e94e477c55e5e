# SPDX-License-Identifier: Apache-2.0
"""Vehicles that collide, from above: where they are at the impact, a moment before and a moment after, with their
velocities, the impulse and the contact plane; beside it the principal direction of force of each by the clock."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon

from carom.plot import laws, style

_COLOURS = (style.BLUE, style.ORANGE)
_BEFORE = (0, (4, 2))
_PLANE = {"color": style.SOFT, "linewidth": 1.2, "linestyle": (0, (8, 3, 1, 3))}
_UNKNOWN = np.array([4.5, 1.8])  # [m] a common car, where a size is not given: its outline is dotted
_PATH = 3.5  # [m] that the fastest vehicle goes from the moment before to the impact


def draw(record):
    """The whole picture."""
    picture = record["picture"]
    figure = style.figure(10.6, 7.2)
    style.heading(figure, picture["title"], picture["subtitle"])
    sides, key = figure.add_gridspec(1, 2, width_ratios=(2.6, 1))
    scene(figure.add_subplot(sides), picture)
    clocks = key.subgridspec(len(picture["vehicles"]) + 1, 1)
    for row, vehicle in enumerate(picture["vehicles"]):
        clock(figure.add_subplot(clocks[row]), vehicle, _COLOURS[row])
    laws.legend(figure.add_subplot(clocks[-1]), _rows(picture), 190)
    return figure


def scene(axes, picture):
    """The vehicles [m], x to the east, y to the north; the impulse acts at the origin."""
    vehicles = picture["vehicles"]
    fastest = max(np.hypot(*v[k]) for v in vehicles for k in ("velocity_before", "velocity_after"))
    lead = _PATH / fastest if fastest > 0 else 0.0  # [s]
    arrow = 1.3 * lead  # [s] that the arrows of velocity last
    points = [np.zeros((1, 2))]
    for vehicle, colour in zip(vehicles, _COLOURS):
        centre = np.array(vehicle["mass_centre"])
        turn = np.array(vehicle["forward"])
        for when, time, look in (
            ("before", -lead, {"linestyle": _BEFORE, "linewidth": 1.0, "fill": False}),
            ("after", lead, {"linewidth": 1.0, "facecolor": colour + "14"}),
        ):
            place = centre + time * np.array(vehicle["velocity_" + when])
            corners = _outline(vehicle, place, _turned(turn, time * vehicle["yaw_rate_" + when]))
            axes.add_patch(Polygon(corners, edgecolor=colour, zorder=2, **look))
            points.append(corners)
        corners = _outline(vehicle, centre, turn)
        dots = {} if vehicle["size"] else {"linestyle": (0, (1, 1.5))}
        axes.add_patch(Polygon(corners, edgecolor=colour, facecolor=colour + "33", linewidth=1.8, zorder=3, **dots))
        axes.plot(*_nose(vehicle, centre, turn), color=colour, linewidth=1.4, zorder=3)
        for when, dashes in (("before", _BEFORE), ("after", "-")):
            tip = centre + arrow * np.array(vehicle["velocity_" + when])
            _arrow(axes, centre, tip, colour, dashes)
            points += [corners, tip[None]]
        axes.plot(*centre, marker="o", markersize=4, color=colour, zorder=5)
        axes.text(*_behind(vehicle, centre, turn), style.plain(vehicle["name"]), color=colour, fontweight="bold",
                  ha="center", va="center", zorder=7)
    points = np.concatenate(points)
    _draw_plane(axes, picture, points)
    _draw_impulse(axes, picture, points)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * (high - low).max()
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("east [m]")
    axes.set_ylabel("north [m]")
    laws.say(axes, picture["note"])


def clock(axes, vehicle, colour):
    """Where the force comes from, seen by the driver: 12 is ahead."""
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.5, 4.6)
    axes.set_ylim(-1.5, 1.75)
    axes.add_patch(Circle((0, 0), 1.0, fill=False, edgecolor=style.SOFT, linewidth=0.9))
    for hour in range(12):
        way = _clock_way(30 * hour)
        axes.plot(*np.transpose([0.93 * way, way]), color=style.SOFT, linewidth=0.9)
        if hour % 3 == 0:
            axes.text(*(1.25 * way), str(hour or 12), ha="center", va="center", fontsize=8, color=style.SOFT)
    axes.add_patch(Polygon([(-0.2, -0.42), (0.2, -0.42), (0.2, 0.3), (0, 0.44), (-0.2, 0.3)],
                           facecolor=colour + "33", edgecolor=colour))
    if vehicle["pdof"] is not None:
        way = _clock_way(vehicle["pdof"])
        axes.annotate("", 0.12 * way, 1.0 * way, arrowprops={"arrowstyle": "-|>", "color": style.INK, "linewidth": 1.8})
    lines = [f"ΔV {vehicle['delta_v_kmh']:.1f} km/h", f"EES {vehicle['ees_kmh']:.1f} km/h",
             f"yaw {_signed(vehicle['yaw_rate'])} °/s"]
    if vehicle["pdof"] is not None:
        lines.insert(1, f"PDOF {_signed(vehicle['pdof'])}°, {vehicle['pdof_clock']:.0f} o'clock")
    axes.text(1.7, 1.35, style.wrap(style.plain(vehicle["name"]), 130, 9.5, "bold", most=1), color=colour,
              fontweight="bold", va="top")
    axes.text(1.7, 0.85, "\n".join(lines), va="top", linespacing=1.5, fontsize=9)


def _outline(vehicle, centre, forward):
    length, width = vehicle["size"] or _UNKNOWN
    left = np.array([-forward[1], forward[0]])
    return np.array([centre + a * length / 2 * forward + b * width / 2 * left
                     for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))])


def _nose(vehicle, centre, forward):
    """A line across the car where its windscreen would be."""
    length, width = vehicle["size"] or _UNKNOWN
    left = np.array([-forward[1], forward[0]])
    ends = [centre + 0.22 * length * forward + side * 0.42 * width * left for side in (1, -1)]
    return np.transpose([ends[0], centre + 0.3 * length * forward, ends[1]])


def _turned(forward, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * forward[0] - s * forward[1], s * forward[0] + c * forward[1]])


def _arrow(axes, start, tip, colour, dashes, width=1.8):
    if np.hypot(*(tip - start)) > 0:
        axes.plot(*np.transpose([start, tip]), color=colour, linestyle=dashes, linewidth=width, zorder=4)
        axes.annotate("", tip, tip - 0.01 * (tip - start), zorder=4,
                      arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 0, "mutation_scale": 14})


def _behind(vehicle, centre, forward):
    """The place of a name: the rear of the car, beside its axis, away from where it goes."""
    length, width = vehicle["size"] or _UNKNOWN
    left = np.array([-forward[1], forward[0]])
    side = -1 if np.dot(left, vehicle["velocity_after"]) > 0 else 1
    return centre - 0.3 * length * forward + side * 0.2 * width * left


def _draw_plane(axes, picture, points):
    normal = np.array(picture["normal"])
    along = np.array([normal[1], -normal[0]])
    reach = 0.28 * np.ptp(points, axis=0).max()
    axes.plot(*np.transpose([-reach * along, reach * along]), zorder=1.5, **_PLANE)


def _draw_impulse(axes, picture, points):
    """On the first vehicle, and on the second where it is one, the other way."""
    impulse = np.array(picture["impulse"])
    size = np.hypot(*impulse)
    axes.plot(0, 0, marker="X", markersize=8, color=style.INK, zorder=6)
    if size == 0:
        return
    reach = 0.16 * np.ptp(points, axis=0).max()
    for sign in (1,) if picture["barrier"] else (1, -1):
        _arrow(axes, np.zeros(2), sign * reach * impulse / size, style.INK, "-", 2.2)


def _clock_way(degrees):
    """The unit vector towards an hour, clockwise from the top."""
    return np.array([np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])


def _signed(value):
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def _rows(picture):
    size = np.hypot(*picture["impulse"])
    outline = {"marker": "s", "markersize": 9, "linestyle": "none", "markeredgecolor": style.SOFT}
    rows = [Line2D([], [], color=style.SOFT, linestyle=_BEFORE, label="before: velocity and outline"),
            Line2D([], [], color=style.SOFT, label="after: velocity and outline"),
            Line2D([], [], markerfacecolor=style.SHADE, label="at the impact", **outline),
            Line2D([], [], color=style.INK, linewidth=2.2, label=f"impulse{'' if picture['barrier'] else ' on each'}, {size / 1000:.3g} kN s"),
            Line2D([], [], label="contact plane", **_PLANE)]
    if any(not v["size"] for v in picture["vehicles"]):
        rows.append(laws.note("dotted: size not given"))
    return rows
