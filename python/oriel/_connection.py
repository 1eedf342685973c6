"""Engines: tables and settings that last over several scripts."""
from __future__ import annotations

import os
from typing import Any, NamedTuple

from . import _oriel
from ._errors import CancelledError, translated
from ._result import Result


class Progress(NamedTuple):
    """What the running script, or the last one, has done."""
    rows: int
    bytes: int
    bytes_total: int
    peak_memory_bytes: int


class File(NamedTuple):
    """A file with the columns that it has, as between the parentheses of CREATE TABLE.

    >>> oriel.File('orders.csv', 'id BIGINT, shop STRING, ts TIMESTAMP(3)').columns
    'id BIGINT, shop STRING, ts TIMESTAMP(3)'
    """
    path: 'str | os.PathLike[str]'
    columns: 'str | None' = None


def _parquet_stream(path: str) -> object:
    try:
        import pyarrow.dataset
    except ImportError as error:
        raise ImportError("reading '%s' needs pyarrow" % path) from error
    form = 'parquet' if path.endswith('.parquet') else 'ipc'
    return pyarrow.dataset.dataset(path, format=form).scanner().to_reader().__arrow_c_stream__()


class Connection:
    """An engine with its tables, views and settings. Made by `oriel.connect`; closed by `with` or `close`.

    One thread at a time uses it; only `cancel` and `progress` may be called meanwhile.

    >>> with oriel.connect(threads=2) as connection:
    ...     connection.set('table.local-time-zone', 'Asia/Seoul')
    ...     results = connection.execute("CREATE VIEW v AS SELECT 1 AS x; SELECT x + 1 AS y FROM v; SHOW VIEWS")
    ...     [result.to_pylist() for result in results[1:]]
    [[{'y': 2}], [{'view name': 'v'}]]
    """

    def __init__(self, threads: int = 0, memory_limit: int = 0, isa: 'str | None' = None, temp_dir: 'str | None' = None, batch_rows: int = 0) -> None:
        with translated():
            self._engine = _oriel.Engine(_oriel.Batches, threads, memory_limit, isa, temp_dir, batch_rows)

    def __enter__(self) -> 'Connection':
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the engine with its tables; results stay."""
        self._engine.close()

    def set(self, key: str, value: str) -> None:
        """SET 'key' = 'value'."""
        self.execute("SET '%s' = '%s'" % (key.replace("'", "''"), str(value).replace("'", "''")))

    def register(self, name: str, table: Any, once: bool = False) -> None:
        """Adds a table: an object with `__arrow_c_stream__` or `__arrow_c_array__` (pyarrow, Polars, DuckDB, pandas,
        nanoarrow, a Result), which is read where it is, or the path of a file (a str, a Path or an `oriel.File`).

        With `once` a stream may be read by one query only, and its batches are freed as they are read.

        >>> import pyarrow
        >>> with oriel.connect() as connection:
        ...     connection.register('bids', pyarrow.table({'price': [3, 4]}))
        ...     connection.sql('SELECT SUM(price) AS s FROM bids').to_pylist()
        [{'s': 7}]
        """
        if isinstance(table, (str, os.PathLike)):
            table = File(table)
        if isinstance(table, File):
            self._register_file(name, os.fspath(table.path), table.columns)
            return
        if hasattr(table, '__arrow_c_stream__'):
            capsule = table.__arrow_c_stream__()
        elif hasattr(table, '__arrow_c_array__'):
            capsule = _oriel.Engine.stream_of_array(*table.__arrow_c_array__())
        else:
            raise TypeError("table '%s' is a %s, which is neither a path nor has __arrow_c_stream__" % (name, type(table).__name__))
        with translated():
            self._engine.register_stream(name, capsule, not once)

    def _register_file(self, name: str, path: str, columns: 'str | None') -> None:
        if path.endswith(('.parquet', '.arrow', '.feather')) and columns is None:
            capsule = _parquet_stream(path)
            with translated():
                self._engine.register_stream(name, capsule, True)
            return
        with translated():
            self._engine.register_file(name, path, columns)

    def execute(self, script: str, **tables: Any) -> 'list[Result]':
        """Runs all statements of a script, and returns what each gave."""
        for name, table in tables.items():
            self.register(name, table)
        try:
            with translated():
                outcomes = self._engine.run(script, 'script')
        except CancelledError:
            self._engine.resume()
            raise
        return [Result(batches, types.split('\n')[:-1], row_count) for _, row_count, batches, types in outcomes]

    def sql(self, query: str, **tables: Any) -> Result:
        """Runs a script, and returns what its last query gave (its last statement, if it has none)."""
        results = self.execute(query, **tables)
        if not results:
            raise ValueError('the script has no statement')
        return next((result for result in reversed(results) if result._batches is not None), results[-1])

    def cancel(self) -> None:
        """Stops the script that another thread runs here, which gets a CancelledError."""
        self._engine.cancel()

    @property
    def progress(self) -> Progress:
        """How far the running script is; any thread may ask."""
        return Progress(*self._engine.progress())


def connect(threads: int = 0, memory_limit: int = 0, isa: 'str | None' = None, temp_dir: 'str | None' = None, batch_rows: int = 0) -> Connection:
    """Opens an engine.

    `threads`: at most so many (default: all cores); `memory_limit`: bytes, beyond which files in `temp_dir` are used;
    `isa`: an instruction set such as 'x86-64-v2' (default: the best); `batch_rows`: rows of a batch.
    """
    return Connection(threads, memory_limit, isa, temp_dir, batch_rows)


def sql(query: str, **tables: Any) -> Result:
    """Runs a query over tables, with an engine of its own.

    >>> import pyarrow, datetime
    >>> times = [datetime.datetime(2026, 1, 1, 9, minute) for minute in (1, 4, 12)]
    >>> bids = pyarrow.table({'price': [3, 4, 5], 'ts': pyarrow.array(times, pyarrow.timestamp('ms'))})
    >>> oriel.sql("SELECT window_start, SUM(price) AS total FROM TUMBLE(TABLE bids, DESCRIPTOR(ts),"
    ...           " INTERVAL '10' MINUTE) GROUP BY window_start, window_end", bids=bids)
    window_start            | total
    TIMESTAMP(3) NOT NULL   | BIGINT
    ------------------------+-------
    2026-01-01 09:00:00.000 |      7
    2026-01-01 09:10:00.000 |      5
    (2 rows)
    """
    with connect() as connection:
        return connection.sql(query, **tables)
