# SPDX-License-Identifier: Apache-2.0
"""Bodies of a motion's record as polygons and lines on paper, at any time.

In the plane they are drawn as they are. In space a Camera projects them, without perspective; all shapes are
convex: the points within a radius of a core. A body is the hull of circles about the projected points of its core,
and a line on it is seen where one of the two faces that meet there looks at the camera.
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


def with_arrays(record):
    """The record with its lists over time as arrays, so that many poses are computed quickly."""

    def convert(item, keys):
        return {**item, **{key: np.array(item[key], float) for key in keys if key in item}}

    return {**convert(record, ["time"]),
            "positions": [convert(p, ["values"]) for p in record["positions"]],
            "bodies": [convert(b, ["x", "y", "angle"]) for b in record["bodies"]],
            "ground": [convert(g, ["displacement"]) for g in record["ground"]]}


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
    if "position" in body:  # a piece of the ground
        times = np.asarray(times, float)
        return (np.array(body["position"]) + displaced(record, body, times),
                np.broadcast_to(np.array(body["orientation"]), (*times.shape, 3, 3)))
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
        return place[:, None] + hull_points(body) @ np.swapaxes(turn, -1, -2)
    points = np.concatenate([_outline_points(outline) for outline in body["outlines"]])
    return place[:, None] + _turned(points, np.asarray(turn)[:, None])


def reach(body):
    """The largest distance of the body's points from the one whose path is drawn [m]."""
    if "shape" in body:
        return np.max(np.linalg.norm(hull_points(body), axis=1))
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


# --- ground --------------------------------------------------------------------------------------------------


def displaced(record, ground, time):
    """By how much ground has moved from where it is described at a time, or at times (n): (..., 2 or 3)."""
    if "displacement" in ground:
        return np.stack([np.interp(time, record["time"], values) for values in ground["displacement"]], axis=-1)
    still = np.zeros(len(ground.get("through", ground.get("position"))))
    return np.multiply.outer(time, np.array(ground.get("velocity", still)))


def ground_moves(ground):
    """Does it move, or does its surface?"""
    runs = any(key in ground for key in ("displacement", "belt_speed", "belt_velocity"))
    return runs or bool(np.any(ground.get("velocity", 0)))


def slides(ground, along):
    """Does a line of the ground move along itself?"""
    return bool(np.any(np.abs(along @ np.array(ground.get("displacement", ground.get("velocity", (0, 0))))) > 1e-12))


def piece_points(record, piece, time):
    """The boundary of a piece of the ground in the plane at a time, (n, 2)."""
    points = np.concatenate([_outline_points(outline) for outline in piece["outlines"]])
    return displaced(record, piece, time) + np.array(piece["position"]) + _turned(points, piece["angle"])


def pieces(record):
    """Pieces of the ground in space, which are drawn like bodies."""
    return [g for g in record["ground"] if "shape" in g]


def planes(record):
    """Planes of the ground in space."""
    return [g for g in record["ground"] if len(g.get("normal", ())) == 3]


def plane_below(record, time, place):
    """The plane that the shadow of a body at `place` falls on: of those that face upwards the highest one there, None
    where there is none."""
    up = [plane for plane in planes(record) if plane["normal"][2] > 1e-9]
    return max(up, key=lambda plane: below(record, plane, time, place[:2])[2], default=None)


def below(record, plane, time, points):
    """Points (..., 2) of x and y on a plane: (..., 3)."""
    through, normal = np.array(plane["through"]) + displaced(record, plane, time), np.array(plane["normal"])
    heights = through[2] - (points - through[:2]) @ normal[:2] / normal[2]
    return np.concatenate([points, heights[..., None]], axis=-1)


# --- space ---------------------------------------------------------------------------------------------------


def _ring(radius, height):
    return np.column_stack([radius * CIRCLE, np.full(len(CIRCLE), height)])


#: Corners of a cube, and its faces, counter-clockwise from outside.
CUBE = np.array([[i, j, k] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)])
CUBE_FACES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def _polytope(shape):
    """Corners and faces of the core of a box or polyhedron."""
    if shape["type"] == "box":
        return (0.5 * np.array(shape["size"]) - shape.get("rounding", 0.0)) * CUBE, CUBE_FACES
    return np.array(shape["vertices"], float), shape["faces"]


def _core(shape):
    """Points in the shape's axes, and a radius: the shape is all within that radius of their hull."""
    kind, rounding = shape["type"], shape.get("rounding", 0.0)
    half = 0.5 * shape.get("length", 0.0) - rounding
    if kind in ("box", "polyhedron"):
        return _polytope(shape)[0], rounding
    if kind in ("sphere", "capsule"):
        return np.array([[0, 0, -half], [0, 0, half]]), shape["radius"]
    if kind == "rod":
        return np.array([[0, 0, -half], [0, 0, half]]), 0.0
    if kind == "cone":
        return np.concatenate([_ring(shape["radius"], -shape["height"] / 4), [[0, 0, 0.75 * shape["height"]]]]), 0.0
    r = shape["radius"] - rounding
    if kind == "disc":
        return _ring(r, 0.0), 0.0
    return np.concatenate([_ring(r, -half), _ring(r, half)]), rounding


#: Directions all over a sphere.
SPHERE = np.concatenate([_ring(np.cos(h), np.sin(h))[::4] for h in np.linspace(-np.pi / 2, np.pi / 2, 13)])


def hull_points(body):
    """Points in body axes whose hull is about the shape."""
    points, radius = _core(body["shape"])
    if radius > 0:
        points = (points[:, None] + radius * SPHERE).reshape(-1, 3)
    return points + np.array(body.get("offset", (0, 0, 0)))


def _normal(corners):
    """Of a face (n, 3), outward."""
    normal = np.cross(corners[1:-1] - corners[0], corners[2:] - corners[0]).sum(axis=0)
    return normal / np.linalg.norm(normal)


def _edges(points, faces, rounding):
    """Lines on a polytope: its edges, or where it is rounded the borders of its flat faces."""
    normals = [_normal(points[list(face)]) for face in faces]
    if rounding > 0:
        loops = [points[[*face, face[0]]] + rounding * n for face, n in zip(faces, normals)]
        return [(loop, *(np.tile(n, (len(loop), 1)),) * 2) for loop, n in zip(loops, normals)]
    of_edge = {}
    for face, n in zip(faces, normals):
        for a, b in zip(face, [*face[1:], face[0]]):
            of_edge.setdefault((min(a, b), max(a, b)), []).append(n)
    return [(points[list(edge)], *(np.tile(n, (2, 1)) for n in (both[0], both[-1]))) for edge, both in of_edge.items()]


def _marks(shape):
    """Lines on the shape: [(points, outward normal on one side, on the other)], each (n, 3), in the shape's axes."""
    kind, up = shape["type"], np.array([0.0, 0.0, 1.0])
    rounding = shape.get("rounding", 0.0)
    if kind in ("box", "polyhedron"):
        return _edges(*_polytope(shape), rounding)
    if kind == "rod":
        return []
    r, half, out = shape["radius"], 0.5 * shape.get("length", 0.0), _ring(1.0, 0.0)
    if kind == "sphere":
        circles = [np.roll(_ring(r, 0.0), k, axis=1) for k in range(3)]
        return [(circle, circle, circle) for circle in circles]
    if kind == "disc":  # a spoke, seen from both sides
        spoke = np.array([[0, 0, 0], [r, 0, 0]])
        return [(spoke, np.tile(up, (2, 1)), np.tile(-up, (2, 1)))]
    if kind == "cone":
        h = shape["height"]
        mantle = h * out + r * up
        side = np.array([[r, 0, -h / 4], [0, 0, 0.75 * h]])
        return [(_ring(r, -h / 4), mantle, np.tile(-up, (len(out), 1))), (side, mantle[[0, 0]], mantle[[0, 0]])]
    side = np.array([[r, 0, rounding - half], [r, 0, half - rounding]])
    lines = []
    for s in (-1, 1):
        flat = np.tile(s * up, (len(out), 1))
        if rounding > 0:
            lines += [(_ring(r - rounding, s * half), flat, flat), (_ring(r, s * (half - rounding)), out, out)]
        else:
            lines.append((_ring(r, s * half), out, flat if kind == "cylinder" else out))
    return [*lines, (side, side * [1, 1, 0], side * [1, 1, 0])]


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
    origin = place + turn @ np.array(body.get("offset", (0, 0, 0)))
    lines = []
    for points, one, other in _marks(body["shape"]):
        seen = (one @ turn.T @ camera.towards > 0) | (other @ turn.T @ camera.towards > 0)
        lines.append(np.where(seen[:, None], camera.project(origin + points @ turn.T), np.nan))
    outline = _silhouette(body["shape"], origin, turn, camera)
    if body["shape"]["type"] == "rod":
        return Appearance([], [outline], place @ camera.towards)
    shadow = None
    plane = plane_below(record, time, place)
    if plane is not None and not over_piece(record, body, time):  # as a lamp far above throws it
        shadow = camera.project(below(record, plane, time, _silhouette(body["shape"], origin, turn, ABOVE)))
    return Appearance([outline], lines, place @ camera.towards, shadow)


def over_piece(record, body, time):
    """Does a shadow fall on a piece of the ground, and not on the floor? A piece itself has none."""
    if "position" in body:
        return True
    place, _ = pose(record, body, time)
    for piece in pieces(record):
        at, turn = pose(record, piece, time)
        corners = _silhouette(piece["shape"], at, turn, ABOVE)
        (x, y), (u, v) = np.diff([*corners, corners[0]], axis=0).T, (place[:2] - corners).T
        if np.all(x * v >= y * u) and place[2] > at[2]:
            return True
    return False


def _silhouette(shape, origin, turn, camera):
    """The outline of a shape as a camera sees it, as a polygon; of a rod a line."""
    if shape["type"] == "sphere":
        return camera.project(origin) + shape["radius"] * CIRCLE
    points, radius = _core(shape)
    flat = camera.project(origin + points @ turn.T)
    if shape["type"] in ("rod", "disc"):
        return flat
    if radius > 0:
        flat = (flat[:, None] + radius * CIRCLE).reshape(-1, 2)
    return hull(flat)


def behind(record, body, piece, time, camera):
    """Does a piece of the ground hide the body, where one covers the other on paper?

    Of the directions that may separate them, the faces of the piece and the line of centres, the one along which they
    are farthest apart decides.
    """
    place, turn = pose(record, body, time)
    at, turned = pose(record, piece, time)
    own = place + hull_points(body) @ turn.T
    other = at + hull_points(piece) @ turned.T
    directions = [place - at, turned[:, 2], -turned[:, 2]]
    if piece["shape"]["type"] in ("box", "polyhedron"):
        points, faces = _polytope(piece["shape"])
        directions += [turned @ _normal(points[list(face)]) for face in faces]
    directions = np.array([d / max(np.linalg.norm(d), 1e-300) for d in directions])
    apart = (own @ directions.T).min(axis=0) - (other @ directions.T).max(axis=0)
    return directions[np.argmax(apart)] @ camera.towards < 0


def seen(record, body, time, camera=None):
    """A body at a time, as an Appearance on paper."""
    return _in_space(record, body, time, camera) if "shape" in body else _in_plane(record, body, time)
