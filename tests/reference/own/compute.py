"""Computes planar-own.json: planar reference cases made independently of the library, each in two unrelated ways.

Contact space: v+ = v- + G P, components (n, t); v_n < 0 approaches, P_n > 0 pushes apart, impulses act on body 1.
Models and the two ways: see the docstrings of moreau_two_stage.py, brach_planar.py, compliant_springs.py.
Every case's `extra.agreement` is the largest relative difference between the two ways, in the measure of
tests/reference/README.md; it is asserted to be below the case's tolerance (and, more sharply, 1e-13 for moreau and
brach, 1e-11 for compliant). Regimes are asserted to survive small changes of the data.

Run: python3 compute.py [planar.json]    (needs mpmath, numpy, scipy; half a minute)
With the path of the shared planar.json it first checks the compliant model against the nine cases there.
"""
import json
import os
import random
import sys
from fractions import Fraction as Q

import mpmath
from mpmath import mpf

import brach_planar
import compliant_springs
import moreau_two_stage
from common import energies, number, numbers, worst

HERE = os.path.dirname(os.path.abspath(__file__))
FLOOR = 1e-16    # agreements below this are rounding: written as this


def case(problem, expect, extra, tolerance, source):
    return {"id": problem["id"], "kind": "outcome", "problem": problem, "expect": expect, "extra": extra,
            "tolerance": tolerance, "source": source}


# ---------------------------------------------------------------- moreau, two stages

MOREAU = [    # id, (Gnn, Gnt, Gtt), (vn, vt), e, mu, (regime of compression, of expansion)
    ("forward_forward", ("5/2", "-4/5", "2"), ("-3/2", "4"), "7/10", "3/10", ("forward", "forward")),
    ("forward_stick", ("1", "9/10", "7/2"), ("-2", "19/5"), "1", "1/2", ("forward", "stick")),
    ("forward_backward", ("3/2", "-6/5", "3/2"), ("-2", "5/2"), "1", "1/5", ("forward", "backward")),
    ("stick_forward", ("1", "13/10", "5/2"), ("-2", "-3/2"), "7/10", "1/2", ("stick", "forward")),
    ("stick_stick", ("4/5", "7/10", "5/2"), ("-2", "-2"), "7/10", "1/2", ("stick", "stick")),
    ("stick_backward", ("1", "-9/5", "4"), ("-2", "27/10"), "3/10", "2/5", ("stick", "backward")),
    ("backward_forward", ("5/2", "3/2", "2"), ("-2", "-3/2"), "7/10", "3/10", ("backward", "forward")),
    ("backward_stick", ("4/5", "1", "3/2"), ("-1", "-9/5"), "3/10", "6/5", ("backward", "stick")),
    ("backward_backward", ("4/5", "4/5", "3/2"), ("-1/2", "-6/5"), "7/10", "4/5", ("backward", "backward")),
    ("vt0_backward", ("6/5", "-7/5", "5/2"), ("-1", "0"), "1", "1/4", ("backward", "backward")),
    ("reversed_at_once", ("6/5", "-7/5", "5/2"), ("-1", "2/5"), "3/10", "1/4", ("backward", "backward")),
    ("central_forward_forward", ("1", "0", "7/2"), ("-1", "4"), "3/10", "1/2", ("forward", "forward")),
    ("central_backward_stick", ("1", "0", "1"), ("-3/2", "-11/5"), "7/10", "1", ("backward", "stick")),
    ("central_stick_stick", ("1", "0", "7/2"), ("-1", "3/2"), "1", "1/2", ("stick", "stick")),
    ("e0_forward", ("6/5", "-9/10", "2"), ("-3/2", "31/10"), "0", "3/5", ("forward", "forward")),
    ("e0_stick", ("4/5", "-1/2", "2"), ("-2", "3/10"), "0", "3/5", ("stick", "stick")),
]


def moreau_cases():
    for name, (a, b, c), v, e, mu, regimes in MOREAU:
        a, b, c, e, mu = map(Q, (a, b, c, e, mu))
        v = tuple(map(Q, v))
        G = ((a, b), (b, c))
        assert a > 0 and a * c - b * b > 0
        one, found, stages = moreau_two_stage.exact(G, v, e, mu)
        assert found == regimes, (name, found)
        if e != 0:
            assert moreau_two_stage.sturdy(G, v, e, mu, regimes), name
        problem = {"id": "own_moreau2_" + name, "law": "moreau",
                   "inverse_inertia": [numbers(r) for r in G], "approach": numbers(v),
                   "surface": {"restitution": number(e), "friction": number(mu)}, "options": {"hypothesis": "poisson"}}
        s = problem["surface"]
        two = moreau_two_stage.proximal([[mpf(x) for x in r] for r in problem["inverse_inertia"]],
                                        [mpf(x) for x in problem["approach"]], mpf(s["restitution"]), mpf(s["friction"]))
        agreement = worst(as_mp(one), two, problem["approach"])
        assert agreement < 1e-13, (name, agreement)
        mode = {("forward", "forward"): "forward-slip", ("backward", "backward"): "backward-slip"}.get(regimes, "stick")
        yield case(problem, {"impulse": numbers(one["impulse"]), "velocity": numbers(one["velocity"]), "mode": mode,
                             "energy": energies(one["energy"])},
                   {"agreement": max(FLOOR, agreement), "compression": regimes[0], "expansion": regimes[1],
                    "impulse_compression": numbers(stages[0]), "velocity_compression": numbers(stages[1]),
                    "impulse_expansion": numbers(stages[2])},
                   1e-10, "exact rationals over all branches of both stages; proximal fixed point, 30 digits")


# ---------------------------------------------------------------- brach, planar, by bodies

def body(m, I, r, V, w):
    return Q(m), Q(I), tuple(map(Q, r)), tuple(map(Q, V)), Q(w)


BRACH = [    # id, normal, surface (e_n; one of mu_t, e_t, f; e_m or absent), bodies
    ("one_ratio", ("0", "1"), {"e_n": "4/5", "mu_t": "-1/4"},
     [body("2", "3/10", ("3/10", "-2/5"), ("3/2", "-2"), "1/2")]),
    ("one_et", ("0", "1"), {"e_n": "1/2", "e_t": "2/5", "e_m": "-1"},
     [body("3/2", "1/4", ("-1/5", "-1/2"), ("1", "-3/2"), "1")]),
    ("one_coulomb_slip", ("3/5", "4/5"), {"e_n": "7/10", "f": "1/10"},
     [body("1", "1/10", ("-1/5", "-2/5"), ("2", "-3"), "1")]),
    ("one_coulomb_stick_couple", ("3/5", "4/5"), {"e_n": "7/10", "f": "3/5", "e_m": "-3/5"},
     [body("1", "1/10", ("-1/5", "-2/5"), ("1/2", "-3"), "4")]),
    ("one_coulomb_slip_couple", ("-5/13", "12/13"), {"e_n": "3/5", "f": "1/10", "e_m": "-3/5"},
     [body("6/5", "1/5", ("1/4", "-1/2"), ("3", "-2"), "-3/2")]),
    ("one_locked_et0", ("0", "1"), {"e_n": "2/5", "e_t": "0", "e_m": "0"},
     [body("2", "1/2", ("1/2", "-3/5"), ("-1", "-2"), "3")]),
    ("one_couple_positive", ("0", "1"), {"e_n": "1/2", "mu_t": "1/5", "e_m": "1/10"},
     [body("1", "1/2", ("1/5", "-3/10"), ("-2", "-1"), "2")]),
    ("one_en_above_1", ("4/5", "-3/5"), {"e_n": "6/5", "f": "3/10"},
     [body("7/10", "1/5", ("-3/5", "3/10"), ("-2", "1/2"), "-1")]),
    ("two_ratio", ("0", "1"), {"e_n": "3/5", "mu_t": "1/10"},
     [body("1", "1/5", ("1/10", "-1/2"), ("-1", "-2"), "1"), body("2", "2/5", ("-1/5", "3/5"), ("1/2", "1"), "-1/2")]),
    ("two_et_couple", ("3/5", "4/5"), {"e_n": "9/10", "e_t": "3/10", "e_m": "-3/5"},
     [body("3/2", "3/10", ("-3/10", "-2/5"), ("-1", "-2"), "2"), body("1", "1/4", ("1/2", "3/10"), ("1/2", "1"), "3")]),
    ("two_coulomb_stick", ("-4/5", "3/5"), {"e_n": "1/2", "f": "1/2"},
     [body("2", "1/2", ("2/5", "-1/2"), ("2", "-1"), "-1"), body("3", "1", ("-1/2", "1/5"), ("-1/2", "1"), "1/2")]),
    ("two_coulomb_slip_couple", ("-4/5", "3/5"), {"e_n": "1/2", "f": "3/20", "e_m": "-3/5"},
     [body("2", "1/2", ("2/5", "-1/2"), ("3", "2"), "-1"), body("3", "1", ("-1/2", "1/5"), ("-1/2", "-1"), "1/2")]),
    ("two_locked_coulomb_stick", ("5/13", "12/13"), {"e_n": "7/10", "f": "4/5", "e_m": "0"},
     [body("1", "1/5", ("-1/10", "-2/5"), ("0", "-2"), "5"), body("4/5", "1/10", ("1/5", "3/10"), ("1/5", "1/2"), "-2")]),
    ("two_couple_positive_coulomb_slip", ("0", "1"), {"e_n": "4/5", "f": "1/10", "e_m": "1/20"},
     [body("1", "2/5", ("1/5", "-1/2"), ("2", "-1"), "3"), body("2", "3/5", ("-1/10", "2/5"), ("0", "1"), "1")]),
    ("two_locked_ratio_en_above_1", ("-3/5", "-4/5"), {"e_n": "11/10", "mu_t": "-1/5", "e_m": "0"},
     [body("1", "1/5", ("1/5", "1/2"), ("1", "2"), "2"), body("5/2", "1/2", ("-2/5", "-3/10"), ("0", "-1/2"), "1")]),
    ("one_coulomb_slip_by_couple", ("0", "1"), {"e_n": "3/5", "f": "1/20", "e_m": "-3/10"},
     [body("1", "3/20", ("2/5", "-1/2"), ("0", "-1"), "0")]),
]


def brach_cases():
    keys = {"e_n": "restitution", "mu_t": "impulse_ratio", "e_t": "tangential_coefficient", "f": "friction",
            "e_m": "moment_coefficients"}
    for name, normal, given, bodies in BRACH:
        n = tuple(map(Q, normal))
        assert n[0] ** 2 + n[1] ** 2 == 1
        given = {k: Q(x) for k, x in given.items()}
        one, mode, mu0 = brach_planar.exact(bodies, n, dict({"e_m": Q(-1)}, **given))
        assert one["approach"][0] < 0 and one["impulse"][0] > 0, name
        if mu0 is not None:
            assert abs(abs(mu0) - given["f"]) > Q(1, 50), (name, float(mu0))
            assert "coulomb_" not in name or "coulomb_" + mode in name, name
        problem = {"id": "own_brach2_" + name, "law": "brach",
                   "bodies": [{"mass": number(m), "inertia": number(I), "contact_offset": numbers(r),
                               "velocity": numbers(V), "spin": number(w)} for m, I, r, V, w in bodies],
                   "frame": {"normal": numbers(n), "tangent1": numbers((n[1], -n[0]))},
                   "surface": {keys[k]: number(x) for k, x in given.items()}}
        two = brach_planar.contact_space(problem)
        first = as_mp(one)
        agreement = worst(first, two, numbers(one["approach"]))
        flat = lambda o: [x for b in o["bodies"] for x in b] + [o["couple"]]
        scale = max(abs(float(x)) for x in flat(first))
        agreement = max(agreement, max(abs(float(x - y)) for x, y in zip(flat(first), flat(two))) / scale)
        assert agreement < 1e-13, (name, agreement)
        extra = {"agreement": max(FLOOR, agreement), "approach": numbers(one["approach"])}
        if mu0 is not None:
            extra["critical_impulse_ratio"] = number(mu0)
        yield case(problem, {"impulse": numbers(one["impulse"]), "velocity": numbers(one["velocity"]),
                             "couple": number(one["couple"]),
                             "bodies": [{"velocity": numbers(b[:2]), "spin": number(b[2])} for b in one["bodies"]],
                             "mode": mode, "energy": energies(one["energy"])}, extra, 1e-10,
                   "exact rationals, full system of both bodies; contact space with the couple eliminated, 30 digits")


# ---------------------------------------------------------------- compliant

COMPLIANT = [    # id, (Gnn, Gnt, Gtt), (vn, vt), e, mu, eta2, mode
    ("gross_slip", (1.0, 0.5, 3.5), (-1.0, 2.9), 1.0, 0.2, 0.5, "slip+"),
    ("gross_slip_back", (1.5, -0.6, 1.0), (-1.0, -3.0), 0.8, 0.9, 0.1, "slip-"),
    ("stick_slip_back", (2.0, 0.7, 3.5), (-1.0, 0.25), 1.0, 1.5, 0.5, "stick/slip-"),
    ("stick_slip_forward", (1.5, -0.4, 2.0), (-1.0, 0.6), 0.3, 0.6, 3.0, "stick/slip+"),
    ("vt0_positive_coupling", (1.0, 0.3, 1.0), (-1.0, 0.0), 0.8, 0.9, 0.5, "stick/slip+"),
    ("vt0_negative_coupling", (0.8, -0.2, 3.5), (-1.0, 0.0), 0.3, 1.5, 1.21, "stick/slip-"),
    ("reverse", (2.0, -0.9, 3.5), (-1.0, 0.6), 1.0, 0.2, 1.21, "slip+/stick/slip-"),
    ("reverse_back", (1.5, -0.6, 3.5), (-1.0, -1.5), 0.5, 0.9, 0.5, "slip-/stick/slip+"),
    ("slip_resumes", (2.0, 0.7, 3.5), (-1.0, -0.8), 0.5, 0.6, 1.21, "slip-/stick/slip-"),
    ("back_and_forth", (1.5, -0.6, 2.0), (-1.0, 0.25), 0.5, 0.6, 0.1, "slip+/stick/slip-/stick/slip+"),
    ("twice_forward", (1.0, 0.5, 2.0), (-1.0, -0.1), 0.5, 0.4, 0.1, "slip-/stick/slip+/stick/slip+"),
    ("e0_stick", (1.0, 0.7, 1.0), (-1.0, -0.1), 0.0, 1.5, 1.21, "stick"),
    ("e0_slip_stick", (0.8, 0.7, 2.0), (-1.0, -0.8), 0.0, 0.6, 0.5, "slip-/stick"),
    ("e0_slip", (0.8, -0.4, 1.0), (-2.0, 4.0), 0.0, 0.2, 0.1, "slip+"),
    ("jam_reverse", (0.8, -0.9, 3.5), (-1.0, -0.95), 0.8, 1.5, 0.5, "slip-/stick/slip+"),
    ("jam_forward", (1.0, 1.1, 3.5), (-1.0, 2.0), 0.3, 1.5, 0.5, "slip+/stick/slip+"),
    ("eta2_001", (0.8, -0.9, 3.5), (-1.0, 0.25), 0.5, 0.9, 0.01, "slip+/stick/slip-/stick/slip-/stick/slip+"),
    ("eta2_001_stick", (0.8, 0.3, 3.5), (-1.0, 0.0), 0.8, 0.2, 0.01, "stick/slip+"),
]


def compliant_sturdy(G, v, e, mu, eta2, mode):
    """The mode under ten random changes of all data by up to 2 in 1000."""
    r = random.Random(1)
    for _ in range(10):
        f = lambda x: x * (1 + 0.002 * r.uniform(-1, 1))
        b = f(G[0][1])
        if compliant_springs.integrated([[f(G[0][0]), b], [b, f(G[1][1])]], [f(v[0]), f(v[1])], e if e in (0, 1) else f(e),
                                        f(mu), f(eta2), rtol=1e-10)[1] != mode:
            return False
    return True


def compliant_cases():
    for name, (a, b, c), v, e, mu, eta2, mode in COMPLIANT:
        G, v = [[a, b], [b, c]], list(v)
        assert a * c - b * b > 0
        one, m1 = compliant_springs.closed_form(G, v, e, mu, eta2)
        two, m2 = compliant_springs.integrated(G, v, e, mu, eta2)
        assert m1 == m2 == mode, (name, m1, m2)
        if name.startswith("jam"):
            assert a - mu * (1 if v[1] > 0 else -1) * b < 0
        assert compliant_sturdy(G, v, e, mu, eta2, mode), name + ": mode is close to a tie"
        parts = one["energy"]
        assert abs(parts["change"] - parts["normal_compression"] - parts["normal_restitution"] - parts["friction"]) < 1e-24
        assert abs(parts["normal_restitution"] + mpf(e) ** 2 * parts["normal_compression"]) < 1e-24
        agreement = worst(one, two, v)
        assert agreement < 1e-11, (name, agreement)
        problem = {"id": "own_compliant_" + name, "law": "compliant", "inverse_inertia": G, "approach": v,
                   "surface": {"restitution": e, "friction": mu, "compliance_ratio": eta2}}
        tidy = lambda x: 0.0 if abs(x) < 1e-24 else number(x)
        yield case(problem, {"impulse": [tidy(x) for x in one["impulse"]], "velocity": [tidy(x) for x in one["velocity"]],
                             "mode": mode, "energy": {k: tidy(x) for k, x in parts.items()}},
                   {"agreement": max(FLOOR, agreement)}, 1e-9,
                   "piecewise closed forms, 30 digits; DOP853 on displacements with event location")


def compliant_check(path):
    """The model against the shared cases (they have G_nt = 0)."""
    w, n = 0.0, 0
    for c in json.load(open(path))["cases"]:
        p = c.get("problem", {})
        if p.get("law") != "compliant":
            continue
        s, x = p["surface"], c["expect"]
        for way in (compliant_springs.closed_form, compliant_springs.integrated):
            o, mode = way(p["inverse_inertia"], p["approach"], s["restitution"], s["friction"], s["compliance_ratio"])
            assert mode == x["mode"], c["id"]
            o["energy"] = {"change": o["energy"]["change"]}
            d = worst({k: x[k] if k == "energy" else [mpf(y) for y in x[k]] for k in ("impulse", "velocity", "energy")},
                      o, p["approach"])
            assert d < 1e-8, (c["id"], d)
            w = max(w, d)
        n += 1
    print("shared compliant cases: %d, both ways, worst difference %.1e" % (n, w))


def as_mp(o):
    """Fractions to mpf (30 digits), so that the two ways can be subtracted."""
    if isinstance(o, dict):
        return {k: as_mp(x) for k, x in o.items()}
    if isinstance(o, (list, tuple)):
        return [as_mp(x) for x in o]
    o = Q(o)
    return mpf(o.numerator) / o.denominator


def main():
    mpmath.mp.dps = 30
    if len(sys.argv) > 1:
        compliant_check(sys.argv[1])
    cases = []
    for kind, make in (("moreau (poisson)", moreau_cases), ("brach (planar, bodies)", brach_cases), ("compliant", compliant_cases)):
        new = list(make())
        print("%-24s %2d cases, worst agreement %.1e" % (kind, len(new), max(c["extra"]["agreement"] for c in new)))
        cases += new
    assert len({c["id"] for c in cases}) == len(cases)
    out = {"title": "Planar impact, own reference cases: moreau in two stages, brach by bodies, compliant with coupling",
           "cases": cases}
    lines = ",\n".join(json.dumps(c) for c in cases)
    with open(os.path.join(HERE, "planar-own.json"), "w") as f:
        f.write('{"title": %s,\n "cases": [\n%s\n]}\n' % (json.dumps(out["title"]), lines))
    assert json.load(open(os.path.join(HERE, "planar-own.json"))) == out


if __name__ == "__main__":
    main()
