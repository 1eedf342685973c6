"""The package from outside: tables in and out, errors, threads, signals, windows of arrays; and all doctests."""
import array
import datetime
import doctest
import gc
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import oriel

try:
    import numpy
    import pyarrow as pa
except ImportError:
    numpy = pa = None

NEEDS_PYARROW = unittest.skipUnless(pa, 'needs pyarrow and numpy')
SLOW_QUERY = ("CREATE VIEW n AS SELECT 1 AS x %s; CREATE VIEW m AS SELECT a.x FROM n a, n b, n c;"
              "SELECT COUNT(*) FROM m a, m b, m c WHERE a.x + b.x + c.x < 0" % ('UNION ALL SELECT 2 ' * 19))


def load_tests(loader, tests, pattern):
    for name in ('_connection', '_errors', '_result', '_windows') if pa else ():
        tests.addTests(doctest.DocTestSuite(importlib.import_module('oriel.' + name), extraglobs={'oriel': oriel}))
    return tests


class Results(unittest.TestCase):
    def test_repr(self):
        self.assertEqual(repr(oriel.sql("SELECT 'a\tb' AS s, CAST(NULL AS INT) AS n")), textwrap.dedent('''\
            s                | n
            CHAR(3) NOT NULL | INT
            -----------------+-----
            a\\x09b           | NULL
            (1 row)'''))
        self.assertEqual(repr(oriel.sql("SET 'x' = 'y'")), '(done)')
        many = oriel.sql('SELECT * FROM (VALUES %s) AS t(n)' % ', '.join('(%d)' % i for i in range(30)))
        self.assertIn('(30 rows, the first 10 shown)', repr(many))
        self.assertEqual(repr(oriel.sql('SELECT * FROM (VALUES (1)) AS t(x) WHERE x > 1')).split('\n')[-1], '(0 rows)')

    @NEEDS_PYARROW
    def test_forms(self):
        result = oriel.sql("SELECT * FROM (VALUES (1, 'x', ARRAY[1, 2]), (2, CAST(NULL AS STRING), CAST(NULL AS ARRAY<INT>))) AS t(n, s, l)")
        rows = [{'n': 1, 's': 'x', 'l': [1, 2]}, {'n': 2, 's': None, 'l': None}]
        self.assertEqual(result.to_arrow().to_pylist(), rows)
        self.assertEqual(pa.schema(result).names, ['n', 's', 'l'])
        self.assertEqual(list(result), rows)
        self.assertEqual((result.columns, len(result), result.row_count), (['n', 's', 'l'], 2, 2))
        self.assertEqual(oriel.sql('SELECT SUM(n) AS s FROM t', t=result).to_pylist(), [{'s': 3}])
        for method, module in (('to_pandas', 'pandas'), ('to_polars', 'polars')):
            try:
                importlib.import_module(module)
            except ImportError:
                continue
            self.assertEqual(len(getattr(result, method)()), 2)

    @NEEDS_PYARROW
    def test_results_outlive_everything(self):
        with oriel.connect() as connection:
            table = connection.sql("SELECT 'a text of more than twelve bytes' AS s").to_arrow()
            column = table['s']
        del table, connection
        gc.collect()
        self.assertEqual(column.to_pylist(), ['a text of more than twelve bytes'])


class Tables(unittest.TestCase):
    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'orders.csv')
            with open(path, 'w') as file:
                file.write('1,seoul\n2,busan\n')
            result = oriel.sql('SELECT id FROM o WHERE shop = \'busan\'', o=oriel.File(path, 'id INT, shop STRING'))
            self.assertIn(' 2\n(1 row)', repr(result))
            if pa:
                import pathlib
                import pyarrow.parquet
                parquet = pathlib.Path(folder) / 'x.parquet'
                pa.parquet.write_table(pa.table({'a': [1, 2, 3]}), parquet)
                self.assertEqual(oriel.sql('SELECT SUM(a) AS s FROM x JOIN (SELECT a AS b FROM x) ON a = b', x=parquet).to_pylist(), [{'s': 6}])

    @NEEDS_PYARROW
    def test_batches_and_once(self):
        batch = pa.record_batch({'a': [1, 2]})
        self.assertEqual(oriel.sql('SELECT SUM(a) AS s FROM t', t=batch).to_pylist(), [{'s': 3}])
        with oriel.connect() as connection:
            connection.register('t', batch, once=True)
            connection.sql('SELECT * FROM t')
            with self.assertRaisesRegex(oriel.InvalidError, 'once'):
                connection.sql('SELECT * FROM t')

    def test_what_is_no_table(self):
        with self.assertRaisesRegex(TypeError, "table 't' is a int"):
            oriel.sql('SELECT * FROM t', t=5)
        with self.assertRaisesRegex(oriel.InputOutputError, 'nowhere.csv'):
            oriel.sql('SELECT * FROM t', t='nowhere.csv')
        with self.assertRaises(oriel.InputOutputError):
            oriel.sql('SELECT * FROM t', t=oriel.File('nowhere.csv', 'a INT'))
        if pa:
            with self.assertRaisesRegex(oriel.UnsupportedError, "'u'"):
                oriel.sql('SELECT * FROM t', t=pa.table({'u': pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])}))

    @NEEDS_PYARROW
    def test_streams_that_fail(self):
        def batches():
            yield pa.record_batch({'a': [1]})
            raise ValueError('half way')
        reader = pa.RecordBatchReader.from_batches(pa.schema({'a': pa.int64()}), batches())
        with self.assertRaisesRegex(oriel.InputOutputError, 'half way'):
            oriel.sql('SELECT * FROM t', t=reader)


class Errors(unittest.TestCase):
    def test_places(self):
        with self.assertRaises(oriel.InvalidError) as caught:
            oriel.sql('SELECT 1 AS x;\n SELECT nope')
        error = caught.exception
        self.assertEqual((error.source, error.line, error.column, error.excerpt_column, error.excerpt), ('script', 2, 9, 9, ' SELECT nope'))
        self.assertTrue(str(error).startswith('script:2:9: '), str(error))
        self.assertTrue(str(error).endswith('\n   SELECT nope\n          ^'), str(error))

    def test_kinds(self):
        for sql, kind, base in (('SELECT FROM', oriel.SqlSyntaxError, Exception), ('SELECT 1 / 0', oriel.EvaluationError, oriel.Error),
                                ('SHOW CREATE MODEL m', oriel.UnsupportedError, NotImplementedError)):
            with self.assertRaises(kind) as caught:
                oriel.sql(sql)
            self.assertIsInstance(caught.exception, base)
        with self.assertRaises(oriel.ArgumentError):
            oriel.connect(isa='pdp11')
        with self.assertRaises(MemoryError):
            oriel.connect(memory_limit=10000).sql(SLOW_QUERY)
        with self.assertRaises(ValueError):
            oriel.sql('')
        connection = oriel.connect()
        connection.close()
        with self.assertRaisesRegex(ValueError, 'closed'):
            connection.sql('SELECT 1')


class Threads(unittest.TestCase):
    def test_other_threads_run_and_cancel(self):
        """The query does not hold the GIL: another thread counts, looks and stops it."""
        with oriel.connect(threads=1) as connection:
            counted = []

            def stop():
                for i in range(20):
                    counted.append(i)
                    time.sleep(0.005)
                counted.append(connection.progress)
                connection.cancel()

            other = threading.Thread(target=stop)
            other.start()
            with self.assertRaises(oriel.CancelledError):
                connection.sql(SLOW_QUERY)
            other.join()
            self.assertEqual(len(counted), 21)
            self.assertEqual(repr(connection.sql('SELECT 1 AS x')).split('\n')[-1], '(1 row)')

    def test_interrupt(self):
        program = 'import oriel, sys\nprint("go", flush=True)\ntry:\n    oriel.sql(%r)\nexcept KeyboardInterrupt:\n    print("stopped")' % SLOW_QUERY
        child = subprocess.Popen([sys.executable, '-c', program], stdout=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), 'go\n')
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.communicate(timeout=60)[0], 'stopped\n')
        self.assertEqual(child.returncode, 0)

    def test_engines_side_by_side(self):
        failed = []

        def run():
            if repr(oriel.sql('SELECT 40 + 2 AS x')).split('\n')[3].strip() != '42':
                failed.append(1)

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])


class Windows(unittest.TestCase):
    def test_buffers(self):
        times = array.array('q', [-1, 0, 61_000])
        self.assertEqual(oriel.tumble(times, datetime.timedelta(minutes=1)).tolist(), [-60_000, 0, 60_000])
        self.assertEqual(oriel.tumble(times, 60_000, 1).tolist(), [-59_999, -59_999, 60_001])
        self.assertEqual(oriel.hop(times, 4, 2).tolist(), [-4, -2, -2, 0, 60_998, 61_000])
        self.assertEqual(oriel.tumble(array.array('q'), 5).tolist(), [])
        ids, starts, ends = oriel.session(times, 10)
        self.assertEqual((ids.tolist(), starts.tolist(), ends.tolist()), ([0, 0, 1], [-1, 61_000], [10, 61_010]))

    def test_mistakes(self):
        with self.assertRaises(TypeError):
            oriel.tumble(array.array('i', [1]), 5)
        with self.assertRaises(oriel.ArgumentError):
            oriel.tumble(array.array('q', [1]), 0)
        with self.assertRaisesRegex(ValueError, 'multiple'):
            oriel.hop(array.array('q', [1]), 5, 2)
        with self.assertRaisesRegex(ValueError, '1 keys for 2 times'):
            oriel.session(array.array('q', [1, 2]), 5, keys='a')

    @NEEDS_PYARROW
    def test_numpy_and_arrow(self):
        stamps = numpy.array(['2026-01-01T00:00:01', '2026-01-01T00:01:59'], dtype='datetime64[us]')
        starts = oriel.tumble(stamps, 60_000)
        self.assertEqual(starts.dtype, numpy.dtype('datetime64[ms]'))
        self.assertEqual(starts.astype(str).tolist(), ['2026-01-01T00:00:00.000', '2026-01-01T00:01:00.000'])
        self.assertEqual(oriel.tumble(numpy.array([5, 17])[::-1], 10).tolist(), [10, 0])
        with self.assertRaises(TypeError):
            oriel.tumble(numpy.array([1.5]), 10)
        column = pa.chunked_array([pa.array(stamps[:1]), pa.array(stamps[1:])])
        self.assertEqual(oriel.tumble(column, 60_000), pa.array(starts))
        self.assertEqual(oriel.tumble(pa.array([99, 5, 17])[1:], 10).to_pylist(), [0, 10])
        with self.assertRaisesRegex(ValueError, 'NULL'):
            oriel.tumble(pa.array([1, None]), 10)
        with self.assertRaises(TypeError):
            oriel.tumble(pa.array(['x']), 10)
        rows, starts, ends = oriel.cumulate(pa.array([7]), 15, 5)
        self.assertEqual((rows.to_pylist(), starts.to_pylist(), ends.to_pylist()), ([0, 0], [0, 0], [10, 15]))
        ids, _, _ = oriel.session(pa.array([1, 2, 30]), 5, keys=pa.array(['x', 'y', 'x']))
        self.assertEqual(ids.to_pylist(), [0, 2, 1])
        try:
            import polars
        except ImportError:
            return
        series = polars.Series([datetime.datetime(2026, 1, 1, 0, 1, 59)])
        self.assertEqual(oriel.tumble(series, 60_000).to_list(), [datetime.datetime(2026, 1, 1, 0, 1)])


if __name__ == '__main__':
    unittest.main()
