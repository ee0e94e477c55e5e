# SPDX-License-Identifier: Apache-2.0
"""Planes of the ground in space: the pieces of them that a picture shows.

Planes are unbounded. A single one is drawn as far as the picture goes. Several planes are the walls of a room: each is
drawn as far as bodies get, and up to where another plane cuts it off.
"""

import numpy as np
from carom.plot import bodies

NEAR = 0.7  # pieces of the ground are in the room this far from the bodies, in sizes of what these fill
ROOM = 0.04  # the room reaches this far beyond the bodies, in sizes of what they fill


def room(record, times):
    """Opposite corners of a box around the bodies at times, the planes below them and the ground near them."""
    low, high = [], []
    up = [plane for plane in bodies.planes(record) if plane["normal"][2] > 1e-9]
    for body in bodies.moving_bodies(record):
        path, reach = bodies.path(record, body, times), bodies.reach(body)
        lowest = [path[:, 2].min() - reach]
        if up:
            lowest.append(np.max([bodies.below(record, plane, 0.0, path[:, :2])[:, 2] for plane in up], axis=0).min())
        low.append([*(path.min(axis=0)[:2] - reach), min(lowest)])
        high.append(path.max(axis=0) + reach)
    low, high = np.min(low, axis=0), np.max(high, axis=0)
    far = NEAR * np.max(high - low)
    nearest, farthest = low - far, high + far
    for piece in bodies.pieces(record):
        points = bodies.points_at(record, piece, times[:1])[0]
        low = np.minimum(low, np.maximum(points.min(axis=0), nearest))
        high = np.maximum(high, np.minimum(points.max(axis=0), farthest))
    around = ROOM * np.max(high - low)
    return low - around, high + around


def _point(record, plane, time):
    """A point of a plane at a time."""
    return np.array(plane["through"]) + bodies.displaced(record, plane, time)


def patch(record, plane, time, low, high):
    """The piece of a plane within a box and in front of all other planes: its corners (n, 3), None if there is none."""
    through, normal = _point(record, plane, time), np.array(plane["normal"])
    normal = normal / np.linalg.norm(normal)
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    middle = 0.5 * (low + high)
    foot = middle - ((middle - through) @ normal) * normal
    far = 2 * np.linalg.norm(high - low)
    corners = foot + far * np.array([first + second, second - first, -first - second, first - second])
    cuts = [(low, e) for e in np.eye(3)] + [(high, -e) for e in np.eye(3)]
    others = [other for other in bodies.planes(record) if other is not plane]
    cuts += [(_point(record, other, time), np.array(other["normal"])) for other in others]
    for at, inward in cuts:
        corners = _cut(corners, at, inward)
        if len(corners) < 3:
            return None
    return corners


def _cut(corners, at, inward):
    """What of a polygon (n, 3) is on the inner side of a plane."""
    kept = []
    inside = (corners - at) @ inward
    for k, corner in enumerate(corners):
        before = inside[k - 1]
        if before * inside[k] < 0:
            kept.append(corners[k - 1] + before / (before - inside[k]) * (corner - corners[k - 1]))
        if inside[k] >= 0:
            kept.append(corner)
    return np.array(kept)
