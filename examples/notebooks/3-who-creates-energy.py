# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Who creates energy?
#
# Kane and Levinson showed in 1985 that Newton's law with Coulomb friction can create energy. This lesson finds all such
# impacts, for one G, and sees why.

# %%
import numpy as np

import carom

kane = dict(inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5], restitution=1, friction=1)
comparison = carom.solve(**kane)
for outcome in comparison:
    print(f"{outcome.law:20} {outcome['energy_change']:+.4f} J  {outcome.verdict}")

# %% [markdown]
# ## Why
#
# The normal velocity is -e times the approach under Newton's law whatever friction did. Friction slows the contact down during
# compression through G_nt, and Newton's law gives back what friction took.

# %%
newton, energetic = comparison["newton"], comparison["energetic"]
print("newton:   ", newton.energy)
print("energetic:", energetic.energy)
compression, restitution = newton.energy["normal_compression"], newton.energy["normal_restitution"]
assert restitution > -compression  # more comes back than went in
assert abs(energetic.energy["normal_compression"] + energetic.energy["normal_restitution"]) < 1e-12  # e = 1: all of it

# %% [markdown]
# ## All directions and frictions
#
# A million impacts: directions of approach along one axis, friction along the other.

# %%
angles = np.radians(np.linspace(-89, 89, 1000))
approach = np.stack([-np.cos(angles), np.sin(angles)], axis=-1)
friction = np.linspace(0, 2, 1000)[:, None]
gained = {}
for law in ("newton", "poisson", "energetic", "moreau"):
    many = carom.solve_many(kane["inverse_inertia"], approach, law=law, restitution=1, friction=friction)
    gained[law] = many.has("energy-gained")
    print(f"{law:10} creates energy in {gained[law].mean():6.1%} of the cells, at most {many.energy_change.max():+.3f} J")
assert gained["newton"].any()
assert not gained["energetic"].any()

# %% [markdown]
# `energetic` never does, by its definition: the work of restitution is e² times that of compression, and friction takes away.

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(1, 2, sharey=True, figsize=(8, 3.5))
for plot, law in zip(axes, ("newton", "moreau")):
    plot.pcolormesh(np.degrees(angles), friction[:, 0], gained[law], cmap="Reds", shading="nearest")
    plot.set(title=f"{law}: where it creates energy", xlabel="direction of approach (degrees)")
axes[0].set_ylabel("friction")

# %% [markdown]
# ## Exercise
#
# `poisson` can create energy, too, but not for this G. Look for a G and a friction above which it does, with static friction
# equal to kinetic friction. (Search with `solve_many` over random G; the law's page in docs/laws.md says what to expect.)
