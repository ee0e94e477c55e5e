# SPDX-License-Identifier: Apache-2.0
"""Charts: what the record says is what is drawn."""

import math
import unittest

import numpy as np
import support
import carom.plot
from carom.plot import style


def series(**members):
    x = [0.05 * k for k in range(41)]
    return {"x": x, "y": [math.sin(3 * value) for value in x], **members}


def record(**panel):
    made = {"title": "(a) a panel", "x": {"label": "angle θ  [deg]"}, "y": {"label": "energy  [J]"},
            "series": [series(label="brach, f = 0.14", law="brach")], "marks": [], "spans": [], "texts": []}
    made.update(panel)
    return {"picture": {"kind": "chart", "title": "A chart", "subtitle": "e = 0.5", "columns": 1, "panel_width": 560,
                        "panel_height": 340, "panels": [made]}}


class Chart(unittest.TestCase):
    def test_draws_the_series_with_their_labels_and_axes(self):
        figure = carom.plot.draw(record(series=[
            series(label="poisson", law="poisson"), series(label="points", kind="points", marker="square"),
            series(label="area", kind="area"), series(colour="#123456", dash=[10, 6])]))
        axes = figure.axes[0]
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["poisson", "points", "area"])
        self.assertEqual(axes.get_xlabel(), "angle θ  [deg]")
        line = axes.lines[0]
        np.testing.assert_array_equal(line.get_xdata(), series()["x"])
        np.testing.assert_array_equal(line.get_ydata(), series()["y"])
        self.assertEqual(line.get_color(), style.BLUE)
        self.assertEqual(axes.lines[1].get_linestyle(), "None")
        self.assertEqual(axes.lines[2].get_color(), "#123456")
        support.readable(self, figure)

    def test_a_null_is_a_gap(self):
        figure = carom.plot.draw(record(series=[{"x": [0, 1, 2], "y": [1, None, 3]}]))
        self.assertTrue(np.isnan(figure.axes[0].lines[0].get_ydata()[1]))

    def test_ranges_marks_spans_and_texts_are_where_the_record_says(self):
        figure = carom.plot.draw(record(
            x={"label": "x", "range": [0, 2]}, y={"label": "y", "range": [-2, 2]},
            marks=[{"at": 1.2, "label": "slip vanishes", "colour": "#D55E00"},
                   {"at": 1.5, "label": "limit", "across": True, "colour": "#606060"}],
            spans=[{"from": 0, "to": 0.4, "label": "rolls", "colour": "#E8E8E8"}],
            texts=[{"x": 1.7, "y": -1, "text": "sticks"}]))
        axes = figure.axes[0]
        self.assertEqual(axes.get_xlim(), (0, 2))
        self.assertEqual(axes.get_ylim(), (-2, 2))
        self.assertIn([1.2, 1.2], [list(line.get_xdata()) for line in axes.lines])
        self.assertIn([1.5, 1.5], [list(line.get_ydata()) for line in axes.lines])
        for word in ("slip vanishes", "limit", "rolls", "sticks"):
            self.assertIn(word, support.words(figure))
        support.readable(self, figure)

    def test_panels_stand_in_rows_and_an_empty_place_shows_nothing(self):
        one = record()
        one["picture"]["panels"] *= 3
        one["picture"]["columns"] = 2
        figure = carom.plot.draw(one)
        self.assertEqual([axes.get_visible() for axes in figure.axes], [True, True, True, False])
        support.readable(self, figure)

    def test_texts_of_a_record_are_no_markup(self):
        title = r'"""; import os $\frac'
        figure = carom.plot.draw(record(title=title, series=[series(label="_B_x $y$")]))
        self.assertIn(style.plain(title), support.words(figure))
        support.readable(self, figure)

    def test_logarithmic_axes(self):
        figure = carom.plot.draw(record(y={"label": "error", "log": True},
                                        series=[{"x": [1, 2, 3], "y": [1e-3, 1e-6, 1e-9]}]))
        self.assertEqual(figure.axes[0].get_yscale(), "log")
        support.readable(self, figure)


class Kinds(unittest.TestCase):
    def test_an_unknown_kind_is_refused_by_name(self):
        with self.assertRaisesRegex(ValueError, "picture.kind must be one of routh, .* got 'pie'"):
            carom.plot.draw({"picture": {"kind": "pie"}})


if __name__ == "__main__":
    unittest.main()
