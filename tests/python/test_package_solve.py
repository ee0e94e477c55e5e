# SPDX-License-Identifier: Apache-2.0
"""carom.solve, carom.load, the tables and errors."""

import json
import pickle
import subprocess
import sys
import unittest

import numpy
from package import CAROM, stream

import carom

KANE = dict(inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5], restitution=1, friction=1)
BAR = dict(system="bar", angle_deg=60, velocity=[0.4, -1], restitution=0.5, friction=0.3)


class Solve(unittest.TestCase):
    def test_contact_space(self):
        outcome = carom.solve(law="energetic", **KANE)
        self.assertEqual(outcome.impulse.tolist(), [5.895198487102996, -4.8056786383926955])
        self.assertIn("  5.8952\n", repr(outcome))
        for number in outcome.impulse.tolist():
            self.assertIn(f" {number}\n", str(outcome))
        self.assertIn("<td>5.8952</td>", outcome._repr_html_())
        self.assertEqual(outcome["impulse:normal"], outcome.impulse[0])
        self.assertEqual(outcome["mode"], "1")
        self.assertAlmostEqual(sum(outcome.energy[key] for key in ("normal", "friction")), outcome.energy["change"])
        self.assertEqual(outcome.phases[-1]["impulse"].tolist(), outcome.impulse.tolist())

    def test_keywords_say_what_a_file_says(self):
        outcome = carom.solve(law="poisson", **BAR)
        file = carom.solve("examples/bar.toml", law="poisson", **{key: BAR[key] for key in BAR if key != "system"})
        self.assertEqual(outcome.impulse.tolist(), file.impulse.tolist())
        self.assertEqual(outcome.coordinates, ["u_x", "u_y", "u_phi"])
        # The kinetic energy agrees with the ledger.
        inertia = numpy.array([1, 1, 1 / 3])
        change = 0.5 * inertia @ (outcome.velocity_after**2 - outcome.velocity_before**2)
        self.assertAlmostEqual(change, outcome["energy_change"], places=14)

    def test_the_command_says_the_same(self):
        run = subprocess.run([CAROM, "solve", "examples/many/rod-in-corner.toml", "--json"], capture_output=True,
                             text=True, check=True)
        record = json.loads(run.stdout)
        comparison = carom.solve("examples/many/rod-in-corner.toml")
        self.assertEqual([o["law"] for o in record["outcomes"]], comparison.laws)
        for expected, outcome in zip(record["outcomes"], comparison):
            self.assertEqual(expected["impulse"], outcome.impulse.tolist())
            self.assertEqual(expected["velocity_after"], outcome.velocity_after.tolist())

    def test_several_contacts_in_contact_space(self):
        G = [[4, 0, -2, 0], [0, 1, 0, 1], [-2, 0, 4, 0], [0, 1, 0, 1]]
        flat = carom.solve(law="moreau", inverse_inertia=G, approach=[-1.2, 0.6, -0.8, 0.6], components=2,
                           restitution=0.8, friction=[0.3, 0.3])
        rows = carom.solve(law="moreau", inverse_inertia=G, approach=[[-1.2, 0.6], [-0.8, 0.6]],
                           surfaces=[{"restitution": 0.8, "friction": 0.3}] * 2)
        self.assertEqual(flat.impulse.tolist(), rows.impulse.tolist())
        self.assertEqual(flat.contacts, 2)
        self.assertEqual(len(flat["normal_impulse"]), 2)

    def test_laws_that_apply(self):
        comparison = carom.solve(**KANE)
        self.assertIn("moreau", comparison.laws)
        self.assertEqual(comparison["newton"].verdict, "energy-gained")
        harder = carom.solve(**KANE | {"static_friction": 1.2})
        self.assertIn("moreau", [law for law, _ in harder.left_out])
        self.assertIn("ignores static_friction", carom.solve(law="moreau", **KANE | {"static_friction": 1.2}).note)

    def test_options(self):
        two = carom.solve(law="moreau", hypothesis="poisson", **KANE)
        self.assertEqual(two.impulse.tolist(), carom.solve(law="moreau:poisson", **KANE).impulse.tolist())

    def test_pickling_asks_again(self):
        for outcome in (carom.solve(law="energetic", **KANE), carom.solve("examples/bar.toml", law="newton"),
                        carom.solve("examples/two-cars.toml"), carom.solve(law=["newton", mirror], **KANE),
                        carom.solve(law="moreau", hypothesis="poisson", **KANE)):
            again = pickle.loads(pickle.dumps(outcome))
            for a, b in zip(*([one] if isinstance(one, carom.Outcome) else one for one in (outcome, again))):
                self.assertEqual((a.law, a.record), (b.law, b.record))
        many = carom.solve_many(numpy.eye(2), [-1, 0], law="newton", restitution=1, friction=0)
        self.assertEqual(pickle.loads(pickle.dumps(many)).impulse.tolist(), many.impulse.tolist())

    def test_pictures(self):
        from carom._native import native

        kinds = {"examples/kane-levinson.toml": "routh", "examples/space/rod.toml": "hodograph",
                 "examples/many/newton-cradle.toml": "course"}
        for file, kind in kinds.items():
            record = json.loads(native.picture_of(carom.load(file).text, file, [], "time"))
            self.assertEqual(record["picture"]["kind"], kind)
        carom.solve("examples/bar.toml", law=["newton", mirror], friction=0.0).plot()
        carom.solve(law=["newton", mirror], **KANE).plot()
        carom.solve(law="moreau", hypothesis="poisson", **KANE).plot()
        carom.solve(law="energetic", inverse_inertia=numpy.eye(3), approach=[-1, 0.3, 0.1], restitution=1, friction=0.2).plot()
        carom.solve(law="lzb", inverse_inertia=numpy.eye(4), approach=[[-1, 0.3], [-1, 0.1]], stiffness=[1e6, 2e6],
                    restitution=1, friction=0.2).plot()

    def test_load_and_change(self):
        scenario = carom.load("examples/many/newton-cradle.toml")
        self.assertEqual(carom.Scenario(**scenario.tables), scenario)
        changed = scenario.changed({"surface.restitution": 0.5})
        self.assertNotEqual(carom.solve(changed, law="lzb").velocity.tolist(),
                            carom.solve(scenario, law="lzb").velocity.tolist())
        with self.assertRaisesRegex(carom.InputError, "does not exist"):
            scenario.changed({"system.balls[99].mass": 1})

    def test_every_example_means_the_same_when_written_again(self):
        for name in ("bar", "two-cars", "pendulum", "many/box-stack", "space/cars", "superball", "gripper"):
            scenario = carom.load(f"examples/{name}.toml")
            again = carom.Scenario(**scenario.tables)
            for a, b in zip(carom.solve(scenario), carom.solve(again), strict=True):
                self.assertEqual(a.record, b.record, name)

    def test_tables(self):
        self.assertEqual(len(carom.laws()), 14)
        self.assertIn("energetic", carom.laws())
        self.assertIn("friction", repr(carom.coefficients()))
        self.assertIn("<table>", carom.quantities()._repr_html_())
        outcome = carom.solve(law="energetic", **BAR)
        for quantity in carom.quantities():
            try:
                outcome[quantity.name]
            except carom.InputError as error:  # of space, of two laws
                self.assertIn(quantity.name, ("slip_speed", "parting"), error)


class Errors(unittest.TestCase):
    def expect(self, field, part, **keywords):
        with self.assertRaises(carom.InputError) as caught:
            carom.solve(**keywords)
        self.assertEqual(caught.exception.field, field)
        self.assertIn(part, str(caught.exception))
        return caught.exception

    def test_what_is_wrong_and_what_is_allowed(self):
        error = self.expect("restitution", "got 1.4", law="newton", **KANE | {"restitution": 1.4})
        self.assertEqual((error.allowed, error.value), ("in [0, 1]", "1.4"))
        self.assertIsInstance(error, ValueError)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        self.expect("restitution", "got 1.5", law="newton", **BAR | {"restitution": 1.5})
        self.expect("restitutoin", "did you mean 'restitution'", law="newton", restitutoin=1, **KANE)
        self.expect("law", "did you mean 'newton'", law="newtno", **KANE)
        self.expect("friction", "is missing", law="newton", **{k: v for k, v in KANE.items() if k != "friction"})
        self.expect("approach[0]", "nan", law="newton", **KANE | {"approach": [float("nan"), 0]})
        self.expect("inverse_inertia", "symmetric", law="newton", **KANE | {"inverse_inertia": [[1, 0.9], [0.8, 1]]})
        self.expect("inverse_inertia", "semidefinite", law="newton", **KANE | {"inverse_inertia": [[1, 2], [2, 1]]})
        self.expect("inverse_inertia", "2 x 2", law="newton", **KANE | {"inverse_inertia": numpy.eye(3)})
        self.expect("components", "is missing", law="moreau", **KANE | {"approach": [-1, 0, -1, 0]})
        self.expect("angle_deg", "must be", law="newton", **BAR | {"angle_deg": float("nan")})
        self.expect("system", "is missing", law="newton", restitution=1)
        self.expect("friction", "must be a number", law="newton", **KANE | {"friction": 10**400})
        self.expect("inverse_inertia", "must be numbers", law="newton", **KANE | {"inverse_inertia": [[10**400, 0], [0, 1]]})

    def test_places_in_files(self):
        with self.assertRaises(carom.InputError) as caught:
            carom.solve("tests/python/no-such.toml")
        self.assertIn("cannot read", str(caught.exception))
        with self.assertRaises(carom.InputError) as caught:
            carom.Scenario("f.toml", text="[system]\ntype = 'bar'\nangle_deg = = 3\n")
        self.assertTrue(caught.exception.where.startswith("f.toml:3"), caught.exception)

    def test_arguments_of_the_wrong_kind(self):
        """Whatever is wrong, and in whichever function, it is an InputError that names the argument."""
        bar, ball, x = "examples/bar.toml", "examples/motion/bouncing-ball.toml", ("surface.friction", 0, 1, 3)
        vary, fit = {"surface.friction": (0, 1, 3)}, "examples/fit/ellipse.toml"
        contact = {"inverse_inertia": numpy.eye(2), "approach": [-1, 0]}
        cases = [
            ("threads", lambda: carom.map(bar, x=x, threads="x")),
            ("threads", lambda: carom.sweep(bar, vary=vary, threads=-1)),
            ("threads", lambda: carom.fit(fit, threads=1.5)),
            ("threads", lambda: carom.solve_many(numpy.eye(2), [-1, 0], law="newton", threads=1 << 70)),
            ("components", lambda: carom.solve(law="newton", components="x", **contact)),
            ("components", lambda: carom.solve(law="newton", components=-1, **contact)),
            ("surfaces", lambda: carom.solve(law="newton", surfaces=3, **contact)),
            ("friction", lambda: carom.solve(law="newton", restitution=1, friction=[1, 2], **contact)),
            ("show", lambda: carom.map(bar, x=x, show=3)),
            ("show", lambda: carom.map(bar, x=x, show=[3])),
            ("show", lambda: carom.sweep(bar, vary=vary, show="enrgy")),
            ("law", lambda: carom.solve(bar, law=3)),
            ("law", lambda: carom.solve(bar, law=[])),
            ("law", lambda: carom.map(bar, x=x, law=[4])),
            ("law", lambda: carom.fit(fit, law=4)),
            ("law", lambda: carom.simulate(ball, law=3)),
            ("compare", lambda: carom.map(bar, x=x, compare=4)),
            ("x", lambda: carom.map(bar, x=(3, 0, 1, 3))),
            ("x", lambda: carom.map(bar, x=3)),
            ("vary", lambda: carom.sweep(bar, vary=["a"])),
            ("method", lambda: carom.sweep(bar, vary=vary, method=3)),
            ("samples", lambda: carom.sweep(bar, vary=vary, samples="x")),
            ("indices", lambda: carom.sweep(bar, vary=vary, indices="x")),
            ("quantiles", lambda: carom.sweep(bar, vary=vary, quantiles="x")),
            ("folds", lambda: carom.fit(fit, folds="x")),
            ("loss", lambda: carom.fit(fit, loss=3)),
            ("system", lambda: carom.fit()),
            ("fit", lambda: carom.fit(bar)),
            ("motion", lambda: carom.simulate(bar)),
            ("scenario", lambda: carom.load(3)),
            ("file", lambda: carom.load("none.toml")),
            ("scenario", lambda: carom.solve(3)),
            ("law", lambda: carom.register_law("a b", mirror)),
            ("law", lambda: carom.register_law("ab", 3)),
            ("coefficients", lambda: carom.register_law("ab", mirror, coefficients=3)),
            ("end_time", lambda: carom.simulate(ball, end_time="x")),
            ("quantity", lambda: carom.solve(bar, law="newton")[3]),
            ("law", lambda: carom.solve(bar)["newtn"]),
            ("name", lambda: carom.laws()["newtn"]),
            ("column", lambda: carom.sweep(bar, vary=vary)["x"]),
            ("layer", lambda: carom.map(bar, x=x, law="newton")["mode", "newtn"]),
            ("kind", lambda: carom.simulate(ball, end_time=0.1).record("x")),
            ("numbers", lambda: carom.load(bar).changed(3)),
        ]
        for field, call in cases:
            with self.subTest(field), self.assertRaises(carom.InputError) as caught:
                call()
            self.assertEqual(caught.exception.field, field, caught.exception)
        # What is near in another table is suggested.
        for near, call in (("end_time", lambda: carom.simulate(ball, end_tme=3)), ("angle_deg", lambda: carom.solve(bar, angel_deg=3)),
                           ("friction", lambda: carom.solve(bar, frction=3)), ("parameters", lambda: carom.fit(fit, parameter=3))):
            with self.assertRaisesRegex(carom.InputError, f"did you mean '{near}'"):
                call()
        self.assertIn("newton", carom.solve(bar))

    def test_quantities_and_layers_that_are_not(self):
        outcome = carom.solve(law="newton", **KANE)
        with self.assertRaisesRegex(carom.InputError, "did you mean 'slip'"):
            outcome["slpi"]
        with self.assertRaisesRegex(carom.InputError, "known: normal, tangential"):
            outcome["impulse:up"]


def mirror(problem):
    """Each contact alone bounces by e, without friction."""
    rows = problem.components
    impulse = numpy.zeros_like(problem.approach)
    for i, surface in enumerate(problem.surfaces):
        v = problem.approach[i * rows]
        if v < 0:
            impulse[i * rows] = -(1 + surface["restitution"]) * v / problem.inverse_inertia[i * rows, i * rows]
    return impulse


class PythonLaws(unittest.TestCase):
    def test_a_function_is_a_law(self):
        ours = carom.solve(law=mirror, **KANE | {"friction": 0})
        newton = carom.solve(law="newton", **KANE | {"friction": 0})
        self.assertTrue(numpy.allclose(ours.impulse, newton.impulse, rtol=1e-15))
        self.assertAlmostEqual(ours["energy_change"], newton["energy_change"], places=15)
        both = carom.solve("examples/bar.toml", law=["newton", mirror], friction=0.0)
        self.assertTrue(numpy.allclose(both[0].velocity_after, both["mirror"].velocity_after, rtol=1e-15))
        self.assertNotIn("mirror", carom.laws())
        self.assertNotIn("mirror", carom.solve(**KANE).laws)
        self.assertNotIn("mirror", [law for law, _ in carom.solve("examples/bar.toml").left_out])

    def test_in_maps_and_many(self):
        x = ("system.angle_deg", 10, 80, 15)
        made = carom.map("examples/bar.toml", x=x, show="normal_impulse", law=[mirror, "newton"], friction=0.0)
        self.assertTrue(numpy.allclose(made["normal_impulse", "mirror"], made["normal_impulse", "newton"], rtol=1e-14))
        many = carom.solve_many(numpy.eye(2), [[-1, 0], [1, 0]], law=mirror, restitution=0.5)
        self.assertEqual(many.velocity[:, 0].tolist(), [0.5, 1.0])

    def test_what_it_does_wrong(self):
        def fails(problem):
            raise ZeroDivisionError("mine")

        for ask in (lambda law: carom.solve(law=law, **KANE), lambda law: carom.solve("examples/bar.toml", law=law),
                    lambda law: carom.map("examples/bar.toml", x=("system.angle_deg", 10, 80, 3), law=law),
                    lambda law: carom.solve_many(numpy.eye(2), [-1, 0], law=law)):
            with self.assertRaisesRegex(ZeroDivisionError, "mine"):
                ask(fails)
            for wrong in (None, [1], [1, float("nan")], "ab", [1, 2, 3]):
                with self.assertRaises(carom.InputError):
                    ask(lambda problem: wrong)

    def test_functions_of_the_same_name(self):
        """Each call keeps its own function, also where one law asks another, or a registered one has its name."""
        def bounce(e):
            return lambda problem: [-(1 + e) * problem.approach[0] / problem.inverse_inertia[0, 0], 0]

        laws = carom.solve(law=[bounce(0.2), bounce(0.8)], **KANE)
        self.assertTrue(numpy.allclose([o.velocity[0] for o in laws], [0.2, 0.8]))

        def asks(problem):
            inner = carom.solve(law=bounce(0.5), inverse_inertia=problem.inverse_inertia, approach=problem.approach)
            return inner.impulse

        outer = lambda problem: asks(problem)  # noqa: E731
        many = carom.solve_many(numpy.eye(2), numpy.tile([-1.0, 0], (5, 1)), law=outer)
        self.assertEqual(many.velocity[:, 0].tolist(), [0.5] * 5)
        carom.register_law("py-mirror", mirror)
        unlisted = bounce(0.1)
        unlisted.__name__ = "py-mirror"
        carom.solve(law=unlisted, **KANE)
        self.assertIn("py-mirror", carom.laws())
        named = bounce(0.3)
        named.__name__ = "newton"
        self.assertAlmostEqual(carom.solve(law=named, **KANE).velocity[0], 0.3)

    def test_registered(self):
        carom.register_law("py-mirror", mirror)
        self.assertEqual(carom.laws()["py-mirror"].parallel, False)
        self.assertEqual(carom.laws()["py-mirror"].summary, "Each contact alone bounces by e, without friction.")
        self.assertIn("py-mirror", carom.solve(**KANE).laws)
        with self.assertRaisesRegex(carom.InputError, "restitution: is missing"):
            carom.solve(law="py-mirror", inverse_inertia=[[1, 0], [0, 1]], approach=[-1, 0])
        with self.assertRaisesRegex(carom.InputError, "is a law of Carom"):
            carom.register_law("newton", mirror)
        carom.register_law("py-mirror", lambda problem: 0 * problem.approach)
        self.assertEqual(carom.solve(law="py-mirror", **KANE).verdict, "no-impulse")

    def tearDown(self):
        from carom._native import native

        native.withdraw_law("py-mirror")


class WithoutTheModule(unittest.TestCase):
    def test_pictures_need_no_compiled_code(self):
        code = ("import sys; sys.path.insert(0, 'python'); import carom, carom.plot; carom.plot.KINDS\n"
                "try: carom.solve\nexcept ImportError as e: print(e)")
        run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
        self.assertIn("./run python", run.stdout + run.stderr)
        self.assertIn("only carom.plot works", run.stdout)

    def test_importing_is_quick(self):
        code = "import sys, carom; print('numpy' in sys.modules, 'carom._carom' in sys.modules)"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.split(), ["False", "False"])


class Interruption(unittest.TestCase):
    """Long calls end soon after SIGINT, and the calls after them are as before."""

    CALLS = {
        "map": "carom.map('examples/space/rod.toml', x=('surface.restitution', 0, 1, 3000), "
               "y=('surface.friction', 0, 1, 3000), law='energetic')",
        "map of a function": "carom.map('examples/bar.toml', x=('surface.restitution', 0, 1, 3000), "
                             "y=('surface.friction', 0, 1, 3000), law=none)",
        "map of a model": "carom.map(model=Ball(), q=[0], u=[-1], x=('surface.restitution', 0, 1, 3000), "
                          "y=('surface.friction', 0, 1, 3000), law='energetic')",
        "many": "carom.solve_many(numpy.broadcast_to(numpy.eye(3), (9000000, 3, 3)), [-1, .3, .2], law='energetic', "
                "restitution=.5, friction=.3, threads=1)",
        "many of a function": "carom.solve_many(numpy.eye(2), numpy.full((9000000, 2), -1.0), law=none)",
        "sweep": "carom.sweep('examples/space/rod.toml', vary={'surface.friction': 'uniform:0.1:0.9'}, samples=1 << 24, "
                 "law='energetic')",
        "sweep of a function": "carom.sweep('examples/bar.toml', vary={'surface.friction': 'uniform:0.1:0.9'}, samples=1 << 24, "
                               "law=none)",
        "sweep of motions": "carom.sweep('examples/motion/bouncing-ball.toml', vary={'surface.restitution': 'uniform:0.8:0.9'}, "
                            "samples=1 << 20)",
        "fit": "carom.fit('examples/fit/ellipse.toml', folds=100)",
        "fit of a function": "carom.fit('examples/fit/ellipse.toml', law=none)",
        "fit of trajectories": "carom.fit('examples/fit/tosses.toml')",
        "motion": "carom.simulate('examples/motion/bouncing-ball.toml', end_time=1e6, restitution=1.0, "
                  "sample_interval=0.001, most_samples=2000000000)",
        "motion of a model": "carom.simulate(model=Ball(), q=[1], u=[0], restitution=1, friction=0, end_time=1e6)",
    }
    SCRIPT = """
import os, signal, sys, threading, time, numpy, carom

def none(problem):
    return 0 * problem.approach

class Ball:
    positions, velocities, contacts = ["y"], ["v"], ["floor"]
    def mass(self, t, q): return [[1]]
    def forces(self, t, q, u): return [-9.81]
    def gaps(self, t, q): return [q[0]]
    def directions(self, t, q): return [[1, 0]]

def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)

for line in sys.stdin:
    timer = threading.Timer(0.2, interrupt)
    timer.start()
    try:
        eval(line)
        timer.cancel()
        print("ended")
    except KeyboardInterrupt:
        print("interrupted" if time.monotonic() - sent < 5 else "late", round(time.monotonic() - sent, 2))
"""

    def test_ctrl_c(self):
        run = subprocess.run([sys.executable, "-c", self.SCRIPT], input="\n".join(self.CALLS.values()), capture_output=True,
                             text=True, timeout=120)
        ends = run.stdout.splitlines()
        self.assertEqual(len(ends), len(self.CALLS), run.stderr)
        for name, end in zip(self.CALLS, ends):
            with self.subTest(name):
                self.assertIn("interrupted", end)


if __name__ == "__main__":
    unittest.main()
