"""Lumped springs with a Coulomb slider (Stronge; James and Ravani), one planar contact with coupling G_nt.

dv/dt = G F, P = integral of F.
Normal:     compression dF_n/dt = -k_n v_n until v_n = 0; restitution dF_n/dt = -(k_n/e^2) v_n until F_n = 0.
            e = 0: the impact ends at v_n = 0 and the tangential force is dropped.
Tangential: spring k_t = k_n/eta2, the same in both stages, in series with a slider.
            stick: dF_t/dt = -k_t v_t while |F_t| <= mu F_n;
            slip s = +-1: F_t = -s mu F_n, slider velocity w = v_t + s mu (kappa/k_t) v_n with s w > 0, kappa the
            stage's normal stiffness; stick when s w falls to zero; stick to slip with s = -sign(F_t).
            Start: stick if |v_t/v_n| <= mu eta2, else slip with s = sign(v_t).

Way 1 (`closed_form`): mpmath, 30 digits, k_n = 1; in stick the two modes of K^1/2 G K^1/2, in slip a single
       oscillator (cosh/sinh when G_nn - s mu G_nt < 0); events bracketed on a fine grid, then bisected. The works
       come from the springs' energies (stick) and from the straight line v_t(P_n) (slip).
Way 2 (`integrated`): scipy's DOP853 on displacements (indentation and slider position as states, forces from them)
       with k_n = 2.7 (the outcome must not depend on it), events by brentq on the dense output, impulses and works
       as quadratures.
"""
import math

from mpmath import mp, mpf

mp.dps = 30


class Recompressed(Exception):
    """v_n turns negative again during restitution: outside of what these cases are for."""


# ---------------------------------------------------------------- way 1

def stick_segment(G, kappa, kt, v0, F0):
    """F(t), v(t), DeltaP(t) with both springs elastic."""
    rn, rt = mp.sqrt(kappa), mp.sqrt(kt)
    a, b, c = kappa * G[0][0], rn * rt * G[0][1], kt * G[1][1]
    half, mean = (a - c) / 2, (a + c) / 2
    root = mp.sqrt(half ** 2 + b ** 2)
    angle = mp.atan2(b, half) / 2    # of the larger eigenvalue's vector
    modes = []
    for lam, q in ((mean + root, (mp.cos(angle), mp.sin(angle))), (mean - root, (-mp.sin(angle), mp.cos(angle)))):
        w = mp.sqrt(lam)
        y0 = q[0] * F0[0] / rn + q[1] * F0[1] / rt
        y1 = -(q[0] * rn * v0[0] + q[1] * rt * v0[1])    # F' = -K v
        modes.append((w, q, y0, y1))

    def at(t):
        F, v, P = [mpf(0)] * 2, [mpf(0)] * 2, [mpf(0)] * 2
        for w, q, y0, y1 in modes:
            C, S = mp.cos(w * t), mp.sin(w * t)
            y, dy, iy = y0 * C + y1 * S / w, -y0 * w * S + y1 * C, y0 * S / w + y1 * (1 - C) / w ** 2
            for j, r in ((0, rn), (1, rt)):
                F[j] += r * q[j] * y
                v[j] -= q[j] * dy / r
                P[j] += r * q[j] * iy
        return v, F, P
    return at, max(m[0] for m in modes)


def slip_segment(G, kappa, mu, s, v0, F0):
    A, B = G[0][0] - s * mu * G[0][1], G[0][1] - s * mu * G[1][1]
    w = mp.sqrt(abs(kappa * A))

    def at(t):
        if A > 0:
            C, S, I2 = mp.cos(w * t), mp.sin(w * t) / w, (1 - mp.cos(w * t)) / w ** 2
        else:
            C, S, I2 = mp.cosh(w * t), mp.sinh(w * t) / w, (mp.cosh(w * t) - 1) / w ** 2
        Fn = F0[0] * C - kappa * v0[0] * S
        p = F0[0] * S - kappa * v0[0] * I2
        return [v0[0] + A * p, v0[1] + B * p], [Fn, -s * mu * Fn], [p, -s * mu * p]
    return at, w


def closed_form(G, v, e, mu, eta2):
    G = [[mpf(x) for x in r] for r in G]
    v0 = v = [mpf(x) for x in v]
    e, mu, eta2 = mpf(e), mpf(mu), mpf(eta2)
    kn = mpf(1)
    kt = kn / eta2
    F, P = [mpf(0)] * 2, [mpf(0)] * 2
    work = {"normal_compression": mpf(0), "normal_restitution": mpf(0), "friction": mpf(0)}
    s = 0 if abs(v[1] / v[0]) <= mu * eta2 else (1 if v[1] > 0 else -1)
    stage, log, least = "compression", [s], mpf(0)
    while True:
        kappa = kn if stage == "compression" else kn / e ** 2
        if s == 0:
            at, w = stick_segment(G, kappa, kt, v, F)
            changes = [lambda x: mu * x[1][0] - x[1][1], lambda x: mu * x[1][0] + x[1][1]]
        else:
            at, w = slip_segment(G, kappa, mu, s, v, F)
            changes = [lambda x: s * x[0][1] + mu * (kappa / kt) * x[0][0]]
        end = (lambda x: -x[0][0]) if stage == "compression" else (lambda x: x[1][0])
        tests = changes + [end]    # all positive while the segment lasts
        h = mpf(1) / 64 / max(w, mp.sqrt(kappa * G[0][0]))
        lo, i = mpf(0), 0
        while True:
            i += 1
            x = at(i * h)
            if stage == "restitution" and x[0][0] < 0 and x[1][0] > 0:
                least = min(least, x[0][0])
            if any(g(x) < 0 for g in tests):
                break
            lo = i * h
            assert i < 20000
        hi = i * h
        for _ in range(105):
            mid = (lo + hi) / 2
            lo, hi = (lo, mid) if any(g(at(mid)) < 0 for g in tests) else (mid, hi)
        x = at(hi + h * mpf(10) ** -20)
        which = [k for k, g in enumerate(tests) if g(x) < 0]
        assert len(which) == 1, "events tie"
        which = which[0]
        vb, Fb, dP = at(hi)
        work["normal_" + stage] -= (Fb[0] ** 2 - F[0] ** 2) / (2 * kappa)
        if s == 0:
            work["friction"] -= (Fb[1] ** 2 - F[1] ** 2) / (2 * kt)
        else:
            work["friction"] += dP[1] * (v[1] + vb[1]) / 2    # F_t/F_n constant, v_t linear in P_n
        P = [P[0] + dP[0], P[1] + dP[1]]
        v, F = vb, Fb
        if tests[which] is end:
            if stage == "restitution" or e == 0:
                break
            stage = "restitution"
            continue
        if s == 0:
            s = -1 if which == 0 else 1    # F_t = +mu F_n: s = -1
        else:
            s = 0
        log.append(s)
    if least < 0:
        raise Recompressed
    change = (P[0] * (v[0] + v0[0]) + P[1] * (v[1] + v0[1])) / 2
    return {"impulse": P, "velocity": v, "energy": dict(change=change, **work)}, label(log)


def label(log):
    names = {0: "stick", 1: "slip+", -1: "slip-"}
    merged = [x for i, x in enumerate(log) if i == 0 or x != log[i - 1]]
    return "/".join(names[x] for x in merged)


# ---------------------------------------------------------------- way 2

def integrated(G, v, e, mu, eta2, kn=2.7, rtol=1e-13):
    import numpy as np
    from scipy.integrate import DOP853
    from scipy.optimize import brentq
    G = np.array(G, float)
    kt = kn / eta2
    VN, VT, D, X, Z, PN, PT, WN, WT = range(9)    # velocities, indentation, tangential place of contact and slider, ...
    y = np.zeros(9)
    y[:2] = v
    ratio = abs(v[1]) / abs(v[0])
    state = 0 if ratio <= mu * eta2 else int(math.copysign(1, v[1]))
    rest = None    # indentation at which the restitution branch reaches zero force
    t, log = 0.0, [state]
    split = None

    def forces(y, state):
        fn = kn * y[D] if rest is None else kn / e ** 2 * (y[D] - rest)
        ft = -kt * (y[X] - y[Z]) if state == 0 else -state * mu * fn
        return fn, ft

    def slider_speed(y, state):
        stiff = kn if rest is None else kn / e ** 2
        rate = -state * mu * (-stiff * y[VN])    # dF_t/dt, with F_t = -k_t (x - z): z' = x' + F_t'/k_t
        return y[VT] + rate / kt

    def slope(t, y):
        fn, ft = forces(y, state)
        a = G @ (fn, ft)
        return np.array([a[0], a[1], -y[VN], y[VT], 0.0 if state == 0 else slider_speed(y, state),
                         fn, ft, fn * y[VN], ft * y[VT]])

    def events(y):
        fn, ft = forces(y, state)
        out = [("stop", -y[VN] if rest is None else fn)]
        if state == 0:
            out += [("slip-", mu * fn - ft), ("slip+", mu * fn + ft)]
        else:
            out += [("stick", state * slider_speed(y, state))]
        return out

    fastest = math.sqrt(max(np.linalg.eigvalsh(np.diag([kn / max(e, 1e-9) ** 2 if e > 0 else kn, kt]) ** 0.5 @ G
                                               @ np.diag([kn / max(e, 1e-9) ** 2 if e > 0 else kn, kt]) ** 0.5)))
    while True:
        stepper = DOP853(slope, t, y, t + 1e4, rtol=rtol, atol=1e-16, max_step=0.05 / fastest, first_step=0.01 / fastest)
        hit = None
        while hit is None:
            stepper.step()
            dense = stepper.dense_output()
            grid = np.linspace(stepper.t_old, stepper.t, 4)
            for a, b in zip(grid[:-1], grid[1:]):
                crossed = []
                for k, (name, g) in enumerate(events(dense(b))):
                    if g < 0:
                        f = lambda u: events(dense(u))[k][1]
                        assert f(a) > 0 or a == t
                        crossed.append((brentq(f, a, b, xtol=1e-15, rtol=1e-14), name))
                if crossed:
                    hit = min(crossed)
                    break
        t, name = hit
        y = dense(t)
        fn, ft = forces(y, state)
        if name == "stop":
            if rest is not None or e == 0:
                break
            split = y[WN]
            rest = y[D] * (1 - e ** 2)
        elif name == "stick":
            state = 0
            y[Z] = y[X] + ft / kt    # slider left where the force is continuous
            log.append(0)
        else:
            state = 1 if name == "slip+" else -1
            log.append(state)
    split = y[WN] if split is None else split
    v1 = y[:2]
    Gi = np.linalg.inv(G)
    change = 0.5 * (v1 @ Gi @ v1 - np.array(v) @ Gi @ np.array(v))
    return {"impulse": [y[PN], y[PT]], "velocity": [y[VN], y[VT]],
            "energy": {"change": change, "normal_compression": split, "normal_restitution": y[WN] - split,
                       "friction": y[WT]}}, label(log)
