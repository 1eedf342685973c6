"""Errors of the engine as exceptions."""
from __future__ import annotations

import contextlib
from typing import Iterator

from . import _oriel


class Error(Exception):
    """What every error of Oriel is.

    Attributes say where: `source` (the script or file), `line` and `column` (from 1; 0: unknown), and `excerpt`, the
    line of SQL with the mistake at `excerpt_column`.

    >>> import oriel
    >>> try:
    ...     oriel.sql("SELECT 1 AS x\\nFROM nowhere")
    ... except oriel.InvalidError as error:
    ...     print(error.line, error.column)
    2 6
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, source: str = '', excerpt_column: int = 0, excerpt: str = '') -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.source = source
        self.excerpt_column = excerpt_column
        self.excerpt = excerpt

    def __str__(self) -> str:
        place = ''.join('%s:' % part for part in (self.source, self.line, self.column) if part)
        text = '%s %s' % (place, self.message) if place else self.message
        if self.excerpt:
            text += '\n  %s\n  %s^' % (self.excerpt, ' ' * (self.excerpt_column - 1))
        return text


class ArgumentError(Error, ValueError):
    """A call with a wrong argument."""


class SqlSyntaxError(Error):
    """Text that is no SQL."""


class InvalidError(Error):
    """SQL with a mistake: names, types, parameters."""


class UnsupportedError(Error, NotImplementedError):
    """Right SQL that this version cannot run."""


class DataError(Error, ValueError):
    """The content of a table is wrong."""


class EvaluationError(Error):
    """An expression failed on a row, such as a division by zero."""


class InputOutputError(Error, OSError):
    """The operating system refused, or a stream failed."""

    def __str__(self) -> str:
        return Error.__str__(self)


class OutOfMemoryError(Error, MemoryError):
    """The memory limit is reached."""


class CancelledError(Error):
    """`Connection.cancel` was called."""


class InternalError(Error):
    """A fault of the library."""


# By the number of the status in include/oriel/error.h.
_CLASSES = {2: ArgumentError, 3: SqlSyntaxError, 4: InvalidError, 5: UnsupportedError, 6: DataError, 7: EvaluationError,
            8: InputOutputError, 9: OutOfMemoryError, 10: CancelledError, 11: InternalError}


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Turns a failure of the extension module into one of these."""
    try:
        yield
    except _oriel.Failure as failure:
        status, *rest = failure.args
        error = _CLASSES.get(status, InternalError)(*rest)
    else:
        return
    raise error from None
