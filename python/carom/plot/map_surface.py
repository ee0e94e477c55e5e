# SPDX-License-Identifier: Apache-2.0
"""Numbers over two axes as surfaces in perspective."""

import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator
from mpl_toolkits.mplot3d import Axes3D  # noqa: F401  (makes projection="3d" known)

from carom.plot import style
from carom.plot.map_layers import ROUND, Scale, agreements, colours_of, fitted, groups_of, number, title_of, widened
from carom.plot.map_panels import columns_for

MOST_LINES = 70  # of the net on a surface, each way


def draw(record, layers):
    """A surface for each layer; those of one quantity share scale and colours."""
    x, y = Scale(record["x"]), Scale(record["y"])
    groups = groups_of(layers)
    columns = max(columns_for(len(group)) for group in groups)
    rows = sum(-(-len(group) // columns) for group in groups)
    size = {1: 6.4, 2: 4.8}.get(columns, 4.0)
    figure = style.figure(columns * size, rows * 0.76 * size + 0.7)
    style.heading(figure, record["picture"]["title"], record["picture"]["subtitle"])
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.12)
    grid = figure.add_gridspec(rows, columns)
    row = 0
    for group in groups:
        colours = colours_of(group)
        for k, (layer, same) in enumerate(zip(group, agreements(group))):
            axes = figure.add_subplot(grid[row + k // columns, k % columns], projection="3d")
            surface_panel(axes, layer, colours, x, y, 36 * size)
            axes.set_title(style.wrap(title_of(layer, same), 66 * size, 10.5), y=0.98)
        row += -(-len(group) // columns)
    return figure


def surface_panel(axes, layer, colours, x, y, room=220):
    """One surface; what lies beyond the scale is cut off. Labels are no longer than the room [points]."""
    rows, columns = (np.linspace(0, n - 1, min(n, MOST_LINES)).round().astype(int) for n in layer.values.shape)
    values = layer.values[np.ix_(rows, columns)].astype(float)
    low, high = colours.norm.vmin, colours.norm.vmax
    values[~((values >= low) & (values <= high))] = np.nan
    across, along = np.meshgrid(x.drawn(x.values[columns]), y.drawn(y.values[rows]))
    if min(values.shape) > 1 and np.isfinite(values).any():
        axes.plot_surface(across, along, values, rstride=1, cstride=1, cmap=colours.cmap, norm=colours.norm,
                          edgecolor=(0, 0, 0, 0.35), linewidth=0.25, antialiased=True, shade=False, rasterized=True)
    shown = widened(max(low, colours.least), min(high, colours.greatest))
    axes.set(xlim=x.drawn(x.limits()), ylim=y.drawn(y.limits()), zlim=shown)
    for axis, scale in ((axes.xaxis, x), (axes.yaxis, y)):
        axis.set_major_locator(scale.ticks(6))
        if scale.log:
            axis.set_major_formatter(FuncFormatter(lambda value, _: number(10.0 ** value, 4)))
    axes.zaxis.set_major_locator(MaxNLocator(6, steps=ROUND))
    axes.set_xlabel(fitted(x.label, 0.6 * room), labelpad=8)
    axes.set_ylabel(fitted(y.label, 0.6 * room), labelpad=8)
    height = fitted(layer.label, room)
    axes.set_zlabel(height, labelpad=6 + 8 * height.count("\n"))
    if "\n" in axes.get_xlabel() + axes.get_ylabel():
        axes.set_box_aspect(None, zoom=0.86)  # room for a second line below
    axes.view_init(elev=28, azim=-125)
