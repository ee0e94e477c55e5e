# SPDX-License-Identifier: Apache-2.0
"""Texts are drawn as they stand; headings fit; bad layouts are found."""

import os
import tempfile
import unittest

import support
import carom.plot
from carom.plot import audit, style
from matplotlib.figure import Figure


class Texts(unittest.TestCase):
    def test_markup_of_a_user_is_drawn_as_it_stands(self):
        for text in ('"""; import os', r"$\frac", "$a$ and $b$", r"\$5", "B_x", "a^b", "100 %", "$x$"):
            with style.context():
                figure = Figure()
                drawn = figure.text(0.5, 0.5, style.plain(text))
                figure.canvas.draw()
            shown, is_formula = drawn._preprocess_math(drawn.get_text())
            self.assertFalse(is_formula, text)
            self.assertEqual(shown, text)

    def test_control_characters_are_spaces_and_a_leading_underscore_shows_in_a_legend(self):
        self.assertEqual(style.plain("a\x1b[31m\nb"), "a [31m b")
        figure = Figure()
        axes = figure.subplots()
        axes.plot([0, 1], label=style.plain("_hidden"))
        self.assertEqual(len(axes.legend().get_texts()), 1)

    def test_a_long_title_is_broken_and_stays_on_the_canvas(self):
        with style.context():
            figure = style.figure(4, 4)
            figure.subplots()
            style.heading(figure, "A very long title " * 8, "and " * 30 + "W" * 60)
            support.readable(self, figure)


    def test_lines_of_a_heading_have_about_the_same_width(self):
        lines = style.balanced("one two three four five six seven eight nine ten eleven", 250, 9.5).split("\n")
        self.assertEqual(len(lines), 2)
        self.assertGreater(style.text_width(lines[1], 9.5), 0.6 * style.text_width(lines[0], 9.5))
        self.assertEqual(" ".join(lines), "one two three four five six seven eight nine ten eleven")


    def test_a_subtitle_is_broken_between_its_items(self):
        text = "restitution e = 0.5, friction μ = 0.3; bar: mass = 1 kg, velocity = (0.4, −1) m/s, spin = 0 rad/s"
        self.assertEqual(style.items(text), ["restitution e = 0.5,", "friction μ = 0.3;", "bar: mass = 1 kg,",
                                             "velocity = (0.4, −1) m/s,", "spin = 0 rad/s"])
        for width in range(150, 500, 10):
            lines = style.balanced(text, width, 9.5, split=style.items).split("\n")
            self.assertEqual(" ".join(lines), text)
            self.assertTrue(all(line.endswith((",", ";")) and line.count("(") == line.count(")") for line in lines[:-1]))
            self.assertTrue(all(style.text_width(line, 9.5) <= width for line in lines))


class Save(unittest.TestCase):
    def test_a_name_without_a_known_ending_is_refused_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as directory:
            with self.assertRaisesRegex(ValueError, "must end in .svg, .png, .pdf, .gif, .mp4"):
                carom.plot.save(style.figure(2, 2), os.path.join(directory, "picture"))
            self.assertEqual(os.listdir(directory), [])


class Audit(unittest.TestCase):
    def test_finds_a_text_beyond_the_edge(self):
        figure = Figure()
        figure.text(0.9, 0.5, "far too long for the room that is left")
        self.assertEqual(len(audit.problems(figure)), 1)

    def test_finds_tick_labels_over_each_other(self):
        figure = Figure(figsize=(2, 2))
        axes = figure.subplots()
        axes.set_xticks([0, 0.1, 0.2], ["long label", "another one", "a third"])
        self.assertTrue(any("over each other" in line for line in audit.problems(figure)))

    def test_finds_nothing_in_a_plain_figure(self):
        figure = Figure()
        figure.subplots().plot([0, 1])
        self.assertEqual(audit.problems(figure), [])


if __name__ == "__main__":
    unittest.main()
