# SPDX-License-Identifier: Apache-2.0
"""What a panel of a map shows: regions of categories, numbers as colours, contours, boundaries, and their names.

Each function draws on axes whose limits are set; `x` and `y` are their Scales. Functions that take a Room place names
and need axes of their final size.
"""

import matplotlib.patheffects as effects
import numpy as np
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox

from carom.plot import style
from carom.plot.map_layers import NOTHING, number, symbol
from carom.plot.places import CELL, components

SMALL = 8.0  # [points] of names beside lines and on contours
MOST_CONTOUR_SAMPLES, MOST_MESH_CELLS = 400, 800  # each way


# --- regions -----------------------------------------------------------------------------------------


def region_image(axes, layer, entries, indices, x, y):
    """Each cell in the colour of its category."""
    cmap = ListedColormap([entry.colour for entry in entries])
    _image(axes, indices[layer.values], x, y, cmap=cmap, norm=Normalize(-0.5, len(entries) - 0.5))


def _image(axes, values, x, y, **options):
    """Cells around their samples; the axes cut the outer halves off."""
    limits = axes.get_xlim(), axes.get_ylim()
    if x.log or y.log:  # where images are not possible
        rows, columns = (_thinned(n, MOST_MESH_CELLS) for n in values.shape)
        axes.pcolormesh(x.edges(len(columns)), y.edges(len(rows)), values[np.ix_(rows, columns)], rasterized=True,
                        zorder=0, **options)
    else:
        ends = x.edges(len(x.values))[[0, -1]], y.edges(len(y.values))[[0, -1]]
        axes.imshow(values, extent=(*ends[0], *ends[1]), origin="lower", aspect="auto", interpolation="nearest",
                    zorder=0, **options)
    axes.set(xlim=limits[0], ylim=limits[1])


def _runs(values):
    """Stretches of equal values: [(first, last)]."""
    ends = np.flatnonzero(np.diff(values)) + 1
    return list(zip(np.r_[0, ends], np.r_[ends, len(values)] - 1))


def strips(grid):
    """Regions one cell thick along the edges, such as that of a mode which exists only where slip is exactly
    zero: [(value, "x" or "y" across, sample across, first, last)]. Short ones are tips that sampling cut off."""
    found = []
    for across, rows in (("y", grid), ("x", grid.T)):
        if rows.shape[0] < 3:
            continue
        for at, inner in ((0, 1), (rows.shape[0] - 1, rows.shape[0] - 2)):
            for first, last in _runs(rows[at]):
                thin = (rows[inner, first:last + 1] != rows[at, first]).all()
                if thin and last - first + 1 >= max(5, rows.shape[1] // 50):
                    found.append((rows[at, first], across, at, first, last))
    return found


def region_names(axes, room, layer, entries, indices):
    """Strips along the edges, drawn wide enough to be seen, and the names of all regions that have room."""
    grid = indices[layer.values]
    _avoid_thin(room, grid)
    for strip in strips(grid):
        _strip(axes, room, strip, grid.shape, entries)
    shown = grid[np.ix_(*(((np.arange(cells) + 0.5) / cells * (samples - 1) + 0.5).astype(int)
                          for cells, samples in zip(room.shape, grid.shape)))]
    regions = components(shown)
    numbers, sizes = np.unique(regions, return_counts=True)
    placed = 0
    for region in numbers[np.argsort(-sizes, kind="stable")][:60]:
        mask = regions == region
        entry = entries[shown[mask][0]]
        if placed < 24 and entry.colour != NOTHING:
            placed += _region_name(axes, room, mask, entry.name)


def _avoid_thin(room, grid):
    """Columns and rows of one cell, thinner than the cells of the room, become taken."""
    for cells, turned in ((grid, False), (grid.T, True)):
        thin = np.argwhere((cells[:, 1:-1] != cells[:, :-2]) & (cells[:, 1:-1] != cells[:, 2:])) + (0, 1)
        thin = thin[:, ::-1] if turned else thin
        at = (thin / np.maximum(np.array(grid.shape) - 1, 1) * (np.array(room.shape) - 1)).round().astype(int)
        room.taken[at[:, 0], at[:, 1]] = True


def _region_name(axes, room, mask, name):
    """Upright only where it does not fit lying."""
    scale = axes.figure.dpi / 72
    for size in (9.5, SMALL):
        width, height = style.text_width(name, size) * scale, 1.2 * size * scale
        for rotation, box in ((0, (width, height)), (90, (height, width))):
            if rotation and len(name) < 3:
                continue
            at = room.in_region(mask, *box)
            if at is not None:
                _text(axes, room, at, name, size, rotation=rotation)
                return 1
    return 0


def _text(axes, room, cell, text, size, **options):
    """A name centred on a cell, cut off where a user moves the axes' limits."""
    drawn = axes.text(*room.data(*cell), text, fontsize=size, ha="center", va="center", clip_on=True, zorder=5,
                      **options)
    room.take(drawn.get_window_extent())
    return drawn


def _strip(axes, room, strip, shape, entries, thickness=13.0):
    """A strip of some points along an edge, with its name if that fits."""
    value, across, at, first, last = strip
    pixels = axes.figure.dpi / 72
    size = thickness * pixels / (room.box.height if across == "y" else room.box.width)
    along = np.clip([first - 0.5, last + 0.5], 0, None) / (shape[1 if across == "y" else 0] - 1)
    over = (0, size) if at == 0 else (1 - size, 1)
    corners = np.column_stack([along, over] if across == "y" else [over, along])
    box = Bbox(axes.transAxes.transform(np.clip(corners, 0, 1)))
    low, middle, high = axes.transData.inverted().transform([box.min, (box.min + box.max) / 2, box.max])
    entry = entries[value]
    axes.add_patch(Rectangle(low, *(high - low), facecolor=entry.colour, edgecolor="white", linewidth=1, zorder=4))
    if style.text_width(entry.name, SMALL) * pixels + 6 < (box.width if across == "y" else box.height):
        axes.text(*middle, entry.name, fontsize=SMALL, ha="center", va="center", clip_on=True, zorder=5,
                  rotation=0 if across == "y" else 90)
    room.take(box)


# --- numbers -----------------------------------------------------------------------------------------


def colour_image(axes, layer, colours, x, y):
    """Each cell in the colour of its number."""
    _image(axes, np.ma.masked_invalid(layer.values), x, y, cmap=colours.cmap, norm=colours.norm)


def contours(axes, room, layer, colours, x, y, asked):
    """Lines of equal values, those asked for or a few round ones, with their values on them."""
    rows, columns = (_thinned(n, MOST_CONTOUR_SAMPLES) for n in layer.values.shape)
    grid = layer.values[np.ix_(rows, columns)].astype(float)
    if min(grid.shape) < 2 or not np.isfinite(grid).any():
        return
    levels = sorted(set(asked)) if asked else _round_levels(grid, colours)
    grid = np.ma.masked_invalid(_without_leaps(grid, colours.norm.vmax - colours.norm.vmin))
    levels = [level for level in levels if grid.min() < level < grid.max()]
    if not levels:
        return
    inks = ["white" if colours.is_dark(level) else "black" for level in levels]
    lines = axes.contour(x.values[columns], y.values[rows], grid, levels, colors=inks, linewidths=0.9, zorder=2)
    parts = [(level, part.T) for level, segments in zip(lines.levels, lines.allsegs) for part in segments]
    masks = [room.line(*part) for _, part in parts]
    for level, mask in zip((level for level, _ in parts), masks):
        width = style.text_width(number(level), SMALL) * axes.figure.dpi / 72
        if mask.sum() * CELL < 3 * width:
            continue
        at = room.on(mask, room.taken & ~mask, width, 0.7 * width)
        if at is not None:
            axes.clabel(lines, [level], fontsize=SMALL, fmt=number, inline_spacing=2, manual=[room.data(*at)])
            room.take(lines.labelTexts[-1].get_window_extent())
    for text in lines.labelTexts:
        text.set_clip_on(True)


def _without_leaps(grid, size):
    """The numbers without those beside a leap, through which no line of equal values goes."""
    steps = [np.abs(np.diff(grid, axis=axis)) for axis in (0, 1)]
    some = np.concatenate([step[np.isfinite(step)] for step in steps])
    if some.size < 800:
        return grid  # jumps cannot be distinguished from slopes
    most = max(0.12 * size, 20 * np.median(some))
    up, across = (step > most for step in steps)
    smooth = grid.copy()
    smooth[:-1][up] = smooth[1:][up] = smooth[:, :-1][across] = smooth[:, 1:][across] = np.nan
    return smooth


def _thinned(count, most):
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)


def _round_levels(grid, colours):
    """Not where many cells have the very value: the line would be a scribble around them."""
    levels = colours.ticks().tick_values(colours.norm.vmin, colours.norm.vmax)
    return [v for v in levels if np.mean(np.isclose(grid, v, rtol=1e-6, atol=0)) < 0.02]


# --- boundaries --------------------------------------------------------------------------------------


def kind_of(boundary):
    """What distinguishes boundaries; those of several laws may share it."""
    return boundary["name"], boundary["meaning"]


def boundary_lines(axes, layer, dashes, on_colours):
    """The lines known in closed form on which something changes."""
    for boundary in layer.boundaries:
        for line in boundary["lines"]:
            drawn, = axes.plot(line["x"], line["y"], color=style.INK, linewidth=1.2, dash_capstyle="butt", zorder=3,
                               linestyle=dashes[kind_of(boundary)])
            if on_colours:
                drawn.set_path_effects([effects.Stroke(linewidth=2.8, foreground="white", alpha=0.7), effects.Normal()])


def boundary_masks(room, layer):
    """The cells that each boundary passes through; they become taken."""
    return [np.logical_or.reduce([room.line(line["x"], line["y"]) for line in boundary["lines"]], initial=False)
            for boundary in layer.boundaries]


def boundary_names(axes, room, layer, masks, on_colours):
    """Beside each boundary its name, where there is room; the key has them all."""
    pixels = axes.figure.dpi / 72
    for boundary, mask in zip(layer.boundaries, masks):
        if not mask.any():
            continue
        width = style.text_width(boundary["name"], SMALL) * pixels
        at = room.beside(mask, room.taken & ~mask, width, 1.25 * SMALL * pixels)
        if at is None:
            continue
        text = _text(axes, room, at, symbol(boundary["name"]), SMALL)
        if on_colours:
            text.set_bbox({"facecolor": "white", "alpha": 0.65, "edgecolor": "none", "pad": 1.0})
