# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Which law explains these measurements?
#
# Impacts were measured with errors: approach and rebound velocities. Which law describes them, and with which coefficients?
# Here the measurements are made by a law that we then pretend not to know.

# %%
import numpy as np

import carom

random = np.random.default_rng(7)
G = np.array([[1, 0.8], [0.8, 1.5]])  # known: the body was weighed and measured
angles = np.radians(random.uniform(-70, 70, 60))
approach = np.stack([-np.cos(angles), np.sin(angles)], axis=-1)
error = 0.02  # of each velocity [m/s]
truth = carom.solve_many(G, approach, law="energetic", restitution=0.7, friction=0.25)
measured = truth.velocity + error * random.standard_normal(approach.shape)

# %% [markdown]
# ## Misfit
#
# For a law and its coefficients the misfit is the sum of squares of the differences, in units of the error. For the right
# law it should be about the number of measured velocities less the coefficients fitted.


# %%
def misfit(law, restitution, friction):
    """For arrays of coefficients: the leading axis is theirs."""
    predicted = carom.solve_many(G, approach, law=law, restitution=np.asarray(restitution)[:, None],
                                 friction=np.asarray(friction)[:, None]).velocity
    return (((predicted - measured) / error) ** 2).sum(axis=(1, 2))


# %% [markdown]
# ## A search over a grid
#
# Laws have kinks, where slip changes what it does: a grid does not mind. Forty thousand pairs of coefficients for sixty
# impacts are two million impacts a law. Then the grid closes in.


# %%
def fit(law):
    low, high = np.array([0.0, 0.0]), np.array([1.0, 1.0])
    for _ in range(4):
        e, mu = np.meshgrid(np.linspace(low[0], high[0], 41), np.linspace(low[1], high[1], 41), indexing="ij")
        all_misfits = misfit(law, e.ravel(), mu.ravel())
        best = np.argmin(all_misfits)
        centre, width = np.array([e.flat[best], mu.flat[best]]), (high - low) / 8
        low, high = np.clip(centre - width, 0, 1), np.clip(centre + width, 0, 1)
    return all_misfits[best], centre


freedom = measured.size - 2
fits = {law: fit(law) for law in ("newton", "poisson", "energetic", "moreau", "conventional")}
for law, (chi2, (e, mu)) in sorted(fits.items(), key=lambda item: item[1][0]):
    print(f"{law:13} misfit {chi2:9.1f} for {freedom} degrees of freedom; e = {e:.3f}, mu = {mu:.3f}")
assert min(fits, key=lambda law: fits[law][0]) == "energetic"

# %% [markdown]
# ## How certain?
#
# Near its minimum the misfit is a parabola. Its curvature, from derivatives of the law, is the inverse of the covariance.

# %%
chi2, (e, mu) = fits["energetic"]
many = carom.solve_many(G, approach, law="energetic", restitution=e, friction=mu, sensitivity=True)
J = np.stack([[many.derivative(f"velocity after, {which}", key) for which in ("normal", "slip")]
              for key in ("restitution", "friction")], axis=-1).reshape(-1, 2) / error
sigma = np.sqrt(np.diag(np.linalg.inv(J.T @ J)))
print(f"e = {e:.3f} +- {sigma[0]:.3f} (made with 0.7), mu = {mu:.3f} +- {sigma[1]:.3f} (made with 0.25)")
assert abs(e - 0.7) < 4 * sigma[0] and abs(mu - 0.25) < 4 * sigma[1]

# %% [markdown]
# ## What could have told them apart
#
# Where slip goes on throughout, all laws agree, and those measurements say nothing about the law.

# %%
useful = truth.mode != "0"
print(f"{useful.sum()} of {len(useful)} impacts tell the laws apart")

# %% [markdown]
# Measured velocities of bodies, from a file or from arrays, are fitted by `carom.fit`, which also compares laws on impacts that were left out (docs/fit.md).
#
# ## Exercise
#
# Which directions of approach should be measured next to tell `poisson` from `energetic`? Ask both with their best
# coefficients over all directions, and find where they part most, in units of the error.
