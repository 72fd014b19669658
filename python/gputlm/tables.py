"""Tables of results: pandas frames if pandas is installed, otherwise Table, with the same columns and values."""

from __future__ import annotations

import csv
import importlib.util
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .columns import TEXTS
from .errors import Error
from .values import PathLike

Value = Union[int, float, str, None]
Frame = Any
"""A pandas.DataFrame, or a Table where pandas is not installed."""


class Table(Sequence[Mapping[str, Value]]):
    """Rows in the order of the file, each a mapping from column to value."""

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]):
        self.columns = list(columns)
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: Any) -> Any:
        """A row by number, a column by name, or a Table by slice."""
        if isinstance(index, str):
            at = self.columns.index(index)
            return [row[at] for row in self._rows]
        if isinstance(index, slice):
            return Table(self.columns, self._rows[index])
        return dict(zip(self.columns, self._rows[index]))

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self._rows)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.columns)}>"

    def __str__(self) -> str:
        """Text for a terminal: numbers right-aligned; only the first and last of many rows."""
        most, ends = 60, 5
        rows = list(self._rows) if len(self) <= most else [*self._rows[:ends], *self._rows[-ends:]]
        numbers = [all(isinstance(row[at], (int, float, type(None))) for row in rows) for at in range(len(self.columns))]
        cells = [self.columns, *(["" if value is None else str(value) for value in row] for row in rows)]
        widths = [max(len(line[at]) for line in cells) for at in range(len(self.columns))]
        lines = [
            "  ".join(text.rjust(width) if number else text.ljust(width) for text, width, number in zip(line, widths, numbers))
            for line in cells
        ]
        if len(rows) < len(self):
            lines.insert(1 + ends, "...")
            lines.append(f"{len(self)} rows")
        return "\n".join(line.rstrip() for line in lines)

    def where(self, **values: Any) -> Table:
        """The rows that have these values."""
        wanted = [(self.columns.index(column), value) for column, value in values.items()]
        return Table(self.columns, [row for row in self._rows if all(row[at] == value for at, value in wanted)])


def _numbers(texts: List[str]) -> List[Value]:
    """A column's values: numbers if all are, otherwise texts; None for empty ones."""
    for number in (int, float):
        try:
            return [number(text) if text else None for text in texts]
        except ValueError:
            pass
    return _texts(texts)


def _texts(texts: List[str]) -> List[Value]:
    return [text or None for text in texts]


def read_table(path: Path) -> Table:
    texts = TEXTS.get(path.stem, frozenset())
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        lines = csv.reader(file)
        header: List[str] = next(lines, [])
        columns = list(zip(*lines)) or [()] * len(header)
    typed = ((_texts if name in texts else _numbers)(list(values)) for name, values in zip(header, columns))
    return Table(header, list(zip(*typed)))


def flat_table(entries: Sequence[Mapping[str, Any]]) -> Table:
    """A table from mappings: nested mappings become columns with dots; lists are unchanged."""
    rows = [dict(_flat(entry, "")) for entry in entries]
    columns: Dict[str, None] = {}
    for row in rows:
        columns.update(dict.fromkeys(row))
    return Table(list(columns), [[row.get(column) for column in columns] for row in rows])


def _flat(entry: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None


def frame(table: Table) -> Frame:
    """The table as a pandas frame, if pandas is installed."""
    if not has_pandas():
        return table
    import pandas

    made = pandas.DataFrame({column: table[column] for column in table.columns}, columns=table.columns)
    for column in table.columns:
        # Integers stay integers if some are missing.
        if made[column].dtype == float and all(value is None or isinstance(value, int) for value in table[column]):
            made[column] = made[column].astype("Int64") if made[column].isna().any() else made[column].astype("int64")
    return made


class TableFolder:
    """A folder with tables as CSV files. A file is read once, when it is first used."""

    def __init__(self, folder: PathLike, *, temporary: Optional[tempfile.TemporaryDirectory[str]] = None):
        """`folder`: of `--out`. `temporary`: deleted with this object."""
        self.folder = Path(folder)
        self._temporary = temporary

    def table(self, name: str) -> Frame:
        """A CSV file of the folder, with or without `.csv`. Raises Error if there is none."""
        file = name if name.endswith(".csv") else f"{name}.csv"
        if not (self.folder / file).exists():
            there = ", ".join(sorted(path.name for path in self.folder.glob("*.csv")))
            raise Error(f"{self.folder}: there is no {file}; there are {there}")
        return frame(read_table(self.folder / file))


def tabled(name: str, rows: str) -> Any:
    """A table of a TableFolder as an attribute. `rows`: description of its rows."""

    def read(self: TableFolder) -> Frame:
        return self.table(name)

    read.__doc__ = rows
    return cached_property(read)
