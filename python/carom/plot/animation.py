# SPDX-License-Identifier: Apache-2.0
"""A motion as moving pictures (`carom simulate --animate`): GIF by Pillow, MP4 by ffmpeg."""

import os
import shutil
import subprocess

import numpy as np
from carom.plot import bodies, motion, scene, style
from matplotlib.animation import FuncAnimation
from PIL import Image

FRAMES_A_SECOND = 25
SHORTEST, LONGEST = 3.0, 12.0  # [s]: what lasts less is slowed down, what lasts longer is sped up
SIZE = 6.4  # of the longer side [inches], at 100 dots per inch
HOLD = 1.0  # how long a GIF shows its last frame [s]


class Movie(FuncAnimation):
    """An animation of matplotlib's. `figure` and `axes` may be restyled before it is saved."""

    def __init__(self, record):
        self.record = record = bodies.with_arrays(record)
        camera = bodies.OBLIQUE if record["dimensions"] == 3 else None
        self.times, words = timing(record)
        window = scene.Window(record, camera)
        height = min(SIZE / window.aspect, 0.8 * SIZE)
        width = max(height * window.aspect, 0.62 * SIZE)
        title = record["picture"]["title"]
        # 0.7 for the clock above and the scale below
        self.figure = style.figure(_even(width), _even(height + 0.7 + style.heading_height(_even(width), title, words)))
        style.heading(self.figure, title, words)
        self.axes = self.figure.add_subplot()
        scene.bare(self.axes)
        window.show(self.axes)
        still = [g for g in record["ground"] if not bodies.ground_moves(g)]
        spacing = scene.draw_ground(self.axes, record, window, 0.0, camera, only=still)
        if spacing:
            self.axes.set_xlabel(f"grid: {scene.length_text(spacing)}", fontsize=9)
        else:
            scene.scale_bar(self.axes, window)
        self.window, self.camera = window, camera
        of = scene.colours(record)
        self.trails = [
            (scene.path_on_paper(record, body, camera),
             self.axes.plot([], [], color=of[body["name"]], linewidth=0.8, alpha=0.6, zorder=2.3)[0])
            for body in ([] if scene.many(record) else scene.travellers(record))
        ]
        self.stage = scene.Stage(self.axes, record, camera)
        self.clock = self.axes.text(0.5, 1.015, "", fontsize=10, ha="center", transform=self.axes.transAxes)
        self.moving = [g for g in record["ground"] if bodies.ground_moves(g)]
        self.moved = []
        super().__init__(self.figure, self.show, frames=len(self.times), interval=1000 / FRAMES_A_SECOND)
        self._draw_was_started = True  # no warning where it is not shown

    def show(self, k):
        """Goes to frame k. Returns the artists that changed, in the order in which they are drawn."""
        time = self.times[k]
        for artist in self.moved:
            artist.remove()
        before = set(self.axes.collections)
        if self.moving:
            scene.draw_ground(self.axes, self.record, self.window, time, self.camera, only=self.moving)
        self.moved = [a for a in self.axes.collections if a not in before]
        until = np.searchsorted(self.record["time"], time, side="right")
        for points, line in self.trails:
            line.set_data(*points[:until].T)
        self.clock.set_text(motion.time_text(time, self.record))
        return [*self.moved, *(line for _, line in self.trails), *self.stage.show(time), self.clock]


def _even(inches):
    """Rounded to an even number of pixels, which MP4 needs."""
    return 2 * round(50 * inches) / 100


def timing(record):
    """The times of the frames, until all rests, and what is said of the pace."""
    begin, end = record["time"][0], record["time"][-1]
    rest = scene.moving_until(record)
    end = min(end, rest + 0.15 * (rest - begin))
    length = end - begin
    lasts = float(np.clip(length, SHORTEST, LONGEST))
    count = max(2, round(FRAMES_A_SECOND * lasts))
    slower = lasts / length if length > 0 else 1.0
    words = "in real time"
    if slower > 1.005:
        words = f"slowed down {slower:.3g} times"
    elif slower < 0.995:
        words = f"sped up {1 / slower:.3g} times"
    return np.linspace(begin, end, count), words


def draw(record):
    return Movie(record)


# --- files ----------------------------------------------------------------------------------------------------


def pictures(movie):
    """The frames as arrays (height, width, 3) of bytes. Only what moves is drawn anew."""
    canvas = movie.figure.canvas
    movie.show(0)
    canvas.draw()  # lays it out
    movie.figure.set_layout_engine(None)
    for k in range(len(movie.times)):
        changed = movie.show(k)
        if k == 0:
            for artist in changed:
                artist.set_visible(False)
            canvas.draw()
            background = canvas.copy_from_bbox(movie.figure.bbox)
            for artist in changed:
                artist.set_visible(True)
        canvas.restore_region(background)
        for artist in changed:
            movie.figure.draw_artist(artist)
        yield np.array(canvas.buffer_rgba())[..., :3]


def write(movie, path):
    """Writes an animation; the ending of the name decides the format."""
    if os.path.splitext(path)[1].lower() == ".mp4":
        _write_mp4(movie, path)
    else:
        _write_gif(movie, path)


def _write_gif(movie, path):
    frames = list(pictures(movie))
    colours, nearest = _palette(frames[:: max(1, len(frames) // 8)] + frames[-1:])
    images = []
    for frame in frames:
        image = Image.fromarray(nearest[_cell(frame)])
        image.putpalette(colours.tobytes())
        images.append(image)
    step = 1000 // FRAMES_A_SECOND
    images[0].save(path, save_all=True, append_images=images[1:], loop=0, optimize=False,
                   duration=[step] * (len(images) - 1) + [round(1000 * HOLD)])


def _cell(frame):
    """Colours with five bits each, as one number."""
    r, g, b = np.moveaxis(frame.astype(np.uint16) >> 3, -1, 0)
    return r << 10 | g << 5 | b


def _palette(frames):
    """The 256 most frequent colours that differ visibly, so that areas keep theirs, and the nearest of them by cell.

    Pillow's own way to one palette for all frames changes white.
    """
    colours, counts = np.unique(np.concatenate([f.reshape(-1, 3) @ np.array([65536, 256, 1]) for f in frames]),
                                return_counts=True)
    colours = colours[np.argsort(-counts, kind="stable")]
    colours = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1).astype(np.uint8)
    _, first = np.unique(_cell(colours), return_index=True)
    colours = colours[np.sort(first)[:256]]
    cells = np.arange(32768)
    middles = np.stack([cells >> 10, cells >> 5 & 31, cells & 31], axis=1) * 8 + 4
    distance = sum((middles[:, None, k] - colours[None, :, k].astype(int)) ** 2 for k in range(3))
    nearest = np.argmin(distance, axis=1).astype(np.uint8)
    nearest[_cell(colours)] = np.arange(len(colours))
    return colours, nearest


def _write_mp4(movie, path):
    if shutil.which("ffmpeg") is None:
        raise RuntimeError("an .mp4 needs the program ffmpeg, which is not on the PATH; install it, or name a .gif")
    width, height = movie.figure.canvas.get_width_height()
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
               "-r", str(FRAMES_A_SECOND), "-i", "-", "-c:v", "libx264", "-pix_fmt", "yuv420p",
               "-fflags", "+bitexact", "-flags", "+bitexact", "-movflags", "+faststart", path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as ffmpeg:
        try:
            for picture in pictures(movie):
                ffmpeg.stdin.write(np.ascontiguousarray(picture).tobytes())
            ffmpeg.stdin.close()
        except BrokenPipeError:
            pass
        said = ffmpeg.stderr.read().decode(errors="replace").strip()
    if ffmpeg.returncode != 0:
        raise RuntimeError(f"ffmpeg failed: {said.splitlines()[-1] if said else 'it does not say why'}")
