"""Computes multi-own-lzb.json: reference cases of `lzb` in space and with e = 0, made independently of the library.

Model [Liu, Zhang, Zhao & Brogliato 2013] in the deformation form of ERRATA.md: F = k x^a, dx/dt = -v_n/eta with eta = 1
in compression and e^2 in expansion, dP_n = F dt, friction mu F against slip or what keeps slip zero within mu_s F,
v = v- + G P. Here: SciPy's DOP853 (rtol 1e-12) between terminal events found by its own root finder, one stretch for
every combination of stages and slip or stick. The systems are such that slip, once stopped, sticks until the contact
opens, and that stick is not shared: the script asserts it.

Run: python3 lzb_deformation.py    (needs numpy, scipy; a minute). The library's numbers are the second way; its test
compares them with those stored here.
"""
import json
import os

import numpy as np
from scipy.integrate import solve_ivp

HERE = os.path.dirname(os.path.abspath(__file__))
OPEN, COMPRESS, EXPAND = 0, 1, 2
SLIP, STICK = 0, 1
REST = 1e-11


class Impact:
    def __init__(self, G, v0, surfaces, d):
        self.G, self.v0, self.s, self.d = G, v0, surfaces, d
        self.n = len(surfaces)
        self.stage = [COMPRESS if v0[i * d] <= 0 else OPEN for i in range(self.n)]
        self.slide = [SLIP] * self.n
        # Time in units that make the impact last O(1).
        i = int(np.argmin(v0[::d]))
        s = surfaces[i]
        a = s["exponent"] + 1
        self.length = (v0[i * d] ** 2 / (G[i * d, i * d] * s["stiffness"])) ** (1 / a)
        self.time = self.length / abs(v0[i * d])

    def split(self, y):
        n, d = self.n, self.d
        return y[:n] * self.length, y[n:n + n * d]

    def velocity(self, P):
        return self.v0 + self.G @ P

    def forces(self, y):
        """Forces and velocities; stick by the linear system."""
        n, d = self.n, self.d
        x, P = self.split(y)
        v = self.velocity(P)
        F = np.zeros(n * d)
        stick = []
        for i in range(n):
            s = self.s[i]
            if self.stage[i] == OPEN or x[i] <= 0:
                continue
            F[i * d] = s["stiffness"] * x[i] ** s["exponent"]
            if d == 1:
                continue
            vt = v[i * d + 1:(i + 1) * d]
            if self.slide[i] == SLIP:
                size = np.linalg.norm(vt)
                if size > 0:
                    F[i * d + 1:(i + 1) * d] = -s["friction"] * F[i * d] * vt / size
            else:
                stick += range(i * d + 1, (i + 1) * d)
        if stick:
            F[stick] = -np.linalg.solve(self.G[np.ix_(stick, stick)], self.G[stick] @ F)
        return F, v

    def rhs(self, _t, y):
        n, d = self.n, self.d
        F, v = self.forces(y)
        dx = np.zeros(n)
        work_n, work_t = np.zeros(n), np.zeros(n)
        for i in range(n):
            if self.stage[i] == COMPRESS:
                dx[i] = -v[i * d]
            elif self.stage[i] == EXPAND:
                dx[i] = -v[i * d] / self.s[i]["restitution"] ** 2
            work_n[i] = F[i * d] * v[i * d]
            if d > 1 and self.slide[i] == SLIP:
                work_t[i] = F[i * d + 1:(i + 1) * d] @ v[i * d + 1:(i + 1) * d]
        return self.time * np.concatenate([dx / self.length, F, work_n, work_t])

    def events(self):
        n, d = self.n, self.d
        found = []

        def add(kind, i, g, direction):
            g.terminal, g.direction = True, direction
            found.append((kind, i, g))

        for i in range(n):
            vn = lambda t, y, i=i: self.velocity(self.split(y)[1])[i * d]
            if self.stage[i] == COMPRESS:
                add("compressed", i, vn, 1)
            elif self.stage[i] == EXPAND:
                add("expanded", i, lambda t, y, i=i: y[i], -1)
                add("again", i, lambda t, y, i=i: self.velocity(self.split(y)[1])[i * d], -1)
            else:
                add("closes", i, vn, -1)
            if d > 1 and self.stage[i] != OPEN and self.slide[i] == SLIP and self.s[i]["friction"] > 0:
                add("stops", i, lambda t, y, i=i: np.linalg.norm(
                    self.velocity(self.split(y)[1])[i * d + 1:(i + 1) * d]) - 1e-9 * self.scale, -1)
        return found

    def run(self):
        n, d = self.n, self.d
        self.scale = np.abs(self.v0).max()
        y = np.zeros(n + n * d + 2 * n)
        # A touch of deformation, so that forces and their ratios are defined.
        for i in range(n):
            if self.v0[i * d] < 0:
                y[i] = -self.v0[i * d] * 1e-7 * self.time / self.length
        self.now = self.split(y)
        for i in range(n):
            if d > 1 and np.linalg.norm(self.v0[i * d + 1:(i + 1) * d]) < REST * self.scale:
                self.slide[i] = STICK
        for _ in range(400):
            x, P = self.split(y)
            v = self.velocity(P)
            if all(y[i] <= 0 and v[i * d] >= -REST * self.scale for i in range(n)):
                return y
            self.now = (x, P)
            events = self.events()
            step = solve_ivp(self.rhs, (0, 1e3), y, method="DOP853", rtol=1e-12, atol=1e-15 * self.pscale(),
                             events=[g for _, _, g in events], max_step=0.2)
            assert step.status == 1, step.message
            y = step.y[:, -1]
            hit = [k for k, t in enumerate(step.t_events) if len(t)]
            for k in hit:
                self.transition(events[k][0], events[k][1], y)
            self.check(y)
        raise AssertionError("does not end")

    def pscale(self):
        return self.scale / np.abs(np.diag(self.G)).max()

    def transition(self, kind, i, y):
        d = self.d
        if kind == "compressed":
            if self.s[i]["restitution"] > 0:
                self.stage[i] = EXPAND
            else:
                y[i] = 0    # all is lost at once; if the others push on, it is compressed anew
                F, _ = self.forces(y)
                self.stage[i] = COMPRESS if self.G[i * d] @ F < 0 else OPEN
        elif kind == "expanded":
            y[i] = 0
            self.stage[i] = OPEN
        elif kind in ("again", "closes"):
            self.stage[i] = COMPRESS
            if d > 1 and kind == "closes":
                vt = self.velocity(self.split(y)[1])[i * d + 1:(i + 1) * d]
                self.slide[i] = SLIP if np.linalg.norm(vt) > 1e-8 * self.scale else STICK
        elif kind == "stops":
            self.slide[i] = STICK

    def check(self, y):
        """Stick within its limit."""
        d = self.d
        F, _ = self.forces(y)
        for i in range(self.n):
            if d > 1 and self.slide[i] == STICK and F[i * d] > 0:
                ratio = np.linalg.norm(F[i * d + 1:(i + 1) * d]) / F[i * d]
                assert ratio <= self.s[i].get("static_friction", self.s[i]["friction"]), (i, ratio)


def column(parts, n_bodies):
    """A direction of W from (body, offset, axis, sign)."""
    w = np.zeros(6 * n_bodies)
    for body, r, axis, sign in parts:
        w[6 * body:6 * body + 3] += sign * np.array(axis)
        w[6 * body + 3:6 * body + 6] += sign * np.cross(r, axis)
    return w


def frame(normal):
    n = np.array(normal, float) / np.linalg.norm(normal)
    t = np.cross([0.0, 0.0, 1.0] if abs(n[2]) < 0.9 else [1.0, 0.0, 0.0], n)
    t /= np.linalg.norm(t)
    return n, t, np.cross(n, t)


def system(bodies, contacts):
    """G and v-; a body is (mass, inertia diagonal, velocity, spin), a contact (body, offset, other, offset, normal)."""
    nb = len(bodies)
    M = np.concatenate([[m] * 3 + list(I) for m, I, _, _ in bodies])
    u = np.concatenate([list(V) + list(w) for _, _, V, w in bodies])
    W = []
    for a, ra, b, rb, normal in contacts:
        for axis in frame(normal):
            parts = [(a, ra, axis, 1)] + ([(b, rb, axis, -1)] if b is not None else [])
            W.append(column(parts, nb))
    W = np.array(W).T
    return W.T @ (W / M[:, None]), W.T @ u


def surface(e, mu, k=1e6, a=1.5, mu_s=None):
    s = {"restitution": e, "friction": mu, "stiffness": k, "exponent": a}
    if mu_s is not None:
        s["static_friction"] = mu_s
    return s


def sphere(m, R, V, w=(0, 0, 0)):
    return (m, [0.4 * m * R * R] * 3, V, w)


def box(m, a, b, c, V, w):
    return (m, [m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3], V, w)


def cases():
    up = (0, 0, 1)
    # A box lands on one edge, two corners, slipping throughout.
    b = box(2.0, 0.3, 0.2, 0.1, (1.5, 0.4, -1.0), (0.2, 0.1, 0.5))
    corners = [(0, (0.3, 0.2, -0.1), None, None, up), (0, (0.3, -0.2, -0.1), None, None, up)]
    yield "box_edge_slip", system([b], corners), [surface(0.6, 0.1), surface(0.8, 0.15, 3e6)], 3
    yield "box_edge_e0", system([b], corners), [surface(0.0, 0.1), surface(0.8, 0.15, 3e6)], 3
    yield "box_edge_e0_both", system([b], corners), [surface(0.0, 0.1), surface(0.0, 0.2, 3e6)], 3
    # A sphere onto another that spins on the ground.
    for name, V, w, e, mu in [("stack_slip", (0.8, 0.3, -1.0), (0, 0, 0), (0.9, 0.7), (0.1, 0.1)),
                              ("stack_e0", (0.8, 0.3, -1.0), (0, 1.0, 0), (0.0, 0.6), (0.1, 0.05))]:
        spheres = [sphere(1.0, 0.1, V, w), sphere(2.0, 0.12, (0, 0, 0), (9.0, 4.0, 1.0))]
        n = np.array([0.3, -0.1, 1.0])
        n /= np.linalg.norm(n)
        touching = [(0, tuple(-0.1 * n), 1, tuple(0.12 * n), tuple(n)), (1, (0, 0, -0.12), None, None, up)]
        yield name, system(spheres, touching), [surface(e[0], mu[0], 1e6), surface(e[1], mu[1], 4e6)], 3
    # A sphere into a corner of two walls.
    walls = [(0, (0, 0, -0.1), None, None, up), (0, (-0.1, 0, 0), None, None, (1, 0, 0))]
    yield "sphere_in_corner", system([sphere(1.0, 0.1, (-0.7, 0.6, -1.0), (3, 5, -2))], walls), \
        [surface(0.8, 0.2), surface(0.5, 0.1, 2e6)], 3
    yield "sphere_in_corner_linear", system([sphere(1.0, 0.1, (-0.7, 0.6, -1.0), (3, 5, -2))], walls), \
        [surface(0.8, 0.2, 1e4, 1.0), surface(0.5, 0.1, 2e4, 1.0)], 3
    # The same, slip on the ground stops while the wall, smooth and plastic, has long let go.
    yield "sphere_in_corner_stops", system([sphere(1.0, 0.1, (-0.1, 0.1, -1.0), (1, 0.5, -2))], walls), \
        [surface(0.8, 0.6), surface(0.0, 0.0, 2e7)], 3
    # Chains in which some contacts are plastic.
    for name, e in [("chain4_e0_first", (0.0, 0.9, 0.9)), ("chain4_e0_middle", (0.9, 0.0, 0.9)),
                    ("chain4_e0_last", (0.9, 0.9, 0.0))]:
        G = 2 * np.eye(3) - np.eye(3, k=1) - np.eye(3, k=-1)
        yield name, (G, np.array([-1.0, 0.0, 0.0])), [surface(x, 0.0, 1.0) for x in e], 1


def main():
    out = []
    for name, (G, v), surfaces, d in cases():
        impact = Impact(G, v, surfaces, d)
        y = impact.run()
        n = len(surfaces)
        P = y[n:n + n * d]
        work = y[n + n * d:]
        after = impact.velocity(P)
        change = 0.5 * P @ (after + v)
        assert abs(change - work.sum()) < 1e-9 * np.abs(P).max() * np.abs(v).max(), name
        out.append({"id": "own_lzb_" + name, "kind": "outcome",
                    "problem": {"id": "own_lzb_" + name, "law": "lzb", "components": d,
                                "inverse_inertia": ((G + G.T) / 2).tolist(), "approach": v.tolist(),
                                "surfaces": surfaces},
                    "expect": {"impulse": P.tolist(), "velocity": after.tolist(), "energy": {"change": change}},
                    "normal_work": work[:n].tolist(), "friction_work": work[n:].tolist(), "tolerance": 2e-8,
                    "source": "SciPy DOP853 in the deformation form with events, rtol 1e-12"})
        print("%-28s %s" % (name, np.array2string(after, precision=6)))
    title = "Several contacts, own reference cases: lzb in space and with plastic contacts"
    with open(os.path.join(HERE, "multi-own-lzb.json"), "w") as f:
        f.write('{"title": %s,\n "cases": [\n%s\n]}\n' % (json.dumps(title), ",\n".join(json.dumps(c) for c in out)))


if __name__ == "__main__":
    main()
