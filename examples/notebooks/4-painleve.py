# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Painlevé's paradox
#
# A piece of chalk pushed over a blackboard jumps. For a rod that slides on a rough floor Coulomb friction and rigidity can
# contradict each other. An impact resolves it, even one without any approach.

# %%
import numpy as np

import carom

# %% [markdown]
# ## When the normal force pulls the rod in
#
# While the tip slips, friction is mu times the normal force. Together they change the normal velocity by
# G_nn - mu G_nt, per unit of normal impulse. If that is negative, pushing brings the tip closer.


# %%
def rod(angle):
    """G of the end of a rod of 1 kg and half length 1 m, at this angle (radians)."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([[1 + 3 * cosine**2, 3 * sine * cosine], [3 * sine * cosine, 1 + 3 * sine**2]])


angles = np.radians(np.linspace(1, 89, 500))
critical = np.array([rod(a)[0, 0] / rod(a)[0, 1] for a in angles])
best = np.argmin(critical)
print(f"the least critical friction is {critical[best]:.4f}, at {np.degrees(angles[best]):.1f} degrees; 4/3 in closed form")
assert abs(critical[best] - 4 / 3) < 1e-4

# %% [markdown]
# ## The jam
#
# Above it the normal velocity grows in compression. Exact laws say so: the verdict is a jam. Slip stops, and only then
# does the contact part.

# %%
G = rod(angles[best])
for friction in (1.0, 1.6):
    outcome = carom.solve(law="poisson", inverse_inertia=G, approach=[-0.01, 1.0], restitution=0, friction=friction)
    print(f"mu = {friction}: {outcome.verdict:9} impulse {outcome.impulse}, slip after {outcome['slip']:.3f} m/s")
assert outcome.verdict == "jam"

# %% [markdown]
# ## An impact without collision
#
# In the limit of no approach at all an ordinary contact has no impulse. A jammed one has: the "dynamic jam".

# %%
for friction in (1.0, 1.6):
    impulses = [carom.solve(law="poisson", inverse_inertia=G, approach=[-approach, 1.0], restitution=0,
                            friction=friction).impulse[0] for approach in (1e-2, 1e-4, 1e-6)]
    print(f"mu = {friction}: normal impulse as the approach goes to zero:", np.round(impulses, 6))
assert impulses[-1] > 0.1

# %% [markdown]
# ## In motion
#
# The library follows a rod into the paradox and says what it met.

# %%
motion = carom.simulate("examples/motion/painleve-rod.toml")
for time, kind, text in zip(motion.events["time"], motion.events["kind"], motion.events["text"]):
    print(f"{time:.4f} s  {text}")
assert "painleve" in motion.events["kind"]

# %% [markdown]
# ## Exercise
#
# Give the rod another inertia: a dumbbell has three times that of a slender rod. At which friction does the paradox begin
# now? Can a homogeneous disc that slides on a floor show it?
