# SPDX-License-Identifier: Apache-2.0
"""carom.solve_many with arrays of every kind: it answers as `solve` does, or refuses; it never crashes or leaks."""

import gc
import os
import resource
import unittest

import hypothesis
import numpy
from hypothesis import strategies
from hypothesis.extra import numpy as arrays

import carom

hypothesis.settings.register_profile("carom", max_examples=60, deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("carom")

numbers = strategies.floats(-3, 3, allow_subnormal=False)
anything = strategies.floats(allow_nan=True, allow_infinity=True)


@strategies.composite
def problems(draw, components=2):
    """Leading shapes that broadcast, a semidefinite G, coefficients."""
    shapes = draw(arrays.mutually_broadcastable_shapes(num_shapes=4, max_dims=3, max_side=3)).input_shapes
    A = draw(arrays.arrays(float, shapes[0] + (components, components + 1), elements=numbers))
    G = A @ numpy.swapaxes(A, -1, -2) + 0.1 * numpy.eye(components)
    v = draw(arrays.arrays(float, shapes[1] + (components,), elements=numbers))
    v = numpy.where(numpy.abs(v) < 1e-3, -0.5, v)
    restitution = draw(arrays.arrays(float, shapes[2], elements=strategies.floats(0, 1)))
    friction = draw(arrays.arrays(float, shapes[3], elements=strategies.floats(0, 2)))
    return G, v, restitution, friction


def stridden(array, draw):
    """The same numbers, laid out in some other way."""
    how = draw(strategies.integers(0, 4))
    if how == 1:
        return numpy.array(array, order="F")
    if how == 2:
        return numpy.repeat(array[..., None], 2, -1)[..., 0]
    if how == 3:
        array = array.copy()
        array.setflags(write=False)
        return array
    if how == 4 and array.ndim:
        return array[::-1].copy()[::-1]
    return array


class Many(unittest.TestCase):
    def agree(self, data, components, laws):
        G, v, restitution, friction = data.draw(problems(components))
        law = data.draw(strategies.sampled_from(laws))
        given = [stridden(array, data.draw) for array in (G, v, restitution, friction)]
        many = carom.solve_many(*given[:2], law=law, restitution=given[2], friction=given[3])
        shape = numpy.broadcast_shapes(G.shape[:-2], v.shape[:-1], restitution.shape, friction.shape)
        self.assertEqual(many.impulse.shape, shape + (components,))
        G, v = (numpy.broadcast_to(a, shape + a.shape[-k:]) for a, k in ((G, 2), (v, 1)))
        restitution, friction = (numpy.broadcast_to(a, shape) for a in (restitution, friction))
        for at in numpy.ndindex(*shape):
            one = carom.solve(law=law, inverse_inertia=G[at], approach=v[at], restitution=float(restitution[at]),
                              friction=float(friction[at]))
            self.assertEqual(many.impulse[at].tolist(), one.impulse.tolist())
            self.assertEqual(many.velocity[at].tolist(), one.velocity.tolist())
            self.assertEqual(many.verdict[at], one.verdict)
            self.assertEqual(many.mode[at], one.mode)

    @hypothesis.given(strategies.data())
    def test_plane(self, data):
        self.agree(data, 2, ["newton", "poisson", "energetic", "moreau", "conventional", "brach"])

    @hypothesis.given(strategies.data())
    def test_space(self, data):
        self.agree(data, 3, ["energetic", "moreau", "sun-baruh"])

    @hypothesis.given(
        arrays.arrays(strategies.sampled_from([float, numpy.float32, int, complex, bool, "U3"]),
                      arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)),
        arrays.arrays(float, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4), elements=anything),
        arrays.arrays(float, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), elements=anything),
        strategies.sampled_from([0, 1, 2, 3, 4, -1, 1.5, "2"]))
    def test_anything(self, G, v, friction, components):
        for ask in (carom.solve_many, lambda G, v, **rest: carom.solve(inverse_inertia=G, approach=v, **rest)):
            try:
                ask(G, v, law="energetic", restitution=0.5, friction=friction, components=components)
            except carom.InputError:
                pass

    @hypothesis.given(strategies.data())
    def test_wrong_numbers_are_named(self, data):
        """One number among many that is not allowed: the error says which problem has it."""
        size = data.draw(strategies.integers(1, 3000))
        bad = data.draw(strategies.integers(0, size - 1))
        given = {"G": numpy.tile(numpy.eye(2), (size, 1, 1)), "v": numpy.tile([-1.0, 0.3], (size, 1)),
                 "restitution": numpy.full(size, 0.5), "friction": numpy.full(size, 0.3)}
        name = data.draw(strategies.sampled_from(sorted(given)))
        value = data.draw(strategies.sampled_from([float("nan"), float("inf"), -2.0 if name != "v" else 1e300]))
        given[name][(bad,) + (0,) * (given[name].ndim - 1)] = value
        with self.assertRaises(carom.InputError) as caught:
            carom.solve_many(given["G"], given["v"], law="energetic", restitution=given["restitution"],
                             friction=given["friction"])
        self.assertEqual(caught.exception.where, f"problem {bad}" if size > 1 else "")

    def test_threads_and_blocks(self):
        random = numpy.random.default_rng(1)
        size = 200_001
        v = numpy.stack([-random.uniform(0.1, 1, size), random.uniform(-1, 1, size)], -1)
        friction = random.uniform(0, 1, size)
        G = [[1, 0.3], [0.3, 2]]
        answers = [carom.solve_many(G, v, law="energetic", restitution=0.4, friction=friction, threads=threads)
                   for threads in (1, 2, 0)]
        for other in answers[1:]:
            self.assertTrue((answers[0].impulse == other.impulse).all())
            self.assertTrue((answers[0].flags == other.flags).all())
        # Kernel and the general way agree: static friction given equal to friction changes nothing.
        some = slice(0, 5000)
        same = carom.solve_many(G, v[some], law="energetic", restitution=0.4, friction=friction[some],
                                static_friction=friction[some])
        self.assertTrue((same.impulse == answers[0].impulse[some]).all())
        columns = carom.solve_many((1, 0.3, 2), v[some], law="energetic", restitution=0.4, friction=friction[some])
        self.assertTrue((columns.impulse == same.impulse).all())

    def test_several_contacts(self):
        G = numpy.array([[4, 0, -2, 0], [0, 1, 0, 1], [-2, 0, 4, 0], [0, 1, 0, 1.0]])
        v = numpy.array([[-1.2, 0.6, -0.8, 0.6], [-1, 0, 0.5, 0]])
        many = carom.solve_many(G, v, law="moreau", components=2, restitution=[0.8, 0.2], friction=0.3)
        for k, e in enumerate((0.8, 0.2)):
            one = carom.solve(law="moreau", inverse_inertia=G, approach=v[k], components=2, restitution=e, friction=0.3)
            self.assertEqual(many.impulse[k].tolist(), one.impulse.tolist())

    def test_derivatives_are_slopes(self):
        friction = numpy.linspace(0.05, 0.6, 12)
        G, v = [[1, 0.3], [0.3, 2]], numpy.array([-1, 0.8])

        def ask(friction, v=v, **rest):
            return carom.solve_many(G, v, law="energetic", restitution=0.6, friction=friction, **rest)

        many = ask(friction, sensitivity=True)
        h = 1e-6
        slope = (ask(friction + h).impulse[:, 0] - ask(friction - h).impulse[:, 0]) / (2 * h)
        self.assertTrue(numpy.allclose(many.derivative("impulse, normal", "friction"), slope, atol=1e-7))
        slope = (ask(friction, v + [0, h]).energy_change - ask(friction, v - [0, h]).energy_change) / (2 * h)
        self.assertTrue(numpy.allclose(many.derivative("energy change", "approach, slip"), slope, atol=1e-7))
        with self.assertRaises(carom.InputError):
            many.derivative("impulse, normal", "fiction")
        # A contact that separates keeps its velocity.
        mixed = ask(0.3, numpy.array([[-1, 0.8], [1, 0.8]]), sensitivity=True)
        self.assertEqual(mixed.derivative("velocity after, normal", "approach, normal")[1], 1)
        self.assertEqual(mixed.derivative("impulse, normal", "approach, normal")[1], 0)
        with self.assertRaisesRegex(carom.InputError, "no derivatives"):
            carom.solve_many(numpy.eye(3), [-1, 0.2, 0.1], law="compliant", restitution=0.5, friction=0.3,
                             compliance_ratio=1, sensitivity=True)

    def test_empty(self):
        many = carom.solve_many(numpy.empty((0, 2, 2)), numpy.empty((0, 2)), law="newton", restitution=1, friction=0)
        self.assertEqual((many.impulse.shape, len(many), many.verdict.shape), ((0, 2), 0, (0,)))

    def test_huge(self):
        """Shapes whose product overflows, and more than there is memory."""
        one = numpy.array([-1.0, 0])
        for shape in ((1 << 44,), (1 << 33, 1 << 33), (1 << 16,) * 4, (1 << 20, 1 << 20, 1 << 20)):
            with self.subTest(shape):
                axes = [numpy.broadcast_to(0.3, tuple(size if k == axis else 1 for k in range(len(shape))))
                        for axis, size in enumerate(shape)]
                restitution, *others = axes
                friction = others[0] if others else 0.3
                with self.assertRaises((carom.InputError, MemoryError)):
                    carom.solve_many(numpy.eye(2), numpy.broadcast_to(one, (*(1,) * len(shape), 2)) if len(shape) < 3 else
                                     numpy.broadcast_to(one, (*[1] * 2, *shape[2:], 2)), law="newton",
                                     restitution=restitution, friction=friction)

    def test_nothing_is_left_behind(self):
        """A hundred calls, those that fail included, take no more memory than ten."""
        def work():
            for _ in range(10):
                many = carom.solve_many(numpy.eye(2), numpy.full((20000, 2), -1.0), law="energetic", restitution=0.5,
                                        friction=0.3)
                del many
                for wrong in ([[1, 2], [2, 1]], "no", None):
                    try:
                        carom.solve_many(wrong, numpy.full((20000, 2), -1.0), law="energetic", restitution=0.5, friction=0.3)
                    except carom.InputError:
                        pass
                for _ in range(200):
                    carom.solve(law="newton", inverse_inertia=numpy.eye(2), approach=[-1, 0], restitution=1, friction=0).record
            gc.collect()

        work()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(10):
            work()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # kB
        if "CAROM_SANITIZED" not in os.environ:  # which keeps what is freed for a while
            self.assertLess(grown, 8_000)


class Ball:
    """A ball above a floor, some of whose functions are replaced."""

    positions, velocities, contacts = ["y"], ["v_y"], ["floor"]
    weight = 9.81

    def __init__(self, **functions):
        for name, answer in functions.items():
            setattr(self, name, lambda *given, answer=answer: answer)

    def mass(self, t, q):
        return [[1]]

    def forces(self, t, q, u):
        return [-self.weight]

    def gaps(self, t, q):
        return [q[0]]

    def directions(self, t, q):
        return [[1, 0]]


any_array = arrays.arrays(strategies.sampled_from([float, numpy.float32, int, complex, bool, "U3"]),
                          arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
any_floats = arrays.arrays(float, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), elements=anything)
any_value = strategies.one_of(any_array, any_floats, strategies.none(), strategies.text(max_size=3), anything,
                              strategies.integers(-10**400, 10**400), strategies.binary(max_size=3),
                              strategies.lists(anything, max_size=4), strategies.dictionaries(strategies.text(max_size=2),
                                                                                              anything, max_size=2))


def ask(function, *given, **keywords):
    """It answers or refuses."""
    try:
        function(*given, **keywords)
    except (carom.InputError, MemoryError):
        pass


class Anything(unittest.TestCase):
    """All that takes arrays or functions, given anything."""

    LAW = {"law": "newton", "restitution": 0.5, "friction": 0.0}

    @hypothesis.settings(max_examples=30)
    @hypothesis.given(any_value, any_value, any_value)
    def test_solve(self, G, v, coefficient):
        for function in (carom.solve, lambda **keywords: carom.solve_many(keywords.pop("inverse_inertia"),
                                                                          keywords.pop("approach"), **keywords)):
            ask(function, inverse_inertia=G, approach=v, **self.LAW)
            ask(function, inverse_inertia=numpy.eye(2), approach=v, **self.LAW)
            ask(function, inverse_inertia=G, approach=[-1, 0], **self.LAW)
            ask(function, inverse_inertia=numpy.eye(2), approach=[-1, 0], **self.LAW | {"friction": coefficient})
        ask(carom.solve, inverse_inertia=numpy.eye(2), approach=[-1, 0], law="newton", surfaces=coefficient)
        ask(carom.solve, system="bar", angle_deg=G, velocity=v, **self.LAW | {"friction": coefficient})

    @hypothesis.settings(max_examples=15)
    @hypothesis.given(any_value)
    def test_laws(self, impulse):
        for contacts in (1, 2):
            keywords = {"inverse_inertia": numpy.eye(2 * contacts), "approach": [-1, 0] * contacts, "components": 2}
            ask(carom.solve, law=lambda problem: impulse, **keywords)
            ask(carom.solve, law=impulse, **keywords)
        ask(carom.solve_many, numpy.eye(2), [[-1, 0], [-2, 1]], law=lambda problem: impulse)
        ask(carom.map, "examples/bar.toml", x=("surface.friction", 0, 1, 3), law=lambda problem: impulse)
        ask(carom.simulate, model=Ball(), q=[1], u=[0], end_time=0.6, restitution=0.5, friction=0, law=lambda problem: impulse)

    @hypothesis.settings(max_examples=30)
    @hypothesis.given(strategies.sampled_from(["mass", "forces", "gaps", "directions", "potential", "bias", "rate"]), any_value,
                      any_value)
    def test_models(self, function, answer, state):
        for given in ({"model": Ball(**{function: answer}), "q": [0], "u": [-1]}, {"model": Ball(), "q": state, "u": [-1]},
                      {"model": Ball(), "q": [0], "u": state}, {"model": answer, "q": [0], "u": [-1]}):
            ask(carom.solve, **given, **self.LAW)
            ask(carom.simulate, **given, **self.LAW, end_time=0.05)
            ask(carom.map, **given, **self.LAW, x=("system.weight", 1, 2, 2))
            ask(carom.sweep, **given, **self.LAW, vary={"system.weight": [1, 2]})

    @hypothesis.settings(max_examples=30)
    @hypothesis.given(any_value, any_value)
    def test_axes(self, axis, values):
        for start in ("examples/bar.toml", Ball()):
            given = {"model": start, "q": [0], "u": [-1]} if isinstance(start, Ball) else {}
            scenario = () if given else (start,)
            ask(carom.map, *scenario, x=axis, **given, **self.LAW)
            ask(carom.map, *scenario, x=("surface.friction", values, axis, 3), **given, **self.LAW)
            ask(carom.sweep, *scenario, vary={"surface.friction": values}, **given, **self.LAW)
            ask(carom.sweep, *scenario, vary={"surface.friction": (0, 1, 3)}, show=axis, **given, **self.LAW)
        ask(carom.simulate, "examples/motion/bouncing-ball.toml", end_time=0.6, restitution=axis, sample_interval=values)

    @hypothesis.given(any_value, any_value)
    def test_data_of_fits(self, before, after):
        for data in ({"a": before, "b": after}, {"a": [-1.0, -2.0], "b": after}, before):
            ask(carom.fit, model=Ball(), q=[0], data=data, before=["a"], after=["b"], law="newton", folds=0, friction=0,
                parameters=["restitution"], contacts=["floor"])


if __name__ == "__main__":
    unittest.main()
