"""Rows of a query."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator

from . import _oriel
from ._errors import translated

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_SHOWN_ROWS = 10
_SHOWN_WIDTH = 40


def _show(value: Any) -> str:
    text = 'NULL' if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = ''.join(c if c.isprintable() else '\\x%02x' % ord(c) for c in text)
    return text if len(text) <= _SHOWN_WIDTH else text[:_SHOWN_WIDTH - 3] + '...'


class Result:
    """The rows of a query, in memory; everything that reads Arrow takes it as a table.

    >>> import oriel
    >>> rows = oriel.sql("SELECT * FROM (VALUES (1, 'one'), (2, CAST(NULL AS STRING))) AS t(n, word)")
    >>> rows
    n            | word
    INT NOT NULL | STRING
    -------------+-------
               1 | one
               2 | NULL
    (2 rows)
    >>> rows.columns, len(rows)
    (['n', 'word'], 2)
    >>> rows.to_pylist()
    [{'n': 1, 'word': 'one'}, {'n': 2, 'word': None}]
    """

    def __init__(self, batches: '_oriel.Batches | None', types: 'list[str]', row_count: int) -> None:
        self._batches = batches
        self._types = types
        self._row_count = row_count
        self._names: 'list[str] | None' = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._kept().stream()

    def __arrow_c_schema__(self) -> object:
        return self._kept().schema()

    def _kept(self) -> '_oriel.Batches':
        if self._batches is None:
            raise ValueError('the statement gave no rows')
        return self._batches

    def __len__(self) -> int:
        return self._kept().row_count() if self._batches is not None else 0

    @property
    def row_count(self) -> int:
        """Rows of a query; of an INSERT, rows written."""
        return len(self) if self._batches is not None else self._row_count

    @property
    def types(self) -> 'list[str]':
        """The SQL types of the columns, as Flink writes them."""
        return list(self._types)

    @property
    def columns(self) -> 'list[str]':
        """The names of the columns."""
        if self._names is None:
            self._names = [row['name'] for row in self._rows('DESCRIBE t')] if self._batches is not None else []
        return list(self._names)

    def _rows(self, query: str) -> 'list[dict[str, Any]]':
        """Runs a query over these rows as table t; numbers come as they are printed."""
        engine = _oriel.Engine(_oriel.Batches, threads=1)
        with translated():
            engine.register_stream('t', self._kept().stream(), True)
            lines = engine.text(query, 2)
        engine.close()
        return [json.loads(line, parse_float=str, parse_int=str) for line in lines.split('\n') if line]

    def __repr__(self) -> str:
        if self._batches is None:
            return '(%d rows written)' % self._row_count if self._row_count else '(done)'
        count = len(self)
        columns = self.columns
        rows = [[_show(row[name]) for name in columns] for row in self._rows('SELECT * FROM t LIMIT %d' % _SHOWN_ROWS)] if count else []
        heads = [columns, self.types]
        numbers = [t.split('(')[0].split(' ')[0] in ('TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'FLOAT', 'DOUBLE', 'DECIMAL') for t in self.types]
        widths = [max(len(row[i]) for row in heads + rows) for i in range(len(columns))]
        lines = [' | '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in heads]
        lines.append('-+-'.join('-' * width for width in widths))
        lines += [' | '.join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(row, widths, numbers)).rstrip()
                  for row in rows]
        lines.append('(%d row%s%s)' % (count, '' if count == 1 else 's', ', the first %d shown' % len(rows) if count > len(rows) else ''))
        return '\n'.join(lines)

    def to_arrow(self) -> 'pyarrow.Table':
        """A pyarrow.Table over the same memory."""
        import pyarrow
        return pyarrow.table(self)

    def to_polars(self) -> 'polars.DataFrame':
        """A polars.DataFrame."""
        import polars
        return polars.DataFrame(self)

    def to_pandas(self) -> 'pandas.DataFrame':
        """A pandas.DataFrame, by way of pyarrow."""
        return self.to_arrow().to_pandas()

    def to_pylist(self) -> 'list[dict[str, Any]]':
        """A list of dictionaries, by way of pyarrow."""
        return self.to_arrow().to_pylist()

    def __iter__(self) -> 'Iterator[dict[str, Any]]':
        return iter(self.to_pylist())
