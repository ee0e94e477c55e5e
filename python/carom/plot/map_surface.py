# SPDX-License-Identifier: Apache-2.0
"""Numbers over two axes as surfaces in perspective."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.ticker import FuncFormatter, MaxNLocator
from mpl_toolkits.mplot3d import Axes3D  # noqa: F401  (makes projection="3d" known)
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from carom.plot import style
from carom.plot.map_layers import ROUND, Scale, agreements, colours_of, fitted, groups_of, number, title_of, widened
from carom.plot.map_panels import columns_for

MOST_SAMPLES = 500  # each way, of one surface; of several fewer, so that a picture takes some seconds
LINES = 30  # of the net on a surface, each way
FEW_FACES = 80  # each way: each has its edges drawn


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
            surface_panel(axes, layer, colours, x, y, 36 * size, int(MOST_SAMPLES / len(layers) ** 0.5))
            axes.set_title(style.wrap(title_of(layer, same), 66 * size, 10.5), y=0.98)
        row += -(-len(group) // columns)
    return figure


class Surface(Poly3DCollection):
    """The faces between points (rows, columns, 3), where all corners are known, and a net of lines on them.

    It projects its faces all at once: one by one, as matplotlib does, 90,000 take six times as long.
    """

    def __init__(self, points, colours):
        corners = np.stack([points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]], axis=2)
        known = np.isfinite(corners).all(axis=(2, 3))
        self.corners = corners[known]
        faces = colours.cmap(colours.norm(self.corners[..., 2].mean(axis=1)))
        edges, width = np.tile((0, 0, 0, 0.35), (len(faces), 1)), 0.25
        if max(known.shape) > FEW_FACES:  # edges would be all that is seen: lines of darker faces instead
            net = np.zeros(known.shape, bool)
            net[::-(-known.shape[0] // LINES)] = net[:, ::-(-known.shape[1] // LINES)] = True
            faces[net[known], :3] *= 0.8
            edges, width = faces, 0.4  # no seams
        self.inks, self.matrix = (faces, edges), None
        super().__init__([], facecolors=faces, edgecolors=edges, linewidths=width, rasterized=True)

    def do_3d_projection(self, *_):
        matrix = self.axes.M
        if not np.array_equal(matrix, self.matrix):
            self.matrix = matrix.copy()
            places = self.corners @ matrix[:, :3].T + matrix[:, 3]
            places = places[..., :3] / places[..., 3:]
            self.depth = places[..., 2].mean(axis=1)
            order = np.argsort(-self.depth, kind="stable")  # the farthest first
            PolyCollection.set_verts(self, places[order, :, :2])
            self._facecolors2d, self._edgecolors2d = (ink[order] for ink in self.inks)
        return self.depth.min()


def surface_panel(axes, layer, colours, x, y, room=220, most=MOST_SAMPLES):
    """One surface; what lies beyond the scale is cut off. Labels are no longer than the room [points], and there are
    at most so many samples each way."""
    rows, columns = (np.linspace(0, n - 1, min(n, most)).round().astype(int) for n in layer.values.shape)
    values = layer.values[np.ix_(rows, columns)].astype(float)
    low, high = colours.norm.vmin, colours.norm.vmax
    values[~((values >= low) & (values <= high))] = np.nan
    across, along = np.meshgrid(x.drawn(x.values[columns]), y.drawn(y.values[rows]))
    if min(values.shape) > 1 and np.isfinite(values).any():
        axes.add_collection3d(Surface(np.stack([across, along, values], axis=-1), colours))
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
