# SPDX-License-Identifier: Apache-2.0
"""The hodograph of slip of one impact in space: how slip turns and changes under each law, and the directions that it
keeps; beside it normal velocity, friction and work over normal impulse."""

import numpy as np
from matplotlib.lines import Line2D

from carom.plot import laws, style, units

_KEYS = ("impulse_normal", "velocity_normal", "slip_1", "slip_2", "work")
_START = {"marker": "o", "markersize": 5, "color": style.BLACK}
#: Marks on the paths: the member with their places, how they look, what they are called.
_MARKS = (
    ("compression_ends", {"marker": "D", "markersize": 4.2, "color": style.BLACK}, "compression ends"),
    ("compression_resumes", {"marker": "D", "markersize": 4.6, "markerfacecolor": "white",
                             "color": style.BLACK}, "compression resumes"),
    ("slip_ends", {"marker": "s", "markersize": 4.6, "color": style.BLACK}, "slip ends"),
)
#: Where labels of the legend are broken [points].
_KEY_WIDTH = 175
_LIMIT = {"color": style.SOFT, "linewidth": 1, "linestyle": (0, (6, 3))}
_STATIC_LIMIT = {"color": style.SOFT, "linewidth": 1, "linestyle": (0, (1.5, 3))}


def draw(record):
    """The whole picture."""
    picture = record["picture"]
    families = laws.families(record, _KEYS)
    columns = [laws.handles(families), _rows(record, families)]
    key_height = max(laws.legend_height(rows, _KEY_WIDTH) for rows in columns) + 0.15
    figure = style.figure(11.2, max(5.8 + key_height, 7.8))
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
    style.heading(figure, picture["title"], picture["subtitle"])
    left, right = figure.add_gridspec(1, 2, width_ratios=(1.5, 1))
    plane, key = left.subgridspec(2, 1, height_ratios=(figure.get_figheight() - 1.3 - key_height, key_height))
    hodograph(figure.add_subplot(plane), record, families)
    for place, rows in zip(key.subgridspec(1, 2), columns):
        laws.legend(figure.add_subplot(place), rows, _KEY_WIDTH)
    panels = right.subgridspec(4, 1)
    first = None
    for row, quantity in enumerate(("velocity_normal", "friction_1", "friction_2", "work")):
        axes = figure.add_subplot(panels[row], sharex=first)
        first = first or axes
        panel(axes, record, quantity, families)
        if row < 3:
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")
    figure.align_ylabels(figure.axes[3:])
    return figure


def hodograph(axes, record, families=None):
    """The plane of slip, in equal units, with the invariant rays."""
    families = families or laws.families(record, _KEYS)
    picture = record["picture"]
    known = picture["quantities"]
    t1, t2 = _view(record, families)
    unit = units.unit_for([t1, t2], known["slip_1"]["unit"])
    axes.axhline(0, color=style.FAINT, linewidth=1.2, zorder=1)
    axes.axvline(0, color=style.FAINT, linewidth=1.2, zorder=1)
    for ray in picture["rays"]:
        _draw_ray(axes, ray, unit.of(np.hypot(*np.abs([t1, t2]).max(axis=1))))
    laws.draw_paths(axes, families, "slip_1", "slip_2", unit, unit, [(key, look) for key, look, _ in _MARKS])
    if any(f.path["slip_1"].size > 1 for f in families):
        path = families[0].path
        axes.plot(unit.of(path["slip_1"][:1]), unit.of(path["slip_2"][:1]), linestyle="none", zorder=3, **_START)
    axes.set_xlim(unit.of(t1))
    axes.set_ylim(unit.of(t2))
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(units.label(known["slip_1"], unit))
    axes.set_ylabel(units.label(known["slip_2"], unit))
    laws.say(axes, picture["note"])


def panel(axes, record, quantity, families=None):
    """A quantity ("velocity_normal", "friction_1", "friction_2", "work") over normal impulse."""
    families = families or laws.families(record, _KEYS)
    picture = record["picture"]
    known = picture["quantities"]
    cone = picture["cone"] or {"friction": 0, "static_friction": 0}
    impulse = np.concatenate([[0.0], *(f.path["impulse_normal"] for f in families)])
    x_unit = units.unit_for([impulse], known["impulse_normal"]["unit"])
    same = ("friction_1", "friction_2") if quantity.startswith("friction") else (quantity,)
    values = np.concatenate([[0.0], *(f.path[key] for f in families for key in same)])
    if len(same) == 2:
        values = np.append(values, [cone["static_friction"], -cone["static_friction"]])
    y_unit = units.unit_for([values], known[quantity]["unit"])
    axes.axhline(0, color=style.SOFT, linewidth=0.8, zorder=1)
    if len(same) == 2:
        for sign in (1, -1):
            if cone["friction"] > 0:
                axes.axhline(sign * cone["friction"] / y_unit.factor, zorder=1, **_LIMIT)
            if cone["static_friction"] > cone["friction"]:
                axes.axhline(sign * cone["static_friction"] / y_unit.factor, zorder=1, **_STATIC_LIMIT)
    laws.draw_paths(axes, families, "impulse_normal", quantity, x_unit, y_unit,
                    [(key, look) for key, look, _ in _MARKS])
    laws.frame(axes, y_unit.of(values))
    least, most = x_unit.of([impulse.min(), impulse.max() if np.ptp(impulse) > 0 else 1.0])
    axes.set_xlim(least - 0.03 * (most - least), most + 0.07 * (most - least))
    axes.locator_params(axis="y", nbins=5)
    axes.set_xlabel(units.label(known["impulse_normal"], x_unit))
    axes.set_ylabel(units.label(known[quantity], y_unit, breaks=True))


def _ray_look(ray):
    """Solid where it attracts slip beside it, dark where slip grows along it."""
    return {"color": "#9aa1a9" if ray["converges"] else "#3d444d",
            "linestyle": "-" if ray["attracts"] else (0, (5, 4)), "linewidth": 1.3}


def _ray_words(ray):
    """What a ray does, for the legend."""
    return (f"ray that {'attracts' if ray['attracts'] else 'repels'}, "
            f"slip {'falls' if ray['converges'] else 'grows'}")


def _arrow(ray):
    """A head that points the way slip goes along the ray."""
    way = np.degrees(np.arctan2(ray["direction"][1], ray["direction"][0])) + (180 if ray["converges"] else 0)
    return {"marker": (3, 0, way - 90), "markersize": 8, "linestyle": "none", "color": _ray_look(ray)["color"]}


def _draw_ray(axes, ray, reach):
    """From zero slip outwards beyond the frame, with heads on it."""
    direction = np.asarray(ray["direction"])
    far = 3 * reach * direction
    axes.plot([0, far[0]], [0, far[1]], zorder=1.4, scalex=False, scaley=False, **_ray_look(ray))
    heads = reach * np.arange(0.25, 3, 0.35)
    axes.plot(heads * direction[0], heads * direction[1], zorder=1.4, scalex=False, scaley=False, **_arrow(ray))


def _rows(record, families):
    """The legend of everything but the laws."""
    picture = record["picture"]
    rows = []
    if any(f.path["slip_1"].size > 1 for f in families):
        rows.append(Line2D([], [], linestyle="none", label="start", **_START))
    for key, look, words in _MARKS:
        if any(f.path[key].size for f in families):
            rows.append(Line2D([], [], linestyle="none", label=words, **look))
    seen = {}
    for ray in picture["rays"]:
        if _crosses(ray, *_view(record, families)):
            seen.setdefault(_ray_words(ray), ray)
    for words, ray in seen.items():
        head = "<" if ray["converges"] else ">"
        rows.append(Line2D([], [], marker=head, markersize=7, label=words, **_ray_look(ray)))
    cone = picture["cone"]
    if cone and cone["friction"] > 0:
        rows.append(Line2D([], [], label="limits of friction, ±μ", **_LIMIT))
    if cone and cone["static_friction"] > cone["friction"]:
        rows.append(Line2D([], [], label="limits of static friction, ±μₛ", **_STATIC_LIMIT))
    if cone and not picture["rays"]:
        rows.append(laws.note("slip keeps whatever direction it has"))
    t1, t2 = _view(record, families)
    if t1[0] > 0 or t1[1] < 0 or t2[0] > 0 or t2[1] < 0:
        rows.append(laws.note("zero slip is outside the view"))
    if laws.draws_no_process(families):
        rows.append(laws.note(laws.NO_PROCESS))
    return rows


def _view(record, families):
    """Ranges of both components of slip [m/s]: all paths, and zero unless it is far away from them; a margin."""
    t1, t2 = (np.concatenate([f.path[key] for f in families]) for key in ("slip_1", "slip_2"))
    extent = max(np.ptp(t1), np.ptp(t2))
    farthest = max(np.abs(t1).max(), np.abs(t2).max())
    # What changes of slip, of what there is: less is far away from zero, and still less is nothing.
    if extent > 0.12 * farthest or not extent > 1e-3 * farthest:
        t1, t2 = np.append(t1, 0), np.append(t2, 0)
    size = max(np.ptp(t1), np.ptp(t2))
    speed = np.linalg.norm(record["approach"])
    if not farthest > 1e-9 * speed:  # no slip at all
        size = speed or 1.0
    return [_at_least(np.array([t.min(), t.max()]), 0.1 * np.ptp(t), 0.3 * size) for t in (t1, t2)]


def _at_least(ends, margin, size):
    """A range with a margin, at least so wide about the same middle."""
    half = max(ends[1] - ends[0] + 2 * margin, size) / 2
    return (ends[0] + ends[1]) / 2 + np.array([-half, half])


def _crosses(ray, t1, t2):
    """Whether a ray is seen: the frame may be wider or higher than the view by half, to have equal units."""
    corners = []
    for t, other in ((t1, t2), (t2, t1)):
        wide = max(np.ptp(t), 1.6 * np.ptp(other))
        corners.append(_at_least(t, 0, wide))
    share = np.linspace(0, 2 * np.abs(corners).max(), 400)
    x, y = share * ray["direction"][0], share * ray["direction"][1]
    (left, right), (low, high) = corners
    return bool(np.any((x > left) & (x < right) & (y > low) & (y < high)))
