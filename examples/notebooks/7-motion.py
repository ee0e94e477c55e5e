# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Motion
#
# Between impacts bodies fly, slide, stick and roll. The library goes from event to event, and keeps an account of energy.

# %%
import numpy as np

import carom

# %% [markdown]
# ## A ball that comes to rest
#
# It bounces infinitely often in a finite time. The sum of a geometric series says when it rests.

# %%
ball = carom.simulate("examples/motion/bouncing-ball.toml")
impacts = ball.impacts()
first, e = impacts["time"][0], 0.9
rest = first * (1 + 2 * e / (1 - e))
print(ball)
print(f"at rest after {rest:.6f} s by the series; by the events after {ball.events['time'][ball.events['kind'] == 'accumulation'][0]:.6f} s")

# %%
ratios = np.diff(impacts["time"])[1:6] / np.diff(impacts["time"])[:5]
assert np.allclose(ratios, e)

# %% [markdown]
# ## A block that slides to rest
#
# A model written in Python: a block on a floor, with friction. Its contact is closed from the start.


# %%
class Block:
    positions, velocities, contacts = ["x", "y"], ["v_x", "v_y"], ["floor"]
    mass_ = 2.0

    def mass(self, t, q):
        return self.mass_ * np.eye(2)

    def forces(self, t, q, u):
        return [0, -self.mass_ * 9.81]

    def gaps(self, t, q):
        return [q[1]]

    def directions(self, t, q):
        return [[0, 1], [1, 0]]  # columns: normal, tangential

    def potential(self, t, q):
        return self.mass_ * 9.81 * q[1]


slide = carom.simulate(model=Block(), q=[0, 0], u=[3, 0], restitution=0, friction=0.4, end_time=2, sample_interval=0.01)
stop = slide.events["time"][slide.events["kind"] == "slip-to-stick"][0]
print(f"it stops after {stop:.9f} s and {slide['x'][-1]:.9f} m")
assert np.isclose(stop, 3 / (0.4 * 9.81)) and np.isclose(slide["x"][-1], 9 / (2 * 0.4 * 9.81))

# %% [markdown]
# ## The account
#
# Every joule is somewhere: what is left over is rounding.

# %%
print({key: value for key, value in slide.energy.items() if value and not isinstance(value, dict)}, slide.energy["friction"])
assert abs(slide.energy["gap"]) < 1e-9

# %% [markdown]
# ## A picture

# %%
figure = ball.plot()

# %% [markdown]
# ## Exercise
#
# Put the block on a floor that is tilted by 20 degrees (turn the weight, not the floor). At which friction does it not stop
# any more? Give it some restitution and drop it: how does the account change?
