# SPDX-License-Identifier: Apache-2.0
"""Maps: what the record says is what is drawn, and it can be read."""

import csv
import io
import os
import subprocess
import tempfile
import unittest

import maps
import numpy as np
import support
import carom.plot
from carom.plot import map_areas, map_panels, places, style
from carom.plot.map_layers import AREAS, Palette, colours_of, layers_of, number, percent, symbol
from carom.plot.packed import unpack
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

HOSTILE = 'a_b^c {d} @e & ~f <g> `touch x` "h" \'i\' %s $0 $\\frac \\'
BAR = ("map", "bar.toml", "--x", "approach_ratio=-2:2:81", "--y", "system.angle_deg=1:179:81")


def drawn(record):
    return carom.plot.draw(record)


def quarter(x, y, split_x, split_y):
    """Two regions that meet where x passes split_x and y passes split_y."""
    a, b = np.meshgrid(x["values"], y["values"])
    return maps.names((a > split_x) & (b > split_y), ["zero", "one"])


def dashes(line):
    """As they were asked for."""
    offset, pattern = line._unscaled_dash_pattern
    return offset, tuple(pattern or ())


def pixels(figure):
    with style.context():
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba())


def colour_at(figure, axes, x, y, image):
    column, row = axes.transData.transform((x, y))
    return to_hex(image[image.shape[0] - 1 - int(row), int(column), :3] / 255.0).upper()


class Examples(unittest.TestCase):
    def test_every_example_can_be_read(self):
        found = support.examples("maps")
        self.assertGreaterEqual(len(found), 13)
        for example in found:
            with self.subTest(example):
                record = support.record_of("map", example)
                figure = drawn(record)
                support.readable(self, figure)
                words = " ".join(" ".join(text.get_text().split()) for text in figure.findobj(Text))
                self.assertIn(record["picture"]["title"], words)
                self.assertIn(record["picture"]["subtitle"], words)
                for boundary in (record["boundaries"][b] for layer in record["layers"] for b in layer["boundaries"]):
                    if record["y"] and record["picture"]["style"] == "map" and boundary["lines"]:
                        self.assertIn(boundary["meaning"], " ".join(support.legend_of(figure)))

    def test_other_maps_of_the_command_can_be_read(self):
        for arguments in (("--law", "newton,poisson,energetic", "--show", "mode,energy"),
                          ("--law", "newton,moreau", "--compare", "difference", "--show", "mode,slip"),
                          ("--law", "newton,energetic", "--compare", "ratio", "--show", "restitution"),
                          ("--show", "mode")):
            with self.subTest(arguments):
                support.readable(self, drawn(support.record_of(*BAR, *arguments)))
        for arguments in (("--show", "mode,verdict,energy"), ("--show", "sign", "--law", "newton")):
            with self.subTest(arguments):
                support.readable(self, drawn(support.record_of(*BAR[:4], *arguments)))


class Records(unittest.TestCase):
    def test_has_the_numbers_of_the_csv(self):
        arguments = ("map", "bar.toml", "--x", "surface.friction=0:1:5", "--y", "system.angle_deg=91:179:4", "--law",
                     "newton,moreau", "--show", "mode,energy,tangential_impulse")
        record = support.record_of(*arguments)
        text = subprocess.run([support.CAROM, *arguments, "--csv", "-"], capture_output=True, text=True, check=True,
                              cwd=support.EXAMPLES).stdout
        table = list(csv.reader(io.StringIO(text)))[1:]
        for k, layer in enumerate(layers_of(record)):
            column = [row[2 + k] for row in table]
            self.assertEqual(layer.values.shape, (4, 5))
            if layer.categories:
                self.assertEqual([layer.categories[v]["label"] for v in layer.values.ravel()], column)
            else:
                np.testing.assert_allclose(layer.values.ravel(), np.array(column, float), rtol=1e-6)
        np.testing.assert_allclose(np.meshgrid(record["x"]["values"], record["y"]["values"])[1].ravel(),
                                   [float(row[1]) for row in table], rtol=1e-6)

    def test_says_what_is_fixed_and_where_it_comes_from(self):
        record = support.record_of(*BAR[:4], "--law", "newton")
        self.assertEqual([(f["path"], f["value"], f["unit"]) for f in record["fixed"]],
                         [("surface.restitution", 0.5, ""), ("surface.friction", 0.3, ""), ("system.mass", 1, "kg"),
                          ("system.half_length", 1, "m"), ("system.angle_deg", 120, "deg"),
                          ("system.velocity", [0.4, -1], "m/s"), ("system.spin", 0, "rad/s")])
        self.assertEqual(record["picture"]["subtitle"],
                         "restitution e = 0.5, friction μ = 0.3; bar: mass = 1 kg, half length = 1 m, "
                         "angle = 120 deg, velocity = (0.4, −1) m/s, spin = 0 rad/s, slip varied")
        self.assertIn('type = "bar"', record["scenario"]["text"])
        self.assertIn("--law newton", record["command"])

    def test_axes_of_links_have_their_names_and_units(self):
        for file, path, label, unit in (("cart-pole", "system.links[0].rate", "rate of cart", "m/s"),
                                        ("cart-pole", "system.links.pole.rate", "rate of pole", "rad/s"),
                                        ("cart-pole", "system.links[1].angle_deg", "angle of pole", "deg")):
            record = support.record_of("map", file + ".toml", "--x", path + "=-3:3:3", "--law", "newton")
            self.assertEqual((record["x"]["label"], record["x"]["unit"]), (label, unit))
            fixed = {(f["of"], f["label"]): f["unit"] for f in record["fixed"]}
            self.assertEqual(fixed.get(("cart", "rate"), "m/s"), "m/s")
            self.assertEqual(fixed.get(("pole", "rate"), "rad/s"), "rad/s")

    def test_arrays_come_back(self):
        for array in (np.array([[1.5, np.nan]], "<f4"), np.array([1e-60, 1e60], "<f8"), np.array([0, 255], "|u1")):
            np.testing.assert_array_equal(unpack(maps.packed(array)), array)


class Regions(unittest.TestCase):
    def test_colours_are_where_the_data_is(self):
        for first, last, log in ((0, 1, False), (-3, 5, False), (1, -1, False), (1e-3, 1e2, True), (1e2, 0.1, True)):
            for low, high in ((0, 1), (5, -5)):
                with self.subTest(first=first, last=last, low=low, high=high):
                    x, y = maps.axis(first, last, 41, log), maps.axis(low, high, 41)
                    # The regions meet halfway between two samples.
                    xs, ys = np.array(x["values"]), np.array(y["values"])
                    middle = np.sqrt(xs[14] * xs[15]) if log else (xs[14] + xs[15]) / 2
                    record = maps.record(x, y, [quarter(x, y, middle, (ys[25] + ys[26]) / 2)])
                    figure = drawn(record)
                    axes, image = figure.axes[0], pixels(figure)
                    self.assertEqual(axes.get_xlim(), (first, last))
                    for i, j in ((13, 27), (16, 27), (14, 38), (15, 38), (38, 25), (38, 26), (38, 2), (2, 2)):
                        inside = xs[i] > middle and ys[j] > (ys[25] + ys[26]) / 2
                        wanted = AREAS[1 if inside else 0].upper()
                        self.assertEqual(colour_at(figure, axes, xs[i], ys[j], image), wanted)

    def test_names_stand_in_their_regions(self):
        record = support.record_of(*BAR, "--law", "moreau", "--show", "regime")
        figure = drawn(record)
        axes, layer = figure.axes[0], layers_of(record)[0]
        labels = [c["label"] for c in layer.categories]
        found = [text for text in axes.texts if text.get_text() in labels]
        self.assertEqual({text.get_text() for text in found}, {"stick", "forward slip", "backward slip"})
        xs, ys = np.array(record["x"]["values"]), np.array(record["y"]["values"])
        pixels(figure)
        for text in found:
            box = text.get_window_extent()
            for corner in box.corners():
                x, y = axes.transData.inverted().transform(corner)
                cell = layer.values[np.abs(ys - y).argmin(), np.abs(xs - x).argmin()]
                self.assertEqual(labels[cell], text.get_text())

    def test_every_part_of_a_region_has_its_name(self):
        x, y = maps.axis(0, 1, 41), maps.axis(0, 1, 41)
        values = np.zeros((41, 41), int)
        values[:, 18:24] = 1
        figure = drawn(maps.record(x, y, [maps.names(values, ["a", "b"])]))
        self.assertEqual(sorted(text.get_text() for text in figure.axes[0].texts), ["a", "a", "b"])

    def test_a_mode_of_the_edge_alone_is_drawn_wider(self):
        figure = drawn(support.record_of("map", "maps/sun-baruh-3.toml", "--show", "mode"))
        axes = figure.axes[0]
        self.assertEqual([text.get_text() for text in axes.texts].count("6"), 2)
        height = axes.get_window_extent().height
        for strip in axes.patches:
            self.assertGreater(axes.transData.transform((0, strip.get_height()))[1]
                               - axes.transData.transform((0, 0))[1], 0.03 * height)
        self.assertEqual(len(axes.patches), 3)
        legend = support.legend_of(figure)
        self.assertEqual(sum("only at −vₜ⁻/vₙ⁻ = 0, drawn wider" in text for text in legend), 2)

    def test_strips_are_regions_one_cell_thick_at_the_edge(self):
        grid = np.array([[5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 0],
                         [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 4],
                         [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 4],
                         [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 4],
                         [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 4],
                         [0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 4]])
        self.assertEqual([tuple(map(str, strip)) for strip in map_areas.strips(grid)],
                         [("5", "y", "0", "0", "4"), ("6", "y", "0", "5", "9"), ("4", "x", "10", "1", "5")])

    def test_the_key_has_all_that_occurs(self):
        x, y = maps.axis(0, 1, 21), maps.axis(0, 1, 21)
        values = np.zeros((21, 21), int)
        values[:, 10:] = 2
        values[0, 0] = 255
        figure = drawn(maps.record(x, y, [maps.names(values, ["slip", "never", "stick"], boundaries=[0, 1])],
                                   [maps.boundary([0, 1], [0, 1]),
                                    maps.boundary([5, 6], [5, 6], "outside", "not in the panel")]))
        self.assertEqual(support.legend_of(figure),
                         ["slip (47.4 %) what slip means", "stick (52.4 %) what stick means", "undefined (0.2 %)",
                          r"$\mathrm{R}_\mathrm{F}$ where something changes"])

    def test_a_label_keeps_its_colour_and_the_rarest_are_pooled(self):
        x, y = maps.axis(0, 1, 60), maps.axis(0, 1, 11)
        palette = Palette()
        first, _ = palette.colours(layers_of(maps.record(x, y, [quarter(x, y, 0.5, 0.5)])))
        self.assertEqual([entry.colour for entry in first], list(AREAS[:2]))
        stripes = np.arange(60)[None] // 4 * np.ones((11, 1), int)
        labels = [f"c{k}" for k in range(14)] + ["one"]
        second, (indices,) = palette.colours(layers_of(maps.record(x, y, [maps.names(stripes, labels)])))
        self.assertEqual(len(second), 9)
        self.assertEqual(second[-1].label, "other")
        self.assertAlmostEqual(sum(entry.shares[0] for entry in second), 1)
        self.assertEqual(len({entry.colour for entry in second}), 9)
        self.assertEqual(indices[13], 8)  # one of the pooled

    def test_panels_of_laws_that_agree_say_so(self):
        x, y = maps.axis(0, 1, 21), maps.axis(0, 1, 21)
        one, two = quarter(x, y, 0.5, 0.5), quarter(x, y, 0.4, 0.5)
        layers = [one, {**one, "law": "poisson", "laws": "poisson", "title": "mode, poisson"}, two]
        figure = drawn(maps.record(x, y, layers))
        self.assertEqual([axes.get_title() for axes in figure.axes if axes.get_title()],
                         ["mode, newton", "mode, poisson (same as newton)", "mode, newton"])


class Numbers(unittest.TestCase):
    def test_the_image_has_the_numbers_of_the_record(self):
        x, y, values = maps.plane()
        figure = drawn(maps.record(x, y, [maps.numbers(values)]))
        image, = figure.axes[0].images
        shown = image.get_array()
        np.testing.assert_array_equal(shown.mask, np.isnan(values))
        np.testing.assert_allclose(shown.compressed(), values[~np.isnan(values)], rtol=1e-6)
        legend = support.legend_of(figure)
        self.assertIn(f"undefined, {percent(np.isnan(values).mean())}", legend)
        self.assertTrue(any(text.startswith("beyond the colours values reach") for text in legend))
        support.readable(self, figure)

    def test_a_few_extremes_do_not_take_all_colours(self):
        x, y, values = maps.plane(101, 101)
        colours = colours_of(layers_of(maps.record(x, y, [maps.numbers(values)])))
        self.assertEqual(colours.extend, "both")
        self.assertLess(colours.norm.vmax, 200)
        self.assertGreater(colours.greatest, 300)

    def test_compared_laws_are_coloured_from_the_middle(self):
        x, y, values = maps.plane(21, 21)
        values = np.where(values > 0, 3, 0.5)
        for compared, ends in (("difference", (-3, 3)), ("ratio", (1 / 3, 3))):
            layer = maps.numbers(values, other="poisson", compared=compared)
            colours = colours_of(layers_of(maps.record(x, y, [layer])))
            self.assertEqual((colours.norm.vmin, colours.norm.vmax), ends)
            self.assertEqual(colours.cmap.name, "RdBu_r")

    def test_laws_share_their_colours(self):
        x, y, values = maps.plane()
        figure = drawn(maps.record(x, y, [maps.numbers(values), maps.numbers(2 * values, law="poisson")]))
        norms = {(image.norm.vmin, image.norm.vmax) for axes in figure.axes for image in axes.images}
        self.assertEqual(len(norms), 1)
        self.assertEqual(len([axes for axes in figure.axes if axes.get_label() == "<colorbar>"]), 0)
        support.readable(self, figure)

    def contours(self, values, asked):
        x, y = maps.axis(-1, 1, values.shape[1]), maps.axis(-1, 1, values.shape[0])
        figure = drawn(maps.record(x, y, [maps.numbers(values)], contours=asked))
        return figure, [path for c in figure.axes[0].collections for path in c.get_paths() if len(path.vertices)]

    def test_contours_pass_through_their_level(self):
        a, b = np.meshgrid(np.linspace(-1, 1, 61), np.linspace(-1, 1, 61))
        figure, paths = self.contours(np.hypot(a, b), [0.6])
        for path in paths:
            np.testing.assert_allclose(np.hypot(*path.vertices.T), 0.6, atol=2e-3)
        self.assertTrue(paths)
        self.assertIn("0.6", support.words(figure))

    def test_contours_stop_at_what_is_undefined_and_at_leaps(self):
        a, b = np.meshgrid(np.linspace(-1, 1, 61), np.linspace(-1, 1, 61))
        values = np.where(a < 0, b, b + 100)
        _, paths = self.contours(values, [0.5, 50])
        for path in paths:
            np.testing.assert_allclose(path.vertices[:, 1], 0.5, atol=1e-6)
        values = np.where(a < 0, b, np.nan)
        _, paths = self.contours(values, [0.5])
        self.assertTrue(all((path.vertices[:, 0] < 0).all() for path in paths))

    def test_there_is_no_contour_where_many_cells_have_the_value(self):
        a, _ = np.meshgrid(np.linspace(-1, 1, 61), np.linspace(-1, 1, 61))
        _, paths = self.contours(np.maximum(a, 0), [])
        self.assertTrue(all((path.vertices[:, 0] > 0.05).all() for path in paths))

    def test_numbers_for_people(self):
        self.assertEqual([number(v) for v in (0.0, -0.5, 1e-7, 7e16, -1.5e20, 123456)],
                         ["0", "−0.5", "10⁻⁷", "7×10¹⁶", "−1.5×10²⁰", "123456"])
        self.assertEqual([percent(v) for v in (0, 1, 0.0001, 0.9999, 0.34)],
                         ["0 %", "100 %", "< 0.1 %", "> 99.9 %", "34.0 %"])


class Boundaries(unittest.TestCase):
    def test_are_those_of_the_record_and_explained_on_numbers_too(self):
        record = support.record_of(*BAR, "--law", "energetic", "--show", "energy")
        figure = drawn(record)
        lines = [line for boundary in record["boundaries"] if boundary["kind"] == "mode" for line in boundary["lines"]]
        self.assertGreater(len(lines), 4)
        for line, given in zip(figure.axes[0].lines, lines):
            np.testing.assert_array_equal(line.get_xdata(), given["x"])
            np.testing.assert_array_equal(line.get_ydata(), given["y"])
        legend = support.legend_of(figure)
        self.assertIn("R₁ slip stops at the end of compression", legend)
        self.assertIn("R₂ = μₛ sticking needs just the static friction", legend)
        self.assertIn("R₃", [text.get_text() for text in figure.axes[0].texts])

    def test_each_has_dashes_of_its_own(self):
        x, y, values = maps.plane()
        boundaries = [maps.boundary([-1, 1], [k / 4, k / 4], f"B{k}", f"meaning {k}") for k in range(5)]
        figure = drawn(maps.record(x, y, [maps.numbers(values, boundaries=range(5))], boundaries))
        handles = [h for axes in figure.axes if axes.get_legend() for h in axes.get_legend().legendHandles]
        dashes = {handle.get_label(): str(handle._unscaled_dash_pattern) for handle in handles
                  if handle.get_label().startswith("B")}
        self.assertEqual((len(dashes), len(set(dashes.values()))), (5, 5))

    def test_of_two_laws_are_told_apart_unless_they_are_the_same(self):
        x, y, values = maps.plane()
        lines = [maps.boundary([-1, 1], [0, 2], "R₁"), maps.boundary([-1, 1], [0, 1], "R₃"),
                 maps.boundary([-1, 1], [0, 2], "R₁", law="poisson"),
                 maps.boundary([-1, 1], [0, 1.5], "R₃", law="poisson")]
        layer = maps.numbers(values, other="poisson", compared="difference", boundaries=range(4))
        names = [b["name"] for b in layers_of(maps.record(x, y, [layer], lines))[0].boundaries]
        self.assertEqual(names, ["R₁", "R₃ (newton)", "R₃ (poisson)"])

    def test_of_two_stages_every_name_stands_once_in_the_key(self):
        record = support.record_of(*BAR, "--law", "moreau,moreau:poisson", "--show", "regime")
        names = [label.split(" ")[0] for label in support.legend_of(drawn(record)) if label.startswith("$")]
        self.assertGreaterEqual(len(names), 4)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(symbol("r_FC"), r"$\mathrm{r}_\mathrm{FC}$")

    def test_only_carom_s_own_symbols_are_typeset(self):
        self.assertEqual(symbol("μ = μ_c"), r"μ = $\mathrm{μ}_\mathrm{c}$")
        self.assertEqual(symbol("R₃"), "R₃")
        self.assertEqual(symbol("$a_b$"), r"\$a_b\$")
        text = ('[system]\ntype = "linkage"\nzero_angle = "down"\n[[system.links]]\nname = "B_x"\nmass = 3\n'
                'length = 2\nangle_deg = 20\nrate = -0.1\n[surface]\nrestitution = 0.5\nfriction = 0.7\n')
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "b.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            figure = drawn(support.record_of("map", path, "--x", "system.links.B_x.mass=1:5:11", "--law", "newton"))
        self.assertEqual(figure.axes[-1].get_xlabel(), "mass of B_x [kg]")
        self.assertTrue(any("B_x: length = 2 m" in word for word in support.words(figure)))


class Ratios(unittest.TestCase):
    def colours(self, values):
        x, y = maps.axis(0, 1, 40), maps.axis(0, 1, 30)
        layer = maps.numbers(np.resize(values, (30, 40)), other="poisson", compared="ratio")
        figure = drawn(maps.record(x, y, [layer]))
        support.readable(self, figure)
        return figure, figure.axes[0].images[0]

    def test_twice_as_much_is_as_far_from_one_as_half_as_much(self):
        figure, image = self.colours(np.geomspace(0.5, 4, 1200))
        self.assertAlmostEqual(image.norm.vmax, 4, places=5)
        for value, place in ((0.25, 0), (0.5, 0.25), (1, 0.5), (2, 0.75), (4, 1)):
            self.assertAlmostEqual(float(image.norm(value)), place, places=5)
        self.assertTrue({"0.5", "1", "2"} <= set(support.words(figure)))
        _, image = self.colours(np.r_[np.full(5, 1e-7), np.geomspace(0.5, 4, 1195)])
        self.assertLess(image.norm.vmax, 10)  # a few extreme ratios do not count

    def test_of_both_signs_are_coloured_evenly_around_one(self):
        _, image = self.colours(np.linspace(-1, 2, 1200))
        self.assertEqual((image.norm.vmin, image.norm(1.0), image.norm.vmax), (-1, 0.5, 3))

    def test_all_the_same_can_be_read(self):
        self.colours([1.0])
        self.colours([1e-12, 1e12])


class Curves(unittest.TestCase):
    def test_lines_are_those_of_the_record(self):
        record = support.record_of(*BAR[:2], "--x", "surface.friction=0:1:101", "--show", "energy")
        figure = drawn(record)
        lines = {line.get_label(): line for line in figure.axes[0].lines}
        self.assertEqual(len(lines), len(record["layers"]))
        for layer in layers_of(record):
            line = next(line for name, line in lines.items() if name.split(" ")[0] == layer.given["law"])
            drawn_values = np.isfinite(line.get_ydata())  # gaps are where values jump
            self.assertLessEqual(np.sum(~drawn_values), 1)
            np.testing.assert_allclose(line.get_ydata()[drawn_values], layer.values, rtol=1e-6)
            np.testing.assert_allclose(line.get_xdata()[drawn_values], record["x"]["values"])
            self.assertEqual(line.get_color(), style.law(layer.given["law"])["color"])
        self.assertIn("brach (same as moreau)", support.legend_of(figure))
        self.assertEqual(figure.axes[0].get_ylabel(), "energy after over before T⁺/T⁻")
        self.assertEqual(figure.axes[0].get_xlabel(), "friction μ")

    def test_no_line_goes_through_infinity_or_over_what_is_undefined(self):
        x = maps.axis(0, 1, 201)
        pole = 1 / (np.array(x["values"]) - 0.5001)
        hole = np.where(np.arange(201) % 50 < 5, np.nan, np.array(x["values"]))
        figure = drawn(maps.record(x, None, [maps.numbers(pole), maps.numbers(hole, law="poisson")]))
        first, second = figure.axes[0].lines
        self.assertTrue(np.isnan(first.get_ydata()[101]))
        self.assertLess(np.nanmax(np.abs(first.get_ydata())), 1e4)
        np.testing.assert_array_equal(np.isnan(second.get_ydata()), np.isnan(hole))
        self.assertTrue(any("cut off: values from" in word for word in support.words(figure)))
        support.readable(self, figure)

    def test_a_line_ends_at_a_jump_and_goes_on_through_a_kink(self):
        x = maps.axis(0, 2, 201)
        places = np.array(x["values"])
        jump = np.where(places < 1.003, places, 0.2 * places**2)
        kink = np.maximum(0, 50 * (places - 1)) + np.sqrt(places)
        figure = drawn(maps.record(x, None, [maps.numbers(jump), maps.numbers(kink, law="poisson")]))
        first, second = figure.axes[0].lines
        gap = np.flatnonzero(np.isnan(first.get_ydata()))
        np.testing.assert_array_equal(gap, [101])  # after the sample at 1.00
        np.testing.assert_allclose(np.delete(first.get_ydata(), gap), jump, rtol=1e-6)
        np.testing.assert_allclose(np.delete(first.get_xdata(), gap), places)
        np.testing.assert_allclose(second.get_ydata(), kink, rtol=1e-6)

    def test_every_line_has_a_colour_and_dashes_of_its_own(self):
        x, laws = maps.axis(0, 1, 21), [*style.LAWS]
        layers = [maps.numbers(np.arange(21.0) * k, law=law) for k, law in enumerate(laws)]
        compared = [maps.numbers(np.arange(21.0) * k, other=law, compared="difference") for k, law in enumerate(laws[1:])]
        for of_laws in (layers, compared):
            lines = drawn(maps.record(x, None, of_laws)).axes[0].lines
            self.assertEqual(len({line.get_color() for line in lines}), len(of_laws))
            self.assertEqual(len({dashes(line) for line in lines}), len(of_laws))

    def test_a_value_without_neighbours_is_a_dot(self):
        values = np.full(21, np.nan)
        values[[3, 10, 11]] = 1
        figure = drawn(maps.record(maps.axis(0, 1, 21), None, [maps.numbers(values)]))
        self.assertEqual(len(figure.axes[0].lines[1].get_xdata()), 1)
        one = drawn(maps.record(maps.axis(1, 1, 1), None, [maps.numbers([3.0]), maps.names([0], ["a"])]))
        self.assertEqual(len(one.axes[0].lines), 2)
        support.readable(self, one)

    def test_names_are_bands_that_meet_halfway(self):
        for log in (False, True):
            x = maps.axis(0.1, 10, 101, log)
            values = (np.arange(101) > 40).astype(int)
            figure = drawn(maps.record(x, None, [maps.names(values, ["slip", "stick"]),
                                                 maps.names(values * 0 + 255, ["slip"], law="poisson")]))
            axes = figure.axes[0]
            ends = np.array([c.get_paths()[0].get_extents().extents[[0, 2]] for c in axes.collections])
            middle = np.sqrt(x["values"][40] * x["values"][41]) if log else (x["values"][40] + x["values"][41]) / 2
            np.testing.assert_allclose(ends, [[0.1, middle], [middle, 10], [0.1, 10]], rtol=1e-6)
            self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["newton", "poisson"])
            self.assertEqual(len(support.legend_of(figure)), 3)
            support.readable(self, figure)


class Surfaces(unittest.TestCase):
    def test_long_labels_stay_on_the_canvas(self):
        for more in ((), ("--show", "energy")):
            example = "maps/sun-baruh-3" if more else "maps/sun-baruh-5"
            record = support.record_of("map", example + ".toml", "--style", "surface", *more)
            support.readable(self, drawn(record))

    def test_show_the_numbers_in_perspective(self):
        record = support.record_of(*BAR, "--law", "energetic", "--show", "energy", "--style", "surface")
        figure = drawn(record)
        axes = figure.axes[0]
        self.assertEqual(axes.name, "3d")
        heights = axes.collections[0].corners[..., 2]
        layer = record["layers"][0]
        self.assertEqual(heights.shape, (80 * 80, 4))  # every sample
        self.assertGreaterEqual(heights.min(), layer["least"] - 1e-6)
        self.assertLessEqual(heights.max(), layer["greatest"] + 1e-6)
        self.assertGreater(heights.max() - heights.min(), 0.9 * (layer["greatest"] - layer["least"]))
        self.assertEqual(axes.get_zlabel(), "energy after over before T⁺/T⁻")
        support.readable(self, figure)

    def test_are_seen_as_matplotlib_s_own(self):
        x, y, values = maps.plane(121, 121)
        layer = layers_of(maps.record(x, y, [maps.numbers(np.clip(values, -5, 5))]))[0]
        figure = drawn(maps.record(x, y, [maps.numbers(np.clip(values, -5, 5))], style="surface"))
        own = figure.axes[0].collections[0]
        pixels(figure)
        twin = Poly3DCollection(own.corners)
        figure.axes[0].add_collection3d(twin)
        twin.do_3d_projection()
        self.assertGreater(len(own.corners), 0.8 * layer.values.size)
        np.testing.assert_allclose([p.vertices for p in own.get_paths()], [p.vertices for p in twin.get_paths()],
                                   atol=1e-9)

    def test_logarithmic_axes_have_powers(self):
        x, y = maps.axis(1e-3, 1e3, 31, True), maps.axis(0, 1, 21)
        figure = drawn(maps.record(x, y, [maps.numbers(np.random.default_rng(1).random((21, 31)))], style="surface"))
        self.assertTrue({"0.01", "1", "100"} <= set(support.words(figure)))


class Awkward(unittest.TestCase):
    def test_texts_are_texts_and_nothing_else(self):
        x, y = maps.axis(0, 1, 21, label=HOSTILE), maps.axis(0, 1, 21, label=HOSTILE)
        layer = maps.names(np.indices((21, 21))[1] > 9, [HOSTILE, "'"], boundaries=[0])
        record = maps.record(x, y, [{**layer, "title": HOSTILE}], [maps.boundary([0, 1], [0, 1], HOSTILE, HOSTILE)],
                             title=HOSTILE, subtitle=HOSTILE)
        figure = drawn(record)
        support.readable(self, figure)
        shown = [text._preprocess_math(text.get_text()) for text in figure.findobj(Text)]
        whole = [" ".join(text.split()) for text, formula in shown if not formula]
        self.assertGreaterEqual(sum(HOSTILE in text for text in whole), 7)
        self.assertFalse(any(formula for _, formula in shown))

    def test_long_titles_and_many_laws_can_be_read(self):
        x, y, values = maps.plane(31, 21)
        laws = ["newton", "poisson", "energetic", "moreau:poisson", "conventional:rebound"]
        layers = [maps.numbers(k * values, law=law) for k, law in enumerate(laws)]
        record = maps.record(x, y, layers, title="A very long title " * 12, subtitle="b = 1, " * 60)
        support.readable(self, drawn(record))

    def test_the_same_everywhere_undefined_everywhere_tiny_and_huge(self):
        x, y = maps.axis(-1, 1, 21), maps.axis(0, 1e-9, 21)
        for value in (0.0, 3.0, np.nan, 1e-25, -7e25):
            with self.subTest(value):
                flat = np.full((21, 21), value)
                support.readable(self, drawn(maps.record(x, y, [maps.numbers(flat)])))
                support.readable(self, drawn(maps.record(x, y, [maps.numbers(flat)], style="surface")))
                support.readable(self, drawn(maps.record(x, None, [maps.numbers(flat[0])])))
        support.readable(self, drawn(maps.record(x, y, [maps.names(np.full((21, 21), 255), ["a"])])))
        support.readable(self, drawn(maps.record(maps.axis(1, 1, 1), maps.axis(2, 2, 1),
                                                 [maps.numbers([[3.0]]), maps.names([[0]], ["a"])])))

    def test_short_logarithmic_axes_have_numbers(self):
        x, y = maps.axis(7, 3, 41, True), maps.axis(2, 0, 31)
        figure = drawn(maps.record(x, y, [maps.numbers(np.random.default_rng(1).random((31, 41)))]))
        self.assertTrue({"4", "5", "6"} <= set(support.words(figure)))
        support.readable(self, figure)

    def test_noise_can_be_read(self):
        noise = np.random.default_rng(1).integers(0, 15, (200, 200))
        x, y = maps.axis(0, 1, 200), maps.axis(0, 1, 200)
        support.readable(self, drawn(maps.record(x, y, [maps.names(noise, [f"c{k}" for k in range(15)])])))

    def test_a_million_cells_are_drawn(self):
        x, y = maps.axis(0, 1, 1000), maps.axis(0, 1, 1000)
        a, b = np.meshgrid(x["values"], y["values"])
        support.readable(self, drawn(maps.record(x, y, [maps.numbers(np.sin(9 * a) * b)])))

    def test_every_format_and_every_kind_is_written(self):
        x, y, values = maps.plane(21, 11)
        begins = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
        layer = maps.numbers(values)
        for record in (maps.record(x, y, [layer]), maps.record(x, y, [layer], style="surface"),
                       maps.record(x, None, [maps.numbers(values[0])])):
            figure = drawn(record)
            with tempfile.TemporaryDirectory() as directory:
                for ending, begin in begins.items():
                    carom.plot.save(figure, os.path.join(directory, "x" + ending))
                    with open(os.path.join(directory, "x" + ending), "rb") as file:
                        self.assertTrue(file.read().startswith(begin))
                self.assertEqual(len(os.listdir(directory)), 3)

    def test_a_panel_can_be_drawn_on_axes_of_one_s_own(self):
        record = support.record_of(*BAR, "--law", "newton,energetic", "--show", "mode,energy")
        figure = Figure(figsize=(9, 4))
        left, right = figure.subplots(1, 2)
        handles = map_panels.panel(left, record)
        map_panels.panel(right, record, 3)
        self.assertIn("0 (65", handles[0].get_label())
        self.assertEqual(right.get_title(), "energy after over before, energetic")
        np.testing.assert_array_equal(right.images[0].get_array(), layers_of(record)[3].values)
        self.assertEqual(left.get_xlabel(), "approach ratio vₜ⁻/vₙ⁻")

    def test_limits_can_be_changed_afterwards(self):
        x, y, values = maps.plane()
        figure = drawn(maps.record(x, y, [maps.numbers(values, boundaries=[0])], [maps.boundary([-1, 1], [0, 2])]))
        axes = figure.axes[0]
        axes.set_xlim(0.4, 0.45)
        image = pixels(figure)
        self.assertTrue(all(text.get_clip_on() for text in axes.texts))
        colours = colours_of(layers_of(maps.record(x, y, [maps.numbers(values)])))
        sample = values[5, 43]  # at x = 0.433
        red = to_hex(colours.cmap(float(colours.norm(sample)))).upper()
        self.assertEqual(colour_at(figure, axes, x["values"][43], y["values"][5], image), red)


class Places(unittest.TestCase):
    def setUp(self):
        figure = Figure(figsize=(4, 3), dpi=100)
        self.axes = figure.add_axes([0, 0, 1, 1])
        self.room = places.Room(self.axes)

    def test_a_name_is_clear_of_lines_and_of_what_is_taken(self):
        line = self.room.line([0.5, 0.5], [0, 1])
        self.room.taken[:, :90] = True
        row, column = self.room.in_region(np.ones(self.room.shape, bool), 60, 12)
        self.assertGreater(column * places.CELL - 30, 200)
        self.assertEqual(line.sum(), self.room.shape[0])
        self.assertIsNone(self.room.in_region(np.ones(self.room.shape, bool), 250, 12))

    def test_a_name_beside_a_line_is_near_it_and_not_on_it(self):
        line = self.room.line([0, 1], [0, 1])
        row, column = self.room.beside(line, np.zeros(self.room.shape, bool), 40, 10)
        x, y = self.room.data(row, column)
        distance = abs(400 * x * 0.6 - 300 * y * 0.8)  # [pixels] from the diagonal
        self.assertGreater(distance, 10)
        self.assertLess(distance, 50)

    def test_components_hang_together_by_edges(self):
        grid = np.array([[0, 0, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]])
        label = places.components(grid)
        self.assertEqual(len(np.unique(label)), 4)
        self.assertEqual(label[0, 3], label[3, 1])
        self.assertNotEqual(label[0, 0], label[0, 3])
        spiral = np.zeros((41, 41), int)
        for k in range(0, 20, 2):
            spiral[k, k:41 - k] = spiral[k:41 - k, 40 - k] = spiral[40 - k, k:41 - k] = spiral[k + 2:41 - k, k] = 1
            spiral[k + 2, k:k + 3] = 1
        self.assertEqual(len(np.unique(places.components(spiral)[spiral == 1])), 1)


if __name__ == "__main__":
    unittest.main()
