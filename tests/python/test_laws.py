# SPDX-License-Identifier: Apache-2.0
"""Laws look the same in every picture, those that agree are drawn as one, and axes count in handy units."""

import subprocess
import unittest

import support
from carom.plot import laws, style, units


class Looks(unittest.TestCase):
    def test_every_law_of_the_command_has_a_look_of_its_own(self):
        out = subprocess.run([support.CAROM, "laws"], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in out.split("\n\n")[0].splitlines()]
        self.assertEqual(sorted(names), sorted({*style.LAWS, *style.ALIASES}))
        for part, what in ((0, "colours"), (3, "markers")):
            self.assertEqual(len({look[part] for look in style.LAWS.values()}), len(style.LAWS), what)
        self.assertEqual(style.law("newton")["color"], "#D55E00")

    def test_an_alias_looks_like_what_it_is(self):
        self.assertEqual(style.law("walton"), style.law("moreau"))
        self.assertEqual(style.law_end("shen-townsend"), style.law_end("poisson"))

    def test_a_law_that_nobody_knows_looks_plain(self):
        self.assertEqual(style.law("mine")["color"], "#606060")


def record(*paths):
    """A record of laws whose paths are given: (name, normal impulses, tangential ones, velocity after, verdict)."""
    made = {"approach": [-1.0, 0.5], "outcomes": [], "picture": {"paths": []}}
    for name, normal, tangential, velocity, verdict in paths:
        made["picture"]["paths"].append({"law": name, "impulse_normal": normal, "impulse_tangential": tangential})
        made["outcomes"].append({"impulse": [normal[-1], tangential[-1]], "velocity": velocity, "verdict": verdict,
                                 "phases": []})
    return made


KEYS = ("impulse_normal", "impulse_tangential")


class Families(unittest.TestCase):
    def labels(self, *paths):
        return [family.label() for family in laws.families(record(*paths), KEYS)]

    def test_laws_with_one_path_are_one_wherever_they_were_sampled(self):
        self.assertEqual(self.labels(("newton", [0, 1, 2], [0, 0.5, 1], [1, 0], "ordinary"),
                                     ("moreau", [0, 0.3, 2], [0, 0.15, 1], [1, 0], "ordinary")), ["newton = moreau"])

    def test_laws_with_one_end_and_two_paths_share_a_symbol(self):
        newton, moreau = laws.families(record(("newton", [0, 1, 2], [0, 0.9, 1], [1, 0], "jam"),
                                              ("moreau", [0, 2], [0, 1], [1, 0], "ordinary")), KEYS)
        self.assertEqual(newton.label(), "newton (jam)")
        self.assertEqual(moreau.label(), "moreau, same end as newton")
        self.assertIs(moreau.ends_as, newton)
        symbols = [handle.get_marker() for handle in laws.handles([newton, moreau])]
        self.assertEqual(symbols, ["s", "None"])

    def test_laws_with_different_ends_or_verdicts_are_apart(self):
        self.assertEqual(len(self.labels(("newton", [0, 2], [0, 1], [1, 0], "ordinary"),
                                         ("moreau", [0, 2.000001], [0, 1], [1, 0], "ordinary"))), 2)
        self.assertEqual(len(self.labels(("newton", [0, 2], [0, 1], [1, 0], "ordinary"),
                                         ("moreau", [0, 2], [0, 1], [1, 1e-6], "ordinary"))), 2)
        self.assertEqual(self.labels(("newton", [0, 2], [0, 1], [1, 0], "ordinary"),
                                     ("brach", [0, 2], [0, 1], [1, 0], "energy-gained")),
                         ["newton", "brach, same end as newton (energy-gained)"])

    def test_rounding_does_not_part_laws(self):
        self.assertEqual(self.labels(("newton", [0, 1, 2], [0, 1e-17, 0], [1, 0], "ordinary"),
                                     ("moreau", [0, 2], [0, 0], [1, 0], "ordinary")), ["newton = moreau"])

    def test_without_an_impulse_all_are_one(self):
        self.assertEqual(self.labels(("newton", [0], [0], [1, 0], "no-impulse"),
                                     ("brach", [0], [0], [1, 0], "no-impulse")), ["newton = brach (no-impulse)"])


class Units(unittest.TestCase):
    def test_prefixes_where_numbers_would_be_long(self):
        cases = ((3, "N s", "N s", 1), (0.1, "J", "J", 1), (0.02, "J", "mJ", 1e-3), (12_000, "N s", "kN s", 1e3),
                 (9_999, "N", "N", 1), (3e-7, "s", "ns", 1e-9), (0.02, "", "", 1), (2e-5, "", "10⁻⁶", 1e-6),
                 (1e40, "J", "10³⁹ J", 1e39), (0, "J", "J", 1))
        for largest, unit, text, factor in cases:
            made = units.unit_for([[-largest, 0]], unit)
            self.assertEqual((made.text, made.factor), (text, factor))
        self.assertEqual(list(units.unit_for([[2e4]], "J").of([2e4, 1e3])), [20, 1])

    def test_labels_have_their_unit(self):
        quantity = {"name": "work", "symbol": "W", "unit": "J"}
        self.assertEqual(units.label(quantity, units.Unit(1e3, "kJ")), "work W [kJ]")
        self.assertEqual(units.label(quantity, units.Unit(1, ""), breaks=True), "work\nW")
        self.assertEqual(units.label({**quantity, "symbol": ""}, units.Unit(1, "")), "work")


if __name__ == "__main__":
    unittest.main()
