# SPDX-License-Identifier: Apache-2.0
"""The reference cases through Python give what the command gives, bit for bit: both write the shortest text that
reads back as the same number."""

import unittest

import numpy
from package import reference_problems, stream

import carom

KEYWORDS = ("inverse_inertia", "approach", "components")


def by_keywords(problem):
    """carom.solve of a problem of the stream in contact space."""
    keywords = {key: problem[key] for key in KEYWORDS if key in problem}
    keywords |= problem.get("surface", {})
    keywords |= problem.get("options", {})
    if "surfaces" in problem:
        keywords["surfaces"] = problem["surfaces"]
    return carom.solve(law=problem["law"], **keywords)


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.problems = reference_problems()
        cls.answers = stream(cls.problems)

    def expect(self, outcome, answer):
        record = dict(outcome.record)
        expected = {key: value for key, value in answer.items() if key != "id"}
        for of_both in (record, expected):  # the name of an alias or of an option
            of_both.pop("law")
        self.assertEqual(record, expected)
        self.assertEqual(outcome.impulse.tolist(), expected["impulse"])
        self.assertEqual(outcome.velocity.tolist(), expected["velocity"])
        self.assertEqual(outcome.verdict, expected["verdict"])

    def test_contact_space_by_keywords(self):
        count = 0
        for problem, answer in zip(self.problems, self.answers):
            if "inverse_inertia" not in problem or "error" in answer:
                continue
            with self.subTest(problem["id"]):
                self.expect(by_keywords(problem), answer)
                arrays = problem | {key: numpy.array(problem[key], float) for key in KEYWORDS[:2]}
                self.expect(by_keywords(arrays), answer)
            count += 1
        self.assertGreater(count, 180)

    def test_problems_of_the_stream(self):
        count = 0
        for problem, answer in zip(self.problems, self.answers):
            if "error" in answer:
                continue
            with self.subTest(problem["id"]):
                self.expect(carom.solve(problem, law=problem["law"]), answer)
            count += 1
        self.assertGreater(count, 200)

    def test_many(self):
        """Each problem alone, and all of a kind together."""
        kinds = {}
        for problem, answer in zip(self.problems, self.answers):
            if "inverse_inertia" not in problem or "error" in answer or "surfaces" in problem:
                continue
            surface, options = problem["surface"], problem.get("options", {})
            key = (problem["law"], len(problem["approach"]), problem.get("components", 0), tuple(sorted(surface)),
                   tuple(sorted(options.items())))
            kinds.setdefault(key, []).append((problem, answer))
        self.assertGreater(len(kinds), 12)
        for (law, _, components, names, options), cases in kinds.items():
            with self.subTest(law=law, names=names):
                many = carom.solve_many(
                    [problem["inverse_inertia"] for problem, _ in cases],
                    [problem["approach"] for problem, _ in cases], law=law, components=components, **dict(options),
                    **{name: numpy.array([problem["surface"][name] for problem, _ in cases]) for name in names})
                for k, (problem, answer) in enumerate(cases):
                    self.assertEqual(many.impulse[k].tolist(), answer["impulse"], problem["id"])
                    self.assertEqual(many.velocity[k].tolist(), answer["velocity"], problem["id"])
                    self.assertEqual(many.energy_change[k], answer["energy"]["change"], problem["id"])
                    self.assertEqual(many.verdict[k], answer["verdict"], problem["id"])


if __name__ == "__main__":
    unittest.main()
