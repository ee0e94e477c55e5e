"""Brach's planar impact with coefficients, given by bodies; one body: against a fixed surface.

World x right, y up, spin counter-clockwise; normal n into body 1, t = n turned by -90 degrees; r_i from mass
centre to contact; P and M act on body 1, -P and -M on body 2. Contact velocity: body 1's minus body 2's.

  m_i dV_i = +-P,   I_i dw_i = +-(r_i x P + M)
  v_n+ = -e_n v_n-
  one of: P_t = mu_t P_n;  v_t+ = -e_t v_t-;  Coulomb: mu_t = sign(mu_0) min(f, |mu_0|), where mu_0 is the ratio
          P_t/P_n that gives v_t+ = 0 at the actual e_n and e_m
  e_m M + (1 + e_m) I (Omega_2 - Omega_1) = 0,  I = I1 I2/(I1 + I2) (fixed surface: I = I1, Omega_2 = 0);  e_m = -1: M = 0

Way 1: the full linear system in all body velocities after, P_n, P_t and M, by elimination in exact rationals;
       energy.change from the bodies' kinetic energies.
Way 2: contact space in mpmath, from the doubles in the JSON. With b_i the spin response to P_i, omega_r the
       relative spin: the couple's rule becomes M = -(1 + e_m) I (omega_r- + b.P), so
       v+ = [v- - (1 + e_m) I omega_r b] + [G - (1 + e_m) I b b'] P, two equations for P;
       energy.change from 1/2 P.(v+ + v-) + 1/2 M (Omega_r + omega_r).
"""
from fractions import Fraction as Q

from mpmath import mp, mpf


def solve_linear(A, b):
    """Gauss-Jordan in exact numbers."""
    n = len(A)
    M = [list(map(Q, row)) + [Q(x)] for row, x in zip(A, b)]
    for c in range(n):
        p = next(r for r in range(c, n) if M[r][c] != 0)
        M[c], M[p] = M[p], M[c]
        M[c] = [x / M[c][c] for x in M[c]]
        for r in range(n):
            if r != c and M[r][c] != 0:
                f = M[r][c]
                M[r] = [x - f * y for x, y in zip(M[r], M[c])]
    return [row[n] for row in M]


def full_system(bodies, normal, surface, rule):
    """rule: ('ratio', mu_t) or ('velocity', wanted v_t+). Unknowns: Vx, Vy, w of each body, then Pn, Pt, M."""
    nx, ny = normal
    tx, ty = ny, -nx
    k = 3 * len(bodies)
    size = k + 3
    rows, rhs = [], []

    def row():
        return [Q(0)] * size

    for i, (m, I, r, V, w) in enumerate(bodies):
        s = 1 if i == 0 else -1
        for axis, (cn, ct) in enumerate(((nx, tx), (ny, ty))):
            a = row()
            a[3 * i + axis], a[k], a[k + 1] = m, -s * cn, -s * ct
            rows.append(a)
            rhs.append(m * V[axis])
        a = row()
        a[3 * i + 2] = I
        a[k], a[k + 1], a[k + 2] = -s * (r[0] * ny - r[1] * nx), -s * (r[0] * ty - r[1] * tx), Q(-s)
        rows.append(a)
        rhs.append(I * w)

    def contact(d):    # row giving the component along d of the relative contact velocity after
        a = row()
        for i, (m, I, r, V, w) in enumerate(bodies):
            s = 1 if i == 0 else -1
            a[3 * i], a[3 * i + 1], a[3 * i + 2] = s * d[0], s * d[1], s * (-r[1] * d[0] + r[0] * d[1])
        return a

    before = [x for (m, I, r, V, w) in bodies for x in (V[0], V[1], w)]
    dot = lambda a: sum(c * x for c, x in zip(a, before))
    cn, ct = contact((nx, ny)), contact((tx, ty))
    v = dot(cn), dot(ct)
    rows.append(cn)
    rhs.append(-surface["e_n"] * v[0])
    if rule[0] == "ratio":
        a = row()
        a[k], a[k + 1] = -rule[1], Q(1)
        rows.append(a)
        rhs.append(Q(0))
    else:
        rows.append(ct)
        rhs.append(rule[1] if rule[1] is not None else -surface["e_t"] * v[1])
    e_m = surface["e_m"]
    a = row()
    a[k + 2] = e_m
    if len(bodies) == 2:
        I1, I2 = bodies[0][1], bodies[1][1]
        I = I1 * I2 / (I1 + I2)
        a[5] = (1 + e_m) * I
    else:
        I = bodies[0][1]
    a[2] = -(1 + e_m) * I
    rows.append(a)
    rhs.append(Q(0))
    x = solve_linear(rows, rhs)
    vp = tuple(sum(c * y for c, y in zip(a, x)) for a in (cn, ct))
    wr = bodies[0][4] - (bodies[1][4] if len(bodies) == 2 else 0)
    Wr = x[2] - (x[5] if len(bodies) == 2 else 0)
    P, M = (x[k], x[k + 1]), x[k + 2]
    kinetic = lambda y: sum(m * (y[3 * i] ** 2 + y[3 * i + 1] ** 2) + I * y[3 * i + 2] ** 2
                            for i, (m, I, r, V, w) in enumerate(bodies)) / 2
    energy = {"change": kinetic(x) - kinetic(before), "normal": P[0] * (v[0] + vp[0]) / 2,
              "friction": P[1] * (v[1] + vp[1]) / 2, "couple": M * (wr + Wr) / 2}
    assert energy["change"] == energy["normal"] + energy["friction"] + energy["couple"]
    return {"impulse": P, "velocity": vp, "couple": M, "energy": energy, "approach": v,
            "bodies": [(x[3 * i], x[3 * i + 1], x[3 * i + 2]) for i in range(len(bodies))]}


def exact(bodies, normal, surface):
    """Way 1, with the choice of the tangential rule. Returns outcome, mode, mu_0 (Coulomb only)."""
    if "mu_t" in surface:
        return full_system(bodies, normal, surface, ("ratio", surface["mu_t"])), "slip", None
    if "e_t" in surface:
        o = full_system(bodies, normal, surface, ("velocity", None))
        return o, "stick" if surface["e_t"] == 0 else "slip", None
    stop = full_system(bodies, normal, surface, ("velocity", Q(0)))
    mu0, f = stop["impulse"][1] / stop["impulse"][0], surface["f"]
    if abs(mu0) <= f:
        return stop, "stick", mu0
    return full_system(bodies, normal, surface, ("ratio", f if mu0 > 0 else -f)), "slip", mu0


def contact_space(problem):
    """Way 2, from the problem as written to the JSON."""
    B = problem["bodies"]
    s = problem["surface"]
    n = [mpf(x) for x in problem["frame"]["normal"]]
    t = [mpf(x) for x in problem["frame"]["tangent1"]]
    cross = lambda a, b: a[0] * b[1] - a[1] * b[0]
    G = [[mpf(0)] * 2 for _ in range(2)]
    b, v, wr, recI = [mpf(0)] * 2, [mpf(0)] * 2, mpf(0), mpf(0)
    for i, body in enumerate(B):
        sign = 1 if i == 0 else -1
        m, I, w = mpf(body["mass"]), mpf(body["inertia"]), mpf(body["spin"])
        r, V = [mpf(x) for x in body["contact_offset"]], [mpf(x) for x in body["velocity"]]
        arm = [cross(r, n), cross(r, t)]
        for j in range(2):
            d = (n, t)[j]
            v[j] += sign * (V[0] * d[0] + V[1] * d[1] + w * arm[j])
            b[j] += arm[j] / I
            for l in range(2):
                G[j][l] += (1 / m if j == l else 0) + arm[j] * arm[l] / I
        wr += sign * w
        recI += 1 / I
    I = 1 / recI
    g = 1 + mpf(s.get("moment_coefficients", -1))
    H = [[G[j][l] - g * I * b[j] * b[l] for l in range(2)] for j in range(2)]
    c = [v[j] - g * I * wr * b[j] for j in range(2)]
    target = -mpf(s["restitution"]) * v[0] - c[0]

    def by_ratio(mu):
        pn = target / (H[0][0] + mu * H[0][1])
        return pn, mu * pn

    def by_velocity(vt):
        d = H[0][0] * H[1][1] - H[0][1] ** 2
        u = vt - c[1]
        return (target * H[1][1] - H[0][1] * u) / d, (H[0][0] * u - H[0][1] * target) / d

    if "impulse_ratio" in s:
        P = by_ratio(mpf(s["impulse_ratio"]))
    elif "tangential_coefficient" in s:
        P = by_velocity(-mpf(s["tangential_coefficient"]) * v[1])
    else:
        # the ratio that stops slip, from H alone: (c_t + H_tn Pn + H_tt mu Pn) = 0 with Pn = target/(H_nn + mu H_nt)
        mu0 = -(c[1] * H[0][0] + H[0][1] * target) / (c[1] * H[0][1] + H[1][1] * target)
        f = mpf(s["friction"])
        P = by_ratio(mp.sign(mu0) * min(f, abs(mu0)))
    M = -g * I * (wr + b[0] * P[0] + b[1] * P[1])
    vp = [v[j] + G[j][0] * P[0] + G[j][1] * P[1] + b[j] * M for j in range(2)]
    Wr = wr + b[0] * P[0] + b[1] * P[1] + M * recI
    after = []
    for i, body in enumerate(B):
        sign = 1 if i == 0 else -1
        m, I1 = mpf(body["mass"]), mpf(body["inertia"])
        r = [mpf(x) for x in body["contact_offset"]]
        F = [P[0] * n[k] + P[1] * t[k] for k in range(2)]
        after.append((body["velocity"][0] + sign * F[0] / m, body["velocity"][1] + sign * F[1] / m,
                      body["spin"] + sign * (cross(r, F) + M) / I1))
    parts = {"normal": P[0] * (v[0] + vp[0]) / 2, "friction": P[1] * (v[1] + vp[1]) / 2, "couple": M * (wr + Wr) / 2}
    return {"impulse": P, "velocity": vp, "couple": M, "bodies": after,
            "energy": dict(change=sum(parts.values()), **parts)}
