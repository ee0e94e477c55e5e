# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Several contacts, and a cradle
#
# A ball strikes a row of balls that touch. Momentum and energy alone do not say what happens: there are more balls than
# equations. Laws differ, and measurements decide.

# %%
import numpy as np

import carom

# %% [markdown]
# ## The problem
#
# Contacts are coupled: an impulse at one changes the velocity at its neighbours.

# %%
balls = 5
G = 2 * np.eye(balls - 1) - np.eye(balls - 1, k=1) - np.eye(balls - 1, k=-1)
approach = np.zeros(balls - 1)
approach[0] = -1.0  # the first ball strikes


def velocities(impulse):
    """Of the balls of 1 kg: each is pushed from the left and from the right."""
    v = np.zeros(balls)
    v[0] = 1.0
    v[:-1] -= impulse
    v[1:] += impulse
    return v


# %% [markdown]
# ## Two laws
#
# `moreau` treats all contacts at one instant. `lzb` follows how elastic energy goes through the row.

# %%
for law, surface in (("moreau", {"restitution": 1.0}), ("lzb", {"restitution": 1.0, "stiffness": 1e9, "exponent": 1.5})):
    outcome = carom.solve(law=law, inverse_inertia=G, approach=approach, components=1, **surface)
    v = velocities(outcome.impulse)
    print(f"{law:8} velocities {np.round(v, 3)}  momentum {v.sum():.3f}  energy {0.5 * v @ v:.3f}")
    assert abs(v.sum() - 1) < 1e-9
    assert 0.5 * v @ v < 0.5 + 1e-9

# %% [markdown]
# Real cradles do what `lzb` says: the last ball leaves with nearly all the momentum, and the others move a little.

# %% [markdown]
# ## Loss of energy along the row

# %%
for restitution in (1.0, 0.9, 0.7, 0.5):
    outcome = carom.solve(law="lzb", inverse_inertia=G, approach=approach, components=1, restitution=restitution,
                          stiffness=1e9, exponent=1.5)
    print(f"e = {restitution}: {np.round(velocities(outcome.impulse), 3)}, {outcome['energy_change'] / 0.5:+.1%} of the energy")

# %% [markdown]
# ## Many such rows at once
#
# `solve_many` takes contacts of any number; a random approach makes a thousand cradles.

# %%
random = np.random.default_rng(0)
many = carom.solve_many(G, -random.uniform(0, 1, (1000, balls - 1)), law="moreau", components=1, restitution=0.5)
assert many.impulse.shape == (1000, 4)
assert (many.impulse >= 0).all()
print(many)

# %% [markdown]
# ## Exercise
#
# Let two balls strike together. How many leave under each law? Then make the third ball twice as heavy (change G), and
# compare with what momentum and energy would allow.
