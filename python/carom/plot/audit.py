# SPDX-License-Identifier: Apache-2.0
"""Looks for what makes a picture hard to read: texts beyond its edge, texts over each other."""

import itertools

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def texts(figure):
    """The texts that are seen, each with its box [pixels]: [(Text, Bbox)]."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    hidden = set(_hidden(figure))
    return [
        (text, text.get_window_extent(renderer))
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and text not in hidden
    ]


def _hidden(figure):
    """Texts that are not drawn: of axes that are not seen, and of ticks beyond the axes' limits."""
    for axes in figure.findobj(Axes):
        if not axes.get_visible():
            yield from axes.findobj(Text)
        spatial = getattr(axes, "_axis3don", False)
        shown = axes.axison or spatial
        for axis in axes._axis_map.values():
            seen = []
            if spatial:  # their ticks have been moved to where they are seen, and must stay there
                low, high = sorted(axis.get_view_interval())
                seen = [tick for tick in axis.majorTicks if low <= tick.get_loc() <= high]
            elif shown and axis.get_visible():
                seen = axis._update_ticks()
            for tick in itertools.chain(axis.majorTicks, axis.minorTicks):
                if tick not in seen:
                    yield from (tick.label1, tick.label2)
            if not shown or not axis.get_visible():
                yield from (axis.label, axis.offsetText)


def problems(figure, slack=1.0, found=None):
    """What is wrong, a line each: [] where nothing is.

    slack: by how many pixels boxes may stand over the edge or over each other;
    found: texts(figure), if known.
    """
    found = texts(figure) if found is None else found
    width, height = figure.canvas.get_width_height()
    spatial = {text for axes in figure.axes if hasattr(axes, "get_zlim") for text in axes.findobj(Text)}
    lines = []
    for text, box in found:
        if box.x0 < -slack or box.y0 < -slack or box.x1 > width + slack or box.y1 > height + slack:
            lines.append(f"beyond the edge: {text.get_text()!r}")
    for (a, box), (b, other) in itertools.combinations(found, 2):
        if a in spatial and b in spatial:
            continue  # in perspective boxes are wider than their slanting texts
        across = min(box.x1, other.x1) - max(box.x0, other.x0)
        up = min(box.y1, other.y1) - max(box.y0, other.y0)
        if across > slack and up > slack:
            lines.append(f"over each other: {a.get_text()!r} and {b.get_text()!r}")
    return lines
