"""Shared by the three models: number conversion and the README's way of comparing.

Velocities are compared relative to the larger of max|expected| and max|approach|, impulses relative
to max|expected|, energies relative to max|impulse| times that velocity scale.
"""


def number(x):
    """A double, correctly rounded, without negative zero (json writes it so that it reads back exactly)."""
    x = float(x)
    return 0.0 if x == 0.0 else x


def numbers(xs):
    return [number(x) for x in xs]


def energies(d):
    return {k: number(v) for k, v in d.items()}


def worst(one, two, approach):
    """Largest relative difference between two outcomes {impulse, velocity, energy}, in the README's measure."""
    vscale = max(abs(float(x)) for x in list(one["velocity"]) + list(approach))
    pscale = max(abs(float(x)) for x in one["impulse"])
    w = max(abs(float(a - b)) for a, b in zip(one["velocity"], two["velocity"])) / vscale
    w = max(w, max(abs(float(a - b)) for a, b in zip(one["impulse"], two["impulse"])) / pscale)
    assert one["energy"].keys() == two["energy"].keys()
    for k in one["energy"]:
        w = max(w, abs(float(one["energy"][k] - two["energy"][k])) / (pscale * vscale))
    return w
