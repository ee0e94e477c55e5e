# SPDX-License-Identifier: Apache-2.0
"""Moving pictures of motions: frames, pace, files."""

import os
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import numpy as np
import support
from carom.plot import animation, audit, scene
from PIL import Image

import carom.plot


def example(name):
    return support.record_of("simulate", "-q", f"motion/{name}.toml", option="--animate", ending=".gif")


class Frames(unittest.TestCase):
    def test_every_frame_has_the_bodies_and_the_time(self):
        movie = carom.plot.draw(example("rocking-block"))
        record = movie.record
        for k in (0, 20, len(movie.times) - 1):
            movie.show(k)
            fill, _ = movie.stage.parts[0]
            corners = np.array(record["bodies"][0]["outlines"][0]["corners"])
            x, y, angle = (np.interp(movie.times[k], record["time"], p["values"]) for p in record["positions"])
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            np.testing.assert_allclose(fill.get_paths()[0].vertices[:4], [x, y] + corners @ turn.T, atol=1e-9)
            self.assertEqual(movie.clock.get_text(), f"t = {movie.times[k]:.2f} s")

    def test_everything_stays_in_the_window(self):
        for name in ("dice", "double-pendulum", "newton-cradle"):
            movie = carom.plot.draw(example(name))
            for k in range(0, len(movie.times), 10):
                movie.show(k)
                for fill, _ in movie.stage.parts:
                    for path in fill.get_paths():
                        self.assertTrue(np.all(path.vertices >= movie.window.low), name)
                        self.assertTrue(np.all(path.vertices <= movie.window.high), name)

    def test_lasts_a_few_seconds_and_says_the_pace(self):
        def record(end):
            time = np.linspace(0, end, 50).tolist()
            body = {"name": "b", "outlines": [{"centre": [0, 0], "radius": 1}], "x": time, "y": time, "angle": time}
            return {"time": time, "bodies": [body], "picture": {}}

        for end, count, words in ((5, 125, "in real time"), (0.1, 75, "slowed down 30 times"),
                                  (60, 300, "sped up 5 times")):
            times, said = animation.timing(record(end))
            self.assertEqual((len(times), said), (count, words))
            self.assertEqual((times[0], times[-1]), (0, end))

    def test_ends_when_all_rests(self):
        record = example("dice")
        times, words = animation.timing(record)
        rest = scene.moving_until(record)
        self.assertTrue(rest < times[-1] < 1.2 * rest < record["time"][-1])
        self.assertTrue(words.startswith("slowed down 5."), words)

    def test_a_long_title_is_broken_and_drawn_as_it_stands(self):
        record = example("rocking-block")
        record["picture"]["title"] = r'"""; import os $\frac B_x ' + "a long title " * 9
        movie = carom.plot.draw(record)
        movie.show(3)
        self.assertEqual(audit.problems(movie.figure), [])
        words = [w.replace("\n", " ").replace(r"\$", "$") for w in support.words(movie.figure)]
        self.assertIn(record["picture"]["title"].strip(), words)

    def test_the_scale_stays_on_the_canvas_however_long_the_title_is(self):
        record = example("dice")
        for count in (1, 5, 14, 26):
            record["picture"]["title"] = "a long title " * count
            movie = carom.plot.draw(record)
            next(animation.pictures(movie))
            self.assertGreater(movie.axes.xaxis.label.get_window_extent().y0, 3)
            self.assertLess(movie.clock.get_window_extent().y1, movie.figure.texts[-1].get_window_extent().y0)
            self.assertEqual(audit.problems(movie.figure), [])

    def test_a_belt_moves(self):
        record = example("rocking-block")
        record["ground"][0]["velocity"] = [0, 0.5]
        movie = carom.plot.draw(record)
        heights = []
        for k in (0, len(movie.times) - 1):
            movie.show(k)
            heights.append(movie.moved[-1].get_segments()[0][0][1])
        self.assertAlmostEqual(heights[1] - heights[0], 0.5 * movie.times[-1], delta=1e-9)


class Files(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def test_gif_in_the_plane_and_in_space(self):
        for name in ("rocking-block", "dice"):
            movie = carom.plot.draw(example(name))
            carom.plot.save(movie, self.path("x.gif"))
            self.assertLess(os.path.getsize(self.path("x.gif")), 1e6)
            with Image.open(self.path("x.gif")) as image:
                self.assertEqual(image.size, movie.figure.canvas.get_width_height())
                self.assertEqual(image.info["loop"], 0)
                durations = []
                for k in range(image.n_frames):
                    image.seek(k)
                    durations.append(image.info["duration"])
                    self.assertEqual(image.convert("RGB").getpixel((1, 1)), (255, 255, 255))
            # Frames that are alike are shown once, for longer.
            self.assertEqual(sum(durations), 40 * (len(movie.times) - 1) + 1000)

    def test_a_frame_looks_as_if_it_were_drawn_alone(self):
        movie = carom.plot.draw(example("dice"))
        k = len(movie.times) // 2
        frame = next(f for n, f in enumerate(animation.pictures(movie)) if n == k)
        movie.figure.canvas.draw()
        alone = np.array(movie.figure.canvas.buffer_rgba())[..., :3]
        differ = np.mean(np.abs(frame.astype(int) - alone).max(axis=-1) > 40)
        self.assertLess(differ, 2e-3)
        self.assertLess(np.mean(frame), 254)

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_mp4(self):
        movie = carom.plot.draw(example("rocking-block"))
        carom.plot.save(movie, self.path("x.mp4"))
        said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
                               "stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0",
                               self.path("x.mp4")], capture_output=True, text=True, check=True).stdout.strip()
        width, height = movie.figure.canvas.get_width_height()
        self.assertEqual(said, f"{width},{height},25/1,{len(movie.times)}")

    def test_without_ffmpeg_one_line_says_so_and_nothing_is_left(self):
        movie = carom.plot.draw(example("rocking-block"))
        with unittest.mock.patch("shutil.which", return_value=None):
            with self.assertRaisesRegex(RuntimeError, r"^an \.mp4 needs the program ffmpeg"):
                carom.plot.save(movie, self.path("x.mp4"))
        self.assertEqual(os.listdir(self.directory.name), [])


if __name__ == "__main__":
    unittest.main()
