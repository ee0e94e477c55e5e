# SPDX-License-Identifier: Apache-2.0
"""Wrong input."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

_ALLOWED = re.compile(r"must (?:be|have) (?P<allowed>.*), got (?P<value>.*)\Z", re.DOTALL)


class InputError(ValueError):
    """Something that was given is wrong: a number out of range, an unknown name, an array of the wrong shape.

    field    what is wrong: "restitution", "approach[0]", "surface.friction"
    problem  what is wrong with it, in words: "must be in [0, 1], got 1.4"
    allowed  what would be allowed, where the words say it: "in [0, 1]"; else None
    value    what was given, as text: "1.4"; else None
    where    file:line:column of a scenario, or "problem 17" of many; empty where it is an argument

    >>> import carom
    >>> try:
    ...     carom.solve(law="newton", inverse_inertia=[[1, 0], [0, 1]], approach=[-1, 0],
    ...                 restitution=1.4, friction=0)
    ... except carom.InputError as error:
    ...     print(error.field, "|", error.allowed, "|", error.value)
    restitution | in [0, 1] | 1.4
    """

    def __init__(self, field: str, problem: str, where: str = "") -> None:
        self.field = field
        self.problem = problem
        self.where = where
        match = _ALLOWED.match(problem)
        self.allowed: str | None = match["allowed"] if match else None
        self.value: str | None = match["value"] if match else None
        super().__init__(": ".join(part for part in (where, field, problem) if part))

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str, str]]:
        return InputError, (self.field, self.problem, self.where)

    def of_arguments(self) -> "InputError":
        """The same for someone who gave keywords, not a file with tables."""
        field = self.field.removeprefix("--")  # as on the command line
        for table in ("surface.", "system.", "motion.", "solve."):
            field = field.removeprefix(table)
        where = self.where if self.where.startswith("problem ") else ""
        return InputError(field, self.problem, where)


@contextlib.contextmanager
def of_keywords() -> Iterator[None]:
    """Errors within it name keywords, not tables, unless they have a place in a file."""
    try:
        yield
    except InputError as error:
        if error.where and not error.where.startswith(("<arguments>", "problem ")):
            raise
        raise error.of_arguments() from None
