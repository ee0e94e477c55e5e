"""Moreau's law in two stages (hypothesis `poisson`), one planar contact, v+ = v- + G P, components (n, t).

compression: v_C = v- + G P_C,  0 <= P_Cn _|_ v_Cn >= 0,               -P_Ct in mu P_Cn Sgn(v_Ct)
expansion:   v+  = v_C + G P_E, 0 <= P_En - e P_Cn _|_ v+_n >= 0,      -P_Et in mu P_En Sgn(v+_t)
Total P = P_C + P_E. Each stage's work is 1/2 P_stage.(v before it + v after it), split into n and t.

Way 1: all six branches (contact kept closed / bound active) x (forward slip, stick, backward slip) of each
       stage solved by Cramer's rule in exact rationals; the admissible solution is asserted to be the only one.
Way 2: each stage's inclusion as a proximal fixed point, solved by damped projected Gauss-Seidel in mpmath.
"""
from fractions import Fraction as Q

from mpmath import mp, mpf

SLIP = {"forward": -1, "backward": 1}    # P_t = SLIP * mu * P_n


def stage_exact(G, v0, bound, mu):
    """The one solution (P, v, regime) of a stage, by branches, in whatever exact numbers come in."""
    (gnn, gnt), (_, gtt) = G
    found = []
    for normal in ("closed", "bound"):
        for motion in ("forward", "stick", "backward"):
            # two linear equations a . (Pn, Pt) = r
            a1, r1 = ((gnn, gnt), -v0[0]) if normal == "closed" else ((1, 0), bound)
            a2, r2 = ((gnt, gtt), -v0[1]) if motion == "stick" else ((-SLIP[motion] * mu, 1), 0)
            det = a1[0] * a2[1] - a1[1] * a2[0]
            if det == 0:
                continue
            pn, pt = (r1 * a2[1] - a1[1] * r2) / det, (a1[0] * r2 - r1 * a2[0]) / det
            vn, vt = v0[0] + gnn * pn + gnt * pt, v0[1] + gnt * pn + gtt * pt
            if pn < bound or vn < 0 or abs(pt) > mu * pn:
                continue
            if (motion == "forward" and vt < 0) or (motion == "backward" and vt > 0):
                continue
            regime = "stick" if vt == 0 else "forward" if vt > 0 else "backward"
            if all(f[0] != (pn, pt) for f in found):
                found.append(((pn, pt), (vn, vt), regime))
    assert len(found) == 1, "not unique: %s" % found
    return found[0]


def stage_prox(G, v0, bound, mu):
    """The same by fixed point: P_n = max(bound, P_n - r v_n), P_t = clamp(P_t - r v_t, mu P_n)."""
    (gnn, gnt), (_, gtt) = G
    pn, pt = mpf(bound), mpf(0)
    damp = mpf(7) / 10
    for sweep in range(200000):
        old = pn, pt
        pn = max(bound, pn - damp * (v0[0] + gnn * pn + gnt * pt) / gnn)
        pt = pt - damp * (v0[1] + gnt * pn + gtt * pt) / gtt
        pt = max(-mu * pn, min(mu * pn, pt))
        if abs(pn - old[0]) + abs(pt - old[1]) < mpf(10) ** -26:
            break
    else:
        raise RuntimeError("fixed point did not settle")
    return (pn, pt), (v0[0] + gnn * pn + gnt * pt, v0[1] + gnt * pn + gtt * pt)


def outcome(v, stage1, stage2):
    (pc, vc), (pe, ve) = stage1, stage2
    work = lambda p, a, b, i: p[i] * (a[i] + b[i]) / 2
    nc, nr = work(pc, v, vc, 0), work(pe, vc, ve, 0)
    ft = work(pc, v, vc, 1) + work(pe, vc, ve, 1)
    P = pc[0] + pe[0], pc[1] + pe[1]
    change = (P[0] * (v[0] + ve[0]) + P[1] * (v[1] + ve[1])) / 2
    assert abs(change - nc - nr - ft) < 1e-20
    return {"impulse": P, "velocity": ve,
            "energy": {"change": change, "normal_compression": nc, "normal_restitution": nr, "friction": ft}}


def exact(G, v, e, mu):
    pc, vc, r1 = stage_exact(G, v, 0, mu)
    pe, ve, r2 = stage_exact(G, vc, e * pc[0], mu)
    return outcome(v, (pc, vc), (pe, ve)), (r1, r2), (pc, vc, pe)


def proximal(G, v, e, mu):
    pc, vc = stage_prox(G, v, mpf(0), mu)
    pe, ve = stage_prox(G, vc, e * pc[0], mu)
    return outcome(v, (pc, vc), (pe, ve))


def sturdy(G, v, e, mu, regimes):
    """Do the regimes survive a change of each input by 1/500 either way?"""
    (a, b), (_, c) = G
    for d in (Q(-1, 500), Q(1, 500)):
        for k in range(6):
            x = [a, b, c, v[0], v[1], mu]
            x[k] *= 1 + d
            if exact(((x[0], x[1]), (x[1], x[2])), (x[3], x[4]), e, x[5])[1] != regimes:
                return False
    return True
