# SPDX-License-Identifier: Apache-2.0
"""The compiled half of the package."""

try:
    from carom import _carom as native
except ImportError as error:
    if getattr(error, "name", None) != "carom._carom" and "_carom" not in str(error):
        raise
    raise ImportError(
        "the compiled part of carom is not here: only carom.plot works. In a source tree start Python by "
        "`./run python`, or install the package by `pip install --no-build-isolation .`; it must be the "
        f"Python that it was built for ({error})"
    ) from error

__all__ = ["native"]
