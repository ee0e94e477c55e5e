# SPDX-License-Identifier: Apache-2.0
"""The course of several contacts: what is drawn is what the record says, and it can be read."""

import unittest

import numpy as np
import support
from carom.plot import course, style
from matplotlib.figure import Figure


def chain(count, restitution=1.0, title="a chain"):
    """A scenario of equal balls in a row, of which the first strikes."""
    return (f"title = '''{title}'''\n[system]\ntype = \"chain\"\nmass = 1\ncount = {count}\nstriker_velocity = 1\n"
            f"[surface]\nrestitution = {restitution}\nstiffness = 1e6\n")


def outcome_of(record):
    """What lzb says."""
    return next(outcome for outcome in record["outcomes"] if outcome["law"] == record["picture"]["law"])


def panels(figure, record):
    """The axes of few contacts: rows of quantities, columns of contacts."""
    count = len(record["contacts"])
    return np.array([axes for axes in figure.axes if axes.get_legend() is None]).reshape(-1, count)


class Few(unittest.TestCase):
    def test_all_examples_can_be_read_and_name_their_contacts(self):
        for example in support.examples("many"):
            if example.endswith("long-chain.toml"):
                continue  # below
            with self.subTest(example):
                record = support.record_of("solve", example, "--law", "lzb")
                figure = support.carom.plot.draw(record)
                support.readable(self, figure)
                self.assertEqual("cells" in record["picture"], len(record["contacts"]) > 6)
                self.assertLessEqual(set(record["contacts"]), set(support.words(figure)))

    def test_samples_lead_to_the_outcome_that_json_prints(self):
        record = support.record_of("solve", "many/newton-cradle.toml")
        samples, outcome = record["picture"]["samples"], outcome_of(record)
        self.assertAlmostEqual(samples["impulse"][-1], sum(outcome["impulse"]), delta=1e-6)
        for i, velocity in enumerate(outcome["velocity"]):
            self.assertAlmostEqual(samples["velocity_normal"][i][0], record["approach"][i], delta=1e-7)
            self.assertAlmostEqual(samples["velocity_normal"][i][-1], velocity, delta=1e-6)
            impulse = np.trapz(samples["force_normal"][i], samples["time"])
            self.assertAlmostEqual(impulse, outcome["impulse"][i], delta=1e-3 * outcome["impulse"][i])

    def test_axes_show_the_samples(self):
        record = support.record_of("solve", "many/newton-cradle.toml")
        axes = panels(support.carom.plot.draw(record), record)
        samples = record["picture"]["samples"]
        self.assertEqual(axes.shape, (3, 4))
        for row, (quantity, unit) in enumerate((("velocity_normal", 1), ("force_normal", 1), ("stored_energy", 1e-3))):
            for i in range(4):
                line = max(axes[row, i].get_lines(), key=lambda line: len(line.get_xydata()))
                np.testing.assert_allclose(line.get_xdata(), np.array(samples["time"]) / 1e-6)
                np.testing.assert_allclose(line.get_ydata(), np.array(samples[quantity][i]) / unit, atol=1e-7)
        self.assertEqual(axes[2, 0].get_ylabel(), "stored energy\nE [mJ]")
        self.assertEqual(axes[2, 0].get_xlabel(), "reconstructed time [µs]")

    def test_a_row_has_one_scale_and_small_contacts_are_magnified(self):
        record = support.record_of("solve", "many/disc-ball.toml")
        figure = support.carom.plot.draw(record)
        axes = panels(figure, record)
        for row in axes:
            self.assertEqual(len({one.get_ylim() for one in row}), 1)
        factors = [[text.get_text() for text in one.texts] for one in axes[3]]
        self.assertEqual(factors, [["×1000"], ["×10⁶"], [], []])
        self.assertIn("magnified as said beside it", support.legend_of(figure))
        line = max(axes[3, 0].get_lines(), key=lambda line: len(line.get_xydata()))
        np.testing.assert_allclose(line.get_ydata(), np.array(record["picture"]["samples"]["stored_energy"][0]) * 1e6)
        cradle = support.carom.plot.draw(support.record_of("solve", "many/newton-cradle.toml"))
        self.assertEqual(support.legend_of(cradle), ["compression", "restitution"])

    def test_stages_and_stick_are_shaded_where_the_phases_end(self):
        record = support.record_of("solve", "many/rod-in-corner.toml", "--law", "lzb")
        axes = panels(support.carom.plot.draw(record), record)
        for i in range(2):
            spans = {patch.get_facecolor(): patch.get_extents().transformed(axes[0, i].transData.inverted())
                     for patch in axes[0, i].patches}
            compressed = [p for p in outcome_of(record)["phases"] if p["contact"] == i and p["stage"] == "compression"]
            stages = sorted(spans.values(), key=lambda box: box.x0)
            self.assertEqual(len(stages), 2)
            self.assertAlmostEqual(stages[0].x1, compressed[-1]["time"] * 1e3, delta=0.05)
            self.assertAlmostEqual(stages[1].x0, stages[0].x1)
        sticking = [p for p in outcome_of(record)["phases"] if p["motion"] == "stick"]
        self.assertEqual({p["contact"] for p in sticking}, {0})
        self.assertEqual([len(one.patches) for one in axes[1]], [3, 2])

    def test_rounding_is_not_drawn_as_slip(self):
        record = support.record_of("solve", "many/rocking-block.toml")
        self.assertLess(np.max(np.abs(record["picture"]["samples"]["slip"])), 1e-12)
        slip = panels(support.carom.plot.draw(record), record)[1, 0]
        line = max(slip.get_lines(), key=lambda line: len(line.get_xydata()))
        self.assertEqual(set(line.get_ydata()), {0.0})

    def test_over_impulse(self):
        record = support.record_of("solve", "many/disc-ball.toml", "--over", "impulse")
        axes = panels(support.carom.plot.draw(record), record)
        self.assertEqual(axes[3, 0].get_xlabel().replace("\n", " "), "sum of the normal impulses [mN s]")
        line = max(axes[0, 3].get_lines(), key=lambda line: len(line.get_xydata()))
        np.testing.assert_allclose(line.get_xdata(), np.array(record["picture"]["samples"]["impulse"]) / 1e-3)

    def test_one_panel_goes_on_axes_of_the_user(self):
        record = support.record_of("solve", "many/newton-cradle.toml")
        axes = Figure().subplots()
        self.assertFalse(course.panel(axes, record, "force_normal", 2))
        self.assertEqual(axes.get_ylabel(), "normal force\nFₙ [N]")

    def test_long_titles_and_names_that_are_no_markup(self):
        title = r'"""; import os $\frac B_x ' + "a long title " * 12
        for count in (3, 9):
            record = support.record_of_text(chain(count, title=title))
            names = [rf"$\frac_{i}^2$ \"a body\" - another body" for i in range(count - 1)]
            figure = support.carom.plot.draw({**record, "contacts": names})
            words = support.readable(self, figure)
            drawn = " ".join(words).replace("\n", " ").replace(r"\$", "$")
            self.assertIn(" ".join(title.split()), drawn)
            for name in names:
                self.assertIn(name, drawn)


class Many(unittest.TestCase):
    def test_the_wave_in_a_chain_has_no_gaps(self):
        record = support.record_of("solve", "many/long-chain.toml", "--law", "lzb")
        force = np.array(record["picture"]["cells"]["force_normal"])
        self.assertEqual(record["picture"]["cells"]["contacts_a_row"] * len(force), 1000)
        reached = force > 0.3 * force.max()
        self.assertTrue(np.all(reached[:, :-8].any(axis=0)))  # in every step of time
        self.assertTrue(np.all(reached.any(axis=1)))  # at every contact
        first = reached.argmax(axis=1)
        self.assertTrue(np.all(np.diff(first) >= 0))
        # From one row to the next the wave is in the same or the neighbouring column.
        last = reached.shape[1] - 1 - reached[:, ::-1].argmax(axis=1)
        self.assertTrue(np.all(first[1:] <= last[:-1] + 1))
        figure = support.carom.plot.draw(record)
        support.readable(self, figure)
        image = figure.axes[1].images[0]
        np.testing.assert_allclose(image.get_array(), force)
        self.assertEqual(image.get_interpolation(), "bilinear")
        # As it passes contacts first approach, then separate: in a row all that approaches comes before what separates.
        velocity = np.array(record["picture"]["cells"]["velocity_normal"])[1:-1]
        signs = np.sign(np.where(np.abs(velocity) > 0.05, velocity, 0))
        for row in signs:
            found = row[row != 0]
            np.testing.assert_array_equal(found, np.sort(found))
            self.assertGreaterEqual(min(np.sum(found < 0), np.sum(found > 0)), 2)
        self.assertIn("900-901", support.words(figure))

    def test_cells_hold_what_is_farthest_from_zero(self):
        record = support.record_of_text(chain(9), "--law", "lzb")
        cells, outcome = record["picture"]["cells"], outcome_of(record)
        velocity, force = np.array(cells["velocity_normal"]), np.array(cells["force_normal"])
        self.assertEqual(velocity.shape[0], 8)
        self.assertEqual(velocity[0, 0], -1)
        np.testing.assert_allclose(velocity[:, -1], outcome["velocity"], atol=0.02)
        # More than the mean in each cell, so more than the impulse, but little.
        impulse = force.sum(axis=1) * cells["end"] / force.shape[1]
        self.assertTrue(np.all(impulse > outcome["impulse"]))
        np.testing.assert_allclose(impulse, outcome["impulse"], rtol=0.05)

    def test_over_impulse(self):
        record = support.record_of_text(chain(9, 0.9), "--law", "lzb", "--over", "impulse")
        figure = support.carom.plot.draw(record)
        self.assertEqual(figure.axes[2].get_xlabel(), "sum of the normal impulses [N s]")
        self.assertAlmostEqual(record["picture"]["cells"]["end"], sum(outcome_of(record)["impulse"]), delta=0.05)

    def test_few_rows_have_sharp_edges_in_every_format(self):
        figure = support.carom.plot.draw(support.record_of("solve", "many/pyramid.toml", "--law", "lzb"))
        images = [image for axes in figure.axes for image in axes.images]
        self.assertEqual({image.get_interpolation() for image in images}, {"nearest"})
        self.assertEqual({style.save_options(ending)["dpi"] for ending in (".svg", ".pdf")}, {300})

    def test_colours_say_zero_where_nothing_is(self):
        record = support.record_of("solve", "many/pyramid.toml", "--law", "lzb")
        figure = support.carom.plot.draw(record)
        velocity, slip, force, _ = (axes.images[0] for axes in figure.axes if axes.images)
        self.assertEqual(velocity.norm.vmin, -velocity.norm.vmax)
        self.assertEqual((slip.norm.vmin, force.norm.vmin), (0, 0))
        self.assertEqual(tuple(force.cmap(0.0)), (1, 1, 1, 1))
        self.assertEqual(figure.axes[1].get_title(loc="left"), "slip speed |vₜ| [m/s]")


if __name__ == "__main__":
    unittest.main()
