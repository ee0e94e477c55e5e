# SPDX-License-Identifier: Apache-2.0
"""How the paths of several laws through one impact are drawn over each other.

Laws that agree share one line or one symbol, and the legend says so: "newton = moreau".
"""

import numpy as np
from matplotlib.lines import Line2D

from carom.plot import style

#: Outcomes are the same where they differ by less than this, relative to the largest of them; both are exact.
SAME_END = 1e-9
#: Paths are the same where they differ by less than this share of their extent; they are sampled.
SAME_PATH = 2e-3


class Family:
    """Laws with the same path and outcome. They are drawn as one, in the style of the first.

    names: of the laws; path: the arrays of the record; verdict: a word; process: whether the law has phases, so that
    its line is the path of the impulse; ends_as: the family at whose symbol this one ends too, or None.
    """

    def __init__(self, name, path, outcome):
        self.names = [name]
        self.path = {key: np.asarray(v) for key, v in path.items() if key != "law"}
        self.outcome = outcome
        self.verdict = outcome["verdict"]
        self.process = bool(outcome["phases"])
        self.ends_as = None

    @property
    def style(self):
        """The name of the law that decides how the family looks."""
        return self.names[0]

    def label(self):
        """For a legend, of the record's texts: "newton = moreau (energy-gained)"."""
        text = " = ".join(self.names)
        if self.ends_as:
            text += f", same end as {self.ends_as.style}"
        return text if self.verdict == "ordinary" else f"{text} ({self.verdict})"


def families(record, keys):
    """The families of a record's laws, in the record's order. keys: the members of a path that are drawn."""
    found = []
    for path, outcome in zip(record["picture"]["paths"], record["outcomes"]):
        made = Family(path["law"], path, outcome)
        agreeing = [f for f in found if _same_end(f.outcome, outcome, record)]
        twins = [f for f in agreeing if f.verdict == made.verdict and _same_path(f.path, made.path, keys, record)]
        if twins:
            twins[0].names.append(path["law"])
            twins[0].process = twins[0].process or made.process
            continue
        made.ends_as = next((f for f in agreeing if f.ends_as is None), None)
        found.append(made)
    return found


def _same_end(a, b, record):
    """Whether two outcomes have the same impulse and velocity."""
    for key, others in (("impulse", []), ("velocity", record["approach"])):
        one, two = np.asarray(a[key]), np.asarray(b[key])
        scale = max(np.max(np.abs(one)), np.max(np.abs(two)), np.max(np.abs(others), initial=0))
        if np.max(np.abs(one - two)) > SAME_END * scale:
            return False
    return True


def _same_path(a, b, keys, record):
    """Whether two paths are one curve, wherever each of them was sampled."""
    along = keys[0]
    impulse, speed = np.max(np.abs(a[along])), np.max(np.abs(record["approach"]))
    sizes = {"impulse": impulse, "velocity": speed, "slip": speed, "work": impulse * speed}
    for path in (a, b):
        if np.any(np.diff(path[along]) < 0):
            return False  # no curve over normal impulse
    at = np.union1d(a[along], b[along])
    for key in keys[1:]:
        one, two = np.interp(at, a[along], a[key]), np.interp(at, b[along], b[key])
        rounding = SAME_END * sizes[key.split("_")[0]]
        if np.max(np.abs(one - two)) > max(SAME_PATH * max(np.ptp(one), np.ptp(two)), rounding):
            return False
    return True


def _width(family):
    """Dashed lines lie over solid ones, narrow over wide."""
    look = style.law(family.style)
    return (look["linestyle"] == "-", look["linewidth"])


def draw_paths(axes, all_families, x, y, x_unit, y_unit, marks=(), part=False):
    """Lines, marks on them and hollow symbols at their ends.

    x, y: the members of a path; marks: pairs of a member with indices of points and keyword arguments for markers;
    part: whether the axes show only a part, so that symbols beyond their frame must be cut.
    """
    def point(family, at):
        return x_unit.of(family.path[x])[at], y_unit.of(family.path[y])[at]

    for family in sorted(all_families, key=_width, reverse=True):
        axes.plot(*point(family, slice(None)), **style.law(family.style), label=style.plain(family.names[0]))
    for key, look in marks:
        for family in all_families:
            at = family.path[key].astype(int)
            if at.size:
                axes.plot(*point(family, at), linestyle="none", zorder=3, **look)
    ends = [f for f in all_families if f.ends_as is None]
    ends.sort(key=lambda f: style.law_end(f.style)["markersize"], reverse=True)
    # All the white before all the symbols, so that lines end at them and none hides another.
    for family in ends:
        look = {**style.law_end(family.style), "color": "white", "markerfacecolor": "white", "zorder": 4,
                "clip_on": part}
        if look["marker"] not in ("x", "+"):
            axes.plot(*point(family, [-1]), **look)
    for family in ends:
        axes.plot(*point(family, [-1]), zorder=5, clip_on=part, **style.law_end(family.style))


def handles(all_families):
    """A sample of each family's line and symbol, with its label, for a legend."""
    made = []
    for family in all_families:
        look = {**style.law(family.style)}
        if family.ends_as is None:
            end = style.law_end(family.style)
            look.update({k: end[k] for k in ("marker", "markersize", "markerfacecolor", "markeredgewidth")})
            look["markerfacecolor"] = "white"
        made.append(Line2D([], [], label=style.plain(family.label()), **look))
    return made


def frame(axes, values):
    """The vertical range: all values, zero among them, and a margin."""
    least, most = min(np.min(values), 0), max(np.max(values), 0)
    margin = 0.1 * (most - least) or 1.0
    axes.set_ylim(least - margin, most + margin)


def say(axes, text):
    """What a picture says in a box in its middle, where nothing strikes; nothing for None."""
    if text:
        axes.text(0.5, 0.5, style.plain(text), transform=axes.transAxes, ha="center", va="center", zorder=9,
                  bbox={"facecolor": "white", "edgecolor": style.SOFT, "boxstyle": "round,pad=0.5"})


def note(text):
    """A row of a legend that has words only."""
    return Line2D([], [], color="none", label=style.plain(text))


#: What dashes mean, for a legend.
NO_PROCESS = "dashed: joins start and end; the law has no process"


def draws_no_process(all_families):
    """Whether a line is dashed because its law knows only totals."""
    return any(not f.process and f.path["impulse_normal"].size > 1 for f in all_families)


#: The size of a legend's letters [points], and the room between its rows, in such sizes.
_SIZE, _BETWEEN = 9, 0.75


def legend(axes, rows, width, **options):
    """A legend in axes of its own, which it fills from the upper left; labels are broken at `width` points."""
    axes.set_axis_off()
    made = axes.legend(
        handles=rows,
        labels=[style.wrap(row.get_label(), width, _SIZE) for row in rows],
        loc="upper left",
        bbox_to_anchor=(0, 1),
        borderaxespad=0,
        borderpad=0,
        fontsize=_SIZE,
        labelspacing=_BETWEEN,
        **options,
    )
    made.set_in_layout(False)  # its room is that of the axes
    return made


def legend_height(rows, width):
    """The height that such a legend needs [inches]."""
    lines = [style.wrap(row.get_label(), width, _SIZE).count("\n") + 1 for row in rows]
    return sum(1.25 * n + _BETWEEN for n in lines) * _SIZE / 72
