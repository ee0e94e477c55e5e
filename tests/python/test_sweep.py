# SPDX-License-Identifier: Apache-2.0
"""Pictures of sweeps: what the record says is what is drawn, and can be read."""

import unittest

import numpy as np
import support
import carom.plot


class Sweep(unittest.TestCase):
    def test_every_example_can_be_read(self):
        for example in support.examples("sweep"):
            with self.subTest(example):
                record = support.record_of("sweep", example, "-q")
                figure = carom.plot.draw(record)
                words = support.readable(self, figure)
                for result in record["results"]:
                    self.assertTrue(any(result["label"] in word for word in words), result["label"])

    def test_a_histogram_has_the_counts_and_quantiles_of_the_record(self):
        record = support.record_of("sweep", "bar.toml", "-q", "--law", "poisson", "--show", "energy_change",
                                   "--vary", "surface.friction=uniform:0:1", "--bins", "10")
        result = record["results"][0]
        axes = carom.plot.draw(record).axes[0]
        values, edges, _ = axes.patches[0].get_data()
        self.assertAlmostEqual(edges[0], result["histogram"]["from"])
        self.assertAlmostEqual(edges[-1], result["histogram"]["to"])
        np.testing.assert_allclose(values * np.diff(edges) * result["count"], result["histogram"]["counts"])
        lines = [line.get_xdata()[0] for line in axes.lines]
        np.testing.assert_allclose(lines, [quantile["value"] for quantile in result["quantiles"]])

    def test_a_grid_is_drawn_as_curves(self):
        record = support.record_of("sweep", "bar.toml", "-q", "--law", "poisson,moreau", "--show", "slip",
                                   "--vary", "surface.friction=0:1:5", "--vary", "system.angle_deg=100,120")
        axes = carom.plot.draw(record).axes[0]
        self.assertEqual(len(axes.lines), 4)
        np.testing.assert_allclose(axes.lines[1].get_xdata(), [0, 0.25, 0.5, 0.75, 1])
        np.testing.assert_allclose(axes.lines[1].get_ydata(), record["results"][0]["values"][1::2])

    def test_laws_with_modes_of_their_own_and_constants_can_be_read(self):
        record = support.record_of("sweep", "bar.toml", "-q", "--law", "poisson,moreau,newton", "--indices",
                                   "--show", "mode,normal_velocity", "--vary", "surface.friction=uniform:0:1")
        support.readable(self, carom.plot.draw(record))


if __name__ == "__main__":
    unittest.main()
