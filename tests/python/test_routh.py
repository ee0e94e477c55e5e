# SPDX-License-Identifier: Apache-2.0
"""Routh's diagram: what is drawn is what the record says, and it can be read."""

import os
import tempfile
import unittest

import matplotlib
import numpy as np
import support
from carom.plot import laws, routh, style
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

QUANTITIES = ("velocity_normal", "slip", "work")


def contact(surface="restitution = 0.5\nfriction = 0.3", approach="[-1.0, 0.5]", title="a contact",
            inertia="[[1.0, 0.3], [0.3, 2.0]]"):
    """A scenario of one contact in the plane."""
    return (f"title = '''{title}'''\n[system]\ntype = \"contact\"\ninverse_inertia = {inertia}\n"
            f"approach = {approach}\n[surface]\n{surface}\n")


def lines(axes, law):
    """The data of the lines of this law's look, longest first."""
    colour = style.law(law)["color"]
    found = [np.array(line.get_xydata()) for line in axes.get_lines() if line.get_color() == colour]
    return sorted(found, key=len, reverse=True)


class Examples(unittest.TestCase):
    def test_all_can_be_read_and_show_every_law(self):
        for example in support.examples():
            with self.subTest(example):
                record = support.record_of("solve", example)
                figure = support.carom.plot.draw(record)
                support.readable(self, figure)
                words = " ".join(support.legend_of(figure)).replace(",", "").split()
                for outcome in record["outcomes"]:
                    self.assertIn(outcome["law"], words)
                self.assertIn(record["title"], [w.replace("\n", " ") for w in support.words(figure)])

    def test_paths_end_at_the_outcomes_that_json_prints(self):
        record = support.record_of("solve", "bar.toml")
        for path, outcome in zip(record["picture"]["paths"], record["outcomes"]):
            self.assertEqual(path["law"], outcome["law"])
            for key, value in (("impulse_normal", outcome["impulse"][0]), ("impulse_tangential", outcome["impulse"][1]),
                               ("velocity_normal", outcome["velocity"][0]), ("slip", outcome["velocity"][1]),
                               ("work", outcome["energy"]["change"])):
                self.assertAlmostEqual(path[key][-1], value, delta=1e-6)
            # A dot where a phase ends, but for the last: there is the law's symbol.
            ends = [phase["impulse"][0] for phase in outcome["phases"][:-1]]
            self.assertEqual(len(path["phase_ends"]), len(ends))
            for at, end in zip(path["phase_ends"], ends):
                self.assertAlmostEqual(path["impulse_normal"][at], end, delta=1e-6)

    def test_axes_show_the_paths_of_the_record(self):
        record = support.record_of("solve", "bar.toml")
        diagram, *panels = support.carom.plot.draw(record).axes[:4]
        path = next(p for p in record["picture"]["paths"] if p["law"] == "poisson")
        np.testing.assert_allclose(lines(diagram, "poisson")[0],
                                   np.transpose([path["impulse_tangential"], path["impulse_normal"]]))
        for axes, quantity in zip(panels, QUANTITIES):
            np.testing.assert_allclose(lines(axes, "poisson")[0],
                                       np.transpose([path["impulse_normal"], path[quantity]]))
            self.assertIn(record["picture"]["quantities"][quantity]["name"], axes.get_ylabel())

    def test_whatever_is_drawn_is_in_the_legend(self):
        legend = support.legend_of(support.carom.plot.draw(support.record_of("solve", "bar.toml")))
        self.assertEqual(legend, ["newton", "poisson", "energetic",
                                  "moreau = brach = conventional = conventional:rebound", "moreau:poisson",
                                  "a phase ends", "friction cone, |Pₜ| ≤ μ Pₙ", "line of sticking, vₜ = 0",
                                  "greatest compression, vₙ = 0", laws.NO_PROCESS])

    def test_laws_that_agree_have_one_symbol(self):
        figure = support.carom.plot.draw(support.record_of("solve", "kane-levinson.toml"))
        self.assertIn("moreau, same end as newton (energy-gained)", support.legend_of(figure))
        markers = [line.get_marker() for line in figure.axes[0].get_lines()]
        self.assertIn("s", markers)
        self.assertNotIn(style.law_end("moreau")["marker"], markers)

    def test_laws_that_end_early_are_seen_closer(self):
        record = support.record_of("solve", "kane-levinson.toml")
        whole, closer = support.carom.plot.draw(record).axes[:2]
        self.assertEqual(closer.get_title(), "the framed part, closer")
        (frame,) = [patch for patch in whole.patches if isinstance(patch, Rectangle)]
        np.testing.assert_allclose([frame.get_x(), frame.get_x() + frame.get_width()], closer.get_xlim())
        np.testing.assert_allclose([frame.get_y(), frame.get_y() + frame.get_height()], closer.get_ylim())
        early = [o["impulse"] for o in record["outcomes"] if o["law"] in ("poisson", "energetic", "compliant")]
        self.assertEqual(len(early), 3)
        for normal, tangential in early:
            self.assertTrue(closer.get_ylim()[0] < normal < closer.get_ylim()[1])
            self.assertTrue(closer.get_xlim()[0] < tangential < closer.get_xlim()[1])
        newton = next(o for o in record["outcomes"] if o["law"] == "newton")
        self.assertGreater(newton["impulse"][0], closer.get_ylim()[1])

    def test_both_impulses_count_in_one_unit(self):
        axes = support.carom.plot.draw(support.record_of("solve", "moment.toml")).axes[0]
        self.assertEqual(axes.get_xlabel(), "tangential impulse Pₜ [kN s]")
        self.assertEqual(axes.get_ylabel(), "normal impulse Pₙ [kN s]")

    def test_the_lines_are_where_velocity_is_zero(self):
        record = support.record_of("solve", "bar.toml")
        inertia, approach = np.array(record["inverse_inertia"]), np.array(record["approach"])
        t, n = routh._view(record, laws.families(record, routh._KEYS))
        for component, name in ((0, "compression_line"), (1, "stick_line")):
            for tangential, normal in np.transpose(routh._line(record["picture"][name], t, n)):
                self.assertAlmostEqual((approach + inertia @ [normal, tangential])[component], 0, places=12)

    def test_the_picture_in_the_readme_is_drawn_from_its_record(self):
        if matplotlib.__version__ != "3.6.3":
            self.skipTest("another matplotlib draws other bytes")
        picture = os.path.join(support.SOURCE, "docs", "pictures", "kane-levinson.svg")
        with tempfile.TemporaryDirectory() as directory:
            again = os.path.join(directory, "again.svg")
            support.carom.plot.save(support.carom.plot.draw(support.carom.plot.read(picture + ".json")), again)
            with open(picture, "rb") as one, open(again, "rb") as two:
                self.assertTrue(one.read() == two.read())


class Awkward(unittest.TestCase):
    def test_degenerate_impacts_are_drawn_and_can_be_read(self):
        flat, ratio = "[[1.0, 0], [0, 0]]", "restitution = 0.5\nimpulse_ratio = -0.2"
        for text in (contact(approach="[0.0, 0.0]"), contact(approach="[-1.0, 0.0]", inertia=flat),
                     contact(approach="[-1e-60, 1e-60]"), contact(approach="[-1e9, 3e9]"),
                     contact(approach="[-1e-6, 1e6]"), contact(approach="[-1e6, 1e-6]"),
                     contact("restitution = 0.5\nfriction = 1e9"), contact("restitution = 0.5\nfriction = 1e-9"),
                     contact("restitution = 0\nfriction = 0"), contact(ratio),
                     contact("restitution = 0.5\nfriction = 0.3\nstatic_friction = 0.9")):
            with self.subTest(text):
                support.readable(self, support.carom.plot.draw(support.record_of_text(text)))

    def test_titles_are_text_and_nothing_else(self):
        for title in ('"""; import os', r"$\frac", "B_x ^ {a} & <b> `touch x`", "A long title " * 20):
            with self.subTest(title):
                figure = support.carom.plot.draw(support.record_of_text(contact(title=title)))
                words = support.readable(self, figure)
                drawn = " ".join(words).replace("\n", " ").replace(r"\$", "$")
                self.assertIn(" ".join(title.split()), drawn)

    def test_says_where_there_is_no_impact_and_names_the_file(self):
        figure = support.carom.plot.draw(support.record_of_text(contact(approach="[0.25, 0.0]", title="")))
        self.assertIn("No impact: the contact separates at 0.25 m/s", support.words(figure))
        self.assertIn("scenario.toml", support.words(figure))

    def test_has_no_cone_where_there_is_no_friction(self):
        record = support.record_of_text(contact("restitution = 0.5\nimpulse_ratio = -0.2"))
        self.assertIsNone(record["picture"]["cone"])
        self.assertFalse(any("cone" in words for words in support.legend_of(support.carom.plot.draw(record))))

    def test_one_panel_goes_on_axes_of_the_user(self):
        record = support.record_of("solve", "bar.toml", "--law", "newton")
        axes = Figure().subplots()
        routh.panel(axes, record, "work")
        self.assertEqual(axes.get_ylabel(), "work done so far [J]")
        routh.diagram(Figure().subplots(), record)

    def test_every_format_is_written(self):
        figure = support.carom.plot.draw(support.record_of("solve", "moment.toml"))
        with tempfile.TemporaryDirectory() as directory:
            for ending, begin in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF-")):
                path = os.path.join(directory, "x" + ending)
                support.carom.plot.save(figure, path)
                with open(path, "rb") as file:
                    self.assertTrue(file.read().startswith(begin), ending)


if __name__ == "__main__":
    unittest.main()
