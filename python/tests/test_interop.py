"""The same table in and out through pyarrow, Polars, DuckDB and pandas: nulls, dictionaries, chunks, slices, zero rows."""
import datetime
import decimal
import importlib
import itertools
import os
import unittest

import oriel

try:
    import pyarrow as pa
except ImportError:
    raise unittest.SkipTest('needs pyarrow')

ROWS = 1000


def has(module):
    try:
        importlib.import_module(module)
        return True
    except ImportError:
        return False


def make_table(count, chunks=1):
    def column(values, type_):
        return pa.array([None if (i * 7 + len(str(type_))) % 11 == 3 else v for i, v in enumerate(values)], type_)
    start = datetime.datetime(2026, 1, 1)
    table = pa.table({
        'n': pa.array(range(count), pa.int64()),
        'i': column(range(count), pa.int32()),
        'd': column([i / 4 for i in range(count)], pa.float64()),
        'b': column([i % 3 == 0 for i in range(count)], pa.bool_()),
        's': column(['\u00e9 a longer word %d' % (i % 13) if i % 2 else 'w%d' % (i % 7) for i in range(count)], pa.string()),
        'm': column([decimal.Decimal(i) / 100 for i in range(count)], pa.decimal128(12, 2)),
        'ts': column([start + datetime.timedelta(milliseconds=997 * i) for i in range(count)], pa.timestamp('ms')),
        'day': column([start.date() + datetime.timedelta(days=i) for i in range(count)], pa.date32()),
    })
    if chunks == 1 or not count:
        return table
    size = -(-count // chunks)
    return pa.concat_tables([table.slice(i, size) for i in range(0, count, size)])


def plain(table):
    """Rows that compare equal whatever engine they went through."""
    names = table.column_names
    rows = table.to_pylist()
    return names, [tuple(v if not isinstance(v, decimal.Decimal) else v.normalize() for v in row.values()) for row in rows]


# Ways in: a pyarrow.Table as something that oriel takes; ways out: what oriel gives as a pyarrow.Table.
def duckdb_relation(table):
    import duckdb
    return duckdb.connect().from_arrow(table)


def from_duckdb(result):
    import duckdb
    table = result.to_arrow()
    out = duckdb.connect().from_arrow(table).to_arrow_table() if hasattr(duckdb.DuckDBPyRelation, 'to_arrow_table') else duckdb.connect().from_arrow(table).arrow()
    return out.read_all() if isinstance(out, pa.RecordBatchReader) else out


WAYS_IN = {'pyarrow': lambda t: t, 'reader': lambda t: t.to_reader()}
WAYS_OUT = {'pyarrow': lambda r: r.to_arrow()}
if has('polars'):
    import polars
    WAYS_IN['polars'] = polars.from_arrow
    WAYS_OUT['polars'] = lambda r: r.to_polars().to_arrow()
if has('duckdb'):
    WAYS_IN['duckdb'] = duckdb_relation
    WAYS_OUT['duckdb'] = from_duckdb
if has('pandas'):
    WAYS_IN['pandas'] = lambda t: t.to_pandas(types_mapper=__import__('pandas').ArrowDtype)
    WAYS_OUT['pandas'] = lambda r: pa.Table.from_pandas(r.to_arrow().to_pandas(types_mapper=__import__('pandas').ArrowDtype), preserve_index=False)


class Pairs(unittest.TestCase):
    def check(self, table, way_in, way_out, columns='*'):
        with self.subTest(way_in=way_in, way_out=way_out, rows=table.num_rows):
            result = oriel.sql('SELECT %s FROM t' % columns, t=WAYS_IN[way_in](table))
            self.assertEqual(plain(WAYS_OUT[way_out](result)), plain(table))

    def test_every_pair(self):
        for way_in, way_out in itertools.product(WAYS_IN, WAYS_OUT):
            self.check(make_table(ROWS), way_in, way_out)

    def test_shapes(self):
        for way_in in WAYS_IN:
            self.check(make_table(0), way_in, 'pyarrow')
            self.check(make_table(ROWS, chunks=7), way_in, 'pyarrow')
            self.check(make_table(ROWS).slice(13, 301), way_in, 'pyarrow')
            self.check(make_table(ROWS, chunks=3).slice(331, 5), way_in, 'pyarrow')

    def test_dictionaries(self):
        words = pa.chunked_array([pa.array(['x', None, 'a text of more than twelve bytes', 'x']).dictionary_encode(), pa.array(['b', 'x']).dictionary_encode()])
        table = pa.table({'k': words})
        for way_in in WAYS_IN:
            with self.subTest(way_in=way_in):
                got = oriel.sql('SELECT k FROM t', t=WAYS_IN[way_in](table)).to_arrow()
                self.assertEqual(got['k'].to_pylist(), words.to_pylist())
        if has('polars'):
            got = oriel.sql('SELECT c FROM t', t=polars.DataFrame({'c': polars.Series(['x', None, 'y'], dtype=polars.Categorical)}))
            self.assertEqual(got.to_arrow()['c'].to_pylist(), ['x', None, 'y'])

    def test_nested(self):
        table = pa.table({'l': pa.array([[1, None], None, [], [3]] * 5, pa.list_(pa.int64())),
                          'r': pa.array([{'a': 1, 'b': ['x']}, None, {'a': None, 'b': None}, {'a': 4, 'b': []}] * 5),
                          'f': pa.array([[1, 2], None, [3, 4], [5, 6]] * 5, pa.list_(pa.int32(), 2)),
                          'm': pa.array([[('k', 1)], None, [], [('x', None), ('y', 2)]] * 5, pa.map_(pa.string(), pa.int32()))})
        for part in (table, table.slice(3, 9), pa.concat_tables([table.slice(1, 2), table.slice(7, 6)])):
            for way_in in ('pyarrow', 'reader'):
                got = oriel.sql('SELECT * FROM t', t=WAYS_IN[way_in](part)).to_arrow()
                self.assertEqual(got.to_pylist(), part.to_pylist())
        if has('polars'):
            frame = polars.from_arrow(table.select(['l', 'r']))
            self.assertEqual(oriel.sql('SELECT * FROM t', t=frame).to_polars().to_dicts(), frame.to_dicts())

    def test_windows_over_each(self):
        table = make_table(ROWS)
        query = ("SELECT window_start, COUNT(*) AS c, SUM(m) AS s FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end")
        filled = table.filter(pa.compute.is_valid(table['ts'])) if hasattr(pa, 'compute') else table
        want = oriel.sql(query, t=filled).to_pylist()
        self.assertEqual(sum(row['c'] for row in want), filled.num_rows)
        for way_in in WAYS_IN:
            with self.subTest(way_in=way_in):
                self.assertEqual(oriel.sql(query.replace('TABLE t', 'TABLE u').replace(' FROM ', ' FROM ', 1), u=WAYS_IN[way_in](filled)).to_pylist(), want)

    @unittest.skipUnless(os.environ.get('ORIEL_SLOW_TESTS'), 'needs 5 GB: set ORIEL_SLOW_TESTS')
    def test_strings_of_two_gigabytes(self):
        text = 'x' * (1 << 20)
        big = pa.chunked_array([pa.array([text] * 1500)] * 2)  # 3 GB in two chunks
        got = oriel.sql('SELECT s FROM t WHERE n >= 0', t=pa.table({'s': big, 'n': pa.array(range(3000))}))
        self.assertEqual(sum(len(chunk) for chunk in got.to_arrow()['s'].chunks), 3000)
        huge = pa.array(['y' * ((1 << 31) + 5)], pa.large_string())
        with self.assertRaisesRegex(oriel.Error, '2 GiB'):
            oriel.sql('SELECT s FROM t', t=pa.table({'s': huge}))


import pyarrow.compute  # noqa: E402

if __name__ == '__main__':
    unittest.main()
