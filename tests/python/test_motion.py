# SPDX-License-Identifier: Apache-2.0
"""Pictures of motions: what they show is what the record says, and they can be read."""

import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import support
from carom.plot import bodies, motion, planes, scene, style, units
from matplotlib.collections import BrokenBarHCollection, LineCollection, PolyCollection

import carom.plot

BALL = """title = {title}
[system]
type = "assembly"
floor = true
[[system.bodies]]
name = {name}
shape = "sphere"
mass = 0.1
radius = 0.02
position = [0, 1.02]
velocity = [0.4, 0]
[surface]
restitution = 0.8
friction = 0.3
[motion]
end_time = {end}
"""

ROOM = """[system]
type = "space-assembly"
floor = true
[[system.planes]]
name = "left"
normal = [1, 0, 0]
through = [-1, 0, 0]
[[system.planes]]
name = "slope"
normal = [-1, 0, 1]
through = [0.5, 0, 0]
[[system.bodies]]
name = "ball"
shape = "sphere"
radius = 0.1
mass = 1
position = [-0.85, 0, 0.3]
velocity = [2.5, 0, 0]
[surface]
restitution = 0.5
friction = 0.1
[motion]
end_time = 1.0
"""

TETRAHEDRON = {"type": "polyhedron", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
               "faces": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}

#: Examples of hundreds of bodies, of which only the beginning is computed.
LARGE = ("box-heap", "disc-hopper", "shaken-drum")

_records = {}


def example(name, *arguments):
    """The record of an example's motion, made once."""
    key = (name, *arguments)
    if key not in _records:
        _records[key] = support.record_of("simulate", "-q", f"motion/{name}.toml", *arguments)
    return json.loads(json.dumps(_records[key]))


def scenario(text, *arguments):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return support.record_of("simulate", "-q", file.name, *arguments)


def ball(title="A ball", name="ball", end=2.0, *arguments):
    return scenario(BALL.format(title=json.dumps(title), name=json.dumps(name), end=end), *arguments)


def axes_of():
    """Axes of their own, for one panel."""
    return style.figure(8, 3).subplots()


def labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


class EveryExample(unittest.TestCase):
    def test_can_be_read_and_has_its_title(self):
        files = sorted(glob.glob(os.path.join(support.EXAMPLES, "motion", "*.toml")))
        self.assertGreater(len(files), 20)
        for file in files:
            name = os.path.basename(file)[: -len(".toml")]
            with self.subTest(name):
                record = example(name, *(("--end", "0.25") if name in LARGE else ()))
                figure = carom.plot.draw(record)
                words = support.readable(self, figure)
                self.assertIn(record["title"], [w.replace("\n", " ") for w in words])
                self.assertTrue(any(w.startswith("impacts: ") for w in words), words)
                self.assertTrue(any(w.startswith("time [") for w in words), words)

    def test_no_state_is_left_in_pyplot(self):
        self.assertNotIn("matplotlib.pyplot", sys.modules)


class Record(unittest.TestCase):
    def test_has_the_samples_and_the_account_that_files_have(self):
        with tempfile.TemporaryDirectory() as directory:
            file = os.path.join(support.EXAMPLES, "motion", "sliding-block.toml")
            picture = os.path.join(directory, "x.svg")
            subprocess.run([support.CAROM, "simulate", "-q", file, "--out", directory, "--plot", picture],
                           capture_output=True, env={**os.environ, "CAROM_PYTHON": "/nowhere/python3"})
            record = carom.plot.read(picture + ".json")
            with open(os.path.join(directory, "trajectory.csv")) as rows:
                rows = list(csv.DictReader(rows))
            with open(os.path.join(directory, "energy.csv")) as parts:
                account = {part: float(energy) for part, energy in list(csv.reader(parts))[1:]}
        time = np.array(record["time"])
        self.assertGreater(len(rows), 100)
        samples = [row for row in rows if row["side"] == ""]
        self.assertEqual(float(samples[0]["time_s"]), 0.0)
        places = []
        for row in samples:
            k = np.argmin(np.abs(time - float(row["time_s"])))
            self.assertAlmostEqual(time[k], float(row["time_s"]), delta=1e-6)
            places.append((row, k))
        # Both sides of instants with events; start and end are samples.
        instants = {(e["before"], e["after"]) for e in record["events"] if e["kind"] not in ("start", "end")}
        for side in ("before", "after"):
            at = [row for row in rows if row["side"] == side]
            self.assertGreater(len(at), 3)
            self.assertEqual(len(at), len(instants))
            places += zip(at, sorted(i[side == "after"] for i in instants))
        for row, k in places:
            self.assertAlmostEqual(time[k], float(row["time_s"]), delta=1e-6)
            for kind, prefix in (("positions", "q_"), ("velocities", "u_")):
                for coordinate in record[kind]:
                    column = prefix + coordinate["name"] + "_" + coordinate["unit"].replace("/", "_")
                    self.assertAlmostEqual(coordinate["values"][k], float(row[column]), delta=2e-6)
            self.assertAlmostEqual(record["energy"]["kinetic"][k], float(row["kinetic_J"]), delta=2e-6)
            self.assertAlmostEqual(record["energy"]["potential"][k], float(row["potential_J"]), delta=2e-5)
        works = {w["name"].replace(" at ", "_").replace(" ", "_"): w["values"][-1] for w in record["energy"]["works"]}
        self.assertGreaterEqual(len(works), 3)
        for name, value in works.items():
            self.assertAlmostEqual(value, account[name], delta=1e-6 * abs(account[name]))

    def test_every_event_has_both_sides_and_an_impact_jumps_between_them(self):
        record = ball(end=6.0)
        normal = record["contacts"][0]["velocity"][0]
        impacts = [e for e in record["events"] if e["kind"] == "impact"]
        self.assertGreater(len(impacts), 10)
        for event in record["events"]:
            self.assertLessEqual(event["before"], event["after"])
            for side in ("before", "after"):
                self.assertAlmostEqual(record["time"][event[side]], event["time"], delta=1e-4)
        *alone, last = impacts  # infinitely many after the last are passed over at the same instant
        self.assertEqual([e["kind"] for e in record["events"] if e["before"] == last["before"]],
                         ["impact", "accumulation"])
        for event in alone:
            self.assertEqual(event["after"], event["before"] + 1)
            self.assertAlmostEqual(normal[event["after"]], -0.8 * normal[event["before"]], delta=1e-6)
        self.assertEqual(record["events"][0]["kind"], "start")
        self.assertEqual(record["events"][-1]["kind"], "end")

    def test_energy_and_works_agree_at_every_sample(self):
        for name in ("rocking-block", "hopper", "billiards"):
            energy = example(name)["energy"]
            change = np.array(energy["kinetic"]) + energy["potential"]
            works = np.sum([w["values"] for w in energy["works"]], axis=0)
            size = np.max(np.abs(works))
            self.assertLess(np.max(np.abs(change - change[0] - works)), 2e-3 * size, name)

    def test_a_long_run_stays_small(self):
        record = ball("Long", "ball", 2.0, "--every", "1e-5")
        self.assertLess(len(record["time"]), 4000)
        self.assertGreaterEqual(len(record["time"]), 1000)
        self.assertLess(len(json.dumps(record)), 2e6)
        self.assertEqual(record["instants_left_out"], 0)

    def test_says_which_bodies_take_part_in_a_contact(self):
        partners = {c["name"]: c["bodies"] for c in example("billiards")["contacts"]}
        self.assertEqual(partners["cue-floor"], ["cue"])
        self.assertEqual(partners["1-3"], ["1", "3"])
        self.assertEqual(example("double-pendulum")["contacts"][0]["bodies"], ["upper", "lower"])


class OverTime(unittest.TestCase):
    def test_positions_are_those_of_the_record(self):
        record, axes = example("rocking-block"), axes_of()
        motion.coordinates(axes, record, ["block.x", "block.y"])
        for line, position in zip(axes.get_lines(), record["positions"]):
            np.testing.assert_array_equal(line.get_ydata(), position["values"])
            np.testing.assert_array_equal(line.get_xdata(), record["time"])
        self.assertEqual(labels(axes), ["block.x", "block.y"])
        self.assertEqual(axes.get_ylabel(), "position [m]")

    def test_a_panel_for_each_unit(self):
        for name, expected in (("rocking-block", ["position [m]", "angle [rad]"]),
                               ("superball", ["position [m]", "angular velocity [rad/s]"])):
            figure = carom.plot.draw(example(name))
            found = [a.get_ylabel() for a in figure.axes]
            self.assertEqual([f for f in found if f in expected], expected)

    def test_contacts_are_shaded_and_impacts_ticked(self):
        record, axes = example("sliding-block"), axes_of()
        motion.contact_velocity(axes, record, "block-floor 2")
        contact = next(c for c in record["contacts"] if c["name"] == "block-floor 2")
        np.testing.assert_array_equal(axes.get_lines()[0].get_ydata(), contact["velocity"][0])
        np.testing.assert_array_equal(axes.get_lines()[1].get_ydata(), contact["velocity"][1])
        shaded = []
        for collection in axes.collections:
            if isinstance(collection, BrokenBarHCollection):
                for path in collection.get_paths():
                    box = path.get_extents()
                    shaded.append((box.x0, box.x1))
        self.assertEqual(len(shaded), len(contact["phases"]))
        np.testing.assert_allclose(sorted(shaded), sorted((p[0], p[1]) for p in contact["phases"]), atol=1e-9)
        ticks = next(c for c in axes.collections if type(c) is LineCollection)
        np.testing.assert_array_equal([s[0][0] for s in ticks.get_segments()], contact["impacts"])
        low, high = axes.get_ylim()
        self.assertLess(high - low, 1.2 * np.ptp(contact["velocity"]))

    def test_the_legend_explains_what_is_shaded_and_nothing_else(self):
        words = [h.get_label() for h in motion.state_handles(example("sliding-block"))]
        self.assertEqual(words, ["stick", "slip, $v_t > 0$", "slip, $v_t < 0$", "open", "impact"])
        words = [h.get_label() for h in motion.state_handles(example("coin"))]
        self.assertEqual(words, ["stick", "open"])
        words = [h.get_label() for h in motion.state_handles(example("bouncing-ball"))]
        self.assertEqual(words, ["slip", "open", "impact"])  # without friction slip has no direction

    def test_what_integration_leaves_of_zero_does_not_fill_a_panel(self):
        record, axes = example("coin"), axes_of()
        motion.contact_velocity(axes, record, "coin-floor")
        self.assertGreater(axes.get_ylim()[1], 0.1)
        self.assertEqual(axes.get_ylabel(), "velocity [m/s]")

    def test_losses_are_seen(self):
        record, axes = example("rocking-block"), axes_of()
        motion.energy(axes, record)
        total = axes.get_lines()[2].get_ydata()
        lost = total[0] - total[-1]
        self.assertGreater(lost, 0.8 * np.ptp(axes.get_ylim()))
        axes = axes_of()
        motion.works(axes, record)
        self.assertEqual(labels(axes), ["impacts at block-floor 1", "impacts at block-floor 2"])
        self.assertAlmostEqual(sum(line.get_ydata()[-1] for line in axes.get_lines()[:2]), -lost, delta=1e-3 * lost)
        self.assertLess(axes.get_lines()[0].get_ydata()[-1], 0)

    def test_all_contacts_that_touch_are_rows_where_they_are_many(self):
        record, axes = example("dice"), axes_of()
        motion.contact_rows(axes, record)
        rows = [text.get_text() for text in axes.get_yticklabels()]
        self.assertEqual(rows, [c["name"] for c in record["contacts"]])
        self.assertEqual(len(rows), record["contacts_touching"])
        record["contacts_touching"] = 50
        axes = axes_of()
        motion.contact_rows(axes, record)
        self.assertEqual(axes.get_title(loc="left"), "contacts, 12 of 50 that touch")

    def test_rows_of_contacts_have_different_names(self):
        record, axes = example("dice"), axes_of()
        for k, contact in enumerate(record["contacts"]):
            contact["name"] = f"crate-table corner {k} on side 3"
        motion.contact_rows(axes, record)
        rows = [text.get_text() for text in axes.get_yticklabels()]
        self.assertEqual(len(set(rows)), len(record["contacts"]))

    def test_times_near_each_other_have_different_texts(self):
        record = example("dice")
        times = record["time"][0] + 1e-3 * np.arange(4)
        self.assertEqual(len({motion.time_text(t, record, times) for t in times}), 4)

    def test_more_contacts_are_counted(self):
        record, axes = example("disc-pile", "--end", "0.3"), axes_of()
        motion.contact_counts(axes, record)
        self.assertGreater(record["contacts_touching"], motion.MOST_ROWS)
        self.assertEqual(labels(axes), ["stick", "slip"])
        # At the end as many as the log says are in contact.
        said = subprocess.run([support.CAROM, "simulate", "motion/disc-pile.toml", "--end", "0.3"],
                              capture_output=True, text=True, cwd=support.EXAMPLES).stdout
        sticking, slipping = (record["contact_counts"][state] for state in ("stick", "slip"))
        self.assertIn(f"In contact: {sticking[-1] + slipping[-1]} contacts, of which {sticking[-1]} stick and "
                      f"{slipping[-1]} slip.", said)
        np.testing.assert_allclose(axes.get_lines()[1].get_ydata(), np.add(sticking, slipping))
        figure = carom.plot.draw(record)
        support.readable(self, figure)
        self.assertIn("impacts, all contacts", support.legend_of(figure))

    def test_lines_of_a_panel_differ_by_more_than_colour(self):
        looks = [(motion.look(k)["color"], str(motion.look(k)["linestyle"])) for k in range(36)]
        self.assertEqual(len(set(looks)), 36)


class Where(unittest.TestCase):
    def test_a_path_in_the_plane_goes_through_the_positions(self):
        record, axes = ball(), axes_of()
        scene.paths(axes, record, scene.Window(record))
        x, y = (np.array(p["values"]) for p in record["positions"][:2])
        line = next(a for a in axes.get_lines() if a.get_label() == "ball")
        np.testing.assert_array_equal(line.get_xdata(), x)
        np.testing.assert_array_equal(line.get_ydata(), y)
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("x [m]", "y [m]"))
        self.assertEqual(axes.get_aspect(), 1.0)

    def test_events_are_marked_where_they_happen_and_each_marker_is_explained(self):
        record, axes = ball(), axes_of()
        scene.paths(axes, record, scene.Window(record))
        marks = {a.get_label(): a for a in axes.get_lines() if a.get_marker() != "None"}
        self.assertIn("impact", marks)
        first = next(e for e in record["events"] if e["kind"] == "impact")
        np.testing.assert_allclose(marks["impact"].get_xydata()[0],
                                   [record["positions"][k]["values"][first["before"]] for k in (0, 1)], atol=1e-6)
        explained = [h.get_label() for h in scene.handles(record)]
        self.assertEqual([label for label in marks if label not in explained], [])

    def test_an_impact_is_seen_where_another_event_is_marked_too(self):
        record, axes = example("rocking-block"), axes_of()
        scene.paths(axes, record, scene.Window(record))
        marks = {a.get_label(): a for a in axes.get_lines() if a.get_marker() != "None"}
        impact, end = marks["impact"], marks["impacts end in contact"]
        self.assertLess(np.linalg.norm(impact.get_xydata()[-1] - end.get_xydata()[-1]), 0.02)
        self.assertGreater(impact.get_zorder(), end.get_zorder())
        self.assertGreater(end.get_markersize(), impact.get_markersize() + 3)
        self.assertLess(axes.get_lines()[0].get_zorder(), end.get_zorder())

    def test_space_is_seen_from_above_and_from_the_side(self):
        record = example("superball", "--show", "path")
        figure = carom.plot.draw(record)
        support.readable(self, figure)
        above, side = (next(a for a in figure.axes if a.get_title() == t) for t in ("from above", "from the side"))
        x, y, z = (np.array(p["values"]) for p in record["positions"][:3])
        for axes, up, names in ((above, y, ("x [m]", "y [m]")), (side, z, ("x [m]", "z [m]"))):
            line = next(a for a in axes.get_lines() if a.get_label() == "ball")
            np.testing.assert_allclose(line.get_xydata(), np.column_stack([x, up]), atol=1e-12)
            self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), names)

    def test_a_scene_has_the_bodies_where_they_are_then(self):
        record, axes = example("rocking-block"), axes_of()
        window = scene.Window(record)
        scene.frame(axes, record, 0.1, window)
        block = next(c for c in axes.collections if isinstance(c, PolyCollection) and c.get_zorder() > 2)
        drawn = block.get_paths()[0].vertices[:4]
        x, y, angle = (np.interp(0.1, record["time"], p["values"]) for p in record["positions"])
        corners = np.array(record["bodies"][0]["outlines"][0]["corners"])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        np.testing.assert_allclose(drawn, [x, y] + corners @ turn.T, atol=1e-9)

    def test_times_can_be_chosen(self):
        record = example("rocking-block", "--show", "scene", "--at", "0,0.25,1")
        figure = carom.plot.draw(record)
        support.readable(self, figure)
        self.assertEqual([a.get_title() for a in figure.axes], ["t = 0.00 s", "t = 0.25 s", "t = 1.00 s"])

    def test_scenes_in_several_rows_have_one_scale_and_say_which_body_is_which(self):
        record = example("newton-cradle", "--show", "scene", "--at", ",".join(str(0.1 * k) for k in range(11)))
        figure = carom.plot.draw(record)
        support.readable(self, figure)
        figure.canvas.draw()
        scenes = [a for a in figure.axes if a.get_title().startswith("t = ")]
        self.assertEqual(len(scenes), 11)
        self.assertGreater(len({round(a.get_position().y0, 3) for a in scenes}), 1)
        widths = [a.get_position().width for a in scenes]
        np.testing.assert_allclose(widths, widths[0], rtol=0.01)
        self.assertEqual(support.legend_of(figure), [b["name"] for b in scene.travellers(record)])

    def test_a_body_that_is_called_red_is_not_blue(self):
        record = example("dice")
        colours = scene.colours(record)
        self.assertEqual(colours, {"red": style.ORANGE, "blue": style.BLUE})
        for body, name in zip(record["bodies"], ("the Blue one", "reddish")):
            body["name"] = name
        self.assertEqual(list(scene.colours(record).values()), [style.BLUE, style.ORANGE])
        record["bodies"][1]["name"] = "green_2"
        self.assertEqual(scene.colours(record)[record["bodies"][1]["name"]], style.GREEN)

    def test_kinds_of_many_bodies_have_a_colour_each(self):
        record = example("disc-pile", "--end", "0.3")
        of = scene.colours(record)
        for name, kind in scene.kinds(record).items():
            self.assertEqual(of[name], of[f"{kind} 1"])
        self.assertEqual(len({of[f"{kind} 1"] for kind in ("tiny", "small", "large", "huge")}), 4)
        shown = [handle.get_label() for handle in scene.handles(record)]
        self.assertEqual(shown, ["tiny: 10", "small: 10", "large: 10", "huge: 10"])
        self.assertEqual(support.legend_of(carom.plot.draw(record))[:4], shown)
        record["bodies"][0]["name"] = "alone"  # a single one is no kind
        self.assertEqual(scene.kinds(record), {})
        self.assertEqual(scene.kinds(example("dice")), {})

    def test_what_is_named_beside_a_view_is_drawn_too(self):
        def drawn(shown):
            return [a.get_ylabel() for a in carom.plot.draw(example("rocking-block", "--show", shown)).axes if a.get_ylabel()]

        self.assertEqual(drawn("path,block.x"), ["y [m]", "position [m]"])
        self.assertEqual(drawn("path,block.spin"), ["y [m]", "angular velocity [rad/s]"])
        self.assertEqual(drawn("scene,block-floor 1"), ["velocity [m/s]"])
        self.assertEqual(drawn("block.x,energy"), ["position [m]", "energy [J]", "gain and loss [J]"])
        self.assertEqual(drawn("path,block"), ["y [m]"])  # a body: what the path is of
        self.assertEqual(drawn("energy,block")[:2], ["position [m]", "angle [rad]"])

    def test_views_are_drawn_in_the_order_asked_for(self):
        figure = carom.plot.draw(example("rocking-block", "--show", "energy,positions"))
        self.assertEqual([a.get_ylabel() for a in figure.axes],
                         ["energy [J]", "gain and loss [J]", "position [m]", "angle [rad]"])
        support.readable(self, figure)

    def test_chosen_bodies_only(self):
        record = example("billiards", "--show", "path,cue,3")
        figure = carom.plot.draw(record)
        lines = {line.get_label() for axes in figure.axes for line in axes.get_lines()}
        self.assertIn("cue", lines)
        self.assertIn("3", lines)
        self.assertNotIn("1", lines)

    def test_ends_of_scenes_are_where_motion_ends(self):
        self.assertLess(scene.moving_until(example("dice")), 0.6)
        self.assertEqual(scene.moving_until(example("coin")), 2.0)

    def test_paths_of_links_are_those_of_their_ends(self):
        record = example("double-pendulum")
        upper, lower = record["bodies"]
        time = np.array(record["time"])
        end = bodies.path(record, upper, time)
        np.testing.assert_allclose(end, bodies.pose(record, lower, time)[0], atol=1e-6)  # the next hinge is there


class Shapes(unittest.TestCase):
    """What bodies in space look like on paper."""

    def seen(self, shape, camera, turn=(1, 0, 0, 0), place=(0, 0, 1)):
        values = [*place, *turn]
        record = {
            "time": [0.0, 1.0], "ground": [{"through": [0, 0, 0], "normal": [0, 0, 1]}], "picture": {},
            "positions": [{"values": [v, v]} for v in values],
        }
        return bodies.seen(record, {"name": "b", "shape": shape, "first": 0}, 0.5, camera)

    def area(self, polygon):
        x, y = polygon.T
        return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))

    def test_areas_seen_from_above(self):
        turned = (np.cos(np.pi / 8), 0, np.sin(np.pi / 8), 0)  # by 45 degrees about y
        for shape, turn, expected in (
            ({"type": "box", "size": [1, 2, 3]}, (1, 0, 0, 0), 2.0),
            ({"type": "box", "size": [1, 2, 1]}, turned, 2 * np.sqrt(2)),
            ({"type": "sphere", "radius": 0.5}, turned, 0.25 * np.pi),
            ({"type": "cylinder", "radius": 0.5, "length": 2}, (1, 0, 0, 0), 0.25 * np.pi),
            ({"type": "disc", "radius": 1}, turned, np.pi / np.sqrt(2)),
            ({"type": "capsule", "radius": 0.5, "length": 2}, turned, 0.25 * np.pi + np.sqrt(2)),
            ({"type": "box", "size": [1, 2, 3], "rounding": 0.2}, (1, 0, 0, 0), 2 - (4 - np.pi) * 0.04),
            ({"type": "cylinder", "radius": 0.5, "length": 2, "rounding": 0.1}, (1, 0, 0, 0), 0.25 * np.pi),
            ({"type": "cone", "radius": 0.5, "height": 2}, (1, 0, 0, 0), 0.25 * np.pi),
            (TETRAHEDRON, (1, 0, 0, 0), 0.5),
            ({**TETRAHEDRON, "rounding": 0.1}, (1, 0, 0, 0), 0.5 + 0.1 * (2 + np.sqrt(2)) + 0.01 * np.pi),
        ):
            look = self.seen(shape, bodies.ABOVE, turn)
            self.assertAlmostEqual(self.area(look.polygons[0]), expected, delta=0.004 * expected, msg=shape)
            self.assertAlmostEqual(self.area(look.shadow), expected, delta=0.004 * expected, msg=shape)

    def test_only_edges_in_front_are_seen(self):
        look = self.seen({"type": "box", "size": [1, 1, 1]}, bodies.OBLIQUE)
        seen = [line for line in look.lines if np.isfinite(line).all()]
        self.assertEqual((len(look.lines), len(seen)), (12, 9))
        look = self.seen({"type": "cylinder", "radius": 1, "length": 1}, bodies.OBLIQUE)
        below, above = (np.isfinite(line).all(axis=1).mean() for line in look.lines[:2])
        self.assertEqual(above, 1.0)
        self.assertTrue(0.4 < below < 0.6)

    def test_edges_of_a_polyhedron_and_a_cone(self):
        look = self.seen(TETRAHEDRON, bodies.Camera(45, 30))
        seen = [line for line in look.lines if np.isfinite(line).all()]
        self.assertEqual((len(look.lines), len(seen)), (6, 3))  # of the face that looks at the camera
        look = self.seen({"type": "cone", "radius": 1, "height": 1}, bodies.ABOVE)
        rim, side = (np.isfinite(line).all() for line in look.lines)
        self.assertTrue(rim and side)
        look = self.seen({"type": "box", "size": [1, 1, 1], "rounding": 0.1}, bodies.OBLIQUE)
        self.assertEqual(sum(np.isfinite(line).all() for line in look.lines), 3)  # borders of faces

    def test_an_offset_moves_the_shape(self):
        record = {"time": [0.0, 1.0], "ground": [], "picture": {},
                  "positions": [{"values": [v, v]} for v in (0, 0, 1, np.sqrt(0.5), 0, np.sqrt(0.5), 0)]}  # z to x
        body = {"name": "b", "shape": {"type": "sphere", "radius": 0.1}, "offset": [0, 0, 0.5], "first": 0}
        outline = bodies.seen(record, body, 0.5, bodies.ALONG_Y).polygons[0]
        np.testing.assert_allclose((outline.min(axis=0) + outline.max(axis=0)) / 2, [0.5, 1], atol=1e-3)
        np.testing.assert_allclose(bodies.points_at(record, body, np.array([0.5])).mean(axis=(0, 1)), [0.5, 0, 1],
                                   atol=0.01)

    def test_a_table_hides_what_is_behind_it_and_moves(self):
        table = {"name": "table", "shape": {"type": "box", "size": [2, 2, 0.2]}, "position": [0, 0, 1],
                 "orientation": np.eye(3).tolist(), "displacement": [[0, 1], [0, 0], [0, 0]]}
        ball = {"name": "b", "shape": {"type": "sphere", "radius": 0.1}, "first": 0}
        for place, hidden in (((0.5, 0.5, 1.3), False), ((0.5, 0.5, 0.5), True), ((0, 1.3, 1), True),
                              ((0, -1.3, 1), False)):
            record = {"time": [0.0, 1.0], "ground": [table], "picture": {},
                      "positions": [{"values": [v, v]} for v in (*place, 1, 0, 0, 0)]}
            self.assertEqual(bodies.behind(record, ball, table, 0.0, bodies.OBLIQUE), hidden, place)
            self.assertEqual(bodies.over_piece(record, ball, 0.0), place == (0.5, 0.5, 1.3))
        points = bodies.points_at(record, table, np.array([0.0, 0.5]))
        np.testing.assert_allclose(points.mean(axis=1), [[0, 0, 1], [0.5, 0, 1]], atol=1e-12)

    def test_several_planes_are_the_walls_of_a_room(self):
        record = scenario(ROOM)
        window = scene.Window(record, bodies.OBLIQUE)
        low, high = window.room
        corners = {}
        for plane in bodies.planes(record):
            patch = planes.patch(record, plane, 0.0, low, high)
            normal = np.array(plane["normal"])
            np.testing.assert_allclose((patch - plane["through"]) @ normal, 0, atol=1e-12)
            for other in bodies.planes(record):
                inside = (patch - other["through"]) @ np.array(other["normal"])
                self.assertGreaterEqual(inside.min(), -1e-12, (plane["name"], other["name"]))
            corners[plane["name"]] = patch
        # The floor ends at the wall x = -1 and at the slope, which rises from x = 0.5.
        np.testing.assert_allclose([np.ptp(corners["floor"][:, 0]), corners["floor"][:, 0].min()], [1.5, -1])
        self.assertAlmostEqual(corners["slope"][:, 2].min(), 0)
        self.assertGreater(corners["slope"][:, 2].max(), 0.2)
        np.testing.assert_allclose(corners["left"][:, 0], -1)
        axes = axes_of()
        window.show(axes)
        spacing = scene.draw_ground(axes, record, window, 0.0, bodies.OBLIQUE)
        self.assertGreater(spacing, 0)
        # Floor and left wall are seen from inside, filled; the slope, behind which the camera is not, too.
        filled = [c for c in axes.collections if isinstance(c, PolyCollection)]
        seen = [p for p in bodies.planes(record) if np.array(p["normal"]) @ bodies.OBLIQUE.towards > 0]
        self.assertEqual(len(filled), len(seen))
        for area, plane in zip(filled, seen):
            np.testing.assert_allclose(area.get_paths()[0].vertices[:-1], bodies.OBLIQUE.project(corners[plane["name"]]))
        for points in corners.values():  # all are in the picture
            paper = bodies.OBLIQUE.project(points)
            self.assertTrue(np.all(paper >= window.low) and np.all(paper <= window.high))

    def test_a_shadow_falls_on_the_highest_plane_below(self):
        record = scenario(ROOM)
        ball = record["bodies"][0]
        for x, height in ((0.0, 0.0), (0.9, 0.4)):  # the slope rises by 45 degrees from x = 0.5
            for k, value in enumerate((x, 0.0, 0.8)):
                record["positions"][ball["first"] + k]["values"] = [value] * len(record["time"])
            plane = bodies.plane_below(record, 0.0, np.array([x, 0.0, 0.8]))
            self.assertAlmostEqual(bodies.below(record, plane, 0.0, np.array([x, 0.0]))[2], height)
            shadow = bodies.seen(record, ball, 0.0, bodies.OBLIQUE).shadow
            np.testing.assert_allclose((shadow.min(axis=0) + shadow.max(axis=0)) / 2,
                                       bodies.OBLIQUE.project([x, 0.0, height]), atol=1e-9)

    def test_a_rod_is_a_line(self):
        look = self.seen({"type": "rod", "length": 2}, bodies.ALONG_Y)
        self.assertEqual(look.polygons, [])
        np.testing.assert_allclose(look.lines[0], [[0, 0], [0, 2]], atol=1e-12)

    def test_areas_in_the_plane(self):
        corner = (1 - np.pi / 4) * 0.1**2  # what rounding takes from a right angle
        for outline, expected in (
            ({"corners": [[-1, -1], [1, -1], [1, 1], [-1, 1]]}, 4.0),
            ({"corners": [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]], "radius": 0.1}, 4 - 4 * corner),
            ({"corners": [[-1, 0], [1, 0]], "radius": 0.5}, 2 + 0.25 * np.pi),
            ({"centre": [3, 4], "radius": 0.5}, 0.25 * np.pi),
            ({"centre": [3, 4], "semi_axes": [0.5, 2]}, np.pi),
        ):
            body = {"name": "b", "outlines": [outline], "x": [0, 1], "y": [0, 2], "angle": [0, 1]}
            look = bodies.seen({"time": [0, 1], "bodies": [body]}, body, 0.5)
            self.assertEqual(len(look.polygons), 1)
            self.assertAlmostEqual(self.area(look.polygons[0]), expected, delta=0.004 * expected, msg=outline)

    def test_corners_are_round(self):
        for corners in ([[0, 0], [2, 0], [0, 1]], [[0, 0], [2, 0]]):
            body = {"outlines": [{"corners": corners, "radius": 0.25}], "position": [0, 0], "angle": 0.0}
            points = bodies.piece_points({}, body, 0.0)
            far = np.min(np.linalg.norm(points[:, None] - np.array(corners)[None], axis=2), axis=1)
            np.testing.assert_allclose(far, 0.25, atol=1e-12)  # all on arcs about the corners
            turns = np.diff(np.unwrap(np.arctan2(*np.diff(np.r_[points, points[:2]], axis=0).T)))
            self.assertLess(np.max(np.abs(turns)), np.radians(9))

    def test_the_hull_of_points(self):
        square = bodies.hull([(0, 0), (1, 0), (0.5, 0.5), (1, 1), (0, 1), (0.5, 0)])
        self.assertEqual({tuple(p) for p in square}, {(0, 0), (1, 0), (1, 1), (0, 1)})


class Ground(unittest.TestCase):
    """Pieces of the ground, ground that moves, belts."""

    SCENE = """[system]
type = "assembly"
floor = true
floor_motion = { amplitude = [0, 0.1], frequency = 2.0 }
[[system.ground]]
name = "table"
shape = "box"
length = 2
width = 0.2
rounding = 0.05
position = [0, 2]
angle_deg = 90
motion = { velocity = [0.5, 0] }
[[system.ground]]
name = "belt"
shape = "capsule"
length = 1
radius = 0.25
position = [3, 2]
belt_speed = 0.5
[[system.bodies]]
name = "ball"
shape = "sphere"
mass = 1
radius = 0.1
position = [3, 3]
[surface]
restitution = 0.5
friction = 0.3
[motion]
end_time = 1.0
"""

    def test_is_where_it_is_then(self):
        record = scenario(self.SCENE)
        floor, table, belt = record["ground"]
        for time in (0.0, 0.1, 0.7, 1.0):
            np.testing.assert_allclose(bodies.displaced(record, floor, time), [0, 0.1 * np.sin(4 * np.pi * time)],
                                       atol=2e-5)
            points = bodies.piece_points(record, table, time)
            np.testing.assert_allclose(points.min(axis=0), [0.5 * time - 0.1, 1], atol=1e-6)
            np.testing.assert_allclose(points.max(axis=0), [0.5 * time + 0.1, 3], atol=1e-6)
            np.testing.assert_allclose(bodies.piece_points(record, belt, time).max(axis=0), [3.75, 2.25], atol=1e-6)
        self.assertEqual([bodies.ground_moves(g) for g in record["ground"]], [True, True, True])
        self.assertEqual(belt["belt_speed"], 0.5)

    def test_marks_run_with_the_belt(self):
        """Those on the upper side go to the right, by its speed times the time."""
        record = scenario(self.SCENE)
        belt = {**record, "ground": record["ground"][2:]}
        window = scene.Window(record)

        def upper(time):
            axes = axes_of()
            scene.draw_ground(axes, belt, window, time)
            starts = np.array([s[0] for s in axes.collections[-1].get_segments()])
            return np.sort(starts[np.abs(starts[:, 1] - 2.25) < 1e-3, 0])

        first, later = upper(0.0), upper(0.02)
        spacing = first[1] - first[0]
        self.assertGreater(len(first), 3)
        self.assertGreater(spacing, 0.02)
        inner = later[(later > 2.6) & (later < 3.4)]
        moved = (inner[:, None] - first[None]).ravel()
        np.testing.assert_allclose(np.min(np.abs(moved - 0.01)), 0, atol=1e-6)
        np.testing.assert_allclose(np.diff(inner), spacing, atol=1e-6)

    def test_is_in_the_picture(self):
        record = scenario(self.SCENE)
        window = scene.Window(record)
        self.assertTrue(window.low[0] < 2.25 and window.high[0] > 3.75)
        for views in (["scene"], ["path"]):
            record["picture"]["views"] = views
            support.readable(self, carom.plot.draw(record))


class Awkward(unittest.TestCase):
    def test_texts_are_drawn_as_they_stand(self):
        title = r'"""; import os; $\frac{' + "A very long title that goes on and on " * 5
        record = ball(title, "_B_x^2 $a$", 1.0)
        self.assertEqual(record["title"], title)
        figure = carom.plot.draw(record)
        support.readable(self, figure)
        shown = [t._preprocess_math(t.get_text()) for t, _ in support.audit.texts(figure)]
        plain = [text.replace("\n", " ").strip() for text, is_formula in shown if not is_formula]
        self.assertIn(title.strip(), plain)
        self.assertTrue(any(text.strip("\u200a ") == "_B_x^2 $a$.x" for text in plain), plain)
        self.assertTrue(any(text == "contact \u200a_B_x^2 $a$-floor" for text in plain), plain)

    def test_long_names_keep_both_ends(self):
        name = "a body with an exceedingly long name, " * 4 + "end"
        figure = carom.plot.draw(ball("Names", name, 1.0))
        support.readable(self, figure)
        legends = [t for a in figure.axes if a.get_legend() for t in labels(a)]
        self.assertTrue(any(t.startswith("a body") and "\u2026" in t and t.endswith(".y") for t in legends), legends)

    def test_many_bodies(self):
        text = BALL.format(title='"Many"', name='"ball"', end=0.5)
        body = text[text.index("[[system.bodies]]") : text.index("[surface]")]
        more = "".join(body.replace('"ball"', f'"b{k}"').replace("[0, 1.02]", f"[{0.1 * k}, {1.02 - 0.02 * k}]")
                       for k in range(1, 20))
        record = scenario(text.replace("[surface]", more + "[surface]"))
        figure = carom.plot.draw(record)
        words = support.readable(self, figure)
        self.assertTrue(any(w.startswith("shown: 12 of 60 positions") for w in words))

    def test_nothing_moves(self):
        text = BALL.format(title='"Rest"', name='"ball"', end=1).replace("1.02", "0.02").replace("[0.4, 0]", "[0, 0]")
        figure = carom.plot.draw(scenario(text))
        support.readable(self, figure)

    def test_tiny_and_huge(self):
        for scale in (1e-6, 1e6):
            text = BALL.format(title='"Scale"', name='"ball"', end=2 * np.sqrt(scale))
            text = text.replace("0.02\n", f"{0.02 * scale}\n").replace("1.02", f"{1.02 * scale}")
            text = text.replace("mass = 0.1", f"mass = {0.1 * scale**3}")
            figure = carom.plot.draw(scenario(text.replace("[0.4, 0]", f"[{0.4 * np.sqrt(scale)}, 0]")))
            support.readable(self, figure)
            heads = [a.get_ylabel() for a in figure.axes]
            self.assertIn("position [µm]" if scale < 1 else "position [Mm]", heads)

    def test_no_contact_at_all(self):
        text = BALL.format(title='"Free"', name='"ball"', end=0.2)
        figure = carom.plot.draw(scenario(text))
        support.readable(self, figure)
        self.assertEqual([a.get_ylabel() for a in figure.axes if a.get_ylabel().startswith(("vel", "gain"))], [])


class Units(unittest.TestCase):
    def ticks(self, values, power=0):
        return units.Scaled(power).format_ticks(values)

    def test_labels_tell_ticks_apart(self):
        self.assertEqual(self.ticks([0, 0.25, 0.5]), ["0.00", "0.25", "0.50"])
        self.assertEqual(self.ticks([-0.2, 0, 0.2]), ["\u22120.2", "0.0", "0.2"])
        self.assertEqual(self.ticks([0, 2, 4]), ["0", "2", "4"])
        self.assertEqual(self.ticks([0, 2e-3, 4e-3], -3), ["0", "2", "4"])
        self.assertEqual(self.ticks([1.0000001, 1.0000002]), ["1.0000001", "1.0000002"])

    def test_prefixes(self):
        for most, unit, power in ((0.5, "m", 0), (0.02, "m", 0), (0.019, "m", -3), (3e-7, "J", -9), (3e4, "J", 3),
                                  (1e-23, "J", -24), (1e-5, "", 0), (0, "m", 0)):
            self.assertEqual(units.power_of(unit, [0, most]), power)
        self.assertEqual(units.prefixed(-3, "J"), "mJ")
        self.assertEqual(units.prefixed(-24, "J"), "10⁻²⁴ J")


if __name__ == "__main__":
    unittest.main()
