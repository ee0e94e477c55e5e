# SPDX-License-Identifier: Apache-2.0
"""Bodies of a motion's record as polygons and lines on paper, at any time.

In the plane they are drawn as they are. In space a Camera projects them, without perspective; all shapes are
convex, so that a body is the hull of its projected points, and a line on it is seen where one of the two
faces that meet there looks at the camera.
"""

import numpy as np

ROUND = np.linspace(0, 2 * np.pi, 49)
CIRCLE = np.stack([np.cos(ROUND), np.sin(ROUND)], axis=1)


class Camera:
    """A view of space from an azimuth and an elevation [degrees]."""

    def __init__(self, azimuth, elevation):
        a, e = np.radians(azimuth), np.radians(elevation)
        self.towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        self.axes = np.array([[-np.sin(a), np.cos(a), 0], [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]])

    def project(self, points):
        """Points (..., 3) on paper (..., 2)."""
        return np.asarray(points) @ self.axes.T


OBLIQUE = Camera(-65, 22)
ABOVE = Camera(-90, 90)  # x to the right, y up
ALONG_Y = Camera(-90, 0)  # x to the right, z up
ALONG_X = Camera(0, 0)  # y to the right, z up


class Appearance:
    """What one body looks like at one time: polygons, lines, and how near it is to the camera."""

    def __init__(self, polygons, lines, depth=0.0, shadow=None):
        self.polygons, self.lines, self.depth, self.shadow = polygons, lines, depth, shadow


# --- poses ----------------------------------------------------------------------------------------------------


def moving_bodies(record):
    """Bodies that a picture of the motion shows, as picture.bodies says (none: all)."""
    chosen = record["picture"].get("bodies") or [body["name"] for body in record["bodies"]]
    return [body for body in record["bodies"] if body["name"] in chosen]


def pose(record, body, times):
    """Places and turns of a body at times: (n, 2) and angles [rad], or (n, 3) and matrices (n, 3, 3)."""

    def at(values):
        return np.interp(times, record["time"], values)

    if "shape" not in body:
        return np.stack([at(body["x"]), at(body["y"])], axis=-1), at(body["angle"])
    q = np.stack([at(p["values"]) for p in record["positions"][body["first"] : body["first"] + 7]], axis=-1)
    w, x, y, z = np.moveaxis(q[..., 3:] / np.linalg.norm(q[..., 3:], axis=-1, keepdims=True), -1, 0)
    turn = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])
    return q[..., :3], np.moveaxis(turn, (0, 1), (-2, -1))


def point_of(body):
    """The point whose path is drawn, in the body's frame: its mass centre, a disc's centre, or a link's end."""
    if "shape" in body:
        return np.zeros(3)
    for outline in body["outlines"]:
        if "corners" not in outline:
            return np.array(outline["centre"])
    corners = np.array(body["outlines"][0]["corners"])
    return corners[1] if len(corners) == 2 and not corners[0].any() else np.zeros(2)


def path(record, body, times):
    """Where that point is at times: (n, 2) or (n, 3)."""
    place, turn = pose(record, body, times)
    return place if "shape" in body else place + _turned(point_of(body), turn)


def points_at(record, body, times):
    """All points of a body's outline at times, on a body in space those that span its hull: (n, points, 2 or 3)."""
    place, turn = pose(record, body, times)
    if "shape" in body:
        return place[:, None] + _hull_points(body["shape"]) @ np.swapaxes(turn, -1, -2)
    points = np.concatenate([_outline_points(outline) for outline in body["outlines"]])
    return place[:, None] + _turned(points, np.asarray(turn)[:, None])


def reach(body):
    """The largest distance of the body's points from the one whose path is drawn [m]."""
    if "shape" in body:
        return np.max(np.linalg.norm(_hull_points(body["shape"]), axis=1))
    points = np.concatenate([_outline_points(outline) for outline in body["outlines"]])
    return np.max(np.linalg.norm(points - point_of(body), axis=1))


def _turned(points, angle):
    """Points (..., 2) turned by angles (...)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * points[..., 0] - s * points[..., 1], s * points[..., 0] + c * points[..., 1]], axis=-1)


# --- the plane -----------------------------------------------------------------------------------------------


def _outline_points(outline):
    """The figure's boundary; two points for a line without width."""
    if "corners" in outline:
        return _rounded(np.array(outline["corners"], float), outline.get("radius", 0.0))
    return np.array(outline["centre"]) + np.array(outline.get("semi_axes", outline.get("radius"))) * CIRCLE


def _rounded(corners, radius):
    """All within a radius of corners (counter-clockwise, two: a line): an arc about each, from the normal of the side
    before it to that of the side after it."""
    if radius == 0:
        return corners
    along = np.roll(corners, -1, axis=0) - corners
    normals = np.arctan2(-along[:, 0], along[:, 1])
    arcs = []
    for k, corner in enumerate(corners):
        turn = (normals[k] - normals[k - 1]) % (2 * np.pi)
        angles = normals[k - 1] + np.linspace(0, turn, max(2, int(np.ceil(48 * turn / (2 * np.pi))) + 1))
        arcs.append(corner + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(arcs)


def _in_plane(record, body, time):
    place, angle = pose(record, body, time)
    polygons, lines = [], []
    for outline in body["outlines"]:
        points = place + _turned(_outline_points(outline), angle)
        if len(points) == 2:
            lines.append(points)
            continue
        polygons.append(points)
        if "corners" not in outline and "semi_axes" not in outline:  # a spoke shows how it turns
            lines.append(np.array([place + _turned(np.array(outline["centre"]), angle), points[0]]))
    return Appearance(polygons, lines)


# --- ground in the plane --------------------------------------------------------------------------------------


def displaced(record, ground, time):
    """By how much ground has moved from where it is described."""
    if "displacement" in ground:
        return np.array([np.interp(time, record["time"], values) for values in ground["displacement"]])
    return time * np.array(ground.get("velocity", (0, 0)))


def ground_moves(ground):
    """Does it move, or does its surface?"""
    return "displacement" in ground or bool(np.any(ground.get("velocity", 0))) or "belt_speed" in ground


def slides(ground, along):
    """Does a line of the ground move along itself?"""
    return bool(np.any(np.abs(along @ np.array(ground.get("displacement", ground.get("velocity", (0, 0))))) > 1e-12))


def piece_points(record, piece, time):
    """The boundary of a piece of the ground at a time, (n, 2)."""
    points = np.concatenate([_outline_points(outline) for outline in piece["outlines"]])
    return displaced(record, piece, time) + np.array(piece["position"]) + _turned(points, piece["angle"])


# --- space ---------------------------------------------------------------------------------------------------


def _ring(radius, height):
    return np.column_stack([radius * CIRCLE, np.full(len(CIRCLE), height)])


def _box_corners(size):
    return 0.5 * np.array(size) * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])


def _hull_points(shape):
    """Points in body axes whose hull is the shape."""
    kind = shape["type"]
    if kind == "box":
        return _box_corners(shape["size"])
    if kind == "rod":
        return np.array([[0, 0, -0.5], [0, 0, 0.5]]) * shape["length"]
    r, half = shape["radius"], 0.5 * shape.get("length", 0.0)
    if kind == "disc":
        return _ring(r, 0.0)
    if kind == "cylinder":
        return np.concatenate([_ring(r, -half), _ring(r, half)])
    heights = np.linspace(0, np.pi / 2, 7)  # sphere and capsule
    cap = np.concatenate([_ring(r * np.cos(h), half + r * np.sin(h)) for h in heights])
    return np.concatenate([cap, -cap])


def _marks(shape):
    """Lines on the shape: [(points, outward normal on one side, on the other)], each (n, 3), in body axes."""
    kind, up = shape["type"], np.array([0.0, 0.0, 1.0])
    if kind == "box":
        corners = _box_corners(shape["size"])
        signs = np.sign(corners)
        return [
            (corners[[a, b]], *(np.tile(sign * axis, (2, 1)) for sign, axis in _faces(signs[a], signs[b])))
            for a in range(8) for b in range(a) if np.sum(signs[a] != signs[b]) == 1
        ]
    if kind == "rod":
        return []
    r, half, out = shape["radius"], 0.5 * shape.get("length", 0.0), _ring(1.0, 0.0)
    if kind == "sphere":
        circles = [np.roll(_ring(r, 0.0), k, axis=1) for k in range(3)]
        return [(circle, circle, circle) for circle in circles]
    if kind == "disc":  # a spoke, seen from both sides
        spoke = np.array([[0, 0, 0], [r, 0, 0]])
        return [(spoke, np.tile(up, (2, 1)), np.tile(-up, (2, 1)))]
    flat = kind == "cylinder"
    rims = [(_ring(r, s * half), out, np.tile(s * up, (len(out), 1)) if flat else out) for s in (-1, 1)]
    side = np.array([[r, 0, -half], [r, 0, half]])
    return [*rims, (side, side * [1, 1, 0], side * [1, 1, 0])]


def _faces(a, b):
    """The two faces that meet in a box' edge, as signs and axes."""
    return [(a[k], np.eye(3)[k]) for k in range(3) if a[k] == b[k]]


def hull(points):
    """The convex hull of points (n, 2), counter-clockwise."""
    points = sorted(map(tuple, points))

    def half(sequence):
        line = []
        for p in sequence:
            while len(line) > 1 and (line[-1][0] - line[-2][0]) * (p[1] - line[-2][1]) <= (line[-1][1] - line[-2][1]) * (
                p[0] - line[-2][0]
            ):
                line.pop()
            line.append(p)
        return line[:-1]

    return np.array(half(points) + half(points[::-1]))


def _in_space(record, body, time, camera):
    place, turn = pose(record, body, time)
    lines = []
    for points, one, other in _marks(body["shape"]):
        seen = (one @ turn.T @ camera.towards > 0) | (other @ turn.T @ camera.towards > 0)
        lines.append(np.where(seen[:, None], camera.project(place + points @ turn.T), np.nan))
    outline = _silhouette(body["shape"], place, turn, camera.project, camera.project)
    if body["shape"]["type"] == "rod":
        return Appearance([], [outline], place @ camera.towards)
    shadow = None
    if has_floor(record):  # as a lamp far above throws it
        shadow = _silhouette(body["shape"], place, turn, ABOVE.project,
                             lambda points: camera.project(np.column_stack([points, np.zeros(len(points))])))
    return Appearance([outline], lines, place @ camera.towards, shadow)


def _silhouette(shape, place, turn, project, draw):
    """The outline of a shape as `project` sees it, as a polygon that `draw` takes to paper.

    A shadow is projected from above and then drawn on the floor; else nothing is left to draw.
    """
    kind = shape["type"]
    if kind in ("sphere", "capsule"):  # a sphere is seen as a circle
        half = 0.5 * shape.get("length", 0.0)
        ends = project(place + np.outer([-half, half], turn[:, 2]))
        flat = ends[0] + shape["radius"] * CIRCLE
        if half > 0:
            flat = hull(np.concatenate([flat, ends[1] + shape["radius"] * CIRCLE]))
    else:
        flat = project(place + _hull_points(shape) @ turn.T)
        if kind in ("box", "cylinder"):
            flat = hull(flat)
    return flat if draw == project else draw(flat)


def has_floor(record):
    """Is there a plane z = 0 in space?"""
    return any(
        "normal" in g and len(g["normal"]) == 3 and g["normal"][:2] == [0, 0] and g["normal"][2] > 0 and g["through"][2] == 0
        for g in record["ground"]
    )


def seen(record, body, time, camera=None):
    """A body at a time, as an Appearance on paper."""
    return _in_space(record, body, time, camera) if "shape" in body else _in_plane(record, body, time)
