# SPDX-License-Identifier: Apache-2.0
"""Pictures of maps: what laws say while one or two numbers of a scenario vary."""

from carom.plot import map_curves, map_panels, map_surface
from carom.plot.map_layers import layers_of


def draw(record):
    """A figure of all layers: curves along one axis, panels over two, or surfaces in perspective."""
    layers = layers_of(record)
    if record["y"] is None:
        return map_curves.draw(record, layers)
    if record["picture"]["style"] == "surface":
        return map_surface.draw(record, layers)
    return map_panels.draw(record, layers)
