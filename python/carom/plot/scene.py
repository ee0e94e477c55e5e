# SPDX-License-Identifier: Apache-2.0
"""Where bodies go: scenes at some times, paths, views from above. All on axes with equal scales."""

import collections
import re

import numpy as np
from carom.plot import bodies, planes, style, units
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.transforms import ScaledTranslation

COLOURS = (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE, style.AMBER, style.SKY)
GROUND, STILL = "#e3e5e8", "#8b949e"
#: What bodies that are called so look like.
NAMED = {"blue": style.BLUE, "navy": style.BLUE, "red": style.ORANGE, "crimson": style.ORANGE, "green": style.GREEN,
         "purple": style.PURPLE, "violet": style.PURPLE, "magenta": style.PURPLE, "pink": style.PURPLE,
         "orange": style.AMBER, "amber": style.AMBER, "gold": style.AMBER, "yellow": "#C9B400", "cyan": style.SKY,
         "sky": style.SKY, "turquoise": style.SKY, "black": style.INK, "white": "#b6bec7", "grey": STILL,
         "gray": STILL, "silver": STILL, "brown": "#8C6D31"}
MOST_IN_LEGEND = 8
MOST_MARKED = 8  # bodies whose events are marked on their paths; marks of more would hide them
MANY = 12  # of more bodies than these no paths are drawn, and each picture shows one time
NEAR = 0.7  # pieces of the ground are shown this far from the bodies, in sizes of what these fill
MARK = 0.012  # length of the marks of a belt, in sizes of the window

#: How events are marked on paths: marker, size, what a legend says, and the kinds of events. Where several are in one
#: place the first is above, and smaller, so that the others are seen around it.
MARKS = (
    ("o", 4.2, "impact", ("impact", "painleve")),
    ("D", 7.5, "impacts end in contact", ("impact-to-contact", "accumulation")),
    ("^", 8.0, "lift-off", ("lift-off",)),
    ("v", 8.0, "touches", ("touch-down",)),
    ("s", 7.0, "slip becomes stick", ("slip-to-stick",)),
    ("P", 7.5, "stick becomes slip", ("stick-to-slip",)),
    ("X", 7.5, "slip reverses", ("slip-to-slip",)),
    ("h", 7.0, "rolling or drilling stops", ("roll-to-rest", "drill-to-rest")),
    ("p", 7.0, "rolling or drilling starts", ("rest-to-roll", "rest-to-drill", "roll-to-roll", "drill-to-drill")),
)


def kinds(record):
    """Of many bodies that are numbered within a few kinds, such as "large 1", ..., "small 1", ...: the kind of each by
    name; else none."""
    found = {body["name"]: re.sub(r" \d+$", "", body["name"]) for body in record["bodies"]}
    count = collections.Counter(found.values())
    return found if many(record) and 1 < len(count) <= len(COLOURS) and min(count.values()) > 1 else {}


def colours(record):
    """Bodies keep their colours in all views, by name; what does not move beside others that do is grey. A body whose
    name has a colour has that one, or what is nearest to it; others have those that are left. Kinds of many bodies have
    a colour each."""
    kind_of = kinds(record)
    if kind_of:
        of_kind = dict(zip(dict.fromkeys(kind_of.values()), COLOURS))
        return {name: of_kind[kind] for name, kind in kind_of.items()}
    names = [body["name"] for body in record["bodies"]]
    movers = [body["name"] for body in record["bodies"] if moves(record, body)] or names
    found = {name: colour for name in movers if (colour := _named_colour(name))}
    left = [colour for colour in COLOURS if colour not in found.values()] or COLOURS
    for k, name in enumerate(name for name in movers if name not in found):
        found[name] = left[k % len(left)]
    return {**dict.fromkeys(names, STILL), **found}


def _named_colour(name):
    """The colour that a name has among its words, such as "red ball"; None where it has none."""
    return next((NAMED[word] for word in re.findall(r"[^\W\d_]+", name.lower()) if word in NAMED), None)


def short(name, points=130, size=9):
    """A name of the record for a legend: on one line, without its middle where it is too long."""
    clean = style.plain(name)
    keep = len(clean)
    while keep > 2 and style.text_width(clean, size) > points:
        keep -= 1
        clean = style.plain(name[: keep - keep // 2] + "\u2026" + name[len(name) - keep // 2 :])
    return clean


def moves(record, body):
    if "shape" in body:
        return True
    size = bodies.reach(body)  # what computing leaves of zero is no motion
    return any(np.ptp(body[key]) > 1e-6 * unit for key, unit in (("x", size), ("y", size), ("angle", 1.0)))


def many(record):
    """Are there so many bodies that several times in one picture, or their paths, could not be told apart?"""
    return len(bodies.moving_bodies(record)) > MANY


def all_times(record, most=400):
    """Times all over the motion."""
    return np.linspace(record["time"][0], record["time"][-1], most)


def moving_until(record):
    """When the last body comes to rest for good; the end of the record where none does."""
    time, size = np.array(record["time"]), max(bodies.reach(b) for b in record["bodies"])
    rest = time[0]
    for body in record["bodies"]:
        place, turn = bodies.pose(record, body, time)
        change = np.abs(place - place[-1]).reshape(len(time), -1).max(axis=1)
        change = np.maximum(change, size * np.abs(turn - turn[-1]).reshape(len(time), -1).max(axis=1))
        last = np.flatnonzero(change > 0.01 * size)
        if len(last):
            rest = max(rest, time[min(last[-1] + 1, len(time) - 1)])
    return rest if rest > time[0] else time[-1]


def _shadows(record, points):
    """Points (times, n, 3) of a body on the plane below them, where there is one: [(times, n, 3)] or []."""
    plane = bodies.plane_below(record, 0.0, points[0].mean(axis=0))
    if plane is None or len(bodies.planes(record)) > 1:  # then the planes themselves are in the window
        return []
    return [bodies.below(record, plane, 0.0, points[..., :2])]


class Window:
    """What is seen on paper: all bodies at all times, and a little around them."""

    def __init__(self, record, camera=None):
        low, high = [], []
        for body in bodies.moving_bodies(record):
            times, around = all_times(record, 200), 0.0
            if body.get("shape", {}).get("type") == "sphere" and "offset" not in body:  # a circle from everywhere
                points, around = bodies.path(record, body, times)[:, None], body["shape"]["radius"]
            else:
                points = bodies.points_at(record, body, times)
            if camera is not None:
                points = camera.project(np.concatenate([points, *_shadows(record, points)]))
            low.append(points.min(axis=(0, 1)) - around)
            high.append(points.max(axis=(0, 1)) + around)
        self.low, self.high = np.min(low, axis=0), np.max(high, axis=0)
        #: What is drawn of planes in space, unless there is only one: opposite corners of a box.
        self.room = planes.room(record, all_times(record, 50)) if len(bodies.planes(record)) > 1 else None
        if camera is bodies.OBLIQUE and self.room is not None:
            patches = [planes.patch(record, plane, 0.0, *self.room) for plane in bodies.planes(record)]
            corners = camera.project(np.concatenate([self.room, *(p for p in patches if p is not None)]))
            self.low, self.high = np.minimum(self.low, corners.min(axis=0)), np.maximum(self.high, corners.max(axis=0))
        self._widen(record, camera, NEAR * max(np.max(self.high - self.low), 1e-12))
        size = max(np.max(self.high - self.low), 1e-12)
        short = np.maximum(0.0, 0.25 * size - (self.high - self.low))
        self.low, self.high = self.low - 0.06 * size - short / 2, self.high + 0.06 * size + short / 2

    def _widen(self, record, camera, most):
        """To pieces of the ground, but not by more than `most` to any side."""
        low, high = self.low - most, self.high + most
        for piece in record["ground"]:
            times = all_times(record, 50) if "displacement" in piece else [0.0]
            if "outlines" in piece:
                points = np.concatenate([bodies.piece_points(record, piece, time) for time in times])
            elif "shape" in piece and camera is not None:
                points = camera.project(bodies.points_at(record, piece, times)).reshape(-1, 2)
            else:
                continue
            self.low = np.minimum(self.low, np.maximum(points.min(axis=0), low))
            self.high = np.maximum(self.high, np.minimum(points.max(axis=0), high))

    @property
    def size(self):
        return self.high - self.low

    @property
    def aspect(self):
        return self.size[0] / self.size[1]

    def show(self, axes):
        axes.set_xlim(self.low[0], self.high[0])
        axes.set_ylim(self.low[1], self.high[1])
        axes.set_aspect("equal")


class Stage:
    """Bodies on axes at one time, and in space pieces of the ground, which can be changed: `show` moves them.

    What a piece of the ground hides is drawn before the pieces, all other bodies after them.
    """

    def __init__(self, axes, record, camera=None, strength=1.0):
        self.axes, self.record, self.camera = axes, record, camera
        self.bodies = bodies.moving_bodies(record)
        self.shadow = PathPatch(Path(np.zeros((0, 2))), facecolor="#000000", edgecolor="none", alpha=0.10 * strength,
                                zorder=1)
        axes.add_patch(self.shadow)
        self.parts = []
        of = colours(record)
        solid = camera is not None and many(record)  # so that bodies in front hide others
        width = 0.6 if many(record) else 1.0
        for body in self.bodies:
            colour = of[body["name"]]
            fill = PolyCollection([], facecolors=_paler(colour) if solid else colour, edgecolors=colour,
                                  linewidths=1.1 * width, alpha=strength if solid else 0.45 * strength)
            lines = LineCollection([], colors=colour, linewidths=1.4 * width, alpha=min(1.0, 0.2 + 0.8 * strength),
                                   capstyle="round")
            for artist in (fill, lines):
                axes.add_collection(artist, autolim=False)
            self.parts.append((fill, lines))
        self.pieces = bodies.pieces(record) if camera is not None else []
        self.piece_parts = []
        for _ in self.pieces:
            fill = PolyCollection([], facecolors=GROUND, edgecolors=style.SOFT, linewidths=1.0)
            lines = LineCollection([], colors=style.SOFT, linewidths=0.8, capstyle="round")
            for artist in (fill, lines):
                axes.add_collection(artist, autolim=False)
            self.piece_parts.append((fill, lines))

    def show(self, time):
        """Moves the bodies to where they are at a time. Returns the artists that changed."""
        seen = [bodies.seen(self.record, body, time, self.camera) for body in self.bodies]
        order = np.argsort(np.argsort([s.depth for s in seen], kind="stable"))
        apart = 0.4 / max(len(self.bodies), 1000)  # in the order of drawing
        for body, (fill, lines), look, place in zip(self.bodies, self.parts, seen, order):
            hidden = any(bodies.behind(self.record, body, piece, time, self.camera) for piece in self.pieces)
            _set(fill, lines, look, (1.6 if hidden else 2.5) + apart * place, 0.5 * apart)
        shadows = [_closed(look.shadow) for look in seen if look.shadow is not None]
        # One path, so that shadows over each other are not darker.
        self.shadow.set_path(Path.make_compound_path(*shadows) if shadows else Path(np.zeros((0, 2))))
        seen = [bodies.seen(self.record, piece, time, self.camera) for piece in self.pieces]
        order = np.argsort(np.argsort([s.depth for s in seen], kind="stable"))
        for (fill, lines), look, place in zip(self.piece_parts, seen, order):
            _set(fill, lines, look, 2.0 + apart * place, 0.5 * apart)
        return self.artists()

    def artists(self):
        """In the order in which they are to be drawn."""
        parts = [a for part in self.parts + self.piece_parts for a in part]
        return sorted([self.shadow, *parts], key=lambda a: a.get_zorder())


def _set(fill, lines, look, order, above):
    fill.set_verts(look.polygons)
    lines.set_segments(look.lines)
    fill.set_zorder(order)
    lines.set_zorder(order + above)


def _paler(colour):
    """What a colour is over white at the strength in which bodies are filled."""
    return tuple(1 - 0.45 * (1 - c) for c in to_rgb(colour))


def _closed(polygon):
    """A polygon (n, 2) as a path, counter-clockwise."""
    x, y = polygon.T
    if np.dot(x, np.roll(y, -1)) < np.dot(y, np.roll(x, -1)):
        polygon = polygon[::-1]
    return Path(np.concatenate([polygon, polygon[:1]]), closed=True)


# --- ground ---------------------------------------------------------------------------------------------------


def draw_ground(axes, record, window, time=0.0, camera=None, strength=1.0, only=None):
    """Lines of the ground with the side that bodies do not enter shaded, and pieces; marks run along belts. In space
    planes: shaded where they are seen on edge, else with a grid.

    only: the grounds of the record to draw (None: all)
    Returns the grid's spacing [m], None where there is no grid.
    """
    far = 4 * np.max(window.size)
    middle = 0.5 * (window.low + window.high)
    spacing = None
    for ground in record["ground"] if only is None else only:
        if "outlines" in ground:
            _piece(axes, record, ground, window, time, strength)
            continue
        if "shape" in ground:  # a piece in space: Stage draws it
            continue
        through, normal = np.array(ground["through"]), np.array(ground["normal"])
        through = through + bodies.displaced(record, ground, time)
        if camera is not None:
            if abs(normal @ camera.towards) > 1e-9:
                spacing = _plane(axes, record, ground, window, time, camera) or spacing
                continue
            through, normal = camera.project(through), camera.project(normal)
        normal = normal / np.linalg.norm(normal)
        along = np.array([normal[1], -normal[0]])
        foot = middle - ((middle - through) @ normal) * normal
        a, b = foot - far * along, foot + far * along
        axes.add_collection(PolyCollection([[a, b, b - far * normal, a - far * normal]], facecolors=GROUND,
                                           edgecolors="none", zorder=0.5), autolim=False)
        axes.add_collection(LineCollection([[a, b]], colors=style.SOFT, linewidths=1.0, zorder=1.5, alpha=strength),
                            autolim=False)
        if strength == 1.0 and ("belt_speed" in ground or (camera is None and bodies.slides(ground, along))):
            _marks(axes, window, np.array([a, b]), (a - through) @ along, time * ground.get("belt_speed", 0.0))
    return spacing


def _plane(axes, record, ground, window, time, camera):
    """A plane in space that is not seen on edge. Returns the spacing of its grid, None where it has none.

    A plane that faces the camera has a grid; of one that the camera looks through from behind only the border is drawn.
    """
    through, normal = np.array(ground["through"]) + bodies.displaced(record, ground, time), np.array(ground["normal"])
    corners = None
    if window.room is not None:
        corners = planes.patch(record, ground, time, *window.room)
        if corners is None:
            return None
        corners = camera.project(corners)
        faces = normal @ camera.towards > 0
        if faces:
            axes.add_collection(PolyCollection([corners], facecolors=GROUND, edgecolors="none", alpha=0.4, zorder=0.4),
                                autolim=False)
        border = LineCollection([[*corners, corners[0]]], colors=style.SOFT, linewidths=0.9 if faces else 0.6,
                                linestyles="-" if faces else (0, (4, 3)), zorder=0.6 if faces else 3.4)
        axes.add_collection(border, autolim=False)
        if not faces:
            return None
    if camera is not bodies.OBLIQUE or normal @ camera.towards < 0:
        return None
    belt = np.array(ground.get("belt_velocity", np.zeros(3)))
    along = belt - (belt @ normal) * normal
    return _grid(axes, window, camera, through + time * along, normal, corners)


def _piece(axes, record, piece, window, time, strength):
    """A piece of the ground."""
    points = bodies.piece_points(record, piece, time)
    if len(points) > 2:
        axes.add_collection(PolyCollection([points], facecolors=GROUND, edgecolors="none", zorder=0.5), autolim=False)
        points = np.concatenate([points, points[:1]])
    axes.add_collection(LineCollection([points], colors=style.SOFT, linewidths=1.0, zorder=1.5, alpha=strength),
                        autolim=False)
    if strength == 1.0 and "belt_speed" in piece:  # clockwise: against the order of the points
        _marks(axes, window, points[::-1], 0.0, time * piece["belt_speed"])


def _marks(axes, window, line, start, run):
    """Marks across a line, on its right, that have run along it: the surface of a belt.

    start: the line's length before its first point, which marks keep their distance from
    """
    steps = np.diff(line, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    steps, lengths = steps[lengths > 0], lengths[lengths > 0]
    ends = start + np.concatenate([[0.0], np.cumsum(lengths)])
    spacing = 3 * MARK * np.max(window.size)
    if np.array_equal(line[0], line[-1]):  # marks close round it
        spacing = (ends[-1] - ends[0]) / max(1, round((ends[-1] - ends[0]) / spacing))
    first = np.ceil((ends[0] - run) / spacing) * spacing + run
    places = np.arange(first, ends[-1] - 1e-9 * spacing, spacing)
    k = np.clip(np.searchsorted(ends, places, side="right") - 1, 0, len(steps) - 1)
    corners = line[0] + np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)])
    along = steps[k] / lengths[k][:, None]
    at = corners[k] + (places - ends[k])[:, None] * along
    across = np.stack([along[:, 1], -along[:, 0]], axis=1) * MARK * np.max(window.size)
    axes.add_collection(LineCollection(np.stack([at, at + across], axis=1), colors=style.SOFT, linewidths=0.9, zorder=1.5),
                        autolim=False)


def nice_length(size):
    """1, 2 or 5 times a power of ten, at most `size`."""
    power = 10.0 ** np.floor(np.log10(size))
    return power * max(k for k in (1, 2, 5) if k * power <= size * (1 + 1e-9))


def _grid(axes, window, camera, origin, normal, within=None):
    """Lines on a plane of space from its origin on, as far as the window goes, or in a polygon `within` it (n, 2); on
    the floor along x and y."""
    spacing = nice_length(np.max(window.size) / 6)
    level = np.hypot(normal[0], normal[2])
    x = np.array([normal[2], 0, -normal[0]]) / level if level > 1e-9 else np.array([1.0, 0, 0])
    along = np.array([x, np.cross(normal, x) / np.linalg.norm(normal)])
    # Corners of the window, brought to the plane along the view.
    corners = np.array([[x, y] for x in (window.low[0], window.high[0]) for y in (window.low[1], window.high[1])])
    corners = corners if within is None else within
    plane = np.linalg.solve(camera.axes @ along.T, (corners - camera.project(origin)).T).T
    low = np.floor(plane.min(axis=0) / spacing) * spacing
    high = np.ceil(plane.max(axis=0) / spacing) * spacing
    lines = []
    for axis in (0, 1):
        for at in np.arange(low[axis], high[axis] + spacing / 2, spacing):
            ends = np.zeros((2, 2))
            ends[:, axis], ends[0, 1 - axis], ends[1, 1 - axis] = at, low[1 - axis], high[1 - axis]
            lines.append(camera.project(origin + ends @ along))
    grid = axes.add_collection(LineCollection(lines, colors=style.FAINT, linewidths=0.6, zorder=0.5), autolim=False)
    if within is not None:
        grid.set_clip_path(Path(within), axes.transData)
    return spacing


def length_text(length):
    """ "5 mm" """
    power = units.power_of("m", length)
    return f"{length / 10.0**power:.6g} {units.prefixed(power, 'm')}"


def scale_bar(axes, window):
    """A length to measure by, below axes without numbers."""
    length = nice_length(0.5 * window.size[0])
    x = window.low[0]

    def below(points):
        return axes.get_xaxis_transform() + ScaledTranslation(0, -points / 72, axes.figure.dpi_scale_trans)

    axes.plot([x, x + length], [0, 0], transform=below(7), color=style.INK, linewidth=1.6, solid_capstyle="butt",
              clip_on=False)
    axes.text(x, 0, length_text(length), transform=below(10), ha="left", va="top", fontsize=8)


# --- views ----------------------------------------------------------------------------------------------------


def draw_paths(axes, record, camera=None, width=1.3):
    """Paths of bodies, with their events marked unless bodies are many."""
    shown, of = travellers(record), colours(record)
    for body in shown:
        axes.plot(*path_on_paper(record, body, camera).T, color=of[body["name"]], linewidth=width, alpha=0.85, zorder=3,
                  label=style.plain(body["name"]))
    apart = 0.012 * np.max(np.abs(np.diff([axes.get_xlim(), axes.get_ylim()])))
    for mark in MARKS if len(shown) <= MOST_MARKED else ():
        places = []
        for body in shown:
            times = event_times(record, body, mark)
            if not times:
                continue
            points = bodies.path(record, body, np.array(times))
            last = None
            for p in points if camera is None else camera.project(points):
                if last is None or np.max(np.abs(p - last)) > apart:
                    places.append(p)
                    last = p
        if places:
            axes.plot(*np.array(places).T, **_look(mark))


def path_on_paper(record, body, camera=None):
    """(n, 2): where a body is seen at the times of the record."""
    points = bodies.path(record, body, np.array(record["time"]))
    return points if camera is None else camera.project(points)


def travellers(record):
    """Bodies whose paths are drawn."""
    return [body for body in bodies.moving_bodies(record) if moves(record, body)]


def event_times(record, body, mark):
    """When events of a mark's kinds happen at a contact that the body takes part in [s]."""
    own = {c["name"] for c in record["contacts"] if body["name"] in c["bodies"]}
    return [e["time"] for e in record["events"] if e["kind"] in mark[3] and own.intersection(e["contacts"])]


def _look(mark):
    return dict(marker=mark[0], markersize=mark[1], label=mark[2], linestyle="none", color="black",
                markeredgecolor="white", markeredgewidth=0.7, zorder=6 - 0.1 * MARKS.index(mark))


def handles(record, paths=True):
    """For a legend: bodies, or kinds of many bodies with their numbers, and where paths are drawn how events are marked
    on them."""
    shown, of, kind_of = travellers(record), colours(record), kinds(record)
    if kind_of:
        first = {kind: name for name, kind in reversed(kind_of.items())}
        counts = collections.Counter(kind_of.values())
        return [Patch(facecolor=_paler(of[first[kind]]), edgecolor=of[first[kind]], label=short(f"{kind}: {n}", 180))
                for kind, n in counts.items()]
    lines = [Line2D([], [], color=of[b["name"]], label=short(b["name"], 180)) for b in shown]
    paths = paths and len(shown) <= MOST_MARKED
    marks = [Line2D([], [], **_look(m)) for m in MARKS if paths and any(event_times(record, b, m) for b in shown)]
    return (lines if len(lines) <= MOST_IN_LEGEND else []) + marks


def numbered(axes, window, names):
    """Numbers on the axes, in metres or what suits."""
    for axis, name, k in ((axes.xaxis, names[0], 0), (axes.yaxis, names[1], 1)):
        room = int(np.clip(5.5 * window.size[k] / np.max(window.size), 1, 5))
        units.label_axis(axis, name, "m", [window.low[k], window.high[k]], room)


def bare(axes):
    """No numbers, no ticks."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)


def frame(axes, record, time, window, camera=None):
    """One picture of a strip: the scene at a time. Returns the floor grid's spacing [m] or None."""
    bare(axes)
    window.show(axes)
    spacing = draw_ground(axes, record, window, time, camera)
    Stage(axes, record, camera).show(time)
    return spacing


def strobe(axes, record, times, window, camera=None):
    """The scene at several times in one picture, later ones stronger, with paths. Returns the grid's spacing."""
    window.show(axes)
    moving = [g for g in record["ground"] if "displacement" in g or np.any(g.get("velocity", 0))]
    still = [g for g in record["ground"] if g not in moving]
    spacing = draw_ground(axes, record, window, times[-1], camera, only=still)
    for strength, time in zip(np.linspace(0.35, 1.0, len(times)), times):
        if moving:
            draw_ground(axes, record, window, time, camera, strength, moving)
        Stage(axes, record, camera, strength).show(time)
    draw_paths(axes, record, camera, width=0.7)
    if camera is None:
        numbered(axes, window, ("x", "y"))
    else:
        bare(axes)
    return spacing


def paths(axes, record, window, camera=None, names=("x", "y")):
    """Paths seen by a camera (None: in the plane), on numbered axes, with the bodies at start and end. Many bodies are
    shown at the end, without their paths."""
    window.show(axes)
    ends = ((0.9, record["time"][-1]),) if many(record) else ((0.35, record["time"][0]), (0.9, record["time"][-1]))
    draw_ground(axes, record, window, record["time"][-1 if many(record) else 0], camera)
    for strength, time in ends:
        Stage(axes, record, camera, strength).show(time)
    numbered(axes, window, names)
    if not many(record):
        draw_paths(axes, record, camera)
