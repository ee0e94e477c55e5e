# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A first impact
#
# A rod falls on a table and strikes it with one end. What are its velocities afterwards, and where did the energy go?
# Start this lesson by `./run python examples/notebooks/1-first-impact.py`, or open it in an editor that runs `# %%` cells.

# %%
import math

import numpy as np

import carom

rod = carom.Scenario(system={"type": "bar", "mass": 1.0, "half_length": 0.5, "angle_deg": 60, "velocity": [0.4, -1.0]},
                     surface={"restitution": 0.5, "friction": 0.3})
outcome = carom.solve(rod, law="poisson")
outcome

# %% [markdown]
# ## Contact space
#
# The law never saw a rod. It saw two numbers of approach, normal (negative: it closes) and tangential, and how easily an
# impulse changes them: the matrix G, inverse masses at the contact. The impulse P changes the velocity by G P.

# %%
G, approach, impulse = outcome.inverse_inertia[:2, :2], outcome.approach, outcome.impulse
print("G [1/kg]\n", G)
print("approach [m/s]", approach, " impulse [N s]", impulse)
assert np.allclose(outcome.velocity, approach + G @ impulse)

# %% [markdown]
# Give the law G and the approach alone, and it says the same.

# %%
same = carom.solve(law="poisson", inverse_inertia=G, approach=approach, restitution=0.5, friction=0.3)
assert np.allclose(same.impulse, impulse)

# %% [markdown]
# ## What happened at the contact
#
# The impact has two stages: compression, until the normal velocity is zero, and restitution. In each the end slips, sticks,
# or slips the other way. Friction is on Coulomb's cone while it slips: the ratio of impulses is the coefficient.

# %%
for phase in outcome.phases:
    print(f"{phase['stage']:12} {phase['motion']:13} impulse {phase['impulse']}  velocity {phase['velocity']}")
assert math.isclose(abs(impulse[1] / impulse[0]), 0.3)

# %% [markdown]
# Routh's diagram shows the same: the path of the impulse in the plane of its two components, and the cone of friction.

# %%
figure = outcome.plot()

# %% [markdown]
# ## Where the energy went
#
# The change of energy is half of P times the sum of the velocities before and after. The ledger has its parts.

# %%
print({key: round(value, 4) for key, value in outcome.energy.items()})
assert math.isclose(outcome.energy["change"], 0.5 * impulse @ (approach + outcome.velocity))

# %% [markdown]
# ## More friction
#
# With more friction the end stops slipping. From then on more friction changes nothing.

# %%
for friction in (0.0, 0.2, 0.4, 0.6, 0.8):
    outcome = carom.solve(rod.changed({"surface.friction": friction}), law="poisson")
    print(f"mu = {friction:.1f}: slip after {outcome['slip']:+.3f} m/s, mode {outcome.mode}, {outcome['description']}")

# %% [markdown]
# ## Exercise
#
# Turn the rod: change `system.angle_deg` from 10 to 90. At which angle does the rod lose the most energy, and how is that
# related to the mass 1/G_nn which the contact feels? What changes without friction?
