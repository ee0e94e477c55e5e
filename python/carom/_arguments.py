# SPDX-License-Identifier: Apache-2.0
"""Arguments of functions, checked before they go to compiled code: anything else is an InputError."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping
from typing import Any

from carom._errors import InputError


def whole(value: Any, field: str, least: int = 0) -> int:
    """A whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least or number >= 1 << 31 or isinstance(value, bool):
        raise InputError(field, f"must be a whole number >= {least}, got {value!r}")
    return number


def flag(value: Any, field: str) -> bool:
    """True or False, as Python or NumPy has them."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise InputError(field, f"must be True or False, got {value!r}")
    return bool(value)


def text(value: Any, field: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InputError(field, f"must be text, got {type(value).__name__}")
    return value


def items(value: Any, field: str, what: str) -> list[Any]:
    """One text or function, or several, as a list."""
    if isinstance(value, str) or callable(value):
        return [value]
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise InputError(field, f"must be {what}, or a list of these, got {type(value).__name__}")
    return list(value)


def texts(value: Any, field: str) -> list[str]:
    """One text, or several."""
    return [text(one, field) for one in items(value, field, "text")]


def table(value: Any, field: str) -> Mapping[str, Any]:
    """A dict."""
    if not isinstance(value, Mapping):
        raise InputError(field, f"must be a dict, got {type(value).__name__}")
    return value


def unknown(field: str, name: object, known: Iterable[str]) -> InputError:
    """The error for a name that there is not."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, 1)
    return InputError(field, f"unknown '{name}'" + (f"; did you mean '{near[0]}'?" if near else "; known: " + ", ".join(known)))
