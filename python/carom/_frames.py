# SPDX-License-Identifier: Apache-2.0
"""Tables for pandas, which is never required."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame


def frame(data: Any, **options: Any) -> DataFrame:
    """A DataFrame."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas: apt-get install python3-pandas, or pip install pandas") from None
    return pandas.DataFrame(data, **options)
