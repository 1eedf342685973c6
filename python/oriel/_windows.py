"""Windows of arrays of times, without SQL."""
from __future__ import annotations

import datetime
import sys
from typing import Any

from . import _oriel
from ._errors import translated


def _ms(length: 'int | datetime.timedelta') -> int:
    if isinstance(length, datetime.timedelta):
        return (length.days * 86_400_000) + length.seconds * 1000 + length.microseconds // 1000
    return int(length)


class _Times:
    """Times as milliseconds in a buffer, and how to give results back in the form of the input."""

    def __init__(self, times: Any) -> None:
        self._numpy = sys.modules.get('numpy')
        self._as_times = False
        self._pyarrow_type = None
        if self._numpy is not None and isinstance(times, self._numpy.ndarray):
            self._kind = 'numpy'
            if times.dtype.kind == 'M':
                self._as_times = True
                times = times.astype('datetime64[ms]').view('int64')
            elif times.dtype != self._numpy.int64:
                raise TypeError('times must be int64 or datetime64, not %s' % times.dtype)
            self.buffer = memoryview(self._numpy.ascontiguousarray(times)).cast('B')
        elif hasattr(times, '__arrow_c_stream__') or hasattr(times, '__arrow_c_array__'):
            self._from_arrow(times)
        else:
            self._kind = 'memoryview'
            view = memoryview(times)
            if view.itemsize != 8 or view.format not in ('q', 'l'):
                raise TypeError("times must be int64, not of the format '%s'" % view.format)
            self.buffer = view.cast('B')
        self.count = len(self.buffer) // 8

    def _from_arrow(self, times: Any) -> None:
        self._kind = type(times).__module__.split('.')[0]
        if hasattr(times, '__arrow_c_stream__'):
            capsule = times.__arrow_c_stream__()
        else:
            capsule = _oriel.Engine.stream_of_array(*times.__arrow_c_array__())
        parts, form = _oriel.import_times(capsule)
        self._as_times = form.startswith('ts')
        self.buffer = memoryview(b''.join(parts))

    def result(self, buffer: 'bytearray', count: int, code: str = 'q') -> Any:
        """The first `count` values of `buffer`; with code 'q' they are times."""
        size = 8 if code == 'q' else 4
        view = memoryview(buffer)[:count * size].cast(code)
        as_times = self._as_times and code == 'q'
        if self._kind == 'numpy':
            array = self._numpy.frombuffer(view, dtype='int64' if code == 'q' else 'uint32') if count else self._numpy.empty(0, dtype='int64' if code == 'q' else 'uint32')
            return array.view('datetime64[ms]') if as_times else array
        if self._kind == 'pyarrow':
            import pyarrow
            form = pyarrow.timestamp('ms') if as_times else pyarrow.int64() if code == 'q' else pyarrow.uint32()
            return pyarrow.Array.from_buffers(form, count, [None, pyarrow.py_buffer(view.cast('B'))])
        if self._kind == 'polars':
            import polars
            series = polars.Series(view.tolist(), dtype=polars.Int64 if code == 'q' else polars.UInt32)
            return series.cast(polars.Datetime('ms')) if as_times else series
        return view


def tumble(times: Any, size: 'int | datetime.timedelta', offset: 'int | datetime.timedelta' = 0) -> Any:
    """The start of the TUMBLE window of each time; it ends at start + size.

    `times`: int64 milliseconds or timestamps, without NULLs: a numpy array, an Arrow array (pyarrow, Polars ...) or
    anything with the buffer protocol. `size`, `offset`: milliseconds or a timedelta. The result has the form of `times`
    (timestamps in milliseconds; a memoryview for other buffers).

    >>> import array
    >>> oriel.tumble(array.array('q', [-1, 0, 599_999, 600_000]), 600_000).tolist()
    [-600000, 0, 0, 600000]
    """
    given = _Times(times)
    starts = bytearray(given.count * 8)
    with translated():
        _oriel.tumble(given.buffer, _ms(size), _ms(offset), starts)
    return given.result(starts, given.count)


def hop(times: Any, size: 'int | datetime.timedelta', slide: 'int | datetime.timedelta', offset: 'int | datetime.timedelta' = 0) -> Any:
    """The starts of the HOP windows of each time, ascending: those of time i are [i * n : (i + 1) * n], n = size / slide.

    >>> import array
    >>> oriel.hop(array.array('q', [5, 12]), size=10, slide=5).tolist()
    [0, 5, 5, 10]
    """
    given = _Times(times)
    size, slide = _ms(size), _ms(slide)
    count = given.count * (size // slide) if slide > 0 and size > 0 else 0
    starts = bytearray(count * 8)
    with translated():
        _oriel.hop(given.buffer, size, slide, _ms(offset), starts)
    return given.result(starts, count)


def cumulate(times: Any, size: 'int | datetime.timedelta', step: 'int | datetime.timedelta', offset: 'int | datetime.timedelta' = 0) -> 'tuple[Any, Any, Any]':
    """The CUMULATE windows of each time: three arrays with the row, the start and the end of each window.

    >>> import array
    >>> rows, starts, ends = oriel.cumulate(array.array('q', [3, 12]), size=15, step=5)
    >>> list(zip(rows, starts, ends))
    [(0, 0, 5), (0, 0, 10), (0, 0, 15), (1, 0, 15)]
    """
    given = _Times(times)
    size, step = _ms(size), _ms(step)
    count = given.count * (size // step) if step > 0 and size > 0 else 0
    rows, starts, ends = bytearray(count * 4), bytearray(count * 8), bytearray(count * 8)
    with translated():
        count = _oriel.cumulate(given.buffer, size, step, _ms(offset), rows, starts, ends)
    return given.result(rows, count, 'I'), given.result(starts, count), given.result(ends, count)


def session(times: Any, gap: 'int | datetime.timedelta', keys: Any = None) -> 'tuple[Any, Any, Any]':
    """Sessions: the number of each row's session, and the start and the end of each session. Rows may come in any order.

    `keys`: anything to group by, one for each time (a sequence of hashable values); sessions are numbered in the order
    in which keys first appear, then by time.

    >>> import array
    >>> ids, starts, ends = oriel.session(array.array('q', [100, 0, 5, 200]), gap=10, keys='aabb')
    >>> ids.tolist(), starts.tolist(), ends.tolist()
    ([1, 0, 2, 3], [0, 100, 5, 200], [10, 110, 15, 210])
    """
    given = _Times(times)
    codes = None
    if keys is not None:
        numbers: 'dict[Any, int]' = {}
        values = keys.to_pylist() if hasattr(keys, 'to_pylist') else keys.tolist() if hasattr(keys, 'tolist') else keys
        import array
        codes = array.array('I', [numbers.setdefault(key, len(numbers)) for key in values])
        if len(codes) != given.count:
            raise ValueError('there are %d keys for %d times' % (len(codes), given.count))
    ids, starts, ends = bytearray(given.count * 4), bytearray(given.count * 8), bytearray(given.count * 8)
    with translated():
        count = _oriel.session(given.buffer, codes, _ms(gap), ids, starts, ends)
    return given.result(ids, given.count, 'I'), given.result(starts, count), given.result(ends, count)
