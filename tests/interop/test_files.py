#!/usr/bin/env python3
"""Parquet and Arrow files in: every type, nulls, dictionaries, row groups, order, and what is refused."""
import datetime
import decimal
import itertools
import random
import subprocess
import unittest

from files_case import FORMS, PROGRAM, FilesTest, pa

UTC = datetime.timezone.utc
NOON = datetime.datetime(2024, 2, 29, 12, 34, 56, 789012)
D = decimal.Decimal

# Type of the file, declared type, values, what CSV shows for them.
TYPES = [
    (pa.bool_(), 'BOOLEAN', [True, False], ['true', 'false']),
    (pa.int8(), 'TINYINT', [-128, 127], ['-128', '127']),
    (pa.int8(), 'BIGINT', [-128, 127], ['-128', '127']),
    (pa.int16(), 'SMALLINT', [-32768, 32767], ['-32768', '32767']),
    (pa.int32(), 'INT', [-2**31, 2**31 - 1], ['-2147483648', '2147483647']),
    (pa.int32(), 'SMALLINT', [-32768, 32767], ['-32768', '32767']),
    (pa.int64(), 'BIGINT', [-2**63, 2**63 - 1], ['-9223372036854775808', '9223372036854775807']),
    (pa.uint8(), 'SMALLINT', [0, 255], ['0', '255']),
    (pa.uint16(), 'INT', [0, 65535], ['0', '65535']),
    (pa.uint32(), 'BIGINT', [0, 2**32 - 1], ['0', '4294967295']),
    (pa.uint64(), 'DECIMAL(20, 0)', [0, 2**64 - 1], ['0', '18446744073709551615']),
    (pa.uint64(), 'BIGINT', [0, 2**63 - 1], ['0', '9223372036854775807']),
    (pa.float16(), 'FLOAT', [1.5, -0.25], ['1.5', '-0.25']),
    (pa.float16(), 'DOUBLE', [1.5, -0.25], ['1.5', '-0.25']),
    (pa.float32(), 'FLOAT', [1.5, float('inf')], ['1.5', 'Infinity']),
    (pa.float32(), 'DOUBLE', [1.5, -0.25], ['1.5', '-0.25']),
    (pa.float64(), 'DOUBLE', [1.1, float('nan')], ['1.1', 'NaN']),
    (pa.decimal128(10, 2), 'DECIMAL(10, 2)', [D('-12345678.90'), D('0.01')], ['-12345678.90', '0.01']),
    (pa.decimal128(5, 1), 'DECIMAL(12, 4)', [D('-1234.5'), D('0.1')], ['-1234.5000', '0.1000']),
    (pa.decimal128(38, 10), 'DECIMAL(38, 10)', [D('1234567890123456789012345678.0123456789'), D(0)],
     ['1234567890123456789012345678.0123456789', '0.0000000000']),
    (pa.decimal256(20, 3), 'DECIMAL(20, 3)', [D('-12345678901234567.890'), D(1)], ['-12345678901234567.890', '1.000']),
    (pa.string(), 'STRING', ['', 'a text of more than twelve bytes, wörld'], ['""', '"a text of more than twelve bytes, wörld"']),
    (pa.large_string(), 'VARCHAR(40)', ['short', 'a text of more than twelve bytes'], ['short', 'a text of more than twelve bytes']),
    (pa.string_view(), 'STRING', ['short', 'a text of more than twelve bytes'], ['short', 'a text of more than twelve bytes']),
    (pa.binary(), 'STRING', [b'text', b'as bytes of more than twelve'], ['text', 'as bytes of more than twelve']),
    (pa.binary(), 'BYTES', [b'\x00\xff', b''], None),
    (pa.large_binary(), 'BYTES', [b'\x00\xff', b'0123456789abcdef'], None),
    (pa.binary(4), 'BINARY(4)', [b'\x00\xff\x01\x02', b'abcd'], None),
    (pa.date32(), 'DATE', [datetime.date(1, 1, 1), datetime.date(9999, 12, 31)], ['0001-01-01', '9999-12-31']),
    (pa.date64(), 'DATE', [datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)], ['1969-12-31', '2024-02-29']),
    (pa.time32('s'), 'TIME(0)', [datetime.time(0), datetime.time(23, 59, 59)], ['00:00:00', '23:59:59']),
    (pa.time32('ms'), 'TIME(3)', [datetime.time(0), datetime.time(23, 59, 59, 999000)], ['00:00:00.0', '23:59:59.999']),
    (pa.time64('us'), 'TIME(3)', [datetime.time(0), datetime.time(12, 0, 0, 1000)], ['00:00:00.0', '12:00:00.001']),
    (pa.time64('ns'), 'TIME(3)', [datetime.time(0), datetime.time(12, 0, 0, 1000)], ['00:00:00.0', '12:00:00.001']),
    (pa.dictionary(pa.int8(), pa.string()), 'STRING', ['a', 'a text of more than twelve bytes'], ['a', 'a text of more than twelve bytes']),
    (pa.dictionary(pa.int32(), pa.large_string()), 'STRING', ['a', 'b'], ['a', 'b']),
    (pa.dictionary(pa.uint16(), pa.int64()), 'BIGINT', [7, -7], ['7', '-7']),
    (pa.null(), 'DOUBLE', [None, None], ['', '']),
]
TIMESTAMPS = [(unit, zone, declared) for unit in ('s', 'ms', 'us', 'ns') for zone in (None, 'UTC', 'Asia/Seoul')
              for declared in ('TIMESTAMP(0)', 'TIMESTAMP(3)', 'TIMESTAMP(6)', 'TIMESTAMP(9)', 'TIMESTAMP_LTZ(3)', 'TIMESTAMP_LTZ(6)')]


def with_nulls(values):
    return [values[0], None, values[1], None, values[1], values[0]]


def timestamp_text(value, unit, declared):
    digits = {'s': 0, 'ms': 3, 'us': 6, 'ns': 6}[unit]
    value = value.replace(microsecond=value.microsecond // 10 ** (6 - digits) * 10 ** (6 - digits))
    precision = int(declared[-2])
    text = value.strftime('%Y-%m-%d %H:%M:%S')
    if precision:
        text += '.' + ('%06d000' % value.microsecond)[:precision]
    return text + ('Z' if 'LTZ' in declared else '')


class Types(FilesTest):
    def check_column(self, type_, declared, values, shown, name):
        try:
            table = pa.table({'n': range(6), 'v': pa.array(with_nulls(values), type_)})
            self.write(name, table, rows=4)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            return  # a type that the format does not have
        create = self.create(name, 'n BIGINT, v ' + declared)
        if shown:
            self.assertEqual(self.csv(create + 'SELECT v, n FROM t'), ''.join('%s,%d\n' % (s, n) for n, s in enumerate(s or '' for s in with_nulls(shown))))
        self.run_sql(create + 'SELECT v, n FROM t', '-o', 'out.parquet')
        got, want = self.read('out.parquet')['v'].to_pylist(), with_nulls(values)
        if type_ == pa.binary() and declared == 'STRING':
            want = [v and v.decode() for v in want]
        if values[1] == values[1]:
            self.assertEqual(got, want)

    def test_every_type(self):
        for (type_, declared, values, shown), name in itertools.product(TYPES, FORMS):
            with self.subTest(type=type_, declared=declared, name=name):
                self.check_column(type_, declared, values, shown, name)

    def test_timestamps(self):
        before = datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)
        for (unit, zone, declared), name in zip(TIMESTAMPS, itertools.cycle(FORMS)):
            with self.subTest(unit=unit, zone=zone, declared=declared, name=name):
                values = [v if zone is None else v.replace(tzinfo=UTC) for v in (NOON, before)]
                kept = [int((v.replace(tzinfo=UTC) - datetime.datetime(1970, 1, 1, tzinfo=UTC)) / datetime.timedelta(microseconds=1)) for v in values]
                scale = {'s': (1, 10**6), 'ms': (1, 1000), 'us': (1, 1), 'ns': (1000, 1)}[unit]
                array = pa.array([None if k is None else k * scale[0] // scale[1] for k in with_nulls(kept)], pa.int64()).cast(pa.timestamp(unit, zone))
                self.write(name, pa.table({'v': array}), rows=4)
                texts = [timestamp_text(v, unit, declared) for v in (NOON, before)]
                want = ''.join((t or '') + '\n' for t in with_nulls(texts))
                self.assertEqual(self.csv(self.create(name, 'v ' + declared) + 'SELECT v FROM t'), want)

    def test_int96(self):
        values = [NOON, None, datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999000)]
        self.write('x.parquet', pa.table({'v': pa.array(values, pa.timestamp('us'))}), use_deprecated_int96_timestamps=True)
        out = self.csv(self.create('x.parquet', 'v TIMESTAMP(6)') + 'SELECT v FROM t')
        self.assertEqual(out, '2024-02-29 12:34:56.789012\n\n0001-01-01 00:00:00.000000\n9999-12-31 23:59:59.999000\n')
        out = self.csv(self.create('x.parquet', 'v TIMESTAMP_LTZ(3)') + 'SELECT v FROM t')
        self.assertEqual(out.split('\n')[3], '9999-12-31 23:59:59.999Z')

    def test_values_that_do_not_fit(self):
        for name in FORMS:
            self.write(name, pa.table({'a': pa.array([1, 128], pa.int32()), 'b': pa.array([1, 2**63], pa.uint64()), 'c': [b'ok', b'\xff\xfe'],
                                       'd': pa.array([b'ok', b'\xff\xfe']).dictionary_encode()}))
            self.refused(self.create(name, 'a TINYINT') + 'SELECT a FROM t', name, "'a'", 'row 2' if 'file' not in name else '128')
            self.refused(self.create(name, 'b BIGINT') + 'SELECT b FROM t', name, "'b'", 'out of range')
            self.refused(self.create(name, 'c STRING') + 'SELECT c FROM t', name, "'c'", 'UTF-8')
            self.refused(self.create(name, 'd STRING') + 'SELECT d FROM t', name, "'d'", 'UTF-8')


class Shapes(FilesTest):
    def table(self, count, seed=1):
        pick = random.Random(seed)
        words = ['word %d of a long list' % i for i in range(40)]
        return pa.table({
            'n': pa.array(range(count), pa.int64()),
            'k': pa.array([None if pick.random() < 0.1 else pick.choice(words) for _ in range(count)], pa.string()),
            'u': pa.array(['unique text number %d' % i for i in range(count)], pa.string()),
            'x': pa.array([None if i % 7 == 3 else i * 0.5 for i in range(count)], pa.float64()),
            'ts': pa.array([1_700_000_000_000 + i * 977 for i in range(count)], pa.timestamp('ms')),
        })

    COLUMNS = 'n BIGINT, k STRING, u STRING, x DOUBLE, ts TIMESTAMP(3)'

    def rows_as_csv(self, table):
        times = table['ts'].cast(pa.string()).to_pylist()
        return ''.join('%d,%s,%s,%s,%s\n' % (n, k or '', u, '' if x is None else repr(x), t) for n, k, u, x, t in
                       zip(table['n'].to_pylist(), table['k'].to_pylist(), table['u'].to_pylist(), table['x'].to_pylist(), times))

    def test_order_for_every_thread_count_and_batch_size(self):
        table = self.table(5000)
        want = self.rows_as_csv(table)
        for name, rows, compression in itertools.product(FORMS, (97, 5000), (None, 'zstd')):
            self.write(name, table, rows=rows, compression=compression)
            for threads, batch in (('1', '4096'), ('2', '4096'), ('2', '64'), ('2', '1000')):
                with self.subTest(name=name, rows=rows, compression=compression, threads=threads, batch=batch):
                    got = self.csv(self.create(name, self.COLUMNS) + 'SELECT n, k, u, x, ts FROM t', '--threads', threads, '--batch-rows', batch)
                    self.assertTrue(got == want, 'rows differ')

    def test_parquet_forms(self):
        table = self.table(3000)
        want = self.rows_as_csv(table)
        for dictionary, page, compression in itertools.product((True, False, ['k']), ('1.0', '2.0'), ('none', 'gzip', 'lz4', 'brotli')):
            with self.subTest(dictionary=dictionary, page=page, compression=compression):
                self.write('x.parquet', table, rows=700, compression=compression, use_dictionary=dictionary, data_page_version=page,
                           write_page_checksum=True, data_page_size=2000, dictionary_pagesize_limit=2000)
                self.assertTrue(self.csv(self.create('x.parquet', self.COLUMNS) + 'SELECT n, k, u, x, ts FROM t') == want, 'rows differ')

    def test_only_some_columns(self):
        table = self.table(1000)
        for name in FORMS:
            self.write(name, table, rows=64)
            create = self.create(name, self.COLUMNS)
            self.assertEqual(self.csv(create + 'SELECT COUNT(*) FROM t'), '1000\n')
            self.assertEqual(self.csv(create + 'SELECT COUNT(k), COUNT(x), SUM(n) FROM t'), '%d,%d,499500\n' % (1000 - table['k'].null_count, 1000 - table['x'].null_count))
            self.assertEqual(self.csv(create + 'SELECT ts, n FROM t LIMIT 1 OFFSET 999'), self.rows_as_csv(table.slice(999)).split(',')[-1].strip() + ',999\n')

    def test_row_groups_outside_the_condition(self):
        """What is read is told by --timing; what comes out is checked against all rows."""
        second = datetime.datetime(2024, 1, 1)
        for unit, nulls in (('ms', False), ('us', False), ('ns', True)):
            times = [second + datetime.timedelta(seconds=i, milliseconds=i % 7 * 100) for i in range(1000)]
            values = [None if nulls and i == 450 else v for i, v in enumerate(times)]
            self.write('x.parquet', pa.table({'n': pa.array(range(1000), pa.int64()), 'ts': pa.array(values, pa.timestamp(unit))}), rows=100)
            for condition, keep, groups in (
                    ("ts >= TIMESTAMP '2024-01-01 00:15:00'", lambda t: t >= second + datetime.timedelta(minutes=15), 1),
                    ("ts < TIMESTAMP '2024-01-01 00:00:00.300'", lambda t: t < second + datetime.timedelta(milliseconds=300), 1),
                    ("TIMESTAMP '2024-01-01 00:03:20' > ts AND n <> 5", lambda t: t < second + datetime.timedelta(seconds=200) and t != times[5], 2),
                    ("ts = TIMESTAMP '2024-01-01 00:01:45'", lambda t: t == times[105], 1),
                    ("ts BETWEEN TIMESTAMP '2024-01-01 00:04:00' AND TIMESTAMP '2024-01-01 00:05:30'", lambda t: times[0] + datetime.timedelta(minutes=4) <= t <=
                     times[0] + datetime.timedelta(minutes=5, seconds=30), 2),
                    ("ts > TIMESTAMP '2025-01-01 00:00:00'", lambda t: False, 0),
                    ("(ts > TIMESTAMP '2025-01-01 00:00:00' OR n < 3)", lambda t: t in times[:3], 10)):
                query = "SELECT n FROM 'x.parquet' WHERE " + condition
                self.assertEqual(self.csv(query).split(), [str(i) for i, t in enumerate(values) if t and keep(t)], condition)
                run = subprocess.run([PROGRAM, '--timing', '--format', 'csv', '-e', query], cwd=self.folder, capture_output=True, text=True)
                rows = groups * 100 + (100 if nulls and groups < 10 else 0)  # the group with a NULL is always read
                self.assertIn('%d rows read' % rows, run.stderr, condition)

    def test_zero_rows(self):
        for name in FORMS:
            self.write(name, self.table(0))
            self.assertEqual(self.csv(self.create(name, self.COLUMNS) + 'SELECT * FROM t'), '')
            self.assertEqual(self.csv(self.create(name, self.COLUMNS) + 'SELECT COUNT(*), SUM(n) FROM t'), '0,\n')

    def test_all_null(self):
        table = pa.table({'n': pa.array([None] * 100, pa.int64()), 'k': pa.array([None] * 100, pa.string())})
        for name in FORMS:
            self.write(name, table, rows=30)
            self.assertEqual(self.csv(self.create(name, 'n BIGINT, k STRING') + 'SELECT COUNT(*), COUNT(n), COUNT(k) FROM t'), '100,0,0\n')

    def test_slices_with_offsets(self):
        table = self.table(500).slice(13, 301)
        self.write('file.arrow', table, rows=77)
        self.assertTrue(self.csv(self.create('file.arrow', self.COLUMNS) + 'SELECT * FROM t') == self.rows_as_csv(table))

    def test_few_large_batches(self):
        """Their rows are shared among workers, also while the next batch begins."""
        count = 70_000
        flags = pa.array([None if i % 11 == 5 else i % 3 == 0 for i in range(3 * count)])
        words = pa.array(['w%d' % (i % 5) for i in range(3 * count)]).dictionary_encode()
        table = pa.table({'n': pa.array(range(3 * count), pa.int64()), 'f': flags, 'w': words})
        for ends in ([0, 3 * count], [0, 1, 1, 90_000, 90_001, 200_000, 3 * count]):
            with pa.ipc.new_file(self.path('file.arrow'), table.schema) as out:
                for begin, end in zip(ends, ends[1:]):
                    out.write_batch(table.to_batches()[0].slice(begin, end - begin))
            create = self.create('file.arrow', 'n BIGINT, f BOOLEAN, w STRING')
            want = '%d,%d,%d,%d\n' % (3 * count, flags.null_count, count - sum(1 for i in range(0, 3 * count, 3) if i % 11 == 5), sum(range(3 * count)))
            for threads in '1', '2':
                query = "SELECT COUNT(w), SUM(CASE WHEN f IS NULL THEN 1 ELSE 0 END), SUM(CASE WHEN f THEN 1 ELSE 0 END), SUM(n) FROM t"
                self.assertEqual(self.csv(create + query, '--threads', threads), want)
                self.assertEqual(self.csv(create + 'SELECT w FROM t LIMIT 4 OFFSET 69998', '--threads', threads), 'w3\nw4\nw0\nw1\n')

    def test_folder_in_order_of_names(self):
        table = self.table(900)
        for form in ('parquet', 'file.arrow'):
            folder = 'folder-' + form
            for part in (2, 0, 1):
                self.write('%s/part-%d.%s' % (folder, part, form), table.slice(part * 300, 300), rows=50)
            self.write('%s/_hidden.%s' % (folder, form), table)
            create = self.create(folder + '/', self.COLUMNS).replace("'arrow'", "'%s'" % ('parquet' if form == 'parquet' else 'arrow'))
            self.assertTrue(self.csv(create + 'SELECT * FROM t') == self.rows_as_csv(table))
            self.assertEqual(self.csv(create + 'SELECT COUNT(*) FROM t'), '900\n')

    def test_properties_of_files(self):
        self.write('x.parquet', self.table(3))
        create = self.create('x.parquet', "n BIGINT, f STRING METADATA FROM 'file.name', s BIGINT METADATA FROM 'file.size'")
        import os
        size = os.path.getsize(self.path('x.parquet'))
        self.assertEqual(self.csv(create + 'SELECT f, n, s FROM t'), ''.join('x.parquet,%d,%d\n' % (n, size) for n in range(3)))
        self.assertEqual(self.csv(create + 'SELECT f FROM t'), 'x.parquet\n' * 3)

    def test_dictionaries_that_change(self):
        schema = pa.schema([('k', pa.dictionary(pa.int32(), pa.string()))])
        arrays = [pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1], pa.int32()), pa.array(words)) for words in
                  (['a', 'b'], ['b', 'a'], ['a long text of one dictionary', None])]
        with pa.ipc.new_stream(self.path('stream.arrow'), schema) as out:
            for array in arrays:
                out.write_batch(pa.record_batch([array], schema=schema))
        want = ''.join((v or '') + '\n' for array in arrays for v in array.to_pylist())
        for batch in ('4096', '3'):
            self.assertEqual(self.csv(self.create('stream.arrow', 'k STRING') + 'SELECT k FROM t', '--batch-rows', batch), want)


class Nested(FilesTest):
    DAY = datetime.datetime(2024, 1, 1, 0, 0, 0, 5000)
    COLUMNS = [
        ('l', pa.list_(pa.int32()), 'ARRAY<INT>', [[1, 2], [], None, [3, None]], ['"[1, 2]"', '[]', '', '"[3, NULL]"']),
        ('g', pa.large_list(pa.int64()), 'ARRAY<BIGINT>', [[1], [], None, [None]], ['[1]', '[]', '', '[NULL]']),
        ('s', pa.struct([('a', pa.int32()), ('b', pa.string())]), 'ROW<a INT, b STRING>', [{'a': 1, 'b': 'x'}, {'a': None, 'b': 'yy'}, None, {'a': 4, 'b': 'a long text of bytes'}],
         ['"(1, x)"', '"(NULL, yy)"', '', '"(4, a long text of bytes)"']),
        ('m', pa.map_(pa.string(), pa.int32()), 'MAP<STRING, INT>', [[('k', 1)], [], None, [('a', 1), ('b', None)]], ['{k=1}', '{}', '', '"{a=1, b=NULL}"']),
        ('n', pa.list_(pa.list_(pa.int16())), 'ARRAY<ARRAY<BIGINT>>', [[[1], [2, 3]], None, [], [None]], ['"[[1], [2, 3]]"', '', '[]', '[NULL]']),
        ('t', pa.list_(pa.timestamp('us')), 'ARRAY<TIMESTAMP(3)>', [[DAY], None, [], [None]], ['[2024-01-01 00:00:00.005]', '', '[]', '[NULL]']),
        ('r', pa.struct([('p', pa.list_(pa.struct([('q', pa.float32())])))]), 'ROW<p ARRAY<ROW<q DOUBLE>>>', [{'p': [{'q': 0.5}, None]}, {'p': None}, None, {'p': []}],
         ['"([(0.5), NULL])"', '(NULL)', '', '([])']),
    ]

    def test_columns(self):
        names, types, declared, values, texts = zip(*self.COLUMNS)
        table = pa.table([pa.array(v * 300, t) for v, t in zip(values, types)], names=names).append_column('z', pa.array(['a', 'b', 'c', 'd'] * 300))
        wanted = ''.join(','.join(column[i] for column in texts) + ',' + 'abcd'[i] + '\n' for i in range(4)) * 300
        for name in FORMS:
            self.write(name, table, rows=101)
            for arguments in (['--threads', '1'], ['--threads', '2'], ['--batch-rows', '64']):
                create = self.create(name, ', '.join('%s %s' % (n, d) for n, d in zip(names, declared)) + ', z STRING')
                self.assertEqual(self.csv(create + 'SELECT * FROM t', *arguments), wanted)
            self.assertEqual(self.csv("SELECT COUNT(l), SUM(l[1]), MAX(s.b), SUM(CARDINALITY(m)) FROM '%s'" % name), '900,1200,yy,900\n')

    def test_written_and_read(self):
        names, types, declared, values, texts = zip(*self.COLUMNS[:4])
        self.write('x.parquet', pa.table([pa.array(v, t) for v, t in zip(values, types)], names=names))
        for name in ('y.parquet', 'y.arrow'):
            self.run_sql("SELECT * FROM 'x.parquet'", '-o', name)
            self.assertEqual(self.csv("SELECT * FROM '%s'" % name), self.csv("SELECT * FROM 'x.parquet'"))
        create = self.create('z.parquet', ', '.join('%s %s' % (n, d) for n, d in zip(names, declared)))
        self.assertEqual(self.csv(create + "INSERT INTO t SELECT * FROM 'x.parquet'; INSERT INTO t SELECT * FROM 'y.parquet'; SELECT COUNT(*), COUNT(l), SUM(s.a) FROM t").split()[-1],
                         '8,6,10')

    def test_parts_that_do_not_fit(self):
        self.write('x.parquet', pa.table({'s': [{'a': 1, 'b': 'x'}], 'm': pa.array([[('k', 1)]], pa.map_(pa.string(), pa.int64()))}))
        for column in ('s ROW<a BIGINT>', 's ROW<b BIGINT, a STRING>', 's ROW<a STRING, b STRING>', 's ARRAY<BIGINT>', 'm MAP<STRING, STRING>', 'm BIGINT'):
            self.refused(self.create('x.parquet', column) + 'SELECT %s FROM t' % column[0], 'x.parquet', "'%s'" % column[0], 'is declared as')


class Undeclared(FilesTest):
    def test_from_a_path(self):
        table = pa.table({'shop': ['a', 'b', 'a'], 'amount': pa.array([1, 2, None], pa.int32()),
                          'ts': pa.array([1_700_000_000_000, None, 1_700_000_700_000], pa.timestamp('ms'))})
        for name in FORMS:
            self.write(name, table)
            self.assertEqual(self.csv("SELECT * FROM '%s'" % name), 'a,1,2023-11-14 22:13:20.000\nb,2,\na,,2023-11-14 22:25:00.000\n')
            self.assertEqual(self.csv("SELECT x.shop FROM '%s' AS x WHERE amount = 2" % name), 'b\n')
            window = "SELECT window_start, COUNT(*) FROM TUMBLE(TABLE '%s', DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end" % name
            self.assertEqual(self.csv(window), '2023-11-14 22:10:00.000,1\n2023-11-14 22:20:00.000,1\n')
            create = "CREATE TABLE t WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s');" % (name, 'parquet' if 'parquet' in name else 'arrow')
            self.assertEqual(self.csv(create + 'SELECT SUM(amount) FROM t'), '3\n')
            self.assertIn('INT', self.run_sql(create + 'DESCRIBE t; SHOW CREATE TABLE t'))

    def test_types(self):
        table = pa.table({'a': pa.array([1], pa.uint32()), 'b': pa.array([1], pa.timestamp('ms', 'UTC')), 'c': pa.array(['x']).dictionary_encode(),
                          'd': [[1]], 'e': [{'f': 1}], 'g': pa.array([D('1.5')])})
        self.write('x.parquet', table)
        rows = [[c.strip() for c in line.split('|')[1:3]] for line in self.run_sql("CREATE TABLE t WITH ('connector' = 'filesystem', 'path' = 'x.parquet', "
                "'format' = 'parquet'); DESCRIBE t").split('\n') if line.startswith('| ')][1:]
        self.assertEqual(rows, [['a', 'BIGINT'], ['b', 'TIMESTAMP_LTZ(3)'], ['c', 'STRING'], ['d', 'ARRAY<BIGINT>'], ['e', 'ROW<`f` BIGINT>'], ['g', 'DECIMAL(2, 1)']])
        self.assertEqual(self.csv("SELECT a, c FROM 'x.parquet'"), '1,x\n')
        self.assertEqual(self.csv("SELECT d, e, d[1] + e.f FROM 'x.parquet'"), '[1],(1),2\n')

    def test_refused(self):
        self.refused("SELECT * FROM 'none.parquet'", 'none.parquet', 'does not exist')
        self.refused("SELECT * FROM 'none.xyz'", 'none.xyz')
        self.write('x.parquet', pa.table([[1], [2]], names=['a', 'a']))
        self.refused("SELECT 1 FROM 'x.parquet'", 'x.parquet', 'two columns', "'a'")
        self.write('x.parquet', pa.table({'a': [1]}))
        self.refused("CREATE TABLE t WITH ('connector' = 'filesystem', 'path' = 'x.parquet', 'format' = 'parquet'); INSERT INTO t SELECT 1", 'no columns')


class Refused(FilesTest):
    def test_columns(self):
        for name in FORMS:
            self.write(name, pa.table({'a': [1], 'b': ['x'], 'c': [1.5], 'd': [NOON], 'l': [[1]]}))
            for columns, words in (('z INT', ["no column 'z'", 'a, b, c, d']), ('a INT', ["'a'", 'INT', 'BIGINT']), ('b BIGINT', ["'b'", 'STRING']),
                                   ('c FLOAT', ["'c'", 'DOUBLE']), ('d BIGINT', ["'d'", 'TIMESTAMP(6)']), ('l ARRAY<STRING>', ["'l'", 'ARRAY<BIGINT>']),
                                   ('a DECIMAL(10, 2)', ["'a'", 'BIGINT']), ('b TIMESTAMP(3)', ["'b'"]), ('a STRING', ["'a'"])):
                self.refused(self.create(name, columns) + 'SELECT %s FROM t' % columns[0], name, *words)

    def test_schemas_that_differ(self):
        self.write('f/1.parquet', pa.table({'a': [1]}))
        self.write('f/2.parquet', pa.table({'a': ['x']}))
        self.refused(self.create('f', 'a BIGINT').replace("'arrow'", "'parquet'") + 'SELECT a FROM t', '2.parquet', "'a'", 'BIGINT', 'STRING')
        self.write('f/2.parquet', pa.table({'b': [1]}))
        self.refused(self.create('f', 'a BIGINT').replace("'arrow'", "'parquet'") + 'SELECT SUM(a) FROM t', '2.parquet', "'a'")

    def test_nulls(self):
        table = pa.table({'n': pa.array(range(100), pa.int64()), 'v': pa.array([None if i == 70 else i for i in range(100)], pa.int64()),
                          'ts': pa.array([None if i == 80 else i for i in range(100)], pa.timestamp('ms'))})
        for name in FORMS:
            self.write(name, table, rows=30)
            row = [] if name == 'file.arrow' else ['row 71']
            self.refused(self.create(name, 'n BIGINT, v BIGINT NOT NULL') + 'SELECT SUM(v) FROM t', name, "'v' is NOT NULL", *row)
            rowtime = self.create(name, 'n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts')
            row = [] if name == 'file.arrow' else ['row 81']
            self.refused(rowtime + 'SELECT SUM(n) FROM t', name, 'RowTime field should not be null', *row)
            self.assertEqual(self.csv("SET 'execution.runtime-mode' = 'batch';" + rowtime + 'SELECT SUM(n) FROM t'), '4950\n')

    def test_rows_before_a_failure_come_out(self):
        table = pa.table({'v': pa.array([None if i == 70 else i for i in range(100)], pa.int64())})
        for name, batch in itertools.product(FORMS, ('4096', '8')):
            self.write(name, table, rows=30)
            self.assertEqual(len(self.csv(self.create(name, 'v BIGINT NOT NULL') + 'SELECT v FROM t LIMIT 70', '--batch-rows', batch).split()), 70)

    def test_other_files(self):
        for name, content in (('empty.parquet', b''), ('text.parquet', b'1,2,3\n' * 100), ('magic.parquet', b'PAR1PAR1'), ('text.arrow', b'1,2,3\n' * 100),
                              ('magic.arrow', b'ARROW1\0\0ARROW1'), ('short.arrow', b'AR')):
            with open(self.path(name), 'wb') as file:
                file.write(content)
            self.refused(self.create(name, 'a INT') + 'SELECT * FROM t', name)


if __name__ == '__main__':
    unittest.main()
