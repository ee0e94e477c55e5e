# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Maps
#
# How does an impact depend on two of its numbers? A map asks a law on every cell.

# %%
import numpy as np

import carom

# %% [markdown]
# ## What the contact does
#
# Sun and Baruh number the ways in which slip can go: 0 throughout, 1 and 2 it ends in compression, 3 and 4 in restitution.

# %%
bar = carom.load("examples/bar.toml")
modes = carom.map(bar, x=("system.angle_deg", 5, 85, 161), y=("surface.friction", 0, 1.2, 121), show="mode",
                  law="energetic")
layer = modes.layers[0]
labels, counts = np.unique(layer.labels.astype(str), return_counts=True)
for label, count in zip(labels, counts):
    print(f"mode {label}: {count / layer.values.size:5.1%}  {layer.meanings[label]}")

# %% [markdown]
# The lines between the regions are known in closed form.

# %%
figure = modes.plot()
for line in modes.boundaries:
    print(line["name"], "-", line["meaning"])

# %% [markdown]
# ## A number, for two laws
#
# Any quantity can be shown, and two laws compared.

# %%
energy = carom.map(bar, x=("system.angle_deg", 5, 85, 81), y=("surface.friction", 0, 1.2, 61), show="energy",
                   law=["newton", "energetic"])
apart = energy["energy", "newton"] - energy["energy", "energetic"]
j, i = np.unravel_index(np.nanargmax(abs(apart)), apart.shape)
print(f"they part most at {energy.x.values[i]:.0f} degrees, friction {energy.y.values[j]:.2f}: {apart[j, i]:+.3f} of the energy")

# %% [markdown]
# ## A curve
#
# One axis makes a curve. Cells are what `solve` says, so that a point of it can be looked at closely.

# %%
curve = carom.map(bar, x=("surface.friction", 0, 1.2, 25), show=["slip", "energy_change"], law="energetic")
at = 12
outcome = carom.solve(bar, law="energetic", friction=curve.x.values[at])
assert abs(outcome["slip"] - curve["slip"][at]) < 1e-12
print(f"at friction {curve.x.values[at]:.2f}: {outcome['description']}")

# %% [markdown]
# ## Exercise
#
# Make the map of modes for `poisson` and `moreau`. Where do the labels of `moreau` differ from what the process does? Then vary
# the ratio of approach velocities (`approach_ratio`) in place of the angle, as the publications do (docs/maps.md).
