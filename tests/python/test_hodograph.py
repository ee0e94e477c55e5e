# SPDX-License-Identifier: Apache-2.0
"""The hodograph of slip: what is drawn is what the record says, and it can be read."""

import unittest

import numpy as np
import support
from carom.plot import hodograph, laws
from matplotlib.figure import Figure

ORDINARY = "restitution = 0.5\nfriction = 0.3"
ANY = "[[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 3.0]]"
SPHERE = "[[1.0, 0, 0], [0, 3.5, 0], [0, 0, 3.5]]"
FLAT = "[[1.0, 0, 0], [0, 0, 0], [0, 0, 0]]"


def contact(approach="[-1.0, 1.0, 0.5]", surface=ORDINARY, inertia=ANY, title="a contact"):
    """A scenario of one contact in space."""
    return (f"title = '''{title}'''\n[system]\ntype = \"space-contact\"\ninverse_inertia = {inertia}\n"
            f"approach = {approach}\n[surface]\n{surface}\n")


def path_of(record, law):
    """The path of one law."""
    return next(path for path in record["picture"]["paths"] if path["law"] == law)


class Examples(unittest.TestCase):
    def test_all_can_be_read_and_show_every_law_and_path(self):
        for example in support.examples("space"):
            with self.subTest(example):
                record = support.record_of("solve", example)
                figure = support.carom.plot.draw(record)
                support.readable(self, figure)
                words = " ".join(support.legend_of(figure)).replace(",", "").split()
                axes = figure.axes[0]
                for path in record["picture"]["paths"]:
                    self.assertIn(path["law"], words)
                    for values, limits in ((path["slip_1"], axes.get_xlim()), (path["slip_2"], axes.get_ylim())):
                        self.assertTrue(limits[0] <= min(values) and max(values) <= limits[1])

    def test_paths_lead_from_the_approach_to_the_outcome(self):
        record = support.record_of("solve", "space/rod.toml")
        for path, outcome in zip(record["picture"]["paths"], record["outcomes"]):
            self.assertGreater(len(path["slip_1"]), 10)
            self.assertEqual(path["impulse_normal"][0], 0)
            self.assertTrue(np.all(np.diff(path["impulse_normal"]) >= 0))
            for key, before, after in (("velocity_normal", record["approach"][0], outcome["velocity"][0]),
                                       ("slip_1", record["approach"][1], outcome["velocity"][1]),
                                       ("slip_2", record["approach"][2], outcome["velocity"][2]),
                                       ("work", 0, outcome["energy"]["change"])):
                self.assertAlmostEqual(path[key][0], before, delta=1e-6)
                self.assertAlmostEqual(path[key][-1], after, delta=1e-6)

    def test_the_rod_turns_at_the_limit_of_friction(self):
        path = path_of(support.record_of("solve", "space/rod.toml", "--law", "poisson"), "poisson")
        np.testing.assert_allclose(np.hypot(path["friction_1"], path["friction_2"]), 0.2, rtol=1e-6)
        self.assertGreater(np.hypot(path["slip_1"], path["slip_2"]).min(), 0.03)

    def test_axes_show_the_paths_of_the_record(self):
        record = support.record_of("solve", "space/rod.toml", "--law", "energetic")
        axes = support.carom.plot.draw(record).axes
        path = path_of(record, "energetic")
        panels = axes[3:]
        self.assertEqual(len(panels), 4)
        for one, x, y in ((axes[0], "slip_1", "slip_2"), (panels[0], "impulse_normal", "velocity_normal"),
                          (panels[1], "impulse_normal", "friction_1"), (panels[2], "impulse_normal", "friction_2"),
                          (panels[3], "impulse_normal", "work")):
            longest = max(one.get_lines(), key=lambda line: len(line.get_xydata()))
            np.testing.assert_allclose(longest.get_xydata(), np.transpose([path[x], path[y]]))
        self.assertEqual(axes[0].get_aspect(), 1)

    def test_rays_are_told_apart(self):
        record = support.record_of("solve", "space/rod.toml")
        legend = support.legend_of(support.carom.plot.draw(record))
        self.assertIn("ray that attracts, slip grows", legend)
        self.assertIn("ray that repels, slip falls", legend)
        self.assertEqual(len(record["picture"]["rays"]), 2)
        for ray in record["picture"]["rays"]:
            self.assertAlmostEqual(np.hypot(*ray["direction"]), 1)
        sphere = support.legend_of(support.carom.plot.draw(support.record_of("solve", "space/sphere.toml")))
        self.assertFalse(any("ray that" in words for words in sphere))
        self.assertIn("slip keeps whatever direction it has", sphere)

    def test_marks_only_what_happens(self):
        def legend(record):
            return support.legend_of(support.carom.plot.draw(record))

        crate = legend(support.record_of("solve", "space/box-corner.toml"))
        self.assertNotIn("slip ends", crate)
        self.assertIn("compression ends", crate)
        self.assertNotIn("compression resumes", crate)
        self.assertIn("slip ends", legend(support.record_of("solve", "space/cars.toml")))
        # v_n returns to zero in restitution.
        again = support.record_of_text(contact(
            "[-1.0326, 24.0661, 6.2864]", "restitution = 1.0\nfriction = 2.2116",
            "[[0.53629, 0.02706, 0.46631], [0.02706, 0.79076, -0.0253], [0.46631, -0.0253, 0.9175]]"))
        self.assertIn("compression resumes", legend(again))
        path = path_of(again, "newton")
        for at in path["compression_ends"] + path["compression_resumes"]:
            self.assertAlmostEqual(path["velocity_normal"][at], 0, delta=1e-5)

    def test_tolerance_is_honoured(self):
        rough, fine = (path_of(support.record_of("solve", "space/rod.toml", "--law", "energetic", *more), "energetic")
                       for more in (("--tolerance", "1e-3"), ()))
        for key in ("impulse_normal", "velocity_normal", "slip_1", "slip_2", "work"):
            self.assertAlmostEqual(rough[key][-1], fine[key][-1], delta=2e-3)
        self.assertNotEqual(rough["slip_1"][-1], fine["slip_1"][-1])


class Awkward(unittest.TestCase):
    def test_degenerate_impacts_are_drawn_and_can_be_read(self):
        for text in (contact("[-1.0, 0.0, 0.0]"), contact("[-1.0, 0.0, 0.0]", inertia=SPHERE),
                     contact("[-1.0, 1.0, 0.0]", inertia=FLAT), contact(surface="restitution = 0\nfriction = 0"),
                     contact(surface="restitution = 0\nfriction = 0", inertia=SPHERE),
                     contact(surface="restitution = 0.5\nfriction = 1e9"),
                     contact(surface="restitution = 0.5\nfriction = 1e-9"), contact("[-1e-6, 1e6, 0.0]"),
                     contact("[-1e6, 1e-6, 0.0]"), contact("[-1e-60, 1e-60, 2e-60]"),
                     contact("[-1e-12, 1e-12, 0.0]", inertia="[[1e15, 1e14, 0], [1e14, 2e15, 0], [0, 0, 1e15]]"),
                     contact("[0.0, 1.0, 0.0]"), contact("[0.0, 0.0, 0.0]"),
                     contact(surface=ORDINARY + "\nstatic_friction = 0.9"),
                     contact(surface="restitution = 0.5\nimpulse_ratio = [-0.2, 0.1]")):
            with self.subTest(text):
                record = support.record_of_text(text)
                for path in record["picture"]["paths"]:
                    self.assertNotIn(None, [x for values in path.values() if isinstance(values, list) for x in values])
                support.readable(self, support.carom.plot.draw(record))

    def test_all_paths_are_in_the_view_of_random_impacts(self):
        random = np.random.default_rng(7)
        for _ in range(20):
            a = random.normal(size=(3, 3))
            inertia = [list(map(float, row)) for row in a @ a.T + 0.1 * np.eye(3)]
            approach = [-abs(random.normal()), *map(float, random.normal(size=2) * 10 ** random.uniform(-2, 2))]
            record = support.record_of_text(contact(str(approach), inertia=str(inertia)))
            t1, t2 = hodograph._view(record, laws.families(record, hodograph._KEYS))
            for path in record["picture"]["paths"]:
                for values, (least, most) in ((path["slip_1"], t1), (path["slip_2"], t2)):
                    self.assertTrue(least < min(values) and max(values) < most)

    def test_slip_far_from_zero_is_seen_closer(self):
        record = support.record_of_text(contact("[-0.01, 5.0, 0.0]"))
        figure = support.carom.plot.draw(record)
        self.assertIn("zero slip is outside the view", support.legend_of(figure))
        self.assertGreater(figure.axes[0].get_xlim()[0], 4.9)

    def test_says_where_there_is_no_impact(self):
        figure = support.carom.plot.draw(support.record_of_text(contact("[0.25, 1.0, 0.5]")))
        self.assertIn("No impact: the contact separates at 0.25 m/s", support.words(figure))

    def test_titles_are_text_and_nothing_else(self):
        title = r'a_b^c {d} $\frac & ~f <g> `touch x` "h" \i'
        figure = support.carom.plot.draw(support.record_of_text(contact(title=title)))
        words = support.readable(self, figure)
        self.assertIn(title, [w.replace(r"\$", "$") for w in words])

    def test_one_panel_goes_on_axes_of_the_user(self):
        record = support.record_of("solve", "space/rod.toml", "--law", "newton")
        axes = Figure().subplots()
        hodograph.panel(axes, record, "friction_1")
        self.assertEqual(axes.get_ylabel(), "friction along t₁\ndP₁/dPₙ")


if __name__ == "__main__":
    unittest.main()
