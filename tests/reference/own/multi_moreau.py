"""Computes multi-moreau-own.json: `moreau` of several contacts, in one stage and in two, in the plane and in space.

xi = G P + b; 0 <= P_n - f, xi_n >= 0 complementary; -P_T in mu P_n Sgn(xi_T). One stage: b = (1 + eps) v-, f = 0,
v+ = xi - eps v-, a contact with v_n- > 0 takes eps = 0. Two stages: b = v-, f = 0; then b = v_C, f = e P_Cn.

Two ways, which share nothing but the data:
- plane: every combination of modes in exact rationals (Gauss elimination over Fraction), all inequalities checked; the
  case is kept only if exactly one velocity solves it. Space: the equations of the modes, 40 digits, Newton (mpmath).
- proximal fixed point in double precision: P_n <- max(f, P_n - r xi_n), P_T <- the point of the disc of radius mu P_n
  nearest to P_T - r xi_T, contact by contact, until nothing changes.
`extra.agreement` is the largest relative difference between them, asserted below 1e-11.

Run: python3 multi_moreau.py    (needs mpmath; a minute)
"""
import itertools
import json
import math
import os
import random
from fractions import Fraction as Q

import mpmath

from common import number, numbers

HERE = os.path.dirname(os.path.abspath(__file__))


# ---------------------------------------------------------------- the first way

def eliminate(A, b):
    """x with A x = b in rationals, or None where A is singular."""
    n = len(b)
    A = [row[:] + [y] for row, y in zip(A, b)]
    for k in range(n):
        p = next((i for i in range(k, n) if A[i][k] != 0), None)
        if p is None:
            return None
        A[k], A[p] = A[p], A[k]
        for i in range(n):
            if i != k and A[i][k] != 0:
                f = A[i][k] / A[k][k]
                A[i] = [x - f * y for x, y in zip(A[i], A[k])]
    return [A[i][n] / A[i][i] for i in range(n)]


def planar_exact(G, b, mu, f):
    """All solutions (P, xi) distinct by xi: modes are (closed?, slip -1/0/+1; None: open without a floor)."""
    m = len(mu)
    modes = []
    for i in range(m):
        here = [(True, 0), (True, 1), (True, -1)]
        here += [(False, 0), (False, 1), (False, -1)] if f[i] > 0 else [(False, None)]
        modes.append(here)
    found = []
    for choice in itertools.product(*modes):
        P0 = [Q(0)] * (2 * m)
        columns, rows = [], []    # unknowns as vectors of P, equations as components of xi
        for i, (closed, slip) in enumerate(choice):
            tied = 0 if slip in (None, 0) else -slip * mu[i]
            if closed:
                columns.append({2 * i: Q(1), 2 * i + 1: Q(tied)})
                rows.append(2 * i)
            else:
                P0[2 * i] = f[i]
                P0[2 * i + 1] = tied * f[i]
            if slip == 0:
                columns.append({2 * i + 1: Q(1)})
                rows.append(2 * i + 1)
        at = lambda P: [sum(G[r][c] * P[c] for c in range(2 * m)) + b[r] for r in range(2 * m)]
        xi0 = at(P0)
        A = [[sum(G[r][k] * x for k, x in col.items()) for col in columns] for r in rows]
        y = eliminate(A, [-xi0[r] for r in rows])
        if y is None:
            continue
        P = P0[:]
        for col, x in zip(columns, y):
            for k, c in col.items():
                P[k] += c * x
        xi = at(P)
        good = True
        for i, (closed, slip) in enumerate(choice):
            good &= P[2 * i] >= f[i] and xi[2 * i] >= 0 and abs(P[2 * i + 1]) <= mu[i] * P[2 * i]
            good &= slip in (None, 0) or slip * xi[2 * i + 1] >= 0
        if good and all(x != xi for _, x in found):
            found.append((P, xi))
    return found


def precise(x):
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Q) else mpmath.mpf(x)


def spatial_precise(G, b, mu, f, guess):
    """Newton in 40 digits on the equations of the modes that the guess (P, xi) has; inequalities checked."""
    mpmath.mp.dps = 40
    m = len(mu)
    P0, xi0 = guess
    tags = []
    for i in range(m):
        closed = P0[3 * i] > f[i] + 1e-9
        slips = math.hypot(*xi0[3 * i + 1:3 * i + 3]) > 1e-9
        tags.append((closed, slips))
    M = mpmath.matrix([[precise(x) for x in row] for row in G])
    B = mpmath.matrix([precise(x) for x in b])
    mu, f = [precise(x) for x in mu], [precise(x) for x in f]

    def equations(*x):
        P = mpmath.matrix(list(x))
        xi = M * P + B
        out = []
        for i, (closed, slips) in enumerate(tags):
            out.append(xi[3 * i] if closed else P[3 * i] - f[i])
            t = (P[3 * i + 1], P[3 * i + 2])
            s = (xi[3 * i + 1], xi[3 * i + 2])
            if slips:
                size = mpmath.sqrt(s[0] ** 2 + s[1] ** 2)
                out += [t[k] + mu[i] * P[3 * i] * s[k] / size for k in (0, 1)]
            elif closed or f[i] > 0:
                out += list(s)
            else:
                out += list(t)
        return out

    x = mpmath.findroot(equations, list(map(mpmath.mpf, P0)), tol=1e-60, maxsteps=50, verify=False)
    assert max(abs(e) for e in equations(*x)) < 1e-30
    xi = M * x + B
    for i in range(m):
        t = mpmath.sqrt(x[3 * i + 1] ** 2 + x[3 * i + 2] ** 2)
        assert x[3 * i] >= f[i] - 1e-30 and xi[3 * i] >= -1e-30 and t <= mu[i] * x[3 * i] + mpmath.mpf(10) ** -30
    return list(x), list(xi)


# ---------------------------------------------------------------- the second way

def proximal(G, b, mu, f, d, sweeps=400_000):
    G, b = [[float(x) for x in row] for row in G], [float(x) for x in b]
    mu, f = [float(x) for x in mu], [float(x) for x in f]
    n, m = len(b), len(mu)
    P = [0.] * n
    # 1/trace is a safe step for each contact
    r = [1. / sum(G[d * i + c][d * i + c] for c in range(d)) for i in range(m)]
    xi_at = lambda j: sum(g * p for g, p in zip(G[j], P)) + b[j]
    for _ in range(sweeps):
        change = 0.
        for i in range(m):
            j = d * i
            old = P[j:j + d]
            P[j] = max(f[i], P[j] - r[i] * xi_at(j))
            u = [P[j + c] - r[i] * xi_at(j + c) for c in range(1, d)]
            size, radius = math.sqrt(sum(x * x for x in u)), mu[i] * P[j]
            P[j + 1:j + d] = u if size <= radius else [x * (radius / size) for x in u]
            change = max([change] + [abs(x - y) for x, y in zip(old, P[j:j + d])])
        if change <= 1e-16 * max(1., max(map(abs, P))):
            break
    return P, [xi_at(j) for j in range(n)]


# ---------------------------------------------------------------- cases

def solve(G, b, mu, f, d):
    """(P, xi) by the first way, and by the second."""
    second = proximal(G, b, mu, f, d)
    if d == 2:
        found = planar_exact(G, b, mu, f)
        if len(found) != 1:
            return None
        return found[0], second
    return spatial_precise(G, b, mu, f, second), second


def outcome(G, v, surfaces, d, poisson):
    m = len(surfaces)
    mu = [s["friction"] for s in surfaces]
    zero = [Q(0)] * m
    if not poisson:
        eps = []
        for i, s in enumerate(surfaces):
            closes = v[d * i] <= 0
            eps += [s["restitution"] if closes else Q(0)]
            eps += [s["tangential_restitution"] if closes else Q(0)] * (d - 1)
        both = solve(G, [(1 + e) * x for e, x in zip(eps, v)], mu, zero, d)
        if both is None:
            return None
        results = []
        for P, xi in both:
            as_is = (lambda x: x) if isinstance(xi[0], Q) else float if isinstance(xi[0], float) else precise
            after = [x - as_is(e * y) for x, e, y in zip(xi, eps, v)]
            results.append((list(P), after, None))
        return results
    both = solve(G, v, mu, zero, d)
    if both is None:
        return None
    results = []
    for way, (P, xi) in enumerate(both):
        as_is = (lambda x: x) if isinstance(P[0], Q) else float if isinstance(P[0], float) else precise
        floor = [as_is(s["restitution"]) * P[d * i] for i, s in enumerate(surfaces)]
        if way == 0 and d == 2:
            again = planar_exact(G, xi, mu, floor)
            if len(again) != 1:
                return None
            E, after = again[0]
        else:
            E, after = proximal(G, xi, mu, floor, d)
            if way == 0:
                E, after = spatial_precise(G, xi, mu, floor, (E, after))
        results.append(([p + q for p, q in zip(P, E)], list(after), (list(P), list(xi), list(E))))
    return results


def ledger(v, P, after, stages, d):
    m = len(v) // d
    half = lambda p, a, b: 0.5 * float(p) * (float(a) + float(b))
    normal, friction = [0.] * m, [0.] * m
    compression, restitution = [0.] * m, [0.] * m
    for k in range(len(v)):
        i, c = divmod(k, d)
        if stages is None:
            w = half(P[k], v[k], after[k])
        else:
            C, middle, E = stages
            a, b = half(C[k], v[k], middle[k]), half(E[k], middle[k], after[k])
            w = a + b
            if c == 0:
                compression[i], restitution[i] = a, b
        if c == 0:
            normal[i] += w
        else:
            friction[i] += w
    e = {"change": number(sum(normal) + sum(friction)), "friction": numbers(friction)}
    if stages is None:
        e["normal"] = numbers(normal)
    else:
        e["normal_compression"], e["normal_restitution"] = numbers(compression), numbers(restitution)
    return e


def rational(rng, a, b, q=20):
    return Q(rng.randint(int(a * q), int(b * q)), q)


def random_problem(rng, m, d, poisson, equal=False, most_mu=0.8):
    n = m * d
    k = n + 2
    W = [[rational(rng, -1.5, 1.5, 4) for _ in range(n)] for _ in range(k)]
    G = [[sum(W[i][r] * W[i][c] for i in range(k)) / k for c in range(n)] for r in range(n)]
    v = []
    for r in range(n):
        x = rational(rng, -2, 2, 10)
        v.append(-abs(x) if r % d == 0 and rng.random() < 0.8 else x)
    e = rational(rng, 0, 1, 10)
    surfaces = [{"restitution": e if equal else rational(rng, 0, 1, 10), "friction": rational(rng, 0.1, most_mu, 20),
                 "tangential_restitution": Q(0) if poisson else e if equal else rational(rng, 0, 1, 10)} for _ in range(m)]
    return G, v, surfaces


def case(name, G, v, surfaces, d, poisson):
    results = outcome(G, v, surfaces, d, poisson)
    if results is None:
        return None
    (P, after, stages), (P2, after2, _) = results
    if max(abs(float(p)) for p in P) == 0:
        return None
    vs = max(abs(float(x)) for x in list(after) + list(v))
    ps = max(abs(float(x)) for x in P)
    agreement = max(max(abs(float(a) - float(b)) for a, b in zip(after, after2)) / vs,
                    max(abs(float(a) - float(b)) for a, b in zip(P, P2)) / ps)
    assert agreement < 1e-11, (name, agreement)
    problem = {"id": name, "law": "moreau", "components": d, "inverse_inertia": [numbers(r) for r in G],
               "approach": numbers(v),
               "surfaces": [{k: number(x) for k, x in s.items() if not (poisson and k == "tangential_restitution")}
                            for s in surfaces]}
    if poisson:
        problem["options"] = {"hypothesis": "poisson"}
    source = ("exact rationals over all modes" if d == 2 else "modes' equations, 40 digits") + "; proximal fixed point"
    return {"id": name, "kind": "outcome", "problem": problem,
            "expect": {"impulse": numbers(P), "velocity": numbers(after), "energy": ledger(v, P, after, stages, d)},
            "extra": {"agreement": max(1e-16, number(agreement))}, "tolerance": 1e-9 if d == 3 else 1e-10,
            "source": source}


def main():
    rng = random.Random(2025)
    cases = []
    # ERRATA: a closed contact that separates takes eps = 0; here with friction that has no effect on it.
    G = [[Q(1), Q(0), Q(-1, 2), Q(0)], [Q(0), Q(1), Q(0), Q(0)], [Q(-1, 2), Q(0), Q(1), Q(0)], [Q(0), Q(0), Q(0), Q(1)]]
    one = {"restitution": Q(1), "friction": Q(1, 5), "tangential_restitution": Q(0)}
    cases.append(case("own_multi_moreau_separating", G, [Q(-1), Q(3), Q(1, 10), Q(-1)], [one, one], 2, False))
    for d, poisson, sizes in ((2, False, (2, 2, 3, 3, 4, 4)), (2, True, (2, 2, 2, 3, 3)), (3, False, (2, 2, 3, 4)),
                              (3, True, (2, 3))):
        for k, m in enumerate(sizes):
            made = None
            while made is None:
                name = f"own_multi_moreau_{'two_stages_' if poisson else ''}{'plane' if d == 2 else 'space'}_{m}_{k}"
                made = case(name, *random_problem(rng, m, d, poisson, equal=k == 1), d, poisson)
            cases.append(made)
    assert all(cases)
    with open(os.path.join(HERE, "multi-moreau-own.json"), "w") as out:
        out.write('{"title": "Several contacts, own reference cases: moreau in one stage and in two",\n "cases": [\n')
        out.write(",\n".join(json.dumps(c) for c in cases))
        out.write("\n]}\n")
    print(len(cases), "cases, worst agreement", max(c["extra"]["agreement"] for c in cases))


main()
