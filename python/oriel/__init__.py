"""Oriel: Flink's windowing SQL over tables in memory and files.

`oriel.sql` runs a query over anything that speaks Arrow; `oriel.connect` opens an engine that keeps tables and
settings; `oriel.tumble`, `hop`, `cumulate` and `session` give the windows of arrays of times.
"""
from . import _oriel
from ._connection import Connection, File, Progress, connect, sql
from ._errors import (ArgumentError, CancelledError, DataError, Error, EvaluationError, InputOutputError, InternalError, InvalidError,
                      OutOfMemoryError, SqlSyntaxError, UnsupportedError)
from ._result import Result
from ._windows import cumulate, hop, session, tumble

__version__: str = _oriel.version

__all__ = [
    'ArgumentError', 'CancelledError', 'Connection', 'DataError', 'Error', 'EvaluationError', 'File', 'InputOutputError', 'InternalError',
    'InvalidError', 'OutOfMemoryError', 'Progress', 'Result', 'SqlSyntaxError', 'UnsupportedError', 'connect', 'cumulate', 'hop', 'session',
    'sql', 'tumble',
]
