#!/usr/bin/env python3
"""Parquet and Arrow files out: -o and INSERT INTO, read back by pyarrow and by the program."""
import datetime
import decimal
import os
import unittest

from files_case import FilesTest, pa

QUERY = '''SELECT * FROM (VALUES
  (1, CAST(1 AS BIGINT), 'text', 'a text of more than twelve bytes', 1.5E0, CAST(2.50 AS DECIMAL(10, 2)), TRUE, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:34:56.789'),
  (2, CAST(NULL AS BIGINT), CAST(NULL AS STRING), '', CAST(NULL AS DOUBLE), CAST(NULL AS DECIMAL(10, 2)), CAST(NULL AS BOOLEAN), CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP(3)))
) AS v (i, l, s, t, d, m, b, dy, ts)'''
ROWS = [
    {'i': 1, 'l': 1, 's': 'text', 't': 'a text of more than twelve bytes', 'd': 1.5, 'm': decimal.Decimal('2.50'), 'b': True, 'dy': datetime.date(2024, 2, 29),
     'ts': datetime.datetime(2024, 2, 29, 12, 34, 56, 789000)},
    {'i': 2, 'l': None, 's': None, 't': '', 'd': None, 'm': None, 'b': None, 'dy': None, 'ts': None},
]


class Output(FilesTest):
    def test_values(self):
        for name in ('x.parquet', 'x.arrow'):
            self.assertEqual(self.run_sql(QUERY, '-o', name), '')
            table = self.read(name)
            self.assertEqual(table.to_pylist(), ROWS)
            self.assertEqual([str(t) for t in table.schema.types], ['int32', 'int64', 'string', 'string', 'double', 'decimal128(10, 2)', 'bool', 'date32[day]', 'timestamp[ms]'])
            self.assertFalse(table.schema.field('i').nullable)
            self.assertTrue(table.schema.field('l').nullable)
            self.assertEqual(self.csv("SELECT * FROM '%s'" % name), self.csv(QUERY))

    def test_times(self):
        query = "SELECT CAST(t AS TIMESTAMP(0)) a, CAST(t AS TIMESTAMP(6)) b, CAST(t AS TIMESTAMP(9)) c, CAST(t AS TIMESTAMP_LTZ(3)) d, CAST(t AS TIME) e FROM " \
                "(VALUES TIMESTAMP '1969-12-31 23:59:59.123456789') AS v (t)"
        for name in ('x.parquet', 'x.arrow'):
            self.run_sql("SET 'table.local-time-zone' = 'Asia/Seoul'; " + query, '-o', name)
            table = self.read(name)
            self.assertEqual([table[n].type for n in 'abcd'], [pa.timestamp('ms'), pa.timestamp('us'), pa.timestamp('ns'), pa.timestamp('ms', 'Asia/Seoul')])
            self.assertEqual([table[n].cast(pa.int64())[0].as_py() for n in 'abcd'], [0, -876544, -876543211, -877 - 9 * 3600000])

    def test_many_rows_in_order(self):
        table = pa.table({'n': pa.array(range(200000), pa.int64()), 'k': ['key %d of some length' % (i % 1000) for i in range(200000)]})
        self.write('in.parquet', table, rows=9999)
        for name in ('x.parquet', 'x.arrow'):
            for threads in ('1', '2'):
                self.run_sql("SELECT n, k FROM 'in.parquet'", '-o', name, '--threads', threads)
                self.assertTrue(self.read(name).equals(table))

    def test_same_bytes_for_every_thread_count(self):
        self.write('in.parquet', pa.table({'n': pa.array(range(50000), pa.int64()), 'x': [i * 0.1 for i in range(50000)]}), rows=777)
        for name in ('x.parquet', 'x.arrow'):
            contents = set()
            for threads in ('1', '2', '2'):
                self.run_sql("SELECT n, x FROM 'in.parquet' WHERE n <> 100", '-o', name, '--threads', threads)
                with open(self.path(name), 'rb') as file:
                    contents.add(file.read())
            self.assertEqual(len(contents), 1)

    def test_folders(self):
        for form in ('parquet', 'arrow'):
            self.run_sql("CREATE TABLE t (k STRING, v INT, n INT) PARTITIONED BY (k, n) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s'); "
                         "INSERT INTO t VALUES ('b', 1, 7), ('a', 2, 7), ('b', 3, 7), (CAST(NULL AS STRING), 4, 8);" % (form, form))
            table = pa.dataset.dataset(self.path(form), format=form, partitioning=pa.dataset.HivePartitioning(
                pa.schema([('k', pa.string()), ('n', pa.int32())]), null_fallback='__DEFAULT_PARTITION__')).to_table()
            rows = sorted(table.to_pylist(), key=lambda row: row['v'])
            self.assertEqual(rows, [{'v': 1, 'k': 'b', 'n': 7}, {'v': 2, 'k': 'a', 'n': 7}, {'v': 3, 'k': 'b', 'n': 7}, {'v': 4, 'k': None, 'n': 8}])
            self.assertEqual(self.csv("CREATE TABLE t (v INT, k STRING, n INT) PARTITIONED BY (k, n) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s'); "
                                      "SELECT k, v, n FROM t WHERE k IS NULL OR n = 7 AND k > 'a'" % (form, form)), ',4,8\nb,1,7\nb,3,7\n')

    def test_no_rows(self):
        for name in ('x.parquet', 'x.arrow'):
            self.run_sql(QUERY + ' WHERE i > 5', '-o', name)
            self.assertEqual((self.read(name).num_rows, self.read(name).column_names), (0, list(ROWS[0])))
            self.assertEqual(self.csv("SELECT COUNT(*) FROM '%s'" % name), '0\n')

    def test_nested(self):
        query = "SELECT n, CAST(ARRAY[n, NULL] AS ARRAY<BIGINT>) AS l, ROW(n, ARRAY['x']) AS r, MAP['k', n] AS m FROM (VALUES (1), (2)) AS v(n)"
        for name in ('x.parquet', 'x.arrow'):
            self.run_sql(query, '-o', name)
            rows = self.read(name).to_pylist()
            self.assertEqual([(r['n'], r['l'], list(r['r'].values()), r['m']) for r in rows], [(n, [n, None], [n, ['x']], [('k', n)]) for n in (1, 2)])

    def test_results_that_are_not_written(self):
        out = self.run_sql('SELECT 1 AS a; SELECT 2 AS b', '-o', 'x.parquet')
        self.assertIn('| +I |           1 |', out)
        self.assertEqual(self.read('x.parquet').to_pylist(), [{'b': 2}])

    def test_refused(self):
        self.refused("SELECT MAP[CAST(NULL AS INT), 2] AS m", 'NULL key', arguments=('-o', 'x.parquet'))
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn('-o FILE', self.run_sql('SELECT 1', '--format', 'parquet', status=2))
        self.write('x.parquet', pa.table({'a': [1]}))
        self.refused("SELECT * FROM 'x.parquet'", 'x.parquet', 'input', arguments=('-o', 'x.parquet'))
        self.assertEqual(self.read('x.parquet').to_pylist(), [{'a': 1}])

    def test_failure_leaves_the_file(self):
        self.write('in.parquet', pa.table({'a': [5, 0]}))
        self.write('x.parquet', pa.table({'a': [1]}))
        for name in ('x.parquet', 'new.arrow'):
            self.run_sql("SELECT 1 / a FROM 'in.parquet'", '-o', name, status=1)
        self.assertEqual(sorted(os.listdir(self.folder)), ['in.parquet', 'x.parquet'])
        self.assertEqual(self.read('x.parquet').to_pylist(), [{'a': 1}])


class Insert(FilesTest):
    COLUMNS = 'shop STRING, n BIGINT NOT NULL, ts TIMESTAMP(3), z TIMESTAMP_LTZ(3)'

    def test_a_file_grows(self):
        for name in ('x.parquet', 'x.arrow'):
            create = self.create(name, self.COLUMNS)
            self.run_sql(create + "INSERT INTO t VALUES ('a', 1, TIMESTAMP '2024-01-01 00:00:00', TO_TIMESTAMP_LTZ(5, 3)); INSERT INTO t (n) VALUES (2)")
            want = [{'shop': 'a', 'n': 1, 'ts': datetime.datetime(2024, 1, 1), 'z': datetime.datetime(1970, 1, 1, 0, 0, 0, 5000, datetime.timezone.utc)},
                    {'shop': None, 'n': 2, 'ts': None, 'z': None}]
            self.assertEqual(self.read(name).to_pylist(), want)
            self.run_sql(create + "INSERT OVERWRITE t (n) VALUES (3)")
            self.assertEqual(self.read(name)['n'].to_pylist(), [3])
            self.assertEqual(self.csv(create + 'SELECT n FROM t'), '3\n')

    def test_a_folder_gets_files(self):
        for form in ('parquet', 'arrow'):
            create = self.create('folder-' + form, 'a BIGINT').replace("'arrow'", "'%s'" % form)
            self.run_sql(create + 'INSERT INTO t VALUES (CAST(1 AS BIGINT)), (CAST(2 AS BIGINT))')
            self.run_sql(create + 'INSERT INTO t VALUES (CAST(3 AS BIGINT))')
            names = os.listdir(self.path('folder-' + form))
            self.assertEqual((len(names), {os.path.splitext(n)[1] for n in names}), (2, {'.' + form}))
            self.assertEqual(self.csv(create + 'SELECT SUM(a) FROM t'), '6\n')

    def test_compression(self):
        for name, option, codec in (('x.parquet', 'parquet.compression', 'ZSTD'), ('x.parquet', 'parquet.compression', 'GZIP'), ('x.parquet', 'parquet.compression', 'uncompressed')):
            self.run_sql(self.create(name, 'a INT', options=", '%s' = '%s'" % (option, codec)) + 'INSERT OVERWRITE t VALUES (1)')
            self.assertEqual(pa.parquet.ParquetFile(self.path(name)).metadata.row_group(0).column(0).compression, codec.upper())
        self.run_sql(self.create('x.arrow', 'a INT', options=", 'arrow.compression' = 'zstd'") + 'INSERT INTO t VALUES (1)')
        self.assertEqual(self.read('x.arrow').to_pylist(), [{'a': 1}])
        self.refused(self.create('y.parquet', 'a INT', options=", 'parquet.compression' = 'zip'") + 'INSERT INTO t VALUES (1)', 'parquet.compression', 'zip')
        self.refused(self.create('y.arrow', 'a INT', options=", 'arrow.compression' = 'snappy'") + 'INSERT INTO t VALUES (1)', 'arrow.compression', 'snappy')

    def test_failures_change_nothing(self):
        for name in ('x.parquet', 'x.arrow'):
            create = self.create(name, self.COLUMNS)
            self.run_sql(create + 'INSERT INTO t (n) VALUES (1)')
            self.refused(create + 'INSERT INTO t (shop) VALUES (%s)' % "'a'", "'n'", 'NOT NULL')
            self.assertEqual(self.read(name)['n'].to_pylist(), [1])
            with open(self.path(name), 'rb') as file:
                before = file.read()
            with open(self.path(name), 'wb') as file:
                file.write(before[:-20])
            self.run_sql(create + 'INSERT INTO t (n) VALUES (2)') # replaces what an earlier run left
            self.assertEqual(self.read(name)['n'].to_pylist(), [2])
            os.remove(self.path(name))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == '__main__':
    unittest.main()
