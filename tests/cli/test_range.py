"""--from and --to: days that are run apart join to the bytes of one run over all."""
import random
import unittest

from command import CommandTest

TABLE = '''SET 'table.local-time-zone' = '%s';
CREATE TABLE t (id BIGINT, k STRING, n INT, ts %s, WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'data.csv', 'format' = 'csv');
'''
WINDOWS = {
    'tumble': "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '50' MINUTE%s)",
    'tumble_offset': "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '7' MINUTE)",
    'hop': "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' MINUTE, INTERVAL '2' HOUR)",
    'hop_day': "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '2' DAY)",
    'cumulate': "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '3' HOUR, INTERVAL '1' DAY)",
    'session': "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '40' MINUTE)",
}
WINDOWS['tumble'] = WINDOWS['tumble'] % ''
QUERIES = {
    'aggregate': 'SELECT window_start, window_end, k, COUNT(*) AS c, SUM(n) AS s FROM {w} GROUP BY window_start, window_end, k',
    'filtered': "SELECT window_start, window_end, k, COUNT(*) AS c FROM {w} WHERE n > 20 AND k <> 'a' GROUP BY window_start, window_end, k HAVING COUNT(*) > 1",
    'top': 'SELECT window_start, window_end, k, n, r FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY n DESC, id) AS r FROM {w}) WHERE r <= 3',
    'dedup': 'SELECT window_start, window_end, k, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY ts DESC) AS r FROM {w}) WHERE r = 1',
    'top_of_sums': '''SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY s DESC, k) AS r FROM
        (SELECT window_start, window_end, k, SUM(n) AS s FROM {w} GROUP BY window_start, window_end, k)) WHERE r = 1''',
    'join': '''SELECT l.window_start, l.window_end, l.id, r.id AS other FROM (SELECT * FROM {w} WHERE n < 30) AS l
        FULL JOIN (SELECT * FROM {w} WHERE n > 80) AS r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end''',
}
CASCADE = '''SELECT window_start, window_end, SUM(s) AS s FROM TUMBLE(TABLE v, DESCRIPTOR(rt), INTERVAL '%s' HOUR) GROUP BY window_start, window_end'''
VIEW = 'CREATE VIEW v AS SELECT k, window_time AS rt, SUM(n) AS s FROM {w} GROUP BY window_start, window_end, window_time, k;'
PIECES = [(None, '2024-03-10'), ('2024-03-10', '2024-03-10T10:30'), ('2024-03-10 10:30', '2024-03-11 00:00:00.000'), ('2024-03-11', '2024-03-12 00:00:00'),
          ('2024-03-12', None)]


class RangeTest(CommandTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(5)
        rows = [(rng.randrange(72 * 3600), i) for i in range(700)]
        rng.shuffle(rows)
        self.write('data.csv', ''.join('%d,%s,%d,2024-03-%02d %02d:%02d:%02d%s\n' % (i, rng.choice('abc'), rng.randrange(100), 9 + s // 86400, s // 3600 % 24, s // 60 % 60,
                                       s % 60, '%s') for s, i in rows))

    def zone(self, zone):
        suffix = '' if zone == 'UTC' else 'Z'
        self.write('data.csv', self.read('data.csv').replace('%s', suffix))
        return TABLE % (zone, 'TIMESTAMP(3)' if zone == 'UTC' else 'TIMESTAMP_LTZ(3)')

    def answer(self, sql, *arguments):
        output, errors = self.run_program('-e', sql, '--format', 'csv', *arguments)
        self.assertEqual(errors, '')
        return output

    def check(self, sql, name):
        whole = self.answer(sql)
        header, rows = whole.split('\n', 1)
        joined = ''
        for begin, end in PIECES:
            arguments = (['--from', begin] if begin else []) + (['--to', end] if end else [])
            piece = self.answer(sql, *arguments)
            self.assertEqual(piece.split('\n', 1)[0], header)
            joined += piece.split('\n', 1)[1]
        self.assertGreater(len(rows), 0, name)
        self.assertEqual(joined, rows, name)

    def check_all(self, zone):
        table = self.zone(zone)
        for window, function in WINDOWS.items():
            for query, sql in QUERIES.items():
                self.check(table + sql.replace('{w}', function) + ';', '%s of %s in %s' % (query, window, zone))

    def test_wall_clock(self):
        self.check_all('UTC')

    def test_zone_with_summer_time(self):
        self.check_all('America/New_York')

    def test_windows_of_windows(self):
        table = self.zone('UTC')
        for window in ('tumble', 'hop', 'cumulate'):
            for hours in ('1', '5', '24'):
                self.check(table + VIEW.replace('{w}', WINDOWS[window]) + CASCADE % hours + ';', 'cascade over ' + window)

    def test_group_windows(self):
        table = self.zone('UTC')
        for call in ("HOP(ts, INTERVAL '1' HOUR, INTERVAL '3' HOUR)", "SESSION(ts, INTERVAL '40' MINUTE)", "TUMBLE(ts, INTERVAL '5' HOUR)"):
            start = call.replace('(ts', '_START(ts', 1)
            end = call.replace('(ts', '_END(ts', 1)
            self.check(table + 'SELECT %s AS a, %s AS z, k, COUNT(*) AS c FROM t GROUP BY k, %s;' % (start, end, call), call)

    def test_computed_time(self):
        self.zone('UTC')
        table = '''CREATE TABLE t (id BIGINT, k STRING, n INT, event STRING, ts AS TO_TIMESTAMP(event), WATERMARK FOR ts AS ts)
            WITH ('connector' = 'filesystem', 'path' = 'data.csv', 'format' = 'csv');\n'''
        self.check(table + QUERIES['aggregate'].replace('{w}', WINDOWS['hop']) + ';', 'computed')

    def test_bounds(self):
        self.zone('UTC')
        self.write('data.csv', '1,a,1,2024-03-09 00:00:00\n2,a,2,2024-03-09 00:59:59.999\n3,a,3,2024-03-09 01:00:00\n')
        sql = TABLE % ('UTC', 'TIMESTAMP(3)') + "SELECT window_end, SUM(n) AS s FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end;"
        self.assertEqual(self.answer(sql, '--from', '2024-03-09 01:00', '--to', '2024-03-09 02:00'), 'window_end,s\n2024-03-09 02:00:00.000,3\n')
        self.assertEqual(self.answer(sql, '--to', '2024-03-09 01:00'), 'window_end,s\n2024-03-09 01:00:00.000,3\n')
        self.assertEqual(self.answer(sql, '--from', '2024-03-09 00:30', '--to', '2024-03-09 01:30'), 'window_end,s\n2024-03-09 01:00:00.000,3\n')
        self.assertEqual(self.answer(sql, '--from', '2024-03-09 00:10', '--to', '2024-03-09 00:50'), 'window_end,s\n')

    def test_rows_before_are_not_aggregated(self):
        self.zone('UTC')
        output, _ = self.run_program('-e', TABLE % ('UTC', 'TIMESTAMP(3)') + 'EXPLAIN ' + QUERIES['aggregate'].replace('{w}', WINDOWS['hop']) + ';', '--from', '2024-03-10',
                                     '--to', '2024-03-11')
        self.assertIn('2024-03-09 22:00:00', output)
        self.assertIn('2024-03-11 00:00:00', output)

    def test_mistakes(self):
        _, errors = self.run_program('-e', 'SELECT 1', '--from', 'yesterday', status=2)
        self.assertIn("must be a time such as '2024-01-31' or '2024-01-31 18:30:00', but is 'yesterday'", errors)
        _, errors = self.run_program('-e', 'SELECT 1', '--from', '2024-01-02', '--to', '2024-01-01', status=2)
        self.assertIn('the range of windows is empty', errors)
        _, errors = self.run_program('-e', 'SELECT 1', '--from', '2024-01-02')
        self.assertIn('note: the query has no windows, so its rows are not restricted to the range', errors)


if __name__ == '__main__':
    unittest.main()
