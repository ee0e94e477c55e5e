# SPDX-License-Identifier: Apache-2.0
"""Vehicles from above: what is drawn is what the record says, and it can be read."""

import unittest

import numpy as np
import support
from matplotlib.patches import Polygon

EXAMPLES = ("intersection", "barrier", "rear-end", "sideswipe", "speeds-before")


def record_of(name):
    return support.record_of("solve", f"vehicles/{name}.toml")


class Vehicles(unittest.TestCase):
    def test_all_examples_can_be_read(self):
        for name in EXAMPLES:
            with self.subTest(name):
                record = record_of(name)
                figure = support.carom.plot.draw(record)
                support.readable(self, figure)
                words = " ".join(support.words(figure))
                for vehicle in record["picture"]["vehicles"]:
                    self.assertIn(vehicle["name"], words)

    def test_outlines_at_the_impact_are_where_the_contact_is(self):
        picture = record_of("intersection")["picture"]
        for vehicle in picture["vehicles"]:
            forward = np.array(vehicle["forward"])
            # The contact is the origin: within half a length and half a width of the mass centre.
            to_contact = -np.array(vehicle["mass_centre"])
            self.assertLessEqual(abs(forward @ to_contact), vehicle["size"][0] / 2)
            self.assertLessEqual(abs(forward[0] * to_contact[1] - forward[1] * to_contact[0]), vehicle["size"][1] / 2)
        axes = support.carom.plot.draw(record_of("intersection")).axes[0]
        outlines = [patch.get_xy()[:4] for patch in axes.patches if isinstance(patch, Polygon)]
        self.assertEqual(len(outlines), 6)  # before, after, at the impact
        for vehicle in picture["vehicles"]:
            centres = [outline.mean(axis=0) for outline in outlines]
            self.assertTrue(any(np.allclose(centre, vehicle["mass_centre"]) for centre in centres))

    def test_the_impulse_changes_the_velocities(self):
        picture = record_of("intersection")["picture"]
        saloon, van = picture["vehicles"]
        change = np.array(saloon["velocity_after"]) - saloon["velocity_before"]
        np.testing.assert_allclose(1400 * change, picture["impulse"], rtol=1e-12)
        change = np.array(van["velocity_after"]) - van["velocity_before"]
        np.testing.assert_allclose(-2100 * change, picture["impulse"], rtol=1e-12)

    def test_a_clock_shows_where_the_force_comes_from(self):
        picture = record_of("rear-end")["picture"]
        self.assertEqual([v["pdof_clock"] for v in picture["vehicles"]], [12, 6])
        figure = support.carom.plot.draw(record_of("rear-end"))
        words = " ".join(support.words(figure))
        self.assertIn("6 o'clock", words)


if __name__ == "__main__":
    unittest.main()
