# SPDX-License-Identifier: Apache-2.0
"""Arrays in records: {"dtype": "<f4", "shape": [51, 101], "base64": "..."}."""

import base64

import numpy as np


def unpack(member):
    """The array of such a member."""
    raw = base64.b64decode(member["base64"])
    return np.frombuffer(raw, dtype=np.dtype(member["dtype"])).reshape(member["shape"])
