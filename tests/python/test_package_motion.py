# SPDX-License-Identifier: Apache-2.0
"""carom.simulate and carom.map, and models written in Python."""

import concurrent.futures
import csv
import gzip
import io
import math
import os
import subprocess
import tempfile
import unittest

import numpy
from package import CAROM

import carom

BALL = "examples/motion/bouncing-ball.toml"


class Ball:
    """A ball of 0.1 kg above a floor; its coordinates are x, y and the angle."""

    positions = [("x", "m"), ("y", "m"), ("angle", "rad")]
    velocities = [("v_x", "m/s"), ("v_y", "m/s"), ("spin", "rad/s")]
    contacts = ["floor"]
    length = 0.02

    def mass(self, t, q):
        return numpy.diag([0.1, 0.1, 0.4 * 0.1 * 0.02**2])

    def forces(self, t, q, u):
        return [0, -0.1 * 9.81, 0]

    def gaps(self, t, q):
        return [q[1] - 0.02]

    def directions(self, t, q):
        return [[0, 1], [1, 0], [0, 0.02]]

    def potential(self, t, q):
        return 0.1 * 9.81 * q[1]


class Rod:
    """A rod that stands on a floor with its lower end: directions change with the angle."""

    positions = ["x", "y", ("angle", "rad")]
    velocities = ["v_x", "v_y", ("spin", "rad/s")]
    contacts = ["end"]
    half, m = 0.5, 1.0

    def mass(self, t, q):
        return numpy.diag([self.m, self.m, self.m * self.half**2 / 3])

    def forces(self, t, q, u):
        return [0, -self.m * 9.81, 0]

    def gaps(self, t, q):
        return [q[1] - self.half * math.sin(q[2])]

    def directions(self, t, q):
        # The end is at -half (cos, sin): its velocity is v + spin half (sin, -cos).
        return [[0, 1], [1, 0], [-self.half * math.cos(q[2]), self.half * math.sin(q[2])]]


class Simulate(unittest.TestCase):
    def test_columns_are_those_of_the_command(self):
        run = subprocess.run([CAROM, "simulate", BALL, "--csv", "--end", "3"], capture_output=True, text=True, check=True)
        lines = run.stdout.splitlines()
        motion = carom.simulate(BALL, end_time=3)
        self.assertEqual(len(lines) - 1, len(motion))
        heads = lines[0].split(",")
        columns = {"ball.y": "q_ball.y_m", "ball.v_y": "u_ball.v_y_m_s", "kinetic": "kinetic_J", "potential": "potential_J"}
        for name, head in columns.items():
            expected = [float(line.split(",")[heads.index(head)]) for line in lines[1:]]
            self.assertEqual(motion[name].tolist(), expected, name)
        self.assertEqual(motion.units["ball.v_y"], "m/s")

    def test_events_and_energy(self):
        motion = carom.simulate(BALL)
        impacts = motion.impacts()
        self.assertAlmostEqual(impacts["time"][0], math.sqrt(2 / 9.81), places=12)
        self.assertEqual(impacts["contacts"][0], ("ball-floor",))
        self.assertIn("accumulation", motion.events["kind"])
        energy = motion.energy
        self.assertLess(abs(energy["gap"]), 1e-9)
        self.assertAlmostEqual(energy["kinetic"] + energy["potential"], motion["kinetic"][-1] + motion["potential"][-1])
        self.assertEqual(motion.ending, "time")
        self.assertEqual(set(motion.side.tolist()), {"", "before", "after"})
        with self.assertRaisesRegex(carom.InputError, "did you mean 'ball.y'"):
            motion["bal.y"]

    def test_keywords_make_a_scenario(self):
        tables = dict(carom.load(BALL).tables)
        tables["motion"] = {"end_time": 0.8}
        made = carom.simulate(tables, restitution=0.5, sample_interval=0.25)
        self.assertAlmostEqual(made.energy["impacts"]["ball-floor"] / (0.1 * 9.81), -0.75, places=3)
        with self.assertRaisesRegex(carom.InputError, "end_time: must be"):
            carom.simulate(tables, end_time=-1)
        with self.assertRaises(carom.InputError) as caught:
            carom.simulate("examples/bar.toml")
        self.assertIn("motion", str(caught.exception))

    def test_a_law_in_python_moves_as_the_same_law_does(self):
        def newton(problem):
            G, v, e = problem.inverse_inertia, problem.approach, problem.surface["restitution"]
            return [max(0, -(1 + e) * v[0] / G[0, 0]), 0]

        ours = carom.simulate(BALL, law=newton, end_time=3, settling="none")
        theirs = carom.simulate(BALL, law="newton", end_time=3, settling="none")
        self.assertTrue(numpy.allclose(ours["ball.y"], theirs["ball.y"], rtol=0, atol=1e-12))

        def fails(problem):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            carom.simulate(BALL, law=fails, end_time=3)

    def test_pictures(self):
        record = carom.simulate(BALL, end_time=1).record()
        self.assertEqual(record["picture"]["kind"], "motion")


class Models(unittest.TestCase):
    def test_the_ball_of_the_library(self):
        ours = carom.simulate(model=Ball(), q=[0, 1.02, 0], u=[0, 0, 0], restitution=0.9, friction=0, end_time=3,
                              sample_interval=0.01, law="energetic")
        theirs = carom.simulate(BALL, end_time=3)
        self.assertTrue(numpy.allclose(ours.impacts()["time"], theirs.impacts()["time"], rtol=1e-8))
        self.assertTrue(numpy.allclose(ours.final["q"], theirs.final["q"], atol=1e-8))
        self.assertLess(abs(ours.energy["gap"]), 1e-8)
        self.assertEqual(ours.names[:2], ["x", "y"])
        self.assertEqual(ours.units["floor gap"], "m")

    def test_sliding_and_directions_that_turn(self):
        """The end of a rod slides on the floor: the gap stays closed, which needs the rate of W."""
        q = [0, 0.5 * math.sin(1.0), 1.0]
        motion = carom.simulate(model=Rod(), q=q, u=[0, 0, 0], restitution=0, friction=0, end_time=0.3,
                                sample_interval=0.01)
        gap = motion["y"] - 0.5 * numpy.sin(motion["angle"])
        self.assertLess(numpy.abs(gap).max(), 1e-9)
        self.assertLess(motion["angle"][-1], 0.9)
        # Without a potential the account has the work of weight as that of drives.
        self.assertLess(abs(motion.energy["gap"]), 1e-6)

    def test_solve(self):
        q, u = [0, 0.5 * math.sin(1.0), 1.0], [0.4, -1, 0]
        outcome = carom.solve(model=Rod(), q=q, u=u, law="poisson", restitution=0.5, friction=0.3)
        # The library's bar strikes with the end on the other side: the mirror image.
        same = carom.solve(system="bar", angle_deg=math.degrees(1.0), half_length=0.5, mass=1.0, velocity=[-0.4, -1],
                           inertia_factor=1 / 3, restitution=0.5, friction=0.3, law="poisson")
        self.assertTrue(numpy.allclose(outcome.impulse, same.impulse * [1, -1], rtol=1e-12))
        self.assertTrue(numpy.allclose(outcome.velocity_after[:2], same.velocity_after[:2] * [-1, 1], rtol=1e-12))
        with self.assertRaisesRegex(carom.InputError, "nothing touches"):
            carom.solve(model=Rod(), q=[0, 3, 1], u=u, law="poisson", restitution=0.5, friction=0.3)

    def test_what_a_model_does_wrong(self):
        def ball(**functions):
            return type("Wrong", (Ball,), functions)()

        def simulate(model):
            return carom.simulate(model=model, q=[0, 1.02, 0], u=[0, 0, 0], restitution=0.9, friction=0, end_time=1)

        cases = [
            ("model.mass", dict(mass=lambda self, t, q: numpy.eye(2))),
            ("model.mass", dict(mass=lambda self, t, q: [[1, 2, 0], [0, 1, 0], [0, 0, 1]])),
            ("model.forces", dict(forces=lambda self, t, q, u: [0, float("nan"), 0])),
            ("model.gaps", dict(gaps=lambda self, t, q: "no")),
            ("model.directions", dict(directions=lambda self, t, q: [1, 2])),
            ("model.contacts", dict(contacts=[])),
            ("model.length", dict(length=-1)),
            ("model.components", dict(components=4)),
        ]
        for field, functions in cases:
            with self.subTest(field), self.assertRaises(carom.InputError) as caught:
                simulate(ball(**functions))
            self.assertEqual(caught.exception.field, field)

        def fails(self, t, q, u):
            raise LookupError("mine")

        with self.assertRaisesRegex(LookupError, "mine"):
            simulate(ball(forces=fails))
        with self.assertRaisesRegex(carom.InputError, "end_time: is missing"):
            carom.simulate(model=Ball(), q=[0, 1, 0], u=[0, 0, 0], restitution=0.9, friction=0)
        with self.assertRaisesRegex(carom.InputError, "q: must have 3 numbers"):
            carom.simulate(model=Ball(), q=[0, 1], u=[0, 0, 0], restitution=0.9, friction=0, end_time=1)
        with self.assertRaisesRegex(carom.InputError, "model.mass: is missing"):
            simulate(type("Empty", (), {"positions": ["x"], "velocities": ["v"], "contacts": ["c"]})())


def rod_at(angle):
    """Where a rod's lower end touches."""
    return [0, 0.5 * math.sin(angle), angle]


class ModelsInStudies(unittest.TestCase):
    """Where a scenario can be, a model can."""

    def test_map_over_a_state_and_a_number_of_the_model(self):
        rod = Rod()
        made = carom.map(model=rod, q=rod_at(1.0), u=[0.4, -1, 0], x=("system.u.v_x", -1, 1, 3),
                         y=("system.half", 0.3, 0.5, 2), contacts=["end"], show=["energy_change", "velocity_after:v_y"],
                         law=["energetic", "newton"], restitution=0.5, friction=0.3)
        self.assertEqual((made.x.label, made.x.unit, made.y.label), ("v_x", "m/s", "half"))
        self.assertEqual((rod.half, Rod.half), (0.5, 0.5))
        for j, half in enumerate(made.y.values):
            for i, v_x in enumerate(made.x.values):
                outcome = carom.solve(model=Rod(), q=rod_at(1.0), u=[v_x, -1, 0], half=half, contacts=["end"], law="energetic",
                                      restitution=0.5, friction=0.3)
                self.assertEqual(made["energy_change", "energetic"][j, i], outcome["energy_change"])
        self.assertEqual(made.record()["picture"]["kind"], "map")
        with self.assertRaisesRegex(carom.InputError, "nothing touches: the gap of 'end' is -0.42.*at system.q.y = 0"):
            carom.map(model=rod, q=rod_at(1.0), u=[0.4, -1, 0], x=("system.q.y", 0, 1, 3), restitution=0.5, friction=0)
        with self.assertRaisesRegex(carom.InputError, "no number of the model; did you mean 'half'"):
            carom.map(model=rod, q=rod_at(1.0), u=[0.4, -1, 0], x=("system.halv", 0.1, 1, 3), restitution=0.5, friction=0)

    def test_sweeps_of_impacts_and_of_motions(self):
        def bounce(problem):
            return [-(1 + problem.surface["restitution"]) * problem.approach[0] / problem.inverse_inertia[0, 0], 0]

        swept = carom.sweep(model=Ball(), q=[0, 0.02, 0], u={"v_x": 0, "v_y": -1, "spin": 0}, show="velocity_after:v_y", law=bounce,
                            vary={"surface.restitution": (0, 1, 5)}, friction=0)
        self.assertTrue(numpy.allclose(swept["velocity_after:v_y"], [0, 0.25, 0.5, 0.75, 1], atol=1e-15))
        for law in (bounce, None):
            moved = carom.sweep(model=Ball(), q=[0, 1.02, 0], u=[0, 0, 0], show="v_y@impact", end_time=1, law=law, friction=0,
                                vary={"surface.restitution": [0.5, 1]})
            self.assertTrue(numpy.allclose(moved["v_y@impact"], math.sqrt(2 * 9.81) * numpy.array([0.5, 1]), rtol=1e-9))

    def test_fit_of_a_number_of_the_model(self):
        random = numpy.random.default_rng(3)
        size = 25
        angle = random.uniform(0.5, 1.2, size)
        before = numpy.stack([random.uniform(-1, 1, size), random.uniform(-3, -1, size), random.uniform(-2, 2, size)], -1)
        after = numpy.array([carom.solve(model=Rod(), q=rod_at(a), u=u, law="poisson", restitution=0.6,
                                         friction=0.25).velocity_after for a, u in zip(angle, before)])
        names = ["v_x", "v_y", "w"]
        data = {"theta": angle} | dict(zip(names, before.T)) | {f"{name} after": column for name, column in zip(names, after.T)}
        rod = Rod()
        fitted = carom.fit(model=rod, q=[0, 0, 0], contacts=["end"], half=0.4, data=data, before=names, folds=0,
                           after=[f"{name} after" for name in names], columns={"q.angle": "theta"}, law="poisson",
                           parameters=["restitution", "friction", "half"])
        for name, value in (("restitution", 0.6), ("friction", 0.25), ("half", 0.5)):
            self.assertAlmostEqual(fitted[name], value, places=6)
        self.assertEqual(rod.half, 0.5)
        self.assertIn("data: 25 rows", repr(fitted))

    def test_several_threads_with_models_and_functions_of_their_own(self):
        def work(k):
            def law(problem):
                return [-(1 + 0.2 * k) * problem.approach[0] / problem.inverse_inertia[0, 0], 0]

            rod = Rod()
            rod.half = 0.3 + 0.05 * k
            for _ in range(3):
                made = carom.map(model=rod, q=[0, 0, 1], contacts=["end"], u=[0.4, -1, 0], x=("system.u.v_x", -1, 1, 3), law=law,
                                 restitution=0.5, friction=0.3, show=["normal_velocity", "energy_change"])
                self.assertTrue(numpy.allclose(made["normal_velocity"], 0.2 * k, atol=1e-15))
                same = carom.solve(model=rod, q=[0, 0, 1], contacts=["end"], u=[-1, -1, 0], law=law, restitution=0.5, friction=0.3)
                self.assertEqual(made["energy_change"][0], same["energy_change"])
                motion = carom.simulate(model=Ball(), q=[0, 1.02, 0], u=[0, 0, 0], restitution=0.5, friction=0, end_time=0.6, law=law)
                self.assertAlmostEqual(motion.impacts()["energy_change"][0], -0.981 * (1 - 0.04 * k**2), places=6)
            return k

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            self.assertEqual(list(threads.map(work, range(4))), list(range(4)))
        self.assertEqual([name for name in carom.laws().names if "law" in name], [])

    def test_what_is_asked_wrongly(self):
        rest = {"law": "newton", "restitution": 0.5, "friction": 0}
        for field, keywords in {
            "model": dict(model=Ball, q=[0, 0.02, 0], u=[0, -1, 0]),
            "model.positions": dict(model=type("Same", (Ball,), {"positions": ["x", "x", "y"]})(), q=[0, 0, 0], u=[0, 0, 0]),
            "q": dict(model=Ball(), u=[0, -1, 0]),
            "u": dict(model=Ball(), q=[0, 0.02, 0], u=[0, float("nan"), 0]),
            "system": dict(model=Ball(), q=[0, 0.02, 0], u=[0, -1, 0], system="bar"),
            "contacts[0]": dict(model=Ball(), q=[0, 0.02, 0], u=[0, -1, 0], contacts=["flour"]),
            "contacts": dict(model=Ball(), q=[0, 0.02, 0], u=[0, -1, 0], contacts=["floor", "floor"]),
            "mss": dict(model=Ball(), q=[0, 0.02, 0], u=[0, -1, 0], mss=3),
        }.items():
            with self.subTest(field), self.assertRaises(carom.InputError) as caught:
                carom.solve(**keywords, **rest)
            self.assertEqual(caught.exception.field, field)
        with self.assertRaisesRegex(carom.InputError, "state of a model"):
            carom.solve("examples/bar.toml", q=[0], **rest)
        with self.assertRaisesRegex(carom.InputError, "gravity: is a matter of the forces"):
            carom.simulate(model=Ball(), q=[0, 1, 0], u=[0, 0, 0], restitution=0.5, friction=0, end_time=1, gravity=3)


class Maps(unittest.TestCase):
    def test_cells_are_what_solve_says(self):
        made = carom.map("examples/bar.toml", x=("system.angle_deg", 10, 80, 8), y="surface.friction=0.1:1:4:log",
                         show=["energy_change", "mode"], law=["newton", "energetic"])
        self.assertEqual(made["energy_change"].shape, (4, 8))
        self.assertTrue(made.y.log)
        for j, friction in enumerate(made.y.values):
            for i, angle in enumerate(made.x.values):
                outcome = carom.solve("examples/bar.toml", law="energetic", angle_deg=angle, friction=friction)
                self.assertAlmostEqual(made["energy_change", "energetic"][j, i], outcome["energy_change"], places=13)
                self.assertEqual(made.layer("mode", "energetic").labels[j, i], outcome["mode"])
        self.assertEqual(made.record()["picture"]["kind"], "map")

    def test_the_command_says_the_same(self):
        run = subprocess.run([CAROM, "map", "examples/maps/payr-glocker-4.toml", "--csv", "-", "--x",
                              "system.angle_deg=10:80:9"], capture_output=True, text=True)
        if run.returncode:
            self.skipTest(run.stderr)
        made = carom.map("examples/maps/payr-glocker-4.toml", x="system.angle_deg=10:80:9")
        rows = [line for line in io.StringIO(run.stdout) if line[0] not in "#" and not line[0].isalpha()]
        self.assertEqual(len(rows), made.layers[0].values.size)

    def test_wrong_axes(self):
        for x in (("system.angle_deg", 1), "system.angle_deg=1", ("system.angle_deg", 0, 1, 1.5),
                  ("system.angle_deg", 0, float("nan")), ("system.angle_deg", -1, 1, 5, "log"), ("no.such", 0, 1, 3), 3, None):
            with self.subTest(x), self.assertRaises((carom.InputError, TypeError)):
                carom.map("examples/bar.toml", x=x)


class Sweeps(unittest.TestCase):
    def test_points_are_what_solve_says(self):
        swept = carom.sweep("examples/bar.toml", show=["energy_change", "mode"], law=["newton", "moreau"],
                            vary={"surface.friction": (0.1, 0.9, 5), "system.angle_deg": [30, 60], "surface.restitution": 0.7})
        self.assertEqual(len(swept), 10)
        self.assertEqual(swept.inputs, ["surface.friction", "system.angle_deg"])
        with self.assertRaisesRegex(carom.InputError, "must be a category"):
            swept.labels("newton: energy_change")
        for k in range(len(swept)):
            outcome = carom.solve("examples/bar.toml", law="moreau", restitution=0.7,
                                  friction=swept["surface.friction"][k], angle_deg=swept["system.angle_deg"][k])
            self.assertAlmostEqual(swept["moreau: energy_change"][k], outcome["energy_change"], places=13)
            label = swept.labels("moreau: mode")[k]
            self.assertEqual(label.replace(" ", "-"), outcome.mode)

    def test_statistics_are_those_of_the_rows(self):
        def ask(**rest):
            return carom.sweep("examples/bar.toml", show="slip", law="energetic", samples=2000, seed=3,
                               vary={"surface.friction": "normal:0.4:0.1:0", "system.angle_deg": "uniform:40:70"}, **rest)

        swept = ask()
        self.assertAlmostEqual(swept.statistics["slip"]["mean"], numpy.mean(swept["slip"]), places=13)
        self.assertAlmostEqual(swept.statistics["slip"]["deviation"], numpy.std(swept["slip"], ddof=1), places=13)
        self.assertTrue((ask(threads=1)["slip"] == swept["slip"]).all())
        first = ask(indices=True).statistics["slip"]["first_order"]["values"]
        self.assertEqual(len(first), 2)
        with self.assertRaisesRegex(carom.InputError, "were not kept"):
            ask(rows=False)["slip"]

    def test_a_law_in_python_and_what_is_wrong(self):
        def straight(problem):
            return [-(1 + problem.surface["restitution"]) * problem.approach[0] / problem.inverse_inertia[0, 0], 0]

        x = {"surface.restitution": (0, 1, 5)}
        swept = carom.sweep("examples/bar.toml", vary=x, show="normal_velocity", law=straight, friction=0.0)
        self.assertTrue(numpy.allclose(swept["normal_velocity"], numpy.linspace(0, 1, 5)))
        for vary in ({}, {"no.such": (0, 1)}, {"surface.friction": "normal:1"}, {"surface.friction": object()},
                     {"surface.friction": (1,)}):
            with self.subTest(vary), self.assertRaises(carom.InputError):
                carom.sweep("examples/bar.toml", vary=vary, show="slip", law="newton")


class Fits(unittest.TestCase):
    def test_trajectories(self):
        with gzip.open("data/measured/cube_tosses.csv.gz", "rt") as file:
            head, *rows = csv.reader(file)
        some = [row for row in rows if int(row[head.index("toss")]) < 3]
        data = {name: [int(row[k]) if name in ("toss", "step") else float(row[k]) for row in some] for k, name in enumerate(head)}
        scenario = carom.load("examples/fit/tosses.toml").changed({
            "fit.parameters": ["surface.friction"], "fit.bounds": {"surface.friction": [0.1, 0.3]},
            "fit.start": {"surface.friction": 0.18}, "fit.evaluations": 3})

        def poisson(problem):
            surface = {key: problem.surface[key] for key in ("restitution", "friction")}
            return carom.solve(law="poisson", inverse_inertia=problem.inverse_inertia, approach=problem.approach,
                               **surface).impulse

        theirs, ours = (carom.fit(scenario, data=data, folds=0, law=law) for law in (None, poisson))
        self.assertEqual((theirs.best["law"], ours.best["law"]), ("poisson", "poisson-2"))
        self.assertTrue(0.1 <= theirs["surface.friction"] <= 0.3)
        self.assertAlmostEqual(theirs["surface.friction"], ours["surface.friction"], places=9)
        self.assertIn("trajectories of data", repr(theirs))
        for field, keywords in (("loss", {"loss": "huber"}), ("law", {"law": ["poisson", "newton"]}), ("folds", {"folds": 1}),
                                ("law", {"law": "conventional"}), ("law", {"law": "newtno"})):
            with self.subTest(field), self.assertRaises(carom.InputError) as caught:
                carom.fit(scenario, data=data, **keywords)
            self.assertEqual(caught.exception.field, field)

    def test_coefficients_that_made_the_data_are_found(self):
        random = numpy.random.default_rng(5)
        size, m, k = 60, 0.25, 0.03
        inertia = m * k**2
        rx, ry = random.uniform(-0.03, 0.03, size), random.uniform(-0.04, -0.02, size)
        u = numpy.stack([random.uniform(-1, 1, size), random.uniform(-3, -2, size), random.uniform(-20, 20, size)], -1)
        zero, one = numpy.zeros(size), numpy.ones(size)
        W = numpy.stack([numpy.stack([zero, one, rx], -1), numpy.stack([one, zero, -ry], -1)], -1)
        inverse = numpy.array([1 / m, 1 / m, 1 / inertia])
        G = numpy.einsum("kia,i,kib->kab", W, inverse, W)
        v = numpy.einsum("kia,ki->ka", W, u)
        many = carom.solve_many((G + G.swapaxes(1, 2)) / 2, v, law="energetic", restitution=0.6, friction=0.2)
        after = u + inverse * numpy.einsum("kia,ka->ki", W, many.impulse)
        with tempfile.TemporaryDirectory() as folder:
            names = "rx,ry,vx,vy,w,vxa,vya,wa"
            numpy.savetxt(os.path.join(folder, "d.csv"), numpy.column_stack([rx, ry, u, after]), "%.17g", ",",
                          header=names, comments="")
            file = os.path.join(folder, "d.toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(f'[system]\ntype = "plane-body"\nmass = {m}\nradius_of_gyration = {k}\n[fit]\ndata = "d.csv"\n'
                          'before = ["vx", "vy", "w"]\nafter = ["vxa", "vya", "wa"]\ncolumns = {rx = "rx", ry = "ry"}\n'
                          'parameters = ["restitution", "friction"]\n')
            fitted = carom.fit(file, law=["newton", "energetic"], folds=0)
            self.assertEqual(fitted.best["law"], "energetic")
            self.assertAlmostEqual(fitted["restitution"], 0.6, places=5)
            self.assertAlmostEqual(fitted["friction"], 0.2, places=5)
            self.assertIn("energetic", repr(fitted))
            with self.assertRaisesRegex(carom.InputError, "unknown 'stiffness'"):
                fitted["stiffness"]
            with self.assertRaisesRegex(carom.InputError, "folds: must be"):
                carom.fit(file, folds=1)
            with self.assertRaises(carom.InputError):
                carom.fit(os.path.join(folder, "none.toml"))
            # A change of the file still finds its data.
            only = carom.fit(carom.load(file).changed({"fit.parameters": ["friction"]}), restitution=0.6, law="energetic", folds=0)
            self.assertEqual([one["name"] for one in only.best["parameters"]], ["friction"])

            # The same law as a function, which may look at any coefficient; and one that does not look at friction.
            def ours(problem):
                return carom.solve(law="energetic", inverse_inertia=problem.inverse_inertia, approach=problem.approach,
                                   **problem.surface).impulse

            def smooth(problem):
                return [-(1 + problem.surface["restitution"]) * problem.approach[0] / problem.inverse_inertia[0, 0], 0]

            both = carom.fit(file, law=[smooth, ours, "newton"], folds=2)
            self.assertEqual([model["law"] for model in both.models], ["ours", "newton", "smooth"])
            self.assertAlmostEqual(both["restitution"], 0.6, places=5)
            self.assertAlmostEqual(both["friction"], 0.2, places=5)
            self.assertEqual([one["determined"] for one in both.models[2]["parameters"]], [True, False])
            # It is no law of later fits, nor of other calls.
            self.assertNotIn("ours", [model["law"] for model in carom.fit(file, folds=0).models])

            def fails(problem):
                raise LookupError("mine")

            with self.assertRaisesRegex(LookupError, "mine"):
                carom.fit(file, law=fails)
            for data in ("none.csv", 3, {"rx": [1, 2], "ry": [1]}, {}):
                with self.subTest(data), self.assertRaises(carom.InputError):
                    carom.fit(file, data=data, law="newton")


if __name__ == "__main__":
    unittest.main()
