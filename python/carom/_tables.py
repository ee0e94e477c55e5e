# SPDX-License-Identifier: Apache-2.0
"""The tables of laws, coefficients and quantities."""

import html

from carom._native import native


class Row:
    """One row of a table: its entries are attributes."""

    def __init__(self, entries):
        self.__dict__.update(entries)

    def __repr__(self):
        return f"<{self.name}: {getattr(self, 'summary', None) or getattr(self, 'meaning', None) or self.label}>"


class Table:
    """Rows by name, or by number: table["energetic"], table[0], "energetic" in table, list(table)."""

    def __init__(self, rows, columns):
        self._rows = {row["name"]: Row(row) for row in rows}
        self._columns = columns

    def __getitem__(self, key):
        return list(self._rows.values())[key] if isinstance(key, (int, slice)) else self._rows[key]

    def __contains__(self, name):
        return name in self._rows

    def __iter__(self):
        return iter(self._rows.values())

    def __len__(self):
        return len(self._rows)

    @property
    def names(self):
        """All names in order."""
        return list(self._rows)

    def _cells(self):
        def text(value):
            return ", ".join(value) if isinstance(value, list) else str(value)

        return [[text(getattr(row, column)) for column in self._columns] for row in self]

    def __repr__(self):
        cells = [list(self._columns), *self._cells()]
        widths = [max(len(row[k]) for row in cells) for k in range(len(self._columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells)

    def _repr_html_(self):
        def line(tag, cells):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return "<table>" + line("th", self._columns) + "".join(line("td", row) for row in self._cells()) + "</table>"

    def to_frame(self):
        """As a pandas DataFrame (pandas must be installed)."""
        from carom._frames import frame

        return frame([vars(row) for row in self])


def laws():
    """All impact laws: name, summary, contacts, assumptions, source, parameters.

    >>> import carom
    >>> carom.laws()["energetic"].contacts
    ['plane', 'space']
    >>> [p["key"] for p in carom.laws()["brach"].parameters][:2]
    ['restitution', 'friction']
    """
    return Table(native.laws(), ("name", "contacts", "summary"))


def coefficients():
    """All coefficients of surfaces: name, symbol, unit, what is allowed.

    >>> import carom
    >>> carom.coefficients()["restitution"].allowed
    'in [0, 1]'
    """
    return Table(native.coefficients(), ("name", "symbol", "unit", "allowed"))


def quantities():
    """All that can be asked of an outcome or shown on a map: name, label, unit, meaning.

    >>> import carom
    >>> carom.quantities()["energy_change"].unit
    'J'
    """
    return Table(native.quantities(), ("name", "unit", "over", "meaning"))
