# SPDX-License-Identifier: Apache-2.0
"""Maps over two axes: a panel for each layer, regions of categories or numbers as colours."""

from dataclasses import dataclass, field

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from carom.plot import style
from carom.plot.map_areas import (boundary_lines, boundary_masks, boundary_names, colour_image, contours, kind_of,
                                  region_image, region_names, strips)
from carom.plot.map_layers import (Palette, Scale, agreements, colours_of, fitted, groups_of,
                                   layers_of, number, percent, symbol, title_of)
from carom.plot.places import Room

KEY_WIDTH = 2.85  # [inches] of a key with words
#: Dashes of boundaries, so that the key shows which is which. Solid lines are for contours where there are any.
DASHES = ("-", (0, (7, 2.5)), (0, (7, 2, 1.5, 2)), (0, (3, 1.5)), (0, (7, 2, 1.5, 2, 1.5, 2)), (0, (1.5, 1)),
          (0, (14, 3)), (0, (5, 5)), (0, (14, 2, 3, 2)), (0, (3, 2, 1, 2)), (0, (5, 1.5, 5, 1.5, 1, 1.5)),
          (0, (10, 2, 1, 2, 1, 2, 1, 2)))
DOTS = (0, (1, 2.5))


@dataclass
class Group:
    """Layers that share colours and a key, and their axes."""

    layers: list
    entries: list = field(default_factory=list)  # of categories
    indices: list = field(default_factory=list)
    colours: object = None  # of numbers
    handles: list = field(default_factory=list)  # of the key
    axes: list = field(default_factory=list)
    rows: int = 1


def draw(record, layers):
    """The figure of a record with two axes."""
    x, y = Scale(record["x"]), Scale(record["y"])
    palette = Palette()
    groups = [_coloured(members, palette) for members in groups_of(layers)]
    dashes = _dashes(layers, groups)
    figure = _frame(record, groups, x, y, dashes)
    for group in groups:
        for k, axes in enumerate(group.axes):
            _fill(axes, group, k, x, y, dashes)
    figure.get_layout_engine().execute(figure)  # from here on the axes have their size
    for group in groups:
        for k, axes in enumerate(group.axes):
            _name(axes, group, k, x, y, record["contours"])
    return figure


def panel(axes, record, layer=0):
    """One layer on axes of your own, which have their size already: area, contours, boundaries, names.

    Returns what its key explains, as handles for a legend. A colour bar can be made of axes.images[0].
    """
    x, y = Scale(record["x"]), Scale(record["y"])
    group = _coloured([layers_of(record)[layer]], Palette())
    dashes = _dashes(group.layers, [group])
    axes.grid(False)
    x.apply(axes.xaxis, 7)
    y.apply(axes.yaxis, 7)
    axes.set(title=title_of(group.layers[0], None), xlabel=" ".join(x.label).strip(), ylabel=" ".join(y.label).strip())
    _fill(axes, group, 0, x, y, dashes)
    _name(axes, group, 0, x, y, record["contours"])
    return _handles(group, x, y, dashes, set(), KEY_WIDTH)


def _coloured(layers, palette):
    if layers[0].categories:
        return Group(layers, *palette.colours(layers))
    return Group(layers, colours=colours_of(layers))


def _fill(axes, group, k, x, y, dashes):
    """Colours and boundaries."""
    if group.colours:
        colour_image(axes, group.layers[k], group.colours, x, y)
    else:
        region_image(axes, group.layers[k], group.entries, group.indices[k], x, y)
    boundary_lines(axes, group.layers[k], dashes, on_colours=bool(group.colours))


def _name(axes, group, k, x, y, levels):
    """Contours and all names."""
    room = Room(axes)
    masks = boundary_masks(room, group.layers[k])
    if group.colours:
        contours(axes, room, group.layers[k], group.colours, x, y, levels)
    else:
        region_names(axes, room, group.layers[k], group.entries, group.indices[k])
    boundary_names(axes, room, group.layers[k], masks, on_colours=bool(group.colours))


# --- the page ----------------------------------------------------------------------------------------


def columns_for(count):
    """How many panels of one quantity stand side by side."""
    return count if count <= 3 else 2 if count == 4 else 3 if count <= 9 else 4


def panel_size(columns, rows):
    """[inches]"""
    if columns == 1:
        return (5.2, 4.0) if rows == 1 else (4.8, 2.6)
    return {2: (3.7, 2.9), 3: (2.9, 2.3)}.get(columns, (2.5, 2.0))


def _frame(record, groups, x, y, dashes):
    """The figure with heading, empty axes, colour bars and keys."""
    columns = max(columns_for(len(group.layers)) for group in groups)
    stacks = 2 if columns == 1 and len(groups) > 3 else 1  # many quantities of one law: two stacks
    each = -(-len(groups) // stacks)
    for group in groups:
        group.rows = -(-len(group.layers) // columns)
    in_stack = [groups[s * each:(s + 1) * each] for s in range(stacks)]
    rows = max(sum(group.rows for group in stack) for stack in in_stack)
    width, height = panel_size(columns, rows)
    key = _key_width(groups, x, y, dashes, height)
    explained = set()
    for group in groups:
        room = key - _bar_width(group, height) if group.colours else key
        group.handles = _handles(group, x, y, dashes, explained, room)
    heights = []
    for row in range(rows):
        heights.append(max(_row_height(stack, row, height) for stack in in_stack))
    figure = style.figure(stacks * (columns * (width + 0.15) + key + 0.75), sum(heights) + rows * 0.35 + 1.0)
    grid = figure.add_gridspec(rows, stacks * (columns + 1), height_ratios=heights,
                               width_ratios=([width] * columns + [key]) * stacks)
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.06, wspace=0.01, hspace=0.01)
    style.heading(figure, record["picture"]["title"], record["picture"]["subtitle"])
    first = None
    for s, stack in enumerate(in_stack):
        row = 0
        for group in stack:
            for k, layer in enumerate(group.layers):
                axes = figure.add_subplot(grid[row + k // columns, s * (columns + 1) + k % columns],
                                          sharex=first, sharey=first)
                first = first or axes
                group.axes.append(axes)
                axes.grid(False)
            _titles(group, width)
            _key(figure.add_subplot(grid[row, s * (columns + 1) + columns]), group, key, height)
            row += group.rows
    x.apply(first.xaxis, max(2, int(width / 0.55)))
    y.apply(first.yaxis, max(2, int(height / 0.4)))
    for s, stack in enumerate(in_stack):
        _label_outer([axes for group in stack for axes in group.axes], x, y, width, height)
    return figure


def _key_width(groups, x, y, dashes, height):
    """Of the widest key: a colour bar with words beside it, words alone, or a bar alone [inches]."""
    explained = set()
    words = [bool(_handles(group, x, y, dashes, explained, KEY_WIDTH)) for group in groups]
    bars = [_bar_width(group, height) if group.colours else 0.0 for group in groups]
    return max(KEY_WIDTH * word + bar for word, bar in zip(words, bars))


def _row_height(stack, row, height):
    """A row is as high as its panels, or higher where the key of a group needs the room [inches]."""
    for group in stack:
        if row < group.rows:
            lines = sum(1 + handle.get_label().count("\n") for handle in group.handles)
            return max(height, (lines * 10.5 + len(group.handles) * 4.8) / 72 / group.rows - 0.1)
        row -= group.rows
    return height


def _titles(group, width):
    """Above each panel what it shows and under which law, and whether a panel before shows the same."""
    for axes, layer, same in zip(group.axes, group.layers, agreements(group.layers)):
        axes.set_title(style.wrap(title_of(layer, same), 72 * width, 10.5))


def _label_outer(all_axes, x, y, width, height):
    """Numbers and words beside the outer panels only."""
    def place(axes):
        return axes.get_subplotspec().rowspan.start, axes.get_subplotspec().colspan.start
    leftmost = min(place(axes)[1] for axes in all_axes)
    for axes in all_axes:
        row, column = place(axes)
        lowest = row == max(place(other)[0] for other in all_axes if place(other)[1] == column)
        axes.tick_params(labelbottom=lowest, labelleft=column == leftmost, which="both")
        if lowest:
            axes.set_xlabel(fitted(x.label, 72 * width))
        if column == leftmost:
            axes.set_ylabel(fitted(y.label, 72 * height))


# --- keys --------------------------------------------------------------------------------------------


def _key(axes, group, width, height):
    """A colour bar, and a legend of all else, which may go on below."""
    axes.axis("off")
    if group.colours:
        bar = axes.figure.colorbar(ScalarMappable(group.colours.norm, group.colours.cmap),
                                   cax=axes.inset_axes([0, 0, 0.15 / width, 1]), extend=group.colours.extend,
                                   ticks=group.colours.ticks(), format=lambda value, _: number(value, 7))
        bar.minorticks_off()
        bar.set_label(_bar_label(group, height))
    if group.handles:
        left = _bar_width(group, height) / width if group.colours else 0.0
        axes.legend(handles=group.handles, loc="upper left", bbox_to_anchor=(left, 1), borderaxespad=0, borderpad=0,
                    handlelength=2.4, handleheight=1.1, labelspacing=0.55, fontsize=8.5).set_in_layout(False)


def _bar_label(group, height):
    return fitted(group.layers[0].label, 72 * height)


def _bar_width(group, height):
    """Of a colour bar with numbers and words [inches]."""
    ticks = group.colours.ticks().tick_values(group.colours.norm.vmin, group.colours.norm.vmax)
    widest = max(style.text_width(number(tick, 7), 9.5) for tick in ticks)
    return 0.15 + (widest + 12 * _bar_label(group, height).count("\n") + 38) / 72


def _handles(group, x, y, dashes, explained, width):
    """What the key explains in lines no wider than this [inches]: categories, boundaries that no key above has
    explained, what is undefined or beyond the colours."""
    handles = []

    def words(text):
        return style.wrap(text, 72 * width - 32, 8.5)

    if group.colours:
        if max(group.colours.undefined) > 0:
            handles.append(Patch(facecolor=group.colours.cmap.get_bad(), edgecolor=style.SOFT, linewidth=0.6,
                                 label=words("undefined, " + _shares(group.colours.undefined))))
    for k, entry in enumerate(group.entries):
        where = _only_at(group, k, x, y)
        text = f"{entry.name} ({_shares(entry.shares)})"
        meaning = "" if entry.meaning == entry.label else style.plain(entry.meaning)
        meaning += "; " * bool(meaning and where) + where
        handles.append(Patch(facecolor=entry.colour, edgecolor=style.SOFT, linewidth=0.6,
                             label=words(text) + ("\n" + words(meaning) if meaning else "")))
    for boundary in (boundary for layer in group.layers for boundary in layer.boundaries):
        if kind_of(boundary) not in explained and _crosses(boundary, x, y):
            explained.add(kind_of(boundary))
            handles.append(Line2D([], [], color=style.INK, linewidth=1.2, linestyle=dashes[kind_of(boundary)],
                                  label="\n".join(words(t) for t in (symbol(boundary["name"]),
                                                                      style.plain(boundary["meaning"])))))
    if group.colours and group.colours.extend != "neither":
        handles.append(Line2D([], [], linestyle="none", label=words(_beyond(group.colours))))
    return handles


def _shares(shares):
    """Of one layer "34.0 %"; of two or three in their order; of many from the least to the greatest."""
    if len(shares) <= 3:
        return ", ".join(percent(share) for share in shares)
    low, high = percent(min(shares)), percent(max(shares))
    return low if low == high else f"{low} to {high}"


def _beyond(colours):
    """"values reach −3 and 300"."""
    ends = [number(end, 2) for end, cut in zip((colours.least, colours.greatest), colours.cut) if cut]
    return "beyond the colours values reach " + " and ".join(ends)


def _dashes(layers, groups):
    """The dashes of each boundary: by its name and meaning."""
    dashes = {}
    patterns = DASHES[1:] if any(group.colours for group in groups) else DASHES
    for boundary in (boundary for layer in layers for boundary in layer.boundaries):
        if boundary["kind"] == "reference":
            dashes[kind_of(boundary)] = DOTS
        else:
            used = sum(pattern != DOTS for pattern in dashes.values())
            dashes.setdefault(kind_of(boundary), patterns[used % len(patterns)])
    return dashes


def _crosses(boundary, x, y):
    """Is any of its lines in the panel?"""
    def inside(values, scale):
        low, high = sorted(scale.limits())
        return (np.asarray(values) >= low) & (np.asarray(values) <= high)
    return any((inside(line["x"], x) & inside(line["y"], y)).any() for line in boundary["lines"])


def _only_at(group, entry, x, y):
    """"only at μ = 0, drawn wider", where a category has no other cells than those of strips."""
    where = []
    for layer, indices in zip(group.layers, group.indices):
        grid = indices[layer.values]
        cells = int((grid == entry).sum())
        for value, across, at, first, last in strips(grid):
            if value == entry:
                cells -= last - first + 1
                scale = y if across == "y" else x
                where.append(f"{scale.short} = {number(scale.values[at])}")
        if cells > 0:
            return ""
    return style.plain(f"only at {', '.join(dict.fromkeys(where))}, drawn wider") if where else ""
