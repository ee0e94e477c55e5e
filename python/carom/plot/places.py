# SPDX-License-Identifier: Apache-2.0
"""Where names stand on axes: in regions and beside lines, clear of all that is there already.

@pre axes have their final size: figure.get_layout_engine().execute(figure) has run.
"""

import numpy as np

CELL = 2.0  # [pixels]; names need no finer places


class Room:
    """Which cells of a panel are taken."""

    def __init__(self, axes):
        self.axes = axes
        self.box = axes.get_window_extent()
        self.shape = (max(1, int(self.box.height / CELL)), max(1, int(self.box.width / CELL)))
        self.taken = np.zeros(self.shape, bool)

    def cells(self, x, y):
        """Row and column of places in data coordinates, as floats."""
        points = self.axes.transData.transform(np.column_stack([x, y]))
        return ((points[:, 1] - self.box.y0) / self.box.height * self.shape[0],
                (points[:, 0] - self.box.x0) / self.box.width * self.shape[1])

    def data(self, row, column):
        """The place in data coordinates of the middle of a cell."""
        x = self.box.x0 + (column + 0.5) * self.box.width / self.shape[1]
        y = self.box.y0 + (row + 0.5) * self.box.height / self.shape[0]
        return self.axes.transData.inverted().transform((x, y))

    def line(self, x, y):
        """The cells that a line passes through, as a mask; they become taken."""
        mask = np.zeros(self.shape, bool)
        far = 100 * max(self.shape)
        rows, columns = np.clip(self.cells(x, y), -far, far)
        length = np.r_[0, np.cumsum(np.maximum(np.abs(np.diff(rows)), np.abs(np.diff(columns))))]
        steps = np.arange(0, length[-1], 0.5)
        r = np.floor(np.interp(steps, length, rows)).astype(int)
        c = np.floor(np.interp(steps, length, columns)).astype(int)
        inside = (r >= 0) & (r < self.shape[0]) & (c >= 0) & (c < self.shape[1])
        mask[r[inside], c[inside]] = True
        self.taken |= mask
        return mask

    def take(self, box):
        """A box in pixels of the figure, such as that of a text, becomes taken."""
        rows = np.clip(np.array([box.y0 - self.box.y0, box.y1 - self.box.y0]) / CELL, 0, self.shape[0])
        columns = np.clip(np.array([box.x0 - self.box.x0, box.x1 - self.box.x0]) / CELL, 0, self.shape[1])
        self.taken[int(rows[0]):int(np.ceil(rows[1])), int(columns[0]):int(np.ceil(columns[1]))] = True

    def half(self, width, height, margin):
        """Half the size in cells of a box [pixels] with a margin around it."""
        return int(np.ceil((height / 2 + margin) / CELL)), int(np.ceil((width / 2 + margin) / CELL))

    def in_region(self, region, width, height):
        """The cell in a region (a mask) where a box of this size [pixels] could grow most, or None."""
        sums = _sums(region & ~self.taken)
        for growth in 30.0 * 0.85 ** np.arange(21):
            fits = _all_free(sums, *self.half(growth * width, growth * height, 3 * growth))
            if fits.any():
                return _most_central(fits)
        return None

    def beside(self, line, others, width, height):
        """The cell for a box [pixels] beside a line (a mask), as far from others (a mask) as it goes, or None."""
        fits = _all_free(_sums(~self.taken), *self.half(width, height, 1))
        fits &= _inside(_sums(line), *self.half(width, height, 5)) > 0
        return self._farthest(fits, others, width, height)

    def on(self, line, others, width, height):
        """The same on the line itself."""
        return self._farthest(line, others, width, height)

    def _farthest(self, places, others, width, height):
        sums = _sums(~others)
        for margin in (60, 40, 25, 15, 8, 4, 2):
            fits = places & _all_free(sums, *self.half(width, height, margin))
            if fits.any():
                return _most_central(fits)
        return None


def components(grid):
    """A number for each cell, the same for cells of equal value that hang together by their edges."""
    label = np.arange(grid.size)
    cell = label.reshape(grid.shape)
    pairs = [(cell[:-1], cell[1:]), (cell[:, :-1], cell[:, 1:])]
    flat = grid.ravel()
    a = np.concatenate([p.ravel() for p, _ in pairs])
    b = np.concatenate([q.ravel() for _, q in pairs])
    same = flat[a] == flat[b]
    a, b = a[same], b[same]
    while True:
        one, two = label[a], label[b]
        apart = one != two
        if not apart.any():
            return label.reshape(grid.shape)
        np.minimum.at(label, np.maximum(one, two)[apart], np.minimum(one, two)[apart])
        while not np.array_equal(label, label[label]):
            label = label[label]


def _sums(free):
    """Sums over all rectangles from the corner, so that any rectangle's is known at once."""
    sums = np.zeros((free.shape[0] + 1, free.shape[1] + 1), np.int64)
    sums[1:, 1:] = free.cumsum(0).cumsum(1)
    return sums


def _inside(sums, a, b):
    """How many cells up to `a` rows and `b` columns away count; -1 where some of them are outside."""
    rows, columns = sums.shape[0] - 1, sums.shape[1] - 1
    inside = np.full((rows, columns), -1)
    h, w = 2 * a + 1, 2 * b + 1
    if rows >= h and columns >= w:
        inside[a:rows - a, b:columns - b] = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
    return inside


def _all_free(sums, a, b):
    """Where all of these cells are free, and none of them outside."""
    return _inside(sums, a, b) == (2 * a + 1) * (2 * b + 1)


def _most_central(fits):
    """The cell of a mask that is nearest to the mean of all."""
    places = np.argwhere(fits)
    return tuple(places[np.argmin(((places - places.mean(0)) ** 2).sum(1))])
