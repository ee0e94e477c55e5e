# SPDX-License-Identifier: Apache-2.0
"""The tables of laws, coefficients and quantities."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from carom._arguments import unknown
from carom._native import native

if TYPE_CHECKING:
    from pandas import DataFrame


class Row:
    """One row of a table: its entries are attributes."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.__dict__.update(entries)

    if TYPE_CHECKING:

        def __getattr__(self, entry: str) -> Any: ...

    def __repr__(self) -> str:
        return f"<{self.name}: {getattr(self, 'summary', None) or getattr(self, 'meaning', None) or self.label}>"


class Table:
    """Rows by name, or by number: table["energetic"], table[0], "energetic" in table, list(table)."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
        self._rows = {row["name"]: Row(row) for row in rows}
        self._columns = columns

    @overload
    def __getitem__(self, key: str | int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> list[Row]: ...
    def __getitem__(self, key: str | int | slice) -> Row | list[Row]:
        if isinstance(key, (int, slice)):
            return list(self._rows.values())[key]
        if key not in self._rows:
            raise unknown("name", key, self._rows)
        return self._rows[key]

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> list[str]:
        """All names in order."""
        return list(self._rows)

    def _cells(self) -> list[list[str]]:
        def text(value: Any) -> str:
            return ", ".join(value) if isinstance(value, list) else str(value)

        return [[text(getattr(row, column)) for column in self._columns] for row in self]

    def __repr__(self) -> str:
        cells = [list(self._columns), *self._cells()]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self._columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return "<table>" + line("th", self._columns) + "".join(line("td", row) for row in self._cells()) + "</table>"

    def to_frame(self) -> DataFrame:
        """As a pandas DataFrame (pandas must be installed)."""
        from carom._frames import frame

        return frame([vars(row) for row in self])


def laws() -> Table:
    """All impact laws: name, summary, contacts, assumptions, source, parameters.

    >>> import carom
    >>> carom.laws()["energetic"].contacts
    ['plane', 'space']
    >>> [p["key"] for p in carom.laws()["brach"].parameters][:2]
    ['restitution', 'friction']
    """
    return Table(native.laws(), ("name", "contacts", "summary"))


def coefficients() -> Table:
    """All coefficients of surfaces: name, symbol, unit, what is allowed.

    >>> import carom
    >>> carom.coefficients()["restitution"].allowed
    'in [0, 1]'
    """
    return Table(native.coefficients(), ("name", "symbol", "unit", "allowed"))


def quantities() -> Table:
    """All that can be asked of an outcome or shown on a map: name, label, unit, meaning.

    >>> import carom
    >>> carom.quantities()["energy_change"].unit
    'J'
    """
    return Table(native.quantities(), ("name", "unit", "over", "meaning"))
