# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # The laws compared
#
# All laws agree about a ball that falls straight down. Where do they part, and why?

# %%
import numpy as np

import carom

carom.laws()

# %% [markdown]
# ## A central impact: one answer
#
# Without coupling (G_nt = 0) friction cannot change the normal velocity, and the three meanings of restitution are one.

# %%
central = carom.solve(law=["newton", "poisson", "energetic"], inverse_inertia=[[1, 0], [0, 3]], approach=[-1, 0.7],
                      restitution=0.6, friction=0.3)
central

# %%
velocities = np.array([outcome.velocity for outcome in central])
assert np.allclose(velocities, velocities[0])

# %% [markdown]
# ## An eccentric impact: three answers
#
# Newton's restitution is a ratio of velocities, Poisson's of impulses, Stronge's of works. With coupling, and slip that
# stops or turns round during the impact, these differ.

# %%
eccentric = dict(inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5], restitution=0.7, friction=0.8)
laws = carom.solve(law=["newton", "poisson", "energetic", "moreau"], **eccentric)
laws

# %% [markdown]
# What would each of the three have measured as its restitution in the impact that the others describe?

# %%
for outcome in laws:
    if outcome.phases:
        measured = [outcome[f"equivalent_e_{name}"] for name in ("newton", "poisson", "energetic")]
        print(f"{outcome.law:10} e measured by velocity, impulse, work: " + ", ".join(f"{e:.3f}" for e in measured))
assert abs(laws["poisson"]["equivalent_e_poisson"] - 0.7) < 1e-12

# %% [markdown]
# ## How far apart, over all directions of approach
#
# `solve_many` asks about a thousand directions at once.

# %%
angles = np.radians(np.linspace(-85, 85, 1001))
approach = np.stack([-np.cos(angles), np.sin(angles)], axis=-1)
many = {law: carom.solve_many(eccentric["inverse_inertia"], approach, law=law, restitution=0.7, friction=0.8)
        for law in ("newton", "poisson", "energetic", "moreau")}
distance = np.linalg.norm(many["newton"].velocity - many["energetic"].velocity, axis=-1)
worst = np.argmax(distance)
print(f"newton and energetic part most at {np.degrees(angles[worst]):.0f} degrees: {distance[worst]:.2f} of the approach")
assert distance.min() < 1e-12 < 0.1 < distance[worst]

# %% [markdown]
# Where slip neither stops nor turns round, the laws agree:

# %%
goes_on = many["energetic"].mode == "0"
assert distance[goes_on].max() < 1e-12
print(f"slip goes on in {goes_on.mean():.0%} of the directions, and there they agree")

# %% [markdown]
# ## Exercise
#
# Find the coefficient of friction at which `moreau` and `newton` part most for this G. Then make G_nt smaller. Is there a
# coupling below which no law differs from another by more than one per cent?
