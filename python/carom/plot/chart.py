# SPDX-License-Identifier: Apache-2.0
"""Curves and points of any quantities, in one or more panels."""

import matplotlib.patheffects
import numpy as np

from carom.plot import style

#: Names of markers in a record: matplotlib's marker, and whether it is filled.
MARKERS = {
    "disc": ("o", True),
    "circle": ("o", False),
    "square": ("s", False),
    "triangle": ("^", False),
    "cross": ("x", True),
}


def draw(record):
    """The whole chart: panels in rows, each with its key to its right."""
    picture = record["picture"]
    panels = picture["panels"]
    columns = min(picture.get("columns", 1), len(panels))
    rows = -(-len(panels) // columns)
    keys = any(series.get("label") for panel in panels for series in panel["series"])
    width = columns * (picture.get("panel_width", 620) / 100 + (1.6 if keys else 0.3))
    figure = style.figure(width, rows * picture.get("panel_height", 400) / 100 + 0.7)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes, panel in zip(grid.flat, panels):
        draw_panel(axes, panel)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    style.heading(figure, picture["title"], picture.get("subtitle", ""))
    return figure


def draw_panel(axes, panel):
    """One panel on axes of the caller's."""
    if panel.get("title"):
        axes.set_title(style.plain(panel["title"]), loc="left")
    for axis, name in ((panel["x"], "x"), (panel["y"], "y")):
        axes.set(**{f"{name}label": style.plain(axis["label"])})
        if axis.get("log"):
            axes.set(**{f"{name}scale": "log"})
    for series in panel["series"]:
        draw_series(axes, series)
    for axis, name in ((panel["x"], "x"), (panel["y"], "y")):
        if axis.get("range"):
            axes.set(**{f"{name}lim": axis["range"]})
    if not panel["x"].get("range") and not panel["x"].get("log"):
        axes.margins(x=0.02)
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # what follows changes no range
    for span in panel.get("spans", []):
        draw_span(axes, span)
    draw_marks(axes, panel.get("marks", []))
    for text in panel.get("texts", []):
        axes.text(text["x"], text["y"], style.plain(text["text"]), ha="center", va="center", fontsize=8.5,
                  path_effects=halo())
    if any(series.get("label") for series in panel["series"]):
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def look_of(series):
    """Keyword arguments for a line: those of the law where the series names one, else its own."""
    if series.get("law"):
        look = style.law(series["law"])
        if series.get("width"):
            look["linewidth"] = min(look["linewidth"], 0.75 * series["width"])
    else:
        look = {"color": series.get("colour", style.BLUE), "linestyle": "-",
                "linewidth": 0.75 * series.get("width", 2.0)}
    if series.get("dash") is not None:
        dash = series["dash"]
        look["linestyle"] = (0, [0.5 * d for d in dash]) if dash else "-"
    return look


def draw_series(axes, series):
    """A line, points, both, or an area down (or up) to zero. A null in the data is a gap."""
    x = np.array(series["x"], dtype=float)
    y = np.array(series["y"], dtype=float)
    look = look_of(series)
    label = style.plain(series["label"]) if series.get("label") else None
    kind = series.get("kind", "line")
    if kind == "area":
        axes.fill_between(x, y, color=look["color"], alpha=0.35, linewidth=0, label=label)
        return
    if kind == "points":
        look["linestyle"] = "none"
    if kind in ("points", "line_and_points"):
        marker, filled = MARKERS[series.get("marker", "disc")]
        look.update(marker=marker, markersize=6.5 * series.get("marker_size", 0.7), markeredgewidth=1.2,
                    markerfacecolor=look["color"] if filled else "none")
    axes.plot(x, y, label=label, **look)


def draw_span(axes, span):
    """A stretch of x behind the curves, its name at the top."""
    axes.axvspan(span["from"], span["to"], color=span["colour"], zorder=0.5, linewidth=0)
    if span.get("label"):
        axes.text((span["from"] + span["to"]) / 2, 0.985, style.plain(span["label"]), ha="center", va="top",
                  fontsize=8, color=style.SOFT, transform=axes.get_xaxis_transform())


def draw_marks(axes, marks):
    """Straight lines across the panel at a value, each with a word beside it."""
    for mark in marks:
        across = mark.get("across", False)
        (axes.axhline if across else axes.axvline)(mark["at"], color=mark["colour"], linewidth=0.9,
                                                   linestyle=(0, (4, 3)), zorder=1.5)
        if not mark.get("label"):
            continue
        label = style.plain(mark["label"])
        if across:
            axes.annotate(label, (1, mark["at"]), xycoords=axes.get_yaxis_transform(), xytext=(-4, 2),
                          textcoords="offset points", ha="right", va="bottom", fontsize=8, color=mark["colour"],
                          path_effects=halo())
        else:
            axes.annotate(label, (mark["at"], 0.03), xycoords=axes.get_xaxis_transform(), xytext=(-2, 0),
                          textcoords="offset points", ha="right", va="bottom", rotation=90, fontsize=8,
                          color=mark["colour"], path_effects=halo())


def halo():
    """White around letters, so that they are read over lines."""
    return [matplotlib.patheffects.withStroke(linewidth=2.5, foreground="white")]
