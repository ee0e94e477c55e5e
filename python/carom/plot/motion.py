# SPDX-License-Identifier: Apache-2.0
"""A motion: scenes, paths, and what happens over time (`carom simulate --plot`).

`draw` makes the whole figure. Each panel is a function of its own, for axes of your own:

    axes = figure.subplots()
    carom.plot.motion.coordinates(axes, record, ["block.x", "block.y"])
"""

import numpy as np
from carom.plot import bodies, scene, style, units
from carom.plot.scene import short
from matplotlib.collections import BrokenBarHCollection, LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

WIDTH = 9.6  # of the figure [inches]
COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
DASHES = ("-", (0, (7, 2)), (0, (2, 1.5)), (0, (8, 2, 2, 2)), (0, (4, 1, 1, 1, 1, 1)), (0, (1, 1)))
MOST_LINES = len(COLOURS)
MOST_ROWS = 24  # of contacts in one panel; more are counted

#: How what a contact does is shaded, and what a legend says.
STATES = {
    "stick": (dict(facecolor="#b5cde8", edgecolor="none"), "stick"),
    "slip": (dict(facecolor="#fbd5ae", edgecolor="none"), "slip"),
    "slip+": (dict(facecolor="#fbd5ae", edgecolor="none"), "slip, $v_t > 0$"),
    "slip-": (dict(facecolor="#f6efb4", edgecolor="#b8a94a", hatch="////", linewidth=0.0), "slip, $v_t < 0$"),
    "open": (dict(facecolor="white", edgecolor=style.SOFT, linewidth=0.6), "open"),
}
UNITS = {"m": "position", "rad": "angle", "": "quaternion", "m/s": "velocity", "rad/s": "angular velocity"}


def look(k):
    """Colour and dashes of a panel's line; they are the same only after 36 lines."""
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[(k + k // len(COLOURS)) % len(DASHES)]}


def beside(axes, **more):
    """The legend, to the right of the axes."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), borderaxespad=0, labelspacing=0.35, **more)


# --- over time ------------------------------------------------------------------------------------------------


def coordinates(axes, record, names):
    """Positions or velocities of one unit over time."""
    chosen = [c for c in record["positions"] + record["velocities"] if c["name"] in names]
    for k, position in enumerate(chosen):
        axes.plot(record["time"], position["values"], label=short(position["name"]), **look(k))
    unit = chosen[0]["unit"]
    units.label_axis(axes.yaxis, UNITS.get(unit, "position"), unit, [p["values"] for p in chosen])
    beside(axes)


def spans(contact):
    """What a contact does: {"stick": [(from, length), ...], ...}."""
    found = {}
    for begin, end, state in contact["phases"]:
        found.setdefault(_state(contact, state), []).append((begin, end - begin))
    return found


def _state(contact, state):
    """Without friction it does not matter which way a contact slips."""
    return "slip" if contact["static_friction"] == 0 and state != "stick" else state


def contact_velocity(axes, record, name):
    """The velocities at one contact over time, with what it does shaded and its impacts ticked at the lower edge."""
    contact = next(c for c in record["contacts"] if c["name"] == name)
    normal, *tangential = np.array(contact["velocity"], float)
    plane = len(tangential) == 1
    slip = tangential[0] if plane else np.hypot(*tangential)
    for state, stretches in spans(contact).items():
        shade = BrokenBarHCollection(stretches, (0, 1), transform=axes.get_xaxis_transform(), zorder=0.4,
                                     **STATES[state][0])
        axes.add_collection(shade, autolim=False)
    axes.plot(record["time"], normal, label="$v_n$", **look(0))
    axes.plot(record["time"], slip, label="$v_t$" if plane else "slip speed", **look(1))
    ticks = [[(t, 0), (t, 0.07)] for t in contact["impacts"]]
    ticks = LineCollection(ticks, transform=axes.get_xaxis_transform(), colors="black", linewidths=0.9)
    axes.add_collection(ticks, autolim=False)
    axes.axhline(0, color=style.SOFT, linewidth=0.6, zorder=0.9)
    values = [normal, slip]
    fastest = fastest_point(record)
    if np.fmax.reduce(np.abs(values), axis=None, initial=0) <= 1e-6 * fastest:  # what integration leaves of zero is not to fill the panel
        axes.set_ylim(-fastest, fastest)
        values = [fastest]
    units.label_axis(axes.yaxis, "velocity", "m/s", values, 4)
    axes.set_title(f"contact {short(name, 380, 9.5)}", loc="left", fontsize=9.5, pad=3)
    beside(axes)


def fastest_point(record):
    """About the largest speed of any point [m/s]; 1 where all rest."""
    arm = max((bodies.reach(body) for body in record["bodies"]), default=1.0)  # 1 m where no shapes are known
    speeds = [(1.0 if v["unit"] == "m/s" else arm) * np.nanmax(np.abs(v["values"])) for v in record["velocities"]]
    return max(speeds, default=0.0) or 1.0


def contact_rows(axes, record):
    """What all contacts that touch do, a row each."""
    shown = record["contacts"]
    for row, contact in enumerate(shown):
        for state, stretches in spans(contact).items():
            axes.broken_barh(stretches, (row - 0.38, 0.76), **STATES[state][0])
        axes.vlines(contact["impacts"], row - 0.38, row - 0.02, color="black", linewidth=0.8)
    for width in (80, 110, 140, 170):  # as short as they are different
        names = [short(c["name"], width) for c in shown]
        if len(set(names)) == len(names):
            break
    axes.set_yticks(range(len(shown)), names, fontsize=8)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.grid(False, axis="y")
    touching = record["contacts_touching"]
    count = f", {len(shown)} of {touching} that touch" if len(shown) < touching else ""
    axes.set_title(f"contacts{count}", loc="left", fontsize=9.5, pad=3)


def contact_counts(axes, record):
    """How many contacts stick and how many slip, over time."""
    below = np.zeros(len(record["time"]))
    for state in ("stick", "slip"):
        above = below + np.array(record["contact_counts"][state], float)
        shade, words = STATES[state]
        if np.any(above > below):
            axes.fill_between(record["time"], below, above, step="post", label=words, zorder=1, **shade)
            axes.plot(record["time"], above, drawstyle="steps-post", color=style.SOFT, linewidth=0.5)
        below = above
    axes.set_ylim(0, 1.05 * max(np.max(below), 1))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10], integer=True))
    axes.set_ylabel("contacts")
    words = f"contacts that stick and slip, of {record['contacts_touching']} that touch at some time"
    axes.set_title(words, loc="left", fontsize=9.5, pad=3)
    beside(axes)


def state_handles(record):
    """For a legend: how the contacts of the record are shaded, and ticks of impacts."""
    found = {_state(c, state) for c in record["contacts"] for _, _, state in c["phases"]}
    handles = [Patch(label=words, **shade) for state, (shade, words) in STATES.items() if state in found | {"open"}]
    if any(contact["impacts"] for contact in record["contacts"]):
        handles.append(Line2D([], [], color="black", marker="|", markersize=7, linestyle="none", label="impact"))
    return handles


def energy(axes, record):
    """Kinetic and potential energy, the latter above its least value, so that losses are seen, and their sum."""
    kinetic, potential = (np.array(record["energy"][key], float) for key in ("kinetic", "potential"))
    above = potential - np.min(potential)
    least = 1e-9 * np.max(np.abs(potential))  # what computing leaves of zero is not to fill the panel
    lines = ((kinetic, "kinetic"), (above, "potential, above\nits least value"), (kinetic + above, "sum"))
    for k, (values, name) in enumerate(lines):
        axes.plot(record["time"], values, label=name, **look(k))
    if np.max(kinetic + above) < least:
        axes.set_ylim(-0.1 * least, least)
    units.label_axis(axes.yaxis, "energy", "J", np.append(kinetic + above, least))
    axes.axhline(0, color=style.SOFT, linewidth=0.6, zorder=0.9)
    beside(axes)


def works(axes, record):
    """Where the energy went since the start: contacts, drives, dampers, position corrections. Losses are negative."""
    shown = record["energy"]["works"]
    for k, work in enumerate(shown):
        axes.plot(record["time"], work["values"], label=short(work["name"]), **look(k))
    units.label_axis(axes.yaxis, "gain and loss", "J", [w["values"] for w in shown])
    axes.axhline(0, color=style.SOFT, linewidth=0.6, zorder=0.9)
    beside(axes, fontsize=8 if len(shown) > 6 else 9)


def histories(record):
    """Panels: [(height [inches], function of axes and record)]. Those named `legend` have no axis of time."""
    picture = record["picture"]
    panels = []
    for view in picture["views"]:
        if view == "positions":
            wanted = picture["positions"] + picture["velocities"]
            chosen = [c for c in record["positions"] + record["velocities"] if c["name"] in wanted]
            for unit in dict.fromkeys(c["unit"] for c in chosen):
                names = [c["name"] for c in chosen if c["unit"] == unit]
                for k in range(0, len(names), MOST_LINES):
                    panels.append((1.35, _bound(coordinates, names[k : k + MOST_LINES])))
        elif view == "contacts" and record["contacts"]:
            many = record["contacts_touching"] > MOST_ROWS
            if many:
                panels.append((1.4, contact_counts))
            if picture["contacts"] or not many:
                panels.append((0.2, legend))
            if len(record["contacts"]) > len(picture["contacts"]) and not many:
                panels.append((0.35 + 0.155 * len(record["contacts"]), contact_rows))
            panels += [(1.15, _bound(contact_velocity, name)) for name in picture["contacts"]]
        elif view == "energy":
            panels.append((1.4, energy))
            if record["energy"]["works"]:
                panels.append((max(1.4, 0.45 + 0.155 * len(record["energy"]["works"])), works))
    return panels


def legend(axes, record):
    """How contacts are shaded."""
    handles = state_handles(record)
    legend_panel(axes, handles, len(handles))


def _bound(function, what):
    return lambda axes, record: function(axes, record, what)


# --- where bodies go ------------------------------------------------------------------------------------------


class Cell:
    """A picture with equal scales: its title, what is seen, and a function that draws it on axes."""

    def __init__(self, title, window, draw, paths=True):
        self.title, self.window, self.draw, self.paths = title, window, draw, paths
        self.wide = float(np.clip(window.aspect, 0.4 if title.startswith("t = ") else 0.8, 5.0))


def time_text(time, record, times=()):
    """ "t = 12.5 ms", with as many digits as the length of the record, or the distance of `times`, asks for. """
    power = units.power_of("s", record["time"][-1])
    length = (record["time"][-1] - record["time"][0]) / 10.0**power
    decimals = int(np.clip(3 - np.ceil(np.log10(length)), 0, 12)) if length > 0 else 3
    apart = np.min(np.diff(np.unique(times)), initial=np.inf) / 10.0**power
    if apart < 10.0**-decimals:
        decimals = int(np.clip(-np.floor(np.log10(apart)), 0, 12))
    return f"t = {time / 10.0**power:.{decimals}f} {units.prefixed(power, 's')}"


def scene_times(record, count):
    """picture.times, or evenly from the start until all rests."""
    chosen = record["picture"].get("times")
    return np.array(chosen) if chosen else np.linspace(record["time"][0], scene.moving_until(record), count)


def travels(record, window):
    """Do bodies go so far to the side that their pictures at several times fit into one?"""
    if window.aspect > 3:
        return True
    for body in bodies.moving_bodies(record):
        points = bodies.path(record, body, scene.all_times(record))
        across = np.linalg.norm(np.ptp(points[:, : points.shape[1] - 1], axis=0))
        if across > 5 * bodies.reach(body):
            return True
    return False


def scene_cells(record):
    """Bodies at some times: in one picture where they go far, else in a strip of pictures. Cells, and how many a row has."""
    camera = bodies.OBLIQUE if record["dimensions"] == 3 else None
    window = scene.Window(record, camera)
    if travels(record, window) and not scene.many(record):
        times = scene_times(record, 9)

        def draw(axes):
            spacing = scene.strobe(axes, record, times, window, camera)
            if spacing:
                axes.set_xlabel(f"grid: {scene.length_text(spacing)}", fontsize=8)

        return [Cell(strobe_words(record, times), window, draw)], 1
    count = int(np.clip(np.floor(9.2 / (1.35 * window.aspect + 0.1)), 3, 8))
    rows = 1
    if scene.many(record):  # larger pictures, at least four of them
        count = int(np.clip(np.floor(9.2 / (2.4 * window.aspect + 0.1)), 2, 5))
        rows = -(-4 // count)
    cells = []
    times = scene_times(record, count * rows)
    for k, time in enumerate(times):

        def draw(axes, time=time, first=k == 0):
            spacing = scene.frame(axes, record, time, window, camera)
            if first and spacing:
                axes.set_xlabel(f"grid: {scene.length_text(spacing)}", fontsize=8)
            if first and not spacing:
                scene.scale_bar(axes, window)

        cells.append(Cell(time_text(time, record, times), window, draw, paths=False))
    rows = -(-len(cells) // count)
    return cells, -(-len(cells) // rows)


def strobe_words(record, times):
    """ "0.0 s to 0.8 s, every 0.1 s; later is stronger" """
    even = len(times) > 2 and np.allclose(np.diff(times), times[1] - times[0])
    texts = [time_text(t, record, () if even else times)[4:] for t in times]
    if len(times) == 1:
        return texts[0]
    words = f"{texts[0]} to {texts[-1]}, {len(times)} times" if even else ", ".join(texts)
    return words + "; later is stronger"


def path_cells(record, view):
    """Paths: y over x in the plane; from above in space, and for the view "path" from the side too."""
    end = ", at the end" if scene.many(record) else ""
    kinds = [("at the end" if end else "path", None, ("x", "y"))]
    if record["dimensions"] == 3:
        above = scene.Window(record, bodies.ABOVE)
        wide = above.size[0] >= above.size[1]
        kinds = [("from above" + end, bodies.ABOVE, ("x", "y"))]
        if view == "path":
            side = bodies.ALONG_Y if wide else bodies.ALONG_X
            kinds.append(("from the side" + end, side, ("x" if wide else "y", "z")))
    cells = []
    for title, camera, names in kinds:
        window = scene.Window(record, camera)
        cells.append(Cell(title, window, lambda axes, w=window, c=camera, n=names: scene.paths(axes, record, w, c, n)))
    return cells


class Block:
    """Cells in rows of one height; all scenes are one block, so that they have one scale."""

    def __init__(self, cells, columns):
        self.cells, self.columns, self.rows = cells, columns, -(-len(cells) // columns)

    @property
    def widths(self):
        """Of the columns, in units of the height."""
        return [cell.wide for cell in self.cells[: self.columns]]

    def height(self, highest, width=WIDTH - 0.2):
        """Of a row, without title [inches]."""
        return float(np.clip((width - 0.3 * self.columns) / sum(self.widths), 1.0, highest))


def picture_blocks(record):
    """Scenes and paths. Single pictures share a row where they fit."""
    views = record["picture"]["views"]
    blocks = []
    for view in views:
        new = []
        if view == "scene":
            new = [Block(*scene_cells(record))]
        elif view == "path" or (view == "top" and "path" not in views):
            new = [Block([cell], 1) for cell in path_cells(record, view)]
        for block in new:
            before = blocks[-1].cells if blocks else []
            if len(block.cells) == len(before) == 1 and block.cells[0].window.aspect + before[0].window.aspect < 5.5:
                blocks[-1] = Block(before + block.cells, 2)
            else:
                blocks.append(block)
    return blocks


# --- the whole ------------------------------------------------------------------------------------------------


def legend_rows(handles, size=9, width=WIDTH - 0.5):
    """How many columns and rows a legend of these takes."""
    if not handles:
        return 1, 0
    widest = max(style.text_width(h.get_label(), size) for h in handles) + 46
    columns = int(max(1, min(len(handles), 72 * width // widest)))
    return columns, -(-len(handles) // columns)


def legend_panel(axes, handles, columns):
    axes.axis("off")
    axes.legend(handles=handles, loc="center", ncol=columns, borderaxespad=0, handlelength=1.6, columnspacing=1.4)


def draw(record):
    """The figure that `picture.views` asks for."""
    record = bodies.with_arrays(record)
    picture = record["picture"]
    panels = histories(record)
    pictures = picture_blocks(record)
    paths = not scene.many(record) and any(cell.paths for block in pictures for cell in block.cells)
    marks = scene.handles(record, paths) if paths or (pictures and len(scene.travellers(record)) > 1) else []
    columns, lines = legend_rows(marks)
    heights = [block.rows * (block.height(2.6 if panels else 4.0) + 0.5) for block in pictures]
    top = sum(heights) + 0.22 * lines
    bottom = sum(height + 0.2 for height, _ in panels) + (0.4 if panels else 0)
    figure = style.figure(WIDTH, 0.7 + top + bottom + (0.25 if picture["note"] else 0))
    style.heading(figure, picture["title"], picture["subtitle"])
    blocks = [height for height in (top, bottom) if height]
    outer = figure.add_gridspec(len(blocks), 1, height_ratios=blocks)
    if pictures:
        ratios = heights + ([0.22 * lines] if lines else [])
        grid = outer[0].subgridspec(len(ratios), 1, height_ratios=ratios)
        for k, block in enumerate(pictures):
            places = grid[k].subgridspec(block.rows, block.columns, width_ratios=block.widths)
            for cell, place in zip(block.cells, places):
                axes = figure.add_subplot(place)
                share = cell.wide / sum(block.widths)
                axes.set_title(style.wrap(cell.title, 72 * (share * WIDTH - 0.4), 9.5), fontsize=9.5)
                cell.draw(axes)
        if lines:
            legend_panel(figure.add_subplot(grid[-1]), marks, columns)
    if panels:
        _over_time(figure, outer[-1], record, panels)
    if picture["note"]:
        _note(figure, picture["note"])
    return figure


def _over_time(figure, place, record, panels):
    grid = place.subgridspec(len(panels), 1, height_ratios=[height for height, _ in panels])
    timed = []
    for k, (_, panel) in enumerate(panels):
        if panel is legend:
            legend(figure.add_subplot(grid[k]), record)
            continue
        axes = figure.add_subplot(grid[k], sharex=timed[0] if timed else None)
        timed.append(axes)
        panel(axes, record)
        axes.tick_params(labelbottom=k + 1 == len(panels))
    figure.align_ylabels(timed)
    units.label_axis(axes.xaxis, "time", "s", record["time"], 8)
    begin, end = record["time"][0], record["time"][-1]
    margin = 0.008 * (end - begin) or 0.5  # so that a jump at the start is seen
    axes.set_xlim(begin - margin, end + margin)


def _note(figure, note):
    engine = figure.get_layout_engine()
    left, low, width, high = engine.get()["rect"]
    room = 18 / (72 * figure.get_figheight())
    engine.set(rect=(left, low + room, width, high - room))
    figure.text(0.012, 6 / (72 * figure.get_figheight()), style.plain(note), fontsize=8.5, color=style.SOFT)
